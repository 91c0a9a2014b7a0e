"""Limits of number formats, read off the list of all their values."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from oracles.catalogue import solve


def finite_values(e: int, m: int, style: str) -> list[Fraction]:
    """Every finite non-negative value of a format, ascending.

    `ieee` gives the highest exponent to infinity and NaN, `e4m3fn` only its last pattern to NaN,
    `noinf` nothing.
    """
    bias = (1 << (e - 1)) - 1
    found = []
    for pattern in range(1 << (e + m)):
        exponent, mantissa = divmod(pattern, 1 << m)
        highest = exponent == (1 << e) - 1
        if highest and (style == "ieee" or (style == "e4m3fn" and mantissa == (1 << m) - 1)):
            continue
        fraction = Fraction(mantissa, 1 << m)
        if exponent == 0:
            found.append(fraction * Fraction(2) ** (1 - bias))
        else:
            found.append((1 + fraction) * Fraction(2) ** (exponent - bias))
    return sorted(found)


FORMATS = {
    "E5M2": (5, 2, "ieee"),
    "E4M3": (4, 3, "e4m3fn"),
    "E3M4": (3, 4, "ieee"),
    "E2M1": (2, 1, "noinf"),
    "E3M2": (3, 2, "noinf"),
    "E2M3": (2, 3, "noinf"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_limits_are_those_of_all_values_listed(name: str) -> None:
    e, m, style = FORMATS[name]
    values = finite_values(e, m, style)
    assert solve("fp_max", e=e, m=m, style=style) == values[-1]
    assert solve("fp_min_subnormal", e=e, m=m) == values[1]
    # Spacing is constant up to the smallest normal number and doubles after twice that.
    gaps = [b - a for a, b in pairwise(values)]
    widening = next(i for i, gap in enumerate(gaps) if gap > gaps[0])
    assert solve("fp_min_normal", e=e, m=m) == values[widening] / 2
    above_one = values[values.index(1) + 1]
    assert solve("fp_eps", e=e, m=m) == above_one - 1
