"""What right and wrong example answers say apart from each other, and how far a response leans to the wrong ones.

Phrases find the words of a claim, seldom which way round it is put. The answers written beside an item
(`contrast.py`) hold whole claims, right and wrong: a response that shares more of what only the wrong ones say
than of what only the right ones do is mostly wrong itself, also where its mistake is another one. What is
compared are words and pairs of words that stand within three of each other, by their stems, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

LEAST: Final = 100  # words and pairs: fewer are too few to take a share of
_MANY: Final = 1 << 16  # more than there are different words in the examples of an item


class Examples:
    """What only the right and what only the wrong example answers of an item say, from the stems of their words in
    order; what was `given`, in the item's own stem, is neither's."""

    def __init__(
        self, given: Iterable[Sequence[str]], right: Iterable[Sequence[str]], wrong: Iterable[Sequence[str]]
    ) -> None:
        self._numbers: dict[str, int] = {}
        stem, good, bad = self._learnt(given), self._learnt(right), self._learnt(wrong)
        self._right, self._wrong = good - bad - stem, bad - good - stem

    def _learnt(self, texts: Iterable[Sequence[str]]) -> frozenset[int]:
        numbers = self._numbers
        return frozenset().union(*[_said([numbers.setdefault(w, len(numbers) + 1) for w in words]) for words in texts])

    def _known(self, words: Iterable[str]) -> list[int]:
        number = self._numbers.get
        return [number(word, 0) for word in words]

    def lean(self, words: Iterable[str]) -> float:
        """The share of what only wrong answers say that a response says, less that of what only right ones do."""
        said = _said(self._known(words))
        wrong, right = len(said & self._wrong), len(said & self._right)
        return wrong / max(len(self._wrong), LEAST) - right / max(len(self._right), LEAST)

    def telling(self, words: Iterable[str]) -> list[tuple[int, int]]:
        """The stretches of a response, first and last word, that say what only wrong answers say; those that say most
        of it first."""
        known = self._known(words)
        stretches: list[tuple[int, int, int]] = []  # pairs in it, first word, last word
        for first in range(len(known)):
            for last in range(first + 1, min(first + 4, len(known))):
                low, high = sorted((known[first], known[last]))
                if low and low * _MANY + high in self._wrong:
                    count, start, end = stretches.pop() if stretches and first <= stretches[-1][2] else (0, first, last)
                    stretches.append((count + 1, start, max(end, last)))
        return [(start, end) for _, start, end in sorted(stretches, key=lambda one: (-one[0], one[1]))]


def _said(numbers: list[int]) -> set[int]:
    """The words and pairs of a text, from the numbers of its words. A word of no example is 0, and a pair with it the
    other word, which is there anyway."""
    pairs = [pair for reach in (1, 2, 3) for pair in zip(numbers, numbers[reach:], strict=False)]
    return {a * _MANY + b if a < b else b * _MANY + a for a, b in pairs}.union(numbers)
