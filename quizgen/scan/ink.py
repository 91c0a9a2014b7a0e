"""What is in the bubbles of a page that lies flat: ink inside, around and beside each, row by row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quizgen.answer_sheet import LEFT, Sheet, SheetRow
from quizgen.scan.flatten import SCALE, Dark, Flat

Floats = NDArray[np.float64]
SECTORS = 12
LETTER = 0.2  # a printed letter never holds more of a bubble's ink
LIKE = 0.04  # nor more than this above the letter with the least
AROUND = 1.6  # mm that a row may have moved: paper curls


@dataclass(frozen=True, slots=True)
class RowInk:
    """Shares of ink of one row: of each bubble's inside, the darkest spot in it, strokes around it, and
    whether its ring is where it should be (1: as on the rest of the page); in the box and beside it."""

    row: SheetRow
    fill: Floats
    spot: Floats
    around: Floats
    ring: Floats
    box: float
    beside: float
    shift: tuple[float, float]  # mm


def measured(flat: Flat, sheet: Sheet) -> list[RowInk]:
    """The ink of every row; an empty list where too few rings are where they should be."""
    radius = sheet.style.radius * SCALE
    points = _Points(radius)
    shifts = _shifts(flat.dark, sheet, points)
    raw = [_row(flat.dark, row, shift, points, sheet) for row, shift in zip(sheet.rows, shifts, strict=True)]
    rings = np.concatenate([r.ring for r in raw])
    usual = float(np.median(rings))
    if usual < 0.06 or np.mean(rings > usual * 0.3) < 0.6:
        return []
    like = LIKE * (1 if sheet.style.radius < 3 else 2)  # large print is bold
    fills, spots = _letters(raw, "fill", like), _letters(raw, "spot", like)
    made = []
    for r in raw:
        names = [b[0] for b in r.row.bubbles]
        fill = r.fill - np.array([fills[n] for n in names])
        spot = r.spot - np.array([spots[n] for n in names])
        made.append(RowInk(r.row, fill, spot, r.around, r.ring / usual, r.box, r.beside, r.shift))
    return made


class _Points:
    """Offsets in pixels at which discs and rings are sampled."""

    def __init__(self, radius: float) -> None:
        self.core = _disc(0, 0.74 * radius, 110)
        self.spot = _disc(0, 0.62 * radius, 60)
        self.ring = _disc(0.96 * radius, 1.02 * radius, 60)
        self.outside = _disc(1.18 * radius, 1.3 * radius, 60)
        angle = (np.arange(SECTORS)[:, None] + (np.arange(5) + 0.5) / 5) * 2 * np.pi / SECTORS
        rings = np.array([1.24, 1.32, 1.4])[:, None, None] * radius
        self.sectors = np.stack([rings * np.cos(angle), rings * np.sin(angle)], -1).transpose(1, 0, 2, 3)
        self.sectors = self.sectors.reshape(SECTORS, -1, 2)


def _disc(inner: float, outer: float, count: int) -> Floats:
    """Points spread evenly over a ring."""
    n = np.arange(count) + 0.5
    r, t = np.sqrt(inner**2 + (outer**2 - inner**2) * n / count), n * np.pi * (3 - np.sqrt(5))
    made: Floats = np.stack([r * np.cos(t), r * np.sin(t)], -1)
    return made


def _sampled(dark: Dark, at: Floats) -> Floats:
    x = np.clip(np.rint(at[..., 0] - 0.5).astype(int), 0, dark.shape[1] - 1)
    y = np.clip(np.rint(at[..., 1] - 0.5).astype(int), 0, dark.shape[0] - 1)
    found: Floats = dark[y, x].astype(np.float64)
    return found


def _centres(row: SheetRow) -> Floats:
    return np.array([b[1:] for b in row.bubbles], float) * SCALE


def _shifts(dark: Dark, sheet: Sheet, points: _Points) -> list[Floats]:
    """How far each row has moved, in pixels: where its rings are seen best. A row that moved unlike the
    rows around it takes their shift."""
    coarse = _steps(AROUND * SCALE, 2)
    first = np.array([_best(dark, _centres(row), coarse, points) for row in sheet.rows])
    middles = np.array([_centres(row).mean(0) for row in sheet.rows])
    made = []
    for n, row in enumerate(sheet.rows):
        near = np.argsort(np.hypot(*(middles - middles[n]).T))[:7]
        around = np.median(first[near], axis=0)
        start = around if np.hypot(*(first[n] - around)) > 0.5 * SCALE else first[n]
        made.append(start + _best(dark, _centres(row) + start, _steps(0.4 * SCALE, 1), points))
    return made


def _steps(reach: float, step: int) -> Floats:
    side = np.arange(-int(reach), int(reach) + 1, step)
    return np.stack(np.meshgrid(side, side), -1).reshape(-1, 2).astype(float)


def _best(dark: Dark, centres: Floats, steps: Floats, points: _Points) -> Floats:
    at = centres[None, :, None] + steps[:, None, None]
    seen = _sampled(dark, at + points.ring[None, None, ::2]).mean((1, 2))
    outside = _sampled(dark, at + points.outside[None, None, ::3]).mean((1, 2))
    score = seen - 0.5 * outside - 0.0015 * np.hypot(*steps.T)
    found: Floats = steps[int(np.argmax(score))]
    return found


def _row(dark: Dark, row: SheetRow, shift: Floats, points: _Points, sheet: Sheet) -> RowInk:
    at = (_centres(row) + shift)[:, None]
    sectors = _sampled(dark, at[:, None] + points.sectors[None]).mean(2)
    paper = min(float(np.percentile(sectors, 30)), 0.15)  # what is printed nowhere: noise, a grey copy, a stain
    outside = _sampled(dark, at + points.outside).mean(1)
    ring = _sampled(dark, at + points.ring).mean(1) - outside
    spots = at[:, :, None] + points.spot[None, :, None] + _square(0.75)[None, None]
    spot = _sampled(dark, spots).mean(2).max(1) - paper
    # A pen that slips leaves a bubble on one side; a line through it, or a ring around it, on both.
    opposite = np.roll(sectors, SECTORS // 2, axis=1)
    across = np.maximum(opposite, np.maximum(np.roll(opposite, 1, axis=1), np.roll(opposite, -1, axis=1)))
    strokes = np.maximum(np.minimum(sectors, across).max(1), sectors.max(1) - 0.48) - paper
    return RowInk(
        row,
        _sampled(dark, at + points.core).mean(1) - paper,
        spot,
        strokes,
        ring,
        _box(dark, row.box, shift, paper),
        _box(dark, _beside(row, sheet), shift, paper),
        (float(shift[0]) / SCALE, float(shift[1]) / SCALE),
    )


def _square(side: float) -> Floats:
    n = (np.arange(4) - 1.5) / 4 * side * SCALE
    return np.stack(np.meshgrid(n, n), -1).reshape(-1, 2)


def _box(dark: Dark, box: tuple[float, float, float, float] | None, shift: Floats, paper: float) -> float:
    """Ink inside a rectangle, less its printed edge: the mean, or an eighth of its darkest part."""
    if box is None or box[2] < 2:
        return 0.0
    x, y, wide, high = (v * SCALE for v in box)
    edge = 0.75 * SCALE
    left, top = np.arange(x + edge, x + wide - edge, 2.0), np.arange(y + edge, y + high - edge, 2.0)
    inside = _sampled(dark, np.stack(np.meshgrid(left, top), -1) + shift) - paper
    return float(inside.mean())


def _beside(row: SheetRow, sheet: Sheet) -> tuple[float, float, float, float] | None:
    """What is free between a row's box and the next column."""
    if row.box is None:
        return None
    column = (sheet.style.width - 2 * LEFT) / sheet.columns
    end = row.box[0] + row.box[2]
    free = column - (end - LEFT) % column
    return end - 0.3, row.box[1] - 0.3, min(free - 1.0, 9.0), row.box[3] + 0.6


def _letters(rows: list[RowInk], what: str, like: float) -> dict[str, float]:
    """The ink of each printed letter by itself: what most bubbles with it hold at least, and hardly more than
    the letter with the least, so that a candidate who fills C in every row does not make it the letter."""
    seen: dict[str, list[float]] = {}
    for r in rows:
        for bubble, value in zip(r.row.bubbles, getattr(r, what), strict=True):
            seen.setdefault(bubble[0], []).append(float(value))
    low = {name: float(np.percentile(values, 20)) for name, values in seen.items()}
    many = 1.0 if what == "fill" else 4.0
    least = min(low.values()) + like * many
    return {name: min(value, least, LETTER * many) for name, value in low.items()}
