"""Whose a line is, where several processes map one log: each has items of its own, so that a rubric is compiled and
the words of its responses are remembered by one of them.

Every process reads every block and leaves out what is another's; what came of a block is put together again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from zlib import crc32

from quizgen.model import Item

FEW = 16  # parts of a kind's lines: an item with more than one of them is everybody's
_NAMED = re.compile(r'"item"\s*:\s*"([^"\\]+)"')


@dataclass(frozen=True, slots=True)
class Share:
    """Share `number` of `shares`; `owners` says whose an item is, -1 for one that many lines are of."""

    number: int = 0
    shares: int = 1
    owners: Mapping[str, int] = field(default_factory=dict)

    def holds(self, text: str) -> bool:
        """Whether a line is of this share: by its item, else by its text, so that what is written twice meets the
        same memory."""
        if self.shares == 1:
            return True
        named = _NAMED.search(text)
        name = named[1] if named else text
        owner = self.owners.get(name, None if named else -1)
        if owner is None:
            owner = _spread(name)
        elif owner < 0:
            owner = _spread(text)
        return owner % self.shares == self.number


WHOLE = Share()


def _spread(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"))


def owners(texts: Iterable[str], items: Mapping[str, Item], shares: int) -> dict[str, int]:
    """Whose the items of some lines are: of each kind, which costs what it costs, about the same number of lines."""
    lines: dict[str, Counter[str]] = {}
    for text in texts:
        for name in _NAMED.findall(text):
            if name in items:
                lines.setdefault(items[name].kind, Counter())[name] += 1
    found: dict[str, int] = {}
    for counted in lines.values():
        loads = [0] * shares
        for name, count in sorted(counted.items(), key=lambda one: (-one[1], one[0])):
            if count * FEW > counted.total():
                found[name] = -1
            else:
                found[name] = least = loads.index(min(loads))
                loads[least] += count
    return found
