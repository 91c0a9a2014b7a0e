"""`quizgen debrief`: a past session again, from its log alone."""

from __future__ import annotations

import json
from pathlib import Path

from process import BANK, quizgen


def test_the_debrief_comes_back_as_it_was(tmp_path: Path) -> None:
    """Line for line what the session itself showed at its end, with a hint taken and one item not reached."""
    typed = "A\n:hint\n:hint\n:sure 5\n40 GB\n"
    played = quizgen("mock", BANK, "--items", "5", "--seed", "d", cwd=tmp_path, typed=typed)
    shown = played.stdout[played.stdout.index("Debrief:") :]
    again = quizgen("debrief", cwd=tmp_path)
    assert again.stdout == shown
    assert "not reached" in shown


def test_a_page_of_a_past_session(tmp_path: Path) -> None:
    """Also of one that has not ended, which says so; names of blueprints in advice are set as code."""
    quizgen("mock", "quick", "--items", "1", "--seed", "d", "--log", "s.jsonl", cwd=tmp_path, typed=":leave\n")
    assert "Not ended yet." in quizgen("debrief", "s.jsonl", cwd=tmp_path).stdout
    quizgen("mock", "--resume", "s.jsonl", cwd=tmp_path)
    quizgen("debrief", "s.jsonl", "--html", "d.html", cwd=tmp_path)
    page = (tmp_path / "d.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<code>drill-collectives</code>" in page
    assert quizgen("debrief", "s.jsonl", "--html", "-", cwd=tmp_path).stdout == page


def test_a_line_that_was_cut_is_told_by_debrief_and_resume(tmp_path: Path) -> None:
    quizgen("mock", BANK, "--items", "2", "--seed", "d", "--log", "s.jsonl", cwd=tmp_path, typed="A\nB\n:leave\n")
    log = tmp_path / "s.jsonl"
    head, first, *_ = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text(head + first[:90], encoding="utf-8")
    assert "s.jsonl: line 2 is damaged and does not count" in quizgen("debrief", "s.jsonl", cwd=tmp_path).stderr
    torn = log.read_bytes()
    again = " ".join(quizgen("mock", "--resume", "s.jsonl", cwd=tmp_path, typed="A\nB\n").stdout.split())
    assert "line 2 is damaged and does not count: an item that it was about is asked again" in again
    assert "Item 1 of 2" in again
    assert log.read_bytes().startswith(torn + b"\n")
    assert len(quizgen("score", "s.jsonl", "--format", "jsonl", cwd=tmp_path).stdout.splitlines()) == 2


def test_a_redo_that_was_never_begun_does_not_hide_the_session(tmp_path: Path) -> None:
    quizgen("mock", BANK, "--items", "2", "--seed", "d", "--log", "s.jsonl", cwd=tmp_path, typed="A\nB\n")
    shown = quizgen("debrief", "s.jsonl", cwd=tmp_path).stdout
    log = tmp_path / "s.jsonl"
    head = json.loads(log.read_text(encoding="utf-8").splitlines()[0]) | {"session": "later"}
    log.write_text(log.read_text(encoding="utf-8") + json.dumps(head) + "\n", encoding="utf-8")
    assert quizgen("debrief", "s.jsonl", cwd=tmp_path).stdout == shown


def test_sessions_of_two_blueprints_are_scored_together(tmp_path: Path) -> None:
    """Both are sessions of one bank, whichever of its blueprints they name."""
    for name in ("quick", "readiness"):
        quizgen("mock", name, "--items", "2", "--seed", "d", "--log", f"{name}.jsonl", cwd=tmp_path, typed="A\nB\n")
    scored = quizgen("score", "quick.jsonl", "readiness.jsonl", cwd=tmp_path)
    assert "4 responses scored" in scored.stdout
    assert "banks" not in scored.stderr


def test_what_cannot_be_shown_is_told(tmp_path: Path) -> None:
    assert "quizgen mock" in quizgen("debrief", cwd=tmp_path, code=3).stderr
    assert "No such file" in quizgen("debrief", "none.jsonl", cwd=tmp_path, code=3).stderr
    (tmp_path / "bare.jsonl").write_text('{"item": "zero2-13b", "response": "31 GB"}\n')
    assert "quizgen score" in quizgen("debrief", "bare.jsonl", cwd=tmp_path, code=3).stderr
    head = {"v": 1, "type": "session", "session": "s", "bank": BANK, "seed": "1", "items": ["gone"], "minutes": 5}
    (tmp_path / "gone.jsonl").write_text(json.dumps(head) + "\n")
    assert "no longer has gone" in quizgen("debrief", "gone.jsonl", cwd=tmp_path, code=3).stderr


def test_a_page_never_takes_the_place_of_a_log(tmp_path: Path) -> None:
    """`debrief --html s.jsonl` was meant as the page of that log, and wrote the page of the latest one over it."""
    log = tmp_path / "s.jsonl"
    log.write_text("{}\n", encoding="utf-8")
    for command in (("debrief", "--html"), ("progress", "--mistakes"), ("mock", "--html"), ("today", "--html")):
        assert "s.jsonl is the name of a log" in quizgen(*command, "s.jsonl", cwd=tmp_path, code=2, typed="").stderr
    assert log.read_text(encoding="utf-8") == "{}\n"


def test_an_item_that_the_bank_no_longer_has_takes_nothing_with_it(tmp_path: Path) -> None:
    """Renamed or taken out: the rest of the session is shown, and stays in the list of sessions; to go on it is refused."""
    bank = tmp_path / "own.yaml"
    item = "  - {{id: {}, kind: choice, stem: Which?, key: right, distractors: [wrong]}}\n".format
    bank.write_text("items:\n" + item("one") + item("two"), encoding="utf-8")
    quizgen("mock", "own.yaml", "--items", "2", "--seed", "d", "--log", "s.jsonl", cwd=tmp_path, typed="A\n:leave\n")
    bank.write_text("items:\n" + item("one") + item("three"), encoding="utf-8")
    shown = quizgen("debrief", "s.jsonl", cwd=tmp_path)
    assert "left out, because the bank no longer has it: two" in shown.stderr
    assert "1. " in shown.stdout
    assert " one\n" in shown.stdout
    assert "of 1 item " in quizgen("progress", "own.yaml", "--log", "s.jsonl", cwd=tmp_path).stdout
    told = quizgen("mock", "--resume", "s.jsonl", "--changed-bank", cwd=tmp_path, typed="", code=3).stderr
    assert "no longer has two; restore it to resume" in told


def test_a_bank_that_is_not_here_is_told_with_the_way_back(tmp_path: Path) -> None:
    quizgen("mock", BANK, "--items", "1", "--seed", "d", "--log", "s.jsonl", cwd=tmp_path, typed="A\n")
    log = tmp_path / "s.jsonl"
    log.write_text(log.read_text(encoding="utf-8").replace(f'"bank": "{BANK}"', '"bank": "my-bank"'), encoding="utf-8")
    told = quizgen("debrief", "s.jsonl", cwd=tmp_path, code=3).stderr
    assert 's.jsonl: no bank "my-bank" here; go to the folder where the session was started' in told
