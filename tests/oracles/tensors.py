"""Models as lists of tensors and matrix products: what has to be stored and computed, one by one."""

from __future__ import annotations

from itertools import product
from math import prod

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
