"""`quizgen score`: answer logs to scores, feedback, item analysis and exports."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import click

from quizgen.atomic_write import Output, held
from quizgen.commands.score_options import ScoreOptions, bank_of, groups_of, scale_of, topics_of
from quizgen.commands.shared import (
    ProgressLine,
    count,
    flag,
    format_of,
    keep_apart,
    tell,
    value,
    values,
    whole,
    word,
)
from quizgen.model import Bank
from quizgen.render.reports import REPORTS
from quizgen.scoring import Changes, Override, foreign_logs, log_files, tables
from quizgen.scoring.attempts import SHARE
from quizgen.scoring.foreign_logs import Foreign
from quizgen.scoring.log_files import Block, Origin, detect_bank, find, is_answers, note_marking_rules
from quizgen.scoring.log_lines import seconds_of
from quizgen.scoring.response_table import exact_sum, whole_sum
from quizgen.scoring.run import Counts, Executor, Here, LineNote, Listener, Tally
from quizgen.scoring.run import run as score
from quizgen.scoring.score_lines import Job
from quizgen.source.problems import Unreadable, printable, read_number
from quizgen.spreadsheet import sheet_output

if TYPE_CHECKING:  # most logs are of no exam
    from quizgen.analysis.attendance import LateRule
    from quizgen.analysis.report import Person, Report
    from quizgen.commands.score_exam import Attended
    from quizgen.scoring.exam_answers import Manifest
    from quizgen.scoring.marks_file import Decisions

FORMATS = (*(name for name in REPORTS if name != "review"), "jsonl", "parquet")  # --review writes its own


def _since(text: str) -> float:
    try:
        return seconds_of(text)
    except (ValueError, OverflowError):
        raise click.BadParameter("write a time like 2026-11-21 or 2026-11-21T10:00:00Z") from None


def _late(text: str) -> LateRule | None:
    if not text:
        return None
    from quizgen.analysis.attendance import LateRule

    if text in ("ignore", "exclude"):
        return LateRule(text)
    word, _, rule = text.partition(":")
    share, _, minutes = rule.partition("/")
    percent, each = read_number(share.removesuffix("%")), read_number(minutes)
    if word != "deduct" or percent is None or each is None or not (0 <= percent <= 100 and each > 0):
        raise click.BadParameter("write ignore, exclude or deduct:P%/MIN, as in deduct:5%/10")
    return LateRule(word, percent / 100, each)


def _mark(text: str) -> str:
    if text not in ("", ",", ";", "tab", "\t", "|"):
        raise click.BadParameter("write ; or , or tab or |")
    return text.replace("tab", "\t")


def _encoding(text: str) -> str:
    try:
        "".encode(text)
    except LookupError:
        raise click.BadParameter("write the name of an encoding such as windows-1252 or utf-16") from None
    return text


def _named(_: object, option: object, texts: tuple[str, ...]) -> dict[str, str]:
    pairs = [pair.partition("=") for text in texts for pair in re.split(r",(?=[^,=]+=)", text)]
    if not all(mark and ours.strip() and theirs.strip() for ours, mark, theirs in pairs):
        raise click.BadParameter("write OURS=THEIRS, as in item=question_id,response=answer")
    return {ours.strip(): theirs.strip() for ours, _, theirs in pairs}


def _percent(text: str) -> float:
    value = read_number(text.strip().removesuffix("%").strip())
    if value is None or not 0 <= value <= 100:
        raise click.BadParameter("write a percentage such as 60 or 60%")
    return float(value / 100)


def _accepted(_: object, option: object, texts: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    accepted: dict[str, tuple[str, ...]] = {}
    for text in texts:
        item, mark, response = text.partition("=")
        if not mark or not item.strip() or not response.strip():
            raise click.BadParameter("write ITEM=RESPONSE")
        accepted[item.strip()] = (*accepted.get(item.strip(), ()), response.strip())
    return accepted


@click.command("score")
@click.argument("logs", nargs=-1, metavar="LOG…")
@value("--bank", "BANK", "The bank: a folder, a file or a shipped name (default: what the log's session says).")
@value("--manifest", "FILE", "The manifest.json of an exam, for answers files and sheets.")
@value("--lms", "", "The grades of an exam as that system imports them.", type=click.Choice(["moodle", "canvas"]))
@value("--feedback", "DIR", "Also a page for each candidate of an exam, in this folder.")
@value("--roster", "FILE", "With a manifest: who was expected (default: the roster in it).")
@value(
    "--late",
    "RULE",
    "What to do with late answers: ignore, exclude (the answers at the deadline count) or deduct:P%/MIN.",
    type=_late,
    default="",
)
@values(
    "--map names",
    "OURS=THEIRS",
    "In a log of another system: which of its fields or columns is one of ours, or an item",
    callback=_named,
)
@value("--encoding", "NAME", "The encoding of logs of other systems, if not UTF-8.", type=_encoding)
@values("--release", "CANDIDATE", "Grade a held candidate anyway")
@values(
    "--sheet",
    "FILE",
    "Responses on paper, as a CSV of candidate, form, 1, 2, 3 …; may be repeated. Points go to --marks.",
)
@word("--format form", FORMATS, "How to write the report; parquet needs the extra quizgen[duckdb], irt quizgen[irt].")
@flag("--json as_json", "The same as --format json.")
@flag("--class of_class", "With --format html: a report on the class without any person.")
@value("-o --output", "FILE", "Where the report goes (default: standard output).", default="-")
@value(
    "--delimiter",
    "MARK",
    "What separates the cells of a CSV: some spreadsheets expect a semicolon.",
    type=_mark,
    default="",
)
@word("--attempt", ["last", "first", "best", "all"], "Which of several responses to an item counts.")
@value("--since", "TIME", "Only responses from this time onwards: 2026-11-21 or 2026-11-21T10:00:00Z.", type=_since)
@values("--candidate", "NAME", "Only this candidate (or session)")
@values("--topic", "TOPIC", "Only items on this topic")
@value("--fail-under", "PERCENT", "Exit with code 1 if the mean score is below this, such as 60%.", type=_percent)
@value("--blueprint", "NAME", "The blueprint whose bands and pass mark apply.", default="")
@values(
    "--marks",
    "FILE",
    "Points that people decided: a CSV of candidate, item, criterion, earned, reason, or the JSON of a marking page",
)
@flag("--review", "List doubtful responses as a CSV to fill in for --marks.")
@value(
    "--least-sure",
    "N%",
    "List the N% of text responses whose scores are least sure, as a CSV to fill in for --marks.",
    type=_percent,
)
@value(
    "--dif",
    "FILE",
    "Find items that are harder for one group than for another of equal ability; FILE is a CSV of candidate and group.",
)
@value("--against", "OLD NEW", "Show whose score changes between two states of a bank.", nargs=2)
@values("--drop", "ITEM", "Leave an item out, and show whose score changes")
@values("--accept", "ITEM=RESPONSE", "Full points for a response, and show whose score changes", callback=_accepted)
@flag("--apply", "With --drop and --accept, write the whole report by the new rules.")
@value("--forget", "CANDIDATE", "Remove a candidate's lines from the logs and do nothing else.")
@whole("--workers", 1, 256, "Number of processes (default: one per core for large logs).")
@value("--scheduler", "ADDRESS", "The address of a Dask scheduler to score on (needs the extra quizgen[dask]).")
@flag("--quiet", "No progress and no notes; damaged lines are still named.")
def command(
    logs: tuple[str, ...],
    form: str,
    as_json: bool,
    lms: str | None,
    output: str,
    review: bool,
    dif: str | None,
    **options: Any,
) -> int:
    """Score answer logs: session logs of `quizgen mock`, bare JSON lines of any system, answers
    files of exams, typed-in sheets; plain or gzip, files, folders or standard input (-).

    A line needs only `item` and `response`. Lines that cannot be used are named on standard error
    and never stop the rest.

    Example: quizgen score logs/ --format html -o report.html
    """
    logs = logs or _no_logs(options["sheet"])
    if options["apply"] and not (options["drop"] or options["accept"]):
        raise click.UsageError("--apply goes with --drop or --accept")
    if not output.strip():
        raise click.UsageError("-o names no file; write -o report.html, or leave it out for standard output")
    form = format_of(form, as_json)
    own = {"review": review, "least-sure": options["least_sure"] is not None, "dif": dif is not None, "lms": lms}
    chosen = _own_csv([name for name, there in own.items() if there], form, as_json)
    if form == "parquet" and output == "-":
        raise click.UsageError("--format parquet needs -o FILE")
    if (forgotten := options.pop("forget")) is not None:
        return _forget(logs, forgotten)
    form = lms or chosen or form
    _refuse_unfit(form, output, **options)
    return run(ScoreOptions(logs=logs, form=form, output=output, dif=dif or "", **options))


def _refuse_unfit(form: str, output: str, of_class: bool, delimiter: str, **_: Any) -> None:
    """Stop at options that the format has no use for."""
    if of_class and form != "html":
        raise click.UsageError("--class is a report without persons: give --format html with it")
    if form not in SHEETS and (delimiter or output.lower().endswith(".xlsx")):
        raise click.UsageError(f"{form} is no sheet; --delimiter and .xlsx go with --format csv, matrix or gradebook")


def _no_logs(sheets: tuple[str, ...]) -> tuple[str, ...]:
    """The logs where none is named: standard input, unless sheets are."""
    if not sheets and sys.stdin.isatty():
        raise click.UsageError("name a log, or - for standard input")
    return () if sheets else ("-",)


def _own_csv(chosen: list[str], form: str, as_json: bool) -> str:
    """The option among `chosen` that writes a CSV of its own; an empty text where none does. Two of them, or one and a
    format, are refused."""
    if not chosen:
        return ""
    if len(chosen) > 1 or (form != "text" and (chosen, form) != (["lms"], "gradebook")):
        other = chosen[1] if len(chosen) > 1 else "json" if as_json else "format"
        raise click.UsageError(f"--{chosen[0]} writes a CSV of its own; leave --{other} out")
    return chosen[0]


def _forget(logs: tuple[str, ...], candidate: str) -> int:
    from quizgen.scoring.forget import forget

    if "-" in logs:
        raise click.UsageError("--forget needs files: standard input cannot be changed in place")
    total = 0
    for name in find(logs):
        done = forget(name, candidate)
        total += done.removed
        for line in done.doubtful:
            tell(f"{name}:{line}: cannot be read and contains the name; look at it and remove it by hand")
        click.echo(f"{name}: {done.removed} of {done.lines} lines removed")
    return 0 if total else 1


# The sources of a run as blocks of lines, and the bank that they are scored by.


@dataclass(frozen=True, slots=True)
class ScoreSources:
    """What a run starts from: the sources, their first blocks looked into for what they name; the bank; and who sat the
    exam, where it is one."""

    opened: LogSources
    origin: Origin
    blocks: Iterator[Block]
    bank: Bank
    sat: Attended | None

    @property
    def manifest(self) -> Manifest | None:
        return self.sat.manifest if self.sat is not None else None


def sources_of(options: ScoreOptions, files: list[str]) -> ScoreSources:
    """The manifest that was named, or that lies beside the files; the bank that was named, or that these name."""
    place, sat, origin = options.manifest or tables.manifest_beside((*files, *options.sheet)), None, Origin()
    if place:
        from quizgen.commands.score_exam import attended

        sat = attended(options, place, files)
    else:
        _refuse_of_exam(options)
    opened = LogSources(files, options.sheet, sat, options.scheduler is None)
    named = options.bank is not None or options.against is not None or sat is not None
    blocks = opened.blocks(origin, find_bank=not named)
    bank = bank_of(options, sat.manifest if sat else None, origin, files)
    opened.foreign = Foreign(bank.items, options.bank or bank.name, options.names, options.encoding or "")
    return ScoreSources(opened, origin, blocks, bank, sat)


def _refuse_of_exam(options: ScoreOptions) -> None:
    """Stop at options that only an exam gives a meaning, where there is no manifest."""
    if options.sheet:
        raise click.UsageError("--sheet needs --manifest: the manifest.json that was written beside the forms")
    if options.feedback is not None or options.form in GRADES:
        raise click.UsageError("grades and feedback are of an exam: give --manifest DIR/manifest.json")
    if options.roster or (options.late is not None and options.late.word) or options.release:
        raise click.UsageError("--roster, --late and --release go with --manifest DIR/manifest.json")


class LogSources:
    """The sources of a run as blocks; `names` by source number. May be read twice unless it is a stream."""

    def __init__(self, files: list[str], sheets: tuple[str, ...], sat: Attended | None, in_place: bool) -> None:
        self.files, self.sheets, self.sat, self.in_place = files, sheets, sat, in_place
        self.foreign = Foreign({})  # how to read logs of other systems, once the bank is known
        self.names = tuple("standard input" if f == "-" else f for f in (*files, *sheets))

    def handed_in(self) -> frozenset[int]:
        """The sources that hold one form of each candidate."""
        return frozenset(
            number
            for number, name in enumerate((*self.files, *self.sheets))
            if number >= len(self.files) or is_answers(name) or (tables.is_table(name) and not tables.is_long(name))
        )

    def blocks(self, origin: Origin | None = None, find_bank: bool = False) -> Iterator[Block]:
        """All blocks in order. An `origin` takes what the sessions say of themselves; with `find_bank`, logs are looked
        into for their bank first."""
        parts: list[Iterator[Block]] = []
        for number, name in enumerate((*self.files, *self.sheets)):
            part = self._of(number, name)
            if origin is not None and not is_answers(name):
                part = note_marking_rules(part, origin)
            parts.append(detect_bank(part, origin) if origin is not None and find_bank else part)
        return chain.from_iterable(parts)

    def _of(self, number: int, name: str) -> Iterator[Block]:
        sheet = number >= len(self.files)
        if not sheet and tables.is_parquet(name):
            yield from tables.parquet_of(number, name)
        elif not sheet and tables.is_foreign(name, bool(self.foreign.names)):
            yield from foreign_logs.table_blocks(number, name, self.foreign)
        elif not sheet and tables.is_long(name):
            yield from tables.rows_of(number, name)
        elif sheet or tables.is_table(name) or is_answers(name):
            yield from (replace(block, source=number) for block in self._of_exam(name))
        else:
            stream = sys.stdin.buffer if name == "-" else None
            lines = log_files.blocks(number, name, stream, self.in_place)
            yield from (
                foreign_logs.line_blocks(lines, self.names[number], self.foreign) if self.foreign.items else lines
            )

    def _of_exam(self, name: str) -> Iterator[Block]:
        """The block of a sheet or of an answers file; none of one that attendance leaves out."""
        from quizgen.scoring import exam_answers

        manifest = self.sat.manifest if self.sat is not None else None
        if not is_answers(name):
            yield exam_answers.sheet_block(name, manifest)
        elif self.sat is None or name not in self.sat.left_out:
            at_deadline = self.sat is not None and self.sat.late.word == "exclude"
            yield exam_answers.answers_block(name, manifest, at_deadline)


# What `quizgen score` does with its options: one function a step, from sources to an exit code.


EXPLAINING = ("json", "csv", "html", "integrity", "review", "least-sure", "xapi", "parquet")  # show responses
MARKED = ("json", "html", "review", "least-sure", "text")  # show the marks of what they explain
COUNTED = ("text", "json", "html")  # show item statistics
GRADES = ("gradebook", "moodle", "canvas")
SHEETS = (*GRADES, "csv", "matrix", "review", "least-sure", "dif")
T = TypeVar("T")
KEPT_PROBLEMS = 1_000
MANY = 50  # candidates from which on processes share the work on them
SHARED_FROM = 1 << 20  # bytes of logs from which on processes share the work unasked


def run(options: ScoreOptions) -> int:
    """Score what was asked for; the exit code."""
    files = _files_of(options)
    sources = sources_of(options, files)
    scale = scale_of(options, sources.manifest, sources.bank, sources.origin)
    sat, overrides = _decided(options, sources)
    job = _job_of(options, sources, files, overrides)
    with ExitStack() as stack:
        executor = _executor(options, sum(map(log_files.size_of, files)), stack)
        place = "-" if options.form == "parquet" else options.output
        sheet = options.form in SHEETS
        write = stack.enter_context(sheet_output(place, options.delimiter) if sheet else Output(place))
        problems: list[str] = []
        # Nothing is written before it is known that every decision fits.
        write_line, release = (
            stack.enter_context(held(write)) if overrides and options.form == "jsonl" else (write, None)
        )
        listener = _listener(options, sources.opened.names, write_line, problems)
        if options.against or (job.changes and not options.apply):
            from quizgen.commands.score_decisions import show_changes

            return show_changes(options, job, sources.bank, sources.opened, executor, listener, write)
        tally = stack.enter_context(score(job, sources.blocks, executor, options.attempt, listener))
        decisions = _checked_decisions(options, tally)
        tally.table.withhold([f"c{row.who}" for row in (sat.rows if sat else ()) if row.status == "held"])
        if release is not None:
            release()
        _tell_notes(tally, options, sources)
        _check_scored(tally.counts)
        if options.form != "jsonl":
            from quizgen.analysis.report import report_of

            report = report_of(
                tally,
                sources.bank,
                attempt=options.attempt,
                files=sources.opened.names,
                call=executor.call if executor.in_place and tally.counts.candidates >= MANY else None,
                bands=scale.bands,
                pass_share=scale.pass_share,
                decisions=decisions,
                problems=tuple(problems),
            )
            report = replace(report, grades=scale.grades, of_class=options.of_class)
            _write(_watched(report, tally.counts.candidates, listener), options, sources.bank, sat, write)
        return max(_verdict(options, tally), _told_of_exam(sat, options.quiet))


def _files_of(options: ScoreOptions) -> list[str]:
    """The logs that are named or lie in named folders; none may be where the report goes."""
    unread: list[str] = []
    files = log_files.find(options.logs, unread)
    if unread:
        more = f" and {len(unread) - 5} more" if len(unread) > 5 else ""
        tell(
            f"not read, as they do not look like logs: {', '.join(map(printable, unread[:5]))}{more}; "
            "name one to read it"
        )
    beside = filter(None, (options.manifest, options.roster))
    keep_apart(options.output, (*files, *options.sheet, *options.marks, *beside))
    return files


def _decided(options: ScoreOptions, sources: ScoreSources) -> tuple[Attended | None, Decisions]:
    """The points that people decided, and the exam as it stands after them."""
    sat, decisions = sources.sat, dict[tuple[str, str], tuple[Override, ...]]()
    if options.marks:
        from quizgen.commands.score_decisions import decisions_of

        decisions = decisions_of(options.marks, sources.bank.items, sources.manifest, sat.forms() if sat else {})
    if sat is not None and sat.rows:
        from quizgen.commands.score_exam import reconciled

        return reconciled(sat, decisions, options.release)
    return sat, decisions


def _job_of(options: ScoreOptions, sources: ScoreSources, files: list[str], overrides: Decisions) -> Job:
    """What is to be done with every line."""
    bank, names, manifest = sources.bank, sources.opened.names, sources.manifest
    changes = Changes()
    if options.drop or options.accept:
        from quizgen.commands.score_decisions import changes_of

        changes = changes_of(options, bank)
    small_text = options.form == "text" and _small(files)
    return Job(
        items=bank.scored,
        digest=bank.digest,
        changes=changes,
        overrides=overrides,
        candidates=frozenset(options.candidate),
        topics=topics_of(options, bank),
        since=options.since,
        lines=options.form == "jsonl",
        records=options.form != "jsonl" or options.fail_under is not None or bool(overrides),
        explained=options.form in EXPLAINING or options.feedback is not None or small_text,
        marks=options.form in MARKED or options.feedback is not None,
        statistics=options.form in COUNTED,
        names=names if len(names) > 1 else (),
        seed=manifest.seed if manifest is not None else "",
        handed_in=sources.opened.handed_in(),
    )


def _checked_decisions(options: ScoreOptions, tally: Tally) -> tuple[str, ...]:
    """What people decided, in words. Raises Unreadable where a decision fits nothing that was scored."""
    if not (tally.job.overrides or options.drop or options.accept):
        return ()
    from quizgen.commands.score_decisions import check_marks, decided_lines, item_decisions

    check_marks(tally)
    return (*item_decisions(options), *decided_lines(tally))


def _write(
    report: Report, options: ScoreOptions, bank: Bank, sat: Attended | None, write: Callable[[str], None]
) -> None:
    """The report in the format that is asked for, with what is known of the exam."""
    if sat is not None:
        from quizgen.commands.score_exam import of_exam, write_feedback

        report = of_exam(report, sat)
        if options.feedback is not None:
            write_feedback(report, bank, sat.manifest, options.feedback)
    if options.form == "parquet":
        from quizgen.render.report_parquet import write_parquet

        write_parquet(report, options.output)
    elif options.form in GRADES:
        from quizgen.commands.score_exam import write_grades

        write_grades(report, options, write)
    elif options.form == "dif":
        from quizgen.render.report_statistics import dif_rows

        dif_rows(report, write, groups_of(options.dif))
    elif options.form == "least-sure":
        from quizgen.render.report_csv import least_sure_rows

        least_sure_rows(report, write, options.least_sure or 0)
    else:
        from quizgen.render.reports import writer_of

        writer_of(options.form)(report, write)


def _told_of_exam(sat: Attended | None, quiet: bool) -> int:
    if sat is None:
        return 0
    from quizgen.commands.score_exam import tell_sat

    return tell_sat(sat, quiet)


def _watched(report: Report, total: int, listener: Listener) -> Report:
    """The report of `total` candidates, with progress told as they are written."""

    def counted(made: Iterator[T]) -> Iterator[T]:
        for number, one in enumerate(made, 1):
            yield one
            if number % 64 == 0 or number == total:
                listener.stage("writing candidates", number, total)

    def spread(function: Callable[[Person], T], most: int | None, brief: bool) -> Iterator[T]:
        return counted(report.each(function, most, brief))

    return replace(report, people=lambda brief=False: counted(report.people(brief)), spread=spread)


def _verdict(options: ScoreOptions, tally: Tally) -> int:
    if options.fail_under is None:
        return 0
    ((*parts, reached),) = tally.table.select(f"SELECT {exact_sum('share')}, count(share) FROM person")
    mean = Fraction(whole_sum(*parts), reached * SHARE) if reached else Fraction(0)
    if mean < Fraction(options.fail_under).limit_denominator(10**9):
        tell(f"the mean score is {float(mean):.1%}, below {options.fail_under:.1%}")
        return 1
    return 0


def _small(files: list[str]) -> bool:
    """Small enough to be one candidate's log, which is explained response by response."""
    return "-" in files or sum(map(log_files.size_of, files)) < 1 << 20


def _executor(options: ScoreOptions, size: int, stack: ExitStack) -> Executor:
    if options.scheduler is not None:
        from quizgen.scoring.processes import Cluster

        return stack.enter_context(closing(Cluster(options.scheduler)))
    workers = options.workers or (cores() if size >= SHARED_FROM else 1)
    if workers > 1:
        from quizgen.scoring.processes import Processes

        if Processes.possible():
            return Processes(workers)
        if options.workers:
            tell("this platform cannot fork processes: one process does the work")
    return Here()


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _listener(
    options: ScoreOptions, names: tuple[str, ...], write: Callable[[str], object], problems: list[str]
) -> Listener:
    line = ProgressLine(sum(map(log_files.size_of, names)), sys.stderr, _piped(options))

    def damage(note: LineNote) -> None:
        source, first, last, reason = note
        place = f"{names[source]}:{first}" if first == last else f"{names[source]}:{first}-{last}"
        line.clear()
        tell(f"{place}: {reason}")
        if len(problems) < KEPT_PROBLEMS:
            problems.append(printable(f"{place}: {reason}"))

    return Listener(damage, write, line.show, line.step)


def _piped(options: ScoreOptions) -> bool:
    return not options.quiet and not (options.output == "-" and sys.stdout.isatty() and options.form == "jsonl")


def _check_scored(counts: Counts) -> None:
    """Raises Unreadable where nothing was scored."""
    if counts.responses or counts.candidates:
        return
    why = "" if counts.damaged else ": there are no responses"
    if counts.left_out:
        filters = "check --candidate, --topic and --since"
        why = f": the filters leave all {count(counts.left_out, 'response')} out; {filters}"
    raise Unreadable(f"nothing could be scored{why}")


def _tell_notes(tally: Tally, options: ScoreOptions, sources: ScoreSources) -> None:
    """Say what is to be known of the whole run."""
    counts, bank = tally.counts, sources.bank
    if len(counts.banks) > 1:
        several = ", ".join(map(printable, sorted(counts.banks)))
        tell(f"the sessions are of several banks ({several}), all scored by {bank.name}; score each with --bank")
    if counts.changed:
        what = f"{counts.changed:,} of {count(counts.sessions, 'session')}" if counts.sessions > 1 else "the session"
        tell(
            f"the bank {bank.name} has changed since {what}: scores are by the bank as it is now; "
            f"--against OLD NEW shows what that changes"
        )
    if options.quiet:
        return
    if counts.weighted:
        tell(f"{count(counts.weighted, 'response')} without a session set points that differ from the bank's")
    if counts.untimed:
        tell(f"{count(counts.untimed, 'response')} without a time left out by --since")
    if counts.damaged and options.form == "jsonl":
        tell(f"{count(counts.damaged, 'line')} could not be used")
    if sources.origin.older and any(item.kind == "numeric" for item in bank.items.values()):
        tell(
            "these sessions are from an older version and are marked by the present rules: rounded numbers count "
            "(docs/diagnosis.md)"
        )
