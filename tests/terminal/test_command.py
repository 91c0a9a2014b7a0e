"""`quizgen mock` as a process: a pipe, exit codes, kill -9, resume, and scores that agree; and over past logs: redo, what
was seen lately, readiness in `progress`, and a session again by `debrief`, from its log alone.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from process import BANK, log_of, quizgen, started, types, write_log
from shipped import BankOf


def test_a_pipe_completes_and_the_scores_agree(tmp_path: Path) -> None:
    done = quizgen(
        "mock", BANK, "--items", "5", "--seed", "demo", "--log", "s.jsonl", typed="B\n" * 5 + ".\n" * 5, cwd=tmp_path
    )
    path = tmp_path / "s.jsonl"
    assert types(path) == ["session", *["response"] * 5, "end"]
    score = quizgen("score", "s.jsonl", "--format", "jsonl", cwd=tmp_path)
    scored = [json.loads(line) for line in score.stdout.splitlines()]
    overview = [line.split() for line in done.stdout.splitlines() if line.strip()[:2] in {f"{n}." for n in range(1, 6)}]
    told = {row[-1]: (row[1], row[2]) for row in overview if len(row) == 5}
    assert len(told) == 5
    for one in scored:
        assert told[one["item"]] == (one["outcome"], f"{one['earned']:g}/{one['possible']:g}")
    assert "has ended" in quizgen("mock", "--resume", "s.jsonl", cwd=tmp_path, code=3).stderr


def test_the_debrief_and_score_agree_on_hints_and_section_points(bank_of: BankOf, tmp_path: Path) -> None:
    """A section that sets its points, and hints, come to the same in the debrief and in `score`."""
    plan = "title: One\nsections:\n  - {include: [fp16-bytes], count: 1, points: 5000}\n"
    bank_of((Path(BANK) / "items.yaml").read_text(), **{"blueprints/one.yaml": plan})
    done = quizgen(
        "mock", "bank/blueprints/one.yaml", "--seed", "1", "--log", "s.jsonl", typed=":hint\n:hint\nB\n", cwd=tmp_path
    )
    for shown in (done.stdout, quizgen("debrief", "s.jsonl", cwd=tmp_path).stdout):
        assert "Score: 4500 of 5000 points (90 %)" in shown
    assert log_of(tmp_path / "s.jsonl")[1]["points"] == 5000
    score = json.loads(quizgen("score", "s.jsonl", "--bank", "bank", "--format", "jsonl", cwd=tmp_path).stdout)
    assert (score["earned"], score["possible"], score["outcome"]) == (4500, 5000, "partial")


def test_a_changed_bank_is_not_resumed_unless_accepted(tmp_path: Path) -> None:
    (tmp_path / "bank").mkdir()
    text = (Path(BANK) / "items.yaml").read_text()
    (tmp_path / "bank" / "items.yaml").write_text(text)
    quizgen("mock", "bank", "--items", "3", "--log", "s.jsonl", typed=".\n:leave\n", cwd=tmp_path)
    (tmp_path / "bank" / "items.yaml").write_text(text.replace("Counting tells.", "Count."))
    assert "has changed" in quizgen("mock", "--resume", "s.jsonl", cwd=tmp_path, code=3).stderr
    quizgen("mock", "--resume", "s.jsonl", "--changed-bank", typed=".\n.\n", cwd=tmp_path)


def test_a_disk_that_fills_up_costs_no_saved_response(tmp_path: Path) -> None:
    """A size limit set after the second response: told at once, exit code 3, what was saved stays."""
    code = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1100, 1100))\n"
        "from quizgen.cli import run\n"
        f"sys.exit(run(['mock', {BANK!r}, '--items', '6', '--seed', 'f', '--log', 's.jsonl']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=".\n" * 12, capture_output=True, text=True, cwd=tmp_path, timeout=60
    )
    assert done.returncode == 3
    assert "NOT SAVED: 1 line not saved: File too large" in done.stdout
    assert "File too large" in done.stderr
    saved = [line for line in log_of(tmp_path / "s.jsonl") if line["type"] == "response"]
    assert len(saved) == done.stdout[: done.stdout.index("NOT SAVED")].count("Recorded: blank.")
    assert saved
    resumed = quizgen("mock", "--resume", "s.jsonl", typed=".\n" * 12, cwd=tmp_path)
    assert f"Item {len(saved) + 1} of 6" in resumed.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_signals_keep_what_was_given_and_typed(tmp_path: Path, number: signal.Signals) -> None:
    """A number, a text and a choice; but for kill -9, the way back is told, too."""
    log, draft = tmp_path / "s.jsonl", tmp_path / "s.jsonl.draft"
    process = started(
        "mock", BANK, "--items", "3", "--seed", "13", "--log", "s.jsonl", typed=".\nhalf a thought\n", cwd=tmp_path,
        until=lambda: draft.exists() and "half a thought" in draft.read_text(),
    )  # fmt: skip
    process.send_signal(number)
    _, told = process.communicate(timeout=30)
    assert process.returncode == (-number if number == signal.SIGKILL else 128 + number)
    assert ("--resume s.jsonl" in told) == (number != signal.SIGKILL)
    before = log_of(log)
    assert [line["type"] for line in before] == ["session", "response"]
    done = quizgen("mock", "--resume", "s.jsonl", typed="and the rest\n.\nA\n", cwd=tmp_path)
    assert "Item 1 of 3" not in done.stdout
    assert "| half a thought" in done.stdout
    after = log_of(log)
    assert after[:2] == before
    assert [line.get("item") for line in after if line["type"] == "response"] == before[0]["items"]
    assert after[3]["response"] == "half a thought\nand the rest"


def test_an_item_that_a_hint_cost_points_is_missed(tmp_path: Path) -> None:
    """The debrief lists it under what to redo, so --redo takes it."""
    bank = tmp_path / "one.yaml"
    bank.write_text("items:\n  - {id: a, kind: choice, stem: S?, key: yes, distractors: [no], hints: [It is so.]}\n")
    done = quizgen("mock", "one.yaml", "--log", "a.jsonl", typed="\ufeff:hint\n:hint\nyes\n", cwd=tmp_path)
    assert "Redo now: 1. a." in done.stdout
    quizgen("mock", "one.yaml", "--redo", "a.jsonl", "--log", "b.jsonl", typed="yes\n", cwd=tmp_path)
    told = quizgen("mock", "one.yaml", "--redo", "b.jsonl", cwd=tmp_path, code=2).stderr
    assert "b.jsonl has no missed items of the bank one.yaml" in told


def test_a_blueprint_is_restricted_to_its_own_items_and_the_brief_says_so(bank_of: BankOf, tmp_path: Path) -> None:
    """Two choices on memory and both others: `--kind choice` leaves the two, though the bank has ten."""
    sections = "[{kind: choice, count: 2}, {topic: [zero, tensor-parallel], count: 2}]"
    short = {"blueprints/short.yaml": f"title: Short\nminutes: 30\nsections: {sections}\n"}
    plan = f"{bank_of((Path(BANK) / 'items.yaml').read_text(), **short).required_bank.folder}/blueprints/short.yaml"
    told = quizgen("mock", plan, "--kind", "choice", "--log", "s.jsonl", cwd=tmp_path).stdout
    assert "2 items (2 choice), 2 points" in told
    assert "The options leave 2 of the 4 items that the blueprint short asks for." in told
    assert "leave" not in quizgen("mock", plan, "--topic", "memory", "--items", "1", cwd=tmp_path).stdout


def test_redo_asks_what_was_missed_by_default_in_the_latest_session_of_its_bank(tmp_path: Path) -> None:
    """Or, by the options, a part of it."""
    quizgen("mock", BANK, "--items", "12", "--seed", "r", typed="A\n" * 12, cwd=tmp_path)
    (first,) = (tmp_path / "logs").glob("*.jsonl")
    scored = map(json.loads, quizgen("score", str(first), "--format", "jsonl", cwd=tmp_path).stdout.splitlines())
    missed = {one["item"] for one in scored if one["earned"] < one["possible"]}
    quizgen("mock", "--redo", "--log", "b.jsonl", cwd=tmp_path)
    head = log_of(tmp_path / "b.jsonl")[0]
    assert set(head["items"]) == missed
    assert (len(missed) < 12, head["bank"]) == (True, BANK)
    zero = ("mock", BANK, "--redo", str(first), "--topic", "zero")
    quizgen(*zero, "--log", "c.jsonl", cwd=tmp_path)
    assert log_of(tmp_path / "c.jsonl")[0]["items"] == ["zero2-13b"]
    assert "no item of kind text on zero was missed" in quizgen(*zero, "--kind", "text", cwd=tmp_path, code=2).stderr


def test_resume_without_a_log_takes_the_latest_unfinished_session(tmp_path: Path) -> None:
    """Other rules would be left unsaid: a session goes on as it was begun."""
    assert "no unfinished session with a response in" in quizgen("mock", "--resume", cwd=tmp_path, code=3).stderr
    assert "no session with a response to an item in" in quizgen("mock", "--redo", cwd=tmp_path, code=3).stderr
    arguments = ("mock", BANK, "--items", "3", "--kind", "choice", "--seed", "1")
    quizgen(*arguments, typed="A\n:leave\n", cwd=tmp_path)
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    told = quizgen(*arguments, typed="A\n" * 3, cwd=tmp_path).stdout
    assert "quizgen mock --resume continues" in " ".join(told.split())
    told = quizgen("mock", "--resume", "--practice", "--items", "5", cwd=tmp_path, code=2).stderr
    assert "--resume continues the session with its own settings; leave --items, --practice out" in told
    quizgen("mock", "--resume", "--no-probes", "--no-color", "--plain", typed="B\n" * 2, cwd=tmp_path)
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
    draft = {"session": session, "places": {"tp-inside-node": {"draft": "because"}}}
    Path(f"{log}.draft").write_text(json.dumps(draft))
    assert "because" in quizgen("mock", "--resume", cwd=tmp_path).stdout


def test_new_sessions_prefer_items_not_seen_lately(tmp_path: Path) -> None:
    """Two sessions of six over twelve items share none; a seed decides alone."""
    for _ in range(2):
        quizgen("mock", BANK, "--items", "6", typed=".\n" * 12, cwd=tmp_path)
    heads = [log_of(p)[0]["items"] for p in sorted((tmp_path / "logs").glob("*.jsonl"))]
    assert len(heads) == 2
    assert not set(heads[0]) & set(heads[1])


def test_progress_reads_the_log_folder(tmp_path: Path) -> None:
    """And leaves out a session on a bank that is not here."""
    for n in range(2):
        quizgen("mock", BANK, "--items", "6", "--seed", str(n), typed="B\n.\n" * 12, cwd=tmp_path)
    done = quizgen("progress", cwd=tmp_path)
    assert "2 sessions" in done.stdout
    told = [
        line.partition("#")[0].split("quizgen ")[-1].split() for line in done.stdout.split("Next:\n")[1].splitlines()
    ]
    assert [words[0] for words in told] == ["mock", "mock"]
    assert told[1] == ["mock", "--redo"]
    assert done.stdout.count("6 of 6 items") == 2
    quizgen(*told[0], typed=".\n" * 12, cwd=tmp_path)  # each line is a command that can be copied
    log = next((tmp_path / "logs").rglob("*.jsonl"))
    gone = log.read_text(encoding="utf-8").replace(f'"bank": "{BANK}"', '"bank": "gone"')
    (log.parent / "z.jsonl").write_text(gone.replace('"started": "20', '"started": "30'), encoding="utf-8")
    done = quizgen("progress", cwd=tmp_path)
    assert "3 sessions," in done.stdout
    assert "1 session on another bank is left out" in done.stderr


def test_a_session_on_a_blueprint_is_one_on_its_bank(tmp_path: Path) -> None:
    for name in ("distributed-training", "quick"):
        quizgen("mock", name, "--items", "1", "--kind", "choice", typed="A\n", cwd=tmp_path)
    done = quizgen("progress", cwd=tmp_path)
    assert "2 sessions" in done.stdout
    assert "quizgen mock distributed-training" in " ".join(done.stdout.split()), "wherever its lines are broken"
    assert done.stderr == ""
    scored = quizgen("score", *(str(log) for log in (tmp_path / "logs").glob("*.jsonl")), cwd=tmp_path)
    assert "2 responses scored" in scored.stdout
    assert "banks" not in scored.stderr


def test_the_debrief_comes_back_as_it_was(tmp_path: Path) -> None:
    """Line for line what the session itself showed at its end, with a hint taken and one item not reached; a session that
    was never begun does not hide it."""
    typed = "A\n:hint\n:hint\n:sure 5\n40 GB\n"
    played = quizgen("mock", BANK, "--items", "5", "--seed", "d", cwd=tmp_path, typed=typed)
    shown = played.stdout[played.stdout.index("Debrief:") :]
    assert quizgen("debrief", cwd=tmp_path).stdout == shown
    assert "not reached" in shown
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    write_log(log, *log_of(log), {**log_of(log)[0], "session": "later"})
    log.write_bytes(b"\xef\xbb\xbf" + log.read_bytes())  # as editors put it there
    assert quizgen("debrief", cwd=tmp_path).stdout == shown


def test_a_page_of_a_past_session(tmp_path: Path) -> None:
    """Also of one that has not ended, which says so."""
    quizgen("mock", "quick", "--items", "1", "--seed", "d", "--log", "s.jsonl", cwd=tmp_path, typed=":leave\n")
    assert "0 of 1 items met, 0 right\nNot ended yet." in quizgen("debrief", "s.jsonl", cwd=tmp_path).stdout
    quizgen("mock", "--resume", "s.jsonl", cwd=tmp_path)
    quizgen("debrief", "s.jsonl", "--html", "d.html", cwd=tmp_path)
    assert (page := (tmp_path / "d.html").read_text()).startswith("<!doctype html>")
    assert quizgen("debrief", "s.jsonl", "--html", "-", cwd=tmp_path).stdout == page
    assert "not with --html" in quizgen("debrief", "s.jsonl", "--html", "-", "--item", "1", cwd=tmp_path, code=2).stderr


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


def test_what_cannot_be_shown_is_told(tmp_path: Path) -> None:
    assert "quizgen mock" in quizgen("debrief", cwd=tmp_path, code=3).stderr
    assert "No such file" in quizgen("debrief", "none.jsonl", cwd=tmp_path, code=3).stderr
    page = ("mock", BANK, "--items", "1", "--html", ".")
    assert "writes the page elsewhere" in quizgen(*page, cwd=tmp_path, code=3).stderr
    (tmp_path / "bare.jsonl").write_text('{"item": "zero2-13b", "response": "31 GB"}\n')
    assert "quizgen score" in quizgen("debrief", "bare.jsonl", cwd=tmp_path, code=3).stderr
    head = {"v": 1, "type": "session", "session": "s", "bank": BANK, "seed": "1", "items": ["gone"], "minutes": 5}
    write_log(tmp_path / "gone.jsonl", head)
    assert "no longer has gone" in quizgen("debrief", "gone.jsonl", cwd=tmp_path, code=3).stderr


def test_a_page_never_takes_the_place_of_a_log(tmp_path: Path) -> None:
    """`debrief --html s.jsonl` was meant as the page of that log, and wrote the page of the latest one over it."""
    log = tmp_path / "s.jsonl"
    log.write_text("{}\n", encoding="utf-8")
    for command in (("debrief", "--html"), ("progress", "--mistakes"), ("mock", "--html"), ("today", "--html")):
        assert "s.jsonl is the name of a log" in quizgen(*command, "s.jsonl", cwd=tmp_path, code=2, typed="").stderr
    assert "b.yaml is the name of a bank" in quizgen("practice", "-o", "b.yaml", cwd=tmp_path, code=2, typed="").stderr
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
