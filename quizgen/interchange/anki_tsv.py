"""Anki's text format: tab-separated, header lines that begin with `#`, every field quoted."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from quizgen.interchange.anki import NOTE_FIELDS, anki_tags, items_of_note, note_fields, note_guid
from quizgen.interchange.contract import (
    CannotRead,
    ExportContext,
    Exporter,
    ImportedItem,
    Importer,
    ImportResult,
    carried_fields,
)
from quizgen.interchange.html_text import HTML_LIBRARIES
from quizgen.interchange.lines import csv_rows, decode_text
from quizgen.portable_item import Plain

_HEADER_PATTERN = re.compile(r"#([a-z ]+):(.*)")
_SEPARATORS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}


def write(items: Sequence[Plain], context: ExportContext, out: BinaryIO) -> None:
    """Writes the items as basic notes. The GUID comes first, because Anki drops a row that begins with `#`."""
    text = io.StringIO(newline="")
    deck = " ".join((context.title or context.bank).split())
    text.write(f"#separator:tab\n#html:true\n#notetype:Basic\n#deck:{deck}\n#guid column:1\n#tags column:4\n")
    rows = csv.writer(text, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
    for item in items:
        side = dict(zip(NOTE_FIELDS, note_fields(item, context), strict=True))
        front = side["Front"] + side["Options"] + (f"<details>{side['Hints']}</details>" if side["Hints"] else "")
        name = f'<p class="name" hidden>{side["Id"]}</p>'
        row = (note_guid(context, item, "basic"), front, side["Back"] + side["Why"] + side["Source"] + name)
        rows.writerow([*row, " ".join(anki_tags(item))])
    out.write(text.getvalue().encode("utf-8"))


def format_likelihood(data: bytes, suffix: str) -> float:
    head = data[:4000].lstrip(b"\xef\xbb\xbf")
    if re.match(rb"#(separator|html|notetype|deck|guid column|tags column|columns)\b", head):
        return 1.0
    lines = head.split(b"\n")[:-1] or head.split(b"\n")
    return 0.5 if lines and all(line.count(b"\t") >= 1 for line in lines if line.strip()) else 0.0


def read(data: bytes) -> ImportResult:
    lines = decode_text(data).split("\n")
    head: dict[str, str] = {}
    while lines and (match := _HEADER_PATTERN.match(lines[0])):
        head[match[1].strip()] = match[2].strip()
        lines.pop(0)
    named = head.get("separator", "tab").lower()
    mark = _SEPARATORS.get(named, named)
    if len(mark) != 1:
        raise CannotRead(f'the separator "{named}" is not one character')
    rows = csv_rows("\n".join(lines), mark, len(head))
    filled = ((line, cells) for line, cells in rows if any(map(str.strip, cells)))
    return ImportResult.from_pieces((line, item) for line, cells in filled for item in _items_of_row(head, mark, cells))


def _items_of_row(head: Mapping[str, str], separator: str, cells: Sequence[str]) -> Iterator[ImportedItem | str]:
    """Yields the items of one row, or the row's text if it holds none. `head`: the file's header lines by name, such
    as the number of the `tags column`; `separator`: the separator of cells."""
    columns = {name: head.get(f"{name} column", "") for name in ("guid", "tags", "deck", "notetype")}
    places = {name: int(column) - 1 for name, column in columns.items() if column.isdigit()}
    fields = [cell for place, cell in enumerate(cells) if place not in places.values()]
    if len(cells) <= max(places.values(), default=0) or len(fields) < 2 or not fields[0].strip():
        yield separator.join(cells)
        return
    if head.get("html", "true") != "true":
        fields = [html.escape(cell, quote=False) for cell in fields]
    names = [n for place, n in enumerate(head.get("columns", "").split(separator)) if place not in places.values()]
    values = {**head, **{name: cells[place] for name, place in places.items()}}
    yield from items_of_note(
        values.get("guid", ""), fields, values.get("tags", "").split(), values.get("deck", ""), names
    )


EXPORTER = Exporter(1, ".tsv", carried_fields("anki"), write)
IMPORTER = Importer(1, format_likelihood, read, HTML_LIBRARIES)
