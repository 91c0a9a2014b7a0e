"""What stands on paper from either browser, the same answer sheet from both, and what a page says about fonts and working."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from quizgen.cli import run
from quizgen.scan.answers import measure_visible_row_inks
from quizgen.scan.pages import find_codes_and_foreign_texts, flatten_page
from quizgen.sheet_layout import layout_sheet_pages
from tests.render.printed import pages_of

from .chromium import Chromium
from .firefox import Firefox
from .hands import opened, text_of


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext: install the package `poppler-utils`")
@pytest.mark.parametrize("name", ["browser", "firefox"])
def test_no_heading_is_the_last_line_of_a_page(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    """Firefox left headings of sections and of the key's items at the foot of pages."""
    printer: Chromium | Firefox = request.getfixturevalue(name)
    assert run(["exam", "distributed-training/readiness", "-o", f"{tmp_path}/out", "--seed", "demo"]) == 0
    for file in (tmp_path / "out" / "form-A.html", tmp_path / "out" / "key-A.html"):
        printer.open(file.as_uri())
        printer.print(file.with_suffix(".pdf"))
        pages = [page.split("\n") for page in pages_of(file.with_suffix(".pdf"))]
        # Only Chromium prints margin boxes at the foot of a page.
        found = [[line.strip() for line in page if line.strip() and "Page " not in line] for page in pages]
        assert len(found) > 5
        for lines in found:
            heads = ("Item ", "Derivations", "Explanations", "Selected response")
            assert not lines[-1].startswith(heads), (file.name, lines[-1])
        if file.name == "key-A.html":
            # A page has some fifty lines of text: none but the last is half empty.
            assert [n for n, lines in enumerate(found[:-1], 1) if len(lines) < 21] == []


CROWDED = (Path(__file__).parent / "crowded.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("large", [False, True])
def test_no_words_of_an_answer_sheet_lie_on_others(browser: Chromium, tmp_path: Path, large: bool) -> None:
    """In large print the name lay on the line below it, and the line after that ran out of the page."""
    item = "{id: c1, kind: choice, stem: Which?, key: [r1, r2], distractors: [o1]}"
    (tmp_path / "items.yaml").write_text(f"items:\n  - {item}\n", encoding="utf-8")
    (tmp_path / "roster.csv").write_text("name,id\nÇelik Örs-Example,S125\n", encoding="utf-8")
    given = ["exam", f"{tmp_path}/items.yaml", "-o", f"{tmp_path}/out", "--roster", f"{tmp_path}/roster.csv"]
    assert run([*given, *(["--large-print"] if large else [])]) == 0
    browser.media(medium="print")
    for name in ("form-A.html", "form-A-001.html"):
        browser.open((tmp_path / "out" / name).as_uri())
        assert browser.evaluate(CROWDED) == [], name
    browser.media()


def test_large_print_enlarges_a_figure_as_much_as_the_text(browser: Chromium, tmp_path: Path) -> None:
    """The words in a figure are read by the same person. A wide one keeps to the line."""
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} 60" width="{0}" height="60"><text y="20">a</text></svg>'
    items = []
    for n, wide in enumerate((200, 4000)):
        (tmp_path / f"{n}.svg").write_text(drawing.format(wide), encoding="utf-8")
        items.append(f"{{id: c{n}, kind: choice, stem: '![a]({n}.svg)', key: b, distractors: [c]}}")
    (tmp_path / "items.yaml").write_text(f"items: [{', '.join(items)}]\n", encoding="utf-8")
    browser.media(medium="print")
    smallest = []
    for more in ([], ["--large-print"]):
        assert run(["exam", f"{tmp_path}/items.yaml", "-o", f"{tmp_path}/out", "--seed", "s", *more]) == 0
        browser.open((tmp_path / "out" / "form-A.html").as_uri())
        widths = browser.evaluate("Array.from(document.images, (one) => one.getBoundingClientRect().width)")
        assert max(widths) <= browser.evaluate("document.querySelector('.item').getBoundingClientRect().width")
        smallest.append(min(widths))
    assert smallest[1] / smallest[0] == pytest.approx(18 / 10.5, abs=0.01)
    browser.media()


def test_what_no_font_can_show_is_told(browser: Chromium, exam_folder: Path, tmp_path: Path) -> None:
    """A cuneiform sign, where no font has it; accents, Greek and arrows are told of nowhere."""
    fonts = shutil.which("fc-list")
    if fonts is None or subprocess.run([fonts, ":charset=12000"], capture_output=True, check=True).stdout:
        pytest.skip("a font of this machine shows cuneiform, or nobody can say: take fonts-noto-* away")
    item = "{id: a, kind: choice, stem: 'Which of \U00012000?', key: 'α → ü', distractors: ['×', 'é']}"
    (tmp_path / "odd.yaml").write_text(f"items: [{item}]", encoding="utf-8")
    assert run(["exam", f"{tmp_path}/odd.yaml", "-o", f"{tmp_path}/out", "--seed", "s"]) == 0
    opened(browser, tmp_path / "out" / "form-A.html")
    assert "(U+12000)" in text_of(browser, "glyphs")
    opened(browser, exam_folder / "form-A.html")
    assert browser.evaluate("document.getElementById('glyphs').hidden")


@pytest.mark.slow
def test_both_browsers_print_the_same_sheet(firefox: Firefox, browser: Chromium, tmp_path: Path) -> None:
    """Each row of bubbles is where the layout has it, within the eighth of a millimetre that is measured."""
    lines = [f"  - {{id: c{n}, kind: choice, stem: Which?, key: right, distractors: [a, b, c, d]}}" for n in range(40)]
    (tmp_path / "items.yaml").write_text("items:\n" + "\n".join(lines) + "\n", encoding="utf-8")
    arguments = ["exam", str(tmp_path / "items.yaml"), "-o", str(tmp_path / "out"), "--seed", "s", "--items", "40"]
    assert run(arguments) == 0
    form = tmp_path / "out" / "form-A.html"
    (sheet,) = layout_sheet_pages("A", [(n, 5, False) for n in range(1, 41)], has_names=False)
    for printer in (firefox, browser):
        printer.open(form.as_uri())
        printer.print(tmp_path / "form.pdf")
        page = pypdfium2.PdfDocument(tmp_path / "form.pdf")[0].render(scale=300 / 72, grayscale=True)
        grey = np.asarray(page.to_pil().convert("L"))
        flat = flatten_page(grey, sheet, find_codes_and_foreign_texts(grey)[0])
        assert flat.mm_to_scan_matrix[0, 0] * 25.4 / 300 == pytest.approx(1, abs=0.002), "a millimetre is one"
        rows = measure_visible_row_inks(flat, sheet)
        assert len(rows) == 48
        assert max(abs(part) for row in rows for part in row.shift_x_y_mm) <= 0.125
        assert max(float(row.bubble_inks.max()) for row in rows) < 0.03
