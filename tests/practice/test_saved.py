"""What a practice page saved becomes a log of one's own: `quizgen progress --add`."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from shipped import Command

from quizgen.cli import run

SESSION = "ab12cd34ef56ab12"


def saved(bank: Path, more: list[dict[str, Any]] | None = None) -> str:
    """A sitting: a number of another drawing with a named mistake, a wrong choice that came again, a text with its own rating."""
    base = {"v": 1, "session": SESSION}
    response = {**base, "type": "response", "candidate": "ada", "seconds": 12.5, "at": "2026-11-27T10:01:00.000Z",
                "late": False, "hints": 0, "flagged": False}  # fmt: skip
    lines = [
        {**base, "type": "session", "candidate": "ada", "bank": str(bank), "digest": "sha256:0", "seed": "s", "mode": "practice",
         "items": ["bytes", "zero1", "why-node"], "started": "2026-11-27T10:00:00.000Z", "untimed": True, "page": "01"},
        {**response, "item": "bytes", "seed": "s/2", "given": {"N": "31e9 param"}, "response": "124 GB", "id": "a1"},
        {**response, "item": "zero1", "seed": "s", "response": "The gradients", "id": "a2"},
        {**response, "item": "why-node", "seed": "s", "response": "It communicates in every layer.", "id": "a3",
         "self": {"often": 1, "fast": 0.5}},
        {**response, "item": "zero1", "seed": "s/2", "response": "The optimizer states", "id": "a4", "again": True},
        {**base, "type": "card", "item": "zero1", "mark": "easy", "at": "2026-11-27T10:02:00.000Z"},
        *(more or []),
        {**base, "type": "end", "at": "2026-11-27T10:03:00.000Z", "reason": "finished"},
    ]  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "logs"
    monkeypatch.setenv("QUIZGEN_LOGS", str(folder))
    return folder


@pytest.fixture
def file(bank: Path, logs: Path, tmp_path: Path) -> Path:
    """The file of one sitting, beside an empty folder of logs."""
    path = tmp_path / "practice.jsonl"
    path.write_text(saved(bank), encoding="utf-8")
    return path


def test_a_saved_file_becomes_a_log_with_the_scorers_marks(
    bank: Path, logs: Path, file: Path, command: Command
) -> None:
    """The number (124 GB is twice 62 GB) and the choice were missed at first, 1 point each; of the text's three points
    two are earned: communication in every layer."""
    told = command("progress", "--add", file).out
    assert "4 responses added" in told
    assert "At first sight 2 of 5 points" in told
    assert "own ratings are kept beside: 1.5 of 2" in told
    [log] = logs.glob("*.jsonl")
    assert [json.loads(line) for line in log.read_text().splitlines()] == [
        json.loads(line) for line in saved(bank).splitlines()
    ]


def test_the_plan_counts_what_a_page_saved(bank: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first look is done, so that today is practice; what was met yesterday or is too easy is not asked again."""
    day = (date.today() + timedelta(days=9)).isoformat()
    asked = []
    for arguments in (["plan", str(bank), "--interview", day, "--minutes", "30"], ["progress", "--add", str(file)]):
        assert run(arguments) == 0
        capsys.readouterr()
        assert run(["today", "--list"]) == 0
        asked.append(capsys.readouterr().out)
    assert "scout: 4 new" in asked[0]
    assert "practice: 1 new" in asked[1]
    assert "which-two: new: zero" in asked[1]
    assert "1 of 2 skills met" in asked[1]


def test_a_sitting_that_was_left_is_the_pages_own(bank: Path, logs: Path, file: Path, command: Command) -> None:
    """`mock --resume` goes on with sessions of the terminal alone, and no start screen offers a page's sitting."""
    file.write_text("".join(saved(bank).splitlines(keepends=True)[:-1]), encoding="utf-8")
    command("progress", "--add", file)
    assert "no unfinished session" in command("mock", "--resume", "--plain", code=3).err
    [log] = logs.glob("*.jsonl")
    assert "goes on in its practice page" in command("mock", "--resume", log, "--plain", code=3).err
    assert "interrupted" not in command().out


def test_the_same_file_twice_changes_nothing_and_a_longer_one_adds_the_rest(
    bank: Path, logs: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["progress", "--add", str(file)]) == 0
    [log] = logs.glob("*.jsonl")
    before = log.read_bytes()
    assert run(["progress", "--add", str(file), str(file)]) == 0
    assert log.read_bytes() == before
    assert "nothing new" in capsys.readouterr().out
    more = {"v": 1, "session": SESSION, "type": "response", "candidate": "ada", "item": "which-two", "seed": "s",
            "response": ["Gradients"], "id": "a5", "seconds": 3, "at": "2026-11-27T10:02:30.000Z"}  # fmt: skip
    file.write_text(saved(bank, [more]), encoding="utf-8")
    assert run(["progress", "--add", str(file)]) == 0
    assert log.read_bytes().startswith(before)
    assert log.read_bytes().count(b'"id": "a5"') == 1


def test_the_damage_of_a_file_is_told_once_and_nothing_else_is_lost(
    bank: Path, logs: Path, file: Path, tmp_path: Path, command: Command
) -> None:
    lines = saved(bank).splitlines()
    lines[2] = lines[2][:40]
    lines += ['{"type": "response", "session": "../../etc", "item": "x"}'] * 98
    file.write_text("\n".join(lines), encoding="utf-8")
    captured = command("progress", "--add", file, tmp_path / "none.jsonl")
    told = [line for line in captured.err.splitlines() if str(file) in line]
    assert told == [
        f"{file}: line 3: it is torn or no JSON (and 98 more lines); 6 lines kept; "
        "save the file again in the page, then add it again"
    ]
    assert "none.jsonl" in captured.err
    assert "3 responses added" in captured.out
    assert len(list(logs.glob("*"))) == 1


def test_nothing_to_take_ends_with_three(logs: Path, file: Path) -> None:
    file.write_bytes(b"\x00\xff no log\n")
    assert run(["progress", "--add", str(file)]) == 3
    assert not logs.exists()


def test_progress_and_mistakes_count_it_as_practice(bank: Path, file: Path, tmp_path: Path, command: Command) -> None:
    """The first response to each item counts, in the drawing that was met; practice gives no cold look."""
    command("progress", "--add", file)
    found = json.loads(command("progress", bank, "--json").out)
    assert found["sessions"] == 1
    assert found["latest"][0]["timed"] is False
    assert found["latest"][0]["reached"] == 3
    page = tmp_path / "mistakes.html"
    command("progress", bank, "--mistakes", page)
    text = page.read_text(encoding="utf-8")
    assert "four-bytes" in text
    assert "31B" in text  # the drawing that was met
