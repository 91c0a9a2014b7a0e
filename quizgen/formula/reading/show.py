"""A reading in words that read back as the same amount (to six digits): `31.7 GB`, `13e9 param`, `46.7%`."""

from __future__ import annotations

from fractions import Fraction

from quizgen.formula.quantity import Number, grouped, plain
from quizgen.formula.rational import divided
from quizgen.formula.units import ONE, Unit

_PLACES = 6


def show_number(value: Number) -> str:
    """`value` with up to six significant digits, whole numbers up to seven digits in full.

    Large numbers take a power of a thousand (`13e9`). The text can be read again.
    """
    if type(value) is int and -(10**7) < value < 10**7:
        return f"{value:,}"
    try:
        near = value if type(value) is float else divided(value)
    except OverflowError:
        near = 0.0
    if 0.001 <= abs(near) < 999_999:  # the usual case, quickly
        return f"{near:,.6g}"
    exact = Fraction(value)
    if exact.denominator == 1 and abs(exact) < 10**7:
        return f"{exact.numerator:,}"
    size = abs(exact)
    if not size:
        return "0"
    power = 0
    if size >= 10**6 or size < Fraction(1, 1000):
        power = _thousands(size)
        size = size / Fraction(1000) ** power
        if power:
            shown = _decimal(size)
            return f"{'-' if exact < 0 else ''}{shown}e{3 * power}"
    return f"{'-' if exact < 0 else ''}{grouped(_decimal(size))}"


def _thousands(size: Fraction) -> int:
    power = 0
    while size >= 1000:
        size, power = size / 1000, power + 1
    while size < 1:
        size, power = size * 1000, power - 1
    return power


def _decimal(size: Fraction) -> str:
    """Up to six significant digits of a number below a million, trailing zeros gone."""
    whole = len(str(int(size))) if size >= 1 else 0
    places = max(_PLACES - whole, 0)
    if size < 1:
        while size * 10 ** (places - _PLACES + 1) < 1:
            places += 1
    shown = plain(Fraction(round(size * 10**places), 10**places))
    return shown


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
