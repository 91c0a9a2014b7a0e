"""What scoring costs where nothing repeats: `python tests/bench/bench_score_true.py [CANDIDATES] [--base CHECKOUT]`.

A log on the shipped bank, no text given twice (tests/true_log.py), scored in every format by one worker and by two,
each a process of its own from start to report; `--base` does the same with another checkout in the same run. Ratios are
of processor time to a bare `json.loads` of the log; what starting and loading the bank costs is told apart. Exit code 1
where the bytes of one worker and two differ in any format.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import true_log
from bench_score import scored

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ("text", "jsonl", "json", "csv", "html")
BANK = "banks/distributed-training"


def main() -> int:
    numbers = [int(a) for a in sys.argv[1:] if a.isdecimal()]
    trees = {"this": ROOT}
    if "--base" in sys.argv:
        trees = {"base": Path(sys.argv[sys.argv.index("--base") + 1]), **trees}
    same = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "log.jsonl"
        lines = true_log.write_log(log, numbers[0] if numbers else 2_000)
        begun = time.process_time()
        for line in log.read_text(encoding="utf-8").splitlines():
            json.loads(line)
        bare = time.process_time() - begun
        print(f"{lines:,} lines, {log.stat().st_size:,} bytes; bare json.loads {bare:.2f} s of a processor\n")
        print("| | format | workers | seconds | processor seconds | times `json.loads` | peak MB |")
        print("|---|---|---:|---:|---:|---:|---:|")
        for label, tree in trees.items():
            one = folder / "one.jsonl"
            one.write_text(log.read_text(encoding="utf-8").split("\n", 1)[0] + "\n", encoding="utf-8")
            empty = scored(one, tree / BANK, folder / "none", "--quiet", checkout=tree).cpu
            print(f"| {label} | one line | 1 | | {empty:.1f} | | |", flush=True)
            for form in FORMATS:
                outs = []
                for workers in ("1", "2"):
                    out = folder / f"{label}.{form}.{workers}"
                    run = scored(
                        log, tree / BANK, out, "--quiet", "--format", form, "--workers", workers, checkout=tree
                    )
                    ratio = (run.cpu - empty) / bare
                    print(
                        f"| {label} | {form} | {workers} | {run.seconds:.1f} | {run.cpu:.1f} | {ratio:.0f} | {run.megabytes:.0f} |",
                        flush=True,
                    )
                    outs.append(out.read_bytes())
                    out.unlink()
                same = same and (outs[0] == outs[1] or label == "base")
    print(f"\nThe same bytes by one worker and by two: {'yes' if same else 'NO'}.")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
