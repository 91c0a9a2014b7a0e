"""Choice items give nothing away: blind strategies come to chance, and the key stands in every place equally often.

A strategy sees the options of a variant and picks one. Where several options are equally good to it, it earns the
share that picking among them at random would. Items that ask for several options are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

import pytest
import shipped

from quizgen.draw import SeededRng
from quizgen.kinds.choice import ChoiceItem

BANK = "distributed-training"
SEEDS = [f"key {n}" for n in range(60)]
WORD = re.compile(r"[A-Za-z][A-Za-z-]*")


@dataclass(frozen=True)
class Seen:
    """A choice item as drawn: what a candidate sees, and where the key is."""

    item: str
    options: tuple[str, ...]
    key: int
    ascending: bool


@cache
def seen(name: str, seed: str) -> tuple[Seen, ...]:
    found = []
    for item in shipped.bank(name).items.values():
        if isinstance(item, ChoiceItem) and not item.allows_several:
            options = item.draw(SeededRng(item.id, seed)).option_texts_as_shown()
            found.append(Seen(item.id, options, options.index(item.key_texts[0]), item.has_ascending_options))
    return tuple(found)


def most(measure: Callable[[Seen, int], float]) -> Callable[[Seen], list[int]]:
    """The options for which a measure is largest."""

    def pick(one: Seen) -> list[int]:
        values = [measure(one, n) for n in range(len(one.options))]
        return [n for n, value in enumerate(values) if value == max(values)]

    return pick


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
    "middle place": lambda one: sorted({(len(one.options) - 1) // 2, len(one.options) // 2}),
    "middle length": middle_length,
    **{f"always {'ABCD'[at]}": most(lambda one, n, at=at: n == at) for at in range(4)},
    "most technical word": most(technical),
}


def chance(name: str) -> float:
    return fmean(1 / len(one.options) for one in seen(name, SEEDS[0]))


def earned(strategy: Callable[[Seen], list[int]], name: str) -> float:
    """The mean share of items answered rightly, over ten seeds."""
    picks = [(one.key, strategy(one)) for seed in SEEDS[:10] for one in seen(name, seed)]
    return fmean((key in picked) / len(picked) for key, picked in picks)


def positions(seeds: Sequence[str], options: int, ascending: bool = False) -> list[int]:
    """How often the key stood first, second … among items of so many options."""
    shown = [one for seed in seeds for one in seen(BANK, seed) if one.ascending is ascending]
    counts = Counter(one.key for one in shown if len(one.options) == options)
    return [counts[place] for place in range(options)]


def chi_square(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


# Chi-square with three degrees of freedom exceeds this once in a thousand fair trials, the second
# number once in ten million: items are many, and none may stand out.
ONCE_IN_A_THOUSAND = 16.27
ONCE_IN_TEN_MILLION = 35.4


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_blind_strategy_comes_within_two_points_of_chance(strategy: str) -> None:
    """In the smaller banks, of 34 and 92 items, six: of 34 it may hit two more than chance has it."""
    assert abs(earned(STRATEGIES[strategy], BANK) - chance(BANK)) <= 0.02
    for bank in ("git", "systems-design"):
        assert earned(STRATEGIES[strategy], bank) - chance(bank) <= 0.06, bank


def test_a_shuffled_key_stands_in_every_place_equally_often() -> None:
    for options in {len(one.options) for one in seen(BANK, SEEDS[0]) if not one.ascending}:
        counts = positions(SEEDS, options)
        assert sum(counts) >= 20 * len(SEEDS)
        assert chi_square(counts) < ONCE_IN_A_THOUSAND, counts


def test_no_single_item_keeps_its_key_in_one_place() -> None:
    places: dict[str, list[int]] = {}
    for seed in SEEDS:
        for one in seen(BANK, seed):
            if not one.ascending:
                places.setdefault(one.item, [0] * len(one.options))[one.key] += 1
    worst = max(places, key=lambda item: chi_square(places[item]))
    assert chi_square(places[worst]) < ONCE_IN_TEN_MILLION, (worst, places[worst])


def test_keys_of_options_sorted_by_size_take_every_rank() -> None:
    counts = positions(SEEDS[:1], 4, ascending=True)
    assert min(counts) >= 0.12 * sum(counts), counts
    assert max(counts) <= 0.4 * sum(counts), counts


def test_no_option_speaks_of_the_others() -> None:
    for name in (BANK, "git"):
        for one in seen(name, SEEDS[0]):
            for option in one.options:
                assert "of the above" not in option.lower(), one.item
                assert not option.lower().startswith(("both of these", "none of these", "all of these")), one.item
