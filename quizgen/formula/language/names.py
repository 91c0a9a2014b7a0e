"""The names an expression may use: inputs, constants and earlier steps, each with its kind and place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from quizgen.formula.dimensions import BARE, Dim
from quizgen.formula.quantity import Number, Quantity


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
