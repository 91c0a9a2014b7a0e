"""Images in terminals: who takes them is told by the environment, and what is written is the file, byte for byte."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import pytest
from PIL.Image import effect_noise
from shipped import Command

from quizgen.inline import Image
from quizgen.page import Paragraph
from quizgen.terminal.lines import detect_image_protocol_name, image_escape_sequences


def png(width: int, height: int) -> bytes:
    """Grey noise, so that it does not fit into one command."""
    out = io.BytesIO()
    effect_noise((width, height), 64).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TERM": "xterm-kitty"}, "kitty"),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, "kitty"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "kitty"),
        ({"TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"}, "iterm2"),
        ({"TERM": "xterm-256color"}, ""),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x", "KITTY_WINDOW_ID": "1"}, ""),
        ({"TERM": "xterm-kitty", "ACCESSIBLE": "1"}, ""),
        ({}, ""),
    ],
)
def test_the_environment_says_who_takes_images(environment: dict[str, str], expected: str) -> None:
    assert detect_image_protocol_name(environment, True) == expected
    assert detect_image_protocol_name(environment, False) == "", "a pipe takes none"


def shown(root: Path, protocol: str, path: str = "a.png", width: int = 80) -> list[str]:
    return list(image_escape_sequences([Paragraph((Image("A picture", path),))], str(root), protocol, width))


def test_kitty_gets_the_file_in_pieces(tmp_path: Path) -> None:
    """Each command at most 4,096 characters, all but the last with m=1; together the file."""
    raw = png(180, 60)
    (tmp_path / "a.png").write_bytes(raw)
    (drawn,) = shown(tmp_path, "kitty")
    commands = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", drawn)
    assert len(commands) > 1
    assert commands[0][0] == "a=T,f=100,q=2,c=20,m=1", "180 pixels are 20 columns of 9"
    assert [keys for keys, _ in commands[1:]] == [*["m=1"] * (len(commands) - 2), "m=0"]
    assert all(len(data) <= 4096 for _, data in commands)
    assert base64.b64decode("".join(data for _, data in commands)) == raw
    assert shown(tmp_path, "kitty", width=12)[0].startswith("\x1b_Ga=T,f=100,q=2,c=12,")


def test_iterm2_gets_the_file(tmp_path: Path) -> None:
    raw = png(9, 4)
    (tmp_path / "a.png").write_bytes(raw)
    (drawn,) = shown(tmp_path, "iterm2")
    found = re.fullmatch(r"\x1b\]1337;File=inline=1;size=(\d+);width=1:([^\x07]*)\x07\n", drawn)
    assert int(found[1]) == len(raw)
    assert base64.b64decode(found[2]) == raw


def test_what_cannot_be_shown_is_left_to_its_alt_text(tmp_path: Path) -> None:
    """An SVG, a JPEG for kitty, a file that is not there, one outside the bank, a terminal that takes none."""
    (tmp_path / "a.png").write_bytes(png(9, 4))
    (tmp_path / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    for path in ("a.svg", "a.jpg", "none.png", "../a.png"):
        assert shown(tmp_path, "kitty", path) == [], path
    assert len(shown(tmp_path, "iterm2", "a.jpg")) == 1
    assert shown(tmp_path, "") == []


def test_show_draws_it_below_the_stem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> None:
    """With its alt text; a pipe gets the alt text alone."""
    (tmp_path / "a.png").write_bytes(png(9, 4))
    item = "{id: a, kind: choice, stem: S, key: K, distractors: [L], figure: {file: a.png, alt: Two racks}}"
    (tmp_path / "items.yaml").write_text(f"items:\n  - {item}\n", encoding="utf-8")
    words = ("show", "a", "--bank", str(tmp_path), "--candidate")
    plain = command(*words).out
    assert "Two racks" in plain
    monkeypatch.setattr("quizgen.commands.show.detect_image_protocol_name", lambda environment, tty: "kitty")
    drawn = command(*words).out
    assert drawn == plain + drawn[len(plain) :]
    assert drawn[len(plain) :].startswith("\x1b_Ga=T")
