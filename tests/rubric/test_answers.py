"""Answers of our own to computer-science and science items: the engine gives what an examiner gives.

The bounds are what `quizgen rubric eval` is held to on answers of other people: r of 0.70 and more in
computer science, a quadratic kappa of 0.74 and more in science, with rubrics written before the answers.
"""

from __future__ import annotations

import json

import pytest

from quizgen.rubric.agreement import GradedRow, evaluate_rubrics, read_graded_rows
from quizgen.rubric.score import score_text

from .rubrics import load_lines, load_rubrics

SCIENCE = ("circuit-bulb", "evaporation", "friction", "sound-vacuum", "seeds", "density", "replicate", "membrane")


def load_rows() -> list[tuple[str, float, str, str]]:
    rows = []
    for name, line in load_lines("answers.txt"):
        points, tried, answer = (part.strip() for part in line.split("|", 2))
        rows.append((name, float(points), tried, answer.replace("\\n", "\n")))
    return rows


RUBRICS = load_rubrics("answer_items.yaml")
ROWS = load_rows()


def graded_rows(items: list[str]) -> list[GradedRow]:
    return list(
        read_graded_rows(
            json.dumps({"item": name, "answer": answer, "score": points, "max_score": float(RUBRICS[name].possible)})
            for name, points, _, answer in ROWS
            if name in items
        )
    )


def test_there_are_enough_answers() -> None:
    science = [row for row in ROWS if row[0] in SCIENCE]
    assert len(science) >= 60
    assert len(ROWS) - len(science) >= 200
    assert {name for name, _, _, _ in ROWS} == set(RUBRICS)


@pytest.mark.parametrize(("science", "r", "kappa"), [(False, 0.80, 0.76), (True, 0.85, 0.80)])
def test_rubrics_agree_with_the_examiner(science: bool, r: float, kappa: float) -> None:
    report = evaluate_rubrics(graded_rows([name for name in RUBRICS if (name in SCIENCE) == science]), RUBRICS)
    assert report.unmatched == 0
    assert report.rubric.r >= r
    assert report.rubric.kappa >= kappa


TRIED = {
    "plain": 0.12, "partial": 0.06, "wrong": 0.12, "typos": 0.12, "bullets": 0.16, "abbreviation": 0.12,
    "hedge": 0.12, "long": 0.12, "vague": 0.16, "comparative": 0.1, "negation": 0.25, "swap": 0.3,
}  # fmt: skip


@pytest.mark.parametrize(("tried", "most"), TRIED.items())
def test_what_is_tried(tried: str, most: float) -> None:
    """The mean distance from the examiner's points, as a share of the full points."""
    apart = []
    for name, points, kind, answer in ROWS:
        if kind == tried:
            possible = float(RUBRICS[name].possible)
            apart.append(abs(float(score_text(RUBRICS[name], answer).earned) - min(points, possible)) / possible)
    assert len(apart) >= 4
    assert sum(apart) / len(apart) <= most
