"""Links, number formats and parameter counts."""

# ruff: noqa: E741 -- l is the name of an input

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oracles.closed_forms.table import add, over

GIB = 1 << 30


def two(exponent: int) -> Fraction:
    return Fraction(2) ** exponent


def bias(e: int) -> int:
    return (1 << (e - 1)) - 1


# -- links ----------------------------------------------------------------------------------

add("link_rate", lambda rate_gbps: over(rate_gbps * 10**9, 8), bits_as_bytes=lambda rate_gbps: rate_gbps * 10**9)
add(
    "nvlink_per_direction",
    lambda total_bytes_per_s: over(total_bytes_per_s, 2),
    bidirectional=lambda total_bytes_per_s: total_bytes_per_s,
)
add("bytes_to_gib", lambda n_bytes: over(n_bytes, GIB), gb_not_gib=lambda n_bytes: over(n_bytes, 10**9))
add(
    "transfer_time",
    lambda n_bytes, bandwidth, alpha: alpha + over(n_bytes, bandwidth),
    bits_bytes=lambda n_bytes, bandwidth, alpha: alpha + over(n_bytes, 8 * bandwidth),
    no_alpha=lambda n_bytes, bandwidth, alpha: over(n_bytes, bandwidth),
)

# -- number formats -------------------------------------------------------------------------


def fp_max(e: int, m: int, style: str) -> Fraction:
    if style == "ieee":
        return (2 - two(-m)) * two(bias(e))
    top = two((1 << e) - 1 - bias(e))
    return (2 - two(1 - m)) * top if style == "e4m3fn" else (2 - two(-m)) * top


add(
    "fp_max",
    fp_max,
    e4m3_ieee=lambda e, m, style: fp_max(e, m, "ieee"),
    next_exp=lambda e, m, style: fp_max(e, m, "noinf"),
)
add("fp_min_normal", lambda e, m: two(1 - bias(e)), subnormal=lambda e, m: two(1 - bias(e) - m))
add("fp_min_subnormal", lambda e, m: two(1 - bias(e) - m), normal=lambda e, m: two(1 - bias(e)))
add("fp_eps", lambda e, m: two(-m), half=lambda e, m: two(-m - 1))

# -- parameters -----------------------------------------------------------------------------

add(
    "params_12lh2",
    lambda l, h: l * 12 * h * h,
    attn_only=lambda l, h: l * 4 * h * h,
    mlp_only=lambda l, h: l * 8 * h * h,
)
add(
    "params_gpt",
    lambda l, h, V, s: l * (12 * h * h + 13 * h) + (V + s) * h,
    no_embed=lambda l, h, V, s: l * (12 * h * h + 13 * h),
    untied=lambda l, h, V, s: l * (12 * h * h + 13 * h) + (2 * V + s) * h,
)


def attention(h: int, a: int, kv: int) -> int:
    head = h // a
    return 2 * h * (a * head) + 2 * h * (kv * head)


def params_llama(L: int, h: int, f: int, V: int, a: int, kv: int, tied: Any) -> int:
    return L * (attention(h, a, kv) + 3 * h * f + 2 * h) + h + (V * h if tied else 2 * V * h)


add(
    "params_llama",
    params_llama,
    mha=lambda L, h, f, V, a, kv, tied: L * (4 * h * h + 3 * h * f + 2 * h) + h + (1 if tied else 2) * V * h,
    two_mlp=lambda L, h, f, V, a, kv, tied: params_llama(L, h, f, V, a, kv, tied) - L * h * f,
    one_embed=lambda L, h, f, V, a, kv, tied: params_llama(L, h, f, V, a, kv, True),
)


def moe(L: int, h: int, f: int, V: int, a: int, kv: int, E: int, k: int) -> int:
    return L * (attention(h, a, kv) + 3 * k * h * f + E * h + 2 * h) + h + 2 * V * h


add(
    "params_moe_total",
    lambda L, h, f, V, a, kv, E: moe(L, h, f, V, a, kv, E, E),
    times_E=lambda L, h, f, V, a, kv, E: E * params_llama(L, h, f, V, a, kv, False),
)
add("params_moe_active", moe, total_k_over_E=lambda L, h, f, V, a, kv, E, k: over(moe(L, h, f, V, a, kv, E, E) * k, E))
add(
    "lora_params",
    lambda r, d_in, d_out, n_matrices: n_matrices * r * (d_in + d_out),
    square=lambda r, d_in, d_out, n_matrices: n_matrices * r * d_in * d_out,
    one_side=lambda r, d_in, d_out, n_matrices: n_matrices * r * d_in,
)
