"""What right and wrong example answers say apart from each other, and how far a response leans to the wrong ones.

Phrases find the words of a claim, seldom which way round it is put. The answers written beside an item
(`contrast.py`) hold whole claims, right and wrong: a response that shares more of what only the wrong ones say
than of what only the right ones do is mostly wrong itself, also where its mistake is another one. What is
compared are words and pairs of words that stand within three of each other, by their stems, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from operator import add
from typing import Final

LEAST: Final = 100  # words and pairs: fewer are too few to take a share of
_PRIME: Final = 65_537  # more than there are different words in the examples of an item


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
        said: set[int] = set()
        for words in texts:
            for word in words:
                self._numbers.setdefault(word, _number(len(self._numbers) + 1))
            said |= _said(self._known(words))
        return frozenset(said)

    def _known(self, words: Iterable[str]) -> list[int]:
        return list(map(self._numbers.get, words, repeat(0)))

    def lean(self, words: Iterable[str]) -> float:
        """The share of what only wrong answers say that a response says, less that of what only right ones do."""
        said = _said(self._known(words))
        wrong, right = len(said & self._wrong), len(said & self._right)
        return wrong / max(len(self._wrong), LEAST) - right / max(len(self._right), LEAST)

    def telling(self, words: Iterable[str]) -> list[tuple[int, int]]:
        """The stretches of a response, first and last word, that say what only wrong answers say; those that say most
        of it first."""
        known = self._known(words)
        pairs = [
            (first, first + reach)
            for reach in (1, 2, 3)
            for first, pair in enumerate(map(add, known, known[reach:]))
            if not pair % 2 and pair in self._wrong
        ]
        stretches: list[tuple[int, int, int]] = []  # pairs in it, first word, last word
        for first, last in sorted(pairs):
            count, start, end = stretches.pop() if stretches and first <= stretches[-1][2] else (0, first, last)
            stretches.append((count + 1, start, max(end, last)))
        return [(start, end) for _, start, end in sorted(stretches, key=lambda one: (-one[0], one[1]))]


def _number(place: int) -> int:
    """The number of a word, by which sums of two numbers tell which two they were (Erdős and Turán), and that they
    are no number of one word: those are odd."""
    return 4 * _PRIME * place + 2 * (place * place % _PRIME) + 1


def _said(numbers: list[int]) -> set[int]:
    """The words and pairs of a text, from the numbers of its words. A word of no example is 0, and a pair with it the
    other word, which is there anyway."""
    pairs = [map(add, numbers, numbers[reach:]) for reach in (1, 2, 3)]
    return set(numbers).union(*pairs)
