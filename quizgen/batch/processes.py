"""Several processes of this machine. What they return is taken in the order of the input, so the
report has the same bytes as one process gives."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from threading import Thread
from typing import Any, TypeVar

from quizgen.batch.job import Job
from quizgen.batch.mapping import Mapped, Mapper
from quizgen.intake.sources import Block
from quizgen.listing import whole
from quizgen.refusals import Unreadable

T = TypeVar("T")

AHEAD = 3  # tasks waiting for each worker
MANY = 16  # items to make ready for which it is worth to start processes
_NAMED = re.compile(rb'"item"\s*:\s*"([^"\\]+)"')

_mapper: Mapper | None = None  # one for each worker process


def _begin(job: Job | None = None) -> None:
    global _mapper
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # what the command does then is not for its workers
    Thread(target=_end_with_parent, daemon=True).start()
    if job is not None:
        _mapper = Mapper(job)


def _end_with_parent() -> None:
    """Killed outright, a parent cannot end its workers: they would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _map(block: Block) -> Mapped:
    assert _mapper is not None
    return _mapper.map(block)


def _prepared(name: str) -> object:
    assert _mapper is not None
    return _mapper.job.items[name].prepare()


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

    def map_blocks(self, job: Job, blocks: Iterable[Block]) -> Iterator[Mapped]:
        """The items of the first blocks are made ready by all workers together, before those that score part from
        here: else each of them would make all of them ready for itself."""
        rest = iter(blocks)
        first = list(islice(rest, self.workers * AHEAD))
        named = [name.decode("ascii", "replace") for block in first for name in _NAMED.findall(block.text())]
        items = {name: whole(job.items[name]) for name in dict.fromkeys(named) if name in job.items}
        if len(items) >= MANY:
            arguments = ((name,) for name in items)
            for item, prepared in zip(items.values(), self.call(_prepared, arguments, job), strict=True):
                item.take(prepared)
        yield from self.call(_map, ((b,) for b in chain(first, rest)), job)

    def call(
        self, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]], job: Job | None = None
    ) -> Iterator[T]:
        with ProcessPoolExecutor(self.workers, self._context, _begin, (job,)) as pool:
            yield from self._in_order(pool, function, arguments)

    def close(self) -> None:
        """Each stage has ended its own processes."""

    def _in_order(
        self, pool: ProcessPoolExecutor, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]
    ) -> Iterator[T]:
        """Results in the order of the arguments, with few tasks in flight so that memory stays flat."""
        rest = iter(arguments)
        waiting: deque[Future[T]] = deque()
        try:
            waiting.extend(pool.submit(function, *a) for a in islice(rest, self.workers * AHEAD))
            while waiting:
                result = waiting.popleft().result()
                waiting.extend(pool.submit(function, *a) for a in islice(rest, 1))
                yield result
        except BrokenProcessPool:
            raise Unreadable(
                "a worker process was killed (was memory short?); the report is not done; use fewer --workers"
            ) from None
