"""Fuzzing the scoring of text: answers of the shipped bank, torn and put together anew, keep every law of a score.

Run `python tests/rubric/torn.py 1000000 [SEED]` for a long run; it stops with the answer that broke a law.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import shipped

from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import score_text

WORDS: Final = (
    "not", "no", "never", "doubt", "but", "while", "whereas", "unless", "if", "than", "rather", "instead", "of", "(",
    "16 bytes", "2*63/64", "3-5", "1e9", ")", ";", ":", "\n- ", "\n", "?", '"', "'", "…", "10^", "> 80 GB", "%", "half",
    "one", "-", "/", "->", "=", "maybe", "I", "think", "only", "even", "without", "\n> ", "+", "<", "\n+ ", "1.", "a)",
)  # fmt: skip
LETTERS: Final = "abcz.,;-'()0123 \n\"*"


class Torn:
    """Answers to rubrics: each is made of what was written for it, and of others."""

    def __init__(self, rubrics: list[Rubric], seed: str) -> None:
        self.draw, self.rubrics = Random(seed), rubrics
        self.words = sorted({word for r in rubrics for text in self._texts(r) for word in text.split()})

    @staticmethod
    def _texts(rubric: Rubric) -> tuple[str, ...]:
        return (rubric.model_answer, *rubric.right, *rubric.wrong)

    def next(self) -> tuple[Rubric, str]:
        draw = self.draw
        rubric = draw.choice(self.rubrics)
        said = draw.choice((*self._texts(rubric), draw.choice(self.rubrics).model_answer)).split()
        for _ in range(draw.randrange(1, 12)):
            at, kind = draw.randrange(len(said) + 1), draw.randrange(5)
            if kind == 0:
                said.insert(at, draw.choice(WORDS))
            elif kind == 1:
                del said[at : at + 1]
            elif kind == 2:
                said.insert(at, draw.choice(self.words))
            elif kind == 3:
                said = said[at:] + said[:at]
            elif at < len(said):
                place = draw.randrange(len(said[at]) + 1)
                said[at] = said[at][:place] + draw.choice(LETTERS) + said[at][place + draw.randrange(2) :]
        return rubric, " ".join(said)


def broken_law(rubric: Rubric, text: str) -> str:
    """What does not hold of the score of a text; empty where all does."""
    scored = score_text(rubric, text)
    if not 0 <= scored.earned <= scored.possible:
        return "points out of range"
    if scored.earned != sum(m.earned for m in scored.marks) + sum(a.points for a in scored.adjustments):
        return "the parts are not the sum"
    if not all(0 <= m.sure <= 1 for m in scored.marks):
        return "sure is no share"
    spans = [span for part in (*scored.marks, *scored.adjustments) for span in part.evidence]
    return "" if all(0 <= start < end <= len(text) for start, end in spans) else "evidence outside of the text"


def rubrics() -> list[Rubric]:
    """Those of the shipped bank that have a model answer."""
    found = (getattr(item, "rubric", None) for item in shipped.bank().items.values())
    return [rubric for rubric in found if isinstance(rubric, Rubric) and rubric.model_answer]


def run(rubrics: list[Rubric], count: int, seed: str) -> Counter[str]:
    torn = Torn(rubrics, seed)
    told: Counter[str] = Counter()
    for _ in range(count):
        rubric, text = torn.next()
        try:
            told[broken_law(rubric, text)] += 1
        except BaseException:
            print(f"not scored: {text!r} as answer to {rubric.stem!r}", file=sys.stderr)
            raise
    return told


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(f"{many:,} answers:", dict(run(rubrics(), many, sys.argv[2] if len(sys.argv) > 2 else "1")))
