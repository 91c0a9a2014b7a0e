"""A response as it was read, in words that read back as the same amount, and how near its key it is.

A number is right if it is within the tolerance of the key, or equals the key rounded, in the unit that was written, to
`digits` or more significant digits. Near 100 % the digits of what is missing count: 99.9975 % is neither 100 % nor
99.998 %. All comparisons are exact, the edges included.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from quizgen.formula.expression.functions import magnitude
from quizgen.formula.quantity import Number, divided, parts, plain, reduced
from quizgen.formula.units import ONE, Unit, fits

Value = Number | bool | str | tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a response: `31.7 GB` is value 31.7 in unit GB, shown as "31.7 GB", with step 1/10.

    `value` is a number, a truth value, a word (`impossible`, `unbounded`, one of an enum) or a tuple of numbers.
    `step` is the worth, in `unit`, of the last significant place that was written: 1/10 for 31.7, 100 for 31,700;
    None for a number that was calculated. `bare` says that no unit was written, and `unit` is the one that is
    expected. `others` are readings that are as likely: 46.7 % beside 0.467 % for "0.467" where % is expected.
    """

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
        (over, under), (times, by) = parts(self.value), parts(self.unit.factor)
        return reduced(over * times, under * by)


def show_number(value: Number) -> str:
    """`value` with up to six significant digits, whole numbers up to seven digits in full.

    Large and small numbers take a power of a thousand (`13e9`). The text can be read again.
    """
    if type(value) is int and -(10**7) < value < 10**7:
        return f"{value:,}"
    try:
        near = value if type(value) is float else divided(value)
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
    over, under = parts(value)
    return Decimal(over) / Decimal(under)


def show_quantity(value: Number, unit: Unit) -> str:
    """`value` with its unit as people write it."""
    if unit is ONE:
        return show_number(value)
    if unit.symbol == "%":
        return f"{show_number(value)}%"
    if unit.symbol == "kb":
        return f"{show_number(value)} kbit"  # kb reads as kB where bytes are asked
    shown = show_number(value)
    return f"{shown} {unit.after(shown)}"


# How near its key a number is right: within a tolerance, or rounded as people round.


USUAL: Final = Fraction(1, 100)
USUAL_DIGITS: Final = 2
LOOSE: Final = Fraction(1, 5)  # of the key: beyond this a tolerance takes nearly anything
FLOAT_ERROR: Final = Fraction(1, 10**9)  # of a value that was calculated in floats, or copied from one
NEAR_WHOLE: Final = Fraction(9, 10)  # from 90 % up the distance from 100 % is what digits count on


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far off a number is right still: by `share` of the key, or by `margin` (in base units; 0: no such margin).

    `digits`: the significant digits that a rounded number needs; 0: rounding does not count; None: two, unless the
    tolerance is below 1 % of the key. `Tolerance(Fraction(0))` takes the exact key alone.
    """

    share: Fraction = USUAL
    margin: Fraction = Fraction(0)
    digits: int | None = None

    def of(self, key: Number) -> Fraction:
        """The tolerance as a share of this key: `1 %` of any, `0.5 GB` of 10 GB is 5 %."""
        return max(self.share, self.margin / abs(Fraction(key))) if self.margin and key else self.share

    def digits_of(self, key: Number) -> int:
        """The significant digits that a number rounded from this key needs; 0: rounding does not count."""
        if self.digits is not None:
            return self.digits
        return USUAL_DIGITS if self.of(key) >= USUAL else 0

    def takes(self, given: Number, key: Number) -> bool:
        """Whether `given` is within the tolerance of `key`, both in base units."""
        return within(*parts(given), key, self.share) or bool(
            self.margin and abs(Fraction(given) - Fraction(key)) <= self.margin
        )


def matches(given: Number, key: Number, share: Fraction) -> bool:
    """|given - key| <= share * |key|, exactly. A key from floats is not taken more exactly than it is."""
    return within(*parts(given), key, share)


def within(a: int, b: int, key: Number, share: Fraction) -> bool:
    """`matches` for a / b, which need not be in lowest terms."""
    if isinstance(key, float):
        share = max(share, FLOAT_ERROR)
    (c, d), (p, q) = parts(key), parts(share)
    return abs(a * d - c * b) * q <= p * abs(c) * b


# -- rounding -------------------------------------------------------------------------------


def rounds_to(reading: Reading, key: Number, unit: Unit, digits: int) -> bool:
    """Whether a reading is the key, rounded in the unit that was written to `digits` or more significant digits.

    `key` is in base units, `unit` the one that is asked for. Trailing zeros may count (30 GB has one digit or two), a
    tie may go either way. For 31.6875 GB and two digits: 32 GB, 31.7 GB and 29.5 GiB, but not 30 GB nor 31 GB.
    """
    if digits < 1 or isinstance(reading.value, bool | str | tuple) or not fits(reading.unit.dim, unit.dim):
        return False
    exact = Fraction(key)
    size = counted(exact, unit)
    error = abs(Fraction(reading.base) - exact)
    if 2 * 10 ** (digits - 1) * error > size or not size:  # further off than any rounding to so many digits
        return False
    step = last_place(reading)
    if step is None:
        return False
    place = step * Fraction(10) ** (magnitude(size / step) - digits + 1)
    return 2 * error <= min(step, place) + (FLOAT_ERROR * abs(exact) if isinstance(key, float) else 0)


def counted(key: Fraction, unit: Unit) -> Fraction:
    """The amount whose digits count: the key, or from 90 % up what is missing from 100 %. `key` is in base units."""
    share = unit.dim.bare and key >= NEAR_WHOLE and (unit.symbol == "%" or key < 1)
    return abs(1 - key) if share else abs(key)


def half_place(key: Fraction, unit: Unit, digits: int) -> Fraction:
    """How far off a number rounded in `unit` to `digits` digits can be, in base units; 0 where nothing is to round."""
    size = counted(key, unit)
    if not size or not digits:
        return Fraction(0)
    return unit.factor * Fraction(10) ** (magnitude(size / Fraction(unit.factor)) - digits + 1) / 2


def roundings(key: Fraction, unit: Unit, digits: int) -> tuple[Fraction, ...]:
    """The key rounded in `unit` to `digits` digits, in base units: one number, at a tie both; none for 0."""
    half = half_place(key, unit, digits)
    if not half:
        return ()
    below = (key - half) / (2 * half)
    first, last = -(-below // 1), (below + 1) // 1
    return tuple(Fraction(n) * 2 * half for n in range(int(first), int(last) + 1))


def last_place(reading: Reading) -> Fraction | None:
    """The worth, in base units, of the last significant digit that was written; of a calculation that of its result.
    None for a result that has no end, such as 1/3."""
    assert not isinstance(reading.value, bool | str | tuple)
    if reading.step is not None:
        return Fraction(reading.step * reading.unit.factor)
    digits = plain(reading.value).lstrip("-")
    if isinstance(reading.value, float) or "/" in digits or not reading.value:
        return None
    whole, _, part = digits.partition(".")
    places = len(part) if part else len(whole.rstrip("0")) - len(whole)
    return Fraction(10) ** -places * reading.unit.factor
