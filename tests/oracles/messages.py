"""Collectives as message passing: ranks hold numbers, send chunks to each other, and are counted.

Nothing here uses a closed form. Each function runs a collective on real values, checks what every
rank ends up with, and returns the `Traffic`: bytes each rank sent, and the rounds with the largest
message of each, from which an alpha-beta time follows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

WIDTH = 2  # bytes of a value
Buffer = list[int]


@dataclass
class Traffic:
    """What a collective sent."""

    ranks: int
    sent: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)  # the largest message of each, in bytes

    def __post_init__(self) -> None:
        self.sent = [0] * self.ranks

    def exchange(self, messages: list[tuple[int, int, int]]) -> None:
        """One round of (sender, receiver, values) at the same time; a rank has one port."""
        assert len({m[0] for m in messages}) == len(messages) == len({m[1] for m in messages})
        for sender, receiver, values in messages:
            assert sender != receiver
            self.sent[sender] += values * WIDTH
        self.rounds.append(max((values * WIDTH for _, _, values in messages), default=0))

    def time(self, bandwidth: Fraction | int, alpha: Fraction | int) -> Fraction:
        return sum((Fraction(alpha) + Fraction(size) / Fraction(bandwidth) for size in self.rounds), Fraction(0))


def buffers(ranks: int, length: int) -> list[Buffer]:
    """A different buffer on every rank."""
    return [[(rank + 1) * 1000 + 7 * i * i + i for i in range(length)] for rank in range(ranks)]


def total(held: list[Buffer]) -> Buffer:
    return [sum(column) for column in zip(*held, strict=True)]


def cut(length: int, parts: int) -> list[range]:
    """Chunk boundaries, as even as they come."""
    return [range(length * i // parts, length * (i + 1) // parts) for i in range(parts)]


# -- rings ----------------------------------------------------------------------------------


def _ring_phase(held: list[Buffer], chunks: list[range], traffic: Traffic, ahead: int) -> None:
    """Each rank passes chunks on, first the one `ahead` of its own number. From 0 on they are added up, and rank r ends with
    the whole sum of chunk r + 1; from 1 on they are copied, and each rank ends with all."""
    ranks = len(held)
    for step in range(ranks - 1):
        moving = [(rank, chunks[(rank + ahead - step) % ranks]) for rank in range(ranks)]
        parcels = [((rank + 1) % ranks, chunk, [held[rank][i] for i in chunk]) for rank, chunk in moving]
        traffic.exchange([(rank, (rank + 1) % ranks, len(chunk)) for rank, chunk in moving])
        for to, chunk, values in parcels:
            for i, value in zip(chunk, values, strict=True):
                held[to][i] = value if ahead else held[to][i] + value


def ring_allreduce(ranks: int, length: int) -> Traffic:
    held, traffic = buffers(ranks, length), Traffic(ranks)
    wanted, chunks = total(held), cut(length, ranks)
    _ring_phase(held, chunks, traffic, ahead=0)
    _ring_phase(held, chunks, traffic, ahead=1)
    assert all(one == wanted for one in held)
    return traffic


def ring_reduce_scatter(ranks: int, length: int) -> Traffic:
    held, traffic = buffers(ranks, length), Traffic(ranks)
    wanted, chunks = total(held), cut(length, ranks)
    _ring_phase(held, chunks, traffic, ahead=0)
    for rank in range(ranks):
        mine = chunks[(rank + 1) % ranks]
        assert [held[rank][i] for i in mine] == [wanted[i] for i in mine]
    return traffic


def ring_allgather(ranks: int, length: int) -> Traffic:
    """`length` values in all, one shard on each rank."""
    chunks, traffic = cut(length, ranks), Traffic(ranks)
    whole = buffers(1, length)[0]
    held = [[whole[i] if i in chunks[(rank + 1) % ranks] else -1 for i in range(length)] for rank in range(ranks)]
    _ring_phase(held, chunks, traffic, ahead=1)
    assert all(one == whole for one in held)
    return traffic


def alltoall(ranks: int, length: int) -> Traffic:
    """Pairwise: in round k every rank sends to the one k places on."""
    held, traffic, chunks = buffers(ranks, length), Traffic(ranks), cut(length, ranks)
    received = [{rank: [held[rank][i] for i in chunks[rank]]} for rank in range(ranks)]
    for step in range(1, ranks):
        traffic.exchange([(rank, (rank + step) % ranks, len(chunks[(rank + step) % ranks])) for rank in range(ranks)])
        for rank in range(ranks):
            to = (rank + step) % ranks
            received[to][rank] = [held[rank][i] for i in chunks[to]]
    for rank in range(ranks):
        assert received[rank] == {other: [held[other][i] for i in chunks[rank]] for other in range(ranks)}
    return traffic


# -- trees and cubes ------------------------------------------------------------------------


def tree_allreduce(ranks: int, length: int) -> Traffic:
    """A binomial tree up to rank 0 and down again, the whole buffer each time."""
    held, traffic = buffers(ranks, length), Traffic(ranks)
    wanted, reach = total(held), 1
    while reach < ranks:
        pairs = [(rank, rank - reach) for rank in range(reach, ranks, 2 * reach)]
        traffic.exchange([(child, parent, length) for child, parent in pairs])
        for child, parent in pairs:
            held[parent] = [a + b for a, b in zip(held[parent], held[child], strict=True)]
        reach *= 2
    while reach > 1:
        reach //= 2
        pairs = [(rank - reach, rank) for rank in range(reach, ranks, 2 * reach)]
        traffic.exchange([(parent, child, length) for parent, child in pairs])
        for parent, child in pairs:
            held[child] = list(held[parent])
    assert all(one == wanted for one in held)
    return traffic


def rabenseifner(ranks: int, length: int) -> Traffic:
    """Recursive halving, then doubling: partners half a cube away exchange half of what they keep."""
    held, traffic = buffers(ranks, length), Traffic(ranks)
    wanted = total(held)
    kept = [range(length)] * ranks
    distance = ranks // 2
    while distance:
        messages, parcels = [], []
        for rank in range(ranks):
            low, high = cut(len(kept[rank]), 2)
            low, high = (range(kept[rank].start + part.start, kept[rank].start + part.stop) for part in (low, high))
            mine, theirs = (low, high) if not rank & distance else (high, low)
            messages.append((rank, rank ^ distance, len(theirs)))
            parcels.append((rank ^ distance, theirs, [held[rank][i] for i in theirs]))
            kept[rank] = mine
        traffic.exchange(messages)
        for to, part, values in parcels:
            for i, value in zip(part, values, strict=True):
                held[to][i] += value
        distance //= 2
    distance = 1
    while distance < ranks:
        traffic.exchange([(rank, rank ^ distance, len(kept[rank])) for rank in range(ranks)])
        copies = [(rank ^ distance, kept[rank], [held[rank][i] for i in kept[rank]]) for rank in range(ranks)]
        for to, part, values in copies:
            for i, value in zip(part, values, strict=True):
                held[to][i] = value
        pairs = [(kept[rank], kept[rank ^ distance]) for rank in range(ranks)]
        kept = [range(min(a.start, b.start), max(a.stop, b.stop)) for a, b in pairs]
        distance *= 2
    assert all(one == wanted for one in held)
    return traffic
