"""The layout of an answer sheet in millimetres, and the codes that identify its pages.

Drawing and scanning both use this module, so no layout is stored: the code on each page has its version and kind. Any
change of a position here needs a new LAYOUT_VERSION_DIGIT."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

LAYOUT_VERSION_DIGIT = "1"
ID_DIGIT_COUNT = 8  # columns of the grid for an ID, on sheets without a name
CORNER_MARK_SIZE_MM = 6.0  # side of a mark; the mark at the bottom right is hollow
ANSWER_CODE_SIDE_MM = 10.5  # side of the code beside an item: 21 modules of half a millimetre
_BASE36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PAGE_CODE_PATTERN = re.compile(r"QZ1([ABCD]):([A-Z0-9-]+):([0-9]+):([0-9]+)/([0-9]+)([TB]):..")
_ANSWER_CODE_PATTERN = re.compile(r"T([ABCD])([A-Z0-9]{8})([0-9A-Z]{4})([0-9A-Z]).")
ChoiceRowSpec = tuple[int, int, bool]  # an item with options: (number, how many options, whether several may be chosen)


@dataclass(frozen=True, slots=True)
class SheetStyle:
    """The dimensions of one kind of sheet: page size, bubble size, distances between bubbles and rows."""

    print_width_mm: float
    print_height_mm: float
    bubble_radius_mm: float
    bubble_spacing_mm: float
    row_height_mm: float
    first_bubble_x_mm: float  # from a column's left edge to its first bubble
    id_grid_steps_mm: tuple[float, float]  # steps of the grid for an ID, across and down
    ruled_line_height_mm: float  # height of a ruled line of a text item, for cutting out its picture


SHEET_STYLE_BY_SHEET_KIND = {
    "A": SheetStyle(174, 258, 2.6, 7.0, 8.0, 12.0, (7.0, 6.4), 7.5),  # A4
    "B": SheetStyle(180, 240, 2.6, 7.0, 8.0, 12.0, (7.0, 6.4), 7.5),  # letter
    "C": SheetStyle(178, 256, 4.1, 10.6, 12.4, 20.0, (10.6, 10.0), 13.0),  # A4, large print
    "D": SheetStyle(184, 238, 4.1, 10.6, 12.4, 20.0, (10.6, 10.0), 13.0),  # letter, large print
}
# Margins inside the drawing; the foot holds the second code.
LEFT_MARGIN_MM, TOP_MARGIN_MM, FOOT_MARGIN_MM = 10.0, 9.0, 33.0
HEAD_HEIGHT_MM = 34.0  # height above the instructions on a sheet with a name


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row: bubbles as (letter, x, y) and a correction box (x, y, width, height), in mm. `item_or_id` is the item's
    number, or `id1` … for a digit of an ID."""

    item_or_id: str
    allows_several: bool
    bubble_letter_x_y_mm: tuple[tuple[str, float, float], ...]
    correction_box_mm: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class SheetPage:
    """One page: the centres of its corner marks (top left, top right, bottom left, bottom right), its codes as (x, y,
    side), and its rows."""

    style: SheetStyle
    corner_mark_centres_mm: tuple[tuple[float, float], ...]
    code_squares_mm: tuple[tuple[float, float, float], tuple[float, float, float]]
    rows: tuple[SheetRow, ...]
    rows_top_mm: float
    column_count: int


def layout_sheet_pages(sheet_kind: str, row_specs: Sequence[ChoiceRowSpec], has_names: bool) -> tuple[SheetPage, ...]:
    """The pages for a form's choice items, in the style of `sheet_kind`, with an ID grid unless `has_names`."""
    style = SHEET_STYLE_BY_SHEET_KIND[sheet_kind]
    pitch, row_height, radius = style.bubble_spacing_mm, style.row_height_mm, style.bubble_radius_mm
    max_options = max((count for _, count, _ in row_specs), default=1)
    # As many columns as have room for the longest row besides the label and the correction box, else one.
    for columns in (3, 2, 1):
        column = (style.print_width_mm - 2 * LEFT_MARGIN_MM) / columns
        in_line = int((column - style.first_bubble_x_mm - radius * 1.65 - row_height * 0.75) // pitch) + 1
        if in_line >= max_options:
            break
    item_height = row_height * -(-max_options // in_line)
    top, id_grid = HEAD_HEIGHT_MM, []
    for digit in range(0 if has_names else ID_DIGIT_COUNT):
        x_step, y_step = style.id_grid_steps_mm
        x = round(style.print_width_mm - LEFT_MARGIN_MM - radius - x_step * (ID_DIGIT_COUNT - 1) + digit * x_step, 3)
        y = TOP_MARGIN_MM + x_step + radius + 4
        digit_bubbles = tuple((str(n), x, round(y + n * y_step, 3)) for n in range(10))
        id_grid.append(SheetRow(f"id{digit + 1}", False, digit_bubbles))
        top = digit_bubbles[-1][2] + radius + 5
    room = style.print_height_mm - FOOT_MARGIN_MM - top - row_height - item_height
    per_column = max(1, int(room // item_height) + 1)
    edge = CORNER_MARK_SIZE_MM / 2 + 0.5
    corners = tuple((x, y) for y in (edge, style.print_height_mm - edge) for x in (edge, style.print_width_mm - edge))
    right, bottom = style.print_width_mm - LEFT_MARGIN_MM - 20.0, style.print_height_mm - TOP_MARGIN_MM - 20.0
    codes = (LEFT_MARGIN_MM, TOP_MARGIN_MM, 20.0), (right, bottom, 20.0)
    pages = []
    for start in range(0, len(row_specs), per_column * columns):
        rows = list(id_grid)
        for place, (number, count, allows_several) in enumerate(row_specs[start : start + per_column * columns]):
            column_index, row_index = divmod(place, per_column)
            y = top + 1.6 * row_height + row_index * item_height
            first = LEFT_MARGIN_MM + column_index * column + style.first_bubble_x_mm
            spots = ((first + pitch * (i % in_line), y + row_height * (i // in_line)) for i in range(count))
            bubbles = tuple((chr(65 + i), round(x, 3), round(y, 3)) for i, (x, y) in enumerate(spots))
            end = first + pitch * (min(max_options, in_line) - 1) + radius * 1.65
            width, height = round(row_height * 0.75, 3), round(row_height * 0.76, 3)
            box = (round(end, 3), round(y - row_height * 0.38, 3), width, height)
            rows.append(SheetRow(str(number), allows_several, bubbles, box))
        pages.append(SheetPage(style, corners, codes, tuple(rows), top, columns))
    return tuple(pages)


@dataclass(frozen=True, slots=True)
class PageCode:
    """The content of a page's code: the form's code, the candidate's number on the roster (0: no name), the page, the
    number of pages, and which of the page's two codes this is."""

    sheet_kind: str
    form_code: str
    roster_number: int
    page_number: int
    page_count: int
    is_bottom_code: bool = False

    def text(self) -> str:
        page = f"{self.roster_number:04d}:{self.page_number}/{self.page_count}{'B' if self.is_bottom_code else 'T'}"
        return _add_checksum(f"QZ{LAYOUT_VERSION_DIGIT}{self.sheet_kind}:{self.form_code}:{page}:", 2)


@dataclass(frozen=True, slots=True)
class CodeAtItem:
    """The content of the small code at an item: its reference, the candidate's number, and the ruled lines above it."""

    sheet_kind: str
    item_code: str
    roster_number: int
    ruled_line_count: int

    def text(self) -> str:
        digits = "".join(_BASE36[self.roster_number // 36**p % 36] for p in (3, 2, 1, 0))
        return _add_checksum(f"T{self.sheet_kind}{self.item_code}{digits}{_BASE36[min(self.ruled_line_count, 35)]}", 1)


def _add_checksum(text: str, length: int) -> str:
    checksum = crc32(text.encode("ascii"))
    return text + "".join(_BASE36[checksum // 36**p % 36] for p in range(length))


def parse_sheet_code(text: str) -> PageCode | CodeAtItem | None:
    """The parsed code in `text`; None if it is damaged or another program's."""
    if (match := _PAGE_CODE_PATTERN.fullmatch(text)) and _add_checksum(text[:-2], 2) == text:
        return PageCode(match[1], match[2], int(match[3]), int(match[4]), int(match[5]), match[6] == "B")
    if (match := _ANSWER_CODE_PATTERN.fullmatch(text)) and _add_checksum(text[:-1], 1) == text:
        return CodeAtItem(match[1], match[2], int(match[3], 36), int(match[4], 36))
    return None
