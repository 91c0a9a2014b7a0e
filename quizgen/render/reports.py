"""The formats of a report: `REPORTS` is the one list. Each writes a report piece by piece."""

from __future__ import annotations

from collections.abc import Callable

from quizgen.analysis.report import Report
from quizgen.render.gradebook import gradebook
from quizgen.render.report_csv import csv_rows, matrix_rows
from quizgen.render.report_json import json_report
from quizgen.render.report_review import review_rows
from quizgen.render.report_statistics import irt_report
from quizgen.render.report_text import text_report
from quizgen.render.report_xapi import statements

Write = Callable[[str], None]


def _html(report: Report, write: Write) -> None:
    from quizgen.render.report_html import html_report

    html_report(report, write)


def _integrity(report: Report, write: Write) -> None:
    from quizgen.render.report_statistics import integrity_page

    integrity_page(report, write)


REPORTS: dict[str, Callable[[Report, Write], None]] = {
    "text": text_report,
    "json": json_report,
    "csv": csv_rows,
    "gradebook": gradebook,
    "html": _html,
    "integrity": _integrity,
    "irt": irt_report,
    "matrix": matrix_rows,
    "review": review_rows,
    "xapi": statements,
}
