"""Where no criterion is recognised, words of the model answer earn a little; nowhere else do they change a score."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizgen.rubric import Rubric, score_text

from .rubrics import rubric_of

STEM = "Why does a ship float on water?"
MODEL = "It displaces water whose weight equals its own, so buoyancy carries the hull."  # 7 words besides "water"


def rubric(points: tuple[int, int] = (1, 1), more: str = "") -> Rubric:
    return rubric_of(
        f"stem: {STEM}\nmodel_answer: {MODEL}\nrubric:\n  criteria:\n"
        f"    - {{id: push, points: {points[0]}, accept: ['push* up'], reject: ['made air']}}\n"
        f"    - {{id: equal, points: {points[1]}, accept: ['same heavy']}}\n{more}"
    )


def test_words_of_the_model_answer_earn_a_fifth_and_say_so() -> None:
    scored = score_text(rubric(), "The weight of the hull is balanced by its buoyancy.")
    assert scored.earned == Fraction(2, 5)  # a fifth of 2 points
    assert [m.status for m in scored.marks] == ["missing", "missing"]
    assert [(a.kind, a.points) for a in scored.adjustments] == [("words", Fraction(2, 5))]
    assert "3 of the 8 words" in scored.adjustments[0].because


def test_never_half_of_the_lightest_criterion() -> None:
    """A score rounded to whole points stays 0, however many criteria there are."""
    assert score_text(rubric((8, 1)), "The weight of the hull and its buoyancy.").earned == Fraction(2, 5)


@pytest.mark.parametrize(
    "text",
    [
        "Why does a ship float on water?",  # copied from the stem
        "Ships float on the water because water floats ships.",  # only the stem's words
        "The hull is painted.",  # one word in eight
        "The weight of the hull does not push it up, buoyancy does.",  # a criterion denied
        "The hull is made of air, its weight and its buoyancy are nothing.",  # a wrong claim
        "",
    ],
)
def test_nothing_for_what_says_less_or_worse(text: str) -> None:
    assert score_text(rubric(), text).earned == 0


def test_what_meets_a_criterion_earns_no_more_for_words() -> None:
    scored = score_text(rubric(), "The weight of the hull is met by buoyancy, which pushes it up.")
    assert (scored.earned, scored.adjustments) == (1, ())


def test_nothing_where_a_number_is_asked_for() -> None:
    asked = rubric_of(
        f"stem: {STEM}\nmodel_answer: {MODEL}\nrubric:\n  criteria:\n"
        "    - {id: share, number: {value: 16, unit: B/param}, say: 'Sixteen bytes.'}\n"
    )
    assert score_text(asked, "The weight of the hull is balanced by its buoyancy, 8 bytes per parameter.").earned == 0


def test_nothing_for_a_bare_list_of_words() -> None:
    words = "hull buoyancy weight displaces equals carries hull buoyancy weight water displaces carries own equals"
    assert score_text(rubric(), words).earned == 0


def test_a_word_of_the_stem_that_the_model_answer_writes_otherwise_is_no_word_of_ones_own() -> None:
    """ "3N bytes" in the stem holds the 3 of the model answer."""
    stem = "Notes give the traffic of sharded training as 3N; in which unit, and what is it in bytes?"
    asked = rubric_of(
        f"stem: {stem}\nmodel_answer: The traffic is 3 times N elements in the unit of the notes; bytes are twice that.\n"
        "rubric: {criteria: [{id: c, points: 2, accept: ['element* count']}]}\n"
    )
    assert score_text(asked, stem).earned == 0
