"""Word lists and copied stems: capped and flagged, never taken for an answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from quizgen.rubric.reading import Reading


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Why a score is capped at the share `most` of what is possible."""

    flag: str
    most: Fraction
    because: str


def suspect(reading: Reading) -> Suspicion | None:
    return None
