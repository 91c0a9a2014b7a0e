"""Generated banks and logs for the benchmark and the tests of scale: same seed, same bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

TOPICS = ("memory", "collectives", "pipelines", "schedules", "numerics")

FORMULAS = """
formulas:
  shard:
    title: Bytes of a shard
    source: worked by hand
    inputs: {n: {is: size, unit: param}, k: {is: ranks, min: 1}, w: {is: of a weight, unit: B/param, default: 2}}
    steps: {whole: w * n, shard: whole / k}
    unit: B
    misconceptions: [{id: not-divided, value: w * n, say: "That is the whole model, not one shard."}]
"""


def bank(folder: Path) -> Path:
    """A bank of 40 generated items: half choice, a quarter numeric, a quarter text."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "formulas.yaml").write_text(FORMULAS)
    items = []
    for n in range(20):
        wrong = ", ".join(f"A wrong option {d} of {n}" for d in range(3))
        items.append(
            f"  - id: choice-{n}\n    kind: choice\n    topic: {TOPICS[n % 5]}\n    stem: Which is right for {n}?\n"
            f"    key: The right option of {n}\n    distractors: [{wrong}]\n"
        )
    for n in range(10):
        items.append(
            f"  - id: numeric-{n}\n    kind: numeric\n    topic: {TOPICS[n % 5]}\n"
            "    stem: How large is a shard of {n} on {k} ranks?\n"
            f"    draw:\n      n: [{n + 1}e9 param, {n + 3}e9 param, {n + 7}e9 param]\n      k: [8, 16, 32, 64]\n"
            "    formula: shard\n    answer: {unit: GB, tolerance: 1%}\n"
        )
    for n in range(10):
        items.append(
            f"  - id: text-{n}\n    kind: text\n    topic: {TOPICS[n % 5]}\n    stem: Why does case {n} need it?\n"
            "    rubric:\n      criteria:\n"
            "        - {id: overlap, points: 2, say: It overlaps., accept: ['overlap*|hide* communicat*|transfer*']}\n"
            "        - {id: memory, points: 1, say: It saves memory., accept: ['save*|reduce* memory', 'less memory']}\n"
            "        - {id: order, points: 1, say: Order is kept., accept: ['order|sequence kept|stable|fixed']}\n"
        )
    (folder / "items.yaml").write_text("items:\n" + "".join(items))
    return folder


SUBJECTS = (
    "the scheme", "this schedule", "sharding", "the ring", "each rank", "the bucket", "a stage", "the optimizer",
)  # fmt: skip
CLAIMS = (
    "overlaps communication with compute", "hides the transfer behind the backward pass", "saves memory on every rank",
    "does not save memory", "keeps the order of updates fixed", "needs less memory than before", "is simply faster",
    "waits for the slowest rank", "uses a larger bucket", "has no effect on throughput",
)  # fmt: skip


def answers(seed: int) -> list[str]:
    """Texts that candidates give: few that many write, and a long tail."""
    rng = random.Random(seed)
    made = []
    for _ in range(200):
        claims = [f"{rng.choice(SUBJECTS)} {claim}" for claim in rng.sample(CLAIMS, rng.randint(1, 3))]
        made.append(" and ".join(claims) + rng.choice(["", ".", " mostly"]))
    return made


def lines(candidates: int) -> Iterator[str]:
    """Session logs of all items. Of numeric and text responses one in fifty is one that hardly anybody else gave."""
    rng = random.Random(1)
    pools = [answers(n) for n in range(10)]
    for c in range(candidates):
        session, who = f"s{c:07d}", f"candidate-{c:07d}"
        counts = (("choice", 20), ("numeric", 10), ("text", 10))
        chosen = [f"{kind}-{n}" for kind, count in counts for n in range(count)]
        rng.shuffle(chosen)
        head = {"v": 1, "type": "session", "session": session, "candidate": who, "bank": "bank", "seed": session}
        yield json.dumps(head | {"items": chosen, "started": "2026-11-21T10:00:00Z", "minutes": 45})
        for index, item in enumerate(chosen):
            kind, number = item.split("-")
            line = {"v": 1, "type": "response", "session": session, "candidate": who, "item": item, "seed": session}
            if kind == "choice":
                wrong = f"A wrong option {rng.randrange(3)} of {number}"
                response = f"The right option of {number}" if rng.random() < 0.6 else wrong
                if rng.random() < 0.3:
                    response = rng.choice("ABCD")
            elif kind == "numeric":
                n, k = int(number) + rng.choice((1, 3, 7)), rng.choice((8, 16, 32, 64))
                line["given"] = {"n": f"{n}e9 param", "k": str(k)}
                wrong = (2 * n, 16 * n / k, n / k, 2 * k, n * k, 4 * n / k)
                value = 2 * n / k if rng.random() < 0.6 else rng.choice(wrong)
                if rng.random() < 0.02:
                    value = rng.randint(1, 4000) / 10
                response = rng.choice(("{:.3g} GB", "{:.4g} GB", "{:.3g}", "about {:.3g} GB")).format(value)
            else:
                response = rng.choice(pools[int(number)][: int(200 * rng.random()) + 1])
                if rng.random() < 0.02:
                    response += f" see note {rng.randrange(10**6)}"
            line |= {
                "response": response,
                "seconds": round(rng.lognormvariate(3.8, 0.6), 1),
                "at": f"2026-11-21T{10 + index // 60:02d}:{index % 60:02d}:{rng.randrange(60):02d}Z",
                "late": False,
                "confidence": rng.randint(1, 5),
                "hints": 0,
                "flagged": rng.random() < 0.1,
            }
            yield json.dumps(line)
        end = {"v": 1, "type": "end", "session": session, "at": "2026-11-21T11:00:00Z", "reason": "finished"}
        yield json.dumps(end)


def write_log(path: Path, candidates: int) -> None:
    """A log on disk."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines(candidates))
