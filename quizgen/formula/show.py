"""Formats numbers and amounts as people write them: `13B`, `80 GB`, `31.69 GB`, `1.2e-5`."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.definition import Answer, Formula
from quizgen.formula.quantity import (
    Number,
    Quantity,
    decimal_exponent,
    exact_fraction,
    exact_number_text,
    group_thousands,
    int_if_whole,
    round_to_significant,
    value_in_unit,
)
from quizgen.formula.unit_table import COUNT_SUFFIXES
from quizgen.formula.units import KNOWN_UNITS, UNIT_ONE, Unit

INTERMEDIATE_DIGITS: Final = 4  # significant figures of an intermediate value
_PLAIN_NUMBER_PATTERN: Final = re.compile(r"[\d.,]+\s+[A-Za-z]")  # a number without an exponent, and its unit
_COUNT_SUFFIXES: Final = ("T", "B", "M")
# The first unit of a spelling, which takes the prefix, and the rest.
_FIRST_UNIT_PATTERN: Final = re.compile(r"(\w*)(?!\*\*)(.*)")
_PREFIXED_UNITS_BY_SYMBOL: Final = {
    "B": ("B", "kB", "MB", "GB", "TB", "PB", "EB"),
    "b": ("b", "kb", "Mb", "Gb", "Tb", "Pb"),
    "FLOP": ("FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP", "ZFLOP", "YFLOP"),
    "J": ("J", "kJ", "MJ", "GJ"),
    "W": ("W", "kW", "MW", "GW"),
    "s": ("ns", "us", "ms", "s", "h", "day"),
}


def format_number(value: Number, digits: int = INTERMEDIATE_DIGITS) -> str:
    """A number to significant figures: `31.69`, `12,288`, `1.2e-5`, `5.76e23`.

    A whole number below a million keeps all its digits; very large and very small numbers have an exponent."""
    exact = exact_fraction(value)
    if exact.denominator == 1 and abs(exact) < 10**6:
        return group_thousands(str(exact.numerator))
    near = round_to_significant(value, digits)
    power = decimal_exponent(near)
    if -5 < power < 6:
        return group_thousands(exact_number_text(int_if_whole(near)))
    return f"{exact_number_text(int_if_whole(near / Fraction(10) ** power))}e{power}"


def format_share(value: Number, whole: int, digits: int = INTERMEDIATE_DIGITS) -> str:
    """A share of `whole` (100 for a percentage, 1 for a fraction) to significant figures: `46.67`, `99.9975`.

    From nine tenths up, the difference from `whole` keeps one figure less, so that 99.9975 never prints as 100."""
    missing = whole - exact_fraction(value)
    if 0 < 10 * missing <= whole or (missing and round_to_significant(value, digits) == whole):
        return group_thousands(exact_number_text(int_if_whole(whole - round_to_significant(missing, digits - 1))))
    return format_number(value, digits)


def format_count(value: Number) -> str:
    """A count as people say it: `13B`, `7.5B`, `350M`; with all digits if a suffix would lose some."""
    exact = exact_fraction(value)
    if abs(exact) >= 10**6:
        for suffix in _COUNT_SUFFIXES:
            scaled = exact / COUNT_SUFFIXES[suffix]
            if 1 <= abs(scaled) < 10**6 and round_to_significant(scaled, INTERMEDIATE_DIGITS) == scaled:
                return f"{exact_number_text(int_if_whole(scaled))}{suffix}"
        if exact.denominator == 1 and abs(exact) < 10**15:
            return group_thousands(str(exact.numerator))
        return format_number(value)
    text = group_thousands(exact_number_text(int_if_whole(exact)))
    return text if exact.denominator == 1 or len(text) <= 12 else format_number(value)


def format_drawn_quantity(quantity: Quantity, authored_text: str = "") -> str:
    """The text of a drawn value in a stem: `13B` for a count, `80 GB` for an amount, `32` for a degree, `46.7 %`.

    `authored_text` is the value as the author wrote it. If it has plain digits, its unit is kept: `1460 B` becomes
    `1,460 B`; otherwise the prefix is chosen: `2e9 B` becomes `2 GB`."""
    unit = quantity.unit
    if unit is UNIT_ONE or (unit.dim.label and not unit.is_convertible):
        return format_count(quantity.value)
    if _PLAIN_NUMBER_PATTERN.match(authored_text) and abs(exact_fraction(quantity.value)) < 10**6:
        shown = group_thousands(exact_number_text(quantity.value))
        return f"{shown} {unit.symbol_after_number(shown)}"
    return format_amount(quantity, None)


def format_amount(quantity: Quantity, digits: int | None = INTERMEDIATE_DIGITS) -> str:
    """An amount with its unit and a suitable prefix: `31.69 GB`, `13B params`, `2 B/param`.

    `digits` None keeps every digit, if they come to an end. A unit that already has a prefix keeps it."""
    unit = quantity.unit
    if digits is None and "/" in exact_number_text(quantity.value):
        digits = INTERMEDIATE_DIGITS
    if unit.dim.is_bare and unit.factor == 1:
        return format_count(quantity.value) if digits is None else format_share(quantity.value, 1, digits)
    if unit.dim.label:
        shown = _count_text(quantity.value, digits or 30)
        return f"{shown} {unit.symbol_after_number(shown)}"
    value, best = _with_suitable_prefix(quantity, digits is None)
    if digits is None and round_to_significant(value, 6) != exact_fraction(value):
        value, best = quantity.value, unit
    shown = format_share(value, 100, digits or 30) if best.symbol == "%" else format_number(value, digits or 30)
    return f"{shown} {best.symbol_after_number(shown)}"


def _count_text(value: Number, digits: int) -> str:
    if abs(exact_fraction(value)) >= 10**6:
        return format_count(int_if_whole(round_to_significant(value, digits)))
    return format_number(value, digits)


def _with_suitable_prefix(quantity: Quantity, is_whole: bool = False) -> tuple[Number, Unit]:
    """The value and unit with the prefix that brings the value between 1 and 1000. With `is_whole`, bytes that are
    whole KiB but not whole kB have a binary prefix, as people say 4 KiB and 512 MiB."""
    unit = quantity.unit
    first = _FIRST_UNIT_PATTERN.fullmatch(unit.symbol)
    head, tail = first.groups() if first else ("", "")
    ladder = _PREFIXED_UNITS_BY_SYMBOL.get(head)
    if (ladder is None and head not in _PREFIXED_UNITS_BY_SYMBOL["B"]) or not quantity.value:
        return quantity.value, unit
    size, rest = abs(exact_fraction(quantity.value)) * KNOWN_UNITS[head].factor, Fraction(1)
    if is_whole and head in _PREFIXED_UNITS_BY_SYMBOL["B"] and size % 8000 and size % 8192 == 0:
        ladder = ("KiB", "MiB", "GiB", "TiB", "PiB")
    elif ladder is None:
        return quantity.value, unit
    best = ladder[0]
    for step in ladder:
        if size >= KNOWN_UNITS[step].factor * (Fraction(2) if step in ("h", "day") else rest):
            best = step
    if best == head:
        return quantity.value, unit
    factor = Fraction(unit.factor) * KNOWN_UNITS[best].factor / KNOWN_UNITS[head].factor
    found = replace(unit, symbol=best + tail, factor=factor.numerator if factor.denominator == 1 else factor)
    return value_in_unit(quantity.base_value, found), found


def format_in_unit(base_value: Number, unit: Unit, digits: int = INTERMEDIATE_DIGITS) -> str:
    """An amount in base units, shown in exactly the requested unit: `31.69 GB`, `46.7%`."""
    value = value_in_unit(base_value, unit)
    if unit.symbol == "%":
        return f"{format_share(value, 100, digits)}%"
    if unit is UNIT_ONE:
        return format_share(value, 1, digits)
    shown = _count_text(value, digits) if unit.dim.label else format_number(value, digits)
    return f"{shown} {unit.symbol_after_number(shown)}"


def format_answer(formula: Formula, answer: Answer, unit: Unit | None = None, digits: int = INTERMEDIATE_DIGITS) -> str:
    """Any answer of a formula as text: `31.69 GB`, `yes`, `(1, 0, 2)`, `impossible`.

    In exactly `unit` if it is not None, otherwise with a suitable prefix."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, tuple):
        return f"({', '.join(format_in_unit(one, unit or formula.unit, digits) for one in answer)})"
    if unit is None and formula.unit.symbol != "%":
        return format_amount(Quantity.from_base_value(answer, formula.unit), digits)
    return format_in_unit(answer, unit or formula.unit, digits)
