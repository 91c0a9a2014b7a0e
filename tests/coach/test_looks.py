"""How a look is rated, by the table of the guide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quizgen.coach.standing import AGAIN, EASY, GOOD, HARD, ItemLook, fsrs_rating, known_items, recall_probability

RIGHT = ItemLook("i", 1, 1.0, 1.0, 4)


@pytest.mark.parametrize(
    ("change", "rated"),
    [
        ({"share": 0.59, "unaided": 0.59}, AGAIN),
        ({"given": False}, AGAIN),  # skipped, or the solution was shown
        ({"guess": 0.25, "confidence": 1}, AGAIN),  # a choice taken as a guess
        ({"confidence": 1}, HARD),  # a number is no guess
        ({"share": 0.7, "unaided": 0.7}, HARD),
        ({"confidence": 2}, HARD),
        ({"hints": 2}, HARD),
        ({"unaided": 0.5}, HARD),  # only after a probe
        ({}, GOOD),
        ({"confidence": None}, GOOD),
        ({"pace": 0.5}, EASY),
        ({"pace": 0.5, "late": True}, GOOD),
        ({"pace": 0.5, "hints": 1}, GOOD),
        ({"pace": 0.5, "confidence": 3}, GOOD),
        ({"pace": 0.5, "share": 0.9, "unaided": 0.9}, GOOD),
    ],
)
def test_the_table_of_ratings(change: dict[str, object], rated: int) -> None:
    assert fsrs_rating(replace(RIGHT, **change)) == rated  # type: ignore[arg-type]  # fields of Look


def test_a_second_look_on_one_day_counts_for_nothing() -> None:
    once = known_items([replace(RIGHT, share=0.0, unaided=0.0)])
    twice = known_items([replace(RIGHT, share=0.0, unaided=0.0), RIGHT])
    assert once == twice
    again = known_items([replace(RIGHT, share=0.0, unaided=0.0), replace(RIGHT, day=4)])
    assert again["i"].first.share == 0
    assert recall_probability(again["i"].trace, 10) > recall_probability(once["i"].trace, 10)
