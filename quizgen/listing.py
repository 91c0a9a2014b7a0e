"""Items known by a line of their bank's index: what choosing needs is at hand, the rest is read when it is asked for.

A session draws a dozen items of hundreds, and its brief is on the screen before any of them is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from types import FunctionType
from typing import Any, Generic, TypeVar

from quizgen.draw import Stream
from quizgen.model import Item, Variant
from quizgen.source import Where

T = TypeVar("T")

# One line of an index: the kind, the place, the points, whether it stands alone; then these fields in this order.
FIELDS = (
    "id", "stem", "topic", "difficulty", "seconds", "lines", "status", "after", "skill", "follow_ups", "hints", "given",
)  # fmt: skip
_points = lru_cache(maxsize=64)(Fraction)  # many items, few values


def line_of(item: Item) -> list[Any]:
    """The line of an item, of what JSON can hold."""
    where, points = item.where, item.points
    head = [item.kind, where.line, where.column, points.numerator, points.denominator, item.stimulus is None]
    return [*head, *(getattr(item, name) for name in FIELDS)]


def name_of(line: Sequence[Any]) -> str:
    """The item's id."""
    return str(line[6])


def listed(line: Sequence[Any], path: str, read: Callable[[], Item]) -> Item:
    """The item of a line; `read` gives the whole of it."""
    return _listed_kind(line[0])(line, path, read)


def whole(item: Item) -> Item:
    """An item of which everything is read."""
    return item.whole if isinstance(item, ListedItem) else item


class _Part(Generic[T]):
    """What is known in part of a whole, which it reads for the rest. Equal to the whole, and sent as it."""

    __slots__ = ()
    _whole: T | None

    @property
    def whole(self) -> T:
        """The whole, made once."""
        made = self._whole if self._whole is not None else self._make()
        object.__setattr__(self, "_whole", made)
        return made

    def _make(self) -> T:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        """Python asks this for a field that is not known, and for what is of the kind alone."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.whole, name)

    def __eq__(self, other: object) -> bool:
        return self is other or self.whole == (other.whole if isinstance(other, _Part) else other)

    def __hash__(self) -> int:
        return hash(self.whole)

    def __reduce__(self) -> tuple[Callable[[T], T], tuple[T]]:
        """Who takes it to another process takes the whole."""
        return _itself, (self.whole,)


def _itself(whole: T) -> T:
    return whole


class ListedItem(_Part[Item], Item):
    """An item of which a part is known. What it does not know yet it reads."""

    __slots__ = ("_read", "_whole")
    _read: Callable[[], Item]

    def __init__(self, line: Sequence[Any], path: str, read: Callable[[], Item]) -> None:
        keep = object.__setattr__
        _, row, column, over, under, alone, *rest = line
        for name, value in zip(FIELDS, rest, strict=True):
            keep(self, name, tuple(value) if type(value) is list else value)
        keep(self, "where", Where(path, row, column))
        keep(self, "points", _points(over, under))
        if alone:
            keep(self, "stimulus", None)
        keep(self, "_read", read)
        keep(self, "_whole", None)

    def _make(self) -> Item:
        return self._read()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Item) and other.id == self.id and super().__eq__(other))

    def __hash__(self) -> int:
        return hash(self.id)

    def draw(self, rng: Stream) -> Variant:
        return _Listed(self, rng)


class ListedVariant(_Part[Variant], Variant):
    """A variant that is drawn when it is first looked at."""

    __slots__ = ("_rng", "_whole")
    _rng: Stream

    def __init__(self, item: ListedItem, rng: Stream) -> None:
        for name, value in (("item", item), ("seed", rng.seed), ("_rng", rng), ("_whole", None)):
            object.__setattr__(self, name, value)

    def _make(self) -> Variant:
        return whole(self.item).draw(self._rng)

    def __hash__(self) -> int:
        return hash((self.item.id, self.seed))


def _handed_on(base: type) -> dict[str, Any]:
    """Every method of a contract, handed on to the whole of what is listed."""
    return {
        name: _hand_on(name)
        for name, member in vars(base).items()
        if isinstance(member, FunctionType) and name[0] != "_"
    }


def _hand_on(name: str) -> Callable[..., Any]:
    def method(self: Any, *given: Any, **named: Any) -> Any:
        return getattr(self.whole, name)(*given, **named)

    return method


_Listed: type[ListedVariant] = type("ListedVariant", (ListedVariant,), {"__slots__": (), **_handed_on(Variant)})
_KINDS: dict[str, type[ListedItem]] = {}


def _listed_kind(kind: str) -> type[ListedItem]:
    """`kind` belongs to a class of items, so there is one for each."""
    if kind not in _KINDS:
        methods = {name: method for name, method in _handed_on(Item).items() if name not in vars(ListedItem)}
        _KINDS[kind] = type("ListedItem", (ListedItem,), {"kind": kind, "__slots__": (), **methods})
    return _KINDS[kind]
