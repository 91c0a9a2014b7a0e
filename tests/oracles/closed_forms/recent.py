"""What compute hides, narrow formats, lean optimizers, serving and reinforcement learning."""

from __future__ import annotations

from oracles.closed_forms.table import add, over

add(
    "fsdp_tokens_to_hide",
    lambda flops, bw, b, g: over(flops, bw) * max(over(b, 2), over(b + g, 4)),
    six_n=lambda flops, bw, b, g: over(flops, bw) * over(2 * b + g, 6),
    one_way_sum=lambda flops, bw, b, g: over(flops, bw) * over(b, 6),
)
add(
    "tp_comm_limit",
    lambda f, mats, flops, bw, nbytes: 1 + over(mats * f, nbytes) * over(bw, flops),
    payload_once=lambda f, mats, flops, bw, nbytes: 2 * over(mats * f, nbytes) * over(bw, flops),
    both_directions=lambda f, mats, flops, bw, nbytes: 1 + 2 * over(mats * f, nbytes) * over(bw, flops),
)
add(
    "expert_intensity",
    lambda f, nd, nc: over(6 * f, nd + nc),
    two_matrices=lambda f, nd, nc: over(4 * f, nd + nc),
    one_way=lambda f, nd, nc: over(6 * f, nd),
)
add(
    "ep_min_expert_width",
    lambda flops, bw, ep, nd, nc: over(flops, bw) * over(nd + nc, 6) * (1 - over(1, ep)),
    one_way=lambda flops, bw, ep, nd, nc: over(flops, bw) * over(nd, 6) * (1 - over(1, ep)),
    two_matrices=lambda flops, bw, ep, nd, nc: over(flops, bw) * over(nd + nc, 4) * (1 - over(1, ep)),
)
add(
    "hsdp_inter_bytes",
    lambda N, g, R, gb: over(2 * N * gb, g) - over(2 * N * gb, g * R),
    whole_gradient=lambda N, g, R, gb: 2 * N * gb - over(2 * N * gb, R),
    full_shard=lambda N, g, R, gb: 3 * N * gb - over(3 * N * gb, g * R),
)
add(
    "moe_state_ep",
    lambda n_dense, n_expert, dp, ep, p, gr, o: (
        n_dense * (p + gr + over(o, dp)) + over(n_expert, ep) * (p + gr + over(o * ep, dp))
    ),
    experts_replicated=lambda n_dense, n_expert, dp, ep, p, gr, o: (n_dense + n_expert) * (p + gr + over(o, dp)),
    all_by_ep=lambda n_dense, n_expert, dp, ep, p, gr, o: (n_dense + n_expert) * (over(p + gr, ep) + over(o, dp)),
)
add(
    "diloco_bandwidth",
    lambda N, b, R, H, t: over(2 * N * b, t * H) * (1 - over(1, R)),
    every_step=lambda N, b, R, H, t: over(2 * N * b, t) * (1 - over(1, R)),
    no_ring=lambda N, b, R, H, t: over(N * b, t * H),
)
add(
    "block_scaled_bytes",
    lambda N, bits, scale_bits, block: over(N * (bits * block + scale_bits), 8 * block),
    no_scales=lambda N, bits, scale_bits, block: over(N * bits, 8),
    scale_each=lambda N, bits, scale_bits, block: over(N * (bits + scale_bits), 8),
)
add(
    "scale_overhead",
    lambda bits, scale_bits, block: over(scale_bits, block * bits),
    of_total=lambda bits, scale_bits, block: over(scale_bits, block * bits + scale_bits),
    one_value=lambda bits, scale_bits, block: over(scale_bits, block),
)
add(
    "muon_state_bytes",
    lambda n_matrix, n_other, weight, grad, master, moment: (
        n_matrix * (weight + grad + master + moment) + n_other * (weight + grad + master + 2 * moment)
    ),
    all_adam=lambda n_matrix, n_other, weight, grad, master, moment: (
        (n_matrix + n_other) * (weight + grad + master + 2 * moment)
    ),
    no_momentum=lambda n_matrix, n_other, weight, grad, master, moment: (
        n_matrix * (weight + grad + master) + n_other * (weight + grad + master + 2 * moment)
    ),
)
add(
    "adam8_state_bytes",
    lambda N, block, weight, grad, master: N * (weight + grad + master + 2) + over(8 * N, block),
    one_moment=lambda N, block, weight, grad, master: N * (weight + grad + master + 1) + over(4 * N, block),
    fp32_moments=lambda N, block, weight, grad, master: N * (weight + grad + master + 8),
)
add(
    "act_layer_swiglu",
    lambda s, b, h, f, a, kv, t: over(s * b, t) * (12 * h + over(4 * h * kv, a) + 6 * f),
    gpt_rule=lambda s, b, h, f, a, kv, t: over(34 * s * b * h, t),
    mha=lambda s, b, h, f, a, kv, t: over(s * b * (16 * h + 6 * f), t),
    two_mlp=lambda s, b, h, f, a, kv, t: over(s * b, t) * (12 * h + over(4 * h * kv, a) + 4 * f),
)


def mla(h: int, a: int, q_rank: int, kv_rank: int, nope: int, rope: int, dv: int) -> int:
    """Six matrices: down and up for queries, down for latent and rotary key, up for keys, up for values, output."""
    down_q, up_q = h * q_rank, q_rank * a * (nope + rope)
    down_kv, up_k, up_v = h * (kv_rank + rope), kv_rank * a * nope, kv_rank * a * dv
    return down_q + up_q + down_kv + up_k + up_v + a * dv * h


add(
    "params_mla",
    mla,
    rope_per_head=lambda h, a, q_rank, kv_rank, nope, rope, dv: (
        mla(h, a, q_rank, kv_rank, nope, rope, dv) + h * (a - 1) * rope
    ),
    no_up=lambda h, a, q_rank, kv_rank, nope, rope, dv: (
        mla(h, a, q_rank, kv_rank, nope, rope, dv) - kv_rank * a * (nope + dv)
    ),
)
add(
    "speculative_tokens",
    lambda alpha, k: sum(alpha**n for n in range(k + 1)),
    linear=lambda alpha, k: 1 + alpha * k,
    no_bonus=lambda alpha, k: sum(alpha**n for n in range(1, k + 1)),
)
add(
    "critical_batch_steps",
    lambda s_min, b_crit, batch: s_min + over(s_min * b_crit, batch),
    perfect_scaling=lambda s_min, b_crit, batch: over(s_min * b_crit, batch),
    inverse=lambda s_min, b_crit, batch: s_min + over(s_min * batch, b_crit),
)
add(
    "critical_batch_data",
    lambda e_min, b_crit, batch: e_min + over(e_min * batch, b_crit),
    constant=lambda e_min, b_crit, batch: e_min,
    inverse=lambda e_min, b_crit, batch: e_min + over(e_min * b_crit, batch) if batch else None,
)
add(
    "serving_cost",
    lambda n, price, throughput, tokens: over(n * price * tokens, 3600 * throughput),
    one_gpu=lambda n, price, throughput, tokens: over(price * tokens, 3600 * throughput),
    minutes=lambda n, price, throughput, tokens: over(n * price * tokens, 216000 * throughput),
)
add(
    "lifetime_flops",
    lambda N, D, D_inf: 2 * N * (3 * D + D_inf),
    training_only=lambda N, D, D_inf: 6 * N * D,
    six_for_all=lambda N, D, D_inf: 6 * N * (D + D_inf),
)
add(
    "kv_cache_sliding_bytes",
    lambda L, L_full, w, s, n_kv, d_head, b, nbytes: (
        2 * b * n_kv * d_head * nbytes * (L * min(s, w) + L_full * (s - min(s, w)))
    ),
    all_full=lambda L, L_full, w, s, n_kv, d_head, b, nbytes: 2 * b * n_kv * d_head * nbytes * L * s,
    all_window=lambda L, L_full, w, s, n_kv, d_head, b, nbytes: 2 * b * n_kv * d_head * nbytes * L * min(s, w),
)
add(
    "prefill_decode_ratio",
    lambda prompt, output, prefill, decode: over(prompt * decode, prefill * output),
    rates_only=lambda prompt, output, prefill, decode: over(decode, prefill),
    lengths_only=lambda prompt, output, prefill, decode: over(prompt, output),
)
add(
    "rl_colocated_bytes",
    lambda N, K, tp, actor, ref, rollout: over(N * actor, K) + over(N * ref, K) + over(N * rollout, tp),
    no_rollout=lambda N, K, tp, actor, ref, rollout: over(N * (actor + ref), K),
    no_reference=lambda N, K, tp, actor, ref, rollout: over(N * actor, K) + over(N * rollout, tp),
)
add(
    "rl_rollout_gpus",
    lambda n, gen, train: n / (1 + over(gen, train)),
    swapped=lambda n, gen, train: n / (1 + over(train, gen)),
    half=lambda n, gen, train: over(n, 2),
)
add(
    "weight_sync_time",
    lambda N, b, senders, replicas, tp, bw: over(N * b, bw) * max(over(replicas, senders), over(1, tp)),
    one_copy=lambda N, b, senders, replicas, tp, bw: over(N * b, senders * bw),
    through_rank_zero=lambda N, b, senders, replicas, tp, bw: over(N * b * replicas, bw),
)
add(
    "ettr_async",
    lambda stall, tau, upload, R, M: 1 - over(stall, tau) - over(tau, 2 * M) - over(upload + R, M),
    no_upload=lambda stall, tau, upload, R, M: 1 - over(stall, tau) - over(tau, 2 * M) - over(R, M),
    upload_stalls=lambda stall, tau, upload, R, M: 1 - over(stall + upload, tau) - over(tau, 2 * M) - over(R, M),
    no_stall=lambda stall, tau, upload, R, M: 1 - over(tau, 2 * M) - over(upload + R, M),
)


def utilisation(per_token: int, tokens_per_s: int, n: int, peak: int) -> object:
    return over(per_token * tokens_per_s, n * peak)


add(
    "mfu_attention",
    lambda N, L, h, s, causal, tokens_per_s, n, peak: utilisation(
        6 * N + (2 - bool(causal)) * 6 * L * h * s, tokens_per_s, n, peak
    ),
    no_attention=lambda N, L, h, s, causal, tokens_per_s, n, peak: utilisation(6 * N, tokens_per_s, n, peak),
    other_mask=lambda N, L, h, s, causal, tokens_per_s, n, peak: utilisation(
        6 * N + (1 + bool(causal)) * 6 * L * h * s, tokens_per_s, n, peak
    ),
)
