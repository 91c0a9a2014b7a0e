"""Floating-point formats decoded bit pattern by bit pattern."""

from __future__ import annotations

from fractions import Fraction


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
