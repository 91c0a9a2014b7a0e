"""A Dask cluster: the same functions on other machines, their results taken in the order of the input.

Blocks and partitions travel with their bytes, so workers need quizgen and nothing of our files. A
worker that dies costs only its tasks, which the scheduler gives to another: each is a function of
its arguments, so the report has the same bytes.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import islice
from typing import Any, TypeVar

from quizgen.batch.mapping import Job, Mapped, Mapper
from quizgen.intake.sources import Block, Unreadable

T = TypeVar("T")

AHEAD = 3  # tasks waiting for each thread of the cluster
WAIT = 15  # seconds to reach the scheduler

# What a worker's thread learnt about responses; a new job starts anew.
_local = threading.local()


def _same(job: Job) -> Job:
    return job


def _map(job: Job, block: Block) -> Mapped:
    if getattr(_local, "job", None) is not job:
        _local.job, _local.mapper = job, Mapper(job)
    mapper: Mapper = _local.mapper
    return mapper.map(block)


class Cluster:
    """The workers of one scheduler."""

    in_place = False

    def __init__(self, address: str) -> None:
        try:
            # Not imported by name: the extra may be absent, and it has no types.
            distributed: Any = import_module("distributed")
        except ImportError:
            raise Unreadable("--scheduler needs Dask; install quizgen[dask]") from None
        try:
            self._client: Any = distributed.Client(address, timeout=WAIT, set_as_default=False)
            self._client.wait_for_workers(1, timeout=WAIT)
        except (OSError, TimeoutError, ValueError) as error:
            raise Unreadable(
                f"no Dask scheduler with workers at {address} ({type(error).__name__}); start both, or leave it out"
            ) from None

    def map_blocks(self, job: Job, blocks: Iterable[Block]) -> Iterator[Mapped]:
        # A task, not scattered data: should its worker die, it is made again elsewhere.
        sent = self._client.submit(_same, job, pure=False)
        return self._in_order(_map, ((sent, block) for block in blocks))

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
            result: T = first.result()
            first.release()
            waiting.extend(self._submit(function, a) for a in islice(rest, 1))
            yield result

    def _submit(self, function: Callable[..., T], arguments: tuple[Any, ...]) -> Any:
        return self._client.submit(function, *arguments, pure=False)
