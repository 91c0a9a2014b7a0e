"""The one fold over a tree: into a function from the values of names to a value.

A formula is folded once, when its item is loaded, and then run for every variant; the values of
its steps are what the derivation shows, so the two cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq, ge, gt, itemgetter, le, lt, ne
from typing import Any, Final, NamedTuple

from quizgen.formula.errors import FormulaError
from quizgen.formula.expression.functions import (
    FUNCTIONS,
    add,
    divide,
    floor_divide,
    modulo,
    multiply,
    power,
    settle,
    subtract,
)
from quizgen.formula.expression.parse import Name, NameScope, Num, Operation, Tree, every, names
from quizgen.formula.quantity import Number, tidy

Env = Sequence[Any]
Run = Callable[[Env], Any]


class ImpossibleError(Exception):
    """Raised by `impossible`: the formula's answer is that there is none."""


class _Piece(NamedTuple):
    """A folded subtree; `constant` is its value if no name is in it."""

    run: Run
    constant: Any = None


class _Context(NamedTuple):
    """`decimal`: the formula was typed with decimals, so that outgrowing them is an overflow."""

    scope: NameScope
    decimal: bool


def fold(tree: Tree, scope: NameScope) -> Run:
    """A function from values (by slot of `scope`, in base units) to the tree's value.

    The tree must have passed `check`. The function returns an int, Fraction or float (a bool for a
    test, a tuple for `tuple`), raises DomainError or LimitError with the offset of the operation
    that failed, and ImpossibleError.
    """
    decimal = any(isinstance(one, Num) and one.decimal for one in every(tree))
    return _fold(tree, _Context(scope, decimal)).run


def constant_value(tree: Tree) -> Number | None:
    """The value of an expression without names; None if it has names. Raises FormulaError."""
    if names(tree):
        return None
    value = fold(tree, NameScope())(())
    return value if not isinstance(value, bool | tuple) else None


_SIGNS: Final[dict[str, Callable[[Number, Number, bool], Number]]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "//": floor_divide,
    "%": modulo,
    "**": power,
}
_TESTS: Final[dict[str, Callable[[Any, Any], Any]]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}


# Words whose operands are not worked out before they are asked: what their operands are run by, to what they do.
_WORDS: Final[dict[str, Callable[[tuple[Run, ...]], Run]]] = {
    "impossible": lambda runs: _impossible,
    "and": lambda runs: lambda env: bool(runs[0](env) and runs[1](env)),
    "or": lambda runs: lambda env: bool(runs[0](env) or runs[1](env)),
    "not": lambda runs: lambda env: not runs[0](env),
    "if": lambda runs: lambda env: runs[1](env) if runs[0](env) else runs[2](env),
    "tuple": lambda runs: lambda env: tuple(run(env) for run in runs),
}


def _fold(tree: Tree, context: _Context) -> _Piece:
    if isinstance(tree, Num):
        return _constant(tree.value if tree.unit is None else tidy(tree.value * tree.unit.factor))
    if isinstance(tree, Name):
        symbol = context.scope.symbols[tree.name]
        return _Piece(itemgetter(symbol.slot)) if symbol.constant is None else _constant(symbol.constant)
    if tree.name in _TESTS:
        return _compare(tree, context)
    if tree.name == "case":
        return _case(tree, context)
    parts = tuple(_fold(operand, context) for operand in tree.operands)
    runs = tuple(part.run for part in parts)
    if tree.name in _WORDS:
        return _Piece(_WORDS[tree.name](runs))
    if tree.name in FUNCTIONS:
        return _folded(_called(FUNCTIONS[tree.name].run, runs, tree.start), parts)
    if len(runs) == 2:
        return _folded(_signed(_SIGNS[tree.name], tree.at, context.decimal, *runs), parts)
    return parts[0] if tree.name == "+" else _folded(lambda env: -runs[0](env), parts)


def _impossible(env: Env) -> Any:
    raise ImpossibleError


def _constant(value: Any) -> _Piece:
    return _Piece(lambda env: value, value)


def _folded(run: Run, parts: tuple[_Piece, ...]) -> _Piece:
    """The piece, computed here and now if all its parts are constants: `1/0` is refused when it is read."""
    if any(part.constant is None for part in parts):
        return _Piece(run)
    return _constant(run(()))


def _signed(operation: Callable[[Number, Number, bool], Number], at: int, decimal: bool, left: Run, right: Run) -> Run:
    def run(env: Env) -> Number:
        try:
            return operation(left(env), right(env), decimal)
        except FormulaError as error:
            raise error.at(at) from None

    return run


def _called(function: Callable[..., Any], runs: tuple[Run, ...], at: int) -> Run:
    def run(env: Env) -> Any:
        try:
            return function(*[run(env) for run in runs])
        except FormulaError as error:
            raise error.at(at) from None

    return run


def _compare(tree: Operation, context: _Context) -> _Piece:
    subject, label = tree.operands
    test, left = _TESTS[tree.name], _fold(subject, context).run
    right = _labelled(subject, label, context).run
    return _Piece(lambda env: test(left(env), right(env)))


def _labelled(subject: Tree, label: Tree, context: _Context) -> _Piece:
    """What a subject is compared with: after one of that kind, an enum word is itself, true 1 and false 0."""
    if isinstance(subject, Name) and isinstance(label, Name):
        shape = context.scope.symbols[subject.name].kind.shape
        if shape == "word":
            return _constant(label.name)
        if shape == "truth":
            return _constant(int(label.name == "true"))
    return _fold(label, context)


def _case(tree: Operation, context: _Context) -> _Piece:
    subject = _fold(tree.operands[0], context).run
    rest = _fold(tree.operands[-1], context).run
    arms = [
        (_labelled(tree.operands[0], label, context).run, _fold(branch, context).run) for label, branch in tree.pairs
    ]

    def run(env: Env) -> Any:
        value = subject(env)
        for label, branch in arms:
            if label(env) == value:
                return branch(env)
        return rest(env)

    return _Piece(run)


def evaluate(tree: Tree, scope: NameScope, values: Env) -> Any:
    """The value of a checked tree once, where folding it for many runs does not pay."""
    value = fold(tree, scope)(values)
    return value if isinstance(value, bool | tuple) else settle(value)
