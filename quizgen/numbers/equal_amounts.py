"""Whether an amount is of the expected kind, and whether two amounts are two spellings of one."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import Final

from quizgen.formula.unit_fit import fits
from quizgen.formula.units import ONE, Unit
from quizgen.numbers.amounts import WrittenAmount
from quizgen.numbers.answer import AnswerFormat

_CLOSE: Final = Fraction(1, 100)  # by which two spellings of one amount may differ, each of them rounded
_MANY: Final = 10**6  # from here on trailing zeros are rounding


class UnitFit(Enum):
    """Whether an amount has a unit that fits what is expected, none, or another one."""

    SAME = 1
    NONE = 2
    OTHER = 3


def unit_fit(amount: WrittenAmount, expected: AnswerFormat) -> UnitFit:
    """Whether the unit of `amount` fits what is expected."""
    if amount.unit is None:
        return UnitFit.NONE
    unit, given = expected.unit_in_stem or expected.unit, amount.unit.dim
    if given.bare and not expected.unit.dim.bare:
        return UnitFit.OTHER
    return UnitFit.SAME if fits(given, unit.dim) or given == expected.unit.dim else UnitFit.OTHER


def same_amount(left: WrittenAmount, right: WrittenAmount, expected: AnswerFormat) -> bool:
    """Whether two amounts are two spellings of one, each rounded: `31.7 GB (29.5 GiB)`, `0.467 = 46.7%`."""
    whole = expected.whole or expected.unit.whole
    for mine in _possible_units(left, expected):
        for theirs in _possible_units(right, expected):
            one, other = Fraction(left.value) * mine.factor, Fraction(right.value) * theirs.factor
            slack = max(_half_place(left, mine), _half_place(right, theirs))
            if mine.factor != theirs.factor and not whole:
                slack = max(slack, _CLOSE * max(abs(one), abs(other)))
            if fits(mine.dim, theirs.dim) and abs(one - other) <= slack:
                return True
    return False


def _possible_units(amount: WrittenAmount, expected: AnswerFormat) -> tuple[Unit, ...]:
    unit = expected.unit_in_stem or expected.unit
    if amount.unit is not None:
        return (amount.unit,)
    return (unit, ONE) if unit.dim.bare and unit is not ONE else (unit,)


def _half_place(amount: WrittenAmount, unit: Unit) -> Fraction:
    """By how much an amount may be rounded, at most a tenth of it: 0.05 for 31.7, half of one for 30."""
    step = amount.step or Fraction(0)
    if abs(Fraction(amount.value)) < _MANY:
        step = min(step, Fraction(1))
    return min(step / 2, abs(Fraction(amount.value)) / 10) * unit.factor


def finer(left: WrittenAmount, right: WrittenAmount, expected: AnswerFormat) -> WrittenAmount:
    """The amount of two spellings that was written in the expected unit or to more digits; `left` where both were."""
    if left.unit is not None and right.unit is not None and left.unit != right.unit:
        return right if right.unit == expected.unit else left
    if left.step is None or right.step is None:
        return left if left.step is None else right
    mine, theirs = (_possible_units(one, expected)[0].factor for one in (left, right))
    return left if left.step * mine <= right.step * theirs else right
