"""Responses as a long table, a row each: CSV with the columns candidate, item, response, and Parquet."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from quizgen.csv_cells import typed
from quizgen.intake.sources import Block, blocks
from quizgen.intake.tables import names_of, table
from quizgen.source.problems import Unreadable, read_number

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
