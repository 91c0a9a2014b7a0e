"""What each rule about English is worth: taken out alone, how many answers are marked otherwise, set by set.

    python -m tests.bench.bench_rules [BANK GRADED.jsonl]...

Sets that ship: 240 blind answers to the bank with marks by hand, answers to computer-science and science items with
points by hand, ranges and probes; further graded answers as for `quizgen rubric eval`. Beside the count stands what is
lost without the rule: of the correlation with the hand (in thousandths) where there are marks, else of the rows that
come out as a careful person has them. A cue row is taken out with all of its words.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from statistics import correlation
from unittest.mock import patch

from quizgen.bank import load
from quizgen.rubric import Rubric, TextScore, score_text
from quizgen.rubric.by_hand import share_by_hand
from quizgen.rubric.compiling import compile as compiling
from quizgen.rubric.context import findings
from quizgen.rubric.judging import leaning
from quizgen.rubric.pattern.meanings import word_of
from quizgen.rubric.reading import reading, triggers
from quizgen.rubric.text.cues import CUE_ROWS, CUES
from tests.rubric import test_answers, test_probes, test_ranges

BLIND = Path(__file__).parents[1] / "banks" / "graded_answers.jsonl"
Agrees = Callable[[TextScore], bool]


@dataclass(frozen=True)
class Answers:
    """Answers to rubrics, each with its share by hand, or with a test of whether its score is right."""

    name: str
    rows: tuple[tuple[Rubric, str, float | Agrees], ...]

    def scores(self) -> list[TextScore]:
        """Every answer's score by rubrics that are compiled anew."""
        fresh: dict[int, Rubric] = {}
        return [
            score_text(fresh.setdefault(id(rubric), replace(rubric, memo=[])), text) for rubric, text, _ in self.rows
        ]

    def worth(self, scores: list[TextScore]) -> float:
        """The correlation with the hand in thousandths, or how many scores are right."""
        by_hand = [want for *_, want in self.rows if isinstance(want, float)]
        if by_hand:
            return 1000 * correlation(by_hand, [float(score.earned / score.possible) for score in scores])
        return sum(want(score) for (*_, want), score in zip(self.rows, scores, strict=True) if callable(want))


def graded(bank: str, path: Path) -> Answers:
    items = load(bank).bank
    assert items is not None, bank
    rubrics = {name: item.rubric for name, item in items.items.items() if hasattr(item, "rubric")}
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        marks = tuple((name, float(mark)) for name, mark in row["hand"].items())
        text = row["response"] if "response" in row else row["answer"]
        rows.append((rubrics[row["item"]], text, float(share_by_hand(rubrics[row["item"]], marks))))
    return Answers(path.stem, tuple(rows))


def shipped() -> Iterator[Answers]:
    yield graded("distributed-training", BLIND)
    points = [(test_answers.RUBRICS[name], text, points) for name, points, _, text in test_answers.ROWS]
    yield Answers("answers", tuple((rubric, text, points / float(rubric.possible)) for rubric, text, points in points))

    def within(least: Fraction, most: Fraction) -> Agrees:
        return lambda score: least <= score.earned / score.possible <= most

    rows = test_ranges.ALL
    yield Answers("ranges", tuple((test_ranges.RUBRICS[n], text, within(a, b)) for n, _, a, b, text in rows))

    def as_wanted(wanted: str) -> Agrees:
        pattern = wanted.lstrip("?")
        return lambda score: (
            re.fullmatch(pattern, "".join(test_probes.LETTERS[m.status] for m in score.marks)) is not None
        )

    probes = test_probes.ALL
    yield Answers("probes", tuple((test_probes.RUBRICS[n], text, as_wanted(want)) for n, want, text, _ in probes))


def without_rules() -> Iterator[tuple[str, list[AbstractContextManager[object]]]]:
    """Each rule's name and the patches under which it is not there."""
    for row in CUE_ROWS:
        yield f"cue: {row.words[:50]}", [patch.dict(CUES, {word: 0 for word in row.words.split()})]
    for one in triggers.ROWS:
        table = triggers.looked_up(tuple(other for other in triggers.ROWS if other is not one))
        yield f"turn: {one.pattern[:50]}", [patch.object(triggers, "TABLE", table)]
    yield "who has what (rivals)", [patch.object(compiling, "find_rivals", lambda index: ())]
    nothing: list[AbstractContextManager[object]] = [
        patch.object(findings, "wrong_direction", lambda *_: None),
        patch.object(compiling, "mirrored", lambda phrase: {}),
        patch.object(compiling, "comparatives", lambda phrase: []),
    ]
    yield "which way a comparison runs", nothing
    yield "corrections", [patch.object(reading, "find_corrections", lambda passage: [])]
    yield "leaning to wrong examples", [patch.object(leaning, "LEANS", 2.0)]


def main() -> None:
    given = sys.argv[1:]
    sets = [*shipped(), *(graded(bank, Path(file)) for bank, file in zip(given[::2], given[1::2], strict=True))]
    before = [answers.scores() for answers in sets]
    whole = [answers.worth(scores) for answers, scores in zip(sets, before, strict=True)]
    print(f"{'changed, lost without it':52}" + "".join(f"{answers.name[:15]:>16}" for answers in sets))
    print(f"{'all rules':52}" + "".join(f"{len(s.rows):>8}{w:>8.0f}" for s, w in zip(sets, whole, strict=True)))
    for name, patches in without_rules():
        word_of.cache_clear()
        cells = []
        with ExitStack() as stack:
            for one in patches:
                stack.enter_context(one)
            for answers, scores, worth in zip(sets, before, whole, strict=True):
                now = answers.scores()
                changed = sum(a.earned != b.earned for a, b in zip(scores, now, strict=True))
                cells.append(f"{changed:>8}{worth - answers.worth(now):>8.1f}")
        print(f"{name:52}" + "".join(cells), flush=True)
    word_of.cache_clear()


if __name__ == "__main__":
    main()
