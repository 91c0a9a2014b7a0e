"""`quizgen` as a process of its own, with a log folder of its own.

It is forked from a process that has loaded quizgen once, for starting Python takes longer than most of what is asked;
that the command starts from nothing too is what the tests of the wheel, of signals and of terminals see.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from quizgen.__main__ import main
from quizgen.session.session_log import numbered_log_records

ROOT = Path(__file__).parents[2]
BANK = str(Path(__file__).parent / "bank")
WAIT = 180  # seconds; a busy machine takes its time
STREAMS = ("in", "out", "err")

_started = multiprocessing.get_context("forkserver")
sources = sorted(p.relative_to(ROOT).with_suffix("") for p in (ROOT / "quizgen").rglob("*.py") if p.stem[0] != "_")
_started.set_forkserver_preload(["pytest", *(".".join(path.parts) for path in sources)])


def quizgen(
    *arguments: str, typed: str = "", cwd: Path, code: int | None = 0, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The command with these arguments and this standard input; its exit code must be `code`, unless that is None."""
    environment = {**os.environ, "QUIZGEN_LOGS": str(cwd / "logs"), "LC_ALL": "C.UTF-8", **environment}
    with tempfile.TemporaryDirectory() as name:
        files = [Path(name) / stream for stream in STREAMS]
        for file, text in zip(files, (typed, "", ""), strict=True):
            file.write_text(text, encoding="utf-8")
        process = _started.Process(target=_run, args=(arguments, files, cwd, environment))
        process.start()
        process.join(WAIT)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(("quizgen", *arguments), WAIT)
        out, err = (file.read_text(encoding="utf-8", errors="surrogateescape") for file in files[1:])
        done = subprocess.CompletedProcess(("quizgen", *arguments), process.exitcode, out, err)
    assert code in (None, done.returncode), (done.stdout[-2000:], done.stderr)
    assert "Traceback" not in done.stderr
    return done


def started(*arguments: str, typed: str, cwd: Path, until: Callable[[], bool]) -> subprocess.Popen[str]:
    """The command in a Python of its own, once what was typed has come to something."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "quizgen", *arguments]
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=cwd)
    assert process.stdin is not None
    process.stdin.write(typed)
    process.stdin.flush()
    deadline = time.monotonic() + WAIT
    while not until():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


def _run(arguments: tuple[str, ...], files: list[Path], cwd: Path, environment: Mapping[str, str]) -> None:
    """The command in the child: its streams are files, as they may be in a shell."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, file in enumerate(files):
        os.dup2(os.open(file, os.O_RDWR), number)
    sys.argv = [str(ROOT / "quizgen" / "__main__.py"), *arguments]
    with (
        open(0, encoding="utf-8", errors="surrogateescape") as sys.stdin,
        open(1, "w", encoding="utf-8", errors="surrogateescape") as sys.stdout,
        open(2, "w", encoding="utf-8", errors="backslashreplace") as sys.stderr,
    ):
        main()


def write_log(path: Path, *lines: dict[str, object]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def log_of(path: Path) -> list[dict[str, object]]:
    return [line for _, line in numbered_log_records(path.read_bytes()) if line]


def types(path: Path) -> list[object]:
    return [line["type"] for line in log_of(path)]
