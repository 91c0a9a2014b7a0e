"""FLOPs, utilisation, time, cost, rooflines and inference latency."""

# ruff: noqa: E741 -- l is the name of an input

from __future__ import annotations

import math
from fractions import Fraction

from oracles.closed_forms.table import add, over

# -- FLOPs ----------------------------------------------------------------------------------

add(
    "flops_6nd",
    lambda N, D: 6 * N * D,
    forward_only=lambda N, D: 2 * N * D,
    mac=lambda N, D: 3 * N * D,
    recompute=lambda N, D: 8 * N * D,
)
add("flops_8nd", lambda N, D: 8 * N * D, six=lambda N, D: 6 * N * D, nine=lambda N, D: 9 * N * D)


def gpt_flops(per_layer: int, head: int, B: int, s: int, l: int, h: int, V: int, scores: bool = True) -> int:
    """`per_layer` BLsh^2 of dense products, per_layer/6 BLs^2h of attention, `head` BshV of logits."""
    attention = over(per_layer, 6) * B * l * s * s * h if scores else Fraction(0)
    return per_layer * B * l * s * h * h + attention + head * B * s * h * V


add(
    "flops_megatron_iter",
    lambda B, s, l, h, V: gpt_flops(96, 6, B, s, l, h, V),
    no_recompute=lambda B, s, l, h, V: gpt_flops(72, 6, B, s, l, h, V),
    no_attention=lambda B, s, l, h, V: gpt_flops(96, 6, B, s, l, h, V, scores=False),
)
add(
    "flops_model_iter",
    lambda B, s, l, h, V: gpt_flops(72, 6, B, s, l, h, V),
    forward_only=lambda B, s, l, h, V: gpt_flops(24, 2, B, s, l, h, V),
)
add(
    "flops_per_token_palm",
    lambda N, L, H, Qd, T: 6 * N + 12 * L * H * Qd * T,
    no_attention=lambda N, L, H, Qd, T: 6 * N,
    causal_half=lambda N, L, H, Qd, T: 6 * N + 6 * L * H * Qd * T,
)
add(
    "moe_flops",
    lambda n_active, n_total, D: 6 * n_active * D,
    total=lambda n_active, n_total, D: 6 * n_total * D,
)

# -- utilisation, time and cost -------------------------------------------------------------

add(
    "mfu",
    lambda N, tokens_per_s, n, peak: over(6 * N * tokens_per_s, n * peak),
    hfu=lambda N, tokens_per_s, n, peak: over(8 * N * tokens_per_s, n * peak),
    sparse_peak=lambda N, tokens_per_s, n, peak: over(6 * N * tokens_per_s, n * 2 * peak),
    forward=lambda N, tokens_per_s, n, peak: over(2 * N * tokens_per_s, n * peak),
)
add(
    "hfu_full",
    lambda mfu_value: over(4 * mfu_value, 3),
    same=lambda mfu_value: mfu_value,
    inverse=lambda mfu_value: over(3 * mfu_value, 4),
)
add(
    "train_time",
    lambda N, D, n, peak, mfu_value: over(6 * N * D, n * peak * mfu_value),
    no_mfu=lambda N, D, n, peak, mfu_value: over(6 * N * D, n * peak),
    forward=lambda N, D, n, peak, mfu_value: over(2 * N * D, n * peak * mfu_value),
    no_n=lambda N, D, n, peak, mfu_value: over(6 * N * D, peak * mfu_value),
)
add(
    "train_time_megatron",
    lambda P, T, n, X: over(8 * T * P, n * X),
    six=lambda P, T, n, X: over(6 * T * P, n * X),
)
add("gpu_hours", lambda n, seconds: over(n * seconds, 3600), wall=lambda n, seconds: over(seconds, 3600))
add("train_cost", lambda hours, n, price: hours * n * price, wall=lambda hours, n, price: hours * price)
add(
    "steps_for_tokens",
    lambda D, batch_tokens: math.ceil(over(D, batch_tokens)),
    samples=lambda D, batch_tokens: math.ceil(over(D * 2048, batch_tokens)),
)
add(
    "step_time",
    lambda N, batch_tokens, n, peak, mfu_value: over(6 * N * batch_tokens, n * peak * mfu_value),
    per_gpu=lambda N, batch_tokens, n, peak, mfu_value: over(6 * N * batch_tokens, peak * mfu_value),
)
add(
    "tokens_per_s_gpu",
    lambda N, peak, mfu_value: over(peak * mfu_value, 6 * N),
    forward=lambda N, peak, mfu_value: over(peak * mfu_value, 2 * N),
)
add(
    "energy_kwh",
    lambda n, watts, pue, seconds: over(n * watts * pue * seconds, 3_600_000),
    no_pue=lambda n, watts, pue, seconds: over(n * watts * seconds, 3_600_000),
)

# -- roofline -------------------------------------------------------------------------------

add(
    "gemm_intensity",
    lambda m, n, k, nbytes: over(2 * m * n * k, nbytes * (m * k + k * n + m * n)),
    mac=lambda m, n, k, nbytes: over(m * n * k, nbytes * (m * k + k * n + m * n)),
    weights_only=lambda m, n, k, nbytes: over(2 * m, nbytes),
)
add("ridge_point", lambda peak, bw: over(peak, bw), sparse=lambda peak, bw: over(2 * peak, bw))
add(
    "roofline",
    lambda peak, bw, intensity: min(peak, intensity * bw),
    peak=lambda peak, bw, intensity: peak,
    bw=lambda peak, bw, intensity: intensity * bw,
)

# -- inference ------------------------------------------------------------------------------

add(
    "prefill_time",
    lambda N, s, b, n, peak, util: over(2 * N * s * b, n * peak * util),
    six=lambda N, s, b, n, peak, util: over(6 * N * s * b, n * peak * util),
    one_token=lambda N, s, b, n, peak, util: over(2 * N * b, n * peak * util),
)
add(
    "decode_time",
    lambda W, kv, n, bw: over(W + kv, n * bw),
    no_kv=lambda W, kv, n, bw: over(W, n * bw),
    no_n=lambda W, kv, n, bw: over(W + kv, bw),
)
add(
    "decode_ridge_batch",
    lambda peak, bw, nbytes: over(peak * nbytes, 2 * bw),
    no_bytes=lambda peak, bw, nbytes: over(peak, 2 * bw),
    double=lambda peak, bw, nbytes: over(peak * nbytes, bw),
)
add(
    "request_latency",
    lambda ttft, n_out, tpot: ttft + (n_out - 1) * tpot,
    n=lambda ttft, n_out, tpot: ttft + n_out * tpot,
)

# -- compute-optimal training ---------------------------------------------------------------

_E, _A, _B, _ALPHA, _BETA = 1.69, 406.4, 410.7, 0.34, 0.28
_G = (_ALPHA * _A / (_BETA * _B)) ** (1 / (_ALPHA + _BETA))

add("chinchilla_tokens", lambda N: 20 * N, inverse=lambda N: over(N, 20))
add(
    "chinchilla_n_from_c",
    lambda C: math.sqrt(over(C, 120)),
    no_6=lambda C: math.sqrt(over(C, 20)),
    linear=lambda C: over(C, 120),
)
add(
    "chinchilla_loss",
    lambda N, D: _E + _A * float(N) ** -_ALPHA + _B * float(D) ** -_BETA,
    no_E=lambda N, D: _A * float(N) ** -_ALPHA + _B * float(D) ** -_BETA,
)
add(
    "chinchilla_n_param",
    lambda C: _G * (float(C) / 6) ** (_BETA / (_ALPHA + _BETA)),
    swap=lambda C: _G * (float(C) / 6) ** (_ALPHA / (_ALPHA + _BETA)),
)
