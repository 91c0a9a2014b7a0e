"""Firefox prints the same answer sheet as Chromium, and marks by keyboard as well."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from quizgen.cli import run
from quizgen.scan.answers import measured
from quizgen.scan.geometry import find_codes, lay_flat
from quizgen.sheet_layout import sheets

from .chromium import Chromium
from .firefox import FIREFOX, Firefox
from .test_marking import ITEMS, exam_of

KEYS = {"Enter": "\ue007", "Backspace": "\ue003"}


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    if FIREFOX is None:
        pytest.skip("no Firefox: install the package `firefox-esr`")
    with Firefox() as browser:
        yield browser


def press(firefox: Firefox, keys: str) -> None:
    actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
    firefox.call("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])


def evaluate(firefox: Firefox, expression: str) -> Any:
    return firefox.call("WebDriver:ExecuteScript", script=f"return {expression}", args=[])["value"]


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
    (sheet,) = sheets("A", [(n, 5, False) for n in range(1, 41)], named=False)
    for name in ("firefox", "chromium"):
        page = pypdfium2.PdfDocument(tmp_path / f"{name}.pdf")[0]
        grey = (
            page.render(scale=300 / 72, grayscale=True)
            .to_numpy()
            .reshape(round(page.get_height() * 300 / 72 + 0.49), -1)
        )
        flat, matrix = lay_flat(grey, sheet, find_codes(grey).pages())
        assert flat is not None
        assert matrix is not None
        assert flat.marks == 4
        assert matrix[0, 0] * 25.4 / 300 == pytest.approx(1, abs=0.002), "a millimetre is one"
        rows = measured(flat, sheet)
        assert len(rows) == 48
        assert max(abs(part) for row in rows for part in row.shift) <= 0.125
        assert max(float(row.fill.max()) for row in rows) < 0.03


@pytest.mark.slow
def test_marking_by_keyboard_in_firefox(firefox: Firefox, tmp_path: Path, axe: str) -> None:
    page, _ = exam_of(tmp_path, 4)
    firefox.call("WebDriver:Navigate", url=page.as_uri())
    deadline = time.monotonic() + 20
    while not evaluate(firefox, "document.documentElement.dataset.ready === 'true'"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    press(firefox, "AB" + KEYS["Enter"])
    for n in range(4 * ITEMS):
        press(firefox, "12"[n % 2] + KEYS["Enter"])
    assert "4 of 4 marked" in evaluate(firefox, "document.getElementById('progress').textContent")
    assert "Everything is marked" in evaluate(firefox, "document.getElementById('told').textContent")
    firefox.call("WebDriver:Refresh")
    time.sleep(1)
    counts = evaluate(
        firefox, "Array.from(document.querySelectorAll('#items button')).map((b) => b.textContent.split(' ').pop())"
    )
    assert counts == ["4/4"] * ITEMS
    firefox.call("WebDriver:ExecuteScript", script=f"{axe}; window.axe = axe;", args=[])
    script = "const done = arguments[0]; window.axe.run(document).then((r) => done(r.violations.map((v) => v.id)))"
    assert firefox.call("WebDriver:ExecuteAsyncScript", script=script, args=[])["value"] == []
