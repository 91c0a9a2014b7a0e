"""The fast fractions are ordinary Fractions on every supported Python."""

from __future__ import annotations

import math
import pickle
import random
from fractions import Fraction

import pytest

from quizgen.formula.errors import DomainError, LimitError
from quizgen.formula.expression.functions import add, divide, multiply, power, square_root, subtract
from quizgen.formula.quantity import parts, reduced


def test_a_made_fraction_is_one() -> None:
    made = reduced(6, 4)
    assert type(made) is Fraction
    assert made == Fraction(3, 2)
    assert hash(made) == hash(Fraction(3, 2))
    assert (made.numerator, made.denominator) == (3, 2)
    assert made + 1 == Fraction(5, 2)
    assert pickle.loads(pickle.dumps(made)) == made
    assert parts(made) == (3, 2)


def test_whole_results_are_ints() -> None:
    assert reduced(8, 4) == 2
    assert type(reduced(8, 4)) is int
    assert type(add(Fraction(1, 2), Fraction(1, 2), False)) is int


def test_the_four_operations_against_fractions() -> None:
    rng = random.Random(7)
    for _ in range(3000):
        a, b = (Fraction(rng.randint(-99, 99), rng.randint(1, 30)) for _ in range(2))
        left, right = (int(v) if v.denominator == 1 else v for v in (a, b))
        assert add(left, right, False) == a + b
        assert subtract(left, right, False) == a - b
        assert multiply(left, right, False) == a * b
        if b:
            got = divide(left, right, False)
            assert got == a / b
            assert type(got) is int or got.denominator > 1


def test_powers_and_roots_are_exact_where_they_can_be() -> None:
    assert power(Fraction(4, 9), Fraction(3, 2), False) == Fraction(8, 27)
    assert power(8, Fraction(-1, 3), False) == Fraction(1, 2)
    assert power(2, -3, False) == Fraction(1, 8)
    assert square_root(Fraction(9, 16)) == Fraction(3, 4)
    assert square_root(2) == math.sqrt(2)
    assert power(10, Fraction(1, 2), False) == math.sqrt(10)
    assert power(0, 0, False) == 1


def test_powers_beyond_the_bounds_are_refused() -> None:
    assert power(2, 1023, False) == 2**1023
    with pytest.raises(LimitError):
        power(2, 1024, False)
    with pytest.raises(DomainError):
        power(2, 1024, True)
    near = power(Fraction(999, 1000), 16384, False)
    assert isinstance(near, float)
    assert math.isclose(near, 0.999**16384, rel_tol=1e-12)
    with pytest.raises(DomainError):
        power(Fraction(1, 10), 400, False)
