"""A whole run: sources to a `Tally`, by whatever executes the functions of `mapping` and `reducing`."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from types import TracebackType
from typing import Any, Protocol, TypeVar

from quizgen.analysis.report import Facts
from quizgen.analysis.sums import Sums, Totals
from quizgen.bank.listing import forget
from quizgen.batch.job import Decided, Job
from quizgen.batch.mapping import PLACE, Dispute, Mapped, Mapper
from quizgen.batch.reducing import Gathered, Noted, Row, add_up, gather, resolve
from quizgen.batch.spill import Pieces, Spill, value_of
from quizgen.scoring.log_files import Block

T = TypeVar("T")
Note = tuple[int, int, int, str]  # source, first line, last line, what is wrong

SINGLY = 20  # lines in a row with the same kind of damage that are told one by one
ITEM_VALUES = 100_000  # values held for all items together, for times


class Executor(Protocol):
    """Runs functions of a job in order of the arguments, here or elsewhere."""

    in_place: bool  # the workers can read our files

    def map_blocks(self, job: Job, blocks: Iterable[Block]) -> Iterator[Sequence[Mapped]]:
        """What came of each block, in parts where several worked on it."""

    def call(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]: ...


class Here:
    """One process, this one."""

    in_place = True

    def map_blocks(self, job: Job, blocks: Iterable[Block]) -> Iterator[Sequence[Mapped]]:
        return ([done] for done in map(Mapper(job).map, blocks))

    def call(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        return (function(*a) for a in arguments)


@dataclass(slots=True)
class Counts:
    """What was read."""

    responses: int = 0
    left_out: int = 0
    untimed: int = 0
    sessions: int = 0
    changed: int = 0
    banks: set[str] = field(default_factory=set)  # that sessions name
    weighted: int = 0  # lines of no session with points of their own
    damaged: int = 0
    noted: int = 0

    def add(self, done: Mapped) -> None:
        for name in ("responses", "left_out", "untimed", "sessions", "changed", "weighted"):
            setattr(self, name, getattr(self, name) + getattr(done, name))
        self.banks |= done.banks
        self.damaged += len(done.damaged)
        self.noted += len(done.noted)


@dataclass(slots=True)
class Tally:
    """The result of a run: counts, totals, sums by item, and the candidates in order, from disk."""

    counts: Counts
    totals: Totals
    sums: Sums
    rows: Spill
    explained: Pieces
    job: Job
    facts: dict[str, Facts]  # of the items that were responded to
    decided: list[Decided] = field(default_factory=list)
    disputes: tuple[Dispute, ...] = ()

    def candidates(self) -> Iterator[Row]:
        """Every candidate by name."""
        return map(value_of, self.rows.merged())

    def __enter__(self) -> Tally:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.rows.__exit__(kind, error, at)
        self.explained.close()


@dataclass(slots=True)
class Listener:
    """Who hears of a run while it goes on: each damaged line, each text to write, bytes read of a source,
    and of the work after reading what it is, how much is done and how much there is."""

    damage: Callable[[Note], None] = lambda note: None
    write: Callable[[str], object] = lambda text: None
    progress: Callable[[int, int], None] = lambda source, read: None
    stage: Callable[[str, int, int], None] = lambda what, done, total: None


@dataclass(slots=True)
class _Ranges:
    """Tells each line with what is wrong. From the twenty-first line in a row with the same kind of
    damage on, the rest of the row is one message: a broken file is a page, not a million lines."""

    tell: Callable[[Note], None]
    last: Note | None = field(default=None)
    row: int = 0  # lines in a row with the same kind of damage
    rest: Note | None = field(default=None)

    def add(self, source: int, line: int, reason: str) -> None:
        last = self.last
        alike = last is not None and last[0] == source and line - last[2] in (0, 1) and _kind(last[3]) == _kind(reason)
        self.row = self.row + 1 if alike else 1
        self.last = note = (source, line, line, reason)
        if not alike:
            self.close()
        if self.row <= SINGLY:
            self.tell(note)
        elif self.rest is None:
            self.rest = note
        else:
            first, said = self.rest[1], self.rest[3]
            self.rest = (source, first, line, said if said == reason else _kind(reason))

    def close(self) -> None:
        if self.rest is not None:
            self.tell(self.rest)
        self.rest = None


def _kind(reason: str) -> str:
    return reason.partition(":")[0]


def run(job: Job, blocks: Iterable[Block], executor: Executor, attempt: str, listener: Listener) -> Tally:
    """Score every line of the blocks and add up what counts. The caller closes the tally."""
    counts = Counts()
    ranges = _Ranges(listener.damage)
    last_line = (1 << PLACE) - 1
    explained = Pieces()
    decided: list[Decided] = []
    facts: dict[str, Facts] = {}
    disputes: dict[tuple[str, str, str], tuple[str, str]] = {}  # the last of each by time
    with Spill(job.partitions) as spill:
        loose = links = False
        read: deque[tuple[int, int]] = deque()
        for shares in executor.map_blocks(job, _noticing(blocks, read)):
            told: list[tuple[int, str]] = []
            for done in shares:
                counts.add(done)
                told += (*done.damaged, *done.noted)
                decided.extend(done.decided)
                facts |= done.facts
                for what, claim in done.disputes:
                    disputes[what] = max(claim, disputes.get(what, claim))
                loose, links = loose or done.loose, links or done.links
                for part, data in done.chunks.items():
                    spill.put(part, data)
                explained.add(done.told)
            for line, reason in sorted(told):
                ranges.add(shares[0].source, line, reason)
            written = sorted(one for done in shares for one in done.written)
            if written:
                listener.write("".join([text for _, text in written]))
            listener.progress(*read.popleft())
        ranges.close()
        forget(job.items[name] for name in facts)  # what reports say of items stands in the lines of an index
        gc.collect()  # a rubric and what was worked out from it know each other
        totals = Totals()
        rows = Spill(job.partitions)
        resolved = _resolved(spill, job.partitions, executor) if loose and links else spill
        noted: list[Noted] = []
        with resolved:
            parts = resolved.used()
            inputs = ((resolved.read(n, executor.in_place), attempt, job.handed_in) for n in parts)
            for done_parts, gathered in enumerate(executor.call(gather, inputs), 1):
                _take(gathered, totals, rows, noted)
                listener.stage("gathering candidates", done_parts, len(parts))
    for place, reason, other in sorted(noted):
        if other >= 0:
            reason = reason.format(f"{job.names[other >> PLACE] if job.names else 'line'}:{other & last_line}")
        ranges.add(place >> PLACE, place & last_line, reason)
    ranges.close()
    counts.noted += len(noted)
    cuts = totals.cuts()
    limit = max(64, min(1_024, ITEM_VALUES // max(1, len(totals.items))))
    topics = {name: job.items[name].topic for name in sorted(totals.items)}
    sums = Sums(cuts, topics, limit)
    parts = rows.used()
    again = ((rows.read(n, executor.in_place), cuts, topics, limit) for n in parts)
    for done_parts, part_sums in enumerate(executor.call(add_up, again), 1):
        sums.merge(part_sums)
        listener.stage("adding up items", done_parts, len(parts))
    return Tally(
        counts, totals, sums, rows, explained, job, facts, sorted(decided, key=itemgetter(2)), tuple(disputes.items())
    )


def _noticing(blocks: Iterable[Block], read: deque[tuple[int, int]]) -> Iterator[Block]:
    for number, block in enumerate(blocks):
        read.append((block.source, block.read))
        yield replace(block, number_in_run=number)


def _resolved(spill: Spill, partitions: int, executor: Executor) -> Spill:
    moved = Spill(partitions)
    inputs = ((spill.read(n, executor.in_place), partitions) for n in spill.used())
    for chunks in executor.call(resolve, inputs):
        for part, data in chunks.items():
            moved.put(part, data)
    return moved


def _take(gathered: Gathered, totals: Totals, rows: Spill, noted: list[Noted]) -> None:
    totals.merge(gathered.totals)
    noted.extend(gathered.noted)
    if gathered.totals.candidates:
        rows.put(gathered.number, *gathered.rows)


def partitions_for(size: int) -> int:
    """How many partitions a run over so many bytes needs, so that each holds some two megabytes of them."""
    return max(4, min(1_024, size >> 21)) if size else 256
