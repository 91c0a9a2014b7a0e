"""A run with workers that is ended from outside, or by a disk that fills up: one line says so, nothing of it goes on, and
nothing of it is left but what SIGKILL leaves.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import made_log
import pytest

from quizgen.scoring import processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank, and a log that two workers score for some seconds."""
    folder = tmp_path_factory.mktemp("ended")
    made_log.bank(folder / "bank")
    made_log.write_log(folder / "log.jsonl", 1_500)
    return folder


def score(work: Path, folder: Path, *more: str, **how: object) -> subprocess.Popen[str]:
    """A report of the log, run in a folder, its working files below `scratch`."""
    (folder / "scratch").mkdir()
    arguments = ["score", str(work / "log.jsonl"), "--bank", str(work / "bank"), "-o", "report", *more]
    environment = {**os.environ, "TMPDIR": str(folder / "scratch"), "PYTHONDONTWRITEBYTECODE": "1"}
    piped = {"stderr": subprocess.PIPE, "text": True, "cwd": folder, "env": environment, **how}
    return subprocess.Popen([sys.executable, "-m", "quizgen", *arguments], **piped)


@pytest.fixture
def scoring(work: Path, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A run that is at work, and its two workers."""
    with score(work, tmp_path, "--workers", "2") as process:
        soon(lambda: len(workers_of(process.pid)) == 2 and writes_to(process.pid, tmp_path / "scratch"))
        yield process, workers_of(process.pid)
        process.kill()


def writes_to(pid: int, folder: Path) -> bool:
    """Whether a process has a file open in a folder, also one that no name leads to any more."""
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed since it was listed
            if os.readlink(one).startswith(str(folder)):
                return True
    return False


def workers_of(parent: int) -> list[int]:
    listed = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(pid) for pid in listed.read_text().split()] if listed.exists() else []


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def soon(true: Callable[[], bool], seconds: float = 120) -> None:
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, "never came true"
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_ended_puts_everything_away(
    scoring: tuple[subprocess.Popen[str], list[int]], tmp_path: Path, number: signal.Signals
) -> None:
    """Also its workers where it was killed itself."""
    process, workers = scoring
    process.send_signal(number)
    _, told = process.communicate(timeout=120)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert "Traceback" not in told
    soon(lambda: not any(map(running, workers)))
    if number != signal.SIGKILL:
        assert list((tmp_path / "scratch").iterdir()) == []
        assert [p.name for p in tmp_path.iterdir()] == ["scratch"]


def test_a_worker_that_was_killed_is_told_in_a_line(scoring: tuple[subprocess.Popen[str], list[int]]) -> None:
    process, workers = scoring
    os.kill(workers[0], signal.SIGKILL)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "quizgen: a worker process was killed" in told
    assert "fewer --workers" in told
    assert "Traceback" not in told


def _after(seconds: float) -> Iterator[tuple[int]]:
    """No task, but only after some time."""
    time.sleep(seconds)
    yield from ()


@pytest.mark.timeout(60)
def test_a_stage_ends_while_its_workers_are_still_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal that comes while a fork sets itself up is raised in hooks of Python's own, which only print what is
    raised in them: a worker that lost one so was waited for until somebody ended the command."""

    def starting(*arguments: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)

    monkeypatch.setattr(processes, "_run_tasks_in_worker", starting)
    assert list(processes.ProcessPool(2).ordered_call_results(str, _after(1.0))) == []


LIMIT = 200_000  # bytes a file may have: fewer than working files and reports need


@pytest.mark.parametrize(
    ("workers", "form", "told"),
    [
        ("1", "text", "no room for working files; set TMPDIR to a folder with more room"),
        ("2", "text", "no room for working files; set TMPDIR to a folder with more room"),
        ("2", "jsonl", "report: cannot be written (File too large); choose another file"),
    ],
)
def test_a_full_disk_is_told_in_a_line(work: Path, tmp_path: Path, workers: str, form: str, told: str) -> None:
    import resource

    limited = {
        "stdout": subprocess.PIPE,
        "preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)),
    }
    with score(work, tmp_path, "--format", form, "--quiet", "--workers", workers, **limited) as process:
        assert process.communicate(timeout=60) == ("", f"quizgen: {told}\n")
    assert process.returncode == 3
    assert list((tmp_path / "scratch").iterdir()) == []
    assert [p.name for p in tmp_path.iterdir()] == ["scratch"]
