"""The formulas of `recent.py` against enumeration and simulation that know none of them."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product

import pytest

from oracles.closed_forms import FORMS


def test_a_llama_layer_stores_what_a_ledger_of_its_tensors_adds_up_to() -> None:
    s, b, h, f, a, kv = 64, 2, 256, 896, 8, 2
    head = h // a
    stored = {  # values per token that the backward pass reads, bf16
        "input of the first norm": h,
        "output of the first norm, read by Q, K and V": h,
        "Q": a * head,
        "K": kv * head,
        "V": kv * head,
        "attention output, read by the output projection": a * head,
        "input of the second norm": h,
        "output of the second norm, read by gate and up": h,
        "gate": f,
        "up": f,
        "product, read by down": f,
    }
    for t in (1, 2, 4):
        assert FORMS["act_layer_swiglu"](s=s, b=b, h=h, f=f, a=a, kv=kv, t=t) == Fraction(
            2 * s * b * sum(stored.values()), t
        )


def test_speculation_by_all_outcomes() -> None:
    for alpha, k in product((Fraction(0), Fraction(1, 3), Fraction(4, 5), Fraction(1)), range(6)):
        expected = Fraction(0)
        for accepted in product((True, False), repeat=k):
            weight = math.prod((alpha if one else 1 - alpha for one in accepted), start=Fraction(1))
            taken = next((n for n, one in enumerate(accepted) if not one), k)
            expected += weight * (taken + 1)  # the target model supplies one in any case
        assert FORMS["speculative_tokens"](alpha, k) == expected
        for cost in (Fraction(0), Fraction(1, 10)):
            assert FORMS["speculation_speedup"](alpha, k, cost) == expected / (1 + k * cost)


def test_steps_and_data_keep_the_hyperbola() -> None:
    for batch in (1, 100, 4_000_000, 10**9):
        steps = FORMS["critical_batch_steps"](1000, 4_000_000, batch)
        data = FORMS["critical_batch_data"](4_000_000_000, 4_000_000, batch)
        assert (steps / 1000 - 1) * (data / 4_000_000_000 - 1) == 1
        assert steps * batch == data  # what E_min = S_min B_crit says


def test_state_of_an_moe_model_rank_by_rank() -> None:
    """Every optimizer value lives on one rank; weights and gradients of an expert on all that hold it."""
    dp, ep, experts, each, dense = 8, 4, 8, 24, 16
    state = [0] * dp
    for rank in range(dp):
        state[rank] += 4 * dense
        state[rank] += sum(4 * each for expert in range(experts) if expert % ep == rank % ep)
    for value in range(dense):
        state[value % dp] += 12
    for expert, value in product(range(experts), range(each)):
        holders = [rank for rank in range(dp) if rank % ep == expert % ep]
        state[holders[value % len(holders)]] += 12
    assert set(state) == {FORMS["moe_state_ep"](dense, experts * each, dp, ep, 2, 2, 12)}


def test_overlap_limits_are_where_the_times_meet() -> None:
    rate, port, params = 400e12, 50e9, 7e9
    for b, g in ((2, 2), (2, 4), (1, 2)):
        tokens = float(FORMS["fsdp_tokens_to_hide"](rate, port, b, g))
        for factor, hidden in ((0.99, False), (1.01, True)):
            forward = 2 * params * tokens * factor / rate >= params * b / port
            backward = 4 * params * tokens * factor / rate >= params * (b + g) / port
            assert (forward and backward) is hidden
    width, f, tokens_in = 4096, 14336, 100
    for t_factor, faster in ((0.99, True), (1.01, False)):
        t = float(FORMS["tp_comm_limit"](f, 3, 400e12, 450e9, 2)) * t_factor
        compute = 2 * 3 * tokens_in * width * f / t / 400e12
        assert (compute > 2 * (t - 1) / t * tokens_in * width * 2 / 450e9) is faster
    for ep, nd in ((8, 1), (64, 2)):
        inner = float(FORMS["ep_min_expert_width"](400e12, 50e9, ep, nd, 2))
        compute = 6 * width * inner / 400e12
        travel = width * (nd + 2) * (ep - 1) / ep / 50e9
        assert compute == pytest.approx(travel, rel=1e-12)
        assert FORMS["expert_intensity"](1000, nd, 2) * (width * (nd + 2)) == 6 * width * 1000


def test_time_ratio_with_asynchronous_checkpoints_by_simulation() -> None:
    """Failures at random times; a failure goes back to the newest checkpoint whose upload was complete."""
    stall, tau, upload, restart, mean = 2.0, 300.0, 60.0, 200.0, 40_000.0
    rng = random.Random("ettr")
    clock = useful = 0.0
    while useful < 2e8:
        span = rng.expovariate(1 / mean)
        cycles, rest = divmod(span, tau)
        saved = cycles if rest >= upload else max(cycles - 1, 0.0)
        useful += saved * (tau - stall)
        clock += span + restart
    expected = float(FORMS["ettr_async"](2, 300, 60, 200, 40_000))
    assert useful / clock == pytest.approx(expected, abs=4e-4)
