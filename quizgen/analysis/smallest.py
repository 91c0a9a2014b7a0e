"""Sums by key for a bounded number of keys, the same ones whatever the order of the work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from heapq import heappush, heapreplace
from typing import Generic, TypeVar

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
