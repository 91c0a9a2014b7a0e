"""Scores and reports as JSON: one line a response, or the whole report."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from quizgen.analysis.figures import DEFINITIONS, Figure, ItemFigures
from quizgen.analysis.report import Answered, Person, Report
from quizgen.model import Score

TEXTS = 4_096  # scores whose text is remembered


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


def json_report(report: Report, write: Callable[[str], None]) -> None:
    """The whole report as one JSON object; candidates are written one at a time."""
    head = {
        "version": 1,
        "bank": report.bank,
        "title": report.title,
        "digest": report.digest,
        "attempt": report.attempt,
        "counts": {
            "responses": report.responses,
            "counted": report.counted,
            "candidates": report.scores.candidates,
            "sessions": report.sessions,
            "sessions_of_another_bank": report.changed,
            "left_out": report.left_out,
            "damaged": report.damaged,
            "noted": report.noted,
        },
        "decisions": list(report.decisions),
        "problems": list(report.problems),
        "definitions": DEFINITIONS,
        "scores": _scores(report),
        "flags": [{"flag": f.name, "item": f.item, "say": f.say} for f in report.flags],
        "items": [_item(item, report) for item in report.items],
    }
    write(json.dumps(head, indent=1, ensure_ascii=True, allow_nan=False)[:-2])
    write(',\n "candidates": [')
    ahead = "\n  "
    texts = _Texts()
    for person in report.people():
        write(ahead + _person(person, texts))
        ahead = ",\n  "
    write("\n ]\n}\n")


def _scores(report: Report) -> dict[str, Any]:
    scores = report.scores
    fields: dict[str, Any] = {
        name: _figure(getattr(scores, name))
        for name in ("mean", "median", "sd", "skewness", "kurtosis", "alpha", "sem")
    }
    fields["alpha_items"] = scores.items
    if scores.warning:
        fields["warning"] = scores.warning
    if report.passed is not None and report.pass_share is not None:
        fields["passed"] = {"candidates": report.passed, "pass": number(report.pass_share)}
    if report.in_bands:
        fields["bands"] = [{"band": name, "candidates": n} for name, n in report.in_bands]
    fields["topics"] = [{"topic": name, **_figure(share)} for name, share in scores.topics]
    return fields


def _figure(figure: Figure) -> dict[str, Any]:
    fields: dict[str, Any] = {"value": figure.value, "n": figure.n, "low": figure.low, "high": figure.high}
    if figure.note and figure.n:
        fields["note"] = figure.note
    return fields


def _item(item: ItemFigures, report: Report) -> dict[str, Any]:
    line = report.lines[item.item]
    return {
        "item": item.item,
        "topic": line.topic,
        "kind": line.kind,
        "n": item.n,
        "difficulty": _figure(item.difficulty),
        "item_rest_correlation": _figure(item.correlation),
        "upper_lower": _figure(item.upper_lower),
        "omitted": _figure(item.omitted),
        "unreadable": _figure(item.unreadable),
        "not_reached": item.not_reached,
        "median_seconds": _figure(item.median),
        "p90_seconds": _figure(item.p90),
        "guessing": item.guessing,
        "options": [
            {
                "text": o.text,
                "key": o.key,
                "taken": o.taken,
                "share": _figure(o.share),
                "rest_mean": o.rest_mean,
                "correlation": _figure(o.correlation),
                "upper": o.upper,
                "lower": o.lower,
            }
            for o in item.options
        ],
        "misconceptions": [{"id": name, "n": n} for name, n in item.diagnoses],
        "drawn": [{"name": name, "drawn": value, **_figure(f)} for name, value, f in item.values],
    }


class _Texts:
    """Scores as JSON text. The same score comes again and again, so each is written out once."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Score, str]] = {}  # by id; the score is held, so the id stays its own

    def of(self, item: str, score: Score) -> str:
        found = self._kept.get(id(score))
        if found is None:
            if len(self._kept) >= TEXTS:
                self._kept.clear()
            found = self._kept[id(score)] = (score, score_text(item, score))
        return found[1]


def _person(person: Person, texts: _Texts) -> str:
    fields = {
        "candidate": person.name,
        "earned": number(person.earned),
        "possible": number(person.possible),
        "share": person.share,
        "band": person.band.name if person.band else None,
        "not_reached": list(person.not_reached),
    }
    responses = ", ".join([_answered(one, texts) for one in person.answered])
    return f'{_dumps(fields)[:-1]}, "responses": [{responses}]}}'


def _answered(one: Answered, texts: _Texts) -> str:
    if one.score is not None:
        told = texts.of(one.item, one.score)
    else:
        told = _dumps(
            {
                "item": one.item,
                "outcome": one.outcome,
                "earned": number(one.earned),
                "possible": number(one.possible),
                "diagnosis": one.diagnosis,
            }
        )[1:-1]
    rest = {"session": one.session, "seconds": one.seconds, "response": one.response}
    return f"{{{told}, {_dumps(rest)[1:]}"


_dumps = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False).encode
