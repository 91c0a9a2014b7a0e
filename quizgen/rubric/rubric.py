"""The values of a rubric and of the score that it gives. All are frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NamedTuple

from quizgen.source.problems import up_to_2_decimals

# -- Rubrics as values: criteria, groups, misconceptions, and the phrases that find them.

# Largest distance between the slots of a phrase; a positive number is a count of words.
WITHIN_NEXT_SENTENCE: Final = 0  # the same sentence or the next
WITHIN_SENTENCE: Final = -1
WITHIN_ANSWER: Final = -2

# The role of a phrase.
ACCEPT_ROLE: Final = 0
REJECT_ROLE: Final = 1
MISCONCEPTION_ROLE: Final = 2
SUBJECT_ROLE: Final = 3

ASSERT_POLARITY: Final = "assert"
NEGATED_POLARITY: Final = "negated"
ANY_POLARITY: Final = "any"


@dataclass(frozen=True, slots=True)
class PhraseWithSettings:
    """One phrase of `accept`, `reject` or `match` with its settings."""

    text: str
    max_word_distance: int = WITHIN_NEXT_SENTENCE
    is_ordered: bool = False
    polarity: str = ASSERT_POLARITY


@dataclass(frozen=True, slots=True)
class NumberTest:
    """The number that a criterion asks for (`number:`). `tolerance` is a share of the value if
    `is_tolerance_relative`, else an amount in `unit`. `bank_units` are the bank's own: names, plurals and amounts."""

    value: Fraction
    unit: str = ""
    tolerance: Fraction = Fraction(0)
    is_tolerance_relative: bool = True
    bank_units: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Criterion:
    """One statement that an answer must make. `allows_misspelling`: misspelt words count. `needs_explanation`: a name
    earns half. `probe_question` is the interviewer's if the statement is missing. It is about `subject_ids`, compared
    with `compared_subject_ids`. `allows_one_word`: one word alone can earn two points or more."""

    id: str
    points: Fraction = Fraction(1)
    statement: str = ""
    accepted_phrases: tuple[PhraseWithSettings, ...] = ()
    rejected_phrases: tuple[PhraseWithSettings, ...] = ()
    number_test: NumberTest | None = None
    allows_misspelling: bool = True
    needs_explanation: bool = False
    probe_question: str = ""
    subject_ids: tuple[str, ...] = ()
    compared_subject_ids: tuple[str, ...] = ()
    allows_one_word: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing that statements of an answer can be about, and the phrases that name it."""

    id: str
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CappedCriteriaGroup:
    """Criteria that together earn at most `max_points` points."""

    criterion_ids: tuple[str, ...]
    max_points: Fraction

    def deductions(self, points_by_id: Mapping[str, Fraction]) -> list[ScoreAdjustment]:
        """The deduction from the points of the criteria, `points_by_id`; none if they are within the cap."""
        excess = sum([points_by_id[name] for name in self.criterion_ids], Fraction(0)) - self.max_points
        reason = f"{', '.join(self.criterion_ids)} earn at most {up_to_2_decimals(self.max_points)} together"
        return [ScoreAdjustment("group", -excess, reason)] if excess > 0 else []


@dataclass(frozen=True, slots=True)
class RubricMisconception:
    """A misconception, explained by `correction`: asserting one of the phrases `phrases` costs `penalty_points`."""

    id: str
    phrases: tuple[PhraseWithSettings, ...]
    penalty_points: Fraction = Fraction(0)
    correction: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rubric:
    """A rubric with all that scoring needs to know of its item. Words copied from the `stem` earn nothing; the share of
    the words of the `model_answer` in a response is part of how sure a mark is. Compiled when it is first used."""

    criteria: tuple[Criterion, ...]
    full_marks: Fraction | None = None
    groups: tuple[CappedCriteriaGroup, ...] = ()
    misconceptions: tuple[RubricMisconception, ...] = ()
    words_and_synonyms: tuple[tuple[str, tuple[str, ...]], ...] = ()
    stem: str = ""
    model_answer: str = ""
    subjects: tuple[Subject, ...] = ()
    right_example_answers: tuple[str, ...] = ()  # answers beside the item that earn something
    wrong_example_answers: tuple[str, ...] = ()  # answers beside the item that earn nothing
    index_cache: list[Any] = field(default_factory=list, init=False, repr=False)  # the compiled rubric, if it is

    @property
    def possible_points(self) -> Fraction:
        """The points for full marks: `full_marks`, or `points_if_every_criterion_met` without it."""
        return self.full_marks if self.full_marks is not None else self.points_if_every_criterion_met

    @property
    def points_if_every_criterion_met(self) -> Fraction:
        """The points of an answer that meets every criterion, after the caps of groups and before `full_marks`."""
        return self.points_after_group_caps({c.id: c.points for c in self.criteria})

    def points_after_group_caps(self, points_by_id: Mapping[str, Fraction]) -> Fraction:
        """The sum of the points of the criteria, `points_by_id`, after the caps of groups."""
        deductions = [one.points for group in self.groups for one in group.deductions(points_by_id)]
        return sum([*points_by_id.values(), *deductions], Fraction(0))


# -- Results of scoring: marks whose sum is the score, and remarks for the candidate.

FOUND: Final = "found"
PARTIAL: Final = "partial"
HEDGED: Final = "hedged"
NEGATED: Final = "negated"
CONTRADICTED: Final = "contradicted"
MISSING: Final = "missing"
EARNING_STATUSES: Final = frozenset((FOUND, PARTIAL, HEDGED))  # a mark with any other earns nothing

CharSpan = tuple[int, int]


class CriterionMark(NamedTuple):
    """The mark of one criterion. `evidence_spans` holds [start, end) places in the candidate's text;
    `spelling_corrections` pairs each misspelt word with its correction."""

    criterion_id: str
    status: str
    earned: Fraction
    possible: Fraction
    evidence_spans: tuple[CharSpan, ...] = ()
    because: str = ""
    spelling_corrections: tuple[tuple[str, str], ...] = ()
    is_found_in_part: bool = False  # a near miss; the sum of such marks is capped
    certainty: float = 1.0  # probability that a person would give the same mark


class ScoreAdjustment(NamedTuple):
    """A change to the sum of the marks: the cap of a group, a penalty, full marks, a cap on lists of words."""

    kind: str  # near | group | penalty | gaming | floor | full-marks
    points: Fraction
    because: str
    evidence_spans: tuple[CharSpan, ...] = ()


class TextScore(NamedTuple):
    """The score of a response: `earned` is exactly the sum of marks and adjustments.

    `needs_review`: a person should look at it, because some mark is not sure enough or the words form no sentences."""

    earned: Fraction
    possible: Fraction
    marks: tuple[CriterionMark, ...]
    adjustments: tuple[ScoreAdjustment, ...] = ()
    misconception_ids: tuple[str, ...] = ()
    misconception_corrections: tuple[str, ...] = ()
    cap_flags: tuple[str, ...] = ()
    needs_review: bool = False
    candidate_notes: tuple[str, ...] = ()
