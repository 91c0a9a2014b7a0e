"""Batch arithmetic, world size and the layout of ranks."""

from __future__ import annotations

import math

from oracles.closed_forms.table import add, over


def evenly(whole: int, by: int) -> int | None:
    """The quotient if there is no remainder."""
    return whole // by if whole % by == 0 else None


add(
    "global_batch",
    lambda micro, accum, dp, mp: micro * accum * dp,
    world=lambda micro, accum, dp, mp: micro * accum * dp * mp,
    no_accum=lambda micro, accum, dp, mp: micro * dp,
)
add(
    "accum_steps",
    lambda batch, micro, dp, mp: evenly(batch, micro * dp),
    world=lambda batch, micro, dp, mp: batch // (micro * dp * mp),
)
add(
    "accum_steps_tokens",
    lambda tokens, tok_micro, dp: math.ceil(over(tokens, tok_micro * dp)),
    no_dp=lambda tokens, tok_micro, dp: math.ceil(over(tokens, tok_micro)),
)
add("tokens_per_batch", lambda sequences, s: sequences * s, no_s=lambda sequences, s: sequences)
add(
    "world_size",
    lambda dp, tp, pp, cp, ep: dp * tp * pp * cp,
    ep_factor=lambda dp, tp, pp, cp, ep: dp * tp * pp * cp * ep,
    sum=lambda dp, tp, pp, cp, ep: dp + tp + pp + cp,
)
add(
    "dp_degree",
    lambda world, tp, pp, cp: evenly(world, tp * pp * cp),
    no_cp=lambda world, tp, pp, cp: world // (tp * pp),
)


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


add("rank_coords", lambda rank, tp, cp, pp, dp: digits(rank, tp, cp, pp, dp), dp_fastest=dp_fastest)
add(
    "edp_degree",
    lambda dp, cp, tp, etp, ep: evenly(dp * cp * tp, etp * ep),
    times=lambda dp, cp, tp, etp, ep: dp * ep,
)
