"""What a score comes to in a form: a section's points, the cost of hints, the band it reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from quizgen.model import ZERO, Band, Mark, Outcome, Score

# Version of the rules of marking, written into sessions and manifests. 2: numbers count as people round them.
RULES = 2

# What a candidate claims of a criterion, as a share of its points, and in words.
CLAIMED_SHARE = {"full": Fraction(1), "part": Fraction(1, 2), "no": Fraction(0)}
CLAIM_WORDS = {"full": "fully", "part": "partly", "no": "no"}


def band_of(share: Fraction, bands: Sequence[Band]) -> Band | None:
    """The highest band that a share of the points reaches."""
    reached = [b for b in bands if share >= b.start]
    return max(reached, key=lambda b: b.start, default=None)


def scaled(score: Score, points: Fraction | None) -> Score:
    """The same score out of `points`, each mark in proportion (a section that sets its points)."""
    if points is None or score.possible in (0, points):
        return score
    factor = points / score.possible
    marks = tuple(replace(m, earned=m.earned * factor, possible=m.possible * factor) for m in score.marks)
    return replace(score, marks=marks)


def hint_cost(taken: int) -> Fraction:
    """The share of what a response earns that `taken` hints cost: 10 % for the first, 20 % more for
    the second, 30 % more for each later one, never over 90 %."""
    steps = (Fraction(0), Fraction(1, 10), Fraction(3, 10), Fraction(6, 10))
    return steps[max(taken, 0)] if taken < len(steps) else Fraction(9, 10)


def after_hints(score: Score, taken: int) -> Score:
    """The same score after the cost of its hints, as a mark of its own that says so.

    The one rule for the debrief of a session and for the scoring of its log (`hints` on a line).
    """
    cost = hint_cost(taken) * score.earned
    if cost == 0:
        return score
    because = f"{taken} hint{'s' * (taken != 1)}: {round(hint_cost(taken) * 100)} % of what was earned"
    outcome = Outcome.PARTIAL if score.outcome is Outcome.CORRECT else score.outcome
    return replace(score, outcome=outcome, marks=(*score.marks, Mark("hints", -cost, ZERO, because)))
