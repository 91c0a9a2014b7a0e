"""Amounts: exact numbers with units.

`Fraction` spends most of its time on the types of its operands. They are known here, so a reduced fraction is made
directly from its two whole numbers, at a fifth of the cost; afterwards it is an ordinary Fraction. Its two slots have
had the same names since Python 3.0."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any, Final

from quizgen.formula.errors import DomainError, LimitError, RejectError
from quizgen.formula.unit_table import COUNT_SUFFIXES
from quizgen.formula.units import (
    ONE,
    Dim,
    Labels,
    Unit,
    dimension_words,
    is_assignable,
    parse_unit,
)
from quizgen.source.problems import shorten

_new: Any = object.__new__


def numerator_denominator(value: int | Fraction | float) -> tuple[int, int]:
    """The numerator and denominator of a number."""
    return value.as_integer_ratio()


def nearest_float(value: int | Fraction | float) -> float:
    """The nearest float. Raises OverflowError if there is none."""
    over, under = numerator_denominator(value)
    return over / under


def reduced_ratio(over: int, under: int) -> int | Fraction:
    """`over / under` in lowest terms, an int if it is whole. `under` must be positive."""
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


def exact_fraction(value: Number) -> Fraction:
    """A number as an exact fraction; a float as its shortest decimal."""
    return Fraction(repr(value)) if type(value) is float else Fraction(value)


def round_figures(value: Number, figures: int) -> Fraction:
    """`value` rounded to significant figures, half to even."""
    exact = exact_fraction(value)
    return Fraction(round(exact, figures - 1 - decimal_exponent(exact))) if exact else exact


def decimal_exponent(value: Fraction) -> int:
    """The e with 10**e <= |value| < 10**(e+1), exactly."""
    over, under = abs(value.numerator), value.denominator
    guess = len(str(over)) - len(str(under))
    return guess if over >= under * Fraction(10) ** guess else guess - 1


# Quantities: a number with its unit, read from a bank or a command line.


MAX_BITS: Final = 1024  # bits of a numerator or denominator
MAX_LITERAL: Final = 40  # characters
SMALLEST: Final = Fraction(1, 2**1074)  # a smaller float would silently become 0

Number = int | Fraction | float

_GROUPS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """`value` times `unit`; exact unless a function required a float."""

    value: Number
    unit: Unit = ONE

    @property
    def base(self) -> Number:
        """The amount in base units (bit, s, FLOP, J, USD, a count)."""
        factor = self.unit.factor
        return self.value if factor == 1 else int_if_whole(self.value * factor)

    @property
    def dim(self) -> Dim:
        return self.unit.dim

    def to(self, unit: Unit) -> Quantity:
        """The same amount in `unit`. Raises RejectError if `unit` measures something else."""
        if not is_assignable(self.dim, unit.dim):
            raise RejectError(
                "unit", f"{dimension_words(self.dim)} is not {dimension_words(unit.dim)}", f"give it in {unit}"
            )
        return Quantity(value_in_unit(self.base, unit), unit)

    def __str__(self) -> str:
        """The exact amount as text that can be read back: `13000000000 param`, `1/3`, `31.7 GB`."""
        text = exact_text(self.value)
        return text if self.unit is ONE else f"{text} {self.unit}"


def int_if_whole(value: Number) -> Number:
    """A whole Fraction as an int (int arithmetic is ten times as fast); every other number unchanged."""
    if type(value) is Fraction and value.denominator == 1:
        return value.numerator
    return value


def value_in_unit(base: Number, unit: Unit) -> Number:
    """The value in `unit` of an amount in base units."""
    if type(base) is float:
        return base / unit.factor if type(unit.factor) is int else float(base / Fraction(unit.factor))
    return int_if_whole(Fraction(base) / unit.factor)


def exact_text(value: Number) -> str:
    """A number as text that reads back as the same number: a decimal if it has a finite one, else p/q."""
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


def group_thousands(text: str) -> str:
    """A plain decimal with commas between thousands, from 1,000 on; `p/q` stays as it is."""
    whole, dot, part = text.partition(".")
    sign, digits = whole[: whole.startswith("-")], whole.lstrip("-")
    return f"{sign}{int(digits):,}{dot}{part}" if digits.isdigit() else text


def ungroup_thousands(text: str) -> str:
    """The same text without commas between thousands, for code and formulas, where a comma separates a list."""
    return _GROUPS.sub("", text)


def exact_number(value: int | float | Fraction) -> Number:
    """A number as the decimal that was written: the float 0.02 is 1/50."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise RejectError("number", f"{value!r} is not a number", "write a number such as 2 or 0.5")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise DomainError("not-finite", f"{value!r} is not a finite number", "write a finite number")
        return int_if_whole(Fraction(repr(value)))
    return int_if_whole(require_max_bits(Fraction(value)))


def require_max_bits(value: Fraction) -> Fraction:
    if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
        raise LimitError("too-big", f"a number of more than {MAX_BITS} bits", "use a smaller number")
    return value


def read_number_literal(text: str) -> Number:
    """The number in a text that already has the form of one."""
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
    return int_if_whole(require_max_bits(value))


def _far(text: str, small: bool) -> DomainError:
    word = "small" if small else "large"
    return DomainError(f"too-{word}", f"{shorten(text)} is too {word} for a number here", "use a number nearer to 1")


def parse_any_quantity(text: str, labels: Labels = ()) -> Quantity:
    """A number with an optional unit of any dimension: `80 GB`, `7e9 param`, `0.5`, `7/15`; `labels` are the bank's own
    units. Raises FormulaError."""
    value, rest = _number_and_rest(text, "write a number, or one with a unit")
    return Quantity(value, parse_unit(rest, labels) if rest else ONE)


def parse_quantity(text: str, unit: Unit = ONE, labels: Labels = ()) -> Quantity:
    """A number with an optional unit, for an amount in `unit`: `13e9 param`, `80GB`, `0.5`, `46.7%`, `7/15`. `labels`
    are the bank's own units (default: those of `unit`).

    A bare number is in `unit`. If `unit` is a count (or a bare number), one of the suffixes k M B T multiplies (`13B`
    is 13 billion); if it is data, `13B` is 13 bytes. Raises RejectError for another dimension and for text that is not
    a quantity."""
    value, rest = _number_and_rest(
        text, "write a number" if unit is ONE else f"write a number, or one with a unit such as 1 {unit}"
    )
    scale, _, label = rest.partition(" ")
    if scale in COUNT_SUFFIXES and (unit.dim.bare or unit.dim.label):
        value, rest = int_if_whole(require_max_bits(Fraction(value) * COUNT_SUFFIXES[scale])), label.strip()
    if not rest:
        return Quantity(value, unit)
    given = parse_unit(rest, labels or unit.labels)
    if not is_assignable(given.dim, unit.dim):
        raise RejectError(
            "unit",
            f"{shorten(text.strip())} is {dimension_words(given.dim)}, not {dimension_words(unit.dim)}",
            f"give it in {unit}",
        )
    return Quantity(value, given)


def _number_and_rest(text: str, hint: str) -> tuple[Number, str]:
    """The number at the start of a text, a decimal or `p/q`, and the rest of the text."""
    stripped = text.strip()
    match = _NUMBER.match(stripped) if stripped.isascii() else None
    if match is None:
        raise RejectError("number", f'"{shorten(text)}" is not a quantity', hint)
    value, rest = read_number_literal(match.group()), stripped[match.end() :]
    if not (rest.startswith("/") and rest[1:].isdigit() and len(rest) <= MAX_LITERAL):
        return value, rest.strip()
    if not int(rest[1:]):
        raise DomainError("zero-division", f"{stripped} divides by zero", "write another number")
    return int_if_whole(Fraction(value) / int(rest[1:])), ""
