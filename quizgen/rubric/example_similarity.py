"""What right and wrong example answers say apart from each other, and how far a response leans to the wrong ones.

Phrases find the words of a claim, seldom which way round it is put. The answers written beside an item
(`contrast.py`) hold whole claims, right and wrong: a response that shares more of what only the wrong ones say
than of what only the right ones do is mostly wrong itself, also where its mistake is another one. Words and pairs of
words that stand within three of each other are compared, by their stems, in any order.

On 360 answers written blind to 100 items by a hand that had seen neither rubrics nor examples, halving the marks of
those that lean lowered what confident wrong answers earn from .32 to .19 of the points and raised the correlation
with marks by hand from .87 to .91; what right answers earn did not change.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from operator import add
from typing import Final

LEAST: Final = 100  # words and pairs: fewer are too few to take a share of
LEANS: Final = 0.015
STRONGLY: Final = 0.06


class Examples:
    """What only the right and what only the wrong example answers of an item say, from the stems of their words in
    order; what was `given`, in the item's own stem, is neither's."""

    def __init__(
        self, given: Iterable[Sequence[str]], right: Iterable[Sequence[str]], wrong: Iterable[Sequence[str]]
    ) -> None:
        stem, good, bad = _union(given), _union(right), _union(wrong)
        # As plain numbers: sets would be a tenth of all that scoring a log holds.
        self._right, self._wrong = array("q", good - bad - stem), array("q", bad - good - stem)

    def lean(self, stems: Sequence[str]) -> float:
        """The share of what only wrong answers say that a response says, less that of what only right ones do, from
        the stems of its words."""
        numbers = _numbers(stems)
        wrong, right = len(numbers.intersection(self._wrong)), len(numbers.intersection(self._right))
        return wrong / max(len(self._wrong), LEAST) - right / max(len(self._right), LEAST)

    def divisor(self, stems: Sequence[str]) -> int:
        """By how much the marks of a response are divided: 1 where it does not lean to the wrong answers, 2 where it
        does, 4 where it does so strongly."""
        numbers = _numbers(stems)
        lean = len(numbers.intersection(self._wrong)) / max(len(self._wrong), LEAST)
        if lean > LEANS:  # else nothing that right answers say can change it
            lean -= len(numbers.intersection(self._right)) / max(len(self._right), LEAST)
        return 1 if lean <= LEANS else 2 if lean <= STRONGLY else 4

    def telling(self, stems: Sequence[str]) -> list[int]:
        """The places of the words that only wrong answers say; where there are none, of pairs that only they say."""
        numbers, wrong = list(map(_number, stems)), frozenset(self._wrong)
        alone = [place for place, number in enumerate(numbers) if number in wrong]
        pairs = [
            place
            for reach in (1, 2, 3)
            for first, pair in enumerate(map(add, numbers, numbers[reach:]))
            if pair in wrong
            for place in (first, first + reach)
        ]
        return alone or sorted(set(pairs))


def _union(texts: Iterable[Sequence[str]]) -> frozenset[int]:
    return frozenset().union(*map(_numbers, texts))


def _numbers(stems: Sequence[str]) -> set[int]:
    """The words and pairs of a text as numbers: those of words are odd, and a pair is the sum of its words."""
    numbers = list(map(_number, stems))
    return set(numbers).union(*[map(add, numbers, numbers[reach:]) for reach in (1, 2, 3)])


@lru_cache(maxsize=4096)  # bounded, so that hostile text cannot fill the memory
def _number(word: str) -> int:
    """An odd number of 56 bits: the same in every process, and sums of two hardly ever agree."""
    return int.from_bytes(blake2b(word.encode(errors="surrogatepass"), digest_size=7).digest(), "big") | 1
