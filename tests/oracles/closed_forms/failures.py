"""Checkpoints, failures and goodput."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from oracles.closed_forms.table import define, over


def daly(delta: Any, M: Any) -> Any:
    if delta >= 2 * M:
        return M
    ratio = over(delta, 2 * M)
    return math.sqrt(2 * delta * M) * (1 + math.sqrt(ratio) / 3 + float(ratio) / 9) - float(delta)


def segment(tau: Any, delta: Any, R: Any, M: Any) -> float:
    """Expected time until `tau` of work and a checkpoint are done."""
    return float(M) * math.exp(over(R, M)) * math.expm1(over(tau + delta, M))


def mean_loss(L: Any, M: Any) -> float:
    """The mean of an exponential lifetime that ends within L; M once that is certain."""
    digits = Context(prec=60)  # M - L/(exp(x) - 1) loses twice the digits of 1/x
    length, mean = (digits.divide(Decimal(v.numerator), Decimal(v.denominator)) for v in (Fraction(L), Fraction(M)))
    grown = digits.exp(digits.divide(length, mean))
    return float(digits.subtract(mean, digits.divide(length, digits.subtract(grown, Decimal(1)))))


define(
    """
    checkpoint_bytes(N, b) = N * b
        weights_only = 2 * N
        with_grads = 16 * N
    checkpoint_time(size, writers, bw) = over(size, writers * bw)
        one_writer = over(size, bw)
    cluster_mtbf(mtbf1, n) = over(mtbf1, n)
        same = mtbf1
        sqrt = mtbf1 / math.sqrt(n)
    expected_failures(t, mtbf) = over(t, mtbf)
        inverse = over(mtbf, t)
    no_failure_prob(t, mtbf) = math.exp(-over(t, mtbf))
        linear = max(0, 1 - over(t, mtbf))
    young_interval(delta, M) = math.sqrt(2 * delta * M)
        no_2 = math.sqrt(delta * M)
        linear = delta * M
        mtbf_half = over(M, 2)
    daly_interval(delta, M) = daly(delta, M)
        young = math.sqrt(2 * delta * M)
    waste_first_order(tau, delta, M) = over(delta, tau) + over(tau, 2 * M)
        no_half = over(delta, tau) + over(tau, M)
        only_write = over(delta, tau)
    waste_min(delta, M) = math.sqrt(over(2 * delta, M))
        half = math.sqrt(over(delta, 2 * M))
    expected_runtime(Ts, tau, delta, R, M) = segment(tau, delta, R, M) * float(over(Ts, tau))
        no_failures = Ts * (1 + over(delta, tau))
    goodput(tau, delta, R, M) = float(tau) / segment(tau, delta, R, M)
        first_order_no_R = 1 - over(delta, tau) - over(tau, 2 * M)
    lost_work_per_failure(n, tau, R) = over(n * (over(tau, 2) + R), 3600)
        full_tau = over(n * (tau + R), 3600)
        one_gpu = over(over(tau, 2) + R, 3600)
    mean_loss_exact(L, M) = mean_loss(L, M)
        half = over(L, 2)
    """,
    globals(),
)
