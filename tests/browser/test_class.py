"""A class, half on screen and half on paper, from the roster to the grade list by commands alone: every planted
oddity is told, and nothing else."""

from __future__ import annotations

import csv
import io
import json
import shutil
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from shipped import Command

from tests.scan.degraded import jpeg, resized, turned
from tests.scan.filled import Truth
from tests.scan.printed import Exam, Pile, bank, made

from .chromium import Chromium
from .hands import reach, sit
from .test_marking import exported, marker, opened

RIGHT = (Path(__file__).parent / "right.js").read_text(encoding="utf-8")
ALL = 24
HALF = 15
FIRST = HALF + 1  # on paper
GONE = (ALL - 2, ALL - 1)  # were not there
BLOTTED = ALL
TWICE = HALF + 3
UNWRITTEN = HALF + 4  # left the numbers blank
ODD = {5: '=HYPERLINK("x")', 6: 'Ann "The Pen" Oh', 7: "محمد علي", HALF + 5: '=cmd|" /C calc"!A0'}
TEXTS = 2 * (ALL - 5)  # that are written: two a candidate
CROSSED = HALF + 2  # who crosses, where others fill
POINTS = 20  # twelve choices, two numbers, two texts whose two criteria earn 1.5 each in this exam
PLAN = "sections: [{kind: [choice, numeric], count: 14}, {kind: text, count: 2, points: 3}]"


def on_screen(browser: Chromium, exam: Exam, folder: Path, downloads: Path) -> None:
    """Two late, one with the clock turned back and one with it put forward, one with another form, one file twice,
    one damaged, two absent. All of them right, but for the second criterion of the texts."""
    for who in exam.manifest["candidates"][:HALF]:
        page, number = exam.folder / who["file"], who["number"]
        if number == 12:  # was given B
            sit(browser, exam.folder / "form-A.html", RIGHT, "S12")
        elif number not in (14, HALF):
            late, back, ahead = {3: 31, 4: 42}.get(number, 0), -35 if number == 8 else 0, 39 if number == 11 else 0
            sit(browser, page, RIGHT, "", late, back, ahead)
    browser.pump(1)
    folder.mkdir()
    for path in downloads.glob("answers-*.json"):
        shutil.move(path, folder)
    shutil.copy(folder / "answers-A-S9.json", folder / "answers-A-S9 (1).json")
    whole = folder / "answers-A-S13.json"
    shutil.copy(whole, downloads / "whole.json")
    whole.write_bytes(whole.read_bytes()[:400])
    assert len(list(folder.iterdir())) == HALF - 1


def on_paper(exam: Exam, other: Exam, scans: Path) -> dict[int, dict[str, Truth]]:
    """Two absent, one sheet twice, one with blots over its codes, one of another exam, one that nobody
    has signed, a file that is none; of each seventh the cover and the pages without a code too. The truths of those who can be read."""
    pile = Pile(scans, np.random.default_rng(60))
    for number in range(FIRST, ALL + 1):
        if number in GONE:
            continue
        style = "cross" if number == CROSSED else "mixed"
        whole = pile.sheet(exam, number, blotted=number == BLOTTED, style=style)
        if number == TWICE:
            pile.stack.append(resized(whole, 150))
        if number != BLOTTED:
            name = f"form-{'AB'[(number - 1) % 2]}-{number:03}"
            for place in exam.pages_behind(name, *(() if number % 7 == 0 else ("Twice", "Why"))):
                pile.stack.append(jpeg(turned(resized(exam.page(name, place), 150), pile.chance.uniform(-2, 2)), 50))
    pile.stranger(other, "form-A-001", named=True)
    pile.stranger(exam, "form-A", named=False)
    pile.piled()
    del pile.truths[BLOTTED]
    return pile.truths


def decided(browser: Chromium, page: Path, exam: Exam, downloads: Path, truths: dict[int, dict[str, Truth]]) -> Path:
    """What a person does on the page of open rows: a double mark is void, any other row is what its picture shows,
    numbers are typed as they are written, blank ones are blank, and the sheet that nobody has signed is nobody's."""
    opened(browser, page)
    items = {(form["code"], str(i["n"])): i for form in exam.manifest["forms"] for i in form["items"]}
    for row in json.loads(browser.evaluate("document.getElementById('data').textContent"))["open"]:
        code, number, _ = row["key"].split(":") if row["kind"] != "id" else ("", "0", "")
        if row["kind"] == "choice":
            truth = truths[int(row["candidate"][1:])][row["item"]]
            browser.type("0" + ("" if truth.look else truth.answer.lower()))
        if row["kind"] == "numeric" and int(number) != UNWRITTEN:
            browser.type(str(2 * int(items[code, row["item"]]["given"]["a"])))
        elif row["kind"] != "choice":
            reach(browser, "nothing")
        browser.press("Enter")
    assert browser.evaluate("document.getElementById('progress').textContent").startswith("0 of")
    browser.evaluate("document.getElementById('export').click()")
    browser.pump(0.5)
    return next(downloads.glob("scan-decisions-*.json"))


def marked(browser: Chromium, page: Path, downloads: Path) -> Path:
    """What a marker does: typed texts earn their first criterion, those on paper both."""
    opened(browser, page)
    marker(browser, "M")
    for _ in range(TEXTS):
        browser.type("12" if browser.evaluate("document.querySelector('#answer img') !== null") else "1")
        browser.press("Enter")
    assert "Everything is marked" in browser.evaluate("document.getElementById('told').textContent")
    exported(browser, downloads, "M")
    return next(downloads.glob("marks-*-M*.json"))


def by_hand(form: dict[str, object], truth: dict[str, Truth], number: int) -> int:
    """Points on paper: one for each choice filled in as it is right and once, one a number, six for the texts."""
    choices = 0
    for item in form["items"]:
        if "options" in item and not truth[str(item["n"])].look:
            filled = {item["options"][ord(letter) - 65] for letter in truth[str(item["n"])].answer}
            choices += filled == ({"r1", "r2"} if item["several"] else {"right"})
    return choices + (0 if number == UNWRITTEN else 2) + 6


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_class_by_commands_alone(browser: Chromium, tmp_path: Path, command: Command) -> None:
    names = [ODD.get(n, f"Candidate {n}") for n in range(1, ALL + 1)]
    people = io.StringIO()
    csv.writer(people, lineterminator="\n").writerows([name, f"S{n}"] for n, name in enumerate(names, 1))
    exam = made(
        tmp_path / "class", browser, bank(12), people.getvalue().splitlines(),
        "--forms", "2", "--minutes", "30", plan=PLAN,
    )  # fmt: skip
    other = made(tmp_path / "other", browser, bank(10), ["Ada,A1"])
    manifest = exam.folder / "manifest.json"
    answers, scans = tmp_path / "answers", tmp_path / "scans"
    on_screen(browser, exam, answers, tmp_path)
    truths = on_paper(exam, other, scans)

    def table(path: Path, key: str = "id") -> dict[str, dict[str, str]]:
        with path.open(encoding="utf-8", newline="") as file:
            return {row[key]: row for row in csv.DictReader(file)}

    # The scan: what is filled in, what is open, and each oddity of the paper; nobody of those on screen is missed.
    responses = tmp_path / "responses.csv"
    scan = ["scan", str(scans), str(answers), "--manifest", str(manifest), "-o", str(responses)]
    command(*scan, code=1)
    record = json.loads(responses.with_suffix(".json").read_text(encoding="utf-8"))
    faults = "\n".join(record["faults"])
    absent = {"S14", *(f"S{n}" for n in (HALF, *GONE, BLOTTED))}
    for who in absent:
        assert f"{who} (" in faults
    assert faults.count("missing: nothing was scanned") == 5
    strange = ("broken.jpg", f"of form {other.manifest['exam']}-A", "is not on the roster")
    for told in (*strange, f"S{TWICE}: page 1", "without a readable code"):
        assert faults.count(told) == 1, told
    assert len(record["faults"]) == 10
    assert record["notes"] == []
    open_rows = {(one["candidate"], one["item"]) for one in record["open"] if one["kind"] == "choice"}
    assert {(f"S{n}", name) for n, rows in truths.items() for name, truth in rows.items() if truth.look} <= open_rows
    read = table(responses, "candidate")
    for number, rows in truths.items():
        for name, truth in rows.items():
            if (f"S{number}", name) not in open_rows:
                assert read[f"S{number}"][name] == truth.answer
    crosses = [one for one in record["open"] if one["candidate"] == f"S{CROSSED}" and one["kind"] == "choice"]
    assert {one["item"] for one in crosses} >= {n for n, truth in truths[CROSSED].items() if truth.answer}

    # Before anybody has looked: all of those on paper are held, with what is open.
    common = ["score", str(answers), "--sheet", str(responses), "--manifest", str(manifest)]
    grades = tmp_path / "grades.csv"
    command(*common, "--late", "ignore", "--format", "gradebook", "-o", grades, code=1)
    first = table(grades)
    held = {who for who, row in first.items() if row["status"] == "held"}
    assert held == {"S12", "S13", *(f"S{n}" for n in truths)}
    assert "the answers file is damaged" in first["S13"]["checks"]
    assert "not read yet: items" in first[f"S{FIRST}"]["checks"]

    # A person asks for the damaged file again, decides and marks.
    shutil.copy(tmp_path / "whole.json", answers / "answers-A-S13.json")
    decisions = decided(browser, tmp_path / "responses-check.html", exam, tmp_path, truths)
    command(*scan, "--decisions", decisions, code=1)
    page = tmp_path / "marking.html"
    command("mark", answers, str(responses.with_suffix(".json")), "--manifest", manifest, "-o", page)
    marks = marked(browser, page, tmp_path)
    common += ["--marks", str(marks)]

    # The grade list.
    told = command(*common, "--late", "deduct:10%/10", "--format", "gradebook", "-o", grades, code=1).err
    rows = table(grades)
    assert list(rows) == [f"S{n}" for n in range(1, ALL + 1)]
    assert {who: row["status"] for who, row in rows.items() if row["status"] != "present"} == {
        "S12": "held", **dict.fromkeys(absent, "absent"),
    }  # fmt: skip
    noted = {who: row["checks"] for who, row in rows.items() if row["checks"]}
    assert set(noted) == {"S3", "S4", "S8", "S9", "S11", "S12"}
    assert "clock went forward by 39 min" in noted["S11"]
    assert "was given" in noted["S12"]
    assert "the same file twice" in noted["S9"]
    assert "clock went back by 35 min" in noted["S8"]
    assert {row["possible"] for row in rows.values() if row["status"] == "present"} == {str(POINTS)}
    # On screen 14 points and one of two criteria of both texts, 1.5 each. 31 and 42 minutes of 30: the first ten minutes
    # begun cost 2 of 20 points, the second ten 4.
    on_time = {f"S{n}": ("17", "0", "17") for n in range(1, HALF) if n != 14}
    late = {"S3": ("17", "2", "15"), "S4": ("17", "4", "13"), "S12": ("17", "0", "")}
    assert {who: (rows[who]["raw"], rows[who]["deduction"], rows[who]["final"]) for who in on_time} == on_time | late
    assert 55 < float(rows["S3"]["late_seconds"]) < 120
    forms = {form["form"]: form for form in exam.manifest["forms"]}
    for number, truth in truths.items():
        got = rows[f"S{number}"]
        assert got["source"] == "paper"
        assert Fraction(got["final"]) == by_hand(forms["AB"[(number - 1) % 2]], truth, number), number
    assert rows["S5"]["name"] == '\'=HYPERLINK("x")'
    assert rows["S7"]["name"] == "محمد علي"
    assert rows[f"S{HALF + 5}"]["name"].startswith("'=cmd")
    assert "held: S12 (Candidate 12): has form" in told
    assert told.count("\nabsent: ") + told.startswith("absent: ") == 5

    # The roster says what was sat after all: nobody is held any more, and what was late counts for nothing.
    mended = tmp_path / "fixed.csv"
    with mended.open("w", encoding="utf-8", newline="") as file:
        listed = ((name, f"S{n}", "A" if n == 12 else "") for n, name in enumerate(names, 1))
        csv.writer(file).writerows([["name", "id", "form"], *listed])
    rule = ["--late", "exclude", "--roster", str(mended)]
    command(*common, *rule, "--format", "gradebook", "-o", grades)
    rows = table(grades)
    assert len(rows) == ALL
    assert rows["S12"]["final"] == "17"
    assert [rows[who]["final"] for who in ("S3", "S4")] == ["0", "0"]
    moodle = list(csv.reader(io.StringIO(command(*common, *rule, "--lms", "moodle").out, newline="")))
    assert moodle[0] == ["ID number", "Email address", "Grade", "Feedback"]
    assert len(moodle) == 1 + ALL - 5
    assert all(row[0] and row[2] for row in moodle)
    canvas = list(csv.reader(io.StringIO(command(*common, *rule, "--lms", "canvas").out, newline="")))
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "plan"]
    assert canvas[1] == ["Points Possible", "", "", "", "", str(POINTS)]
    assert len(canvas) == 2 + ALL - 5
    # Without a rule for lateness, the late are held too.
    feedback = tmp_path / "feedback"
    report = json.loads(command(*common, "--feedback", feedback, "--format", "json", code=1).out)
    assert [row["candidate"] for row in report["attendance"] if row["status"] == "held"] == ["S3", "S4", "S12"]
    assert len(report["decisions"]) == TEXTS, "a line for each marked text"
    # A page each for those who sat it.
    pages = sorted(p.name for p in feedback.iterdir())
    assert pages == [f"feedback-{n:03}.html" for n in range(1, ALL + 1) if f"S{n}" not in absent]
    assert "It says one." in (feedback / pages[0]).read_text(encoding="utf-8")
    paper = (feedback / f"feedback-{FIRST:03}.html").read_text(encoding="utf-8")
    assert "(on paper)" in paper
    assert "no word in it" not in paper
