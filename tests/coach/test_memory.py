"""The trace of an item against the package `fsrs`, which FSRS-6 is defined by."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from quizgen.coach.standing import AGAIN, EASY, GOOD, HARD, memory_after_attempt, recall_probability

fsrs = pytest.importorskip("fsrs", reason="the package fsrs, the oracle of this test, is not installed")
START = datetime(2026, 1, 1, tzinfo=UTC)


def test_every_review_leaves_what_the_package_says() -> None:
    """400 items of four reviews, days apart: stability, difficulty and recall to 1e-12."""
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    rng = random.Random(6)
    for number in range(400):
        card, trace, day = fsrs.Card(card_id=number + 1), None, 0
        for _ in range(4):
            rating = rng.choice((AGAIN, HARD, GOOD, EASY))
            when = START + timedelta(days=day)
            card, _ = scheduler.review_card(card, fsrs.Rating(rating), when)
            trace = memory_after_attempt(trace, rating, day)
            assert trace.stability_days == pytest.approx(card.stability, rel=1e-12)
            assert trace.difficulty == pytest.approx(card.difficulty, rel=1e-12)
            ahead = day + rng.randint(0, 60)
            believed = scheduler.get_card_retrievability(card, START + timedelta(days=ahead))
            assert recall_probability(trace, ahead) == pytest.approx(believed, rel=1e-12)
            day += rng.randint(1, 30)


def test_recall_after_ten_days_by_rating() -> None:
    """The published default parameters: .55, .72, .77, .89; what was never met is not recalled."""
    traces = [memory_after_attempt(None, rating, 0) for rating in (AGAIN, HARD, GOOD, EASY)]
    assert [round(recall_probability(trace, 10), 2) for trace in traces] == [0.55, 0.72, 0.77, 0.89]
    assert recall_probability(None, 5) == 0
