"""The whole report as a value: counts, figures, flags, and candidates one at a time.

Candidates come from a function, because there may be more than memory holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from math import sqrt
from typing import Protocol, TypeVar

from quizgen.analysis.attendance import Attendance, Grade, Late
from quizgen.analysis.equating import FormFigures
from quizgen.analysis.item_statistics import Flag, ItemFigures, ScoreFigures
from quizgen.analysis.reliability import Estimate
from quizgen.model import Band
from quizgen.scoring.response import ScoredResponse
from quizgen.source.problems import Unreadable

T = TypeVar("T")


class Unfit(Unreadable):
    """The responses do not carry what was asked of them; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Person:
    """One candidate: `name` None where the lines have neither candidate nor session."""

    who: str
    name: str | None
    earned: Fraction
    possible: Fraction
    answered: tuple[ScoredResponse, ...]
    not_reached: tuple[str, ...] = ()
    band: Band | None = None

    @property
    def share(self) -> float | None:
        return float(self.earned / self.possible) if self.possible else None

    @property
    def error(self) -> float | None:
        """The standard error of the share, as if the items were drawn from many like them: Lord's (1957)
        conditional error of measurement, for items of any worth. None below two items."""
        worth = [(float(a.earned), float(a.possible)) for a in self.answered if a.possible]
        whole, k = sum(p for _, p in worth), len(worth)
        if k < 2:
            return None
        share = sum(e for e, _ in worth) / whole
        return sqrt(k / (k - 1) * sum((e - share * p) ** 2 for e, p in worth)) / whole

    @property
    def label(self) -> str:
        """A name to show: the candidate, or the session."""
        return self.name or "(no name)"


@dataclass(frozen=True, slots=True)
class ItemLine:
    """What a report says about an item beside its figures."""

    id: str
    topic: str
    kind: str
    stem: str
    key: str = ""


class Spread(Protocol):
    """See `Report.each`."""

    def __call__(self, function: Callable[[Person], T], most: int | None) -> Iterator[T]: ...


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was found. `damaged` and `noted` count lines; each was named when it was met.

    Nothing in it depends on the order of the lines or on the names of files, `problems` excepted.
    """

    bank: str
    title: str
    digest: str
    attempt: str
    responses: int
    counted: int
    sessions: int
    left_out: int
    damaged: int
    noted: int
    changed: int
    scores: ScoreFigures
    items: tuple[ItemFigures, ...]
    lines: dict[str, ItemLine]
    flags: tuple[Flag, ...]
    bands: tuple[Band, ...] = ()
    pass_share: Fraction | None = None
    consistency: Estimate = field(default=Estimate(None, 0))  # of decisions at the pass mark
    disputes: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by item and criterion
    uneven: str = ""  # what cannot be compared, where candidates met different items
    percentile: Callable[[float], float] = field(default=lambda share: 0.0)  # of a share among all candidates
    passed: int | None = None  # candidates at the pass mark or above
    in_bands: tuple[tuple[str, int], ...] = ()  # candidates by band, the highest first
    decisions: tuple[str, ...] = ()  # items dropped, responses accepted, marks set by hand
    problems: tuple[str, ...] = ()  # the first damaged lines, as they were told
    attendance: Mapping[str, Attendance] = field(default_factory=dict)  # of an exam, by candidate
    late: Late = field(default_factory=Late)
    forms: tuple[FormFigures, ...] = ()  # of an exam, where there are several
    people: Callable[[], Iterator[Person]] = field(default=lambda: iter(()))
    spread: Spread | None = None  # where several processes share the work on candidates

    def each(self, function: Callable[[Person], T], most: int | None = None) -> Iterator[T]:
        """What a function makes of each candidate by name, of the first so many; what it is made of is made where
        the candidate is read, which may be another process."""
        return map(function, islice(self.people(), most)) if self.spread is None else self.spread(function, most)

    def grade(self, person: Person) -> Grade | None:
        """What a person's points come to after lateness; None where nothing is known of the sitting."""
        row = self.attendance.get(person.label)
        return row.grade(person.earned, person.possible, self.late, self.bands) if row else None
