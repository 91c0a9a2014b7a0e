"""`quizgen mark` on odd files: one of them does not stop the page for the class."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from quizgen import cli

BANK = """items:
  - {id: why, kind: text, stem: Why?, rubric: {criteria: [{id: one, say: It says one., accept: [one]}]}}
"""


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    (tmp_path / "items.yaml").write_text(BANK, encoding="utf-8")
    arguments = ["exam", str(tmp_path / "items.yaml"), "-o", str(tmp_path / "out"), "--seed", "a seed for marking"]
    assert cli.run(arguments) == 0
    return tmp_path / "out" / "manifest.json"


def answers_of(manifest: Path, who: str, text: str) -> None:
    """An answers file of one candidate, as a form on screen saves it; JSON can spell half a character."""
    exam = json.loads(manifest.read_text(encoding="utf-8"))
    form = exam["forms"][0]
    responses = [{"item": item["ref"], "response": text} for item in form["items"]]
    saved = {"type": "answers", "exam": exam["exam"], "form": form["code"], "candidate": who, "responses": responses}
    folder = manifest.parent.parent / "answers"
    folder.mkdir(exist_ok=True)
    (folder / f"answers-{who}.json").write_text(json.dumps(saved), encoding="utf-8")


def test_half_a_character_in_one_answer_stops_nothing(manifest: Path, tmp_path: Path) -> None:
    answers_of(manifest, "ann", "It is one \ud83d of them")
    answers_of(manifest, "bob", "one as well")
    page = tmp_path / "marking.html"
    assert cli.run(["mark", str(tmp_path / "answers"), "--manifest", str(manifest), "-o", str(page)]) == 0
    written = page.read_text(encoding="utf-8")
    assert "one as well" in written
    assert "It is one \ufffd of them" in written


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "command",
    [
        "mark x.json -o page.html --manifest",
        "mark --manifest m.json -o page.html",
        "scan x.pdf -o x.csv --manifest",
        "exam git -o out --roster",
        "exam git -o out --exclude",
        "score x.jsonl --roster",
        "score x.jsonl --dif",
        "export git -o x.csv --missed",
    ],
)
def test_a_file_option_waits_for_no_pipe_and_reads_no_device(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    for name in ("pipe", "/dev/zero"):
        assert cli.run([*command.split(), name]) == 2
        assert f"{name} is a device or a pipe; name a plain file" in capsys.readouterr().err
