"""Scores and reports as JSON: one line a response, or the whole report."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from quizgen.model import Score


def number(points: Fraction) -> int | float:
    """Points as a JSON number with at most six decimals."""
    return points.numerator if points.denominator == 1 else float(round(points, 6))


def score_fields(item: str, score: Score) -> dict[str, Any]:
    """One score as the fields of a line. Adjustments (a penalty, hints, a cap) stand apart from criteria."""
    fields: dict[str, Any] = {
        "item": item,
        "outcome": str(score.outcome),
        "earned": number(score.earned),
        "possible": number(score.possible),
        "read_as": score.read_as,
        "diagnosis": score.diagnosis,
        "criteria": [
            {
                "id": mark.criterion,
                "status": mark.status,
                "earned": number(mark.earned),
                "possible": number(mark.possible),
                "evidence": [list(span) for span in mark.evidence],
                "because": mark.because,
            }
            for mark in score.marks
            if mark.status
        ],
        "say": list(score.say),
    }
    adjusted = [
        {"id": mark.criterion, "earned": number(mark.earned), "because": mark.because}
        for mark in score.marks
        if not mark.status
    ]
    if adjusted:
        fields["adjustments"] = adjusted
    return fields


def score_text(item: str, score: Score) -> str:
    """The fields of a score as JSON text without the outer braces, for a line to be built around."""
    return json.dumps(score_fields(item, score), ensure_ascii=True, allow_nan=False)[1:-1]
