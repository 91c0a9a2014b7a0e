"""Every number that the shipped banks print can be typed as it stands, and is written one way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
import shipped

from quizgen.draw import SeededRng
from quizgen.formula.derive import derivation_of
from quizgen.formula.quantity import Reading, is_within_share
from quizgen.kinds.numeric.item import NumericItem
from quizgen.numbers.answer import AnswerFormat
from quizgen.numbers.read import read_response

BANKS = ("distributed-training", "git")
LONG = re.compile(r"(?<![\d.,/e-])\d{4,}(?![\d]*[eE])")  # four digits or more in a row, before any decimal point
CLOSE = Fraction(1, 1000)  # four significant figures


def numeric(bank: str) -> Iterator[NumericItem]:
    yield from (item for item in shipped.bank(bank).items.values() if isinstance(item, NumericItem))


def printed(bank: str) -> Iterator[tuple[str, AnswerFormat, Fraction]]:
    """What is printed, what a reader would be asked there, and the amount in base units: every value that is
    drawn, and every step of one solution."""
    for item in numeric(bank):
        against = replace(item.answer_spec.response_format, shape="number", whole=False)
        for axis in item.variant_space.axes:
            for drawn in {one for row in axis.value_rows for one in row if one.input_entry is not None}:
                if isinstance(drawn.value, int | Fraction) and drawn.input_entry.value_kind.shape == "number":
                    yield drawn.text_in_stem, replace(against, unit=drawn.input_entry.unit), Fraction(drawn.value)
        if item.inverse_spec is None:
            evaluation = item.draw(SeededRng(item.id, "1")).evaluation()
            for step, shown in zip(item.formula.steps, derivation_of(evaluation).steps, strict=True):
                answer = evaluation.value_of_name(step.name)
                if isinstance(answer, int | float | Fraction) and not isinstance(answer, bool):
                    yield shown.value, replace(against, unit=step.unit), Fraction(answer)


@pytest.mark.parametrize("bank", BANKS)
def test_what_is_printed_can_be_typed(bank: str) -> None:
    seen = 0
    for text, asked, amount in printed(bank):
        found = read_response(text, asked)
        assert isinstance(found, Reading), (text, asked.unit)
        assert is_within_share(found.base_value, amount, CLOSE), (text, asked.unit, found.read_as)
        assert is_within_share(read_response(found.read_as, asked).base_value, amount, CLOSE), (text, found.read_as)
        seen += 1
    assert seen > 20


@pytest.mark.parametrize("bank", BANKS)
def test_thousands_are_apart_by_commas_everywhere(bank: str) -> None:
    """In stems with their values, keys and printed steps; a formula's own text has none, for there a comma is a list's."""
    for text, _, _ in printed(bank):
        assert not LONG.search(text), text
    for item in numeric(bank):
        variant = item.draw(SeededRng(item.id, "1"))
        assert not LONG.search(variant.key_text()), (item.id, variant.key_text())
        if item.inverse_spec is None:
            for step in derivation_of(variant.evaluation()).steps:
                assert not re.search(r"\d,\d{3}", step.substituted), (item.id, step.substituted)


@pytest.mark.parametrize("bank", BANKS)
def test_authors_write_the_same_way(bank: str) -> None:
    """Stems as they are written in the shipped files; a year stands as it is."""
    for item in numeric(bank):
        stem = re.sub(r"`[^`]*`|\$[^$]*\$", " ", item.stem)
        assert not [n for n in LONG.findall(stem) if not 1900 < int(n) < 2100], (item.id, stem)
