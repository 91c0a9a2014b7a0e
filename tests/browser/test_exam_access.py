"""Everyone can take the exam on screen: axe-core, narrow screens, targets, print, a shared device."""

from __future__ import annotations

from pathlib import Path

from .chromium import Chromium
from .conftest import Axe
from .hands import READY, answer, downloaded, kept, opened, push, reach, start, view


def test_axe_finds_nothing(browser: Chromium, exam_folder: Path, axe: Axe) -> None:
    """On start, each kind of item, review and end, the key and the table of answers."""
    opened(browser, exam_folder / "form-A.html")
    assert axe(browser) == []
    start(browser, exam_folder / "form-A.html")
    for number in range(1, 5):
        assert axe(browser) == [], number
        browser.press("Alt+F")
        browser.press("Alt+N")
    assert axe(browser) == []
    push(browser, "Finish the exam")
    assert axe(browser) == []
    for page in ("key-A.html", "answers.html"):
        browser.open((exam_folder / page).as_uri())
        assert axe(browser) == [], page


def test_the_next_candidate_finds_an_empty_exam(browser: Chromium, exam_folder: Path, tmp_path: Path) -> None:
    """On a shared device: only after the download and a question; then nothing of the first is left, and the next sitting
    on this device says so: a fresh clock is never got silently."""
    start(browser, exam_folder / "form-A.html")
    answer(browser)
    browser.press("Alt+R")
    push(browser, "Finish the exam")
    assert browser.evaluate("document.getElementById('clear').disabled")
    push(browser, "Download the answers file")
    downloaded(tmp_path)
    reach(browser, "Clear this device")
    browser.evaluate("window.before = true")
    browser.press("Enter")
    browser.wait(f"!window.before && {READY}")
    assert [d for d in browser.dialogs if d.startswith("confirm: Clear the answers")]
    assert view(browser) == "start"
    assert browser.evaluate("document.querySelectorAll('.item input:checked').length") == 0
    left = browser.evaluate("Object.values(localStorage).map((text) => Object.keys(JSON.parse(text)))")
    assert left == [["v", "cleared", "revision"]]
    start(browser, exam_folder / "form-A.html", "Bo", "S2")
    assert [e["event"] for e in kept(browser)["events"]] == ["start", "cleared"]


def test_a_form_in_use_scrolls_nowhere_sideways_and_prints_the_whole_paper(
    browser: Chromium, exam_folder: Path
) -> None:
    browser.media(width=320, height=700)
    start(browser, exam_folder / "form-A.html")
    for _ in range(4):
        assert browser.evaluate("document.documentElement.scrollWidth") <= 320
        browser.press("Alt+N")
    assert view(browser) == "review"
    assert browser.evaluate("document.documentElement.scrollWidth") <= 320
    browser.press("Alt+P")
    browser.media(medium="print")

    def heights(selector: str) -> list[float]:
        return browser.evaluate(
            f"[...document.querySelectorAll('{selector}')].map((e) => e.getBoundingClientRect().height)"
        )

    assert min(heights(".item")) > 20
    assert heights(".sheet")[0] > 100
    assert heights(".bar")[0] == 0
