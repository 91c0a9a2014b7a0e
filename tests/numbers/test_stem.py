"""What the stem decides: which counted thing is asked, of which time, of how many, what only repeats the question, and the
unit that it names for a plain number, as decks of other programs do: people write it all the same.
"""

from __future__ import annotations

import pytest
from formula.spellings import must_read
from shipped import BankOf, drawn

from quizgen.formula.quantity import Reading
from quizgen.formula.units import parse_unit
from quizgen.model import Outcome
from quizgen.numbers.answer import AnswerFormat, UnitLexicon
from quizgen.numbers.read import read_response
from quizgen.numbers.stem import with_stem_words

LABELS = tuple((name, f"{name}s", "") for name in ("pod", "replica", "millicore", "kilometre"))
SPELLINGS = {"pod": ["pods"], "request": ["requests", "queries"], "millicore": ["m"], "kilometre": ["kilometres", "km"]}
LEXICON = UnitLexicon.from_units({word: parse_unit(unit, LABELS) for unit, ways in SPELLINGS.items() for word in ways})

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
    expected = AnswerFormat(parse_unit(unit, LABELS), lexicon=LEXICON)
    found = read_response(text, with_stem_words(expected, stem, "", {"GPU", "node"}))
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
    expected = with_stem_words(AnswerFormat(parse_unit("ms")), "How long does it take?", "between_nodes missed")
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
        assert with_stem_words(AnswerFormat(), stem).unit_in_stem is None
    assert with_stem_words(AnswerFormat(parse_unit("GB")), "How many MB is it?").unit_in_stem is None
    assert with_stem_words(AnswerFormat(shape="truth"), "Is it more in GB?").unit_in_stem is None
