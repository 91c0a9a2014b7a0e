"""Rubrics as values, and the marks that scoring gives: both are frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

# -- Rubrics as values: criteria, groups, misconceptions, and the phrases that find them.

# How near the slots of a phrase must stand. A positive number is a count of words.
NEXT: Final = 0  # the same sentence or the next
SENTENCE: Final = -1
ANSWER: Final = -2

# What a phrase is for.
ACCEPT: Final = 0
REJECT: Final = 1
MISCONCEPTION: Final = 2
SUBJECT: Final = 3

ASSERT: Final = "assert"
NEGATED: Final = "negated"
ANY: Final = "any"

Synonyms = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Phrasing:
    """One entry of `accept`, `reject` or `match` with its own or its criterion's settings."""

    text: str
    near: int = NEXT
    ordered: bool = False
    polarity: str = ASSERT


@dataclass(frozen=True, slots=True)
class NumberTest:
    """`number:` of a criterion. `tolerance` is a share of the value, or an amount in `unit`; `labels` are what
    the bank counts or measures: names, plurals and what one is worth."""

    value: Fraction
    unit: str = ""
    tolerance: Fraction = Fraction(0)
    relative: bool = True
    labels: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing an answer must say. `fuzzy` lets misspelt words count; `explain` gives a bare name half;
    `probe` is what an interviewer asks when it was missed. `of` are the subjects it is said about, `against`
    those it compares them with; `bare` lets one word alone earn two points or more."""

    id: str
    points: Fraction = Fraction(1)
    say: str = ""
    accept: tuple[Phrasing, ...] = ()
    reject: tuple[Phrasing, ...] = ()
    number: NumberTest | None = None
    fuzzy: bool = True
    explain: bool = False
    probe: str = ""
    of: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that statements of the answer can be about, and the phrases that name it."""

    id: str
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Criteria that together earn at most `at_most` points."""

    of: tuple[str, ...]
    at_most: Fraction


@dataclass(frozen=True, slots=True)
class WrongClaim:
    """Something wrong that is worth naming; `penalty` points are taken where it is asserted."""

    id: str
    match: tuple[Phrasing, ...]
    penalty: Fraction = Fraction(0)
    say: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rubric:
    """Everything the engine knows about one item. `stem` and `model_answer` are plain text: words
    copied from the stem earn nothing, and the share of the model answer's words that a response
    holds says how sure the engine is. Compiled on first use."""

    criteria: tuple[Criterion, ...]
    full_marks: Fraction | None = None
    groups: tuple[Group, ...] = ()
    misconceptions: tuple[WrongClaim, ...] = ()
    synonyms: tuple[tuple[str, tuple[str, ...]], ...] = ()
    stem: str = ""
    model_answer: str = ""
    subjects: tuple[Subject, ...] = ()
    right: tuple[str, ...] = ()  # answers written beside the item that earn something
    wrong: tuple[str, ...] = ()  # and those that earn nothing
    memo: list[object] = field(default_factory=list, repr=False)  # what was worked out from it once

    @property
    def possible(self) -> Fraction:
        """`full_marks`, else what all criteria and groups can earn."""
        return self.full_marks if self.full_marks is not None else self.total

    @property
    def total(self) -> Fraction:
        """What an answer that meets every criterion earns before `full_marks` caps it."""
        grouped = {name for group in self.groups for name in group.of}
        total = sum((c.points for c in self.criteria if c.id not in grouped), Fraction(0))
        for group in self.groups:
            inside = sum((c.points for c in self.criteria if c.id in group.of), Fraction(0))
            total += min(group.at_most, inside)
        return total


# -- What scoring gives: marks whose sum is the score, and what to tell the candidate.

FOUND: Final = "found"
PARTIAL: Final = "partial"
HEDGED: Final = "hedged"
CONTRADICTED: Final = "contradicted"
MISSING: Final = "missing"

Span = tuple[int, int]


class CriterionMark(NamedTuple):
    """One criterion's part of the score. `evidence` are [start, end) places in the candidate's own
    text; `read_as` pairs a misspelt word with what it was read as."""

    criterion: str
    status: str
    earned: Fraction
    possible: Fraction
    evidence: tuple[Span, ...] = ()
    because: str = ""
    read_as: tuple[tuple[str, str], ...] = ()
    near: bool = False  # a near miss: what such marks earn together is capped
    sure: float = 1.0  # the chance that a person would give the same


class Adjustment(NamedTuple):
    """What changes the sum of the marks: a group's cap, a penalty, full marks, a cap on word lists."""

    kind: str  # near | group | penalty | gaming | floor | full-marks
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
