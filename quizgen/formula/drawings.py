"""The drawings of an item as points to walk: all of them, or all edges and a stated sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import gcd, prod
from typing import Final

from quizgen.formula.inputs import Value

WALKED: Final = 20_000  # drawings up to which all are walked
SAMPLED: Final = 10_000
MAX_CORNERS: Final = 12  # axes up to which every corner is walked
_STRIDE: Final = 0.6180339887498949


@dataclass(frozen=True, slots=True)
class Axis:
    """Inputs that are drawn together, one value of each in a row."""

    names: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def size(axes: Sequence[Axis]) -> int:
    return prod(len(axis.rows) for axis in axes)


def points(axes: Sequence[Axis], limit: int = WALKED) -> Iterator[tuple[int, ...]]:
    """Row numbers of every drawing, the last axis fastest; of a large space its edges and a sample."""
    if size(axes) <= limit:
        yield from product(*(range(len(axis.rows)) for axis in axes))
        return
    seen: set[tuple[int, ...]] = set()
    for point in (*_edges(axes), *_sample(axes)):
        if point not in seen:
            seen.add(point)
            yield point


def _edges(axes: Sequence[Axis]) -> Iterator[tuple[int, ...]]:
    """Every corner, and every value of each axis with all others at their first, middle and last."""
    if len(axes) <= MAX_CORNERS:
        yield from product(*((0, len(axis.rows) - 1) for axis in axes))
    for at in (
        tuple(0 for _ in axes),
        tuple(len(axis.rows) // 2 for axis in axes),
        tuple(len(axis.rows) - 1 for axis in axes),
    ):
        for position, axis in enumerate(axes):
            for row in range(len(axis.rows)):
                yield (*at[:position], row, *at[position + 1 :])


def _sample(axes: Sequence[Axis]) -> Iterator[tuple[int, ...]]:
    """Drawings spread evenly: every k-th of all, k near the golden section and sharing no factor."""
    total = size(axes)
    stride = int(total * _STRIDE) | 1
    while gcd(stride, total) != 1:
        stride += 2
    for n in range(min(SAMPLED, total)):
        index, point = n * stride % total, []
        for axis in reversed(axes):
            index, row = divmod(index, len(axis.rows))
            point.append(row)
        yield tuple(reversed(point))
