"""Reads sheets (CSV in any encoding, or XLSX within limits), and writes CSV and XLSX."""

from __future__ import annotations

import csv
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from importlib import import_module
from typing import Any

from quizgen.atomic_write import open_write_function, write_atomically
from quizgen.source.problems import Unreadable, printable

MAX_UNPACKED_BYTES = 64 << 20  # unpacked size of a workbook
MAX_TAGS_OR_ATTRIBUTES = 1_000_000  # of each, in one part of a workbook
MAX_XLSX_ROWS = 1_048_576  # rows of a sheet in this format
MAX_XLSX_CELL_CHARACTERS = 32_767  # characters of a cell in this format; the rest is cut
_LOSSLESS_NUMBER_PATTERN = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,6})?")
MAX_CELLS_PER_SHEET = 2_000_000  # cells of one sheet, including empty cells before the last of each row
csv.field_size_limit(MAX_UNPACKED_BYTES)  # a response in a report may be longer than the limit of `csv` for a cell

NumberedRows = list[tuple[int, list[str]]]


class WorkbookError(Exception):
    """A workbook cannot be read or written; the message has the reason and what to do."""


def numbered_rows_of_csv_or_xlsx_bytes(
    data: bytes, path: str, encoding: str = "", faults_at_tear: list[tuple[int, str]] | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows of a sheet, each with the number of its last line; of a workbook, the rows with content of its
    first sheet that has any. Without `encoding`, a CSV is read as UTF-8, or as UTF-16 if it has a byte order mark.
    Raises Unreadable, which names `path`, also for a quote that is not closed: it would take the rows below it into one
    cell. Raises UnicodeDecodeError.

    With `faults_at_tear`, a CSV may end in the middle of a quoted cell, as after a crash: the rows before it are
    yielded, and the fault (line, reason) is added to that list."""
    if data[:4] == b"PK\x03\x04" and b"xl/" in data:
        try:
            yield from next(filter(None, numbered_workbook_rows_by_title(data).values()), [])
        except WorkbookError as error:
            raise Unreadable(f"{path}: {error}") from None
        return
    is_utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = data.decode(encoding or ("utf-16" if is_utf16 else "utf-8-sig")).replace("\0", "\ufffd")
    separator = max(",;\t", key=text.partition("\n")[0].count)  # that of the first line: comma, semicolon or tab
    rows, last_line = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True), 0
    try:
        for row in rows:
            last_line = rows.line_num
            yield last_line, row
    except csv.Error as error:
        if faults_at_tear is not None and str(error) == "unexpected end of data":
            reason = "the file ends inside a quoted cell: cut off, or a quote is missing; what follows does not count"
            faults_at_tear.append((last_line + 1, reason))
            return
        remedy = "put the whole cell in quotes, and write each quote inside it twice"
        raise Unreadable(f"{path}:{last_line + 1}: not a CSV ({error}); {remedy}") from None


def sheet_xlsx_bytes(rows: Iterable[Sequence[str]], text_properties: Mapping[str, Any] | None = None) -> bytes:
    """The bytes of an XLSX workbook with one sheet, without formulas. The rows are escaped cells, whose numeric texts
    become numbers unless that would lose a digit or a zero; but with `text_properties`, the properties of the file,
    they are texts that stay as they are. Raises WorkbookError."""
    buffer = io.BytesIO()
    try:
        book = import_module("xlsxwriter").Workbook(buffer, {"in_memory": True, "strings_to_formulas": False})
    except ImportError:
        raise WorkbookError("writing a workbook needs xlsxwriter; install quizgen[xlsx], or write a CSV") from None
    sheet = book.add_worksheet(None if text_properties is None else "items")
    wrap = book.add_format({"text_wrap": True, "valign": "top"})
    if text_properties is not None:
        book.set_properties(text_properties)
        sheet.freeze_panes(1, 0)
        sheet.set_column(0, 80, 24)
    for place, row in enumerate(rows):
        if place >= MAX_XLSX_ROWS:
            raise WorkbookError(f"a workbook can hold {MAX_XLSX_ROWS:,} rows, and there are more; write a CSV")
        for column, text in enumerate(row):
            if text_properties is not None:
                sheet.write_string(place, column, text, wrap)
            elif _LOSSLESS_NUMBER_PATTERN.fullmatch(text):
                sheet.write_number(place, column, float(text))
            elif text:
                sheet.write_string(place, column, unescape_cell(text)[:MAX_XLSX_CELL_CHARACTERS])
    book.close()
    return buffer.getvalue()


@contextmanager
def open_csv_or_xlsx_line_writer(file_name: str, delimiter: str = "") -> Iterator[Callable[[str], None]]:
    """A context manager for lines of CSV, like `open_write_function`. A `file_name` ending in .xlsx makes a workbook; a
    `delimiter` makes a CSV with a byte order mark, for spreadsheets of other languages. Each text written must be
    whole lines. Raises Unreadable."""
    if file_name.lower().endswith(".xlsx"):
        lines: list[str] = []
        yield lines.append
        try:
            write_atomically(file_name, sheet_xlsx_bytes(csv.reader(io.StringIO("".join(lines), newline=""))))
        except WorkbookError as error:
            raise Unreadable(f"{printable(file_name)}: {error}") from None
        return
    with open_write_function(file_name) as write:
        if not delimiter:
            yield write
            return
        write("\ufeff")

        def write_with_delimiter(text: str) -> None:
            buffer = io.StringIO(newline="")
            rows = csv.reader(io.StringIO(text, newline=""))
            csv.writer(buffer, delimiter=delimiter, lineterminator="\n").writerows(rows)
            write(buffer.getvalue())

        yield write_with_delimiter


def numbered_workbook_rows_by_title(data: bytes) -> dict[str, NumberedRows]:
    """The sheets of a workbook by title, each with its non-empty rows by number from 1. Raises WorkbookError."""
    from xml.etree.ElementTree import ParseError
    from zipfile import BadZipFile, ZipFile

    remaining_bytes = MAX_UNPACKED_BYTES
    faults = (BadZipFile, zlib.error, EOFError, RuntimeError, LookupError, ValueError, TypeError, ParseError, OSError)
    try:
        with ZipFile(io.BytesIO(data)) as archive:  # unpacked to be measured: the sizes in its headers may be false
            for entry in archive.infolist():
                with archive.open(entry) as file:
                    part = file.read(remaining_bytes + 1)
                remaining_bytes -= len(part)
                if remaining_bytes < 0:
                    raise WorkbookError(f"the archive unpacks to more than {MAX_UNPACKED_BYTES >> 20} MiB; split it")
                if max(part.count(b"<"), part.count(b"=")) > MAX_TAGS_OR_ATTRIBUTES:
                    raise WorkbookError(f"the XML has more than {MAX_TAGS_OR_ATTRIBUTES} tags or attributes; split it")
        book = import_module("openpyxl").load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        rows_by_title: dict[str, NumberedRows] = {}
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # otherwise every row is as wide as the sheet declares
            cell_count, rows = 0, rows_by_title.setdefault(sheet.title, [])
            for number, row in enumerate(sheet.iter_rows(), 1):
                cell_count += len(row)
                if cell_count > MAX_CELLS_PER_SHEET:
                    why = f"the sheet {sheet.title} spans more than {MAX_CELLS_PER_SHEET} cells; delete those far right"
                    raise WorkbookError(why)
                if any(cell.value is not None for cell in row):
                    rows.append((number, [_cell_text(cell) for cell in row]))
        return rows_by_title
    except ImportError:
        raise WorkbookError("reading a workbook needs openpyxl; install quizgen[xlsx], or save it as CSV") from None
    except faults as error:
        message = f"the sheet cannot be read ({type(error).__name__}: {error}); save it anew as .xlsx"
        raise WorkbookError(message) from None


def _cell_text(cell: Any) -> str:
    if (value := cell.value) is None:
        return ""
    if type(value) in (int, float) and "%" in re.sub(r'"[^"]*"|\\.', "", cell.number_format):
        return f"{Decimal(repr(value)).scaleb(2).normalize():f}%"  # 25% is kept as 0.25
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).removesuffix(" 00:00:00") if hasattr(value, "strftime") else str(value)  # a date or a time


# A spreadsheet evaluates a cell that begins like a formula (CWE-1236), and the cell separator depends on the locale: a
# text is guarded at its start and after every character that might split it into cells.


# Characters that start a formula, including forms used in other languages.
FORMULA_START_CHARACTERS = frozenset("=+-@|%'\0＝＋－＠")
_CELL_SEPARATOR_PATTERN = re.compile(r"([;\t\r\n])")
_BLANK_CHARACTERS = " \u00a0\u200b\ufeff"


def escape_cell(text: str) -> str:
    """A text as a safe cell: an apostrophe before anything that a spreadsheet would compute, escaped control
    characters."""
    if text.isprintable() and ";" not in text:  # nearly every cell
        return _text_guarded_against_formula(text)
    text = "\r".join(map(printable, text.replace("\0", "\ufffd").split("\r")))
    safe_text = "".join(map(_text_guarded_against_formula, _CELL_SEPARATOR_PATTERN.split(text)))
    return "'" + safe_text if safe_text[:1] in ("\t", "\r", "\n") else safe_text


def unescape_cell(text: str) -> str:
    """The text that `escape_cell` made into this cell; escapes of control characters remain."""
    if text[:1] == "'" and text[1:2] in ("\t", "\r", "\n"):
        text = text[1:]
    pieces = _CELL_SEPARATOR_PATTERN.split(text)
    return "".join(p[1:] if p[:1] == "'" and _text_guarded_against_formula(p[1:]) == p else p for p in pieces)


def text_after_sheet_round_trip(text: str) -> str:
    """A name as it reads after it was written to a sheet and read again."""
    return unescape_cell(escape_cell(text)).strip()


def _text_guarded_against_formula(piece: str) -> str:
    return "'" + piece if piece.lstrip(_BLANK_CHARACTERS)[:1] in FORMULA_START_CHARACTERS and piece.strip() else piece
