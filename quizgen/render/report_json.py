"""The whole report as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, fields
from typing import Any

from quizgen.analysis.attendance import Attendance, Grade
from quizgen.analysis.item_statistics import DEFINITIONS, ItemFigures, OptionFigures
from quizgen.analysis.reliability import Estimate
from quizgen.analysis.report import Person, Report
from quizgen.model import points_as_json
from quizgen.render.gradebook import grade_rows
from quizgen.scoring.response import ScoredResponse, score_fields

MAX_LISTED_RESPONSES = 20  # responses listed for an item


def json_report(report: Report, write: Callable[[str], None]) -> None:
    """Writes the whole report as one JSON object, with items and candidates written one at a time."""
    head = {
        "version": 1,
        "bank": report.bank,
        "title": report.title,
        "digest": report.digest,
        "attempt": report.attempt,
        "counts": {
            "responses": report.counts.responses,
            "counted": report.counts.counted,
            "candidates": report.statistics.scores.candidates,
            "sessions": report.counts.sessions,
            "sessions_of_another_bank": report.counts.changed,
            "left_out": report.counts.filtered_out,
            "damaged": report.counts.damaged,
            "noted": report.counts.noted,
        },
        "decisions": list(report.decisions),
        **({"attendance": [_attendance_fields(*both) for both in grade_rows(report)]} if report.attendance else {}),
        **({"forms": [asdict(one) for one in report.forms]} if report.forms else {}),
        "problems": list(report.problems),
        "definitions": DEFINITIONS,
        "scores": _score_fields(report),
        "flags": [{"flag": f.name, "item": f.item, "say": f.say} for f in report.statistics.flags],
    }
    write(_indented_json(head)[:-2])
    _write_list(
        "items",
        (_indented_json(_item_fields(item, report)).replace("\n", "\n  ") for item in report.statistics.items),
        write,
    )
    _write_list("candidates", report.each(_person_json), write)
    write("\n}\n")


compact_json = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False).encode
_indented_json = json.JSONEncoder(indent=1, ensure_ascii=True, allow_nan=False).encode


def _write_list(name: str, texts: Iterable[str], write: Callable[[str], None]) -> None:
    write(f',\n "{name}": [')
    ahead = "\n  "
    for text in texts:
        write(ahead + text)
        ahead = ",\n  "
    write("\n ]")


def _score_fields(report: Report) -> dict[str, Any]:
    scores = report.statistics.scores
    fields: dict[str, Any] = {
        name: _figure_fields(getattr(scores, name))
        for name in ("mean", "median", "sd", "skewness", "kurtosis", "alpha", "sem")
    }
    fields["alpha_items"] = scores.items
    fields["phi"] = _figure_fields(scores.phi)
    fields["consistency"] = _figure_fields(report.statistics.consistency)
    if report.statistics.uneven:
        fields["uneven"] = report.statistics.uneven
    if scores.warning:
        fields["warning"] = scores.warning
    if report.statistics.passed is not None and report.pass_share is not None:
        fields["passed"] = {"candidates": report.statistics.passed, "pass": points_as_json(report.pass_share)}
    if report.statistics.in_bands:
        fields["bands"] = [{"band": name, "candidates": n} for name, n in report.statistics.in_bands]
    fields["topics"] = [{"topic": name, **_figure_fields(share)} for name, share in scores.topics]
    return fields


def _figure_fields(figure: Estimate) -> dict[str, Any]:
    fields: dict[str, Any] = {"value": figure.value, "n": figure.n, "low": figure.low, "high": figure.high}
    if figure.note and figure.n:
        fields["note"] = figure.note
    return fields


def _item_fields(item: ItemFigures, report: Report) -> dict[str, Any]:
    line = report.items[item.item]
    return {
        "item": item.item,
        "topic": line.topic,
        "kind": line.kind,
        "n": item.n,
        "difficulty": _figure_fields(item.difficulty),
        "item_rest_correlation": _figure_fields(item.correlation),
        "upper_lower": _figure_fields(item.upper_lower),
        "omitted": _figure_fields(item.omitted),
        "unreadable": _figure_fields(item.unreadable),
        "not_reached": item.not_reached,
        "median_seconds": _figure_fields(item.median),
        "p90_seconds": _figure_fields(item.p90),
        "guessing": item.guessing,
        "options": [_option_fields(o) for o in item.options],
        "answers": [
            {"said": a.text, "n": a.taken, "correlation": _figure_fields(a.correlation)}
            for a in item.answers[:MAX_LISTED_RESPONSES]
        ],
        "criteria": [
            {
                "id": c.criterion,
                "earned": _figure_fields(c.share),
                "correlation": _figure_fields(c.correlation),
                "statuses": dict(c.statuses),
                "disputed": report.disputes.get((item.item, c.criterion), 0),
            }
            for c in item.criteria
        ],
        "alpha_without": item.alpha_without,
        "misconceptions": [{"id": name, "n": n} for name, n in item.diagnoses],
        "drawn": [{"name": name, "drawn": value, **_figure_fields(f)} for name, value, f in item.values],
    }


def _option_fields(option: OptionFigures) -> dict[str, Any]:
    values = {one.name: getattr(option, one.name) for one in fields(option)}
    return {name: _figure_fields(value) if isinstance(value, Estimate) else value for name, value in values.items()}


def _attendance_fields(row: Attendance, grade: Grade | None) -> dict[str, Any]:
    return {
        "candidate": row.who,
        "number": row.person.number if row.person else None,
        "name": row.person.name if row.person else None,
        "form": row.form,
        "status": row.status,
        "late_seconds": row.late,
        "away_seconds": row.away,
        "clock_back_seconds": row.back,
        "clock_forward_seconds": row.forward,
        "closed_seconds": row.closed,
        "reopened": row.restores,
        "checks": list(row.checks),
        "notes": list(row.notes),
        "raw": points_as_json(grade.raw) if grade else None,
        "deduction": points_as_json(grade.deduction) if grade else None,
        "final": points_as_json(grade.final) if grade and grade.final is not None else None,
    }


def _person_json(person: Person) -> str:
    head = {
        "candidate": person.name,
        "earned": points_as_json(person.earned),
        "possible": points_as_json(person.possible),
        "share": person.share,
        "band": person.band.name if person.band else None,
        "not_reached": list(person.not_reached),
    }
    responses = ", ".join([_response_json(one) for one in person.answered])
    return f'{compact_json(head)[:-1]}, "responses": [{responses}]}}'


def _response_json(one: ScoredResponse) -> str:
    fields = score_fields(one.item, one.score)
    return compact_json({**fields, "session": one.session, "seconds": one.seconds, "response": one.response})
