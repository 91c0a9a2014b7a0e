"""Model states, activations and the key-value cache."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from oracles.closed_forms.table import define, over

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


_DISTOPT = {"fp16_fp16": (4, 16), "bf16_fp32": (6, 12), "fp32_fp32": (8, 8)}


def min_gpus(N: Any, M: Any, stage: int, rounding: Callable[[Fraction], int] = math.ceil) -> int | None:
    whole, sharded = parts(stage)
    if not sharded:
        return 1 if whole * N <= M else None
    return rounding(over(sharded * N, M - whole * N)) if whole * N < M else None


def layer(s: int, b: int, h: int, a: int) -> int:
    """34 sbh of linear parts, 5 abs^2 of attention scores."""
    return 34 * s * b * h + 5 * a * b * s * s


def layer_tp(s: int, b: int, h: int, a: int, t: int) -> Fraction:
    return 10 * s * b * h + over(layer(s, b, h, a) - 10 * s * b * h, t)


def first_stage(s: int, b: int, h: int, a: int, L: int, t: int, p: int, stored: int) -> Fraction:
    return over(layer(s, b, h, a) * L * stored, t * p)


define(
    """
    # model states
    bytes_per_param(weight, grad, master, moments) = weight + grad + master + moments
        no_master = weight + grad + moments
        one_moment = weight + grad + master + over(moments, 2)
        no_grad = weight + master + moments
    model_state_bytes(N, b) = N * b
        weights_only = 2 * N
        optimizer_only = 12 * N
    zero_bytes(N, K, stage) = N * per_param(K, stage)
        master_replicated = master_replicated(N, K, stage)
        divide_all = over(16 * N, K)
        stage_off_by_one = N * per_param(K, min(stage + 1, 3))
        no_shard = 16 * N
        fp32_gradients = N * per_param(K, stage, (2, 4, 12))
        gradients-replicated = N * (per_param(K, stage, (2, 0, 12)) + 2)
    zero_bytes_general(N, K, stage, p, g, o) = N * per_param(K, stage, (p, g, o))
        default_recipe = N * per_param(K, stage)
    megatron_distopt_bytes(N, d, variant) = N * (_DISTOPT[variant][0] + over(_DISTOPT[variant][1], d))
        zero1 = N * (4 + over(12, d))
        undistributed = N * sum(_DISTOPT[variant])
    zero_min_gpus(N, M, stage) = min_gpus(N, M, stage)
        floor = min_gpus(N, M, stage, math.floor)
        ignore_unsharded = math.ceil(over(16 * N, M))
        weights_only = math.ceil(over(2 * N, M))
    zero_max_params(M, K, stage) = over(M, per_param(K, stage))
        sixteen = over(M, 16)
    state_3d_bytes(N, tp, pp, dp, stage) = over(N, tp * pp) * per_param(dp, stage)
        weights_only = over(2 * N, tp * pp)
        divide_dp_too = over(16 * N, tp * pp * dp)
        forgot_pp = over(N, tp) * per_param(dp, stage)
    fsdp_param_peak(N, b, K, L, n_live) = over(N * b, K) + n_live * over(N * b, L)
        shard_only = over(N * b, K)
        whole_model = over(N * b, K) + N * b
    offload_gpu_bytes(N) = 2 * N
        keeps_grads = 4 * N
        nothing = 16 * N
    offload_step_traffic(N) = 4 * N
        one_way = 2 * N
        fp32 = 8 * N
    zero3_offload_gpu_bytes(N, K) = over(4 * N, K)
        no_offload = over(16 * N, K)
        master_stays = over(8 * N, K)
    redundant_bytes(N, K) = (K - 1) * 16 * N
        K = K * 16 * N
        weights = (K - 1) * 2 * N

    # activations
    act_layer(s, b, h, a) = layer(s, b, h, a)
        no_attention_term = 34 * s * b * h
        twenty_bsh = 20 * s * b * h
        elements = over(layer(s, b, h, a), 2)
    act_layer_tp(s, b, h, a, t) = layer_tp(s, b, h, a, t)
        all_over_t = over(layer(s, b, h, a), t)
        nothing_over_t = layer(s, b, h, a)
    act_layer_tp_sp(s, b, h, a, t) = over(layer(s, b, h, a), t)
        tp_only = layer_tp(s, b, h, a, t)
    act_layer_sp_selective(s, b, h, t) = over(34 * s * b * h, t)
        ten_left = layer_tp(s, b, h, 0, t)
        not_over_t = 34 * s * b * h
    act_layer_tp_selective(s, b, h, t) = layer_tp(s, b, h, 0, t)
        sp = over(34 * s * b * h, t)
    act_layer_full(s, b, h) = 2 * s * b * h
        one_byte = s * b * h
        zero = 0
    act_first_stage(s, b, h, a, L, t, p, M) = first_stage(s, b, h, a, L, t, p, min(p, M))
        over_p = first_stage(s, b, h, a, L, t, p, 1)
        gpipe = first_stage(s, b, h, a, L, t, p, M)
    act_interleave_factor(p, v) = 1 + over(p - 1, p * v)
        v_times = v
        one = 1
    sqrt_checkpoint_bytes(c, l, a_in, a_mid) = c * a_in + over(l, c) * a_mid
        only_segments = over(l, c) * a_mid
        c_full_layers = c * a_mid
    sqrt_checkpoint_opt(l, a_in, a_mid) = math.sqrt(over(l * a_mid, a_in))
        plain_sqrt = math.sqrt(l)
    recompute_overhead_full(r) = over(r, 3)
        double = over(r, 2)
        hundred = r
    recompute_overhead_selective(s, h, L, V) = over(over(s, 18 * h), 1 + over(s, 6 * h) + over(V, 12 * h * L))
        full = Fraction(1, 3)
        eq9 = over(s, 6 * h)
    recompute_overhead_selective_published(s, h) = over(s, 6 * h)
        full = Fraction(1, 3)
    attention_scores_bytes(b, a, s, nbytes) = b * a * s * s * nbytes
        no_heads = b * s * s * nbytes
        linear = b * a * s * nbytes
    logits_bytes(b, s, V, nbytes) = b * s * V * nbytes
        bf16 = 2 * b * s * V

    # serving
    kv_cache_bytes(L, n_kv, d_head, s, b, nbytes) = 2 * L * n_kv * d_head * s * b * nbytes
        no_2 = L * n_kv * d_head * s * b * nbytes
        mha = 16 * L * n_kv * d_head * s * b * nbytes
        one_layer = 2 * n_kv * d_head * s * b * nbytes
    mla_cache_bytes(L, kv_lora, rope, s, b, nbytes) = L * (kv_lora + rope) * s * b * nbytes
        times2 = 2 * L * (kv_lora + rope) * s * b * nbytes
    max_sequences(M, u, W, kv_per_seq) = max(0, math.floor(over(M * u - W, kv_per_seq)))
        no_weights = math.floor(over(M * u, kv_per_seq))
        ceil = max(0, math.ceil(over(M * u - W, kv_per_seq)))
    """,
    globals(),
)
