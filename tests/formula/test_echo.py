"""What a candidate is shown of a reading before it is final depends on the question alone."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from shipped import BankOf

from quizgen.draw import SeededRng
from quizgen.model import Outcome, Variant
from quizgen.session.sitting import parse_response

from .spellings import rows

# One question, and keys, tolerances and misconceptions of every kind; {unit} is filled.
ITEM = """
items:
  - id: {id}
    kind: numeric
    stem: From x = {{x}} and y = {{y}}, how much is it?
    draw: {{x: [8], y: [32]}}
    formula:
      inputs: {{x: {{is: first, unit: 1}}, y: {{is: second, unit: 1}}}}
      steps:
        part: x * y
        result: {result}
      unit: "{unit}"
{wrong}
    answer: {{unit: "{unit}", tolerance: {tolerance}}}
"""
WRONG = """
      misconceptions:
        - {{id: m{n}, value: {value}, say: No.}}
"""
# unit -> the results of five formulas, as text
UNITS = {
    "%": ("0.875", "part / 640", "0.004", "87.5", "0"),
    "GB": ("31.7 GB", "0.4 GB * x", "9 B", "8900 TB", "0 GB * y"),
    "MWh": ("9000 MWh", "8.9 MWh", "part * 1 J", "0.0089 MWh", "8900 MWh"),
    "s": ("7 s", "90 min", "part * 1 ms", "0.5 s", "67.7 day"),
    "GPU": ("14 GPU", "x * 2 GPU", "1024 GPU", "part * 1 GPU", "2 GPU"),
    "1": ("7 / 15", "part / 3", "1.234", "0.001 * y", "x / 3"),
}


def variants(bank_of: BankOf, unit: str) -> list[Variant]:
    made = []
    for n, result in enumerate(UNITS[unit]):
        other = UNITS[unit][n - 1]
        wrong = WRONG.format(n=n, value=other) if n else ""
        loaded = bank_of(ITEM.format(id=f"i{n}", result=result, unit=unit, wrong=wrong, tolerance=f"{n}%"))
        made.append(loaded.required_bank.items[f"i{n}"].draw(SeededRng("i", "1")))
    return made


NUMBERS = (
    "0.875", "0.4", "87.5", "7/8", "9000*1", "8900*1", "0.0089", "3.17e10", "31.7", "1,234", "1.024", "31,700", "14",
    "13e9*2", "0.467", "1e9", "13B", "9k", "5.5M", "2^30", "1/3", "0", "-5", "67.7", "1 h 30", "twice 16", "half", "40",
)  # fmt: skip
TAILS = ("", " GB", "%", " MWh", " kWh", " s", " ms", " GPUs", " B", " per GPU", " of 15", " = 14", "?", " or 3", " Gb")
HEADS = ("", "about ", "x = ", "at least ", "part = 256; total = ", "it is ", "$", "~")


def spellings() -> Iterator[str]:
    """Every row of the table of spellings, and 1,000 made of pieces."""
    yield from {row.response for row in rows()}
    rng = random.Random("echo")
    for _ in range(1000):
        yield rng.choice(HEADS) + rng.choice(NUMBERS) + rng.choice(TAILS)


TEXTS = tuple(spellings())


@pytest.mark.parametrize("unit", UNITS)
def test_items_of_one_question_and_other_keys_echo_the_same_bytes(bank_of: BankOf, unit: str) -> None:
    first, *others = variants(bank_of, unit)
    assert len({v.key_text() for v in (first, *others)}) == len(UNITS[unit])
    texts = random.Random(unit).sample(TEXTS, 80)
    for text in texts:
        told = parse_response(first, text)
        for other in others:
            assert parse_response(other, text) == told, text


@pytest.mark.parametrize("unit", UNITS)
def test_what_the_echo_calls_unreadable_is_scored_so(bank_of: BankOf, unit: str) -> None:
    variant = variants(bank_of, unit)[0]
    for text in random.Random(unit).sample(TEXTS, 150):
        unreadable = variant.score(text).outcome is Outcome.UNREADABLE
        assert (variant.echo_response(text).unscored_outcome is Outcome.UNREADABLE) == unreadable, text


@pytest.mark.parametrize(
    ("unit", "text", "echo"), [("%", "0.875", "0.875% or 87.5%"), ("GB", "part = 26 GB; total = 31.7 GB", "31.7 GB")]
)
def test_where_two_readings_stand_both_are_shown(bank_of: BankOf, unit: str, text: str, echo: str) -> None:
    assert variants(bank_of, unit)[0].echo_response(text).text == echo
