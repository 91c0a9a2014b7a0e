"""The 41 wrong claims found when the study material was recomputed: where each shows in the bank, what a key or a
rationale must never say, and the value that holds instead.

In order of the documents. `shown` names, by item, the role in which the claim appears (a distractor, the stem of an
item that asks to defend a number, a phrase that contradicts a criterion, a misconception) and a pattern that tells it
there. `never` are patterns of the claim stated as true. `right` are figures worked by hand for the formulas that the
bank's keys come from.
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
    number: int
    where: str
    shown: Shown
    never: tuple[str, ...]
    right: tuple[Right, ...] = field(default=())


CLAIMS: Final = (
    Claim(
        1,
        "000 card 2",
        {
            "defend-card-latencies": (STEM, r"0\.5 ms on NVLink \(900 GB/s\) and 160 ms on 100 Gb/s"),
        },
        (r"\b160 ms", r"\b320 times"),
        (("transfer_time", {"n_bytes": 450e6, "bandwidth": 12.5e9, "alpha": 0}, 0.036),),
    ),
    Claim(
        2,
        "000 card 5",
        {"gpipe-vs-1f1b": (DISTRACTOR, r"^A smaller bubble$"), "one-f-one-b-memory": (REJECT, "smaller bubble")},
        (r"(?<!nterleaved )1F1B (has|gives|reaches|minimi[sz]es|shrinks)[^.]*bubble",),
        (("bubble_fraction", {"P": 4, "M": 16}, 3 / 19), ("bubble_fraction", {"P": 8, "M": 16}, 7 / 23)),
    ),
    Claim(
        3,
        "000 card 7",
        {"design-moe-training": (MISCONCEPTION, "number of experts says nothing about bytes")},
        (r"(number|count) of (its |the )?experts exceeds",),
    ),
    Claim(
        4,
        "000 card 9",
        {"fsdp-collectives-per-layer": (DISTRACTOR, "^Two, one of them in the forward pass$")},
        (r"\b[Tt]wo (collectives?|collective operations|communication rounds) (per|for each) (layer|unit)",),
        (("zero3_vs_ddp", {"A": 1}, 1.5),),
    ),
    Claim(
        5,
        "001 cards 1, 2, 32",
        {
            "three-layer-product": (DISTRACTOR, r"\(h_3 - y\)\\, W_3\^T W_2\^T x\^T"),
            "chain-order-defend": (STEM, r"\\delta_\{i\} = \\delta_\{i\+1\} W_\{i\+1\}\^T"),
        },
        (r"\(h_3 - y\)\s*(\\,)?\s*W_3\^T", r"\\delta_\{?i\+1\}? W_\{?i\+1\}?\^T"),
    ),
    Claim(
        6,
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
        7,
        "001 cards 11, 66",
        {"defend-elements-or-bytes": (STEM, "2N bytes for DDP, 3N bytes for FSDP")},
        (r"(?<!\d)[23] ?N bytes (for|per GPU|under)",),
        (("dp_comm_bytes", {"scheme": "zero3", "N": 7e9, "nbytes": 2, "K": 64, "A": 1}, 41.34375e9),),
    ),
    Claim(
        8,
        "001 card 80",
        {
            "every-layer-checkpointed": (DISTRACTOR, r"^O\(1\) inputs"),
            "full-recompute-cost": (DISTRACTOR, "^By 100 %$"),
        },
        (r"[Ee]very layer[^.;]*O\(1\)", r"100 % (more|extra|additional) (compute|FLOPs)"),
        (("recompute_overhead_full", {"r": 1}, 1 / 3),),
    ),
    Claim(
        9,
        "001 card 18",
        {"defend-amdahl-claim": (STEM, "50-fold"), "efficiency-at-two-percent": (DISTRACTOR, "^256$")},
        (r"256 GPUs[^.]*\b(50|fifty)([- ]fold|x| times)",),
        (("amdahl", {"s": 0.02, "N": 256}, 1 / (0.02 + 0.98 / 256)), ("amdahl_limit", {"s": 0.02}, 50)),
    ),
    Claim(
        10,
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
        11,
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
        12,
        "001 card 51, overlap",
        {
            "tp-exposed": (DISTRACTOR, "^Yes, it is hidden - the block's"),
            "defend-tp-milliseconds": (REJECT, "it is hidden"),
        },
        (r"[Tt]ensor[- ]parallel[^.;]*(is|are) hidden behind",),
    ),
    Claim(
        13,
        "001 card 55",
        {"bubble-rule-check": (DISTRACTOR, "^3 %$"), "sixteen-stage-bubble": (DISTRACTOR, "^6 %$")},
        (r"bubble (is|of) (about |roughly |nearly )?1/M",),
        (("bubble_fraction", {"P": 4, "M": 32}, 3 / 35),),
    ),
    Claim(
        14,
        "001 card 59",
        {"stage-optimizer-bytes": (DISTRACTOR, r"^16 N/P bytes$")},
        (r"[Oo]ptimizer( states)?[^.;]*16 ?N/P",),
    ),
    Claim(
        15,
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
        16,
        "001 card 71",
        {"share-of-grid": (DISTRACTOR, "^An eighth of the layers, for a quarter of the model$")},
        (r"eighth of the layers,? for a quarter of the model",),
    ),
    Claim(
        17,
        "002 solution 4",
        {"wasted-copies": (DISTRACTOR, r"^0\.76 TB$")},
        (r"7B[^.;]*\b12 GB", r"\b12 GB (per|a|each) (copy|replica)"),
        (("redundant_bytes", {"N": 7e9, "K": 64}, 63 * 112e9), ("model_state_bytes", {"N": 7e9, "b": 16}, 112e9)),
    ),
    Claim(
        18,
        "003 introduction",
        {"ddp-seven-b-defend": (STEM, "DDP fits a 7B model on one node")},
        (r"DDP (fits|holds|trains) a 7B",),
        (("model_state_bytes", {"N": 7e9, "b": 16}, 112e9),),
    ),
    Claim(
        19,
        "003 introduction, DDP, question 3",
        {"ddp-largest-model": (DISTRACTOR, "^(7|10) billion$")},
        (r"DDP[^.;]*(below|under|up to) (7|10) ?(B\b|billion)",),
        (("zero_max_params", {"M": 80e9, "K": 8, "stage": 0}, 5e9),),
    ),
    Claim(
        20,
        "003 memory",
        {"sixteen-bytes-explained": (REJECT, "all 16")},
        (r"(?<!of the )16 bytes[^.;]*(of|are) optimizer states?( alone)?\b(?! are 12)",),
        (("bytes_per_param", {"weight": 2, "grad": 2, "master": 4, "moments": 8}, 16),),
    ),
)
