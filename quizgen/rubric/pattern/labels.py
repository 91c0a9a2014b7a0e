"""Key slots that compete, and the labels that tell one thing of a kind from another: stage 1, stage 3."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rivals:
    """Key slots that compete: `slots` are (probe, slot); `heads` are words a label may follow."""

    slots: tuple[tuple[int, int], ...]
    heads: frozenset[str]
    named: bool = True  # the keys are things, not directions such as "more" and "saves"
    stated: bool = True  # the stem or the rubric says that they compete, not the model answer alone
    wide: frozenset[tuple[int, int]] = frozenset()  # slots that hold a name and more: `receiver|{flow control}`


def split_label(word: str) -> str:
    bare = word.rstrip("0123456789")
    return bare if bare != word and len(bare) >= 2 and bare.isalpha() else ""


def is_label(word: str) -> bool:
    """A number, a letter or a Roman numeral that tells one thing of a kind from another."""
    return (
        (word.isdigit() and len(word) <= 2)
        or (len(word) == 1 and word.isalpha())
        or word in ("one", "two", "three", "ii", "iii")
    )
