"""Serving and training as they are run today: wide expert parallelism, graphs, placements, fabrics, racks."""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod

from oracles.closed_forms.table import add, over

add(
    "ep_decode_batch",
    lambda target, E, k, ep: over(target * E, k * ep),
    one_expert_each=lambda target, E, k, ep: over(target * E, ep),
    whole_group=lambda target, E, k, ep: over(target * E, k),
)
add(
    "ep_expert_slots",
    lambda E, copies, ep: None if (E + copies) % ep else (E + copies) // ep,
    no_copies=lambda E, copies, ep: over(E, ep),
    copies_everywhere=lambda E, copies, ep: over(E + ep * copies, ep),
)
add(
    "kv_reload_bandwidth",
    lambda c, N, flops: over(c * flops, 2 * N),
    six_flops=lambda c, N, flops: over(c * flops, 6 * N),
    one_flop=lambda c, N, flops: over(c * flops, N),
)
add(
    "graph_speedup",
    lambda n, launch, work, replay: over(max(n * launch, n * work), n * work + replay),
    launches_in_series=lambda n, launch, work, replay: over(n * launch + n * work, n * work + replay),
    launches_only=lambda n, launch, work, replay: over(n * launch, replay) if replay else None,
)
add(
    "hybrid_cache_bytes",
    lambda L_full, L_lin, s, n_kv, d_head, heads, dk, dv, b, nbytes, nstate: (
        2 * b * L_full * s * n_kv * d_head * nbytes + b * L_lin * heads * dk * dv * nstate
    ),
    all_full=lambda L_full, L_lin, s, n_kv, d_head, heads, dk, dv, b, nbytes, nstate: (
        2 * b * L_full * s * n_kv * d_head * nbytes + 2 * b * L_lin * s * n_kv * d_head * nbytes
    ),
    state_per_token=lambda L_full, L_lin, s, n_kv, d_head, heads, dk, dv, b, nbytes, nstate: (
        b * s * (2 * L_full * n_kv * d_head * nbytes + L_lin * heads * dk * dv * nstate)
    ),
)
add(
    "linear_state_tokens",
    lambda heads, dk, dv, n_kv, d_head, nbytes, nstate: over(heads * dk * dv * nstate, 2 * n_kv * d_head * nbytes),
    keys_only=lambda heads, dk, dv, n_kv, d_head, nbytes, nstate: over(
        heads * dk * dv * nstate, n_kv * d_head * nbytes
    ),
    same_precision=lambda heads, dk, dv, n_kv, d_head, nbytes, nstate: over(heads * dk * dv, 2 * n_kv * d_head),
)
add(
    "sparse_attention_ratio",
    lambda s, top, index: 1 / (index + over(min(s, top), s)),
    free_index=lambda s, top, index: max(Fraction(1), over(s, top)),
    index_of_selected=lambda s, top, index: max(Fraction(1), over(s, top)) / (1 + index),
)


def yielded(alpha: Fraction, k: int) -> Fraction:
    return sum((Fraction(alpha) ** n for n in range(k + 1)), start=Fraction(0))


add(
    "speculation_speedup",
    lambda alpha, k, c: yielded(alpha, k) / (1 + k * Fraction(c)),
    free_drafts=lambda alpha, k, c: yielded(alpha, k),
    linear=lambda alpha, k, c: over(1 + k * Fraction(alpha), 1 + k * Fraction(c)),
)
add(
    "replay_bytes",
    lambda tokens, L_moe, k, nbytes: tokens * L_moe * k * nbytes,
    one_layer=lambda tokens, L_moe, k, nbytes: tokens * k * nbytes,
    one_expert=lambda tokens, L_moe, k, nbytes: tokens * L_moe * nbytes,
)
add(
    "agent_concurrency",
    lambda slots, gen, tool: slots + over(slots * tool, gen),
    tools_only=lambda slots, gen, tool: over(slots * tool, gen),
    equal=lambda slots, gen, tool: slots,
)
SENT = {
    "replicate_to_shard": lambda P: Fraction(0),
    "shard_to_replicate": lambda P: 1 - over(1, P),
    "shard_to_shard": lambda P: over(P - 1, P * P),
    "partial_to_shard": lambda P: 1 - over(1, P),
    "partial_to_replicate": lambda P: 2 - over(2, P),
}
add(
    "redistribute_bytes",
    lambda S, P, move: S * SENT[move](P),
    whole_tensor=lambda S, P, move: S,
    one_shard=lambda S, P, move: over(S, P),
)
add(
    "oneshot_limit",
    lambda n, B, alpha: over(alpha * B * n, (n - 1) * (n - 2)),
    free_two_shot=lambda n, B, alpha: over(alpha * B, n - 1),
    latency_alone=lambda n, B, alpha: alpha * B,
)
MIB = 2**20


def segment(size: int) -> int:
    if size <= MIB:
        return 2 * MIB
    return 20 * MIB if size < 10 * MIB else -(-size // (2 * MIB)) * 2 * MIB


add(
    "allocator_segment",
    segment,
    as_asked=lambda size: size,
    power_of_two=lambda size: 1 << max(0, (-(-size // 1) - 1).bit_length()),
)
add(
    "ecmp_collision",
    lambda flows, L: 1 - prod((over(L - n, L) for n in range(flows)), start=Fraction(1)) if flows <= L else 1,
    one_flow=lambda flows, L: over(flows - 1, L),
    pairs=lambda flows, L: over(comb(flows, 2), L),
)
add(
    "wsd_tokens",
    lambda horizons, d: max(horizons) + Fraction(d) * (sum(horizons) - max(horizons)),
    from_scratch=lambda horizons, d: sum(horizons),
    longest_only=lambda horizons, d: max(horizons),
)
add(
    "encoder_in_layers",
    lambda N_enc, v, N_layer, t: over(N_enc * v, N_layer * t),
    sizes_alone=lambda N_enc, v, N_layer, t: over(N_enc, N_layer),
    lengths_swapped=lambda N_enc, v, N_layer, t: over(N_enc * t, N_layer * v),
)
add(
    "video_tokens",
    lambda frames, height, width, ct, cs, patch: over((frames + ct - 1) * height * width, ct * cs * cs * patch * patch),
    no_patches=lambda frames, height, width, ct, cs, patch: over((frames + ct - 1) * height * width, ct * cs * cs),
    every_frame=lambda frames, height, width, ct, cs, patch: over(frames * height * width, (cs * patch) ** 2),
)
add(
    "rack_available",
    lambda n, spares, q: sum(comb(n, m) * Fraction(q) ** m * (1 - Fraction(q)) ** (n - m) for m in range(spares + 1)),
    all_needed=lambda n, spares, q: (1 - Fraction(q)) ** n,
    chosen_units=lambda n, spares, q: (1 - Fraction(q)) ** (n - spares),
)
add(
    "loader_workers",
    lambda b, prep, step: -(-over(b * prep, step) // 1),
    rounded_down=lambda b, prep, step: over(b * prep, step) // 1,
    one_each=lambda b, prep, step: -(-Fraction(b) // 1),
)
