"""The trace of an item against the package `fsrs`, which FSRS-6 is defined by; how a look is rated, by the table of the
guide.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from quizgen.coach.standing import (
    AGAIN,
    EASY,
    GOOD,
    HARD,
    ItemAttempt,
    fsrs_rating,
    memory_after_attempt,
    recall_probability,
    seen_items_of_attempts,
)


def test_every_review_leaves_what_the_package_says() -> None:
    """100 items of four reviews, days apart: stability, difficulty and recall to 1e-12."""
    fsrs = pytest.importorskip("fsrs", reason="the package fsrs, the oracle of this test, is not installed")
    start = datetime(2026, 1, 1, tzinfo=UTC)
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    rng = random.Random(6)
    for number in range(100):
        card, trace, day = fsrs.Card(card_id=number + 1), None, 0
        for _ in range(4):
            rating = rng.choice((AGAIN, HARD, GOOD, EASY))
            when = start + timedelta(days=day)
            card, _ = scheduler.review_card(card, fsrs.Rating(rating), when)
            trace = memory_after_attempt(trace, rating, day)
            assert trace.stability_days == pytest.approx(card.stability, rel=1e-12)
            assert trace.difficulty == pytest.approx(card.difficulty, rel=1e-12)
            ahead = day + rng.randint(0, 60)
            believed = scheduler.get_card_retrievability(card, start + timedelta(days=ahead))
            assert recall_probability(trace, ahead) == pytest.approx(believed, rel=1e-12)
            day += rng.randint(1, 30)


def test_recall_after_ten_days_by_rating() -> None:
    """The published default parameters: .55, .72, .77, .89; what was never met is not recalled."""
    traces = [memory_after_attempt(None, rating, 0) for rating in (AGAIN, HARD, GOOD, EASY)]
    assert [round(recall_probability(trace, 10), 2) for trace in traces] == [0.55, 0.72, 0.77, 0.89]
    assert recall_probability(None, 5) == 0


RIGHT = ItemAttempt("i", 1, 1.0, 1.0, 4)


@pytest.mark.parametrize(
    ("change", "rated"),
    [
        ({"points_share": 0.59, "points_share_before_probe": 0.59}, AGAIN),
        ({"was_answered": False}, AGAIN),  # skipped, or the solution was shown
        ({"guess_probability": 0.25, "confidence": 1}, AGAIN),  # a choice taken as a guess
        ({"confidence": 1}, HARD),  # a number is no guess
        ({"points_share": 0.7, "points_share_before_probe": 0.7}, HARD),
        ({"confidence": 2}, HARD),
        ({"hint_count": 2}, HARD),
        ({"points_share_before_probe": 0.5}, HARD),  # only after a probe
        ({}, GOOD),
        ({"confidence": None}, GOOD),
        ({"time_budget_multiple": 0.5}, EASY),
        ({"time_budget_multiple": 0.5, "is_late": True}, GOOD),
        ({"time_budget_multiple": 0.5, "hint_count": 1}, GOOD),
        ({"time_budget_multiple": 0.5, "confidence": 3}, GOOD),
        ({"time_budget_multiple": 0.5, "points_share": 0.9, "points_share_before_probe": 0.9}, GOOD),
    ],
)
def test_the_table_of_ratings(change: dict[str, object], rated: int) -> None:
    assert fsrs_rating(replace(RIGHT, **change)) == rated


def test_a_second_look_on_one_day_counts_for_nothing() -> None:
    missed = replace(RIGHT, points_share=0.0, points_share_before_probe=0.0)
    once = seen_items_of_attempts([missed])
    assert once == seen_items_of_attempts([missed, RIGHT])
    again = seen_items_of_attempts([missed, replace(RIGHT, day=4)])
    assert again["i"].first_attempt.points_share == 0
    assert recall_probability(again["i"].memory_state, 10) > recall_probability(once["i"].memory_state, 10)
