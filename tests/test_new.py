"""`quizgen new`: what it writes is checked and played as it stands, and nothing that was there is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import shipped
from terminal.process import quizgen

from quizgen import bank as banks
from quizgen.gallery import gallery_patterns

PATTERNS = gallery_patterns()


def test_a_new_bank_is_clean_and_plays(tmp_path: Path) -> None:
    """No problem and no warning, and a session over its blueprint."""
    quizgen("new", "bank", "mine", cwd=tmp_path)
    done = quizgen("check", "mine", cwd=tmp_path)
    assert "0 problems, 0 warnings" in done.stderr
    played = quizgen("mock", "mine/round", "--seed", "s", typed="A\n600 MB\n.\n", cwd=tmp_path)
    assert "Debrief" in played.stdout


def test_a_bank_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work.yaml").write_text("items: []\n", encoding="utf-8")
    done = quizgen("new", "bank", "mine", cwd=tmp_path, code=3)
    assert "is there already" in done.stderr
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["work.yaml"]


@pytest.mark.parametrize("kind", ["choice", "numeric", "text"])
def test_an_item_is_added_behind_those_there(tmp_path: Path, kind: str) -> None:
    (tmp_path / "mine.yaml").write_text(
        "items:\n  - {id: a, kind: choice, stem: S, key: K, distractors: [L]}\n", encoding="utf-8"
    )
    before = (tmp_path / "mine.yaml").read_text(encoding="utf-8")
    quizgen("new", kind, "mine.yaml", "--id", "second", cwd=tmp_path)
    assert (tmp_path / "mine.yaml").read_text(encoding="utf-8").startswith(before)
    loaded = banks.load_bank(str(tmp_path / "mine.yaml"))
    assert [i.kind for i in loaded.required_bank.items.values()] == ["choice", kind]
    assert not loaded.errors
    again = quizgen("new", kind, "mine.yaml", "--id", "second", cwd=tmp_path, code=2)
    assert "has an item second already" in again.stderr


def test_a_file_that_is_no_list_of_items_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("title: x\n", encoding="utf-8")
    quizgen("new", "choice", "other.yaml", cwd=tmp_path, code=3)
    assert (tmp_path / "other.yaml").read_text(encoding="utf-8") == "title: x\n"


def test_a_case_is_clean_and_talks(tmp_path: Path) -> None:
    quizgen("new", "bank", "mine", cwd=tmp_path)
    quizgen("new", "case", "mine", "--id", "slow-page", cwd=tmp_path)
    assert "0 problems, 0 warnings" in quizgen("check", "mine", cwd=tmp_path).stderr
    typed = "What changed on Monday?\n.\nOne query for each review; the trace shows it.\n.\n"
    assert "3/3 points" not in quizgen("mock", "mine/slow-page", typed=typed, cwd=tmp_path).stdout
    quizgen("new", "case", "mine", "--id", "slow-page", cwd=tmp_path, code=3)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: p.name)
def test_each_pattern_is_an_item_that_ships_and_gives_a_start(tmp_path: Path, pattern: object) -> None:
    """The item is active, and what `new --like` makes of it reads without an error under its own name."""
    name, kind, item = pattern.name, pattern.kind, pattern.item  # type: ignore[attr-defined]  # a Pattern
    if kind == "case":
        quizgen("new", "bank", "mine", cwd=tmp_path)
        quizgen("new", "case", "mine", "--like", name, "--id", "own", cwd=tmp_path)
        assert banks.load_bank(f"{tmp_path}/mine/own").case is not None
        return
    assert shipped.bank(item.rpartition("/")[0]).items[item.rpartition("/")[2]].status == "active"
    quizgen("new", kind, "own.yaml", "--like", name, "--id", "own", cwd=tmp_path)
    loaded = banks.load_bank(str(tmp_path / "own.yaml"))
    assert not loaded.errors, [str(p) for p in loaded.errors]
    assert [i.id for i in loaded.required_bank.items.values()] == ["own"]
    told = [str(p) for p in (*loaded.problems, *loaded.required_bank.items["own"].prove())]
    assert told == [], "a checked start"


def test_list_patterns(tmp_path: Path) -> None:
    rows = json.loads(quizgen("list", "patterns", "--json", cwd=tmp_path).stdout)["patterns"]
    assert [r["pattern"] for r in rows] == [p.name for p in PATTERNS]
    assert {r["kind"] for r in rows} == {"choice", "numeric", "text", "case"}
    assert len({r["item"] for r in rows}) == len(rows)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["text", "--like", "whi"], 'did you mean "why"?'),
        (["choice", "--like", "why"], "quizgen new text --like why"),
        (["choice", "--id", "Bad Id"], "--id may hold only"),
        (["bank"], "name the folder to make"),
    ],
)
def test_wrong_usage_says_what_to_do(tmp_path: Path, args: list[str], told: str) -> None:
    assert told in quizgen("new", *args, cwd=tmp_path, code=2).stderr
