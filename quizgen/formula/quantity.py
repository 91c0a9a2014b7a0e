"""Fractions at a fifth of their usual cost, for the inner loop of a run.

`Fraction` spends most of its time finding out what its operands are. Here that is known, so a
reduced fraction is made directly from its two whole numbers; it is an ordinary Fraction
afterwards. The two slots have kept their names since Python 3.0.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any, Final

from quizgen.formula.errors import DomainError, LimitError, RejectError
from quizgen.formula.unit_table import COUNT_SUFFIXES
from quizgen.formula.units import ONE, Dim, Labels, Unit, assignable, kind_of, parse_unit
from quizgen.source.problems import shorten

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


# Quantities: a number with its unit, and the plain reading of one from a bank or a command line.


MAX_BITS: Final = 1024  # of a numerator or denominator
MAX_LITERAL: Final = 40  # characters
SMALLEST: Final = Fraction(1, 2**1074)  # below it a float would silently be 0

Number = int | Fraction | float

_GROUPS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """`value` times `unit`. Exact unless a function forced a float."""

    value: Number
    unit: Unit = ONE

    @property
    def base(self) -> Number:
        """The amount in base units (bit, s, FLOP, J, USD, a count)."""
        factor = self.unit.factor
        return self.value if factor == 1 else tidy(self.value * factor)

    @property
    def dim(self) -> Dim:
        return self.unit.dim

    def to(self, unit: Unit) -> Quantity:
        """The same amount in `unit`; RejectError if that measures something else."""
        if not assignable(self.dim, unit.dim):
            raise RejectError("unit", f"{kind_of(self.dim)} is not {kind_of(unit.dim)}", f"give it in {unit}")
        return Quantity(in_unit(self.base, unit), unit)

    def __str__(self) -> str:
        """Exact and readable back: `13000000000 param`, `1/3`, `31.7 GB`."""
        text = plain(self.value)
        return text if self.unit is ONE else f"{text} {self.unit}"


def tidy(value: Number) -> Number:
    """A whole Fraction as an int (int arithmetic is ten times as fast); everything else unchanged."""
    if type(value) is Fraction and value.denominator == 1:
        return value.numerator
    return value


def in_unit(base: Number, unit: Unit) -> Number:
    """An amount in base units, expressed in `unit`."""
    if type(base) is float:
        return base / unit.factor if type(unit.factor) is int else float(base / Fraction(unit.factor))
    return tidy(Fraction(base) / unit.factor)


def plain(value: Number) -> str:
    """A number as text that reads back as the same number: a decimal if it has one, else p/q."""
    if type(value) is int:
        return str(value)
    if type(value) is float:
        return repr(value)
    assert isinstance(value, Fraction)
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > 30:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    whole, part = (digits[:-places], digits[-places:]) if places else (digits, "")
    return ("-" if value < 0 else "") + (f"{whole}.{part}" if part else whole)


def grouped(text: str) -> str:
    """A plain decimal as it is printed everywhere: thousands apart by commas, from 1,000 on. `p/q` stays as it is."""
    whole, dot, part = text.partition(".")
    sign, digits = whole[: whole.startswith("-")], whole.lstrip("-")
    return f"{sign}{int(digits):,}{dot}{part}" if digits.isdigit() else text


def ungrouped(text: str) -> str:
    """The same amounts as they stand in code and in formulas, where a comma is a list's."""
    return _GROUPS.sub("", text)


def exact(value: int | float | Fraction) -> Number:
    """A number from outside as the decimal it was written as: the float 0.02 is 1/50."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise RejectError("number", f"{value!r} is not a number", "write a number such as 2 or 0.5")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise DomainError("not-finite", f"{value!r} is not a finite number", "write a finite number")
        return tidy(Fraction(repr(value)))
    return tidy(bounded(Fraction(value)))


def bounded(value: Fraction) -> Fraction:
    if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
        raise LimitError("too-big", f"a number of more than {MAX_BITS} bits", "use a smaller number")
    return value


def literal(text: str) -> Number:
    """The value of a number that has the form of one already."""
    if len(text) > MAX_LITERAL:
        raise LimitError("long-number", f"a number of more than {MAX_LITERAL} characters", "write it as 1.5e9")
    mantissa, _, exponent = text.lower().partition("e")
    if len(exponent.lstrip("+-").lstrip("0")) > 3 and mantissa.strip("+-0."):
        raise _far(text, exponent.startswith("-"))
    value = Fraction(text) if mantissa.strip("+-0.") else Fraction(0)
    if abs(value) >= 2**1024:
        raise _far(text, False)
    if value and abs(value) < SMALLEST:
        raise _far(text, True)
    return tidy(bounded(value))


def _far(text: str, small: bool) -> DomainError:
    word = "small" if small else "large"
    return DomainError(f"too-{word}", f"{shorten(text)} is too {word} for a number here", "use a number nearer to 1")


def own_quantity(text: str, labels: Labels = ()) -> Quantity:
    """A number with a unit of its own, whatever it measures: `80 GB`, `7e9 param`, `0.5`, `7/15`; `labels` are those
    of the bank. Raises FormulaError."""
    value, rest = _number_and_rest(text, "write a number, or one with a unit")
    return Quantity(value, parse_unit(rest, labels) if rest else ONE)


def parse_quantity(text: str, unit: Unit = ONE, labels: Labels = ()) -> Quantity:
    """A number with an optional unit, where `unit` is asked for: `13e9 param`, `80GB`, `0.5`, `46.7%`, `7/15`.
    A unit of a bank is one of `labels`; those that `unit` knows where there are none.

    A bare number is in `unit`. Where a count (or a bare number) is asked, one of the suffixes k M B
    T multiplies (`13B` is 13 billion); where data is asked, `13B` is 13 bytes. Raises RejectError if
    it is not a quantity or of another dimension.
    """
    value, rest = _number_and_rest(
        text, "write a number" if unit is ONE else f"write a number, or one with a unit such as 1 {unit}"
    )
    scale, _, label = rest.partition(" ")
    if scale in COUNT_SUFFIXES and (unit.dim.bare or unit.dim.label):
        value, rest = tidy(bounded(Fraction(value) * COUNT_SUFFIXES[scale])), label.strip()
    if not rest:
        return Quantity(value, unit)
    given = parse_unit(rest, labels or unit.labels)
    if not assignable(given.dim, unit.dim):
        raise RejectError(
            "unit", f"{shorten(text.strip())} is {kind_of(given.dim)}, not {kind_of(unit.dim)}", f"give it in {unit}"
        )
    return Quantity(value, given)


def _number_and_rest(text: str, hint: str) -> tuple[Number, str]:
    """The number that a text begins with, a decimal or `p/q`, and what stands behind it."""
    stripped = text.strip()
    match = _NUMBER.match(stripped) if stripped.isascii() else None
    if match is None:
        raise RejectError("number", f'"{shorten(text)}" is not a quantity', hint)
    value, rest = literal(match.group()), stripped[match.end() :]
    if not (rest.startswith("/") and rest[1:].isdigit() and len(rest) <= MAX_LITERAL):
        return value, rest.strip()
    if not int(rest[1:]):
        raise DomainError("zero-division", f"{stripped} divides by zero", "write another number")
    return tidy(Fraction(value) / int(rest[1:])), ""
