"""What scoring a log costs: `python tests/bench/bench_score.py [LINES] [--memory] [--formats]`.

Makes a log of LINES (1,000,000) lines, half choice, a quarter numeric, a quarter text, in sessions of
40 items, where few responses are given by many and one in fifty by nobody else. Tells the time of a
bare `json.loads` pass over it, and of `quizgen score` by one worker and by two, each as a process of
its own from start to report. `--memory` adds the peak of 100,000 and of 3,000,000 lines, `--formats`
the time of every format. Prints the table of the README. Exit code 1 where one worker takes more than
15 times the bare pass, two are less than 1.7 times as fast, the bytes differ, the peak is 250 MB or
more, or the peaks of the short and the long log differ by more than 10 %.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import made_log

ROOT = Path(__file__).resolve().parents[2]
EACH = 42  # lines of a session: 40 responses between its begin and its end
SHORT, LONG = 100_000, 3_000_000


@dataclass(frozen=True)
class Run:
    """Seconds from start to end, and the largest process of the run in MB."""

    seconds: float
    megabytes: float


def bare(log: Path) -> float:
    """Seconds to read every line as JSON and drop it."""
    start = time.perf_counter()
    with open(log, encoding="utf-8") as file:
        for line in file:
            json.loads(line)
    return time.perf_counter() - start


def scored(log: Path, bank: Path, out: Path, *more: str) -> Run:
    command = [sys.executable, "-m", "quizgen", "score", str(log), "--bank", str(bank), "-o", str(out), *more]
    start = time.perf_counter()
    child = subprocess.Popen(command, cwd=ROOT)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, command
    return Run(seconds, usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1024))


def made(folder: Path, lines: int) -> Path:
    path = folder / f"{lines}.jsonl"
    made_log.write_log(path, max(1, lines // EACH))
    return path


def row(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |")


def main() -> int:
    numbers = [a for a in sys.argv[1:] if not a.startswith("-")]
    count = int(numbers[0]) if numbers else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        return measured(Path(name), count)


def measured(folder: Path, count: int) -> int:
    bank = made_log.bank(folder / "bank")
    log = made(folder, count)
    first = bare(log)
    one = scored(log, bank, folder / "one.txt")
    two = scored(log, bank, folder / "two.txt", "--workers", "2")
    base = (first + bare(log)) / 2
    same = (folder / "one.txt").read_bytes() == (folder / "two.txt").read_bytes()
    row("", "lines", "seconds", "times `json.loads`", "peak MB")
    row("---", "---:", "---:", "---:", "---:")
    row("bare `json.loads`", f"{count:,}", f"{base:.1f}", "1.0", "")
    row("one worker", f"{count:,}", f"{one.seconds:.1f}", f"{one.seconds / base:.1f}", f"{one.megabytes:.0f}")
    faster = one.seconds / two.seconds
    row("two workers", f"{count:,}", f"{two.seconds:.1f}", f"{two.seconds / base:.1f}", f"{two.megabytes:.0f} each")
    peaks = [one.megabytes]
    if "--formats" in sys.argv:
        for form in ("jsonl", "json", "csv", "html", "matrix", "xapi"):
            run = scored(log, bank, folder / "out", "--format", form)
            row(
                f"`--format {form}`",
                f"{count:,}",
                f"{run.seconds:.1f}",
                f"{run.seconds / base:.1f}",
                f"{run.megabytes:.0f}",
            )
    log.unlink()
    apart = 0.0
    if "--memory" in sys.argv:
        for lines in (SHORT, LONG):
            log = made(folder, lines)
            run = scored(log, bank, folder / "out")
            log.unlink()
            peaks.append(run.megabytes)
            row("one worker", f"{lines:,}", f"{run.seconds:.1f}", "", f"{run.megabytes:.0f}")
        apart = abs(peaks[2] / peaks[1] - 1)
    print(f"\nTwo workers are {faster:.2f} times as fast as one; the same bytes: {'yes' if same else 'NO'}.", end="")
    print(f" The peaks of the short and the long log differ by {apart:.0%}." if len(peaks) > 1 else "")
    return int(one.seconds > 15 * base or faster < 1.7 or not same or max(peaks) >= 250 or apart > 0.1)


if __name__ == "__main__":
    sys.exit(main())
