"""The root that forms of a word share."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_ENDING: Final = re.compile(r"(?:'s|ings?|able|ions?|(?<!e)ed|es|e|(?<!s)s)$")


@lru_cache(maxsize=8192)
def root(word: str) -> str:
    """The part that forms of a word share: `miss` of misses and missing, `query` of queries."""
    low = word.casefold().removesuffix("'s")
    return f"{low[:-3]}y" if low.endswith("ies") else _ENDING.sub("", low)


def roots(text: str) -> tuple[str, ...]:
    """The roots of the words of `text`, in order."""
    return tuple(root(word) for word in _WORD.findall(text.casefold()))


def phrase_in(phrase: str, padded: str) -> bool:
    """Whether the words of `phrase` stand in `padded`, a text of roots with a blank at both ends."""
    return f" {' '.join(map(root, phrase.split()))} " in padded
