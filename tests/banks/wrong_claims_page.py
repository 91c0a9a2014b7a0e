"""The wrong claims of the topic page's later sections, numbers 21 to 41, told as in `wrong_claims`."""

from __future__ import annotations

from typing import Final

from wrong_claims import DISTRACTOR, MISCONCEPTION, STEM, Claim

CLAIMS: Final = (
    Claim(
        21,
        "003 memory, citation",
        {"sixteen-bytes-where": (DISTRACTOR, "^In table 1")},
        (r"(breakdown|16 bytes)[^.;]*\b[Tt]able 1\b",),
    ),
    Claim(
        22,
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
        23,
        "003 question 1",
        {
            "seventy-b-node-defend": (STEM, r"17\.5 GB of optimizer states per GPU, so it fits"),
            "seventy-b-on-one-node": (DISTRACTOR, r"^52\.5 GB of state per GPU, so it fits$"),
        },
        (r"17\.5 GB of optimizer",),
        (("zero_bytes", {"N": 70e9, "K": 8, "stage": 3}, 140e9),),
    ),
    Claim(
        24,
        "003 ZeRO, citation",
        {"zero-volume-derivation": (DISTRACTOR, "^Table 5")},
        (r"[Tt]able 5[^.;]*(1\.5|volume)",),
    ),
    Claim(
        25,
        "003 ZeRO, reduce-scatter",
        {"scatter-cost-per-byte": (DISTRACTOR, "^The same number")},
        (r"reduce-scatter[^.;]*(costs?|sends?) (the same|as much|as many|equally)[^.;]*all-reduce",),
        (
            ("ring_reduce_scatter_bytes", {"N": 8, "D": 8e9}, 7e9),
            ("ring_allreduce_bytes", {"N": 8, "D": 8e9}, 14e9),
        ),
    ),
    Claim(
        26,
        "003 ZeRO-Offload",
        {"thirteen-b-offload-card": (DISTRACTOR, "the paper reports 24 GB")},
        (r"13B[^.;]*(fits|trains)[^.;]*24 GB",),
        (("offload_gpu_bytes", {"N": 13e9}, 26e9),),
    ),
    Claim(
        27,
        "003 tensor parallelism, message size",
        {"defend-message-size": (STEM, "each all-reduce moves multi-GB tensors")},
        (r"multi-GB",),
        (("tp_message_bytes", {"b": 1, "s": 8192, "h": 16384, "nbytes": 2}, 268435456),),
    ),
    Claim(
        28,
        "003 tensor parallelism, rack",
        {"rack-scale-tp": (DISTRACTOR, "^72$")},
        (r"TP ?= ?72", r"degree of 72\b"),
        (
            ("tp_valid", {"t": 72, "heads": 64, "kv": 8, "h": 8192, "f": 28672}, False),
            ("tp_valid", {"t": 64, "heads": 64, "kv": 8, "h": 8192, "f": 28672}, True),
        ),
    ),
    Claim(
        29,
        "003 pipeline, memory",
        {"stash-of-two-schedules": (DISTRACTOR, "^P under GPipe, M under 1F1B$")},
        (r"P under GPipe", r"GPipe[^.;]*\bpipeline('s)? depth"),
        (("inflight_gpipe", {"P": 4, "M": 32}, 32), ("inflight_1f1b", {"P": 4, "M": 32, "i": 0}, 4)),
    ),
    Claim(
        30,
        "003 Ulysses",
        {"ulysses-mlp-layout": (DISTRACTOR, "^Heads in the MLP, tokens in attention$")},
        (r"[Hh]eads in the MLP", r"(tokens|sequence) in attention"),
    ),
    Claim(
        31,
        "003 precision, FP8 recipe",
        {
            "fp8-recipe-defend": (STEM, "E4M3 forward, E5M2 backward, as in DeepSeek-V3"),
            "deepseek-gradient-format": (DISTRACTOR, "^E5M2, unlike the forward pass's E4M3$"),
        },
        (r"(DeepSeek-)?V3 (uses|takes|has)[^.;]*E5M2",),
    ),
    Claim(
        32,
        "003 checkpointing, takeaway",
        {
            "recompute-cost-defend": (STEM, "about 33 % extra FLOPs for 10 times less memory"),
            "selective-time-cost": (DISTRACTOR, "^10 times less activation memory for 33 % more time$"),
        },
        (r"[Ss]elective[^.;]*\b(33 ?%|a third)",),
        (("recompute_overhead_full", {"r": 1}, 1 / 3),),
    ),
    Claim(
        33,
        "003 checkpointing, text",
        {"selective-time-cost": (DISTRACTOR, "^10 times less activation memory for 2 to 4 % more time$")},
        (r"[Ss]elective[^.;]*\b(10 times|tenfold|ten times)",),
    ),
    Claim(
        34,
        "003 question 16, what is recomputed",
        {"selective-recomputes": (DISTRACTOR, "^The cheap element-wise parts - layer norms, GELU")},
        (r"[Ss]elective[^.;]*recomput\w*[^.;]*(layer ?norms?|LayerNorm|GELU)",),
    ),
    Claim(
        35,
        "003 question 16, baseline",
        {"baseline-of-a-third": (DISTRACTOR, "^Selective recomputation with full$")},
        (r"33 ?%[^.;]*(than|versus|against|over|vs) full recomputation",),
        (("recompute_overhead_full", {"r": 1}, 1 / 3),),
    ),
    Claim(
        36,
        "003 checkpoints, shard",
        {
            "defend-shard-size": (STEM, "write a checkpoint shard of about 17 GB"),
            "shard-of-a-checkpoint": (DISTRACTOR, r"^2\.2 GB$"),
        },
        (r"([Ss]hard|rank writes?)[^.;]*\b17(\.5)? GB",),
        (("checkpoint_bytes", {"N": 70e9, "b": 14}, 980e9),),
    ),
    Claim(
        37,
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
        38,
        "003 checkpoints, pause",
        {"defend-no-pause": (STEM, "no observable pause")},
        (r"no (observable |visible )?pause", r"continues immediately", r"without (any|a) pause"),
    ),
    Claim(
        39,
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
        40,
        "003 question 4",
        {"defend-message-size": (STEM, '"GBs/s"')},
        (r"GBs/s", r"(all-reduce|message) (moves|carries|sends) [^.;]*GB/s"),
    ),
    Claim(
        41,
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
