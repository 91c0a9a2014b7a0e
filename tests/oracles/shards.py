"""Sharded training state as tables of bytes, and data-parallel steps as lists of collectives."""

from __future__ import annotations

from fractions import Fraction

from oracles import messages

SIZES = {"weights": 2, "gradients": 2, "optimizer": 12}
SHARDED_FROM = {"weights": 3, "gradients": 2, "optimizer": 1}


def state_tables(params: int, ranks: int, stage: int, sizes: dict[str, int] = SIZES) -> list[dict[str, int]]:
    """Bytes of each kind of state on each rank: a flat buffer, padded to the ranks, cut where the stage says."""
    padded = -(-params // ranks) * ranks
    tables = []
    for rank in range(ranks):
        owned = range(padded // ranks * rank, padded // ranks * (rank + 1))
        table = {}
        for what, size in sizes.items():
            held = owned if stage >= SHARDED_FROM[what] else range(params)
            table[what] = len(held) * size
        tables.append(table)
    return tables


def step_traffic(scheme: str, layers: list[int], ranks: int, micro_batches: int) -> list[int]:
    """Bytes each rank sends in one optimizer step, issuing the collectives of a scheme layer by layer."""
    sent = [0] * ranks

    def collective(run, length: int) -> None:
        for rank, size in enumerate(run(ranks, length).sent):
            sent[rank] += size

    def gather_all() -> None:
        for length in layers:
            collective(messages.ring_allgather, length)

    def scatter_all() -> None:
        for length in reversed(layers):
            collective(messages.ring_reduce_scatter, length)

    for micro_batch in range(micro_batches):
        last = micro_batch == micro_batches - 1
        if scheme in ("zero3", "fsdp_noreshard"):
            gather_all()  # before the forward pass of each layer
        if scheme == "zero3":
            gather_all()  # again before its backward pass, as the weights were dropped
        if scheme in ("zero2", "zero3", "fsdp_noreshard"):
            scatter_all()  # gradients live in shards, so every backward pass reduces them
        elif last and scheme == "zero1":
            scatter_all()
        elif last and scheme == "ddp":
            for length in reversed(layers):
                collective(messages.ring_allreduce, length)
    if scheme in ("zero1", "zero2"):
        gather_all()  # the updated weights
    return sent


def buckets(tensors: list[int], first: int = 1 << 20, cap: int = 25 << 20) -> int:
    """DDP's buckets: tensors in order, a bucket closes with the tensor that fills it."""
    count, held, limit = 0, 0, first
    for size in tensors:
        held += size
        if held >= limit:
            count, held, limit = count + 1, 0, cap
    return count + (1 if held else 0)


def overlapped_step(slices: int, compute: Fraction, communication: Fraction, overlap: Fraction) -> Fraction:
    """Time of a step whose last `overlap` share of computing may hide communication, slice by slice."""
    hidden_window = overlap * compute
    left = communication
    for _ in range(slices):
        left -= min(left, hidden_window / slices)
    return compute + left
