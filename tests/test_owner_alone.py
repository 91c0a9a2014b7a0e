"""What holds keys or people is readable by its owner alone, and a token stands on no command line."""

from __future__ import annotations

import os
import stat
import webbrowser
from pathlib import Path

import pytest

from quizgen import cli
from quizgen.local_server import open_in_browser

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions of owner, group and others are POSIX")
BANK = "items:\n  - {id: a, kind: choice, topic: t, stem: S?, key: 'Yes', distractors: ['No']}\n"
LINE = '{"candidate": "c", "item": "a", "response": "Yes"}\n'
WRITING = {
    "score log.jsonl --bank one.yaml -o out.html --format html": "out.html",
    "score log.jsonl --bank one.yaml -o out.csv --format csv": "out.csv",
    "export one.yaml --to gift -o out.gift": "out.gift",
    "practice one.yaml -o out.html": "out.html",
}


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.yaml").write_text(BANK, encoding="utf-8")
    (tmp_path / "log.jsonl").write_text(LINE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", WRITING)
def test_a_new_file_is_its_owners_and_an_old_one_keeps_its_permissions(command: str, folder: Path) -> None:
    made = folder / WRITING[command]
    assert cli.run(command.split()) == 0
    assert mode_of(made) == 0o600
    made.chmod(0o644)
    assert cli.run(command.split()) == 0
    assert mode_of(made) == 0o644


def test_forms_are_handed_out_as_before(folder: Path) -> None:
    """A form is for everybody whom the umask lets; what holds its key is not."""
    (folder / "any").touch()
    assert cli.run(["exam", "one.yaml", "-o", "out", "--seed", "a seed for doors"]) == 0
    assert mode_of(next((folder / "out").glob("form-*.html"))) == mode_of(folder / "any")
    assert mode_of(folder / "out" / "manifest.json") == 0o600


def test_a_browser_is_given_a_file_of_its_owner_and_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: bool(given.append(address)) or True)
    with open_in_browser("http://127.0.0.1:8/sesame/"):
        (address,) = given
        assert address.startswith("file://")
        assert "sesame" not in address
        way = Path(address.removeprefix("file://"))
        assert "url=http://127.0.0.1:8/sesame/" in way.read_text(encoding="utf-8")
        assert mode_of(way) == 0o600
    assert not way.exists()
