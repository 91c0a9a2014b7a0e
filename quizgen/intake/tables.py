"""Sheets that a person fills in, as a spreadsheet saves them: CSV in UTF-8, by comma, semicolon or tab."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from quizgen.csv_cells import separator
from quizgen.intake.sources import SUFFIXES
from quizgen.source.problems import Unreadable

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
    names = _names(path)
    if names is None or is_long(path):
        return False
    return path.lower().endswith((".csv", ".tsv")) or (len(names) > 1 and "candidate" in names)


def is_long(path: str) -> bool:
    """A table with a row for each response, by the columns that its head names."""
    names = _names(path)
    return names is not None and "item" in names and "response" in names


def _names(path: str) -> list[str] | None:
    """What the first line names; None where it is no table's head."""
    if path == "-" or path.endswith((*SUFFIXES, ".json", ".parquet")):
        return None
    try:
        with open(path, "rb") as file:
            head = file.readline(4096).decode("utf-8-sig", "replace").strip()
    except OSError:
        return None
    return None if head.startswith("{") else [name.strip(' "').lower() for name in re.split("[,;\t]", head)]
