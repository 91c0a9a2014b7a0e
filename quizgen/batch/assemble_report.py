"""A tally to a report: figures from sums, candidates and their scored responses from disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from math import ceil
from typing import Any, Protocol, TypeVar

from quizgen.analysis.item_statistics import flags, item_figures, score_figures
from quizgen.analysis.reliability import ENOUGH, alpha_without, consistency_of, uneven
from quizgen.analysis.report import Answered, Facts, ItemLine, Person, Report, facts_of
from quizgen.analysis.sums import SHARE
from quizgen.batch.mapping import PLACE
from quizgen.batch.reducing import Row
from quizgen.batch.run import Tally
from quizgen.batch.spill import value_of
from quizgen.credit import band_of
from quizgen.model import Band, Bank
from quizgen.scoring import UNIT, Told

T = TypeVar("T")


class Call(Protocol):
    """See `Executor.call`."""

    def __call__(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]: ...


TOGETHER = 32  # candidates that travel to a process at once
_LINE = (1 << PLACE) - 1


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
    known = {name: tally.facts.get(name) or facts_of(bank.scored[name]) for name in sorted(tally.sums.items)}
    without = alpha_without(tally.totals, tally.sums)
    figures = tuple(
        item_figures(name, tally.sums.items[name], facts.keys, facts.options, facts.guessing, without.get(name))
        for name, facts in known.items()
    )
    scores = score_figures(tally.totals, tally.sums)
    return Report(
        bank=bank.name,
        title=bank.title,
        digest=bank.digest,
        attempt=attempt,
        responses=tally.counts.responses,
        counted=tally.totals.responses,
        sessions=tally.counts.sessions,
        left_out=tally.counts.left_out,
        damaged=tally.counts.damaged,
        noted=tally.counts.noted,
        changed=tally.counts.changed,
        scores=scores,
        disputes=Counter((item, criterion) for (_, item, criterion), (_, claim) in tally.disputes if claim != "no"),
        uneven=uneven(hardness(tally)) if scores.warning else "",
        percentile=lambda reached: _percentile(tally, reached),
        consistency=consistency_of(tally.totals, scores.alpha, scores.sem, pass_share),
        items=figures,
        lines={name: _line(bank, name, facts) for name, facts in known.items()},
        flags=flags(figures),
        bands=bands,
        pass_share=pass_share,
        passed=None if pass_share is None else _reached(tally, pass_share),
        in_bands=_in_bands(tally, bands),
        decisions=decisions,
        problems=problems,
        people=lambda: people(tally, files, bands),
        spread=None if call is None else partial(_spread, tally, files, bands, call),
    )


def hardness(tally: Tally) -> Iterator[float]:
    """What each candidate was to earn by the mean shares of the items on their form that many met."""
    mean = {name: sums.x / (sums.n * SHARE) for name, sums in tally.sums.items.items() if sums.n >= ENOUGH}
    for _, counted, _, not_reached in tally.candidates():
        worth = [(one[0], one[3]) for one in counted] + [(name, points) for name, points in not_reached]
        known = [(mean[name], points) for name, points in worth if name in mean and points]
        if known:
            yield sum(m * p for m, p in known) / sum(p for _, p in known)


def _percentile(tally: Tally, reached: float) -> float:
    """The share of candidates below, and half of those who are equal."""
    value, histogram, n = round(reached * SHARE), tally.totals.histogram, tally.totals.reached
    return 1 - (histogram.at_least(value) + histogram.at_least(value + 1)) / (2 * n)


def _reached(tally: Tally, share: Fraction) -> int:
    return tally.totals.histogram.at_least(ceil(share * SHARE))


def _in_bands(tally: Tally, bands: tuple[Band, ...]) -> tuple[tuple[str, int], ...]:
    found, above = [], 0
    for band in sorted(bands, key=lambda b: -b.start):
        reached = _reached(tally, band.start)
        found.append((band.name, reached - above))
        above = reached
    return tuple(found)


def _line(bank: Bank, name: str, facts: Facts) -> ItemLine:
    item = bank.scored[name]
    return ItemLine(name, item.topic, item.kind, item.stem, "; ".join(facts.keys))


def people(tally: Tally, files: Sequence[str], bands: tuple[Band, ...]) -> Iterator[Person]:
    """Every candidate by name, each response with its score as it was written where the job explains scores."""
    for row in tally.candidates():
        yield person(row, tally, files, bands)


def _spread(
    tally: Tally,
    files: Sequence[str],
    bands: tuple[Band, ...],
    call: Call,
    function: Callable[[Person], T],
    most: int | None,
) -> Iterator[T]:
    """What a function makes of each candidate by name, where it is made."""

    def made(*rows: bytes) -> list[T]:
        tally.explained.apart()
        return [function(person(value_of(row), tally, files, bands)) for row in rows]

    rows = islice(tally.rows.merged(), most)
    for some in call(made, iter(lambda: tuple(islice(rows, TOGETHER)), ())):
        yield from some


def person(row: Row, tally: Tally, files: Sequence[str], bands: tuple[Band, ...]) -> Person:
    who, counted, details, not_reached = row
    answered = []
    for one, (place, session, written, scale) in zip(counted, details, strict=True):
        item, outcome, earned, possible, _, diagnosis, _, seconds, _, _ = one
        told = Told(tally.explained.read(*written)) if written else None
        if told and scale:
            told = told.out_of(Fraction(*scale))
        answered.append(
            Answered(
                item,
                tally.job.items[item].topic,
                outcome,
                Fraction(earned, UNIT),
                Fraction(possible, UNIT),
                diagnosis,
                seconds,
                files[place >> PLACE],
                place & _LINE,
                session,
                told,
            )
        )
    total = Fraction(sum(one[2] for one in counted), UNIT)
    # What a session held and never showed earned nothing, as in its debrief.
    whole = Fraction(sum(one[3] for one in counted) + sum(worth for _, worth in not_reached), UNIT)
    band = band_of(total / whole, bands) if whole else None
    name = who[1:] if who[0] in "cs" else None
    return Person(who, name, total, whole, tuple(answered), tuple(name for name, _ in not_reached), band)
