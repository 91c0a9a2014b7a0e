"""The clock of an exam on screen: turned back, closed, cleared; and what stood at the deadline."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import Command

from .chromium import Chromium
from .hands import PASS, SHIFT, answer, hand_in, kept, left, opened, push, record_of, reloaded, saved, start, view


def jumps(browser: Chromium) -> list[float]:
    return [e["seconds"] for e in kept(browser)["events"] if e["event"] == "clock"]


def test_a_clock_turned_back_while_the_page_was_closed_gives_nothing(browser: Chromium, exam_folder: Path) -> None:
    """It gave the half hour it was turned back by. Now the page goes on from the latest moment that it saw."""
    start(browser, exam_folder / "form-A.html")
    saved(browser)
    browser.open("about:blank")
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=SHIFT.format(-30))["identifier"]
    try:
        opened(browser, exam_folder / "form-A.html")
        assert 29 * 60 + 40 <= left(browser) <= 30 * 60
        browser.press("Alt+F")
        (jump,) = jumps(browser)
        assert -1803 < jump < -1797
        state = kept(browser)
        assert [e["event"] for e in state["events"]] == ["start", "clock", "restore"]
        assert state["events"][0]["at"] <= state["events"][1]["at"] <= state["events"][2]["at"]
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def test_a_clock_turned_back_and_forth_is_told_once_each(browser: Chromium, exam_folder: Path) -> None:
    start(browser, exam_folder / "form-A.html")
    browser.evaluate(SHIFT.format(-10))
    browser.pump(1.5)
    browser.evaluate(SHIFT.format(10))
    browser.pump(1)
    assert browser.evaluate("document.getElementById('clock').textContent").startswith("29:5")
    browser.press("Alt+F")
    assert [round(j / 10) for j in jumps(browser)] == [-60, 60]


def test_a_clock_that_jumps_forward_takes_no_time(browser: Chromium, tmp_path: Path, hard_folder: Path) -> None:
    """39 minutes of 30, in a form with a hard limit: it goes on, also opened anew, and nothing is late."""
    start(browser, hard_folder / "form-A.html")
    browser.call("Page.addScriptToEvaluateOnNewDocument", source=SHIFT.format(39))
    browser.evaluate(SHIFT.format(39))
    browser.pump(0.6)
    answer(browser)
    saved(browser)
    reloaded(browser)
    assert view(browser) == "item"
    assert browser.evaluate("document.getElementById('clock').textContent")[:3] in ("29:", "30:")
    assert [round(j / 60) for j in jumps(browser)] == [39]
    hand_in(browser)
    record = record_of(browser, tmp_path)
    assert (record["late_seconds"], [r["late"] for r in record["responses"]]) == (0, [False])


def test_two_windows_of_one_exam_lose_no_answer(
    browser: Chromium, exam_folder: Path, tmp_path: Path, command: Command
) -> None:
    """Each has what was answered in the other at once, the newer answer of an item stands, and the grade list says so."""
    page = exam_folder / "form-A.html"
    start(browser, page)
    answer(browser)
    saved(browser)
    first, second = browser.beside()
    opened(browser, page)
    push(browser, "That is me")
    answer(browser)  # the same two options: which takes them back
    browser.press("Alt+N")
    answer(browser)
    saved(browser)
    browser.switch(first)
    assert "open in another window" in browser.evaluate("document.getElementById('alert').textContent")
    browser.evaluate("document.querySelectorAll('#navigator button')[2].click()")
    answer(browser)
    saved(browser)
    browser.switch(second)
    browser.evaluate("document.querySelectorAll('#navigator button')[3].click()")
    answer(browser)
    hand_in(browser)
    assert [bool(r["response"]) for r in record_of(browser, tmp_path)["responses"]] == [False, True, True, True]
    score = ("score", next(tmp_path.glob("answers-*.json")), "--manifest", exam_folder / "manifest.json")
    assert "open in two windows" in command(*score, "--format", "gradebook").out
    browser.switch(first)
    browser.wait("document.documentElement.dataset.view === 'end'")


def test_a_soft_limit_marks_what_comes_late_and_keeps_what_stood_at_the_deadline(
    browser: Chromium, exam_folder: Path, tmp_path: Path
) -> None:
    """Of what was there the old response, of what was first answered late nothing; working is never late, and no response.
    In order: two options left as they were, working beside a number, an option changed, a text first written late."""
    start(browser, exam_folder / "form-A.html")
    answer(browser)
    browser.press("Alt+N")
    browser.press("Alt+N")
    answer(browser)
    browser.evaluate(PASS.format(31))
    browser.wait("document.getElementById('alert').textContent.includes('time is up')")
    early = kept(browser)["responses"]
    answer(browser, wrong=True)
    browser.press("Alt+N")
    answer(browser)
    browser.evaluate(
        "(() => { const field = document.querySelector('textarea.working'); field.value = '7e9 * 2';"
        " field.dispatchEvent(new Event('input', { bubbles: true })); })()"
    )
    push(browser, "Download a copy", shift=True)
    record = record_of(browser, tmp_path)
    _, number, one, two = record["responses"]
    assert [r["late"] for r in record["responses"]] == [False, False, True, True]
    assert (number["working"], number["response"], number["changes"]) == ("7e9 * 2", "", 0)
    assert one["at_deadline"] == early[one["item"]]["response"]
    assert two["at_deadline"] in ("", [])
    assert 55 < record["late_seconds"] < 75
    assert 31 * 60 <= record["open_seconds"] < 32 * 60
    assert record["finished"] is None
    reloaded(browser)
    assert "time is up" in browser.evaluate("document.getElementById('alert').textContent")
    assert browser.evaluate("document.querySelector('textarea.working').value") == "7e9 * 2"


def test_the_deadline_survives_a_reload_and_the_latest_moment_is_kept_without_a_change(
    browser: Chromium, exam_folder: Path
) -> None:
    start(browser, exam_folder / "form-A.html")
    saved(browser)
    seen = kept(browser)["seen"]
    browser.pump(6)
    assert kept(browser)["seen"] - seen == pytest.approx(5500, abs=1500)
    reloaded(browser)
    assert 29 * 60 + 46 <= left(browser) <= 29 * 60 + 54
