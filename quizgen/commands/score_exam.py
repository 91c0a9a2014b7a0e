"""`quizgen score --manifest`: who sat an exam, grades held until a person has checked them, grade lists and
feedback."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import click

from quizgen.analysis.attendance import Attendance, LateRule, attendances_and_unscored_files
from quizgen.analysis.equating import form_figures
from quizgen.analysis.report import Report
from quizgen.answer_areas import read_selected_options
from quizgen.atomic_write import report_write_errors, write_atomically
from quizgen.commands.options import notify
from quizgen.commands.score_options import ScoreOptions
from quizgen.commands.shared import count_with_noun, open_roster
from quizgen.draw import SeededRng
from quizgen.model import Bank, Variant
from quizgen.scoring import exam_answers
from quizgen.scoring.exam_answers import Manifest
from quizgen.scoring.marks_file import Decisions
from quizgen.scoring.overrides import marking_page_candidate_key
from quizgen.scoring.scorer import Scorer
from quizgen.source.problems import Unreadable, did_you_mean, printable, shorten
from quizgen.spreadsheet import open_sheet_output

MAX_LISTED_LINES = 40  # lines printed of one kind


@dataclass(frozen=True, slots=True)
class ExamAttendance:
    """An exam's manifest with its roster, and one row per candidate. `unscored_files`: file -> reason why it is not
    scored; `items_begun_late`: candidate -> (number, item id) of items begun after the deadline, if late answers are
    excluded; `unread_cells`: candidate -> the same for cells that nobody has read."""

    manifest: Manifest
    late_rule: LateRule
    rows: tuple[Attendance, ...] = ()
    unscored_files: Mapping[str, str] = field(default_factory=dict)
    items_begun_late: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)  # if lateness excludes
    unread_cells: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)


def read_attendance(options: ScoreOptions, manifest_path: str, files: list[str]) -> ExamAttendance:
    """Who sat the exam whose manifest is at `manifest_path`, from the answers files and sheets. Raises Unreadable, or
    BadParameter for an unknown candidate in --release."""
    manifest, late = _manifest_with_roster(manifest_path, options.roster), options.late or LateRule()
    sittings = list(exam_answers.read_sittings(files, options.sheet, manifest))
    if not sittings and not options.roster:
        return ExamAttendance(manifest, late)
    rows, left_out = attendances_and_unscored_files(
        tuple(manifest.roster_by_key.values()), sittings, late, frozenset(options.release)
    )
    names = [row.candidate for row in rows]
    for name in sorted({*options.release} - {*names}):
        hint = did_you_mean(name, names) or "see --format gradebook"
        raise click.BadParameter(f'no candidate "{printable(name)}"; {hint}', param_hint="--release")
    if options.candidate:
        rows = tuple(row for row in rows if row.candidate in options.candidate)
    begun = {one.candidate: one.items_begun_late for one in sittings} if late.late_action == "exclude" else {}
    unread = {one.candidate: one.unread_items for one in sittings if one.unread_items}
    return ExamAttendance(manifest, late, rows, left_out, begun, unread)


def _manifest_with_roster(manifest_path: str, roster: str | None) -> Manifest:
    """The manifest at `manifest_path`, with the roster in the file `roster` in place of its own."""
    manifest = exam_answers.read_manifest(manifest_path)
    if not roster:
        return manifest
    labels = tuple(dict.fromkeys(str(form["form"]) for form in manifest.forms_by_label_and_code.values()))
    return exam_answers.manifest_with_roster(manifest, open_roster(Path(roster), labels))


def require_bank_of_forms(manifest: Manifest, bank: Bank, dropped_items: Collection[str]) -> None:
    """Raises Unreadable if the forms show an option that the bank no longer has, or if other values are drawn now:
    responses would be marked by what nobody saw. Dropped items do not matter."""
    scorer = Scorer(bank.items)
    wrong = set()
    for form in manifest.forms_by_label_and_code.values():
        for placed in form["items"]:
            line = {"seed": str(form["seed"]), "given": placed.get("given")}
            variant = scorer.variant_of_line(bank.items.get(placed["item"]), line)
            if variant is None or variant.item.id in dropped_items:
                continue
            options = variant.options_in_order() if variant.item.kind == "choice" else ()
            for text in placed.get("options") or () if options else ():
                if not read_selected_options(text, options, accepts_letters=False):
                    wrong.add(f'{variant.item.id}: the bank has no option "{shorten(printable(text))}", the forms have')
            for name in (placed.get("given") or {}).keys() ^ dict(variant.drawn_value_texts()).keys():
                wrong.add(f"{variant.item.id}: {printable(name)} is drawn in the bank or on the forms, not in both")
    if wrong:
        what_to_do = "restore the item, give the former bank with --bank, or --drop it"
        lines = sorted(wrong)[:MAX_LISTED_LINES]
        raise Unreadable("\n".join(f"{line}; {what_to_do}" for line in lines))


def reconcile_attendance_and_marks(
    attendance: ExamAttendance, decisions: Decisions, released_candidates: tuple[str, ...]
) -> tuple[ExamAttendance, Decisions]:
    """Attendance and decisions, each checked against the other. A candidate with unread cells is held until each has a
    mark, a candidate with an empty row until there is any mark. With `--late exclude`, marks on items begun after the
    deadline are removed, with a note."""
    kept, marked = dict(decisions), {key for key, _ in decisions}
    rows = []
    for row in attendance.rows:
        keys = (row.candidate, f"\0{marking_page_candidate_key(attendance.manifest.seed, row.candidate)}")
        if not marked.isdisjoint(keys):
            left = (check for check in row.open_questions if check != exam_answers.EMPTY_ROW_FAULT)
            row = replace(row, open_questions=tuple(left))
        row = _remove_late_marks(row, keys, attendance.items_begun_late.get(row.candidate, ()), kept)
        unread, is_released = attendance.unread_cells.get(row.candidate, ()), row.candidate in released_candidates
        rows.append(_add_question_on_unread_cells(row, keys, unread, kept, is_released))
    return replace(attendance, rows=tuple(rows)), kept


def _remove_late_marks(
    row: Attendance, candidate_keys: tuple[str, ...], late_items: tuple[tuple[int, str], ...], decisions: Decisions
) -> Attendance:
    """The row with a note on marks for items begun after the deadline, which are removed from `decisions`; the same row
    if there are none."""
    late = [number for number, item in late_items if any((key, item) in decisions for key in candidate_keys)]
    if not late:
        return row
    for key, item in [(key, item) for key in candidate_keys for _, item in late_items]:
        decisions.pop((key, item), None)
    reason = f"written after the deadline, so the mark does not count: {', '.join(map(str, late))}"
    return replace(row, notes=(*row.notes, reason))


def _add_question_on_unread_cells(
    row: Attendance,
    candidate_keys: tuple[str, ...],
    unread_cells: tuple[tuple[int, str], ...],
    decisions: Decisions,
    is_released: bool,
) -> Attendance:
    """The row with a check for unread cells without a mark, or with only a note if the candidate is released."""

    def has_mark(item: str) -> bool:
        return any(one.earned is not None for key in candidate_keys for one in decisions.get((key, item), ()))

    left = [str(number) for number, item in unread_cells if not has_mark(item)]
    if not left:
        return row
    reason = f"not read yet: item{'s' * (len(left) > 1)} {', '.join(left)}; decide or mark what is on paper"
    return _add_question(row, reason, is_released)


def _add_question(row: Attendance, question: str, is_released: bool) -> Attendance:
    """The row with an open question, or with only a note if the candidate is released."""
    if is_released:
        return replace(row, notes=(*row.notes, question))
    return replace(row, open_questions=(*row.open_questions, question))


def hold_for_items_not_in_bank(
    attendance: ExamAttendance, bank: Bank, released_candidates: tuple[str, ...]
) -> ExamAttendance:
    """The attendance in which everybody is held on whose form is an item that the bank lacks, as one with an error."""
    rows = []
    for row in attendance.rows:
        form = attendance.manifest.find_form(row.form) if row.form and not row.is_absent else None
        lacking = [one["item"] for one in form["items"] if one["item"] not in bank.items] if form else []
        if lacking:
            question = f"not in the bank, or with an error there: {', '.join(lacking)}; see quizgen check"
            row = _add_question(row, question, row.candidate in released_candidates)
        rows.append(row)
    return replace(attendance, rows=tuple(rows))


def print_attendance(attendance: ExamAttendance, quiet: bool) -> int:
    """Prints who is held and, unless `quiet`, who is absent. Returns 1 if anybody is held, else 0."""
    for name, why in attendance.unscored_files.items():
        notify(f"{name}: not scored: {why}")
    for status, shown in (("held", True), ("absent", not quiet)):
        rows = [row for row in attendance.rows if row.status == status]
        for row in rows[:MAX_LISTED_LINES] if shown else ():
            notify(": ".join(filter(None, (f"{status}: {row.label}", "; ".join(row.open_questions or row.notes)))))
        if shown and len(rows) > MAX_LISTED_LINES:
            notify(f"… and {len(rows) - MAX_LISTED_LINES} more {status}; --format gradebook lists all")
    counts = Counter(row.status for row in attendance.rows)
    if counts["held"]:
        how = "correct the roster or the files, or give --release CANDIDATE for each one that is in order"
        notify(f"{count_with_noun(counts['held'], 'candidate')} held, without a grade: {how}")
    return 1 if counts["held"] else 0


def report_with_exam_figures(report: Report, attendance: ExamAttendance) -> Report:
    """The report with the exam's title, attendance, and a comparison of its forms, if there are several, over
    candidates with a grade."""
    title, rows = attendance.manifest.title or report.title, {row.candidate: row for row in attendance.rows}
    anchors = attendance.manifest.anchor_items
    by_form: dict[str, list[tuple[float, float]]] = {}
    for person in report.read_candidates() if rows else ():
        row = rows.get(person.label)
        if row is not None and row.status == "present":
            common = sum((a.earned for a in person.responses if a.item_id in anchors), Fraction(0))
            by_form.setdefault(row.form, []).append((float(person.earned), float(common)))
    figures = form_figures(by_form, bool(anchors)) if len(by_form) > 1 else ()
    return replace(report, title=title, attendance=rows, late_rule=attendance.late_rule, figures_by_form=figures)


def write_grades(report: Report, options: ScoreOptions, write: Callable[[str], None]) -> None:
    """Writes the grade list. Candidates on no roster go to a second file beside it."""
    from quizgen.render import gradebook

    if options.output_format != "gradebook":
        lms = {"moodle": gradebook.write_moodle_grades, "canvas": gradebook.write_canvas_grades}
        for label in lms[options.output_format](report, write):
            how = "has no id that the file accepts; enter the grade by hand"
            notify(f"not in the file for {options.output_format}: {label} {how}")
        return
    gradebook.write_gradebook(report, write)
    rows = report.attendance.values()
    if any(row.roster_entry for row in rows) and not all(row.roster_entry for row in rows) and options.output != "-":
        place = Path(options.output)
        name = str(place.with_name(f"{place.stem}-not-on-roster{place.suffix}"))
        with open_sheet_output(name, options.delimiter) as write_line:
            gradebook.write_gradebook(report, write_line, only_off_roster=True)
        notify(f"candidates who are not on the roster: {name}")


def write_feedback(report: Report, bank: Bank, manifest: Manifest, folder: str) -> None:
    """Writes one page per candidate into `folder`, with each item as the candidate saw it. Raises Unreadable."""
    from quizgen.render.feedback import candidate_feedback_pages

    def find_printed_item(session: str | None, name: str) -> tuple[int, Variant] | None:
        form = manifest.find_form((session or "").partition("/")[0])
        for one in form["items"] if form else ():
            if one["item"] == name and name in bank.items:
                seed = str(form["seed"]) if form else ""
                return int(one["n"]), bank.items[name].redraw(one.get("given") or {}, SeededRng(name, seed))
        return None

    with report_write_errors(folder, "choose another folder"):
        Path(folder).mkdir(parents=True, exist_ok=True)
    for file, text in candidate_feedback_pages(report, bank.root, find_printed_item):
        write_atomically(Path(folder) / file, text)
