"""Batch arithmetic, world size and the layout of ranks; speed-up laws and learning rates."""

from __future__ import annotations

from oracles.closed_forms.table import define


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
