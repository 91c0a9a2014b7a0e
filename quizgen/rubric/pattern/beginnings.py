"""How words begin: a quick look that spares most new words the stemmer, which is slow.

A stem keeps nearly all of the front of its word, so a word that begins like no key of a rubric has none
of them for its stem. `tests/rubric/test_beginnings.py` tries that on every word of the dictionary.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from quizgen.rubric.text.stem import american


class Tails:
    """What completes a beginning: `reduc` after `all`, where `allreduc` is a key."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self.keys = sorted(keys)

    def __contains__(self, head: str) -> bool:
        return next(self._of(head), None) is not None

    def of(self, head: str) -> frozenset[str]:
        """Every way on from a beginning that is no whole key."""
        return frozenset(self._of(head))

    def _of(self, head: str) -> Iterator[str]:
        for at in range(bisect_right(self.keys, head), len(self.keys)):
            key = self.keys[at]
            if not key.startswith(head):
                return
            yield key[len(head) :]


def head_of(word: str) -> str:
    """The letters of a word that its stem keeps."""
    return word[:3].replace("y", "i")


def root_of(key: str) -> str:
    """The letters at the front of a stem that every word with this stem has too: a stem may change the last two
    (`possibl` for "possibility"), and a short one may end in an e of its own (`age` for "aging")."""
    size = len(key)
    if size > 6:
        kept = 5
    elif size == 3 and key[2] == "e":
        kept = 2
    else:
        kept = min(size, 4 if size == 6 else 3)
    return key[:kept].replace("y", "i")


def may_have_root(word: str, roots: frozenset[str]) -> bool:
    """Whether one of these is the root of the word's stem; True also where it only looks so."""
    front = american(word)[:5].replace("y", "i")
    return front[:3] in roots or front[:4] in roots or front in roots or front[:2] in roots or front[:1] in roots
