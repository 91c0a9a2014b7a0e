"""The one fold over a tree: into a function from the values of names to a value.

A formula is folded once, when its item is loaded, and then run for every variant; the values of
its steps are what the derivation shows, so the two cannot disagree. Operations on whole numbers
that stay within bounds take a short path; everything else goes through `arithmetic`.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, itemgetter, le, lt, ne
from typing import Any, Final, NamedTuple

from quizgen.formula.arithmetic import floor_divide, modulo, power, settle
from quizgen.formula.errors import FormulaError
from quizgen.formula.language import operators
from quizgen.formula.language.functions import FUNCTIONS
from quizgen.formula.language.names import NameScope
from quizgen.formula.language.operators import Env as Env
from quizgen.formula.language.operators import Run as Run
from quizgen.formula.language.tree import (
    Binary,
    Call,
    CaseOf,
    Compare,
    If,
    Impossible,
    Logic,
    Name,
    Not,
    Num,
    Tree,
    Tuple,
    Unary,
    children,
    names,
)
from quizgen.formula.quantity import Number, tidy


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
    return _fold(tree, _Context(scope, _has_decimals(tree))).run


def _has_decimals(tree: Tree) -> bool:
    return tree.decimal if isinstance(tree, Num) else any(_has_decimals(child) for child in children(tree))


def constant_value(tree: Tree) -> Number | None:
    """The value of an expression without names; None if it has names. Raises FormulaError."""
    if names(tree):
        return None
    found = fold(tree, NameScope())(())
    return found if not isinstance(found, bool | tuple) else None


def _fold(tree: Tree, context: _Context) -> _Piece:
    match tree:
        case Num():
            value = tree.value if tree.unit is None else tidy(tree.value * tree.unit.factor)
            return _constant(value)
        case Name():
            symbol = context.scope.symbols[tree.name]
            if symbol.constant is not None:
                return _constant(symbol.constant)
            return _Piece(itemgetter(symbol.slot))
        case Binary():
            return _binary(tree, context)
        case Unary():
            piece = _fold(tree.operand, context)
            if tree.sign == "+":
                return piece
            return _folded(_negated(piece.run), (piece,))
        case Compare():
            return _compare(tree, context)
        case Logic():
            left, right = _fold(tree.left, context).run, _fold(tree.right, context).run
            if tree.sign == "and":
                return _Piece(lambda env: bool(left(env) and right(env)))
            return _Piece(lambda env: bool(left(env) or right(env)))
        case Not():
            run = _fold(tree.operand, context).run
            return _Piece(lambda env: not run(env))
        case Call():
            return _call(tree, context)
        case If():
            test, then, other = (_fold(t, context).run for t in (tree.test, tree.then, tree.other))
            return _Piece(lambda env: then(env) if test(env) else other(env))
        case CaseOf():
            return _case(tree, context)
        case Tuple():
            runs = tuple(_fold(item, context).run for item in tree.items)
            return _Piece(lambda env: tuple(run(env) for run in runs))
        case Impossible():
            return _Piece(_impossible)


def _impossible(env: Env) -> Any:
    raise ImpossibleError


def _constant(value: Any) -> _Piece:
    return _Piece(lambda env: value, value)


def _folded(run: Run, parts: tuple[_Piece, ...]) -> _Piece:
    """The piece, computed here and now if all its parts are constants: `1/0` is refused when it is read."""
    if any(part.constant is None for part in parts):
        return _Piece(run)
    return _constant(run(()))


def _negated(run: Run) -> Run:
    return lambda env: -run(env)


# -- operators ------------------------------------------------------------------------------


def _binary(tree: Binary, context: _Context) -> _Piece:
    left, right = _fold(tree.left, context), _fold(tree.right, context)
    decimal = context.decimal
    match tree.sign:
        case "+":
            run = operators.total(left.run, right.run, tree.at, decimal)
        case "-":
            run = operators.difference(left.run, right.run, tree.at, decimal)
        case "*":
            run = operators.product(left.run, right.run, tree.at, decimal)
        case "/":
            run = operators.quotient(left.run, right.run, tree.at, decimal)
        case _:
            operation = {"//": floor_divide, "%": modulo, "**": power}[tree.sign]
            run = operators.placed(operation, left.run, right.run, tree.at, decimal)
    return _folded(run, (left, right))


# -- calls, tests and branches ------------------------------------------------------------------


def _call(tree: Call, context: _Context) -> _Piece:
    function = FUNCTIONS[tree.name].run
    parts = tuple(_fold(arg, context) for arg in tree.args)
    runs, at = tuple(part.run for part in parts), tree.start

    def one(env: Env) -> Any:
        try:
            return function(first(env))
        except FormulaError as error:
            raise error.at(at) from None

    def several(env: Env) -> Any:
        try:
            return function(*[run(env) for run in runs])
        except FormulaError as error:
            raise error.at(at) from None

    first = runs[0]
    return _folded(one if len(runs) == 1 else several, parts)


_TESTS: Final[dict[str, Callable[[Any, Any], Any]]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}


def _compare(tree: Compare, context: _Context) -> _Piece:
    test, left = _TESTS[tree.sign], _fold(tree.left, context).run
    word = _label(tree.left, tree.right, context)
    if word is not None:
        return _Piece(lambda env: test(left(env), word))
    right = _fold(tree.right, context).run
    return _Piece(lambda env: test(left(env), right(env)))


def _label(subject: Tree, label: Tree, context: _Context) -> str | int | None:
    """The value of an enum word (itself) or of true and false (1 and 0) after a subject of that kind."""
    if not isinstance(subject, Name) or not isinstance(label, Name):
        return None
    kind = context.scope.symbols[subject.name].kind
    if kind.shape == "word":
        return label.name
    if kind.shape == "truth":
        return int(label.name == "true")
    return None


def _case(tree: CaseOf, context: _Context) -> _Piece:
    subject = _fold(tree.subject, context).run
    rest = _fold(tree.rest, context).run
    arms: list[tuple[Run, Any, Run]] = []
    for label, branch in tree.pairs:
        word = _label(tree.subject, label, context)
        piece = _constant(word) if word is not None else _fold(label, context)
        arms.append((piece.run, piece.constant, _fold(branch, context).run))
    if all(constant is not None for _, constant, _ in arms):
        table = {constant: branch for _, constant, branch in reversed(arms)}
        return _Piece(lambda env: table.get(subject(env), rest)(env))

    def run(env: Env) -> Any:
        value = subject(env)
        for label, _, branch in arms:
            if label(env) == value:
                return branch(env)
        return rest(env)

    return _Piece(run)


def evaluate(tree: Tree, scope: NameScope, values: Env) -> Any:
    """The value of a checked tree once, where folding it for many runs does not pay."""
    found = fold(tree, scope)(values)
    return found if isinstance(found, bool | tuple) else settle(found)
