"""`quizgen plan`, `today` and `progress` as commands: a plan kept, its session run, its items left alone by `mock`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from process import log_of, quizgen
from shipped import Command

Call = Callable[..., str]
TODAY = date.today()


def days(count: int) -> str:
    return (TODAY + timedelta(days=count)).isoformat()


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Call:
    """A command in this process, in its folder; what it printed, or what it told where it did not end with 0."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUIZGEN_LOGS", str(tmp_path / "logs"))

    def do(*arguments: str, code: int = 0) -> str:
        said = command(*arguments, code=code)
        return said.err if code else said.out

    return do


def bank(tmp_path: Path, count: int = 40) -> str:
    rows = "".join(
        f"  - {{id: i{n}, kind: choice, stem: 'Which {n}?', topic: t{n % 4}, key: yes, distractors: [no, never], skill: s{n // 2}}}\n"
        for n in range(count)
    )
    (tmp_path / "items.yaml").write_text(f"items:\n{rows}", encoding="utf-8")
    return "items.yaml"


def test_a_bank_of_drafts_cannot_be_planned_yet(tmp_path: Path, call: Call) -> None:
    """A deck that was just imported has no active item; the mean over no topic was a division by nought."""
    name = bank(tmp_path)
    drafts = Path(name).read_text(encoding="utf-8").replace("kind: choice,", "kind: choice, status: draft,")
    Path(name).write_text(drafts, encoding="utf-8")
    assert "no item is active" in call("plan", name, "--interview", days(9), code=3)


def test_a_plan_is_made_shown_run_and_forgotten(tmp_path: Path, call: Call) -> None:
    name = bank(tmp_path)
    made = call("plan", name, "--interview", days(9), "--minutes", "10", "--weight", "t1=2")
    assert "is in 9 days; 10 minutes a day." in made
    assert "4 items sealed for the rehearsal" in made
    assert call("plan") == made
    told = json.loads(call("plan", "--json"))
    assert [d["purpose"] for d in told["days"]][-3:] == ["rehearsal", "last", "interview"]
    listed = call("today", "--list")
    assert "scout: " in listed
    assert "new: t1, 40 % of your plan, 0 of 10 skills met" in listed
    done = quizgen("today", "--seed", "1", typed="A\n" * 40, cwd=tmp_path).stdout
    assert "new: t1, 40 % of your plan, 0 of 10 skills met" in done
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    head = log_of(log)[0]
    assert not set(told["sealed"]) & set(head["items"])  # type: ignore[call-overload]  # a log holds any JSON
    # An ordinary log: scored, looked at again and counted like any other.
    scored = call("score", str(log), "--bank", name, "--format", "jsonl").splitlines()
    assert len(scored) == len(head["items"])  # type: ignore[arg-type]  # a list of ids
    assert "Score: " in call("debrief", str(log))
    progress = json.loads(call("progress", "--json"))
    assert progress["day"] == days(9)
    assert progress["overall"]["first_looks"] == len(scored)
    assert 0 < progress["overall"]["on_the_day"]["low"] < progress["overall"]["on_the_day"]["high"] < 1
    assert "Today's session is done." in call("today")
    call("plan", "--forget")
    assert "there is no plan" in call("plan", code=3)
    again = call("plan", name, "--interview", days(9), "--minutes", "10", "--weight", "t1=2")
    assert json.loads(call("plan", "--json"))["sealed"] == told["sealed"]
    assert "4 items sealed" in again


def test_a_role_weighs_topics_and_an_interview_has_its_shape(tmp_path: Path, call: Call) -> None:
    """Day 3 had 18 items and none of the heaviest topics; the rehearsal had no design."""
    made = call("plan", "--interview", days(9), "--role", "serving", "--weight", "roofline=2")
    assert "inference 6" in made
    assert "roofline 2" in made
    assert call("plan", "--interview", days(9), "--role", "sreving", code=2).endswith('did you mean "serving"?\n')
    sealed = json.loads(call("plan", "--json"))["sealed"]
    items = {row["item"]: row for row in json.loads(call("list", "items", "--json"))["items"]}
    kinds = Counter(items[name]["kind"] for name in sealed)
    topics = Counter(items[name]["topic"] for name in sealed)
    assert {"inference", "system-design", "tensor-parallel"} <= topics.keys()
    assert max(topics.values()) <= 2
    assert kinds["text"] >= 1
    assert kinds["numeric"] >= 3
    assert kinds["choice"] <= 6
    # Without a role the weights are those of who names none; a bank without roles has none.
    assert "zero 3" in call("plan", "--interview", days(9))
    assert "use --weight" in call("plan", bank(tmp_path), "--interview", days(9), "--role", "serving", code=2)


def test_a_session_of_today_that_was_left_goes_on(tmp_path: Path, call: Call) -> None:
    call("plan", bank(tmp_path), "--interview", days(5), "--minutes", "10")
    quizgen("today", "--seed", "1", typed="A\nA\n:leave\n", cwd=tmp_path)
    told = quizgen("today", typed="A\n" * 40, cwd=tmp_path).stdout
    assert "Resumed at item 3" in told
    assert "new: t" in told
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    assert [line["type"] for line in log_of(log)].count("session") == 1


def test_a_practice_day_shows_its_solutions(tmp_path: Path, call: Call) -> None:
    """It was held by the rules of an interview."""
    call("plan", bank(tmp_path), "--interview", days(6), "--minutes", "10")
    head = {"v": 1, "session": "m", "bank": "items.yaml", "seed": "1", "items": ["i1"], "minutes": 5}
    before = f"{days(-1)}T12:00:00Z"
    (tmp_path / "logs" / "m.jsonl").write_text(
        json.dumps({**head, "type": "session", "started": before}) + "\n"
        + json.dumps({**head, "type": "response", "item": "i1", "response": "yes", "at": before}) + "\n",
        encoding="utf-8",
    )  # fmt: skip
    done = quizgen("today", typed="A\n", cwd=tmp_path).stdout
    assert "the solution follows each response" in " ".join(done.split())
    assert log_of(max((tmp_path / "logs").glob("2*.jsonl")))[0]["mode"] == "practice"


def test_a_few_items_or_a_case_leave_the_evening_to_do(tmp_path: Path, call: Call) -> None:
    """A short `mock` before `today` had it say that the day was done; a case that was left was taken for it."""
    call("plan", bank(tmp_path), "--interview", days(5), "--minutes", "10")
    quizgen("mock", "items.yaml", "--items", "2", typed="A\nA\n", cwd=tmp_path)
    (tmp_path / "logs" / "case.jsonl").write_text(
        "".join(
            json.dumps({"v": 1, "session": "c", "candidate": "ann", "at": TODAY.isoformat() + "T12:00:00Z", **line}) + "\n"
            for line in (
                {"type": "session", "bank": "items.yaml", "case": "talk", "items": ["talk.ask"], "minutes": 5,
                 "seed": "1", "started": TODAY.isoformat() + "T12:00:00Z"},
                {"type": "response", "item": "talk.ask", "response": "Why?"},
            )
        ),
        encoding="utf-8",
    )  # fmt: skip
    done = quizgen("today", "--seed", "1", typed="A\n" * 40, cwd=tmp_path).stdout
    assert "here is the rest. Scout, 5 days to the interview: " in " ".join(done.split())
    assert "Today's session is done." in call("today")


@pytest.mark.parametrize(("ahead", "sealed"), [(2, 0), (3, 0), (4, 4)])
def test_items_are_sealed_only_for_a_rehearsal_that_the_plan_has(
    tmp_path: Path, call: Call, ahead: int, sealed: int
) -> None:
    """Its day comes after two days of practice, so that a plan of three days has none; it sealed items all the same."""
    call("plan", bank(tmp_path), "--interview", days(ahead))
    told = json.loads(call("plan", "--json"))
    assert (len(told["sealed"]), "rehearsal" in {day["purpose"] for day in told["days"]}) == (sealed, sealed > 0)


def test_what_no_plan_has_is_refused(tmp_path: Path, call: Call) -> None:
    name = bank(tmp_path)
    assert "is not a date; write it as" in call("plan", name, "--interview", "soon", code=2)
    assert "must be in the future" in call("plan", name, "--interview", days(0), code=2)
    wrong = call("plan", name, "--interview", days(5), "--weight", "t9=2", code=2)
    assert "t9" in wrong
    assert "write a topic and a number" in call("plan", name, "--interview", days(5), "--weight", "t1=x", code=2)
    assert "belong to a new plan" in call("plan", "--minutes", "20", code=2)
    assert "make one with" in call("today", code=3)
    (tmp_path / "logs").mkdir(exist_ok=True)
    (tmp_path / "logs" / "plan.json").write_text("{}", encoding="utf-8")
    assert "is not a plan" in call("today", code=3)


def test_a_review_is_no_exam_and_takes_several_logs(tmp_path: Path, call: Call) -> None:
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
    assert "passed" not in call("debrief", "r.jsonl")
