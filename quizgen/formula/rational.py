"""Fractions at a fifth of their usual cost, for the inner loop of a run.

`Fraction` spends most of its time finding out what its operands are. Here that is known, so a
reduced fraction is made directly from its two whole numbers; it is an ordinary Fraction
afterwards. The two slots have kept their names since Python 3.0, and a test watches them.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

_new: Any = object.__new__


def parts(value: int | Fraction | float) -> tuple[int, int]:
    """Numerator and denominator of a number."""
    return value.as_integer_ratio()


def divided(value: int | Fraction | float) -> float:
    """The nearest float. Raises OverflowError for what has none."""
    over, under = parts(value)
    return over / under


def reduced(over: int, under: int) -> int | Fraction:
    """`over / under` in lowest terms, an int where it is whole. `under` must be positive."""
    common = gcd(over, under)
    if common != 1:
        over //= common
        under //= common
    if under == 1:
        return over
    made = _new(Fraction)
    made._numerator = over
    made._denominator = under
    return made  # type: ignore[no-any-return]  # object.__new__ is typed as object
