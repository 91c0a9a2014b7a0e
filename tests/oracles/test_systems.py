"""The formulas of `systems.py` against enumeration and simulation that know none of them."""

from __future__ import annotations

import heapq
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from oracles.closed_forms import FORMS
from oracles.messages import ring_allreduce


def test_limits_are_where_two_times_meet() -> None:
    bytes_a_token, params, rate = 70272, 37e9, 4e15
    link = float(FORMS["kv_reload_bandwidth"](bytes_a_token, 37 * 10**9, 4 * 10**15))
    assert bytes_a_token / link == pytest.approx(2 * params / rate, rel=1e-12)
    for n, alpha, port in ((4, 5e-6, 450e9), (8, 3e-6, 900e9)):
        size = float(FORMS["oneshot_limit"](n, port, alpha))
        one_shot = alpha + sum(size / port for peer in range(n) if peer)
        two_shot = 2 * (alpha + sum(size / n / port for peer in range(n) if peer))
        assert one_shot == pytest.approx(two_shot, rel=1e-12)
    layers = float(FORMS["encoder_in_layers"](2 * 10**9, 9000, 10**9, 4096))
    assert layers * 10**9 * 4096 == pytest.approx(2e9 * 9000)
    tokens = int(FORMS["linear_state_tokens"](32, 128, 128, 8, 128, 2, 4))
    assert FORMS["hybrid_cache_bytes"](1, 0, tokens, 8, 128, 32, 128, 128, 1, 2, 4) == FORMS["hybrid_cache_bytes"](
        0, 1, tokens, 8, 128, 32, 128, 128, 1, 2, 4
    )


@pytest.mark.parametrize(("launch", "work"), [(5.0, 2.0), (6.0, 4.0), (5.0, 20.0)])
def test_a_graph_by_the_clocks_of_cpu_and_gpu(launch: float, work: float) -> None:
    kernels, replay, cpu, gpu = 4000, 20.0, 0.0, 0.0
    for _ in range(kernels):
        cpu += launch
        gpu = max(gpu, cpu) + work
    expected = float(FORMS["graph_speedup"](kernels, int(launch), int(work), int(replay)))
    assert gpu / (replay + kernels * work) == pytest.approx(
        expected, rel=2e-3
    )  # the last kernel has nothing to hide it


@pytest.mark.parametrize(("slots", "gen", "tool"), [(4, 10, 30), (6, 20, 10)])
def test_decode_slots_are_full_with_so_many_agents_and_not_with_fewer(slots: int, gen: int, tool: int) -> None:
    enough = int(FORMS["agent_concurrency"](slots, gen, tool))

    def busy(agents: int) -> float:
        ready = [(i * (gen + tool) / agents, i) for i in range(agents)]
        free = [0.0] * slots
        end, used = 10_000.0, 0.0
        while ready[0][0] < end:
            came, agent = heapq.heappop(ready)
            start = max(came, heapq.heappop(free))
            heapq.heappush(free, start + gen)
            used += max(0.0, min(end, start + gen) - start)
            heapq.heappush(ready, (start + gen + tool, agent))
        return used / (slots * end)

    assert busy(enough) > 0.99
    assert busy(enough - slots) < 0.99


@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_what_a_new_placement_sends_element_by_element(ranks: int) -> None:
    side = 8 * ranks
    elements = side * side
    leave = Counter[str]()
    for row, column in product(range(side), range(side)):
        old, new = row * ranks // side, column * ranks // side
        if old == 0:
            leave["shard_to_shard"] += new != 0
        leave["partial_to_shard"] += new != 0  # a partial sum of what another rank will own
    for move in ("shard_to_shard", "partial_to_shard"):
        assert FORMS["redistribute_bytes"](elements, ranks, move) == leave[move]
    assert FORMS["redistribute_bytes"](elements, ranks, "shard_to_replicate") == (ranks - 1) * elements // ranks
    assert FORMS["redistribute_bytes"](elements, ranks, "replicate_to_shard") == 0
    sent = ring_allreduce(ranks, elements).sent  # two bytes an element
    assert {FORMS["redistribute_bytes"](2 * elements, ranks, "partial_to_replicate")} == set(sent)


def test_segments_grow_with_sizes_in_three_steps() -> None:
    mib = 2**20
    sizes = [1, mib, mib + 1, 10 * mib - 1, 10 * mib, 12 * mib + 1, 13 * mib, 14 * mib]
    segments = [FORMS["allocator_segment"](size) for size in sizes]
    assert [segment // mib for segment in segments] == [2, 2, 20, 20, 10, 14, 14, 14]
    assert all(segment >= size for size, segment in zip(sizes, segments, strict=True))


def test_collisions_by_all_ways_to_hash() -> None:
    for flows, links in ((1, 3), (2, 3), (3, 4), (4, 5), (4, 3)):
        ways = list(product(range(links), repeat=flows))
        met = sum(1 for way in ways if len(set(way)) < flows)
        assert FORMS["ecmp_collision"](flows, links) == Fraction(met, len(ways))


def test_a_rack_by_all_its_states() -> None:
    for n, spares in ((3, 1), (6, 2), (5, 0)):
        q, chance = Fraction(1, 10), Fraction(0)
        for down in product((True, False), repeat=n):
            if sum(down) <= spares:
                chance += q ** sum(down) * (1 - q) ** (n - sum(down))
        assert FORMS["rack_available"](n, spares, q) == chance
