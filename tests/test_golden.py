"""Whole outputs, small enough to read: a transcript, scores, a derivation, an author's problems.

`pytest tests/test_golden.py --update-golden` writes them anew; read the difference before you do.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from shipped import Command, Golden
from terminal.process import quizgen

GIVEN = "B\n8 GiB\nThe sum is twelve, so the one moves\nto the next column.\n.\n"


def run(*arguments: str, given: str = "", cwd: Path, **environment: str) -> str:
    done = quizgen(*arguments, typed=given, cwd=cwd, code=None, COLUMNS="80", NO_COLOR="1", **environment)
    return done.stdout


@pytest.fixture
def sums(root: Path) -> str:
    return str(root / "tests" / "data" / "sums")


def test_transcript_of_a_plain_session(golden: Golden, sums: str, tmp_path: Path) -> None:
    """Brief, items, responses and debrief as a pipe sees them."""
    out = run("mock", sums, "--seed", "golden", "--log", "s.jsonl", "--plain", given=GIVEN, cwd=tmp_path)
    golden("transcript.txt", re.sub(r"\b0:0[01]\b", "0:00", out.replace(sums, "BANK")))
    lines = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert [line["type"] for line in lines] == ["session", "response", "response", "response", "end"]


def test_scores_of_bare_lines(golden: Golden, sums: str, tmp_path: Path, command: Command) -> None:
    """The contract's object for each line, with diagnosis, evidence and what the candidate is told."""
    rows = [
        {"candidate": "a", "item": "two-and-two", "response": "four"},
        {"candidate": "a", "item": "shared-weights", "given": {"N": 16e9, "K": 4}, "response": "32 GB"},
        {"candidate": "a", "item": "shared-weights", "given": {"N": 16e9, "K": 4}, "response": "64 Gb"},
        {"candidate": "a", "item": "why-carry", "response": "It is at least ten, but it stays in the same column."},
        {"candidate": "b", "item": "why-carry", "response": ""},
        {"candidate": "b", "item": "gone", "response": "x"},
    ]
    log = tmp_path / "lines.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    golden("scores.jsonl", command("score", log, "--bank", sums, "--format", "jsonl").out)


def test_a_derivation_shows_givens_steps_and_answer(golden: Golden, command: Command) -> None:
    """Givens, convention, steps with values put in, answer, a line to check it by."""
    golden("derivation.txt", command("solve", "zero_bytes", "N=13e9", "K=32", "stage=2").out)


@pytest.mark.parametrize("item", ["two-and-two", "shared-weights", "why-carry"])
def test_item_and_key(golden: Golden, sums: str, item: str, command: Command) -> None:
    """What a candidate sees, then what an author sees."""
    out = command("show", item, "--bank", sums, "--seed", "golden").out
    golden(f"show-{item}.txt", out.replace(sums, "BANK"))


def test_a_report(golden: Golden, sums: str, tmp_path: Path) -> None:
    """No locale or time zone reaches the output; tests/rubric/test_same_bytes.py says the same of hash seeds."""
    row = {"item": "why-carry", "response": "Because twelve is more than nine; the next place takes it."}
    (tmp_path / "l.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    asked = ("score", "l.jsonl", "--bank", sums, "--format", "json")
    golden("report.json", run(*asked, cwd=tmp_path, LC_ALL="C", TZ="Asia/Kathmandu").replace(sums, "BANK"))
