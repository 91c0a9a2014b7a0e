"""The 41 wrong claims found when the study material was recomputed: where each shows in the bank, what a key or a
rationale must never say, and the value that holds instead.

In order of the documents, which `where` names. `shown` names, by item, the role in which the claim appears (a
distractor, the stem of an item that asks to defend a number, a phrase that contradicts a criterion, a misconception)
and a pattern that tells it there. `never` are patterns of the claim stated as true. `right` are figures worked by hand
for the formulas that the bank's keys come from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

DISTRACTOR: Final = "distractor"
STEM: Final = "stem"
REJECT: Final = "reject"
MISCONCEPTION: Final = "misconception"

Shown = dict[str, tuple[str, str]]  # item: (role, pattern)
Right = tuple[str, dict[str, Any], float]  # formula, inputs, value in its unit


@dataclass(frozen=True)
class Claim:
    where: str
    shown: Shown
    never: tuple[str, ...]
    right: tuple[Right, ...] = field(default=())


CLAIMS: Final = (
    Claim(
        "000 card 2",
        {
            "defend-card-latencies": (STEM, r"0\.5 ms on NVLink \(900 GB/s\) and 160 ms on 100 Gb/s"),
        },
        (r"\b160 ms", r"\b320 times"),
        (("transfer_time", {"n_bytes": 450e6, "bandwidth": 12.5e9, "alpha": 0}, 0.036),),
    ),
    Claim(
        "000 card 5",
        {"gpipe-vs-1f1b": (DISTRACTOR, r"^A smaller bubble$"), "one-f-one-b-memory": (REJECT, "smaller bubble")},
        (r"(?<!nterleaved )1F1B (has|gives|reaches|minimi[sz]es|shrinks)[^.]*bubble",),
        (("bubble_fraction", {"P": 4, "M": 16}, 3 / 19), ("bubble_fraction", {"P": 8, "M": 16}, 7 / 23)),
    ),
    Claim(
        "000 card 7",
        {"design-moe-training": (MISCONCEPTION, "number of experts says nothing about bytes")},
        (r"(number|count) of (its |the )?experts exceeds",),
    ),
    Claim(
        "000 card 9",
        {"fsdp-collectives-per-layer": (DISTRACTOR, "^Two, one of them in the forward pass$")},
        (r"\b[Tt]wo (collectives?|collective operations|communication rounds) (per|for each) (layer|unit)",),
        (("zero3_vs_ddp", {"A": 1}, 1.5),),
    ),
    Claim(
        "001 cards 1, 2, 32",
        {
            "three-layer-product": (DISTRACTOR, r"\(h_3 - y\)\\, W_3\^T W_2\^T x\^T"),
            "chain-order-defend": (STEM, r"\\delta_\{i\} = \\delta_\{i\+1\} W_\{i\+1\}\^T"),
        },
        (r"\(h_3 - y\)\s*(\\,)?\s*W_3\^T", r"\\delta_\{?i\+1\}? W_\{?i\+1\}?\^T"),
    ),
    Claim(
        "001 cards 5, 11, 29, 66, 67",
        {
            "zero2-volume": (DISTRACTOR, "half as large"),
            "zero2-volume-defend": (STEM, "ZeRO-2 communicates much less than DDP"),
            "why-the-identity-matters": (REJECT, "half of ddp"),
        },
        (r"ZeRO-2[^.;]*(half of DDP|halves (DDP|the|its)|half as much)", r"ZeRO-2 (sends|communicates) less"),
        (
            ("dp_comm_bytes", {"scheme": "zero2", "N": 7e9, "nbytes": 2, "K": 64, "A": 1}, 27.5625e9),
            ("dp_comm_bytes", {"scheme": "ddp", "N": 7e9, "nbytes": 2, "K": 64, "A": 1}, 27.5625e9),
        ),
    ),
    Claim(
        "001 cards 11, 66",
        {"defend-elements-or-bytes": (STEM, "2N bytes for DDP, 3N bytes for FSDP")},
        (r"(?<!\d)[23] ?N bytes (for|per GPU|under)",),
        (("dp_comm_bytes", {"scheme": "zero3", "N": 7e9, "nbytes": 2, "K": 64, "A": 1}, 41.34375e9),),
    ),
    Claim(
        "001 card 80",
        {
            "every-layer-checkpointed": (DISTRACTOR, r"^O\(1\) inputs"),
            "full-recompute-cost": (DISTRACTOR, "^By 100 %$"),
        },
        (r"[Ee]very layer[^.;]*O\(1\)", r"100 % (more|extra|additional) (compute|FLOPs)"),
        (("recompute_overhead_full", {"r": 1}, 1 / 3),),
    ),
    Claim(
        "001 card 18",
        {"defend-amdahl-claim": (STEM, "50-fold"), "efficiency-at-two-percent": (DISTRACTOR, "^256$")},
        (r"256 GPUs[^.]*\b(50|fifty)([- ]fold|x| times)",),
        (("amdahl", {"s": 0.02, "N": 256}, 1 / (0.02 + 0.98 / 256)), ("amdahl_limit", {"s": 0.02}, 50)),
    ),
    Claim(
        "001 cards 47, 52, 89",
        {
            "tp-does-not-divide-activations": (STEM, "divides activation memory by 8"),
            "tp-leaves-whole": (DISTRACTOR, "every activation is divided by the degree"),
        },
        (r"[Tt]ensor parallelism[^.;]*divides (all |every )?activations? (memory )?by (the|its) degree(?! only)",),
        (
            (
                "act_layer_tp",
                {"s": 2048, "b": 1, "h": 12288, "a": 96, "t": 8},
                2048 * 12288 * (10 + 24 / 8 + 5 * 96 * 2048 / 12288 / 8),
            ),
        ),
    ),
    Claim(
        "001 card 51, times",
        {"defend-tp-milliseconds": (STEM, "17 ms on NVLink at 600 GB/s")},
        (r"(?<![\d.])17(\.9)? ms\b(?! is not)",),
        (
            (
                "tp_comm_time",
                {"b": 4, "s": 2048, "h": 8192, "nbytes": 2, "t": 8, "n_ar": 2, "L": 40, "B": 300e9},
                80 * 1.75 * 134217728 / 300e9,
            ),
        ),
    ),
    Claim(
        "001 card 51, overlap",
        {
            "tp-exposed": (DISTRACTOR, "^Yes, it is hidden - the block's"),
            "defend-tp-milliseconds": (REJECT, "it is hidden"),
        },
        (r"[Tt]ensor[- ]parallel[^.;]*(is|are) hidden behind",),
    ),
    Claim(
        "001 card 55",
        {"bubble-rule-check": (DISTRACTOR, "^3 %$"), "sixteen-stage-bubble": (DISTRACTOR, "^6 %$")},
        (r"bubble (is|of) (about |roughly |nearly )?1/M",),
        (("bubble_fraction", {"P": 4, "M": 32}, 3 / 35),),
    ),
    Claim(
        "001 card 59",
        {"stage-optimizer-bytes": (DISTRACTOR, r"^16 N/P bytes$")},
        (r"[Oo]ptimizer( states)?[^.;]*16 ?N/P",),
    ),
    Claim(
        "001 card 62",
        {
            "zero1-formula-defend": (STEM, r"\$8 \+ 8/K\$"),
            "zero1-limit": (DISTRACTOR, "^2 times$"),
            "zero2-with-whole-master": (DISTRACTOR, r"^(50\.75|63) GB$"),
        },
        (r"ZeRO-1[^.;]*\b8 ?N? ?\+ ?8", r"\b6 ?N? ?\+ ?10 ?N?/K"),
        (
            ("zero_bytes", {"N": 7e9, "K": 8, "stage": 1}, 38.5e9),
            ("zero_bytes", {"N": 7e9, "K": 8, "stage": 2}, 26.25e9),
            ("zero_bytes", {"N": 7e9, "K": 8, "stage": 3}, 14e9),
        ),
    ),
    Claim(
        "001 card 71",
        {"share-of-grid": (DISTRACTOR, "^An eighth of the layers, for a quarter of the model$")},
        (r"eighth of the layers,? for a quarter of the model",),
    ),
    Claim(
        "002 solution 4",
        {"wasted-copies": (DISTRACTOR, r"^0\.76 TB$")},
        (r"7B[^.;]*\b12 GB", r"\b12 GB (per|a|each) (copy|replica)"),
        (("redundant_bytes", {"N": 7e9, "K": 64}, 63 * 112e9), ("model_state_bytes", {"N": 7e9, "b": 16}, 112e9)),
    ),
    Claim(
        "003 introduction",
        {"ddp-seven-b-defend": (STEM, "DDP fits a 7B model on one node")},
        (r"DDP (fits|holds|trains) a 7B",),
        (("model_state_bytes", {"N": 7e9, "b": 16}, 112e9),),
    ),
    Claim(
        "003 introduction, DDP, question 3",
        {"ddp-largest-model": (DISTRACTOR, "^(7|10) billion$")},
        (r"DDP[^.;]*(below|under|up to) (7|10) ?(B\b|billion)",),
        (("zero_max_params", {"M": 80e9, "K": 8, "stage": 0}, 5e9),),
    ),
    Claim(
        "003 memory",
        {"sixteen-bytes-explained": (REJECT, "all 16")},
        (r"(?<!of the )16 bytes[^.;]*(of|are) optimizer states?( alone)?\b(?! are 12)",),
        (("bytes_per_param", {"weight": 2, "grad": 2, "master": 4, "moments": 8}, 16),),
    ),
    # The later sections of the topic page.
    Claim(
        "003 memory, citation",
        {"sixteen-bytes-where": (DISTRACTOR, "^In table 1")},
        (r"(breakdown|16 bytes)[^.;]*\b[Tt]able 1\b",),
    ),
    Claim(
        "003 memory, checkpointing",
        {
            "seventy-b-on-one-node": (DISTRACTOR, "brought under 80 GB by activation checkpointing"),
            "seventy-b-node-defend": (MISCONCEPTION, "checkpointing"),
        },
        (r"checkpointing (brings|makes)[^.;]*(80 GB|fit)",),
        (
            ("zero_bytes", {"N": 70e9, "K": 8, "stage": 3}, 140e9),
            ("zero_min_gpus", {"N": 70e9, "M": 80e9, "stage": 3}, 14),
        ),
    ),
    Claim(
        "003 question 1",
        {
            "seventy-b-node-defend": (STEM, r"17\.5 GB of optimizer states per GPU, so it fits"),
            "seventy-b-on-one-node": (DISTRACTOR, r"^52\.5 GB of state per GPU, so it fits$"),
        },
        (r"17\.5 GB of optimizer",),
        (("zero_bytes", {"N": 70e9, "K": 8, "stage": 3}, 140e9),),
    ),
    Claim(
        "003 ZeRO, citation",
        {"zero-volume-derivation": (DISTRACTOR, "^Table 5")},
        (r"[Tt]able 5[^.;]*(1\.5|volume)",),
    ),
    Claim(
        "003 ZeRO, reduce-scatter",
        {"scatter-cost-per-byte": (DISTRACTOR, "^The same number")},
        (r"reduce-scatter[^.;]*(costs?|sends?) (the same|as much|as many|equally)[^.;]*all-reduce",),
        (
            ("ring_reduce_scatter_bytes", {"N": 8, "D": 8e9}, 7e9),
            ("ring_allreduce_bytes", {"N": 8, "D": 8e9}, 14e9),
        ),
    ),
    Claim(
        "003 ZeRO-Offload",
        {"thirteen-b-offload-card": (DISTRACTOR, "the paper reports 24 GB")},
        (r"13B[^.;]*(fits|trains)[^.;]*24 GB",),
        (("offload_gpu_bytes", {"N": 13e9}, 26e9),),
    ),
    Claim(
        "003 tensor parallelism, message size",
        {"defend-message-size": (STEM, "each all-reduce moves multi-GB tensors")},
        (r"multi-GB",),
        (("tp_message_bytes", {"b": 1, "s": 8192, "h": 16384, "nbytes": 2}, 268435456),),
    ),
    Claim(
        "003 tensor parallelism, rack",
        {"rack-scale-tp": (DISTRACTOR, "^72$")},
        (r"TP ?= ?72", r"degree of 72\b"),
        (
            ("tp_valid", {"t": 72, "heads": 64, "kv": 8, "h": 8192, "f": 28672}, False),
            ("tp_valid", {"t": 64, "heads": 64, "kv": 8, "h": 8192, "f": 28672}, True),
        ),
    ),
    Claim(
        "003 pipeline, memory",
        {"stash-of-two-schedules": (DISTRACTOR, "^P under GPipe, M under 1F1B$")},
        (r"P under GPipe", r"GPipe[^.;]*\bpipeline('s)? depth"),
        (("inflight_gpipe", {"P": 4, "M": 32}, 32), ("inflight_1f1b", {"P": 4, "M": 32, "i": 0}, 4)),
    ),
    Claim(
        "003 Ulysses",
        {"ulysses-mlp-layout": (DISTRACTOR, "^Heads in the MLP, tokens in attention$")},
        (r"[Hh]eads in the MLP", r"(tokens|sequence) in attention"),
    ),
    Claim(
        "003 precision, FP8 recipe",
        {
            "fp8-recipe-defend": (STEM, "E4M3 forward, E5M2 backward, as in DeepSeek-V3"),
            "deepseek-gradient-format": (DISTRACTOR, "^E5M2, unlike the forward pass's E4M3$"),
        },
        (r"(DeepSeek-)?V3 (uses|takes|has)[^.;]*E5M2",),
    ),
    Claim(
        "003 checkpointing, takeaway",
        {
            "recompute-cost-defend": (STEM, "about 33 % extra FLOPs for 10 times less memory"),
            "selective-time-cost": (DISTRACTOR, "^10 times less activation memory for 33 % more time$"),
        },
        (r"[Ss]elective[^.;]*\b(33 ?%|a third)",),
        (("recompute_overhead_full", {"r": 1}, 1 / 3),),
    ),
    Claim(
        "003 checkpointing, text",
        {"selective-time-cost": (DISTRACTOR, "^10 times less activation memory for 2 to 4 % more time$")},
        (r"[Ss]elective[^.;]*\b(10 times|tenfold|ten times)",),
    ),
    Claim(
        "003 question 16, what is recomputed",
        {"selective-recomputes": (DISTRACTOR, "^The cheap element-wise parts - layer norms, GELU")},
        (r"[Ss]elective[^.;]*recomput\w*[^.;]*(layer ?norms?|LayerNorm|GELU)",),
    ),
    Claim(
        "003 question 16, baseline",
        {"baseline-of-a-third": (DISTRACTOR, "^Selective recomputation with full$")},
        (r"33 ?%[^.;]*(than|versus|against|over|vs) full recomputation",),
        (("recompute_overhead_full", {"r": 1}, 1 / 3),),
    ),
    Claim(
        "003 checkpoints, shard",
        {
            "defend-shard-size": (STEM, "write a checkpoint shard of about 17 GB"),
            "shard-of-a-checkpoint": (DISTRACTOR, r"^2\.2 GB$"),
        },
        (r"([Ss]hard|rank writes?)[^.;]*\b17(\.5)? GB",),
        (("checkpoint_bytes", {"N": 70e9, "b": 14}, 980e9),),
    ),
    Claim(
        "003 checkpoints, upload",
        {
            "defend-upload-overlap": (STEM, r"over after step N \+ 200"),
            "steps-during-upload": (DISTRACTOR, "^About two hundred$"),
        },
        (r"N ?\+ ?200", r"(200|two hundred) steps[^.;]*(during|before|while)[^.;]*upload"),
        (
            (
                "step_time",
                {"N": 70e9, "batch_tokens": 4e6, "n": 8, "peak": 989e12, "mfu_value": 0.4},
                1.68e18 / (8 * 989e12 * 0.4),
            ),
        ),
    ),
    Claim(
        "003 checkpoints, pause",
        {"defend-no-pause": (STEM, "no observable pause")},
        (r"no (observable |visible )?pause", r"continues immediately", r"without (any|a) pause"),
    ),
    Claim(
        "003 question 2",
        {
            "defend-five-percent-bubble": (STEM, "enough micro-batches to keep the bubble under 5 %"),
            "sixteen-stage-bubble": (DISTRACTOR, "^5 %$"),
        },
        (r"(DP|PP) ?=? ?(128|16)\b[^.;]*bubble (under|below|of) 5 ?%",),
        (
            ("min_microbatches", {"P": 16, "f": 0.05, "v": 1, "strict": True}, 286),
            ("bubble_fraction", {"P": 16, "M": 16}, 15 / 31),
        ),
    ),
    Claim(
        "003 question 4",
        {"defend-message-size": (STEM, '"GBs/s"')},
        (r"GBs/s", r"(all-reduce|message) (moves|carries|sends) [^.;]*GB/s"),
    ),
    Claim(
        "003 question 7",
        {"defend-810-gigabytes": (STEM, "810 GB of gradients, so the data-parallel all-reduce")},
        (r"810 GB (per|on each|for each) GPU", r"takes seconds per step"),
        (
            (
                "ring_allreduce_time",
                {"N": 128, "D": 405e9 * 2 / 128, "B": 50e9, "alpha": 0},
                2 * 127 / 128 * 405e9 * 2 / 128 / 50e9,
            ),
        ),
    ),
)
