"""Scores on several processes of this machine, or on a Dask cluster. Results are returned in the order of the input, so
that the report has the same bytes as from one process.

Blocks go to the cluster with their bytes, so its workers need quizgen but none of our files. If a worker dies, the
scheduler gives its tasks to another one: each task depends only on its arguments."""

from __future__ import annotations

import logging
import multiprocessing
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from itertools import chain, islice
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from quizgen.model import Item
from quizgen.scoring.log_files import LogBlock
from quizgen.scoring.score_logs import LINE_ITEM_ID_PATTERN, BlockScorer, Executor, ScoredBlock, ScoringJob, WorkerLines
from quizgen.source.problems import Unreadable

T = TypeVar("T")

MAX_TASKS_PER_THREAD = 3  # tasks waiting for each worker, and for each thread of a cluster
MAX_LINE_SHARE_OF_ITEM_FOR_ONE_WORKER = 1 / 16  # of the lines of its kind; an item with more is shared by all workers
MAX_WORKERS_PER_BLOCK = 4  # workers that read the same block


def _run_tasks_in_worker(
    task_pipe: Connection, parent_pipes: Sequence[Connection], function: Callable[..., object]
) -> None:
    """Runs `function` on each task that arrives and sends the result, until the far end of `task_pipe` is closed. First
    closes the pipe ends of its parent (`parent_pipes`) that it inherited, so that it ends when its parent does."""
    for end in parent_pipes:
        end.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the command, which ends its workers
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # the command's own handlers are not for its workers
    try:
        while True:
            arguments = task_pipe.recv()
            try:
                result: object = function(*arguments)
            except (Unreadable, OSError) as error:  # reported by the command, as its own errors are
                result = error
            task_pipe.send(result)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


class ProcessPool(Executor):
    """Forked worker processes, started for each stage and stopped after it."""

    def __init__(self, workers: int) -> None:
        """`workers` is the number of processes. A forked worker already has the bank in memory."""
        self.workers = workers
        self._fork_context = multiprocessing.get_context("fork")

    @staticmethod
    def can_fork() -> bool:
        """Whether this system can fork processes."""
        return "fork" in multiprocessing.get_all_start_methods()

    def score_blocks_in_parts(self, job: ScoringJob, blocks: Iterable[LogBlock]) -> Iterator[Sequence[ScoredBlock]]:
        """Yields the scored parts of each block, in order. Several workers score the same block, each its own items; if
        there are many workers, groups of them take turns."""
        tail = iter(blocks)
        head = list(islice(tail, self.workers * MAX_TASKS_PER_THREAD))
        size = max(n for n in range(1, MAX_WORKERS_PER_BLOCK + 1) if self.workers % n == 0)
        head_texts = (block.read_bytes().decode("utf-8", "replace") for block in head)
        owners = worker_or_shared_by_item(head_texts, job.items, size)
        work = [BlockScorer(job, WorkerLines(n % size, size, owners)).score_block for n in range(self.workers)]
        results = self._results_of_processes(work, ((block,) for block in chain(head, tail) for _ in range(size)))
        while parts := list(islice(results, size)):
            yield parts

    def ordered_call_results(self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        return self._results_of_processes([function] * self.workers, arguments)

    def _results_of_processes(
        self, functions: Sequence[Callable[..., T]], arguments: Iterable[tuple[Any, ...]]
    ) -> Iterator[T]:
        """Yields results in the order of the arguments, which go to the functions in turn; each function runs in a
        process of its own."""
        pipes: list[Connection] = []
        processes = []
        try:
            for function in functions:
                parent_end, worker_end = self._fork_context.Pipe()
                pipes.append(parent_end)
                arguments_of_worker = (worker_end, tuple(pipes), function)
                process = self._fork_context.Process(target=_run_tasks_in_worker, args=arguments_of_worker, daemon=True)
                process.start()
                worker_end.close()
                processes.append(process)
            for result in _results_in_task_order(pipes, arguments):
                if isinstance(result, Exception):
                    raise result
                yield result
        except (EOFError, BrokenPipeError, ConnectionResetError):
            message = "a worker process was killed, perhaps for lack of memory; there is no report; use fewer --workers"
            raise Unreadable(message) from None
        finally:
            for process in processes:
                process.kill()  # a process that is still starting may ignore a milder signal
                process.join()
            for pipe in pipes:
                pipe.close()


def _results_in_task_order(pipes: Sequence[Connection], arguments: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """Yields results in the order of the arguments, which go to the workers in turn. Only a few tasks are sent ahead,
    to limit memory; a worker gets its next task after its last result was read, so that neither side blocks the
    other."""
    task_iterator, size = iter(arguments), len(pipes)
    tasks: list[deque[tuple[Any, ...]]] = [deque() for _ in pipes]
    results: list[deque[Any]] = [deque() for _ in pipes]
    idle_workers = set(range(size))
    sent_count = read_count = 0
    while True:
        for task in islice(task_iterator, read_count + size * MAX_TASKS_PER_THREAD - sent_count):
            tasks[sent_count % size].append(task)
            sent_count += 1
        for worker in [worker for worker in idle_workers if tasks[worker]]:
            pipes[worker].send(tasks[worker].popleft())
            idle_workers.remove(worker)
        if results[read_count % size]:
            yield results[read_count % size].popleft()
            read_count += 1
        elif read_count == sent_count:
            return
        else:
            ready_pipes = wait([pipes[worker] for worker in range(size) if worker not in idle_workers])
            for worker in [worker for worker in range(size) if pipes[worker] in ready_pipes]:
                results[worker].append(pipes[worker].recv())
                idle_workers.add(worker)


def worker_or_shared_by_item(log_lines: Iterable[str], items: Mapping[str, Item], worker_count: int) -> dict[str, int]:
    """For each item id in log lines `log_lines`, the number of the worker that scores it, or -1 if it has so many lines
    that all workers share it. Each of the `worker_count` workers gets about the same number of lines of each kind of
    item."""
    lines: dict[str, Counter[str]] = {}
    for text in log_lines:
        for name in LINE_ITEM_ID_PATTERN.findall(text):
            if name in items:
                lines.setdefault(items[name].kind, Counter())[name] += 1
    workers: dict[str, int] = {}
    for counts in lines.values():
        loads = [0] * worker_count
        for name, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
            if count > counts.total() * MAX_LINE_SHARE_OF_ITEM_FOR_ONE_WORKER:
                workers[name] = -1
            else:
                workers[name] = worker = loads.index(min(loads))
                loads[worker] += count
    return workers


MAX_DASK_WAIT_SECONDS = 15  # seconds to reach the scheduler, and to wait for a new worker when all are gone

# Memory of a worker's thread about responses; a new job clears it.
_worker_thread_state = threading.local()


def score_block_by_packed_job(packed_job: bytes, block: LogBlock) -> ScoredBlock:
    """The scored block, by the job packed in `packed_job`. Each thread unpacks its own job, so that scoring needs no
    lock."""
    if getattr(_worker_thread_state, "sent", None) != packed_job:
        _worker_thread_state.scorer = BlockScorer(import_module("cloudpickle").loads(packed_job))
        _worker_thread_state.sent = packed_job
    scorer: BlockScorer = _worker_thread_state.scorer
    return scorer.score_block(block)


class DaskCluster(Executor):
    """Scores on the workers of a Dask scheduler. Raises Unreadable if it cannot be reached."""

    def __init__(self, address: str) -> None:
        try:
            # Not imported by name: the extra may be absent, and it has no types.
            distributed: Any = import_module("distributed")
        except ImportError:
            raise Unreadable("--scheduler needs Dask; install quizgen[dask]") from None
        self._scheduler_url = address
        self._lost_errors = (distributed.CancelledError, OSError)
        self._killed_error: type[Exception] = distributed.KilledWorker
        # Its log of a lost connection is a page of its own stack frames; `_scored_block_of_task` says it in one line.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            self._dask_client: Any = distributed.Client(address, timeout=MAX_DASK_WAIT_SECONDS, set_as_default=False)
            self._dask_client.wait_for_workers(1, timeout=MAX_DASK_WAIT_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            fault = f"no Dask scheduler with workers at {address} ({type(error).__name__})"
            raise Unreadable(f"{fault}; start both, or leave it out") from None

    def score_blocks_in_parts(self, job: ScoringJob, blocks: Iterable[LogBlock]) -> Iterator[Sequence[ScoredBlock]]:
        # The job is packed before its first use: a worker that passed on a job in use could send it half changed, and
        # the cluster would wait for it forever. It is a task, not scattered: if its worker dies, the task runs again.
        future = self._dask_client.submit(bytes, import_module("cloudpickle").dumps(job), pure=False)
        block_iterator = iter(blocks)

        def submitted_tasks(count: int) -> list[Any]:
            copies = (replace(block, line_bytes=block.read_bytes()) for block in islice(block_iterator, count))
            return [self._dask_client.submit(score_block_by_packed_job, future, block, pure=False) for block in copies]

        futures = deque(submitted_tasks(MAX_TASKS_PER_THREAD * max(1, sum(self._dask_client.nthreads().values()))))
        while futures:
            result = self._scored_block_of_task(futures[0])
            futures.popleft().release()
            futures += submitted_tasks(1)
            yield [result]

    def close(self) -> None:
        self._dask_client.close()

    def _scored_block_of_task(self, future: Any) -> ScoredBlock:
        """The result of a task. Raises Unreadable if no worker is left."""
        empty_count = 0  # how many times in a row there were no workers
        reason = "it has no workers any more"
        while empty_count < 2:
            try:
                result: ScoredBlock = future.result(timeout=MAX_DASK_WAIT_SECONDS)
                return result
            except TimeoutError:
                empty_count += 1
                with suppress(*self._lost_errors):
                    empty_count = 0 if self._dask_client.nthreads() else empty_count
            except self._lost_errors:
                reason, empty_count = "its scheduler is gone", 2
            except self._killed_error:
                reason, empty_count = "several workers died over the same lines", 2
        raise Unreadable(f"the Dask cluster at {self._scheduler_url} was lost: {reason}; restart it and score again")
