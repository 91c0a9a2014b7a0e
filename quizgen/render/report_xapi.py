"""Responses as xAPI statements (answered), one JSON line each.

They contain no keys, mail addresses or names: the actor is an opaque account derived from the candidate's name, and the
correct response pattern is left out."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from quizgen.analysis.report import CandidateResult, Report
from quizgen.model import points_as_json
from quizgen.scoring.response import ScoredResponse

URN_PREFIX = "urn:quizgen"
_ZONED_TIME_PATTERN = re.compile(r"[^T]{10}T[^T]{8,}(Z|[+-]\d\d:\d\d)")  # a time with a zone; the log checks the rest
INTERACTION_TYPES = {"choice": "choice", "numeric": "numeric", "text": "long-fill-in"}


def xapi_statements(report: Report, write: Callable[[str], None]) -> None:
    """Writes one statement for each response that counts."""

    def lines(person: CandidateResult) -> str:
        said = (_statement(report, person, one, number) for number, one in enumerate(person.responses))
        return "".join([json.dumps(one, ensure_ascii=True, allow_nan=False) + "\n" for one in said])

    for text in report.map_candidates(lines):
        write(text)


def _statement(report: Report, person: CandidateResult, one: ScoredResponse, number: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "success": one.outcome == "correct",
        "completion": one.outcome != "blank",
        "score": {"raw": points_as_json(one.earned), "min": 0, "max": points_as_json(one.possible)},
    }
    if one.possible:
        result["score"]["scaled"] = round(max(-1.0, min(1.0, float(one.earned / one.possible))), 6)
    if one.response is not None:
        # xAPI joins several options by [,].
        result["response"] = one.response if isinstance(one.response, str) else "[,]".join(one.response)
    if one.seconds is not None:
        result["duration"] = f"PT{round(one.seconds, 2):g}S" if one.seconds < 1e5 else f"PT{round(one.seconds)}S"
    who = hashlib.sha256(f"quizgen actor\0{_actor_text(person)}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    statement: dict[str, Any] = {
        "id": _statement_id(report.digest, person, one, number),
        "actor": {"objectType": "Agent", "account": {"homePage": URN_PREFIX, "name": who}},
        "verb": {"id": "http://adlnet.gov/expapi/verbs/answered", "display": {"en": "answered"}},
        "object": {
            "objectType": "Activity",
            "id": f"{URN_PREFIX}:item:{one.item}",
            "definition": {
                "type": "http://adlnet.gov/expapi/activities/cmi.interaction",
                "interactionType": INTERACTION_TYPES.get(report.items[one.item].kind, "other"),
            },
        },
        "result": result,
    }
    if one.at is not None and _ZONED_TIME_PATTERN.fullmatch(one.at):
        statement["timestamp"] = one.at
    return statement


def _actor_text(person: CandidateResult) -> str:
    """The candidate or, for a line without a name, the checksum of the line."""
    return person.table_name if person.name else person.table_name.partition(":")[0]


def _statement_id(digest: str, person: CandidateResult, one: ScoredResponse, number: int) -> str:
    """The statement's id, the same every time, so that a statement that is sent twice is stored once."""
    text = f"{digest}\0{_actor_text(person)}\0{one.item}\0{one.session}\0{one.at}\0{one.response!r}\0{number}"
    h = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{h[:8]}-{h[8:12]}-5{h[13:16]}-{'89ab'[int(h[16], 16) % 4]}{h[17:20]}-{h[20:32]}"
