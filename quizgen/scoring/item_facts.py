"""What an item says about itself before anyone responds: its options, its keys, what a guess earns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from quizgen.draw import Stream
from quizgen.model import ZERO, Given, Item, Outcome, Variant
from quizgen.page import Blank, Options

MOST_SUBSETS = 10  # options up to which every subset is tried


@dataclass(frozen=True, slots=True)
class Facts:
    """`options` in the order that the bank implies; `guessing` None: a guess has no fixed chance."""

    options: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    guessing: float | None = None


def facts_of(item: Item) -> Facts:
    """Facts that hold for every variant of an item; a choice made from drawn values has no fixed options."""
    variant = item.draw(Stream(item.id, "0"))
    prompt = variant.prompt()
    area = prompt[-1] if prompt else None
    if isinstance(area, Blank):
        return Facts(guessing=1 / len(area.words) if area.words else 0.0)
    if not isinstance(area, Options):
        return Facts(guessing=0.0)
    options = tuple(o.text for o in area.options)
    guesses: list[Given] = list(options)
    if area.several:
        sizes = range(1, len(options) + 1) if len(options) <= MOST_SUBSETS else ()
        guesses = [subset for size in sizes for subset in combinations(options, size)]
    earned = sum((variant.score(guess).earned for guess in guesses), ZERO)
    guessing = float(earned / (len(guesses) * (item.points or 1))) if guesses else None
    if variant.drawn():
        return Facts(guessing=guessing)
    return Facts(tuple(sorted(options)), _keys_of(variant), guessing)


def _keys_of(variant: Variant) -> tuple[str, ...]:
    """The options that are right."""
    right = next((s.response for s in variant.samples() if s.outcome is Outcome.CORRECT), ())
    return (right,) if isinstance(right, str) else tuple(right)
