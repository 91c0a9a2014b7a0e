"""Scored responses as a Parquet file, written by DuckDB, for questions in SQL. A million scored responses take a few
megabytes, and a question (misconceptions by topic, accuracy by hour) is one query instead of a program."""

from __future__ import annotations

import json
import shutil
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from quizgen.analysis.report import Report
from quizgen.atomic_write import open_replacement_file
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
                        cells = (
                            person.name,
                            one.session,
                            one.item_id,
                            one.topic,
                            report.items_by_id[one.item_id].kind,
                            one.outcome,
                            float(one.earned),
                            float(one.possible),
                            one.score.read_as,
                            one.mistake_id,
                            one.seconds,
                            one.answered_at,
                            one.response_text,
                        )
                        # DuckDB takes no half of a character in UTF-16.
                        safe = (
                            cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) else cell
                            for cell in cells
                        )
                        file.write(json.dumps(dict(zip(PARQUET_COLUMN_TYPES, safe, strict=True))) + "\n")
            # For the same bytes on every machine: one thread, rows in their order.
            settings = {"threads": 1, "preserve_insertion_order": True, "memory_limit": "400MB"}
            with duckdb.connect(config=settings | {"temp_directory": folder}) as database:
                table = database.read_json(str(rows), columns=PARQUET_COLUMN_TYPES, format="newline_delimited")
                table.write_parquet(str(made), compression="zstd")
            with open_replacement_file(path) as file, open(made, "rb") as done:
                shutil.copyfileobj(done, file)
    except (OSError, duckdb.Error) as error:
        raise Unreadable(f"{path}: cannot be written ({error}); choose another file") from None
