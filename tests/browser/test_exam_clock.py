"""The clock of an exam on screen: turned back, closed, cleared; and what stood at the deadline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shipped import Command

from .chromium import Chromium
from .hands import CLICK, PASS, SHIFT, answer, downloaded, kept, opened, push, reloaded, saved, start, view


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
        minutes, seconds = map(int, browser.evaluate("document.getElementById('clock').textContent").split(":"))
        assert 29 * 60 + 40 <= minutes * 60 + seconds <= 30 * 60
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


def test_a_clock_that_jumps_forward_takes_no_time(
    browser: Chromium, tmp_path: Path, exam_folder: Path, command: Command
) -> None:
    """39 minutes of 30, in a form with a hard limit: it goes on, also opened anew, nothing is late, and the file and the
    grade list tell of the jump."""
    bank = exam_folder.parent / "bank"
    hard = ["exam", str(bank), "-o", str(tmp_path / "hard"), "--seed", "x", "--minutes", "30", "--limit", "hard"]
    command(*hard)
    start(browser, tmp_path / "hard" / "form-A.html")
    browser.call("Page.addScriptToEvaluateOnNewDocument", source=SHIFT.format(39))
    browser.evaluate(SHIFT.format(39))
    browser.pump(0.6)
    answer(browser)
    saved(browser)
    reloaded(browser)
    assert view(browser) == "item"
    assert browser.evaluate("document.getElementById('clock').textContent")[:3] in ("29:", "30:")
    assert [round(j / 60) for j in jumps(browser)] == [39]
    for button in ("review", "finish", "download"):
        browser.evaluate(CLICK.format(button))
    record = json.loads(downloaded(tmp_path).read_text(encoding="utf-8"))
    assert (record["late_seconds"], [r["late"] for r in record["responses"]]) == (0, [False])
    manifest = str(tmp_path / "hard" / "manifest.json")
    said = command("score", downloaded(tmp_path), "--manifest", manifest, "--format", "gradebook")
    assert "clock went forward by 39 min" in said.out


def test_two_windows_of_one_exam_lose_no_answer(browser: Chromium, exam_folder: Path, tmp_path: Path) -> None:
    """Each has what was answered in the other at once, the newer answer of an item stands, and the file says so."""
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
    for button in ("review", "finish", "download"):
        browser.evaluate(CLICK.format(button))
    record = json.loads(downloaded(tmp_path).read_text(encoding="utf-8"))
    assert [bool(r["response"]) for r in record["responses"]] == [False, True, True, True]
    assert "window" in [e["event"] for e in record["events"]]
    browser.switch(first)
    browser.wait("document.documentElement.dataset.view === 'end'")


def test_what_stood_at_the_deadline_is_kept(browser: Chromium, exam_folder: Path, tmp_path: Path) -> None:
    """Of what was there the old response, of what was first answered late nothing."""
    start(browser, exam_folder / "form-A.html")
    answer(browser)
    browser.evaluate(PASS.format(31))
    browser.wait("document.getElementById('alert').textContent.includes('time is up')")
    early = kept(browser)["responses"]
    answer(browser, wrong=True)
    browser.press("Alt+N")
    answer(browser)
    answer(browser)
    push(browser, "Download a copy", shift=True)
    browser.pump(0.5)
    record = json.loads(downloaded(tmp_path).read_text(encoding="utf-8"))
    one, two = record["responses"]
    assert [r["late"] for r in (one, two)] == [True, True]
    assert one["at_deadline"] == early[one["item"]]["response"]
    assert two["at_deadline"] in ("", [])
    assert 31 * 60 <= record["open_seconds"] < 32 * 60


def test_the_latest_moment_is_kept_without_a_change(browser: Chromium, exam_folder: Path) -> None:
    start(browser, exam_folder / "form-A.html")
    saved(browser)
    seen = kept(browser)["seen"]
    browser.pump(6)
    assert kept(browser)["seen"] - seen == pytest.approx(5500, abs=1500)
