"""Where a score stands on the scale of its bands: the pixels of a chart that templates/charts.html draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

WIDE = 640
LETTER = 7  # pixels that a letter takes at most, nearly


def scale(share: float, shown: str, bands: Sequence[tuple[float, str]], passed_from: float | None) -> dict[str, Any]:
    """A score (`shown` in figures) among its bands, each (from, name) with the lowest first; a tick where
    passing begins. `below`: (left, row, text) of what is written below them."""
    ends = [*(start for start, _ in bands[1:]), 1.0]
    passed = None if passed_from is None else _across(passed_from)
    below = [(_across(start), f"{round(start * 100)} %{', pass' * (_across(start) == passed)}") for start, _ in bands]
    if passed_from is not None and passed is not None and all(left != passed for left, _ in below):
        below.append((passed, f"{round(passed_from * 100)} %, pass"))
    labels = sorted((min(left, WIDE + 20 - len(text) * LETTER), text) for left, text in below)
    rows = _rows(labels)
    return {
        "shown": shown,
        "at": _across(share),
        "passed": passed,
        "height": 82 + 16 * max(rows, default=0),
        "bands": [
            {
                "name": name,
                "start": start,
                "left": _across(start),
                "right": _across(end),
                "reached": start <= share and (share < end or n == len(bands)),
            }
            for n, ((start, name), end) in enumerate(zip(bands, ends, strict=True), 1)
        ],
        "below": [(left, row, text) for (left, text), row in zip(labels, rows, strict=True)],
    }


def _across(part: float) -> float:
    return round(WIDE * min(max(part, 0), 1), 1)


def _rows(labels: Sequence[tuple[float, str]]) -> list[int]:
    """The row of each label, from left to right: the first where it does not touch the one before."""
    ends: list[float] = []
    rows = []
    for left, text in labels:
        row = next((n for n, end in enumerate(ends) if end + LETTER <= left), len(ends))
        ends[row:] = [left + len(text) * LETTER, *ends[row + 1 :]]
        rows.append(row)
    return rows
