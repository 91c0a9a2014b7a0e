"""Links, number formats and parameter counts; batch arithmetic, world size and the layout of ranks; speed-up laws and
learning rates."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oracles.closed_forms.table import define

GIB = 1 << 30


def two(exponent: int) -> Fraction:
    return Fraction(2) ** exponent


def bias(e: int) -> int:
    return (1 << (e - 1)) - 1


def fp_max(e: int, m: int, style: str) -> Fraction:
    if style == "ieee":
        return (2 - two(-m)) * two(bias(e))
    top = two((1 << e) - 1 - bias(e))
    return (2 - two(1 - m)) * top if style == "e4m3fn" else (2 - two(-m)) * top


def attention(h: int, a: int, kv: int) -> int:
    head = h // a
    return 2 * h * (a * head) + 2 * h * (kv * head)


def params_llama(L: int, h: int, f: int, V: int, a: int, kv: int, tied: Any) -> int:
    return L * (attention(h, a, kv) + 3 * h * f + 2 * h) + h + (V * h if tied else 2 * V * h)


def moe(L: int, h: int, f: int, V: int, a: int, kv: int, E: int, k: int) -> int:
    return L * (attention(h, a, kv) + 3 * k * h * f + E * h + 2 * h) + h + 2 * V * h


def evenly(whole: int, by: int) -> int | None:
    """The quotient if there is no remainder."""
    return whole // by if whole % by == 0 else None


def digits(number: int, *radices: int) -> list[int]:
    """The digits of a number in a mixed radix, the fastest first."""
    found = []
    for radix in radices:
        number, digit = divmod(number, radix)
        found.append(digit)
    return found


def dp_fastest(rank: int, tp: int, cp: int, pp: int, dp: int) -> list[int]:
    d, p, c, t = digits(rank, dp, pp, cp, tp)
    return [t, c, p, d]


define(
    """
    # links
    link_rate(rate_gbps) = over(rate_gbps * 10**9, 8)
        bits_as_bytes = rate_gbps * 10**9
    nvlink_per_direction(total_bytes_per_s) = over(total_bytes_per_s, 2)
        bidirectional = total_bytes_per_s
    bytes_to_gib(n_bytes) = over(n_bytes, GIB)
        gb_not_gib = over(n_bytes, 10**9)
    transfer_time(n_bytes, bandwidth, alpha) = alpha + over(n_bytes, bandwidth)
        bits_bytes = alpha + over(n_bytes, 8 * bandwidth)
        no_alpha = over(n_bytes, bandwidth)

    # number formats
    fp_max(e, m, style) = fp_max(e, m, style)
        e4m3_ieee = fp_max(e, m, "ieee")
        next_exp = fp_max(e, m, "noinf")
    fp_min_normal(e, m) = two(1 - bias(e))
        subnormal = two(1 - bias(e) - m)
    fp_min_subnormal(e, m) = two(1 - bias(e) - m)
        normal = two(1 - bias(e))
    fp_eps(e, m) = two(-m)
        half = two(-m - 1)

    # parameters
    params_12lh2(l, h) = l * 12 * h * h
        attn_only = l * 4 * h * h
        mlp_only = l * 8 * h * h
    params_gpt(l, h, V, s) = l * (12 * h * h + 13 * h) + (V + s) * h
        no_embed = l * (12 * h * h + 13 * h)
        untied = l * (12 * h * h + 13 * h) + (2 * V + s) * h
    params_llama(L, h, f, V, a, kv, tied) = params_llama(L, h, f, V, a, kv, tied)
        mha = L * (4 * h * h + 3 * h * f + 2 * h) + h + (1 if tied else 2) * V * h
        two_mlp = params_llama(L, h, f, V, a, kv, tied) - L * h * f
        one_embed = params_llama(L, h, f, V, a, kv, True)
    params_moe_total(L, h, f, V, a, kv, E) = moe(L, h, f, V, a, kv, E, E)
        times_E = E * params_llama(L, h, f, V, a, kv, False)
    params_moe_active(L, h, f, V, a, kv, E, k) = moe(L, h, f, V, a, kv, E, k)
        total_k_over_E = over(moe(L, h, f, V, a, kv, E, E) * k, E)
    lora_params(r, d_in, d_out, n_matrices) = n_matrices * r * (d_in + d_out)
        square = n_matrices * r * d_in * d_out
        one_side = n_matrices * r * d_in

    global_batch(micro, accum, dp, mp) = micro * accum * dp
        world = micro * accum * dp * mp
        no_accum = micro * dp
    accum_steps(batch, micro, dp, mp) = evenly(batch, micro * dp)
        world = batch // (micro * dp * mp)
    accum_steps_tokens(tokens, tok_micro, dp) = math.ceil(over(tokens, tok_micro * dp))
        no_dp = math.ceil(over(tokens, tok_micro))
    tokens_per_batch(sequences, s) = sequences * s
        no_s = sequences
    world_size(dp, tp, pp, cp, ep) = dp * tp * pp * cp
        ep_factor = dp * tp * pp * cp * ep
        sum = dp + tp + pp + cp
    dp_degree(world, tp, pp, cp) = evenly(world, tp * pp * cp)
        no_cp = world // (tp * pp)
    rank_coords(rank, tp, cp, pp, dp) = digits(rank, tp, cp, pp, dp)
        dp_fastest = dp_fastest(rank, tp, cp, pp, dp)
    edp_degree(dp, cp, tp, etp, ep) = evenly(dp * cp * tp, etp * ep)
        times = dp * ep
    amdahl(s, N) = over(N, N * s + 1 - s)
        limit = over(1, s) if s else None
        linear = N * (1 - s)
        gustafson = s + (1 - s) * N
    amdahl_efficiency(s, N) = over(1, 1 + s * (N - 1))
        one_minus_s = 1 - s
        limit_over_N = over(1, s * N) if s else None
    amdahl_limit(s) = over(1, s)
        one_minus = over(1, 1 - s) if s != 1 else None
    amdahl_max_gpus(s, e) = math.floor(1 + over(over(1, e) - 1, s))
        inv_s = math.floor(over(1, s))
    gustafson(s, N) = N - s * (N - 1)
        amdahl = over(N, N * s + 1 - s)
    karp_flatt(S, N) = over(over(1, S) - over(1, N), 1 - over(1, N))
        one_minus_eff = 1 - over(S, N)
    lr_linear(lr, b0, b1) = over(lr * b1, b0)
        sqrt = lr * math.sqrt(over(b1, b0))
        divide = over(lr * b0, b1)
    lr_sqrt(lr, b0, b1) = lr * math.sqrt(over(b1, b0))
        linear = over(lr * b1, b0)
    """,
    globals(),
)
