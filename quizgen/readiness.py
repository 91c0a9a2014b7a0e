"""Readiness from past sessions: a range per topic, with how much it rests on. Pure.

A range is a decayed mean of scores, drawn towards one half by the weight of `PRIOR` responses, and
the spread that so much evidence leaves (80 %). It says how someone did, never that they will pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

HALF_LIFE = 14.0  # days after which a response counts half
PRIOR = 4.0  # responses' worth of knowing nothing
ENOUGH = 5  # timed responses below which no range is shown
AGAIN = 0.25  # the weight of a response to an item that was met again later
SPREAD = 1.2816  # standard deviations of an 80 % range
MOVED = 0.1  # a change of the mean that is called a trend


@dataclass(frozen=True, slots=True)
class Evidence:
    """One scored response: its topic and item, the share of the points, and its age in days."""

    topic: str
    item: str
    share: float
    age: float


@dataclass(frozen=True, slots=True)
class Readiness:
    """One topic. `low`, `middle`, `high` are None below `ENOUGH` responses; `trend` is up, down,
    steady, or empty where there is too little to say. `met` of `total` items were met."""

    topic: str
    count: int
    low: float | None
    middle: float | None
    high: float | None
    trend: str
    met: int
    total: int


@dataclass(frozen=True, slots=True)
class Sat:
    """One past session: its day, how many of its items were reached, the share of the points, the
    minutes used, and whether it counts towards readiness."""

    day: str
    reached: int
    items: int
    share: float
    minutes: float
    timed: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """All topics in their order, everything together, and what to do next."""

    topics: tuple[Readiness, ...]
    overall: Readiness
    sessions: int
    next_topics: tuple[str, ...]

    @property
    def untested(self) -> tuple[str, ...]:
        return tuple(t.topic for t in self.topics if t.count == 0)


def progress(evidence: Sequence[Evidence], topics: Mapping[str, int], sessions: int) -> Progress:
    """`topics` are the bank's topics and how many items each has."""
    names = [*topics, *sorted({e.topic for e in evidence} - set(topics))]
    rows = tuple(readiness(name, [e for e in evidence if e.topic == name], topics.get(name, 0)) for name in names)
    overall = readiness("all topics", evidence, sum(topics.values()))
    return Progress(rows, overall, sessions, _next(rows))


def readiness(topic: str, evidence: Sequence[Evidence], total: int) -> Readiness:
    """The range of one topic."""
    count = len(evidence)
    met = len({e.item for e in evidence})
    if count < ENOUGH:
        return Readiness(topic, count, None, None, None, "", met, total)
    weighted = list(_weights(evidence))
    weight = sum(w for w, _ in weighted)
    middle = (sum(w * s for w, s in weighted) + PRIOR / 2) / (weight + PRIOR)
    spread = SPREAD * math.sqrt(middle * (1 - middle) / (weight + PRIOR))
    return Readiness(
        topic, count, max(0.0, middle - spread), middle, min(1.0, middle + spread), _trend(evidence), met, total
    )


def _weights(evidence: Iterable[Evidence]) -> Iterable[tuple[float, float]]:
    """(weight, share) of each response; the latest to an item counts most."""
    seen: set[str] = set()
    for one in sorted(evidence, key=lambda e: e.age):
        weight = 0.5 ** (max(0.0, one.age) / HALF_LIFE)
        yield (weight * AGAIN if one.item in seen else weight), one.share
        seen.add(one.item)


def _trend(evidence: Sequence[Evidence]) -> str:
    """The later half against the earlier half, by time."""
    if len(evidence) < ENOUGH + 1:
        return ""
    ordered = [e.share for e in sorted(evidence, key=lambda e: -e.age)]
    half = len(ordered) // 2
    change = sum(ordered[-half:]) / half - sum(ordered[:half]) / half
    return "up" if change > MOVED else "down" if change < -MOVED else "steady"


def _next(rows: Sequence[Readiness]) -> tuple[str, ...]:
    """At most three topics for the next session: the weakest known, then the least tested."""
    known = sorted((r for r in rows if r.low is not None and r.low < 0.7), key=lambda r: (r.low or 0.0, r.topic))
    scarce = sorted((r for r in rows if r.low is None), key=lambda r: (r.count, r.topic))
    picked = [*known[:2], *scarce, *known[2:]]
    return tuple(r.topic for r in picked[:3])
