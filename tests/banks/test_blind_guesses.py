"""Choice items give nothing away: blind strategies come to chance, and the key stands in every place equally often."""

from __future__ import annotations

import blind
import pytest

BANK = "distributed-training"
POINTS = 0.02
SEEDS = 20
# Chi-square with three degrees of freedom exceeds this once in a thousand fair trials, the second
# number once in ten million: items are many, and none may stand out.
ONCE_IN_A_THOUSAND = 16.27
ONCE_IN_TEN_MILLION = 35.4


@pytest.mark.parametrize("strategy", blind.STRATEGIES)
def test_a_blind_strategy_comes_within_two_points_of_chance(strategy: str) -> None:
    items = blind.seen(BANK, "key 0")
    score = blind.earned(blind.STRATEGIES[strategy], BANK, blind.seeds(SEEDS))
    assert abs(score - blind.chance(items)) <= POINTS, strategy


def test_a_shuffled_key_stands_in_every_place_equally_often() -> None:
    for options in {len(one.options) for one in blind.seen(BANK, "key 0") if not one.ascending}:
        counts = blind.positions(BANK, blind.seeds(blind.SEEDS), options)
        assert sum(counts) >= 200 * blind.SEEDS / 10
        assert blind.chi_square(counts) < ONCE_IN_A_THOUSAND, counts


def test_no_single_item_keeps_its_key_in_one_place() -> None:
    places: dict[str, list[int]] = {}
    for seed in blind.seeds(blind.SEEDS):
        for one in blind.seen(BANK, seed):
            if not one.ascending:
                places.setdefault(one.item, [0] * len(one.options))[one.key] += 1
    worst = max(places, key=lambda item: blind.chi_square(places[item]))
    assert blind.chi_square(places[worst]) < ONCE_IN_TEN_MILLION, (worst, places[worst])


def test_keys_of_options_sorted_by_size_take_every_rank() -> None:
    counts = blind.positions(BANK, blind.seeds(1), 4, ascending=True)
    assert min(counts) >= 0.12 * sum(counts), counts
    assert max(counts) <= 0.4 * sum(counts), counts


def test_no_option_speaks_of_the_others() -> None:
    for name in (BANK, "git"):
        for one in blind.seen(name, "key 0"):
            for option in one.options:
                assert "of the above" not in option.lower(), one.item
                assert not option.lower().startswith(("both of these", "none of these", "all of these")), one.item


@pytest.mark.parametrize("bank", ["git", "systems-design"])
def test_the_smaller_banks_are_no_gift_either(bank: str) -> None:
    """34 and 92 items, so a wider margin: of 34, a strategy may hit two more than chance has it."""
    items = blind.seen(bank, "key 0")
    for name, strategy in blind.STRATEGIES.items():
        assert blind.earned(strategy, bank, blind.seeds(SEEDS)) - blind.chance(items) <= 0.06, name
