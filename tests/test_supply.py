"""Whether there are items enough for sections that may draw the same ones."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from quizgen.assemble import ItemSupply, SectionTurns


def possible(pools: list[frozenset[str]], wants: list[int]) -> bool:
    """Oracle: try every order of handing the items out, one section's place after the other."""
    places = [pool for pool, want in zip(pools, wants, strict=True) for _ in range(want)]
    items = sorted(frozenset().union(*pools))
    return any(
        all(name in place for name, place in zip(order, places, strict=True))
        for order in permutations(items, len(places))
    )


POOLS = st.lists(st.frozensets(st.sampled_from("abcde"), max_size=5), min_size=1, max_size=3)


@given(POOLS, st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_enough_is_what_can_be_handed_out(pools: list[frozenset[str]], wants: list[int]) -> None:
    wants = wants[: len(pools)]
    assert ItemSupply.of(pools).serves(wants) == possible(pools, wants)


@given(POOLS, st.lists(st.integers(0, 2), min_size=3, max_size=3), st.permutations("abcde"))
def test_sections_in_turn_all_get_what_they_want(
    pools: list[frozenset[str]], wants: list[int], order: list[str]
) -> None:
    """Whatever order the items come in, as long as there are enough at all."""
    wants = wants[: len(pools)]
    supply = ItemSupply.of(pools)
    if not supply.serves(wants):
        return
    turns = SectionTurns(supply, wants)
    taken: set[str] = set()
    for index, want in enumerate(wants):
        got = 0
        for name in order:
            if got < want and name in pools[index] and name not in taken and turns.take(index, name):
                taken.add(name)
                got += 1
        assert got == want


def test_many_sections_are_judged_by_single_ones_pairs_and_all() -> None:
    """Sixty sections: every set of them would be 2 ** 60."""
    pools = [[f"i{n}", f"i{n + 1}"] for n in range(60)]
    assert ItemSupply.of(pools).serves([1] * 60)
    assert not ItemSupply.of(pools).serves([2] * 60)
