"""The answer sheet of a form as drawings in millimetres, and the small codes beside written answers."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import isqrt

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
    modules = _modules(text)
    width = isqrt(modules.bit_length())
    path = "".join([_bar(width, *dark.span()) for dark in re.finditer("1+", f"{modules:b}")])
    return DrawnCode(text, Markup(path), round(side / width, 5), x, y)


@lru_cache(maxsize=10_000)
def _bar(width: int, start: int, end: int) -> str:
    """Dark modules in a row."""
    down, across = divmod(start, width + 1)
    return f"M{across} {down}h{end - start}v1h-{end - start}z"


_SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"  # of the alphanumeric mode
# By the length of texts, then by its highest bit: a sum of texts, and the sum of their codes.
_KNOWN: defaultdict[int, dict[int, tuple[int, int]]] = defaultdict(dict)


def _modules(text: str) -> int:
    """The code of a text: a bit a module, row by row, with a light one behind each row; the first one is dark.

    Error correction is linear and the mask one for all, so the code of an odd sum (exclusive or) of texts of one
    length is the sum of their codes. Only a text that is no such sum of earlier ones is drawn: some 60 of any number.
    """
    bits, modules, known = 1, 0, _KNOWN[len(text)]
    for start in range(0, len(text), 2):  # a code holds two signs as one number of eleven bits
        bits = bits << 11 | reduce(lambda number, sign: 45 * number + _SIGNS.index(sign), text[start : start + 2], 0)
    while bits and bits.bit_length() in known:
        texts, codes = known[bits.bit_length()]
        bits ^= texts
        modules ^= codes
    if bits:
        import segno

        # One mask for all: to try each of the eight takes five times as long, and scans read this one as well.
        made = segno.make(text, error="q", micro=False, mode="alphanumeric", boost_error=False, mask=3)
        drawn = int("".join(str(dark) for row in made.matrix for dark in (*row, 0)), 2)
        known[bits.bit_length()] = bits, modules ^ drawn
        return drawn
    return modules


def _ems(text: str) -> float:
    """About how wide a bold text is, in times its size."""
    return sum(1.1 if unicodedata.east_asian_width(c) in "WF" else 0.66 for c in text)
