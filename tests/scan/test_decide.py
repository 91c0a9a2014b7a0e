"""From measured ink to an answer or a doubt, and what a page without our marks says; by numbers made by hand."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
import segno
from PIL import Image

from quizgen.scan import pages
from quizgen.scan.answers import RowInk, measure_visible_row_inks, read_page, read_row_answer
from quizgen.sheet_layout import CORNER_MARK_SIZE_MM, PageCode, SheetRow, layout_sheet_pages


@pytest.mark.parametrize(
    ("fill", "more", "answer", "doubt"),
    [
        ((0.0, 0.9, 0.0), {}, "B", ""),
        ((0.0, 0.0, 0.0), {}, "", ""),
        ((0.9, 0.9, 0.0), {}, "AB", "more than one"),
        ((0.9, 0.9, 0.0), {"several": True}, "AB", ""),
        ((0.2, 0.0, 0.0), {}, "A", "faint"),
        ((0.1, 0.0, 0.0), {}, "A", "a weak mark"),
        ((0.2, 0.1, 0.0), {}, "A", "a weak mark"),
        ((0.2, 0.11, 0.0), {"several": True}, "AB", "a weak mark"),
        ((0.12, 0.03, 0.0), {"bubble_darkest_spots": (0.5, 0.4, 0.1)}, "AB", "a weak mark"),  # two dots
        ((0.9, 0.3, 0.0), {}, "A", "a weak mark beside a full one"),
        ((0.9, 0.2, 0.0), {}, "A", ""),  # the trace of a rubber: below a quarter of the full one
        ((0.9, 0.2, 0.0), {"several": True}, "A", "a weak mark beside a full one"),
        ((0.9, 0.0, 0.0), {"correction_box_ink_share": 0.04}, "A", "writing in the correction box"),
        ((0.9, 0.0, 0.0), {"ink_share_beside_row": 0.04}, "A", "writing beside the row"),
        ((0.9, 0.0, 0.0), {"bubble_outer_stroke_inks": (0.2, 0.0, 0.0)}, "A", "strokes beyond a bubble"),
        ((0.9, 0.0, 0.0), {"bubble_ring_contrasts": (1.0, 0.3, 1.0)}, "A", "a bubble cannot be seen"),
        ((0.9, 0.0, 0.0), {"bubble_ring_contrasts": (0.3, 1.0, 1.0)}, "A", ""),  # its own ink hides it
    ],
)
def test_what_a_row_says(fill: tuple[float, ...], more: dict[str, object], answer: str, doubt: str) -> None:
    row = SheetRow("1", bool(more.get("several")), tuple((name, 0.0, 0.0) for name in "ABC"))
    usual = {f"bubble_{n}": [k] * 3 for n, k in (("outer_stroke_inks", 0), ("ring_contrasts", 1), ("darkest_spots", 0))}
    floats = {name: np.array(more.get(name, given), float) for name, given in usual.items()}
    beside = {name: float(str(more.get(name, 0.0))) for name in ("correction_box_ink_share", "ink_share_beside_row")}
    found = read_row_answer(RowInk(row, np.array(fill), shift_x_y_mm=(0.0, 0.0), **floats, **beside), 0.9)
    assert (found.answer, found.doubt_reason) == (answer, doubt)


PAGE = PageCode("A", "ZALRG3-A", 1, 1, 1)
SHEET = layout_sheet_pages("A", [(n, 4, False) for n in range(1, 21)], True)[0]


def pasted(*texts: str) -> pages.GreyArray:
    """A white picture with a QR code for each text."""
    picture = np.full((300, 300 * max(1, len(texts))), 255, np.uint8)
    for number, text in enumerate(texts):
        made = BytesIO()
        segno.make(text, error="q", micro=False).save(made, kind="png", scale=6)
        code = np.asarray(Image.open(made).convert("L"))
        picture[20 : 20 + code.shape[0], 300 * number + 20 : 300 * number + 20 + code.shape[1]] = code
    return picture


@pytest.mark.parametrize(
    ("grey", "why"),
    [
        (None, "torn"),
        (np.full((199, 900), 255, np.uint8), "too small to be a page"),
        (pasted(), "no code"),
        (pasted("https://example.org"), "its code is not from a quizgen exam: “https://example.org”"),
        (pasted(PAGE.text(), replace(PAGE, roster_number=2).text()), "two answer sheets in one picture; scan them one"),
        (pasted(replace(PAGE, form_code="ZALRG3-B").text()), "of form ZALRG3-B, which is not in the manifest"),
        (pasted(replace(PAGE, page_number=2, page_count=2).text()), "form ZALRG3-A has no such page of its answer"),
        (pasted(PAGE.text()), "too few of its marks can be found: bent, cut off or blurred; scan it again"),
    ],
)
def test_a_page_that_cannot_be_read_says_why(grey: pages.GreyArray | None, why: str) -> None:
    form = {"items": [{"n": 1, "options": ["a", "b"]}]}
    scanned = pages.ScannedPage("scan.png", 3, grey, "torn")
    found = read_page(scanned, lambda code: form if code == PAGE.form_code else None)
    assert found.file_and_page == "scan.png, page 3"
    assert found.failure_reason.startswith(why)
    assert (found.row_readings, found.answer_pictures) == ((), ())


@pytest.mark.parametrize(("black", "found"), [(0, True), (255, False)])
def test_a_page_is_laid_flat_by_its_code_and_marks(black: int, found: bool) -> None:
    """At four pixels a millimetre; its code's four corners are as near as two marks, and four are needed."""
    x, y, side = SHEET.code_squares_mm[0]
    corners = np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)]) * 4
    page = np.full((1188, 840), 255, np.uint8)
    wide = round(4 * CORNER_MARK_SIZE_MM)
    for mark in SHEET.corner_mark_centres_mm:
        left, top = (round(4 * place - 2 * CORNER_MARK_SIZE_MM) for place in mark)
        page[top : top + wide, left : left + wide] = black
    flat = pages.flatten_page(page, SHEET, [pages.FoundCode(PAGE, corners)])
    assert (flat is not None) is found
    if flat is not None:
        place = pages.project_points(flat.mm_to_scan_matrix, np.array([[100.0, 200.0]]))[0]
        assert place == pytest.approx([400, 800], abs=1)


def test_where_no_ring_is_seen_nothing_is_measured() -> None:
    sides = (round(side * pages.FLAT_PX_PER_MM) for side in (SHEET.style.print_height_mm, SHEET.style.print_width_mm))
    blank = np.zeros(tuple(sides))
    assert measure_visible_row_inks(pages.FlatPage(blank, np.full(blank.shape, 255, np.uint8), np.eye(3)), SHEET) == []


def test_what_lies_at_the_horizon_is_white() -> None:
    """A matrix that puts the corner nowhere."""
    made = pages.cut_rectangle(np.zeros((50, 50), np.uint8), np.diag([1.0, 1.0, 0.0]), 0, 0, 4, 2, 5)
    assert made.shape == (10, 20)
    assert (made == 255).all()
