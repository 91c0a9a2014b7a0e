"""A class whose flaws are known: abilities, one wrong key, one dead distractor, one guessable item."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

WRONG_KEY, DEAD, GUESSABLE = "item-07", "item-15", "item-23"
TOPICS = ("memory", "collectives", "pipelines", "schedules", "numerics")


def option(item: int, place: int) -> str:
    return f"Option {'PQRS'[place]} of {item}"


def bank(folder: Path, items: int = 40) -> Path:
    """Choice items; the true answer is option P, which the bank has as a distractor of WRONG_KEY."""
    folder.mkdir(parents=True, exist_ok=True)
    out = ["items:"]
    for n in range(items):
        name = f"item-{n:02d}"
        key = 1 if name == WRONG_KEY else 0
        out += [
            f"  - id: {name}",
            "    kind: choice",
            f"    topic: {TOPICS[n % 5]}",
            f"    stem: What holds in case {n}?",
        ]
        out += [f"    key: {option(n, key)}", "    distractors:"]
        out += [f"      - {option(n, place)}" for place in range(4) if place != key]
    (folder / "items.yaml").write_text("\n".join(out) + "\n")
    return folder


def log(path: Path, candidates: int = 200, items: int = 40, seed: int = 1) -> Path:
    """Responses of a two-parameter model with guessing: ability N(0, 1), difficulty -1.5 to 1.5."""
    rng = random.Random(seed)
    slopes = [rng.uniform(0.8, 1.6) for _ in range(items)]
    hardness = [rng.uniform(-1.5, 1.5) for _ in range(items)]
    hardness[int(DEAD[-2:])] = 0.3  # enough wrong responses to see that one option draws none
    with open(path, "w") as file:
        for c in range(candidates):
            ability = rng.gauss(0, 1)
            for n in range(items):
                name = f"item-{n:02d}"
                knows = 1 / (1 + math.exp(-1.7 * slopes[n] * (ability - hardness[n])))
                if name == GUESSABLE:
                    right = rng.random() < 0.85
                else:
                    right = rng.random() < 0.1 + 0.9 * knows
                places = (1, 2) if name == DEAD else (1, 2, 3)
                place = 0 if right else rng.choice(places)
                line = {"candidate": f"c{c:03d}", "item": name, "response": option(n, place)}
                line["seconds"] = round(rng.lognormvariate(3.6, 0.5), 1)
                file.write(json.dumps(line) + "\n")
    return path
