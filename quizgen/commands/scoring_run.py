"""What `quizgen score` does with its options: one function a step, from sources to an exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from typing import IO

import click

from quizgen.batch.collector import rarely
from quizgen.batch.mapping import Job
from quizgen.batch.run import Executor, Here, Listener, Note, Tally, partitions_for
from quizgen.batch.run import run as score
from quizgen.commands.shared import count, open_bank, tell
from quizgen.intake import exams, sources
from quizgen.intake.marks import read_marks
from quizgen.intake.origin import Origin, look
from quizgen.intake.sources import Block, Unreadable
from quizgen.model import Band, Bank, Item
from quizgen.scoring import Changes, Override, shown_points
from quizgen.source import did_you_mean, printable, shorten

EXPLAINING = ("json", "csv", "html", "review", "xapi")  # formats that show responses
KEPT_PROBLEMS = 1_000


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of one call, read."""

    logs: tuple[str, ...]
    bank: str | None = None
    manifest: str | None = None
    sheets: tuple[str, ...] = ()
    form: str = "text"
    output: str = "-"
    attempt: str = "last"
    since: float | None = None
    candidates: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    fail_under: float | None = None
    blueprint: str = ""
    marks: str | None = None
    against: tuple[str, str] | None = None
    drop: frozenset[str] = frozenset()
    accept: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    workers: int = 1
    scheduler: str | None = None
    quiet: bool = False


def run(asked: Asked) -> int:
    """Score what was asked for; the exit code."""
    manifest = exams.read_manifest(asked.manifest) if asked.manifest else None
    if asked.sheets and manifest is None:
        raise click.UsageError("--sheet needs --manifest")
    files = sources.find(asked.logs)
    origin = Origin()
    opened = Opened(files, asked.sheets, manifest, asked.scheduler is None)
    blocks = opened.blocks(origin if asked.bank is None and asked.against is None and manifest is None else None)
    bank = _bank(asked, manifest, origin, files)
    bands, pass_share = _bands(asked, manifest, bank, origin)
    overrides = _overrides(asked)
    names = opened.names
    job = Job(
        items=bank.items,
        digest=bank.digest,
        changes=_changes(asked, bank),
        overrides=overrides,
        candidates=asked.candidates,
        topics=_topics(asked, bank),
        since=asked.since,
        partitions=partitions_for(sum(map(sources.size_of, files))),
        lines=asked.form == "jsonl",
        records=asked.form != "jsonl" or asked.fail_under is not None,
        detail=asked.form in EXPLAINING or (asked.form == "text" and _small(files)),
        names=names if len(names) > 1 else (),
    )
    with ExitStack() as stack:
        stack.enter_context(rarely())
        executor = _executor(asked)
        stack.callback(executor.close)
        write = stack.enter_context(_Output(asked.output))
        problems: list[str] = []
        listener = _listener(asked, names, write, problems)
        if asked.against or job.changes:
            from quizgen.commands.scoring_changes import show_changes

            return show_changes(asked, job, bank, opened, executor, listener, write)
        tally = stack.enter_context(score(job, blocks, executor, asked.attempt, listener))
        _tell_notes(tally, asked, bank)
        if tally.counts.responses == 0 and not tally.totals.candidates:
            raise Unreadable("nothing could be scored" + ("" if tally.counts.damaged else ": there are no responses"))
        if asked.form != "jsonl":
            from quizgen.batch.assemble_report import report_of
            from quizgen.render.reports import REPORTS

            report = report_of(
                tally,
                bank,
                attempt=asked.attempt,
                files=names,
                bands=bands,
                pass_share=pass_share,
                decisions=decisions(asked, overrides),
                problems=tuple(problems),
            )
            REPORTS[asked.form](report, write)
        return _verdict(asked, tally)


def _verdict(asked: Asked, tally: Tally) -> int:
    if asked.fail_under is None:
        return 0
    reached = tally.totals.reached
    mean = Fraction(tally.totals.powers[0], reached * 10**12) if reached else Fraction(0)
    if mean < Fraction(asked.fail_under).limit_denominator(10**9):
        tell(f"the mean score is {float(mean):.1%}, below {asked.fail_under:.1%}")
        return 1
    return 0


class Opened:
    """The sources of a run as blocks; `names` by source number. May be read twice unless it is a stream."""

    def __init__(
        self, files: list[str], sheets: tuple[str, ...], manifest: exams.Manifest | None, in_place: bool
    ) -> None:
        self.files, self.sheets, self.manifest, self.in_place = files, sheets, manifest, in_place
        self.names = tuple("standard input" if f == "-" else f for f in (*files, *sheets))

    def blocks(self, origin: Origin | None = None) -> Iterator[Block]:
        """All blocks in order. With an `origin`, logs are looked into for their bank first."""
        parts: list[Iterator[Block]] = []
        for number, name in enumerate((*self.files, *self.sheets)):
            part = self._of(number, name)
            parts.append(part if origin is None else look(part, origin))
        return chain.from_iterable(parts)

    def _of(self, number: int, name: str) -> Iterator[Block]:
        if number >= len(self.files):
            assert self.manifest is not None
            yield replace(exams.sheet(name, self.manifest), source=number)
        elif exams.is_answers(name):
            yield replace(exams.answers(name, self.manifest), source=number)
        else:
            stream = sys.stdin.buffer if name == "-" else None
            yield from sources.blocks(number, name, stream, self.in_place)


def _small(files: list[str]) -> bool:
    """Small enough to be one candidate's log, which is explained response by response."""
    return "-" in files or sum(map(sources.size_of, files)) < 1 << 20


def _bank(asked: Asked, manifest: exams.Manifest | None, origin: Origin, files: list[str]) -> Bank:
    if asked.bank is not None:
        names = [asked.bank]
    elif asked.against is not None:
        names = [asked.against[1]]
    elif manifest is not None:
        names = [manifest.bank]
    else:
        names = list(origin.banks)
    if not names:
        raise Unreadable(f"{shown(files)} names no bank; give --bank")
    banks = [opened for name in names if (opened := open_bank(name).bank) is not None]
    if len(banks) == 1:
        return banks[0]
    items: dict[str, Item] = {}
    for one in banks:
        for name, item in one.items.items():
            if name in items:
                raise Unreadable(
                    f'the logs are of {len(banks)} banks, and item "{name}" is in two of them; score each with --bank'
                )
            items[name] = item
    return replace(banks[0], name=", ".join(b.name for b in banks), items=items, digest="")


def shown(files: list[str]) -> str:
    return printable(files[0] if len(files) == 1 else f"none of {len(files)} files") if files else "nothing"


def _bands(
    asked: Asked, manifest: exams.Manifest | None, bank: Bank, origin: Origin
) -> tuple[tuple[Band, ...], Fraction | None]:
    """The bands and the pass mark of the blueprint that was asked for, or that the exam or session had."""
    if asked.blueprint:
        blueprint = bank.blueprints.get(asked.blueprint)
        if blueprint is None:
            known = ", ".join(bank.blueprints) or "none"
            hint = did_you_mean(asked.blueprint, bank.blueprints) or f"there are: {known}"
            raise click.BadParameter(f'no blueprint "{printable(asked.blueprint)}"; {hint}', param_hint="--blueprint")
        return blueprint.bands, blueprint.pass_share
    if manifest is not None:
        bands = tuple(Band(Fraction(str(start)), name, advice) for start, name, advice in manifest.bands)
        passed = manifest.pass_share
        return bands, None if passed is None else Fraction(str(passed))
    if len(origin.blueprints) == 1:
        blueprint = bank.blueprints.get(next(iter(origin.blueprints)))
        if blueprint is not None:
            return blueprint.bands, blueprint.pass_share
    return (), None


def _topics(asked: Asked, bank: Bank) -> frozenset[str]:
    known = {item.topic for item in bank.items.values()}
    for topic in sorted(asked.topics - known):
        hint = did_you_mean(topic, known) or f"there are: {', '.join(sorted(known))}"
        raise click.BadParameter(f'no topic "{printable(topic)}"; {hint}', param_hint="--topic")
    return asked.topics


def _changes(asked: Asked, bank: Bank) -> Changes:
    for option, names in (("--drop", sorted(asked.drop)), ("--accept", sorted(asked.accept))):
        for name in names:
            if name not in bank.items:
                hint = did_you_mean(name, bank.items) or "name an item of the bank"
                raise click.BadParameter(f'no item "{shorten(printable(name))}"; {hint}', param_hint=option)
    return Changes(asked.drop, asked.accept)


def _overrides(asked: Asked) -> dict[tuple[str, str], tuple[Override, ...]]:
    if asked.marks is None:
        return {}
    found, faults = read_marks(asked.marks)
    for line, why in faults:
        tell(f"{asked.marks}:{line}: {why}")
    return found


def decisions(asked: Asked, overrides: Mapping[tuple[str, str], tuple[Override, ...]]) -> tuple[str, ...]:
    """What people decided, one sentence each."""
    found = [f"{name} was dropped" for name in sorted(asked.drop)]
    for name in sorted(asked.accept):
        found.extend(f'{name}: "{text}" was accepted' for text in asked.accept[name])
    for (candidate, item), ones in sorted(overrides.items()):
        for one in ones:
            what = f"{item}, {one.criterion}" if one.criterion else item
            who, why = candidate or "(no name)", one.reason or "no reason"
            found.append(f"{who}, {what}: {shown_points(one.earned)} points, {why}")
    return tuple(found)


def _executor(asked: Asked) -> Executor:
    if asked.scheduler is not None:
        from quizgen.batch.cluster import Cluster

        return Cluster(asked.scheduler)
    if asked.workers > 1:
        from quizgen.batch.processes import Processes

        if Processes.possible():
            return Processes(asked.workers)
        tell("this platform cannot fork processes: one process does the work")
    return Here()


class _Output:
    """Where the report goes: standard output, or a file that takes the old one's place when it is whole."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._file: IO[str] | None = None

    def __enter__(self) -> Callable[[str], None]:
        if self._name == "-":
            # Not click.echo: it takes escape sequences out of data on its way to a file. On a screen
            # they are shown, never sent.
            if sys.stdout.isatty():
                return lambda text: _put(printable(text))
            return _put
        try:
            self._file = open(f"{self._name}.new", "w", encoding="utf-8", errors="backslashreplace", newline="")
        except OSError as error:
            raise Unreadable(f"{self._name}: cannot be written ({error.strerror or error})") from None
        return _quiet(self._file)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._file is None:
            return
        self._file.close()
        import os

        if kind is None:
            os.replace(f"{self._name}.new", self._name)
        else:
            os.unlink(f"{self._name}.new")


def _put(text: str) -> None:
    sys.stdout.write(text)


def _quiet(file: IO[str]) -> Callable[[str], None]:
    def write(text: str) -> None:
        file.write(text)

    return write


def _listener(asked: Asked, names: tuple[str, ...], write: Callable[[str], None], problems: list[str]) -> Listener:
    from quizgen.commands.progress_line import ProgressLine

    line = ProgressLine(sum(map(sources.size_of, names)), sys.stderr, _piped(asked))

    def damage(note: Note) -> None:
        source, first, last, reason = note
        place = f"{names[source]}:{first}" if first == last else f"{names[source]}:{first}-{last}"
        line.clear()
        tell(f"{place}: {reason}")
        if len(problems) < KEPT_PROBLEMS:
            problems.append(printable(f"{place}: {reason}"))

    return Listener(damage, write, line.show)


def _piped(asked: Asked) -> bool:
    return not asked.quiet and not (asked.output == "-" and sys.stdout.isatty() and asked.form == "jsonl")


def _tell_notes(tally: Tally, asked: Asked, bank: Bank) -> None:
    counts = tally.counts
    if counts.changed:
        what = f"{counts.changed:,} of {count(counts.sessions, 'session')}" if counts.sessions > 1 else "the session"
        tell(
            f"the bank {bank.name} has changed since {what}: scores are by the bank as it is now; "
            f"--against OLD NEW shows what that changes"
        )
    if asked.quiet:
        return
    if counts.untimed:
        tell(f"{count(counts.untimed, 'response')} without a time left out by --since")
    if counts.damaged and asked.form == "jsonl":
        tell(f"{count(counts.damaged, 'line')} could not be used")
