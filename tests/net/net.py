"""Freeze what commands print, and compare it later: `python tests/net/net.py make` or `compare` from a checkout's root.

`make` runs the quizgen of this checkout over everything that ships and writes a line for each output into frozen.txt:
its hash, its size, its name. `compare` does the same and names each output that differs; exit code 1 where one does.
`compare --against OTHER` runs the quizgen of another checkout on the same inputs instead, and shows the differences
line by line. `--only PART` takes one part (may be repeated; `parts` lists them), `--keep FOLDER` leaves the outputs
there to look at, `--jobs N` runs N parts at a time. No test: pytest does not collect it.

An output is what a command printed, with its exit code, or a file that it wrote. Nothing of quizgen is used but
`quizgen.__main__.main`, in a forked process for each command (runner.py), on inputs made from what ships (inputs.py).
What is run stands in commands.txt and parts.py. numbers.json holds a variant of each numeric item with its key and
named mistakes, as `show` gave them; `make` renews it.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from inputs import BANKS, ROOT, build, of_bank
from parts import PARTS
from runner import Net

HERE = Path(__file__).resolve().parent
FROZEN, NUMBERS = HERE / "frozen.txt", HERE / "numbers.json"
SHOWN = 60  # lines of a difference
Found = dict[str, tuple[str, int]]  # hash and size by the name of an output


def numbers(net: Net) -> None:
    """Write numbers.json: of each numeric item the drawn values, the key and the named mistakes of one variant."""
    rows = []
    for bank in BANKS:
        for item in (one for one in of_bank(bank).values() if one["kind"] == "numeric"):
            shown = json.loads(net.run(None, "show", item["id"], "--bank", bank, "--seed", "net", "--json"))
            mistakes: list[str] = re.findall(r"^- ([^:\n]+): ", shown["marking"], re.M)
            rows.append(
                f"{json.dumps(item['id'])}: {json.dumps([shown['given'], shown['key'], mistakes], ensure_ascii=False)}"
            )
    NUMBERS.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def outputs(checkout: Path, parts: list[str], inputs: Path, into: Path, jobs: int) -> Found:
    """Run parts with the quizgen of a checkout, each in an interpreter of its own."""
    shutil.rmtree(into, ignore_errors=True)

    def one(part: str) -> int:
        start = time.monotonic()
        command = [sys.executable, str(HERE / "net.py"), "run", part, "--inputs", str(inputs), "--keep", str(into)]
        code = subprocess.run(
            command, cwd=checkout, env={**os.environ, "PYTHONPATH": str(checkout)}, check=False
        ).returncode
        print(f"{part}: {time.monotonic() - start:.0f} s", file=sys.stderr)
        return code

    with ThreadPoolExecutor(jobs) as pool:
        failed = [part for part, code in zip(parts, pool.map(one, parts), strict=True) if code]
    if failed:
        raise SystemExit(f"not run through: {', '.join(failed)}")
    files = [path for part in parts for path in (into / part).rglob("*") if path.is_file()]
    return {str(p.relative_to(into)): (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_size) for p in files}


def frozen() -> Found:
    rows = (line.split(" ", 2) for line in FROZEN.read_text(encoding="utf-8").splitlines()) if FROZEN.exists() else ()
    return {name: (digest, int(size)) for digest, size, name in rows}


def difference(old: Path, new: Path) -> list[str]:
    before, after = (
        p.read_text(encoding="utf-8", errors="backslashreplace").splitlines() if p.exists() else [] for p in (old, new)
    )
    lines = [line[:400] for line in difflib.unified_diff(before, after, "other", "this", lineterm="", n=1)]
    return [*lines[:SHOWN], *([f"… {len(lines) - SHOWN} lines more"] if len(lines) > SHOWN else [])]


def compare(found: Found, before: Found, folder: Path, shown: bool) -> int:
    differing = [name for name in sorted(before.keys() | found.keys()) if before.get(name) != found.get(name)]
    for name in differing:
        print(f"{name}: {'is gone' if name not in found else 'is new' if name not in before else 'differs'}")
        if shown:
            print(*difference(folder / "other" / name, folder / "this" / name), sep="\n")
    print(f"{len(found)} outputs, {len(differing)} differ")
    return 1 if differing else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("action", choices=("make", "compare", "parts", "run"))
    parser.add_argument("part", nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("--only", action="append", choices=PARTS, help="one part; may be repeated")
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--keep", type=Path, help="a folder for the outputs")
    parser.add_argument("--jobs", type=int, default=2, help="parts at a time")
    parser.add_argument("--inputs", type=Path, help=argparse.SUPPRESS)
    given: Any = parser.parse_args()
    if given.action == "run":
        net = Net(Path.cwd().resolve(), given.inputs, given.keep, given.part)
        ({**PARTS, "numbers": numbers})[given.part](net)
        return 0
    if given.action == "parts":
        print(*PARTS, sep="\n")
        return 0
    there = (ROOT.parent / "shared" / "hostile" / "yaml").is_dir()
    parts = [part for part in given.only or PARTS if there or part != "hostile"]
    with tempfile.TemporaryDirectory() as name:
        folder = (given.keep or Path(name)).resolve()
        inputs = folder / "inputs"
        shutil.rmtree(inputs, ignore_errors=True)
        if given.action == "make" and not given.only:
            (folder / "none").mkdir(parents=True)
            (folder / "none" / "numbers.json").write_text("{}")
            outputs(ROOT, ["numbers"], folder / "none", folder / "numbers", 1)
        build(inputs, json.loads(NUMBERS.read_text(encoding="utf-8")))
        found = outputs(ROOT, parts, inputs, folder / "this", given.jobs)
        if given.action == "compare" and given.against:
            return compare(
                found, outputs(given.against.resolve(), parts, inputs, folder / "other", given.jobs), folder, True
            )
        before = {
            name: row
            for name, row in frozen().items()
            if (name.partition("/")[0] in parts) == (given.action == "compare")
        }
        if given.action == "compare":
            return compare(found, before, folder, False)
        rows = sorted({**(before if given.only else {}), **found}.items())
        FROZEN.write_text("".join(f"{digest} {size} {name}\n" for name, (digest, size) in rows), encoding="utf-8")
        print(f"{len(found)} outputs frozen")
        return 0


if __name__ == "__main__":
    raise SystemExit(main())
