"""Model states and data-parallel traffic, counted, against the formulas."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from oracles import messages, shards
from oracles.catalogue import solve


@pytest.mark.parametrize("stage", [0, 1, 2, 3])
def test_zero_tables(stage: int) -> None:
    for ranks, per_rank in product((1, 2, 3, 8, 64), (1, 5, 12)):
        params = ranks * per_rank
        for table in shards.state_tables(params, ranks, stage):
            assert sum(table.values()) == solve("zero_bytes", N=params, K=ranks, stage=stage)
        recipe = {"weights": 2, "gradients": 4, "optimizer": 6}
        for table in shards.state_tables(params, ranks, stage, recipe):
            assert sum(table.values()) == solve("zero_bytes_general", N=params, K=ranks, stage=stage, p=2, g=4, o=6)


def test_padding_never_lowers_and_adds_less_than_a_parameter_per_rank() -> None:
    for params, ranks, stage in product((1, 7, 100, 1001), (2, 3, 8), (1, 2, 3)):
        even = solve("zero_bytes", N=params, K=ranks, stage=stage)
        for table in shards.state_tables(params, ranks, stage):
            assert even <= sum(table.values()) < even + 16


def test_megatron_keeps_weights_and_gradients_whole() -> None:
    recipes = {
        "fp16_fp16": {"weights": 2, "gradients": 2, "optimizer": 16},
        "bf16_fp32": {"weights": 2, "gradients": 4, "optimizer": 12},
        "fp32_fp32": {"weights": 4, "gradients": 4, "optimizer": 8},
    }
    for (variant, recipe), ranks in product(recipes.items(), (1, 2, 8)):
        table = shards.state_tables(8 * ranks, ranks, 1, recipe)[0]
        assert sum(table.values()) == solve("megatron_distopt_bytes", N=8 * ranks, d=ranks, variant=variant)


def test_offloading_moves_what_it_names() -> None:
    table = shards.state_tables(120, 1, 0)[0]
    assert solve("offload_gpu_bytes", N=120) == table["weights"]
    assert solve("offload_step_traffic", N=120) == table["gradients"] + table["weights"]
    for ranks in (1, 2, 8):
        table = shards.state_tables(120, ranks, 3)[0]
        assert solve("zero3_offload_gpu_bytes", N=120, K=ranks) == table["weights"] + table["gradients"]


def test_redundant_copies() -> None:
    for ranks in (1, 2, 5):
        everywhere = sum(sum(table.values()) for table in shards.state_tables(10, ranks, 0))
        once = sum(sum(table.values()) for table in shards.state_tables(10, 1, 0))
        assert solve("redundant_bytes", N=10, K=ranks) == everywhere - once


def test_state_on_a_grid() -> None:
    for tp, pp, dp, stage in product((1, 2, 4), (1, 3), (1, 2, 8), (0, 1, 2, 3)):
        params = tp * pp * dp * 6
        local = params // (tp * pp)
        table = shards.state_tables(local, dp, stage)[0]
        assert solve("state_3d_bytes", N=params, tp=tp, pp=pp, dp=dp, stage=stage) == sum(table.values())


def test_fsdp_holds_its_shard_and_the_units_in_use() -> None:
    units, ranks, size = 6, 4, 8
    for live in (1, 2):
        peak = 0
        for unit in range(units):
            gathered = min(live, units - unit)
            shard = units * size // ranks
            peak = max(peak, 2 * (shard + gathered * size))
        assert solve("fsdp_param_peak", N=units * size, b=2, K=ranks, L=units, n_live=live) == peak


@pytest.mark.parametrize("stage", [0, 1, 2, 3])
def test_fewest_gpus_by_trying(stage: int) -> None:
    for params, memory in product((1, 3, 70), (1, 6, 8, 12, 16, 30, 60, 80, 150, 281, 1120, 2000)):
        found = solve("zero_min_gpus", N=params, M=memory, stage=stage)
        fits = [k for k in range(1, 1200) if solve("zero_bytes", N=params, K=k, stage=stage) <= memory]
        assert found == (fits[0] if fits else None)


def test_largest_model_fits_and_one_more_parameter_does_not() -> None:
    for memory, ranks, stage in product((100, 3200), (1, 4, 64), (0, 1, 2, 3)):
        largest = solve("zero_max_params", M=memory, K=ranks, stage=stage)
        assert solve("zero_bytes", N=largest, K=ranks, stage=stage) == memory
        assert solve("zero_bytes", N=largest + 1, K=ranks, stage=stage) > memory


@pytest.mark.parametrize("scheme", ["ddp", "zero1", "zero2", "zero3", "fsdp_noreshard"])
def test_traffic_of_a_step(scheme: str) -> None:
    for ranks, micro_batches in product((1, 2, 4, 5), (1, 2, 4)):
        layers = [ranks, 3 * ranks, 2 * ranks]
        sent = shards.step_traffic(scheme, layers, ranks, micro_batches)
        given = {"N": sum(layers), "nbytes": messages.WIDTH, "K": ranks, "A": micro_batches}
        assert sent == [solve("dp_comm_bytes", scheme=scheme, **given)] * ranks


def test_zero3_against_ddp() -> None:
    for micro_batches in (1, 2, 3, 8):
        ours = shards.step_traffic("zero3", [8, 16], 4, micro_batches)[0]
        plain_dp = shards.step_traffic("ddp", [8, 16], 4, micro_batches)[0]
        assert solve("zero3_vs_ddp", A=micro_batches) == Fraction(ours, plain_dp)


def test_buckets_of_small_tensors() -> None:
    """With tensors much smaller than a bucket the count is the formula's, or off by the rounding of one."""
    tensor = 4096
    for full in (1, 100, 256, 257, 6656, 6657, 13056, 13057, 20000):
        assert shards.buckets([tensor] * full) == solve("ddp_buckets", grad_bytes=tensor * full)


def test_buckets_of_large_tensors_hold_one_each() -> None:
    assert shards.buckets([64 << 20] * 100) == 100 < solve("ddp_buckets", grad_bytes=100 * (64 << 20))


def test_partial_overlap() -> None:
    for compute, communication, overlap in product((1, 3), (0, 1, 5), ("0", "1/3", "2/3", "1")):
        step = shards.overlapped_step(100, Fraction(compute), Fraction(communication), Fraction(overlap))
        found = solve("scaling_efficiency", t_comp=compute, t_comm=communication, overlap=overlap)
        assert found == Fraction(compute) / step
