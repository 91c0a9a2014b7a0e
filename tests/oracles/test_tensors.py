"""Parameters, activations and FLOPs, enumerated, against the formulas."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import pytest

from oracles.catalogue import solve

Shape = tuple[int, ...]


def count(shapes: list[Shape]) -> int:
    return sum(prod(shape) for shape in shapes)


# -- weights --------------------------------------------------------------------------------


def gpt_weights(layers: int, h: int, vocabulary: int, positions: int) -> list[Shape]:
    """Weights of a GPT with a tied head, without the norm after the last layer."""
    shapes: list[Shape] = [(vocabulary, h), (positions, h)]
    for _ in range(layers):
        shapes += [(h,), (h,)]  # norm before attention: scale and shift
        shapes += [(h, h), (h,), (h, h), (h,), (h, h), (h,), (h, h), (h,)]  # q, k, v, output
        shapes += [(h,), (h,)]  # norm before the MLP
        shapes += [(h, 4 * h), (4 * h,), (4 * h, h), (h,)]
    return shapes


def gpt_matrices(layers: int, h: int) -> list[Shape]:
    return [shape for shape in gpt_weights(layers, h, 0, 0) if len(shape) == 2]


def llama_weights(layers: int, h: int, f: int, vocabulary: int, heads: int, kv: int, tied: bool) -> list[Shape]:
    head = h // heads
    shapes: list[Shape] = [(vocabulary, h), (h,)]
    for _ in range(layers):
        shapes += [(h, heads * head), (h, kv * head), (h, kv * head), (heads * head, h), (h,), (h,)]
        shapes += [(h, f), (h, f), (f, h)]
    return shapes if tied else [*shapes, (h, vocabulary)]


def moe_weights(
    layers: int, h: int, f: int, vocabulary: int, heads: int, kv: int, experts: int, used: int
) -> list[Shape]:
    """Weights of a mixture of experts that `used` of its experts per layer touch."""
    head = h // heads
    shapes: list[Shape] = [(vocabulary, h), (h,), (h, vocabulary)]
    for _ in range(layers):
        shapes += [(h, heads * head), (h, kv * head), (h, kv * head), (heads * head, h), (h,), (h,), (h, experts)]
        for _ in range(used):
            shapes += [(h, f), (h, f), (f, h)]
    return shapes


def lora_weights(rank: int, d_in: int, d_out: int, matrices: int) -> list[Shape]:
    return [(rank, d_in), (d_out, rank)] * matrices


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
    total = 0
    for _, letters, width, divided in LEDGER:
        if not core and letters == "abss":
            continue
        size = sizes[letters] * width
        total += size // t if divided or sequence_parallel else size
    return total


# -- matrix products ------------------------------------------------------------------------

Product = tuple[int, int, int, int]  # how many, rows, shared dimension, columns


def flops(products: list[Product]) -> int:
    return sum(2 * many * m * k * n for many, m, k, n in products)


def attention_core(b: int, s: int, h: int, heads: int) -> list[Product]:
    head = h // heads
    return [(b * heads, s, head, s), (b * heads, s, s, head)]


def layer_products(b: int, s: int, h: int, heads: int) -> list[Product]:
    dense = [(1, b * s, h, 3 * h), (1, b * s, h, h), (1, b * s, h, 4 * h), (1, b * s, 4 * h, h)]
    return dense + attention_core(b, s, h, heads)


def logits(b: int, s: int, h: int, vocabulary: int) -> list[Product]:
    return [(1, b * s, h, vocabulary)]


def iteration(b: int, s: int, layers: int, h: int, heads: int, vocabulary: int, again: str = "nothing") -> int:
    """FLOPs of a step: a backward pass makes two products for each one of the forward pass."""
    forward = layers * flops(layer_products(b, s, h, heads))
    head = flops(logits(b, s, h, vocabulary))
    repeated = {
        "nothing": 0,
        "everything": forward,
        "core": layers * flops(attention_core(b, s, h, heads)),
    }[again]
    return 3 * (forward + head) + repeated


# -- attention over chunks ------------------------------------------------------------------


def causal_pairs(chunk: range) -> int:
    """How many keys the queries of a chunk see."""
    return sum(query + 1 for query in chunk)


def visits(ranks: int, choices: int) -> list[int]:
    """For every way to choose, on how many different ranks the choices fall."""
    return [len(set(way)) for way in product(range(ranks), repeat=choices)]


# -- parameters -----------------------------------------------------------------------------


def test_gpt_parameters() -> None:
    for layers, h, vocabulary, positions in product((1, 2, 12), (8, 64), (11, 1000), (4, 32)):
        assert solve("params_gpt", l=layers, h=h, V=vocabulary, s=positions) == count(
            gpt_weights(layers, h, vocabulary, positions)
        )
        assert solve("params_12lh2", l=layers, h=h) == count(gpt_matrices(layers, h))


def test_llama_parameters() -> None:
    for layers, h, f, heads, kv, tied in product((1, 3), (8, 32), (12, 40), (2, 4, 8), (1, 2), (True, False)):
        assert solve("params_llama", L=layers, h=h, f=f, V=50, a=heads, kv=kv, tied=tied) == count(
            llama_weights(layers, h, f, 50, heads, kv, tied)
        )


def test_expert_parameters() -> None:
    for layers, h, experts, used in product((1, 3), (8, 32), (4, 8), (1, 2)):
        shape = {"L": layers, "h": h, "f": 24, "V": 50, "a": 4, "kv": 2, "E": experts}
        everything = moe_weights(layers, h, 24, 50, 4, 2, experts, experts)
        assert solve("params_moe_total", **shape) == count(everything)
        active = moe_weights(layers, h, 24, 50, 4, 2, experts, used)
        assert solve("params_moe_active", **shape, k=used) == count(active)


def test_adapters_have_the_parameters_of_their_tensors() -> None:
    for rank, d_in, d_out, matrices in product((1, 8), (4, 16), (4, 24), (1, 6)):
        assert solve("lora_params", r=rank, d_in=d_in, d_out=d_out, n_matrices=matrices) == count(
            lora_weights(rank, d_in, d_out, matrices)
        )


# -- activations ----------------------------------------------------------------------------


def test_activation_ledger() -> None:
    for s, b, h, a, t in product((8, 64), (1, 3), (16, 64), (2, 8), (1, 2, 4)):
        one = {"s": s, "b": b, "h": h}
        assert solve("act_layer", **one, a=a) == stored(s, b, h, a)
        assert solve("act_layer_tp", **one, a=a, t=t) == stored(s, b, h, a, t)
        assert solve("act_layer_tp_sp", **one, a=a, t=t) == stored(s, b, h, a, t, sequence_parallel=True)
        assert solve("act_layer_tp_selective", **one, t=t) == stored(s, b, h, a, t, core=False)
        assert solve("act_layer_sp_selective", **one, t=t) == stored(s, b, h, a, t, True, core=False)
        assert solve("act_layer_full", **one) == 2 * count([(s, b, h)])
        assert solve("tp_message_bytes", **one, nbytes=2) == 2 * count([(b, s, h)])


def test_first_stage_holds_its_layers_for_the_micro_batches_in_flight() -> None:
    for stages, micro_batches, t in product((1, 2, 4), (1, 3, 8), (1, 2)):
        layers = 8
        alive = sum(1 for m in range(micro_batches) if m < stages)
        held = alive * (layers // stages) * stored(16, 1, 32, 4, t, sequence_parallel=True)
        assert held == solve("act_first_stage", s=16, b=1, h=32, a=4, L=layers, t=t, p=stages, M=micro_batches)


def test_checkpoints_every_few_layers() -> None:
    for layers, checkpoints in ((24, 6), (24, 4), (32, 8), (12, 12)):
        a_in, a_mid = 10, 170
        segment = layers // checkpoints
        stored_inputs = sum(a_in for layer in range(layers) if layer % segment == 0)
        rebuilt = sum(a_mid for _ in range(segment))
        given = {"l": layers, "a_in": a_in, "a_mid": a_mid}
        assert solve("sqrt_checkpoint_bytes", c=checkpoints, **given) == stored_inputs + rebuilt


def test_best_number_of_checkpoints() -> None:
    for layers, ratio in product((9, 24, 32, 96), (1, 4, 10, 17)):
        given = {"l": layers, "a_in": 1000, "a_mid": 1000 * ratio}
        best = float(solve("sqrt_checkpoint_opt", **given))
        least = solve("sqrt_checkpoint_bytes", c=best, **given)
        for other in (best * 0.9, best * 0.99, best * 1.01, best * 1.1):
            if other >= 1:
                assert solve("sqrt_checkpoint_bytes", c=other, **given) > least


def test_cache_and_logits_and_scores() -> None:
    for layers, kv, head, s, b in product((1, 4), (1, 8), (16, 64), (1, 10), (1, 3)):
        cached = [(b, kv, s, head), (b, kv, s, head)] * layers
        given = {"L": layers, "s": s, "b": b, "nbytes": 2}
        assert solve("kv_cache_bytes", n_kv=kv, d_head=head, **given) == 2 * count(cached)
        latent = [(b, s, head + 4)] * layers
        assert solve("mla_cache_bytes", kv_lora=head, rope=4, **given) == 2 * count(latent)
    assert solve("attention_scores_bytes", b=2, a=4, s=16, nbytes=2) == 2 * count([(2, 4, 16, 16)])
    assert solve("logits_bytes", b=2, s=16, V=100, nbytes=4) == 4 * count([(2, 16, 100)])
    expert = [(8, 24), (8, 24), (24, 8)]
    assert solve("expert_bytes_per_gpu", E=16, ep=4, h=8, f=24, nbytes=2, L_moe=3) == 2 * count(expert) * 4 * 3


def test_sequences_that_fit_by_filling_up() -> None:
    for memory, usable, weights, per in product((100, 80), ("0.9", "1"), (0, 30, 71, 200), (1, 7, 10)):
        room, fitted = Fraction(usable) * memory - weights, 0
        while room >= per:
            room, fitted = room - per, fitted + 1
        assert solve("max_sequences", M=memory, u=usable, W=weights, kv_per_seq=per) == fitted


# -- FLOPs ----------------------------------------------------------------------------------


def test_matrix_products_of_a_step() -> None:
    for b, s, layers, h, vocabulary in product((1, 3), (8, 32), (1, 4), (16, 64), (10, 200)):
        given = {"B": b, "s": s, "l": layers, "h": h, "V": vocabulary}
        shape = (b, s, layers, h, 4, vocabulary)
        assert solve("flops_model_iter", **given) == iteration(*shape)
        assert solve("flops_megatron_iter", **given) == iteration(*shape, again="everything")
        core = Fraction(iteration(*shape, again="core"), iteration(*shape)) - 1
        assert solve("recompute_overhead_selective", s=s, h=h, L=layers, V=vocabulary) == core


def test_six_flops_per_parameter_and_token() -> None:
    """Each weight takes part in one multiply-add forward and two backward."""
    for layers, h, tokens in product((1, 4), (16, 64), (1, 8, 32)):
        matrices = gpt_matrices(layers, h)
        forward = sum(2 * tokens * rows * columns for rows, columns in matrices)
        params = count(matrices)
        assert solve("flops_6nd", N=params, D=tokens) == 3 * forward
        assert solve("flops_8nd", N=params, D=tokens) == 4 * forward
        assert solve("recompute_overhead_full", r=1) == Fraction(4 * forward, 3 * forward) - 1
        assert solve("hfu_full", mfu_value="0.3") == Fraction(3, 10) * Fraction(4 * forward, 3 * forward)


def test_flops_per_token_with_attention() -> None:
    heads, size, s, layers = 4, 8, 16, 3
    core = 3 * flops(attention_core(1, s, heads * size, heads)) * layers
    assert solve("flops_per_token_palm", N=1000, L=layers, H=heads, Qd=size, T=s) == 6000 + Fraction(core, s)


def test_intensity_of_a_product() -> None:
    for m, n, k in product((1, 5), (3, 8), (2, 16)):
        work = flops([(1, m, k, n)])
        moved = 2 * count([(m, k), (k, n), (m, n)])
        assert solve("gemm_intensity", m=m, n=n, k=k, nbytes=2) == Fraction(work, moved)


# -- long context and experts ---------------------------------------------------------------


@pytest.mark.parametrize("ranks", [1, 2, 4, 8])
def test_causal_work_of_contiguous_chunks(ranks: int) -> None:
    """The busiest over the mean tends to the formula as chunks grow; pairing early and late chunks evens it out."""
    for size in (10, 100, 1000):
        work = [causal_pairs(range(size * i, size * (i + 1))) for i in range(2 * ranks)]
        contiguous = [work[2 * i] + work[2 * i + 1] for i in range(ranks)]
        busiest = Fraction(max(contiguous) * ranks, sum(contiguous))
        assert abs(busiest - solve("causal_imbalance", P=ranks)) < Fraction(1, size)
        zigzag = [work[i] + work[2 * ranks - 1 - i] for i in range(ranks)]
        assert max(zigzag) == min(zigzag)


@pytest.mark.parametrize("ranks", [1, 2, 4, 8])
def test_context_parallel_traffic(ranks: int) -> None:
    """Blocks that travel round a ring, and tensors that are exchanged, value by value."""
    per, kv, wide, b, width = 6, 16, 32, 2, 2
    blocks = [per * kv * b * 2 for _ in range(ranks)]  # keys and values of one rank
    ring = sum(blocks[(0 - hop) % ranks] for hop in range(ranks - 1)) * width
    given = {"s": per * ranks, "h_kv": kv, "b": b, "nbytes": width, "P": ranks}
    assert solve("ring_attention_bytes", **given) == ring
    exchanged = 0
    for tensor in (wide, kv, kv, wide):  # queries, keys, values, output
        for to in range(ranks):
            exchanged += Fraction(per * tensor * b * width, ranks) if to else 0
    assert solve("ulysses_bytes", **given, h=wide) == exchanged
    if ranks > 1:
        mha = {**given, "h_kv": wide}
        ratio = Fraction(solve("ring_attention_bytes", **mha)) / solve("ulysses_bytes", **mha, h=wide)
        assert solve("ring_over_ulysses", P=ranks) == ratio


def test_chunk_that_hides_the_ring() -> None:
    """At that chunk length computing 4dc^2 and sending 4dc take equally long."""
    flops, bandwidth, d = 400 * 10**12, 50 * 10**9, 128
    chunk = solve("ring_overlap_chunk", flops=flops, bw=bandwidth)
    assert Fraction(4 * d * chunk**2, flops) == Fraction(4 * d * chunk, bandwidth)


def test_different_ranks_of_a_token() -> None:
    for ranks, choices in product((1, 2, 3, 4), (1, 2, 3, 4)):
        found = visits(ranks, choices)
        assert solve("distinct_remote_prob", ep=ranks, k=choices) == Fraction(sum(found), len(found))


def test_expert_exchange_with_even_routing() -> None:
    for ranks, k, n in product((1, 2, 4), (1, 2), (1, 2, 4)):
        tokens, h = 4, 8
        leaving = 0
        for token in range(tokens * k):
            leaving += h * 2 if token % ranks else 0  # every rank gets every ranks-th copy; 0 is at home
        if (tokens * k) % ranks == 0:
            assert solve("moe_a2a_bytes", T_local=tokens, k=k, h=h, nbytes=2, ep=ranks, n=n) == leaving * n


def test_capacity_is_the_first_whole_number_that_is_enough() -> None:
    for tokens, k, experts, factor in product((0, 1, 100, 1000), (1, 2), (4, 7, 8), ("1", "1.1", "1.25", "2")):
        wanted, room = Fraction(factor) * Fraction(k * tokens, experts), 0
        while room < wanted:
            room += 1
        assert solve("expert_capacity", T=tokens, k=k, E=experts, cf=factor) == room
        assert solve("tokens_per_expert", T=tokens, k=k, E=experts) == Fraction(k * tokens, experts)
