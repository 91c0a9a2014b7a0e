"""Pipeline schedules: idle slots and stored micro-batches as they happen, in exact time, against the formulas.

A schedule is a list of operations per stage. An operation starts when its stage is free and what it needs has arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest

from oracles.catalogue import solve

FORWARD, BACKWARD = "forward", "backward"


@dataclass(frozen=True)
class Op:
    """A pass of one micro-batch through one chunk; chunk c of P stages lives on stage c mod P."""

    kind: str
    micro_batch: int
    chunk: int


@dataclass(frozen=True)
class Outcome:
    """Per stage: time without work, and the activations of how many chunks were alive at the peak."""

    makespan: Fraction
    idle: list[Fraction]
    stored: list[int]


def run(stages: int, chunks: int, plan: Sequence[Sequence[Op]], length: Callable[[Op], Fraction]) -> Outcome:
    """Runs `plan[stage]` in order on each stage."""
    done: dict[Op, Fraction] = {}
    clock = [Fraction(0)] * stages
    busy = [Fraction(0)] * stages
    alive = [0] * stages
    stored = [0] * stages
    at = [0] * stages
    while any(at[stage] < len(plan[stage]) for stage in range(stages)):
        moved = False
        for stage in range(stages):
            while at[stage] < len(plan[stage]):
                op = plan[stage][at[stage]]
                assert op.chunk % stages == stage
                needs = needed(op, chunks)
                if any(one not in done for one in needs):
                    break
                start = max([clock[stage], *(done[one] for one in needs)])
                clock[stage] = start + length(op)
                busy[stage] += length(op)
                done[op] = clock[stage]
                alive[stage] += 1 if op.kind == FORWARD else -1
                stored[stage] = max(stored[stage], alive[stage])
                at[stage] += 1
                moved = True
        assert moved, "the schedule waits for itself"
    makespan = max(clock)
    return Outcome(makespan, [makespan - work for work in busy], stored)


def needed(op: Op, chunks: int) -> list[Op]:
    """What must be done before: the neighbour's pass, and the forward pass of the same chunk."""
    if op.kind == FORWARD:
        return [Op(FORWARD, op.micro_batch, op.chunk - 1)] if op.chunk else []
    before = [Op(BACKWARD, op.micro_batch, op.chunk + 1)] if op.chunk + 1 < chunks else []
    return [*before, Op(FORWARD, op.micro_batch, op.chunk)]


def gpipe(stages: int, micro_batches: int) -> list[list[Op]]:
    """All forward passes, then all backward passes."""
    passes = range(micro_batches)
    return [[Op(kind, m, stage) for kind in (FORWARD, BACKWARD) for m in passes] for stage in range(stages)]


def one_forward_one_backward(stages: int, micro_batches: int) -> list[list[Op]]:
    """A warm-up as deep as the stages that follow, then one of each in turn, then the rest."""
    plan = []
    for stage in range(stages):
        warm_up = min(stages - stage - 1, micro_batches)
        ops = [Op(FORWARD, m, stage) for m in range(warm_up)]
        for m in range(micro_batches - warm_up):
            ops += [Op(FORWARD, warm_up + m, stage), Op(BACKWARD, m, stage)]
        ops += [Op(BACKWARD, m, stage) for m in range(micro_batches - warm_up, micro_batches)]
        plan.append(ops)
    return plan


def interleaved(stages: int, micro_batches: int, per_stage: int) -> list[list[Op]]:
    """Groups of P micro-batches pass chunk after chunk; warm-up of 2(P - stage - 1) + (v - 1)P passes."""
    passes = micro_batches * per_stage

    def order(kind: str, stage: int, k: int) -> Op:
        turn, inside = divmod(k, stages * per_stage)
        chunk, micro_batch = inside // stages, turn * stages + inside % stages
        local = chunk if kind == FORWARD else per_stage - 1 - chunk
        return Op(kind, micro_batch, local * stages + stage)

    plan = []
    for stage in range(stages):
        warm_up = min(2 * (stages - stage - 1) + (per_stage - 1) * stages, passes)
        ops = [order(FORWARD, stage, k) for k in range(warm_up)]
        for k in range(passes - warm_up):
            ops += [order(FORWARD, stage, warm_up + k), order(BACKWARD, stage, k)]
        ops += [order(BACKWARD, stage, k) for k in range(passes - warm_up, passes)]
        plan.append(ops)
    return plan


def forward_only(times: Sequence[Fraction | int], micro_batches: int) -> Fraction:
    """When the last micro-batch leaves a line of unequal stages."""
    stages = len(times)
    plan = [[Op(FORWARD, m, stage) for m in range(micro_batches)] for stage in range(stages)]
    return run(stages, stages, plan, lambda op: Fraction(times[op.chunk])).makespan


STAGES = (1, 2, 3, 4, 6, 8)
BATCHES = (1, 2, 3, 4, 5, 8, 13)
F, B = Fraction(1), Fraction(2)


def length(op: Op) -> Fraction:
    return F if op.kind == FORWARD else B


@pytest.mark.parametrize("stages", STAGES)
@pytest.mark.parametrize("make", [gpipe, one_forward_one_backward])
def test_bubble_and_time_of_plain_schedules(make, stages: int) -> None:
    for micro_batches in BATCHES:
        found = run(stages, stages, make(stages, micro_batches), length)
        given = {"P": stages, "M": micro_batches}
        assert found.makespan == solve("pipeline_time", **given, tf=F, tb=B)
        for idle in found.idle:
            assert idle / found.makespan == solve("bubble_fraction", **given)
            assert idle / (micro_batches * (F + B)) == solve("bubble_ratio", **given)


@pytest.mark.parametrize("stages", STAGES)
def test_stored_micro_batches(stages: int) -> None:
    for micro_batches in BATCHES:
        given = {"P": stages, "M": micro_batches}
        found = run(stages, stages, gpipe(stages, micro_batches), length)
        assert found.stored == [solve("inflight_gpipe", **given)] * stages
        found = run(stages, stages, one_forward_one_backward(stages, micro_batches), length)
        assert found.stored == [solve("inflight_1f1b", **given, i=stage) for stage in range(stages)]


@pytest.mark.parametrize("stages", [2, 3, 4])
@pytest.mark.parametrize("per_stage", [1, 2, 3, 4])
def test_interleaving_when_the_stages_divide_the_micro_batches(stages: int, per_stage: int) -> None:
    for groups in (1, 2, 3):
        micro_batches = groups * stages
        plan = interleaved(stages, micro_batches, per_stage)
        found = run(stages, stages * per_stage, plan, lambda op: length(op) / per_stage)
        given = {"P": stages, "M": micro_batches, "v": per_stage}
        for idle in found.idle:
            assert idle / (micro_batches * (F + B)) == solve("bubble_interleaved_ratio", **given)
            assert idle / found.makespan == solve("bubble_interleaved_fraction", **given)
        if per_stage > 1:
            assert Fraction(found.stored[0], per_stage) == solve("inflight_interleaved", **given)


@pytest.mark.parametrize(
    "times", [[1], [3, 1], [1, 1, 3, 1], [Fraction(1, 2), Fraction(1, 3), 2], [4, 3, 2, 1], [2, 2, 2]]
)
def test_unequal_stages(times: list) -> None:
    for micro_batches in BATCHES:
        assert forward_only(times, micro_batches) == solve("pipeline_time_uneven", times=times, M=micro_batches)
