"""CSV, out and in; no cell begins as a formula does."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import BinaryIO

from quizgen.cells import cell, typed
from quizgen.interchange.contract import About, CannotRead, Exporter, Importer, Read
from quizgen.interchange.lines import MAX_LINE, decoded
from quizgen.interchange.sheets import CARRIES, found_in, rows_of
from quizgen.plain import Plain


def write(items: Sequence[Plain], about: About, out: BinaryIO) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows([cell(text) for text in row] for row in rows_of(items))
    out.write(text.getvalue().encode("utf-8"))


def looks(data: bytes, suffix: str) -> float:
    return 0.9 if suffix in (".csv", ".tsv") else 0.0


def read(data: bytes) -> Read:
    text = decoded(data)
    first = text.partition("\n")[0]
    mark = max(",;\t|", key=first.count)
    csv.field_size_limit(MAX_LINE)
    reader = csv.reader(io.StringIO(text), delimiter=mark)
    rows = []
    try:
        for cells in reader:
            rows.append((reader.line_num, [typed(text) for text in cells]))
    except csv.Error as error:
        raise CannotRead(f"line {reader.line_num}: {error}; mend its quotes") from None
    return found_in(rows, comma=mark == ";")  # what a spreadsheet writes where the comma is the point


EXPORTER = Exporter(1, ".csv", CARRIES, write)
IMPORTER = Importer(1, looks, read)
