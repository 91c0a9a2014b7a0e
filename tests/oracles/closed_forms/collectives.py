"""Collectives, and what data, tensor and context parallelism and experts communicate."""

from __future__ import annotations

import math
from fractions import Fraction

from oracles.closed_forms.table import add, over

MIB = 1 << 20


def ring(N: int) -> Fraction:
    """The share of a buffer that one phase of a ring sends per rank."""
    return over(N - 1, N)


def log2_up(N: int) -> int:
    """The least k with 2^k >= N."""
    return (N - 1).bit_length()


# -- volumes --------------------------------------------------------------------------------

add(
    "ring_allreduce_bytes",
    lambda N, D: 2 * ring(N) * D,
    half=lambda N, D: ring(N) * D,
    two_D=lambda N, D: 2 * D,
    N_D=lambda N, D: N * D,
    send_plus_recv=lambda N, D: 4 * ring(N) * D,
)
add(
    "ring_reduce_scatter_bytes",
    lambda N, D: ring(N) * D,
    two=lambda N, D: 2 * ring(N) * D,
    D_over_N=lambda N, D: over(D, N),
)
add(
    "ring_allgather_bytes",
    lambda N, D: ring(N) * D,
    shard_as_D=lambda N, D: over(ring(N) * D, N),
    two=lambda N, D: 2 * ring(N) * D,
)
add("alltoall_bytes", lambda N, D: ring(N) * D, full_D=lambda N, D: D, N_times=lambda N, D: (N - 1) * D)
add("allreduce_total_bytes", lambda N, D: 2 * (N - 1) * D, per_rank=lambda N, D: 2 * ring(N) * D)

# -- times ----------------------------------------------------------------------------------


def phases(count: int, N: int, D: int, B: int, alpha: Fraction) -> Fraction:
    return count * ((N - 1) * alpha + over(ring(N) * D, B))


add(
    "ring_allreduce_time",
    lambda N, D, B, alpha: phases(2, N, D, B, alpha),
    no_ring_factor=lambda N, D, B, alpha: over(D, B),
    no_latency=lambda N, D, B, alpha: phases(2, N, D, B, Fraction(0)),
    half=lambda N, D, B, alpha: phases(1, N, D, B, alpha),
)
add(
    "ring_gather_time",
    lambda N, D, B, alpha: phases(1, N, D, B, alpha),
    allreduce=lambda N, D, B, alpha: phases(2, N, D, B, alpha),
)
add(
    "alltoall_time",
    lambda N, D, B, alpha: phases(1, N, D, B, alpha),
    one_alpha=lambda N, D, B, alpha: alpha + over(ring(N) * D, B),
)
add(
    "tree_allreduce_time",
    lambda N, D, B, alpha: 2 * log2_up(N) * (alpha + over(D, B)),
    one_way=lambda N, D, B, alpha: log2_up(N) * (alpha + over(D, B)),
    ring_steps=lambda N, D, B, alpha: 2 * (N - 1) * (alpha + over(D, B)),
)
add(
    "rabenseifner_time",
    lambda N, D, B, alpha: 2 * log2_up(N) * alpha + 2 * over(ring(N) * D, B),
    ring_latency=lambda N, D, B, alpha: phases(2, N, D, B, alpha),
)
add(
    "ring_tree_crossover",
    lambda N, B, alpha: alpha * B * over(N - 1 - log2_up(N), log2_up(N) - ring(N)),
    alpha_B=lambda N, B, alpha: alpha * B,
)
add(
    "hierarchical_allreduce_time",
    lambda D, g, n, B1, B2, a1, a2: phases(2, g, D, B1, a1) + phases(2, n, over(D, g), B2, a2),
    full_D_inter=lambda D, g, n, B1, B2, a1, a2: phases(2, g, D, B1, a1) + phases(2, n, D, B2, a2),
    flat_ring=lambda D, g, n, B1, B2, a1, a2: phases(2, g * n, D, B2, a2),
)


def bus_factor(op: str, n: int) -> Fraction:
    return {"allreduce": 2 * ring(n), "broadcast": Fraction(1), "reduce": Fraction(1)}.get(op, ring(n))


add(
    "busbw",
    lambda op, S, t, n: over(S, t) * bus_factor(op, n),
    algbw=lambda op, S, t, n: over(S, t),
    inverse=lambda op, S, t, n: over(S, t) / bus_factor(op, n),
)
add("sharp_ratio", lambda N: over(N, 2 * (N - 1)), quarter=lambda N: Fraction(1, 4))

# -- data parallelism -----------------------------------------------------------------------

_PER_STEP = {
    "ddp": lambda A: 2,
    "zero1": lambda A: 2,
    "zero2": lambda A: A + 1,
    "zero3": lambda A: 3 * A,
    "fsdp_noreshard": lambda A: 2 * A,
}
add(
    "dp_comm_bytes",
    lambda scheme, N, nbytes, K, A: _PER_STEP[scheme](A) * ring(K) * N * nbytes,
    zero2_half=lambda scheme, N, nbytes, K, A: {"zero2": 1}.get(scheme, _PER_STEP[scheme](A)) * ring(K) * N * nbytes,
    zero3_double=lambda scheme, N, nbytes, K, A: {"zero3": 4}.get(scheme, _PER_STEP[scheme](A)) * ring(K) * N * nbytes,
    no_accum=lambda scheme, N, nbytes, K, A: _PER_STEP[scheme](1) * ring(K) * N * nbytes,
)
add("zero3_vs_ddp", lambda A: over(3 * A, 2), two=lambda A: 2, ignore_A=lambda A: Fraction(3, 2))
add(
    "ddp_buckets",
    lambda grad_bytes: 1 + max(0, math.ceil(over(grad_bytes - MIB, 25 * MIB))),
    decimal=lambda grad_bytes: math.ceil(over(grad_bytes, 25_000_000)),
    no_first=lambda grad_bytes: math.ceil(over(grad_bytes, 25 * MIB)),
)
add(
    "scaling_efficiency",
    lambda t_comp, t_comm, overlap: over(t_comp, t_comp + max(0, t_comm - overlap * t_comp)),
    no_overlap=lambda t_comp, t_comm, overlap: over(t_comp, t_comp + t_comm),
    hidden=lambda t_comp, t_comm, overlap: 1,
)

# -- tensor parallelism ---------------------------------------------------------------------

add(
    "tp_message_bytes",
    lambda b, s, h, nbytes: b * s * h * nbytes,
    gib=lambda b, s, h, nbytes: over(b * s * h * nbytes, MIB) * 10**6,
    over_t=lambda b, s, h, nbytes: over(b * s * h * nbytes, 8),
)
add("tp_allreduces", lambda recompute: 6 if recompute else 4, forward_only=lambda recompute: 2)
add(
    "tp_comm_layer_bytes",
    lambda b, s, h, nbytes, t, n_ar: n_ar * 2 * ring(t) * b * s * h * nbytes,
    no_ring=lambda b, s, h, nbytes, t, n_ar: n_ar * b * s * h * nbytes,
    fwd_only=lambda b, s, h, nbytes, t, n_ar: 4 * ring(t) * b * s * h * nbytes,
)
add(
    "tp_comm_time",
    lambda b, s, h, nbytes, t, n_ar, L, B: over(L * n_ar * 2 * ring(t) * b * s * h * nbytes, B),
    no_ring=lambda b, s, h, nbytes, t, n_ar, L, B: over(L * n_ar * b * s * h * nbytes, B),
)
add(
    "tp_valid",
    lambda t, heads, kv, h, f: not (heads % t or h % t or f % t) and (kv % t == 0 or t % kv == 0),
    le_domain=lambda t, heads, kv, h, f: True,
)
add(
    "padded_vocab",
    lambda V, t, m: -(-V // (m * t)) * m * t,
    no_t=lambda V, t, m: -(-V // m) * m,
)

# -- experts --------------------------------------------------------------------------------

add(
    "expert_capacity",
    lambda T, k, E, cf: math.ceil(over(cf * k * T, E)),
    no_k=lambda T, k, E, cf: math.ceil(over(cf * T, E)),
    no_cf=lambda T, k, E, cf: math.ceil(over(k * T, E)),
)
add("tokens_per_expert", lambda T, k, E: over(k * T, E), no_k=lambda T, k, E: over(T, E))
add(
    "moe_a2a_bytes",
    lambda T_local, k, h, nbytes, ep, n: T_local * k * h * nbytes * ring(ep) * n,
    no_k=lambda T_local, k, h, nbytes, ep, n: T_local * h * nbytes * ring(ep) * n,
    one_a2a=lambda T_local, k, h, nbytes, ep, n: T_local * k * h * nbytes * ring(ep),
    no_local=lambda T_local, k, h, nbytes, ep, n: T_local * k * h * nbytes * n,
)
add(
    "expert_bytes_per_gpu",
    lambda E, ep, h, f, nbytes, L_moe: over(E, ep) * 3 * h * f * nbytes * L_moe,
    all_experts=lambda E, ep, h, f, nbytes, L_moe: E * 3 * h * f * nbytes * L_moe,
    two_mats=lambda E, ep, h, f, nbytes, L_moe: over(E, ep) * 2 * h * f * nbytes * L_moe,
)
add("distinct_remote_prob", lambda ep, k: ep * (1 - ring(ep) ** k), k=lambda ep, k: k)

# -- long context ---------------------------------------------------------------------------

add(
    "ring_attention_bytes",
    lambda s, h_kv, b, nbytes, P: 2 * over(s, P) * h_kv * b * nbytes * (P - 1),
    one_hop=lambda s, h_kv, b, nbytes, P: 2 * over(s, P) * h_kv * b * nbytes,
    k_only=lambda s, h_kv, b, nbytes, P: over(s, P) * h_kv * b * nbytes * (P - 1),
)
add(
    "ulysses_bytes",
    lambda s, h, h_kv, b, nbytes, P: (2 * h + 2 * h_kv) * over(s, P) * b * nbytes * ring(P),
    two_only=lambda s, h, h_kv, b, nbytes, P: 2 * h * over(s, P) * b * nbytes * ring(P),
    not_over_P=lambda s, h, h_kv, b, nbytes, P: (2 * h + 2 * h_kv) * s * b * nbytes * ring(P),
)
add("ring_over_ulysses", lambda P: over(P, 2), equal=lambda P: 1, inverse=lambda P: over(2, P))
add("ring_overlap_chunk", lambda flops, bw: over(flops, bw), sequence=lambda flops, bw: over(8 * flops, bw))
add("causal_imbalance", lambda P: over(2 * P - 1, P), P=lambda P: P)
