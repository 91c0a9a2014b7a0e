"""Failures drawn from a seeded stream, agents, collisions and racks by enumeration or simulation, and optima found by
search, against formulas that these know nothing of."""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from statistics import fmean, stdev

import pytest

from oracles.catalogue import solve
from oracles.closed_forms import FORMS
from oracles.messages import ring_allreduce


def makespan(work: float, tau: float, delta: float, restart: float, mtbf: float, stream: random.Random) -> float:
    """Time until `work` is done; failures may strike computing, writing and restarting."""
    now = done = 0.0
    failure = stream.expovariate(1 / mtbf)
    while done < work:
        end = now + tau + delta
        if failure >= end:
            now, done = end, done + tau
            continue
        now = failure
        while True:  # a restart that is struck begins again
            failure = now + stream.expovariate(1 / mtbf)
            if failure >= now + restart:
                now += restart
                break
            now = failure
    return now


def lowest(cost: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one valley is lowest, by thirds."""
    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if cost(left) < cost(right):
            high = right
        else:
            low = left
    return (low + high) / 2


def integrate(function: Callable[[float], float], low: float, high: float, parts: int = 2000) -> float:
    """Simpson's rule."""
    step = (high - low) / parts
    inner = sum(function(low + i * step) * (4 if i % 2 else 2) for i in range(1, parts))
    return (function(low) + inner + function(high)) * step / 3


@pytest.mark.parametrize(
    ("tau", "delta", "restart", "mtbf"),
    [(1800, 60, 300, 11000), (600, 60, 300, 11000), (1000, 200, 0, 3000), (50, 5, 40, 100)],
)
def test_runtime_and_goodput(tau: int, delta: int, restart: int, mtbf: int) -> None:
    work, stream = 12 * tau, random.Random(f"{tau} {delta} {restart} {mtbf}")
    times = [makespan(work, tau, delta, restart, mtbf, stream) for _ in range(3000)]
    given = {"tau": tau, "delta": delta, "R": restart, "M": mtbf}
    expected = solve("expected_runtime", Ts=work, **given)
    assert abs(fmean(times) - expected) < 4 * stdev(times) / math.sqrt(3000)
    assert math.isclose(solve("goodput", **given), work / expected, rel_tol=1e-12)


@pytest.mark.parametrize(("length", "mtbf"), [(1860, 11124), (5000, 1000), (10, 1000), (60, 10**6), (900, 1)])
def test_mean_loss_is_the_mean_of_the_truncated_lifetime(length: int, mtbf: int) -> None:
    rate = 1 / mtbf
    end = min(length, 40 * mtbf)
    total = integrate(lambda t: t * rate * math.exp(-rate * t), 0, end)
    chance = -math.expm1(-rate * length)
    assert math.isclose(float(solve("mean_loss_exact", L=length, M=mtbf)), total / chance, rel_tol=1e-5)


@pytest.mark.parametrize(("delta", "young_off", "daly_off"), [(10, 0.016, 1e-4), (60, 0.039, 1e-4), (300, 0.088, 3e-4)])
def test_best_interval_by_search(delta: int, young_off: float, daly_off: float) -> None:
    """The interval that maximises exact goodput; Young is longer by a known share, Daly hits it."""
    mtbf = 10_000
    best = lowest(lambda tau: math.expm1((tau + delta) / mtbf) / tau, delta / 10, 3 * mtbf)
    young, daly = solve("young_interval", delta=delta, M=mtbf), solve("daly_interval", delta=delta, M=mtbf)
    assert 0 < float(young) / best - 1 < young_off
    assert abs(float(daly) / best - 1) < daly_off


def test_first_order_waste_is_lowest_at_youngs_interval() -> None:
    for delta, mtbf in ((60, 11124), (5, 1000)):
        best = lowest(lambda tau, d=delta, m=mtbf: d / tau + tau / (2 * m), 1, mtbf)
        young = float(solve("young_interval", delta=delta, M=mtbf))
        assert math.isclose(best, young, rel_tol=1e-6)
        least = solve("waste_first_order", tau=young, delta=delta, M=mtbf)
        assert math.isclose(float(least), float(solve("waste_min", delta=delta, M=mtbf)), rel_tol=1e-12)


def test_compute_optimal_sizes_by_search() -> None:
    """The size that minimises the parametric loss at a fixed budget, and the twenty-tokens rule."""
    for budget in (1e20, 5.76e23):

        def loss(log: float, budget: float = budget) -> float:
            return 406.4 / math.exp(log) ** 0.34 + 410.7 / (budget / 6 / math.exp(log)) ** 0.28

        size = math.exp(lowest(loss, 15, 30))
        assert math.isclose(solve("chinchilla_n_param", C=budget), size, rel_tol=1e-6)
        rule = float(solve("chinchilla_n_from_c", C=budget))
        tokens = float(solve("chinchilla_tokens", N=rule))
        assert math.isclose(float(solve("flops_6nd", N=rule, D=tokens)), budget, rel_tol=1e-12)


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


def test_collisions_by_all_ways_to_hash() -> None:
    for flows, links in ((1, 3), (2, 3), (3, 4), (4, 5), (4, 3)):
        ways = list(product(range(links), repeat=flows))
        met = sum(1 for way in ways if len(set(way)) < flows)
        assert FORMS["ecmp_collision"](flows, links) == Fraction(met, len(ways))


def test_a_rack_by_all_its_states() -> None:
    q = Fraction(1, 10)
    for n, spares in ((3, 1), (6, 2), (5, 0)):
        down = [sum(state) for state in product((True, False), repeat=n)]
        chance = sum(q**few * (1 - q) ** (n - few) for few in down if few <= spares)
        assert FORMS["rack_available"](n, spares, q) == chance


def test_a_llama_layer_stores_what_a_ledger_of_its_tensors_adds_up_to() -> None:
    s, b, h, f, a, kv = 64, 2, 256, 896, 8, 2
    head = h // a
    stored = {  # values per token that the backward pass reads, bf16
        "input of the first norm": h,
        "output of the first norm, read by Q, K and V": h,
        "Q": a * head,
        "K": kv * head,
        "V": kv * head,
        "attention output, read by the output projection": a * head,
        "input of the second norm": h,
        "output of the second norm, read by gate and up": h,
        "gate": f,
        "up": f,
        "product, read by down": f,
    }
    held = 2 * s * b * sum(stored.values())
    for t in (1, 2, 4):
        assert FORMS["act_layer_swiglu"](s=s, b=b, h=h, f=f, a=a, kv=kv, t=t) == Fraction(held, t)


def test_speculation_by_all_outcomes() -> None:
    for alpha, k in product((Fraction(0), Fraction(1, 3), Fraction(4, 5), Fraction(1)), range(6)):
        expected = Fraction(0)
        for accepted in product((True, False), repeat=k):
            weight = math.prod((alpha if one else 1 - alpha for one in accepted), start=Fraction(1))
            taken = next((n for n, one in enumerate(accepted) if not one), k)
            expected += weight * (taken + 1)  # the target model supplies one in any case
        assert FORMS["speculative_tokens"](alpha, k) == expected
        for cost in (Fraction(0), Fraction(1, 10)):
            assert FORMS["speculation_speedup"](alpha, k, cost) == expected / (1 + k * cost)


def test_time_ratio_with_asynchronous_checkpoints_by_simulation() -> None:
    """Failures at random times; a failure goes back to the newest checkpoint whose upload was complete."""
    stall, tau, upload, restart, mean = 2.0, 300.0, 60.0, 200.0, 40_000.0
    rng = random.Random("ettr")
    clock = useful = 0.0
    while useful < 2e8:
        span = rng.expovariate(1 / mean)
        cycles, rest = divmod(span, tau)
        saved = cycles if rest >= upload else max(cycles - 1, 0.0)
        useful += saved * (tau - stall)
        clock += span + restart
    expected = float(FORMS["ettr_async"](2, 300, 60, 200, 40_000))
    assert useful / clock == pytest.approx(expected, abs=4e-4)
