"""Reads a flattened sheet: the ink in each box, then the answer, or the reason for doubt."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, compress
from typing import Any

import numpy as np
from PIL import Image

from quizgen import sheet_layout
from quizgen.scan import pages
from quizgen.scan.pages import FLAT_PX_PER_MM, DarknessArray, FlatPage, FloatArray, FoundCode, GreyArray, ScannedPage
from quizgen.sheet_layout import ANSWER_CODE_SIDE_MM, LEFT_MARGIN_MM, CodeAtItem, PageCode, SheetPage, SheetRow

SECTOR_COUNT_AROUND_BUBBLE = 12
MAX_PRINTED_LETTER_INK_SHARE = 0.2  # a printed letter darkens at most this share of a bubble
MAX_LETTER_INK_ABOVE_FAINTEST = 0.04  # and at most this much more than the faintest printed letter
MAX_ROW_SHIFT_MM = 1.6  # mm that a row may be shifted, because paper curls


@dataclass(frozen=True, slots=True)
class RowInk:
    """The ink of one row, as shares from 0 to 1. For each bubble: inside it, its darkest spot, the strokes around it,
    and how visible its printed ring is (1: as visible as on the rest of the page). For the correction box: in it and
    beside it."""

    sheet_row: SheetRow
    bubble_inks: FloatArray
    bubble_darkest_spots: FloatArray
    bubble_outer_stroke_inks: FloatArray
    bubble_ring_contrasts: FloatArray
    correction_box_ink_share: float
    ink_share_beside_row: float
    shift_x_y_mm: tuple[float, float]


def measure_visible_row_inks(page: FlatPage, sheet: SheetPage) -> list[RowInk]:
    """The ink of every row of the sheet; an empty list if too few printed rings are in their places."""
    meter = _InkMeter(page.darkness, sheet)
    raw = [meter.measure_row_ink(row, shift) for row, shift in zip(sheet.rows, meter.find_row_shifts_px(), strict=True)]
    rings = np.concatenate([r.bubble_ring_contrasts for r in raw])
    median = float(np.median(rings))
    if median < 0.06 or np.mean(rings > median * 0.3) < 0.6:
        return []
    max_above_faintest = MAX_LETTER_INK_ABOVE_FAINTEST * (1 if sheet.style.bubble_radius_mm < 3 else 2)  # bold print
    fills = _printed_letter_ink_arrays_of_rows(raw, [r.bubble_inks for r in raw], max_above_faintest, 1)
    spots = _printed_letter_ink_arrays_of_rows(raw, [r.bubble_darkest_spots for r in raw], max_above_faintest, 4)
    row_inks = []
    for r, fill, spot in zip(raw, fills, spots, strict=True):
        ink, peaks, rings = r.bubble_inks - fill, r.bubble_darkest_spots - spot, r.bubble_ring_contrasts / median
        row_inks.append(replace(r, bubble_inks=ink, bubble_darkest_spots=peaks, bubble_ring_contrasts=rings))
    return row_inks


class _InkMeter:
    """Measures the ink of a sheet's rows on the `darkness` of its flattened page. Offsets are in pixels from the centre
    of a bubble; at them its disc and the rings around it are sampled."""

    def __init__(self, darkness: DarknessArray, sheet: SheetPage) -> None:
        self.darkness, self.sheet = darkness, sheet
        radius = sheet.style.bubble_radius_mm * FLAT_PX_PER_MM
        self.core_offsets = _points_spread_over_ring(0, 0.74 * radius, 110)
        self.spot_offsets = _points_spread_over_ring(0, 0.62 * radius, 60)
        self.ring_offsets = _points_spread_over_ring(0.96 * radius, 1.02 * radius, 60)
        self.outside_offsets = _points_spread_over_ring(1.18 * radius, 1.3 * radius, 60)
        sectors = np.arange(SECTOR_COUNT_AROUND_BUBBLE)[:, None, None]
        angle = (sectors + (np.arange(5) + 0.5) / 5) * 2 * np.pi / SECTOR_COUNT_AROUND_BUBBLE
        rings = np.array([1.24, 1.32, 1.4])[:, None] * radius
        self.sector_offsets = np.stack([rings * np.cos(angle), rings * np.sin(angle)], -1).reshape(len(angle), -1, 2)

    def darkness_at_points_px(self, points: FloatArray) -> FloatArray:
        """The darkness of the pixels nearest to `points`, an array whose last axis is x and y in pixels."""
        x = np.clip(np.rint(points[..., 0] - 0.5).astype(int), 0, self.darkness.shape[1] - 1)
        y = np.clip(np.rint(points[..., 1] - 0.5).astype(int), 0, self.darkness.shape[0] - 1)
        return np.asarray(self.darkness[y, x], np.float64)

    def find_row_shifts_px(self) -> Iterator[FloatArray]:
        """Yields for each row the shift in pixels at which its rings are most visible. A row whose shift is unlike its
        neighbours' gets theirs."""
        coarse_grid, fine_grid = _shift_grid(MAX_ROW_SHIFT_MM * FLAT_PX_PER_MM, 2), _shift_grid(0.4 * FLAT_PX_PER_MM, 1)
        centres = [np.array([b[1:] for b in r.bubble_letter_x_y_mm], float) * FLAT_PX_PER_MM for r in self.sheet.rows]
        first = np.array([self.find_best_shift_px(row_centres, coarse_grid) for row_centres in centres])
        middles = np.array([row_centres.mean(0) for row_centres in centres])
        for n, row_centres in enumerate(centres):
            neighbours = np.argsort(np.hypot(*(middles - middles[n]).T))[:7]
            neighbour_shift = np.median(first[neighbours], axis=0)
            start = neighbour_shift if np.hypot(*(first[n] - neighbour_shift)) > 0.5 * FLAT_PX_PER_MM else first[n]
            yield start + self.find_best_shift_px(row_centres + start, fine_grid)

    def find_best_shift_px(self, centres: FloatArray, shifts: FloatArray) -> FloatArray:
        """The shift among `shifts` at which the rings around the `centres` are darkest against the paper outside. Each
        pixel of shift lowers the score a little, so that a long shift wins only if its rings are clearly darker."""
        places = centres[None, :, None] + shifts[:, None, None]
        ring_darkness = self.darkness_at_points_px(places + self.ring_offsets[None, None, ::2]).mean((1, 2))
        paper_darkness = self.darkness_at_points_px(places + self.outside_offsets[None, None, ::3]).mean((1, 2))
        score = ring_darkness - 0.5 * paper_darkness - 0.0015 * np.hypot(*shifts.T)
        return np.asarray(shifts[int(np.argmax(score))])

    def measure_row_ink(self, row: SheetRow, shift_pixels: FloatArray) -> RowInk:
        """The ink of a row that lies `shift_pixels` pixels from its place on the sheet."""
        centres = (np.array([b[1:] for b in row.bubble_letter_x_y_mm], float) * FLAT_PX_PER_MM + shift_pixels)[:, None]
        sectors = self.darkness_at_points_px(centres[:, None] + self.sector_offsets[None]).mean(2)
        paper = min(float(np.percentile(sectors, 30)), 0.15)  # ink outside all print: noise, a grey copy, a stain
        core = self.darkness_at_points_px(centres + self.core_offsets).mean(1) - paper
        surround = self.darkness_at_points_px(centres + self.outside_offsets).mean(1)
        ring = self.darkness_at_points_px(centres + self.ring_offsets).mean(1) - surround
        side = (np.arange(4) - 1.5) / 4 * 0.75 * FLAT_PX_PER_MM
        square = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)  # sixteen places of a square of 0.75 mm
        spots = centres[:, :, None] + self.spot_offsets[None, :, None] + square[None, None]
        spot = self.darkness_at_points_px(spots).mean(2).max(1) - paper
        # A slipping pen leaves a bubble on one side; a line through it, or a ring around it, on both.
        opposite = np.roll(sectors, SECTOR_COUNT_AROUND_BUBBLE // 2, axis=1)
        across = np.maximum(opposite, np.maximum(np.roll(opposite, 1, axis=1), np.roll(opposite, -1, axis=1)))
        strokes = np.maximum(np.minimum(sectors, across).max(1), sectors.max(1) - 0.48) - paper
        box_ink = beside = 0.0
        if (box := row.correction_box_mm) is not None:
            box_ink = self.mean_ink_in_box(box, shift_pixels) - paper
            column = (self.sheet.style.print_width_mm - 2 * LEFT_MARGIN_MM) / self.sheet.column_count
            right = box[0] + box[2]
            width = min(column - (right - LEFT_MARGIN_MM) % column - 1.0, 9.0)  # up to the next column
            if width >= 2:
                beside = self.mean_ink_in_box((right - 0.3, box[1] - 0.3, width, box[3] + 0.6), shift_pixels) - paper
        return RowInk(row, core, spot, strokes, ring, box_ink, beside, tuple((shift_pixels / FLAT_PX_PER_MM).tolist()))

    def mean_ink_in_box(self, box_mm: tuple[float, float, float, float], shift_pixels: FloatArray) -> float:
        """The mean ink inside a rectangle (left, top, width, height in mm) that lies `shift_pixels` pixels from its
        place, without its printed edge."""
        x, y, width, height = (v * FLAT_PX_PER_MM for v in box_mm)
        edge = 0.75 * FLAT_PX_PER_MM
        left, top = np.arange(x + edge, x + width - edge, 2.0), np.arange(y + edge, y + height - edge, 2.0)
        return float(self.darkness_at_points_px(np.stack(np.meshgrid(left, top), -1) + shift_pixels).mean())


def _points_spread_over_ring(inner_radius: float, outer_radius: float, count: int) -> FloatArray:
    """Points spread evenly over a ring; `inner_radius` and `outer_radius` are its radii."""
    n = np.arange(count) + 0.5
    r, t = np.sqrt(inner_radius**2 + (outer_radius**2 - inner_radius**2) * n / count), n * np.pi * (3 - np.sqrt(5))
    return np.stack([r * np.cos(t), r * np.sin(t)], -1)


def _shift_grid(reach_pixels: float, step_pixels: int) -> FloatArray:
    """All shifts (x, y) of up to `reach_pixels` pixels, in steps of `step_pixels` pixels."""
    side = np.arange(-int(reach_pixels), int(reach_pixels) + 1, step_pixels)
    return np.stack(np.meshgrid(side, side), -1).reshape(-1, 2).astype(float)


def _printed_letter_ink_arrays_of_rows(
    rows: list[RowInk], inks_by_row: list[FloatArray], max_above_faintest: float, limit_factor: float
) -> list[FloatArray]:
    """For the bubbles of each row, the ink of the printed letter itself: a low quantile of `inks_by_row` over all
    bubbles with that letter, limited to little more than the faintest letter has, so that a candidate who fills C in
    every row does not count as printed ink. `limit_factor`: how much larger the limits are than for a bubble's mean
    ink."""
    names = [[bubble[0] for bubble in r.sheet_row.bubble_letter_x_y_mm] for r in rows]
    inks_by_letter: dict[str, list[float]] = {}
    for name, value in zip(chain(*names), np.concatenate(inks_by_row), strict=True):
        inks_by_letter.setdefault(name, []).append(float(value))
    letter_ink = {name: float(np.percentile(values, 20)) for name, values in inks_by_letter.items()}
    cap = min(min(letter_ink.values()) + max_above_faintest * limit_factor, MAX_PRINTED_LETTER_INK_SHARE * limit_factor)
    return [np.array([min(letter_ink[name], cap) for name in row]) for row in names]


# From the ink of a row to an answer, or to a doubt with its reason, which a person settles.


MIN_WEAK_MARK_INK = 0.06  # ink of a bubble beyond what is printed
MIN_FILLED_INK = 0.38  # ink of a filled bubble; half of the candidate's own usual ink where that is more
MIN_WEAK_MARK_SPOT_INK = 0.25  # darkest spot of a bubble above that of a printed letter
MIN_INK_OF_STROKES_LEAVING_BUBBLE = 0.12  # strokes that leave a bubble
MIN_WRITING_INK_IN_CORRECTION_BOX = 0.035
MIN_CROSS_OR_TICK_INK = 0.1  # least ink of a bubble with a cross or a tick
MIN_WRITING_INK_BESIDE_ROW = 0.03
MIN_VISIBLE_RING_CONTRAST = 0.35  # share of the usual contrast of a ring
WEAK_MARK_DOUBTS = ("faint", "a weak mark")
CORRECTION_BOX_DOUBT, BLANK_ROW_DOUBT = "writing in the correction box", "blank where most rows are not full"


@dataclass(frozen=True, slots=True)
class RowReading:
    """The reading of one row. If `doubt_reason` is not empty, the answer is only a proposal."""

    item_or_id: str
    answer: str
    doubt_reason: str
    bubble_inks: tuple[float, ...]

    @property
    def proposed_answer(self) -> str | None:
        """The answer to propose; None if a person must choose, as where the letter that counts is in the box."""
        is_open = self.doubt_reason == CORRECTION_BOX_DOUBT or not (self.answer or self.doubt_reason == BLANK_ROW_DOUBT)
        return None if is_open else self.answer


def read_row_answer(row_ink: RowInk, usual_fill: float) -> RowReading:
    """The answer of a row, or a doubt with its reason. `usual_fill`: how much of a bubble this candidate usually
    fills, from 0 to 1."""
    row, inks = row_ink.sheet_row, row_ink.bubble_inks
    answer, doubt = _marked_letters_and_doubt(row_ink, inks >= max(MIN_FILLED_INK, 0.5 * usual_fill))
    if doubt and not answer:
        # A proposal: the bubbles with a mark such as a cross, if none is full. In a row for a single letter, the bubble
        # with far more ink than the others, if any.
        first, *others = np.argsort(-inks)
        min_ink = max(MIN_CROSS_OR_TICK_INK, inks[first] / 2)
        if row.allows_several:
            answer = "".join(b[0] for b, ink in zip(row.bubble_letter_x_y_mm, inks, strict=True) if ink >= min_ink)
        elif inks[first] >= MIN_CROSS_OR_TICK_INK and (inks[others[0]] if others else 0.0) < inks[first] / 3:
            answer = row.bubble_letter_x_y_mm[first][0]
    return RowReading(row.item_or_id, answer, doubt, tuple(round(float(v), 3) for v in inks))


def doubt_blank_rows_if_many(readings: Sequence[RowReading]) -> list[RowReading]:
    """The rows of a page. If most are blank, each blank row becomes doubtful, as the scan may have lost faint marks."""
    if 2 * sum(bool(row.answer) and row.doubt_reason not in WEAK_MARK_DOUBTS for row in readings) >= len(readings):
        return list(readings)
    return [row if row.answer or row.doubt_reason else replace(row, doubt_reason=BLANK_ROW_DOUBT) for row in readings]


def _marked_letters_and_doubt(row_ink: RowInk, are_bubbles_filled: np.ndarray) -> tuple[str, str]:
    """The letters of a row's answer, and the reason for doubt or an empty text. `are_bubbles_filled`: which bubbles
    are filled."""
    fill, darkest = row_ink.bubble_inks, int(np.argmax(row_ink.bubble_inks))
    spots, names = row_ink.bubble_darkest_spots, [bubble[0] for bubble in row_ink.sheet_row.bubble_letter_x_y_mm]
    answer = "".join(compress(names, are_bubbles_filled))
    signs = {
        "a bubble cannot be seen": ((row_ink.bubble_ring_contrasts < MIN_VISIBLE_RING_CONTRAST) & (fill < 0.6)).any(),
        CORRECTION_BOX_DOUBT: row_ink.correction_box_ink_share > MIN_WRITING_INK_IN_CORRECTION_BOX,
        "writing beside the row": row_ink.ink_share_beside_row > MIN_WRITING_INK_BESIDE_ROW,
        "strokes beyond a bubble": (row_ink.bubble_outer_stroke_inks > MIN_INK_OF_STROKES_LEAVING_BUBBLE).any(),
    }
    if doubt := next((sign for sign, is_seen in signs.items() if is_seen), ""):
        return answer, doubt
    # Beside a single full bubble, traces of erased marks do not count.
    may_be_erased = are_bubbles_filled.any() and not row_ink.sheet_row.allows_several
    trace = max(MIN_WEAK_MARK_INK, float(fill[darkest]) / 4) if may_be_erased else MIN_WEAK_MARK_INK
    spot = max(MIN_WEAK_MARK_SPOT_INK, float(spots[darkest]) * 0.6) if may_be_erased else MIN_WEAK_MARK_SPOT_INK
    marks = ((fill > trace) | (spots > spot)) & ~are_bubbles_filled
    if marks.any():
        if are_bubbles_filled.any():
            return answer, "a weak mark beside a full one"
        next_ink = float(np.delete(fill, darkest).max(initial=0.0))
        is_clear = fill[darkest] >= 0.16 and next_ink <= min(MIN_WEAK_MARK_INK, float(fill[darkest]) / 4)
        marked = marks & ((fill > fill[darkest] / 2) | (spots > max(MIN_WEAK_MARK_SPOT_INK, float(spots.max()) * 0.6)))
        return "".join(compress(names, marked)), WEAK_MARK_DOUBTS[0] if is_clear else WEAK_MARK_DOUBTS[1]
    if not row_ink.sheet_row.allows_several and are_bubbles_filled.sum() > 1:
        return answer, "more than one"
    return answer, ""


# One scanned page: rows of a sheet with their doubts, or written answers cut out by their codes.


NO_PAGE_CODE_REASON = "no code can be read"
ANSWER_PICTURE_PIXELS_PER_MM = 5  # pixels per millimetre of a cut-out answer, 127 dpi
FindForm = Callable[[str], Mapping[str, Any] | None]


@dataclass(frozen=True, slots=True)
class AnswerPicture:
    """A written answer as a picture; `is_cut_off`: the page ends before the lines for the answer do."""

    answer_code: CodeAtItem
    jpeg: bytes
    is_cut_off: bool


@dataclass(frozen=True, slots=True)
class PageReading:
    """The readings of one page. `failure_reason`: the reason why it cannot be used; `candidate_id_reading`: the ID in
    its grid, or None."""

    file_name: str
    page_number_in_file: int
    code: PageCode | None = None
    row_readings: tuple[RowReading, ...] = ()
    candidate_id_reading: RowReading | None = None
    jpeg_by_doubtful_row: Mapping[str, bytes] = field(default_factory=dict)
    answer_pictures: tuple[AnswerPicture, ...] = ()
    failure_reason: str = ""

    @property
    def file_and_page(self) -> str:
        return f"{self.file_name}, page {self.page_number_in_file}"


def read_page(page: ScannedPage, find_form: FindForm) -> PageReading:
    """The readings of one page. Whatever the page shows, it raises nothing."""
    reading = PageReading(page.file_name, page.page_number_in_file)
    if page.grey is None:
        return replace(reading, failure_reason=page.failure_reason)
    if min(page.grey.shape) < 200:
        return replace(reading, failure_reason="too small to be a page")
    codes, foreign_texts = pages.find_codes_and_foreign_texts(page.grey)
    sheet_codes = [(found_code, code) for found_code in codes if isinstance(code := found_code.code, PageCode)]
    if len({(code.form_code, code.roster_number, code.page_number) for _, code in sheet_codes}) > 1:
        return replace(reading, failure_reason="two answer sheets in one picture; scan them one by one")
    if sheet_codes:
        return _sheet_reading(reading, page.grey, [found_code for found_code, _ in sheet_codes], find_form)
    if codes:
        return replace(reading, answer_pictures=tuple(_cut_written_answer_above_code(page.grey, one) for one in codes))
    fault = f"its code is not from a quizgen exam: “{foreign_texts[0]}”" if foreign_texts else ""
    return replace(reading, failure_reason=fault or NO_PAGE_CODE_REASON)


def choice_row_specs_of_form(form: Mapping[str, Any]) -> list[tuple[int, int, bool]]:
    """(number, number of options, whether several are right) of each item on the answer sheet of a manifest's form."""
    return [(i["n"], len(i["options"]), bool(i.get("several"))) for i in form["items"] if i.get("options")]


def _sheet_reading(reading: PageReading, grey: GreyArray, codes: list[FoundCode], find_form: FindForm) -> PageReading:
    """The readings of a page of an answer sheet, with pictures of what is in doubt, or the reason why it cannot be
    read."""
    code = codes[0].code
    assert isinstance(code, PageCode)
    reading, form = replace(reading, code=code), find_form(code.form_code)
    if form is None:
        return replace(reading, failure_reason=f"of form {code.form_code}, which is not in the manifest")
    sheets = sheet_layout.layout_sheet_pages(code.sheet_kind, choice_row_specs_of_form(form), bool(code.roster_number))
    if not 1 <= code.page_number <= len(sheets) == code.page_count:
        return replace(reading, failure_reason=f"form {code.form_code} has no such page of its answer sheet")
    sheet, inks, reason = sheets[code.page_number - 1], [], "too few of its marks can be found"
    for reach in (1.0, 2.0):
        page = pages.flatten_page(grey, sheet, codes, reach)
        if page is not None and (inks := measure_visible_row_inks(page, sheet)):
            break
        reason = reason if page is None else "its bubbles are not where they should be"
    if page is None or not inks:
        return replace(reading, failure_reason=f"{reason}: bent, cut off or blurred; scan it again")
    tops = [float(ink.bubble_inks.max()) for ink in inks if ink.bubble_inks.max() > 0.3]
    usual_fill = float(np.median(tops)) if tops else 0.0
    readings = [read_row_answer(ink, usual_fill) for ink in inks]
    items = tuple(doubt_blank_rows_if_many([row for row in readings if not row.item_or_id.startswith("id")]))
    rows = {row.item_or_id: row for row in sheet.rows}
    jpegs = {r.item_or_id: _row_picture_jpeg(page.grey, rows[r.item_or_id], sheet) for r in items if r.doubt_reason}
    if digits := [row for row in readings if row.item_or_id.startswith("id")]:
        box = (LEFT_MARGIN_MM - 2, 8.0, sheet.style.print_width_mm - LEFT_MARGIN_MM + 4, sheet.rows_top_mm - 2)
        jpegs["id"] = _cut_jpeg(page.grey, box)
        reading = replace(reading, candidate_id_reading=_candidate_id_reading(digits))
    return replace(reading, row_readings=items, jpeg_by_doubtful_row=jpegs)


def _candidate_id_reading(digit_rows: Sequence[RowReading]) -> RowReading:
    """The ID in a grid: digits from the left without a gap."""
    text = "".join(d.answer[:1] or " " for d in digit_rows).rstrip()
    doubt = next((d.doubt_reason for d in digit_rows if d.doubt_reason), "")
    if not doubt and (not text or " " in text):
        doubt = "no ID is filled in" if not text else "a gap in the ID"
    return RowReading("id", text.replace(" ", ""), doubt, ())


def _row_picture_jpeg(grey: GreyArray, row: SheetRow, sheet: SheetPage) -> bytes:
    """A JPEG of a row with its label and its correction box, cut from a flattened page."""
    assert row.correction_box_mm is not None
    x, y = row.bubble_letter_x_y_mm[0][1:]
    pad = sheet.style.row_height_mm * 0.75
    right = row.correction_box_mm[0] + row.correction_box_mm[2] + 6
    return _cut_jpeg(grey, (x - sheet.style.first_bubble_x_mm, y - pad, right, row.bubble_letter_x_y_mm[-1][2] + pad))


def _cut_jpeg(grey: GreyArray, box_mm: tuple[float, float, float, float]) -> bytes:
    """A JPEG of the rectangle `box_mm` (left, top, right, bottom in mm) of a flattened page, at half its resolution."""
    left, top, right, bottom = (max(0, int(v * FLAT_PX_PER_MM)) for v in box_mm)
    return _encode_jpeg(Image.fromarray(grey[top:bottom, left:right]).reduce(2), 60)


def _encode_jpeg(image: Image.Image, quality: int) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def _cut_written_answer_above_code(grey: GreyArray, found_code: FoundCode) -> AnswerPicture:
    """The picture of the lines above a small code, located by the corners of the code: at any scale, and tilted by a
    few degrees."""
    assert isinstance(found_code.code, CodeAtItem)
    style = sheet_layout.SHEET_STYLE_BY_SHEET_KIND[found_code.code.sheet_kind]
    side = ANSWER_CODE_SIDE_MM
    # Rotation and equal scale only: four corners determine these more accurately than a skew.
    square = np.array([0, side, side + side * 1j, side * 1j])
    seen = found_code.corner_pixels[:, 0] + found_code.corner_pixels[:, 1] * 1j
    turn = np.vdot(square - square.mean(), seen - seen.mean()) / np.vdot(square - square.mean(), square - square.mean())
    start = seen.mean() - turn * square.mean()
    matrix = np.array([[turn.real, -turn.imag, start.real], [turn.imag, turn.real, start.imag], [0, 0, 1]])
    width = style.print_width_mm + 9 + 3
    height = found_code.code.ruled_line_count * style.ruled_line_height_mm + side + 1.6 * style.ruled_line_height_mm
    left, top = side + 3 - width, side - height + 2.5
    corners = pages.project_points(matrix, np.array([[left + 6, top], [side, top]]))
    cut = bool((corners[:, 1] < 0).any() or (corners[:, 1] > grey.shape[0]).any())
    picture = pages.cut_rectangle(grey, matrix, left, top, width, height, ANSWER_PICTURE_PIXELS_PER_MM)
    return AnswerPicture(found_code.code, _encode_jpeg(Image.fromarray(picture), 45), cut)
