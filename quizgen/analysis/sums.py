"""Sums by key for a bounded number of keys, the same ones whatever the order of the work."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from heapq import heappush, heapreplace
from itertools import accumulate
from math import ceil, floor
from typing import Generic, NamedTuple, TypeVar
from zlib import crc32

K = TypeVar("K", int, str, tuple[str, str])


class Smallest(Generic[K]):
    """Sums by key for the `limit` keys with the smallest hashes.

    A key that falls out can never come back, so the sums of those that stay are complete.
    """

    __slots__ = ("_heap", "limit", "sums")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.sums: dict[K, list[int]] = {}
        self._heap: list[tuple[int, K]] = []  # (-hash, key): the largest hash first

    def add(self, key: K, values: Sequence[int]) -> None:
        """Add to the sums of a key, as many as there are values; nothing where the key is not among those held."""
        if key not in self.sums:
            entry = (-_hash(key), key)
            if len(self.sums) < self.limit:
                heappush(self._heap, entry)
            elif entry < self._heap[0]:
                return
            else:
                _, out = heapreplace(self._heap, entry)
                del self.sums[out]
            self.sums[key] = [0] * len(values)
        plus(self.sums[key], values)

    def merge(self, other: Smallest[K]) -> None:
        for key, theirs in other.sums.items():
            self.add(key, theirs)


def plus(sums: list[int], values: Iterable[int]) -> None:
    """Add term by term, in place."""
    for place, value in enumerate(values):
        sums[place] += value


def _hash(key: object) -> int:
    text = repr(key).encode("utf-8", "backslashreplace")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


# How often each value occurs, in bounded memory: exact for as long as the values are few.
#
# Values are whole numbers. Past `limit` different ones, all are rounded to even steps of twice the
# width until they are few again. The final width depends only on which values occurred, never on their
# order or on how parts were merged.


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


# What is summed over candidates and over the responses to an item.
#
# Shares (earned / possible) are whole numbers of 1e-12; points are whole units (`scoring.UNIT`).
# A candidate arrives as `Candidate`, with the responses that count already chosen.


SHARE = 10**12
TOTALS_KEPT = 4_096  # different totals held exactly
SIGNATURES = 512  # different sets of items held
VALUES = 256  # drawn values and read options held for an item


def share(earned: int, possible: int) -> int:
    """earned / possible in units of 1e-12, rounded half up."""
    return (2 * earned * SHARE + possible) // (2 * possible)


# A response that counts: item, outcome, earned and possible in units, options chosen, diagnosis, drawn
# values, seconds as logged, what it said in short, and (criterion, status, earned, possible) of a rubric.
# A plain sequence, since millions of them pass through the batch room.
Counted = tuple[
    str, str, int, int, Sequence[str], str | None, Sequence[tuple[str, str]], float | None, str,
    Sequence[tuple[str, str, int, int]],
]  # fmt: skip
STATUSES = ("found", "partial", "hedged", "negated", "contradicted", "missing")
BUCKETS = 1_024  # by which what was said is counted before it is known which of it is frequent
OFTEN = 50  # one response in so many, and five at least, must say the same to be told


class CandidateSums(NamedTuple):
    """Who, what counts, and the items that a session held but never showed, with their points in units."""

    who: str
    counted: Sequence[Counted]
    not_reached: Sequence[tuple[str, int]]

    def points(self) -> tuple[int, int]:
        """Earned and possible, over the responses that count."""
        return sum(c[2] for c in self.counted), sum(c[3] for c in self.counted)

    def worth(self) -> tuple[int, int]:
        """Earned and possible of the whole form: what was not reached earned nothing."""
        earned, possible = self.points()
        return earned, possible + sum(worth for _, worth in self.not_reached)


def signature(items: Iterable[str]) -> int:
    """A number that stands for a set of items; equal for equal sets."""
    text = "\x1f".join(sorted(items)).encode()
    return crc32(text) << 32 | crc32(text[::-1] + b"#")


class Totals:
    """Sums over candidates: the first pass."""

    __slots__ = (
        "candidates", "earned", "histogram", "items", "nested", "possible", "powers", "reached", "responses", "said",
        "sets",
    )  # fmt: skip

    def __init__(self) -> None:
        self.candidates = 0
        self.responses = 0
        self.earned = 0
        self.possible = 0
        self.powers = [0, 0, 0, 0]  # of each candidate's share
        self.histogram = Histogram(TOTALS_KEPT)
        # By signature: candidates, their responses, sum and sum of squares of points.
        self.sets: Smallest[int] = Smallest(SIGNATURES)
        self.items: Counter[str] = Counter()  # responses by item
        self.said: Counter[tuple[str, int]] = Counter()  # responses by item and bucket of what they said
        self.reached = 0
        # Candidates, responses, sum of their squared numbers; of shares: sum, sum of each candidate's squared sum
        # to the number of responses, sum of squares.
        self.nested = [0] * 6

    def add(self, candidate: CandidateSums) -> None:
        earned, possible = candidate.worth()
        self.candidates += 1
        self.responses += len(candidate.counted)
        for one in candidate.counted:
            self.items[one[0]] += 1
            if one[8]:
                self.said[_bucket(one[0], one[8])] += 1
        if not possible:
            return
        self.reached += 1
        self.earned += earned
        self.possible += possible
        t = share(earned, possible)
        plus(self.powers, (t, t**2, t**3, t**4))
        self.histogram.add(t)
        shares = [share(c[2], c[3]) for c in candidate.counted if c[3] and c[2] >= 0]
        if shares:
            k, s = len(shares), sum(shares)
            plus(self.nested, (1, k, k * k, s, (2 * s * s + k) // (2 * k), sum(x * x for x in shares)))
        met = signature(c[0] for c in candidate.counted)
        self.sets.add(met, (1, len(candidate.counted), earned, earned * earned))

    def merge(self, other: Totals) -> None:
        self.candidates += other.candidates
        self.responses += other.responses
        self.reached += other.reached
        self.earned += other.earned
        self.possible += other.possible
        plus(self.powers, other.powers)
        plus(self.nested, other.nested)
        self.histogram.merge(other.histogram)
        self.sets.merge(other.sets)
        self.items.update(other.items)
        self.said.update(other.said)

    def cuts(self) -> Cuts:
        """The bounds of the upper and lower 27 %, and the largest group that saw the same items."""
        largest = max(self.sets.sums.items(), key=lambda pair: (pair[1][0], pair[0]), default=(0, [0]))
        if not self.reached:
            return Cuts(0, 0, 0, frozenset())
        size = max(1, (27 * self.reached + 50) // 100)
        ranks = self.histogram.ranks()
        often = frozenset(key for key, n in self.said.items() if n >= max(5, self.items[key[0]] / OFTEN))
        return Cuts(ranks.at(size - 1), ranks.at(self.reached - size), largest[0], often)


class Cuts(NamedTuple):
    """Candidates at or below `lower` are the lower group, at or above `upper` the upper; ties are taken in.
    `group` is the signature of the item set that most candidates share, `often` the items and buckets in which
    something is that many said."""

    lower: float
    upper: float
    group: int
    often: frozenset[tuple[str, int]] = frozenset()


class ItemSums:
    """Sums over the responses to one item: the second pass."""

    __slots__ = (
        "criteria", "diagnoses", "drawn", "group", "lower", "n", "not_reached", "options", "outcomes", "possible",
        "rest", "right", "said", "times", "upper", "x", "xx",
    )  # fmt: skip

    def __init__(self, limit: int) -> None:
        self.n = self.x = self.xx = 0
        self.outcomes: Counter[str] = Counter()
        self.right = 0  # with full points
        self.not_reached = 0
        self.possible = 0
        # Over candidates who answered something else too: n, x, x², r, r², xr, r the share of the rest.
        self.rest = [0] * 6
        self.upper = [0, 0]  # n and x of the upper group
        self.lower = [0, 0]
        # Over the largest group with the same items, in points: n, x, x², points times the candidate's points.
        self.group = [0] * 4
        self.times = Histogram(limit)  # milliseconds
        # By option: taken, taken with a rest score, sum of rest scores, taken in the upper, in the lower group.
        self.options: Smallest[str] = Smallest(VALUES)
        self.diagnoses: Smallest[str] = Smallest(VALUES)  # by id: n
        self.drawn: Smallest[tuple[str, str]] = Smallest(VALUES)  # by (name, value): n, x
        self.said: Smallest[str] = Smallest(VALUES)  # by what many said: as for options
        # By criterion: those of `rest` with x the criterion's share, then n, x, and how often each status.
        self.criteria: Smallest[str] = Smallest(VALUES)

    def merge(self, other: ItemSums) -> None:
        for name in ("n", "x", "xx", "right", "not_reached"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.possible = max(self.possible, other.possible)
        for name in ("rest", "upper", "lower", "group"):
            plus(getattr(self, name), getattr(other, name))
        self.outcomes.update(other.outcomes)
        for name in ("times", "options", "diagnoses", "drawn", "said", "criteria"):
            getattr(self, name).merge(getattr(other, name))


class Sums:
    """All sums of the second pass: by item and by topic."""

    __slots__ = ("cuts", "items", "limit", "topic_of", "topics")

    def __init__(self, cuts: Cuts, topic_of: dict[str, str], limit: int = 2_048) -> None:
        self.cuts = cuts
        self.topic_of = topic_of
        self.limit = limit
        self.items: dict[str, ItemSums] = {}
        self.topics: dict[str, list[int]] = {}  # responses, earned, possible

    def item(self, name: str) -> ItemSums:
        found = self.items.get(name)
        if found is None:
            found = self.items[name] = ItemSums(self.limit)
        return found

    def add(self, candidate: CandidateSums) -> None:
        for name, _ in candidate.not_reached:
            self.item(name).not_reached += 1
        earned, possible = candidate.worth()
        if not possible:
            return
        t = share(earned, possible)
        earned, possible = candidate.points()
        upper, lower = t >= self.cuts.upper, t <= self.cuts.lower
        grouped = self.cuts.group == signature(c[0] for c in candidate.counted)
        for one in candidate.counted:
            if one[3]:
                self._add(one, earned, possible, upper, lower, grouped)

    def _add(self, one: Counted, earned: int, possible: int, upper: bool, lower: bool, grouped: bool) -> None:
        name, outcome, points, full, chosen, diagnosis, drawn, seconds, said, marks = one
        sums = self.item(name)
        x = SHARE if points == full else share(points, full) if points else 0
        sums.n += 1
        sums.x += x
        sums.xx += x * x
        sums.possible = max(sums.possible, full)
        sums.right += points == full
        sums.outcomes[outcome] += 1
        r = share(earned - points, possible - full) if possible > full else None
        if r is not None:
            plus(sums.rest, (1, x, x * x, r, r * r, x * r))
        if upper:
            plus(sums.upper, (1, x))
        if lower:
            plus(sums.lower, (1, x))
        if grouped:
            plus(sums.group, (1, points, points * points, points * earned))
        if seconds is not None:
            sums.times.add(round(seconds * 1000))
        taken = (1, r is not None, r or 0, upper, lower)
        for option in chosen:
            sums.options.add(option, taken)
        if said and _bucket(name, said) in self.cuts.often:
            sums.said.add(said, taken)
        for criterion, status, got, most in marks:
            y = share(got, most) if got > 0 else 0
            rest = (0,) * 6 if r is None else (1, y, y * y, r, r * r, y * r)
            sums.criteria.add(criterion, (*rest, 1, y, *(status == known for known in STATUSES)))
        if diagnosis is not None:
            sums.diagnoses.add(diagnosis, (1,))
        for parameter, value in drawn:
            sums.drawn.add((parameter, value), (1, x))
        plus(self.topics.setdefault(self.topic_of.get(name, ""), [0, 0, 0]), (1, points, full))

    def merge(self, other: Sums) -> None:
        for name, theirs in other.items.items():
            self.item(name).merge(theirs)
        for topic, counts in other.topics.items():
            plus(self.topics.setdefault(topic, [0, 0, 0]), counts)


def _bucket(item: str, said: str) -> tuple[str, int]:
    return item, crc32(said.encode("utf-8", "surrogatepass")) % BUCKETS
