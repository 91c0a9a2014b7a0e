"""Which guards no test notices: each early return, continue, break or raise of some files taken out in turn.

    python -m tests.bench.guards 'quizgen/scoring/*.py' --tests tests/test_scoring.py tests/score --most 20

A guard is an `if` without an `else` whose body ends the function, the round of a loop or the loop. It is taken out
in a copy of the project, where the tests that are named run until one fails. What is printed at the end (the places of
guards that nothing noticed) wants a test, or goes. With `--most` a sample, the same one for the same `--seed`.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENDS = (ast.Return, ast.Continue, ast.Break, ast.Raise)


def guards(path: Path) -> Iterator[ast.If]:
    """The guards of a file; those for types alone are none."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ENDS):
            yield node


def without(text: str, guard: ast.If) -> str:
    """The text with the guard's test false: `if False and (…):`, so that no name is left unused."""
    lines = text.split("\n")
    test = guard.test
    assert test.end_lineno is not None
    assert test.end_col_offset is not None
    for row, column, piece in (
        (test.end_lineno, test.end_col_offset, ")"),
        (test.lineno, test.col_offset, "False and ("),
    ):
        line = lines[row - 1].encode()
        lines[row - 1] = (line[:column] + piece.encode() + line[column:]).decode()
    return "\n".join(lines)


def noticed(copy: Path, tests: list[str], seconds: int) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ran = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return True
    return ran.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("files", nargs="+", help="files of the product, as patterns")
    parser.add_argument("--tests", nargs="+", required=True, help="the tests that should notice")
    parser.add_argument("--most", type=int, default=0, help="a sample of so many (default: all)")
    parser.add_argument("--seed", default="guards")
    parser.add_argument("--seconds", type=int, default=300, help="for one run of the tests")
    asked = parser.parse_args()
    paths = sorted(path for pattern in asked.files for path in ROOT.glob(pattern))
    found = [(path, guard) for path in paths for guard in guards(path)]
    chosen = random.Random(asked.seed).sample(found, asked.most) if 0 < asked.most < len(found) else found
    missed = []
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy"
        left_out = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache")
        shutil.copytree(ROOT, copy, ignore=left_out, symlinks=True)
        assert not noticed(copy, asked.tests, asked.seconds), "the tests fail as it is"
        for number, (path, guard) in enumerate(sorted(chosen, key=lambda one: (one[0], one[1].lineno)), 1):
            there = copy / path.relative_to(ROOT)
            text = there.read_text(encoding="utf-8")
            there.write_text(without(text, guard), encoding="utf-8")
            if not noticed(copy, asked.tests, asked.seconds):
                missed.append(f"{path.relative_to(ROOT)}:{guard.lineno}: if {ast.unparse(guard.test)}")
                print(missed[-1], flush=True)
            there.write_text(text, encoding="utf-8")
            print(f"\r{number} of {len(chosen)}", end="", file=sys.stderr)
    print(f"{len(chosen) - len(missed)} of {len(chosen)} noticed (of {len(found)} guards)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
