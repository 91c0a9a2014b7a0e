"""The answer sheet of a form as drawings in millimetres, and the small codes beside written answers."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from quizgen.answer_sheet import MARK, SMALL, AnswerCode, Asked, PageCode, Sheet, sheets
from quizgen.roster import Candidate


@dataclass(frozen=True, slots=True)
class DrawnCode:
    """A QR code: the text in it, its path in units of one module, and the size of a module in mm."""

    text: str
    path: Markup
    module: float
    x: float = 0
    y: float = 0


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """One page of an answer sheet as the template draws it."""

    sheet: Sheet
    page: int
    pages: int
    codes: tuple[DrawnCode, ...]
    who: str
    who_size: float  # mm
    mark: float = MARK


def drawn_sheets(kind: str, form: str, asked: Sequence[Asked], who: Candidate | None) -> tuple[DrawnSheet, ...]:
    """The pages of a form's answer sheet; none where no item has options."""
    made = sheets(kind, asked, who is not None)
    name = " · ".join(part for part in (who.name, who.id) if part) if who else ""
    drawn = []
    for page, sheet in enumerate(made, 1):
        texts = [PageCode(kind, form, who.number if who else 0, page, len(made), b).text() for b in (False, True)]
        codes = tuple(_code(text, side, x, y) for text, (x, y, side) in zip(texts, sheet.codes, strict=True))
        room = sheet.style.width - sheet.codes[0][0] - 40
        size = min(sheet.style.radius * 1.8, 6.4, room / max(1.0, _ems(name)))
        drawn.append(DrawnSheet(sheet, page, len(made), codes, name, round(size, 2)))
    return tuple(drawn)


def answer_code(kind: str, ref: str, who: Candidate | None, lines: int) -> DrawnCode:
    """The code at an item that is answered in writing."""
    return _code(AnswerCode(kind, ref, who.number if who else 0, lines).text(), SMALL)


def _code(text: str, side: float, x: float = 0, y: float = 0) -> DrawnCode:
    import segno

    # One mask for all: to try each of the eight takes five times as long, and scans read this one as well.
    made = segno.make(text, error="q", micro=False, boost_error=False, mask=3)
    runs = []
    for down, line in enumerate(made.matrix):
        start = None
        for across, dark in enumerate([*line, 0]):
            if dark and start is None:
                start = across
            elif not dark and start is not None:
                runs.append(f"M{start} {down}h{across - start}v1h-{across - start}z")
                start = None
    return DrawnCode(text, Markup("".join(runs)), round(side / len(made.matrix), 5), x, y)


def _ems(text: str) -> float:
    """About how wide a bold text is, in times its size."""
    return sum(1.1 if unicodedata.east_asian_width(c) in "WF" else 0.66 for c in text)
