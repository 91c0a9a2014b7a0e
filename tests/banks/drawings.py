"""Drawings of inputs for every formula: common values and the edges, from a seeded stream."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

PARAMS = [0, 1, 1e8, 1.3e9, 7e9, 7.5e9, 13e9, 70e9, 405e9, 1e12]
BYTES = [0, 1, 1000, 3e6, 2**20, 437.5e6, 14e9, 80e9, 1e12]
RATES = [1e9, 12.5e9, 25e9, 50e9, 300e9, 450e9, 3.35e12, 8e12]
PEAKS = [125e12, 312e12, 989e12, 2.25e15]
DEGREES = [1, 2, 3, 4, 6, 7, 8, 12, 16, 32, 64, 100, 256, 1024]
SIZES = [1, 2, 128, 768, 1024, 2048, 4096, 5120, 8192, 12288, 16384]
LENGTHS = [1, 512, 1000, 2048, 8192, 131072]
FRACTIONS = [0.01, 0.02, 0.05, 0.1, 0.125, 0.25, 1 / 3, 0.4, 0.5, 0.6666666666666666, 0.8, 0.99]
SECONDS = [0.001, 0.5, 1, 2, 60, 300, 1800, 3600, 86400, 1e6]
WIDTHS = [0.5, 1, 2, 4]
TOKENS = [1, 1000, 4096, 4e6, 16777216, 3e11, 15.6e12]
LAYERS = [1, 2, 12, 24, 32, 61, 80, 96, 126]
HEADS = [1, 8, 16, 32, 40, 64, 128]
VOCABULARY = [1, 32000, 50257, 51200, 128256, 256000]

COMMON: dict[str, list[Any]] = {
    "A": [1, 2, 4, 8, 100], "B": RATES, "B1": RATES, "B2": RATES, "Bi": SECONDS, "C": [1.0, 1e18, 5.76e23, 3.8e25],
    "D": BYTES, "E": [1, 8, 16, 64, 128, 256], "F": SECONDS, "FB": SECONDS, "H": HEADS, "K": DEGREES, "L": LAYERS,
    "L_moe": LAYERS, "M": DEGREES, "N": PARAMS, "P": DEGREES, "PP": [2, 4, 8, 16, 32], "Qd": [64, 128, 256],
    "R": [0, 60, 300, 1800], "S": BYTES, "T": TOKENS, "T_local": [1, 4096, 65536], "Ts": SECONDS, "V": VOCABULARY,
    "W": SECONDS, "X": [1e13, 1.4e14, 6e14], "a": HEADS, "a1": [0, 1e-6, 5e-6], "a2": [0, 5e-6, 2e-5],
    "a_in": BYTES[1:], "a_mid": BYTES[1:], "accum": DEGREES, "alpha": [0, 1e-6, 5e-6, 5e-5], "b": [1, 2, 3, 4, 16],
    "b0": [1, 256, 1024], "b1": [1, 128, 1000, 8192], "bandwidth": RATES, "batch": [1, 100, 256, 1024, 2048],
    "batch_tokens": TOKENS, "bw": RATES, "c": [1, 2, 5, 8, 12.5, 24], "cf": [1, 1.1, 1.25, 1.3, 2], "cp": [1, 2, 3, 16],
    "d": DEGREES, "d_head": [64, 128, 256], "d_in": SIZES, "d_out": SIZES, "delta": [1, 10, 60, 300, 3600, 1e5],
    "dp": DEGREES, "e": FRACTIONS, "ep": [1, 2, 3, 8, 64, 256], "etp": [1, 2, 4], "f": SIZES,
    "flops": PEAKS, "g": [1, 2, 4, 8, 72], "grad": [0, 2, 4], "grad_bytes": [*BYTES, 2**20 + 1, 26 * 2**20, 28e9],
    "h": SIZES, "h_kv": SIZES, "heads": HEADS, "hours": [0, 0.5, 24, 1361.328125], "i": [0], "intensity": [0.1, 1, 300, 1e4],
    "k": [1, 2, 3, 6, 8], "kv": HEADS, "kv_lora": [256, 512], "kv_per_seq": [1e6, 1073741824, 3e9], "l": LAYERS,
    "lr": [0.1, 3e-4, 6e-5], "m": [1, 2, 3, 7, 10], "master": [0, 4], "mfu_value": FRACTIONS, "micro": [1, 2, 3, 32],
    "moments": [0, 2, 4, 8], "mp": [1, 8, 128], "mtbf": [3600, 11135.0, 1e6], "mtbf1": [3600, 182437200.0, 5e8],
    "n": DEGREES, "n_active": PARAMS, "n_ar": [0, 2, 4, 6], "n_bytes": BYTES, "n_kv": HEADS, "n_live": [1, 2, 3],
    "n_matrices": [1, 64, 224], "n_out": [1, 2, 256], "n_total": PARAMS, "nbytes": WIDTHS, "overlap": [0, *FRACTIONS, 1],
    "op": ["allreduce", "allgather", "reducescatter", "alltoall", "broadcast", "reduce"], "p": DEGREES, "peak": PEAKS,
    "pp": [1, 2, 4, 8, 16], "price": [0, 0.5, 2.0, 2.79, 10], "pue": [1, 1.1, 1.2, 1.58], "r": [0, *FRACTIONS, 1],
    "rank": [0, 1, 13, 63, 100, 1000], "rate_gbps": [1, 100, 200, 400, 800, 0.5], "recompute": [True, False, 0, 1],
    "rope": [0, 64], "s": LENGTHS, "scheme": ["ddp", "zero1", "zero2", "zero3", "fsdp_noreshard"],
    "seconds": [0, 1, 3600, 319680, 86400], "sequences": [0, 1, 16, 2048], "size": BYTES, "stage": [0, 1, 2, 3],
    "strict": [True, False], "style": ["ieee", "e4m3fn", "noinf"], "t": [1, 2, 3, 4, 8, 16, 72], "t_comm": [0, *SECONDS],
    "t_comp": SECONDS, "tau": SECONDS[2:], "tb": SECONDS, "tf": SECONDS, "tied": [True, False], "tok_micro": [1, 2000, 2048, 4096],
    "tokens": TOKENS, "tokens_per_s": [0, 1e4, 238300, 1e6], "total_bytes_per_s": RATES, "tp": [1, 2, 3, 8], "tpot": SECONDS,
    "ttft": SECONDS, "u": [0, 0.85, 0.9, 1], "util": FRACTIONS, "v": [1, 2, 3, 4, 8],
    "variant": ["fp16_fp16", "bf16_fp32", "fp32_fp32"], "watts": [0, 300, 700, 1000, 1250.5], "weight": [1, 2, 4],
    "world": [1, 8, 100, 512, 16384], "writers": DEGREES,
    "D_inf": TOKENS, "L_full": [0, 1, 2], "actor": [16, 18], "b_crit": TOKENS, "bits": [4, 8], "block": [16, 32, 128, 2048],
    "causal": [True, False], "decode": [100, 1000, 2500], "dv": [64, 128], "e_min": TOKENS, "gb": [2, 4], "gen": [100, 1000, 3000],
    "gr": [2, 4], "kv_rank": [256, 512], "mats": [2, 3], "moment": [1, 4], "n_dense": PARAMS, "n_expert": PARAMS, "n_matrix": PARAMS,
    "n_other": PARAMS, "nc": [1, 2], "nd": [1, 2], "nope": [64, 128], "o": [8, 12], "output": [1, 300, 1000], "prefill": [5000, 10000],
    "prompt": [0, 500, 3000, 100000], "q_rank": [768, 1536], "ref": [0, 2], "replicas": DEGREES, "rollout": [1, 2],
    "s_min": [0, 1000, 25000], "scale_bits": [0, 8, 32], "senders": DEGREES, "stall": [0, 1, 10], "throughput": [100, 6000, 45000.5],
    "train": [500, 1000, 8000], "upload": [0, 30, 300], "w": [128, 1024, 4096],
    "L_lin": [0, 3, 36], "N_enc": PARAMS, "N_layer": PARAMS[1:], "copies": [0, 16, 32], "cs": [8, 16], "ct": [1, 4],
    "dk": [64, 128], "flows": [1, 2, 4, 8], "frames": [1, 5, 81, 129], "height": [160, 480, 720], "horizons": [[1e11], [5e10, 1e11, 2e11]],
    "launch": [2e-6, 5e-6, 6e-6], "move": ["replicate_to_shard", "shard_to_replicate", "shard_to_shard", "partial_to_shard", "partial_to_replicate"],
    "nstate": [2, 4], "patch": [1, 2], "prep": [0, 0.01, 0.15, 1.5], "q": [0, 0.01, 0.02, 0.5], "replay": [0, 1e-5, 2e-5],
    "slots": [0, 64, 256], "spares": [0, 1, 2], "step": [0.25, 1, 1.5], "target": [0, 64, 256], "tool": [0, 1, 30],
    "top": [64, 2048], "width": [320, 832, 1280], "work": [1e-6, 4e-6, 2e-5],
}  # fmt: skip

RANKS = {"N": DEGREES}
SHAPES = {"h": [4096, 5120, 8192], "a": [32, 64, 128]}
BYTE_SIZES = {"W": BYTES, "kv": BYTES, "M": BYTES}
OWN: dict[str, dict[str, list[Any]]] = {
    "amdahl": {**RANKS, "s": [0, *FRACTIONS, 1]},
    "agent_concurrency": {"gen": [1, 10, 45]},
    "allocator_segment": {"size": [1, 1000, 2**20, 2**20 + 1, 3 * 2**20, 10 * 2**20 - 1, 10 * 2**20, 13 * 2**20, 80e6]},
    "amdahl_efficiency": {**RANKS, "s": [0, *FRACTIONS, 1]},
    "adam8_state_bytes": {"block": [64, 256, 2048]},
    "amdahl_limit": {"s": [*FRACTIONS, 1]},
    "amdahl_max_gpus": {"s": FRACTIONS},
    "bubble_dualpipe": {"B": SECONDS},
    "busbw": {"t": SECONDS, "n": DEGREES[1:]},
    "checkpoint_bytes": {"b": [2, 4, 12, 14, 16]},
    "chinchilla_loss": {"N": PARAMS[1:], "D": TOKENS},
    "cluster_mtbf": {"n": [1, 8, 1000, 16384]},
    "critical_batch_data": {"batch": [0, 1, 1000, 4e6]},
    "critical_batch_steps": {"batch": [1, 1000, 4e6]},
    "daly_interval": {"M": [100, 1e3, 11124.0, 1e6]},
    "decode_time": BYTE_SIZES,
    "diloco_bandwidth": {"b": [1, 2, 4], "R": DEGREES, "H": [1, 30, 500], "t": SECONDS},
    "ettr_async": {"M": [1e4, 11124.0, 1e6], "tau": [60, 600, 1800]},
    "ecmp_collision": {"L": [1, 4, 16, 32, 64]},
    "encoder_in_layers": {"v": TOKENS, "t": TOKENS},
    "expected_failures": {"t": [0, 60, 86400, 4665600.0]},
    "expected_runtime": {"M": [1e4, 11124.0, 1e6], "tau": [60, 600, 1800]},
    "expert_capacity": {"T": [0, 1, 100, 1000, 4096]},
    "fsdp_tokens_to_hide": {"b": [1, 2, 4], "g": [2, 4]},
    "hsdp_inter_bytes": {"R": DEGREES},
    "flops_6nd": {"D": TOKENS},
    "flops_8nd": {"D": TOKENS},
    "flops_megatron_iter": {"B": [1, 64, 1536]},
    "flops_model_iter": {"B": [1, 64, 1536]},
    "fp_eps": {"e": [2, 4, 5, 8], "m": [1, 2, 3, 7, 10, 23]},
    "fp_max": {"e": [2, 4, 5, 8], "m": [1, 2, 3, 7, 10, 23]},
    "fp_min_normal": {"e": [2, 4, 5, 8], "m": [1, 2, 3, 7, 10, 23]},
    "fp_min_subnormal": {"e": [2, 4, 5, 8], "m": [1, 2, 3, 7, 10, 23]},
    "fsdp_param_peak": {"b": [2, 4]},
    "global_batch": {"micro": [1, 2, 8]},
    "goodput": {"M": [1e4, 11124.0, 1e6], "tau": [60, 600, 1156.0, 1800]},
    "gustafson": {**RANKS, "s": [0, *FRACTIONS, 1]},
    "inflight_1f1b": {"P": [8, 16, 64], "i": [0, 1, 3, 7]},
    "karp_flatt": {"N": DEGREES[1:], "S": [0.5, 1, 1.5, 7.5, 8, 100]},
    "kv_cache_sliding_bytes": {"L": [2, 32, 48]},
    "lifetime_flops": {"D": TOKENS},
    "lora_params": {"r": [1, 8, 16, 256]},
    "logits_bytes": {"s": LENGTHS},
    "max_sequences": {"M": [16e9, 80e9, 141e9], "W": [0, 16060522496, 140e9, 100.5]},
    "mean_loss_exact": {"L": [1, 60, 1860.0, 86400], "M": [100, 11124.0, 1e4, 86400]},
    "min_microbatches": {"f": FRACTIONS},
    "model_state_bytes": {"b": [2, 6, 7.5, 10, 16, 18, 20]},
    "moe_flops": {"D": TOKENS},
    "no_failure_prob": {"t": [0, 1, 3600, 86400.0]},
    "padded_vocab": {"m": [1, 64, 128]},
    "params_12lh2": {"l": LAYERS},
    "rabenseifner_time": {"N": [1, 2, 4, 8, 64, 1024]},
    "rl_rollout_gpus": {"n": [1, 8, 100, 1024]},
    "moe_state_ep": {"p": [1, 2], "dp": [64, 256], "ep": [1, 8, 64]},
    "oneshot_limit": {"n": [3, 4, 8, 72]},
    "rack_available": {"n": [2, 18, 20]},
    "sparse_attention_ratio": {"index": [0, 0.02, 0.05]},
    "speculation_speedup": {"alpha": [0, 0.25, 0.5, 0.8, 1], "k": [0, 1, 3, 7], "c": [0, 0.05, 0.5]},
    "speculative_tokens": {"alpha": [0, 0.25, 0.5, 0.8, 1], "k": [0, 1, 3, 7]},
    "wsd_tokens": {"d": [0, 0.1, 0.2, 1]},
    "kv_reload_bandwidth": {"c": [70272, 131072, 327680], "N": PARAMS[1:]},
    "weight_sync_time": {"b": [1, 2]},
    "ring_tree_crossover": {"N": DEGREES[1:]},
    "sharp_ratio": {"N": DEGREES[1:]},
    "ring_over_ulysses": {"P": DEGREES[1:]},
    "steps_for_tokens": {"D": TOKENS},
    "tokens_per_expert": {"T": TOKENS},
    "train_time": {"D": TOKENS},
    "waste_first_order": {"M": [1e3, 11124.0, 1e6]},
    "waste_min": {"M": [1e3, 11124.0, 1e6]},
    "young_interval": {"M": [0, 1e3, 11124.0, 1e6]},
    "zero_bytes_general": {"p": [1, 2, 4], "g": [2, 4], "o": [0, 2, 6, 12]},
    "tokens_per_s_gpu": {"N": PARAMS[1:]},
    "zero_max_params": {"M": BYTES},
    "zero_min_gpus": {"N": PARAMS[1:], "M": [1e9, 16e9, 28e9, 80e9, 192e9, 52e9, 26e9]},
    "params_llama": SHAPES,
    "params_moe_total": SHAPES,
    "params_moe_active": SHAPES,
    "pipeline_time_uneven": {"times": [[1, 1, 3, 1], [5], [0.5, 0.25], [2, 2, 2], [0.1, 0.2, 0.3, 0.7]]},
}
for _name in (
    "ring_allreduce_bytes", "ring_reduce_scatter_bytes", "ring_allgather_bytes", "alltoall_bytes", "allreduce_total_bytes",
    "ring_allreduce_time", "ring_gather_time", "alltoall_time", "tree_allreduce_time",
):  # fmt: skip
    OWN[_name] = RANKS


def drawings(name: str, inputs: list[str], count: int, seed: str = "drawings") -> Iterator[dict[str, Any]]:
    """`count` drawings of a formula's inputs, the same ones every time."""
    stream = random.Random(f"{seed} {name}")
    pools = {one: OWN.get(name, {}).get(one, COMMON.get(one)) for one in inputs}
    for _ in range(count):
        yield {one: stream.choice(pool) for one, pool in pools.items()}
