"""The report as CSV: one row for each response, a matrix of candidates and items, doubtful responses for a person to
decide (`--review` writes them, `--marks` reads them), differential item functioning, and the grade list of an exam,
also for Moodle and Canvas. Numbers are written as numbers. Also scored responses as a Parquet file."""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from quizgen.analysis.attendance import Attendance, Grade
from quizgen.analysis.equating import MIN_RELIABLE_CANDIDATES_PER_FORM
from quizgen.analysis.report import AnalysisNotPossibleError, CandidateResult, Report
from quizgen.atomic_write import open_replacement_file
from quizgen.model import ZERO
from quizgen.scoring.response import ScoredResponse
from quizgen.source.problems import Unreadable, points_phrase, printable, up_to_2_decimals
from quizgen.spreadsheet import escape_cell

RESPONSE_COLUMNS = (
    "candidate", "item", "topic", "outcome", "earned", "possible", "read_as", "diagnosis", "seconds",
    "session", "response", "say",
)  # fmt: skip

# Columns of an exam.
RESPONSE_ATTENDANCE_COLUMNS = (
    "status", "late_seconds", "away_seconds", "clock_back_seconds", "reopened", "clock_forward_seconds",
)  # fmt: skip

CsvRow = Sequence[str | int | float | None]


def rows_to_csv(*rows: CsvRow) -> str:
    """Rows of cells as lines of CSV: `rows_to_csv(["a;=b", None, 1.5])` is `a;'=b,,1.5` and a line end."""
    lines: list[str] = []
    # With the longer line end the writer quotes both of its characters inside a cell.
    writer = csv.writer(SimpleNamespace(write=lines.append), lineterminator="\r\n")
    writer.writerows(["" if c is None else escape_cell(c) if isinstance(c, str) else c for c in row] for row in rows)
    return "".join([f"{line[:-2]}\n" for line in lines])


class PointsNumber(float):
    """A number printed like points: at most six decimals."""

    def __str__(self) -> str:
        return f"{float(self):.6f}".rstrip("0").rstrip(".")

    __repr__ = __str__


def write_response_rows(report: Report, write: Callable[[str], None]) -> None:
    """Writes a row for each response that counts, by candidate."""
    write(rows_to_csv((*RESPONSE_COLUMNS, *(RESPONSE_ATTENDANCE_COLUMNS if report.attendance_by_id_or_name else ()))))

    def candidate_rows(person: CandidateResult) -> str:
        attendance_cells: CsvRow = ()
        if (row := report.attendance_by_id_or_name.get(person.label)) is not None:
            times = (row.late_seconds, row.away_seconds, row.clock_set_back_seconds)
            counts = (*times, row.reopened_count, row.clock_set_forward_seconds)
            attendance_cells = (row.present_absent_or_held, *map(PointsNumber, counts))
        rows: list[CsvRow] = []
        for one in person.responses:
            points = PointsNumber(one.earned), PointsNumber(one.possible)
            item_cells = (person.name or "", one.item_id, one.topic, one.outcome, *points)
            seconds = None if one.seconds is None else PointsNumber(one.seconds)
            response_cells = (one.score.read_as, one.score.mistake_id, seconds, one.session_id, one.response_text)
            rows.append((*item_cells, *response_cells, " ".join(one.score.remarks), *attendance_cells))
        return rows_to_csv(*rows)

    for text in report.map_candidates(candidate_rows):
        write(text)


def write_points_share_matrix(report: Report, write: Callable[[str], None]) -> None:
    """Writes a row for each candidate with the share of each item's points in a column, empty without a response.

    For IRT tools. If several responses count (`--attempt all`), the last one is written."""
    item_ids = [item.item_id for item in report.statistics.item_statistics]
    write(rows_to_csv(("candidate", *item_ids)))

    def candidate_row(person: CandidateResult) -> str:
        shares = {a.item_id: PointsNumber(a.earned / a.possible) for a in person.responses if a.possible}
        return rows_to_csv((person.label, *map(shares.get, item_ids)))

    for text in report.map_candidates(candidate_row):
        write(text)


REVIEWED_SHARE_AROUND_CUT = Fraction(2, 100)  # of the possible points; at least one point
REVIEW_COLUMNS = ("candidate", "item", "criterion", "earned", "possible", "now", "why", "response", "reason")


def write_review_rows(report: Report, write: Callable[[str], None]) -> None:
    """Writes the responses that a person should see, the most doubtful first: unreadable, contradicted, unlike the
    reference, hedged, or near a cut."""
    cuts = sorted({start for start in (*(band.min_share for band in report.score_bands), report.pass_share) if start})
    doubts: list[tuple[int, str, CsvRow]] = []
    for person in report.read_candidates():
        cut_reason = _near_cut_reason(person, cuts)
        for response in person.responses:
            reasons = list(_ordered_review_reasons_of_response(response))
            # Only partly met phrases are a matter of judgement; an option or a number is not.
            if cut_reason and not reasons and response.outcome == "partial" and len(response.score.marks) > 1:
                reasons.append((4, "", response.earned, response.possible, cut_reason))
            for order, criterion, earned, possible, reason in reasons:
                row = _review_row(person.name, response, criterion, earned, possible, reason)
                doubts.append((order, f"{person.candidate_key}\0{response.item_id}", row))
    write(rows_to_csv(REVIEW_COLUMNS, *(row for _, _, row in sorted(doubts, key=lambda d: d[:2]))))


def write_least_sure_review_rows(report: Report, write: Callable[[str], None], share_to_review: float) -> None:
    """Writes the share `share_to_review` of responses to text items, those of which the scorer is least sure, a row for
    each criterion."""
    ratings: list[tuple[float, str, str | None, ScoredResponse]] = []
    for person in report.read_candidates():
        for response in person.responses:
            # The chance that a person would agree with the marks, averaged by points.
            marks = [(m.possible, m.certainty) for m in response.score.marks if m.certainty is not None]
            if possible := float(sum(points for points, _ in marks)):
                certainty = sum(float(points) * chance for points, chance in marks) / possible
                ratings.append((certainty, person.candidate_key, person.name, response))
    ratings.sort(key=lambda row: (*row[:2], row[3].item_id))
    write(rows_to_csv(REVIEW_COLUMNS))
    for certainty, _, name, response in ratings[: round(len(ratings) * share_to_review)]:
        for mark in response.score.marks:
            if mark.certainty is not None:
                reason = f"{mark.certainty:.0%} sure, the whole {certainty:.0%}: {mark.status}, {mark.because}"
                write(rows_to_csv(_review_row(name, response, mark.criterion_id, mark.earned, mark.possible, reason)))


def _review_row(
    name: str | None, response: ScoredResponse, criterion: str, earned: Fraction, possible: Fraction, reason: str
) -> CsvRow:
    points = (None, up_to_2_decimals(possible), up_to_2_decimals(earned))  # the person fills in the first, `earned`
    return (name or "", response.item_id, criterion, *points, reason, response.response_text, None)


def _ordered_review_reasons_of_response(response: ScoredResponse) -> Iterator[tuple[int, str, Fraction, Fraction, str]]:
    """Yields (order, criterion, points now, possible points, reason) for each reason to look at a response."""
    whole_response = ("", response.earned, response.possible)
    if response.outcome == "unreadable":
        yield 0, *whole_response, "unreadable to the program; read it yourself"
    doubts = [m for m in response.score.marks if m.status in ("contradicted", "hedged")]
    for mark in doubts:
        order = 1 if mark.status == "contradicted" else 3
        yield order, mark.criterion_id, mark.earned, mark.possible, f"{mark.status}: {mark.because}"
    for reason in response.score.review_reasons:
        if reason not in {m.status for m in doubts}:
            yield 2, *whole_response, reason


def _near_cut_reason(person: CandidateResult, cuts: list[Fraction]) -> str:
    """The name of a cut that the candidate is close to; empty if there is none."""
    margin = max(Fraction(1), REVIEWED_SHARE_AROUND_CUT * person.possible)
    for cut in cuts:
        gap = person.earned - cut * person.possible
        if abs(gap) <= margin:
            side = f"{points_phrase(abs(gap))} {'above' if gap > 0 else 'below'}" if gap else "exactly at"
            return f"near a cut: the candidate is {side} the {float(cut):.0%} cut"
    return ""


def write_item_dif_rows(report: Report, write: Callable[[str], None], group_by_candidate: Mapping[str, str]) -> None:
    """Writes the items, the largest difference first. Raises AnalysisNotPossibleError for fewer than two groups."""
    from quizgen.analysis.dif import MIN_RESPONSES_PER_GROUP, reference_group_and_item_dif

    people = [person for person in report.read_candidates() if person.label in group_by_candidate]
    if len({group_by_candidate[person.label] for person in people}) < 2:
        raise AnalysisNotPossibleError(
            "--dif needs candidates of at least two groups; check that its names are those of the logs"
        )
    scores = [{a.item_id: (float(a.earned), float(a.possible)) for a in person.responses} for person in people]
    reference, difs = reference_group_and_item_dif(scores, [group_by_candidate[person.label] for person in people])
    if not difs:
        raise AnalysisNotPossibleError(
            f"no item has {MIN_RESPONSES_PER_GROUP} responses of each group; score more logs together"
        )
    write(rows_to_csv(("item", "group", "against", "delta", "error", "letter", "responses", "responses_against")))
    for dif in sorted(difs, key=lambda d: (-abs(d.ets_delta), d.item_id, d.focal_group_name)):
        sizes = (dif.reference_and_focal_response_counts[1], dif.reference_and_focal_response_counts[0])
        delta, error = PointsNumber(dif.ets_delta), PointsNumber(dif.ets_delta_standard_error)
        write(rows_to_csv((dif.item_id, dif.focal_group_name, reference, delta, error, dif.ets_class, *sizes)))


# A Parquet file, written by DuckDB, for questions in SQL. A million scored responses take a few megabytes, and a
# question (misconceptions by topic, accuracy by hour) is one query instead of a program.
DUCKDB_TYPE_BY_PARQUET_COLUMN = {
    "candidate": "VARCHAR", "session": "VARCHAR", "item": "VARCHAR", "topic": "VARCHAR", "kind": "VARCHAR",
    "outcome": "VARCHAR", "earned": "DOUBLE", "possible": "DOUBLE", "read_as": "VARCHAR", "diagnosis": "VARCHAR",
    "seconds": "DOUBLE", "at": "VARCHAR", "response": "VARCHAR",
}  # fmt: skip


def write_responses_as_parquet(report: Report, path: str) -> None:
    """Writes one row for each response that counts. Raises Unreadable if DuckDB or the folder is missing."""
    try:
        # Not imported by name: the extra may be absent, and its types are unreliable.
        duckdb: Any = import_module("duckdb")
    except ImportError:
        raise Unreadable("--format parquet needs DuckDB; install quizgen[duckdb]") from None
    try:
        with tempfile.TemporaryDirectory(prefix="quizgen-") as folder:
            rows, parquet = Path(folder) / "rows.json", Path(folder) / "rows.parquet"
            with open(rows, "w", encoding="ascii") as file:
                for person in report.read_candidates():
                    for one in person.responses:
                        kind, points = report.items_by_id[one.item_id].kind, (float(one.earned), float(one.possible))
                        item_cells = (person.name, one.session_id, one.item_id, one.topic, kind, one.outcome, *points)
                        score_cells = one.score.read_as, one.score.mistake_id
                        response_cells = one.seconds, one.answered_time_text, one.response_text
                        # DuckDB takes no half of a character in UTF-16.
                        cells = (
                            cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) else cell
                            for cell in (*item_cells, *score_cells, *response_cells)
                        )
                        file.write(json.dumps(dict(zip(DUCKDB_TYPE_BY_PARQUET_COLUMN, cells, strict=True))) + "\n")
            # For the same bytes on every machine: one thread, rows in their order.
            settings = {"threads": 1, "preserve_insertion_order": True, "memory_limit": "400MB"}
            with duckdb.connect(config=settings | {"temp_directory": folder}) as database:
                table = database.read_json(str(rows), columns=DUCKDB_TYPE_BY_PARQUET_COLUMN, format="newline_delimited")
                table.write_parquet(str(parquet), compression="zstd")
            with open_replacement_file(path) as file, open(parquet, "rb") as source:
                shutil.copyfileobj(source, file)
    except (OSError, duckdb.Error) as error:
        raise Unreadable(f"{path}: cannot be written ({error}); choose another file") from None


# The grade list of an exam, and the files that Moodle and Canvas import. An importer takes a blank for a change and an
# unknown name for a new candidate. So its file contains only final grades, of candidates whose id it cannot misread.

GRADEBOOK_COLUMNS = (
    "number", "id", "name", "form", "status", "raw", "possible", "late_seconds", "deduction", "final", "percent",
    "band", "grade", "source", "checks",
)  # fmt: skip


def attendance_with_grades(report: Report) -> list[tuple[Attendance, Grade | None]]:
    """All candidates on the roster or in the files, in the order of the roster; no grade if nothing was handed in."""
    if not (rows := report.attendance_by_id_or_name):
        return []
    persons = (person for person in report.read_candidates() if person.label in rows)
    grades = {person.label: report.grade_after_lateness_or_none(person) for person in persons}
    return [(row, grades.get(label) if not row.is_absent else None) for label, row in rows.items()]


def write_gradebook(report: Report, write: Callable[[str], None], only_off_roster: bool = False) -> None:
    """Writes a row for each candidate on the roster or, with `only_off_roster`, for each who is not on it. Without a
    roster, writes all candidates."""
    rows = attendance_with_grades(report)
    has_roster = any(row.roster_entry for row, _ in rows)
    write(rows_to_csv(GRADEBOOK_COLUMNS))
    for row, grade in rows:
        entry = row.roster_entry
        if has_roster and (entry is None) != only_off_roster:
            continue
        grade_cells: list[str | float | None] = [None] * 8
        if grade is not None:
            points = grade.final_points_unless_held
            percent = None if points is None or not grade.possible else round(100 * points / grade.possible, 2)
            facts = (grade.earned, grade.possible, row.late_seconds, grade.deducted_points, points, percent)
            numbers = (None if fact is None else PointsNumber(fact) for fact in facts)
            grade_cells = [*numbers, grade.band_name, grade.grade_name]
        name_cells = (entry.roster_number, entry.id, entry.name) if entry else (None, row.id_or_name, "")
        form = row.form_code or (entry.form_code if entry else "")
        checks = "; ".join((*row.unresolved_issues, *row.fact_sentences()))
        write(rows_to_csv((*name_cells, form, row.present_absent_or_held, *grade_cells, row.paper_or_screen, checks)))


def form_statistics_text_lines(report: Report) -> Iterator[str]:
    """Yields the figures of each form in words and, if forms have items in common, its scale to the first form."""
    for figures in report.form_figures:
        m = figures.moments
        line = f"form {figures.form_code}: {m.candidate_count:,} candidate{'s' * (m.candidate_count != 1)}, "
        line += f"mean {m.mean_points:.2f} points, SD {m.points_sd:.2f}"
        if m.anchor_points_sd:
            line += f"; items in common {m.mean_anchor_points:.2f}, SD {m.anchor_points_sd:.2f}"
        if figures.scale_to_first_form is not None:
            scale, first = figures.scale_to_first_form, report.form_figures[0].form_code
            error = "" if scale.error_of_mean is None else f" ± {scale.error_of_mean:.2f} (standard error)"
            line += f"; on the scale of {first}: {scale.slope:.4f} x {scale.intercept_points:+.3f} (Tucker),"
            line += f" its mean {scale.convert_points(m.mean_points):.2f}{error}"
        yield line
    minimum = MIN_RELIABLE_CANDIDATES_PER_FORM
    if any(figures.moments.candidate_count < minimum for figures in report.form_figures):
        yield f"fewer than {minimum} candidates on a form: look at the difference, do not grade by it"


def write_moodle_grades(report: Report, write: Callable[[str], None]) -> list[str]:
    """Writes the file for Moodle's Grades > Import > CSV, whose columns a person assigns there. Returns the labels of
    candidates who are left out."""
    labels = []
    write(rows_to_csv(("ID number", "Email address", "Grade", "Feedback")))
    for row, grade, points in _final_grade_rows(attendance_with_grades(report)):
        ident, email = (row.roster_entry.id, row.roster_entry.email) if row.roster_entry else ("", "")
        # An empty user cell would give the grade to the student of the previous row; a formula is no name.
        if not (ident or email) or (escape_cell(ident), escape_cell(email)) != (ident, email):
            labels.append(row.label)
            continue
        less = f", {up_to_2_decimals(grade.deducted_points)} off for lateness" if grade.deducted_points else ""
        names = ", ".join(filter(None, (grade.grade_name, grade.band_name)))
        feedback = f"{up_to_2_decimals(grade.earned)} of {up_to_2_decimals(grade.possible)}{less}. {names}".strip()
        write(rows_to_csv((ident, email, points, feedback)))
    return labels


def write_canvas_grades(report: Report, write: Callable[[str], None]) -> list[str]:
    """Writes the file for the import of Canvas's gradebook: the exam is a column with its title. Returns the labels of
    candidates who are left out."""
    labels = []
    rows = attendance_with_grades(report)
    possible = max((grade.possible for _, grade in rows if grade), default=ZERO)
    write(rows_to_csv(("Student", "ID", "SIS User ID", "SIS Login ID", "Section", printable(report.title))))
    write(rows_to_csv(("Points Possible", None, None, None, None, PointsNumber(possible))))
    for row, _, points in _final_grade_rows(rows):
        entry = row.roster_entry
        if entry is None or not entry.id or escape_cell(entry.id) != entry.id:
            labels.append(row.label)  # without an id the name would decide; a formula is no id
        else:
            write(rows_to_csv((entry.name, None, entry.id, None, None, points)))
    return labels


def _final_grade_rows(rows: list[tuple[Attendance, Grade | None]]) -> Iterator[tuple[Attendance, Grade, PointsNumber]]:
    """Yields each candidate whose grade is final, with the final points."""
    for row, grade in rows:
        if grade is not None and grade.final_points_unless_held is not None:
            yield row, grade, PointsNumber(grade.final_points_unless_held)
