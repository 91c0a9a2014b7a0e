"""What choice items give away to someone who knows nothing; `python tests/banks/blind.py` prints the tables.

A strategy sees stem and options of a variant and picks one. Where several options are equally
good to it, it earns the share that picking among them at random would. Items that ask for several
options are left out: no such strategy answers them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import shipped

from quizgen.draw import Stream
from quizgen.kinds.choice import ChoiceItem, ChoiceVariant

LETTERS = "ABCDE"
SEEDS = 200
WORD = re.compile(r"[A-Za-z][A-Za-z-]*")
HEDGED = re.compile(r"\b(usually|often|mostly|roughly|about|may|can|typically|in general|partly|some)\b", re.IGNORECASE)
ABSOLUTE = re.compile(r"\b(always|never|only|all|none|no|every|any|must|cannot)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Seen:
    """A choice item as drawn: what a candidate sees, and where the key is."""

    item: str
    stem: str
    options: tuple[str, ...]
    key: int
    ascending: bool


@cache
def seen(name: str, seed: str) -> tuple[Seen, ...]:
    found = []
    for item in shipped.bank(name).items.values():
        if isinstance(item, ChoiceItem) and not item.has_several_keys:
            variant = item.draw(Stream(item.id, seed))
            assert isinstance(variant, ChoiceVariant)
            options = variant.order()
            found.append(Seen(item.id, item.stem, options, options.index(variant.choice.keys[0]), item.ascending))
    return tuple(found)


def most(measure: Callable[[Seen, int], float]) -> Callable[[Seen], list[int]]:
    """The options for which a measure is largest."""

    def pick(one: Seen) -> list[int]:
        values = [measure(one, n) for n in range(len(one.options))]
        return [n for n, value in enumerate(values) if value == max(values)]

    return pick


def letter(place: int) -> Callable[[Seen], list[int]]:
    return lambda one: [place] if place < len(one.options) else list(range(len(one.options)))


def middle_place(one: Seen) -> list[int]:
    last = len(one.options) - 1
    return sorted({last // 2, (last + 1) // 2})


def middle_length(one: Seen) -> list[int]:
    """Neither the shortest nor the longest."""
    order = sorted(range(len(one.options)), key=lambda n: len(one.options[n]))
    return order[1:-1] or order


def technical(one: Seen, n: int) -> float:
    """The longest word."""
    return max((len(word) for word in WORD.findall(one.options[n])), default=0)


def marks(one: Seen, n: int) -> float:
    """Digits, capitals and signs, as formulas and names of things have them."""
    return sum(not c.islower() and not c.isspace() for c in one.options[n]) / max(1, len(one.options[n]))


def from_stem(one: Seen, n: int) -> float:
    """The share of the option's words that the stem holds."""
    words = {w.lower() for w in WORD.findall(one.options[n]) if len(w) > 3}
    return len(words & {w.lower() for w in WORD.findall(one.stem)}) / max(1, len(words))


def alike(one: Seen, n: int) -> float:
    """Words in common with the other options: distractors are often made from the key."""
    words = [{w.lower() for w in WORD.findall(option)} for option in one.options]
    return sum(len(words[n] & other) for place, other in enumerate(words) if place != n)


# Those that the bank promises to defeat, and others worth watching.
STRATEGIES: dict[str, Callable[[Seen], list[int]]] = {
    "longest": most(lambda one, n: len(one.options[n])),
    "shortest": most(lambda one, n: -len(one.options[n])),
    "middle place": middle_place,
    "middle length": middle_length,
    **{f"always {LETTERS[place]}": letter(place) for place in range(4)},
    "most technical word": most(technical),
}
WATCHED: dict[str, Callable[[Seen], list[int]]] = {
    "most words": most(lambda one, n: len(one.options[n].split())),
    "most digits and capitals": most(marks),
    "words of the stem": most(from_stem),
    "most like the others": most(alike),
    "least like the others": most(lambda one, n: -alike(one, n)),
    "hedged": most(lambda one, n: len(HEDGED.findall(one.options[n]))),
    "no absolute word": most(lambda one, n: -len(ABSOLUTE.findall(one.options[n]))),
}


def chance(items: Iterable[Seen]) -> float:
    shares = [1 / len(one.options) for one in items]
    return sum(shares) / len(shares)


def earned(strategy: Callable[[Seen], list[int]], name: str, seeds: Sequence[str]) -> float:
    """The mean share of items answered rightly, over seeds."""
    shares = []
    for seed in seeds:
        for one in seen(name, seed):
            picked = strategy(one)
            shares.append((one.key in picked) / len(picked))
    return sum(shares) / len(shares)


def positions(name: str, seeds: Sequence[str], options: int, ascending: bool = False) -> list[int]:
    """How often the key stood first, second … among items of so many options."""
    counts: Counter[int] = Counter()
    for seed in seeds:
        counts.update(one.key for one in seen(name, seed) if len(one.options) == options and one.ascending is ascending)
    return [counts[place] for place in range(options)]


def chi_square(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def seeds(count: int) -> list[str]:
    return [f"key {n}" for n in range(count)]


def show(name: str) -> str:
    items = seen(name, "key 0")
    several = sum(isinstance(i, ChoiceItem) and i.has_several_keys for i in shipped.bank(name).items.values())
    base = chance(items)
    lines = [f"{name}: {len(items)} items with one key, {several} with several; chance {100 * base:.1f} %", ""]
    for title, strategies in (("blind strategy", STRATEGIES), ("watched", WATCHED)):
        lines.append(f"{title:26} score   from chance")
        for label, strategy in strategies.items():
            score = earned(strategy, name, seeds(20))
            lines.append(f"{label:26} {100 * score:5.1f} %  {100 * (score - base):+5.1f}")
        lines.append("")
    lines.append(f"place of the key over {SEEDS} seeds")
    for options in sorted({len(one.options) for one in items}):
        for ascending in (False, True):
            counts = positions(name, seeds(SEEDS), options, ascending)
            if sum(counts):
                kind = "sorted by size" if ascending else "shuffled"
                shares = "  ".join(f"{LETTERS[n]} {c} ({100 * c / sum(counts):.1f} %)" for n, c in enumerate(counts))
                lines.append(f"{options} options, {kind:14}  {shares}   chi-square {chi_square(counts):.1f}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(show("distributed-training") + "\n\n" + show("git"))
