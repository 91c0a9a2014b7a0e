"""Reads a flattened sheet: the ink in each box, then the answer, or the reason for doubt."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from quizgen.scan.geometry import (
    PIXELS_PER_MM,
    DarknessArray,
    FlatPage,
    FoundCode,
    cut_rectangle,
    find_codes,
    flatten_page,
    project_points,
)
from quizgen.scan.pages import GreyArray, ScannedPage
from quizgen.sheet_layout import (
    ITEM_CODE_MM,
    LEFT_MARGIN,
    SHEET_STYLE_BY_KIND,
    AnswerCode,
    PageCode,
    SheetPage,
    SheetRow,
    layout_sheet_pages,
)

FloatArray = NDArray[np.float64]
BUBBLE_SECTOR_COUNT = 12
MAX_PRINTED_LETTER_INK = 0.2  # a printed letter darkens at most this share of a bubble
MAX_INK_ABOVE_FAINTEST_LETTER = 0.04  # and at most this much more than the faintest printed letter
MAX_ROW_SHIFT_MM = 1.6  # mm that a row may be shifted, because paper curls


@dataclass(frozen=True, slots=True)
class RowInk:
    """The ink of one row, as shares from 0 to 1. For each bubble: inside it, its darkest spot, the strokes around it,
    and how visible its printed ring is (1: as visible as on the rest of the page). For the correction box: in it and
    beside it."""

    row: SheetRow
    ink_by_bubble: FloatArray
    peak_ink_by_bubble: FloatArray
    stroke_ink_by_bubble: FloatArray
    ring_contrast_by_bubble: FloatArray
    correction_box_ink: float
    ink_beside_row: float
    shift_mm: tuple[float, float]


def measure_row_inks(page: FlatPage, sheet: SheetPage) -> list[RowInk]:
    """The ink of every row of the sheet; an empty list if too few printed rings are in their places."""
    radius = sheet.style.bubble_radius * PIXELS_PER_MM
    points = _SamplePoints(radius)
    shifts = _row_shifts(page.darkness, sheet, points)
    raw = [_row_ink(page.darkness, row, shift, points, sheet) for row, shift in zip(sheet.rows, shifts, strict=True)]
    rings = np.concatenate([r.ring_contrast_by_bubble for r in raw])
    usual = float(np.median(rings))
    if usual < 0.06 or np.mean(rings > usual * 0.3) < 0.6:
        return []
    boldness = 1 if sheet.style.bubble_radius < 3 else 2  # large print is bold
    max_above_faintest = MAX_INK_ABOVE_FAINTEST_LETTER * boldness
    fills = _ink_by_printed_letter(raw, "ink_by_bubble", max_above_faintest)
    spots = _ink_by_printed_letter(raw, "peak_ink_by_bubble", max_above_faintest)
    printed = [[bubble[0] for bubble in r.row.bubbles] for r in raw]
    return [
        replace(
            r,
            ink_by_bubble=r.ink_by_bubble - np.array([fills[n] for n in names]),
            peak_ink_by_bubble=r.peak_ink_by_bubble - np.array([spots[n] for n in names]),
            ring_contrast_by_bubble=r.ring_contrast_by_bubble / usual,
        )
        for r, names in zip(raw, printed, strict=True)
    ]


class _SamplePoints:
    """Offsets in pixels from the centre of a bubble with this radius, at which its disc and the rings around it are
    sampled."""

    def __init__(self, radius: float) -> None:
        self.core = _ring_points(0, 0.74 * radius, 110)
        self.spot = _ring_points(0, 0.62 * radius, 60)
        self.ring = _ring_points(0.96 * radius, 1.02 * radius, 60)
        self.outside = _ring_points(1.18 * radius, 1.3 * radius, 60)
        angle = (np.arange(BUBBLE_SECTOR_COUNT)[:, None] + (np.arange(5) + 0.5) / 5) * 2 * np.pi / BUBBLE_SECTOR_COUNT
        rings = np.array([1.24, 1.32, 1.4])[:, None, None] * radius
        self.sectors = np.stack([rings * np.cos(angle), rings * np.sin(angle)], -1).transpose(1, 0, 2, 3)
        self.sectors = self.sectors.reshape(BUBBLE_SECTOR_COUNT, -1, 2)


def _ring_points(inner_radius: float, outer_radius: float, count: int) -> FloatArray:
    """Points spread evenly over a ring; `inner_radius` and `outer_radius` are its radii."""
    n = np.arange(count) + 0.5
    r, t = np.sqrt(inner_radius**2 + (outer_radius**2 - inner_radius**2) * n / count), n * np.pi * (3 - np.sqrt(5))
    made: FloatArray = np.stack([r * np.cos(t), r * np.sin(t)], -1)
    return made


def _nearest_pixel_darkness(darkness: DarknessArray, points: FloatArray) -> FloatArray:
    """The darkness of the pixels nearest to `points`, an array whose last axis is x and y in pixels."""
    x = np.clip(np.rint(points[..., 0] - 0.5).astype(int), 0, darkness.shape[1] - 1)
    y = np.clip(np.rint(points[..., 1] - 0.5).astype(int), 0, darkness.shape[0] - 1)
    samples: FloatArray = darkness[y, x].astype(np.float64)
    return samples


def _bubble_centres(row: SheetRow) -> FloatArray:
    """The centres of a row's bubbles in pixels, one a line."""
    return np.array([b[1:] for b in row.bubbles], float) * PIXELS_PER_MM


def _row_shifts(darkness: DarknessArray, sheet: SheetPage, sample_points: _SamplePoints) -> list[FloatArray]:
    """For each row, the shift in pixels at which its rings are most visible. A row whose shift is unlike its
    neighbours' gets theirs."""
    coarse, fine = _shift_grid(MAX_ROW_SHIFT_MM * PIXELS_PER_MM, 2), _shift_grid(0.4 * PIXELS_PER_MM, 1)
    first = np.array([_best_shift(darkness, _bubble_centres(row), coarse, sample_points) for row in sheet.rows])
    middles = np.array([_bubble_centres(row).mean(0) for row in sheet.rows])
    made = []
    for n, row in enumerate(sheet.rows):
        near = np.argsort(np.hypot(*(middles - middles[n]).T))[:7]
        around = np.median(first[near], axis=0)
        start = around if np.hypot(*(first[n] - around)) > 0.5 * PIXELS_PER_MM else first[n]
        made.append(start + _best_shift(darkness, _bubble_centres(row) + start, fine, sample_points))
    return made


def _shift_grid(reach: float, step: int) -> FloatArray:
    """All shifts (x, y) of up to `reach` pixels, in steps of `step` pixels."""
    side = np.arange(-int(reach), int(reach) + 1, step)
    return np.stack(np.meshgrid(side, side), -1).reshape(-1, 2).astype(float)


def _best_shift(
    darkness: DarknessArray, centres: FloatArray, shifts: FloatArray, sample_points: _SamplePoints
) -> FloatArray:
    """The shift among `shifts` at which the rings around the `centres` are darkest against the paper outside. Each
    pixel of shift lowers the score a little, so that a long shift wins only if its rings are clearly darker."""
    at = centres[None, :, None] + shifts[:, None, None]
    seen = _nearest_pixel_darkness(darkness, at + sample_points.ring[None, None, ::2]).mean((1, 2))
    outside = _nearest_pixel_darkness(darkness, at + sample_points.outside[None, None, ::3]).mean((1, 2))
    score = seen - 0.5 * outside - 0.0015 * np.hypot(*shifts.T)
    step: FloatArray = shifts[int(np.argmax(score))]
    return step


def _row_ink(
    darkness: DarknessArray, row: SheetRow, shift: FloatArray, sample_points: _SamplePoints, sheet: SheetPage
) -> RowInk:
    """The ink of a row that lies `shift` pixels from its place on the sheet."""
    at = (_bubble_centres(row) + shift)[:, None]
    sectors = _nearest_pixel_darkness(darkness, at[:, None] + sample_points.sectors[None]).mean(2)
    paper = min(float(np.percentile(sectors, 30)), 0.15)  # ink outside all print: noise, a grey copy, a stain
    outside = _nearest_pixel_darkness(darkness, at + sample_points.outside).mean(1)
    ring = _nearest_pixel_darkness(darkness, at + sample_points.ring).mean(1) - outside
    side = (np.arange(4) - 1.5) / 4 * 0.75 * PIXELS_PER_MM
    square = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)  # sixteen places of a square of 0.75 mm
    spots = at[:, :, None] + sample_points.spot[None, :, None] + square[None, None]
    spot = _nearest_pixel_darkness(darkness, spots).mean(2).max(1) - paper
    # A slipping pen leaves a bubble on one side; a line through it, or a ring around it, on both.
    opposite = np.roll(sectors, BUBBLE_SECTOR_COUNT // 2, axis=1)
    across = np.maximum(opposite, np.maximum(np.roll(opposite, 1, axis=1), np.roll(opposite, -1, axis=1)))
    strokes = np.maximum(np.minimum(sectors, across).max(1), sectors.max(1) - 0.48) - paper
    return RowInk(
        row,
        _nearest_pixel_darkness(darkness, at + sample_points.core).mean(1) - paper,
        spot,
        strokes,
        ring,
        _ink_in_box(darkness, row.correction_box, shift, paper),
        _ink_in_box(darkness, _box_beside_row(row, sheet), shift, paper),
        (float(shift[0]) / PIXELS_PER_MM, float(shift[1]) / PIXELS_PER_MM),
    )


def _ink_in_box(
    darkness: DarknessArray, box: tuple[float, float, float, float] | None, shift: FloatArray, paper_darkness: float
) -> float:
    """The mean ink inside a rectangle (left, top, width, height in mm) without its printed edge; 0 if there is none.
    `paper_darkness` is the darkness of the paper there, `shift` that of the row in pixels."""
    if box is None or box[2] < 2:
        return 0.0
    x, y, wide, high = (v * PIXELS_PER_MM for v in box)
    edge = 0.75 * PIXELS_PER_MM
    left, top = np.arange(x + edge, x + wide - edge, 2.0), np.arange(y + edge, y + high - edge, 2.0)
    inside = _nearest_pixel_darkness(darkness, np.stack(np.meshgrid(left, top), -1) + shift) - paper_darkness
    return float(inside.mean())


def _box_beside_row(row: SheetRow, sheet: SheetPage) -> tuple[float, float, float, float] | None:
    """The free rectangle between a row's box and the next column; None if there is none."""
    if row.correction_box is None:
        return None
    column = (sheet.style.width - 2 * LEFT_MARGIN) / sheet.column_count
    end = row.correction_box[0] + row.correction_box[2]
    free = column - (end - LEFT_MARGIN) % column
    return end - 0.3, row.correction_box[1] - 0.3, min(free - 1.0, 9.0), row.correction_box[3] + 0.6


def _ink_by_printed_letter(rows: list[RowInk], field_name: str, max_above_faintest: float) -> dict[str, float]:
    """The ink of each printed letter itself: a low quantile over all bubbles with that letter, limited to little more
    than the faintest letter has, so that a candidate who fills C in every row does not count as printed ink."""
    seen: dict[str, list[float]] = {}
    for r in rows:
        for bubble, value in zip(r.row.bubbles, getattr(r, field_name), strict=True):
            seen.setdefault(bubble[0], []).append(float(value))
    low = {name: float(np.percentile(values, 20)) for name, values in seen.items()}
    scale = 1.0 if field_name == "ink_by_bubble" else 4.0
    cap = min(low.values()) + max_above_faintest * scale
    return {name: min(value, cap, MAX_PRINTED_LETTER_INK * scale) for name, value in low.items()}


# From the ink of a row to an answer, or to a doubt with its reason, which a person settles.


MIN_TRACE_INK = 0.06  # ink of a bubble beyond what is printed
MIN_FILLED_INK = 0.38  # ink of a filled bubble; half of the candidate's own usual ink where that is more
MIN_PEAK_INK = 0.25  # darkest spot of a bubble above that of a printed letter
MIN_INK_AROUND_BUBBLE = 0.12  # strokes that leave a bubble
MIN_CORRECTION_BOX_INK = 0.035
MIN_CROSS_INK = 0.1  # least ink of a bubble with a cross or a tick
MIN_INK_BESIDE_ROW = 0.03
MIN_RING_CONTRAST = 0.35  # share of the usual contrast of a ring
WEAK_MARK_DOUBTS = ("faint", "a weak mark")


@dataclass(frozen=True, slots=True)
class RowReading:
    """The reading of one row. If `doubt` is not empty, the answer is only a proposal."""

    row_name: str
    answer: str
    doubt: str
    ink_by_bubble: tuple[float, ...]


def read_row(row_ink: RowInk, usual_fill: float) -> RowReading:
    """The answer of a row, or a doubt with its reason. `usual_fill`: how much of a bubble this candidate usually fills,
    from 0 to 1."""
    answer, doubt = _marked_letters_and_doubt(row_ink, row_ink.ink_by_bubble >= max(MIN_FILLED_INK, 0.5 * usual_fill))
    if doubt and not answer:
        answer = "".join(row_ink.row.bubbles[n][0] for n in _marked_bubble_indexes(row_ink))
    return RowReading(row_ink.row.name, answer, doubt, tuple(round(float(v), 3) for v in row_ink.ink_by_bubble))


def _marked_bubble_indexes(row_ink: RowInk) -> list[int]:
    """The bubbles of a row with a mark such as a cross, if none is full. In a row for a single letter: the bubble with
    far more ink than the others, if any."""
    inks = row_ink.ink_by_bubble
    order = np.argsort(-inks)
    top, rest = float(inks[order[0]]), float(inks[order[1]]) if len(order) > 1 else 0.0
    if top < MIN_CROSS_INK:
        return []
    if row_ink.row.allows_several:
        return [n for n in range(len(order)) if inks[n] >= max(MIN_CROSS_INK, top / 2)]
    return [int(order[0])] if rest < top / 3 else []


def doubt_blank_rows(rows: Sequence[RowReading]) -> list[RowReading]:
    """The rows of a page. If most are blank, each blank row becomes doubtful, as the scan may have lost faint marks."""
    if 2 * sum(bool(row.answer) and row.doubt not in WEAK_MARK_DOUBTS for row in rows) >= len(rows):
        return list(rows)
    doubt = "blank where most rows are not full"
    return [row if row.answer or row.doubt else replace(row, doubt=doubt) for row in rows]


def _marked_letters_and_doubt(row_ink: RowInk, is_filled: np.ndarray) -> tuple[str, str]:
    """The letters of a row's answer, and the reason for doubt or an empty text. `is_filled`: which bubbles are
    filled."""
    fill, darkest = row_ink.ink_by_bubble, int(np.argmax(row_ink.ink_by_bubble))
    names = [bubble[0] for bubble in row_ink.row.bubbles]
    answer = "".join(compress(names, is_filled))
    signs = {
        "a bubble cannot be seen": ((row_ink.ring_contrast_by_bubble < MIN_RING_CONTRAST) & (fill < 0.6)).any(),
        "writing in the correction box": row_ink.correction_box_ink > MIN_CORRECTION_BOX_INK,
        "writing beside the row": row_ink.ink_beside_row > MIN_INK_BESIDE_ROW,
        "strokes beyond a bubble": (row_ink.stroke_ink_by_bubble > MIN_INK_AROUND_BUBBLE).any(),
    }
    if doubt := next((sign for sign, is_seen in signs.items() if is_seen), ""):
        return answer, doubt
    # Beside a single full bubble, traces of erased marks do not count.
    rubbed = is_filled.any() and not row_ink.row.allows_several
    trace = max(MIN_TRACE_INK, float(fill[darkest]) / 4) if rubbed else MIN_TRACE_INK
    spot = max(MIN_PEAK_INK, float(row_ink.peak_ink_by_bubble[darkest]) * 0.6) if rubbed else MIN_PEAK_INK
    weak = ((fill > trace) | (row_ink.peak_ink_by_bubble > spot)) & ~is_filled
    if weak.any():
        if is_filled.any():
            return answer, "a weak mark beside a full one"
        rest = float(np.delete(fill, darkest).max(initial=0.0))
        clear = fill[darkest] >= 0.16 and rest <= min(MIN_TRACE_INK, float(fill[darkest]) / 4)
        letter = "" if row_ink.row.allows_several else names[darkest]
        return letter, WEAK_MARK_DOUBTS[0] if clear else WEAK_MARK_DOUBTS[1]
    if not row_ink.row.allows_several and is_filled.sum() > 1:
        return answer, "more than one"
    return answer, ""


# One scanned page: rows of a sheet with their doubts, or written answers cut out by their codes.


NO_PAGE_CODE_REASON = "no code can be read"
ANSWER_PICTURE_PIXELS_PER_MM = 5  # pixels per millimetre of a cut-out answer, 127 dpi
FindForm = Callable[[str], Mapping[str, Any] | None]


@dataclass(frozen=True, slots=True)
class AnswerPicture:
    """A written answer as a picture; `is_cut_off`: the page ends before the lines for the answer do."""

    code: AnswerCode
    jpeg: bytes
    is_cut_off: bool


@dataclass(frozen=True, slots=True)
class PageReading:
    """The readings of one page. `failure_reason`: the reason why it cannot be used; `id_reading`: the ID in its grid,
    or None."""

    file_name: str
    page_number: int
    code: PageCode | None = None
    rows: tuple[RowReading, ...] = ()
    id_reading: RowReading | None = None
    row_pictures: Mapping[str, bytes] = field(default_factory=dict)
    written_answers: tuple[AnswerPicture, ...] = ()
    failure_reason: str = ""

    @property
    def file_and_page(self) -> str:
        return f"{self.file_name}, page {self.page_number}"


def read_page(page: ScannedPage, find_form: FindForm) -> PageReading:
    """The readings of one page. Whatever the page shows, it raises nothing."""
    if page.grey is None:
        return PageReading(page.file_name, page.page_number, failure_reason=page.failure_reason)
    if min(page.grey.shape) < 200:
        return PageReading(page.file_name, page.page_number, failure_reason="too small to be a page")
    codes, foreign_texts = find_codes(page.grey)
    printed = {(f.code.form, f.code.candidate, f.code.page) for f in codes if isinstance(f.code, PageCode)}
    if len(printed) > 1:
        return PageReading(
            page.file_name, page.page_number, failure_reason="two answer sheets in one picture; scan them one by one"
        )
    if printed:
        return _read_answer_sheet(page, page.grey, [f for f in codes if isinstance(f.code, PageCode)], find_form)
    if codes:
        answers = tuple(_written_answer_picture(page.grey, one) for one in codes)
        return PageReading(page.file_name, page.page_number, written_answers=answers)
    strange = f"its code is not from a quizgen exam: “{foreign_texts[0]}”" if foreign_texts else ""
    return PageReading(page.file_name, page.page_number, failure_reason=strange or NO_PAGE_CODE_REASON)


def answer_sheet_items(form: Mapping[str, Any]) -> list[tuple[int, int, bool]]:
    """(number, number of options, whether several are right) of each item on the answer sheet of a manifest's form."""
    return [(i["n"], len(i["options"]), bool(i.get("several"))) for i in form["items"] if i.get("options")]


def _read_answer_sheet(page: ScannedPage, grey: GreyArray, codes: list[FoundCode], find_form: FindForm) -> PageReading:
    """The readings of a page of an answer sheet, or the reason why it cannot be read."""
    code = codes[0].code
    assert isinstance(code, PageCode)
    form = find_form(code.form)
    if form is None:
        return PageReading(
            page.file_name, page.page_number, code, failure_reason=f"of form {code.form}, which is not in the manifest"
        )
    made = layout_sheet_pages(code.sheet_kind, answer_sheet_items(form), bool(code.candidate))
    if not 1 <= code.page <= len(made) == code.page_count:
        return PageReading(
            page.file_name,
            page.page_number,
            code,
            failure_reason=f"form {code.form} has no such page of its answer sheet",
        )
    sheet = made[code.page - 1]
    why = "too few of its marks can be found"
    for reach in (1.0, 2.0):
        flat = flatten_page(grey, sheet, codes, reach)
        if flat is not None and (inks := measure_row_inks(flat, sheet)):
            tops = [float(ink.ink_by_bubble.max()) for ink in inks if ink.ink_by_bubble.max() > 0.3]
            usual = float(np.median(tops)) if tops else 0.0
            return _reading_of_sheet_page(page, code, sheet, flat, [read_row(ink, usual) for ink in inks])
        why = why if flat is None else "its bubbles are not where they should be"
    return PageReading(
        page.file_name, page.page_number, code, failure_reason=f"{why}: bent, cut off or blurred; scan it again"
    )


def _reading_of_sheet_page(
    page: ScannedPage, code: PageCode, sheet: SheetPage, flat: FlatPage, rows: Sequence[RowReading]
) -> PageReading:
    """The readings of a sheet's page, with pictures of what is in doubt. `rows`: those of items and of the ID's
    digits."""
    items = tuple(doubt_blank_rows([row for row in rows if not row.row_name.startswith("id")]))
    digits = [row for row in rows if row.row_name.startswith("id")]
    number = _id_reading_of_digits(digits) if digits else None
    places = {row.name: row for row in sheet.rows}
    pictures = {row.row_name: _row_picture_jpeg(flat.grey, places[row.row_name], sheet) for row in items if row.doubt}
    if number is not None:
        top, bottom = 33.0, sheet.rows_top - 2
        pictures["id"] = _cut_jpeg(flat.grey, (LEFT_MARGIN - 2, top - 25, sheet.style.width - LEFT_MARGIN + 4, bottom))
    return PageReading(page.file_name, page.page_number, code, items, number, pictures)


def _id_reading_of_digits(digit_rows: Sequence[RowReading]) -> RowReading:
    """The ID in a grid: digits from the left without a gap."""
    text = "".join(d.answer[:1] or " " for d in digit_rows).rstrip()
    doubt = next((d.doubt for d in digit_rows if d.doubt), "")
    if not doubt and (not text or " " in text):
        doubt = "no ID is filled in" if not text else "a gap in the ID"
    return RowReading("id", text.replace(" ", ""), doubt, ())


def _row_picture_jpeg(grey: GreyArray, row: SheetRow, sheet: SheetPage) -> bytes:
    """A JPEG of a row with its label and its correction box, cut from a flattened page."""
    assert row.correction_box is not None
    x, y = row.bubbles[0][1:]
    above = sheet.style.row_height * 0.75
    right = row.correction_box[0] + row.correction_box[2] + 6
    return _cut_jpeg(grey, (x - sheet.style.label_width, y - above, right, row.bubbles[-1][2] + above))


def _cut_jpeg(grey: GreyArray, box: tuple[float, float, float, float]) -> bytes:
    """A JPEG of the rectangle `box` (left, top, right, bottom in mm) of a flattened page, at half its resolution."""
    left, top, right, bottom = (max(0, int(v * PIXELS_PER_MM)) for v in box)
    return _encode_jpeg(Image.fromarray(grey[top:bottom, left:right]).reduce(2), 60)


def _encode_jpeg(image: Image.Image, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


def _written_answer_picture(grey: GreyArray, found_code: FoundCode) -> AnswerPicture:
    """The picture of the lines above a small code, located by the corners of the code: at any scale, and tilted by a
    few degrees."""
    assert isinstance(found_code.code, AnswerCode)
    style = SHEET_STYLE_BY_KIND[found_code.code.sheet_kind]
    side = ITEM_CODE_MM
    # Rotation and equal scale only: four corners determine these more accurately than a skew.
    square = np.array([0, side, side + side * 1j, side * 1j])
    seen = found_code.corners[:, 0] + found_code.corners[:, 1] * 1j
    turn = np.vdot(square - square.mean(), seen - seen.mean()) / np.vdot(square - square.mean(), square - square.mean())
    start = seen.mean() - turn * square.mean()
    matrix = np.array([[turn.real, -turn.imag, start.real], [turn.imag, turn.real, start.imag], [0, 0, 1]])
    wide = style.width + 9 + 3
    high = found_code.code.line_count * style.ruled_line_height + side + 1.6 * style.ruled_line_height
    left, top = side + 3 - wide, side - high + 2.5
    corners = project_points(matrix, np.array([[left + 6, top], [side, top]]))
    cut = bool((corners[:, 1] < 0).any() or (corners[:, 1] > grey.shape[0]).any())
    picture = cut_rectangle(grey, matrix, left, top, wide, high, ANSWER_PICTURE_PIXELS_PER_MM)
    return AnswerPicture(found_code.code, _encode_jpeg(Image.fromarray(picture), 45), cut)
