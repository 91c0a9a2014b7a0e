"""Firefox prints the same answer sheet as Chromium."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from quizgen.cli import run
from quizgen.scan.answers import measure_rows
from quizgen.scan.geometry import find_codes, flatten_page
from quizgen.sheet_layout import sheet_pages

from .chromium import Chromium
from .firefox import Firefox


@pytest.mark.slow
def test_both_browsers_print_the_same_sheet(firefox: Firefox, browser: Chromium, tmp_path: Path) -> None:
    """Each row of bubbles is where the layout has it, within the eighth of a millimetre that is measured."""
    lines = [f"  - {{id: c{n}, kind: choice, stem: Which?, key: right, distractors: [a, b, c, d]}}" for n in range(40)]
    (tmp_path / "items.yaml").write_text("items:\n" + "\n".join(lines) + "\n", encoding="utf-8")
    arguments = ["exam", str(tmp_path / "items.yaml"), "-o", str(tmp_path / "out"), "--seed", "s", "--items", "40"]
    assert run(arguments) == 0
    form = tmp_path / "out" / "form-A.html"
    firefox.print(form, tmp_path / "firefox.pdf")
    browser.open(form.as_uri())
    browser.print(tmp_path / "chromium.pdf")
    (sheet,) = sheet_pages("A", [(n, 5, False) for n in range(1, 41)], named=False)
    for name in ("firefox", "chromium"):
        page = pypdfium2.PdfDocument(tmp_path / f"{name}.pdf")[0]
        grey = (
            page.render(scale=300 / 72, grayscale=True)
            .to_numpy()
            .reshape(round(page.get_height() * 300 / 72 + 0.49), -1)
        )
        flat = flatten_page(grey, sheet, find_codes(grey).sheets)
        assert flat.matrix[0, 0] * 25.4 / 300 == pytest.approx(1, abs=0.002), "a millimetre is one"
        rows = measure_rows(flat, sheet)
        assert len(rows) == 48
        assert max(abs(part) for row in rows for part in row.shift) <= 0.125
        assert max(float(row.fill.max()) for row in rows) < 0.03
