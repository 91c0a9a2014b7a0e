"""Capture each screen of the mock interview from a real terminal: `python docs/captures/make.py screens`.

Drives `quizgen mock` in tmux at 80x24 (and 40x12, and a pipe) and writes NAME.txt and NAME.svg beside
this file, and the animation docs/pictures/mock.svg. Needs tmux and an installed quizgen.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "terminal"))

from pictures import animation, picture  # noqa: E402  # beside this file
from tmux import Terminal  # noqa: E402  # the tests' own terminal

from quizgen import bank as banks  # noqa: E402
from quizgen.draw import SeededRng  # noqa: E402

TOUR = "distributed-training/blueprints/tour.yaml"
# (item, response or the place of its option, seconds, confidence): what was given before the resumed
# session goes on, so that clocks, pace and calibration look like someone's evening.
GIVEN: tuple[tuple[str, str | int, int, int], ...] = (
    ("zero1-shards", 1, 22, 5),
    ("zero-stage-memory", "7 GB", 71, 4),
    (
        "zero-stages-explained",
        "Stage 1 shards the optimizer states, stage 2 also the gradients,\nand stage 3 the parameters as well. "
        "Stages 1 and 2 communicate as\nmuch as plain data parallelism.",
        133,
        4,
    ),
    ("interleaving-cost", "Traffic between stages", 35, 2),
    ("redundant-copies", "112 GB", 97, 4),
    (
        "failure-handling-design",
        "Detect it with heartbeats and NCCL timeouts, replace the node from a pool of\nhot spares and restart "
        "from the last checkpoint.",
        262,
        3,
    ),
)
LAST = "ddp-overlap-explained"
FRAMES: list[tuple[str, float]] = []


def main() -> None:
    """Write all captures."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        work = Path(folder)
        bank = work / "distributed-training"
        shutil.copytree(ROOT / "banks" / "distributed-training", bank)
        names = [*(name for name, *_ in GIVEN), LAST]
        sections = "\n".join(f"  - {{include: [{name}], count: 1}}" for name in names)
        (bank / "blueprints" / "tour.yaml").write_text(
            f"title: A tour of distributed training\nminutes: 12\npass: 60%\nbands:\n"
            "  - {from: 0%, name: Not yet, advice: Work through the weak topics first.}\n"
            "  - {from: 50%, name: On the way, advice: Derive memory and volumes by hand until they come.}\n"
            "  - {from: 70%, name: Nearly there, advice: Redo what was missed.}\n"
            "  - {from: 85%, name: Ready, advice: Keep it warm.}\n"
            f"sections:\n{sections}\n"
        )
        tour(work)
        last_minute(work)
        practice(work)
        full_disk(work)
        small(work)
        piped(work)
    columns, rows = 80, 24
    moving = animation(FRAMES, columns, rows, still=len(FRAMES) - 2)
    (ROOT / "docs" / "pictures" / "mock.svg").write_text(moving)


def tour(work: Path) -> None:
    """A session from its brief through the first items."""
    terminal = Terminal(work, environment={"TERM": "tmux-256color"})
    try:
        terminal.line(f"clear; quizgen mock {TOUR} --seed docs --log tour.jsonl")
        terminal.wait("Enter start the clock")
        save(terminal, "brief", 3)
        terminal.keys("Enter")
        terminal.wait("1/7")
        frame(terminal, 1.5)
        terminal.keys("Down")
        save(terminal, "choice", 1)
        terminal.keys("F4", "b")
        terminal.wait("B taken")
        frame(terminal, 1.2)
        terminal.keys("Enter")
        terminal.wait("How sure")
        save(terminal, "confidence", 2)
        terminal.keys("2")
        terminal.wait("2/7")
        frame(terminal, 2)
        terminal.keys("F3", "F2")
        terminal.wait("Take it")
        save(terminal, "hint-offer", 2.5)
        terminal.keys("y")
        terminal.wait("Hint 1:")
        for typed, shown in (("4", "reads as 4 GB"), ("0", "reads as 40 GB"), (" G", "."), ("iB", "reads as 40 GiB")):
            terminal.type(typed)
            terminal.wait(shown)
            frame(terminal, 0.6)
        save(terminal, "number", 1.5)
        terminal.keys("Enter", "5")
        terminal.wait("3/7")
        frame(terminal, 1)
        words = str(GIVEN[2][1]).split(" ")
        for at in range(0, len(words), 5):
            paste(terminal, " ".join(words[at : at + 5]) + " ")
            terminal.wait(words[min(at + 4, len(words) - 1)].split("\n")[-1])
            frame(terminal, 0.5)
        save(terminal, "text", 1.5)
        terminal.keys("F5", "4")
        terminal.wait("Follow-up")
        save(terminal, "follow-up", 3)
        terminal.keys("Escape")
        terminal.wait("4/7")
        terminal.keys("F4", "F7")
        terminal.wait("5/7")
        save(terminal, "flag-strip")
        terminal.keys("F1")
        terminal.wait("this help")
        save(terminal, "help")
        terminal.keys("Escape", "C-c")
        terminal.wait("Leave")
        save(terminal, "leave")
    finally:
        terminal.close()


def last_minute(work: Path) -> None:
    """A session resumed with a minute left: the warning, the review, the debrief."""
    write_log(work / "late.jsonl", str(work / TOUR), used=12 * 60 - 62)
    terminal = Terminal(work, environment={"TERM": "tmux-256color"})
    try:
        terminal.line("clear; quizgen mock --resume late.jsonl")
        terminal.wait("Enter start the clock")
        terminal.keys("Enter")
        terminal.wait("7/7")
        paste(terminal, "Gradients become final from the last layer to the first, so a bucket's all-reduce can start")
        terminal.wait("One minute left|0:59 left", 20)
        terminal.keys("C-e")
        terminal.wait("0:5[0-9] left")
        save(terminal, "time-nearly-out", 2.5)
        paste(terminal, " while the backward pass of earlier layers goes on.")
        terminal.keys("F5", "3")
        terminal.wait("Follow-up")
        terminal.keys("Escape")
        terminal.wait("Review")
        save(terminal, "review", 2.5)
        terminal.keys("f")
        terminal.wait("Debrief|finishes all the same")
        if "finishes" in terminal.screen():
            terminal.keys("f")
            terminal.wait("Debrief")
        save(terminal, "debrief", 4)
        for _ in range(200):
            if terminal.screen().split("\n")[2].startswith("--- 3."):
                break
            terminal.keys("Down")
            time.sleep(0.05)
        save(terminal, "debrief-item", 5)
        terminal.keys("q")
        terminal.wait("quizgen progress")
    finally:
        terminal.close()
    page = ["debrief", "late.jsonl", "--html", str(work / "debrief.html")]
    subprocess.run([sys.executable, "-m", "quizgen", *page], cwd=work, check=True, capture_output=True)
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is not None:
        subprocess.run(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1000,1060",
             f"--screenshot={ROOT / 'docs' / 'pictures' / 'debrief.png'}", (work / "debrief.html").as_uri()],
            check=True,
            capture_output=True,
        )  # fmt: skip


def write_log(path: Path, bank_name: str, used: int) -> None:
    """The log of a session whose first items are answered, in so many seconds."""
    loaded = banks.load_bank(bank_name)
    assert loaded.bank is not None
    who = {"v": 1, "session": "evening", "candidate": "ann"}
    lines: list[dict[str, object]] = [
        {
            **who, "type": "session", "bank": bank_name, "digest": loaded.bank.digest, "seed": "docs",
            "items": [*(name for name, *_ in GIVEN), LAST], "started": "2026-11-21T20:00:00Z", "minutes": 12,
            "mode": "interview", "blueprint": "tour",
        }
    ]  # fmt: skip
    spent = 0
    for name, given, seconds, confidence in GIVEN:
        item = loaded.bank.items[name]
        variant = item.draw(SeededRng(name, "docs"))
        response = given if isinstance(given, str) else variant.option_texts_as_shown()[given]
        spent += seconds
        lines.append(
            {
                **who, "type": "response", "item": name, "seed": "docs", "given": dict(variant.drawn_log_values()),
                "response": response, "seconds": seconds, "at": "2026-11-21T20:10:00Z", "late": seconds > item.seconds,
                "confidence": confidence, "hints": int(name == "zero-stage-memory"),
                "flagged": name == "redundant-copies", "elapsed": spent,
            }
        )  # fmt: skip
    lines.append({**who, "type": "resume", "at": "2026-11-21T20:11:00Z", "elapsed": used})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def practice(work: Path) -> None:
    """Feedback after a response in practice, and the pause."""
    terminal = Terminal(work, environment={"TERM": "tmux-256color"})
    try:
        terminal.line(f"clear; quizgen mock {TOUR} --practice --seed docs --log practice.jsonl")
        terminal.wait("Enter start the clock")
        terminal.keys("Enter")
        terminal.wait("1/7")
        terminal.keys("b", "Enter", "4")
        terminal.wait("Incorrect|Correct")
        save(terminal, "feedback")
        terminal.keys("Enter")
        terminal.wait("2/7")
        terminal.keys("F9")
        terminal.wait("Paused")
        save(terminal, "pause")
    finally:
        terminal.close()


def full_disk(work: Path) -> None:
    """A disk that takes no more, by a limit on the size of files."""
    terminal = Terminal(work, environment={"TERM": "tmux-256color"})
    try:
        terminal.line(f"clear; ulimit -f 2; quizgen mock {TOUR} --kind choice --items 12 --seed docs --log full.jsonl")
        terminal.wait("Enter start the clock")
        terminal.keys("Enter")
        for number in range(1, 12):
            terminal.wait(f" {number}/12")
            terminal.keys("a", "Enter")
            terminal.wait("How sure")
            terminal.keys("3")
            if "NOT SAVED" in terminal.wait(f"NOT SAVED| {number + 1}/12"):
                break
        save(terminal, "not-saved")
    finally:
        terminal.close()


def small(work: Path) -> None:
    """The same at 40x12."""
    terminal = Terminal(work, 40, 12, environment={"TERM": "tmux-256color"})
    try:
        terminal.line(f"clear; quizgen mock {TOUR} --seed docs --log small.jsonl")
        terminal.wait("Enter start the clock")
        terminal.keys("Enter")
        terminal.wait("1/7")
        save(terminal, "choice-40x12")
    finally:
        terminal.close()


def piped(work: Path) -> None:
    """A session through a pipe, as text."""
    done = subprocess.run(
        [sys.executable, "-m", "quizgen", "mock", TOUR, "--seed", "docs", "--log", "p.jsonl"],
        input="B\n40 GB\nStage 1 shards the optimizer states.\n.\n:skip\n336 GB\n",
        capture_output=True,
        text=True,
        cwd=work,
        check=True,
    )  # fmt: skip
    (HERE / "pipe.txt").write_text(done.stdout)


def paste(terminal: Terminal, text: str) -> None:
    """A bracketed paste, so that the editor shows the words at once."""
    terminal._tmux("set-buffer", text)
    terminal._tmux("paste-buffer", "-p", "-r")


def frame(terminal: Terminal, seconds: float) -> None:
    """One more picture of the animation."""
    FRAMES.append((terminal.screen(colour=True), seconds))


def save(terminal: Terminal, name: str, seconds: float = 0) -> None:
    """Write what is on the screen as text and as a picture; it may be a picture of the animation."""
    (HERE / f"{name}.txt").write_text(terminal.screen() + "\n")
    (HERE / f"{name}.svg").write_text(picture(terminal.screen(colour=True), terminal.columns, terminal.rows))
    if seconds:
        frame(terminal, seconds)


if __name__ == "__main__":
    main()
