"""Items known by a line of their bank's index: what choosing needs is at hand, the rest is read when it is asked for.

A session draws a dozen items of hundreds, and its brief is on the screen before any of them is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

from quizgen.draw import Stream
from quizgen.model import Item, Variant
from quizgen.source import yaml
from quizgen.source.problems import Document, Node, Where

if TYPE_CHECKING:
    from quizgen.cases.case import Case
    from quizgen.cases.read import MakeItem

T = TypeVar("T")

# One line of an index: the kind, the place, the points, whether it stands alone; then these fields in this order.
FIELDS = (
    "id", "stem", "topic", "difficulty", "seconds", "lines", "status", "after", "skill", "asks", "follow_ups", "hints",
    "given",
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
    return cast(Item, ListedItem(line, path, read))


def forget(items: Iterable[Item]) -> None:
    """Let go of what was read of items beyond their lines, and of all that was worked out from it. Who asks for it
    again has it read again."""
    for item in items:
        if isinstance(item, ListedItem):
            item._whole = None


def whole(item: Item) -> Item:
    """An item of which everything is read."""
    return item.whole if isinstance(item, ListedItem) else item


class _Part(Generic[T]):
    """What is known in part of a whole, which it reads for the rest, and for what can be done with it. Equal to the
    whole, and sent as it."""

    __slots__ = ("_read", "_whole")

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._whole: T | None = None

    @property
    def whole(self) -> T:
        """The whole, made once."""
        if self._whole is None:
            self._whole = self._read()
        return self._whole

    def __getattr__(self, name: str) -> Any:
        """Python asks this for what is not known."""
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


class ListedItem(_Part[Item]):
    """An item of which a part is known. What it does not know yet it reads."""

    __slots__ = (*FIELDS, "kind", "points", "stimulus", "where")
    complete = True  # or there were no index

    def __init__(self, line: Sequence[Any], path: str, read: Callable[[], Item]) -> None:
        super().__init__(read)
        self.kind, row, column, over, under, alone, *rest = line
        for name, value in zip(FIELDS, rest, strict=True):
            setattr(self, name, tuple(value) if type(value) is list else value)
        self.where = Where(path, row, column)
        self.points = _points(over, under)
        if alone:
            self.stimulus = None

    def __eq__(self, other: object) -> bool:
        return self is other or (getattr(other, "id", None) == self.id and super().__eq__(other))

    def __hash__(self) -> int:
        return hash(self.id)

    def draw(self, rng: Stream) -> Variant:
        return cast(Variant, ListedVariant(self, rng))


class ListedVariant(_Part[Variant]):
    """A variant that is drawn when it is first looked at."""

    __slots__ = ("item", "seed")

    def __init__(self, item: ListedItem, rng: Stream) -> None:
        super().__init__(lambda: item.whole.draw(rng))
        self.item, self.seed = item, rng.seed

    def __hash__(self) -> int:
        return hash((self.item.id, self.seed))


class CaseBook(Mapping[str, "Case"]):
    """The cases of a bank by id, each file of them read when one is asked for. `files` are (text, document) by the
    name of the file without `.yaml`; `maker` makes the items of a file, which lends them its synonyms; `terms` are the
    bank's, asked for behind that."""

    def __init__(
        self, files: Mapping[str, tuple[str, Document]], maker: Callable[[Node], MakeItem],
        terms: Callable[[], Mapping[str, str]] = dict,
    ) -> None:  # fmt: skip
        self._files = files
        self._maker: Final = maker
        self._terms: Final = terms
        self._read: dict[str, dict[str, Case]] = {}

    def __getitem__(self, name: str) -> Case:
        for file in sorted(self._files, key=lambda f: (f != name, f)):
            case = self._cases(file).get(name)
            if case is not None:
                return case
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for file in sorted(self._files):
            yield from self._cases(file)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return bool(self._files)

    def _cases(self, file: str) -> dict[str, Case]:
        if file not in self._read:
            text, doc = self._files[file]
            top = yaml.parse(text, doc)
            made: list[Case] = []
            if top is not None and top.shape != "mapping":
                top.report("the top must be a mapping with `cases:`", "begin the file with `cases:`")
            elif top is not None:
                from quizgen.cases.read import read_cases  # few sessions meet a case

                made = read_cases(top, self._maker(top))
                made = [replace(case, terms={**self._terms(), **case.terms}) for case in made]
            others = {name for done in self._read.values() for name in done}
            for case in made:
                if case.id in others:
                    line, column = case.where.line, case.where.column
                    doc.report(line, column, f'case "{case.id}" appears twice', "give each an id of its own")
            self._read[file] = {case.id: case for case in made}
        return self._read[file]
