"""The sources of `quizgen score` as blocks of lines, who sat the exam, and what people decided."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from pathlib import Path

import click

from quizgen.analysis.attendance import Attendance, Late, attend
from quizgen.analysis.equating import FormFigures, form_figures
from quizgen.analysis.report import Report
from quizgen.atomic_write import unwritable, write_whole
from quizgen.commands.output import Output
from quizgen.commands.score_options import ScoreOptions, bank_of
from quizgen.commands.shared import count, open_roster, tell
from quizgen.csv_cells import as_typed
from quizgen.draw import Stream
from quizgen.exam import marking_key
from quizgen.model import Bank, Item, Variant
from quizgen.render import gradebook
from quizgen.scoring import UNIT, Override, exam_answers, foreign_logs, log_files, tables
from quizgen.scoring.exam_answers import EMPTY_ROW, Manifest, expected, listed, sittings
from quizgen.scoring.foreign_logs import Foreign
from quizgen.scoring.log_files import Block, Origin, detect_bank, detect_rules
from quizgen.scoring.marks_file import Decisions, read_marks
from quizgen.scoring.response_table import text_of
from quizgen.scoring.run import Tally
from quizgen.source.problems import Unreadable, did_you_mean, points_said, printable, shorten, shown_points


@dataclass(frozen=True, slots=True)
class ScoreSources:
    """What a run starts from: who sat, the sources, their first blocks looked into for what they name, and the bank."""

    sat: Attended
    opened: LogSources
    origin: Origin
    blocks: Iterator[Block]
    bank: Bank


def sources_of(options: ScoreOptions, files: list[str]) -> ScoreSources:
    """The manifest that was named, or that lies beside the files; the bank that was named, or that these name."""
    place = options.manifest or exam_answers.manifest_beside((*files, *options.sheet))
    manifest = exam_answers.read_manifest(place) if place else None
    if options.sheet and manifest is None:
        raise click.UsageError("--sheet needs --manifest: the manifest.json that was written beside the forms")
    sat, origin = sat_of(options, manifest, files), Origin()
    opened = LogSources(files, options.sheet, sat, options.scheduler is None)
    named = options.bank is not None or options.against is not None or sat.manifest is not None
    blocks = opened.blocks(origin, find_bank=not named)
    bank = bank_of(options, sat.manifest, origin, files)
    opened.foreign = Foreign(bank.items, options.bank or bank.name, options.names, options.encoding or "")
    return ScoreSources(sat, opened, origin, blocks, bank)


class LogSources:
    """The sources of a run as blocks; `names` by source number. May be read twice unless it is a stream."""

    def __init__(self, files: list[str], sheets: tuple[str, ...], sat: Attended, in_place: bool) -> None:
        self.files, self.sheets, self.sat, self.manifest, self.in_place = files, sheets, sat, sat.manifest, in_place
        self.foreign = Foreign({})  # how to read logs of other systems, once the bank is known
        self.names = tuple("standard input" if f == "-" else f for f in (*files, *sheets))

    def handed_in(self) -> frozenset[int]:
        """The sources that hold one form of each candidate."""
        return frozenset(
            number
            for number, name in enumerate((*self.files, *self.sheets))
            if number >= len(self.files)
            or exam_answers.is_answers(name)
            or (tables.is_table(name) and not tables.is_long(name))
        )

    def blocks(self, origin: Origin | None = None, find_bank: bool = False) -> Iterator[Block]:
        """All blocks in order. An `origin` takes what the sessions say of themselves; with `find_bank`, logs are looked
        into for their bank first."""
        parts: list[Iterator[Block]] = []
        for number, name in enumerate((*self.files, *self.sheets)):
            part = self._of(number, name)
            if origin is not None and not exam_answers.is_answers(name):
                part = detect_rules(part, origin)
            parts.append(detect_bank(part, origin) if origin is not None and find_bank else part)
        return chain.from_iterable(parts)

    def _of(self, number: int, name: str) -> Iterator[Block]:
        if number < len(self.files) and tables.is_parquet(name):
            yield from tables.parquet_of(number, name)
        elif number < len(self.files) and tables.is_foreign(name, bool(self.foreign.names)):
            yield from foreign_logs.table_blocks(number, name, self.foreign)
        elif number < len(self.files) and tables.is_long(name):
            yield from tables.rows_of(number, name)
        elif number >= len(self.files) or tables.is_table(name):
            yield replace(exam_answers.sheet_block(name, self.manifest), source=number)
        elif exam_answers.is_answers(name):
            if name not in self.sat.left_out:
                yield replace(
                    exam_answers.answers_block(name, self.manifest, self.sat.late.word == "exclude"), source=number
                )
        else:
            stream = sys.stdin.buffer if name == "-" else None
            lines = log_files.blocks(number, name, stream, self.in_place)
            yield from (
                foreign_logs.line_blocks(lines, self.names[number], self.foreign) if self.foreign.items else lines
            )


# `quizgen score --manifest`: who sat the exam, and whose grade is held until a person has looked.


SHOWN = 40  # lines of one kind that are told


@dataclass(frozen=True, slots=True)
class Attended:
    """The manifest with its roster, a row a candidate, and sources that are not scored, with why."""

    manifest: Manifest | None
    late: Late
    rows: tuple[Attendance, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    begun: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)  # late, where that is excluded
    unread: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)

    def forms(self) -> dict[str, str]:
        """The code of the form that each candidate had."""
        return {row.who: row.form for row in self.rows if row.form}


def sat_of(options: ScoreOptions, manifest: Manifest | None, files: list[str]) -> Attended:
    if manifest is None:
        if options.feedback is not None or options.form in ("gradebook", "moodle", "canvas"):
            raise click.UsageError("grades and feedback are of an exam: give --manifest DIR/manifest.json")
        if options.roster or options.late.word or options.release:
            raise click.UsageError("--roster, --late and --release go with --manifest DIR/manifest.json")
        return Attended(None, options.late)
    if options.roster:
        labels = tuple(dict.fromkeys(str(form["form"]) for form in manifest.forms.values()))
        manifest = listed(manifest, open_roster(Path(options.roster), labels))
    sat = list(sittings(files, options.sheet, manifest))
    if not sat and not options.roster:
        return Attended(manifest, options.late)
    rows, left_out = attend(expected(manifest), sat, options.late, frozenset(options.release))
    names = [row.who for row in rows]
    for name in sorted(set(options.release) - set(names)):
        hint = did_you_mean(name, names) or "see --format gradebook"
        raise click.BadParameter(f'no candidate "{printable(name)}"; {hint}', param_hint="--release")
    if options.candidate:
        rows = tuple(row for row in rows if row.who in options.candidate)
    begun = {one.who: one.begun for one in sat if one.begun and options.late.word == "exclude"}
    return Attended(manifest, options.late, rows, left_out, begun, {one.who: one.unread for one in sat if one.unread})


def reconciled(sat: Attended, options: ScoreOptions, decided: Decisions) -> tuple[Attended, Decisions]:
    """Whoever's sheet has cells that nobody has read is held until each has a mark, whoever has an empty row until
    there is one; with `--late exclude` a mark gives nothing for what was not there then, and that is noted."""
    if sat.manifest is None or not sat.rows:
        return sat, decided
    seed, rows, marked = sat.manifest.seed, [], {key for key, _ in decided}
    for row in sat.rows:
        keys = (row.who, f"\0{marking_key(seed, row.who)}")
        if not marked.isdisjoint(keys):
            row = replace(row, checks=tuple(check for check in row.checks if check != EMPTY_ROW))
        late = [n for n, item in sat.begun.get(row.who, ()) if any((key, item) in decided for key in keys)]
        if late:
            gone = {(key, item) for key in keys for _, item in sat.begun[row.who]}
            decided = {key: ones for key, ones in decided.items() if key not in gone}
            reason = f"written after the deadline, so the mark does not count: {', '.join(map(str, late))}"
            row = replace(row, notes=(*row.notes, reason))
        left = [
            str(number)
            for number, item in sat.unread.get(row.who, ())
            if not any(one.earned is not None for key in keys for one in decided.get((key, item), ()))
        ]
        reason = f"not read yet: item{'s' * (len(left) > 1)} {', '.join(left)}; decide or mark what is on paper"
        if left and row.who in options.release:
            row = replace(row, notes=(*row.notes, reason))
        elif left:
            row = replace(row, checks=(*row.checks, reason))
        rows.append(row)
    return replace(sat, rows=tuple(rows)), decided


def tell_sat(sat: Attended, quiet: bool) -> int:
    """Name who is held and who is absent; exit code 1 where somebody is held."""
    for name, why in sat.left_out.items():
        tell(f"{name}: not scored: {why}")
    for status, shown in (("held", True), ("absent", not quiet)):
        rows = [row for row in sat.rows if row.status == status]
        for row in rows[:SHOWN] if shown else ():
            tell(": ".join(filter(None, (f"{status}: {row.label}", "; ".join(row.checks or row.notes)))))
        if shown and len(rows) > SHOWN:
            tell(f"… and {len(rows) - SHOWN} more {status}; --format gradebook lists all")
    counts = Counter(row.status for row in sat.rows)
    if counts["held"]:
        tell(f"{count(counts['held'], 'candidate')} held: fix roster or files, or --release whom you looked at")
    return 1 if counts["held"] else 0


def forms_of(report: Report, manifest: Manifest) -> tuple[FormFigures, ...]:
    """The forms side by side, over candidates whose grade is not open; empty where all had one form."""
    by_form: dict[str, list[tuple[float, float]]] = {}
    for person in report.people():
        row = report.attendance.get(person.label)
        if row is not None and row.status == "present":
            common = sum((a.earned for a in person.answered if a.item in manifest.anchors), Fraction(0))
            by_form.setdefault(row.form, []).append((float(person.earned), float(common)))
    return form_figures(by_form, bool(manifest.anchors)) if len(by_form) > 1 else ()


def write_grades(report: Report, options: ScoreOptions, write: Callable[[str], None]) -> None:
    """The grade list; who is on no roster goes to a second file, or is told."""
    if options.form != "gradebook":
        for label in {"moodle": gradebook.moodle, "canvas": gradebook.canvas}[options.form](report, write):
            tell(f"not in the file for {options.form}: {label} has no id that it can take; enter the grade by hand")
        return
    gradebook.gradebook(report, write)
    rows = report.attendance.values()
    if any(row.person for row in rows) and not all(row.person for row in rows) and options.output != "-":
        place = Path(options.output)
        name = str(place.with_name(f"{place.stem}-not-on-roster{place.suffix}"))
        with Output(name) as write_line:
            gradebook.gradebook(report, write_line, leftovers=True)
        tell(f"who is not on the roster: {name}")


def write_feedback(report: Report, bank: Bank, manifest: Manifest, folder: str) -> None:
    """A page a candidate, each item as that candidate met it."""
    from quizgen.render.feedback import feedback

    def placed(session: str | None, name: str) -> tuple[int, Variant] | None:
        form = manifest.form((session or "").partition("/")[0])
        for one in form["items"] if form else ():
            if one["item"] == name and name in bank.items:
                seed = str(form["seed"]) if form else ""
                return int(one["n"]), bank.items[name].redraw(one.get("given") or {}, Stream(name, seed))
        return None

    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error, "choose another folder") from None
    for file, text in feedback(report, bank.root, placed):
        write_whole(Path(folder) / file, text)


# `quizgen score --marks`: what people decided, whether all of it fits, and what it came to.


def decisions_of(
    paths: Sequence[str], items: Mapping[str, Item], manifest: Manifest | None, sat: Mapping[str, str]
) -> Decisions:
    """The decisions of all files together."""
    decisions: Decisions = {}
    for path in dict.fromkeys(paths):
        for key, ones in read_marks(path, items, manifest, sat).items():
            decisions[key] = (*decisions.get(key, ()), *ones)
    return decisions


def check_marks(tally: Tally) -> None:
    """Unreadable, with every row named, where a decision fits no response of the run or cannot be taken."""
    job = tally.job
    if not job.overrides:
        return
    named = {(one.who, one.item) for one in tally.decided}
    met = {(as_typed(who), item) for who, item in named}
    met |= {(f"\0{marking_key(job.seed, who)}", item) for who, item in named} if job.seed else set()
    wrong = [why for one in tally.decided for why in one.faults]
    lost = [key for key in job.overrides if key not in met]
    if lost:
        labels = (text_of(who) for (who,) in tally.table.select("SELECT who FROM person"))
        names = {label[1:] if label[0] in "cs" else "" for label in labels}
        keys = {f"\0{marking_key(job.seed, name)}" for name in names} if job.seed else set()
        for who, item in lost:
            wrong += [f"{one.place}: {_lost(who, item, names, keys)}" for one in job.overrides[who, item]]
    if wrong:
        raise Unreadable("\n".join([*dict.fromkeys(wrong), "nothing was scored; fix the marks first"]))
    other = Counter(f"{one.item} {why}" for one in tally.decided for why in one.scaled)
    if other:
        listed = "; ".join(f"{what} ({many})" for what, many in sorted(other.items()))
        tell(f"marks written for other points than these responses earn were taken as shares: {listed}")


def _lost(who: str, item: str, names: set[str], keys: set[str]) -> str:
    if who in names or who in keys:
        return f"the candidate has no response to {item}, not even a blank one; fix the row"
    if who.startswith("\0"):
        return "no candidate of this run has that key; give the answers that the page was made of"
    if not who:
        return "candidate is missing; write the one that the log has"
    hint = did_you_mean(who, names) or "fix the row"
    return f'no candidate "{shorten(printable(who))}" in what is scored; {hint}'


def decided_lines(tally: Tally) -> tuple[str, ...]:
    """What people decided, with the points of the response before and after; where the whole of it was decided, that.
    First what changed any."""
    job = tally.job
    moved = [one for one in tally.decided if one.id >= 0]
    if not moved:
        return ()
    ids = {one.id for one in moved}
    rows = tally.table.select("SELECT c.response, p.who FROM counted c JOIN person p ON p.id = c.person")
    counted = {id_: text_of(who)[1:] for id_, who in rows if id_ in ids}
    lines = []
    for one in sorted(moved, key=lambda one: (one.before == one.after, one.who, one.item, one.id)):
        if one.id in counted and one.who in ("", counted[one.id]):
            same = one.before == one.after
            change = (
                "no point changed" if same else f"the response's points {_points(one.before)} -> {_points(one.after)}"
            )
            made = [o for o in job.overrides_of(one.who, one.item) if o.earned is not None]
            whole = [o for o in made if not o.criterion]
            lines += [_decided_line(one.who, one.item, override, change) for override in whole or made]
    return tuple(lines)


def _decided_line(who: str, item: str, one: Override, change: str) -> str:
    what = f"{item}, {one.criterion}" if one.criterion else item
    earned = one.earned or Fraction(0)
    points = f"{shown_points(earned)} of {shown_points(one.of)}" if one.of else points_said(earned)
    return f"{who or '(no name)'}, {what}: {points}, {one.reason or 'no reason'}; {change}"


def _points(units: int) -> str:
    return shown_points(Fraction(units, UNIT))
