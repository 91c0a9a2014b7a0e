"""Tables that people fill in or other programs write: CSV sheets, long tables of responses, Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from quizgen.scoring.log_files import LOG_SUFFIXES, Block, blocks, is_answers
from quizgen.source.problems import Unreadable, read_number
from quizgen.spreadsheet import separator, typed

MAX_FILE = 64 << 20


def bytes_of(path: str, why: str = "", most: int = MAX_FILE) -> bytes:
    """What a file holds. Unreadable where it cannot be read, or holds more than `most`, which `why` goes on."""
    try:
        if Path(path).stat().st_size > most:
            raise Unreadable(f"{path}: larger than {most >> 20} MiB{why}")
        return Path(path).read_bytes()
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read ({error.strerror or error}); check its name") from None


def table(path: str, what: str, called: str = "sheet", encoding: str = "") -> Iterator[tuple[int, list[str]]]:
    """The rows of a sheet, CSV or XLSX, head first, each with the line on which it ends. Unreadable says why not."""
    from quizgen.spreadsheet import NotASheet, text_of

    try:
        text = text_of(bytes_of(path, f", too large for {what}"), encoding)
    except UnicodeDecodeError:
        raise Unreadable(f"{path}: not UTF-8; save the sheet as CSV in UTF-8") from None
    except NotASheet as error:
        raise Unreadable(f"{path}: {error}") from None
    yield from rows_in(text, path, called)


def rows_in(text: str, path: str, called: str = "sheet") -> Iterator[tuple[int, list[str]]]:
    """The rows of the text of a CSV, each with the line on which it ends. Raises Unreadable."""
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
    """A sheet of ours given as a log, by its head: names between marks, one of them the candidate."""
    names = _head_names(path)
    return names is not None and len(names) > 1 and "candidate" in names and not is_long(path)


def is_foreign(path: str, renamed: bool = False) -> bool:
    """A table by its name that is none of ours by its head, or whose columns the command has `renamed`."""
    ours = not renamed and (is_table(path) or is_long(path))
    return path.lower().endswith((".csv", ".tsv", ".xlsx")) and not ours


def is_long(path: str) -> bool:
    """A table with a row for each response, by the columns that its head names."""
    names = _head_names(path)
    return names is not None and "item" in names and "response" in names


def manifest_beside(files: Iterable[str]) -> str | None:
    """The manifest in the folder of the answers files and sheets; None where there is none, or several."""
    folders = {Path(name).parent for name in files if is_answers(name) or is_table(name)}
    places = [place for folder in sorted(folders) if (place := folder / "manifest.json").is_file()]
    return str(places[0]) if len(places) == 1 else None


def _head_names(path: str) -> list[str] | None:
    """What the first line names; None where it is not a table's head."""
    if path == "-" or path.endswith((*LOG_SUFFIXES, ".json", ".parquet")):
        return None
    try:
        if path.lower().endswith(".xlsx"):
            return names_of(table(path, "a log"))
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
    lines: list[tuple[int, dict[str, object]]] = []
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
        lines.append((place, found))
        if len(lines) >= ROWS:
            yield block_of_lines(source, lines)
            lines = []
    if lines:
        yield block_of_lines(source, lines)


def block_of_lines(source: int, lines: Sequence[tuple[int, Mapping[str, object]]], first: int = 0) -> Block:
    """Lines that were made of something else, each with its number there, as one block."""
    data = "\n".join(json.dumps(line) for _, line in lines).encode()
    numbers = tuple(number for number, _ in lines)
    return Block(source, first or numbers[0], len(data), data, numbers=numbers)


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
