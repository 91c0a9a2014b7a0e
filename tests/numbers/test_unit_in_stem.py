"""A stem may name the unit of a plain number, as decks of other programs do: people write it all the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from quizgen.bank.reader import LoadedBank
from quizgen.draw import Stream
from quizgen.formula.units import parse_unit
from quizgen.model import Outcome
from quizgen.numbers.answer import AnswerFormat
from quizgen.numbers.stem import add_stem

BankOf = Callable[..., LoadedBank]
RIGHT, WRONG, ASKED = Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNREADABLE


def score(bank_of: BankOf, stem: str, key: str, text: str) -> Outcome:
    item = f"{{id: one, kind: numeric, stem: '{stem}', formula: {{inputs: {{k: {{is: k, default: {key}}}}}, steps: {{a: k * 1}}}}}}"
    loaded = bank_of(f"items:\n  - {item}\n")
    assert loaded.bank is not None, [str(p) for p in loaded.problems]
    return loaded.bank.items["one"].draw(Stream("one", "1")).score(text).outcome


@pytest.mark.parametrize(
    ("stem", "key", "text", "outcome"),
    [
        ("Three servers hold 4 GB each. How many GB do they hold?", "12", "12 GB", RIGHT),
        ("Three servers hold 4 GB each. How many GB do they hold?", "12", "12 gigabytes in all", RIGHT),
        ("Three servers hold 4 GB each. How many GB do they hold?", "12", "3 * 4 GB = 12 GB", RIGHT),
        ("Three servers hold 4 GB each. How many GB do they hold?", "12", "12 MB", WRONG),
        ("Three servers hold 4 GB each. How many servers are it?", "3", "3 GB", ASKED),
        ("How many minutes are 300 s?", "5", "5 min", RIGHT),
        ("How many minutes are 300 s?", "5", "300 s", ASKED),
        ("How fast is the link, in Mbit per second?", "50", "50 Mbit/s", RIGHT),
        ("How fast is the link, in Mbit per second?", "50", "50 MB/s", WRONG),
        ("A chair costs \\$80.50 and 20 % of tax. What is its price?", "96.6", "$96.60", ASKED),
        ("A chair costs \\$80.50 and 20 % of tax. What is its price in dollars?", "96.6", "$96.60", RIGHT),
        ("A chair costs \\$40. How many do you get for \\$10,000?", "250", "$250", ASKED),
        ("What percentage of 200 is 50?", "25", "25 %", RIGHT),
        ("What percentage of 200 is 50?", "25", "25 percent", RIGHT),
        ("What percentage of 200 is 50?", "25", "2.5 %", WRONG),
        ("Which part of 200 is 50, in percent?", "0.25", "25 %", RIGHT),
        ("How many bytes are in a kibibyte?", "1024", "1024 B", RIGHT),
        ("How many bytes are in a kibibyte?", "1024", "1 KiB", WRONG),
        ("How many kg is it?", "42", "42kg.", ASKED),
        ("How many kg is it?", "42", "42 kg", RIGHT),
        ("How many kg is it?", "42", "42 g", ASKED),
    ],
)
def test_exactly_the_unit_of_the_stem_may_be_written(
    bank_of: BankOf, stem: str, key: str, text: str, outcome: Outcome
) -> None:
    assert score(bank_of, stem, key, text) is outcome


def test_a_stem_that_names_none_and_an_item_that_has_one_are_left_alone() -> None:
    for stem in ("What is pi in two decimals?", "How many packets are lost?", "How many times is it read in the end?"):
        assert add_stem(AnswerFormat(), stem).unit_in_stem is None
    assert add_stem(AnswerFormat(parse_unit("GB")), "How many MB is it?").unit_in_stem is None
    assert add_stem(AnswerFormat(shape="truth"), "Is it more in GB?").unit_in_stem is None
