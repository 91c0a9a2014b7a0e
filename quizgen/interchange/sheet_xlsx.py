"""XLSX, out by xlsxwriter (no cell is ever a formula) and in by openpyxl."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, BinaryIO
from xml.etree.ElementTree import ParseError

from quizgen.interchange.archive import limit_nodes, names_in, unpacked
from quizgen.interchange.contract import About, CannotRead, Exporter, Importer, Read, carried
from quizgen.interchange.sheets import found_in, rows_of
from quizgen.portable_item import Plain

MOST_CELLS = 2_000_000  # of one sheet, with the empty ones before the last of each row
MAX_CELL = 32_767  # characters; xlsxwriter cuts a longer text
_TEXT = {"strings_to_formulas": False, "strings_to_numbers": False, "strings_to_urls": False, "in_memory": True}


def write(items: Sequence[Plain], about: About, out: BinaryIO) -> None:
    book = import_module("xlsxwriter").Workbook(out, _TEXT)
    created = datetime.fromtimestamp(about.moment, UTC).replace(tzinfo=None)
    book.set_properties({"title": about.title, "created": created})
    sheet = book.add_worksheet("items")
    wrap = book.add_format({"text_wrap": True, "valign": "top"})
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, 80, 24)
    for place, row in enumerate(rows_of(items)):
        for column, text in enumerate(row):
            sheet.write_string(place, column, text, wrap)
    book.close()


def _refuses(item: Plain) -> str:
    texts = (item.stem, item.rationale, item.source, item.model_answer, *(o.text for o in item.options))
    return "a text is longer than a cell can be" if any(len(text) > MAX_CELL for text in texts) else ""


def looks(data: bytes, suffix: str) -> float:
    return 1.0 if "xl/workbook.xml" in names_in(data) else 0.0


def read(data: bytes, columns: Sequence[str] = ()) -> Read:
    for part in unpacked(data, lambda name: True).values():  # a bomb is refused before a library meets it
        limit_nodes(part)
    try:
        book = import_module("openpyxl").load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = {sheet.title: _rows(sheet) for sheet in book.worksheets}
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, IndexError, ParseError, OSError) as error:
        raise CannotRead(f"the sheet cannot be read ({type(error).__name__}: {error}); save it anew as .xlsx") from None
    found: list[tuple[str, Read]] = []
    left: list[str] = []
    for title, rows in sheets.items():
        try:
            found.append((f"sheet {title}: " if len(sheets) > 1 else "", found_in(rows, columns=columns)))
        except CannotRead as error:
            left += [f"sheet {title}: {error}"] if any(any(cells) for _, cells in rows) else []
    if not found:
        raise CannotRead("; ".join(left) or "the sheet is empty")
    return Read(
        tuple(item for _, one in found for item in one.items),
        (*((n, title + text) for title, one in found for n, text in one.unread), *((0, why) for why in left)),
        sum(one.furniture for _, one in found),
        notes=tuple(title + note for title, one in found for note in one.notes),
    )


def _rows(sheet: Any) -> list[tuple[int, list[str]]]:
    """The rows of a sheet with something in them, by their numbers from 1. Raises CannotRead."""
    sheet.reset_dimensions()  # else every empty row is as wide as the sheet says it is
    rows: list[tuple[int, list[str]]] = []
    width = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        width += len(row)
        if width > MOST_CELLS:
            raise CannotRead(f"the sheet {sheet.title} spans more than {MOST_CELLS} cells; delete what is far right")
        if any(cell is not None for cell in row):
            rows.append((number, [_shown(cell) for cell in row]))
    return rows


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell.strftime("%Y-%m-%d") if isinstance(cell, datetime) else str(cell)


EXPORTER = Exporter(1, ".xlsx", carried("sheet"), write, _refuses, ("xlsxwriter", "xlsx"))
IMPORTER = Importer(1, looks, read, ("openpyxl", "xlsx"))
