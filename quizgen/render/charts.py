"""Small charts as shapes for an SVG: bars and dots with their numbers written beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ROW = 24
NAME = 170  # pixels for the names on the left
AREA = 230
LETTER = 7  # pixels that a letter takes at most, nearly
WIDTH = NAME + AREA + 110


@dataclass(frozen=True, slots=True)
class Shape:
    """`kind` is text, bar, line or dot. A line's `width` and `height` are its other end; a bar's
    or line's `text` is its class; a dot's `width` is its radius. Pixels."""

    kind: str
    x: float
    y: float
    width: float = 0
    height: float = 0
    text: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """`label` says in words what the chart shows, for those who do not see it."""

    title: str
    label: str
    height: int
    shapes: tuple[Shape, ...]
    width: int = WIDTH


def shares(title: str, rows: Sequence[tuple[str, float, str]]) -> Chart:
    """Horizontal bars from 0 to 1: (name, share, what stands at the end)."""
    shapes = []
    for n, (name, share, end) in enumerate(rows):
        top = n * ROW
        shapes += [
            Shape("text", 0, top + 16, text=_short(name)),
            Shape("bar", NAME, top + 4, AREA, 15, "track"),
            Shape("bar", NAME, top + 4, round(AREA * min(max(share, 0), 1), 1), 15, "bar"),
            Shape("text", NAME + AREA + 6, top + 16, text=end),
        ]
    label = "; ".join(f"{name}: {end}" for name, _, end in rows)
    return Chart(title, label, max(1, len(rows)) * ROW, tuple(shapes))


def scale(title: str, share: float, shown: str, bands: Sequence[tuple[float, str]], passed_from: float | None) -> Chart:
    """A score (`shown` in figures) on the scale of its bands, each (from, name) with the lowest
    first; a tick where passing begins."""
    wide, top = 640, 34

    def across(part: float) -> float:
        return round(wide * min(max(part, 0), 1), 1)

    shapes = []
    below: list[tuple[float, str]] = []
    starts = [start for start, _ in bands]
    for n, (start, name) in enumerate(bands):
        end = starts[n + 1] if n + 1 < len(starts) else 1.0
        reached = start <= share < end or (n + 1 == len(bands) and share >= start)
        left, right = across(start), across(end)
        shapes.append(Shape("bar", left, top, round(right - left, 1), 26, "here" if reached else "track"))
        room = int((right - left) / LETTER)
        if room >= 3:
            shapes.append(Shape("text", left + 6, top + 18, text=_short(name, room)))
        passed = ", pass" if passed_from is not None and across(passed_from) == left else ""
        below.append((left, f"{round(start * 100)} %{passed}"))
    if passed_from is not None:
        at = across(passed_from)
        shapes.append(Shape("line", at, top + 22, at, top + 32, "plan"))  # below the names of the bands
        if not any(left == at for left, _ in below):
            below.append((at, f"{round(passed_from * 100)} %, pass"))
    labels = sorted((min(left, wide + 20 - len(text) * LETTER), text) for left, text in below)
    rows = _rows(labels)
    shapes += [
        Shape("text", left, top + 42 + 16 * row, text=text) for (left, text), row in zip(labels, rows, strict=True)
    ]
    at = across(share)
    anchor = "start" if at < 60 else "end" if at > wide - 60 else "middle"
    shapes += [
        Shape("line", at, 16, at, top, "score"),
        Shape("text", at, 12, text=shown, anchor=anchor),
    ]
    label = f"{shown}; " + ", ".join(f"{name} from {round(start * 100)} %" for start, name in bands)
    return Chart(title, label, top + 48 + 16 * max(rows, default=0), tuple(shapes), wide + 20)


def _rows(labels: Sequence[tuple[float, str]]) -> list[int]:
    """The row of each label, from left to right: the first where it does not touch the one before."""
    ends: list[float] = []
    rows = []
    for left, text in labels:
        row = next((n for n, end in enumerate(ends) if end + LETTER <= left), len(ends))
        ends[row:] = [left + len(text) * LETTER, *ends[row + 1 :]]
        rows.append(row)
    return rows


def spans(title: str, rows: Sequence[tuple[str, float, float, float]]) -> Chart:
    """A span from 0 to 1 a row, and a tick: (name, low, high, tick)."""
    shapes = []
    for n, (name, low, high, tick) in enumerate(rows):
        top, at = n * ROW, round(NAME + AREA * tick, 1)
        shapes += [
            Shape("text", 0, top + 16, text=_short(name)),
            Shape("bar", NAME, top + 4, AREA, 15, "track"),
            Shape("bar", round(NAME + AREA * low, 1), top + 4, round(AREA * (high - low), 1), 15, "bar"),
            Shape("line", at, top + 2, at, top + 21, "plan"),
            Shape("text", NAME + AREA + 6, top + 16, text=f"{round(low * 100)} - {round(high * 100)} %"),
        ]
    label = "; ".join(f"{name}: {round(low * 100)} to {round(high * 100)} %" for name, low, high, _ in rows)
    return Chart(title, label, max(1, len(rows)) * ROW, tuple(shapes))


def pace(title: str, rows: Sequence[tuple[str, float, float]]) -> Chart:
    """Seconds used against seconds planned: a bar for the first, a tick for the second."""
    longest = max([1.0, *(max(used, plan) for _, used, plan in rows)])
    shapes = []
    for n, (name, used, plan) in enumerate(rows):
        top = n * ROW
        mark = round(NAME + AREA * plan / longest, 1)
        shapes += [
            Shape("text", 0, top + 16, text=_short(name)),
            Shape("bar", NAME, top + 4, round(AREA * used / longest, 1), 15, "over" if used > plan else "bar"),
            Shape("line", mark, top + 2, mark, top + 21, "plan"),
            Shape("text", NAME + AREA + 6, top + 16, text=f"{round(used)} of {round(plan)} s"),
        ]
    label = "; ".join(f"{name}: {round(used)} s of {round(plan)} s planned" for name, used, plan in rows)
    return Chart(title, label, max(1, len(rows)) * ROW, tuple(shapes))


def calibration(title: str, points: Sequence[tuple[int, float, float]]) -> Chart:
    """A dot for each level of confidence: (items, share claimed, share earned). On the diagonal:
    as sure as right; below it: too sure."""
    side, left, bottom = 200, 60, 250  # room above for the bubble of what was always right, and its number

    def across(share: float) -> float:
        return round(left + side * share, 1)

    def up(share: float) -> float:
        return round(bottom - side * share, 1)

    shapes = [
        Shape("bar", left, bottom - side, side, side, "track"),
        Shape("line", left, bottom, left + side, bottom - side, "rule"),
        Shape("text", left - 8, bottom, text="0 %", anchor="end"),
        Shape("text", left - 8, bottom - side + 12, text="100 %", anchor="end"),
        Shape("text", left - 8, bottom - side / 2, text="earned", anchor="end"),
        Shape("text", left + side / 2, bottom + 34, text="claimed", anchor="middle"),
        *(
            Shape("text", left + side + 34, bottom - side + 20 * n, text=text)
            for n, text in enumerate(
                (
                    "One bubble a level of",
                    "confidence, 1 to 5; its",
                    "number: how many items.",
                    "On the line: as sure",
                    "as right.",
                )
            )
        ),
    ]
    for count, claimed, earned in points:
        shapes.append(Shape("dot", across(claimed), up(earned), 4 + 2 * min(count, 6)))
        shapes.append(
            Shape("text", across(claimed), up(earned) - 10 - 2 * min(count, 6), text=str(count), anchor="middle")
        )
    label = "; ".join(
        f"{count} item{'s' * (count != 1)} claimed at {round(claimed * 100)} % earned {round(earned * 100)} %"
        for count, claimed, earned in points
    )
    return Chart(title, label, bottom + 42, tuple(shapes))


def _short(name: str, room: int = 24) -> str:
    return name if len(name) <= room else f"{name[: room - 1]}…"
