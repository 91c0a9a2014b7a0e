"""Pipeline schedules: idle slots and stored micro-batches as they happen, against the formulas."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from oracles import schedules
from oracles.catalogue import solve
from oracles.schedules import BACKWARD, FORWARD, WEIGHTS, Op

STAGES = (1, 2, 3, 4, 6, 8)
BATCHES = (1, 2, 3, 4, 5, 8, 13)
F, B = Fraction(1), Fraction(2)


def length(op: Op) -> Fraction:
    return F if op.kind == FORWARD else B


@pytest.mark.parametrize("stages", STAGES)
@pytest.mark.parametrize("make", [schedules.gpipe, schedules.one_forward_one_backward])
def test_bubble_and_time_of_plain_schedules(make, stages: int) -> None:
    for micro_batches in BATCHES:
        found = schedules.run(stages, stages, make(stages, micro_batches), length)
        given = {"P": stages, "M": micro_batches}
        assert found.makespan == solve("pipeline_time", **given, tf=F, tb=B)
        for idle in found.idle:
            assert idle / found.makespan == solve("bubble_fraction", **given)
            assert idle / (micro_batches * (F + B)) == solve("bubble_ratio", **given)


@pytest.mark.parametrize("stages", STAGES)
def test_stored_micro_batches(stages: int) -> None:
    for micro_batches in BATCHES:
        given = {"P": stages, "M": micro_batches}
        found = schedules.run(stages, stages, schedules.gpipe(stages, micro_batches), length)
        assert found.stored == [solve("inflight_gpipe", **given)] * stages
        found = schedules.run(stages, stages, schedules.one_forward_one_backward(stages, micro_batches), length)
        assert found.stored == [solve("inflight_1f1b", **given, i=stage) for stage in range(stages)]


@pytest.mark.parametrize("stages", [2, 3, 4])
@pytest.mark.parametrize("per_stage", [1, 2, 3, 4])
def test_interleaving_when_the_stages_divide_the_micro_batches(stages: int, per_stage: int) -> None:
    for groups in (1, 2, 3):
        micro_batches = groups * stages
        plan = schedules.interleaved(stages, micro_batches, per_stage)
        found = schedules.run(stages, stages * per_stage, plan, lambda op: length(op) / per_stage)
        given = {"P": stages, "M": micro_batches, "v": per_stage}
        for idle in found.idle:
            assert idle / (micro_batches * (F + B)) == solve("bubble_interleaved_ratio", **given)
            assert idle / found.makespan == solve("bubble_interleaved_fraction", **given)
        if per_stage > 1:
            assert Fraction(found.stored[0], per_stage) == solve("inflight_interleaved", **given)


def test_memory_penalty_of_interleaving() -> None:
    for stages, per_stage in product((2, 3, 4, 6), (2, 3, 4)):
        many = 4 * stages
        plain = schedules.run(stages, stages, schedules.one_forward_one_backward(stages, many), length).stored[0]
        plan = schedules.interleaved(stages, many, per_stage)
        chunks = schedules.run(stages, stages * per_stage, plan, length).stored[0]
        assert Fraction(chunks, per_stage * plain) == solve("act_interleave_factor", p=stages, v=per_stage)


def test_messages_of_a_micro_batch() -> None:
    for stages, per_stage in product((1, 2, 3, 4), (1, 2, 3)):
        chunks = [chunk % stages for chunk in range(stages * per_stage)]
        boundaries = len(chunks) - 1
        assert boundaries == solve("pp_sends_forward", P=stages, v=per_stage)


@pytest.mark.parametrize(
    "times", [[1], [3, 1], [1, 1, 3, 1], [Fraction(1, 2), Fraction(1, 3), 2], [4, 3, 2, 1], [1, 5, 1, 5], [2, 2, 2]]
)
def test_unequal_stages(times: list) -> None:
    for micro_batches in BATCHES:
        assert schedules.forward_only(times, micro_batches) == solve(
            "pipeline_time_uneven", times=times, M=micro_batches
        )


@pytest.mark.parametrize("stages", [1, 2, 3, 4, 6])
def test_zero_bubble_with_equal_parts(stages: int) -> None:
    """Where all three parts take equally long, a greedy order reaches both published values."""
    one = Fraction(1)
    lengths = {FORWARD: one, BACKWARD: one, WEIGHTS: one}
    micro_batches = 3 * stages
    found = schedules.split_backward(stages, micro_batches, lengths, lambda stage: stages)
    assert found.makespan - 3 * micro_batches == solve("bubble_zb_h1", P=stages, F=1, Bi=1, W=1)
    assert max(found.stored) == stages
    found = schedules.split_backward(stages, micro_batches, lengths, lambda stage: 2 * stages - 1)
    assert found.gaps == [solve("bubble_zb_h2", P=stages, F=1, Bi=1, W=1)] * stages
    assert max(found.stored) == 2 * stages - 1


def smallest(stages: int, target: Fraction, per_stage: int, strict: bool) -> int:
    """By trying: the bubble, as idle over all slots, counted up from one micro-batch."""
    micro_batches = 1
    while True:
        bubble = Fraction(stages - 1, per_stage * micro_batches + stages - 1)
        if bubble < target or (bubble == target and not strict):
            return micro_batches
        micro_batches += 1


@pytest.mark.parametrize("per_stage", [1, 2, 4])
def test_smallest_number_of_micro_batches(per_stage: int) -> None:
    """In exact rationals: P = 2 and 5 % gives 20 strictly below, where floats say 19."""
    targets = ["0.05", "0.1", "0.125", "0.2", "1/3", "0.01"]
    for stages, target, strict in product((1, 2, 3, 4, 8, 16), targets, (True, False)):
        found = solve("min_microbatches", P=stages, f=target, v=per_stage, strict=strict)
        assert found == smallest(stages, Fraction(target), per_stage, strict)
