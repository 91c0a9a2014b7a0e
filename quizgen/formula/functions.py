"""The operators and functions of the language: exact arithmetic within limits, and a closed table of functions.

Numbers are whole numbers and fractions until a function requires a float. Every result is finite, has at most 1,024
bits and is never -0.0. A larger whole number raises LimitError, a larger float DomainError; a fraction with more digits
becomes the nearest float, so that `(1 - p)**n` works for any n. Functions raise FormulaError without a place."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial, reduce
from typing import Any, Final, NamedTuple

from quizgen.formula import DomainError, FormulaError, LimitError
from quizgen.formula.quantity import MAX_NUMBER_BITS, Number, printed_fraction, round_to_significant

FIRST_TOO_LARGE_WHOLE_NUMBER: Final = 1 << MAX_NUMBER_BITS
_MIN_NORMAL_FLOAT: Final = 2.2250738585072014e-308  # the smallest normal float


def require_within_limits(value: Number) -> Number:
    """`value` within the limits, as an int where it is whole. Raises LimitError for a whole number that is too large,
    and DomainError for a float."""
    if type(value) is int:
        if -FIRST_TOO_LARGE_WHOLE_NUMBER < value < FIRST_TOO_LARGE_WHOLE_NUMBER:
            return value
        raise _large_number_limit_error()
    if type(value) is float:
        if math.isfinite(value):
            return value if value else 0
        raise overflow_error()
    assert isinstance(value, Fraction)
    if value.denominator == 1:
        return require_within_limits(value.numerator)
    if value.numerator.bit_length() <= MAX_NUMBER_BITS and value.denominator.bit_length() <= MAX_NUMBER_BITS:
        return value
    return float_in_range(value)


def _large_number_limit_error() -> FormulaError:
    return LimitError(f"number too large: more than {MAX_NUMBER_BITS} bits", "scale the inputs down")


def overflow_error() -> FormulaError:
    """The DomainError for a result beyond the range of floats, or of the decimals that an author typed."""
    return DomainError("the result is too large", "scale the inputs down")


def _refuse_zero_divisor(divisor: Number, operation_name: str) -> None:
    """Raises DomainError if `divisor` is 0; `operation_name` names the operation in the message, as in "division"."""
    if not divisor:
        raise DomainError(f"{operation_name} by zero", "make sure that the divisor is never 0")


def float_in_range(value: Number) -> float:
    """The nearest float. Raises DomainError if it overflows or becomes 0."""
    try:
        result = float(value)
    except OverflowError:
        raise overflow_error() from None
    if value and abs(result) < _MIN_NORMAL_FLOAT:
        _raise_underflow()
    return result


def _raise_underflow() -> float:
    raise DomainError("the result is too small", "scale the inputs up")


def add_within_limits(left: Number, right: Number, sign: int = 1) -> Number:
    """The sum; with a `sign` of -1 the difference."""
    if type(left) is float or type(right) is float:
        return require_within_limits(float_in_range(left) + sign * float_in_range(right))
    return require_within_limits(left + sign * right)


def multiply_within_limits(left: Number, right: Number) -> Number:
    """The product. Raises LimitError or DomainError beyond the limits, as all operators do."""
    if not left or not right:
        return 0
    if type(left) is float or type(right) is float:
        return require_within_limits(float_in_range(float_in_range(left) * float_in_range(right)) or _raise_underflow())
    return require_within_limits(left * right)


def divide_within_limits(left: Number, right: Number) -> Number:
    """The quotient. Raises DomainError if `right` is 0."""
    _refuse_zero_divisor(right, "division")
    if not left:
        return 0
    if type(left) is float or type(right) is float:
        return require_within_limits(float_in_range(float_in_range(left) / float_in_range(right)) or _raise_underflow())
    return require_within_limits(Fraction(left) / Fraction(right))


def floor_divide(left: Number, right: Number) -> Number:
    """The quotient rounded down. Raises DomainError if `right` is 0."""
    _refuse_zero_divisor(right, "division")
    return require_within_limits(Fraction(left) // Fraction(right))


def modulo(left: Number, right: Number) -> Number:
    """The remainder with the sign of the divisor, as `//` rounds down: -7 % 3 is 2."""
    _refuse_zero_divisor(right, "modulo")
    if type(left) is float or type(right) is float:
        return require_within_limits(float_in_range(left) % float_in_range(right))
    return require_within_limits(left % right)


def exact_or_float_power(base: Number, exponent: Number) -> Number:
    """`base ** exponent`: exact if it is rational and fits, with the size estimated in advance."""
    if not base and exponent < 0:
        raise DomainError("a negative power of zero", "make sure that the base is never 0")
    if type(exponent) is float and exponent.is_integer():
        exponent = int(exponent)
    if type(exponent) is int and not isinstance(base, float):
        bits = max(abs(base.numerator).bit_length(), base.denominator.bit_length()) - 1
        if bits * abs(exponent) <= MAX_NUMBER_BITS:
            return require_within_limits(Fraction(base) ** exponent)
        if type(base) is int and exponent > 0:
            raise _large_number_limit_error()
    if base < 0 and type(exponent) is not int:
        raise DomainError("a fractional power of a negative number is not real", "keep the base at 0 or above")
    power = _exact_rational_power(base, exponent)
    if power is not None:
        return require_within_limits(power)
    return _wrap_float_function(pow)(base, exponent) or (_raise_underflow() if base else 0)


# The signs of the language, each with its function of two operands.
ARITHMETIC_FUNCTION_BY_SIGN: Final[dict[str, Callable[[Number, Number], Number]]] = {
    "+": add_within_limits,
    "-": partial(add_within_limits, sign=-1),
    "*": multiply_within_limits,
    "/": divide_within_limits,
    "//": floor_divide,
    "%": modulo,
    "**": exact_or_float_power,
}


def _exact_rational_power(base: Number, exponent: Number) -> Fraction | None:
    """`base ** (p/q)` if the q-th root of `base` is rational and q is small, else None."""
    if type(base) is float or base < 0 or not isinstance(exponent, Fraction):
        return None
    degree = exponent.denominator
    if degree > 8 or abs(exponent.numerator) > 64:
        return None
    roots = []
    for number in Fraction(base).as_integer_ratio():
        low, high = 0, 1 << (number.bit_length() // degree + 1)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if middle**degree < number else (low, middle)
        if low**degree != number:
            return None
        roots.append(low)
    numerator, denominator = roots
    size = max(numerator.bit_length(), denominator.bit_length()) * abs(exponent.numerator)
    return Fraction(numerator, denominator) ** exponent.numerator if size <= MAX_NUMBER_BITS else None


def exact_or_float_square_root(value: Number) -> Number:
    """The square root: exact for the square of a rational number, else the nearest float."""
    if value < 0:
        raise DomainError("the square root of a negative number", "keep its argument at 0 or above")
    root = _exact_rational_power(value, Fraction(1, 2))
    return math.sqrt(float_in_range(value)) if root is None else require_within_limits(root)


MAX_FACTORIAL_ARGUMENT: Final = 170
MAX_COMBINATORIAL_ARGUMENT: Final = 1000
MAX_ROUNDING_DIGITS: Final = 300
MAX_ARGUMENTS: Final = 16


class Function(NamedTuple):
    """A function of the language. `unit_rule_name` describes the units of arguments and result:

    * `same`: all arguments of one dimension, the result too (abs, min, sum)
    * `count`: the same, but only bare numbers and counts, as rounding depends on the unit
    * `digits`: `count` for the first argument, then a bare number of digits
    * `log`: bare numbers or counts, the result a bare number
    * `bare`: bare numbers only
    * `angle`: two arguments of one dimension, the result a bare number
    * `root`: the result has half the dimension
    * `length`: a list, the result a bare number
    * `test`: counts, the result a truth value"""

    min_argument_count: int
    max_argument_count: int
    unit_rule_name: str
    compute: Callable[..., Any]


def require_whole_number(value: Number, operation_name: str) -> int:
    """`value` as an int. Raises DomainError if it is not whole; `operation_name` names the operation in the message, as
    in "factorial"."""
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        return int(value)
    raise DomainError(f"{operation_name} of a number that is not whole", "round it first, or declare whole: true")


def _round_half_to_even(value: Number, digits: Number = 0) -> Number:
    """Rounds half to even, as banks do: round(2.5) is 2."""
    places = require_whole_number(digits, "round to a number of digits")
    if abs(places) > MAX_ROUNDING_DIGITS:
        raise LimitError(f"round to more than {MAX_ROUNDING_DIGITS} digits", "use fewer digits")
    return require_within_limits(Fraction(round(printed_fraction(value), places)))


def _round_to_significant(value: Number, digits: Number) -> Number:
    places = require_whole_number(digits, "round_sig to a number of digits")
    if not 1 <= places <= MAX_ROUNDING_DIGITS:
        raise DomainError(f"round_sig to {places} digits", f"use 1 to {MAX_ROUNDING_DIGITS}")
    return require_within_limits(round_to_significant(value, places))


def _wrap_float_function(function: Callable[..., float]) -> Callable[..., Number]:
    def run(*values: Number) -> Number:
        try:
            return require_within_limits(function(*map(float_in_range, values)))
        except OverflowError:
            raise overflow_error() from None
        except ValueError:
            raise DomainError("outside the function's domain", "check the range of its argument") from None

    return run


def _logarithm(value: Number, base: Number | None = None) -> Number:
    """The natural logarithm, or the one to `base`; to 2 and 10, exact for their whole powers."""
    if value <= 0 or (base is not None and base <= 0):
        raise DomainError("the logarithm of a number that is not positive", "keep its argument above 0")
    if base in (2, 10):
        estimate = math.log2(float_in_range(value)) if base == 2 else math.log10(float_in_range(value))
        exponent = round(estimate)
        return exponent if exponent > 0 and value == base**exponent else require_within_limits(estimate)
    base_logarithm = 1.0 if base is None else math.log(float_in_range(base))
    if not base_logarithm:
        raise DomainError("a logarithm to the base 1", "use another base")
    return require_within_limits(math.log(float_in_range(value)) / base_logarithm)


def _ceil_log2(value: Number) -> int:
    """The least k with 2**k >= value, exactly: 0 for 1, 4 for 9."""
    if value <= 0:
        raise DomainError("ceil_log2 of a number that is not positive", "keep its argument above 0")
    ratio = Fraction(value)
    k = ratio.numerator.bit_length() - ratio.denominator.bit_length()
    return k if ratio <= Fraction(2) ** k else k + 1


def _wrap_whole_number_function(function: Callable[..., int], max_argument: int | None = None) -> Callable[..., Number]:
    """`function` of whole numbers; with `max_argument`, only of those from 0 to `max_argument`."""
    name = function.__name__

    def run(*values: Number) -> Number:
        numbers, is_one = [require_whole_number(value, name) for value in values], len(values) == 1
        if max_argument is not None and min(numbers) < 0:
            hint = f"keep its {'argument' if is_one else 'arguments'} at 0 or above"
            raise DomainError(f"{name} of a negative number", hint)
        if max_argument is not None and max(numbers) > max_argument:
            hint = f"use {'a smaller number' if is_one else 'smaller numbers'}"
            raise LimitError(f"{name} of more than {max_argument}", hint)
        return require_within_limits(function(*numbers))

    return run


def _is_divisor(divisor: Number, value: Number) -> bool:
    whole_divisor = require_whole_number(divisor, "divides")
    _refuse_zero_divisor(whole_divisor, "divisibility")
    return require_whole_number(value, "divides") % whole_divisor == 0


def _flattened_arguments(arguments: tuple[Any, ...]) -> tuple[Number, ...]:
    """The numbers in `arguments`, which is one list or several numbers; a list of an input is never empty."""
    return arguments[0] if len(arguments) == 1 and isinstance(arguments[0], tuple) else arguments


_MATH_FUNCTIONS_OF_ONE_FLOAT: Final = (
    math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.sinh, math.cosh, math.tanh, math.degrees,
    math.radians,
)  # fmt: skip
FUNCTION_BY_NAME: Final = {
    "abs": Function(1, 1, "same", abs),
    "min": Function(1, MAX_ARGUMENTS, "same", lambda *values: min(_flattened_arguments(values))),
    "max": Function(1, MAX_ARGUMENTS, "same", lambda *values: max(_flattened_arguments(values))),
    "sum": Function(1, MAX_ARGUMENTS, "same", lambda *values: reduce(add_within_limits, _flattened_arguments(values))),
    "len": Function(1, 1, "length", len),
    "floor": Function(1, 1, "count", lambda value: require_within_limits(math.floor(value))),
    "ceil": Function(1, 1, "count", lambda value: require_within_limits(math.ceil(value))),
    "round": Function(1, 2, "digits", _round_half_to_even),
    "round_sig": Function(2, 2, "digits", _round_to_significant),
    "next_pow2": Function(1, 1, "count", lambda x: require_within_limits(1 << _ceil_log2(max(x, 1)))),
    "gcd": Function(2, MAX_ARGUMENTS, "count", _wrap_whole_number_function(math.gcd)),
    "lcm": Function(2, MAX_ARGUMENTS, "count", _wrap_whole_number_function(math.lcm)),
    "divides": Function(2, 2, "test", _is_divisor),
    "sqrt": Function(1, 1, "root", exact_or_float_square_root),
    "hypot": Function(2, 2, "same", lambda a, b: exact_or_float_square_root(require_within_limits(a * a + b * b))),
    "exp": Function(1, 1, "bare", lambda value: _wrap_float_function(math.exp)(value) if value else 1),
    "log": Function(1, 2, "log", _logarithm),
    "ln": Function(1, 1, "log", _logarithm),
    "log2": Function(1, 1, "log", lambda value: _logarithm(value, 2)),
    "log10": Function(1, 1, "log", lambda value: _logarithm(value, 10)),
    "ceil_log2": Function(1, 1, "log", _ceil_log2),
    **{one.__name__: Function(1, 1, "bare", _wrap_float_function(one)) for one in _MATH_FUNCTIONS_OF_ONE_FLOAT},
    "atan2": Function(2, 2, "angle", _wrap_float_function(math.atan2)),
    "factorial": Function(1, 1, "bare", _wrap_whole_number_function(math.factorial, MAX_FACTORIAL_ARGUMENT)),
    "comb": Function(2, 2, "log", _wrap_whole_number_function(math.comb, MAX_COMBINATORIAL_ARGUMENT)),
    "perm": Function(2, 2, "log", _wrap_whole_number_function(math.perm, MAX_COMBINATORIAL_ARGUMENT)),
}
