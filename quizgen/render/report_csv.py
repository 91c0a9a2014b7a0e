"""The report as CSV: one row per response, and a matrix of candidates and items. Our numbers are written as numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from quizgen.analysis.report import Person, Report
from quizgen.scoring.response import ScoredResponse
from quizgen.spreadsheet import cell

if TYPE_CHECKING:  # most logs are of no exam
    from quizgen.analysis.attendance import Attendance

COLUMNS = (
    "candidate", "item", "topic", "outcome", "earned", "possible", "read_as", "diagnosis", "seconds",
    "session", "response", "say",
)  # fmt: skip

# Of an exam.
SAT = ("status", "late_seconds", "away_seconds", "clock_back_seconds", "reopened", "clock_forward_seconds")


Row = Sequence[str | int | float | None]


def row_of(values: Row) -> str:
    """A row of cells as a line of CSV: `row_of(["a;=b", None, 1.5])` is `a;'=b,,1.5` and a line end."""
    return rows_of((values,))


def rows_of(rows: Iterable[Row]) -> str:
    """Rows of cells as lines of CSV."""
    out = io.StringIO()
    # With the longer line end the writer quotes both of its characters inside a cell.
    writer = csv.writer(out, lineterminator="\r\n")
    lines = []
    for values in rows:
        writer.writerow(["" if v is None else cell(v) if isinstance(v, str) else v for v in values])
        lines.append(out.getvalue()[:-2])
        out.seek(0)
        out.truncate()
    return "".join([f"{line}\n" for line in lines])


def _sat(row: Attendance) -> Row:
    """The cells of SAT."""
    return row.status, Points(row.late), Points(row.away), Points(row.back), row.restores, Points(row.forward)


class Points(float):
    """A number that is printed as points are: no more than six decimals."""

    def __str__(self) -> str:
        return f"{float(self):.6f}".rstrip("0").rstrip(".")

    __repr__ = __str__


def csv_rows(report: Report, write: Callable[[str], None]) -> None:
    """A row for each response that counts, by candidate."""
    write(row_of((*COLUMNS, *SAT) if report.attendance else COLUMNS))

    def rows(person: Person) -> str:
        row = report.attendance.get(person.label)
        sat = _sat(row) if row else ()
        return rows_of((*_response(person, one), *sat) for one in person.answered)

    for text in report.each(rows):
        write(text)


def _response(person: Person, one: ScoredResponse) -> Row:
    score = one.score
    return (
        person.name or "",
        one.item,
        one.topic,
        one.outcome,
        Points(one.earned),
        Points(one.possible),
        score.read_as,
        one.diagnosis,
        None if one.seconds is None else Points(one.seconds),
        one.session,
        one.given,
        " ".join(score.say),
    )


def matrix_rows(report: Report, write: Callable[[str], None]) -> None:
    """One row per candidate, one column per item: the share of its points; empty where there is no response.

    For IRT tools; several responses that count (`--attempt all`) leave the last one.
    """
    items = [item.item for item in report.statistics.items]
    write(row_of(("candidate", *items)))

    def row(person: Person) -> str:
        shares = {a.item: a.earned / a.possible for a in person.answered if a.possible}
        return row_of((person.label, *(Points(shares[i]) if i in shares else None for i in items)))

    for text in report.each(row):
        write(text)
