"""Runs the scoring of logs: blocks are scored here or elsewhere, their rows go into one table, and the responses that
count are chosen.

Rows are read in the order of the lines, and sums are of whole numbers, so a report does not depend on which worker
scored which block."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from quizgen.bank.index import unload_items
from quizgen.scoring.attempts import write_counted_responses
from quizgen.scoring.log_files import LogBlock
from quizgen.scoring.response_table import (
    ASSIGN_CANDIDATES_SQL,
    INSERT_RESPONSE,
    INSERT_SESSION,
    LINE_NUMBER_BITS,
    LINE_NUMBER_MASK,
    ResponseTable,
)
from quizgen.scoring.score_lines import BlockScorer, LineCounts, OverriddenResponse, ScoredBlock, ScoringJob
from quizgen.scoring.scorer import ItemOptionsAndKey

LineRangeNote = tuple[int, int, int, str]  # (source, first line, last line, problem); line 0: the whole source

MAX_RESPONSES_WITHOUT_GC = 2000  # a cleanup takes as long as scoring a few hundred responses
MAX_LISTED_DAMAGED_LINES = 20  # adjacent lines with the same kind of damage that are reported one by one


class Executor:
    """Scores blocks in this process; the executors of `processes` do so in others."""

    # Yields, in order, the results of a function for each tuple of arguments, from processes that can read our files.
    call_for_each: Callable[..., Iterator[Any]] | None = None

    def score_blocks(self, job: ScoringJob, blocks: Iterable[LogBlock]) -> Iterator[Sequence[ScoredBlock]]:
        """For each block, yields its results: one for each worker that scored a part of it."""
        return ([done] for done in map(BlockScorer(job).score_block, blocks))


@dataclass(slots=True)
class RunResult:
    """The result of a run."""

    job: ScoringJob
    table: ResponseTable
    line_counts: LineCounts = field(default_factory=LineCounts)
    # By item that has responses; None: not requested.
    options_and_key_by_item: dict[str, ItemOptionsAndKey | None] = field(default_factory=dict)
    overridden_responses: list[OverriddenResponse] = field(default_factory=list)
    # The latest of each criterion.
    latest_disputes: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)

    def add_block(self, block: ScoredBlock) -> None:
        ours = self.line_counts
        for name in ("responses", "filtered_out", "untimed_responses", "sessions", "other_bank_sessions"):
            setattr(ours, name, getattr(ours, name) + getattr(block.counts, name))
        ours.bank_names |= block.counts.bank_names
        ours.damaged += len(block.damaged_lines)
        ours.lines_with_notes += len(block.line_notes)
        self.table.executemany(INSERT_RESPONSE, block.response_rows)
        self.table.executemany(INSERT_SESSION, block.session_rows)
        self.overridden_responses.extend(block.overridden_responses)
        self.options_and_key_by_item |= block.options_and_key_by_item
        for what, claim in block.disputes:
            self.latest_disputes[what] = max(claim, self.latest_disputes.get(what, claim))


@dataclass(slots=True)
class RunListener:
    """Functions that a run calls: `on_damage` for damaged lines, `on_output` with text to write, `on_progress` with
    (source, bytes read of it), and `on_stage` with (name of the stage, amount done, total)."""

    on_damage: Callable[[LineRangeNote], None] = lambda note: None
    on_output: Callable[[str], object] = lambda text: None
    on_progress: Callable[[int, int], None] = lambda source, read: None
    on_stage: Callable[[str, int, int], None] = lambda what, done, total: None


@dataclass(slots=True)
class _DamageReporter:
    """Reports faulty lines. From the 21st in a row with the same kind of damage, the rest of the row is one message, so
    that a broken file gives a page and not a million lines."""

    on_damage: Callable[[LineRangeNote], None]
    last_note: LineRangeNote = (-1, 0, 0, "")
    similar_line_count: int = 0  # adjacent lines with the same kind of damage
    unlisted_lines_note: LineRangeNote | None = None

    def add_fault(self, source: int, line: int, reason: str) -> None:
        last_source, _, last_line, last_reason = self.last_note
        kind = reason.partition(":")[0]
        alike = (source, kind) == (last_source, last_reason.partition(":")[0]) and line - last_line in (0, 1)
        self.similar_line_count = self.similar_line_count + 1 if alike else 1
        self.last_note = note = (source, line, line, reason)
        if not alike:
            self.report_unlisted_lines()
        if self.similar_line_count <= MAX_LISTED_DAMAGED_LINES:
            self.on_damage(note)
        elif self.unlisted_lines_note is None:
            self.unlisted_lines_note = note
        else:
            _, first, _, common = self.unlisted_lines_note
            self.unlisted_lines_note = (source, first, line, common if common == reason else kind)

    def report_unlisted_lines(self) -> None:
        if self.unlisted_lines_note is not None:
            self.on_damage(self.unlisted_lines_note)
        self.unlisted_lines_note = None


@contextmanager
def score_logs(
    job: ScoringJob, blocks: Iterable[LogBlock], executor: Executor, attempt_rule: str, listener: RunListener
) -> Iterator[RunResult]:
    """A context manager that scores every line of the blocks, chooses the responses that count, and yields the result.
    The table of responses is deleted at the end."""
    ranges = _DamageReporter(listener.on_damage)
    with ResponseTable() as table:
        tally = RunResult(job, table)
        for parts in executor.score_blocks(job, blocks):
            notes: list[tuple[int, str]] = []
            for done in parts:
                tally.add_block(done)
                notes += (*done.damaged_lines, *done.line_notes)
            for line, reason in sorted(notes):
                ranges.add_fault(parts[0].source_number, line, reason)
            written = sorted(one for done in parts for one in done.output_lines)
            if written:
                listener.on_output("".join([text for _, text in written]))
            listener.on_progress(parts[0].source_number, parts[0].bytes_read)
        ranges.report_unlisted_lines()
        unload_items(job.items[name] for name in tally.options_and_key_by_item)  # index lines suffice for reports
        counts = tally.line_counts
        if job.keeps_statistics and counts.responses > MAX_RESPONSES_WITHOUT_GC:
            gc.unfreeze()  # the items that were read with the bank were frozen with it
            gc.collect()  # a rubric and the data computed from it refer to each other
        table.executescript(ASSIGN_CANDIDATES_SQL)
        listener.on_stage("choosing what counts", 0, 1)
        found = write_counted_responses(table, attempt_rule, job.single_form_sources)
        listener.on_stage("choosing what counts", 1, 1)
        for place, reason, other in sorted(found):
            if other >= 0:
                source = job.source_names[other >> LINE_NUMBER_BITS] if job.source_names else "line"
                reason = reason.format(f"{source}:{line}" if (line := other & LINE_NUMBER_MASK) else source)
            ranges.add_fault(place >> LINE_NUMBER_BITS, place & LINE_NUMBER_MASK, reason)
        ranges.report_unlisted_lines()
        tally.overridden_responses.sort(key=attrgetter("id"))
        counts.lines_with_notes += len(found)
        query = "SELECT count(*), coalesce(sum(responses), 0) FROM person"
        ((counts.candidates, counts.counted_responses),) = table.execute(query)
        yield tally
