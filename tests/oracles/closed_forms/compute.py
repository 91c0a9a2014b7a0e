"""FLOPs, utilisation, time, cost, rooflines and inference latency; checkpoints, failures and goodput."""

# ruff: noqa: E741 -- l is the name of an input

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from oracles.closed_forms.table import define, over


def gpt_flops(per_layer: int, head: int, B: int, s: int, l: int, h: int, V: int, scores: bool = True) -> int:
    """`per_layer` BLsh^2 of dense products, per_layer/6 BLs^2h of attention, `head` BshV of logits."""
    attention = over(per_layer, 6) * B * l * s * s * h if scores else Fraction(0)
    return per_layer * B * l * s * h * h + attention + head * B * s * h * V


_E, _A, _B, _ALPHA, _BETA = 1.69, 406.4, 410.7, 0.34, 0.28


_G = (_ALPHA * _A / (_BETA * _B)) ** (1 / (_ALPHA + _BETA))


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
    # FLOPs
    flops_6nd(N, D) = 6 * N * D
        forward_only = 2 * N * D
        mac = 3 * N * D
        recompute = 8 * N * D
    flops_8nd(N, D) = 8 * N * D
        six = 6 * N * D
        nine = 9 * N * D
    flops_megatron_iter(B, s, l, h, V) = gpt_flops(96, 6, B, s, l, h, V)
        no_recompute = gpt_flops(72, 6, B, s, l, h, V)
        no_attention = gpt_flops(96, 6, B, s, l, h, V, scores=False)
    flops_model_iter(B, s, l, h, V) = gpt_flops(72, 6, B, s, l, h, V)
        forward_only = gpt_flops(24, 2, B, s, l, h, V)
    flops_per_token_palm(N, L, H, Qd, T) = 6 * N + 12 * L * H * Qd * T
        no_attention = 6 * N
        causal_half = 6 * N + 6 * L * H * Qd * T
    moe_flops(n_active, n_total, D) = 6 * n_active * D
        total = 6 * n_total * D

    # utilisation, time and cost
    mfu(N, tokens_per_s, n, peak) = over(6 * N * tokens_per_s, n * peak)
        hfu = over(8 * N * tokens_per_s, n * peak)
        sparse_peak = over(6 * N * tokens_per_s, n * 2 * peak)
        forward = over(2 * N * tokens_per_s, n * peak)
    hfu_full(mfu_value) = over(4 * mfu_value, 3)
        same = mfu_value
        inverse = over(3 * mfu_value, 4)
    train_time(N, D, n, peak, mfu_value) = over(6 * N * D, n * peak * mfu_value)
        no_mfu = over(6 * N * D, n * peak)
        forward = over(2 * N * D, n * peak * mfu_value)
        no_n = over(6 * N * D, peak * mfu_value)
    train_time_megatron(P, T, n, X) = over(8 * T * P, n * X)
        six = over(6 * T * P, n * X)
    gpu_hours(n, seconds) = over(n * seconds, 3600)
        wall = over(seconds, 3600)
    train_cost(hours, n, price) = hours * n * price
        wall = hours * price
    steps_for_tokens(D, batch_tokens) = math.ceil(over(D, batch_tokens))
        samples = math.ceil(over(D * 2048, batch_tokens))
    step_time(N, batch_tokens, n, peak, mfu_value) = over(6 * N * batch_tokens, n * peak * mfu_value)
        per_gpu = over(6 * N * batch_tokens, peak * mfu_value)
    tokens_per_s_gpu(N, peak, mfu_value) = over(peak * mfu_value, 6 * N)
        forward = over(peak * mfu_value, 2 * N)
    energy_kwh(n, watts, pue, seconds) = over(n * watts * pue * seconds, 3_600_000)
        no_pue = over(n * watts * seconds, 3_600_000)

    # roofline
    gemm_intensity(m, n, k, nbytes) = over(2 * m * n * k, nbytes * (m * k + k * n + m * n))
        mac = over(m * n * k, nbytes * (m * k + k * n + m * n))
        weights_only = over(2 * m, nbytes)
    ridge_point(peak, bw) = over(peak, bw)
        sparse = over(2 * peak, bw)
    roofline(peak, bw, intensity) = min(peak, intensity * bw)
        peak = peak
        bw = intensity * bw

    # inference
    prefill_time(N, s, b, n, peak, util) = over(2 * N * s * b, n * peak * util)
        six = over(6 * N * s * b, n * peak * util)
        one_token = over(2 * N * b, n * peak * util)
    decode_time(W, kv, n, bw) = over(W + kv, n * bw)
        no_kv = over(W, n * bw)
        no_n = over(W + kv, bw)
    decode_ridge_batch(peak, bw, nbytes) = over(peak * nbytes, 2 * bw)
        no_bytes = over(peak, 2 * bw)
        double = over(peak * nbytes, bw)
    request_latency(ttft, n_out, tpot) = ttft + (n_out - 1) * tpot
        n = ttft + n_out * tpot

    # compute-optimal training
    chinchilla_tokens(N) = 20 * N
        inverse = over(N, 20)
    chinchilla_n_from_c(C) = math.sqrt(over(C, 120))
        no_6 = math.sqrt(over(C, 20))
        linear = over(C, 120)
    chinchilla_loss(N, D) = _E + _A * float(N) ** -_ALPHA + _B * float(D) ** -_BETA
        no_E = _A * float(N) ** -_ALPHA + _B * float(D) ** -_BETA
    chinchilla_n_param(C) = _G * (float(C) / 6) ** (_BETA / (_ALPHA + _BETA))
        swap = _G * (float(C) / 6) ** (_ALPHA / (_ALPHA + _BETA))

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
