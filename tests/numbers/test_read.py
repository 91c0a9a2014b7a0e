"""Reading a candidate's number: the table of spellings, and what holds for every text; and answers that are no single
number: yes and no, words of an enum, tuples, `impossible`, `unbounded`."""

from __future__ import annotations

from fractions import Fraction

import pytest
from every import every
from formula.effort import calls
from formula.spellings import COUNT, LEXICON, TRUTH, TUPLE, WORDS, Row, must_read, rows
from hypothesis import example, given
from hypothesis import strategies as st

from quizgen.formula.quantity import Reading
from quizgen.formula.units import parse_unit
from quizgen.numbers.answer import AnswerFormat, Refusal
from quizgen.numbers.read import MAX_RESPONSE_CHARACTERS, read_response
from quizgen.numbers.stem import with_stem_words

ROWS = rows()


def asked(row: Row) -> AnswerFormat:
    """What a row asks, in the words of the bank that ships, and of its stem where it has one."""
    plain = AnswerFormat(row.unit, lexicon=LEXICON)
    return with_stem_words(plain, row.stem) if row.stem else plain


UNITS = ("GB", "B", "1", "%", "s", "GPU", "param", "FLOP/s", "USD", "B/param", "kWh", "tok/s")


@every(ROWS)
def test_a_spelling_is_read_as_its_row_says(row: Row) -> None:
    found = read_response(row.response, asked(row))
    if row.expected == "blank":
        assert found.is_blank
        return
    if row.expected.startswith("unreadable"):
        assert isinstance(found, Refusal), found
        assert row.expected.partition(": ")[2] in found.reason
        assert "write" in found.reason.casefold()
        return
    assert isinstance(found, Reading), found
    read_amounts = [(Fraction(r.base_value), r.unit.dim) for r in (found, *found.other_readings)]
    assert len(read_amounts) == len(row.amounts)
    for (base, dim), (wanted, wanted_dim, slack) in zip(read_amounts, row.amounts, strict=True):
        assert abs(base - wanted) <= Fraction(slack) * abs(wanted)
        assert dim == wanted_dim or found.has_no_unit


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("31.7 GB", "31.7 GB"),
        ("3.17e10", "31.7 GB"),
        ("13e9*(2+14/32)", "31.6875 GB"),
        ("46.7 %", "46.7%"),
        ("0.00012 s", "120e-6 s"),
        ("123456789 B", "123.457e6 B"),
    ],
)
def test_the_echo_says_how_it_was_read(text: str, shown: str) -> None:
    assert must_read(text, AnswerFormat(parse_unit("GB"))).read_as == shown


@pytest.mark.parametrize(
    ("text", "values"),
    [("1.024", (Fraction("1.024"), 1024)), ("1.024 GPUs", (Fraction("1.024"), 1024)), ("14.000", (14, 14000)),
     ("13.125 -> 14", (14,)), ("1,024", (1024,))],
)  # fmt: skip
def test_a_point_in_a_count_without_parts_may_group(text: str, values: tuple[object, ...]) -> None:
    found = must_read(text, AnswerFormat(parse_unit("GPU"), whole=True))
    assert tuple(r.value for r in (found, *found.other_readings)) == values


@every([r for r in ROWS if "unread" not in r.expected and r.expected != "blank"])
def test_the_echo_reads_back(row: Row) -> None:
    found = must_read(row.response, asked(row))
    assert must_read(found.read_as, asked(row)).base_value == pytest.approx(float(found.base_value), rel=1e-5)


@pytest.mark.parametrize(
    ("text", "step"),
    [("31.7 GB", "1/10"), ("31.70 GB", "1/100"), ("32 GB", "1"), ("30 GB", "10"), ("31,700 GB", "100"),
     ("3.17e2 GB", "1"), ("3.2e1 GB", "1"), ("0.05 GB", "1/100"), ("13 billion GB", "1000000000")],
)  # fmt: skip
def test_digits_written(text: str, step: str) -> None:
    assert must_read(text, AnswerFormat(parse_unit("GB"))).place_value == Fraction(step)


def test_whole_numbers_are_not_nearly_the_same() -> None:
    """285.0 = 286 is a slip in a count; 173946175488 = 174B is rounded."""
    assert isinstance(read_response("285.0 = 286", AnswerFormat(parse_unit("GPU"), whole=True)), Refusal)
    assert must_read("173946175488 = 174B", AnswerFormat(parse_unit("param"), whole=True)).value == 173946175488


# -- whatever the text ----------------------------------------------------------------------

ALPHABET = "0123456789.,eE+-*/^()= %$xBGiMbskµ×⁰¹½~≈'_:;\n\u00a0\u200b abcdehkmnoprtuyFLOPU"


@given(st.text(alphabet=ALPHABET, max_size=60), st.sampled_from(UNITS))
@example("--5", "1")
@example("1 1/", "1")
@example("^", "1")
@example("-", "s")
@example("$", "USD")
@example("1/", "GB")
@example("sqrt(", "1")
def test_never_raises_on_near_numbers(text: str, unit: str) -> None:
    assert isinstance(read_response(text, AnswerFormat(parse_unit(unit))), Reading | Refusal)


@given(st.text(max_size=40))
def test_never_raises_on_any_text(text: str) -> None:
    for asked in (AnswerFormat(parse_unit("GB")), COUNT, TRUTH, WORDS, TUPLE):
        assert isinstance(read_response(text, asked), Reading | Refusal)


@given(
    st.decimals(min_value="0.001", max_value="99999", allow_nan=False, places=3),
    st.sampled_from(["GB", "s", "1", "GPU"]),
)
def test_plain_decimals_are_exact(value: object, unit: str) -> None:
    assert must_read(str(value), AnswerFormat(parse_unit(unit))).value == Fraction(str(value))


PIECES = ["1", "(", "-", "1+", "1/", "1,", "one ", "a ", "^", "½", "1 h ", "GPU ", "= ", "1e", "10^", "log2(", "GB/", "$", "x"]  # fmt: skip


@every([*PIECES, "per ", "half of ", "and ", "2 of ", "twice "])
def test_time_is_linear(piece: str) -> None:
    """Twice the text takes about twice the calls, and never more than some hundreds a character."""
    text = (piece * MAX_RESPONSE_CHARACTERS)[:MAX_RESPONSE_CHARACTERS]
    texts = (text[: len(text) // 2], text)
    short, long = (calls(lambda text=text: read_response(text, AnswerFormat(parse_unit("GB")))) for text in texts)
    assert long <= 2.5 * short + 500
    assert long <= 900 * MAX_RESPONSE_CHARACTERS


def test_too_long() -> None:
    found = read_response("1 " + "x" * MAX_RESPONSE_CHARACTERS, AnswerFormat())
    assert str(MAX_RESPONSE_CHARACTERS) in found.reason
    assert isinstance(read_response("285" + " " * MAX_RESPONSE_CHARACTERS, AnswerFormat()), Reading)


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
    assert says in read_response(text, asked).reason


def test_a_part_without_a_name_takes_the_name_that_is_left() -> None:
    """The parts of the formula: tp_rank, cp_rank, pp_rank and an expression."""
    parts = AnswerFormat(shape="tuple", part_count=4, part_names=("tp_rank", "cp_rank", "pp_rank", ""))
    assert must_read("dp=3, pp=2, cp=0, tp=1", parts).value == (1, 0, 2, 3)
