"""A scored response as text: written once, where it is scored, and read by every report.

The first line is the JSON object of the response as reports show it (the fields of a score, then session,
seconds and response), the second what else a report may say: when it was given, and why a person should
look at it. Points have at most six decimals here; sums are made of `Summary`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from quizgen.model import ZERO, Given, Mark, Outcome, Score

encoded = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False).encode
_decoded = json.JSONDecoder().decode


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
                **({} if mark.sure is None else {"sure": round(mark.sure, 3)}),
            }
            for mark in score.marks
            if mark.status
        ],
        "say": list(score.say),
    }
    if any(mark.sure is not None for mark in score.marks):
        fields["review"] = bool(score.review)
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
    return encoded(score_fields(item, score))[1:-1]


def score_line(
    text: str, review: tuple[str, ...], session: str | None, seconds: float | None, response: Given, at: str | None
) -> bytes:
    """What `Told` reads, of the text of a score and of what its line says beside it."""
    rest = encoded({"session": session, "seconds": seconds, "response": response})
    return f"{{{text}, {rest[1:]}\n{encoded([at, review])}".encode("ascii")


class Told:
    """A scored response as it was written. Read no further than it is asked."""

    def __init__(self, data: bytes) -> None:
        self.text, _, self._more = data.decode("ascii").partition("\n")

    @cached_property
    def fields(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = _decoded(self.text)
        return found

    @property
    def response(self) -> Given:
        given = self.fields["response"]
        return tuple(given) if isinstance(given, list) else str(given)

    @property
    def at(self) -> str | None:
        at: str | None = _decoded(self._more)[0]
        return at

    def out_of(self, factor: Fraction) -> Told:
        """The same with all points that many times as large: a session's points count, not those of a line."""

        def larger(points: float) -> int | float:
            return number(_points(points) * factor)

        fields = dict(self.fields)
        fields |= {name: larger(fields[name]) for name in ("earned", "possible")}
        for part in ("criteria", "adjustments"):
            if part in fields:
                names = ("earned", "possible") if part == "criteria" else ("earned",)
                fields[part] = [{**mark, **{name: larger(mark[name]) for name in names}} for mark in fields[part]]
        return Told(f"{encoded(fields)}\n{self._more}".encode("ascii"))

    @cached_property
    def score(self) -> Score:
        """The score again, its points to six decimals."""
        fields = self.fields
        return Score(
            Outcome(fields["outcome"]),
            (
                *(
                    Mark(
                        m["id"],
                        _points(m["earned"]),
                        _points(m["possible"]),
                        m["because"],
                        m["status"],
                        tuple((start, end) for start, end in m["evidence"]),
                        m.get("sure"),
                    )
                    for m in fields["criteria"]
                ),
                *(Mark(m["id"], _points(m["earned"]), ZERO, m["because"]) for m in fields.get("adjustments", ())),
            ),
            fields["read_as"],
            fields["diagnosis"],
            tuple(fields["say"]),
            tuple(_decoded(self._more)[1]),
        )


def _points(value: float) -> Fraction:
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))
