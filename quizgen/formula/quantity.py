"""Amounts: exact numbers with units, responses read as amounts, and how close a response is to its key.

A number is right if it is within the tolerance of the key, or if it equals the key rounded to `digits` or more
significant digits in the unit that was written. Near 100 % the digits of the distance from 100 % count: 99.9975 %
is neither 100 % nor 99.998 %. All comparisons are exact, including the bounds."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple, TypeGuard

from quizgen.formula import BadTextError, DomainError, LimitError, units
from quizgen.formula.units import UNIT_ONE, BankUnits, Unit, answer_dimension_fits, int_if_whole
from quizgen.source.problems import shorten


def float_or_infinity(value: Number) -> float:
    """The nearest float; infinity for a number beyond the floats, whatever its sign."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def printed_fraction(value: Number) -> Fraction:
    """A number as an exact fraction; a float as its shortest decimal."""
    return Fraction(repr(value)) if type(value) is float else Fraction(value)


def round_to_significant(value: Number, digits: int) -> Fraction:
    """`value` rounded to significant figures, half to even."""
    fraction = printed_fraction(value)
    return Fraction(round(fraction, digits - 1 - decimal_exponent(fraction))) if fraction else fraction


def decimal_exponent(value: Fraction) -> int:
    """The e with 10**e <= |value| < 10**(e+1), exactly."""
    numerator, denominator = abs(value.numerator), value.denominator
    guess = len(str(numerator)) - len(str(denominator))
    return guess if numerator >= denominator * Fraction(10) ** guess else guess - 1


# Quantities: a number with its unit, read from a bank or a command line.


MAX_NUMBER_BITS: Final = 1024  # bits of a numerator or denominator
MAX_NUMBER_LITERAL_CHARACTERS: Final = 40  # characters
MAX_EXPONENT_CHARACTERS: Final = 6
SMALLEST_POSITIVE_FLOAT: Final = Fraction(1, 2**1074)  # a smaller float would silently become 0

Number = int | Fraction | float
AnswerValue = Number | bool | str | tuple[Number, ...]


def is_number(value: object) -> TypeGuard[Number]:
    """True for a number; False for a truth value, a word, a tuple and None."""
    return isinstance(value, int | Fraction | float) and not isinstance(value, bool)


_THOUSANDS_COMMA_PATTERN = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER_PATTERN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """`value_in_own_unit` times `unit`; exact unless a function required a float."""

    value_in_own_unit: Number
    unit: Unit = UNIT_ONE

    @staticmethod
    def from_base_value(base_value: Number, unit: Unit) -> Quantity:
        """The amount `base_value`, which is in base units, in `unit`."""
        return Quantity(value_in_unit(base_value, unit), unit)

    @property
    def base_value(self) -> Number:
        """The amount in base units (bit, s, FLOP, J, USD, a count)."""
        factor = self.unit.factor
        return self.value_in_own_unit if factor == 1 else int_if_whole(self.value_in_own_unit * factor)

    def converted_to(self, unit: Unit) -> Quantity:
        """The same amount in `unit`. Raises BadTextError if `unit` measures something else."""
        if not units.dimension_fits_declared(self.unit.dim, unit.dim):
            message = f"{units.dimension_text(self.unit.dim)} is not {units.dimension_text(unit.dim)}"
            raise BadTextError(message, f"give it in {unit}")
        return Quantity.from_base_value(self.base_value, unit)

    def __str__(self) -> str:
        """The exact amount as text that can be read back: `13000000000 param`, `1/3`, `31.7 GB`."""
        text = exact_number_text(self.value_in_own_unit)
        return text if self.unit is UNIT_ONE else f"{text} {self.unit}"


def value_in_unit(base_value: Number, unit: Unit) -> Number:
    """The value in `unit` of an amount in base units."""
    if type(base_value) is float and (type(unit.factor) is int or abs(base_value) < 1e290):  # no quotient is infinite
        return base_value / unit.factor if type(unit.factor) is int else float(base_value / Fraction(unit.factor))
    return int_if_whole(Fraction(base_value) / unit.factor)


def exact_number_text(value: Number) -> str:
    """A number as text that reads back as the same number: a decimal if it has a finite one, else p/q."""
    if not isinstance(value, Fraction):
        return repr(value)
    places = next((n for n in range(31) if 10**n % value.denominator == 0), None)
    if places is None:
        return f"{value.numerator}/{value.denominator}"
    return f"{Decimal(f'{value.numerator * 10**places // value.denominator}e-{places}'):f}"


def with_thousands_commas(text: str) -> str:
    """A plain decimal with commas between thousands, from 1,000 on; `p/q` stays as it is."""
    return f"{Decimal(text):,f}" if text.removeprefix("-").replace(".", "", 1).isdigit() else text


def without_thousands_commas(text: str) -> str:
    """The same text without commas between thousands, for code and formulas, where a comma separates a list."""
    return _THOUSANDS_COMMA_PATTERN.sub("", text)


def exact_number_as_printed(value: int | float | Fraction) -> Number:
    """A number as the decimal that was written: the float 0.02 is 1/50."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise BadTextError(f"{value!r} is not a number", "write a number such as 2 or 0.5")
    if isinstance(value, float) and not math.isfinite(value):
        raise DomainError(f"{value!r} is not a finite number", "write a finite number")
    return int_if_whole(require_max_bits(printed_fraction(value)))


def require_max_bits(value: Fraction) -> Fraction:
    if value.numerator.bit_length() > MAX_NUMBER_BITS or value.denominator.bit_length() > MAX_NUMBER_BITS:
        raise LimitError(f"a number of more than {MAX_NUMBER_BITS} bits", "use a smaller number")
    return value


def read_number_literal(text: str) -> Number:
    """The number in a text that already has the form of one."""
    if len(text) > MAX_NUMBER_LITERAL_CHARACTERS:
        raise LimitError(f"a number of more than {MAX_NUMBER_LITERAL_CHARACTERS} characters", "write it as 1.5e9")
    mantissa, _, exponent = text.lower().partition("e")
    if not mantissa.strip("+-0."):
        return 0
    value = Fraction(text) if len(exponent) < MAX_EXPONENT_CHARACTERS else None
    if value is None or not SMALLEST_POSITIVE_FLOAT <= abs(value) < 2**1024:
        message = f"{shorten(text)} is too {'small' if exponent.startswith('-') else 'large'} for a number here"
        raise DomainError(message, "use a number nearer to 1")
    return int_if_whole(require_max_bits(value))


def parse_quantity(text: str, unit: Unit | None = UNIT_ONE, bank_units: BankUnits = ()) -> Quantity:
    """A number with an optional unit, for an amount in `unit` (None: of any dimension): `13e9 param`, `80GB`, `0.5`,
    `46.7%`, `7/15`. `bank_units` are the bank's own units (default: those of `unit`).

    A bare number is in `unit`. If `unit` is a count (or a bare number), one of the suffixes k M B T multiplies (`13B`
    is 13 billion); if it is data, `13B` is 13 bytes. Raises BadTextError for another dimension and for text that is not
    a quantity."""
    hint = "write a number" if unit is UNIT_ONE else f"write a number, or one with a unit such as 1 {unit or 'GB'}"
    value, unit_text = _leading_number_and_rest(text, hint)
    scale, _, label = unit_text.partition(" ")
    if (factor := units.FACTOR_BY_COUNT_SUFFIX.get(scale)) and unit and (unit.dim.is_bare or unit.dim.count_label):
        value, unit_text = int_if_whole(require_max_bits(Fraction(value) * factor)), label.strip()
    if not unit_text:
        return Quantity(value, unit or UNIT_ONE)
    written_unit = units.parse_unit(unit_text, bank_units or (unit.bank_units if unit is not None else ()))
    if unit is not None and not units.dimension_fits_declared(written_unit.dim, unit.dim):
        kinds = f"{units.dimension_text(written_unit.dim)}, not {units.dimension_text(unit.dim)}"
        raise BadTextError(f"{shorten(text.strip())} is {kinds}", f"give it in {unit}")
    return Quantity(value, written_unit)


def _leading_number_and_rest(text: str, hint: str) -> tuple[Number, str]:
    """The number at the start of a text, a decimal or `p/q`, and the rest of the text."""
    stripped = text.strip()
    match = _NUMBER_PATTERN.match(stripped) if stripped.isascii() else None
    if match is None:
        raise BadTextError(f'"{shorten(text)}" is not a quantity', hint)
    value, rest = read_number_literal(match.group()), stripped[match.end() :]
    if rest.startswith(","):
        raise BadTextError(f'"{shorten(text)}" has a comma in its number', "write a decimal point, as in 1.5")
    if not (rest.startswith("/") and rest[1:].isdigit() and len(rest) <= MAX_NUMBER_LITERAL_CHARACTERS):
        return value, rest.strip()
    if not int(rest[1:]):
        raise DomainError(f"{stripped} divides by zero", "write another number")
    return int_if_whole(Fraction(value) / int(rest[1:])), ""


class Reading(NamedTuple):
    """One way to read a response: `31.7 GB` is value 31.7 in unit GB, shown as "31.7 GB", with place_value 1/10.

    `value` is a number, a truth value, a word (`impossible`, `unbounded`, or an enum's) or a tuple of numbers in base
    units. `place_value` is the worth, in `unit`, of the last significant place as written: 1/10 for 31.7, 100 for
    31,700; None for a calculated number. `has_no_unit`: no unit was written, and `unit` is the expected one.
    `other_readings` are equally likely readings: 46.7 % beside 0.467 % for "0.467" if % is expected."""

    value: AnswerValue
    unit: Unit
    read_as: str
    place_value: Fraction | None = None
    has_no_unit: bool = False
    other_readings: tuple[Reading, ...] = ()

    @property
    def base_value(self) -> Number:
        """The amount in base units; only for a number."""
        assert not isinstance(self.value, str | tuple)
        return int_if_whole(self.value * self.unit.factor)


def number_text(value: Number) -> str:
    """`value` with up to six significant digits; whole numbers of up to seven digits in full.

    Large and small numbers have a power of a thousand (`13e9`). The text can be read back."""
    float_value = float_or_infinity(value)
    size = abs(float_value)
    if 0.001 <= size < 10**7 and float_value == int(float_value):
        return f"{int(float_value):,}"
    if 0.001 <= size < 999_999.5:
        return f"{float_value:,.6g}"
    if not value:
        return "0"
    p, q = value.as_integer_ratio()
    digits, _, power = f"{float_value if 0 < size < math.inf else Decimal(p) / Decimal(q):.5e}".partition("e")
    point_index = int(power) % 3 + 1 + digits.startswith("-")
    digits = digits.replace(".", "")
    return f"{digits[:point_index]}.{digits[point_index:]}".rstrip("0").rstrip(".") + f"e{int(power) // 3 * 3}"


def quantity_text(value: Number, unit: Unit) -> str:
    """`value` with its unit as people write it."""
    text = number_text(value)
    if unit is UNIT_ONE:
        return text
    if unit.symbol == "%":
        return f"{text}%"
    return f"{text} {'kbit' if unit.symbol == 'kb' else unit.symbol_after_number_text(text)}"  # kb would read as kB


# When a number is right: within a tolerance, or rounded as people round.


DEFAULT_RELATIVE_TOLERANCE: Final = Fraction(1, 100)
DEFAULT_MIN_SIGNIFICANT_DIGITS: Final = 2
MIN_TOLERANCE_SHARE_WARNED_OF: Final = Fraction(1, 5)  # relative; a wider tolerance accepts almost anything
FLOAT_ERROR: Final = Fraction(1, 10**9)  # relative error of a value that was computed in floats, or copied from one
MIN_SHARE_JUDGED_BY_GAP_TO_100_PERCENT: Final = Fraction(9, 10)  # from 90 % up, digits count on the distance from 100 %


class Tolerance(NamedTuple):
    """The largest accepted error: `relative_share` of the key, or `margin_in_base_units` (0: no margin).

    `min_digits`: the significant digits that a rounded number needs; 0: rounding is not accepted; None: two, unless the
    tolerance is below 1 % of the key. `Tolerance(Fraction(0))` accepts only the exact key."""

    relative_share: Fraction = DEFAULT_RELATIVE_TOLERANCE
    margin_in_base_units: Fraction = Fraction(0)
    min_digits: int | None = None

    def as_share_of_key(self, key: Number) -> Fraction:
        """The tolerance as a share of this key: `1 %` of any key, `0.5 GB` of 10 GB is 5 %."""
        if not self.margin_in_base_units or not key:
            return self.relative_share
        return max(self.relative_share, self.margin_in_base_units / abs(Fraction(key)))

    def min_significant_digits(self, key: Number) -> int:
        """The significant digits that a rounding of this key needs; 0: rounding is not accepted."""
        if self.min_digits is not None:
            return self.min_digits
        return DEFAULT_MIN_SIGNIFICANT_DIGITS if self.as_share_of_key(key) >= DEFAULT_RELATIVE_TOLERANCE else 0

    def accepts_base_value(self, response: Number, key: Number) -> bool:
        """True if `response` is within the tolerance of `key`, both in base units."""
        if is_within_share(response, key, self.relative_share):
            return True
        return bool(self.margin_in_base_units) and abs(Fraction(response) - Fraction(key)) <= self.margin_in_base_units


def is_within_share(response: Number, key: Number, share: Fraction) -> bool:
    """True if |response - key| <= share * |key|, exactly. A key computed with floats has a small extra margin."""
    if isinstance(key, float):
        share = max(share, FLOAT_ERROR)
    exact_key = Fraction(key)
    return abs(Fraction(response) - exact_key) <= share * abs(exact_key)


# -- rounding -------------------------------------------------------------------------------


def is_rounding_of(reading: Reading, key: Number, unit: Unit, min_digits: int) -> bool:
    """True if a reading is the key, rounded in the reading's unit to `min_digits` or more significant digits.

    `key` is in base units, `unit` is the requested unit. Trailing zeros may count (30 GB has one digit or two); a tie
    may round either way. For 31.6875 GB and two digits: 32 GB, 31.7 GB and 29.5 GiB, but not 30 GB or 31 GB."""
    if min_digits < 1 or not is_number(reading.value) or not answer_dimension_fits(reading.unit.dim, unit.dim):
        return False
    exact_key = Fraction(key)
    size = key_or_gap_to_100(exact_key, unit)
    error = abs(Fraction(reading.base_value) - exact_key)
    if 2 * 10 ** (min_digits - 1) * error > size or not size:  # farther than any rounding to this many digits
        return False
    if reading.place_value is not None:
        step = Fraction(reading.place_value * reading.unit.factor)
    else:  # a calculation: the last digit of its result, unless that has no end, such as 1/3
        text = exact_number_text(reading.value).lstrip("-")
        if isinstance(reading.value, float) or "/" in text or not reading.value:
            return False
        integer_part, _, decimals = text.partition(".")
        places = len(decimals) if decimals else len(integer_part.rstrip("0")) - len(integer_part)
        step = Fraction(10) ** -places * reading.unit.factor
    place = step * Fraction(10) ** (decimal_exponent(size / step) - min_digits + 1)
    return 2 * error <= min(step, place) + (FLOAT_ERROR * abs(exact_key) if isinstance(key, float) else 0)


def key_or_gap_to_100(key: Fraction, unit: Unit) -> Fraction:
    """The amount whose digits count: the key, or for 90 % and more its difference from 100 %. `key` is in base
    units."""
    is_share = unit.dim.is_bare and key >= MIN_SHARE_JUDGED_BY_GAP_TO_100_PERCENT and (unit.symbol == "%" or key < 1)
    return abs(1 - key) if is_share else abs(key)


def key_rounding_margin_in_base_units(key: Fraction, unit: Unit, digits: int) -> Fraction:
    """The largest error of a number rounded in `unit` to `digits` digits, in base units; 0 if there is nothing to
    round."""
    size = key_or_gap_to_100(key, unit)
    if not size or not digits:
        return Fraction(0)
    return unit.factor * Fraction(10) ** (decimal_exponent(size / Fraction(unit.factor)) - digits + 1) / 2
