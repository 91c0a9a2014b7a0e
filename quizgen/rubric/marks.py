"""What scoring gives: marks whose sum is the score, and what to tell the candidate."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

FOUND: Final = "found"
PARTIAL: Final = "partial"
HEDGED: Final = "hedged"
NEGATED: Final = "negated"
CONTRADICTED: Final = "contradicted"
MISSING: Final = "missing"

Span = tuple[int, int]


class CriterionMark(NamedTuple):
    """One criterion's part of the score. `evidence` are [start, end) places in the candidate's own
    text; `read_as` pairs a misspelt word with what it was read as; `missing` is the nearest phrase
    or the part of it that was not found."""

    criterion: str
    status: str
    earned: Fraction
    possible: Fraction
    evidence: tuple[Span, ...] = ()
    because: str = ""
    read_as: tuple[tuple[str, str], ...] = ()
    missing: str = ""
    near: bool = False  # a near miss: what such marks earn together is capped
    sure: float = 1.0  # the chance that a person would give the same


class Adjustment(NamedTuple):
    """What changes the sum of the marks: a group's cap, a penalty, full marks, a cap on word lists, a
    little for the model answer's own words where no criterion was recognised."""

    kind: str  # near | group | penalty | gaming | floor | full-marks | words
    points: Fraction
    because: str
    evidence: tuple[Span, ...] = ()


class TextScore(NamedTuple):
    """A response's score: `earned` is exactly the sum of marks and adjustments.

    `coverage` is the share of the model answer's content words found (None without one). `review`: some
    mark is less sure than the line for it, or the words look like no sentences.
    """

    earned: Fraction
    possible: Fraction
    marks: tuple[CriterionMark, ...]
    adjustments: tuple[Adjustment, ...] = ()
    misconceptions: tuple[str, ...] = ()
    say: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    review: bool = False
    coverage: float | None = None
    notes: tuple[str, ...] = ()
