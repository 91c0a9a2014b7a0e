"""Reading a candidate's number: the table of spellings, and what holds for every text; and answers that are no single
number: yes and no, words of an enum, tuples, `impossible`, `unbounded`.

What the stem decides: which counted thing is asked, of which time, of how many, what only repeats the question, and the
unit that it names for a plain number, as decks of other programs do: people write it all the same.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from every import every
from formula.effort import calls
from formula.spellings import COUNT, TRUTH, TUPLE, WORDS, Row, must_read, rows
from hypothesis import example, given
from hypothesis import strategies as st
from shipped import BankOf, drawn

from quizgen.formula.quantity import Reading
from quizgen.formula.units import parse_unit
from quizgen.model import Outcome
from quizgen.numbers.answer import AnswerFormat, Refusal, UnitLexicon
from quizgen.numbers.read import MAX_RESPONSE_CHARACTERS, answer_format_in_words_of_stem, read_response

ROWS = rows()


UNITS = ("GB", "B", "1", "%", "s", "GPU", "param", "FLOP/s", "USD", "B/param", "kWh", "tok/s")


@every(ROWS)
def test_a_spelling_is_read_as_its_row_says(row: Row) -> None:
    found = read_response(row.response, row.answer_format)
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
    found = must_read(text, AnswerFormat(parse_unit("GPU"), is_whole=True))
    assert tuple(r.value for r in (found, *found.other_readings)) == values


@every([r for r in ROWS if "unread" not in r.expected and r.expected != "blank"])
def test_the_echo_reads_back(row: Row) -> None:
    found = must_read(row.response, row.answer_format)
    assert must_read(found.read_as, row.answer_format).base_value == pytest.approx(float(found.base_value), rel=1e-5)


@pytest.mark.parametrize(
    ("text", "step"),
    [("31.7 GB", "1/10"), ("31.70 GB", "1/100"), ("32 GB", "1"), ("30 GB", "10"), ("31,700 GB", "100"),
     ("3.17e2 GB", "1"), ("3.2e1 GB", "1"), ("0.05 GB", "1/100"), ("13 billion GB", "1000000000")],
)  # fmt: skip
def test_digits_written(text: str, step: str) -> None:
    assert must_read(text, AnswerFormat(parse_unit("GB"))).place_value == Fraction(step)


def test_whole_numbers_are_not_nearly_the_same() -> None:
    """285.0 = 286 is a slip in a count; 173946175488 = 174B is rounded."""
    assert isinstance(read_response("285.0 = 286", AnswerFormat(parse_unit("GPU"), is_whole=True)), Refusal)
    assert must_read("173946175488 = 174B", AnswerFormat(parse_unit("param"), is_whole=True)).value == 173946175488


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


@given(st.decimals(min_value="0.001", max_value="99999", allow_nan=False, places=3), st.sampled_from(["GB", "1"]))
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
    assert str(MAX_RESPONSE_CHARACTERS) in read_response("1 " + "x" * MAX_RESPONSE_CHARACTERS, AnswerFormat()).reason
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
ENUM = {"ring": "ring|Ring.", "tree": "the tree|TREE", "two-level ring": "two level ring|a two-level ring"}
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
    assert says in read_response(text, TRUTH if "yes" in says else WORDS if "ring" in says else TUPLE).reason


def test_a_part_without_a_name_takes_the_name_that_is_left() -> None:
    """The parts of the formula: tp_rank, cp_rank, pp_rank and an expression."""
    parts = AnswerFormat(answer_type="tuple", part_count=4, part_names=("tp_rank", "cp_rank", "pp_rank", ""))
    assert must_read("dp=3, pp=2, cp=0, tp=1", parts).value == (1, 0, 2, 3)


LABELS = tuple((name, f"{name}s", "") for name in ("pod", "replica", "millicore", "kilometre"))
SPELLINGS = {"pod": ["pods"], "request": ["requests", "queries"], "millicore": ["m"], "kilometre": ["kilometres", "km"]}
WAYS = {way: parse_unit(unit, LABELS) for unit, ways in SPELLINGS.items() for way in ways}
STEM_LEXICON = UnitLexicon.from_unit_by_spelling(WAYS)

PODS = "A service needs 24 pods on 6 nodes. How many replicas does it run?"
NODES = "A cluster of {n} GPUs has 8 GPUs in each node. How many nodes are there?"
OUTAGE = "An availability of 99.9 % allows how much downtime in a month?"


@pytest.mark.parametrize(
    ("stem", "unit", "text", "value"),
    [
        # the noun behind "how many" is what is asked; another one is wrong only as the label of an input
        (PODS, "pod", "24 replicas", "24 pod"),
        (PODS, "pod", "24 pods", "24 pod"),
        (PODS, "pod", "24 racks", None),
        (PODS, "pod", "24 nodes", "24 node"),
        (PODS, "pod", "24 steps", None),
        (NODES, "node", "4 nodes", "4 node"),
        (NODES, "node", "32 GPUs", "32 GPU"),
        # a reading that fits wins: m is minutes where they are asked, and no million of kilometres
        (OUTAGE, "min", "43.2m", "43.2 min"),
        (OUTAGE, "min", "43m12s", "43.2 min"),
        ("How much CPU does it ask for?", "millicore", "250m", "250 millicore"),
        ("How long is the track?", "kilometre", "2500 m", None),
        ("How long is the track?", "kilometre", "2.5 km", "2.5 kilometre"),
        # what stands in the question is no answer to it
        ("How long is 3 min in s?", "s", "3 min", None),
        ("How long is 3 min in s?", "s", "180 s", "180 s"),
        ("How long is 3 min in s?", "1", "3 min", None),
    ],
)
def test_the_stem_decides(stem: str, unit: str, text: str, value: str | None) -> None:
    expected = AnswerFormat(parse_unit(unit, LABELS), unit_lexicon=STEM_LEXICON)
    found = read_response(text, answer_format_in_words_of_stem(expected, stem, "", {"GPU", "node"}))
    if value is None:
        assert not isinstance(found, Reading), found.read_as
        return
    assert isinstance(found, Reading), found.reason
    number, _, written = value.partition(" ")
    wanted = parse_unit(written or "1", LABELS)
    assert float(found.base_value) == pytest.approx(float(number) * float(wanted.factor))
    assert found.unit.dim == wanted.dim or found.has_no_unit


def test_a_decimal_comma_in_a_count_that_has_parts() -> None:
    found = must_read("15,503 checkpoints", AnswerFormat(parse_unit("checkpoint")))
    assert [float(one.base_value) for one in (found, *found.other_readings)] == [15503, 15.503]


def test_a_name_of_the_formula_may_lead_to_a_number_whatever_its_words_say() -> None:
    expected = answer_format_in_words_of_stem(
        AnswerFormat(parse_unit("ms")), "How long does it take?", "between_nodes missed"
    )
    for text in ("between_nodes = 5 ms", "missed = 5 ms"):
        assert must_read(text, expected).read_as == "5 ms"
    assert not isinstance(read_response("twice = 5 ms", expected), Reading)


RIGHT, WRONG, ASKED = Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNREADABLE


def score(bank_of: BankOf, stem: str, key: str, text: str) -> Outcome:
    item = f"{{id: one, kind: numeric, stem: '{stem}', formula: {{inputs: {{k: {{is: k, default: {key}}}}}, steps: {{a: k * 1}}}}}}"
    return drawn(bank_of(f"items:\n  - {item}\n"), "one").score(text).outcome


@pytest.mark.parametrize(
    ("stem", "key", "text", "outcome"),
    [
        ("Three servers hold 4 GB each. How many GB do they hold?", "12", "12 GB", RIGHT),
        ("Three servers hold 4 GB each. How many GB do they hold?", "12", "12 MB", WRONG),
        ("Three servers hold 4 GB each. How many servers are it?", "3", "3 GB", ASKED),
        ("How many minutes are 300 s?", "5", "300 s", ASKED),
        ("How fast is the link, in Mbit per second?", "50", "50 Mbit/s", RIGHT),
        ("A chair costs \\$80.50 and 20 % of tax. What is its price?", "96.6", "$96.60", ASKED),
        ("A chair costs \\$80.50 and 20 % of tax. What is its price in dollars?", "96.6", "$96.60", RIGHT),
        ("A chair costs \\$40. How many do you get for \\$10,000?", "250", "$250", ASKED),
        ("What percentage of 200 is 50?", "25", "25 %", RIGHT),
        ("Which part of 200 is 50, in percent?", "0.25", "25 %", RIGHT),
        ("How many bytes are in a kibibyte?", "1024", "1 KiB", WRONG),
        ("How many kg is it?", "42", "42 kg", RIGHT),
    ],
)
def test_the_unit_of_the_stem_may_be_written(bank_of: BankOf, stem: str, key: str, text: str, outcome: Outcome) -> None:
    assert score(bank_of, stem, key, text) is outcome


def test_a_stem_that_names_none_and_an_item_that_has_one_are_left_alone() -> None:
    for stem in ("What is pi in two decimals?", "How many packets are lost?", "How many times is it read in the end?"):
        assert answer_format_in_words_of_stem(AnswerFormat(), stem).stem_unit is None
    assert answer_format_in_words_of_stem(AnswerFormat(parse_unit("GB")), "How many MB is it?").stem_unit is None
    assert answer_format_in_words_of_stem(AnswerFormat(answer_type="truth"), "Is it more in GB?").stem_unit is None
