"""What choice items give away to someone who knows nothing.

A strategy sees stem and options of a variant and picks one. Where several options are equally
good to it, it earns the share that picking among them at random would. Items that ask for several
options are left out: no such strategy answers them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import shipped

from quizgen.draw import Stream
from quizgen.kinds.choice import ChoiceItem, ChoiceVariant

LETTERS = "ABCDE"
SEEDS = 200
WORD = re.compile(r"[A-Za-z][A-Za-z-]*")


@dataclass(frozen=True)
class Seen:
    """A choice item as drawn: what a candidate sees, and where the key is."""

    item: str
    stem: str
    options: tuple[str, ...]
    key: int
    ascending: bool


@cache
def seen(name: str, seed: str) -> tuple[Seen, ...]:
    found = []
    for item in shipped.bank(name).items.values():
        if isinstance(item, ChoiceItem) and not item.has_several_keys:
            variant = item.draw(Stream(item.id, seed))
            assert isinstance(variant, ChoiceVariant)
            options = variant.order()
            found.append(Seen(item.id, item.stem, options, options.index(variant.item.keys[0]), item.is_ascending))
    return tuple(found)


def most(measure: Callable[[Seen, int], float]) -> Callable[[Seen], list[int]]:
    """The options for which a measure is largest."""

    def pick(one: Seen) -> list[int]:
        values = [measure(one, n) for n in range(len(one.options))]
        return [n for n, value in enumerate(values) if value == max(values)]

    return pick


def letter(place: int) -> Callable[[Seen], list[int]]:
    return lambda one: [place] if place < len(one.options) else list(range(len(one.options)))


def middle_place(one: Seen) -> list[int]:
    last = len(one.options) - 1
    return sorted({last // 2, (last + 1) // 2})


def middle_length(one: Seen) -> list[int]:
    """Neither the shortest nor the longest."""
    order = sorted(range(len(one.options)), key=lambda n: len(one.options[n]))
    return order[1:-1] or order


def technical(one: Seen, n: int) -> float:
    """The longest word."""
    return max((len(word) for word in WORD.findall(one.options[n])), default=0)


# Those that the bank promises to defeat.
STRATEGIES: dict[str, Callable[[Seen], list[int]]] = {
    "longest": most(lambda one, n: len(one.options[n])),
    "shortest": most(lambda one, n: -len(one.options[n])),
    "middle place": middle_place,
    "middle length": middle_length,
    **{f"always {LETTERS[place]}": letter(place) for place in range(4)},
    "most technical word": most(technical),
}


def chance(items: Iterable[Seen]) -> float:
    shares = [1 / len(one.options) for one in items]
    return sum(shares) / len(shares)


def earned(strategy: Callable[[Seen], list[int]], name: str, seeds: Sequence[str]) -> float:
    """The mean share of items answered rightly, over seeds."""
    shares = []
    for seed in seeds:
        for one in seen(name, seed):
            picked = strategy(one)
            shares.append((one.key in picked) / len(picked))
    return sum(shares) / len(shares)


def positions(name: str, seeds: Sequence[str], options: int, ascending: bool = False) -> list[int]:
    """How often the key stood first, second … among items of so many options."""
    counts: Counter[int] = Counter()
    for seed in seeds:
        counts.update(one.key for one in seen(name, seed) if len(one.options) == options and one.ascending is ascending)
    return [counts[place] for place in range(options)]


def chi_square(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def seeds(count: int) -> list[str]:
    return [f"key {n}" for n in range(count)]
