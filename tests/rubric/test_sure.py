"""`sure`: what makes a mark less sure, by hand from the tables, and what a person's help is worth."""

from __future__ import annotations

import json
import math

import pytest

from quizgen.rubric import score_text
from quizgen.rubric.agreement import GradedRow, evaluate, read_graded
from quizgen.rubric.score import EARNED, NOTHING, REVIEW, UNEARNED, sure_of

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
    total = EARNED["always"] + EARNED["share of the model answer's words"] * 2 / 5
    total += EARNED["width of the evidence"] * width + UNEARNED / 2  # one of two points
    assert scored.marks[0].sure == pytest.approx(logistic(total))
    # The other criterion: nothing nearly found, all of the rest earned.
    total = NOTHING["always"] + NOTHING["share earned by the other criteria"] + UNEARNED / 2
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
        assert scored.review is any(m.sure < REVIEW for m in scored.marks)


def test_where_little_was_recognised_a_person_looks_before_what_earns_in_full() -> None:
    texts = ("Something else guards it all.", "the lock counter and the cache memory")
    nothing, full = (score_text(TWO, text) for text in texts)
    assert (nothing.earned, full.earned) == (0, 2)
    assert sure_of(nothing.marks) < sure_of(full.marks)


def test_full_marks_leave_nothing_unearned() -> None:
    rubric = rubric_of(
        "rubric: {full_marks: 1, criteria: [{id: a, accept: [lock counter]}, {id: b, accept: [cache memory]}]}\n"
        "model_answer: The lock guards the counter and the cache guards the memory.\n"
    )
    mark = score_text(rubric, "the lock and the counter").marks[1]
    assert mark.sure == pytest.approx(logistic(NOTHING["always"] + NOTHING["share earned by the other criteria"]))


def test_help_goes_to_the_least_sure_first() -> None:
    """Ten answers, of which the two least sure are the two that are wrong: with 20 % marked by a person all agree."""
    wrong = [("The lock is taken here.", 1.0), ("The lock is used there.", 1.0)]
    right = [("The lock guards the counter, the cache the memory.", 1.0)] * 3 + [("Off the subject.", 0.0)] * 5
    lines = [json.dumps({"item": "two", "answer": answer, "score": score}) for answer, score in wrong + right]
    rows = [row for row in read_graded(lines) if isinstance(row, GradedRow)]
    found = {h.per_cent: h for h in evaluate(rows, {"two": TWO}, baselines=False).helped}
    # 10 answers, 8 agree; people give 1 to 5, the rubric to 3: chance .3 * .5 + .7 * .5, kappa = (.8 - .5) / .5.
    assert found[0].kappa == pytest.approx(0.6)
    assert found[0].r < found[50].r
