"""Whether two numbers of a response are one amount, rounded or in another unit: `31.7 GB (29.5 GiB)`."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from quizgen.formula.read_sums import Found
from quizgen.formula.read_terms import base_symbol
from quizgen.formula.unit_fit import fits
from quizgen.formula.units import ONE, Unit, parse_unit

_CLOSE: Final = Fraction(1, 100)  # two spellings of one amount, each rounded


def finer(left: Found, right: Found) -> bool:
    """`7/15 = 0.5`, `31.6875 GB = 32 GB`: the candidate knows it better than the last number shows."""
    if (left.unit is None) != (right.unit is None) or right.step is None:
        return False
    if left.step is None:
        return True
    mine, theirs = (f.unit.factor if f.unit else 1 for f in (left, right))
    return left.step * mine < right.step * theirs


def same_amount(left: Found, right: Found, asked: Unit, whole: bool = False) -> bool:
    """Two spellings of one amount: `31.7 GB (29.5 GiB)`. `whole`: 285 and 286 are not."""
    for mine in _possible(left, asked):
        for theirs in _possible(right, asked):
            one, other = Fraction(left.value) * mine.factor, Fraction(right.value) * theirs.factor
            close = 0 if whole else _CLOSE * max(abs(one), abs(other))
            slack = max(close, _half_step(left, mine), _half_step(right, theirs))
            if fits(mine.dim, theirs.dim) and abs(one - other) <= slack:
                return True
    return False


def _half_step(found: Found, unit: Unit) -> Fraction:
    """By how much a number may be rounded: 0.05 for 31.7; at most a fifth of it."""
    step = found.step or Fraction(0)
    return min(step / 2, abs(Fraction(found.value)) / 5) * unit.factor


def _possible(found: Found, asked: Unit) -> tuple[Unit, ...]:
    """The units it may be in: a bare number where % is asked may be a fraction, and 3.17e10 where GB is, bytes."""
    if found.unit is not None:
        return (found.unit,)
    if asked.symbol == "%":
        return asked, ONE
    return (asked, parse_unit(base_symbol(asked))) if found.raised or found.calculated else (asked,)
