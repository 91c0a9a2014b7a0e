"""Checkpoints, failures and goodput."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from oracles.closed_forms.table import add, over

add("checkpoint_bytes", lambda N, b: N * b, weights_only=lambda N, b: 2 * N, with_grads=lambda N, b: 16 * N)
add(
    "checkpoint_time",
    lambda size, writers, bw: over(size, writers * bw),
    one_writer=lambda size, writers, bw: over(size, bw),
)
add(
    "cluster_mtbf",
    lambda mtbf1, n: over(mtbf1, n),
    same=lambda mtbf1, n: mtbf1,
    sqrt=lambda mtbf1, n: mtbf1 / math.sqrt(n),
)
add("expected_failures", lambda t, mtbf: over(t, mtbf), inverse=lambda t, mtbf: over(mtbf, t))
add(
    "no_failure_prob",
    lambda t, mtbf: math.exp(-over(t, mtbf)),
    linear=lambda t, mtbf: max(0, 1 - over(t, mtbf)),
)
add(
    "young_interval",
    lambda delta, M: math.sqrt(2 * delta * M),
    no_2=lambda delta, M: math.sqrt(delta * M),
    linear=lambda delta, M: delta * M,
    mtbf_half=lambda delta, M: over(M, 2),
)


def daly(delta: Any, M: Any) -> Any:
    if delta >= 2 * M:
        return M
    ratio = over(delta, 2 * M)
    return math.sqrt(2 * delta * M) * (1 + math.sqrt(ratio) / 3 + float(ratio) / 9) - float(delta)


add("daly_interval", daly, young=lambda delta, M: math.sqrt(2 * delta * M))
add(
    "waste_first_order",
    lambda tau, delta, M: over(delta, tau) + over(tau, 2 * M),
    no_half=lambda tau, delta, M: over(delta, tau) + over(tau, M),
    only_write=lambda tau, delta, M: over(delta, tau),
)
add(
    "waste_min",
    lambda delta, M: math.sqrt(over(2 * delta, M)),
    half=lambda delta, M: math.sqrt(over(delta, 2 * M)),
)


def segment(tau: Any, delta: Any, R: Any, M: Any) -> float:
    """Expected time until `tau` of work and a checkpoint are done."""
    return float(M) * math.exp(over(R, M)) * math.expm1(over(tau + delta, M))


add(
    "expected_runtime",
    lambda Ts, tau, delta, R, M: segment(tau, delta, R, M) * float(over(Ts, tau)),
    no_failures=lambda Ts, tau, delta, R, M: Ts * (1 + over(delta, tau)),
)
add(
    "goodput",
    lambda tau, delta, R, M: float(tau) / segment(tau, delta, R, M),
    first_order_no_R=lambda tau, delta, R, M: 1 - over(delta, tau) - over(tau, 2 * M),
)
add(
    "lost_work_per_failure",
    lambda n, tau, R: over(n * (over(tau, 2) + R), 3600),
    full_tau=lambda n, tau, R: over(n * (tau + R), 3600),
    one_gpu=lambda n, tau, R: over(over(tau, 2) + R, 3600),
)


def mean_loss(L: Any, M: Any) -> float:
    """The mean of an exponential lifetime that ends within L; M once that is certain."""
    digits = Context(prec=60)  # M - L/(exp(x) - 1) loses twice the digits of 1/x
    length, mean = (digits.divide(Decimal(v.numerator), Decimal(v.denominator)) for v in (Fraction(L), Fraction(M)))
    grown = digits.exp(digits.divide(length, mean))
    return float(digits.subtract(mean, digits.divide(length, digits.subtract(grown, Decimal(1)))))


add(
    "mean_loss_exact",
    mean_loss,
    half=lambda L, M: over(L, 2),
)
