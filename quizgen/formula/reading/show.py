"""A reading in words that read back as the same amount (to six digits): `31.7 GB`, `13e9 param`, `46.7%`."""

from __future__ import annotations

from decimal import Decimal

from quizgen.formula.quantity import Number, divided, parts
from quizgen.formula.units import ONE, Unit


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
