"""A run over logs: blocks scored here or elsewhere, their rows in one table, and what counts of them.

Rows are kept by their places and read in order, and sums are of whole numbers, so a report does not depend on who
scored which block.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from operator import attrgetter
from types import TracebackType
from typing import Any, Protocol, TypeVar

from quizgen.bank.index import forget
from quizgen.scoring.attempts import count_attempts
from quizgen.scoring.log_files import Block
from quizgen.scoring.response_table import LINE, PLACE, ResponseTable
from quizgen.scoring.score_lines import BlockScorer, DecidedResponse, Job, ScoredBlock
from quizgen.scoring.scorer import Facts

T = TypeVar("T")
LineNote = tuple[int, int, int, str]  # source, first line, last line, what is wrong

GARBAGE = 20_000  # new objects between two collections: an item that is read leaves much behind
SINGLY = 20  # lines in a row with the same kind of damage that are reported one by one


class Executor(Protocol):
    """Runs functions in order of their arguments, here or elsewhere."""

    in_place: bool  # the workers can read our files

    def score_blocks(self, job: Job, blocks: Iterable[Block]) -> Iterator[Sequence[ScoredBlock]]:
        """What came of each block, in parts where several worked on it."""

    def call(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]: ...


class Here:
    """One process, this one."""

    in_place = True

    def score_blocks(self, job: Job, blocks: Iterable[Block]) -> Iterator[Sequence[ScoredBlock]]:
        return ([done] for done in map(BlockScorer(job).score, blocks))

    def call(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        return (function(*a) for a in arguments)


@dataclass(slots=True)
class Counts:
    """How many lines were read, and what they were."""

    responses: int = 0
    left_out: int = 0
    untimed: int = 0
    sessions: int = 0
    changed: int = 0
    banks: set[str] = field(default_factory=set)  # that sessions name
    weighted: int = 0  # lines of no session with points of their own
    damaged: int = 0
    noted: int = 0
    counted: int = 0  # responses that count
    candidates: int = 0

    def add(self, done: ScoredBlock) -> None:
        for name in ("responses", "left_out", "untimed", "sessions", "changed", "weighted"):
            setattr(self, name, getattr(self, name) + getattr(done, name))
        self.banks |= done.banks
        self.damaged += len(done.damaged)
        self.noted += len(done.noted)


@dataclass(slots=True)
class Tally:
    """The result of a run. A context manager: its table of responses goes with it."""

    job: Job
    table: ResponseTable
    counts: Counts = field(default_factory=Counts)
    facts: dict[str, Facts | None] = field(default_factory=dict)  # of the items of responses; None: not asked for
    decided: list[DecidedResponse] = field(default_factory=list)
    disputes: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)  # the last of each by time

    def __enter__(self) -> Tally:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.table.__exit__(kind, error, at)

    def add(self, done: ScoredBlock) -> None:
        self.counts.add(done)
        self.table.add(done.rows, done.session_rows)
        self.decided.extend(done.decided)
        self.facts |= done.facts
        for what, claim in done.disputes:
            self.disputes[what] = max(claim, self.disputes.get(what, claim))


@dataclass(slots=True)
class Listener:
    """Who hears of a run while it goes on: each damaged line, each text to write, bytes read of a source,
    and of the work after reading what it is, how much is done and how much there is."""

    damage: Callable[[LineNote], None] = lambda note: None
    write: Callable[[str], object] = lambda text: None
    progress: Callable[[int, int], None] = lambda source, read: None
    stage: Callable[[str, int, int], None] = lambda what, done, total: None


@dataclass(slots=True)
class _Ranges:
    """Tells each line with what is wrong. From the twenty-first line in a row with the same kind of
    damage on, the rest of the row is one message: a broken file is a page, not a million lines."""

    tell: Callable[[LineNote], None]
    last: LineNote | None = field(default=None)
    row: int = 0  # lines in a row with the same kind of damage
    rest: LineNote | None = field(default=None)

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
    """Score every line of the blocks and choose what counts. The caller closes the tally."""
    gc.set_threshold(GARBAGE)
    tally = Tally(job, ResponseTable())
    ranges = _Ranges(listener.damage)
    with ExitStack() as stack:
        stack.push(tally.__exit__)
        read: deque[tuple[int, int]] = deque()
        for parts in executor.score_blocks(job, _noticing(blocks, read)):
            notes: list[tuple[int, str]] = []
            for done in parts:
                tally.add(done)
                notes += (*done.damaged, *done.noted)
            for line, reason in sorted(notes):
                ranges.add(parts[0].source, line, reason)
            written = sorted(one for done in parts for one in done.written)
            if written:
                listener.write("".join([text for _, text in written]))
            listener.progress(*read.popleft())
        ranges.close()
        forget(job.items[name] for name in tally.facts)  # what reports say of items stands in the lines of an index
        gc.collect()  # a rubric and what was worked out from it know each other
        tally.table.find_candidates()
        listener.stage("choosing what counts", 0, 1)
        found = count_attempts(tally.table, attempt, job.handed_in)
        listener.stage("choosing what counts", 1, 1)
        stack.pop_all()  # from here on the caller closes it
    for place, reason, other in sorted(found):
        if other >= 0:
            reason = reason.format(f"{job.names[other >> PLACE] if job.names else 'line'}:{other & LINE}")
        ranges.add(place >> PLACE, place & LINE, reason)
    ranges.close()
    tally.decided.sort(key=attrgetter("id"))
    counts = tally.counts
    counts.noted += len(found)
    ((counts.candidates, counts.counted),) = tally.table.select(
        "SELECT count(*), coalesce(sum(responses), 0) FROM person"
    )
    return tally


def _noticing(blocks: Iterable[Block], read: deque[tuple[int, int]]) -> Iterator[Block]:
    for block in blocks:
        read.append((block.source, block.read))
        yield block
