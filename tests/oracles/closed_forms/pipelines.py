"""Pipeline parallelism."""

from __future__ import annotations

import math
from fractions import Fraction

from oracles.closed_forms.table import add, over


def share(P: int, slots: Fraction | int) -> Fraction:
    """Idle slots as a share of all, where `slots` are useful."""
    return over(P - 1, slots + P - 1)


add(
    "bubble_fraction",
    lambda P, M: share(P, M),
    ratio=lambda P, M: over(P - 1, M),
    P_not_P_1=lambda P, M: over(P, M + P),
    one_over_M=lambda P, M: over(1, M),
    p_over_m=lambda P, M: over(P, M),
)
add("bubble_ratio", lambda P, M: over(P - 1, M), fraction=lambda P, M: share(P, M), P_over_M=lambda P, M: over(P, M))
add(
    "bubble_interleaved_ratio",
    lambda P, M, v: over(P - 1, v * M),
    no_v=lambda P, M, v: over(P - 1, M),
    v_squared=lambda P, M, v: over(over(P, v) - 1, M),
)
add(
    "bubble_interleaved_fraction",
    lambda P, M, v: share(P, v * M),
    plain=lambda P, M, v: share(P, M),
    divided=lambda P, M, v: share(P, M) / v,
)
add(
    "pipeline_time",
    lambda P, M, tf, tb: (M + P - 1) * (tf + tb),
    ideal=lambda P, M, tf, tb: M * (tf + tb),
    P=lambda P, M, tf, tb: (M + P) * (tf + tb),
)
add(
    "pipeline_time_uneven",
    lambda times, M: sum(times) + (M - 1) * max(times),
    mean=lambda times, M: over(sum(times) * (M + len(times) - 1), len(times)),
)


def min_microbatches(P: int, f: Fraction, v: int, strict: bool) -> int:
    even = over((P - 1) * (1 - Fraction(f)), Fraction(f) * v)
    return math.floor(even) + 1 if strict else max(1, math.ceil(even))


add(
    "min_microbatches",
    min_microbatches,
    twenty=lambda P, f, v, strict: math.ceil(over(P - 1, f)),
    P=lambda P, f, v, strict: math.ceil(over(P * (1 - Fraction(f)), Fraction(f) * v)),
)
add(
    "bubble_zb_h1",
    lambda P, F, Bi, W: (P - 1) * (F + Bi - W),
    **{"1f1b": lambda P, F, Bi, W: (P - 1) * (F + Bi + W)},
    dsv3_mixed=lambda P, F, Bi, W: (P - 1) * (F + Bi - 2 * W),
)
add(
    "bubble_zb_h2",
    lambda P, F, Bi, W: (P - 1) * (F + Bi - 2 * W),
    h1=lambda P, F, Bi, W: (P - 1) * (F + Bi - W),
)
add(
    "bubble_dualpipe",
    lambda PP, F, B, W, FB: (over(PP, 2) - 1) * (FB + B - 3 * W),
    zb1p=lambda PP, F, B, W, FB: (PP - 1) * (F + B - 2 * W),
    no_half=lambda PP, F, B, W, FB: (PP - 1) * (FB + B - 3 * W),
)
add("inflight_gpipe", lambda P, M: M, P=lambda P, M: P)
add(
    "inflight_1f1b",
    lambda P, M, i: min(P - i, M),
    M=lambda P, M, i: M,
    P_everywhere=lambda P, M, i: min(P, M),
)
add(
    "inflight_interleaved",
    lambda P, M, v: min(P + over(P - 1, v), M),
    P=lambda P, M, v: min(P, M),
    vP=lambda P, M, v: v * P,
)
add(
    "pp_boundary_bytes",
    lambda M, b, s, h, nbytes, v: 2 * M * b * s * h * nbytes * v,
    fwd_only=lambda M, b, s, h, nbytes, v: M * b * s * h * nbytes * v,
    no_v=lambda M, b, s, h, nbytes, v: 2 * M * b * s * h * nbytes,
)
add("pp_sends_forward", lambda P, v: P * v - 1, P=lambda P, v: P, ignore_v=lambda P, v: P - 1)
