"""Answers of our own, row by row: what a careful human says of each criterion (probes.txt); and, to rubrics as a
careful author writes them in ten minutes, the share of the points that a human gives (ranges.txt): denials, hedges,
corrections, both ways at once, and many right wordings.

Answers to computer-science and science items (answers.txt): the engine gives what an examiner gives. The bounds are
what `quizgen rubric eval` is held to on answers of other people: r of 0.70 and more in computer science, a quadratic
kappa of 0.74 and more in science, with rubrics written before the answers.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from every import every

from quizgen.rubric.authoring import evaluate_rubrics, rows_and_line_faults
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
    because = [f"{m.criterion_id}: {m.status}, {m.because}" for m in scored.marks]
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
    assert least <= share <= most, [(m.criterion_id, m.status, m.because) for m in found.marks]


@every(sorted(RANGE_RUBRICS))
def test_the_model_answer_earns_full_marks_and_the_stem_none(name: str) -> None:
    rubric = RANGE_RUBRICS[name]
    assert score_text(rubric, rubric.model_answer).earned == rubric.possible_points
    assert score_text(rubric, rubric.stem).earned * 20 <= rubric.possible_points


SCIENCE = ("circuit-bulb", "evaporation", "friction", "sound-vacuum", "seeds", "density", "replicate", "membrane")


def load_answers() -> list[tuple[str, float, str, str]]:
    rows = []
    for name, line in load_lines("answers.txt"):
        points, tried, answer = (part.strip() for part in line.split("|", 2))
        rows.append((name, float(points), tried, answer.replace("\\n", "\n")))
    return rows


ANSWER_RUBRICS = load_rubrics("answer_items.yaml")
ANSWERS = load_answers()


def test_there_are_enough_answers() -> None:
    science = [row for row in ANSWERS if row[0] in SCIENCE]
    assert len(science) >= 60
    assert len(ANSWERS) - len(science) >= 200
    assert {name for name, _, _, _ in ANSWERS} == set(ANSWER_RUBRICS)


@pytest.mark.parametrize(("science", "r", "kappa"), [(False, 0.80, 0.76), (True, 0.85, 0.80)])
def test_rubrics_agree_with_the_examiner(science: bool, r: float, kappa: float) -> None:
    rows = [row for row in ANSWERS if (row[0] in SCIENCE) == science]
    most = {name: float(rubric.possible_points) for name, rubric in ANSWER_RUBRICS.items()}
    lines = ({"item": n, "answer": answer, "score": points, "max_score": most[n]} for n, points, _, answer in rows)
    report = evaluate_rubrics(rows_and_line_faults(map(json.dumps, lines)), ANSWER_RUBRICS)
    assert report.unmatched_row_count == 0
    assert report.rubric_agreement.pearson_correlation >= r
    assert report.rubric_agreement.quadratic_weighted_kappa >= kappa


TRIED = {
    "plain": 0.12, "partial": 0.06, "wrong": 0.12, "typos": 0.12, "bullets": 0.16, "abbreviation": 0.12,
    "hedge": 0.12, "long": 0.12, "vague": 0.16, "comparative": 0.1, "negation": 0.25, "swap": 0.3,
}  # fmt: skip


@pytest.mark.parametrize(("tried", "most"), TRIED.items())
def test_what_is_tried(tried: str, most: float) -> None:
    """The mean distance from the examiner's points, as a share of the full points."""
    apart = []
    for name, points, kind, answer in ANSWERS:
        if kind == tried:
            possible = float(ANSWER_RUBRICS[name].possible_points)
            apart.append(abs(float(score_text(ANSWER_RUBRICS[name], answer).earned) - min(points, possible)) / possible)
    assert len(apart) >= 4
    assert sum(apart) / len(apart) <= most
