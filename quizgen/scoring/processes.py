"""Several processes of this machine. What they return is taken in the order of the input, so the
report has the same bytes as one process gives."""

from __future__ import annotations

import multiprocessing
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from quizgen.model import Item
from quizgen.scoring.log_files import Block
from quizgen.scoring.score_lines import NAMED, BlockScorer, Job, ScoredBlock, Share
from quizgen.source.problems import Unreadable

T = TypeVar("T")

AHEAD = 3  # tasks waiting for each worker
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
        """Results in the order of the arguments, which go to the functions in turn, each in a process of its own. Few
        are on their way, so that memory stays flat, and a process is sent the next when it has given the last:
        neither side can wait for ever for the other to read."""
        rest, size = iter(arguments), len(functions)
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
            tasks: list[deque[tuple[Any, ...]]] = [deque() for _ in pipes]
            results: list[deque[T]] = [deque() for _ in pipes]
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
                    result = results[taken % size].popleft()
                    taken += 1
                    if isinstance(result, Exception):
                        raise result
                    yield result
                elif taken == given:
                    return
                else:
                    ready = wait([pipes[worker] for worker in range(size) if worker not in idle])
                    for worker, pipe in enumerate(pipes):
                        if pipe in ready:
                            results[worker].append(pipe.recv())
                            idle.add(worker)
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
