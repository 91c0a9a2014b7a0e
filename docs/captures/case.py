"""Three cases talked through on a real terminal, and a film of one: `python docs/captures/make.py case`.

Writes docs/pictures/case.svg, and beside this file one screen of a talk and one of its debrief (case, case-debrief)
and, of three cases and a strong, a middling and a wrong candidate each, case-NAME-WHO.txt: the whole talk as
`quizgen debrief` prints it. The candidates are those of tests/cases. Needs tmux and an installed quizgen.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "terminal")]

from pictures import animation, picture  # noqa: E402  # beside this file
from tmux import Terminal  # noqa: E402  # the tests' own terminal

from quizgen.cases import conversation as conversations  # noqa: E402
from quizgen.cases.conversation import Conversation  # noqa: E402
from quizgen.cases.talk import exchange_for_text  # noqa: E402
from tests.cases.talkers import WHO, case_of, spoken, words  # noqa: E402  # the tests' own candidates

FILMED = ("step-time-doubled", "strong")
PLAYED = ("step-time-doubled", "long-context", "cheaper-network")
SHOWN, STILL = ("scope", "trace", "look", "cause", "now", "close"), "trace"  # turns of the film, and of the still
COLUMNS, ROWS = 80, 30
FRAMES: list[tuple[str, float]] = []


def main() -> None:
    """Play every candidate to the end, each through the keyboard of a full screen."""
    for case in PLAYED:
        for who in WHO:
            play(case, who, film=(case, who) == FILMED)
    (ROOT / "docs" / "pictures" / "case.svg").write_text(animation(FRAMES, COLUMNS, ROWS, still=3))


def play(name: str, who: str, film: bool) -> None:
    """One talk by keys: what the candidate says to a turn, then F7 where the interviewer asks on in vain."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        terminal = Terminal(Path(folder), COLUMNS, ROWS, environment={"TERM": "tmux-256color"})
        try:
            terminal.line(f"clear; quizgen mock {name} --seed demo --untimed --log talk.jsonl")
            now = conversations.begin_conversation(case_of(name), "demo")
            terminal.wait("Enter start the clock")
            terminal.keys("Enter")
            arrive(terminal, now, film)
            while not now.is_over:
                turn, said = now.turn_id, words(name)[who].get(now.turn_id, [])
                for text in said if isinstance(said, list) else [str(said)]:
                    if now.turn_id == turn:
                        typed = spoken(now, text)
                        terminal.type(typed)
                        if film and turn in SHOWN:
                            terminal.wait(re.escape(typed.split()[-1]))
                            FRAMES.append((terminal.screen(colour=True), 3))
                        terminal.keys("F5" if now.turn.kind == "text" else "Enter")
                        now = now.with_exchange_applied(exchange_for_text(now, typed))
                        arrive(terminal, now, film)
                if now.turn_id == turn:
                    terminal.keys("F7")
                    left = now.exchange_leaving_unanswered("nothing more to say")
                    now = now.with_exchange_applied(left)
                    arrive(terminal, now, film)
            terminal.wait("q leave")
            if film:
                (HERE / "case-debrief.txt").write_text(terminal.screen() + "\n")
                (HERE / "case-debrief.svg").write_text(picture(terminal.screen(colour=True), COLUMNS, ROWS))
                FRAMES.append((terminal.screen(colour=True), 6))
            terminal.keys("q")
            terminal.wait("Log: talk.jsonl")
        finally:
            terminal.close()
        done = subprocess.run(
            [sys.executable, "-m", "quizgen", "debrief", "talk.jsonl"],
            cwd=folder, capture_output=True, text=True, check=True, env=os.environ | {"COLUMNS": "80"},
        )  # fmt: skip
        (HERE / f"case-{name}-{who}.txt").write_text(done.stdout)


def arrive(terminal: Terminal, now: Conversation, shot: bool) -> None:
    """Wait until the interviewer's last words, or the debrief, are on the screen."""
    last = next(line.text for line in reversed(now.lines) if line.speaker_role == "interviewer").split()[-1]
    terminal.wait("q leave" if now.is_over else re.escape(last))
    if shot and now.turn_id in SHOWN:
        if now.turn_id == STILL:
            (HERE / "case.txt").write_text(terminal.screen() + "\n")
            (HERE / "case.svg").write_text(picture(terminal.screen(colour=True), COLUMNS, ROWS))
        FRAMES.append((terminal.screen(colour=True), 4))


if __name__ == "__main__":
    main()
