"""A tally to a report: figures from sums, candidates and their scored responses from the table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from math import ceil
from typing import Any, Protocol, TypeVar

from quizgen.analysis.item_statistics import flags, item_figures, score_figures
from quizgen.analysis.reliability import ENOUGH, alpha_without, consistency_of, uneven
from quizgen.analysis.report import ItemLine, Person, Report
from quizgen.analysis.sums import Sums, sums_of
from quizgen.credit import band_of
from quizgen.model import Band, Bank
from quizgen.scoring.attempts import SHARE
from quizgen.scoring.item_facts import Facts, facts_of
from quizgen.scoring.response import UNIT
from quizgen.scoring.response_table import ResponseTable, scored_response, text_of
from quizgen.scoring.run import Tally

T = TypeVar("T")


class Call(Protocol):
    """See `Executor.call`."""

    def __call__(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]: ...


TOGETHER = 32  # candidates that travel to a process at once
FORMS = "SELECT person, item, possible FROM counted ORDER BY id"


def report_of(
    tally: Tally,
    bank: Bank,
    *,
    attempt: str,
    files: Sequence[str],
    call: Call | None = None,
    bands: tuple[Band, ...] = (),
    pass_share: Fraction | None = None,
    decisions: tuple[str, ...] = (),
    problems: tuple[str, ...] = (),
) -> Report:
    """The report of a tally. It reads the tally's file: use it before the tally is closed. `call` shares the work on
    candidates among processes that read our files."""
    topics = {name: bank.scored[name].topic for name in sorted(tally.facts) if name in bank.scored}
    sums = sums_of(tally.table, topics)
    totals, counts = sums.totals, tally.counts
    known = {name: tally.facts.get(name) or facts_of(bank.scored[name]) for name in sorted(sums.items)}
    without = alpha_without(sums)
    figures = tuple(
        item_figures(name, sums.items[name], facts.keys, facts.options, facts.guessing, without.get(name))
        for name, facts in known.items()
    )
    scores = score_figures(sums)
    made = partial(_person, topics=topics, files=files, bands=bands)
    return Report(
        bank=bank.name,
        title=bank.title,
        digest=bank.digest,
        attempt=attempt,
        responses=counts.responses,
        counted=counts.counted,
        sessions=counts.sessions,
        left_out=counts.left_out,
        damaged=counts.damaged,
        noted=counts.noted,
        changed=counts.changed,
        scores=scores,
        disputes=Counter(
            (item, criterion) for (_, item, criterion), (_, claim) in tally.disputes.items() if claim != "no"
        ),
        uneven=uneven(_hardness(tally.table, sums)) if scores.warning else "",
        percentile=partial(_percentile, sums),
        consistency=consistency_of(totals, scores.alpha, scores.sem, pass_share),
        items=figures,
        lines={name: _line(bank, name, facts) for name, facts in known.items()},
        flags=flags(figures),
        bands=bands,
        pass_share=pass_share,
        passed=None if pass_share is None else _reached(sums, pass_share),
        in_bands=_in_bands(sums, bands),
        decisions=decisions,
        problems=problems,
        people=lambda: (made(*one) for one in tally.table.people()),
        spread=None if call is None else partial(_spread, tally.table, made, call),
    )


def people_of(tally: Tally, files: Sequence[str]) -> Iterator[Person]:
    """Every candidate of a run by name, with the responses that count."""
    topics = {name: tally.job.items[name].topic for name in sorted(tally.facts)}
    return (_person(*one, topics=topics, files=files, bands=()) for one in tally.table.people())


def _hardness(table: ResponseTable, sums: Sums) -> Iterator[float]:
    """What each candidate was to earn by the mean shares of the items on their form that many met."""
    mean = {name: one.x / (one.n * SHARE) for name, one in sums.items.items() if one.n >= ENOUGH}
    for person, rows in table.people(FORMS):
        worth = [(item, possible) for _, item, possible in rows] + json.loads(person[-1])
        known = [(mean[name], points) for name, points in worth if name in mean and points]
        if known:
            yield sum(m * p for m, p in known) / sum(p for _, p in known)


def _percentile(sums: Sums, reached: float) -> float:
    """The share of candidates below, and half of those who are equal."""
    value, totals = round(reached * SHARE), sums.totals
    return 1 - (totals.at_least(value) + totals.at_least(value + 1)) / (2 * totals.reached)


def _reached(sums: Sums, share: Fraction) -> int:
    return sums.totals.at_least(ceil(share * SHARE))


def _in_bands(sums: Sums, bands: tuple[Band, ...]) -> tuple[tuple[str, int], ...]:
    found, above = [], 0
    for band in sorted(bands, key=lambda b: -b.start):
        reached = _reached(sums, band.start)
        found.append((band.name, reached - above))
        above = reached
    return tuple(found)


def _line(bank: Bank, name: str, facts: Facts) -> ItemLine:
    item = bank.scored[name]
    return ItemLine(name, item.topic, item.kind, item.stem, "; ".join(facts.keys))


def _person(
    row: Sequence[Any],
    responses: Sequence[Sequence[Any]],
    topics: Mapping[str, str],
    files: Sequence[str],
    bands: tuple[Band, ...],
) -> Person:
    """A candidate of the table, with the responses that count."""
    _, who, earned, _, whole, not_reached = row
    # What a session held and never showed earned nothing, as in its debrief.
    band = band_of(Fraction(earned, whole), bands) if whole else None
    name = text_of(who)
    return Person(
        name,
        name[1:] if name[0] in "cs" else None,
        Fraction(earned, UNIT),
        Fraction(whole, UNIT),
        tuple([scored_response(one, files, topics.get(one[8], "")) for one in responses]),
        tuple(item for item, _ in json.loads(not_reached)),
        band,
    )


def _spread(
    table: ResponseTable,
    made: Callable[..., Person],
    call: Call,
    function: Callable[[Person], T],
    most: int | None,
) -> Iterator[T]:
    """What a function makes of each candidate by name, in the process that makes the candidate."""

    def all_of(*rows: tuple[Any, ...]) -> list[T]:
        return [function(made(*one)) for one in rows]

    rows = islice(table.people(), most)
    for some in call(all_of, iter(lambda: tuple(islice(rows, TOGETHER)), ())):
        yield from some
