"""The formulas of the bank through `quizgen solve --stdin`: worked vectors, published figures, the author's own tests.

The vectors beside the checkout are read where they are present; the figures below ship with it.

And each formula and each of its misconceptions against plain Python, drawing by drawing: both sides compute with exact
rationals, so they must agree exactly wherever no root, logarithm or exponential is taken, and to 1e-11 where one is.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from every import every
from oracles.catalogue import agree, answer_of, catalogue, mistakes_of
from oracles.closed_forms import FORMS, MISTAKES
from oracles.closed_forms.table import exact

from quizgen.formula import FormulaError
from quizgen.formula.author import failed_test_problems
from quizgen.formula.definition import Formula, Input
from quizgen.formula.mistakes import AnswerTarget, diagnose_reading, make_answer_target
from quizgen.formula.quantity import Reading, Tolerance, is_within_share, value_in_unit
from quizgen.formula.solve import json_result_lines
from quizgen.kinds.numeric.fields import answer_format_of_formula
from quizgen.numbers.read import read_response

TOLERANCE = Fraction(1, 100)

WHOLE = [0, 1, 2, 3, 4, 6, 7, 8, 12, 16, 32, 64, 100, 128, 256, 1024, 4096, 12288]
PARTS = [0.01, 0.02, 0.05, 0.1, 0.125, 0.25, 1 / 3, 0.4, 0.5, 0.6666666666666666, 0.8, 0.99]
SECONDS = [0, 0.001, 0.5, 1, 2, 60, 300, 1800, 3600, 86400, 1e6]
BY_UNIT: dict[str, list[Any]] = {
    "s": SECONDS, "B": [0, 1, 1000, 3e6, 2**20, 2**20 + 1, 26 * 2**20, 437.5e6, 14e9, 80e9, 1e12],
    "param": [0, 1, 1e8, 1.3e9, 7e9, 7.5e9, 13e9, 70e9, 405e9, 1e12], "token": [0, 1, 1000, 4096, 4e6, 3e11, 15.6e12],
    "B/param": [0, 1, 2, 4, 6, 7.5, 8, 12, 16], "B/s": [1e9, 12.5e9, 25e9, 50e9, 300e9, 450e9, 3.35e12, 8e12],
    "FLOP/s": [125e12, 312e12, 989e12], "FLOP/s/GPU": [125e12, 312e12, 989e12, 2.25e15],
}  # fmt: skip
# Where inputs must fit each other, a bound must be met exactly, or a power is out of reach.
OWN: dict[str, dict[str, list[Any]]] = {
    "expected_runtime": {"M": [1e4, 11124.0, 1e6], "tau": [60, 600, 1800], "delta": [10, 60, 300], "R": [0, 60, 300]},
    "goodput": {"M": [1e4, 11124.0, 1e6], "tau": [60, 600, 1156.0, 1800], "delta": [10, 60, 300], "R": [0, 60, 300]},
    "mean_loss_exact": {"L": [1, 60, 1860.0, 86400], "M": [100, 11124.0, 1e4, 86400]},
    "fp_max": {"e": [2, 4, 5, 8], "m": [1, 2, 3, 7, 10, 23]},
    "dp_degree": {"world": [8, 100, 512, 16384], "tp": [1, 2, 4], "pp": [1, 2, 4], "cp": [1, 2]},
    "zero_min_gpus": {"N": [1, 7e9, 13e9, 70e9], "M": [26e9, 28e9, 52e9, 80e9]},
    "allocator_segment": {"size": [1, 2**20, 2**20 + 1, 10 * 2**20 - 1, 10 * 2**20, 13 * 2**20, 80e6]},
    "speculative_tokens": {"k": [0, 1, 3, 7]},
    "speculation_speedup": {"k": [0, 1, 3, 7]},
    "rack_available": {"n": [2, 18, 20], "spares": [0, 1, 2]},
    "ecmp_collision": {"flows": [1, 2, 4, 8]},
    "distinct_remote_prob": {"k": [1, 2, 8]},
    "rl_rollout_gpus": {"gen": [100, 1000, 3000], "train": [500, 1000, 8000]},
    "params_llama": {"h": [4096, 5120, 8192], "a": [32, 64, 128]},
    "inflight_1f1b": {"P": [8, 16, 64], "i": [0, 1, 3, 7]},
}


def values(entry: Input) -> list[Any]:
    """What an input may be drawn as: its words, or common values of its unit and the edges of its range, all within it."""
    if entry.value_kind.type in ("word", "truth"):
        return list(entry.value_kind.enum_words) or [True, False]
    pool = BY_UNIT.get(str(entry.unit), WHOLE if entry.is_whole else WHOLE + PARTS)
    if entry.value_kind.type == "list":
        return [pool[1:2], pool[1:4], pool[2:6]]
    found = []
    edges = (
        float(value_in_unit(edge, entry.unit))
        for edge in (entry.min_base_value, entry.max_base_value)
        if edge is not None
    )
    for value in (*pool, *edges):
        try:
            entry.read_raw_value(value)
        except FormulaError:
            continue
        found.append(value)
    return found


def drawings(formula: Formula, count: int, seed: str = "drawings") -> Iterator[dict[str, Any]]:
    """`count` drawings of a formula's inputs that it answers, the same ones every time."""
    stream = random.Random(f"{seed} {formula.name}")
    pools = {name: values(entry) for name, entry in formula.inputs.items()} | OWN.get(formula.name, {})
    tried = answered = 0
    while answered < count:
        given = {name: stream.choice(pool) for name, pool in pools.items()}
        tried += 1
        assert tried < 8 * count, f"{formula.name} refuses most of what its inputs allow"
        try:
            formula.evaluate_raw(given)
        except FormulaError:  # inputs that do not fit each other
            continue
        answered += 1
        yield given


# formula, inputs, answer in the formula's unit, relative slack, where the figure was published
PUBLISHED: list[tuple[str, dict[str, Any], Any, float, str]] = [
    ("link_rate", {"rate_gbps": 400}, 50e9, 0, "NDR InfiniBand"),
    ("fp_max", {"e": 5, "m": 10, "style": "ieee"}, 65504, 0, "fp16"),
    ("fp_max", {"e": 8, "m": 7, "style": "ieee"}, 3.3895313892515355e38, 1e-12, "bf16"),
    ("fp_max", {"e": 8, "m": 23, "style": "ieee"}, 3.4028234663852886e38, 1e-12, "fp32"),
    ("fp_min_normal", {"e": 8, "m": 23}, 1.1754943508222875e-38, 1e-12, "fp32"),
    ("fp_min_subnormal", {"e": 8, "m": 23}, 1.401298464324817e-45, 1e-12, "fp32"),
    ("params_gpt", {"l": 96, "h": 12288, "V": 51200, "s": 2048}, 174.6e9, 1e-3, "Narayanan et al. 2021, GPT-3"),
    *(  # Narayanan et al. 2021, table 1, whose sizes are rounded to a tenth of a billion
        ("params_gpt", {"l": layers, "h": h, "V": 51200, "s": 2048}, billions * 1e9, 0.05 / billions, f"{billions} billion")
        for layers, h, billions in [
            (24, 2304, 1.7), (30, 3072, 3.6), (36, 4096, 7.5), (40, 6144, 18.4), (48, 8192, 39.1), (60, 10240, 76.1),
            (80, 12288, 145.6), (96, 16384, 310.1), (105, 20480, 529.6), (128, 25600, 1008.0),
        ]
    ),
    *(
        ("params_llama", {"L": L, "h": h, "f": f, "V": V, "a": a, "kv": kv, "tied": False}, size, 0, name)
        for L, h, f, V, a, kv, size, name in [
            (32, 4096, 11008, 32000, 32, 32, 6738415616, "Llama-2 7B"), (32, 4096, 14336, 128256, 32, 8, 8030261248, "Llama-3 8B"),
            (80, 8192, 28672, 128256, 64, 8, 70553706496, "70B"), (126, 16384, 53248, 128256, 128, 8, 405853388800, "405B"),
        ]
    ),
    ("params_moe_total", {"L": 32, "h": 4096, "f": 14336, "V": 32000, "a": 32, "kv": 8, "E": 8}, 46702792704, 0, "Mixtral"),
    ("params_moe_active", {"L": 32, "h": 4096, "f": 14336, "V": 32000, "a": 32, "kv": 8, "E": 8, "k": 2}, 12879925248, 0, "Mixtral"),
    ("zero_bytes", {"N": 7.5e9, "K": 64, "stage": 0}, 120e9, 0, "ZeRO figure 1"),
    ("zero_bytes", {"N": 7.5e9, "K": 64, "stage": 1}, 31.4e9, 1e-3, "ZeRO figure 1"),
    ("zero_bytes", {"N": 7.5e9, "K": 64, "stage": 2}, 16.6e9, 3e-3, "ZeRO figure 1"),
    ("zero_bytes", {"N": 128e9, "K": 1024, "stage": 1}, 513e9, 2e-3, "ZeRO table 1"),
    ("zero_bytes", {"N": 1e12, "K": 1024, "stage": 3}, 15.6e9, 2e-3, "ZeRO table 1"),
    ("zero_max_params", {"M": 32e9, "K": 64, "stage": 1}, 7.6e9, 1e-2, "ZeRO table 2"),
    ("zero_max_params", {"M": 32e9, "K": 64, "stage": 2}, 14.4e9, 1e-2, "ZeRO table 2"),
    ("kv_cache_bytes", {"L": 40, "n_kv": 40, "d_head": 128, "s": 1, "b": 1, "nbytes": 2}, 819200, 0, "OPT-13B"),
    ("mla_cache_bytes", {"L": 61, "kv_lora": 512, "rope": 64, "s": 1, "b": 1, "nbytes": 2}, 70272, 0, "DeepSeek-V3"),
    ("flops_6nd", {"N": 405e9, "D": 15.6e12}, 3.8e25, 3e-3, "Llama 3"),
    ("mfu", {"N": 540e9, "tokens_per_s": 238300, "n": 6144, "peak": 275e12}, 0.457, 1e-3, "PaLM without attention"),
    ("hfu_full", {"mfu_value": 0.421}, 0.561, 1e-3, "Korthikanti et al. 2022"),
    ("train_time_megatron", {"P": 175e9, "T": 300e9, "n": 1024, "X": 140e12}, 34 * 86400, 5e-3, "GPT-3, 34 days"),
    ("train_time_megatron", {"P": 1e12, "T": 450e9, "n": 3072, "X": 163e12}, 84 * 86400, 2e-2, "1T model, 84 days"),
    ("train_cost", {"hours": 1361.328125, "n": 2048, "price": 2.0}, 5.576e6, 0, "DeepSeek-V3"),
    ("ddp_buckets", {"grad_bytes": 28e9}, 1070, 0, "fp32 gradients of 7B parameters"),
    ("padded_vocab", {"V": 50257, "t": 1, "m": 128}, 50304, 0, "Megatron-LM"),
    ("ridge_point", {"peak": 312e12, "bw": 2.039e12}, 153, 1e-3, "A100"),
    ("lr_linear", {"lr": 0.1, "b0": 256, "b1": 8192}, 3.2, 0, "Goyal et al. 2017"),
    ("checkpoint_bytes", {"N": 176e9, "b": 14}, 2.46e12, 2e-3, "BLOOM, 2.5 TB"),
    ("expected_failures", {"t": 54 * 86400, "mtbf": 11135}, 419, 1e-4, "Llama 3"),
    ("chinchilla_tokens", {"N": 70e9}, 1.4e12, 0, "Chinchilla"),
]  # fmt: skip


def solved(name: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """One line of `solve --stdin`, written and read as JSON."""
    line = json.dumps({"formula": name, "inputs": inputs})
    read_back: dict[str, Any] = json.loads(next(json_result_lines([line], catalogue())))
    assert "error" not in read_back, (name, inputs, read_back)
    return read_back


def close(value: Any, expected: Any, slack: float) -> bool:
    if isinstance(expected, bool | str | list) or isinstance(value, bool | str | list):
        return bool(value == expected)
    return value == expected or abs(value - expected) <= slack * abs(expected)


@every(PUBLISHED)
def test_published_figures(name: str, inputs: dict[str, Any], expected: Any, slack: float, where: str) -> None:
    found = solved(name, inputs)
    assert close(found["value"], expected, slack), (where, found["value"])
    assert found["steps"]
    assert found["steps"][-1]["value"] == found["value"]


def test_shared_vectors(shared: Path) -> None:
    vectors = json.loads((shared / "formulas" / "vectors.json").read_text(encoding="utf-8"))
    assert len(vectors) == 150
    for vector in vectors:
        found, expected = solved(vector["formula"], vector["inputs"])["value"], vector["expected"]
        if expected == -1:
            assert found == "impossible"
        elif isinstance(expected, int | list):
            assert found == expected, vector["formula"]
        else:
            assert close(found, expected, 1e-9), vector["formula"]


def answered(name: str, inputs: dict[str, Any]) -> tuple[AnswerTarget, Any]:
    formula = catalogue()[name]
    return make_answer_target(
        formula.evaluate_raw(inputs), formula.unit, Tolerance(TOLERANCE)
    ), answer_format_of_formula(formula, formula.unit)


def diagnosis(text: str, wanted: AnswerTarget, against: Any) -> str | None:
    reading = read_response(text, against)
    assert isinstance(reading, Reading), (text, reading)
    return diagnose_reading(reading, wanted).mistake_id


@every(lambda: sorted(catalogue()))
def test_misconceptions_are_recognised(name: str) -> None:
    """Given as a response, each is named, unless it is the key or another one within tolerance."""
    formula = catalogue()[name]
    for given in drawings(formula, 5, "responses"):
        wanted, against = answered(name, given)
        if isinstance(wanted.base_key, str | bool | tuple):
            continue
        for known in wanted.mistaken_answers:
            others = (k.base_value for k in wanted.mistaken_answers if k.id != known.id)
            rivals = [wanted.base_key, *(value for value in others if not isinstance(value, str))]
            value = known.base_value
            if isinstance(value, str) or any(is_within_share(value, rival, 3 * TOLERANCE) for rival in rivals):
                continue
            response = repr(float(Fraction(value) / formula.unit.factor))
            assert diagnosis(response, wanted, against) == known.id, (given, response)


@every(lambda: sorted(catalogue()))
def test_tests_of_the_author_hold(name: str) -> None:
    formula = catalogue()[name]
    assert formula.tests, "give the formula a test"
    assert [str(problem) for problem in failed_test_problems(formula)] == []


@every(lambda: sorted(catalogue()))
def test_every_formula_is_told_in_full(name: str) -> None:
    formula = catalogue()[name]
    assert formula.title
    assert formula.citation
    assert formula.convention
    assert formula.sanity_check_text
    assert all(entry.description for entry in formula.inputs.values())
    assert 1 <= len(formula.steps) <= 4
    assert all(m.message.endswith(".") for m in formula.misconceptions)


def test_constants_are_dated_and_sourced() -> None:
    found = catalogue().constant_by_name
    assert len(found) >= 30
    assert all(one.description and one.citation and one.source_date_text for one in found.values())
    peak, bandwidth = found["h100_peak"].quantity.base_value, found["h100_bandwidth"].quantity.base_value
    assert round(Fraction(peak) * 8 / Fraction(bandwidth)) == 295  # FLOP/B, bandwidth in bit/s
    assert found["infiniband_ndr"].quantity.base_value * 9 == found["nvlink4_one_way"].quantity.base_value


DRAWINGS = 25


def test_every_formula_has_a_closed_form() -> None:
    assert sorted(FORMS) == sorted(catalogue())
    ids = {name: sorted(m.id for m in formula.misconceptions) for name, formula in catalogue().items()}
    assert {name: sorted(wrong) for name, wrong in MISTAKES.items()} == ids


@every(sorted(FORMS))
def test_values_and_misconceptions(name: str) -> None:
    formula = catalogue()[name]
    for given in drawings(formula, DRAWINGS):
        numbers = {one: exact(value) for one, value in given.items()}
        evaluation = formula.evaluate_raw(given)
        assert agree(answer_of(evaluation), FORMS[name](**numbers)), given
        found = mistakes_of(evaluation)
        for code, wrong in MISTAKES[name].items():
            try:
                expected = wrong(**numbers)
            except ZeroDivisionError:
                assert code not in found, (code, given)
            else:
                assert agree(found[code], expected), (code, given)
