"""What can be listed or counted, against the formulas: activations, FLOPs and the traffic of long contexts; limits of
number formats, read off the list of all their values; ranks, batches and speed-ups, laid out."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest

from oracles.catalogue import solve

# -- activations ----------------------------------------------------------------------------

# Everything a GPT layer stores for its backward pass: name, shape letters, bytes, and whether tensor
# parallelism alone divides it. After Korthikanti et al. 2022, section 4.1.
LEDGER: tuple[tuple[str, str, int, bool], ...] = (
    ("input of the norm before attention", "sbh", 2, False),
    ("input of the query, key and value products", "sbh", 2, False),
    ("queries", "sbh", 2, True),
    ("keys", "sbh", 2, True),
    ("softmax output", "abss", 2, True),
    ("softmax dropout mask", "abss", 1, True),
    ("output of the softmax dropout", "abss", 2, True),
    ("values", "sbh", 2, True),
    ("input of the output projection", "sbh", 2, True),
    ("attention dropout mask", "sbh", 1, False),
    ("input of the norm before the MLP", "sbh", 2, False),
    ("input of the first MLP product", "sbh", 2, False),
    ("input of GELU", "4sbh", 2, True),
    ("input of the second MLP product", "4sbh", 2, True),
    ("MLP dropout mask", "sbh", 1, False),
)


def stored(s: int, b: int, h: int, a: int, t: int = 1, sequence_parallel: bool = False, core: bool = True) -> int:
    """Bytes a layer stores on a rank; `core` False recomputes what lies between queries and values."""
    sizes = {"sbh": s * b * h, "4sbh": 4 * s * b * h, "abss": a * b * s * s}
    return sum(
        sizes[letters] * width // (t if divided or sequence_parallel else 1)
        for _, letters, width, divided in LEDGER
        if core or letters != "abss"
    )


def test_activation_ledger() -> None:
    for s, b, h, a, t in product((8, 64), (1, 3), (16, 64), (2, 8), (1, 2, 4)):
        one = {"s": s, "b": b, "h": h}
        assert solve("act_layer", **one, a=a) == stored(s, b, h, a)
        assert solve("act_layer_tp", **one, a=a, t=t) == stored(s, b, h, a, t)
        assert solve("act_layer_tp_sp", **one, a=a, t=t) == stored(s, b, h, a, t, sequence_parallel=True)
        assert solve("act_layer_tp_selective", **one, t=t) == stored(s, b, h, a, t, core=False)
        assert solve("act_layer_sp_selective", **one, t=t) == stored(s, b, h, a, t, True, core=False)


def test_best_number_of_checkpoints() -> None:
    for layers, ratio in product((9, 24, 32, 96), (1, 4, 10, 17)):
        given = {"l": layers, "a_in": 1000, "a_mid": 1000 * ratio}
        best = float(solve("sqrt_checkpoint_opt", **given))
        least = solve("sqrt_checkpoint_bytes", c=best, **given)
        for other in (best * 0.9, best * 0.99, best * 1.01, best * 1.1):
            if other >= 1:
                assert solve("sqrt_checkpoint_bytes", c=other, **given) > least


# -- matrix products ------------------------------------------------------------------------

Product = tuple[int, int, int, int]  # how many, rows, shared dimension, columns


def flops(products: list[Product]) -> int:
    return sum(2 * many * m * k * n for many, m, k, n in products)


def attention_core(b: int, s: int, h: int, heads: int) -> list[Product]:
    head = h // heads
    return [(b * heads, s, head, s), (b * heads, s, s, head)]


def iteration(b: int, s: int, layers: int, h: int, heads: int, vocabulary: int, again: str = "nothing") -> int:
    """FLOPs of a step: a backward pass makes two products for each one of the forward pass."""
    dense = [(1, b * s, h, 3 * h), (1, b * s, h, h), (1, b * s, h, 4 * h), (1, b * s, 4 * h, h)]
    core = layers * flops(attention_core(b, s, h, heads))
    forward = layers * flops(dense) + core
    head = flops([(1, b * s, h, vocabulary)])
    return 3 * (forward + head) + {"nothing": 0, "everything": forward, "core": core}[again]


def test_matrix_products_of_a_step() -> None:
    for b, s, layers, h, vocabulary in product((1, 3), (8, 32), (1, 4), (16, 64), (10, 200)):
        given = {"B": b, "s": s, "l": layers, "h": h, "V": vocabulary}
        shape = (b, s, layers, h, 4, vocabulary)
        assert solve("flops_model_iter", **given) == iteration(*shape)
        assert solve("flops_megatron_iter", **given) == iteration(*shape, again="everything")
        core = Fraction(iteration(*shape, again="core"), iteration(*shape)) - 1
        assert solve("recompute_overhead_selective", s=s, h=h, L=layers, V=vocabulary) == core


# -- long context and experts ---------------------------------------------------------------


@pytest.mark.parametrize("ranks", [1, 2, 4, 8])
def test_causal_work_of_contiguous_chunks(ranks: int) -> None:
    """The busiest over the mean tends to the formula as chunks grow; pairing early and late chunks evens it out."""
    for size in (10, 100, 1000):
        # a query sees the keys up to its own
        work = [sum(query + 1 for query in range(size * i, size * (i + 1))) for i in range(2 * ranks)]
        contiguous = [work[2 * i] + work[2 * i + 1] for i in range(ranks)]
        busiest = Fraction(max(contiguous) * ranks, sum(contiguous))
        assert abs(busiest - solve("causal_imbalance", P=ranks)) < Fraction(1, size)
        zigzag = [work[i] + work[2 * ranks - 1 - i] for i in range(ranks)]
        assert max(zigzag) == min(zigzag)


def test_chunk_that_hides_the_ring() -> None:
    """At that chunk length computing 4dc^2 and sending 4dc take equally long."""
    flops, bandwidth, d = 400 * 10**12, 50 * 10**9, 128
    chunk = solve("ring_overlap_chunk", flops=flops, bw=bandwidth)
    assert Fraction(4 * d * chunk**2, flops) == Fraction(4 * d * chunk, bandwidth)


def test_different_ranks_of_a_token() -> None:
    for ranks, choices in product((1, 2, 3, 4), (1, 2, 3, 4)):
        found = [len(set(way)) for way in product(range(ranks), repeat=choices)]
        assert solve("distinct_remote_prob", ep=ranks, k=choices) == Fraction(sum(found), len(found))


def finite_values(e: int, m: int, style: str) -> list[Fraction]:
    """Every finite non-negative value of a format, ascending.

    `ieee` gives the highest exponent to infinity and NaN, `e4m3fn` only its last pattern to NaN,
    `noinf` nothing.
    """
    bias = (1 << (e - 1)) - 1
    found = []
    for pattern in range(1 << (e + m)):
        exponent, mantissa = divmod(pattern, 1 << m)
        highest = exponent == (1 << e) - 1
        if highest and (style == "ieee" or (style == "e4m3fn" and mantissa == (1 << m) - 1)):
            continue
        fraction = Fraction(mantissa, 1 << m)
        if exponent == 0:
            found.append(fraction * Fraction(2) ** (1 - bias))
        else:
            found.append((1 + fraction) * Fraction(2) ** (exponent - bias))
    return sorted(found)


FORMATS = [(5, 2, "ieee"), (4, 3, "e4m3fn"), (3, 4, "ieee"), (2, 1, "noinf"), (3, 2, "noinf"), (2, 3, "noinf")]


@pytest.mark.parametrize(("e", "m", "style"), FORMATS)
def test_limits_are_those_of_all_values_listed(e: int, m: int, style: str) -> None:
    values = finite_values(e, m, style)
    assert solve("fp_max", e=e, m=m, style=style) == values[-1]
    assert solve("fp_min_subnormal", e=e, m=m) == values[1]
    # Spacing is constant up to the smallest normal number and doubles after twice that.
    gaps = [b - a for a, b in pairwise(values)]
    widening = next(i for i, gap in enumerate(gaps) if gap > gaps[0])
    assert solve("fp_min_normal", e=e, m=m) == values[widening] / 2
    assert solve("fp_eps", e=e, m=m) == values[values.index(1) + 1] - 1


@pytest.mark.parametrize("grid", [(1, 1, 1, 1), (2, 2, 2, 2), (8, 1, 2, 2), (2, 3, 1, 4), (3, 1, 5, 2)])
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
