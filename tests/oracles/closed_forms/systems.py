"""Serving and training as they are run today: wide expert parallelism, graphs, placements, fabrics, racks."""

from __future__ import annotations

from fractions import Fraction

from oracles.closed_forms.table import define, over


def yielded(alpha: Fraction, k: int) -> Fraction:
    return sum((Fraction(alpha) ** n for n in range(k + 1)), start=Fraction(0))


SENT = {
    "replicate_to_shard": lambda P: Fraction(0),
    "shard_to_replicate": lambda P: 1 - over(1, P),
    "shard_to_shard": lambda P: over(P - 1, P * P),
    "partial_to_shard": lambda P: 1 - over(1, P),
    "partial_to_replicate": lambda P: 2 - over(2, P),
}
MIB = 2**20


def segment(size: int) -> int:
    if size <= MIB:
        return 2 * MIB
    return 20 * MIB if size < 10 * MIB else -(-size // (2 * MIB)) * 2 * MIB


define(
    """
    ep_decode_batch(target, E, k, ep) = over(target * E, k * ep)
        one_expert_each = over(target * E, ep)
        whole_group = over(target * E, k)
    ep_expert_slots(E, copies, ep) = None if (E + copies) % ep else (E + copies) // ep
        no_copies = over(E, ep)
        copies_everywhere = over(E + ep * copies, ep)
    kv_reload_bandwidth(c, N, flops) = over(c * flops, 2 * N)
        six_flops = over(c * flops, 6 * N)
        one_flop = over(c * flops, N)
    graph_speedup(n, launch, work, replay) = over(max(n * launch, n * work), n * work + replay)
        launches_in_series = over(n * launch + n * work, n * work + replay)
        launches_only = over(n * launch, replay) if replay else None
    hybrid_cache_bytes(L_full, L_lin, s, n_kv, d_head, heads, dk, dv, b, nbytes, nstate) =
            2 * b * L_full * s * n_kv * d_head * nbytes + b * L_lin * heads * dk * dv * nstate
        all_full = 2 * b * L_full * s * n_kv * d_head * nbytes + 2 * b * L_lin * s * n_kv * d_head * nbytes
        state_per_token = b * s * (2 * L_full * n_kv * d_head * nbytes + L_lin * heads * dk * dv * nstate)
    linear_state_tokens(heads, dk, dv, n_kv, d_head, nbytes, nstate) =
            over(heads * dk * dv * nstate, 2 * n_kv * d_head * nbytes)
        keys_only = over(heads * dk * dv * nstate, n_kv * d_head * nbytes)
        same_precision = over(heads * dk * dv, 2 * n_kv * d_head)
    sparse_attention_ratio(s, top, index) = 1 / (index + over(min(s, top), s))
        free_index = max(Fraction(1), over(s, top))
        index_of_selected = max(Fraction(1), over(s, top)) / (1 + index)
    speculation_speedup(alpha, k, c) = yielded(alpha, k) / (1 + k * Fraction(c))
        free_drafts = yielded(alpha, k)
        linear = over(1 + k * Fraction(alpha), 1 + k * Fraction(c))
    replay_bytes(tokens, L_moe, k, nbytes) = tokens * L_moe * k * nbytes
        one_layer = tokens * k * nbytes
        one_expert = tokens * L_moe * nbytes
    agent_concurrency(slots, gen, tool) = slots + over(slots * tool, gen)
        tools_only = over(slots * tool, gen)
        equal = slots
    redistribute_bytes(S, P, move) = S * SENT[move](P)
        whole_tensor = S
        one_shard = over(S, P)
    oneshot_limit(n, B, alpha) = over(alpha * B * n, (n - 1) * (n - 2))
        free_two_shot = over(alpha * B, n - 1)
        latency_alone = alpha * B
    allocator_segment(size) = segment(size)
        as_asked = size
        power_of_two = 1 << max(0, (-(-size // 1) - 1).bit_length())
    ecmp_collision(flows, L) =
            1 - prod((over(L - n, L) for n in range(flows)), start=Fraction(1)) if flows <= L else 1
        one_flow = over(flows - 1, L)
        pairs = over(comb(flows, 2), L)
    wsd_tokens(horizons, d) = max(horizons) + Fraction(d) * (sum(horizons) - max(horizons))
        from_scratch = sum(horizons)
        longest_only = max(horizons)
    encoder_in_layers(N_enc, v, N_layer, t) = over(N_enc * v, N_layer * t)
        sizes_alone = over(N_enc, N_layer)
        lengths_swapped = over(N_enc * t, N_layer * v)
    video_tokens(frames, height, width, ct, cs, patch) =
            over((frames + ct - 1) * height * width, ct * cs * cs * patch * patch)
        no_patches = over((frames + ct - 1) * height * width, ct * cs * cs)
        every_frame = over(frames * height * width, (cs * patch) ** 2)
    rack_available(n, spares, q) =
            sum(comb(n, m) * Fraction(q) ** m * (1 - Fraction(q)) ** (n - m) for m in range(spares + 1))
        all_needed = (1 - Fraction(q)) ** n
        chosen_units = (1 - Fraction(q)) ** (n - spares)
    loader_workers(b, prep, step) = -(-over(b * prep, step) // 1)
        rounded_down = over(b * prep, step) // 1
        one_each = -(-Fraction(b) // 1)
    """,
    globals(),
)
