"""Ranks, batches and speed-ups, laid out and counted, against the formulas."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

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
