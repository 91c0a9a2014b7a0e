"""The parsed formula: a frozen tree whose nodes know where they stand in the text.

`start` and `end` are offsets into the source; `at` of an operator is where its sign stands. The
nodes are named tuples, not dataclasses: a class of those costs seven times as much to set up, and
`quizgen solve` must start at once.
"""

from __future__ import annotations

from typing import NamedTuple

from quizgen.formula.quantity import Number
from quizgen.formula.units import Unit


class Num(NamedTuple):
    """A literal in the unit as written; `decimal` if it was typed with a point or an exponent."""

    value: Number
    unit: Unit | None
    decimal: bool
    start: int
    end: int


class Name(NamedTuple):
    name: str
    start: int
    end: int


class Unary(NamedTuple):
    """`-x` or `+x`."""

    sign: str
    operand: Tree
    start: int
    end: int


class Binary(NamedTuple):
    """`+ - * / // % **`."""

    sign: str
    left: Tree
    right: Tree
    at: int
    start: int
    end: int


class Compare(NamedTuple):
    """`< <= > >= == !=`; a test, not a number."""

    sign: str
    left: Tree
    right: Tree
    at: int
    start: int
    end: int


class Logic(NamedTuple):
    """`and`, `or` of tests."""

    sign: str
    left: Tree
    right: Tree
    at: int
    start: int
    end: int


class Not(NamedTuple):
    operand: Tree
    start: int
    end: int


class Call(NamedTuple):
    name: str
    args: tuple[Tree, ...]
    start: int
    end: int


class If(NamedTuple):
    test: Tree
    then: Tree
    other: Tree
    start: int
    end: int


class CaseOf(NamedTuple):
    """`case(x, 0, a, 1, b, c)`: the branch whose label equals `subject`, else `rest`."""

    subject: Tree
    pairs: tuple[tuple[Tree, Tree], ...]
    rest: Tree
    start: int
    end: int


class Tuple(NamedTuple):
    """`tuple(a, b, …)`: the answer of a formula that asks for several numbers."""

    items: tuple[Tree, ...]
    start: int
    end: int


class Impossible(NamedTuple):
    """There is no value here: the answer is that it cannot be done."""

    start: int
    end: int


Tree = Num | Name | Unary | Binary | Compare | Logic | Not | Call | If | CaseOf | Tuple | Impossible


def names(tree: Tree) -> tuple[Name, ...]:
    """Every name in the tree, from left to right."""
    found: list[Name] = []
    _collect(tree, found)
    return tuple(found)


def _collect(tree: Tree, found: list[Name]) -> None:
    if isinstance(tree, Name):
        found.append(tree)
    for child in children(tree):
        _collect(child, found)


def branches(tree: Tree) -> bool:
    """Whether its value goes by cases: a choice, a test, rounding, the smaller or larger of two."""
    stepped = isinstance(tree, Call) and tree.name in _STEPPED
    divided = isinstance(tree, Binary) and tree.sign in ("//", "%")
    return stepped or divided or isinstance(tree, If | CaseOf | Compare) or any(branches(c) for c in children(tree))


_STEPPED = ("min", "max", "ceil", "floor", "round", "round_sig", "ceil_log2", "next_pow2", "divides", "gcd", "lcm")


def children(tree: Tree) -> tuple[Tree, ...]:
    match tree:
        case Num() | Name() | Impossible():
            return ()
        case Unary(operand=operand) | Not(operand=operand):
            return (operand,)
        case Binary() | Compare() | Logic():
            return (tree.left, tree.right)
        case Call(args=args):
            return args
        case If():
            return (tree.test, tree.then, tree.other)
        case CaseOf():
            return (tree.subject, *(part for pair in tree.pairs for part in pair), tree.rest)
        case Tuple(items=items):
            return items
