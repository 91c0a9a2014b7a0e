"""Recent practice: what compute hides, narrow formats, lean optimizers, serving and reinforcement learning; wide expert
parallelism, graphs, placements, fabrics, racks."""

from __future__ import annotations

from fractions import Fraction

from oracles.closed_forms.table import define, over


def mla(h: int, a: int, q_rank: int, kv_rank: int, nope: int, rope: int, dv: int) -> int:
    """Six matrices: down and up for queries, down for latent and rotary key, up for keys, up for values, output."""
    down_q, up_q = h * q_rank, q_rank * a * (nope + rope)
    down_kv, up_k, up_v = h * (kv_rank + rope), kv_rank * a * nope, kv_rank * a * dv
    return down_q + up_q + down_kv + up_k + up_v + a * dv * h


def utilisation(per_token: int, tokens_per_s: int, n: int, peak: int) -> object:
    return over(per_token * tokens_per_s, n * peak)


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
    fsdp_tokens_to_hide(flops, bw, b, g) = over(flops, bw) * max(over(b, 2), over(b + g, 4))
        six_n = over(flops, bw) * over(2 * b + g, 6)
        one_way_sum = over(flops, bw) * over(b, 6)
    tp_comm_limit(f, mats, flops, bw, nbytes) = 1 + over(mats * f, nbytes) * over(bw, flops)
        payload_once = 2 * over(mats * f, nbytes) * over(bw, flops)
        both_directions = 1 + 2 * over(mats * f, nbytes) * over(bw, flops)
    expert_intensity(f, nd, nc) = over(6 * f, nd + nc)
        two_matrices = over(4 * f, nd + nc)
        one_way = over(6 * f, nd)
    ep_min_expert_width(flops, bw, ep, nd, nc) = over(flops, bw) * over(nd + nc, 6) * (1 - over(1, ep))
        one_way = over(flops, bw) * over(nd, 6) * (1 - over(1, ep))
        two_matrices = over(flops, bw) * over(nd + nc, 4) * (1 - over(1, ep))
    hsdp_inter_bytes(N, g, R, gb) = over(2 * N * gb, g) - over(2 * N * gb, g * R)
        whole_gradient = 2 * N * gb - over(2 * N * gb, R)
        full_shard = 3 * N * gb - over(3 * N * gb, g * R)
    moe_state_ep(n_dense, n_expert, dp, ep, p, gr, o) =
            n_dense * (p + gr + over(o, dp)) + over(n_expert, ep) * (p + gr + over(o * ep, dp))
        experts_replicated = (n_dense + n_expert) * (p + gr + over(o, dp))
        all_by_ep = (n_dense + n_expert) * (over(p + gr, ep) + over(o, dp))
    diloco_bandwidth(N, b, R, H, t) = over(2 * N * b, t * H) * (1 - over(1, R))
        every_step = over(2 * N * b, t) * (1 - over(1, R))
        no_ring = over(N * b, t * H)
    block_scaled_bytes(N, bits, scale_bits, block) = over(N * (bits * block + scale_bits), 8 * block)
        no_scales = over(N * bits, 8)
        scale_each = over(N * (bits + scale_bits), 8)
    scale_overhead(bits, scale_bits, block) = over(scale_bits, block * bits)
        of_total = over(scale_bits, block * bits + scale_bits)
        one_value = over(scale_bits, block)
    muon_state_bytes(n_matrix, n_other, weight, grad, master, moment) =
            n_matrix * (weight + grad + master + moment) + n_other * (weight + grad + master + 2 * moment)
        all_adam = (n_matrix + n_other) * (weight + grad + master + 2 * moment)
        no_momentum = n_matrix * (weight + grad + master) + n_other * (weight + grad + master + 2 * moment)
    adam8_state_bytes(N, block, weight, grad, master) = N * (weight + grad + master + 2) + over(8 * N, block)
        one_moment = N * (weight + grad + master + 1) + over(4 * N, block)
        fp32_moments = N * (weight + grad + master + 8)
    act_layer_swiglu(s, b, h, f, a, kv, t) = over(s * b, t) * (12 * h + over(4 * h * kv, a) + 6 * f)
        gpt_rule = over(34 * s * b * h, t)
        mha = over(s * b * (16 * h + 6 * f), t)
        two_mlp = over(s * b, t) * (12 * h + over(4 * h * kv, a) + 4 * f)
    params_mla(h, a, q_rank, kv_rank, nope, rope, dv) = mla(h, a, q_rank, kv_rank, nope, rope, dv)
        rope_per_head = mla(h, a, q_rank, kv_rank, nope, rope, dv) + h * (a - 1) * rope
        no_up = mla(h, a, q_rank, kv_rank, nope, rope, dv) - kv_rank * a * (nope + dv)
    speculative_tokens(alpha, k) = sum(alpha**n for n in range(k + 1))
        linear = 1 + alpha * k
        no_bonus = sum(alpha**n for n in range(1, k + 1))
    critical_batch_steps(s_min, b_crit, batch) = s_min + over(s_min * b_crit, batch)
        perfect_scaling = over(s_min * b_crit, batch)
        inverse = s_min + over(s_min * batch, b_crit)
    critical_batch_data(e_min, b_crit, batch) = e_min + over(e_min * batch, b_crit)
        constant = e_min
        inverse = e_min + over(e_min * b_crit, batch) if batch else None
    serving_cost(n, price, throughput, tokens) = over(n * price * tokens, 3600 * throughput)
        one_gpu = over(price * tokens, 3600 * throughput)
        minutes = over(n * price * tokens, 216000 * throughput)
    lifetime_flops(N, D, D_inf) = 2 * N * (3 * D + D_inf)
        training_only = 6 * N * D
        six_for_all = 6 * N * (D + D_inf)
    kv_cache_sliding_bytes(L, L_full, w, s, n_kv, d_head, b, nbytes) =
            2 * b * n_kv * d_head * nbytes * (L * min(s, w) + L_full * (s - min(s, w)))
        all_full = 2 * b * n_kv * d_head * nbytes * L * s
        all_window = 2 * b * n_kv * d_head * nbytes * L * min(s, w)
    prefill_decode_ratio(prompt, output, prefill, decode) = over(prompt * decode, prefill * output)
        rates_only = over(decode, prefill)
        lengths_only = over(prompt, output)
    rl_colocated_bytes(N, K, tp, actor, ref, rollout) =
            over(N * actor, K) + over(N * ref, K) + over(N * rollout, tp)
        no_rollout = over(N * (actor + ref), K)
        no_reference = over(N * actor, K) + over(N * rollout, tp)
    rl_rollout_gpus(n, gen, train) = n / (1 + over(gen, train))
        swapped = n / (1 + over(train, gen))
        half = over(n, 2)
    weight_sync_time(N, b, senders, replicas, tp, bw) = over(N * b, bw) * max(over(replicas, senders), over(1, tp))
        one_copy = over(N * b, senders * bw)
        through_rank_zero = over(N * b * replicas, bw)
    ettr_async(stall, tau, upload, R, M) = 1 - over(stall, tau) - over(tau, 2 * M) - over(upload + R, M)
        no_upload = 1 - over(stall, tau) - over(tau, 2 * M) - over(R, M)
        upload_stalls = 1 - over(stall + upload, tau) - over(tau, 2 * M) - over(R, M)
        no_stall = 1 - over(tau, 2 * M) - over(upload + R, M)
    mfu_attention(N, L, h, s, causal, tokens_per_s, n, peak) =
            utilisation(6 * N + (2 - bool(causal)) * 6 * L * h * s, tokens_per_s, n, peak)
        no_attention = utilisation(6 * N, tokens_per_s, n, peak)
        other_mask = utilisation(6 * N + (1 + bool(causal)) * 6 * L * h * s, tokens_per_s, n, peak)

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
