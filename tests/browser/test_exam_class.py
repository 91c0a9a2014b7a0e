"""A class on screen, from the roster to the grade list: every planted oddity is told, and nothing else."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from quizgen.cli import run

from .chromium import Chromium
from .hands import READY

SHIFT = "Date.now = ((real) => () => real() {:+} * 60000)(Date.now.bind(Date)); 0"
RIGHT = """
(() => {
  for (const item of document.querySelectorAll('.item')) {
    const stem = item.querySelector('.stem').textContent;
    const wanted = stem.includes('stage 1') ? ['The optimizer states'] : ['Optimizer states', 'Gradients'];
    for (const option of item.querySelectorAll('.option')) {
      if (wanted.includes(option.querySelector('.text').textContent)) option.querySelector('input').click();
    }
    const field = item.querySelector('input[type=text], textarea:not(.working)');
    if (!field) continue;
    field.value = field.tagName === 'TEXTAREA' ? 'It communicates in every layer.' : '14 GB';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
})()
"""
CLICK = "document.getElementById('{}').click()"


def sit(browser: Chromium, page: Path, who: str = "", shift: int = 0, closed: int = 0) -> None:
    """Take a form: right answers, all but the second point of the text. `shift`: minutes that pass before the
    answers; `closed`: minutes that the clock moves while the page is closed."""
    browser.open(page.as_uri())
    browser.wait(READY)
    if who:
        browser.evaluate(f"document.getElementById('who-id').value = {json.dumps(who)}")
    browser.evaluate("document.querySelector('#start button[type=submit]').click()")
    browser.wait("document.documentElement.dataset.view === 'item'")
    if closed:
        browser.open("about:blank")
        script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=SHIFT.format(closed))["identifier"]
        browser.open(page.as_uri())
        browser.wait(READY)
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    if shift:
        browser.evaluate(SHIFT.format(shift))
        browser.pump(0.6)
    browser.evaluate(RIGHT)
    for button in ("review", "finish", "download"):
        browser.evaluate(CLICK.format(button))
    browser.wait("!document.getElementById('clear').disabled")


@pytest.mark.slow
def test_a_class_on_screen(
    browser: Chromium, exam_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Thirty candidates: two late, one with the clock turned back, one with another form, one with the practice
    edition, one file twice, one absent."""
    names = [f"Candidate {n}" for n in range(1, 31)]
    names[4], names[5], names[6] = '=HYPERLINK("x")', 'Ann "The Pen" Oh', "محمد علي"
    roster = tmp_path / "roster.csv"
    with roster.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["name", "id"], *([name, f"S{n}"] for n, name in enumerate(names, 1))])
    out = tmp_path / "out"
    given = ["--seed", "a seed for the class", "--practice", "--minutes", "30", "--forms", "2", "--roster", str(roster)]
    assert run(["exam", str(exam_folder.parent / "bank"), "-o", str(out), *given]) == 0
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    forms = {one["id"]: out / one["file"] for one in manifest["candidates"]}
    for who, page in forms.items():
        if who == "S30":
            continue
        if who == "S12":  # was dealt B
            sit(browser, out / "form-A.html", who)
        elif who == "S20":
            sit(browser, next(out.rglob("practice-B.html")), who)
        else:
            sit(browser, page, shift={"S3": 31, "S4": 42}.get(who, 0), closed=-35 if who == "S8" else 0)
    browser.pump(1)
    answers = tmp_path / "answers"
    answers.mkdir()
    for path in tmp_path.glob("answers-*.json"):
        shutil.move(path, answers)
    shutil.copy(answers / "answers-A-S15.json", answers / "answers-A-S15 (1).json")
    assert len(list(answers.iterdir())) == 30

    capsys.readouterr()
    common = ["score", str(answers), "--manifest", str(out / "manifest.json")]
    grades = tmp_path / "grades.csv"
    assert run([*common, "--late", "deduct:10%/10", "--format", "gradebook", "-o", str(grades)]) == 1
    told = capsys.readouterr().err
    with grades.open(encoding="utf-8", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert list(rows) == list(forms)
    assert {who: row["status"] for who, row in rows.items() if row["status"] != "present"} == {
        "S12": "held", "S20": "absent", "S30": "absent",
    }  # fmt: skip
    noted = {who: row["checks"] for who, row in rows.items() if row["checks"]}
    assert set(noted) == {"S3", "S4", "S8", "S12", "S15", "S20"}
    assert "was dealt" in noted["S12"]
    assert "practice edition" in noted["S20"]
    assert "the same file twice" in noted["S15"]
    assert "clock went back by 35 min" in noted["S8"]
    # 31 and 42 minutes of 30: the first ten minutes begun cost 0.6 of 6 points, the second ten 1.2.
    assert [(rows[who]["raw"], rows[who]["deduction"], rows[who]["final"]) for who in ("S3", "S4", "S8", "S12")] == [
        ("5", "0.6", "4.4"), ("5", "1.2", "3.8"), ("5", "0", "5"), ("5", "0", ""),
    ]  # fmt: skip
    assert 55 < float(rows["S3"]["late_seconds"]) < 90
    assert rows["S5"]["name"] == '\'=HYPERLINK("x")'
    assert rows["S7"]["name"] == "محمد علي"
    assert "held: S12 (Candidate 12): has form" in told
    assert told.count("\nabsent: ") + told.startswith("absent: ") == 2

    # The roster says what was sat after all: nobody is held any more, and what was late counts for nothing.
    rows_of = list(csv.reader(io.StringIO(roster.read_text(encoding="utf-8"), newline="")))
    mended = tmp_path / "mended.csv"
    with mended.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[*rows_of[0], "form"], *([*r, "A" if r[1] == "S12" else ""] for r in rows_of[1:])])
    rule = ["--late", "exclude", "--roster", str(mended)]
    assert run([*common, *rule, "--format", "gradebook"]) == 0
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out, newline=""))}
    assert [rows[who]["final"] for who in ("S3", "S4", "S12")] == ["0", "0", "5"]
    assert run([*common, *rule, "--lms", "moodle"]) == 0
    moodle = list(csv.reader(io.StringIO(capsys.readouterr().out, newline="")))
    assert moodle[0] == ["ID number", "Email address", "Grade", "Feedback"]
    assert len(moodle) == 29
    assert all(row[0] and row[2] for row in moodle)
    assert run([*common, *rule, "--lms", "canvas"]) == 0
    canvas = list(csv.reader(io.StringIO(capsys.readouterr().out, newline="")))
    assert canvas[:2] == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Exam"],
        ["Points Possible", "", "", "", "", "6"],
    ]
    assert len(canvas) == 30
    # Without a rule for lateness, the late are held too.
    assert run([*common, "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [row["candidate"] for row in report["attendance"] if row["status"] == "held"] == ["S3", "S4", "S12"]
    # A page each for those who sat it; a text report and a page tell the same.
    assert run([*common, "--late", "ignore", "--feedback", str(tmp_path / "feedback"), "--format", "html"]) == 1
    page = capsys.readouterr().out
    assert "clock went back by 35 min" in page
    pages = sorted(p.name for p in (tmp_path / "feedback").iterdir())
    assert pages == [f"feedback-{n:03}.html" for n in range(1, 31) if n not in (20, 30)]
    assert "It communicates in every layer." in (tmp_path / "feedback" / pages[0]).read_text(encoding="utf-8")
