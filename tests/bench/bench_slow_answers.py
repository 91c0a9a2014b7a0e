"""Answers bred to be slow: `python tests/bench/bench_slow_answers.py [RUBRICS] [GENERATIONS] [SEED]`.

For rubrics drawn from the shipped bank, a few pieces (words of the rubric's own phrases, words that deny, compare or
hedge, marks) are repeated to 8 KiB; those that cost most live on, changed in a piece or crossed with another. Cost is
counted in calls of functions, which is the same however busy the machine is; the baseline is the item's own model
answer repeated to that length. Exit code 1 where the costliest is WORST times that, or four times its length costs
more than GROWTH times as much.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from formula.effort import calls

from quizgen import bank as banks
from quizgen.kinds.text import TextItem
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.scopes import CUES
from quizgen.rubric.score import score_text

SHIPPED = Path(__file__).resolve().parents[2] / "banks" / "distributed-training"
SIZE = 8 << 10
LONGEST = 8  # pieces that are repeated
POPULATION, PARENTS = 16, 5
WORST = 50.0  # some tenth of a second
GROWTH = 6.0
MARKS = [".", ",", ";", ":", "?", "(", ")", "\n- ", "—", "1.", "16 GB", "30 %", "O(n)", "<", "+", "3 x 4 ="]

Pieces = tuple[str, ...]


def cost(rubric: Rubric, pieces: Pieces, size: int = SIZE) -> int:
    """Calls of one scoring, when what the words mean is known."""
    unit = " ".join(pieces) + " "
    text = unit * (size // len(unit))
    score_text(rubric, text)
    return calls(lambda: score_text(rubric, text))


def child(pool: list[str], parents: list[Pieces], rng: random.Random) -> Pieces:
    """One parent with a piece put in, out or exchanged, or the front of one and the end of another."""
    pieces = list(rng.choice(parents))
    place = rng.randrange(len(pieces))
    match rng.randrange(4):
        case 0 if len(pieces) < LONGEST:
            pieces.insert(place, rng.choice(pool))
        case 1 if len(pieces) > 1:
            del pieces[place]
        case 2:
            pieces = [*pieces[: place + 1], *rng.choice(parents)[-2:]][:LONGEST]
        case _:
            pieces[place] = rng.choice(pool)
    return tuple(pieces)


def bred(item: TextItem, generations: int, rng: random.Random) -> tuple[int, Pieces]:
    """The costliest pieces that were found for a rubric."""
    own = {word for c in item.rubric.criteria for p in (*c.accept, *c.reject) for word in p.text.split()}
    pool = [*sorted(word.strip("{}*").split("|")[0] for word in own), *sorted(CUES), *MARKS]
    pool = [word for word in pool if word]
    alive = {pieces: cost(item.rubric, pieces) for pieces in {tuple(rng.sample(pool, 3)) for _ in range(POPULATION)}}
    for _ in range(generations):
        parents = sorted(alive, key=lambda pieces: -alive[pieces])[:PARENTS]
        alive = {pieces: alive[pieces] for pieces in parents}
        for pieces in [child(pool, parents, rng) for _ in range(POPULATION - PARENTS)]:
            alive.setdefault(pieces, cost(item.rubric, pieces))
    best = max(alive, key=lambda pieces: alive[pieces])
    return alive[best], best


def main() -> int:
    count, generations, seed = (*map(int, sys.argv[1:]), *(12, 20, 1)[len(sys.argv) - 1 :])
    rng = random.Random(seed)
    bank = banks.load_bank(str(SHIPPED)).required_bank
    texts = [item for item in bank.items.values() if isinstance(item, TextItem)]
    failed = False
    print("| item | times its model answer | four times as long | pieces |\n|---|---:|---:|---|")
    for item in rng.sample(texts, count):
        plain = cost(item.rubric, (item.model_answer,))
        found, pieces = bred(item, generations, rng)
        grown = cost(item.rubric, pieces, 4 * SIZE) / found
        failed = failed or found > WORST * plain or grown > GROWTH
        print(f"| {item.id} | {found / plain:.1f} | {grown:.1f} | {' '.join(pieces)!r} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
