"""A log as candidates write it: the shipped bank, no text given twice, wrong numbers of their own.

Same arguments, same bytes. Four in ten responses are choices, three numbers, three texts; a number is the
key, near it or off by a factor of the candidate's own; a text is sentences of model answers, cut and joined,
with words that nobody else has.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import shipped

from quizgen.draw import SeededRng
from quizgen.model import Item, Variant


def write_log(path: Path, candidates: int) -> int:
    """Write a log of so many candidates, each on twenty items; the number of lines."""
    rng = random.Random(1)
    by_kind: dict[str, list[Item]] = {}
    for item in shipped.bank().items.values():
        by_kind.setdefault(item.kind, []).append(item)
    parts = [s.strip() for t in by_kind["text"] for s in str(getattr(t, "model_answer", "")).split(".") if s.strip()]
    counts = {"choice": 8, "numeric": 6, "text": 6}
    with open(path, "w", encoding="utf-8") as file:
        for who in range(candidates):
            chosen = [item for kind, n in counts.items() for item in rng.sample(by_kind[kind], n)]
            for place, item in enumerate(chosen):
                variant = item.draw(SeededRng(item.id, str(who)))
                line = {
                    "v": 1, "type": "response", "session": f"s{who}", "candidate": f"c{who}", "item": item.id,
                    "seed": str(who), "response": _response(item, variant, rng, parts, f"{who}x{place}"),
                    "seconds": round(rng.lognormvariate(4, 0.6), 1), "at": "2026-11-21T10:00:00Z",
                }  # fmt: skip
                file.write(json.dumps(line) + "\n")
    return 20 * candidates


def _response(item: Item, variant: Variant, rng: random.Random, parts: list[str], name: str) -> str | list[str]:
    if item.kind != "text":
        samples = [s for s in variant.samples() if not isinstance(s.response, str) or s.response.strip()]
        given = rng.choice(samples).response
        if item.kind == "choice":
            return given if isinstance(given, str) else list(given)
        text = given if isinstance(given, str) else given[0]
        number, _, unit = text.partition(" ")
        try:
            value = float(number)
        except ValueError:
            return text
        return f"{value * rng.choice([1, 1, rng.lognormvariate(0, 1)]):.6g} {unit}".strip()
    own = [s.strip() for s in str(getattr(item, "model_answer", "")).split(".") if s.strip()]
    said = rng.sample(own, rng.randint(0, len(own))) + rng.sample(parts, rng.randint(1, 2))
    words = " ".join(said).split()
    for _ in range(3):
        words.insert(rng.randrange(len(words) + 1), f"w{name}{rng.randrange(1000)}")
    return ". ".join([" ".join(words[:25]), " ".join(words[25:])])
