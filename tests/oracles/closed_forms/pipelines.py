"""Pipeline parallelism."""

from __future__ import annotations

import math
from fractions import Fraction

from oracles.closed_forms.table import define, over


def share(P: int, slots: Fraction | int) -> Fraction:
    """Idle slots as a share of all, where `slots` are useful."""
    return over(P - 1, slots + P - 1)


def min_microbatches(P: int, f: Fraction, v: int, strict: bool) -> int:
    even = over((P - 1) * (1 - Fraction(f)), Fraction(f) * v)
    return math.floor(even) + 1 if strict else max(1, math.ceil(even))


define(
    """
    bubble_fraction(P, M) = share(P, M)
        ratio = over(P - 1, M)
        P_not_P_1 = over(P, M + P)
        one_over_M = over(1, M)
        p_over_m = over(P, M)
    bubble_ratio(P, M) = over(P - 1, M)
        fraction = share(P, M)
        P_over_M = over(P, M)
    bubble_interleaved_ratio(P, M, v) = over(P - 1, v * M)
        no_v = over(P - 1, M)
        v_squared = over(over(P, v) - 1, M)
    bubble_interleaved_fraction(P, M, v) = share(P, v * M)
        plain = share(P, M)
        divided = share(P, M) / v
    pipeline_time(P, M, tf, tb) = (M + P - 1) * (tf + tb)
        ideal = M * (tf + tb)
        P = (M + P) * (tf + tb)
    pipeline_time_uneven(times, M) = sum(times) + (M - 1) * max(times)
        mean = over(sum(times) * (M + len(times) - 1), len(times))
    min_microbatches(P, f, v, strict) = min_microbatches(P, f, v, strict)
        twenty = math.ceil(over(P - 1, f))
        P = math.ceil(over(P * (1 - Fraction(f)), Fraction(f) * v))
    bubble_zb_h1(P, F, Bi, W) = (P - 1) * (F + Bi - W)
        1f1b = (P - 1) * (F + Bi + W)
        dsv3_mixed = (P - 1) * (F + Bi - 2 * W)
    bubble_zb_h2(P, F, Bi, W) = (P - 1) * (F + Bi - 2 * W)
        h1 = (P - 1) * (F + Bi - W)
    bubble_dualpipe(PP, F, B, W, FB) = (over(PP, 2) - 1) * (FB + B - 3 * W)
        zb1p = (PP - 1) * (F + B - 2 * W)
        no_half = (PP - 1) * (FB + B - 3 * W)
    inflight_gpipe(P, M) = M
        P = P
    inflight_1f1b(P, M, i) = min(P - i, M)
        M = M
        P_everywhere = min(P, M)
    inflight_interleaved(P, M, v) = min(P + over(P - 1, v), M)
        P = min(P, M)
        vP = v * P
    pp_boundary_bytes(M, b, s, h, nbytes, v) = 2 * M * b * s * h * nbytes * v
        fwd_only = M * b * s * h * nbytes * v
        no_v = 2 * M * b * s * h * nbytes
    pp_sends_forward(P, v) = P * v - 1
        P = P
        ignore_v = P - 1
    """,
    globals(),
)
