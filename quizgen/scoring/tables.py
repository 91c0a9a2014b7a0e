"""Reads tables that people fill in or other programs write: CSV sheets, tables of responses, Parquet."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from quizgen.scoring.log_files import LOG_SUFFIXES, LogBlock, fault_block, is_exam_page_answers_file, read_blocks
from quizgen.scoring.log_lines import BadInput, parse_line
from quizgen.source.problems import Unreadable, read_number
from quizgen.spreadsheet import read_sheet_rows, unescape_cell

MAX_TABLE_BYTES = 64 << 20
TOO_MANY_CELLS_MESSAGE = "more cells than columns; put a cell with a comma in quotes"


def read_small_file(path: str, hint: str = "", max_bytes: int = MAX_TABLE_BYTES) -> bytes:
    """The bytes of a file. Raises Unreadable if it cannot be read or has over `max_bytes` bytes; `hint` ends the second
    message."""
    try:
        if Path(path).stat().st_size > max_bytes:
            raise Unreadable(f"{path}: larger than {max_bytes >> 20} MiB{hint}")
        return Path(path).read_bytes()
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read ({error.strerror or error}); check its name") from None


def read_sheet(path: str, content_description: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows of a CSV or XLSX sheet, heading first, each with the number of its last line. Raises
    Unreadable."""
    try:
        yield from read_sheet_rows(read_small_file(path, f", too large for {content_description}"), path)
    except UnicodeDecodeError:
        raise Unreadable(f"{path}: not UTF-8; save the sheet as CSV in UTF-8") from None


def take_column_names(rows: Iterator[tuple[int, list[str]]]) -> list[str]:
    """The column names in the first row of a sheet, in lower case."""
    return [name.strip().lower() for name in next(rows, (0, []))[1]]


def has_row_per_candidate(path: str) -> bool:
    """Whether the first line of a file has the columns of an exam's table of answers, with one row per candidate."""
    names = _column_names(path)
    return len(names) > 1 and "candidate" in names and "item" not in names


def has_row_per_response(path: str) -> bool:
    """Whether the first line of a file has the columns of a table with one row per response."""
    return {"item", "response"} <= set(_column_names(path))


def is_foreign_table(path: str, has_renamed_columns: bool = False) -> bool:
    """Whether a file is a table of another system: its name is that of a table, and its columns do not have our names
    or the user has `has_renamed_columns` some."""
    is_table = path.lower().endswith((".csv", ".tsv", ".xlsx"))
    return is_table and (has_renamed_columns or not (has_row_per_candidate(path) or has_row_per_response(path)))


def find_manifest_path(files: Iterable[str]) -> str | None:
    """The path of the manifest in the folder of the answers files and sheets; None unless there is exactly one."""
    folders = {Path(name).parent for name in files if is_exam_page_answers_file(name) or has_row_per_candidate(name)}
    places = [place for folder in sorted(folders) if (place := folder / "manifest.json").is_file()]
    return str(places[0]) if len(places) == 1 else None


def _column_names(path: str) -> list[str]:
    """The column names in the first line of a file; empty if it is no table."""
    if path == "-" or path.endswith((*LOG_SUFFIXES, ".json", ".parquet")):
        return []
    try:
        if path.lower().endswith(".xlsx"):
            return take_column_names(read_sheet(path, "a log"))
        with open(path, "rb") as file:
            head = file.readline(4096).decode("utf-8-sig", "replace").strip()
    except OSError:
        return []
    return [] if head.startswith("{") else [name.strip(' "').lower() for name in re.split("[,;\t]", head)]


# Responses as a long table: CSV with the columns candidate, item, response, or Parquet.


NUMBER_COLUMNS = {"seconds", "points", "hints"}
ROWS_PER_BLOCK = 500  # rows of a block


def log_blocks_of_response_table(source: int, path: str) -> Iterator[LogBlock]:
    """Yields the rows of a CSV as log lines; any field of a response line may be a column."""
    rows = read_sheet(path, "a table of responses")
    lines: list[tuple[int, dict[str, object]]] = []
    names = take_column_names(rows)
    for place, row in rows:
        if any(row[len(names) :]):
            yield fault_block(source, place, TOO_MANY_CELLS_MESSAGE)
            continue
        record: dict[str, Any] = {
            name: unescape_cell(cell) for name, cell in zip(names, row, strict=False) if name and cell != ""
        }
        if not record:
            continue
        for name in NUMBER_COLUMNS & record.keys():
            if (number := read_number(record[name])) is not None:
                record[name] = int(number) if number.denominator == 1 else float(number)
        with suppress(BadInput):
            record |= {"given": parse_line(record["given"])} if "given" in record else {}
        lines.append((place, {"response": "", **record}))
        if len(lines) >= ROWS_PER_BLOCK:
            yield log_block_of_lines(source, lines)
            lines = []
    if lines:
        yield log_block_of_lines(source, lines)


def log_block_of_lines(source: int, lines: Sequence[tuple[int, Mapping[str, object]]], first: int = 0) -> LogBlock:
    """Lines that were made from another source as one block; each has its number in that source."""
    data = "\n".join(json.dumps(line) for _, line in lines).encode()
    numbers = tuple(number for number, _ in lines)
    return LogBlock(source, first or numbers[0], len(data), data, line_numbers=numbers)


def log_blocks_of_parquet(source: int, path: str) -> Iterator[LogBlock]:
    """Yields the rows of a Parquet file as log lines, read by DuckDB; line 1 is the first row. Raises Unreadable."""
    try:
        # Not imported by name: the extra may be absent, and its types are unreliable.
        duckdb: Any = import_module("duckdb")
    except ImportError:
        raise Unreadable(f"{path}: reading Parquet needs DuckDB; install quizgen[duckdb]") from None
    with tempfile.TemporaryDirectory(prefix="quizgen-") as folder:
        made = str(Path(folder) / "rows.json")
        quoted = [text.replace("'", "''") for text in (path, made)]
        try:
            with duckdb.connect() as database:
                database.execute("SET preserve_insertion_order = true; SET memory_limit = '400MB'")
                database.execute(f"COPY (SELECT * FROM read_parquet('{quoted[0]}')) TO '{quoted[1]}' (FORMAT json)")
        except duckdb.Error as error:
            raise Unreadable(f"{path}: not a readable Parquet file ({str(error).splitlines()[0]})") from None
        yield from read_blocks(source, made, may_leave_lines_in_file=False)
