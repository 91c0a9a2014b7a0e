"""One scanned page read: rows of a sheet with their doubts, or written answers cut out by their codes."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import Image

from quizgen.answer_sheet import LEFT, SMALL, STYLES, AnswerCode, PageCode, Sheet, SheetRow, sheets
from quizgen.scan.codes import Codes, FoundCode, find_codes
from quizgen.scan.decide import Decided, decided, usual_fill, with_blanks
from quizgen.scan.flatten import SCALE, Flat, lay_flat, patch, projected
from quizgen.scan.ink import measured
from quizgen.scan.pages import Grey, ScannedPage

NO_CODE = "no code can be read"
CROP = 5  # pixels of a cut-out answer for a millimetre, 127 dpi
Forms = Callable[[str], Mapping[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """A written answer cut out; `cut` where the page ends before its lines do."""

    code: AnswerCode
    picture: bytes
    cut: bool


@dataclass(frozen=True, slots=True)
class ReadPage:
    """What a page held. `why` says why it could not be used; an `id` is what the grid says, None for none."""

    file: str
    number: int
    code: PageCode | None = None
    rows: tuple[Decided, ...] = ()
    id: Decided | None = None
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    why: str = ""

    @property
    def place(self) -> str:
        return f"{self.file}, page {self.number}"


def read_page(page: ScannedPage, forms: Forms) -> ReadPage:
    """Never raises for what a page holds."""
    if page.grey is None:
        return ReadPage(page.file, page.number, why=page.why)
    if min(page.grey.shape) < 200:
        return ReadPage(page.file, page.number, why="too small to be a page")
    codes = find_codes(page.grey)
    told = {(f.code.form, f.code.number, f.code.page) for f in codes.pages() if isinstance(f.code, PageCode)}
    if len(told) > 1:
        return ReadPage(page.file, page.number, why="two answer sheets in one picture; scan them one by one")
    if told:
        return _sheet(page, page.grey, codes.pages(), forms)
    answers = tuple(_answer(page.grey, one) for one in codes.answers())
    return ReadPage(page.file, page.number, answers=answers, why="" if answers else _why_none(codes))


def _why_none(codes: Codes) -> str:
    if codes.strange:
        return f"no code of an exam of quizgen, but “{codes.strange[0]}”"
    return NO_CODE


def asked_of(form: Mapping[str, Any]) -> list[tuple[int, int, bool]]:
    return [(i["n"], len(i["options"]), bool(i.get("several"))) for i in form["items"] if i.get("options")]


def _sheet(page: ScannedPage, grey: Grey, codes: list[FoundCode], forms: Forms) -> ReadPage:
    code = codes[0].code
    assert isinstance(code, PageCode)
    form = forms(code.form)
    if form is None:
        return ReadPage(page.file, page.number, code, why=f"of form {code.form}, which is not in the manifest")
    made = sheets(code.kind, asked_of(form), bool(code.number))
    if not 1 <= code.page <= len(made) == code.pages:
        return ReadPage(page.file, page.number, code, why=f"form {code.form} has no such page of its answer sheet")
    sheet = made[code.page - 1]
    why = "too few of its marks can be found"
    for reach in (1.0, 2.0):
        flat, _ = lay_flat(grey, sheet, codes, reach)
        if flat is None:
            continue
        inks = measured(flat, sheet)
        if inks:
            usual = usual_fill(inks)
            return _decided(page, code, sheet, flat, [decided(ink, usual) for ink in inks])
        why = "its bubbles are not where they should be"
    return ReadPage(page.file, page.number, code, why=f"{why}: bent, cut off or blurred; scan it again")


def _decided(page: ScannedPage, code: PageCode, sheet: Sheet, flat: Flat, rows: Sequence[Decided]) -> ReadPage:
    items = tuple(with_blanks([row for row in rows if not row.name.startswith("id")]))
    digits = [row for row in rows if row.name.startswith("id")]
    told = _id(digits) if digits else None
    places = {row.name: row for row in sheet.rows}
    pictures = {row.name: _row_picture(flat.grey, places[row.name], sheet) for row in items if row.doubt}
    if told is not None:
        top, bottom = 33.0, sheet.rows_top - 2
        pictures["id"] = _cut(flat.grey, (LEFT - 2, top - 25, sheet.style.width - LEFT + 4, bottom))
    return ReadPage(page.file, page.number, code, items, told, pictures)


def _id(digits: Sequence[Decided]) -> Decided:
    """The ID of a grid: digits without a gap, from the left."""
    text = "".join(d.answer[:1] or " " for d in digits).rstrip()
    doubt = next((d.doubt for d in digits if d.doubt), "")
    if not doubt and (not text or " " in text):
        doubt = "no ID is filled in" if not text else "a gap in the ID"
    return Decided("id", text.replace(" ", ""), doubt, ())


def _row_picture(grey: Grey, row: SheetRow, sheet: Sheet) -> bytes:
    assert row.box is not None
    x, y = row.bubbles[0][1:]
    above = sheet.style.row * 0.75
    return _cut(grey, (x - sheet.style.label, y - above, row.box[0] + row.box[2] + 6, row.bubbles[-1][2] + above))


def _cut(grey: Grey, box: tuple[float, float, float, float]) -> bytes:
    left, top, right, bottom = (max(0, int(v * SCALE)) for v in box)
    return _jpeg(Image.fromarray(grey[top:bottom, left:right]).reduce(2), 60)


def _jpeg(image: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


def _answer(grey: Grey, found: FoundCode) -> Answer:
    """The lines above a code and the row it stands in, by its own corners: a few degrees and any scale."""
    assert isinstance(found.code, AnswerCode)
    style = STYLES[found.code.kind]
    side = SMALL
    # Turned and scaled alike in both directions: four corners give that better than they give a skew.
    square = np.array([0, side, side + side * 1j, side * 1j])
    seen = found.corners[:, 0] + found.corners[:, 1] * 1j
    turn = np.vdot(square - square.mean(), seen - seen.mean()) / np.vdot(square - square.mean(), square - square.mean())
    start = seen.mean() - turn * square.mean()
    matrix = np.array([[turn.real, -turn.imag, start.real], [turn.imag, turn.real, start.imag], [0, 0, 1]])
    wide = style.width + 9 + 3
    high = found.code.lines * style.ruled + side + 1.6 * style.ruled
    left, top = side + 3 - wide, side - high + 2.5
    corners = projected(matrix, np.array([[left + 6, top], [side, top]]))
    cut = bool((corners[:, 1] < 0).any() or (corners[:, 1] > grey.shape[0]).any())
    picture = patch(grey, matrix, left, top, wide, high, CROP)
    return Answer(found.code, _jpeg(Image.fromarray(picture), 45), cut)
