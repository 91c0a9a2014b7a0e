"""Tables that people fill in or other programs write: CSV sheets, long tables of responses, Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from quizgen.csv_cells import separator, typed
from quizgen.scoring.log_files import LOG_SUFFIXES, Block, blocks
from quizgen.source.problems import Unreadable, read_number

MAX_FILE = 64 << 20


def bytes_of(path: str, why: str = "", most: int = MAX_FILE) -> bytes:
    """What a file holds. Unreadable where it cannot be read, or holds more than `most`, which `why` goes on."""
    try:
        if Path(path).stat().st_size > most:
            raise Unreadable(f"{path}: larger than {most >> 20} MiB{why}")
        return Path(path).read_bytes()
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read ({error.strerror or error}); check its name") from None


def table(path: str, what: str, called: str = "sheet") -> Iterator[tuple[int, list[str]]]:
    """The rows of a sheet, the head first, each with the line on which it ends. Unreadable says why not."""
    try:
        text = bytes_of(path, f", too large for {what}").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(f"{path}: not UTF-8; save the sheet as CSV in UTF-8") from None
    rows = csv.reader(io.StringIO(text.replace("\0", "\ufffd"), newline=""), delimiter=separator(text))
    try:
        for row in rows:
            yield rows.line_num, row
    except csv.Error as error:
        raise Unreadable(f"{path}: not a CSV {called} ({error}); save it as CSV in UTF-8") from None


def names_of(rows: Iterator[tuple[int, list[str]]]) -> list[str]:
    """The names in the head of a sheet."""
    return [name.strip().lower() for name in next(rows, (0, []))[1]]


def is_table(path: str) -> bool:
    """A sheet given as a log, by its name or by its head: names between marks, one of them the candidate."""
    names = _head_names(path)
    if names is None or is_long(path):
        return False
    return path.lower().endswith((".csv", ".tsv")) or (len(names) > 1 and "candidate" in names)


def is_long(path: str) -> bool:
    """A table with a row for each response, by the columns that its head names."""
    names = _head_names(path)
    return names is not None and "item" in names and "response" in names


def _head_names(path: str) -> list[str] | None:
    """What the first line names; None where it is no table's head."""
    if path == "-" or path.endswith((*LOG_SUFFIXES, ".json", ".parquet")):
        return None
    try:
        with open(path, "rb") as file:
            head = file.readline(4096).decode("utf-8-sig", "replace").strip()
    except OSError:
        return None
    return None if head.startswith("{") else [name.strip(' "').lower() for name in re.split("[,;\t]", head)]


# Responses as a long table, a row each: CSV with the columns candidate, item, response, and Parquet.


NUMBERS = ("seconds", "points", "hints")
ROWS = 500  # of a block


def is_parquet(path: str) -> bool:
    return path.lower().endswith(".parquet")


def rows_of(source: int, path: str) -> Iterator[Block]:
    """The rows of a CSV as lines of a log; a column may be any field of a response line."""
    rows = table(path, "a table of responses", "table")
    lines: list[str] = []
    numbers: list[int] = []
    names = names_of(rows)
    for place, row in rows:
        record = {name: typed(cell) for name, cell in zip(names, row, strict=False) if name and cell != ""}
        if not record:
            continue
        found: dict[str, object] = {"response": "", **record}
        for name in NUMBERS:
            number = read_number(record[name]) if name in record else None
            if number is not None:
                found[name] = int(number) if number.denominator == 1 else float(number)
        lines.append(json.dumps(found))
        numbers.append(place)
        if len(lines) >= ROWS:
            yield _block(source, lines, numbers)
            lines, numbers = [], []
    if lines:
        yield _block(source, lines, numbers)


def _block(source: int, lines: list[str], numbers: list[int]) -> Block:
    data = "\n".join(lines).encode()
    return Block(source, numbers[0], len(data), data, numbers=tuple(numbers))


def parquet_of(source: int, path: str) -> Iterator[Block]:
    """The rows of a Parquet file as lines of a log, by DuckDB; line 1 is the first row."""
    try:
        # Not imported by name: the extra may be absent, and it has no types that can be relied on.
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
            raise Unreadable(f"{path}: not a Parquet file that can be read ({str(error).splitlines()[0]})") from None
        yield from blocks(source, made, in_place=False)
