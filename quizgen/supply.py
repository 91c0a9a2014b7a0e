"""Items that several sections may draw, and whether there are enough for all of them. Pure.

Hall's condition (P. Hall 1935): every set of sections finds as many items among those that one of
them may draw as they want together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

MOST = 10  # sections whose every set is looked at; of more only single ones, pairs and all of them


@dataclass(frozen=True, slots=True)
class Supply:
    """`reach`: by item id the sections that may draw it, as bits. `left`: by set of sections (bits)
    how many items are left for it."""

    reach: Mapping[str, int]
    left: Mapping[int, int]

    @classmethod
    def of(cls, pools: Sequence[Collection[str]]) -> Supply:
        reach: dict[str, int] = {}
        for index, pool in enumerate(pools):
            for name in pool:
                reach[name] = reach.get(name, 0) | 1 << index
        kinds = Counter(reach.values())
        sets = _sets(len(pools))
        return cls(reach, {s: sum(n for bits, n in kinds.items() if bits & s) for s in sets})

    @property
    def common(self) -> bool:
        """Whether two sections draw on the same items at all."""
        return any(bits & (bits - 1) for bits in self.reach.values())

    def serves(self, wants: Sequence[int]) -> bool:
        """Whether every section can have as many as it wants."""
        return all(_sum(wants, s) <= left for s, left in self.left.items())

    def without(self, name: str) -> Supply:
        bits = self.reach.get(name, 0)
        return replace(self, left={s: left - (bits & s != 0) for s, left in self.left.items()})


class Turns:
    """Mutable: what is left while sections that share items draw in turn, first to last."""

    def __init__(self, supply: Supply, wants: Sequence[int]) -> None:
        self._supply = supply
        self._wants = list(wants)

    def take(self, section: int, name: str) -> bool:
        """Take an item for a section unless one of those to come would then go short."""
        supply = self._supply.without(name)
        wants = list(self._wants)
        wants[section] = max(0, wants[section] - 1)
        if not supply.serves(wants):
            return False
        self._supply, self._wants = supply, wants
        return True


def _sets(count: int) -> tuple[int, ...]:
    if count <= MOST:
        return tuple(range(1, 1 << count))
    pairs = {1 << i | 1 << j for i, j in combinations(range(count), 2)}
    return (*(1 << i for i in range(count)), *sorted(pairs), (1 << count) - 1)


def _sum(wants: Sequence[int], bits: int) -> int:
    return sum(want for index, want in enumerate(wants) if bits >> index & 1)
