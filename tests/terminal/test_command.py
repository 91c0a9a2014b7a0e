"""`quizgen mock` as a process: a pipe, exit codes, kill -9, resume, and scores that agree."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from process import BANK, log_of, quizgen, types

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")


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


def test_the_debrief_and_score_agree_on_hints_and_section_points(tmp_path: Path) -> None:
    """A section that sets its points, and hints, come to the same in the debrief and in `score`."""
    bank = tmp_path / "bank"
    (bank / "blueprints").mkdir(parents=True)
    (bank / "items.yaml").write_text((Path(BANK) / "items.yaml").read_text())
    (bank / "blueprints" / "one.yaml").write_text(
        "title: One\nsections:\n  - {include: [fp16-bytes], count: 1, points: 5}\n"
    )
    done = quizgen(
        "mock", "bank/blueprints/one.yaml", "--seed", "1", "--log", "s.jsonl", typed=":hint\n:hint\nB\n", cwd=tmp_path
    )
    assert "Score: 4.5 of 5 points (90 %)" in done.stdout
    assert log_of(tmp_path / "s.jsonl")[1]["points"] == 5
    score = json.loads(quizgen("score", "s.jsonl", "--bank", "bank", "--format", "jsonl", cwd=tmp_path).stdout)
    assert (score["earned"], score["possible"], score["outcome"]) == (4.5, 5, "partial")


def test_the_same_seed_is_the_same_session(tmp_path: Path) -> None:
    outs = [
        quizgen("mock", BANK, "--items", "6", "--seed", "same", "--log", f"{n}.jsonl", cwd=tmp_path).stdout
        for n in "ab"
    ]
    assert outs[0] == outs[1]


@posix
def test_kill_9_after_the_third_response_then_resume(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "quizgen", "mock", BANK, "--items", "6", "--seed", "demo", "--log", "s.jsonl"]
    path = tmp_path / "s.jsonl"
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for n in range(3):
            process.stdin.write(".\n")
            process.stdin.flush()
            wanted = time.monotonic() + 30
            while not (path.exists() and types(path).count("response") == n + 1):
                assert time.monotonic() < wanted
                time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = log_of(path)
    assert [line["type"] for line in before] == ["session", *["response"] * 3]
    items = before[0]["items"]
    assert isinstance(items, list)
    done = quizgen("mock", "--resume", "s.jsonl", typed=".\n" * 3, cwd=tmp_path)
    assert "Item 4 of 6" in done.stdout
    assert "Item 3 of 6" not in done.stdout
    after = log_of(path)
    assert after[: len(before)] == before
    assert [line.get("item") for line in after if line["type"] == "response"] == items
    assert [line["type"] for line in after[4:]] == ["resume", *["response"] * 3, "end"]


def test_a_torn_line_is_left_and_the_session_resumes(tmp_path: Path) -> None:
    quizgen("mock", BANK, "--items", "4", "--seed", "x", "--log", "s.jsonl", typed=".\n.\n:leave\n", cwd=tmp_path)
    path = tmp_path / "s.jsonl"
    torn = path.read_bytes()[:-40]
    path.write_bytes(torn)
    done = quizgen("mock", "--resume", "s.jsonl", typed=".\n" * 3, cwd=tmp_path)
    assert "Item 2 of 4" in done.stdout
    assert path.read_bytes().startswith(torn + b"\n")
    assert len(quizgen("score", "s.jsonl", "--format", "jsonl", cwd=tmp_path).stdout.splitlines()) >= 4


def test_a_log_that_ended_has_nothing_to_resume(tmp_path: Path) -> None:
    quizgen("mock", BANK, "--items", "1", "--log", "s.jsonl", typed=".\n", cwd=tmp_path)
    assert "has ended" in quizgen("mock", "--resume", "s.jsonl", cwd=tmp_path, code=3).stderr


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--strict", "--practice"), 2, "exclude each other"),
        (("--items", "500"), 2, "the bank has only 12 items; ask for --items 12 or fewer"),
        (("--topic", "nowhere"), 2, 'bank has no topic "nowhere"; there are: memory, tensor-parallel, zero'),
        (("--topic", "zeor"), 2, 'bank has no topic "zeor"; did you mean "zero"?'),
        (("--topic", "caching"), 2, "; drill-caching is on that: write it in place of --topic"),
        (("--bank", "git"), 2, "takes the bank without --bank"),
        (("--kind", "txt"), 2, 'bank has no kind "txt"; did you mean "text"?'),
        (("--topic", "zero", "--difficulty", "5"), 2, "the bank has no item on zero of difficulty 5; ask for less"),
        (("--minutes", "-3"), 2, '--minutes must be a number above 0 and at most 6000, not "-3"; write --minutes 45'),
        (("--time-multiplier", "x"), 2, 'at most 20, not "x"; write --time-multiplier 1.5'),
        (("--candidate", "a\x1bb"), 2, "control character"),
        (("--log", "missing/s.jsonl"), 3, "No such file"),
        (("--redo", "none.jsonl"), 3, "No such file"),
        (("--html", "missing/d.html"), 3, "missing/d.html: there is no such folder; make it"),
        (("--html", ".", "--items", "1"), 3, "writes the page elsewhere"),
    ],
)
def test_wrong_use_is_told_in_a_line(tmp_path: Path, arguments: tuple[str, ...], code: int, says: str) -> None:
    done = quizgen("mock", BANK, *arguments, cwd=tmp_path, code=code)
    assert says in done.stderr


def test_what_is_no_log_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("my notes\n")
    assert "is not an answer log" in quizgen("mock", BANK, "--log", "notes.txt", cwd=tmp_path, code=3).stderr
    assert (tmp_path / "notes.txt").read_text() == "my notes\n"


def test_a_changed_bank_is_not_resumed_unless_accepted(tmp_path: Path) -> None:
    (tmp_path / "bank").mkdir()
    text = (Path(BANK) / "items.yaml").read_text()
    (tmp_path / "bank" / "items.yaml").write_text(text)
    quizgen("mock", "bank", "--items", "3", "--log", "s.jsonl", typed=".\n:leave\n", cwd=tmp_path)
    (tmp_path / "bank" / "items.yaml").write_text(text.replace("Counting tells.", "Count."))
    assert "has changed" in quizgen("mock", "--resume", "s.jsonl", cwd=tmp_path, code=3).stderr
    quizgen("mock", "--resume", "s.jsonl", "--changed-bank", typed=".\n.\n", cwd=tmp_path)


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_told_within_a_second_of_its_start(tmp_path: Path) -> None:
    done = quizgen("mock", BANK, "--log", "/dev/full", cwd=tmp_path, code=3)
    assert "No space left" in done.stderr


@posix
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


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_keep_the_draft_and_name_the_way_back(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "quizgen", "mock", BANK, "--kind", "text", "--items", "1", "--log", "s.jsonl"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        process.stdin.write("half a thought\n")
        process.stdin.flush()
        wanted = time.monotonic() + 30
        while not (tmp_path / "s.jsonl.draft").exists():
            assert process.poll() is None
            assert time.monotonic() < wanted
            time.sleep(0.02)
        process.send_signal(number)
        _, told = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert "--resume s.jsonl" in told
    done = quizgen("mock", "--resume", "s.jsonl", typed="and the rest\n.\n", cwd=tmp_path)
    assert "| half a thought" in done.stdout
    assert log_of(tmp_path / "s.jsonl")[-2]["response"] == "half a thought\nand the rest"
