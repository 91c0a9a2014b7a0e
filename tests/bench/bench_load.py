"""Loading a bank of 40,000 items against `yaml.load(…, CSafeLoader)` on the same file.

    python tests/bench/bench_load.py [items]

Prints seconds, their ratio in this run, and the peak memory of each, every measurement in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ITEM = """  - id: item-{n}
    kind: choice
    stem: What is value number {n} of the series?
    key: The value {n}
    distractors:
      - The value {m}
      - text: The value {k}
        because: That is the next but one.
    rationale: It is number {n}.
    difficulty: 2
    seconds: 30
    source: Series, section {n}
"""
BODY = """
import resource, sys, time
path = sys.argv[1]
{setup}
start = time.process_time()
{work}
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
CASES = {
    "yaml.load, CSafeLoader": ("import yaml", "yaml.load(open(path, encoding='utf-8'), yaml.CSafeLoader)"),
    "quizgen: load and check structure": ("from quizgen import bank", "assert not bank.load_bank(path).problems"),
}


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "items.yaml"
        path.write_text("topic: series\nitems:\n" + "".join(ITEM.format(n=n, m=n + 1, k=n + 2) for n in range(count)))
        base = 0.0
        print(f"{count:,} items, {path.stat().st_size / 1e6:.1f} MB")
        for name, (setup, work) in CASES.items():
            best = min(measure(setup, work, path) for _ in range(3))
            base = base or best[0]
            print(f"{name:36} {best[0]:6.2f} s  {best[0] / base:5.2f} x  {best[1]:5.0f} MB")


def measure(setup: str, work: str, path: Path) -> tuple[float, float]:
    code = BODY.format(setup=setup, work=work)
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    seconds, megabytes = done.stdout.split()
    return float(seconds), float(megabytes)


if __name__ == "__main__":
    main()
