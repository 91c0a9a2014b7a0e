"""The parsed formula: a frozen tree whose nodes know where they stand in the text.

`start` and `end` are offsets into the source; `at` of an operator is where its sign stands.
"""

from __future__ import annotations

from dataclasses import dataclass

from quizgen.formula.quantity import Number
from quizgen.formula.units import Unit


@dataclass(frozen=True, slots=True)
class Num:
    """A literal in the unit as written; `decimal` if it was typed with a point or an exponent."""

    value: Number
    unit: Unit | None
    decimal: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x` or `+x`."""

    sign: str
    operand: Tree
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * / // % **`."""

    sign: str
    left: Tree
    right: Tree
    at: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Compare:
    """`< <= > >= == !=`; a test, not a number."""

    sign: str
    left: Tree
    right: Tree
    at: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Logic:
    """`and`, `or` of tests."""

    sign: str
    left: Tree
    right: Tree
    at: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Not:
    operand: Tree
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    args: tuple[Tree, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class If:
    test: Tree
    then: Tree
    other: Tree
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Case:
    """`case(x, 0, a, 1, b, c)`: the branch whose label equals `subject`, else `rest`."""

    subject: Tree
    pairs: tuple[tuple[Tree, Tree], ...]
    rest: Tree
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Tuple:
    """`tuple(a, b, …)`: the answer of a formula that asks for several numbers."""

    items: tuple[Tree, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Impossible:
    """There is no value here: the answer is that it cannot be done."""

    start: int
    end: int


Tree = Num | Name | Unary | Binary | Compare | Logic | Not | Call | If | Case | Tuple | Impossible


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
        case Case():
            return (tree.subject, *(part for pair in tree.pairs for part in pair), tree.rest)
        case Tuple(items=items):
            return items
