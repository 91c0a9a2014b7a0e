"""Where an inverse problem looks: the values that a target input may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from quizgen.formula.errors import RejectError
from quizgen.formula.inputs import Input, Value
from quizgen.formula.quantity import Number

FARTHEST: Final = 10**15  # in declared units: where an open domain ends for us
NEAREST: Final = Fraction(1, 10**15)
FEW: Final = 4096  # whole numbers that are listed one by one
MAX_DIVIDED: Final = 10**12


@dataclass(frozen=True, slots=True)
class Domain:
    """Values in base units. `listed` holds all of them where they are few; else `low` to `high`.

    `open_low`, `open_high`: that end is ours, not the author's, so holding there means unbounded.
    """

    name: str
    listed: tuple[Number, ...] = ()
    low: Number = 0
    high: Number = 0
    unit: Number = 1  # the step between neighbours, where `whole`
    whole: bool = False
    open_low: bool = False
    open_high: bool = False


def domain_of(entry: Input, inputs: Sequence[str], values: Sequence[Value | None]) -> Domain:
    """The declared domain of an input. `values` are those of the other inputs, in the order of `inputs`.

    Raises RejectError where there is no order to search in.
    """
    if entry.kind.shape != "number":
        raise RejectError("find", f"{entry.name} is no number to search for", "find a numeric input")
    low, high = entry.low, entry.high
    factor = entry.unit.factor
    if entry.choices:
        return Domain("listed values", tuple(sorted(entry.choices)))
    if entry.divisor_of:
        whole = values[list(inputs).index(entry.divisor_of)]
        return Domain(f"divisors of {entry.divisor_of}", _within(divisors(whole), low, high))
    if entry.powers_of_two:
        powers = tuple(2**k for k in range(50))
        listed = _within(powers, low, high)
        return Domain("powers of two", listed, open_high=high is None)
    if entry.whole:
        least = low if low is not None else factor
        most = high if high is not None else FARTHEST * factor
        if most - least <= FEW * factor:
            return Domain("whole numbers", tuple(least + n * factor for n in range(int((most - least) / factor) + 1)))
        return Domain("whole numbers", (), least, most, factor, True, False, high is None)
    least = low if low is not None and low > 0 else NEAREST * factor
    most = high if high is not None else FARTHEST * FARTHEST * factor
    return Domain("real numbers", (), least, most, 0, False, low is None or low <= 0, high is None)


def _within(values: Sequence[Number], low: Number | None, high: Number | None) -> tuple[Number, ...]:
    return tuple(v for v in values if (low is None or v >= low) and (high is None or v <= high))


def divisors(whole: Value | None) -> tuple[Number, ...]:
    if type(whole) is not int or not 0 < whole <= MAX_DIVIDED:
        raise RejectError("find", "the divisors of this number cannot be listed", "give a whole number up to 1e12")
    small = [d for d in range(1, int(whole**0.5) + 2) if d * d <= whole and whole % d == 0]
    return tuple(sorted({*small, *(whole // d for d in small)}))
