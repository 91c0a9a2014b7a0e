"""Words written apart that a phrase has closed up: what completes a beginning."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

NO_TAILS: Final[tuple[str, ...]] = ()


class Tails:
    """What completes a beginning: `reduc` after `all`, where `allreduc` is a key."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._keys = sorted(keys)

    def of(self, head: str) -> tuple[str, ...]:
        """Every way on from a beginning that is no whole key."""
        keys = self._keys
        first = last = bisect_right(keys, head)
        while last < len(keys) and keys[last].startswith(head):
            last += 1
        return tuple([key[len(head) :] for key in keys[first:last]])
