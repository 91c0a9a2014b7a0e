"""`quizgen` as a process, with a log folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from quizgen.log.records import read_lines

BANK = str(Path(__file__).parent / "bank")


def quizgen(*arguments: str, typed: str = "", cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QUIZGEN_LOGS": str(cwd / "logs"), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-m", "quizgen", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, (done.stdout[-2000:], done.stderr)
    assert "Traceback" not in done.stderr
    return done


def log_of(path: Path) -> list[dict[str, object]]:
    return [line for _, line in read_lines(path.read_bytes()) if line]


def types(path: Path) -> list[object]:
    return [line["type"] for line in log_of(path)]
