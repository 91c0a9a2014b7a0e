"""Sheets as spreadsheet programs have them: CSV in some encoding, or XLSX, read within limits as one text of CSV; and
XLSX written."""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any
from xml.etree.ElementTree import ParseError

from quizgen.atomic_write import Output, write_whole
from quizgen.source.problems import Unreadable, printable

MAX_BYTES = 64 << 20  # of a workbook, unpacked
MAX_NODES = 1_000_000  # opening and closing tags, and attributes, of one part of it
MOST_ROWS = 1_048_576  # that a sheet can have
MAX_CELL = 32_767  # characters that a cell can have
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,6})?")
MOST_CELLS = 2_000_000  # of one sheet, with the empty ones before the last of each row

Rows = list[tuple[int, list[str]]]


class NotASheet(ValueError):
    """A workbook that cannot be read; the message says why and what to do."""


def text_of(data: bytes, encoding: str = "") -> str:
    """A sheet as the text of a CSV: of a workbook its first sheet with anything in it, each row on the line of its
    number. Without an `encoding` it is UTF-8, or UTF-16 with its mark. Raises NotASheet and UnicodeDecodeError."""
    if not (data[:4] == b"PK\x03\x04" and b"xl/" in data):
        utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        return data.decode(encoding or ("utf-16" if utf16 else "utf-8-sig"))
    rows = next(filter(None, workbook(data).values()), [])
    out = io.StringIO(newline="")
    sheet = csv.writer(out, lineterminator="\n")
    line = 1
    for number, row in rows:
        out.write("\n" * (number - line))  # of empty rows; where a cell had line ends, nothing
        sheet.writerow(row)
        line = max(number, line) + 1 + sum(cell.count("\n") for cell in row)
    return out.getvalue()


def written(rows: Iterable[Sequence[str]]) -> bytes:
    """A workbook of one sheet; numbers are numbers, unless they would lose a digit or a zero. Raises NotASheet."""
    out = io.BytesIO()
    try:
        book = import_module("xlsxwriter").Workbook(out, {"in_memory": True, "strings_to_formulas": False})
    except ImportError:
        raise NotASheet("writing a workbook needs xlsxwriter; install quizgen[xlsx], or write a CSV") from None
    sheet = book.add_worksheet()
    for place, row in enumerate(rows):
        if place >= MOST_ROWS:
            raise NotASheet(f"a workbook holds {MOST_ROWS:,} rows, and there are more; write a CSV")
        for column, text in enumerate(row):
            if _NUMBER.fullmatch(text):
                sheet.write_number(place, column, float(text))
            elif text:
                sheet.write_string(place, column, typed(text)[:MAX_CELL])
    book.close()
    return out.getvalue()


@contextmanager
def sheet_output(name: str, delimiter: str = "") -> Iterator[Callable[[str], None]]:
    """`atomic_write.Output` for lines of CSV: a name that ends in .xlsx makes a workbook of them, a `delimiter` a
    CSV as spreadsheets of other languages read it, with a byte order mark. Each text written holds whole lines."""
    if name.lower().endswith(".xlsx"):
        lines: list[str] = []
        yield lines.append
        try:
            write_whole(name, written(csv.reader(io.StringIO("".join(lines), newline=""))))
        except NotASheet as error:
            raise Unreadable(f"{printable(name)}: {error}") from None
        return
    with Output(name) as write:
        if not delimiter:
            yield write
            return
        write("\ufeff")

        def parted(text: str) -> None:
            out = io.StringIO(newline="")
            rows = csv.reader(io.StringIO(text, newline=""))
            csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
            write(out.getvalue())

        yield parted


def workbook(data: bytes) -> dict[str, Rows]:
    """The sheets of a workbook by title: rows with something in them, by their numbers from 1. Raises NotASheet."""
    try:
        _within_limits(data)
        book = import_module("openpyxl").load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        return {sheet.title: list(_rows(sheet)) for sheet in book.worksheets}
    except ImportError:
        raise NotASheet("reading a workbook needs openpyxl; install quizgen[xlsx], or save it as CSV") from None
    except NotASheet:
        raise
    except (
        zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, KeyError, ValueError, TypeError, IndexError, ParseError,
        OSError,
    ) as error:  # fmt: skip
        raise NotASheet(f"the sheet cannot be read ({type(error).__name__}: {error}); save it anew as .xlsx") from None


def _within_limits(data: bytes) -> None:
    """Refuse a workbook that would become more in memory than people type; what its headers say is not believed."""
    left = MAX_BYTES
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            with archive.open(entry) as file:
                part = file.read(left + 1)
            left -= len(part)
            if left < 0:
                raise NotASheet(f"the archive unpacks to more than {MAX_BYTES >> 20} MiB; split it")
            if max(part.count(b"<"), part.count(b"=")) > MAX_NODES:
                raise NotASheet(f"the XML has more than {MAX_NODES} tags or attributes; split it")


def _rows(sheet: Any) -> Iterator[tuple[int, list[str]]]:
    sheet.reset_dimensions()  # else every empty row is as wide as the sheet says it is
    width = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        width += len(row)
        if width > MOST_CELLS:
            raise NotASheet(f"the sheet {sheet.title} spans more than {MOST_CELLS} cells; delete what is far right")
        if any(cell is not None for cell in row):
            yield number, [_shown(cell) for cell in row]


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    day: Any = getattr(cell, "strftime", None)  # of a date
    return str(day("%Y-%m-%d")) if day is not None else str(cell)


# Cells. A spreadsheet computes a cell that begins like a formula (CWE-1236), and which mark separates cells depends on
# where it runs: a text is guarded at its start and behind every mark that might cut it in two there.


# Characters that make a cell a formula, here or in a spreadsheet of another language.
STARTS = frozenset("=+-@|%'\0＝＋－＠")
_CUTS = re.compile(r"([;\t\r\n])")
_BLANK = " \u00a0\u200b\ufeff"


def separator(text: str) -> str:
    """What parts the cells in the head of a sheet: comma, semicolon or tab."""
    return max(",;\t", key=text.partition("\n")[0].count)


def cell(text: str) -> str:
    """Text as a cell: an apostrophe before what would be computed, control characters spelled out."""
    if text.isprintable() and ";" not in text:  # nearly every cell
        return _guarded(text)
    text = text.replace("\0", "\ufffd")
    if not text.isprintable():
        text = "\r".join(map(printable, text.split("\r")))
    guarded = "".join(map(_guarded, _CUTS.split(text)))
    return "'" + guarded if guarded[:1] in ("\t", "\r", "\n") else guarded


def typed(text: str) -> str:
    """What was meant by a cell: the text that `cell` was given, but for what it spelled out."""
    if text[:1] == "'" and text[1:2] in ("\t", "\r", "\n"):
        text = text[1:]
    return "".join(p[1:] if p[:1] == "'" and _guarded(p[1:]) == p else p for p in _CUTS.split(text))


def as_typed(text: str) -> str:
    """A name as it comes back from a sheet that it was written to."""
    return typed(cell(text)).strip()


def _guarded(piece: str) -> str:
    return "'" + piece if piece.lstrip(_BLANK)[:1] in STARTS and piece.strip() else piece
