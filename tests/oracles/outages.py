"""A job that computes, writes checkpoints and fails: drawn failure by failure, or summed exactly."""

from __future__ import annotations

import math
import random
from collections.abc import Callable


def makespan(work: float, tau: float, delta: float, restart: float, mtbf: float, stream: random.Random) -> float:
    """Time until `work` is done; failures may strike computing, writing and restarting."""
    now = done = 0.0
    failure = stream.expovariate(1 / mtbf)
    while done < work:
        end = now + tau + delta
        if failure >= end:
            now, done = end, done + tau
            continue
        now = failure
        while True:  # a restart that is struck begins again
            failure = now + stream.expovariate(1 / mtbf)
            if failure >= now + restart:
                now += restart
                break
            now = failure
    return now


def mean_makespan(
    runs: int, work: float, tau: float, delta: float, restart: float, mtbf: float, seed: str
) -> tuple[float, float]:
    """The mean over runs and its standard error."""
    stream = random.Random(seed)
    times = [makespan(work, tau, delta, restart, mtbf, stream) for _ in range(runs)]
    mean = sum(times) / runs
    spread = math.sqrt(sum((time - mean) ** 2 for time in times) / (runs - 1))
    return mean, spread / math.sqrt(runs)


def lowest(cost: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one valley is lowest, by thirds."""
    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if cost(left) < cost(right):
            high = right
        else:
            low = left
    return (low + high) / 2


def integrate(function: Callable[[float], float], low: float, high: float, parts: int = 2000) -> float:
    """Simpson's rule."""
    step = (high - low) / parts
    inner = sum(function(low + i * step) * (4 if i % 2 else 2) for i in range(1, parts))
    return (function(low) + inner + function(high)) * step / 3
