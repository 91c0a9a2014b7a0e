"""XLSX: export with xlsxwriter (no cell is ever a formula), import with openpyxl."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from typing import BinaryIO

from quizgen.interchange.archive import zip_names
from quizgen.interchange.contract import CannotRead, ExportContext, Exporter, Importer, ImportResult, carried_fields
from quizgen.interchange.sheets import items_of_rows, rows_of_items
from quizgen.portable_item import Plain
from quizgen.spreadsheet import WorkbookError, read_workbook

MAX_CELL_CHARACTERS = 32_767  # characters; xlsxwriter cuts a longer text
# No text is taken for anything else.
_WORKBOOK_OPTIONS = {f"strings_to_{kind}": False for kind in ("formulas", "numbers", "urls")} | {"in_memory": True}


def write(items: Sequence[Plain], context: ExportContext, out: BinaryIO) -> None:
    """Writes the items to `out` as a workbook with one sheet."""
    book = import_module("xlsxwriter").Workbook(out, _WORKBOOK_OPTIONS)
    created = datetime.fromtimestamp(context.moment, UTC).replace(tzinfo=None)
    book.set_properties({"title": context.title, "created": created})
    sheet = book.add_worksheet("items")
    wrap = book.add_format({"text_wrap": True, "valign": "top"})
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, 80, 24)
    for place, row in enumerate(rows_of_items(items)):
        for column, text in enumerate(row):
            sheet.write_string(place, column, text, wrap)
    book.close()


def _export_refusal(item: Plain) -> str:
    """The reason why the item cannot be exported; empty if it can."""
    texts = (item.stem, item.rationale, item.source, item.model_answer, *(o.text for o in item.options))
    return "a text is longer than a cell can be" if any(len(text) > MAX_CELL_CHARACTERS for text in texts) else ""


def format_likelihood(data: bytes, suffix: str) -> float:
    return 1.0 if "xl/workbook.xml" in zip_names(data) else 0.0


def read(data: bytes, columns: Sequence[str] = ()) -> ImportResult:
    try:
        sheets = read_workbook(data)
    except WorkbookError as error:
        raise CannotRead(str(error)) from None
    found: list[tuple[str, ImportResult]] = []
    left: list[str] = []
    for title, rows in sheets.items():
        try:
            found.append((f"sheet {title}: " if len(sheets) > 1 else "", items_of_rows(rows, columns=columns)))
        except CannotRead as error:
            left += [f"sheet {title}: {error}"] if any(any(cells) for _, cells in rows) else []
    if not found:
        raise CannotRead("; ".join(left) or "the sheet is empty")
    return _join_results(found, left)


def _join_results(sheets: Sequence[tuple[str, ImportResult]], empty_sheets: Iterable[str]) -> ImportResult:
    """One result for several sheets; each note names its sheet. `empty_sheets`: why the other sheets hold no items."""
    return ImportResult(
        tuple(item for _, one in sheets for item in one.items),
        (*((n, title + text) for title, one in sheets for n, text in one.unread), *((0, why) for why in empty_sheets)),
        notes=tuple(title + note for title, one in sheets for note in one.notes),
    )


EXPORTER = Exporter(1, ".xlsx", carried_fields("sheet"), write, _export_refusal, ("xlsxwriter", "xlsx"))
IMPORTER = Importer(1, format_likelihood, read, ("openpyxl", "xlsx"))
