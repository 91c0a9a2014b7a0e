"""Answers that are no single number: yes and no, words of an enum, tuples, `impossible`, `unbounded`."""

from __future__ import annotations

import pytest
from formula.spellings import COUNT, TRUTH, TUPLE, WORDS

from quizgen.formula.quantity import Reading
from quizgen.numbers.answer import AnswerFormat, Refusal
from quizgen.numbers.read import read_response


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((t, True) for t in ("yes", "Yes.", "YES", "y", "true", "True", "1", "yep", "Yes, it divides", "it is valid",
                              "legal", "yes because 8 divides 64", "allowed", "T", "correct", "possible")),
        *((t, False) for t in ("no", "No.", "n", "false", "FALSE", "0", "nope", "No, 8 does not divide 36", "not valid",
                               "invalid", "it is not legal", "illegal", "F", "impossible", "not possible",
                               "64 is not divisible by 6", "nein", "¬legal")),
    ],
)  # fmt: skip
def test_yes_and_no(text: str, value: bool) -> None:
    found = read_response(text, TRUTH)
    assert isinstance(found, Reading)
    assert found.value is value
    assert found.read_as == ("yes" if value else "no")


@pytest.mark.parametrize(
    "text",
    ["maybe", "yes and no", "yes or no", "7", "true or false", "asdf", "it depends", "not sure", "I am not certain"],
)
def test_neither_yes_nor_no(text: str) -> None:
    found = read_response(text, TRUTH)
    assert isinstance(found, Refusal)
    assert found.reason.endswith("write yes or no")


@pytest.mark.parametrize(
    ("text", "value"),
    [("ring", "ring"), ("Ring.", "ring"), ("the tree", "tree"), ("TREE", "tree"), ("two level ring", "two-level ring"),
     ("a two-level ring", "two-level ring")],
)  # fmt: skip
def test_words_of_an_enum(text: str, value: str) -> None:
    found = read_response(text, WORDS)
    assert isinstance(found, Reading)
    assert found.value == value


@pytest.mark.parametrize("text", ["ring or tree", "star", "12"])
def test_no_word_of_the_enum(text: str) -> None:
    assert isinstance(read_response(text, WORDS), Refusal)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("(1, 0, 1, 1)", (1, 0, 1, 1)),
        ("1, 0, 1, 1", (1, 0, 1, 1)),
        ("1,0,1,1", (1, 0, 1, 1)),
        ("1 0 1 1", (1, 0, 1, 1)),
        ("[1, 0, 1, 1]", (1, 0, 1, 1)),
        ("(1;0;1;1)", (1, 0, 1, 1)),
        ("<1,0,1,1>", (1, 0, 1, 1)),
        ("（1，0，1，1）", (1, 0, 1, 1)),
        ("(10, 200, 3, 400)", (10, 200, 3, 400)),
        ("tp=1, cp=0, pp=2, dp=3", (1, 0, 2, 3)),
        ("dp=3, pp=2, cp=0, tp=1", (1, 0, 2, 3)),
        ("tp 1, cp 0, pp 2, dp 3", (1, 0, 2, 3)),
        ("TP1 CP0 PP2 DP3", (1, 0, 2, 3)),
        ("dp rank 3, pp rank 2, cp rank 0, tp rank 1", (1, 0, 2, 3)),
        ("1-0-2-3", (1, 0, 2, 3)),
        ("one, zero, two, three", (1, 0, 2, 3)),
        ("(-1, 0, 1, 1)", (-1, 0, 1, 1)),
        ("coordinates = (1, 0, 1, 1)", (1, 0, 1, 1)),
        ("tp = 1 and cp = 0 and pp = 2 and dp = 3", (1, 0, 2, 3)),
        ("(1, 0, 2, 3) because 1 + 0 + 2 = 3", (1, 0, 2, 3)),
    ],
)
def test_several_numbers_are_read_in_order(text: str, values: tuple[int, ...]) -> None:
    found = read_response(text, TUPLE)
    assert isinstance(found, Reading)
    assert found.value == values


def test_the_echo_names_the_parts_and_reads_back() -> None:
    found = read_response("(1, 0, 2, 3)", TUPLE)
    assert isinstance(found, Reading)
    assert found.read_as == "tp 1, cp 0, pp 2, dp 3"
    assert read_response(found.read_as, TUPLE) == found
    unnamed = read_response("1 0", AnswerFormat(shape="tuple", length=2, names=("tp_rank", "")))
    assert isinstance(unnamed, Reading)
    assert unnamed.read_as == "(1, 0)"


def test_a_part_without_a_name_takes_the_name_that_is_left() -> None:
    """The parts of the formula: tp_rank, cp_rank, pp_rank and an expression."""
    found = read_response(
        "dp=3, pp=2, cp=0, tp=1", AnswerFormat(shape="tuple", length=4, names=("tp_rank", "cp_rank", "pp_rank", ""))
    )
    assert isinstance(found, Reading)
    assert found.value == (1, 0, 2, 3)


@pytest.mark.parametrize(
    "text",
    ["(1, 0, 1)", "1, 0, 1, 1, 1", "one", "1 + 0, 1, 1", "tp = 1, cp = 3 - 1 - 2 = 0, pp = 2, dp = 3", "()", "asdf"],
)
def test_no_tuple(text: str) -> None:
    found = read_response(text, TUPLE)
    assert isinstance(found, Refusal)
    assert "tp 0, cp 1, pp 2, dp 3" in found.reason


@pytest.mark.parametrize(
    "text",
    ["impossible", "Impossible.", "never fits", "it never fits", "does not fit", "doesn't fit", "no solution", "none",
     "cannot be done", "infeasible", "not possible", "There is no solution", "impossible, 4N alone exceeds 80 GB",
     "it never fits because the weights are too large", "never", "there is no K", "doesn't exist"],
)  # fmt: skip
def test_words_for_impossible_are_read(text: str) -> None:
    found = read_response(text, COUNT)
    assert isinstance(found, Reading)
    assert found.value == "impossible"


@pytest.mark.parametrize(
    "text", ["unbounded", "infinite", "no limit", "infinity", "∞", "there is no limit", "unlimited"]
)
def test_words_for_unbounded_are_read(text: str) -> None:
    found = read_response(text, COUNT)
    assert isinstance(found, Reading)
    assert found.value == "unbounded"
