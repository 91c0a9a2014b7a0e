"""How a look is rated, by the table of the guide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quizgen.coach.standing import (
    AGAIN,
    EASY,
    GOOD,
    HARD,
    ItemAttempt,
    fsrs_rating,
    recall_probability,
    seen_items_by_id,
)

RIGHT = ItemAttempt("i", 1, 1.0, 1.0, 4)


@pytest.mark.parametrize(
    ("change", "rated"),
    [
        ({"share": 0.59, "share_before_probe": 0.59}, AGAIN),
        ({"was_answered": False}, AGAIN),  # skipped, or the solution was shown
        ({"guess_probability": 0.25, "confidence": 1}, AGAIN),  # a choice taken as a guess
        ({"confidence": 1}, HARD),  # a number is no guess
        ({"share": 0.7, "share_before_probe": 0.7}, HARD),
        ({"confidence": 2}, HARD),
        ({"hint_count": 2}, HARD),
        ({"share_before_probe": 0.5}, HARD),  # only after a probe
        ({}, GOOD),
        ({"confidence": None}, GOOD),
        ({"budget_multiple": 0.5}, EASY),
        ({"budget_multiple": 0.5, "is_late": True}, GOOD),
        ({"budget_multiple": 0.5, "hint_count": 1}, GOOD),
        ({"budget_multiple": 0.5, "confidence": 3}, GOOD),
        ({"budget_multiple": 0.5, "share": 0.9, "share_before_probe": 0.9}, GOOD),
    ],
)
def test_the_table_of_ratings(change: dict[str, object], rated: int) -> None:
    assert fsrs_rating(replace(RIGHT, **change)) == rated  # type: ignore[arg-type]  # fields of ItemAttempt


def test_a_second_look_on_one_day_counts_for_nothing() -> None:
    once = seen_items_by_id([replace(RIGHT, share=0.0, share_before_probe=0.0)])
    twice = seen_items_by_id([replace(RIGHT, share=0.0, share_before_probe=0.0), RIGHT])
    assert once == twice
    again = seen_items_by_id([replace(RIGHT, share=0.0, share_before_probe=0.0), replace(RIGHT, day=4)])
    assert again["i"].first_attempt.share == 0
    assert recall_probability(again["i"].memory, 10) > recall_probability(once["i"].memory, 10)
