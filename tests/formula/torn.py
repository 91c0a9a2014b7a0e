"""Fuzzing the reader of responses: rows of the table of spellings, torn and put together anew, are read or refused.

Run `python tests/formula/torn.py 1000000 [SEED]` for a long run; it prints how many of each there were, and stops with
the response that ended otherwise.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from formula.spellings import LEXICON, rows
from quizgen.formula.quantity import Reading
from quizgen.numbers.answer import AnswerFormat, Refusal
from quizgen.numbers.read import read_response
from quizgen.numbers.stem import with_stem_words

WORDS: Final = (
    "about", "not", "and", "or", "of", "per", "~", "=", "->", "(", ")", ",", ".", "x", "*", "/", "k", "M", "GB", "ms",
    "s", "h", "%", "min", "each", "total", "minus", "plus", "half", "two", "million", "$", "to", "-", "1", "0", "10^",
    "e3", "at most", "at least", "instead of", "vs", "for", "in", "a", "K=32", "...", "so", "no", "?", "which", "if",
)  # fmt: skip
LETTERS: Final = "0123456789.,-+kMGBs% x/*^()=~>|:;'$"


class Torn:
    """Responses made of rows: each is asked what some row asks."""

    def __init__(self, seed: str) -> None:
        self.draw = Random(seed)
        table = rows()
        self.texts = sorted({row.response for row in table})
        self.asked = [
            with_stem_words(asked, row.stem) if row.stem else asked
            for row in table
            for asked in (AnswerFormat(row.unit, lexicon=LEXICON),)
        ]

    def next(self) -> tuple[str, AnswerFormat]:
        text = self.draw.choice(self.texts)
        for _ in range(self.draw.choice((1, 1, 2, 3))):
            text = self._torn(text)
        return text, self.draw.choice(self.asked)

    def _torn(self, text: str) -> str:
        draw, said = self.draw, text.split(" ")
        at, kind = draw.randrange(len(said) + 1), draw.randrange(6)
        if kind == 0:
            place = draw.randrange(len(text) + 1)
            return text[:place] + draw.choice(("", *LETTERS)) + text[place + draw.randrange(2) :]
        if kind == 1:
            return " ".join((*said[:at], draw.choice(WORDS), *said[at:]))
        if kind == 2:
            return " ".join((*said[:at], *said[at + 1 :]))
        if kind == 3:
            return " ".join((*said[at:], *said[:at]))
        other = draw.choice(self.texts).split(" ")
        joint = () if kind == 4 else (draw.choice(WORDS),)
        return " ".join((*said[:at], *joint, *other[draw.randrange(len(other) + 1) :]))


def run(count: int, seed: str) -> Counter[str]:
    torn = Torn(seed)
    found: Counter[str] = Counter()
    for _ in range(count):
        text, asked = torn.next()
        try:
            result = read_response(text, asked)
        except BaseException:
            print(f"neither read nor refused: {text!r} for {asked.unit.symbol}", file=sys.stderr)
            raise
        found["read" if isinstance(result, Reading) else "refused" if isinstance(result, Refusal) else "other"] += 1
    return found


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    told = ", ".join(
        f"{n:,} {name}" for name, n in sorted(run(many, sys.argv[2] if len(sys.argv) > 2 else "1").items())
    )
    print(f"{many:,} responses: {told}; 0 crashes")
