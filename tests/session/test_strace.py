"""The real process, killed or failed by the kernel at each call that it makes on its log.

strace injects a SIGKILL or an errno at the n-th write, fsync, open or lock of the log file; needs
strace and the right to trace.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from terminal.process import BANK, log_of, quizgen

TYPED = "A\n" * 4


def traced() -> bool:
    """strace is here and may trace."""
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False).returncode == 0


pytestmark = [
    pytest.mark.skipif(not traced(), reason="strace is not installed, or tracing is not allowed here"),
    pytest.mark.slow,
]

FAULTS = [
    *((call, f"signal=KILL:when={n}") for call in ("write", "fsync") for n in (1, 4)), ("flock", "signal=KILL:when=1"),
    ("write", "error=ENOSPC:when=4"), ("fsync", "error=EIO:when=4"), ("openat", "error=EACCES:when=1"),
    ("flock", "error=ENOLCK:when=1"), ("flock", "error=EWOULDBLOCK:when=1"),
]  # fmt: skip


def mock(folder: Path, *arguments: str, inject: tuple[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """`quizgen mock` over a pipe, under strace where something is injected."""
    command = [sys.executable, "-m", "quizgen", "mock", *arguments]
    if inject is not None:
        call, what = inject
        path = str(folder / "s.jsonl")
        command = ["strace", "-f", "-o", os.devnull, "-P", path, "-e", f"inject={call}:{what}", *command]
    return subprocess.run(command, input=TYPED, capture_output=True, text=True, cwd=folder, check=False, timeout=120)


@pytest.mark.parametrize(("call", "what"), FAULTS, ids=lambda v: v)
def test_nothing_acknowledged_is_lost(tmp_path: Path, log: Path, call: str, what: str) -> None:
    path = str(log)
    arguments = (BANK, "--items", "4", "--kind", "choice", "--seed", "s", "--log", path)
    done = mock(tmp_path, *arguments, inject=(call, what))
    assert "Traceback" not in done.stderr
    shown = done.stdout.split("NOT SAVED")[0]
    lines = log_of(log) if log.exists() else []
    assert len([line for line in lines if line["type"] == "response"]) >= shown.count("Recorded")
    if not any(line["type"] == "end" for line in lines):
        quizgen("mock", *(("--resume", path) if lines else arguments), typed=TYPED, cwd=tmp_path)
    assert len({line["item"] for line in log_of(log) if line["type"] == "response"}) == 4
    quizgen("score", path, "--format", "jsonl", cwd=tmp_path)
