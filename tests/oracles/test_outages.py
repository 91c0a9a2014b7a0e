"""Failures drawn from a seeded stream, and optima found by search, against the formulas."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from statistics import fmean, stdev

import pytest

from oracles.catalogue import solve


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


@pytest.mark.parametrize(
    ("length", "mtbf"), [(1860, 11124), (100, 100), (5000, 1000), (10, 1000), (60, 10**6), (900, 1)]
)
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
