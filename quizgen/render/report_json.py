"""Scores and reports as JSON: one line a response, or the whole report."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from quizgen.analysis.figures import DEFINITIONS, Figure, ItemFigures
from quizgen.analysis.report import Person, Report
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


def json_report(report: Report, write: Callable[[str], None]) -> None:
    """The whole report as one JSON object; candidates are written one at a time."""
    head = {
        "version": 1,
        "bank": report.bank,
        "title": report.title,
        "digest": report.digest,
        "attempt": report.attempt,
        "files": list(report.files),
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
    for person in report.people():
        write(ahead + json.dumps(_person(person, len(report.files) > 1), ensure_ascii=True, allow_nan=False))
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
    fields["topics"] = [{"topic": t, "responses": n, "share": s} for t, n, s in scores.topics]
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


def _person(person: Person, several: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "candidate": person.name,
        "earned": number(person.earned),
        "possible": number(person.possible),
        "share": person.share,
        "band": person.band.name if person.band else None,
        "not_reached": list(person.not_reached),
        "responses": [],
    }
    for one in person.answered:
        line: dict[str, Any] = {"line": one.line}
        if several:
            line["file"] = one.file
        if one.score is not None:
            line |= score_fields(one.item, one.score)
        else:
            line |= {
                "item": one.item,
                "outcome": one.outcome,
                "earned": number(one.earned),
                "possible": number(one.possible),
                "diagnosis": one.diagnosis,
            }
        line["seconds"] = one.seconds
        if one.response is not None:
            line["response"] = one.response
        fields["responses"].append(line)
    return fields
