"""What right and wrong example answers say apart from each other, and how far a response leans to the wrong ones.

Phrases find the words of a claim, seldom which way round it is put. The answers written beside an item
(`contrast.py`) hold whole claims, right and wrong: a response that shares more of what only the wrong ones say
than of what only the right ones do is mostly wrong itself, also where its mistake is another one. What is
compared are words and pairs of words that stand within three of each other, by their stems, in any order.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from operator import add
from typing import Final

LEAST: Final = 100  # words and pairs: fewer are too few to take a share of


class Examples:
    """What only the right and what only the wrong example answers of an item say, from the stems of their words in
    order; what was `given`, in the item's own stem, is neither's."""

    def __init__(
        self, given: Iterable[Sequence[str]], right: Iterable[Sequence[str]], wrong: Iterable[Sequence[str]]
    ) -> None:
        stem, good, bad = _said_in(given), _said_in(right), _said_in(wrong)
        # As plain numbers: sets would be a tenth of all that scoring a log holds.
        self._right, self._wrong = array("q", good - bad - stem), array("q", bad - good - stem)

    def lean(self, words: Iterable[str]) -> float:
        """The share of what only wrong answers say that a response says, less that of what only right ones do."""
        said = _said(words)
        wrong, right = len(said.intersection(self._wrong)), len(said.intersection(self._right))
        return wrong / max(len(self._wrong), LEAST) - right / max(len(self._right), LEAST)

    def telling(self, words: Iterable[str]) -> list[tuple[int, int]]:
        """The stretches of a response, first and last word, that say what only wrong answers say; those that say most
        of it first."""
        numbers, wrong = list(map(_number, words)), frozenset(self._wrong)
        pairs = [
            (first, first + reach)
            for reach in (1, 2, 3)
            for first, pair in enumerate(map(add, numbers, numbers[reach:]))
            if pair in wrong
        ]
        stretches: list[tuple[int, int, int]] = []  # pairs in it, first word, last word
        for first, last in sorted(pairs):
            count, start, end = stretches.pop() if stretches and first <= stretches[-1][2] else (0, first, last)
            stretches.append((count + 1, start, max(end, last)))
        return [(start, end) for _, start, end in sorted(stretches, key=lambda one: (-one[0], one[1]))]


def _said_in(texts: Iterable[Iterable[str]]) -> frozenset[int]:
    return frozenset().union(*map(_said, texts))


def _said(words: Iterable[str]) -> set[int]:
    """The words and pairs of a text as numbers: those of words are odd, and a pair is the sum of its words."""
    numbers = list(map(_number, words))
    return set(numbers).union(*[map(add, numbers, numbers[reach:]) for reach in (1, 2, 3)])


@lru_cache(maxsize=4096)  # bounded, so that hostile text cannot fill the memory
def _number(word: str) -> int:
    """An odd number of 56 bits: the same in every process, and sums of two hardly ever agree."""
    return int.from_bytes(blake2b(word.encode(errors="surrogatepass"), digest_size=7).digest(), "big") | 1
