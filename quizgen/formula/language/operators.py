"""The four operations as functions of the values of a run.

Each takes a short path where both sides are whole numbers and stay within bounds, which is most of
the time; everything else, and every error, goes through `arithmetic`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from quizgen.formula.arithmetic import BIG, add, divide, multiply, subtract
from quizgen.formula.errors import FormulaError
from quizgen.formula.quantity import Number
from quizgen.formula.rational import reduced

Env = Sequence[Any]
Run = Callable[[Env], Any]
Operation = Callable[[Number, Number, bool], Number]


def placed(operation: Operation, left: Run, right: Run, at: int, decimal: bool) -> Run:
    def run(env: Env) -> Number:
        try:
            return operation(left(env), right(env), decimal)
        except FormulaError as error:
            raise error.at(at) from None

    return run


def total(left: Run, right: Run, at: int, decimal: bool) -> Run:
    def run(env: Env) -> Number:
        a, b = left(env), right(env)
        if type(a) is int and type(b) is int:
            value = a + b
            if -BIG < value < BIG:
                return value
        try:
            return add(a, b, decimal)
        except FormulaError as error:
            raise error.at(at) from None

    return run


def difference(left: Run, right: Run, at: int, decimal: bool) -> Run:
    def run(env: Env) -> Number:
        a, b = left(env), right(env)
        if type(a) is int and type(b) is int:
            value = a - b
            if -BIG < value < BIG:
                return value
        try:
            return subtract(a, b, decimal)
        except FormulaError as error:
            raise error.at(at) from None

    return run


def product(left: Run, right: Run, at: int, decimal: bool) -> Run:
    def run(env: Env) -> Number:
        a, b = left(env), right(env)
        if type(a) is int and type(b) is int:
            value = a * b
            if -BIG < value < BIG:
                return value
        try:
            return multiply(a, b, decimal)
        except FormulaError as error:
            raise error.at(at) from None

    return run


def quotient(left: Run, right: Run, at: int, decimal: bool) -> Run:
    def run(env: Env) -> Number:
        a, b = left(env), right(env)
        if type(a) is int and type(b) is int and b:
            value, rest = divmod(a, b)
            if not rest:
                return value
            if b > 0:
                return reduced(a, b)  # within bounds, as both are
        try:
            return divide(a, b, decimal)
        except FormulaError as error:
            raise error.at(at) from None

    return run
