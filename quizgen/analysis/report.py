"""The whole report as a value: counts, figures, flags, and candidates one at a time.

Candidates come from a function, because they may not all fit in memory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from itertools import islice
from math import sqrt
from typing import TYPE_CHECKING, Any, TypeVar

from quizgen.model import Band, Bank, Item, highest_band
from quizgen.scoring.response import UNITS_PER_POINT, ScoredResponse
from quizgen.scoring.response_table import (
    SELECT_BRIEF,
    SELECT_COUNTED,
    ResponseTable,
    decode_column,
    scored_response,
)
from quizgen.scoring.run import RunResult
from quizgen.scoring.score_lines import LineCounts
from quizgen.source.problems import Unreadable

if TYPE_CHECKING:  # reports that list responses need none of these
    from quizgen.analysis.attendance import Attendance, Grade, LateRule
    from quizgen.analysis.equating import FormFigures
    from quizgen.analysis.item_statistics import Statistics

T = TypeVar("T")


class Unfit(Unreadable):
    """The responses do not suffice for an analysis that was requested; the message says why, and what to do."""


UNNAMED = "(no name)"


@dataclass(frozen=True, slots=True)
class Person:
    """One candidate. `name` is None if the log lines have neither candidate nor session."""

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
        """The standard error of the share if the items are taken as a sample of many similar ones: Lord's (1957)
        conditional error of measurement, for items of any worth. None for fewer than two items."""
        worth = [(float(a.earned), float(a.possible)) for a in self.answered if a.possible]
        whole, k = sum(p for _, p in worth), len(worth)
        if k < 2:
            return None
        share = sum(e for e, _ in worth) / whole
        return sqrt(k / (k - 1) * sum((e - share * p) ** 2 for e, p in worth)) / whole

    @property
    def label(self) -> str:
        """The name to show: the candidate, or else the session."""
        return self.name or UNNAMED


@dataclass(frozen=True, slots=True)
class PointsByTopic:
    """The data that charts show of a candidate whose grade is final: the share of all points, shares by topic, and the
    total seconds of the responses (None if no response has a time). `who` is the candidate's name in the table of
    responses."""

    who: bytes
    share: float
    topics: Mapping[str, float]
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """The content of a report. Each damaged line in `counts` was reported when it was read. `counting` returns the
    statistics, the same at every call; a format without statistics never calls it.

    Except for `problems`, nothing depends on the order of the lines or the names of the files."""

    bank: str
    title: str
    digest: str
    attempt: str
    counts: LineCounts
    items: Mapping[str, Item]  # items of the bank by id
    counting: Callable[[], Statistics]
    bands: tuple[Band, ...] = ()
    grades: tuple[Band, ...] = ()
    pass_share: Fraction | None = None
    of_class: bool = False  # names are left out
    disputes: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by (item, criterion)
    decisions: tuple[str, ...] = ()  # items dropped, responses accepted, marks set by hand
    problems: tuple[str, ...] = ()  # messages about the first damaged lines
    attendance: Mapping[str, Attendance] = field(default_factory=dict)  # by candidate, for an exam
    late: LateRule | None = None
    forms: tuple[FormFigures, ...] = ()  # for an exam with several forms
    people: Callable[..., Iterator[Person]] = field(default=lambda brief=False: iter(()))
    each_in_processes: Callable[..., Iterator[Any]] | None = None  # does the work of `each` in several processes
    points: Callable[[], Iterator[PointsByTopic]] = lambda: iter(())

    @property
    def statistics(self) -> Statistics:
        return self.counting()

    def each(self, function: Callable[[Person], T], most: int | None = None, brief: bool = False) -> Iterator[T]:
        """Yields the results of `function` for the first `most` candidates by name (None: for all). It runs in the
        process that reads the candidate."""
        if self.each_in_processes is not None:
            return self.each_in_processes(function, most, brief)
        return map(function, islice(self.people(brief), most))

    def named(self, label: str) -> str:
        """The candidate `label`, with the name from the roster."""
        row = self.attendance.get(label)
        return row.label if row is not None else label

    def withheld(self, person: Person) -> bool:
        """Whether a candidate's grade is not final yet; then no figure includes the candidate."""
        row = self.attendance.get(person.label)
        return row is not None and row.status == "held"

    def grade(self, person: Person) -> Grade | None:
        """A candidate's points after the deduction for lateness; None if nothing is known of the sitting."""
        row = self.attendance.get(person.label)
        if row is None or self.late is None:
            return None
        return row.grade(person.earned, person.possible, self.late, self.bands, self.grades)


CANDIDATE_BATCH = 32  # candidates sent to a process at once
SELECT_POINTS = "SELECT person, item, earned, possible, milliseconds FROM counted ORDER BY id"


def report_of(
    tally: RunResult,
    bank: Bank,
    *,
    attempt: str,
    files: Sequence[str],
    call: Callable[..., Iterator[Any]] | None = None,
    bands: tuple[Band, ...] = (),
    pass_share: Fraction | None = None,
    decisions: tuple[str, ...] = (),
    problems: tuple[str, ...] = (),
) -> Report:
    """The report of a run. It reads the table of `tally`, so use it before `tally` is closed. `call`, the
    `call` of an executor whose processes can read our files, distributes the work on candidates."""
    topics = _topics_by_item(tally)
    made = partial(_person_of_row, topics=topics, files=files, bands=bands)

    @cache
    def counting() -> Statistics:
        from quizgen.analysis.item_statistics import statistics_of

        return statistics_of(tally.table, bank.scored_items, tally.facts, bands, pass_share)

    return Report(
        bank=bank.name,
        title=bank.title,
        digest=bank.digest,
        attempt=attempt,
        counts=tally.counts,
        items=bank.scored_items,
        counting=counting,
        bands=bands,
        pass_share=pass_share,
        disputes=Counter(
            (item, criterion) for (_, item, criterion), (_, claim) in tally.disputes.items() if claim != "no"
        ),
        decisions=decisions,
        problems=problems,
        people=lambda brief=False: (
            made(*one) for one in tally.table.people(SELECT_BRIEF if brief else SELECT_COUNTED)
        ),
        each_in_processes=None if call is None else partial(_map_candidates, tally.table, made, call),
        points=lambda: _points_by_topic(tally.table, topics),
    )


def people_of(tally: RunResult, files: Sequence[str]) -> Iterator[Person]:
    """Yields the candidates of a run by name, with the responses that count."""
    return (_person_of_row(*one, topics=_topics_by_item(tally), files=files, bands=()) for one in tally.table.people())


def _topics_by_item(tally: RunResult) -> dict[str, str]:
    return {name: tally.job.items[name].topic for name in sorted(tally.facts) if name in tally.job.items}


def _person_of_row(
    row: Sequence[Any],
    responses: Sequence[Sequence[Any]],
    topics: Mapping[str, str],
    files: Sequence[str],
    bands: tuple[Band, ...],
) -> Person:
    """A candidate from a row of the table, with the responses that count."""
    _, who, earned, _, whole, not_reached = row
    # Items that the session held and never showed earned nothing, as in its debrief.
    band = highest_band(Fraction(earned, whole), bands) if whole else None
    return Person(
        decode_column(who),
        candidate_name(who),
        Fraction(earned, UNITS_PER_POINT),
        Fraction(whole, UNITS_PER_POINT),
        tuple([scored_response(one, files, topics.get(one[8], "")) for one in responses]),
        tuple(item for item, _ in json.loads(not_reached)),
        band,
    )


def candidate_name(who: bytes) -> str | None:
    """The candidate or session behind the table's name `who`; None if its lines name neither."""
    return decode_column(who[1:]) if who[:1] in (b"c", b"s") else None


def _points_by_topic(table: ResponseTable, topics: Mapping[str, str]) -> Iterator[PointsByTopic]:
    for (_, who, earned, _, whole, _), rows in table.people(SELECT_POINTS, everybody=False):
        by_topic: dict[str, tuple[int, int]] = {}
        for _, item, points, possible, _ in rows:
            before = by_topic.get(topic := topics.get(item, ""), (0, 0))
            by_topic[topic] = before[0] + points, before[1] + possible
        shares = {topic: points / possible for topic, (points, possible) in by_topic.items() if possible}
        times = [milliseconds for *_, milliseconds in rows if milliseconds is not None]
        if whole:
            yield PointsByTopic(who, earned / whole, shares, sum(times) / 1000 if times else None)


def _map_candidates(
    table: ResponseTable,
    made: Callable[..., Person],
    call: Callable[..., Iterator[Any]],
    function: Callable[[Person], T],
    most: int | None,
    brief: bool,
) -> Iterator[T]:
    """Yields the results of `function` for each candidate by name, computed in the process that reads the candidate."""

    def all_of(*rows: tuple[Any, ...]) -> list[T]:
        return [function(made(*one)) for one in rows]

    rows = islice(table.people(SELECT_BRIEF if brief else SELECT_COUNTED), most)
    for some in call(all_of, iter(lambda: tuple(islice(rows, CANDIDATE_BATCH)), ())):
        yield from some
