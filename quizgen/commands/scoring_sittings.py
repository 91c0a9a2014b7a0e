"""`quizgen score --manifest`: who sat the exam, and whose grade is held until a person has looked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import click

from quizgen.analysis.attendance import Attendance, Late, attend
from quizgen.analysis.equating import FormFigures, form_figures
from quizgen.analysis.report import Report
from quizgen.atomic_write import unwritable, write_whole
from quizgen.commands.scoring_asked import ScoreOptions
from quizgen.commands.scoring_output import Output
from quizgen.commands.shared import count, open_roster, tell
from quizgen.draw import Stream
from quizgen.exam import marking_key
from quizgen.intake.exams import Manifest
from quizgen.intake.marks import Decisions
from quizgen.intake.sittings import EMPTY_ROW, expected, listed, sittings
from quizgen.model import Bank, Variant
from quizgen.render import gradebook
from quizgen.source.problems import did_you_mean, printable

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


def sat_of(asked: ScoreOptions, manifest: Manifest | None, files: list[str]) -> Attended:
    if manifest is None:
        if asked.feedback is not None or asked.form in ("gradebook", "moodle", "canvas"):
            raise click.UsageError("grades and feedback are of an exam: give --manifest DIR/manifest.json")
        if asked.roster or asked.late.word or asked.release:
            raise click.UsageError("--roster, --late and --release go with --manifest DIR/manifest.json")
        return Attended(None, asked.late)
    if asked.roster:
        labels = tuple(dict.fromkeys(str(form["form"]) for form in manifest.forms.values()))
        manifest = listed(manifest, open_roster(Path(asked.roster), labels))
    found = list(sittings(files, asked.sheet, manifest))
    if not found and not asked.roster:
        return Attended(manifest, asked.late)
    rows, left_out = attend(expected(manifest), found, asked.late, frozenset(asked.release))
    names = [row.who for row in rows]
    for name in sorted(set(asked.release) - set(names)):
        hint = did_you_mean(name, names) or "see --format gradebook"
        raise click.BadParameter(f'no candidate "{printable(name)}"; {hint}', param_hint="--release")
    if asked.candidate:
        rows = tuple(row for row in rows if row.who in asked.candidate)
    begun = {one.who: one.begun for one in found if one.begun and asked.late.word == "exclude"}
    return Attended(manifest, asked.late, rows, left_out, begun, {one.who: one.unread for one in found if one.unread})


def reconciled(sat: Attended, asked: ScoreOptions, decided: Decisions) -> tuple[Attended, Decisions]:
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
            told = f"written after the deadline, so the mark does not count: {', '.join(map(str, late))}"
            row = replace(row, notes=(*row.notes, told))
        left = [
            str(number)
            for number, item in sat.unread.get(row.who, ())
            if not any(one.earned is not None for key in keys for one in decided.get((key, item), ()))
        ]
        told = f"not read yet: item{'s' * (len(left) > 1)} {', '.join(left)}; decide or mark what is on paper"
        if left and row.who in asked.release:
            row = replace(row, notes=(*row.notes, told))
        elif left:
            row = replace(row, checks=(*row.checks, told))
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
        tell(f"{count(counts['held'], 'candidate')} held: mend roster or files, or --release whom you looked at")
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


def write_grades(report: Report, asked: ScoreOptions, write: Callable[[str], None]) -> None:
    """The grade list; who is on no roster goes to a second file, or is told."""
    if asked.form != "gradebook":
        for label in {"moodle": gradebook.moodle, "canvas": gradebook.canvas}[asked.form](report, write):
            tell(f"not in the file for {asked.form}: {label} has no id that it can take; enter the grade by hand")
        return
    gradebook.gradebook(report, write)
    rows = report.attendance.values()
    if any(row.person for row in rows) and not all(row.person for row in rows) and asked.output != "-":
        place = Path(asked.output)
        name = str(place.with_name(f"{place.stem}-not-on-roster{place.suffix}"))
        with Output(name) as put:
            gradebook.gradebook(report, put, leftovers=True)
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
