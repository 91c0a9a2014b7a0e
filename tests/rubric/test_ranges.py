"""Rubrics as a careful author writes them in ten minutes, and answers with the share of the points that a human
gives: denials, hedges, corrections, both ways at once, and many right wordings."""

from __future__ import annotations

from fractions import Fraction

from every import every

from quizgen.rubric.score import score_text

from .rubrics import load_lines, load_rubrics


def load_rows() -> list[tuple[str, str, Fraction, Fraction, str]]:
    rows = []
    for name, line in load_lines("ranges.txt"):
        head, answer = line.split(" | ", 1)
        kind, least, most = head.split()
        rows.append((name, kind, Fraction(least), Fraction(most), answer.replace("\\n", "\n")))
    return rows


RUBRICS = load_rubrics("range_items.yaml")
ROWS = load_rows()


def test_there_are_enough_answers() -> None:
    assert len(ROWS) >= 560


@every(ROWS)
def test_the_score_is_what_a_careful_human_gives(
    name: str, kind: str, least: Fraction, most: Fraction, answer: str
) -> None:
    found = score_text(RUBRICS[name], answer)
    share = found.earned / found.possible
    assert least <= share <= most, [(m.criterion, m.status, m.because) for m in found.marks]


@every(sorted(RUBRICS))
def test_the_model_answer_earns_full_marks_and_the_stem_none(name: str) -> None:
    rubric = RUBRICS[name]
    assert score_text(rubric, rubric.model_answer).earned == rubric.possible
    assert score_text(rubric, rubric.stem).earned * 20 <= rubric.possible
