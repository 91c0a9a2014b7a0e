"""Ranks, batches and speed-ups, laid out and counted, against the formulas."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from oracles import messages
from oracles.catalogue import solve

GRIDS = [(1, 1, 1, 1), (2, 2, 2, 2), (8, 1, 2, 2), (2, 3, 1, 4), (3, 1, 5, 2)]


@pytest.mark.parametrize("grid", GRIDS)
def test_ranks_counted_through_the_grid(grid: tuple[int, int, int, int]) -> None:
    tp, cp, pp, dp = grid
    degrees = {"tp": tp, "cp": cp, "pp": pp, "dp": dp}
    rank = 0
    for d, p, c, t in product(range(dp), range(pp), range(cp), range(tp)):  # the last runs fastest
        assert solve("rank_coords", rank=rank, **degrees) == [t, c, p, d]
        rank += 1
    assert solve("world_size", **degrees, ep=1) == rank
    assert solve("dp_degree", world=rank, tp=tp, pp=pp, cp=cp) == dp
    if tp * pp * cp > 1:
        assert solve("dp_degree", world=rank + 1, tp=tp, pp=pp, cp=cp) is None


def test_experts_share_the_ranks_of_a_stage() -> None:
    for dp, cp, tp, etp, ep in product((1, 4, 6), (1, 2), (1, 4), (1, 2), (1, 2, 3, 8)):
        ranks = list(range(dp * cp * tp))
        group = etp * ep
        whole = [ranks[i : i + group] for i in range(0, len(ranks), group)]
        expected = len(whole) if all(len(one) == group for one in whole) else None
        assert solve("edp_degree", dp=dp, cp=cp, tp=tp, etp=etp, ep=ep) == expected


def test_accumulation_by_filling_the_batch() -> None:
    for batch, micro, dp in product((1, 12, 256), (1, 2, 3), (1, 4, 8)):
        filled = steps = 0
        while filled < batch:
            filled, steps = filled + micro * dp, steps + 1
        expected = steps if filled == batch else None
        assert solve("accum_steps", batch=batch, micro=micro, dp=dp, mp=4) == expected
        assert solve("accum_steps_tokens", tokens=batch * 100, tok_micro=micro * 100, dp=dp) == steps
        assert solve("steps_for_tokens", D=batch, batch_tokens=micro * dp) == steps
        assert solve("global_batch", micro=micro, accum=steps, dp=dp, mp=4) == filled
        assert solve("tokens_per_batch", sequences=filled, s=10) == 10 * filled


@pytest.mark.parametrize("t", [1, 2, 3, 4, 8, 12, 16, 64, 72])
def test_legal_tensor_parallel_degrees(t: int) -> None:
    """A degree is legal if heads, widths and key-value heads can be dealt out evenly, copies allowed."""
    for heads, kv, h, f in product((8, 24, 64), (1, 8), (48, 64, 8192), (128, 28672)):
        dealt = all(len(range(rank, one, t)) * t == one for one in (heads, h, f) for rank in range(t))
        copies = [kv_head % kv for kv_head in range(max(t, kv))] if max(t, kv) % min(t, kv) == 0 else []
        assert solve("tp_valid", t=t, heads=heads, kv=kv, h=h, f=f) is (dealt and bool(copies))


def test_padded_vocabulary_is_the_next_multiple() -> None:
    for size, t, m in product((1, 127, 128, 129, 50257), (1, 2, 8), (1, 64, 128)):
        padded = size
        while padded % (m * t):
            padded += 1
        assert solve("padded_vocab", V=size, t=t, m=m) == padded


def test_speed_up_of_counted_work() -> None:
    """A run of 1200 units of which `serial` cannot be shared."""
    for serial, processors in product((0, 12, 60, 600, 1200), (1, 2, 4, 12)):
        share = Fraction(serial, 1200)
        time = serial + Fraction(1200 - serial, processors)
        assert solve("amdahl", s=share, N=processors) == 1200 / time
        assert solve("amdahl_efficiency", s=share, N=processors) == 1200 / time / processors
        if serial:
            assert solve("amdahl_limit", s=share) == Fraction(1200, serial)
        if processors > 1:
            assert solve("karp_flatt", S=1200 / time, N=processors) == share
        grown = serial + (1200 - serial) * processors  # the parallel part grows with the machine
        assert solve("gustafson", s=share, N=processors) == Fraction(grown, 1200)


def test_most_gpus_by_trying() -> None:
    for serial, least in product(("0.01", "0.02", "0.05", "0.1", "0.3"), ("0.5", "0.8", "0.9", "0.95")):
        gpus = 1
        while 1 / (1 + Fraction(serial) * gpus) >= Fraction(least):
            gpus += 1
        assert solve("amdahl_max_gpus", s=serial, e=least) == gpus


def test_all_reduces_of_two_blocks() -> None:
    """Column-parallel then row-parallel products leave partial sums: one all-reduce per block and direction."""
    assert [_all_reduces(again) for again in (False, True)] == [
        solve("tp_allreduces", recompute=False),
        solve("tp_allreduces", recompute=True),
    ]


Matrix = list[list[int]]


def _multiply(left: Matrix, right: Matrix) -> Matrix:
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)] for row in left
    ]


def _all_reduces(again: bool) -> int:
    """Runs two blocks on two ranks with whole numbers, checks the values, counts the sums over ranks."""
    count = 0

    def all_reduce(parts: list[Matrix]) -> Matrix:
        nonlocal count
        count += 1
        return [[sum(values) for values in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]

    up, down = [[1, 2, 3, 4], [5, 6, 7, 8]], [[1, 0], [2, 1], [0, 3], [1, 1]]
    shards = [([row[2 * r : 2 * r + 2] for row in up], down[2 * r : 2 * r + 2]) for r in range(2)]

    def forward(x: Matrix) -> Matrix:
        found = all_reduce([_multiply(_multiply(x, a), b) for a, b in shards])
        assert found == _multiply(_multiply(x, up), down)
        return found

    def backward(gradient: Matrix) -> Matrix:
        turned = [([list(c) for c in zip(*a, strict=True)], [list(c) for c in zip(*b, strict=True)]) for a, b in shards]
        found = all_reduce([_multiply(_multiply(gradient, b), a) for a, b in turned])
        whole = [[list(c) for c in zip(*matrix, strict=True)] for matrix in (down, up)]
        assert found == _multiply(_multiply(gradient, whole[0]), whole[1])
        return found

    x = [[1, 2], [3, 4]]
    for _ in range(2 if again else 1):
        out = forward(forward(x))
    backward(backward(out))
    return count


def test_traffic_of_a_tensor_parallel_layer() -> None:
    for t, n_ar in product((1, 2, 4), (2, 4, 6)):
        values = 8 * t  # of one activation
        sent = sum(messages.ring_allreduce(t, values).sent[0] for _ in range(n_ar))
        given = {"b": 1, "s": 8, "h": t, "nbytes": messages.WIDTH, "t": t, "n_ar": n_ar}
        assert solve("tp_comm_layer_bytes", **given) == sent
        assert solve("tp_comm_time", **given, L=3, B=50) == Fraction(3 * sent, 50)


def test_traffic_over_a_pipeline_boundary() -> None:
    for micro_batches, chunks in product((1, 4), (1, 2)):
        crossing = sum(2 * 3 * 8 * 16 for _ in range(micro_batches) for _ in range(chunks) for _ in ("up", "back"))
        assert solve("pp_boundary_bytes", M=micro_batches, b=3, s=8, h=16, nbytes=2, v=chunks) == crossing
