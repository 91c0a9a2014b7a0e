"""`quizgen mock` and `progress` over past logs: redo, resume, what was seen lately, readiness."""

from __future__ import annotations

import json
from pathlib import Path

from process import BANK, log_of, quizgen


def test_an_item_that_a_hint_cost_points_is_missed(tmp_path: Path) -> None:
    """The debrief lists it under what to redo, so --redo takes it."""
    bank = tmp_path / "one.yaml"
    bank.write_text("items:\n  - {id: a, kind: choice, stem: S?, key: yes, distractors: [no], hints: [It is so.]}\n")
    done = quizgen("mock", "one.yaml", "--log", "a.jsonl", "--seed", "1", typed=":hint\n:hint\nyes\n", cwd=tmp_path)
    assert "Redo now: 1. a." in done.stdout
    quizgen("mock", "one.yaml", "--redo", "a.jsonl", "--log", "b.jsonl", typed="yes\n", cwd=tmp_path)
    told = quizgen("mock", "one.yaml", "--redo", "b.jsonl", cwd=tmp_path, code=2).stderr
    assert "b.jsonl has no missed items of the bank one.yaml" in told


def test_redo_can_be_restricted_to_a_part_of_what_was_missed(tmp_path: Path) -> None:
    quizgen("mock", BANK, "--items", "12", "--seed", "r", "--log", "a.jsonl", typed=".\n" * 12, cwd=tmp_path)
    quizgen("mock", BANK, "--redo", "a.jsonl", "--topic", "zero", "--log", "b.jsonl", cwd=tmp_path)
    assert log_of(tmp_path / "b.jsonl")[0]["items"] == ["zero2-13b"]
    none = quizgen("mock", BANK, "--redo", "a.jsonl", "--topic", "zero", "--kind", "text", cwd=tmp_path, code=2)
    assert "no item of kind text on zero was missed" in none.stderr


def test_a_blueprint_is_restricted_to_its_own_items_and_the_brief_says_so(tmp_path: Path) -> None:
    """Two choices on memory and both others: `--kind choice` leaves the two, though the bank has ten."""
    folder = tmp_path / "b" / "blueprints"
    folder.mkdir(parents=True)
    (tmp_path / "b" / "items.yaml").write_bytes((Path(BANK) / "items.yaml").read_bytes())
    plan = folder / "short.yaml"
    plan.write_text(
        "title: Short\nminutes: 30\nsections: [{kind: choice, count: 2}, {topic: [zero, tensor-parallel], count: 2}]\n"
    )
    told = quizgen("mock", str(plan), "--kind", "choice", "--log", "s.jsonl", cwd=tmp_path).stdout
    assert "2 items (2 choice), 2 points" in told
    assert "The options leave 2 of the 4 items that the blueprint short asks for." in told
    assert "leave" not in quizgen("mock", str(plan), "--topic", "memory", "--items", "1", cwd=tmp_path).stdout
    none = quizgen("mock", str(plan), "--difficulty", "5", cwd=tmp_path, code=2).stderr
    assert "the blueprint short takes no item of difficulty 5; name its bank instead" in none
    assert "12 items" in quizgen("mock", str(plan), "--items", "12", cwd=tmp_path).stdout
    assert "--items 12 or fewer" in quizgen("mock", str(plan), "--items", "13", cwd=tmp_path, code=2).stderr


def test_redo_asks_what_was_missed_by_default_in_the_latest_session_of_its_bank(tmp_path: Path) -> None:
    quizgen("mock", BANK, "--items", "6", "--kind", "choice", "--seed", "r", typed="A\n" * 6, cwd=tmp_path)
    (first,) = (tmp_path / "logs").glob("*.jsonl")
    scored = [
        json.loads(x) for x in quizgen("score", str(first), "--format", "jsonl", cwd=tmp_path).stdout.splitlines()
    ]
    missed = {one["item"] for one in scored if one["earned"] < one["possible"]}
    quizgen("mock", "--redo", "--log", "b.jsonl", cwd=tmp_path)
    head = log_of(tmp_path / "b.jsonl")[0]
    assert set(head["items"]) == missed  # type: ignore[call-overload]  # a log holds any JSON
    assert head["bank"] == BANK


def test_resume_without_a_log_takes_the_latest_unfinished_session(tmp_path: Path) -> None:
    assert "no unfinished session with a response in" in quizgen("mock", "--resume", cwd=tmp_path, code=3).stderr
    assert "no session with a response to an item in" in quizgen("mock", "--redo", cwd=tmp_path, code=3).stderr
    arguments = ("mock", BANK, "--items", "3", "--kind", "choice", "--seed", "1")
    quizgen(*arguments, typed="A\n:leave\n", cwd=tmp_path)
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    told = quizgen(*arguments, typed="A\n" * 3, cwd=tmp_path).stdout
    assert "quizgen mock --resume continues" in " ".join(told.split())
    quizgen("mock", "--resume", typed="B\n" * 2, cwd=tmp_path)
    assert log_of(log)[-1]["reason"] == "finished"
    assert "unfinished" not in quizgen(*arguments, typed="A\n" * 3, cwd=tmp_path).stdout


def test_what_was_only_typed_is_worth_resuming_too(tmp_path: Path) -> None:
    """The window was closed over the first item: there is no response, but words are kept as a draft."""
    quizgen("mock", BANK, "--items", "2", "--kind", "text", "--seed", "1", code=2, cwd=tmp_path)  # there is one
    quizgen("mock", BANK, "--kind", "text", "--seed", "1", typed=":leave\n", cwd=tmp_path)
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    assert quizgen("mock", "--resume", cwd=tmp_path, code=3).stdout == ""
    assert sorted((tmp_path / "logs").iterdir()) == sorted({log, Path(f"{log}.draft")})
    session = log_of(log)[0]["session"]
    Path(f"{log}.draft").write_text(
        json.dumps({"session": session, "places": {"tp-inside-node": {"draft": "because"}}})
    )
    assert "because" in quizgen("mock", "--resume", cwd=tmp_path).stdout


def test_resume_takes_no_other_rules(tmp_path: Path) -> None:
    """They would be left unsaid: a session goes on as it was begun."""
    quizgen("mock", BANK, "--items", "3", "--seed", "1", typed=".\n:leave\n", cwd=tmp_path)
    told = quizgen("mock", "--resume", "--practice", "--items", "5", cwd=tmp_path, code=2).stderr
    assert "--resume continues the session with its own settings; leave --items, --practice out" in told
    quizgen("mock", "--resume", "--no-probes", "--no-color", "--plain", cwd=tmp_path)


def test_new_sessions_prefer_items_not_seen_lately(tmp_path: Path) -> None:
    """Two sessions of six over twelve items share none; a seed decides alone."""
    for _ in range(2):
        quizgen("mock", BANK, "--items", "6", typed=".\n" * 12, cwd=tmp_path)
    heads = [log_of(p)[0]["items"] for p in sorted((tmp_path / "logs").glob("*.jsonl"))]
    assert len(heads) == 2
    assert not set(heads[0]) & set(heads[1])  # type: ignore[call-overload]  # a log holds any JSON


def test_progress_reads_the_log_folder(tmp_path: Path) -> None:
    for n in range(2):
        quizgen("mock", BANK, "--items", "6", "--seed", str(n), typed="B\n.\n" * 12, cwd=tmp_path)
    done = quizgen("progress", cwd=tmp_path)
    assert "2 sessions" in done.stdout
    told = [
        line.partition("#")[0].split("quizgen ")[-1].split() for line in done.stdout.split("Next:\n")[1].splitlines()
    ]
    assert [words[0] for words in told] == ["mock", "mock"]
    assert told[1] == ["mock", "--redo"]
    found = json.loads(quizgen("progress", "--json", cwd=tmp_path).stdout)
    heads = [log_of(p)[0]["items"] for p in (tmp_path / "logs").glob("*.jsonl")]
    assert found["overall"]["first_looks"] == len({*heads[0], *heads[1]})  # type: ignore[misc]  # lists of ids
    cold = found["overall"]["cold"]
    assert 0 <= cold["low"] <= cold["middle"] <= cold["high"] <= 1
    assert [(one["reached"], one["items"], one["timed"]) for one in found["latest"]] == [(6, 6, True)] * 2
    assert done.stdout.count("6 of 6 items") == 2
    again = quizgen(*told[0], typed=".\n" * 12, cwd=tmp_path)  # each line is a command that can be copied
    assert again.returncode == 0, again.stderr


def test_progress_names_a_topic_that_was_never_met_once(tmp_path: Path) -> None:
    quizgen("mock", BANK, "--topic", "zero", typed="12 GB\n", cwd=tmp_path)
    shown = quizgen("progress", cwd=tmp_path).stdout
    assert "Never met: memory, tensor-parallel." in shown
    assert shown.partition("Next:")[0].count("tensor-parallel") == 1
    assert "zero        too little to say (1 of 5 first looks)" in shown


def test_progress_without_a_log_says_what_to_do(tmp_path: Path) -> None:
    assert "quizgen mock" in quizgen("progress", cwd=tmp_path, code=3).stderr


def test_progress_takes_sessions_on_a_blueprint_as_sessions_on_its_bank(tmp_path: Path) -> None:
    for name in ("distributed-training", "quick"):
        quizgen("mock", name, "--items", "1", "--kind", "choice", typed="A\n", cwd=tmp_path)
    done = quizgen("progress", cwd=tmp_path)
    assert "2 sessions" in done.stdout
    assert "quizgen mock distributed-training" in " ".join(done.stdout.split()), "wherever its lines are broken"
    assert done.stderr == ""


def test_progress_leaves_out_sessions_on_a_bank_that_is_not_here(tmp_path: Path) -> None:
    quizgen("mock", BANK, "--items", "1", "--kind", "choice", typed="A\n", cwd=tmp_path)
    log = next((tmp_path / "logs").rglob("*.jsonl"))
    gone = log.read_text(encoding="utf-8").replace(f'"bank": "{BANK}"', '"bank": "gone"')
    (log.parent / "z.jsonl").write_text(gone.replace('"started": "20', '"started": "30'), encoding="utf-8")
    done = quizgen("progress", cwd=tmp_path)
    assert "1 session," in done.stdout
    assert "1 session on another bank is left out" in done.stderr
