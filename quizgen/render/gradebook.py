"""The grade list of an exam, and the files that Moodle and Canvas import.

An importer takes a blank for a change and an unknown name for a new candidate. So its file contains only final grades,
of candidates whose id it cannot misread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from quizgen.analysis.attendance import Attendance, Grade
from quizgen.analysis.equating import MIN_CANDIDATES_TO_EQUATE
from quizgen.analysis.report import Report
from quizgen.model import ZERO
from quizgen.render.report_csv import PointsNumber, csv_text
from quizgen.source.problems import points_decimal, printable
from quizgen.spreadsheet import escape_cell

GRADEBOOK_COLUMNS = (
    "number", "id", "name", "form", "status", "raw", "possible", "late_seconds", "deduction", "final", "percent",
    "band", "grade", "source", "checks",
)  # fmt: skip


def attendance_with_grades(report: Report) -> list[tuple[Attendance, Grade | None]]:
    """All candidates on the roster or in the files, in the order of the roster; no grade if nothing was handed in."""
    if not report.attendance:
        return []
    handed_in = (person for person in report.read_candidates() if person.label in report.attendance)
    grades = {person.label: report.candidate_grade(person) for person in handed_in}
    return [(row, grades.get(who) if not row.is_absent else None) for who, row in report.attendance.items()]


def write_gradebook(report: Report, write: Callable[[str], None], only_off_roster: bool = False) -> None:
    """Writes a row for each candidate on the roster or, with `only_off_roster`, for each who is not on it. Without a
    roster, writes all candidates."""
    rows = attendance_with_grades(report)
    listed = any(row.roster_entry for row, _ in rows)
    write(csv_text(GRADEBOOK_COLUMNS))
    for row, grade in rows:
        who = row.roster_entry
        if listed and (who is None) != only_off_roster:
            continue
        grade_cells: list[str | float | None] = [None] * 8
        if grade is not None:
            final = grade.final_points
            percent = None if final is None or not grade.possible else round(100 * final / grade.possible, 2)
            facts = (grade.earned, grade.possible, row.late_seconds, grade.deduction, final, percent)
            numbers = (None if fact is None else PointsNumber(fact) for fact in facts)
            grade_cells = [*numbers, grade.band_name, grade.grade_name]
        who_cells = (who.number, who.id, who.name) if who else (None, row.candidate, "")
        form = row.form_code or (who.form_code if who else "")
        checks = "; ".join((*row.unresolved_issues, *row.fact_sentences()))
        write(csv_text((*who_cells, form, row.status, *grade_cells, row.medium, checks)))


def form_statistics_lines(report: Report) -> Iterator[str]:
    """Yields the figures of each form in words and, if forms have items in common, its scale to the first form."""
    for one in report.figures_by_form:
        m = one.moments
        line = f"form {one.form}: {m.n:,} candidate{'s' * (m.n != 1)}, mean {m.mean:.2f} points, SD {m.sd:.2f}"
        if m.anchor_sd or one.scale:
            line += f"; items in common {m.anchor:.2f}, SD {m.anchor_sd:.2f}"
        if one.scale is not None:
            scale, first = one.scale, report.figures_by_form[0].form
            error = "" if scale.error is None else f" ± {scale.error:.2f} (standard error)"
            line += f"; on the scale of {first}: {scale.slope:.4f} x {scale.intercept:+.3f} (Tucker),"
            line += f" its mean {scale.convert_points(m.mean):.2f}{error}"
        yield line
    if any(one.has_few_candidates for one in report.figures_by_form):
        yield f"fewer than {MIN_CANDIDATES_TO_EQUATE} candidates on a form: look at the difference, do not grade by it"


def write_moodle_grades(report: Report, write: Callable[[str], None]) -> list[str]:
    """Writes the file for Moodle's Grades > Import > CSV, whose columns a person assigns there. Returns the labels of
    candidates who are left out."""
    left_out = []
    write(csv_text(("ID number", "Email address", "Grade", "Feedback")))
    for row, grade, points in _final_grades(attendance_with_grades(report)):
        ident, email = (row.roster_entry.id, row.roster_entry.email) if row.roster_entry else ("", "")
        if not _is_unchanged_in_spreadsheet(ident) or not _is_unchanged_in_spreadsheet(email) or not (ident or email):
            left_out.append(row.label)  # an empty user cell would give the grade to the student of the previous row
            continue
        less = f", {points_decimal(grade.deduction)} off for lateness" if grade.deduction else ""
        names = ", ".join(filter(None, (grade.grade_name, grade.band_name)))
        feedback = f"{points_decimal(grade.earned)} of {points_decimal(grade.possible)}{less}. {names}".strip()
        write(csv_text((ident, email, points, feedback)))
    return left_out


def write_canvas_grades(report: Report, write: Callable[[str], None]) -> list[str]:
    """Writes the file for the import of Canvas's gradebook: the exam is a column with its title. Returns the labels of
    candidates who are left out."""
    left_out = []
    rows = attendance_with_grades(report)
    possible = max((grade.possible for _, grade in rows if grade), default=ZERO)
    write(csv_text(("Student", "ID", "SIS User ID", "SIS Login ID", "Section", printable(report.title))))
    write(csv_text(("Points Possible", None, None, None, None, PointsNumber(possible))))
    for row, _, points in _final_grades(rows):
        who = row.roster_entry
        if who is None or not who.id or not _is_unchanged_in_spreadsheet(who.id):
            left_out.append(row.label)  # without an id the name would decide
        else:
            write(csv_text((who.name, None, who.id, None, None, points)))
    return left_out


def _final_grades(
    rows: Iterable[tuple[Attendance, Grade | None]],
) -> Iterator[tuple[Attendance, Grade, PointsNumber]]:
    """Yields each candidate whose grade is final, with the final points."""
    for row, grade in rows:
        if grade is not None and grade.final_points is not None:
            yield row, grade, PointsNumber(grade.final_points)


def _is_unchanged_in_spreadsheet(text: str) -> bool:
    """Whether a cell can hold this text unchanged, as no spreadsheet would take it for a formula."""
    return escape_cell(text) == text
