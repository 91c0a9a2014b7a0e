"""Marking by keyboard alone: what is ticked comes out and goes into the score, and nothing is lost by a kill."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rounded import KEYS, bank
from shipped import Command

from quizgen.cli import run

from .chromium import Chromium
from .conftest import Axe
from .hands import opened, reloaded

ITEMS = 5
SAID = ("It says one.", "Two, but perhaps not three.", "one and two <script>alert(1)</script>", "neither of them")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of an exam of five texts with three criteria of a point each, which earn six here, typed in for four."""
    folder = tmp_path_factory.mktemp("marking")
    bank = folder / "bank"
    bank.mkdir(parents=True)
    criteria = ", ".join(f"{{id: {w}, say: It says {w}., accept: [{w}]}}" for w in ("one", "two", "three"))
    item = f"  - {{id: tN, kind: text, topic: t, stem: 'Why $x_N$?', rubric: {{criteria: [{criteria}]}}}}\n"
    items = "".join(item.replace("N", str(n)) for n in range(ITEMS))
    (bank / "items.yaml").write_text(f"items:\n{items}", encoding="utf-8")
    (bank / "blueprints").mkdir()
    plan = f"sections: [{{topic: t, count: {ITEMS}, points: 6}}]"
    (bank / "blueprints" / "six.yaml").write_text(plan, encoding="utf-8")
    people = [f"S{n:03}" for n in range(4)]
    roster = "name,id\n" + "".join(f"Person {p},{p}\n" for p in people)
    (folder / "roster.csv").write_text(roster, encoding="utf-8")
    arguments = ["exam", f"{bank}/six", "-o", str(folder / "out"), "--seed", "a seed for marking", "--forms", "2"]
    assert run([*arguments, "--roster", str(folder / "roster.csv")]) == 0
    with open(folder / "sheet.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["candidate", "form", *range(1, ITEMS + 1)])
        for n, who in enumerate(people):
            table.writerow([who, "AB"[n % 2], *(f"{SAID[(n + k) % 4]} ({who[1:]})" for k in range(ITEMS))])
    page = folder / "marking.html"
    manifest = str(folder / "out" / "manifest.json")
    assert run(["mark", str(folder / "sheet.csv"), "--manifest", manifest, "-o", str(page)]) == 0
    return page


def marker(browser: Chromium, initials: str) -> None:
    """The page starts in the field for initials; Enter leaves it."""
    browser.type(initials)
    browser.press("Enter")


def exported(browser: Chromium, folder: Path, initials: str) -> dict[str, Any]:
    before = set(folder.glob("*.json"))
    browser.type("e")
    for _ in range(100):
        found = sorted(set(folder.glob(f"marks-*-{initials}*.json")) - before)
        if found and not list(folder.glob("*.crdownload")):
            marks: dict[str, Any] = json.loads(found[-1].read_text(encoding="utf-8"))
            return marks
        browser.pump(0.05)
    told = browser.evaluate("document.getElementById('told').textContent")
    raise AssertionError(f"no marks were exported: {told}, {sorted(folder.iterdir())}")


def test_nobody_is_named_and_nothing_is_ticked_beforehand(browser: Chromium, small: Path) -> None:
    opened(browser, small)
    text = small.read_text(encoding="utf-8")
    assert "Person" not in text
    assert "S000" not in text
    assert browser.evaluate("document.querySelectorAll('#criteria [aria-pressed=true]').length") == 0
    assert browser.evaluate("document.querySelectorAll('#answer mark').length") > 0, "what was found is underlined"
    assert "Look twice" in browser.evaluate("document.getElementById('doubts').textContent"), "the doubtful come first"
    assert not browser.dialogs
    assert not browser.console
    assert [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_marks_go_into_the_score(browser: Chromium, small: Path, tmp_path: Path, command: Command) -> None:
    """Every first answer of an item earns criteria 1 and 3, four points of six, every other one points typed by hand, the last is
    referred; the score of each response is what was marked."""
    opened(browser, small)
    marker(browser, "AB")
    wanted: dict[tuple[str, str], float | None] = {}
    total = 4 * ITEMS
    for n in range(total):
        key, ref = browser.evaluate(
            "(() => { const n = document.getElementById('heading').textContent.split(' · ')[1];"
            " const d = JSON.parse(document.getElementById('data').textContent);"
            " const t = document.getElementById('progress').textContent.match(/Item (\\d+)/)[1];"
            " return [n, d.items[t - 1].answers.find((a) => a.key === n).ref]; })()"
        )
        if n == total - 1:
            browser.type("f")
            wanted[key, ref] = None
        elif n % 4 == 0:
            browser.type("13")
            wanted[key, ref] = 4
        else:
            browser.type("p0.5")
            browser.press("Enter")
            browser.type("cwhy <b>")
            browser.press("Escape")
            wanted[key, ref] = 0.5
        browser.press("Enter")
    assert "Everything is marked" in browser.evaluate("document.getElementById('told').textContent")
    found = exported(browser, tmp_path, "AB")
    assert {(e["candidate"], e["ref"]): e["points"] for e in found["entries"]} == wanted
    marks = tmp_path / "marks.json"
    marks.write_text(json.dumps(found), encoding="utf-8")
    manifest = small.parent / "out" / "manifest.json"
    arguments = ["score", "--sheet", str(small.parent / "sheet.csv"), "--manifest", str(manifest)]
    lines = [json.loads(line) for line in command(*arguments, "--marks", marks, "--format", "jsonl").out.splitlines()]
    earned = Counter(line["earned"] for line in lines)
    assert earned.total() == total
    assert (earned - Counter(p for p in wanted.values() if p is not None)).total() == 1  # the one that was referred


def test_a_person_marks_the_numbers_that_the_reader_refuses(
    browser: Chromium, tmp_path: Path, command: Command
) -> None:
    """The page says which numbers are right and half right, with `--item` of readable ones too; what is marked counts."""
    (tmp_path / "items.yaml").write_text(bank(), encoding="utf-8")
    out = tmp_path / "out"
    command("exam", tmp_path / "items.yaml", "-o", out, "--forms", "1", "--seed", "a long seed here")
    order = [item["item"] for item in json.loads((out / "manifest.json").read_text())["forms"][0]["items"]]
    sheet, page = tmp_path / "sheet.csv", tmp_path / "marking.html"
    with open(sheet, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["candidate", "form", *range(1, len(order) + 1)])
        rows.writerow(["c1", "A", *("97%" if item == "almost" else "" for item in order)])
        rows.writerow(["who", "A", *("31 or 32 or 33" for _ in order)])
    mark = ["mark", str(sheet), "--manifest", str(out / "manifest.json"), "-o", str(page)]
    assert f"{len(KEYS)} answers of 1 candidate" in command(*mark).err
    form = json.loads((out / "manifest.json").read_text())
    pictures = [{"candidate": "who", "ref": item["ref"], "image": "AA=="} for item in form["forms"][0]["items"]]
    scan = {"v": 1, "type": "scan", "exam": form["exam"], "answers": pictures}
    (tmp_path / "scan.json").write_text(json.dumps(scan), encoding="utf-8")
    assert f"{len(KEYS)} answers of 1 candidate" in command(*mark, str(tmp_path / "scan.json")).err
    command(*mark, *(word for key in KEYS for word in ("--item", key.id)))
    opened(browser, page)
    marker(browser, "AB")
    schemes: dict[str, str] = {}
    for _ in range(1 + len(KEYS)):
        item, response = browser.evaluate(
            "[document.querySelector('#items [aria-current=true]').textContent.split(' ')[1],"
            " document.querySelector('#answer .given').textContent]"
        )
        schemes[item] = browser.evaluate("document.querySelector('details[open] #scheme').textContent")
        browser.press("Enter")  # nothing is said yet: the mark stays open
        browser.type("2" if response == "97%" else "3")
        browser.press("Enter")
    for key in KEYS:
        assert "Accept: " in schemes[key.id]
    assert "Also right, as rounded to 2 significant digits: 1.1 h and 1.2 h." in schemes["tie"]
    assert "Half right, as rounded too far: 97%." in schemes["almost"]
    marks = tmp_path / "marks.json"
    marks.write_text(json.dumps(exported(browser, tmp_path, "AB")), encoding="utf-8")
    score = ["score", "--sheet", str(sheet), "--manifest", str(out / "manifest.json"), "--format", "jsonl"]
    marked = [json.loads(line) for line in command(*score, "--marks", marks).out.splitlines()]
    assert [line["earned"] for line in marked if line["candidate"] == "c1" and line["item"] == "almost"] == [0.5]
    assert {line["outcome"] for line in marked if line["candidate"] == "who"} == {"incorrect"}


def test_kappa_is_what_a_hand_finds(browser: Chromium, small: Path, tmp_path: Path) -> None:
    """Marker one ticks criterion 1 in answers 1 to 3 of four, the other in 1, 2 and 4: seen (0.5) and by
    chance 2·¾·¼ = 0.375, so kappa is 1 - 0.5/0.375 = -1/3. Points, a tick earns two, 4, 4, 4, 0 and 2, 4, 0, 2: in
    ticks the mean square is (1 + 0 + 4 + 1)/4 = 1.5; over all 16 pairs it is 3·(1 + 0 + 4 + 1) + (1 + 4 + 0 + 1)
    = 24, 24/16 = 1.5, so kappa is 0; the second marker gave a point less on average."""
    for initials, rows in (("one", ("12", "12", "12", "")), ("two", ("1", "12", "", "1"))):
        opened(browser, small)
        browser.evaluate("(() => { const m = document.getElementById('marker'); m.value = ''; m.focus(); })()")
        marker(browser, initials)
        browser.evaluate("document.querySelectorAll('#items button')[0].click()")
        for _ in range(4):
            browser.press("Backspace")
        for place, ticks in enumerate(rows):
            assert f"answer {place + 1} of 4" in browser.evaluate("document.getElementById('heading').textContent")
            browser.type("0" + ticks)
            browser.press("Enter")
        exported(browser, tmp_path, initials)
        if initials == "one":
            browser.evaluate("indexedDB.deleteDatabase('quizgen'); localStorage.clear()")
    other = json.dumps((next(tmp_path.glob("marks-*-one.json"))).read_text(encoding="utf-8"))
    browser.evaluate(
        "(() => { const d = new DataTransfer(); d.items.add(new File([" + other + "], 'one.json'));"
        " const f = document.getElementById('compare'); f.files = d.files; f.dispatchEvent(new Event('change')); })()"
    )
    browser.wait("document.querySelector('#agreement table') !== null")
    cells = "[...document.querySelectorAll('#agreement tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))"
    rows_of = {row[1]: row for row in browser.evaluate(cells)}
    # Without each answer in turn kappa is -1/2, -1/2, 0 and 0: three quarters of the sum of squares about -1/4 are
    # 0.1875, whose root times 1.96 is 0.849.
    assert rows_of["1 It says one."][2:] == ["4 (few)", "50 %", "0.00", "-0.333", "-1.00 to 0.52"]
    # Without each answer in turn kappa is 0, -2/7, 2/5 and 0: mean 1/35, and 3/4 of the sum of squares about it is
    # 0.17878, whose root times 1.96 is 0.829.
    assert rows_of["points"][3:] == ["25 %", "-1.00", "0.000", "-0.83 to 0.83"]


def test_a_kill_and_a_reload_lose_nothing(small: Path, tmp_path: Path) -> None:
    first = Chromium(tmp_path / "profile")
    opened(first, small)
    marker(first, "K")
    first.type("1")
    first.press("Enter")
    first.type("2cbecause")
    first.wait("document.getElementById('saved').textContent.startsWith('Saved')")
    first.pump(0.4)
    first.kill()
    with Chromium(tmp_path / "profile") as second:
        opened(second, small)
        assert second.evaluate("document.getElementById('marker').value") == "K"
        assert "1 of 4 marked" in second.evaluate("document.getElementById('progress').textContent")
        assert second.evaluate("document.getElementById('comment').value") == "because"
        assert "answer 2 of 4" in second.evaluate("document.getElementById('heading').textContent")
        reloaded(second)
        assert second.evaluate("document.querySelectorAll('#criteria [aria-pressed=true]').length") == 1


def test_two_windows_lose_nothing(browser: Chromium, small: Path) -> None:
    opened(browser, small)
    marker(browser, "A")
    first, second = browser.beside()
    opened(browser, small)
    count = "Object.values(JSON.parse(Object.values(localStorage)[0]).marks).filter((mark) => mark.at).length"
    for done, (window, keys) in enumerate(((first, "1"), (second, "n2"), (first, "3"))):
        browser.switch(window)
        browser.wait(f"{count} === {done}")  # a window sees a moment later what another one saved
        browser.type(keys)
        browser.press("Enter")
    stored = browser.evaluate("Object.values(JSON.parse(Object.values(localStorage)[0]).marks)")
    assert [mark["ticks"].index(True) for mark in stored if mark["at"]] == [0, 1, 2]


def test_axe_finds_nothing(browser: Chromium, small: Path, axe: Axe) -> None:
    opened(browser, small)
    marker(browser, "A")
    browser.type("12")
    assert axe(browser) == []
