"""Amounts in a response against the `number:` of a criterion and the quantities in phrases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizgen.rubric.claims import Finding
    from quizgen.rubric.index import Index
    from quizgen.rubric.reading import Reading


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity that a phrase or a criterion asks for."""

    owner: int


def find_amounts(index: Index) -> tuple[Amount, ...]:
    return ()


def number_findings(index: Index, reading: Reading, found: dict[int, Finding]) -> None:
    return None
