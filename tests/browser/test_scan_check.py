"""The page of doubtful rows, by keyboard alone: what is decided there is what the scan takes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from quizgen.scan.stack import ScanResult, UndecidedReading, decision_page
from tests.scan.test_stack import ONE

from .chromium import KEYS, Chromium
from .conftest import Axe
from .hands import downloaded, opened, push, reloaded

KEYS.update({"Delete": ("Delete", "Delete", 46, "")})


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("L", (200, 40), 200).save(out, "JPEG")
    return out.getvalue()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    rows = [
        UndecidedReading("E:0001:1", "choice", "S1 </script><b>", "1", "more than one", (picture(),), "AC", "ABCD"),
        UndecidedReading("E:0001:2", "choice", "S1", "2", "faint", (picture(),), "B", "ABCD"),
        UndecidedReading("E:0001:3", "choice", "S1", "3", "faint", (picture(),), "D", "ABCD"),
        UndecidedReading("E:0001:4", "numeric", "S1", "4", "a number to type in", (picture(),)),
        UndecidedReading("E:0001:5", "numeric", "S1", "5", "a number to type in", (picture(),)),
        UndecidedReading("f#2:id", "id", "", "ID", "no ID is filled in", (picture(),)),
        UndecidedReading("f#3:id", "id", "", "ID", "no ID is filled in", (picture(),)),
    ]
    path = tmp_path / "check.html"
    path.write_text(decision_page(ScanResult(open=rows), ONE, "quizgen scan x"), encoding="utf-8")
    return path


def test_rows_are_decided_by_keys(browser: Chromium, page: Path, tmp_path: Path) -> None:
    """In order: the ID typed, one of nobody, faint taken as it is, faint made blank, one of two letters taken back, a
    number, a number that is not there."""
    opened(browser, page)
    assert "7 of 7 open" in browser.evaluate("document.getElementById('progress').textContent")
    browser.type("S9")
    browser.press("Enter")
    push(browser, "nobody's")
    browser.press("Enter")
    browser.type("0")
    browser.press("Enter")
    browser.type("c")
    browser.press("Enter")
    browser.press("Enter")  # nothing is typed yet: stays open
    browser.type("31.7 GB")
    browser.press("Enter")
    push(browser, "nothing is written")
    assert "0 of 7 open" in browser.evaluate("document.getElementById('progress').textContent")
    reloaded(browser)
    assert "0 of 7 open" in browser.evaluate("document.getElementById('progress').textContent")
    browser.evaluate("document.getElementById('export').focus()")
    browser.press("Enter")
    made = json.loads(downloaded(tmp_path, "scan-decisions-EXAM*.json").read_text(encoding="utf-8"))
    assert made["decisions"] == {
        "f#2:id": "S9",
        "E:0001:2": "B",
        "E:0001:3": "",
        "E:0001:1": "A",
        "E:0001:4": "31.7 GB",
        "E:0001:5": "",
        "f#3:id": "",
    }
    assert not browser.console
    assert browser.evaluate("document.querySelectorAll('main b').length") == 0


def test_rows_of_a_sheet_with_the_same_kind_of_mark_are_decided_together(browser: Chromium, tmp_path: Path) -> None:
    """28 crosses of S1, each with its letter set, but one that a person changes first; those of S2 stay open."""
    rows = [
        UndecidedReading(f"E:{n}:{i}", "choice", f"S{n}", str(i), "a weak mark", (picture(),), "ABCD"[i % 4], "ABCD")
        for n in (1, 2)
        for i in range(1, 29)
    ]
    page = tmp_path / "check.html"
    page.write_text(decision_page(ScanResult(open=rows), ONE, "quizgen scan x"), encoding="utf-8")
    opened(browser, page)
    assert "Decide all 28 of S1" in browser.evaluate("document.getElementById('list').textContent")
    browser.type("bd")  # the first row has B, and gets D instead
    browser.press("Enter", shift=True)
    assert browser.evaluate("document.getElementById('progress').textContent") == "28 of 56 open"
    made = browser.evaluate("JSON.parse(Object.values(localStorage)[0]).decisions")
    assert made == {f"E:1:{i}": "D" if i == 1 else "ABCD"[i % 4] for i in range(1, 29)}


def test_axe_finds_nothing(browser: Chromium, page: Path, axe: Axe) -> None:
    opened(browser, page)
    assert axe(browser) == []
