"""What grading a text costs: `python tests/bench/bench_rubric.py [ANSWERS]`.

Grades ANSWERS (5,000) different answers of about 20 words by rubrics of three criteria and tells
answers per second and the ratio to one `rapidfuzz.fuzz.token_set_ratio` call per answer in the same
run; then the cost against the length of the answer and the number of phrases, and the worst of a set
of hostile answers of 64 KiB. Exit code 1 where the ratio is over 25, fewer than 10,000 answers a second
are graded on a quiet core, the cost grows faster than 1.6 times linearly, or a hostile answer takes
more than 100 ms.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rapidfuzz.fuzz import token_set_ratio
from rubric.hostile import HOSTILE
from rubric.rubrics import rubric_of

from quizgen.rubric import Rubric, grade

ANSWERS = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
ROUNDS = 5
MODEL = (
    "Each layer ends in an all-reduce that the next layer waits for, and NVLink has several times the bandwidth of "
    "the network between nodes."
)
RUBRIC = f"""
stem: Why is tensor parallelism kept inside one NVLink domain?
rubric:
  criteria:
    - id: every-layer
      points: 2
      accept: ["all-reduce|communicat*|synchroni* {{every layer|each layer|per layer}}", "{{critical path}}"]
      reject: ["{{once per step|only at stage boundaries}}"]
    - id: bandwidth
      accept: ["nvlink faster|bandwidth|{{900 gb/s}}", "infiniband|network|ethernet slow*|bottleneck|stall*"]
    - id: latency
      accept: ["latency hidden|overlap*", "small messages latency|wait*"]
model_answer: {MODEL}
"""
PARTS = [
    "Each layer ends in an all-reduce", "the matrices are split across the GPUs", "NVLink has ten times the bandwidth",
    "the network between nodes is slower", "partial results have to be added up", "communication happens in every layer",
    "the next layer has to wait for it", "it does not scale over ethernet", "small messages wait on latency",
    "the GPUs of one node share a fast link", "otherwise the compute units would stall", "I think the links are not fast enough",
    "gradients are exchanged only once per step", "data moves over the wire", "this is why people keep it in one server",
]  # fmt: skip
WORDS = ["time", "model", "split", "card", "wire", "share", "fast", "value", "order", "state", "point", "place", "group", "level", "chain"]


def answers(count: int, seed: int = 3) -> list[str]:
    """Answers of three clauses, about 20 words, none of them twice in a row."""
    draw = Random(seed)
    joins = [", and ", "; ", ". ", " because ", ", so "]
    made = []
    for _ in range(count):
        text = draw.choice(joins).join(draw.sample(PARTS, 3))
        made.append(f"{text} {draw.choice(WORDS)}.")
    return made


def best(run: Callable[[], object]) -> float:
    """Seconds of the quickest of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def wide(phrases: int) -> Rubric:
    """A rubric of `phrases` phrases, three for each criterion, over the same words."""
    draw = Random(5)
    words = sorted({w.strip(".,") for part in PARTS for w in part.split()} | set(WORDS))
    lines = ["rubric:", "  criteria:"]
    for place in range(0, phrases, 3):
        accept = ", ".join(f'"{" ".join(draw.sample(words, 2))}"' for _ in range(min(3, phrases - place)))
        lines.append(f"    - {{id: c{place}, accept: [{accept}]}}")
    return rubric_of("\n".join(lines) + "\n")


def main() -> int:
    rubric = rubric_of(RUBRIC)
    texts = answers(ANSWERS)
    words = sum(len(t.split()) for t in texts) / len(texts)
    grades = best(lambda: [grade(rubric, t) for t in texts]) / len(texts)
    fuzzy = best(lambda: [token_set_ratio(t, MODEL) for t in texts]) / len(texts)
    ratio = grades / fuzzy
    print(f"answers of {words:.0f} words: {grades * 1e6:.1f} us each, {1 / grades:,.0f}/s")
    print(f"token_set_ratio: {fuzzy * 1e6:.2f} us; ratio {ratio:.1f} (at most 25)")
    failed = ratio > 25 or 1 / grades < 10_000

    print("length of the answer:")
    costs = []
    for size in (20, 200, 2_000, 10_000):
        text = " ".join(texts[: max(1, size // 18)])[: 64 << 10]
        cost = best(lambda text=text: grade(rubric, text))
        costs.append(cost / len(text))
        print(f"  {len(text.split()):6} words: {cost * 1e3:8.3f} ms, {cost / len(text) * 1e9:6.0f} ns a character")
    failed = failed or costs[-1] > 1.6 * costs[1]

    print("size of the rubric:")
    for phrases in (3, 10, 30, 100):
        other = wide(phrases)
        cost = best(lambda other=other: [grade(other, t) for t in texts[:500]]) / 500
        print(f"  {phrases:4} phrases: {cost * 1e6:7.1f} us an answer")

    slowest = max((best(lambda text=text: grade(rubric, text)), place) for place, text in enumerate(HOSTILE))
    print(f"worst hostile answer: {slowest[0] * 1e3:.1f} ms (number {slowest[1]}: {HOSTILE[slowest[1]][:20]!r}…)")
    return 1 if failed or slowest[0] > 0.1 else 0


if __name__ == "__main__":
    raise SystemExit(main())
