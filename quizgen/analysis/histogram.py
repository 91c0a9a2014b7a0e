"""How often each value occurs, in bounded memory: exact for as long as the values are few.

Values are whole numbers. Past `limit` different ones, all are rounded to even steps of twice the
width until they are few again. The final width depends only on which values occurred, never on their
order or on how parts were merged.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from math import ceil, floor


class Histogram:
    """Counts by value. `width` is the step that values were rounded down to (1: exact)."""

    __slots__ = ("counts", "level", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.level = 0
        self.counts: dict[int, int] = {}

    @property
    def width(self) -> int:
        return 1 << self.level

    def add(self, value: int, times: int = 1) -> None:
        key = value >> self.level
        counts = self.counts
        if key in counts:
            counts[key] += times
        else:
            counts[key] = times
            if len(counts) > self.limit:
                self._coarsen(self.level + 1)

    def merge(self, other: Histogram) -> None:
        level = max(self.level, other.level)
        if level > self.level:
            self._coarsen(level)
        shift = level - other.level
        for key, times in other.counts.items():
            key >>= shift
            self.counts[key] = self.counts.get(key, 0) + times
        if len(self.counts) > self.limit:
            self._coarsen(self.level + 1)

    def _coarsen(self, level: int) -> None:
        while True:
            shift = level - self.level
            coarse: dict[int, int] = {}
            for key, times in self.counts.items():
                coarse[key >> shift] = coarse.get(key >> shift, 0) + times
            self.counts, self.level = coarse, level
            if len(coarse) <= self.limit:
                return
            level += 1

    def __len__(self) -> int:
        return sum(self.counts.values())

    def at_least(self, value: int) -> int:
        """How many values are no smaller; where values were rounded, by their rounded ones."""
        return sum(times for key, times in self.counts.items() if key << self.level >= value)

    def sorted(self) -> list[tuple[int, int]]:
        """(value, count) in order; a rounded value stands for the lower end of its step."""
        return [(key << self.level, self.counts[key]) for key in sorted(self.counts)]

    def ranks(self) -> Ranks:
        return Ranks(self)


class Ranks:
    """Order statistics of a histogram."""

    def __init__(self, histogram: Histogram) -> None:
        pairs = histogram.sorted()
        # The middle of a step stands for values that were rounded into it.
        middle = (histogram.width - 1) / 2
        self._values = [value + middle if middle else value for value, _ in pairs]
        self._ends = list(accumulate(count for _, count in pairs))
        self.n = self._ends[-1] if pairs else 0

    def at(self, rank: int) -> float:
        """The value of a rank, counted from 0; held within what there is."""
        rank = min(max(rank, 0), self.n - 1)
        return self._values[bisect_left(self._ends, rank + 1)]

    def quantile(self, share: float) -> float:
        """The quantile, interpolated between neighbours (type 7 of Hyndman and Fan 1996)."""
        place = share * (self.n - 1)
        low = self.at(floor(place))
        return low + (self.at(floor(place) + 1) - low) * (place - floor(place))

    def interval(self, share: float, z: float) -> tuple[float, float]:
        """Order statistics around a quantile that cover it (binomial ranks, normal approximation)."""
        spread = z * (self.n * share * (1 - share)) ** 0.5
        return self.at(floor(self.n * share - spread) - 1), self.at(ceil(self.n * share + spread))
