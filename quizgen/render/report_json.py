"""The whole report as JSON, its item response theory, and its responses as xAPI statements."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, astuple
from typing import Any
from uuid import UUID

from quizgen.analysis.attendance import Attendance, Grade
from quizgen.analysis.equating import FormFigures
from quizgen.analysis.estimates import MIN_RELIABLE_N, Estimate
from quizgen.analysis.irt import CandidateAbility, IrtItem, fit_irt_scale_or_raise
from quizgen.analysis.item_statistics import ItemStatistics, read_definition_by_statistic_name
from quizgen.analysis.report import CandidateResult, Report
from quizgen.model import points_as_json
from quizgen.render.report_csv import attendance_with_grades
from quizgen.scoring.response import ScoredResponse, score_as_json

MAX_LISTED_RESPONSES_PER_ITEM = 20  # responses listed for an item
IRT_DECIMAL_PLACES = 4


def write_json_report(report: Report, write: Callable[[str], None]) -> None:
    """Writes the whole report as one JSON object, with items and candidates written one at a time."""
    attendance = [_attendance_fields(*pair) for pair in attendance_with_grades(report)]
    read = report.line_counts
    counts = {"responses": read.scored_response_count, "counted": read.counted_response_count}
    counts |= {"candidates": report.statistics.score_figures.candidate_count, "sessions": read.session_count}
    counts |= {"sessions_of_another_bank": read.other_digest_session_count, "left_out": read.filtered_out_count}
    counts |= {"damaged": read.damaged_line_count, "noted": read.noted_line_count}
    head = {
        "version": 1,
        "bank": report.bank_name,
        "title": report.title,
        "digest": report.bank_digest,
        "attempt": report.attempt_rule,
        "counts": counts,
        "decisions": list(report.scoring_change_notes),
        **({"attendance": attendance} if attendance else {}),
        **({"forms": [*map(_form_statistics_fields, report.form_figures)]} if report.form_figures else {}),
        "problems": list(report.first_damaged_line_messages),
        "definitions": read_definition_by_statistic_name(),
        "scores": _score_statistics_fields(report),
        "flags": [{"flag": f.name, "item": f.item_id, "say": f.message} for f in report.statistics.flags],
    }
    items = (_encode_indented_json(_item_fields(item, report)) for item in report.statistics.item_statistics)
    write(_encode_indented_json(head)[:-2])
    _write_json_list_field("items", (item.replace("\n", "\n  ") for item in items), write)
    _write_json_list_field("candidates", report.map_candidates(_candidate_json_text), write)
    write("\n}\n")


def _estimate_fields(estimate: Estimate) -> dict[str, Any]:
    fields = {"value": estimate.value, "n": estimate.n, "low": estimate.low, "high": estimate.high}
    note = {"note": f"n = {estimate.n}, below {MIN_RELIABLE_N}: take it as a hint"}
    return fields | (note if 0 < estimate.n < MIN_RELIABLE_N else {})


def _form_statistics_fields(form: FormFigures) -> dict[str, Any]:
    scale, names = form.scale_to_first_form, ("n", "mean", "sd", "anchor", "anchor_sd", "r")
    linear = scale and dict(zip(("slope", "intercept", "error"), astuple(scale), strict=True))
    return {"form": form.form_code, "moments": dict(zip(names, astuple(form.moments), strict=True)), "scale": linear}


_encode_compact_json = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False).encode
# An `Estimate` anywhere in a report becomes its fields.
_encode_indented_json = json.JSONEncoder(indent=1, ensure_ascii=True, allow_nan=False, default=_estimate_fields).encode


def _write_json_list_field(key: str, encoded_values: Iterable[str], write: Callable[[str], None]) -> None:
    write(f',\n "{key}": [')
    for index, text in enumerate(encoded_values):
        write((",\n  " if index else "\n  ") + text)
    write("\n ]")


def _score_statistics_fields(report: Report) -> dict[str, Any]:
    statistics, scores = report.statistics, report.statistics.score_figures
    fields: dict[str, Any] = {"mean": scores.mean_share, "median": scores.median_share, "sd": scores.share_sd}
    fields |= {"skewness": scores.skewness, "kurtosis": scores.kurtosis, "alpha": scores.cronbach_alpha}
    fields |= {"sem": scores.share_standard_error_of_measurement, "alpha_items": scores.alpha_item_count}
    fields |= {"phi": scores.phi_reliability, "consistency": statistics.pass_consistency}
    optional: dict[str, Any] = {"uneven": statistics.form_difficulty_note_or_empty, "warning": scores.alpha_warning}
    if statistics.passed_count is not None and report.pass_share is not None:
        optional["passed"] = {"candidates": statistics.passed_count, "pass": points_as_json(report.pass_share)}
    optional["bands"] = [{"band": name, "candidates": n} for name, n in statistics.bands_and_candidate_counts]
    fields |= {name: value for name, value in optional.items() if value}
    return fields | {"topics": [{"topic": name, **_estimate_fields(share)} for name, share in scores.topics_and_shares]}


def _item_fields(item: ItemStatistics, report: Report) -> dict[str, Any]:
    bank_item = report.items_by_id[item.item_id]
    fields: dict[str, Any] = {"item": item.item_id, "topic": bank_item.topic, "kind": bank_item.kind, "n": item.n}
    fields |= {"difficulty": item.mean_share, "item_rest_correlation": item.rest_correlation}
    fields |= {"upper_lower": item.upper_lower_difference, "omitted": item.blank_response_share}
    fields |= {"unreadable": item.unreadable_response_share, "not_reached": item.not_reached_count}
    fields |= {"median_seconds": item.median_seconds, "p90_seconds": item.p90_seconds, "guessing": item.guessing_share}
    return fields | {
        "options": [
            {"text": o.text, "key": o.is_key, "taken": o.response_count, "share": o.response_share}
            | {"rest_mean": o.mean_share_on_other_items, "correlation": o.rest_correlation}
            | {"upper": o.upper_group_response_count, "lower": o.lower_group_response_count}
            for o in item.option_statistics
        ],
        "answers": [
            {"said": a.text, "n": a.response_count, "correlation": a.rest_correlation}
            for a in item.frequent_wrong_answers[:MAX_LISTED_RESPONSES_PER_ITEM]
        ],
        "criteria": [
            {"id": c.criterion_id, "earned": c.mean_share, "correlation": c.other_items_correlation}
            | {"statuses": dict(c.statuses_and_counts)}
            | {"disputed": report.dispute_count_by_item_criterion.get((item.item_id, c.criterion_id), 0)}
            for c in item.criterion_estimates
        ],
        "alpha_without": item.alpha_without_item,
        "misconceptions": [{"id": name, "n": n} for name, n in item.mistake_ids_and_counts],
        "drawn": [{"name": name, "drawn": value, **_estimate_fields(f)} for name, value, f in item.drawn_value_shares],
    }


def _attendance_fields(row: Attendance, grade: Grade | None) -> dict[str, Any]:
    entry = row.roster_entry
    number, name = (entry.roster_number, entry.name) if entry else (None, None)
    fields: dict[str, Any] = {"candidate": row.id_or_name, "number": number, "name": name, "form": row.form_code}
    fields |= {"status": row.present_absent_or_held, "late_seconds": row.late_seconds, "away_seconds": row.away_seconds}
    clock = {"clock_back_seconds": row.clock_set_back_seconds, "clock_forward_seconds": row.clock_set_forward_seconds}
    fields |= {**clock, "closed_seconds": row.closed_seconds}
    fields |= {"reopened": row.reopened_count, "checks": list(row.unresolved_issues), "notes": list(row.notes)}
    points = (grade.earned, grade.deducted_points, grade.final_points_unless_held) if grade else (None, None, None)
    numbers = (None if one is None else points_as_json(one) for one in points)
    return fields | dict(zip(("raw", "deduction", "final"), numbers, strict=True))


def _candidate_json_text(person: CandidateResult) -> str:
    earned, possible = points_as_json(person.earned), points_as_json(person.possible)
    fields: dict[str, Any] = {"candidate": person.name, "earned": earned, "possible": possible}
    fields |= {"share": person.points_share, "band": person.score_band.name if person.score_band else None}
    responses = []
    for response in person.responses:
        details = {"session": response.session_id, "seconds": response.seconds, "response": response.response}
        responses.append(score_as_json(response.item_id, response.score) | details)
    return _encode_compact_json(fields | {"not_reached": list(person.not_reached_item_ids), "responses": responses})


def write_irt_report(report: Report, write: Callable[[str], None]) -> None:
    """Writes the scale. Raises AnalysisNotPossibleError for too few responses or an extra that is not installed."""
    shares = (
        (person.label, {a.item_id: float(a.earned / a.possible) for a in person.responses if a.possible})
        for person in report.read_candidates()
    )
    scale = fit_irt_scale_or_raise(shares)

    def rounded_fields(estimate: IrtItem | CandidateAbility) -> dict[str, object]:
        keys = {"item_id": "item", "response_count": "n", "candidate_label": "candidate", "item_count": "n"}
        values = [(keys.get(name, name), value) for name, value in asdict(estimate).items()]
        return {key: round(value, IRT_DECIMAL_PLACES) if isinstance(value, float) else value for key, value in values}

    omega = None if scale.mcdonald_omega is None else round(scale.mcdonald_omega, IRT_DECIMAL_PLACES)
    model = "2PL, marginal maximum likelihood; abilities EAP; right: at least half of the points"
    fields = {"version": 1, "bank": report.bank_name, "model": model, "omega": omega}
    fields |= {"left_out": list(scale.excluded_item_ids), "items": [*map(rounded_fields, scale.items)]}
    fields |= {"candidates": [*map(rounded_fields, scale.abilities)]}
    write(json.dumps(fields, ensure_ascii=False, indent=1) + "\n")


# Responses as xAPI statements (answered), one JSON line each. They contain no keys, mail addresses or names: the actor
# is an opaque account derived from the candidate's name, and the correct response pattern is left out.


QUIZGEN_URN_PREFIX = "urn:quizgen"
_ZONED_TIME_PATTERN = re.compile(r"[^T]{10}T[^T]{8,}(Z|[+-]\d\d:\d\d)")  # a time with a zone; the log checks the rest
XAPI_TYPE_BY_KIND = {"choice": "choice", "numeric": "numeric", "text": "long-fill-in"}


def write_xapi_statements(report: Report, write: Callable[[str], None]) -> None:
    """Writes one statement for each response that counts."""

    def statement_lines(person: CandidateResult) -> str:
        numbered = enumerate(person.responses)
        return "".join([_encode_compact_json(_xapi_statement(report, person, one, n)) + "\n" for n, one in numbered])

    for text in report.map_candidates(statement_lines):
        write(text)


def _xapi_statement(report: Report, person: CandidateResult, response: ScoredResponse, number: int) -> dict[str, Any]:
    result: dict[str, Any] = {"success": response.outcome == "correct", "completion": response.outcome != "blank"}
    if response.possible:  # the standard has no scores out of nothing
        result["score"] = {"raw": points_as_json(response.earned), "min": 0, "max": points_as_json(response.possible)}
        result["score"]["scaled"] = round(max(-1.0, min(1.0, float(response.earned / response.possible))), 6)
    if response.response is not None:
        # xAPI joins several options by [,].
        result["response"] = response.response if isinstance(response.response, str) else "[,]".join(response.response)
    if response.seconds is not None:
        seconds = f"{round(response.seconds, 2):g}" if response.seconds < 1e5 else str(round(response.seconds))
        result["duration"] = f"PT{seconds}S"
    # The candidate or, for a line without a name, the checksum of the line.
    owner = person.candidate_key if person.name else person.candidate_key.partition(":")[0]
    # The same id every time, so that a statement that is sent twice is stored once.
    facts = (response.item_id, response.session_id, response.answered_time_text, repr(response.response), number)
    actor = _sha256_32_digits(f"quizgen actor\0{owner}")
    statement: dict[str, Any] = {
        "id": str(UUID(hex=_sha256_32_digits("\0".join(map(str, (report.bank_digest, owner, *facts)))), version=5)),
        "actor": {"objectType": "Agent", "account": {"homePage": QUIZGEN_URN_PREFIX, "name": actor}},
        "verb": {"id": "http://adlnet.gov/expapi/verbs/answered", "display": {"en": "answered"}},
        "object": {
            "objectType": "Activity",
            "id": f"{QUIZGEN_URN_PREFIX}:item:{response.item_id}",
            "definition": {
                "type": "http://adlnet.gov/expapi/activities/cmi.interaction",
                "interactionType": XAPI_TYPE_BY_KIND.get(report.items_by_id[response.item_id].kind, "other"),
            },
        },
        "result": result,
    }
    if response.answered_time_text is not None and _ZONED_TIME_PATTERN.fullmatch(response.answered_time_text):
        statement["timestamp"] = response.answered_time_text
    return statement


def _sha256_32_digits(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
