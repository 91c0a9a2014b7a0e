"""The report as CSV: a row a response, and a matrix of candidates and items. Numbers of ours are written as numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

from quizgen.analysis.report import Person, Report
from quizgen.csv_cells import cell
from quizgen.scoring.response import ScoredResponse

COLUMNS = (
    "candidate", "item", "topic", "outcome", "earned", "possible", "read_as", "diagnosis", "seconds",
    "session", "response", "say",
)  # fmt: skip

SAT = ("status", "late_seconds", "away_seconds", "clock_back_seconds", "reopened")  # of an exam


def row_of(values: Sequence[str | int | float | None]) -> str:
    out = io.StringIO()
    # With the longer line end the writer quotes both of its characters inside a cell.
    csv.writer(out, lineterminator="\r\n").writerow(
        ["" if v is None else cell(v) if isinstance(v, str) else v for v in values]
    )
    return out.getvalue()[:-2] + "\n"


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
        sat = (row.status, Points(row.late), Points(row.away), Points(row.back), row.restores) if row else ()
        return "".join([row_of((*_response(person, one), *sat)) for one in person.answered])

    for text in report.each(rows):
        write(text)


def _response(person: Person, one: ScoredResponse) -> Sequence[str | int | float | None]:
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
    """A row a candidate, a column an item: the share of its points; empty where there is no response.

    For IRT tools; several responses that count (`--attempt all`) leave the last one.
    """
    items = [item.item for item in report.items]
    write(row_of(("candidate", *items)))

    def row(person: Person) -> str:
        shares = {a.item: a.earned / a.possible for a in person.answered if a.possible}
        return row_of((person.label, *(Points(shares[i]) if i in shares else None for i in items)))

    for text in report.each(row):
        write(text)
