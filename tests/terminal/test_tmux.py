"""The mock interview in a real terminal: clocks, paste, resize, suspend, signals, the hard stop.

Needs tmux; each test skips with that reason where it is absent.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from process import BANK, log_of, write_log
from tmux import Terminal

pytestmark = [
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed (apt-get install tmux)"),
    pytest.mark.slow,
]
TEXT = f"quizgen mock {BANK} --kind text --items 1 --seed t --log s.jsonl --no-probes"
NUMBER = f"quizgen mock {BANK} --kind numeric --items 1 --seed t --log s.jsonl"


@pytest.fixture
def terminal(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """A terminal, with the environment that a test gives it as a parameter."""
    made = Terminal(tmp_path, environment=getattr(request, "param", None))
    yield made
    made.close()


def begin(terminal: Terminal, command: str, wanted: str = r"1/1") -> None:
    terminal.line(command)
    terminal.wait("Enter start the clock")
    terminal.keys("Enter")
    terminal.wait(wanted)


def draft_of(terminal: Terminal) -> object:
    """What is kept of the text that was typed and not given."""
    return json.loads((terminal.folder / "s.jsonl.draft").read_text())["places"]["tp-inside-node"]["draft"]


def left(screen: str) -> int:
    """Seconds that the header says are left."""
    found = re.search(r"(\d+):(\d\d) left", screen)
    assert found, screen
    return int(found[1]) * 60 + int(found[2])


def test_the_countdown_moves_while_typing_and_kill_9_keeps_what_was_typed(terminal: Terminal) -> None:
    begin(terminal, TEXT)
    first = left(terminal.screen())
    for word in ["typing", "goes", "on", "while", "the", "clock", "moves", "and", "the", "words", "stay"]:
        terminal.type(f"{word} ")
        time.sleep(0.25)
    shown = terminal.screen()
    assert 2 <= first - left(shown) <= 8
    assert "typing goes on while the clock moves and the words stay" in shown
    time.sleep(1.2)  # a draft is saved each second
    os.kill(terminal.pid(), signal.SIGKILL)
    assert draft_of(terminal) == "typing goes on while the clock moves and the words stay "


def test_ctrl_z_and_fg_come_back_with_the_time_left(terminal: Terminal) -> None:
    begin(terminal, TEXT)
    terminal.type("before the break")
    terminal.wait("before the break")
    before = left(terminal.screen())
    terminal.keys("C-z")
    terminal.wait(r"Stopped")
    terminal.line("stty -a | grep -c ' echo '; echo shell-$((40 + 2))")
    terminal.wait("shell-42")
    time.sleep(4)
    terminal.line("fg")
    shown = terminal.wait("before the break")
    time.sleep(0.3)
    assert before - left(terminal.screen()) <= 3, shown
    terminal.type(" and after")
    terminal.wait("before the break and after")


def test_a_signal_restores_the_terminal_and_keeps_the_draft(terminal: Terminal) -> None:
    begin(terminal, TEXT)
    terminal.type("kept by the handler")
    terminal.wait("kept by the handler")
    os.kill(terminal.pid(), signal.SIGTERM)
    terminal.wait(r"--resume s\.jsonl")
    terminal.line("echo code-$?; stty -a | tr ';' '\\n' | grep -o ' echo\\b'; echo typed-back")
    shown = terminal.wait("^typed-back")
    assert f"code-{128 + signal.SIGTERM}" in shown
    assert re.search(r"^ echo$", shown, re.MULTILINE), shown
    assert draft_of(terminal) == "kept by the handler"


def test_a_closed_terminal_keeps_the_draft(terminal: Terminal) -> None:
    """The window is gone: SIGHUP, and nothing left to paint on."""
    begin(terminal, TEXT)
    terminal.type("typed before the window closed")
    terminal.wait("window closed")
    pid = terminal.pid()
    terminal.close()
    until = time.monotonic() + 10
    while subprocess.run(["ps", "-p", str(pid)], capture_output=True, check=False).returncode == 0:
        assert time.monotonic() < until, "still running"
        time.sleep(0.05)
    assert draft_of(terminal) == "typed before the window closed"


@pytest.mark.parametrize("terminal", [{"TERM": "dumb"}], indirect=True)
def test_a_dumb_terminal_gets_lines(terminal: Terminal) -> None:
    terminal.line(f"TERM=dumb quizgen mock {BANK} --items 1 --kind choice --seed x --log s.jsonl")
    shown = terminal.wait("letter>")
    assert "Enter start the clock" not in shown
    terminal.line("Z")
    terminal.wait("costs nothing")
    terminal.line("A")
    terminal.wait("Debrief")


@pytest.mark.parametrize("terminal", [{"NO_COLOR": "1"}], indirect=True)
def test_no_color_means_none_and_resize_keeps_everything_in_place(terminal: Terminal) -> None:
    begin(terminal, NUMBER)
    codes = set(re.findall(r"\x1b\[([\d;]*)m", terminal.screen(colour=True)))
    used = {part for code in codes for part in code.split(";")}
    assert not {p for p in used if p.isdigit() and 30 <= int(p) <= 49 and p not in ("39", "49")}, codes
    terminal.type("26.25 GB")
    terminal.wait("reads as 26.25 GB")
    for columns, rows in ((40, 10), (100, 30)):
        terminal.resize(columns, rows)
        # The terminal cuts what was there at once; the session paints anew a moment later.
        shown = terminal.wait(r"\d:\d\d left(?s:.*)> 26\.25 GB(?s:.*)reads as 26\.25 GB")
        assert all(len(line) <= columns for line in shown.splitlines())


def test_from_the_debrief_straight_into_what_was_missed(terminal: Terminal) -> None:
    head = {"v": 1, "type": "session", "session": "k", "bank": BANK, "items": [], "started": "2026-11-20T10:00:00Z"}
    kept = [{"v": 1, "type": "card", "session": "k", "item": f"extra-{n}", "mark": "star"} for n in range(3)]
    (terminal.folder / "logs").mkdir()
    write_log(terminal.folder / "logs" / "k.jsonl", head, *kept)
    begin(terminal, f"quizgen mock {BANK} --starred --seed t --log s.jsonl --no-probes --untimed", "1/3")
    for number in (2, 3):
        terminal.keys("d", "Enter", "3")
        terminal.wait(f" {number}/3")
    terminal.keys("d", "Enter", "3")
    terminal.wait("Debrief|Review")
    if "Review" in terminal.screen():
        terminal.keys("f")
    terminal.wait("r redo")
    first = log_of(terminal.folder / "s.jsonl")
    terminal.keys("r")
    shown = terminal.wait("Enter start the clock")
    assert ("Untimed: the clocks count up" in shown, "What you bookmarked" in shown) == (True, False)
    head = log_of(terminal.folder / "s.jsonl")[-1]
    assert head["type"] == "session"
    wrong = {line["item"] for line in first if line["type"] == "response"}
    assert set(head["items"]) <= wrong
    terminal.keys("C-c")
    assert "has not begun" in terminal.wait(r"--resume s\.jsonl")
