"""A scored response: one response to one variant, its score, and its place in a log.

Every report reads `ScoredResponse`. Points are exact fractions; in a table they are whole numbers of a small unit, so
that sums do not depend on the order of rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from quizgen.answer_areas import UNREAD_RESPONSE
from quizgen.model import (
    Outcome,
    Response,
    Score,
    Variant,
    deduct_hint_cost,
    points_as_json,
    response_text,
    scale_score,
)

# A multiple of every denominator up to 16 and of a million; finer fractions round to 1e-12 points. Plain micro-points
# would make three thirds 0.999999.
UNITS_PER_POINT = 720_720_000_000


def points_in_units(points: Fraction) -> int:
    """Points in whole units, rounded half to even."""
    units, rest = divmod(points.numerator * UNITS_PER_POINT, points.denominator)
    return round(points * UNITS_PER_POINT) if rest else units


@dataclass(frozen=True, slots=True)
class ScoredResponse:
    """One response of a log with its score. `earned` and `possible` are the points that count (the session may have set
    its own), `line` is the line number in `file`, `answered_at` the time as logged. `score` has no marks if the run
    keeps no reasons, as for a matrix."""

    item_id: str
    topic: str
    response: Response | None
    score: Score
    earned: Fraction
    possible: Fraction
    file: str
    line: int
    session: str | None = None
    seconds: float | None = None
    answered_at: str | None = None

    @property
    def outcome(self) -> str:
        return self.score.outcome.value

    @property
    def mistake_id(self) -> str | None:
        return self.score.mistake_id

    @property
    def is_unread_on_paper(self) -> bool:
        """Whether the response is on paper and still unread; a response typed on a screen has a time."""
        return self.response == UNREAD_RESPONSE and self.answered_at is None and self.seconds is None

    @property
    def response_text(self) -> str:
        """The response as one text."""
        return response_text(self.response)


def score_response(
    variant: Variant,
    response: Response,
    points: Fraction | None = None,
    hint_count: int = 0,
    earlier_response: Response | None = None,
) -> Score:
    """The score of a response to a variant out of `points` (None: the item's own), minus the cost of `hint_count`
    hints. `earlier_response` is the candidate's own response to the part before."""
    score = variant.score(response) if earlier_response is None else variant.score_after(response, earlier_response)
    score = score if points is None else scale_score(score, points)
    return with_outcome_of_marks(deduct_hint_cost(score, hint_count)) if hint_count > 0 else score


def with_outcome_of_marks(score: Score) -> Score:
    """The score with the outcome that follows from its marks."""
    earned, possible = score.earned, score.possible
    if possible == 0 or (earned == 0 and score.outcome in (Outcome.BLANK, Outcome.UNREADABLE)):
        return score
    return replace(score, outcome=Outcome.of_points(earned, possible))


def score_fields(item: str, score: Score) -> dict[str, Any]:
    """The score as the fields of a JSON line. Adjustments (a penalty, hints, a cap) are not among the criteria."""
    criteria = [
        {
            "id": mark.criterion,
            "status": mark.status,
            "earned": points_as_json(mark.earned),
            "possible": points_as_json(mark.possible),
            "evidence": [list(span) for span in mark.evidence_spans],
            "because": mark.because,
        }
        | ({} if mark.certainty is None else {"sure": round(mark.certainty, 3)})
        for mark in score.marks
        if mark.status
    ]
    fields: dict[str, Any] = {
        "item": item,
        "outcome": score.outcome.value,
        "earned": points_as_json(score.earned),
        "possible": points_as_json(score.possible),
        "read_as": score.read_as,
        "diagnosis": score.mistake_id,
        "criteria": criteria,
        "say": list(score.remarks),
    }
    if any(mark.certainty is not None for mark in score.marks):
        fields["review"] = bool(score.review_reasons)
    adjustments = [
        {"id": mark.criterion, "earned": points_as_json(mark.earned), "because": mark.because}
        for mark in score.marks
        if not mark.status
    ]
    return fields | ({"adjustments": adjustments} if adjustments else {})
