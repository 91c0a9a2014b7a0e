"""What words that stand apart earn: the nearness an author asks for holds for partial credit too."""

from __future__ import annotations

import pytest

from tests.rubric.rubrics import one, status


def test_two_of_three_slots_within_the_asked_nearness_earn_a_part() -> None:
    rubric = one("writer holds lock", near="6")
    assert status(rubric, "The writer now holds everything.") == "partial"


def test_two_of_three_slots_further_apart_than_asked_earn_nothing() -> None:
    rubric = one("writer holds lock", near="6")
    assert status(rubric, "A writer that comes late in the day after all of the readers still holds on.") == "missing"


def test_without_a_number_the_sentence_is_near_enough() -> None:
    rubric = one("writer holds lock")
    assert status(rubric, "A writer that comes late in the day after all of the readers still holds on.") == "partial"


RUN_ON = "the writer comes and then late in the day after all of the readers are gone somebody else holds it"


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("signal late", "There is a signal."),
        ("sender able", "The sender waits."),
        ("control late", "Who is in control?"),
        ("{signal late}", "There is a signal."),
    ],
)
def test_two_words_that_close_up_to_one_with_an_ending_stay_two(phrase: str, text: str) -> None:
    """ "signallate" has the stem "signal", as "relate" has "relat"."""
    assert status(one(phrase), text) != "found"
    assert status(one(phrase), f"The {phrase.strip('{}')} stands here.") == "found"


@pytest.mark.parametrize(
    ("phrase", "text", "whole"),
    [
        ("data-parallel|dp data", "It is data-parallel.", "Data-parallel ranks hold other data."),
        ("{7/15|8/15} 15", "The share is 7/15.", "The share is 7/15, one of 15."),
        ("few|{few tokens} token*", "They are few.", "They are few tokens."),
        ("{few tokens} token*", "There are few tokens.", "With few tokens a token is rare."),
    ],
)
def test_one_word_fills_one_slot(phrase: str, text: str, whole: str) -> None:
    assert status(one(phrase), text) != "found"
    assert status(one(phrase), whole) == "found"
