"""Exact arithmetic within bounds: whole numbers and fractions until a function forces a float.

Every result is finite, of at most 1,024 bits, never -0.0. A whole number beyond that is a limit
(or an overflow where the author typed decimals); a fraction whose digits outgrow it becomes the
nearest float, so that `(1 - p)**n` works for any n. Functions raise FormulaError without a place.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from quizgen.formula.errors import DomainError, FormulaError, LimitError
from quizgen.formula.quantity import MAX_BITS, Number, reduced

BIG: Final = 1 << MAX_BITS
_HALF: Final = Fraction(1, 2)
_TINY: Final = 2.2250738585072014e-308  # the smallest normal float


def settle(value: Number, decimal: bool = False) -> Number:
    """A result within bounds in its simplest form, or LimitError / DomainError."""
    if type(value) is int:
        if -BIG < value < BIG:
            return value
        raise too_big(decimal)
    if type(value) is float:
        if math.isfinite(value):
            return value if value else 0
        raise DomainError("overflow", "the result is too large", "scale the inputs down")
    assert isinstance(value, Fraction)
    if value.denominator == 1:
        return settle(value.numerator, decimal)
    if value.numerator.bit_length() <= MAX_BITS and value.denominator.bit_length() <= MAX_BITS:
        return value
    return as_float(value)


def too_big(decimal: bool) -> FormulaError:
    if decimal:
        return DomainError("overflow", "the result is too large", "scale the inputs down")
    return LimitError("too-big", f"number too large: more than {MAX_BITS} bits", "scale the inputs down")


def as_float(value: Number) -> float:
    """The nearest float; DomainError if it would overflow or silently become 0."""
    try:
        near = float(value)
    except OverflowError:
        raise DomainError("overflow", "the result is too large", "scale the inputs down") from None
    if value and abs(near) < _TINY:
        raise DomainError("underflow", "the result is too small", "scale the inputs up")
    return near


def add(left: Number, right: Number, decimal: bool, sign: int = 1) -> Number:
    """The sum, or with a `sign` of -1 the difference."""
    if type(left) is int and type(right) is int:
        total = left + sign * right
        return total if -BIG < total < BIG else settle(total, decimal)
    if type(left) is float or type(right) is float:
        return settle(as_float(left) + sign * as_float(right))
    (a, b), (c, d) = left.as_integer_ratio(), right.as_integer_ratio()
    return _quotient(a + sign * c, b, decimal) if b == d else _quotient(a * d + sign * c * b, b * d, decimal)


def subtract(left: Number, right: Number, decimal: bool) -> Number:
    return add(left, right, decimal, -1)


def multiply(left: Number, right: Number, decimal: bool) -> Number:
    if type(left) is int and type(right) is int:
        product = left * right
        return product if -BIG < product < BIG else settle(product, decimal)
    if not left or not right:
        return 0
    if type(left) is float or type(right) is float:
        return settle(as_float(as_float(left) * as_float(right)) or _vanished())
    (a, b), (c, d) = left.as_integer_ratio(), right.as_integer_ratio()
    return _quotient(a * c, b * d, decimal)


def divide(left: Number, right: Number, decimal: bool) -> Number:
    if not right:
        raise DomainError("zero-division", "division by zero", "make sure that the divisor is never 0")
    if not left:
        return 0
    if type(left) is float or type(right) is float:
        return settle(as_float(as_float(left) / as_float(right)) or _vanished())
    (a, b), (c, d) = left.as_integer_ratio(), right.as_integer_ratio()
    return _quotient(a * d, b * c, decimal) if c > 0 else _quotient(-a * d, -b * c, decimal)


def _quotient(over: int, under: int, decimal: bool) -> Number:
    """A fraction of a positive denominator, reduced and within bounds."""
    value = reduced(over, under)
    return value if -BIG < over < BIG and under < BIG else settle(value, decimal)


def _vanished() -> float:
    raise DomainError("underflow", "the result is too small", "scale the inputs up")


def floor_divide(left: Number, right: Number, decimal: bool) -> Number:
    if not right:
        raise DomainError("zero-division", "division by zero", "make sure that the divisor is never 0")
    return settle(Fraction(left) // Fraction(right), decimal)


def modulo(left: Number, right: Number, decimal: bool) -> Number:
    """The remainder with the sign of the divisor, as `//` rounds down: -7 % 3 is 2."""
    if not right:
        raise DomainError("zero-division", "modulo by zero", "make sure that the divisor is never 0")
    if type(left) is float or type(right) is float:
        return settle(as_float(left) % as_float(right))
    return settle(left % right, decimal)


def power(base: Number, exponent: Number, decimal: bool) -> Number:
    """`base ** exponent`: exact where it is rational and fits, with the size estimated beforehand."""
    if not base and exponent < 0:
        raise DomainError("zero-division", "a negative power of zero", "make sure that the base is never 0")
    if type(exponent) is float and exponent.is_integer():
        exponent = int(exponent)
    if type(exponent) is int and type(base) is not float:
        return _whole_power(base, exponent, decimal)
    if base < 0 and type(exponent) is not int:
        raise DomainError(
            "complex", "a fractional power of a negative number is not real", "keep the base at 0 or above"
        )
    if type(base) is not float and isinstance(exponent, Fraction):
        exact = _root_power(base, exponent)
        if exact is not None:
            return settle(exact, decimal)
    return _float_power(base, exponent)


def _float_power(base: Number, exponent: Number) -> Number:
    try:
        near = as_float(base) ** as_float(exponent)
    except OverflowError:
        raise DomainError("overflow", "the result is too large", "scale the inputs down") from None
    if base and not near:
        _vanished()
    return settle(near)


def _whole_power(base: int | Fraction | Number, exponent: int, decimal: bool) -> Number:
    if base in (0, 1) or not exponent:
        return 1 if base == 1 or not exponent else 0
    if base == -1:
        return -1 if exponent % 2 else 1
    size = abs(exponent)
    if type(base) is int:
        bits = (abs(base).bit_length() - 1) * size
        if bits > MAX_BITS:
            if exponent < 0:
                return _float_power(base, exponent)
            raise too_big(decimal)
        return settle(base**exponent if exponent > 0 else Fraction(1, base**size), decimal)
    assert isinstance(base, Fraction)
    bits = max(abs(base.numerator).bit_length() - 1, base.denominator.bit_length() - 1) * size
    if bits > MAX_BITS:
        return _float_power(base, exponent)
    return settle(base**exponent, decimal)


def _root_power(base: int | Fraction | Number, exponent: Fraction) -> Fraction | None:
    """`base ** (p/q)` if the q-th root of `base` is rational and q is small, else None."""
    degree = exponent.denominator
    if degree > 8 or abs(exponent.numerator) > 64:
        return None
    value = Fraction(base)
    over, under = _root(value.numerator, degree), _root(value.denominator, degree)
    if over is None or under is None:
        return None
    size = max(over.bit_length(), under.bit_length()) * abs(exponent.numerator)
    return Fraction(over, under) ** exponent.numerator if size <= MAX_BITS else None


def _root(value: int, degree: int) -> int | None:
    """The exact `degree`-th root of a whole number, or None if it is not whole."""
    if value < 2:
        return value
    if degree == 2:
        root = math.isqrt(value)
        return root if root * root == value else None
    low, high = 1, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**degree < value:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == value else None


def square_root(value: Number) -> Number:
    """Exact for the square of a rational, else the nearest float."""
    if value < 0:
        raise DomainError("complex", "the square root of a negative number", "keep its argument at 0 or above")
    if type(value) is float:
        return math.sqrt(value)
    exact = _root_power(value, _HALF)
    return math.sqrt(as_float(value)) if exact is None else settle(exact)
