"""Responses read as amounts, and how close a response is to its key.

A number is right if it is within the tolerance of the key, or if it equals the key rounded to `digits` or more
significant digits in the unit that was written. Near 100 % the digits of the distance from 100 % count: 99.9975 %
is neither 100 % nor 99.998 %. All comparisons are exact, including the bounds."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from quizgen.formula.quantity import (
    Number,
    decimal_exponent,
    exact_text,
    nearest_float,
    numerator_denominator,
    reduced_ratio,
)
from quizgen.formula.units import ONE, Unit, answer_dimension_fits

Value = Number | bool | str | tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a response: `31.7 GB` is value 31.7 in unit GB, shown as "31.7 GB", with step 1/10.

    `value` is a number, a truth value, a word (`impossible`, `unbounded`, or an enum's) or a tuple of numbers. `step`
    is the worth, in `unit`, of the last significant place as written: 1/10 for 31.7, 100 for 31,700; None for a
    calculated number. `bare`: no unit was written, and `unit` is the expected one. `others` are equally likely
    readings: 46.7 % beside 0.467 % for "0.467" if % is expected."""

    value: Value
    unit: Unit
    read_as: str
    step: Fraction | None = None
    bare: bool = False
    others: tuple[Reading, ...] = ()

    @property
    def base(self) -> Number:
        """The amount in base units; only for a number."""
        assert not isinstance(self.value, str | tuple)
        if isinstance(self.value, float):
            return self.value * self.unit.factor
        (over, under), (times, by) = numerator_denominator(self.value), numerator_denominator(self.unit.factor)
        return reduced_ratio(over * times, under * by)


def show_number(value: Number) -> str:
    """`value` with up to six significant digits; whole numbers of up to seven digits in full.

    Large and small numbers have a power of a thousand (`13e9`). The text can be read back."""
    if type(value) is int and -(10**7) < value < 10**7:
        return f"{value:,}"
    try:
        near = value if type(value) is float else nearest_float(value)
    except OverflowError:
        near = float("inf")
    size = abs(near)
    if 0.001 <= size < 10**7 and near == int(near):
        return f"{int(near):,}"
    if 0.001 <= size < 999_999.5:
        return f"{near:,.6g}"
    if not value:
        return "0"
    digits, _, power = f"{near if 0 < size < float('inf') else _decimal(value):.5e}".partition("e")
    before = int(power) % 3 + 1 + digits.startswith("-")
    digits = digits.replace(".", "")
    return f"{digits[:before]}.{digits[before:]}".rstrip("0").rstrip(".") + f"e{int(power) // 3 * 3}"


def _decimal(value: Number) -> Decimal:
    over, under = numerator_denominator(value)
    return Decimal(over) / Decimal(under)


def show_quantity(value: Number, unit: Unit) -> str:
    """`value` with its unit as people write it."""
    if unit is ONE:
        return show_number(value)
    if unit.symbol == "%":
        return f"{show_number(value)}%"
    if unit.symbol == "kb":
        return f"{show_number(value)} kbit"  # kb would read as kB in an answer in bytes
    shown = show_number(value)
    return f"{shown} {unit.after(shown)}"


# When a number is right: within a tolerance, or rounded as people round.


DEFAULT_TOLERANCE: Final = Fraction(1, 100)
DEFAULT_DIGITS: Final = 2
LOOSE_TOLERANCE: Final = Fraction(1, 5)  # relative; a wider tolerance accepts almost anything
FLOAT_ERROR: Final = Fraction(1, 10**9)  # relative error of a value that was computed in floats, or copied from one
NEAR_WHOLE: Final = Fraction(9, 10)  # from 90 % up, digits count on the distance from 100 %


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The largest accepted error: `share` of the key, or `margin` (in base units; 0: no margin).

    `digits`: the significant digits that a rounded number needs; 0: rounding is not accepted; None: two, unless the
    tolerance is below 1 % of the key. `Tolerance(Fraction(0))` accepts only the exact key."""

    share: Fraction = DEFAULT_TOLERANCE
    margin: Fraction = Fraction(0)
    digits: int | None = None

    def of(self, key: Number) -> Fraction:
        """The tolerance as a share of this key: `1 %` of any key, `0.5 GB` of 10 GB is 5 %."""
        return max(self.share, self.margin / abs(Fraction(key))) if self.margin and key else self.share

    def digits_of(self, key: Number) -> int:
        """The significant digits that a rounding of this key needs; 0: rounding is not accepted."""
        if self.digits is not None:
            return self.digits
        return DEFAULT_DIGITS if self.of(key) >= DEFAULT_TOLERANCE else 0

    def accepts_number(self, given: Number, key: Number) -> bool:
        """True if `given` is within the tolerance of `key`, both in base units."""
        return ratio_within_share(*numerator_denominator(given), key, self.share) or bool(
            self.margin and abs(Fraction(given) - Fraction(key)) <= self.margin
        )


def within_share(given: Number, key: Number, share: Fraction) -> bool:
    """True if |given - key| <= share * |key|, exactly. A key computed with floats has a small extra margin."""
    return ratio_within_share(*numerator_denominator(given), key, share)


def ratio_within_share(a: int, b: int, key: Number, share: Fraction) -> bool:
    """`within_share` for the number a / b, which need not be in lowest terms."""
    if isinstance(key, float):
        share = max(share, FLOAT_ERROR)
    (c, d), (p, q) = numerator_denominator(key), numerator_denominator(share)
    return abs(a * d - c * b) * q <= p * abs(c) * b


# -- rounding -------------------------------------------------------------------------------


def rounds_to(reading: Reading, key: Number, unit: Unit, digits: int) -> bool:
    """True if a reading is the key, rounded in the reading's unit to `digits` or more significant digits.

    `key` is in base units, `unit` is the requested unit. Trailing zeros may count (30 GB has one digit or two); a tie
    may round either way. For 31.6875 GB and two digits: 32 GB, 31.7 GB and 29.5 GiB, but not 30 GB or 31 GB."""
    if (
        digits < 1
        or isinstance(reading.value, bool | str | tuple)
        or not answer_dimension_fits(reading.unit.dim, unit.dim)
    ):
        return False
    exact = Fraction(key)
    size = digit_base(exact, unit)
    error = abs(Fraction(reading.base) - exact)
    if 2 * 10 ** (digits - 1) * error > size or not size:  # farther than any rounding to this many digits
        return False
    step = last_digit_worth(reading)
    if step is None:
        return False
    place = step * Fraction(10) ** (decimal_exponent(size / step) - digits + 1)
    return 2 * error <= min(step, place) + (FLOAT_ERROR * abs(exact) if isinstance(key, float) else 0)


def digit_base(key: Fraction, unit: Unit) -> Fraction:
    """The amount whose digits count: the key, or for 90 % and more its difference from 100 %. `key` is in base
    units."""
    share = unit.dim.bare and key >= NEAR_WHOLE and (unit.symbol == "%" or key < 1)
    return abs(1 - key) if share else abs(key)


def rounding_slack(key: Fraction, unit: Unit, digits: int) -> Fraction:
    """The largest error of a number rounded in `unit` to `digits` digits, in base units; 0 if there is nothing to
    round."""
    size = digit_base(key, unit)
    if not size or not digits:
        return Fraction(0)
    return unit.factor * Fraction(10) ** (decimal_exponent(size / Fraction(unit.factor)) - digits + 1) / 2


def rounded_keys(key: Fraction, unit: Unit, digits: int) -> tuple[Fraction, ...]:
    """The key rounded in `unit` to `digits` digits, in base units: one number, two at a tie, none for a key of 0."""
    half = rounding_slack(key, unit, digits)
    if not half:
        return ()
    below = (key - half) / (2 * half)
    first, last = -(-below // 1), (below + 1) // 1
    return tuple(Fraction(n) * 2 * half for n in range(int(first), int(last) + 1))


def last_digit_worth(reading: Reading) -> Fraction | None:
    """The worth, in base units, of the last significant digit as written; for a calculation, that of its result. None
    for a result without an end, such as 1/3."""
    assert not isinstance(reading.value, bool | str | tuple)
    if reading.step is not None:
        return Fraction(reading.step * reading.unit.factor)
    digits = exact_text(reading.value).lstrip("-")
    if isinstance(reading.value, float) or "/" in digits or not reading.value:
        return None
    whole, _, part = digits.partition(".")
    places = len(part) if part else len(whole.rstrip("0")) - len(whole)
    return Fraction(10) ** -places * reading.unit.factor
