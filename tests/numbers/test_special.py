"""Answers that are no single number: yes and no, words of an enum, tuples, `impossible`, `unbounded`."""

from __future__ import annotations

import pytest
from formula.spellings import COUNT, TRUTH, TUPLE, WORDS, must_read

from quizgen.numbers.answer import AnswerFormat, Refusal
from quizgen.numbers.read import read_response

# A value, and the responses that are read as it.
TRUTHS = {
    True: (
        "yes|Yes.|YES|y|true|True|1|yep|Yes, it divides|it is valid|legal|yes because 8 divides 64|allowed|T|"
        "correct|possible"
    ),
    False: (
        "no|No.|n|false|FALSE|0|nope|No, 8 does not divide 36|not valid|invalid|it is not legal|illegal|F|"
        "impossible|not possible|64 is not divisible by 6|nein|¬legal"
    ),
}
ENUM = {
    "ring": "ring|Ring.",
    "tree": "the tree|TREE",
    "two-level ring": "two level ring|a two-level ring",
}
TUPLES = {
    (1, 0, 1, 1): (
        "(1, 0, 1, 1)|1, 0, 1, 1|1,0,1,1|1 0 1 1|[1, 0, 1, 1]|(1;0;1;1)|<1,0,1,1>|（1，0，1，1）|"
        "coordinates = (1, 0, 1, 1)"
    ),
    (10, 200, 3, 400): "(10, 200, 3, 400)",
    (1, 0, 2, 3): (
        "tp=1, cp=0, pp=2, dp=3|dp=3, pp=2, cp=0, tp=1|tp 1, cp 0, pp 2, dp 3|TP1 CP0 PP2 DP3|"
        "dp rank 3, pp rank 2, cp rank 0, tp rank 1|1-0-2-3|one, zero, two, three|"
        "tp = 1 and cp = 0 and pp = 2 and dp = 3|(1, 0, 2, 3) because 1 + 0 + 2 = 3"
    ),
    (-1, 0, 1, 1): "(-1, 0, 1, 1)",
}
COUNTS = {
    "impossible": (
        "impossible|Impossible.|never fits|it never fits|does not fit|doesn't fit|no solution|none|"
        "cannot be done|infeasible|not possible|There is no solution|impossible, 4N alone exceeds 80 GB|"
        "it never fits because the weights are too large|never|there is no K|doesn't exist"
    ),
    "unbounded": "unbounded|infinite|no limit|infinity|∞|there is no limit|unlimited",
}


@pytest.mark.parametrize(
    ("asked", "text", "value"),
    [
        (asked, text, value)
        for asked, readings in ((TRUTH, TRUTHS), (WORDS, ENUM), (TUPLE, TUPLES), (COUNT, COUNTS))
        for value, texts in readings.items()
        for text in texts.split("|")
    ],
)
def test_an_answer_that_is_no_single_number_is_read(asked: AnswerFormat, text: str, value: object) -> None:
    found = must_read(text, asked)
    assert found.value == value
    assert type(found.value) is type(value)
    assert asked is not TRUTH or found.read_as == ("yes" if value else "no")


UNREADABLE = {
    "write yes or no": "maybe|yes and no|yes or no|7|true or false|asdf|it depends|not sure|I am not certain",
    "one of ring, tree, two-level ring": "ring or tree|star|12",
    "tp 0, cp 1, pp 2, dp 3": (
        "(1, 0, 1)|1, 0, 1, 1, 1|one|1 + 0, 1, 1|tp = 1, cp = 3 - 1 - 2 = 0, pp = 2, dp = 3|()|asdf"
    ),
}


@pytest.mark.parametrize(
    ("says", "text"), [(says, text) for says, texts in UNREADABLE.items() for text in texts.split("|")]
)
def test_what_is_no_such_answer_is_refused_with_a_form_to_write(says: str, text: str) -> None:
    asked = TRUTH if "yes" in says else WORDS if "ring" in says else TUPLE
    found = read_response(text, asked)
    assert isinstance(found, Refusal)
    assert says in found.reason


def test_the_echo_names_the_parts_and_reads_back() -> None:
    found = must_read("(1, 0, 2, 3)", TUPLE)
    assert found.read_as == "tp 1, cp 0, pp 2, dp 3"
    assert read_response(found.read_as, TUPLE) == found
    assert must_read("1 0", AnswerFormat(shape="tuple", length=2, names=("tp_rank", ""))).read_as == "(1, 0)"


def test_a_part_without_a_name_takes_the_name_that_is_left() -> None:
    """The parts of the formula: tp_rank, cp_rank, pp_rank and an expression."""
    found = must_read(
        "dp=3, pp=2, cp=0, tp=1", AnswerFormat(shape="tuple", length=4, names=("tp_rank", "cp_rank", "pp_rank", ""))
    )
    assert found.value == (1, 0, 2, 3)
