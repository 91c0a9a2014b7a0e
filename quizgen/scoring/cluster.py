"""A Dask cluster: the same functions on other machines, their results taken in the order of the input.

Blocks and partitions travel with their bytes, so workers need quizgen and nothing of our files. A
worker that dies costs only its tasks, which the scheduler gives to another: each is a function of
its arguments, so the report has the same bytes.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from typing import Any, TypeVar

from quizgen.scoring.log_files import Block
from quizgen.scoring.score_lines import BlockScorer, Job, ScoredBlock
from quizgen.source.problems import Unreadable

T = TypeVar("T")

AHEAD = 3  # tasks waiting for each thread of the cluster
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
