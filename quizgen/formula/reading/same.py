"""Whether two numbers of a response are one amount, rounded or in another unit: `31.7 GB (29.5 GiB)`."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from quizgen.formula.reading.letter_rules import base_symbol
from quizgen.formula.reading.span import Context, Sense
from quizgen.formula.unit_fit import fits
from quizgen.formula.units import ONE, Unit, parse_unit

_CLOSE: Final = Fraction(1, 100)  # two spellings of one amount, each rounded


def finer(left: Sense, right: Sense) -> bool:
    """`7/15 = 0.5`, `31.6875 GB = 32 GB`: the candidate knows it better than the last number shows."""
    if (left.unit is None) != (right.unit is None) or right.step is None:
        return False
    if left.step is None:
        return True
    mine, theirs = (s.unit.factor if s.unit else 1 for s in (left, right))
    return left.step * mine < right.step * theirs


def same_amount(left: Sense, right: Sense, context: Context, exact: bool = False) -> bool:
    """Two spellings of one amount: `31.7 GB (29.5 GiB)`. `exact`: 285 and 286 are not."""
    for mine in _possible(left, context.unit):
        for theirs in _possible(right, context.unit):
            one, other = Fraction(left.value) * mine.factor, Fraction(right.value) * theirs.factor
            close = 0 if exact else _CLOSE * max(abs(one), abs(other))
            slack = max(close, _half_step(left, mine), _half_step(right, theirs))
            if fits(mine.dim, theirs.dim) and abs(one - other) <= slack:
                return True
    return False


def _half_step(sense: Sense, unit: Unit) -> Fraction:
    """By how much a number may be rounded: 0.05 for 31.7; at most a fifth of it."""
    step = sense.step or Fraction(0)
    return min(step / 2, abs(Fraction(sense.value)) / 5) * unit.factor


def _possible(sense: Sense, asked: Unit) -> tuple[Unit, ...]:
    """The units it may be in: a bare number where % is asked may be a fraction, and 3.17e10 where GB is, bytes."""
    if sense.unit is not None:
        return (sense.unit,)
    if asked.dim.bare and asked.factor != 1:
        return asked, ONE
    return (asked, parse_unit(base_symbol(asked), asked.labels)) if sense.raised or sense.calculated else (asked,)
