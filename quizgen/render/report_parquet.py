"""Scored responses as a Parquet file, written by DuckDB, for questions in SQL. A million scored responses take a few
megabytes, and a question (misconceptions by topic, accuracy by hour) is one query instead of a program."""

from __future__ import annotations

import json
import shutil
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from quizgen.analysis.report import CandidateResult, Report
from quizgen.atomic_write import open_replacement_file
from quizgen.scoring.response import ScoredResponse
from quizgen.source.problems import Unreadable

PARQUET_COLUMN_TYPES = {
    "candidate": "VARCHAR", "session": "VARCHAR", "item": "VARCHAR", "topic": "VARCHAR", "kind": "VARCHAR",
    "outcome": "VARCHAR", "earned": "DOUBLE", "possible": "DOUBLE", "read_as": "VARCHAR", "diagnosis": "VARCHAR",
    "seconds": "DOUBLE", "at": "VARCHAR", "response": "VARCHAR",
}  # fmt: skip


def write_parquet_report(report: Report, path: str) -> None:
    """Writes one row for each response that counts. Raises Unreadable if DuckDB or the folder is missing."""
    try:
        # Not imported by name: the extra may be absent, and its types are unreliable.
        duckdb: Any = import_module("duckdb")
    except ImportError:
        raise Unreadable("--format parquet needs DuckDB; install quizgen[duckdb]") from None
    try:
        with tempfile.TemporaryDirectory(prefix="quizgen-") as folder:
            rows, made = Path(folder) / "rows.json", Path(folder) / "rows.parquet"
            with open(rows, "w", encoding="ascii") as file:
                for person in report.read_candidates():
                    for one in person.responses:
                        file.write(json.dumps(_response_row(report, person, one)) + "\n")
            # For the same bytes on every machine: one thread, rows in their order.
            settings = {
                "threads": 1,
                "preserve_insertion_order": True,
                "memory_limit": "400MB",
                "temp_directory": folder,
            }
            with duckdb.connect(config=settings) as database:
                table = database.read_json(str(rows), columns=PARQUET_COLUMN_TYPES, format="newline_delimited")
                table.write_parquet(str(made), compression="zstd")
            with open_replacement_file(path) as file, open(made, "rb") as done:
                shutil.copyfileobj(done, file)
    except (OSError, duckdb.Error) as error:
        raise Unreadable(f"{path}: cannot be written ({error}); choose another file") from None


def _response_row(report: Report, person: CandidateResult, response: ScoredResponse) -> dict[str, object]:
    return {
        "candidate": _utf8_encodable_text(person.name),
        "session": _utf8_encodable_text(response.session),
        "item": response.item_id,
        "topic": response.topic,
        "kind": report.items[response.item_id].kind,
        "outcome": response.outcome,
        "earned": float(response.earned),
        "possible": float(response.possible),
        "read_as": _utf8_encodable_text(response.score.read_as),
        "diagnosis": response.mistake_id,
        "seconds": response.seconds,
        "at": response.answered_at,
        "response": _utf8_encodable_text(response.response_text),
    }


def _utf8_encodable_text(text: str | None) -> str | None:
    """The text with characters replaced that UTF-8 cannot encode."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode()
