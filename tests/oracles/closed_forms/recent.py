"""What compute hides, narrow formats, lean optimizers, serving and reinforcement learning."""

from __future__ import annotations

from oracles.closed_forms.table import define, over


def mla(h: int, a: int, q_rank: int, kv_rank: int, nope: int, rope: int, dv: int) -> int:
    """Six matrices: down and up for queries, down for latent and rotary key, up for keys, up for values, output."""
    down_q, up_q = h * q_rank, q_rank * a * (nope + rope)
    down_kv, up_k, up_v = h * (kv_rank + rope), kv_rank * a * nope, kv_rank * a * dv
    return down_q + up_q + down_kv + up_k + up_v + a * dv * h


def utilisation(per_token: int, tokens_per_s: int, n: int, peak: int) -> object:
    return over(per_token * tokens_per_s, n * peak)


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
    """,
    globals(),
)
