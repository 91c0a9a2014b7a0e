"""How much is likely left of what was practised: FSRS-6 with its default parameters.

The formulas and parameters are those of the package `fsrs` 6.3 (MIT), which tests hold these lines to.
Only recall is wanted, never a due date, so that the package with its schedules is not needed to run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
W = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
    1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
)  # fmt: skip
FACTOR = 0.9 ** (-1 / W[20]) - 1
LEAST = 0.001  # days


@dataclass(frozen=True, slots=True)
class Trace:
    """What is left of an item: days until recall falls to 90 %, difficulty 1 to 10, the day of the last look."""

    stability: float
    difficulty: float
    day: int


def recall(trace: Trace | None, day: int) -> float:
    """The chance to recall an item on a day; 0 where it was never met."""
    if trace is None:
        return 0.0
    return float((1 + FACTOR * max(0, day - trace.day) / trace.stability) ** -W[20])


def reviewed(trace: Trace | None, rating: int, day: int) -> Trace:
    """The trace after a look, rated 1 (again) to 4 (easy), on a later day than the one before."""
    if trace is None:
        return Trace(max(W[rating - 1], LEAST), _within(_first(rating)), day)
    s, d, r = trace.stability, trace.difficulty, recall(trace, day)
    if rating == AGAIN:
        kept = W[11] * d ** -W[12] * ((s + 1) ** W[13] - 1) * math.exp((1 - r) * W[14])
        stability = min(kept, s / math.exp(W[17] * W[18]))
    else:
        bonus = W[15] if rating == HARD else W[16] if rating == EASY else 1.0
        stability = s * (1 + math.exp(W[8]) * (11 - d) * s ** -W[9] * math.expm1((1 - r) * W[10]) * bonus)
    moved = d - W[6] * (rating - 3) * (10 - d) / 9
    return Trace(max(stability, LEAST), _within(W[7] * _first(EASY) + (1 - W[7]) * moved), day)


def _first(rating: int) -> float:
    return W[4] - math.exp(W[5] * (rating - 1)) + 1


def _within(difficulty: float) -> float:
    return min(max(difficulty, 1.0), 10.0)
