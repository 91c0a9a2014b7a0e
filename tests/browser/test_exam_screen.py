"""The exam on screen, taken in a real browser by keyboard alone, with crashes and late hours."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

import pytest
from shipped import Command

from quizgen.cli import run

from .chromium import Chromium
from .hands import PASS, answer, downloaded, kept, opened, push, reach, record_of, reloaded, saved, start, text_of, view


def test_the_whole_exam_by_keyboard_alone(
    browser: Chromium, exam_folder: Path, tmp_path: Path, command: Command
) -> None:
    """Start, answer, flag, look back, review, finish, download; then the score is what it deserves."""
    start(browser, exam_folder / "form-A.html")
    for number in range(1, 5):
        assert browser.focused().startswith(f"H3#item-{number} ")
        answer(browser)
        if number == 2:
            browser.press("Alt+F")
        if number < 4:
            browser.press("Alt+N")
    browser.press("Alt+P")
    assert browser.focused().startswith("H3#item-3 ")
    browser.press("Alt+R")
    assert view(browser) == "review"
    assert text_of(browser, "review-summary") == "4 of 4 items answered, 1 flagged."
    push(browser, "Finish the exam")
    assert view(browser) == "end"
    assert text_of(browser, "clock") == "", "no time is left to anybody"
    push(browser, "Download the answers file")
    record = record_of(browser, tmp_path)
    file = downloaded(tmp_path)
    assert file.name == "answers-A-S1.json"
    assert (record["candidate"], record["name"]) == ("S1", "Ada")
    assert record["finished"]
    assert [r["flagged"] for r in record["responses"]] == [False, True, False, False]
    assert sum(r["seconds"] for r in record["responses"]) > 0
    assert browser.requests == [(exam_folder / "form-A.html").as_uri()], "the page asked for something"
    assert not browser.console
    assert not browser.dialogs
    # 1 + 1 + 1 + 3 points, all earned.
    scored = command("score", file, "--manifest", exam_folder / "manifest.json", "--format", "jsonl").out
    lines = [json.loads(line) for line in scored.splitlines()]
    earned = {line["item"]: (line["outcome"], line["earned"], line["possible"]) for line in lines}
    assert earned == {
        **dict.fromkeys(("zero1", "which-two", "bytes"), ("correct", 1, 1)),
        "why-node": ("correct", 3, 3),
    }


# What stands in the fields of an item.
FIELDS = """[...document.querySelector('{}').querySelectorAll('input, textarea')]
  .map((i) => i.type === 'text' || i.tagName === 'TEXTAREA' ? i.value : i.checked)"""


def test_an_answer_survives_a_kill_after_0_3_seconds(exam_folder: Path, tmp_path: Path) -> None:
    page, profile = exam_folder / "form-B.html", tmp_path / "profile"
    first = Chromium(profile, tmp_path)
    start(first, page)
    expected = {}
    for _ in range(4):
        answer(first)
        ref = first.evaluate("document.querySelector('.item.current').dataset.ref")
        expected[ref] = first.evaluate(FIELDS.format(".item.current"))
        if len(expected) < 4:
            first.press("Alt+N")
    time.sleep(0.3)
    first.kill()
    with Chromium(profile, tmp_path) as second:
        opened(second, page)
        reach(second, "That is me")  # a browser started anew does not know who sits before it
        second.press("Enter")
        assert view(second) == "item"
        assert second.focused().startswith("H3#item-4 ")
        for ref, values in expected.items():
            assert second.evaluate(FIELDS.format(f'[data-ref="{ref}"]')) == values
        assert "Your answers are back" in second.evaluate("document.getElementById('announce').textContent")


# What a new tab or a restarted browser comes with: a page that leaves would set it again.
FORGET_TAB = """sessionStorage.clear(); Storage.prototype.setItem = ((set) => function (key, value) {
  if (this !== sessionStorage) set.call(this, key, value); })(Storage.prototype.setItem); 0"""


def test_somebody_elses_form_is_not_gone_on_with_unasked(browser: Chromium, exam_folder: Path, tmp_path: Path) -> None:
    """On a shared computer the next person says whose it is; what the first one gave becomes a file."""
    start(browser, exam_folder / "form-A.html")
    answer(browser)
    saved(browser)
    browser.evaluate(FORGET_TAB)
    reloaded(browser)
    assert view(browser) == "start"
    assert "Ada, S1 began this form" in browser.evaluate("document.getElementById('unfinished').innerText")
    assert not browser.evaluate("document.getElementById('start').checkVisibility()")
    push(browser, "Somebody else")
    record = record_of(browser, tmp_path)
    assert (record["name"], len(record["responses"])) == ("Ada", 1)
    browser.type("Bo")
    push(browser, "Start the exam")
    saved(browser)
    state = kept(browser)
    assert (state["name"], [r["response"] for r in state["responses"].values() if r["response"]]) == ("Bo", [])
    assert [e["event"] for e in state["events"]][:2] == ["start", "cleared"]


@pytest.mark.parametrize("change", ["{", "responses", "at"])
def test_saved_answers_that_cannot_be_read_are_told(browser: Chromium, exam_folder: Path, change: str) -> None:
    """Whatever stands in the browser's store, the page says so and an exam can begin."""
    start(browser, exam_folder / "form-A.html")
    saved(browser)
    text = "{" if change == "{" else json.dumps(kept(browser) | {change: 99})
    name = browser.evaluate("Object.keys(localStorage).find((k) => k.startsWith('quizgen/exam/'))")
    # What the form still saves as it is left goes to the database alone. The next page changes the store itself, before
    # its own script: from page to page, a busy browser brings what is in localStorage late or not at all.
    browser.evaluate("Storage.prototype.setItem = () => {}; 0")
    damage = f"localStorage[{json.dumps(name)}] = {json.dumps(text)}; indexedDB.deleteDatabase('quizgen');"
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=damage)["identifier"]
    reloaded(browser)
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    browser.wait("document.getElementById('alert').textContent.includes('cannot be read')")
    assert view(browser) == "start"
    reach(browser, "Name")
    browser.type("Bo")
    push(browser, "Start the exam")
    assert view(browser) == "item"


def test_time_left_is_announced_politely(browser: Chromium, exam_folder: Path) -> None:
    start(browser, exam_folder / "form-A.html")
    assert browser.evaluate("document.getElementById('announce').getAttribute('aria-live')") == "polite"
    jumps = ((15, "15 minutes left."), (5, "10 minutes left."), (5, "5 minutes left."), (4, "(60|5\\d) seconds left."))
    for minutes, told in jumps:
        browser.evaluate(PASS.format(minutes + 0.002))
        browser.wait(f"/^{told}$/.test(document.getElementById('announce').textContent)", 3)
    assert browser.evaluate("document.getElementById('clock').getAttribute('aria-live')") == "off"


def test_a_hard_limit_locks_and_offers_the_file(browser: Chromium, hard_folder: Path, tmp_path: Path) -> None:
    """Before it the formula sheet opens beside the item."""
    start(browser, hard_folder / "form-A.html")
    height = "document.getElementById('formulas').getBoundingClientRect().height"
    assert browser.evaluate(height) == 0
    push(browser, "Formula sheet")
    assert browser.evaluate(height) > 20
    answer(browser)
    browser.evaluate(PASS.format(31))
    browser.wait("document.documentElement.dataset.view === 'end'")
    assert browser.evaluate("[...document.querySelectorAll('.item input, .item textarea')].every((i) => i.disabled)")
    push(browser, "Download the answers file")
    record = record_of(browser, tmp_path)
    assert record["finished"]
    assert len(record["responses"]) == 1
    reloaded(browser)
    assert view(browser) == "end"


@pytest.mark.parametrize(("presses", "clock", "extra"), [(4, "(5:00:00|4:59:59)", "900%"), (5, "no limit", "untimed")])
def test_extra_time_can_be_chosen_and_is_recorded(
    browser: Chromium, exam_folder: Path, tmp_path: Path, presses: int, clock: str, extra: str
) -> None:
    opened(browser, exam_folder / "form-A.html")
    reach(browser, "Extra time")
    for _ in range(presses):
        browser.press("ArrowDown")
    browser.evaluate("document.getElementById('who-name').value = 'Ada'")
    push(browser, "Start the exam")
    browser.wait(f"/^{clock}$/.test(document.getElementById('clock').textContent)", 2)
    reloaded(browser)
    push(browser, "Download a copy", shift=True)
    assert record_of(browser, tmp_path)["extra"] == extra


@pytest.mark.parametrize(("name", "plain"), [("李 小龍", ""), ("Jürgen Çelik", "Jurgen-Celik")])
def test_an_exam_starts_with_a_name_or_an_id(
    browser: Chromium, exam_folder: Path, tmp_path: Path, name: str, plain: str
) -> None:
    """Without either the start page says what is missing. A name in another script names the file by a code:
    the first six digits of the SHA-256 of its JSON; one in ours without its accents."""
    opened(browser, exam_folder / "form-A.html")
    push(browser, "Start the exam")
    assert view(browser) == "start"
    assert browser.focused().startswith("INPUT#who-name")
    assert "Write your name or your candidate ID" in text_of(browser, "who-missing")
    browser.type(name)
    browser.press("Enter")
    assert view(browser) == "item"
    push(browser, "BUTTON#copy")
    browser.pump(0.5)
    code = hashlib.sha256(json.dumps(name).encode()).hexdigest()[:6].upper()
    assert downloaded(tmp_path).name == f"answers-A-{plain or code}.json"


def test_instructions_show_with_their_section_and_a_text_says_what_is_not_read(
    browser: Chromium, tmp_path: Path
) -> None:
    (tmp_path / "blueprints").mkdir()
    item = "{{id: {0}, kind: text, topic: {0}, stem: Why?, rubric: {{criteria: [{{id: one, accept: [one]}}]}}}}".format
    (tmp_path / "items.yaml").write_text(f"items: [{item('a')}, {item('b')}]")
    plan = "sections: [{topic: a, instructions: Write the unit.}, {topic: b, instructions: Be brief.}]"
    (tmp_path / "blueprints" / "two.yaml").write_text(plan)
    assert run(["exam", f"{tmp_path}/two", "-o", str(tmp_path / "out"), "--seed", "a long enough seed"]) == 0
    start(browser, tmp_path / "out" / "form-A.html")
    seen = "[...document.querySelectorAll('.part-how')].filter((p) => p.checkVisibility()).map((p) => p.textContent)"
    assert browser.evaluate(seen) == ["Write the unit."]
    browser.press("Alt+N")
    assert browser.evaluate(seen) == ["Be brief."]
    long = "(() => { const t = document.querySelector('.item.current textarea'); t.value = 'x'.repeat(100000);"
    browser.evaluate(f"{long} t.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()")
    assert text_of(browser, "alert") == "Only the first 65536 characters are scored; this response has 100000."


def test_a_number_is_echoed_as_it_reads(browser: Chromium, exam_folder: Path) -> None:
    """In a form that knows no key and no item: a number with a unit, one of the bank's own, one that nobody knows, and no
    number."""
    start(browser, exam_folder / "form-A.html")
    for _ in range(4):
        if browser.evaluate("document.querySelector('.item.current.ask-number') !== null"):
            break
        browser.press("Alt+N")
    reach(browser, "Answer")
    for text, echo in (
        ("31,7 GB", "Read as 31.7 GB"),
        ("1,234 GB", "Read as 1,234 GB / 1.234 GB"),
        ("10 or 20 GB", "Cannot be read for certain: write it like 12.5 GB."),
        ("12 zorks", "Read as 12 zorks"),
        ("12 zorkmids", "Read as the number 12; this page does not know the unit 'zorkmids'."),
        ("100 GB / 50 GB/s", "Kept as a calculation, which is worked out when it is scored."),
    ):
        browser.evaluate("document.activeElement.select()")
        browser.type(text)
        assert browser.evaluate("document.querySelector('.item.current .echo').textContent") == echo
