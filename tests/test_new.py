"""`quizgen new`: what it writes is checked and played as it stands, and nothing that was there is lost."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import shipped
from shipped import Command
from terminal.process import quizgen

from quizgen import bank as banks
from quizgen.commands.new import GalleryPattern, gallery_patterns

PATTERNS = gallery_patterns()
read_anew = banks.load_bank
read_once = cache(read_anew)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run in a folder of their own."""
    monkeypatch.chdir(tmp_path)


def test_a_new_bank_is_clean_and_plays_and_so_is_a_case_in_it(tmp_path: Path, command: Command) -> None:
    """No problem and no warning, a session over its blueprint, and a talk; commands to copy have their quotes."""
    assert "quizgen mock 'my bank'/round" in command("new", "bank", "my bank").err
    command("new", "bank", "mine")
    assert "0 problems, 0 warnings" in command("check", "mine").err
    played = quizgen("mock", "mine/round", "--seed", "s", typed="A\n600 MB\n.\n", cwd=tmp_path)
    assert "Debrief" in played.stdout
    command("new", "case", "mine", "--id", "slow-page")
    assert "0 problems, 0 warnings" in command("check", "mine").err
    typed = "What changed on Monday?\n.\nOne query for each review; the trace shows it.\n.\n"
    assert "3/3 points" not in quizgen("mock", "mine/slow-page", typed=typed, cwd=tmp_path).stdout
    command("new", "case", "mine", "--id", "slow-page", code=3)


def test_what_is_there_is_left_alone(tmp_path: Path, command: Command) -> None:
    """A folder with something in it, and a file that is no list of items."""
    (tmp_path / "mine").mkdir()
    work = tmp_path / "mine" / "work.yaml"
    work.write_text("title: x\n", encoding="utf-8")
    assert "is there already" in command("new", "bank", "mine", code=3).err
    command("new", "choice", work, code=3)
    assert list(tmp_path.rglob("*.yaml")) == [work]
    assert work.read_text(encoding="utf-8") == "title: x\n"


@pytest.mark.parametrize("kind", ["choice", "numeric", "text"])
def test_an_item_is_added_behind_those_there(tmp_path: Path, kind: str, command: Command) -> None:
    before = "items:\n  - {id: a, kind: choice, stem: S, key: K, distractors: [L]}\n"
    (tmp_path / "mine.yaml").write_text(before, encoding="utf-8")
    command("new", kind, "mine.yaml", "--id", "second")
    assert (tmp_path / "mine.yaml").read_text(encoding="utf-8").startswith(before)
    loaded = banks.load_bank("mine.yaml")
    assert [i.kind for i in loaded.required_bank.items.values()] == ["choice", kind]
    assert not loaded.errors
    assert "has an item second already" in command("new", kind, "mine.yaml", "--id", "second", code=2).err


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: p.name)
def test_each_pattern_gives_a_start(pattern: GalleryPattern, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """The item is active, and what `new --like` makes of it reads without an error under its own name."""
    monkeypatch.setattr(banks, "load_bank", read_once)
    if pattern.kind == "case":
        command("new", "bank", "mine")
        command("new", "case", "mine", "--like", pattern.name, "--id", "own")
        assert read_anew("mine/own").named_case is not None
        return
    bank, _, item = pattern.bank_slash_item_id.rpartition("/")
    assert shipped.bank(bank).items[item].status == "active"
    command("new", pattern.kind, "own.yaml", "--like", pattern.name, "--id", "own")
    loaded = read_anew("own.yaml")
    assert [i.id for i in loaded.required_bank.items.values()] == ["own"]
    told = [str(p) for p in (*loaded.problems, *loaded.required_bank.items["own"].find_problems())]
    assert told == [], "a checked start"
