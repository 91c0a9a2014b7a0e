"""Who has what: rival keys, one-to-one binding and the direction of comparatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizgen.rubric.index import Index
    from quizgen.rubric.match import Window
    from quizgen.rubric.reading import Reading


@dataclass(frozen=True, slots=True)
class Rivals:
    owner: int


def find_rivals(index: Index) -> tuple[Rivals, ...]:
    return ()


def wrongly_bound(reading: Reading, window: Window) -> str | None:
    return None
