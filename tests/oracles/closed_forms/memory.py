"""Model states, activations and the key-value cache."""

# ruff: noqa: E741 -- l is the name of an input

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from oracles.closed_forms.table import add, over

# -- model states ---------------------------------------------------------------------------

add(
    "bytes_per_param",
    lambda weight, grad, master, moments: weight + grad + master + moments,
    no_master=lambda weight, grad, master, moments: weight + grad + moments,
    one_moment=lambda weight, grad, master, moments: weight + grad + master + over(moments, 2),
    no_grad=lambda weight, grad, master, moments: weight + master + moments,
)
add("model_state_bytes", lambda N, b: N * b, weights_only=lambda N, b: 2 * N, optimizer_only=lambda N, b: 12 * N)

# What is whole on every GPU and what is divided by the degree, per stage, for weights, gradients, optimizer.
_WHOLE = {0: (1, 1, 1), 1: (1, 1, 0), 2: (1, 0, 0), 3: (0, 0, 0)}


def parts(stage: int, recipe: tuple[Any, Any, Any] = (2, 2, 12)) -> tuple[Any, Any]:
    whole = sum(size for size, kept in zip(recipe, _WHOLE[stage], strict=True) if kept)
    return whole, sum(recipe) - whole


def per_param(K: int, stage: int, recipe: tuple[Any, Any, Any] = (2, 2, 12)) -> Fraction:
    whole, sharded = parts(stage, recipe)
    return Fraction(whole) + over(sharded, K)


def master_replicated(N: Any, K: int, stage: int) -> Fraction:
    whole, sharded = {0: (16, 0), 1: (8, 8), 2: (6, 10), 3: (0, 16)}[stage]
    return N * (whole + over(sharded, K))


add(
    "zero_bytes",
    lambda N, K, stage: N * per_param(K, stage),
    master_replicated=master_replicated,
    divide_all=lambda N, K, stage: over(16 * N, K),
    stage_off_by_one=lambda N, K, stage: N * per_param(K, min(stage + 1, 3)),
    no_shard=lambda N, K, stage: 16 * N,
    fp32_gradients=lambda N, K, stage: N * per_param(K, stage, (2, 4, 12)),
    **{"gradients-replicated": lambda N, K, stage: N * (per_param(K, stage, (2, 0, 12)) + 2)},
)
add(
    "zero_bytes_general",
    lambda N, K, stage, p, g, o: N * per_param(K, stage, (p, g, o)),
    default_recipe=lambda N, K, stage, p, g, o: N * per_param(K, stage),
)
_DISTOPT = {"fp16_fp16": (4, 16), "bf16_fp32": (6, 12), "fp32_fp32": (8, 8)}
add(
    "megatron_distopt_bytes",
    lambda N, d, variant: N * (_DISTOPT[variant][0] + over(_DISTOPT[variant][1], d)),
    zero1=lambda N, d, variant: N * (4 + over(12, d)),
    undistributed=lambda N, d, variant: N * sum(_DISTOPT[variant]),
)


def min_gpus(N: Any, M: Any, stage: int, rounding: Callable[[Fraction], int] = math.ceil) -> int | None:
    whole, sharded = parts(stage)
    if not sharded:
        return 1 if whole * N <= M else None
    return rounding(over(sharded * N, M - whole * N)) if whole * N < M else None


add(
    "zero_min_gpus",
    min_gpus,
    floor=lambda N, M, stage: min_gpus(N, M, stage, math.floor),
    ignore_unsharded=lambda N, M, stage: math.ceil(over(16 * N, M)),
    weights_only=lambda N, M, stage: math.ceil(over(2 * N, M)),
)
add("zero_max_params", lambda M, K, stage: over(M, per_param(K, stage)), sixteen=lambda M, K, stage: over(M, 16))
add(
    "state_3d_bytes",
    lambda N, tp, pp, dp, stage: over(N, tp * pp) * per_param(dp, stage),
    weights_only=lambda N, tp, pp, dp, stage: over(2 * N, tp * pp),
    divide_dp_too=lambda N, tp, pp, dp, stage: over(16 * N, tp * pp * dp),
    forgot_pp=lambda N, tp, pp, dp, stage: over(N, tp) * per_param(dp, stage),
)
add(
    "fsdp_param_peak",
    lambda N, b, K, L, n_live: over(N * b, K) + n_live * over(N * b, L),
    shard_only=lambda N, b, K, L, n_live: over(N * b, K),
    whole_model=lambda N, b, K, L, n_live: over(N * b, K) + N * b,
)
add("offload_gpu_bytes", lambda N: 2 * N, keeps_grads=lambda N: 4 * N, nothing=lambda N: 16 * N)
add("offload_step_traffic", lambda N: 4 * N, one_way=lambda N: 2 * N, fp32=lambda N: 8 * N)
add(
    "zero3_offload_gpu_bytes",
    lambda N, K: over(4 * N, K),
    no_offload=lambda N, K: over(16 * N, K),
    master_stays=lambda N, K: over(8 * N, K),
)
add("redundant_bytes", lambda N, K: (K - 1) * 16 * N, K=lambda N, K: K * 16 * N, weights=lambda N, K: (K - 1) * 2 * N)

# -- activations ----------------------------------------------------------------------------


def layer(s: int, b: int, h: int, a: int) -> int:
    """34 sbh of linear parts, 5 abs^2 of attention scores."""
    return 34 * s * b * h + 5 * a * b * s * s


def layer_tp(s: int, b: int, h: int, a: int, t: int) -> Fraction:
    return 10 * s * b * h + over(layer(s, b, h, a) - 10 * s * b * h, t)


add(
    "act_layer",
    layer,
    no_attention_term=lambda s, b, h, a: 34 * s * b * h,
    twenty_bsh=lambda s, b, h, a: 20 * s * b * h,
    elements=lambda s, b, h, a: over(layer(s, b, h, a), 2),
)
add(
    "act_layer_tp",
    layer_tp,
    all_over_t=lambda s, b, h, a, t: over(layer(s, b, h, a), t),
    nothing_over_t=lambda s, b, h, a, t: layer(s, b, h, a),
)
add("act_layer_tp_sp", lambda s, b, h, a, t: over(layer(s, b, h, a), t), tp_only=layer_tp)
add(
    "act_layer_sp_selective",
    lambda s, b, h, t: over(34 * s * b * h, t),
    ten_left=lambda s, b, h, t: layer_tp(s, b, h, 0, t),
    not_over_t=lambda s, b, h, t: 34 * s * b * h,
)
add(
    "act_layer_tp_selective",
    lambda s, b, h, t: layer_tp(s, b, h, 0, t),
    sp=lambda s, b, h, t: over(34 * s * b * h, t),
)
add("act_layer_full", lambda s, b, h: 2 * s * b * h, one_byte=lambda s, b, h: s * b * h, zero=lambda s, b, h: 0)


def first_stage(s: int, b: int, h: int, a: int, L: int, t: int, p: int, stored: int) -> Fraction:
    return over(layer(s, b, h, a) * L * stored, t * p)


add(
    "act_first_stage",
    lambda s, b, h, a, L, t, p, M: first_stage(s, b, h, a, L, t, p, min(p, M)),
    over_p=lambda s, b, h, a, L, t, p, M: first_stage(s, b, h, a, L, t, p, 1),
    gpipe=lambda s, b, h, a, L, t, p, M: first_stage(s, b, h, a, L, t, p, M),
)
add("act_interleave_factor", lambda p, v: 1 + over(p - 1, p * v), v_times=lambda p, v: v, one=lambda p, v: 1)
add(
    "sqrt_checkpoint_bytes",
    lambda c, l, a_in, a_mid: c * a_in + over(l, c) * a_mid,
    only_segments=lambda c, l, a_in, a_mid: over(l, c) * a_mid,
    c_full_layers=lambda c, l, a_in, a_mid: c * a_mid,
)
add(
    "sqrt_checkpoint_opt",
    lambda l, a_in, a_mid: math.sqrt(over(l * a_mid, a_in)),
    plain_sqrt=lambda l, a_in, a_mid: math.sqrt(l),
)
add("recompute_overhead_full", lambda r: over(r, 3), double=lambda r: over(r, 2), hundred=lambda r: r)
add(
    "recompute_overhead_selective",
    lambda s, h, L, V: over(over(s, 18 * h), 1 + over(s, 6 * h) + over(V, 12 * h * L)),
    full=lambda s, h, L, V: Fraction(1, 3),
    eq9=lambda s, h, L, V: over(s, 6 * h),
)
add("recompute_overhead_selective_published", lambda s, h: over(s, 6 * h), full=lambda s, h: Fraction(1, 3))
add(
    "attention_scores_bytes",
    lambda b, a, s, nbytes: b * a * s * s * nbytes,
    no_heads=lambda b, a, s, nbytes: b * s * s * nbytes,
    linear=lambda b, a, s, nbytes: b * a * s * nbytes,
)
add("logits_bytes", lambda b, s, V, nbytes: b * s * V * nbytes, bf16=lambda b, s, V, nbytes: 2 * b * s * V)

# -- serving --------------------------------------------------------------------------------

add(
    "kv_cache_bytes",
    lambda L, n_kv, d_head, s, b, nbytes: 2 * L * n_kv * d_head * s * b * nbytes,
    no_2=lambda L, n_kv, d_head, s, b, nbytes: L * n_kv * d_head * s * b * nbytes,
    mha=lambda L, n_kv, d_head, s, b, nbytes: 16 * L * n_kv * d_head * s * b * nbytes,
    one_layer=lambda L, n_kv, d_head, s, b, nbytes: 2 * n_kv * d_head * s * b * nbytes,
)
add(
    "mla_cache_bytes",
    lambda L, kv_lora, rope, s, b, nbytes: L * (kv_lora + rope) * s * b * nbytes,
    times2=lambda L, kv_lora, rope, s, b, nbytes: 2 * L * (kv_lora + rope) * s * b * nbytes,
)
add(
    "max_sequences",
    lambda M, u, W, kv_per_seq: max(0, math.floor(over(M * u - W, kv_per_seq))),
    no_weights=lambda M, u, W, kv_per_seq: math.floor(over(M * u, kv_per_seq)),
    ceil=lambda M, u, W, kv_per_seq: max(0, math.ceil(over(M * u - W, kv_per_seq))),
)
