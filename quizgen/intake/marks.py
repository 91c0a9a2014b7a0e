"""A person's decisions from a sheet: points by candidate, item and criterion, with a reason."""

from __future__ import annotations

import csv

from quizgen.intake.sources import Unreadable
from quizgen.intake.tables import table, typed
from quizgen.scoring import Override
from quizgen.source import printable, read_number, shorten

COLUMNS = ("candidate", "item", "criterion", "earned", "reason")


def read_marks(path: str) -> tuple[dict[tuple[str, str], tuple[Override, ...]], list[tuple[int, str]]]:
    """Overrides by candidate and item, and the rows that cannot be used by line. A row without
    points in `earned` decides nothing, so that a sheet of --review can be filled in part."""
    found: dict[tuple[str, str], tuple[Override, ...]] = {}
    faults: list[tuple[int, str]] = []
    rows = table(path, "a sheet of marks")
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        missing = [name for name in ("candidate", "item", "earned") if name not in names]
        if missing:
            columns = ", ".join(COLUMNS)
            raise Unreadable(f"{path}: the first row must name the columns {columns}; {missing[0]} is missing")
        for row in rows:
            cells = dict(zip(names, map(typed, row), strict=False))
            earned = cells.get("earned", "").strip()
            if not earned:
                continue
            points = read_number(earned)
            item = cells.get("item", "").strip()
            if points is None or points < 0 or not item:
                shown = shorten(printable(earned))
                why = f'earned must be points such as 1 or 0.5, not "{shown}"' if item else "item is missing"
                faults.append((rows.line_num, why))
                continue
            key = (cells.get("candidate", "").strip(), item)
            one = Override(cells.get("criterion", "").strip(), points, " ".join(cells.get("reason", "").split()))
            found[key] = (*found.get(key, ()), one)
    except csv.Error as error:
        raise Unreadable(f"{path}: not a CSV sheet ({error}); save it as CSV in UTF-8") from None
    return found, faults
