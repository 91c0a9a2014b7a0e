"""Answers of our own, row by row: what a careful human says of each criterion (probes.txt); and, to rubrics as a careful
author writes them in ten minutes, the share of the points that a human gives (ranges.txt): denials, hedges, corrections,
both ways at once, and many right wordings."""

from __future__ import annotations

import re
from fractions import Fraction

from every import every

from quizgen.rubric.score import score_text

from .rubrics import adds_up, load_lines, load_rubrics

LETTERS = {"found": "F", "partial": "P", "hedged": "H", "negated": "N", "contradicted": "C", "missing": "M"}


def load_rows() -> list[tuple[str, str, str, str]]:
    rows = []
    for name, line in load_lines("probes.txt"):
        wanted, answer, why = (part.strip() for part in re.split(r"(?<!\|)\|(?!\|)", line, maxsplit=2))
        rows.append((name, wanted, answer.replace("\\n", "\n").replace("\\t", "\t"), why))
    return rows


RUBRICS = load_rubrics("probe_rubrics.yaml")
ROWS = load_rows()


@every(ROWS)
def test_a_probe_is_marked_as_its_line_says(name: str, wanted: str, answer: str, why: str) -> None:
    scored = score_text(RUBRICS[name], answer)
    got = "".join(LETTERS[m.status] for m in scored.marks)
    because = [f"{m.criterion}: {m.status}, {m.because}" for m in scored.marks]
    assert re.fullmatch(wanted, got), (why, answer, because)
    assert adds_up(scored)


def test_there_are_enough_probes() -> None:
    assert len(ROWS) >= 580
    assert {name for name, _, _, _ in ROWS} == set(RUBRICS)
    assert len(RANGES) >= 560


def load_ranges() -> list[tuple[str, str, Fraction, Fraction, str]]:
    rows = []
    for name, line in load_lines("ranges.txt"):
        head, answer = line.split(" | ", 1)
        kind, least, most = head.split()
        rows.append((name, kind, Fraction(least), Fraction(most), answer.replace("\\n", "\n")))
    return rows


RANGE_RUBRICS = load_rubrics("range_items.yaml")
RANGES = load_ranges()


@every(RANGES)
def test_a_careful_human_gives_the_same(name: str, kind: str, least: Fraction, most: Fraction, answer: str) -> None:
    found = score_text(RANGE_RUBRICS[name], answer)
    share = found.earned / found.possible
    assert least <= share <= most, [(m.criterion, m.status, m.because) for m in found.marks]


@every(sorted(RANGE_RUBRICS))
def test_the_model_answer_earns_full_marks_and_the_stem_none(name: str) -> None:
    rubric = RANGE_RUBRICS[name]
    assert score_text(rubric, rubric.model_answer).earned == rubric.possible
    assert score_text(rubric, rubric.stem).earned * 20 <= rubric.possible
