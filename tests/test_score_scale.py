"""Who does the work must not show: one process, several, a cluster, any order; every line is somebody's, and one's alone;
and memory stays flat.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path

import made_log
import pytest

from quizgen.cli import run
from quizgen.scoring.processes import ProcessPool
from quizgen.scoring.score_logs import RunResult, WorkerLines


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank, and a log of 40 candidates in sessions."""
    folder = tmp_path_factory.mktemp("scale")
    made_log.bank(folder / "bank")
    made_log.write_log(folder / "log.jsonl", 40)
    return folder


def scored(work: Path, log: str, form: str, *more: str) -> bytes:
    out = work / f"out.{form}"
    done = run(["score", str(work / log), "--bank", str(work / "bank"), "--format", form, "-o", str(out), *more])
    assert done == 0
    return out.read_bytes()


@cache
def alone(work: Path, form: str) -> bytes:
    """The report of one process over the log as it was written."""
    return scored(work, "log.jsonl", form)


@pytest.mark.parametrize(("form", "workers"), [("jsonl", "2"), ("html", "2"), ("json", "6")])
def test_workers_write_the_same_bytes(work: Path, form: str, workers: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert scored(work, "log.jsonl", form, "--workers", workers) == alone(work, form)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("form", ["json", "csv", "xapi"])
def test_shuffled_lines_write_the_same_bytes(work: Path, form: str) -> None:
    """Where every response has its time, neither the order of the lines nor the name of the file shows."""
    lines = (work / "log.jsonl").read_text().splitlines()
    random.Random(3).shuffle(lines)
    (work / "shuffled.jsonl").write_text("\n".join(lines) + "\n")
    assert scored(work, "shuffled.jsonl", form) == alone(work, form)


# -- memory -------------------------------------------------------------------------------------

# The high-water mark of this program alone: what getrusage gives is inherited from the process that forked it.
PEAK = """
import sys
from quizgen.cli import run
assert run(sys.argv[1:]) == 0
print(next(int(line.split()[1]) // 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak(work: Path, log: Path) -> int:
    """The largest resident size of a run, in MB."""
    command = [sys.executable, "-c", PEAK, "score", log, "--bank", work / "bank", "-o", work / "peak.txt"]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a program's own peak")
def test_memory_stays_flat(work: Path, tmp_path: Path) -> None:
    """Once what is remembered of responses is full, three times the log takes hardly more memory, and under 150 MB."""
    made_log.write_log(tmp_path / "a.jsonl", 200)
    made_log.write_log(tmp_path / "b.jsonl", 600)
    small, large = peak(work, tmp_path / "a.jsonl"), peak(work, tmp_path / "b.jsonl")
    assert large < 150
    assert large < 1.1 * small


# -- a cluster ----------------------------------------------------------------------------------

Cluster = tuple[str, list[subprocess.Popen[bytes]]]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A real scheduler and, behind it in the list, two worker processes on loopback; ended by process id."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install quizgen[dask]")
    dask = shutil.which("dask", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if dask is None:
        pytest.skip("the dask command is not on the path")
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    begin = [dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    worker = [dask, "worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    started = [subprocess.Popen(command, **quiet) for command in (begin, worker, worker)]
    try:
        with distributed.Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)  # a busy machine starts one in more than a test's own limit
        yield address, started
    finally:
        for process in started:
            process.kill()
            process.wait(10)


def killing(monkeypatch: pytest.MonkeyPatch, processes: list[subprocess.Popen[bytes]], block: int) -> None:
    """These processes are killed when the table gets its block of that number, from 1; the log is cut into a dozen."""
    monkeypatch.setattr("quizgen.scoring.log_files.MAX_BLOCK_BYTES", 1 << 16)
    add, blocks = RunResult.add_block_results, count(1)

    def counting(*arguments: object) -> None:
        if next(blocks) == block:
            for process in processes:
                process.kill()
        add(*arguments)

    monkeypatch.setattr(RunResult, "add_block_results", counting)


def lost_cluster_message(work: Path, address: str, capsys: pytest.CaptureFixture[str]) -> str:
    arguments = ["score", str(work / "log.jsonl"), "--bank", str(work / "bank"), "--scheduler", address]
    assert run(arguments) == 3
    return capsys.readouterr().err


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_writes_the_same_bytes_and_one_without_workers_says_so(
    work: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of two workers is killed while blocks are under way, and the other one in the run behind it: the end is a line,
    not a wait."""
    address, (_, first, second) = cluster
    with monkeypatch.context() as patched:
        killing(patched, [first], 3)
        assert scored(work, "log.jsonl", "json", "--scheduler", address) == alone(work, "json")
    assert first.wait(10) != 0
    monkeypatch.setattr("quizgen.scoring.processes.MAX_DASK_WAIT_SECONDS", 5)
    killing(monkeypatch, [second], 1)
    said = lost_cluster_message(work, address, capsys)
    assert f"the Dask cluster at {address} was lost: it has no workers any more; restart it and score again" in said


@pytest.mark.slow
def test_a_cluster_without_its_scheduler_says_so(
    work: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("quizgen.scoring.processes.MAX_DASK_WAIT_SECONDS", 5)
    address, processes = cluster
    killing(monkeypatch, processes[:1], 1)
    assert "was lost: its scheduler is gone; restart it" in lost_cluster_message(work, address, capsys)


def test_no_scheduler_is_said(work: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: pip install quizgen[dask]")
    monkeypatch.setattr("quizgen.scoring.processes.MAX_DASK_WAIT_SECONDS", 1)
    address = f"tcp://127.0.0.1:{free_port()}"
    assert f"no Dask scheduler with workers at {address}" in lost_cluster_message(work, address, capsys)


def test_every_line_is_of_one_share() -> None:
    """Also a line without an item, one that is no JSON, and one whose response speaks of items."""
    shares = 3
    texts = ["", "no json", '{"item": 3}', '{"type": "session"}', '{"item": "\\ud800"}']
    texts.append('{"item": "x", "response": "an \\"item\\": \\"y\\""}')
    rows = ({"item": item, "response": str(n)} for n in range(400) for item in (f"i{n % 40}", "everybody"))
    texts += map(json.dumps, rows)
    known = {f"i{n}": n % shares for n in range(30)} | {"everybody": -1}
    for text in texts:
        assert sum(WorkerLines(n, shares, known).is_own_line(text) for n in range(shares)) == 1
        assert WorkerLines().is_own_line(text)
    mine = Counter(text for text in texts if "everybody" in text and WorkerLines(0, shares, known).is_own_line(text))
    assert 400 / shares / 1.4 < mine.total() < 400 / shares * 1.4


def _refusing(number: int) -> int:
    if number == 3:
        raise PermissionError(f"no {number}")
    return number * number


@pytest.mark.skipif(not ProcessPool.can_fork(), reason="this platform cannot fork")
def test_what_a_worker_could_not_read_is_raised_where_it_is_waited_for() -> None:
    """What came before it is there, in the order of the arguments."""
    results = ProcessPool(2).ordered_call_results(_refusing, ((n,) for n in range(6)))
    assert list(islice(results, 3)) == [0, 1, 4]
    with pytest.raises(PermissionError, match="no 3"):
        next(results)
