"""`sure`: what makes a mark less sure, by hand from the tables."""

from __future__ import annotations

import math

import pytest

from quizgen.rubric.score import EARNED_WEIGHTS, NOTHING_WEIGHTS, REVIEW_BELOW, UNEARNED_WEIGHT, score_text

from .rubrics import one, rubric_of

TWO = rubric_of(
    "rubric: {criteria: [{id: a, accept: [lock counter]}, {id: b, accept: [cache memory]}]}\n"
    "model_answer: The lock guards the counter and the cache guards the memory.\n"
)


def logistic(total: float) -> float:
    return 1 / (1 + math.exp(-total))


def test_a_mark_is_as_sure_as_its_table_says() -> None:
    # Six of the model answer's words are guard, lock, counter, cache and memory: five different ones, two of them here.
    scored = score_text(TWO, "the lock and the counter")
    assert scored.coverage == pytest.approx(2 / 5)
    width = len("lock and the counter") / 60
    total = EARNED_WEIGHTS["always"] + EARNED_WEIGHTS["share of the model answer's words"] * 2 / 5
    total += EARNED_WEIGHTS["width of the evidence"] * width + UNEARNED_WEIGHT / 2  # one of two points
    assert scored.marks[0].sure == pytest.approx(logistic(total))
    # The other criterion: nothing nearly found, all of the rest earned.
    total = NOTHING_WEIGHTS["always"] + NOTHING_WEIGHTS["share earned by the other criteria"] + UNEARNED_WEIGHT / 2
    assert scored.marks[1].sure == pytest.approx(logistic(total))


def test_wide_and_halved_marks_are_less_sure() -> None:
    rubric = one("lock counter")
    near = score_text(rubric, "the lock counter").marks[0]
    wide = score_text(rubric, "the lock is what is taken long before one comes to see the counter").marks[0]
    parted = score_text(rubric, "The lock is taken. The counter is read.").marks[0]
    assert near.sure > wide.sure > parted.sure


def test_below_the_line_a_person_is_asked_for() -> None:
    for text in ("the lock counter", "The lock is taken by some of them first. Then the counter is read by all.", "no"):
        scored = score_text(TWO, text)
        assert scored.review is any(m.sure < REVIEW_BELOW for m in scored.marks)


def test_full_marks_leave_nothing_unearned() -> None:
    rubric = rubric_of(
        "rubric: {full_marks: 1, criteria: [{id: a, accept: [lock counter]}, {id: b, accept: [cache memory]}]}\n"
        "model_answer: The lock guards the counter and the cache guards the memory.\n"
    )
    mark = score_text(rubric, "the lock and the counter").marks[1]
    assert mark.sure == pytest.approx(
        logistic(NOTHING_WEIGHTS["always"] + NOTHING_WEIGHTS["share earned by the other criteria"])
    )
