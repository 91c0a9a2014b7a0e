"""Collectives: what ranks really send, against the formulas."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oracles import messages
from oracles.catalogue import solve

RANKS = (1, 2, 3, 4, 5, 7, 8, 16)
BANDWIDTH, ALPHA = 1000, Fraction(1, 64)


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize(
    ("run", "volume", "time"),
    [
        (messages.ring_allreduce, "ring_allreduce_bytes", "ring_allreduce_time"),
        (messages.ring_reduce_scatter, "ring_reduce_scatter_bytes", "ring_gather_time"),
        (messages.ring_allgather, "ring_allgather_bytes", "ring_gather_time"),
        (messages.alltoall, "alltoall_bytes", "alltoall_time"),
    ],
)
def test_every_rank_sends_what_the_formula_says(run, volume: str, time: str, ranks: int) -> None:
    for per_chunk in (1, 3):
        length = ranks * per_chunk
        size = length * messages.WIDTH
        traffic = run(ranks, length)
        assert traffic.sent == [solve(volume, N=ranks, D=size)] * ranks
        assert traffic.time(BANDWIDTH, ALPHA) == solve(time, N=ranks, D=size, B=BANDWIDTH, alpha=ALPHA)


def test_uneven_chunks_keep_the_total_and_raise_the_busiest_rank() -> None:
    for ranks in RANKS[1:]:
        for length in (1, 2, 5, 9, 20):
            traffic = messages.ring_allreduce(ranks, length)
            size = length * messages.WIDTH
            assert sum(traffic.sent) == solve("allreduce_total_bytes", N=ranks, D=size)
            even = solve("ring_allreduce_bytes", N=ranks, D=size)
            assert even <= max(traffic.sent) <= 2 * (ranks - 1) * -(-length // ranks) * messages.WIDTH


@pytest.mark.parametrize("ranks", [*RANKS, 9, 15, 17, 31])
def test_the_tree_takes_the_time_of_its_messages(ranks: int) -> None:
    size = 6 * messages.WIDTH
    taken = messages.tree_allreduce(ranks, 6).time(BANDWIDTH, ALPHA)
    assert taken == solve("tree_allreduce_time", N=ranks, D=size, B=BANDWIDTH, alpha=ALPHA)


@pytest.mark.parametrize("ranks", [1, 2, 4, 8, 16, 32])
def test_recursive_halving_and_doubling(ranks: int) -> None:
    size = 3 * ranks * messages.WIDTH
    traffic = messages.rabenseifner(ranks, 3 * ranks)
    assert traffic.sent == [solve("ring_allreduce_bytes", N=ranks, D=size)] * ranks
    assert traffic.time(BANDWIDTH, ALPHA) == solve("rabenseifner_time", N=ranks, D=size, B=BANDWIDTH, alpha=ALPHA)


@pytest.mark.parametrize("ranks", [4, 5, 8, 16, 33, 64])
def test_ring_and_tree_tie_at_the_crossover(ranks: int) -> None:
    size = solve("ring_tree_crossover", N=ranks, B=BANDWIDTH, alpha=ALPHA)
    given = {"N": ranks, "B": BANDWIDTH, "alpha": ALPHA}
    for factor, ring_is_faster in ((Fraction(99, 100), False), (Fraction(101, 100), True)):
        ring = solve("ring_allreduce_time", D=size * factor, **given)
        tree = solve("tree_allreduce_time", D=size * factor, **given)
        assert (ring < tree) is ring_is_faster
    assert solve("ring_allreduce_time", D=size, **given) == solve("tree_allreduce_time", D=size, **given)
