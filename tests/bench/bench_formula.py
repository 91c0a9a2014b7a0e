"""What a numeric variant costs: `python tests/bench/bench_formula.py [VARIANTS]`.

Draws, derives and scores VARIANTS (10,000) variants of six items whose formulas are written below
once more as plain Python functions, and tells the cost of a variant as a ratio to evaluating those
closed forms (key and misconceptions, as the proof and the diagnosis of a response need them). Then
the start-up of `quizgen solve` as a ratio to `python -c pass`. Processor time, so that a busy
machine matters less. Nothing here fails on time.
"""

from __future__ import annotations

import gc
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from quizgen import bank as banks
from quizgen.draw import SeededRng
from quizgen.formula.quantity import value_in_unit

VARIANTS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
ROUNDS, PART = 5, 500

ITEMS = """
items:
  - {id: zero, kind: numeric, stem: "{N} on {K}: memory?", formula: zero_bytes, with: {stage: 2},
     draw: {N: [7e9, 13e9, 70e9], K: [8, 16, 32, 64]}, answer: {unit: GB}}
  - {id: ring, kind: numeric, stem: "{N} ranks, {D}: bytes?", formula: ring_allreduce_bytes,
     draw: {N: [4, 8, 16], D: [1 GB, 2 GB, 14 GB]}, answer: {unit: GB}}
  - {id: bubble, kind: numeric, stem: "{P} stages, {M} micro-batches: bubble?", formula: bubble_fraction,
     draw: {P: [4, 8, 16], M: [8, 16, 32]}, answer: {unit: "%"}}
  - {id: cache, kind: numeric, stem: "{s} tokens, {b} sequences: cache?", formula: kv_cache_bytes,
     with: {L: 80, n_kv: 8, d_head: 128, nbytes: 2}, draw: {s: [4096, 8192], b: [1, 8, 32]}, answer: {unit: GB}}
  - {id: young, kind: numeric, stem: "{delta} to write, MTBF {M}: interval?", formula: young_interval,
     draw: {delta: [30, 60, 120], M: [3600, 10800]}, answer: {unit: s}}
  - {id: train, kind: numeric, stem: "{N}, {D} on {n}: time?", formula: train_time,
     with: {peak: 989e12, mfu_value: 0.4}, draw: {N: [7e9, 70e9], D: [1e12, 2e12], n: [256, 1024]}, answer: {unit: day}}
"""


def zero(N: float, K: float, stage: int) -> tuple[float, ...]:
    unsharded = {0: 16, 1: 4, 2: 2, 3: 0}
    key = N * (unsharded[stage] + (16 - unsharded[stage]) / K if stage else 16)
    replicated = N * {0: 16, 1: 8 + 8 / K, 2: 6 + 10 / K, 3: 16 / K}[stage]
    return key, replicated, 16 * N / K, N * {0: 4 + 12 / K, 1: 2 + 14 / K, 2: 16 / K, 3: 16 / K}[stage], 16 * N


def ring(N: float, D: float) -> tuple[float, ...]:
    return 2 * (N - 1) / N * D, (N - 1) / N * D, 2 * D, N * D, 4 * (N - 1) / N * D


def bubble(P: float, M: float) -> tuple[float, ...]:
    return (P - 1) / (M + P - 1), (P - 1) / M, P / (M + P), 1 / M, P / M


def cache(L: float, n_kv: float, d_head: float, s: float, b: float, nbytes: float) -> tuple[float, ...]:
    one = L * n_kv * d_head * s * b * nbytes
    return 2 * one, one, 16 * one, 2 * n_kv * d_head * s * b * nbytes


def young(delta: float, M: float) -> tuple[float, ...]:
    return math.sqrt(2 * delta * M), math.sqrt(delta * M), delta * M, M / 2


def train(N: float, D: float, n: float, peak: float, mfu_value: float) -> tuple[float, ...]:
    return (
        6 * N * D / (n * peak * mfu_value),
        6 * N * D / (n * peak),
        2 * N * D / (n * peak * mfu_value),
        6 * N * D / (peak * mfu_value),
    )


PLAIN: dict[str, Callable[..., tuple[float, ...]]] = {
    "zero": zero, "ring": ring, "bubble": bubble, "cache": cache, "young": young, "train": train,
}  # fmt: skip


def timed(work: Callable[[], object]) -> float:
    """Seconds of the processor, garbage collection held off."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    work()
    seconds = time.process_time() - start
    gc.enable()
    return seconds


def table(folder: Path) -> Iterator[tuple[str, float]]:
    """Each job with its seconds for all variants."""
    (folder / "items.yaml").write_text(ITEMS, encoding="utf-8")
    loaded = banks.load_bank(str(folder))
    assert loaded.bank is not None, loaded.problems
    items = list(loaded.bank.items.values())
    jobs = [(items[n % len(items)], SeededRng(items[n % len(items)].id, str(n))) for n in range(VARIANTS)]
    variants: list[Any] = [item.draw(stream) for item, stream in jobs]
    responses = [variant.key_text() for variant in variants]
    given = [_given(variant, variant.evaluation()) for variant in variants]
    names = (
        "closed forms as plain Python",
        "draw",
        "derive (every step, key, misconceptions)",
        "score a right response",
    )
    # In small parts, the best of some rounds each: what disturbs one job of a part disturbs the others alike.
    totals = [0.0] * len(names)
    for start in range(0, VARIANTS, PART):
        part = slice(start, start + PART)
        rounds = [_round(jobs[part], responses[part], given[part]) for _ in range(ROUNDS)]
        totals = [total + min(one[n] for one in rounds) for n, total in enumerate(totals)]
    yield from zip(names, totals, strict=True)


def _round(jobs: list[Any], responses: list[str], given: list[Any]) -> tuple[float, float, float, float]:
    """Seconds of each job on variants that nothing has touched before."""
    variants: list[Any] = []

    def closed_forms() -> None:
        for function, values in given:
            function(*values)

    def draw() -> None:
        variants.extend(item.draw(stream) for item, stream in jobs)

    def derive() -> None:
        for variant in variants:
            evaluation = variant.evaluation()
            for _ in evaluation.formula.mistaken_answers(evaluation):
                pass

    def score() -> None:
        for variant, response in zip(variants, responses, strict=True):
            assert variant.score(response).outcome.value == "correct"

    return timed(closed_forms), timed(draw), timed(derive), timed(score)


def _given(variant: Any, evaluation: Any) -> tuple[Callable[..., tuple[float, ...]], list[float]]:
    """The plain function of an item and its arguments in declared units."""
    formula = evaluation.formula
    values = zip(formula.inputs.values(), evaluation.values_by_slot, strict=False)
    return PLAIN[variant.item.id], [float(value_in_unit(value, entry.unit)) for entry, value in values]


def start_up() -> tuple[float, ...]:
    """Seconds of the processor for `python -c pass`, `quizgen --help` and `quizgen solve`, in turns, the best of each.

    The modules' bytecode is cached, as pip leaves it.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quizgen = [sys.executable, "-m", "quizgen"]
    commands = (
        [sys.executable, "-c", "pass"],
        [*quizgen, "--help"],
        [*quizgen, "solve", "zero_bytes", "N=13e9", "K=32", "stage=2"],
    )
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(24):
        for command, runs in zip(commands, times, strict=True):
            start = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
            end = resource.getrusage(resource.RUSAGE_CHILDREN)
            runs.append(end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)
    return tuple(min(runs) for runs in times)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        rows = list(table(Path(folder)))
    plain = rows[0][1]
    print(f"{VARIANTS:,} variants of {len(PLAIN)} items   microseconds   ratio")
    for name, seconds in rows:
        print(f"  {name:<42} {seconds / VARIANTS * 1e6:>8.2f} {seconds / plain:>7.1f}")
    total = sum(seconds for _, seconds in rows[1:])
    print(f"  {'draw, derive and score':<42} {total / VARIANTS * 1e6:>8.2f} {total / plain:>7.1f}  (at most 60)")
    nothing, manual, solve = start_up()
    print(f"start-up of quizgen --help: {manual / nothing:.1f} times python -c pass (at most 5)")
    print(f"start-up of quizgen solve:  {solve / nothing:.1f} times python -c pass (at most 8)")
