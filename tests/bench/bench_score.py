"""What scoring a log costs: `python tests/bench/bench_score.py [LINES]`, or `[CANDIDATES] --true`.

Makes a log of LINES (1,000,000) lines, half choice, a quarter numeric, a quarter text, in sessions of
40 items, where few responses are given by many and one in fifty by nobody else. Tells the time of a
bare `json.loads` pass over it, and of `quizgen score` by one worker and by two, each as a process of
its own from start to report. The ratio is of processor time, which others on the machine disturb
least; how much faster two workers are is of time on the wall and needs two idle cores. Exit code 1 where one worker
takes more than 15 times the bare pass, two are less than 1.7 times as fast, the bytes differ, or the peak is 250 MB or
more.

`--true` takes a log of so many candidates (2,000) on the shipped bank, no text given twice (tests/true_log.py), and scores it in
every format by one worker and by two. What starting and loading the bank costs is told apart. Exit code 1 where the bytes
of one worker and two differ in any format.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import made_log
import true_log

ROOT = Path(__file__).resolve().parents[2]
EACH = 42  # lines of a session: 40 responses between its begin and its end


@dataclass(frozen=True)
class Run:
    """Seconds from start to end, of processors, and the largest process of the run in MB."""

    seconds: float
    cpu: float
    megabytes: float


def bare(log: Path) -> Run:
    """Every line read as JSON and dropped."""
    start, cpu = time.perf_counter(), time.process_time()
    with open(log, encoding="utf-8") as file:
        for line in file:
            json.loads(line)
    return Run(time.perf_counter() - start, time.process_time() - cpu, 0)


def scored(log: Path, bank: Path, out: Path, *more: str) -> Run:
    """A report from start to end."""
    command = [sys.executable, "-m", "quizgen", "score", str(log), "--bank", str(bank), "-o", str(out), *more]
    start = time.perf_counter()
    child = subprocess.Popen(command, cwd=ROOT)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, command
    return Run(
        seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1024)
    )


def row(name: str, lines: int, run: Run, base: float, peak: str = "") -> None:
    times = f"{run.cpu / base:.1f}" if base else ""
    print(f"| {name} | {lines:,} | {run.seconds:.1f} | {run.cpu:.1f} | {times} | {peak or f'{run.megabytes:.0f}'} |")
    sys.stdout.flush()


def main() -> int:
    numbers = [int(a) for a in sys.argv[1:] if not a.startswith("-")]
    with tempfile.TemporaryDirectory() as name:
        if "--true" in sys.argv:
            return shipped(Path(name), *numbers)
        return measured(Path(name), *numbers)


HEAD = "| | lines | seconds | processor seconds | times `json.loads` | peak MB |\n|---|---:|---:|---:|---:|---:|"


def shipped(folder: Path, candidates: int = 2_000) -> int:
    log, one, bank = folder / "log.jsonl", folder / "one.jsonl", ROOT / "banks" / "distributed-training"
    lines = true_log.write_log(log, candidates)
    one.write_text(log.read_text(encoding="utf-8").split("\n", 1)[0] + "\n", encoding="utf-8")
    base, start = bare(log).cpu, scored(one, bank, folder / "none", "--quiet")
    print(HEAD)
    row("one line, one worker", 1, start, 0)
    is_same = True
    for form in ("text", "jsonl", "json", "csv", "html"):
        outs = [folder / f"{form}.1", folder / f"{form}.2"]
        for out in outs:
            run = scored(log, bank, out, "--quiet", "--format", form, "--workers", out.suffix[1:])
            row(f"`--format {form} --workers {out.suffix[1:]}`", lines, replace(run, cpu=run.cpu - start.cpu), base)
        is_same = is_same and outs[0].read_bytes() == outs[1].read_bytes()
    print(f"\nThe same bytes by one worker and by two: {'yes' if is_same else 'NO'}.")
    return int(not is_same)


def measured(folder: Path, count: int = 1_000_000) -> int:
    bank = made_log.bank(folder / "bank")
    log = folder / "log.jsonl"
    made_log.write_log(log, max(1, count // EACH))
    first = bare(log)
    one = scored(log, bank, folder / "one.txt")
    second = bare(log)
    two = scored(log, bank, folder / "two.txt", "--workers", "2")
    base = (first.cpu + second.cpu) / 2
    same = (folder / "one.txt").read_bytes() == (folder / "two.txt").read_bytes()
    print(HEAD)
    row("bare `json.loads`", count, second, base, "–")
    row("one worker", count, one, base)
    row("two workers", count, two, base, f"{two.megabytes:.0f} each")
    faster = one.seconds / two.seconds
    print(f"\nTwo workers are {faster:.2f} times as fast as one; the same bytes: {'yes' if same else 'NO'}.")
    return int(one.cpu > 15 * base or faster < 1.7 or not same or one.megabytes >= 250)


if __name__ == "__main__":
    sys.exit(main())
