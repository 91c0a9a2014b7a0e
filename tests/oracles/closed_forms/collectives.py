"""Collectives, and what data, tensor and context parallelism, experts and pipelines communicate and wait for."""

from __future__ import annotations

import math
from fractions import Fraction

from oracles.closed_forms.table import define, over

MIB = 1 << 20


def ring(N: int) -> Fraction:
    """The share of a buffer that one phase of a ring sends per rank."""
    return over(N - 1, N)


def log2_up(N: int) -> int:
    """The least k with 2^k >= N."""
    return (N - 1).bit_length()


def phases(count: int, N: int, D: int, B: int, alpha: Fraction) -> Fraction:
    return count * ((N - 1) * alpha + over(ring(N) * D, B))


def bus_factor(op: str, n: int) -> Fraction:
    return {"allreduce": 2 * ring(n), "broadcast": Fraction(1), "reduce": Fraction(1)}.get(op, ring(n))


_PER_STEP = {"ddp": lambda A: 2, "zero1": lambda A: 2, "zero2": lambda A: A + 1, "zero3": lambda A: 3 * A}
_PER_STEP["fsdp_noreshard"] = lambda A: 2 * A


def share(P: int, slots: Fraction | int) -> Fraction:
    """Idle slots as a share of all, where `slots` are useful."""
    return over(P - 1, slots + P - 1)


def min_microbatches(P: int, f: Fraction, v: int, strict: bool) -> int:
    even = over((P - 1) * (1 - Fraction(f)), Fraction(f) * v)
    return math.floor(even) + 1 if strict else max(1, math.ceil(even))


define(
    """
    # volumes
    ring_allreduce_bytes(N, D) = 2 * ring(N) * D
        half = ring(N) * D
        two_D = 2 * D
        N_D = N * D
        send_plus_recv = 4 * ring(N) * D
    ring_reduce_scatter_bytes(N, D) = ring(N) * D
        two = 2 * ring(N) * D
        D_over_N = over(D, N)
    ring_allgather_bytes(N, D) = ring(N) * D
        shard_as_D = over(ring(N) * D, N)
        two = 2 * ring(N) * D
    alltoall_bytes(N, D) = ring(N) * D
        full_D = D
        N_times = (N - 1) * D
    allreduce_total_bytes(N, D) = 2 * (N - 1) * D
        per_rank = 2 * ring(N) * D

    # times
    ring_allreduce_time(N, D, B, alpha) = phases(2, N, D, B, alpha)
        no_ring_factor = over(D, B)
        no_latency = phases(2, N, D, B, Fraction(0))
        half = phases(1, N, D, B, alpha)
    ring_gather_time(N, D, B, alpha) = phases(1, N, D, B, alpha)
        allreduce = phases(2, N, D, B, alpha)
    alltoall_time(N, D, B, alpha) = phases(1, N, D, B, alpha)
        one_alpha = alpha + over(ring(N) * D, B)
    tree_allreduce_time(N, D, B, alpha) = 2 * log2_up(N) * (alpha + over(D, B))
        one_way = log2_up(N) * (alpha + over(D, B))
        ring_steps = 2 * (N - 1) * (alpha + over(D, B))
    rabenseifner_time(N, D, B, alpha) = 2 * log2_up(N) * alpha + 2 * over(ring(N) * D, B)
        ring_latency = phases(2, N, D, B, alpha)
    ring_tree_crossover(N, B, alpha) = alpha * B * over(N - 1 - log2_up(N), log2_up(N) - ring(N))
        alpha_B = alpha * B
    hierarchical_allreduce_time(D, g, n, B1, B2, a1, a2) =
            phases(2, g, D, B1, a1) + phases(2, n, over(D, g), B2, a2)
        full_D_inter = phases(2, g, D, B1, a1) + phases(2, n, D, B2, a2)
        flat_ring = phases(2, g * n, D, B2, a2)
    busbw(op, S, t, n) = over(S, t) * bus_factor(op, n)
        algbw = over(S, t)
        inverse = over(S, t) / bus_factor(op, n)
    sharp_ratio(N) = over(N, 2 * (N - 1))
        quarter = Fraction(1, 4)

    # data parallelism
    dp_comm_bytes(scheme, N, nbytes, K, A) = _PER_STEP[scheme](A) * ring(K) * N * nbytes
        zero2_half = {"zero2": 1}.get(scheme, _PER_STEP[scheme](A)) * ring(K) * N * nbytes
        zero3_double = {"zero3": 4}.get(scheme, _PER_STEP[scheme](A)) * ring(K) * N * nbytes
        no_accum = _PER_STEP[scheme](1) * ring(K) * N * nbytes
    zero3_vs_ddp(A) = over(3 * A, 2)
        two = 2
        ignore_A = Fraction(3, 2)
    ddp_buckets(grad_bytes) = 1 + max(0, math.ceil(over(grad_bytes - MIB, 25 * MIB)))
        decimal = math.ceil(over(grad_bytes, 25_000_000))
        no_first = math.ceil(over(grad_bytes, 25 * MIB))
    scaling_efficiency(t_comp, t_comm, overlap) = over(t_comp, t_comp + max(0, t_comm - overlap * t_comp))
        no_overlap = over(t_comp, t_comp + t_comm)
        hidden = 1

    # tensor parallelism
    tp_message_bytes(b, s, h, nbytes) = b * s * h * nbytes
        gib = over(b * s * h * nbytes, MIB) * 10**6
        over_t = over(b * s * h * nbytes, 8)
    tp_allreduces(recompute) = 6 if recompute else 4
        forward_only = 2
    tp_comm_layer_bytes(b, s, h, nbytes, t, n_ar) = n_ar * 2 * ring(t) * b * s * h * nbytes
        no_ring = n_ar * b * s * h * nbytes
        fwd_only = 4 * ring(t) * b * s * h * nbytes
    tp_comm_time(b, s, h, nbytes, t, n_ar, L, B) = over(L * n_ar * 2 * ring(t) * b * s * h * nbytes, B)
        no_ring = over(L * n_ar * b * s * h * nbytes, B)
    tp_valid(t, heads, kv, h, f) = not (heads % t or h % t or f % t) and (kv % t == 0 or t % kv == 0)
        le_domain = True
    padded_vocab(V, t, m) = -(-V // (m * t)) * m * t
        no_t = -(-V // m) * m

    # experts
    expert_capacity(T, k, E, cf) = math.ceil(over(cf * k * T, E))
        no_k = math.ceil(over(cf * T, E))
        no_cf = math.ceil(over(k * T, E))
    tokens_per_expert(T, k, E) = over(k * T, E)
        no_k = over(T, E)
    moe_a2a_bytes(T_local, k, h, nbytes, ep, n) = T_local * k * h * nbytes * ring(ep) * n
        no_k = T_local * h * nbytes * ring(ep) * n
        one_a2a = T_local * k * h * nbytes * ring(ep)
        no_local = T_local * k * h * nbytes * n
    expert_bytes_per_gpu(E, ep, h, f, nbytes, L_moe) = over(E, ep) * 3 * h * f * nbytes * L_moe
        all_experts = E * 3 * h * f * nbytes * L_moe
        two_mats = over(E, ep) * 2 * h * f * nbytes * L_moe
    distinct_remote_prob(ep, k) = ep * (1 - ring(ep) ** k)
        k = k

    # long context
    ring_attention_bytes(s, h_kv, b, nbytes, P) = 2 * over(s, P) * h_kv * b * nbytes * (P - 1)
        one_hop = 2 * over(s, P) * h_kv * b * nbytes
        k_only = over(s, P) * h_kv * b * nbytes * (P - 1)
    ulysses_bytes(s, h, h_kv, b, nbytes, P) = (2 * h + 2 * h_kv) * over(s, P) * b * nbytes * ring(P)
        two_only = 2 * h * over(s, P) * b * nbytes * ring(P)
        not_over_P = (2 * h + 2 * h_kv) * s * b * nbytes * ring(P)
    ring_over_ulysses(P) = over(P, 2)
        equal = 1
        inverse = over(2, P)
    ring_overlap_chunk(flops, bw) = over(flops, bw)
        sequence = over(8 * flops, bw)
    causal_imbalance(P) = over(2 * P - 1, P)
        P = P

    bubble_fraction(P, M) = share(P, M)
        ratio = over(P - 1, M)
        P_not_P_1 = over(P, M + P)
        one_over_M = over(1, M)
        p_over_m = over(P, M)
    bubble_ratio(P, M) = over(P - 1, M)
        fraction = share(P, M)
        P_over_M = over(P, M)
    bubble_interleaved_ratio(P, M, v) = over(P - 1, v * M)
        no_v = over(P - 1, M)
        v_squared = over(over(P, v) - 1, M)
    bubble_interleaved_fraction(P, M, v) = share(P, v * M)
        plain = share(P, M)
        divided = share(P, M) / v
    pipeline_time(P, M, tf, tb) = (M + P - 1) * (tf + tb)
        ideal = M * (tf + tb)
        P = (M + P) * (tf + tb)
    pipeline_time_uneven(times, M) = sum(times) + (M - 1) * max(times)
        mean = over(sum(times) * (M + len(times) - 1), len(times))
    min_microbatches(P, f, v, strict) = min_microbatches(P, f, v, strict)
        twenty = math.ceil(over(P - 1, f))
        P = math.ceil(over(P * (1 - Fraction(f)), Fraction(f) * v))
    bubble_zb_h1(P, F, Bi, W) = (P - 1) * (F + Bi - W)
        1f1b = (P - 1) * (F + Bi + W)
        dsv3_mixed = (P - 1) * (F + Bi - 2 * W)
    bubble_zb_h2(P, F, Bi, W) = (P - 1) * (F + Bi - 2 * W)
        h1 = (P - 1) * (F + Bi - W)
    bubble_dualpipe(PP, F, B, W, FB) = (over(PP, 2) - 1) * (FB + B - 3 * W)
        zb1p = (PP - 1) * (F + B - 2 * W)
        no_half = (PP - 1) * (FB + B - 3 * W)
    inflight_gpipe(P, M) = M
        P = P
    inflight_1f1b(P, M, i) = min(P - i, M)
        M = M
        P_everywhere = min(P, M)
    inflight_interleaved(P, M, v) = min(P + over(P - 1, v), M)
        P = min(P, M)
        vP = v * P
    pp_boundary_bytes(M, b, s, h, nbytes, v) = 2 * M * b * s * h * nbytes * v
        fwd_only = M * b * s * h * nbytes * v
        no_v = 2 * M * b * s * h * nbytes
    pp_sends_forward(P, v) = P * v - 1
        P = P
        ignore_v = P - 1
    """,
    globals(),
)
