"""What decides the scores of a run of `quizgen score` besides the bank: its options, who sat an exam, and people's
decisions (marks, dropped items, accepted responses)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import click

from quizgen import bank as banks
from quizgen.analysis.attendance import Attendance, LateRule, attendances_and_unscored_files
from quizgen.analysis.equating import form_figures
from quizgen.analysis.report import Report
from quizgen.answer_areas import read_selected_options
from quizgen.atomic_write import report_write_errors, write_atomically
from quizgen.commands.options import notify
from quizgen.commands.shared import count_with_noun, open_bank, open_roster
from quizgen.draw import SeededRng
from quizgen.model import Bank, Blueprint, Outcome, ScoreBand, Variant
from quizgen.scoring import exam_answers
from quizgen.scoring.exam_answers import Manifest, sheet_given_as_log_message
from quizgen.scoring.log_files import LogOrigin, has_row_per_candidate, read_sheet, take_column_names
from quizgen.scoring.marks_file import UNUSABLE_ROW_KEY, Decisions
from quizgen.scoring.response import UNITS_PER_POINT, ScoringChanges, marking_page_candidate_key
from quizgen.scoring.response_table import blob_to_text
from quizgen.scoring.score_logs import RunResult
from quizgen.scoring.scorer import Scorer
from quizgen.source.problems import Unreadable, did_you_mean, points_decimal, points_phrase, printable, shorten
from quizgen.spreadsheet import open_sheet_output, text_after_sheet_round_trip


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """The values of the options of one call of `quizgen score`."""

    log_paths: tuple[str, ...]
    bank: str | None = None
    manifest_path: str | None = None
    roster_path: str | None = None
    feedback_folder: str | None = None
    late_rule: LateRule | None = None  # None: the option was not given
    foreign_name_by_our_name: Mapping[str, str] = field(default_factory=dict)  # of fields, or of items, in other logs
    log_encoding: str | None = None
    released_candidates: tuple[str, ...] = ()
    sheet_paths: tuple[str, ...] = ()
    output_format: str = "text"
    output_path: str = "-"
    attempt_rule: str = "last"
    since_timestamp: float | None = None
    candidates: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    fail_under: float | None = None
    least_sure_share: float | None = None  # share of the text responses to list
    dif_groups_file: str = ""  # CSV file of candidates and their groups
    blueprint_name: str = ""
    marks_paths: tuple[str, ...] = ()
    old_and_new_banks: tuple[str, str] | None = None
    dropped_items: tuple[str, ...] = ()
    accepted_responses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_whole_report: bool = False
    delimiter: str = ""  # CSV delimiter; empty: a comma without a byte order mark
    is_anonymous: bool = False  # a report without names
    worker_count: int | None = None  # None: one process a core if the logs are large
    scheduler: str | None = None
    is_quiet: bool = False


def open_scoring_bank(options: ScoreOptions, manifest: Manifest | None, origin: LogOrigin, files: list[str]) -> Bank:
    """The bank to score by: that of --bank, else of --against, of the manifest, or of the logs, whose banks are joined
    if there are several. Raises Unreadable if none is named or it cannot be read."""
    later_bank = options.old_and_new_banks[1] if options.old_and_new_banks is not None else None
    exam_bank = manifest.bank_name if manifest is not None else None
    names = [name for name in (options.bank, later_bank, exam_bank) if name is not None][:1]
    names = names or [
        banks.bank_name_of_session_line({"bank": name, "folder": folder})
        for name, folder in origin.folder_by_bank.items()
    ]
    if not names:
        why = " names no bank; give --bank, as in --bank distributed-training"
        if all(os.path.isfile(f) and not os.path.getsize(f) for f in files):
            why = " is empty; name a log with responses"
        elif all(map(has_row_per_candidate, files)):
            why = f": {sheet_given_as_log_message(files[0])}"
        raise Unreadable(f"{'standard input' if files[0] == '-' else printable(files[0])}{why}")
    # Blueprints and cases of one bank name it too: sessions of them are of the same bank.
    found = list({bank.digest: bank for bank in (open_bank(name).required_bank for name in names)}.values())
    if len(found) == 1:
        return found[0]
    items = {name: item for bank in found for name, item in bank.items.items()}
    for name, count in Counter(name for bank in found for name in bank.items).items():
        if count > 1:
            which = f'the logs are of {len(found)} banks, and item "{name}" is in two of them'
            raise Unreadable(f"{which}; score each with --bank")
    return replace(found[0], name=", ".join(bank.name for bank in found), items=items, digest="")


def scoring_blueprint(options: ScoreOptions, manifest: Manifest | None, bank: Bank, origin: LogOrigin) -> Blueprint:
    """The blueprint whose bands, grades and pass mark apply: that in the options, else that of the exam (without its
    title) or of the session; without any of them an empty one. Raises BadParameter for an unknown blueprint."""
    if options.blueprint_name:
        blueprint = bank.blueprints.get(options.blueprint_name)
        if blueprint is None:
            hint = did_you_mean(options.blueprint_name, bank.blueprints)
            hint = hint or f"there are: {', '.join(bank.blueprints) or 'none'}"
            message = f'no blueprint "{printable(options.blueprint_name)}"; {hint}'
            raise click.BadParameter(message, param_hint="--blueprint")
        return blueprint
    if manifest is not None:
        scales = (manifest.bands, manifest.grade_bands)
        bands, grades = (tuple(ScoreBand(Fraction(str(start)), *words) for start, *words in scale) for scale in scales)
        share = None if manifest.pass_share is None else Fraction(str(manifest.pass_share))
        return Blueprint("", "", (), pass_share=share, bands=bands, grade_bands=grades)
    name = next(iter(origin.blueprints)) if len(origin.blueprints) == 1 else ""
    return bank.blueprints.get(name) or Blueprint("", "", ())


def read_candidate_groups(path: str) -> dict[str, str]:
    """The group of each candidate, from a CSV with two columns: `candidate`, and one with any heading. Raises
    Unreadable with every bad row."""
    rows = read_sheet(path, "a list of groups")
    groups: dict[str, str] = {}
    wrong: list[str] = []
    head = take_column_names(rows)
    if len(head) != 2 or head[0] != "candidate":
        raise Unreadable(f"{path}:1: begin with a line of two columns, as in `candidate,track`")
    for line, row in rows:
        cells, place = [cell.strip() for cell in row], f"{path}:{line}"
        if any(cells) and len(cells) != 2:
            wrong.append(f"{place}: {len(cells)} columns where there should be two; write candidate,group")
        elif any(cells) and groups.setdefault(cells[0], cells[1]) != cells[1]:
            wrong.append(f'{place}: "{printable(cells[0])}" is in another group above; keep one line')
    if wrong:
        raise Unreadable("\n".join(wrong))
    return {who: group for who, group in groups.items() if group}


MAX_LISTED_LINES = 40  # lines printed of one kind


@dataclass(frozen=True, slots=True)
class ExamAttendance:
    """An exam's manifest with its roster, and the attendance of each candidate. `reason_by_unscored_file`: why it is
    not scored; `late_items_by_candidate`: (number, item id) of each item begun after the deadline;
    `unread_items_by_candidate`: the same for cells that nobody has read."""

    manifest: Manifest
    late_rule: LateRule
    attendances: tuple[Attendance, ...] = ()
    reason_by_unscored_file: Mapping[str, str] = field(default_factory=dict)
    late_items_by_candidate: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    unread_items_by_candidate: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)


def read_attendance(options: ScoreOptions, manifest_path: str, files: list[str]) -> ExamAttendance:
    """Who sat the exam whose manifest is at `manifest_path`, from the answers files and sheets. Raises Unreadable, or
    BadParameter for an unknown candidate in --release."""
    manifest, late = exam_answers.read_manifest(manifest_path), options.late_rule or LateRule()
    if options.roster_path:
        labels = tuple(dict.fromkeys(str(form["form"]) for form in manifest.forms_by_label_and_code.values()))
        manifest = exam_answers.manifest_with_roster(manifest, open_roster(Path(options.roster_path), labels))
    sittings = list(exam_answers.read_sittings(files, options.sheet_paths, manifest))
    if not sittings and not options.roster_path:
        return ExamAttendance(manifest, late)
    rows, left_out = attendances_and_unscored_files(
        tuple(manifest.roster_by_key.values()), sittings, late, frozenset(options.released_candidates)
    )
    names = [row.candidate for row in rows]
    for name in sorted({*options.released_candidates} - {*names}):
        hint = did_you_mean(name, names) or "see --format gradebook"
        raise click.BadParameter(f'no candidate "{printable(name)}"; {hint}', param_hint="--release")
    if options.candidates:
        rows = tuple(row for row in rows if row.candidate in options.candidates)
    begun = {one.candidate: one.items_begun_late for one in sittings}
    unread = {one.candidate: one.unread_items for one in sittings if one.unread_items}
    return ExamAttendance(manifest, late, rows, left_out, begun, unread)


def require_bank_fits_forms(manifest: Manifest, bank: Bank, dropped_items: Collection[str]) -> None:
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
                if not read_selected_options(text, options, allows_letters=False):
                    wrong.add(f'{variant.item.id}: the bank has no option "{shorten(printable(text))}", the forms have')
            for name in (placed.get("given") or {}).keys() ^ dict(variant.drawn_value_texts()).keys():
                wrong.add(f"{variant.item.id}: {printable(name)} is drawn in the bank or on the forms, not in both")
    if wrong:
        what_to_do = "restore the item, give the former bank with --bank, or --drop it"
        raise Unreadable("\n".join(f"{line}; {what_to_do}" for line in sorted(wrong)[:MAX_LISTED_LINES]))


def reconcile_attendance_and_marks(
    attendance: ExamAttendance, bank: Bank, decisions: Decisions, released_candidates: Collection[str]
) -> tuple[ExamAttendance, Decisions]:
    """Attendance and decisions, each checked against the other. A candidate with unread cells is held until each has a
    mark, a candidate with an empty row until there is any mark, and everybody on whose form is an item that the bank
    lacks, as one with an error; of a released candidate these are only notes. With `--late exclude`, marks on items
    begun after the deadline are removed, with a note."""
    kept, marked = dict(decisions), {key for key, _ in decisions}
    rows = []
    for row in attendance.attendances:
        keys = (row.candidate, f"\0{marking_page_candidate_key(attendance.manifest.seed, row.candidate)}")
        questions, notes = list(row.unresolved_issues), list(row.notes)
        if not marked.isdisjoint(keys):
            questions = [question for question in questions if question != exam_answers.EMPTY_ROW_FAULT]
        excludes_late = attendance.late_rule.late_action == "exclude"
        late_items = attendance.late_items_by_candidate.get(row.candidate, ()) if excludes_late else ()
        late = [str(number) for number, item in late_items if any((key, item) in kept for key in keys)]
        if late:
            notes.append(f"written after the deadline, so the mark does not count: {', '.join(late)}")
        for key, (_, item) in product(keys, late_items):
            kept.pop((key, item), None)
        form = attendance.manifest.find_form(row.form_code) if row.form_code and not row.is_absent else None
        lacking = [one["item"] for one in form["items"] if one["item"] not in bank.items] if form else []
        more = [f"not in the bank, or with an error there: {', '.join(lacking)}; see quizgen check"] if lacking else []
        unread = [
            str(number)
            for number, item in attendance.unread_items_by_candidate.get(row.candidate, ())
            if not any(mark.earned is not None for key in keys for mark in kept.get((key, item), ()))
        ]
        if unread:
            what = f"not read yet: item{'s' * (len(unread) > 1)} {', '.join(unread)}"
            more.append(f"{what}; decide or mark what is on paper")
        (notes if row.candidate in released_candidates else questions).extend(more)
        rows.append(replace(row, unresolved_issues=tuple(questions), notes=tuple(notes)))
    return replace(attendance, attendances=tuple(rows)), kept


def print_attendance(attendance: ExamAttendance, is_quiet: bool) -> bool:
    """Prints who is held and, unless `is_quiet`, who is absent. Returns whether anybody is held."""
    for name, why in attendance.reason_by_unscored_file.items():
        notify(f"{name}: not scored: {why}")
    for status, shown in (("held", True), ("absent", not is_quiet)):
        rows = [row for row in attendance.attendances if row.status == status]
        for row in rows[:MAX_LISTED_LINES] if shown else ():
            notify(": ".join(filter(None, (f"{status}: {row.label}", "; ".join(row.unresolved_issues or row.notes)))))
        if shown and len(rows) > MAX_LISTED_LINES:
            notify(f"… and {len(rows) - MAX_LISTED_LINES} more {status}; --format gradebook lists all")
    counts = Counter(row.status for row in attendance.attendances)
    if counts["held"]:
        how = "correct the roster or the files, or give --release CANDIDATE for each one that is in order"
        notify(f"{count_with_noun(counts['held'], 'candidate')} held, without a grade: {how}")
    return bool(counts["held"])


def report_with_exam_figures(report: Report, attendance: ExamAttendance) -> Report:
    """The report with the exam's title, attendance, and a comparison of its forms, if there are several, over
    candidates with a grade."""
    title, rows = attendance.manifest.title or report.title, {row.candidate: row for row in attendance.attendances}
    anchors = attendance.manifest.anchor_items
    by_form: dict[str, list[tuple[float, float]]] = {}
    for person in report.read_candidates() if rows else ():
        row = rows.get(person.label)
        if row is not None and row.status == "present":
            common = sum((a.earned for a in person.responses if a.item_id in anchors), Fraction(0))
            by_form.setdefault(row.form_code, []).append((float(person.earned), float(common)))
    figures = form_figures(by_form, bool(anchors)) if len(by_form) > 1 else ()
    return replace(report, title=title, attendance=rows, late_rule=attendance.late_rule, figures_by_form=figures)


def write_grades(report: Report, options: ScoreOptions, write: Callable[[str], None]) -> None:
    """Writes the grade list. Candidates on no roster go to a second file beside it."""
    from quizgen.render import report_csv

    if options.output_format != "gradebook":
        lms = {"moodle": report_csv.write_moodle_grades, "canvas": report_csv.write_canvas_grades}
        for label in lms[options.output_format](report, write):
            how = "has no id that the file accepts; enter the grade by hand"
            notify(f"not in the file for {options.output_format}: {label} {how}")
        return
    report_csv.write_gradebook(report, write)
    roster_entries = [row.roster_entry for row in report.attendance.values()]
    if any(roster_entries) and not all(roster_entries) and options.output_path != "-":
        place = Path(options.output_path)
        name = str(place.with_name(f"{place.stem}-not-on-roster{place.suffix}"))
        with open_sheet_output(name, options.delimiter) as write_line:
            report_csv.write_gradebook(report, write_line, only_off_roster=True)
        notify(f"candidates who are not on the roster: {name}")


def write_feedback(report: Report, bank: Bank, manifest: Manifest, folder: str) -> None:
    """Writes one page per candidate into `folder`, with each item as the candidate saw it. Raises Unreadable."""
    from quizgen.render.report_html import candidate_feedback_pages

    def find_printed_item(session: str | None, name: str) -> tuple[int, Variant] | None:
        form = manifest.find_form((session or "").partition("/")[0]) or {"items": (), "seed": ""}
        for one in form["items"]:
            if one["item"] == name and name in bank.items:
                rng = SeededRng(name, str(form["seed"]))
                return int(one["n"]), bank.items[name].redraw(one.get("given") or {}, rng)
        return None

    with report_write_errors(folder, "choose another folder"):
        Path(folder).mkdir(parents=True, exist_ok=True)
    for file, text in candidate_feedback_pages(report, bank.folder, find_printed_item):
        write_atomically(Path(folder) / file, text)


def require_marks_fit_responses(run_result: RunResult) -> None:
    """Raises Unreadable with a line for each row of a marks file that fits no response or cannot be applied."""
    if not run_result.job.overrides:
        return
    wrong = [why for one in run_result.overridden_responses for why in one.faults]
    if wrong := wrong + _unmatched_mark_messages(run_result):
        raise Unreadable("\n".join([*dict.fromkeys(wrong), "nothing was scored; fix the marks first"]))
    other = Counter(f"{one.item} {why}" for one in run_result.overridden_responses for why in one.rescaling_notes)
    if other:
        listed = "; ".join(f"{what} ({many})" for what, many in sorted(other.items()))
        notify(f"marks with another maximum than the response has here were read as shares: {listed}")


def _unmatched_mark_messages(run_result: RunResult) -> list[str]:
    """One message for each decision that fits no response of the run, with its place and the reason."""
    job = run_result.job

    def key_on_marking_page(name: str) -> str:
        return f"\0{marking_page_candidate_key(job.exam_seed, name)}"

    responses = run_result.overridden_responses
    met = {(text_after_sheet_round_trip(one.candidate), one.item) for one in responses}
    met |= {(key_on_marking_page(one.candidate), one.item) for one in responses}
    lost = [key for key in job.overrides if key not in met]
    if not lost:
        return []
    labels = (blob_to_text(who) for (who,) in run_result.table.execute("SELECT who FROM person"))
    names = {label[1:] if label[0] in "cs" else "" for label in labels}
    known = names | set(map(key_on_marking_page, names))
    messages = []
    for candidate, item_or_fault in lost:
        if candidate == UNUSABLE_ROW_KEY:
            message = item_or_fault
        elif candidate in known:
            message = f"the candidate has no response to {item_or_fault}, not even a blank one; fix the row"
        elif candidate.startswith("\0"):
            message = "no candidate of this run has that key; give the answers from which the page was made"
        else:
            hint = did_you_mean(candidate, names) or "fix the row"
            message = f'no candidate "{shorten(printable(candidate))}" in what is scored; {hint}'
        messages += [f"{one.place}: {message}" for one in job.overrides[candidate, item_or_fault]]
    return messages


def counted_decision_lines(run_result: RunResult) -> tuple[str, ...]:
    """One line for each decision that counts, with the response's points before and after; lines with different points
    come first. Beside a decision on a whole response, those on its criteria have no line."""
    moved = [one for one in run_result.overridden_responses if one.id >= 0]
    if not moved:
        return ()
    ids = {one.id for one in moved}
    rows = run_result.table.execute("SELECT c.response, p.who FROM counted c JOIN person p ON p.id = c.person")
    counted = {id_: blob_to_text(who)[1:] for id_, who in rows if id_ in ids}
    lines = []
    for one in sorted(moved, key=lambda one: (one.units_before == one.units_after, one.candidate, one.item, one.id)):
        if one.id not in counted or one.candidate not in ("", counted[one.id]):
            continue
        before, after = (points_decimal(Fraction(n, UNITS_PER_POINT)) for n in (one.units_before, one.units_after))
        change = "no point changed" if before == after else f"the response's points {before} -> {after}"
        given = [mark for mark in run_result.job.overrides_of(one.candidate, one.item) if mark.earned is not None]
        for mark in [mark for mark in given if not mark.criterion] or given:
            what = f"{one.item}, {mark.criterion}" if mark.criterion else one.item
            earned, whole = mark.earned or Fraction(0), mark.points_out_of
            points = f"{points_decimal(earned)} of {points_decimal(whole)}" if whole else points_phrase(earned)
            lines.append(f"{one.candidate or '(no name)'}, {what}: {points}, {mark.reason or 'no reason'}; {change}")
    return tuple(lines)


def requested_scoring_changes(options: ScoreOptions, bank: Bank) -> ScoringChanges:
    """The changes that --drop and --accept request. Raises BadParameter for an unknown item or option."""
    accepted = options.accepted_responses
    for option, names in (("--drop", sorted(set(options.dropped_items))), ("--accept", sorted(accepted))):
        for name in names:
            if name not in bank.items:
                hint = did_you_mean(name, bank.items) or f"`quizgen list items --bank {bank.name}` names them all"
                raise click.BadParameter(f'no item "{shorten(printable(name))}"; {hint}', param_hint=option)
    for item, text in ((bank.items[name], text) for name in sorted(accepted) for text in accepted[name]):
        drawn = item.draw(SeededRng(item.id, ""))
        shown = drawn.options_in_order()
        if not shown or drawn.drawn_value_texts():  # no options, or different options in each variant
            continue
        if item.redraw({}, None).score(text).outcome is Outcome.UNREADABLE:  # no response could be that text
            listed = "".join(f"\n  {shorten(printable(option), 100)}" for option in shown)
            each = f"write the text of one, since each form has its own order of them:{listed}"
            hint = did_you_mean(text, shown) or each
            message = f'item "{item.id}" has no option "{shorten(printable(text))}"; {hint}'
            raise click.BadParameter(message, param_hint="--accept")
    return ScoringChanges(frozenset(options.dropped_items), accepted)


def item_decision_sentences(options: ScoreOptions) -> tuple[str, ...]:
    """One sentence for each dropped item and each accepted response."""
    accepted = ((name, text) for name, texts in sorted(options.accepted_responses.items()) for text in texts)
    dropped = (f"{name} was dropped" for name in sorted(set(options.dropped_items)))
    return (*dropped, *(f'{name}: "{text}" was accepted' for name, text in accepted))
