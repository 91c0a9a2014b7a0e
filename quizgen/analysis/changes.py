"""Whose score changes between two scorings of the same log, by how much and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from heapq import merge
from itertools import groupby

from quizgen.analysis.report import Person
from quizgen.scoring.response import ScoredResponse
from quizgen.source.problems import shown_points


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One item of one candidate, before and after; None where it is scored on one side only."""

    item: str
    before: ScoredResponse | None
    after: ScoredResponse | None

    @property
    def one(self) -> ScoredResponse:
        """The response as it is scored now, or was where it no longer is."""
        found = self.after or self.before
        assert found is not None, "one of them is there"
        return found

    @property
    def say(self) -> str:
        if self.before is None:
            return f"{self.item}: not scored before, now {_points(self.after)}"
        if self.after is None:
            return f"{self.item}: {_points(self.before)} before, now not scored"
        return f"{self.item}: {_points(self.before)} -> {_points(self.after)}; {_why(self.after)}"


def _points(one: ScoredResponse | None) -> str:
    return "" if one is None else f"{one.outcome} {shown_points(one.earned)} of {shown_points(one.possible)}"


def _why(after: ScoredResponse) -> str:
    """The reason of the new score, in its own words."""
    reasons = [m.because for m in after.score.marks if m.because]
    words = " ".join(after.given.split())
    shown = words if len(words) <= 60 else words[:59] + "…"
    return f'"{shown}": {"; ".join(reasons) or after.outcome}'


@dataclass(frozen=True, slots=True)
class PersonChange:
    """A candidate whose points or possible points differ."""

    label: str
    before: tuple[Fraction, Fraction]
    after: tuple[Fraction, Fraction]
    items: tuple[ItemChange, ...]

    @property
    def difference(self) -> Fraction:
        """In points."""
        return self.after[0] - self.before[0]

    @property
    def rise(self) -> Fraction:
        """In shares of the points: what counts where an item was dropped."""
        return _share(self.after) - _share(self.before)


def _share(points: tuple[Fraction, Fraction]) -> Fraction:
    return points[0] / points[1] if points[1] else Fraction(0)


def changes(before: Iterable[Person], after: Iterable[Person]) -> Iterator[PersonChange | None]:
    """A change, or None for a candidate whose score stays; both sides come sorted by `who`."""
    sides = merge((("old", p) for p in before), (("new", p) for p in after), key=_who)
    for _, found in groupby(sides, key=_who):
        person = dict(found)
        yield _change(person.get("old"), person.get("new"))


def _who(side: tuple[str, Person]) -> str:
    return side[1].who


def _change(old: Person | None, new: Person | None) -> PersonChange | None:
    olds = {(a.item, n): a for n, a in _numbered(old)}
    news = {(a.item, n): a for n, a in _numbered(new)}
    items = []
    for key in sorted({*olds, *news}):
        one, other = olds.get(key), news.get(key)
        if one is None or other is None or (one.earned, one.possible) != (other.earned, other.possible):
            items.append(ItemChange(key[0], one, other))
    if not items:
        return None
    label = (new or old).label  # type: ignore[union-attr]  # one of them is there
    zero = (Fraction(0), Fraction(0))
    return PersonChange(
        label,
        (old.earned, old.possible) if old else zero,
        (new.earned, new.possible) if new else zero,
        tuple(items),
    )


def _numbered(person: Person | None) -> Iterator[tuple[int, ScoredResponse]]:
    """Responses with a number that tells apart several to one item."""
    seen: dict[str, int] = {}
    for one in person.answered if person else ():
        seen[one.item] = seen.get(one.item, -1) + 1
        yield seen[one.item], one
