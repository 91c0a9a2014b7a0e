"""Points: what one response earns, in exact fractions and in whole units that can be summed in any order."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from quizgen.credit import after_hints, scaled
from quizgen.model import Given, Outcome, Score, Variant

# Sums are kept in whole units of a point, so that their order cannot matter. The unit divides every
# fraction with a denominator up to 16 and six decimals; anything finer is rounded to 1e-12 points.
UNIT = 720_720_000_000


def units(points: Fraction) -> int:
    """Points in whole units, rounded half to even."""
    return round(points * UNIT)


def score_response(
    variant: Variant, response: Given, points: Fraction | None = None, hints: int = 0, earlier: Given | None = None
) -> Score:
    """What a response to a variant earns, out of `points` (None: the item's own), less its hints. `earlier` is the
    candidate's own response to the part before."""
    score = scaled(variant.score(response) if earlier is None else variant.score_after(response, earlier), points)
    return judged(after_hints(score, hints)) if hints > 0 else score


def judged(score: Score) -> Score:
    """The score with the outcome that its marks now deserve."""
    if score.outcome in (Outcome.BLANK, Outcome.UNREADABLE) and score.earned == 0:
        return score
    earned, possible = score.earned, score.possible
    if possible == 0:
        return score
    outcome = Outcome.CORRECT if earned >= possible else Outcome.INCORRECT if earned <= 0 else Outcome.PARTIAL
    return replace(score, outcome=outcome)
