"""From the ink of a row to an answer, or to a doubt with its reason: a person decides then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from quizgen.scan.ink import RowInk

TRACE = 0.06  # ink of a bubble that is no printing
FILLED = 0.38  # a filled bubble; where a candidate fills fuller, half of that
SPOT = 0.25  # the darkest spot of a bubble, above the printed letter's
AROUND = 0.12  # strokes beyond a bubble
BOX = 0.035
BESIDE = 0.03
SEEN = 0.35  # of the usual contrast of a ring
WEAK = ("faint", "a weak mark")


@dataclass(frozen=True, slots=True)
class Decided:
    """A row as it was read. With a doubt, the answer is a proposal."""

    name: str
    answer: str
    doubt: str
    ink: tuple[float, ...]


def usual_fill(rows: list[RowInk]) -> float:
    """How full this candidate fills a bubble."""
    tops = [float(r.fill.max()) for r in rows if r.fill.max() > 0.3]
    return float(np.median(tops)) if tops else 0.0


def decided(ink: RowInk, usual: float) -> Decided:
    fill = ink.fill
    need = max(FILLED, 0.5 * usual)
    full = fill >= need
    top = int(np.argmax(fill))
    names = [b[0] for b in ink.row.bubbles]
    answer = "".join(n for n, on in zip(names, full, strict=True) if on)
    return Decided(ink.row.name, *_doubt(ink, full, top, names, answer), tuple(round(float(v), 3) for v in fill))


def with_blanks(rows: Sequence[Decided]) -> list[Decided]:
    """The rows of a page on which most have an answer as they are. Else its blank rows are doubtful too: what
    was marked too faintly may be lost in the scan."""
    if 2 * sum(bool(row.answer) and row.doubt not in WEAK for row in rows) >= len(rows):
        return list(rows)
    return [
        row if row.answer or row.doubt else replace(row, doubt="blank where most rows are not full") for row in rows
    ]


def _doubt(ink: RowInk, full: np.ndarray, top: int, names: list[str], answer: str) -> tuple[str, str]:
    fill = ink.fill
    if ((ink.ring < SEEN) & (fill < 0.6)).any():
        return answer, "a bubble cannot be seen"
    if ink.box > BOX:
        return answer, "writing in the correction box"
    if ink.beside > BESIDE:
        return answer, "writing beside the row"
    if (ink.around > AROUND).any():
        return answer, "strokes beyond a bubble"
    # Beside the one full bubble the traces of a rubber do not count.
    rubbed = full.any() and not ink.row.several
    trace = max(TRACE, float(fill[top]) / 4) if rubbed else TRACE
    spot = max(SPOT, float(ink.spot[top]) * 0.6) if rubbed else SPOT
    weak = ((fill > trace) | (ink.spot > spot)) & ~full
    if weak.any():
        if full.any():
            return answer, "a weak mark beside a full one"
        rest = float(np.delete(fill, top).max(initial=0.0))
        clear = fill[top] >= 0.16 and rest <= min(TRACE, float(fill[top]) / 4)
        return names[top], WEAK[0] if clear else WEAK[1]
    if not ink.row.several and full.sum() > 1:
        return answer, "more than one"
    return answer, ""
