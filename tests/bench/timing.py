"""How the benchmarks measure a piece of work."""

from __future__ import annotations

import time
from collections.abc import Callable


def best(work: Callable[[], object], rounds: int) -> float:
    """Processor seconds of the quickest of some rounds: other work on the machine is not counted."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
