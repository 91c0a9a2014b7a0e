"""Files of every sort, whole and damaged: each page is read or named, and none stops the rest; and the layout that
drawing and scanning share: nothing lies on anything else, and codes say what they are given.
"""

from __future__ import annotations

import os
import re
from io import BytesIO
from itertools import combinations
from math import hypot
from pathlib import Path
from random import Random

import numpy as np
import pytest
import segno
from PIL import Image
from shipped import Command

from quizgen import sheet_layout
from quizgen.render.exam import answer_sheet_page_values, draw_qr_code
from quizgen.roster import Candidate
from quizgen.scan.pages import MAX_PAGE_SIDE_PIXELS, PixelBudget, find_scan_files, read_scanned_pages

GREY = np.linspace(0, 255, 300 * 400).reshape(400, 300).astype(np.uint8)


BMP = BytesIO()
Image.fromarray(GREY).save(BMP, "BMP")


@pytest.mark.parametrize("suffix", ["png", "jpg", "tif", "webp", "bmp", "gif", "pdf"])
def test_pictures_are_read(tmp_path: Path, suffix: str) -> None:
    """A format is known by what the file holds, whatever its name ends in."""
    Image.fromarray(GREY).save(tmp_path / f"page.{suffix}")
    path = (tmp_path / f"page.{suffix}").rename(tmp_path / ("page.png" if suffix == "pdf" else f"page.{suffix}"))
    (found,) = read_scanned_pages(str(path))
    assert found.grey[:40].mean() < 40
    assert found.grey[-40:].mean() > 215


def test_many_pages_of_one_file_are_numbered(tmp_path: Path) -> None:
    image = Image.fromarray(GREY)
    for name in ("a.tif", "b.pdf"):
        image.save(tmp_path / name, save_all=True, append_images=[image, image])
        found = [(p.file_name, p.page_number_in_file, p.grey is None) for p in read_scanned_pages(str(tmp_path / name))]
        assert found == [(name, number, False) for number in (1, 2, 3)]


def test_odd_pictures_are_grey_all_the_same(tmp_path: Path) -> None:
    """Sixteen bits a pixel, a transparent background, a camera held upside down, more pixels than are needed."""
    Image.fromarray(GREY.astype(np.uint16) << 8).save(tmp_path / "deep.png")
    clear = np.dstack([GREY, GREY, GREY, np.zeros_like(GREY)])
    Image.fromarray(clear).save(tmp_path / "clear.png")
    exif = Image.Exif()
    exif[0x0112] = 3  # turned by 180 degrees
    Image.fromarray(GREY).save(tmp_path / "turned.jpg", exif=exif)
    Image.fromarray(np.full((MAX_PAGE_SIDE_PIXELS * 2, 100), 7, np.uint8)).save(tmp_path / "long.png")
    files = (tmp_path / name for name in ("deep.png", "clear.png", "turned.jpg", "long.png"))
    deep, clear, turned, long = (next(read_scanned_pages(str(file))).grey for file in files)
    assert abs(float(deep.mean()) - float(GREY.mean())) < 2
    assert float(clear.mean()) == 255
    assert float(turned[:40].mean()) > 215
    assert max(long.shape) == MAX_PAGE_SIDE_PIXELS


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.png", b""),
        ("text.jpg", b"not a picture"),
        ("head.pdf", b"%PDF-1.7\nnothing"),
        ("short.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("figure.png", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n"),
        ("cut.bmp", BMP.getvalue()[:60_000]),
        ("gone.png", None),
        ("pipe.png", None),
    ],
)
@pytest.mark.timeout(20)
def test_what_cannot_be_read_is_one_page_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes | None
) -> None:
    """PostScript, which Ghostscript would run, is no picture under any name, and a pipe is not waited for."""
    monkeypatch.setattr("PIL.ImageFile.LOAD_TRUNCATED_IMAGES", False)  # WeasyPrint sets it for the whole process
    os.mkfifo(tmp_path / "pipe.png")
    if data is not None:
        (tmp_path / name).write_bytes(data)
    (found,) = read_scanned_pages(str(tmp_path / name))
    assert (found.page_number_in_file, found.grey) == (1, None)
    assert found.failure_reason


def test_a_picture_of_too_many_pixels_is_no_scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quizgen.scan.pages.MAX_PICTURE_PIXELS", 99)
    Image.fromarray(np.zeros((10, 10), np.uint8)).save(tmp_path / "large.png")
    (found,) = read_scanned_pages(str(tmp_path / "large.png"))
    assert found.grey is None
    assert "10 × 10 pixels cannot be a scan of a page" in found.failure_reason


def test_a_run_reads_so_many_pixels_and_no_more(tmp_path: Path) -> None:
    """Of three pictures of 100 pixels each, two where 250 may be read, whatever the files they come in."""
    Image.fromarray(np.zeros((10, 10), np.uint8)).save(tmp_path / "page.png")
    budget = PixelBudget(250)
    found = [one for _ in range(3) for one in read_scanned_pages(str(tmp_path / "page.png"), budget)]
    assert [one.grey is not None for one in found] == [True, True, False]
    assert "scan the rest in another run" in found[-1].failure_reason


def test_a_file_of_too_many_pages_is_read_no_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quizgen.scan.pages.MAX_PAGES_PER_FILE", 2)
    leaves = [Image.fromarray(GREY + n) for n in range(3)]
    leaves[0].save(tmp_path / "three.tif", save_all=True, append_images=leaves[1:])
    found = list(read_scanned_pages(str(tmp_path / "three.tif")))
    assert [page.grey is None for page in found] == [False, False, True]
    assert "more than 2 pages in one file" in found[-1].failure_reason
    leaves[0].save(tmp_path / "three.pdf", save_all=True, append_images=leaves[1:])
    assert "more than 2 pages in one file" in next(iter(read_scanned_pages(str(tmp_path / "three.pdf")))).failure_reason


def test_folders_are_searched(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("b.PDF", "a.png", "notes.txt", "in/c.jpeg"):
        (tmp_path / name).touch()
    assert [Path(p).name for p in find_scan_files((str(tmp_path), "x.jpg"))] == ["a.png", "b.PDF", "c.jpeg", "x.jpg"]


def test_the_table_needs_a_name_and_without_the_extra_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    scan = ("scan", "x.pdf", "--manifest", "m.json", "-o")
    for output in ("-", ".", "", "r.json"):
        assert "-o names the table" in command(*scan, output, code=2).err
    monkeypatch.setattr("quizgen.commands.paper.find_spec", lambda name: None if name == "zxingcpp" else True)
    told = command(*scan, tmp_path / "r.csv", code=2).err
    assert "not installed: zxingcpp; type: pip install 'quizgen[scan]'" in told


def boxes(sheet: sheet_layout.SheetPage) -> list[tuple[float, float, float, float]]:
    """Marks, codes with a quiet zone of two millimetres, and correction boxes: left, top, right, bottom."""
    half = sheet_layout.CORNER_MARK_SIZE_MM / 2
    found = [(x - half, y - half, x + half, y + half) for x, y in sheet.corner_mark_centres_mm]
    found += [(x - 2, y - 2, x + side + 2, y + side + 2) for x, y, side in sheet.code_squares_mm]
    corrections = (row.correction_box_mm for row in sheet.rows if row.correction_box_mm)
    return found + [(x, y, x + w, y + h) for x, y, w, h in corrections]


@pytest.mark.parametrize(("letters", "named"), [(2, True), (5, False), (26, True)])
@pytest.mark.parametrize("kind", sheet_layout.SHEET_STYLE_BY_SHEET_KIND)
def test_nothing_lies_on_anything_else(kind: str, letters: int, named: bool) -> None:
    made = sheet_layout.layout_sheet_pages(kind, [(n, letters, n % 3 == 0) for n in range(1, 100)], named)
    assert [int(row.item_or_id) for page in made for row in page.rows if row.correction_box_mm] == list(range(1, 100))
    for sheet in (made[0], made[-1]):
        style, radius = sheet.style, sheet.style.bubble_radius_mm
        bubbles = [(x, y) for row in sheet.rows for _, x, y in row.bubble_letter_x_y_mm]
        for (x, y), (u, v) in combinations(bubbles, 2):
            assert hypot(x - u, y - v) >= 2.3 * radius, "strokes beyond one bubble would lie in the next"
        rectangles = boxes(sheet)
        for a, b in combinations(rectangles, 2):
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        for x, y in bubbles:
            assert radius < x < style.print_width_mm - radius
            assert sheet.rows_top_mm < y < style.print_height_mm - 30 or not named
            for left, top, right, bottom in rectangles:
                assert hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) > radius * 1.4


def test_codes_say_what_they_were_given_and_damage_is_noticed() -> None:
    page = sheet_layout.PageCode("A", "ZALRG3-AB", 17, 2, 3, True)
    assert sheet_layout.parse_sheet_code(page.text()) == page
    assert len(page.text()) <= 29, "29 characters fit version 2 at level Q"
    answer = sheet_layout.CodeAtItem("C", "ABCDEFGH", 46_000, 12)
    assert sheet_layout.parse_sheet_code(answer.text()) == answer
    assert len(answer.text()) == 16, "version 1 at level Q"
    for text, missed in ((page.text(), 0), (answer.text(), 1)):  # one character of 36 lets one change in 36 pass
        changed = [text[:n] + ("X" if text[n] != "X" else "Y") + text[n + 1 :] for n in range(len(text))]
        assert sum(sheet_layout.parse_sheet_code(other) is not None for other in changed) <= missed
    assert sheet_layout.parse_sheet_code("https://example.org") is None


def test_each_code_is_the_one_that_segno_draws_of_its_text() -> None:
    """Most codes are put together from earlier ones; each must be what the library draws."""
    rng = Random(7)
    codes = []
    for n in range(20):
        who = Candidate(rng.randrange(1, 40_000), "Ada", "a1") if n % 3 else None
        ref = "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(8))
        code_of_item = sheet_layout.CodeAtItem(
            rng.choice("ABCD"), ref, who.roster_number if who else 0, rng.randrange(0, 40)
        )
        codes.append(draw_qr_code(code_of_item.text(), sheet_layout.ANSWER_CODE_SIDE_MM))
        form = f"{ref[:6]}-{rng.choice(['A', 'Z', 'AB', 'QQQ'])}"
        sheets = answer_sheet_page_values(rng.choice("ABCD"), form, [(1, 4, False)], who)
        codes += [code for sheet in sheets for code in sheet["codes"]]
    assert len(codes) == 60
    for code in codes:
        rows = segno.make(code["encoded_text"], error="q", micro=False, boost_error=False, mask=3).matrix
        dark = set()
        for x, y, wide, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", code["svg_path_data"]):
            assert wide == back
            dark |= {(int(x) + n, int(y)) for n in range(int(wide))}
        assert dark == {(x, y) for y, row in enumerate(rows) for x, on in enumerate(row) if on}, code["encoded_text"]


def test_a_long_name_stands_in_two_lines_that_can_be_read() -> None:
    """Of 90 letters, with its number, at two millimetres and more; a short one in one line, as large as there is room."""
    people = (Candidate(1, "Maximiliane " * 7 + "Bergen", "S1234567"), Candidate(2, "Ada", "S2"))
    long, short = (answer_sheet_page_values("A", "ABCDEF-A", [(1, 4, False)], who)[0] for who in people)
    assert (len(long["name_lines"]), len(short["name_lines"])) == (2, 1)
    assert " ".join(long["name_lines"]).startswith("Maximiliane Maximiliane")
    assert 2 < long["name_height_mm"] <= 4.2 < short["name_height_mm"]
