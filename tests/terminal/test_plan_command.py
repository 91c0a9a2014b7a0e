"""`quizgen plan`, `today` and `progress` as commands: a plan kept, its session run, its items left alone by `mock`."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

from process import log_of, quizgen

TODAY = date.today()


def days(count: int) -> str:
    return (TODAY + timedelta(days=count)).isoformat()


def bank(tmp_path: Path, count: int = 40) -> str:
    rows = "".join(
        f"  - {{id: i{n}, kind: choice, stem: 'Which {n}?', topic: t{n % 4}, key: yes, distractors: [no, never], skill: s{n // 2}}}\n"
        for n in range(count)
    )
    (tmp_path / "items.yaml").write_text(f"items:\n{rows}", encoding="utf-8")
    return "items.yaml"


def test_a_plan_is_made_shown_run_and_forgotten(tmp_path: Path) -> None:
    name = bank(tmp_path)
    made = quizgen("plan", name, "--interview", days(9), "--minutes", "10", "--weight", "t1=2", cwd=tmp_path)
    assert "is in 9 days; 10 minutes a day." in made.stdout
    assert "4 items sealed for the rehearsal" in made.stdout
    assert quizgen("plan", cwd=tmp_path).stdout == made.stdout
    told = json.loads(quizgen("plan", "--json", cwd=tmp_path).stdout)
    assert [d["purpose"] for d in told["days"]][-3:] == ["rehearsal", "last", "interview"]
    listed = quizgen("today", "--list", cwd=tmp_path).stdout
    assert "scout: " in listed
    assert "new: t1, 40 % of your plan, 0 of 10 skills met" in listed
    done = quizgen("today", "--seed", "1", typed="A\n" * 40, cwd=tmp_path).stdout
    assert "new: t1, 40 % of your plan, 0 of 10 skills met" in done
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    head = log_of(log)[0]
    assert not set(told["sealed"]) & set(head["items"])  # type: ignore[call-overload]  # a log holds any JSON
    # An ordinary log: scored, looked at again and counted like any other.
    scored = quizgen("score", str(log), "--bank", name, "--format", "jsonl", cwd=tmp_path).stdout.splitlines()
    assert len(scored) == len(head["items"])  # type: ignore[arg-type]  # a list of ids
    assert "Score: " in quizgen("debrief", str(log), cwd=tmp_path).stdout
    progress = json.loads(quizgen("progress", "--json", cwd=tmp_path).stdout)
    assert progress["day"] == days(9)
    assert progress["overall"]["first_looks"] == len(scored)
    assert 0 < progress["overall"]["on_the_day"]["low"] < progress["overall"]["on_the_day"]["high"] < 1
    assert "Today's session is done." in quizgen("today", cwd=tmp_path).stdout
    quizgen("plan", "--forget", cwd=tmp_path)
    assert "there is no plan" in quizgen("plan", cwd=tmp_path, code=3).stderr
    again = quizgen("plan", name, "--interview", days(9), "--minutes", "10", "--weight", "t1=2", cwd=tmp_path)
    assert json.loads(quizgen("plan", "--json", cwd=tmp_path).stdout)["sealed"] == told["sealed"]
    assert "4 items sealed" in again.stdout


def test_a_session_of_today_that_was_left_goes_on(tmp_path: Path) -> None:
    quizgen("plan", bank(tmp_path), "--interview", days(5), "--minutes", "10", cwd=tmp_path)
    quizgen("today", "--seed", "1", typed="A\nA\n:leave\n", cwd=tmp_path)
    told = quizgen("today", typed="A\n" * 40, cwd=tmp_path).stdout
    assert "Resumed at item 3" in told
    assert "new: t" in told
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    assert [line["type"] for line in log_of(log)].count("session") == 1


def test_a_mock_leaves_sealed_items_alone(tmp_path: Path) -> None:
    quizgen("plan", bank(tmp_path), "--interview", days(9), "--minutes", "10", cwd=tmp_path)
    sealed = set(json.loads(quizgen("plan", "--json", cwd=tmp_path).stdout)["sealed"])
    quizgen("mock", "items.yaml", "--items", "36", "--log", "m.jsonl", typed="", cwd=tmp_path)
    assert not sealed & set(log_of(tmp_path / "m.jsonl")[0]["items"])  # type: ignore[call-overload]  # a list of ids


def test_what_no_plan_has_is_refused(tmp_path: Path) -> None:
    name = bank(tmp_path)
    assert "is no date; write it as" in quizgen("plan", name, "--interview", "soon", cwd=tmp_path, code=2).stderr
    assert "must be a day to come" in quizgen("plan", name, "--interview", days(0), cwd=tmp_path, code=2).stderr
    wrong = quizgen("plan", name, "--interview", days(5), "--weight", "t9=2", cwd=tmp_path, code=2).stderr
    assert "t9" in wrong
    assert (
        "write a topic and a number"
        in quizgen("plan", name, "--interview", days(5), "--weight", "t1=x", cwd=tmp_path, code=2).stderr
    )
    assert "belong to a new plan" in quizgen("plan", "--minutes", "20", cwd=tmp_path, code=2).stderr
    assert "make a plan with" in quizgen("today", cwd=tmp_path, code=3).stderr
    (tmp_path / "logs").mkdir(exist_ok=True)
    (tmp_path / "logs" / "plan.json").write_text("{}", encoding="utf-8")
    assert "holds no plan" in quizgen("today", cwd=tmp_path, code=3).stderr


def test_a_review_is_no_exam_and_takes_several_logs(tmp_path: Path) -> None:
    """What two sessions missed, asked once; nothing to pass, no band."""
    bank(tmp_path, 6)
    (tmp_path / "blueprints").mkdir()
    (tmp_path / "blueprints" / "readiness.yaml").write_text(
        "title: Exam\nsections: [{count: 3}]\npass: 60%\nbands: [{from: 0%, name: Not yet}]\n", encoding="utf-8"
    )
    for number, only in enumerate(("t0", "t1")):
        quizgen("mock", ".", "--topic", only, "--items", "1", "--log", f"{number}.jsonl", typed="?!\n", cwd=tmp_path)
    done = quizgen("mock", "--redo", "0.jsonl", "--redo", "1.jsonl", "--log", "r.jsonl", typed="A\nA\n", cwd=tmp_path)
    assert "Review of what was missed" in done.stdout
    assert "passed" not in done.stdout
    assert "Band" not in done.stdout
    missed = {str(log_of(tmp_path / f"{n}.jsonl")[1]["item"]) for n in range(2)}
    assert set(log_of(tmp_path / "r.jsonl")[0]["items"]) == missed  # type: ignore[call-overload]  # a list of ids
    assert "passed" not in quizgen("debrief", "r.jsonl", cwd=tmp_path).stdout
