"""Forms, keys, debriefs and reports as pages and as lines of text. Nothing here depends on a kind of item.

`WRITER_MODULE_AND_FUNCTION_BY_FORMAT` lists the formats of a report; each format writes piece by piece, and is imported
when it is used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizgen.analysis.report import Report

ReportWriter = Callable[["Report", Callable[[str], None]], None]

WRITER_MODULE_AND_FUNCTION_BY_FORMAT = {
    "text": ("report_text", "write_text_report"),
    "json": ("report_json", "write_json_report"),
    "csv": ("report_csv", "write_response_rows"),
    "html": ("report_html", "write_html_report"),
    "matrix": ("report_csv", "write_points_share_matrix"),
    "gradebook": ("report_csv", "write_gradebook"),
    "integrity": ("report_html", "write_academic_integrity_page"),
    "irt": ("report_json", "write_irt_report"),
    "review": ("report_csv", "write_review_rows"),
    "xapi": ("report_json", "write_xapi_statements"),
}


def report_writer(format_name: str) -> ReportWriter:
    """The function that writes a report in the format `format_name`."""
    module, function = WRITER_MODULE_AND_FUNCTION_BY_FORMAT[format_name]
    writer: ReportWriter = getattr(import_module(f"quizgen.render.{module}"), function)
    return writer
