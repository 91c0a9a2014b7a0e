"""Capture each screen of the mock interview from a real terminal: `python docs/captures/make.py`.

Drives `quizgen mock` in tmux at 80x24 (and 40x12, and a pipe) and writes NAME.txt and NAME.svg beside
this file. Needs tmux and an installed quizgen.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "terminal"))

from tmux import Terminal  # noqa: E402  # the tests' own terminal

ITEMS = ("zero1-shards", "zero-stage-memory", "zero-stages-explained", "fsdp-shards")
CELL_W, CELL_H = 8.4, 18
COLOURS = {
    "30": "#1b1f24", "31": "#ff7b72", "32": "#7ee787", "33": "#f2cc60", "34": "#2d6cdf", "35": "#d2a8ff",
    "36": "#56d4dd", "37": "#f0f6fc", "90": "#8b949e", "40": "#0d1117", "41": "#b62324", "44": "#1f5fbf",
}  # fmt: skip


def main() -> None:
    """Write all captures."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        work = Path(folder)
        bank = work / "distributed-training"
        shutil.copytree(ROOT / "banks" / "distributed-training", bank)
        sections = "\n".join(f"  - {{include: [{name}], count: 1}}" for name in ITEMS)
        (bank / "blueprints" / "tour.yaml").write_text(
            f"title: A tour of ZeRO\nminutes: 10\npass: 60%\nbands:\n"
            "  - {from: 0%, name: Not yet, advice: Work through the weak topics first.}\n"
            "  - {from: 60%, name: Nearly, advice: Redo what was missed.}\n"
            "  - {from: 85%, name: Ready, advice: Keep it warm.}\n"
            f"sections:\n{sections}\n"
        )
        tour(work)
        small(work)
        time_nearly_out(work)
        piped(work)


def tour(work: Path) -> None:
    """One session through every state."""
    terminal = Terminal(work, environment={"TERM": "tmux-256color"})
    try:
        terminal.line("clear; quizgen mock distributed-training/blueprints/tour.yaml --seed docs --log tour.jsonl")
        terminal.wait("Enter start the clock")
        save(terminal, "brief")
        terminal.keys("Enter")
        terminal.wait("1/4")
        terminal.keys("Down")
        save(terminal, "choice")
        terminal.keys("F4", "b", "Enter")
        terminal.wait("how sure")
        save(terminal, "confidence")
        terminal.keys("2")
        terminal.wait("2/4")
        terminal.keys("F3", "F2")
        terminal.wait("Take it")
        save(terminal, "hint-offer")
        terminal.keys("y")
        terminal.type("40 GB")
        terminal.wait("reads as 40 GB")
        save(terminal, "number")
        terminal.keys("Enter", "5")
        terminal.wait("3/4")
        terminal.paste(
            "Stage 1 shards the optimizer states, stage 2 also the gradients,\n"
            "and stage 3 the parameters as well. Stages 1 and 2 communicate as\nmuch as plain data parallelism."
        )
        terminal.wait("plain data parallelism")
        save(terminal, "text")
        terminal.keys("F5", "4")
        terminal.wait("Follow-up|4/4")
        save(terminal, "follow-up")
        terminal.keys("Escape")
        terminal.wait("4/4")
        terminal.keys("F4", "F7")
        terminal.wait("Review")
        save(terminal, "review")
        terminal.keys("Enter")
        terminal.wait("1/4")
        save(terminal, "flag-strip")
        terminal.keys("F1")
        terminal.wait("this help")
        save(terminal, "help")
        terminal.keys("Escape", "F10")
        terminal.wait("Review")
        terminal.keys("f")
        terminal.wait("Debrief")
        save(terminal, "debrief")
        terminal.keys("PageDown")
        terminal.wait("41/")
        save(terminal, "debrief-item")
        terminal.keys("q")
    finally:
        terminal.close()


def time_nearly_out(work: Path) -> None:
    terminal = Terminal(work, environment={"TERM": "tmux-256color"})
    try:
        terminal.line(
            "clear; quizgen mock distributed-training --kind text --items 1 --minutes 1.05 --seed docs --log t.jsonl"
        )
        terminal.wait("Enter start the clock")
        terminal.keys("Enter")
        terminal.type("The last minute is announced and ")
        terminal.wait("One minute left", 20)
        save(terminal, "time-nearly-out")
    finally:
        terminal.close()


def small(work: Path) -> None:
    """The same at 40x12."""
    terminal = Terminal(work, 40, 12, environment={"TERM": "tmux-256color"})
    try:
        terminal.line("clear; quizgen mock distributed-training/blueprints/tour.yaml --seed docs --log small.jsonl")
        terminal.wait("Enter start the clock")
        terminal.keys("Enter")
        terminal.wait("1/4")
        save(terminal, "choice-40x12")
    finally:
        terminal.close()


def piped(work: Path) -> None:
    """A session through a pipe, as text."""
    blueprint = "distributed-training/blueprints/tour.yaml"
    done = subprocess.run(
        [sys.executable, "-m", "quizgen", "mock", blueprint, "--seed", "docs", "--log", "p.jsonl"],
        input="B\n40 GB\nStage 1 shards the optimizer states.\n.\n:skip\n",
        capture_output=True,
        text=True,
        cwd=work,
        check=True,
    )  # fmt: skip
    (HERE / "pipe.txt").write_text(done.stdout)


def save(terminal: Terminal, name: str) -> None:
    """Write what is on the screen as text and as a picture."""
    (HERE / f"{name}.txt").write_text(terminal.screen() + "\n")
    (HERE / f"{name}.svg").write_text(picture(terminal.screen(colour=True), terminal.columns, terminal.rows))


def picture(screen: str, columns: int, rows: int) -> str:
    """A screen with its SGR codes as an SVG."""
    width, height = columns * CELL_W + 16, rows * CELL_H + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}">',
        '<rect width="100%" height="100%" rx="6" fill="#0d1117"/>',
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">',
    ]
    for row, line in enumerate(screen.split("\n")[:rows]):
        column, state = 0, set[str]()
        for piece in re.split(r"(\x1b\[[\d;]*m)", line):
            if piece.startswith("\x1b["):
                state = changed(state, piece[2:-1])
            elif piece:
                parts += run(piece, column, row, state)
                column += len(piece)
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


def changed(state: set[str], codes: str) -> set[str]:
    """The attributes after one SGR sequence."""
    for code in codes.split(";"):
        if code in ("", "0"):
            state = set()
        elif code == "39":
            state = {s for s in state if not (s.startswith(("3", "9")) and len(s) == 2)}
        elif code == "49":
            state = {s for s in state if not s.startswith("4")}
        else:
            kind = code[0] if len(code) == 2 else ""
            state = {s for s in state if not (len(s) == 2 and s[0] == kind)} | {code}
    return state


def run(text: str, column: int, row: int, state: set[str]) -> list[str]:
    """One stretch of equal attributes."""
    x, y = 8 + column * CELL_W, 8 + row * CELL_H
    front = next((COLOURS[s] for s in sorted(state) if s in COLOURS and s[0] in "39"), "#e6edf3")
    back = next((COLOURS[s] for s in sorted(state) if s in COLOURS and s[0] == "4"), "")
    if "7" in state:
        front, back = back or "#0d1117", front
    weight = ' font-weight="bold"' if "1" in state else ""
    made = []
    if back:
        made.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{len(text) * CELL_W:.1f}" height="{CELL_H}" fill="{back}"/>')
    if text.strip():
        shown = escape(text).replace(" ", "\u00a0")  # browsers fold plain spaces here
        made.append(
            f'<text x="{x:.1f}" y="{y + 13.5:.1f}" fill="{front}"{weight} textLength="{len(text) * CELL_W:.1f}" '
            f'lengthAdjust="spacingAndGlyphs">{shown}</text>'
        )
    return made


if __name__ == "__main__":
    main()
