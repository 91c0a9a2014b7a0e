"""The report as CSV: a row a response, a matrix of candidates and items, and cells that stay data.

A spreadsheet computes a cell that begins like a formula, so such a text gets one apostrophe in
front (CWE-1236); `intake.exams.typed` takes it off again. Numbers of ours are written as numbers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

from quizgen.analysis.report import Answered, Person, Report

# Characters that make a cell a formula, here or in a spreadsheet of another language.
STARTS = frozenset("=+-@|%'\t\r\n\0＝＋－＠")

COLUMNS = (
    "candidate", "item", "topic", "outcome", "earned", "possible", "read_as", "diagnosis", "seconds",
    "session", "response", "say",
)  # fmt: skip


def cell(text: str) -> str:
    """Text as a cell that no spreadsheet computes."""
    text = text.replace("\0", "\ufffd").encode("utf-8", "backslashreplace").decode()
    return "'" + text if text.lstrip(" \u00a0\u200b\ufeff")[:1] in STARTS and text.strip() else text


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
    write(row_of(COLUMNS))
    for person in report.people():
        for one in person.answered:
            write(row_of(_response(person, one)))


def _response(person: Person, one: Answered) -> Sequence[str | int | float | None]:
    score = one.score
    response = one.response if isinstance(one.response, str) else "; ".join(one.response or ())
    return (
        person.name or "",
        one.item,
        one.topic,
        one.outcome,
        Points(one.earned),
        Points(one.possible),
        score.read_as if score else None,
        one.diagnosis,
        None if one.seconds is None else Points(one.seconds),
        one.session,
        response,
        " ".join(score.say) if score else None,
    )


def matrix_rows(report: Report, write: Callable[[str], None]) -> None:
    """A row a candidate, a column an item: the share of its points; empty where there is no response.

    For IRT tools; several responses that count (`--attempt all`) leave the last one.
    """
    items = [item.item for item in report.items]
    write(row_of(("candidate", *items)))
    for person in report.people():
        shares = {a.item: a.earned / a.possible for a in person.answered if a.possible}
        write(row_of((person.label, *(Points(shares[i]) if i in shares else None for i in items))))
