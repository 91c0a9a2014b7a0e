"""Random draws from SHA-256 of (item id, seed, name): the same on every machine and in every Python.

Each named draw is independent, so that a new item or parameter changes no other. `random` is not used because only its
`random()` is guaranteed to stay the same."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import TypeVar

ShuffledValue = TypeVar("ShuffledValue")

_POSSIBLE_HASH_COUNT = 1 << 256


def new_random_seed() -> str:
    """A random seed of 128 bits, as 26 letters and digits."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(26))


def short_public_code(*parts: str, length: int = 4) -> str:
    """A short public code, a one-way function of `parts`: capitals and digits without look-alikes."""
    alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
    number = _hash_number("\x1f".join(parts))
    return "".join(alphabet[(number >> (5 * i)) % 32] for i in range(length))


@dataclass(frozen=True, slots=True)
class SeededRng:
    """All random draws of one item with one seed."""

    item_id: str
    seed: str

    def draw_index(self, draw_name: str, limit: int, counter: int = 0) -> int:
        """A random whole number from 0 to `limit` - 1, each equally likely (by rejection, not modulo). `counter`
        distinguishes the draws of one name."""
        draw = f"{self.item_id}\x1f{self.seed}\x1f{draw_name}\x1f{counter}"
        numbers = (_hash_number(f"{draw}\x1f{attempt}") for attempt in count())
        # Only the last, incomplete run of `limit` numbers is rejected; it starts above this bound.
        bound = _POSSIBLE_HASH_COUNT - _POSSIBLE_HASH_COUNT % limit
        return next(number % limit for number in numbers if number < bound)

    def shuffle(self, draw_name: str, values: Sequence[ShuffledValue]) -> list[ShuffledValue]:
        """The values in a random order (Fisher-Yates); every order is equally likely."""
        order = list(values)
        for last in range(len(order) - 1, 0, -1):
            other = self.draw_index(draw_name, last + 1, last)
            order[last], order[other] = order[other], order[last]
        return order


def seeded_rank(seed: str, *parts: str) -> int:
    """A number that `seed` and `parts` determine; sorting ids by it gives a random order without a stream."""
    return _hash_number("\x1f".join((seed, *parts)))


def _hash_number(text: str) -> int:
    return int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest(), "big")
