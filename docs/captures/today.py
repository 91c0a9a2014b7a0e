"""A film of a plan and of one evening of it, from a real terminal: `python docs/captures/make.py today`.

Writes docs/pictures/today.svg, and today.txt and today.svg beside this file. Needs tmux and an installed quizgen.
"""

from __future__ import annotations

import json
import sys
import tempfile
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "terminal"))

from pictures import animation, picture  # noqa: E402  # beside this file
from tmux import Terminal  # noqa: E402  # the tests' own terminal

from quizgen import bank as banks  # noqa: E402
from quizgen.draw import SeededRng  # noqa: E402
from quizgen.model import Outcome  # noqa: E402

DAYS = 8  # to the interview
FRAMES: list[tuple[str, float]] = []


def main() -> None:
    """Two evenings that were, then the plan, its reasons and the third evening's first items."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        work = Path(folder)
        evenings(work / "logs")
        terminal = Terminal(work, environment={"TERM": "tmux-256color"})
        try:
            interview = (date.today() + timedelta(days=DAYS)).isoformat()
            terminal.line(f"clear; quizgen plan git --interview {interview} --minutes 15")
            terminal.wait("Next: quizgen today")
            frame(terminal, 6)
            terminal.line("clear; quizgen today --list | head -20")
            terminal.wait("new: ")
            frame(terminal, 6)
            terminal.line("clear; quizgen today --seed docs")
            terminal.wait("Enter start the clock")
            frame(terminal, 3)
            terminal.keys("Enter")
            terminal.wait("1/")
            (HERE / "today.txt").write_text(terminal.screen() + "\n")
            (HERE / "today.svg").write_text(picture(terminal.screen(colour=True), 80, 24))
            frame(terminal, 4)
            for number in range(2, 6):
                terminal.keys("F7")
                terminal.wait(f" {number}/")
                frame(terminal, 2.5)
        finally:
            terminal.close()
    (ROOT / "docs" / "pictures" / "today.svg").write_text(animation(FRAMES, 80, 24, still=1))


def evenings(folder: Path) -> None:
    """Logs of four and two days ago: every third item missed, every sixth though sure."""
    folder.mkdir()
    bank = banks.load_bank("git").bank
    assert bank is not None
    items = [i for i in bank.items.values() if i.status == "active"][:17]
    for number, ago in enumerate((4, 2)):
        at = (datetime.now(UTC) - timedelta(days=ago)).strftime("%Y-%m-%dT%H:%M:%SZ")
        own = items[number * 9 : number * 9 + 9]
        head = {"v": 1, "session": f"s{ago}", "candidate": "ann", "seed": "docs"}
        lines: list[dict[str, object]] = [
            {**head, "type": "session", "bank": "git", "digest": bank.digest, "started": at,
             "items": [i.id for i in own], "minutes": 15}
        ]  # fmt: skip
        for turn, item in enumerate(own):
            wanted = Outcome.INCORRECT if turn % 3 == 0 else Outcome.CORRECT
            samples = item.draw(SeededRng(item.id, "docs")).samples()
            sample = next((s for s in samples if s.outcome is wanted), samples[0])
            sure = 5 if turn % 6 == 0 else 1 + turn % 5
            lines.append(
                {**head, "type": "response", "item": item.id, "response": sample.response, "confidence": sure,
                 "seconds": 30, "at": at}
            )  # fmt: skip
        lines.append({"v": 1, "type": "end", "session": f"s{ago}", "reason": "finished", "at": at})
        (folder / f"{number}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def frame(terminal: Terminal, seconds: float) -> None:
    """One more picture of the film."""
    FRAMES.append((terminal.screen(colour=True), seconds))


if __name__ == "__main__":
    main()
