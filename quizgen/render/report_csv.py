"""The report as CSV: one row for each response, a matrix of candidates and items, and doubtful responses for a person
to decide (`--review` writes them, `--marks` reads them). Numbers are written as numbers."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from types import SimpleNamespace

from quizgen.analysis.report import CandidateResult, Report
from quizgen.model import Score
from quizgen.scoring.response import ScoredResponse
from quizgen.source.problems import points_decimal, points_phrase
from quizgen.spreadsheet import escape_cell

RESPONSE_COLUMNS = (
    "candidate", "item", "topic", "outcome", "earned", "possible", "read_as", "diagnosis", "seconds",
    "session", "response", "say",
)  # fmt: skip

# Columns of an exam.
ATTENDANCE_COLUMNS = (
    "status", "late_seconds", "away_seconds", "clock_back_seconds", "reopened", "clock_forward_seconds",
)  # fmt: skip

CsvRow = Sequence[str | int | float | None]


def csv_line(values: CsvRow) -> str:
    """Cells as a line of CSV: `csv_line(["a;=b", None, 1.5])` is `a;'=b,,1.5` and a line end."""
    return csv_text_of_rows((values,))


def csv_text_of_rows(rows: Iterable[CsvRow]) -> str:
    """Rows of cells as lines of CSV."""
    lines: list[str] = []
    # With the longer line end the writer quotes both of its characters inside a cell.
    writer = csv.writer(SimpleNamespace(write=lines.append), lineterminator="\r\n")
    for values in rows:
        writer.writerow(["" if v is None else escape_cell(v) if isinstance(v, str) else v for v in values])
    return "".join([f"{line[:-2]}\n" for line in lines])


class PointsNumber(float):
    """A number printed like points: at most six decimals."""

    def __str__(self) -> str:
        return f"{float(self):.6f}".rstrip("0").rstrip(".")

    __repr__ = __str__


def write_response_rows(report: Report, write: Callable[[str], None]) -> None:
    """Writes a row for each response that counts, by candidate."""
    write(csv_line((*RESPONSE_COLUMNS, *ATTENDANCE_COLUMNS) if report.attendance else RESPONSE_COLUMNS))

    def candidate_rows(person: CandidateResult) -> str:
        row = report.attendance.get(person.label)
        sat: CsvRow = ()
        if row is not None:
            clock = (row.clock_back_seconds, row.reopened_count, row.clock_forward_seconds)
            sat = (row.status, *map(PointsNumber, (row.late_seconds, row.away_seconds, *clock)))
        return csv_text_of_rows(
            (
                person.name or "",
                one.item_id,
                one.topic,
                one.outcome,
                PointsNumber(one.earned),
                PointsNumber(one.possible),
                one.score.read_as,
                one.mistake_id,
                None if one.seconds is None else PointsNumber(one.seconds),
                one.session,
                one.response_text,
                " ".join(one.score.remarks),
                *sat,
            )
            for one in person.responses
        )

    for text in report.map_candidates(candidate_rows):
        write(text)


def write_score_matrix(report: Report, write: Callable[[str], None]) -> None:
    """Writes a row for each candidate and a column for each item with the share of its points, empty without a
    response.

    For IRT tools. If several responses count (`--attempt all`), the last one is written."""
    items = [item.item for item in report.statistics.item_statistics]
    write(csv_line(("candidate", *items)))

    def candidate_row(person: CandidateResult) -> str:
        shares = {a.item_id: a.earned / a.possible for a in person.responses if a.possible}
        return csv_line((person.label, *(PointsNumber(shares[i]) if i in shares else None for i in items)))

    for text in report.map_candidates(candidate_row):
        write(text)


# Share of the points, at least one point: a candidate this near to a cut is reviewed.
NEAR_CUT_POINT_SHARE = Fraction(2, 100)
REVIEW_COLUMNS = ("candidate", "item", "criterion", "earned", "possible", "now", "why", "response", "reason")


def write_review_rows(report: Report, write: Callable[[str], None]) -> None:
    """Writes the responses that a person should see, the most doubtful first: unreadable, contradicted, unlike the
    reference, hedged, or near a cut."""
    write(csv_line(REVIEW_COLUMNS))
    starts = [*(band.min_share for band in report.bands), report.pass_share]
    cuts = sorted({start for start in starts if start})
    doubtful: list[tuple[int, str, CsvRow]] = []
    for person in report.read_candidates():
        near = _near_cut_reason(person, cuts)
        for one in person.responses:
            reasons = list(review_reason_rows(one))
            # Only partly met phrases are a matter of judgement; an option or a number is not.
            if near and not reasons and one.outcome == "partial" and len(one.score.marks) > 1:
                reasons.append((4, "", points_decimal(one.earned), points_decimal(one.possible), near))
            for order, criterion, now, possible, why in reasons:
                row = (person.name or "", one.item_id, criterion, None, possible, now, why, one.response_text, None)
                doubtful.append((order, f"{person.table_key}\0{one.item_id}", row))
    write(csv_text_of_rows(row for _, _, row in sorted(doubtful, key=lambda d: d[:2])))


def write_least_sure_rows(report: Report, write: Callable[[str], None], share: float) -> None:
    """Writes the `share` of responses to text items of which the scorer is least sure, a row for each criterion."""
    write(csv_line(REVIEW_COLUMNS))
    rated = [
        (sure, person.table_key, one.item_id, person.name or "", one)
        for person in report.read_candidates()
        for one in person.responses
        if (sure := _mean_mark_certainty(one.score)) is not None
    ]
    rated.sort(key=lambda row: row[:3])
    for sure, _, item, name, one in rated[: round(len(rated) * share)]:
        for mark in one.score.marks:
            if mark.certainty is not None:
                now, possible = points_decimal(mark.earned), points_decimal(mark.possible)
                why = f"{mark.certainty:.0%} sure, the whole {sure:.0%}: {mark.status}, {mark.because}"
                write(csv_line((name, item, mark.criterion, None, possible, now, why, one.response_text, None)))


def _mean_mark_certainty(score: Score) -> float | None:
    """The chance that a person would agree with the marks, averaged by points; None if nothing needs judgement."""
    marks = [(m.possible, m.certainty) for m in score.marks if m.certainty is not None]
    possible = float(sum(points for points, _ in marks))
    return sum(float(points) * sure for points, sure in marks) / possible if possible else None


def review_reason_rows(response: ScoredResponse) -> Iterator[tuple[int, str, str, str, str]]:
    """Yields (order, criterion, points now, possible points, reason) for each reason to look at a response."""
    score = response.score
    now, possible = points_decimal(response.earned), points_decimal(response.possible)
    if response.outcome == "unreadable":
        yield 0, "", now, possible, "unreadable to the program; read it yourself"
    told = [m for m in score.marks if m.status in ("contradicted", "hedged")]
    for mark in told:
        order = 1 if mark.status == "contradicted" else 3
        because = f"{mark.status}: {mark.because}"
        yield order, mark.criterion, points_decimal(mark.earned), points_decimal(mark.possible), because
    for why in score.review_reasons:
        if why not in {m.status for m in told}:
            yield 2, "", now, possible, why


def _near_cut_reason(person: CandidateResult, cuts: list[Fraction]) -> str:
    """The name of a cut that the candidate is close to; empty if there is none."""
    margin = max(Fraction(1), NEAR_CUT_POINT_SHARE * person.possible)
    for cut in cuts:
        gap = person.earned - cut * person.possible
        if abs(gap) <= margin:
            apart = points_phrase(abs(gap))
            side = f"{apart} {'above' if gap > 0 else 'below'}" if gap else "exactly at"
            return f"near a cut: the candidate is {side} the {float(cut):.0%} cut"
    return ""
