"""What a candidate does at an exam on screen, by keyboard alone."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from .chromium import Chromium

READY = "document.documentElement.dataset.ready === 'true'"


def opened(browser: Chromium, page: Path) -> None:
    """A page of our own is open, and its script has begun."""
    browser.open(page.as_uri())
    browser.wait(READY)


def reloaded(browser: Chromium) -> None:
    """The page is loaded again, and its script has begun."""
    browser.reload()
    browser.wait(READY)


SHIFT = "Date.now = ((real) => () => real() {:+} * 60000)(Date.now.bind(Date)); 0"  # somebody sets the clock
PASS = """for (const clock of [Date, performance]) clock.now = ((real) => () => real() + {} * 60000)(clock.now.bind(clock)); 0"""
CLICK = "document.getElementById('{}').click()"


def text_of(browser: Chromium, element: str) -> str:
    """The text of the element with this id."""
    return str(browser.evaluate(f"document.getElementById('{element}').textContent"))


def view(browser: Chromium) -> str:
    return str(browser.evaluate("document.documentElement.dataset.view"))


def start(browser: Chromium, page: Path, name: str = "Ada", number: str = "S1") -> None:
    """From the start page into the first item, by keyboard."""
    opened(browser, page)
    assert view(browser) == "start"
    reach(browser, "Name")
    browser.type(name)
    browser.press("Tab")
    browser.type(number)
    push(browser, "Start the exam")
    assert view(browser) == "item"
    assert browser.focused() == "H3#item-1 Item 1"


def reach(browser: Chromium, what: str, shift: bool = False) -> None:
    """Press Tab until the focus is on what a person looks for."""
    for _ in range(60):
        browser.press("Tab", shift)
        if what in browser.focused():
            return
    raise AssertionError(f"{what} cannot be reached by Tab")


def push(browser: Chromium, what: str, shift: bool = False) -> None:
    """Press Enter on what a person looks for."""
    reach(browser, what, shift)
    browser.press("Enter")


def stem(browser: Chromium) -> str:
    return str(browser.evaluate("document.querySelector('.item.current .stem').textContent"))


def answer(browser: Chromium, wrong: bool = False) -> None:
    """Answer the item in view rightly (or the single choice wrongly), by keyboard."""
    text = stem(browser)
    if "stage 1" in text:
        wanted = "The gradients" if wrong else "The optimizer states"
        reach(browser, "The")
        browser.press("Space")
        for _ in range(4):
            if wanted in browser.focused():
                return
            browser.press("ArrowDown")
        raise AssertionError(f"{wanted} cannot be reached by arrows")
    if "stage 2" in text:
        for wanted in ("Optimizer states", "Gradients"):
            reach(browser, wanted)
            browser.press("Space")
        return
    if "bytes" in text:
        reach(browser, "Answer")
        browser.type("14 GB")
        return
    reach(browser, "Response")
    browser.type("It communicates in every layer, and NVLink is faster — “über” 10×.")


def kept(browser: Chromium) -> dict[str, Any]:
    """The state that the page keeps on the device."""
    key = browser.evaluate("Object.keys(localStorage).find((k) => k.startsWith('quizgen/exam/'))")
    found: dict[str, Any] = json.loads(browser.evaluate(f"localStorage.getItem({json.dumps(key)})"))
    return found


def saved(browser: Chromium) -> None:
    browser.wait("/^Saved \\d\\d:\\d\\d:\\d\\d$/.test(document.getElementById('saved').textContent)")


def downloaded(folder: Path, pattern: str = "answers-*.json") -> Path:
    for _ in range(100):
        found = [p for p in folder.glob(pattern) if p.stat().st_size]
        if found:
            return found[0]
        time.sleep(0.05)
    raise AssertionError("nothing was downloaded")


def record_of(browser: Chromium, folder: Path) -> dict[str, Any]:
    """The answers file that was just downloaded."""
    browser.pump(0.5)
    found: dict[str, Any] = json.loads(downloaded(folder).read_text(encoding="utf-8"))
    return found


def left(browser: Chromium) -> int:
    """Seconds that the clock shows."""
    minutes, seconds = map(int, text_of(browser, "clock").split(":"))
    return minutes * 60 + seconds


def hand_in(browser: Chromium) -> None:
    for button in ("review", "finish", "download"):
        browser.evaluate(CLICK.format(button))


def sit(
    browser: Chromium, page: Path, fill: str, who: str = "", shift: int = 0, closed: int = 0, ahead: int = 0
) -> None:
    """Take a form and leave it with an answers file; `fill` is a script. `shift`: minutes that pass before the
    answers; `closed`: minutes that the clock moves while the page is closed, `ahead`: while it is open."""
    opened(browser, page)
    if who:
        browser.evaluate(f"document.getElementById('who-id').value = {json.dumps(who)}")
    browser.evaluate("document.querySelector('#start button[type=submit]').click()")
    browser.wait("document.documentElement.dataset.view === 'item'")
    if closed:
        browser.open("about:blank")
        script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=SHIFT.format(closed))["identifier"]
        opened(browser, page)
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    if shift:
        browser.evaluate(PASS.format(shift))
        browser.pump(0.6)
    if ahead:
        browser.evaluate(SHIFT.format(ahead))
        browser.pump(0.6)
    browser.evaluate(fill)
    hand_in(browser)
    browser.wait("!document.getElementById('clear').disabled")
