"""Responses as xAPI statements (answered), one JSON line each.

They contain no keys, mail addresses or names: the actor is an opaque account derived from the candidate's name, and the
correct response pattern is left out."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from quizgen.analysis.report import CandidateResult, Report
from quizgen.model import points_as_json
from quizgen.scoring.response import ScoredResponse

URN_PREFIX = "urn:quizgen"
_ZONED_TIME_PATTERN = re.compile(r"[^T]{10}T[^T]{8,}(Z|[+-]\d\d:\d\d)")  # a time with a zone; the log checks the rest
INTERACTION_TYPES = {"choice": "choice", "numeric": "numeric", "text": "long-fill-in"}


def write_xapi_statements(report: Report, write: Callable[[str], None]) -> None:
    """Writes one statement for each response that counts."""

    def statement_lines(person: CandidateResult) -> str:
        statements = (_xapi_statement(report, person, one, number) for number, one in enumerate(person.responses))
        return "".join([json.dumps(one, ensure_ascii=True, allow_nan=False) + "\n" for one in statements])

    for text in report.map_candidates(statement_lines):
        write(text)


def _xapi_statement(report: Report, person: CandidateResult, response: ScoredResponse, number: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "success": response.outcome == "correct",
        "completion": response.outcome != "blank",
        "score": {"raw": points_as_json(response.earned), "min": 0, "max": points_as_json(response.possible)},
    }
    if response.possible:
        result["score"]["scaled"] = round(max(-1.0, min(1.0, float(response.earned / response.possible))), 6)
    if response.response is not None:
        # xAPI joins several options by [,].
        result["response"] = response.response if isinstance(response.response, str) else "[,]".join(response.response)
    if response.seconds is not None:
        seconds = f"{round(response.seconds, 2):g}" if response.seconds < 1e5 else str(round(response.seconds))
        result["duration"] = f"PT{seconds}S"
    # The candidate or, for a line without a name, the checksum of the line.
    who = person.table_key if person.name else person.table_key.partition(":")[0]
    # The same id every time, so that a statement that is sent twice is stored once.
    given = (response.item_id, response.session, response.answered_at, repr(response.response), number)
    statement: dict[str, Any] = {
        "id": str(UUID(hex=_sha256_prefix("\0".join(map(str, (report.bank_digest, who, *given)))), version=5)),
        "actor": {
            "objectType": "Agent",
            "account": {"homePage": URN_PREFIX, "name": _sha256_prefix(f"quizgen actor\0{who}")},
        },
        "verb": {"id": "http://adlnet.gov/expapi/verbs/answered", "display": {"en": "answered"}},
        "object": {
            "objectType": "Activity",
            "id": f"{URN_PREFIX}:item:{response.item_id}",
            "definition": {
                "type": "http://adlnet.gov/expapi/activities/cmi.interaction",
                "interactionType": INTERACTION_TYPES.get(report.items_by_id[response.item_id].kind, "other"),
            },
        },
        "result": result,
    }
    if response.answered_at is not None and _ZONED_TIME_PATTERN.fullmatch(response.answered_at):
        statement["timestamp"] = response.answered_at
    return statement


def _sha256_prefix(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
