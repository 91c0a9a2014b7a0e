"""The parsed formula: a frozen tree whose nodes know where they stand in the text.

`start` and `end` are offsets into the source. There are three kinds of nodes: a number, a name, and everything that
is worked out of operands. The nodes are named tuples, not dataclasses: a class of those costs seven times as much to
set up, and `quizgen solve` must start at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from quizgen.formula.quantity import Number, Quantity
from quizgen.formula.units import BARE, Dim, Unit

SIGNS: Final = ("+", "-", "*", "/", "//", "%", "**")
COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=")


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


class Operation(NamedTuple):
    """What is done to operands; `at` is where its sign or its name stands.

    `name` is a sign (`+ - * / // % **`, with one operand `+ -`), a test (`< <= > >= == != and or not`), a form
    or a function:

    * `if`: test, then, other
    * `case`: subject, then label and branch in turn, last the branch for what meets no label
    * `tuple`: the answer of a formula that asks for several numbers
    * `impossible`: without operands; there is no value here, the answer is that it cannot be done
    """

    name: str
    operands: tuple[Tree, ...]
    at: int
    start: int
    end: int

    @property
    def pairs(self) -> list[tuple[Tree, Tree]]:
        """Labels of a `case` and the branches that they lead to."""
        inner = self.operands[1:-1]
        return list(zip(inner[::2], inner[1::2], strict=True))


Tree = Num | Name | Operation


def every(tree: Tree) -> Iterator[Tree]:
    """The tree and all below it, from left to right."""
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, Operation):
            waiting += reversed(one.operands)


def names(tree: Tree) -> tuple[Name, ...]:
    """Every name in the tree, from left to right."""
    return tuple(one for one in every(tree) if isinstance(one, Name))


def operations(tree: Tree) -> frozenset[str]:
    """The signs, forms and functions in the tree."""
    return frozenset(one.name for one in every(tree) if isinstance(one, Operation))


def branches(tree: Tree) -> bool:
    """Whether its value goes by cases: a choice, a test, rounding, the smaller or larger of two."""
    return not operations(tree).isdisjoint(_STEPPED)


_STEPPED: Final = (
    *COMPARISONS, "if", "case", "//", "%",
    "min", "max", "ceil", "floor", "round", "round_sig", "ceil_log2", "next_pow2", "divides", "gcd", "lcm",
)  # fmt: skip


# The names an expression may use: inputs, constants and earlier steps, each with its kind and place.


class ValueKind(NamedTuple):
    """What an expression yields. `shape` is number, truth, word, list, tuple or impossible.

    `dim` None is the literal 0, which goes with every dimension. `words` are an enum's.
    `switch` marks a number that may also stand as a test, because it is 0 or 1.
    """

    shape: str = "number"
    dim: Dim | None = BARE
    words: tuple[str, ...] = ()
    switch: bool = False


SHAPES: Final = {
    "number": "a number",
    "truth": "a test",
    "word": "a word",
    "list": "a list",
    "tuple": "a tuple",
    "impossible": "impossible",
}
NUMBER: Final = ValueKind()
ZERO: Final = ValueKind(dim=None)
TRUTH: Final = ValueKind("truth")
IMPOSSIBLE: Final = ValueKind("impossible", None)


class Symbol(NamedTuple):
    """One name: its kind, and either its slot in the values of a run or a constant's amount."""

    kind: ValueKind
    slot: int = -1
    constant: Number | None = None


class NameScope(NamedTuple):
    """`symbols` by name; `later` are names that exist but have no value yet (steps to come)."""

    symbols: Mapping[str, Symbol] = MappingProxyType({})
    later: frozenset[str] = frozenset()

    def words(self) -> Iterable[tuple[str, str]]:
        """Every enum word with the input it belongs to."""
        for name, symbol in self.symbols.items():
            for word in symbol.kind.words:
                yield word, name


def bare_scope(values: Mapping[str, Quantity]) -> tuple[NameScope, list[Number]]:
    """A scope of given amounts, as `--expression` uses it, and their values by slot."""
    symbols = {name: Symbol(ValueKind(dim=q.dim), slot) for slot, (name, q) in enumerate(values.items())}
    return NameScope(symbols), [q.base for q in values.values()]
