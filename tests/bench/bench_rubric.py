"""What scoring a text costs: `python tests/bench/bench_rubric.py [ANSWERS]`.

Grades ANSWERS (5,000) answers of about 20 words, all different, by three rubrics of three criteria,
and tells answers per second and the ratio to one `rapidfuzz.fuzz.token_set_ratio` call per answer
in the same run. A third of the words come from the subject, the rest from a list of 8,000 with the
frequencies that words have (the n-th word about 1/n as often), so that new words keep coming. What is
remembered between answers: the stem of a word, and what a word means to a rubric; never an answer, a
sentence or a score. `first pass` is with nothing remembered, `again` with the words known.

The same again on the rubrics of the bank that ships, with answers of about 60 and 260 characters, all different, cut
and put together from the model answers of its items, every third from its own: the figure to compare between versions is the ratio to
`token_set_ratio`, as the machine is in both.

Then the worst of a set of hostile answers of 64 KiB. Exit code 1 where the ratio is over 25, fewer than 10,000 answers
a second are scored on a quiet core, or a hostile answer takes more than 100 ms.
"""

from __future__ import annotations

import gzip
import sys
from itertools import accumulate
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import yaml
from rapidfuzz.fuzz import token_set_ratio
from rubric.hostile import HOSTILE
from rubric.rubrics import HERE, load_rubrics
from timing import best

from quizgen.commands.shared import load_usable_bank
from quizgen.kinds.text import TextItem
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import score_text

ROUNDS = 5
ITEMS = yaml.safe_load((HERE / "bench_items.yaml").read_text(encoding="utf-8"))["items"]
WORD_LIST = Path(__file__).resolve().parents[2] / "quizgen/rubric/words.txt.gz"
SMALL = [
    "the", "of", "and", "to", "a", "in", "is", "it", "that", "for", "on", "with", "as", "this", "be", "are", "by", "which",
    "because", "when", "so", "then",
]  # fmt: skip


def answers(count: int, seed: int = 3) -> list[tuple[int, str]]:
    """(place of the rubric, answer): clauses of the subject among clauses of any words; no answer twice."""
    draw = Random(seed)
    listed = gzip.decompress(WORD_LIST.read_bytes()).decode("ascii").split()
    words = draw.sample([word for word in listed if len(word) < 11], 8_000)
    weights = list(accumulate(1 / (n + 3) for n in range(len(words))))
    made: dict[tuple[int, str], None] = {}
    while len(made) < count:
        place = draw.randrange(len(ITEMS))
        clauses = draw.sample(ITEMS[place]["clauses"], 2)
        filler = draw.choices(words, cum_weights=weights, k=draw.randint(4, 8))
        mixed = [w for word in filler for w in ((draw.choice(SMALL), word) if draw.random() < 0.7 else (word,))]
        clauses.insert(draw.randrange(3), " ".join(mixed))
        text = draw.choice([", and ", "; ", ". ", " because ", ", so "]).join(clauses)
        made[place, f"{text[0].upper()}{text[1:]}{draw.choice('..!?')}"] = None
    return list(made)


def shipped(length: int, count: int, seed: int = 5) -> list[tuple[Rubric, str]]:
    """Answers of about `length` characters to the text items that ship, no two alike."""
    draw = Random(seed)
    bank = load_usable_bank(str(Path(__file__).resolve().parents[2] / "banks" / "distributed-training")).bank
    items = [getattr(i, "whole", i) for i in bank.items.values() if i.kind == "text"]
    items = [i for i in items if isinstance(i, TextItem)]
    made: list[tuple[Rubric, str]] = []
    for number in range(count):
        item = draw.choice(items)
        said = draw.choice(items).model_answer.split() if number % 3 else item.model_answer.split()
        start = draw.randrange(len(said))
        text = " ".join(said[start:] + said[:start])[:length]
        while len(text) < length - 10:
            text += " " + draw.choice(items).model_answer[: length - len(text)]
        made.append((item.rubric, f"{text} v{number}"))
    return made


def main(arguments: list[str]) -> int:
    count = int(next((a for a in arguments if a.isdigit()), "5000"))
    texts = answers(count)
    known, models = list(load_rubrics("bench_items.yaml").values()), [item["model_answer"] for item in ITEMS]
    size = sum(len(t.split()) for _, t in texts) / count
    rows: list[tuple[str, str]] = []
    for rubric, model in zip(known, models, strict=True):
        score_text(rubric, model)  # compiled

    def run() -> None:
        for place, text in texts:
            score_text(known[place], text)

    fuzzy = best(lambda: [token_set_ratio(t, models[p]) for p, t in texts], ROUNDS) / count
    first = best(run, 1) / count
    again = best(run, ROUNDS) / count
    fuzzy = min(fuzzy, best(lambda: [token_set_ratio(t, models[p]) for p, t in texts], ROUNDS) / count)
    distinct = len({w for _, t in texts for w in t.lower().split()})
    name = f"{count:,} answers of {size:.0f} words ({distinct:,} different), first pass"
    rows.append((name, f"{1 / first:,.0f} a second"))
    rows.append(("the same again", f"{1 / again:,.0f} a second, {again * 1e6:.0f} µs each"))
    rows.append(("one `token_set_ratio` call each", f"{fuzzy * 1e6:.2f} µs; ratio {again / fuzzy:.1f} (at most 25)"))
    failed = again / fuzzy > 25 or again > 1e-4

    for length in (60, 260):
        made = shipped(length, min(count, 3_000))
        for rubric, _ in made:
            score_text(rubric, "")  # compiled
        spent = [best(lambda made=made: [score_text(r, t) for r, t in made], n) / len(made) for n in (1, 3)]
        one = best(lambda made=made: [token_set_ratio(t, r.model_answer) for r, t in made], ROUNDS) / len(made)
        told = f"{1 / spent[0]:,.0f} a second at first, ratio {spent[0] / one:.1f}"
        told += f"; {1 / spent[1]:,.0f} again, ratio {spent[1] / one:.1f}"
        rows.append((f"the shipped bank, answers of {length} characters", told))

    slowest, text = max((best(lambda text=text: score_text(known[0], text), ROUNDS), text) for text in HOSTILE)
    rows.append((f"worst of {len(HOSTILE)} hostile answers of 64 KiB", f"{slowest * 1e3:.0f} ms ({text[:10]!r} …)"))
    for name, value in rows:
        print(f"{name:64} {value}")
    return 1 if failed or slowest > 0.1 else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
