"""A response as it was read, and in words that read back as the same amount (to six digits)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from quizgen.formula.quantity import Number, divided, parts, reduced
from quizgen.formula.units import ONE, Unit

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
