"""Proofs over the variant space of a numeric item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from quizgen.source import Problem

if TYPE_CHECKING:
    from quizgen.kinds.numeric import NumericItem


def prove(item: NumericItem) -> Iterator[Problem]:
    if item.inline:
        yield from item.formula.prove()


def coverage(item: NumericItem) -> tuple[int, int]:
    return item.space.size, item.space.size
