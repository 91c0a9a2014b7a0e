"""What the mock interview costs: `python tests/bench/bench_mock.py [PYTHON]`.

On a real pty: the time to the first line and to the whole brief against `python -c pass`, the first time
and once the bank has its index; and a key press to the screen with a bank of 5,000 items.
PYTHON is the interpreter of an installed quizgen, which has its bytecode, as pip leaves it. Exit code 1
where the first line takes over 14 times `python -c pass`, the brief over 20 times its processor time (which
says the same on a machine that has other work), or a key press over 50 ms.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

ROUNDS = 9
PAINT, BRIEF, KEY = 14.0, 20.0, 0.050


class Screen:
    """A child on a pty of 80x24."""

    def __init__(self, python: str, *arguments: str, cwd: str) -> None:
        self.began = time.perf_counter()
        self.pid, self.handle = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.environ |= {"TERM": "xterm-256color", "QUIZGEN_LOGS": cwd}
            os.execv(python, [python, "-m", "quizgen", *arguments])
        fcntl.ioctl(self.handle, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen = b""

    def until(self, wanted: bytes, seconds: float = 30.0) -> float:
        """Seconds from the start of the child, or of the last `clear`, to the first sight of a text."""
        limit = time.perf_counter() + seconds
        while wanted not in self.seen:
            if not select.select([self.handle], [], [], max(0.0, limit - time.perf_counter()))[0]:
                raise SystemExit(f"{wanted!r} never came: {self.seen[-2000:]!r}")
            self.seen += os.read(self.handle, 65536)
        return time.perf_counter() - self.began

    def send(self, keys: bytes) -> None:
        self.seen = b""
        self.began = time.perf_counter()
        os.write(self.handle, keys)

    def drain(self, seconds: float) -> None:
        limit = time.perf_counter() + seconds
        while (rest := limit - time.perf_counter()) > 0:
            if select.select([self.handle], [], [], rest)[0]:
                os.read(self.handle, 65536)

    def close(self) -> float:
        """End the child; the processor seconds that it took."""
        os.kill(self.pid, 9)
        _, _, used = os.wait4(self.pid, 0)
        os.close(self.handle)
        return used.ru_utime + used.ru_stime


def bank_of(count: int, folder: str) -> str:
    """A bank of made-up text items."""
    items = "".join(
        f"  - id: i-{n}\n    kind: text\n    stem: What is number {n} for?\n"
        f"    rubric: {{criteria: [{{id: a, accept: [word{n}]}}]}}\n    seconds: 600\n"
        for n in range(count)
    )
    path = Path(folder) / "big.yaml"
    path.write_text(f"topic: t\nitems:\n{items}")
    return str(path)


def paint(python: str, folder: str) -> tuple[float, float, float, float, float]:
    """Medians: `pass`, the first line, the whole brief; and the brief of the first start; seconds. Last the
    processor time of the brief over that of `pass`."""
    bare, first, brief, idle, busy = [], [], [], [], []
    for log in ("warm", "once-more"):  # bytecode is written, and the index of the bank put away again
        screen = Screen(python, "mock", "distributed-training", "--log", f"{folder}/{log}.jsonl", cwd=folder)
        screen.until(b"start the clock")
        screen.close()
    shutil.rmtree(f"{folder}/cache")
    for number in range(ROUNDS):
        began = time.perf_counter()
        _, _, used = os.wait4(os.spawnv(os.P_NOWAIT, python, [python, "-c", "pass"]), 0)
        idle.append(used.ru_utime + used.ru_stime)
        bare.append(time.perf_counter() - began)
        screen = Screen(python, "mock", "distributed-training", "--log", f"{folder}/{number}.jsonl", cwd=folder)
        first.append(screen.until(b"Reading the bank"))
        brief.append(screen.until(b"start the clock"))
        busy.append(screen.close())
    worked = statistics.median(busy[1:]) / statistics.median(idle)
    return statistics.median(bare), statistics.median(first), statistics.median(brief[1:]), brief[0], worked


def key_press(python: str, folder: str) -> float:
    """The median of 60 key presses to the screen."""
    screen = Screen(python, "mock", bank_of(5000, folder), "--items", "50", "--log", f"{folder}/k.jsonl", cwd=folder)
    screen.until(b"start the clock", 120)
    screen.send(b"\r")
    screen.until(b"own words")
    screen.drain(0.5)
    times = []
    for number in range(60):
        letter = b"abcdefghij"[number % 10 : number % 10 + 1]
        screen.send(letter)
        times.append(screen.until(letter))
        screen.drain(0.03)
    screen.close()
    return statistics.median(times)


def main() -> int:
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        bare, first, brief, anew, worked = paint(python, folder)
        key = key_press(python, folder)
    print(f"python -c pass         {bare * 1000:8.1f} ms")
    print(f"first line             {first * 1000:8.1f} ms  {first / bare:5.1f} times (at most {PAINT:g})")
    print(f"whole brief            {brief * 1000:8.1f} ms  {brief / bare:5.1f} times")
    print(f"  its processor time               {worked:5.1f} times (at most {BRIEF:g})")
    print(f"brief, first start     {anew * 1000:8.1f} ms  {anew / bare:5.1f} times")
    print(f"key press, 5,000 items {key * 1000:8.1f} ms  (at most {KEY * 1000:g})")
    return int(first / bare > PAINT or worked > BRIEF or key > KEY)


if __name__ == "__main__":
    sys.exit(main())
