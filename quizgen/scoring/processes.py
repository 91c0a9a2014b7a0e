"""Several processes of this machine, or a Dask cluster. What they return is taken in the order of the input, so the
report has the same bytes as one process gives.

To the cluster blocks and partitions travel with their bytes, so workers need quizgen and nothing of our files. A
worker that dies costs only its tasks, which the scheduler gives to another: each is a function of its arguments.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain, islice
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from quizgen.model import Item
from quizgen.scoring.log_files import Block
from quizgen.scoring.score_lines import NAMED, BlockScorer, Job, ScoredBlock, Share
from quizgen.source.problems import Unreadable

T = TypeVar("T")

AHEAD = 3  # tasks waiting for each worker, and for each thread of a cluster
FEW = 16  # parts of a kind's lines: an item with more than one of them is everybody's
SHARES = 4  # workers at most that read the same block


def _work(tasks: Connection, parents: Sequence[Connection], function: Callable[..., object]) -> None:
    """What a worker does until nobody sends it anything any more: it ends with its parent, however that ends, for it
    holds none of the `parents` ends of pipes that a fork hands on."""
    for end in parents:
        end.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever types it means the command, which ends its workers
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # what the command does then is not for its workers
    try:
        while True:
            arguments = tasks.recv()
            try:
                result: object = function(*arguments)
            except (Unreadable, OSError) as error:  # told by the command, as its own would be
                result = error
            tasks.send(result)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


class Processes:
    """Worker processes: started for each stage, gone at its end."""

    in_place = True

    def __init__(self, workers: int) -> None:
        """A forked worker has the bank already; `possible` says where there is no fork."""
        self.workers = workers
        self._context = multiprocessing.get_context("fork")

    @staticmethod
    def possible() -> bool:
        return "fork" in multiprocessing.get_all_start_methods()

    def score_blocks(self, job: Job, blocks: Iterable[Block]) -> Iterator[Sequence[ScoredBlock]]:
        """Each block goes to several workers, who have items of their own; where there are many workers, blocks
        go to some of them in turn."""
        rest = iter(blocks)
        first = list(islice(rest, self.workers * AHEAD))
        several = max(n for n in range(1, SHARES + 1) if self.workers % n == 0)
        known = owners((block.text().decode("utf-8", "replace") for block in first), job.items, several)
        work = [BlockScorer(job, Share(n % several, several, known)).score for n in range(self.workers)]
        results = self._in_order(work, ((block,) for block in chain(first, rest) for _ in range(several)))
        while parts := list(islice(results, several)):
            yield parts

    def call(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        return self._in_order([function] * self.workers, arguments)

    def _in_order(self, functions: Sequence[Callable[..., T]], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        """Results in the order of the arguments, which go to the functions in turn, each in a process of its own."""
        pipes: list[Connection] = []
        processes = []
        try:
            for function in functions:
                ours, theirs = self._context.Pipe()
                pipes.append(ours)
                process = self._context.Process(target=_work, args=(theirs, tuple(pipes), function), daemon=True)
                process.start()
                theirs.close()
                processes.append(process)
            for result in _in_turn(pipes, arguments):
                if isinstance(result, Exception):
                    raise result
                yield result
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise Unreadable(
                "a worker process was killed (was memory short?); the report is not done; use fewer --workers"
            ) from None
        finally:
            for process in processes:
                process.kill()  # one that is still starting may lose a signal that it could handle
                process.join()
            for pipe in pipes:
                pipe.close()


def _in_turn(pipes: Sequence[Connection], arguments: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """What workers make of the arguments, which go to them in turn. Few are on their way, so that memory stays flat,
    and a worker is sent the next when it has given the last: neither side can wait for ever for the other to read."""
    rest, size = iter(arguments), len(pipes)
    tasks: list[deque[tuple[Any, ...]]] = [deque() for _ in pipes]
    results: list[deque[Any]] = [deque() for _ in pipes]
    idle = set(range(size))
    given = taken = 0
    while True:
        for task in islice(rest, taken + size * AHEAD - given):
            tasks[given % size].append(task)
            given += 1
        for worker in [worker for worker in idle if tasks[worker]]:
            pipes[worker].send(tasks[worker].popleft())
            idle.remove(worker)
        if results[taken % size]:
            yield results[taken % size].popleft()
            taken += 1
        elif taken == given:
            return
        else:
            ready = wait([pipes[worker] for worker in range(size) if worker not in idle])
            for worker in [worker for worker in range(size) if pipes[worker] in ready]:
                results[worker].append(pipes[worker].recv())
                idle.add(worker)


def owners(texts: Iterable[str], items: Mapping[str, Item], shares: int) -> dict[str, int]:
    """Whose the items of some lines are: of each kind, which costs what it costs, about the same number of lines."""
    lines: dict[str, Counter[str]] = {}
    for text in texts:
        for name in NAMED.findall(text):
            if name in items:
                lines.setdefault(items[name].kind, Counter())[name] += 1
    found: dict[str, int] = {}
    for counted in lines.values():
        loads = [0] * shares
        for name, count in sorted(counted.items(), key=lambda one: (-one[1], one[0])):
            if count * FEW > counted.total():
                found[name] = -1
            else:
                found[name] = least = loads.index(min(loads))
                loads[least] += count
    return found


WAIT = 15  # seconds to reach the scheduler, and to wait for another worker when all are gone

# What a worker's thread learnt about responses; a new job starts anew.
_local = threading.local()


def _same(sent: bytes) -> bytes:
    return sent


def packed(job: Job) -> bytes:
    """A job as it travels. Packed before it is used: a worker that passed on a job it was using could
    find it changed halfway, and the cluster would wait for it for ever."""
    data: bytes = import_module("cloudpickle").dumps(job)
    return data


def scored(sent: bytes, block: Block) -> ScoredBlock:
    """What a worker does with a packed job. Each thread unpacks one of its own: scoring learns without a lock."""
    if getattr(_local, "sent", None) != sent:
        _local.sent, _local.scorer = sent, BlockScorer(import_module("cloudpickle").loads(sent))
    scorer: BlockScorer = _local.scorer
    return scorer.score(block)


class Cluster:
    """The workers of one scheduler."""

    in_place = False

    def __init__(self, address: str) -> None:
        try:
            # Not imported by name: the extra may be absent, and it has no types.
            distributed: Any = import_module("distributed")
        except ImportError:
            raise Unreadable("--scheduler needs Dask; install quizgen[dask]") from None
        self._address = address
        self._lost = (distributed.CancelledError, OSError)
        self._killed: type[Exception] = distributed.KilledWorker
        # What it logs of a lost connection is a page of its own frames; `_gone` says it in a line.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            self._client: Any = distributed.Client(address, timeout=WAIT, set_as_default=False)
            self._client.wait_for_workers(1, timeout=WAIT)
        except (OSError, TimeoutError, ValueError) as error:
            raise Unreadable(
                f"no Dask scheduler with workers at {address} ({type(error).__name__}); start both, or leave it out"
            ) from None

    def score_blocks(self, job: Job, blocks: Iterable[Block]) -> Iterator[Sequence[ScoredBlock]]:
        # A task, not scattered data: should its worker die, it is made again elsewhere.
        sent = self._client.submit(_same, packed(job), pure=False)
        return ([done] for done in self._in_order(scored, ((sent, block) for block in blocks)))

    def call(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        return self._in_order(function, arguments)

    def close(self) -> None:
        self._client.close()

    def _in_order(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        rest = iter(arguments)
        ahead = AHEAD * max(1, sum(self._client.nthreads().values()))
        waiting = deque(self._submit(function, a) for a in islice(rest, ahead))
        while waiting:
            first = waiting.popleft()
            result: T = self._result(first)
            first.release()
            waiting.extend(self._submit(function, a) for a in islice(rest, 1))
            yield result

    def _result(self, future: Any) -> Any:
        """What a task gave. Raises Unreadable where nobody is left to work on it."""
        empty = 0
        while empty < 2:
            try:
                return future.result(timeout=WAIT)
            except TimeoutError:
                empty = 0 if self._workers() else empty + 1
            except self._lost:
                raise self._gone("its scheduler is gone") from None
            except self._killed:
                raise self._gone("several workers died over the same lines") from None
        raise self._gone("it has no workers any more")

    def _workers(self) -> int:
        try:
            return len(self._client.nthreads())
        except self._lost:
            return 0

    def _gone(self, why: str) -> Unreadable:
        return Unreadable(f"the Dask cluster at {self._address} was lost: {why}; start it anew and score again")

    def _submit(self, function: Callable[..., T], arguments: tuple[Any, ...]) -> Any:
        return self._client.submit(function, *arguments, pure=False)
