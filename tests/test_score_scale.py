"""Who does the work must not show: one process, several, a cluster, any order; every line is somebody's, and one's alone;
and memory stays flat.
"""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import made_log
import pytest
from shipped import BankOf

from quizgen.cli import run
from quizgen.scoring.processes import ProcessPool, worker_by_item
from quizgen.scoring.response_table import ResponseRow, ResponseTable
from quizgen.scoring.score_lines import WHOLE_LOG_SHARE, WorkShare

FORMATS = ("text", "json", "csv", "matrix", "html", "xapi")


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank, and a log of 60 candidates in sessions."""
    folder = tmp_path_factory.mktemp("scale")
    made_log.bank(folder / "bank")
    made_log.write_log(folder / "log.jsonl", 60)
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


@pytest.mark.parametrize(("form", "workers"), [*((form, "2") for form in (*FORMATS, "jsonl")), ("json", "6")])
def test_several_workers_write_the_same_bytes(
    work: Path, form: str, workers: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert scored(work, "log.jsonl", form, "--workers", workers) == alone(work, form)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("form", FORMATS)
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
from quizgen.scoring import log_files
assert run(sys.argv[1:]) == 0
print(next(int(line.split()[1]) // 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak(work: Path, log: Path) -> int:
    """The largest resident size of a run, in MB."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, "score", str(log), "--bank", str(work / "bank"), "-o", str(work / "peak.txt")],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a program's own peak")
def test_memory_stays_flat(work: Path, tmp_path: Path) -> None:
    """Once what is remembered of responses is full, three times the log takes hardly more memory, and under 150 MB."""
    made_log.write_log(tmp_path / "a.jsonl", 500)
    made_log.write_log(tmp_path / "b.jsonl", 1_500)
    small, large = peak(work, tmp_path / "a.jsonl"), peak(work, tmp_path / "b.jsonl")
    assert large < 150
    assert large < 1.1 * small


# -- a cluster ----------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A real scheduler and, behind it in the list, two worker processes on loopback; ended by process id."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install quizgen[dask]")
    dask = shutil.which("dask", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if dask is None:
        pytest.skip("the dask command is not on the path")
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    log = open(tmp_path / "cluster.log", "wb")  # noqa: SIM115  # closed below
    begin = [[dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]]
    worker = [dask, "worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1"]
    started = [subprocess.Popen(c, stdout=log, stderr=log, cwd=tmp_path) for c in begin]
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    started += [subprocess.Popen(worker, stdout=log, stderr=log, cwd=tmp_path) for _ in range(2)]
    try:
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)  # a busy machine starts one in more than a test's own limit
        yield address, started
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait(10)
        log.close()


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_writes_the_same_bytes(
    work: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two workers is killed while blocks are under way; the report is the same to the byte."""
    monkeypatch.setattr("quizgen.scoring.log_files.MAX_BLOCK_BYTES", 1 << 16)  # the log is cut into a dozen blocks
    address, (_, *workers) = cluster
    assert scored(work, "log.jsonl", "json", "--scheduler", address) == alone(work, "json")
    done = []
    add = ResponseTable.add_block

    def counting(table: ResponseTable, rows: Sequence[ResponseRow], sessions: Sequence[ResponseRow]) -> None:
        done.append(len(rows))
        if len(done) == 3:
            workers[0].kill()
        add(table, rows, sessions)

    monkeypatch.setattr(ResponseTable, "add_block", counting)
    assert scored(work, "log.jsonl", "json", "--scheduler", address) == alone(work, "json")
    assert workers[0].wait(10) != 0


@pytest.mark.slow
@pytest.mark.parametrize(("lost", "told"), [(0, "its scheduler is gone"), (1, "it has no workers any more")])
def test_a_cluster_that_is_lost_is_said(
    work: Path,
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    lost: int,
    told: str,
) -> None:
    """The scheduler or all workers are killed while blocks are under way: the end is a line, not a wait."""
    monkeypatch.setattr("quizgen.scoring.log_files.MAX_BLOCK_BYTES", 1 << 16)
    monkeypatch.setattr("quizgen.scoring.processes.WAIT_SECONDS", 5)
    address, started = cluster
    add = ResponseTable.add_block

    def killing(table: ResponseTable, rows: Sequence[ResponseRow], sessions: Sequence[ResponseRow]) -> None:
        for process in started[1:] if lost else started[:1]:
            process.kill()
        add(table, rows, sessions)

    monkeypatch.setattr(ResponseTable, "add_block", killing)
    arguments = ["score", str(work / "log.jsonl"), "--bank", str(work / "bank"), "--scheduler", address]
    assert run(arguments) == 3
    assert f"the Dask cluster at {address} was lost: {told}; restart it and score again" in capsys.readouterr().err


def test_a_scheduler_that_is_not_there_is_said(
    work: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: pip install quizgen[dask]")
    monkeypatch.setattr("quizgen.scoring.processes.WAIT_SECONDS", 1)
    address = f"tcp://127.0.0.1:{free_port()}"
    assert run(["score", str(work / "log.jsonl"), "--bank", str(work / "bank"), "--scheduler", address]) == 3
    assert f"no Dask scheduler with workers at {address}" in capsys.readouterr().err


ITEM = '  - {{id: {0}, kind: {1}, stem: 1?, key: "yes", distractors: ["no"]}}\n'


def line(item: str, text: str = "yes") -> str:
    return f'{{"item": "{item}", "response": "{text}"}}'


@pytest.mark.parametrize("shares", [2, 3, 4])
def test_every_line_is_of_one_share(shares: int) -> None:
    """Also a line without an item, one that is no JSON, and one whose response speaks of items."""
    strange = [
        "",
        "no json",
        '{"item": 3}',
        '{"type": "session"}',
        line("x", 'an \\"item\\": \\"y\\"'),
        '{"item": "\\ud800"}',
    ]
    texts = [
        *strange,
        *(line(f"i{n % 40}", str(n)) for n in range(400)),
        *(line("everybody", str(n)) for n in range(400)),
    ]
    known = {f"i{n}": n % shares for n in range(30)} | {"everybody": -1}
    for text in texts:
        assert sum(WorkShare(n, shares, known).is_own_line(text) for n in range(shares)) == 1
        assert WHOLE_LOG_SHARE.is_own_line(text)
    mine = Counter(text for text in texts if "everybody" in text and WorkShare(0, shares, known).is_own_line(text))
    assert 400 / shares / 1.4 < mine.total() < 400 / shares * 1.4


def test_each_share_has_as_many_lines_of_every_kind(bank_of: BankOf) -> None:
    """A kind costs what it costs: sixty texts on one side and sixty choices on the other would be no halves. Items
    that are asked for unequally often are dealt by their lines; one that has a tenth of them is everybody's."""
    choices = "".join(ITEM.format(f"c{n}", "choice") for n in range(60))
    texts = "".join(
        f"  - {{id: t{n}, kind: text, stem: 1?, rubric: {{criteria: [{{id: a, accept: [word]}}]}}}}\n"
        for n in range(60)
    )
    bank = bank_of(f"items:\n{choices}{texts}").required_bank
    rng = random.Random(1)
    lines = [line(f"{kind}{rng.choice([rng.randrange(60), rng.randrange(20)])}") for kind in "ct" for _ in range(6_000)]
    lines += [line("c59")] * 700
    known = worker_by_item(["\n".join(lines[:5_000]), "\n".join(lines[5_000:]), line("unknown")], bank.items, 2)
    assert known.pop("c59") == -1
    assert set(known) == {f"{kind}{n}" for kind in "ct" for n in range(60)} - {"c59"}
    for kind in "ct":
        loads = Counter(known[name] for text in lines if (name := text.split('"')[3])[0] == kind and name in known)
        assert abs(loads[0] - loads[1]) < 60


def _refusing(number: int) -> int:
    if number == 3:
        raise PermissionError(f"no {number}")
    return number * number


@pytest.mark.skipif(not ProcessPool.can_fork(), reason="this platform cannot fork")
def test_what_a_worker_could_not_read_is_raised_where_it_is_waited_for() -> None:
    """What came before it is there, in the order of the arguments."""
    results = ProcessPool(2).call_for_each(_refusing, ((n,) for n in range(6)))
    assert list(islice(results, 3)) == [0, 1, 4]
    with pytest.raises(PermissionError, match="no 3"):
        next(results)
