"""The page of doubtful rows, by keyboard alone: what is decided there is what the scan takes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from quizgen.scan.stack import ScanResult, UndecidedReading, decision_page_html
from tests.scan.test_stack import ONE

from .chromium import Chromium
from .conftest import Axe
from .hands import downloaded, opened, push, reloaded


def page_of(folder: Path, rows: list[tuple[Any, ...]]) -> Path:
    """The page of these open rows, each beside a grey picture."""
    picture = io.BytesIO()
    Image.new("L", (200, 40), 200).save(picture, "JPEG")
    readings = [UndecidedReading(*row[:5], (picture.getvalue(),), *row[5:]) for row in rows]
    path = folder / "check.html"
    scan = ScanResult(undecided_readings=readings, used_decision_by_key={"E:0007:1": "C"})
    path.write_text(decision_page_html(scan, ONE, "quizgen scan x"), encoding="utf-8")
    return path


@pytest.fixture
def page(tmp_path: Path) -> Path:
    rows = [
        ("E:0001:1", "choice", "S1 </script><b>", "1", "more than one", "AC", "ABCD"),
        *((f"E:0001:{n}", "choice", "S1", n, "faint", read, "ABCD") for n, read in ("2B", "3D")),
        *((f"E:0001:{n}", "numeric", "S1", n, "a number to type in") for n in "45"),
        *((f"f#{n}:id", "id", "", "ID", "no ID is filled in") for n in "23"),
    ]
    return page_of(tmp_path, rows)


def test_rows_are_decided_by_keys(browser: Chromium, page: Path, tmp_path: Path) -> None:
    """In order: the ID typed, one of nobody, faint taken as it is, faint made blank, one of two letters taken back, a
    number, a number that is not there. With them the page saves what was decided for the scan that made it."""
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
    browser.type("31.7 G")
    browser.press("Enter")
    browser.press("ArrowUp")
    browser.type("B")  # what is typed anew is open again
    assert "2 of 7 open" in browser.evaluate("document.getElementById('progress').textContent")
    browser.press("Enter")
    push(browser, "nothing is written")
    assert "0 of 7 open" in browser.evaluate("document.getElementById('progress').textContent")
    reloaded(browser)
    assert "0 of 7 open" in browser.evaluate("document.getElementById('progress').textContent")
    browser.evaluate("document.getElementById('export').focus()")
    browser.press("Enter")
    made = json.loads(downloaded(tmp_path, "scan-decisions-EXAM*.json").read_text(encoding="utf-8"))
    assert made["decisions"] == {
        "f#2:id": "S9", "f#3:id": "", "E:0001:2": "B", "E:0001:3": "", "E:0001:1": "A", "E:0001:4": "31.7 GB",
        "E:0001:5": "", "E:0007:1": "C",
    }  # fmt: skip
    assert not browser.console
    assert browser.evaluate("document.querySelectorAll('main b').length") == 0


def test_rows_of_a_sheet_with_the_same_kind_of_mark_are_decided_together(browser: Chromium, tmp_path: Path) -> None:
    """28 crosses of S1, each with its letter set, but one that a person changes first; those of S2 stay open, and so
    does the row of S3, whose letter is in its box, until it is chosen."""
    row = "E:{0}:{1} choice S{0} {1} weak {2} ABCD".format
    rows = [tuple(row(n, i, "ABCD"[i % 4]).split()) for n in (1, 2) for i in range(1, 29)]
    rows.append(("E:3:1", "choice", "S3", "1", "writing in the correction box", None, "ABCD"))
    opened(browser, page_of(tmp_path, rows))
    assert "Decide all 28 of S1" in browser.evaluate("document.getElementById('list').textContent")
    browser.type("bd")  # the first row has B, and gets D instead
    browser.press("Enter", shift=True)
    browser.evaluate("document.querySelectorAll('section.row')[56].focus()")
    browser.press("Enter")
    assert browser.evaluate("document.getElementById('progress').textContent") == "29 of 57 open"
    browser.type("c")
    browser.press("Enter")
    made = browser.evaluate("JSON.parse(Object.values(localStorage)[0]).decisions")
    assert made == {**{f"E:1:{i}": "D" if i == 1 else "ABCD"[i % 4] for i in range(1, 29)}, "E:3:1": "C"}


def test_axe_finds_nothing(browser: Chromium, page: Path, axe: Axe) -> None:
    opened(browser, page)
    assert axe(browser) == []
