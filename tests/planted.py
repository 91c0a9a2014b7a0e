"""A class whose flaws are known: abilities, one wrong key, one dead distractor, one guessable item."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

WRONG_KEY, DEAD, GUESSABLE = "item-07", "item-15", "item-23"
ITEMS = 40
TOPICS = ("memory", "collectives", "pipelines", "schedules", "numerics")


def option(item: int, place: int) -> str:
    return f"Option {'PQRS'[place]} of {item}"


def bank(folder: Path) -> None:
    """Forty choice items; the true answer is option P, which the bank has as a distractor of WRONG_KEY."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["items:\n"]
    for n in range(ITEMS):
        key = int(f"item-{n:02d}" == WRONG_KEY)
        wrong = ", ".join(option(n, place) for place in range(4) if place != key)
        head = f"id: item-{n:02d}, kind: choice, topic: {TOPICS[n % 5]}, stem: What holds in case {n}"
        rows.append(f"  - {{{head}, key: {option(n, key)}, distractors: [{wrong}]}}\n")
    (folder / "items.yaml").write_text("".join(rows))


def log(path: Path, candidates: int) -> Path:
    """Responses of a two-parameter model with guessing: ability N(0, 1), difficulty -1.5 to 1.5."""
    rng = random.Random(1)
    slopes = [rng.uniform(0.8, 1.6) for _ in range(ITEMS)]
    hardness = [rng.uniform(-1.5, 1.5) for _ in range(ITEMS)]
    hardness[int(DEAD[-2:])] = 0.3  # enough wrong responses to see that one option draws none
    with open(path, "w") as file:
        for c in range(candidates):
            ability = rng.gauss(0, 1)
            for n in range(ITEMS):
                name = f"item-{n:02d}"
                knows = 1 / (1 + math.exp(-1.7 * slopes[n] * (ability - hardness[n])))
                if name == GUESSABLE:
                    right = rng.random() < 0.85
                else:
                    right = rng.random() < 0.1 + 0.9 * knows
                place = 0 if right else rng.choice((1, 2) if name == DEAD else (1, 2, 3))
                line = {"candidate": f"c{c:03d}", "item": name, "response": option(n, place)}
                line["seconds"] = round(rng.lognormvariate(3.6, 0.5), 1)
                file.write(json.dumps(line) + "\n")
    return path
