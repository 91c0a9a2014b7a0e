"""What `quizgen score` does with its options: one function a step, from sources to an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from quizgen.analysis.report import Person, Report
from quizgen.batch.job import Job
from quizgen.batch.run import Executor, Here, Listener, Note, Tally, partitions_for
from quizgen.batch.run import run as score
from quizgen.commands.scoring_asked import (
    ScoreOptions,
    bands_of,
    changes_of,
    decisions,
    groups_of,
    topics_of,
)
from quizgen.commands.scoring_changes import show_changes
from quizgen.commands.scoring_marks import check, decided_lines, decisions_of
from quizgen.commands.scoring_output import Output, held
from quizgen.commands.scoring_sittings import (
    forms_of,
    reconciled,
    tell_sat,
    write_feedback,
    write_grades,
)
from quizgen.commands.scoring_sources import sourced
from quizgen.commands.shared import ProgressLine, count, keep_apart, tell
from quizgen.intake import sources
from quizgen.model import Bank
from quizgen.source.problems import Unreadable, printable

EXPLAINING = (
    "json",
    "csv",
    "html",
    "integrity",
    "review",
    "least-sure",
    "xapi",
    "parquet",
)  # formats that show responses
T = TypeVar("T")
KEPT_PROBLEMS = 1_000
MANY = 50  # candidates from which on processes share the work on them
SHARED_FROM = 1 << 20  # bytes of logs from which on processes share the work unasked


def run(asked: ScoreOptions) -> int:
    """Score what was asked for; the exit code."""
    unread: list[str] = []
    files = sources.find(asked.logs, unread)
    if unread:
        more = f" and {len(unread) - 5} more" if len(unread) > 5 else ""
        tell(f"not read, as they look like no logs: {', '.join(map(printable, unread[:5]))}{more}; name one to read it")
    keep_apart(asked.output, (*files, *asked.sheet, *asked.marks, *filter(None, (asked.manifest, asked.roster))))
    found = sourced(asked, files)
    sat, opened, origin, bank, manifest = found.sat, found.opened, found.origin, found.bank, found.sat.manifest
    bands, pass_share = bands_of(asked, manifest, bank, origin)
    sat, overrides = reconciled(sat, asked, decisions_of(asked.marks, bank.items, manifest, sat.forms()))
    names = opened.names
    job = Job(
        items=bank.scored,
        digest=bank.digest,
        changes=changes_of(asked, bank),
        overrides=overrides,
        candidates=frozenset(asked.candidate),
        topics=topics_of(asked, bank),
        since=asked.since,
        partitions=partitions_for(sum(map(sources.size_of, files))),
        lines=asked.form == "jsonl",
        records=asked.form != "jsonl" or asked.fail_under is not None or bool(overrides),
        explained=asked.form in EXPLAINING or asked.feedback is not None or (asked.form == "text" and _small(files)),
        names=names if len(names) > 1 else (),
        seed=manifest.seed if manifest is not None else "",
        handed_in=opened.handed_in(),
    )
    with ExitStack() as stack:
        executor = _executor(asked, sum(map(sources.size_of, files)), stack)
        write = stack.enter_context(Output("-" if asked.form == "parquet" else asked.output))
        problems: list[str] = []
        # Nothing is written before it is known that every decision fits.
        put, release = stack.enter_context(held(write)) if overrides and asked.form == "jsonl" else (write, None)
        listener = _listener(asked, names, put, problems)
        if asked.against or (job.changes and not asked.apply):
            return show_changes(asked, job, bank, opened, executor, listener, write)
        tally = stack.enter_context(score(job, found.blocks, executor, asked.attempt, listener))
        check(tally)
        if release is not None:
            release()
        _tell_notes(tally, asked, bank)
        if tally.counts.responses == 0 and not tally.totals.candidates:
            raise Unreadable("nothing could be scored" + _why_nothing(tally.counts.left_out, tally.counts.damaged))
        if asked.form != "jsonl":
            from quizgen.batch.assemble_report import report_of
            from quizgen.render.reports import REPORTS

            report = report_of(
                tally,
                bank,
                attempt=asked.attempt,
                files=names,
                call=executor.call if executor.in_place and tally.totals.candidates >= MANY else None,
                bands=bands,
                pass_share=pass_share,
                decisions=(*decisions(asked), *decided_lines(tally)),
                problems=tuple(problems),
            )
            title = manifest.title if manifest is not None and manifest.title else report.title
            told = {row.who: row for row in sat.rows}
            report = _watched(replace(report, title=title, attendance=told, late=sat.late), listener)
            if manifest is not None and sat.rows:
                report = replace(report, forms=forms_of(report, manifest))
            if asked.feedback is not None and manifest is not None:
                write_feedback(report, bank, manifest, asked.feedback)
            if asked.form == "parquet":
                from quizgen.batch.parquet import write_parquet

                write_parquet(report, asked.output)
            elif asked.form in ("gradebook", "moodle", "canvas"):
                write_grades(report, asked, write)
            elif asked.form == "dif":
                from quizgen.render.report_statistics import dif_rows

                dif_rows(report, write, groups_of(asked.dif))
            elif asked.form == "least-sure":
                from quizgen.render.report_review import least_sure_rows

                least_sure_rows(report, write, asked.least_sure or 0)
            else:
                REPORTS[asked.form](report, write)
        return max(_verdict(asked, tally), tell_sat(sat, asked.quiet))


def _watched(report: Report, listener: Listener) -> Report:
    """The report, with progress told as its candidates are written."""
    total = report.scores.candidates

    def told(made: Iterator[T]) -> Iterator[T]:
        for number, one in enumerate(made, 1):
            yield one
            if number % 64 == 0 or number == total:
                listener.stage("writing candidates", number, total)

    def spread(function: Callable[[Person], T], most: int | None) -> Iterator[T]:
        return told(report.each(function, most))

    return replace(report, people=lambda: told(report.people()), spread=spread)


def _verdict(asked: ScoreOptions, tally: Tally) -> int:
    if asked.fail_under is None:
        return 0
    reached = tally.totals.reached
    mean = Fraction(tally.totals.powers[0], reached * 10**12) if reached else Fraction(0)
    if mean < Fraction(asked.fail_under).limit_denominator(10**9):
        tell(f"the mean score is {float(mean):.1%}, below {asked.fail_under:.1%}")
        return 1
    return 0


def _small(files: list[str]) -> bool:
    """Small enough to be one candidate's log, which is explained response by response."""
    return "-" in files or sum(map(sources.size_of, files)) < 1 << 20


def _executor(asked: ScoreOptions, size: int, stack: ExitStack) -> Executor:
    if asked.scheduler is not None:
        from quizgen.batch.cluster import Cluster

        return stack.enter_context(closing(Cluster(asked.scheduler)))
    workers = asked.workers or (cores() if size >= SHARED_FROM else 1)
    if workers > 1:
        from quizgen.batch.processes import Processes

        if Processes.possible():
            return Processes(workers)
        if asked.workers:
            tell("this platform cannot fork processes: one process does the work")
    return Here()


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _listener(
    asked: ScoreOptions, names: tuple[str, ...], write: Callable[[str], object], problems: list[str]
) -> Listener:
    line = ProgressLine(sum(map(sources.size_of, names)), sys.stderr, _piped(asked))

    def damage(note: Note) -> None:
        source, first, last, reason = note
        place = f"{names[source]}:{first}" if first == last else f"{names[source]}:{first}-{last}"
        line.clear()
        tell(f"{place}: {reason}")
        if len(problems) < KEPT_PROBLEMS:
            problems.append(printable(f"{place}: {reason}"))

    return Listener(damage, write, line.show, line.step)


def _piped(asked: ScoreOptions) -> bool:
    return not asked.quiet and not (asked.output == "-" and sys.stdout.isatty() and asked.form == "jsonl")


def _why_nothing(left_out: int, damaged: int) -> str:
    if left_out:
        return f": the filters leave all {count(left_out, 'response')} out; check --candidate, --topic and --since"
    return "" if damaged else ": there are no responses"


def _tell_notes(tally: Tally, asked: ScoreOptions, bank: Bank) -> None:
    counts = tally.counts
    if len(counts.banks) > 1:
        several = ", ".join(map(printable, sorted(counts.banks)))
        tell(f"the sessions are of several banks ({several}), all scored by {bank.name}; score each with --bank")
    if counts.changed:
        what = f"{counts.changed:,} of {count(counts.sessions, 'session')}" if counts.sessions > 1 else "the session"
        tell(
            f"the bank {bank.name} has changed since {what}: scores are by the bank as it is now; "
            f"--against OLD NEW shows what that changes"
        )
    if asked.quiet:
        return
    if counts.weighted:
        tell(f"{count(counts.weighted, 'response')} of no session set points of their own, unlike the bank's")
    if counts.untimed:
        tell(f"{count(counts.untimed, 'response')} without a time left out by --since")
    if counts.damaged and asked.form == "jsonl":
        tell(f"{count(counts.damaged, 'line')} could not be used")
