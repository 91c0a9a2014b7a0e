"""The trace of an item against the package `fsrs`, which FSRS-6 is defined by; how a look is rated, by the table of the
guide.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from quizgen.coach import standing


def test_every_review_leaves_what_the_package_says() -> None:
    """100 items of four reviews, days apart: stability, difficulty and recall to 1e-12."""
    fsrs = pytest.importorskip("fsrs", reason="the package fsrs, the oracle of this test, is not installed")
    start = datetime(2026, 1, 1, tzinfo=UTC)
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    rng = random.Random(6)
    for number in range(100):
        card, trace, day = fsrs.Card(card_id=number + 1), None, 0
        for _ in range(4):
            rating = rng.choice((standing.AGAIN, standing.HARD, standing.GOOD, standing.EASY))
            when = start + timedelta(days=day)
            card, _ = scheduler.review_card(card, fsrs.Rating(rating), when)
            trace = standing.memory_state_after_attempt(trace, rating, day)
            assert trace.stability_days == pytest.approx(card.stability, rel=1e-12)
            assert trace.recall_difficulty_1_to_10 == pytest.approx(card.difficulty, rel=1e-12)
            ahead = day + rng.randint(0, 60)
            believed = scheduler.get_card_retrievability(card, start + timedelta(days=ahead))
            assert standing.recall_probability(trace, ahead) == pytest.approx(believed, rel=1e-12)
            day += rng.randint(1, 30)


def test_recall_after_ten_days_by_rating() -> None:
    """The published default parameters: .55, .72, .77, .89; what was never met is not recalled."""
    traces = [
        standing.memory_state_after_attempt(None, rating, 0)
        for rating in (standing.AGAIN, standing.HARD, standing.GOOD, standing.EASY)
    ]
    assert [round(standing.recall_probability(trace, 10), 2) for trace in traces] == [0.55, 0.72, 0.77, 0.89]


RIGHT = standing.ItemAttempt("i", 1, 1.0, 1.0, 4)


@pytest.mark.parametrize(
    ("change", "rated"),
    [
        ({"points_share": 0.59, "points_share_before_probe": 0.59}, standing.AGAIN),
        ({"was_answered": False}, standing.AGAIN),  # skipped, or the solution was shown
        ({"guess_probability": 0.25, "confidence_1_to_5": 1}, standing.AGAIN),  # a choice taken as a guess
        ({"confidence_1_to_5": 1}, standing.HARD),  # a number is no guess
        ({"points_share": 0.7, "points_share_before_probe": 0.7}, standing.HARD),
        ({"confidence_1_to_5": 2}, standing.HARD),
        ({"hint_count": 2}, standing.HARD),
        ({"points_share_before_probe": 0.5}, standing.HARD),  # only after a probe
        ({}, standing.GOOD),
        ({"confidence_1_to_5": None}, standing.GOOD),
        ({"time_budget_multiple": 0.5}, standing.EASY),
        ({"time_budget_multiple": 0.5, "was_over_time_budget": True}, standing.GOOD),
        ({"time_budget_multiple": 0.5, "hint_count": 1}, standing.GOOD),
        ({"time_budget_multiple": 0.5, "confidence_1_to_5": 3}, standing.GOOD),
        ({"time_budget_multiple": 0.5, "points_share": 0.9, "points_share_before_probe": 0.9}, standing.GOOD),
    ],
)
def test_the_table_of_ratings(change: dict[str, object], rated: int) -> None:
    assert standing.fsrs_rating_of_attempt(replace(RIGHT, **change)) == rated


def test_a_second_look_on_one_day_counts_for_nothing() -> None:
    missed = replace(RIGHT, points_share=0.0, points_share_before_probe=0.0)
    once = standing.seen_item_by_id_of_attempts([missed])
    assert once == standing.seen_item_by_id_of_attempts([missed, RIGHT])
    again = standing.seen_item_by_id_of_attempts([missed, replace(RIGHT, day_ordinal=4)])
    assert again["i"].first_attempt.points_share == 0
    assert standing.recall_probability(again["i"].memory_state, 10) > standing.recall_probability(
        once["i"].memory_state, 10
    )
