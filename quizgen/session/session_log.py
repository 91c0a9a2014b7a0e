"""The lines of an answer log: written for a session, and read again to resume it.

A bad line never stops the reading. This reader is for the user's own logs; `quizgen score` reads logs from anywhere."""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quizgen.model import MARKING_RULES_VERSION, MAX_LOG_LINE_BYTES, Response
from quizgen.session.interview import Dispute, Interview, ItemState, Mode, Rules

LOG_VERSION = 1
DISPUTE_CLAIMS = ("full", "part", "no")
MAX_RESPONSE_BYTES, MAX_SCRATCH_BYTES = MAX_LOG_LINE_BYTES // 2, MAX_LOG_LINE_BYTES // 4  # one line holds both

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SessionIdentity:
    """The fields that every line of a session repeats, and the bank's data for the first line. `base_folder` is the
    folder to which the path `bank_name` is relative; empty for a bank that ships or an absolute path."""

    session_id: str
    candidate: str
    bank_name: str
    bank_digest: str
    base_folder: str = ""


def session_first_line(identity: SessionIdentity, session: Interview, utc_time: str) -> Record:
    """The first line of a session; `utc_time` is UTC, ISO 8601."""
    form = session.form
    names = [p.item.id for p in session.item_states]
    line = header_line(identity, form.seed, names, utc_time, float(form.minutes), session.rules)
    line |= {"mode": session.rules.mode.value, "title": form.title}
    if form.blueprint_name:
        line["blueprint"] = form.blueprint_name
    entries = [state.entry for state in session.item_states if state.entry.points]
    if entries:
        line["points"] = {e.variant.item.id: _rounded_number(float(e.points or 0)) for e in entries}
    return line


def header_line(
    identity: SessionIdentity, seed: str, item_ids: list[str], utc_time: str, minutes: float, rules: Rules
) -> Record:
    """The first line in the log of a session or a case."""
    line = _log_line(
        "session",
        identity.session_id,
        candidate=identity.candidate,
        bank=identity.bank_name,
        digest=identity.bank_digest,
        seed=seed,
    )
    line |= {
        "items": item_ids,
        "started": utc_time,
        "minutes": _rounded_number(minutes),
        "rules": MARKING_RULES_VERSION,
    }
    if identity.base_folder:
        line["folder"] = identity.base_folder
    if not rules.is_timed:
        line["untimed"] = True
    if rules.time_multiplier != 1:
        line["multiplier"] = rules.time_multiplier
    return line


def response_line(identity: SessionIdentity, session: Interview, index: int, utc_time: str, now: float) -> Record:
    """The log line of the response to item `index`. Its `elapsed` is the number of seconds that the session has used,
    for a resume."""
    place = session.item_states[index]
    variant, who = place.variant, identity.candidate
    line = _log_line("response", identity.session_id, candidate=who, item=place.item.id, seed=variant.seed)
    if variant.drawn_value_texts():
        line["given"] = dict(variant.drawn_value_texts())
    line |= {
        "response": _json_response(place.response if place.response is not None else ""),
        "seconds": round(place.seconds_spent, 1),
        "at": utc_time,
        "late": place.is_late,
        "confidence": place.confidence,
        "hints": place.paid_hint_count,
        "flagged": place.flagged,
        "elapsed": round(session.seconds_spent(now), 3),
    }
    points, earlier = place.entry.points, place.earlier_response
    optional_fields = {
        "skipped": place.was_skipped or None,
        "points": None if points is None else _rounded_number(float(points)),
        "probe": place.probed or None,
        "earlier": None if earlier is None else _json_response(earlier),
        "follow_up": place.is_follow_up or None,
        "shown_solution": place.closed or None,
        "scratch": place.scratch if place.scratch.strip() else None,
    }
    return line | {name: value for name, value in optional_fields.items() if value is not None}


def resume_log_line(identity: SessionIdentity, elapsed_seconds: float, utc_time: str) -> Record:
    return _log_line(
        "resume", identity.session_id, at=utc_time, elapsed=round(elapsed_seconds, 3), digest=identity.bank_digest
    )


def end_log_line(
    identity: SessionIdentity, reason: str, elapsed_seconds: float, utc_time: str, away_seconds: float = 0.0
) -> Record:
    """The line that ends a session; `elapsed_seconds` and `away_seconds` are seconds."""
    line = _log_line("end", identity.session_id, at=utc_time, reason=reason, elapsed=round(elapsed_seconds, 3))
    if away_seconds >= 1:
        line["away"] = round(away_seconds, 1)
    return line


def dispute_log_line(session_id: str, item_id: str, dispute: Dispute, utc_time: str) -> Record:
    line = _log_line("dispute", session_id, item=item_id, criterion=dispute.criterion, claim=dispute.claim)
    return line | {"from": dispute.quote_start, "to": dispute.quote_end, "at": utc_time}


def _log_line(record_type: str, session_id: str, **more: object) -> Record:
    return {"v": LOG_VERSION, "type": record_type, "session": session_id, **more}


def _json_response(response: Response) -> str | list[str]:
    return response if isinstance(response, str) else list(response)


def disputes_by_item_and_criterion(session: LoggedSession) -> dict[str, dict[str, Dispute]]:
    """The last readable dispute of each criterion, by item id and criterion."""
    claims: dict[str, dict[str, Dispute]] = {}
    for line in session.dispute_records:
        start, end = (line.get(n) for n in ("from", "to"))
        whole = isinstance(start, int) and isinstance(end, int) and 0 <= start <= end
        if line.get("claim") in DISPUTE_CLAIMS and isinstance(line.get("criterion"), str) and whole:
            claimed = Dispute(str(line["criterion"]), str(line["claim"]), int(line["from"]), int(line["to"]))
            claims.setdefault(str(line["item"]), {})[claimed.criterion] = claimed
    return claims


@dataclass(frozen=True, slots=True)
class LoggedSession:
    """One session from its log: the session line, its responses in order, the disputed marks, and whether it ended
    (`end_reason` says how; `away_seconds` is the number of seconds not counted). On a practice page only the first
    response to an item is kept, as its solution is shown then. `path` is that of the log, if it was read from a
    folder."""

    first_line: Record
    response_records: tuple[Record, ...] = ()
    has_ended: bool = False
    elapsed_seconds: float = 0.0
    end_reason: str = ""
    away_seconds: float = 0.0
    dispute_records: tuple[Record, ...] = ()
    rating_records: tuple[Record, ...] = ()  # confidence in items without a response
    turn_records: tuple[Record, ...] = ()  # turns of a case
    card_records: tuple[Record, ...] = ()  # bookmarks and notes on its items
    path: str = ""

    @property
    def bank_name(self) -> str:
        return str(self.first_line.get("bank", ""))

    @property
    def start_time(self) -> str:
        """UTC, ISO 8601, as logged."""
        return str(self.first_line.get("started", ""))

    @property
    def is_timed(self) -> bool:
        """Whether the session was timed; only a timed one predicts an interview."""
        return self.first_line.get("untimed") is not True

    @property
    def last_response_by_item(self) -> Mapping[str, Record]:
        """The last response line of each item, by item id."""
        return {str(r.get("item")): r for r in self.response_records}


def encode_log_line(value: object) -> bytes:
    """`value` as the bytes of a JSON line for the log."""
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def truncate_to_bytes(text: str, size: int) -> str:
    """The longest beginning of `text` that needs at most `size` bytes in a log line."""
    return text[: bisect_right(range(len(text)), size, key=lambda n: len(encode_log_line(text[: n + 1])))]


def read_lines(log_content: bytes) -> Iterator[tuple[int, Record | None]]:
    """Yields each non-empty line's number and its object; None for a line that is not a JSON object."""
    for number, line in enumerate(log_content.split(b"\n"), 1):
        if line.strip(b" \t\r\0"):
            yield number, _parse_json_object(line)


def damaged_lines_note(log_content: bytes) -> str:
    """A sentence on the lines of a log that cannot be read, such as `line 3 is damaged and does not count`; empty if
    there are none."""
    numbers = [number for number, line in read_lines(log_content) if line is None]
    if len(numbers) > 1:
        return f"{len(numbers)} lines are damaged and do not count, the first is line {numbers[0]}"
    return f"line {numbers[0]} is damaged and does not count" if numbers else ""


def sessions_in_log(log_content: bytes) -> tuple[LoggedSession, ...]:
    """The sessions of a log in the order in which they began. Lines of an unknown session are ignored."""
    lines: dict[str, list[Record]] = {}
    for _, line in read_lines(log_content):
        name = line.get("session") if line else None
        if line and isinstance(name, str) and (name in lines or line.get("type") == "session"):
            lines.setdefault(name, []).append(line)
    return tuple(logged_session_of_lines(head, behind) for head, *behind in lines.values())


def logged_session_of_lines(first_line: Record, lines: Sequence[Record]) -> LoggedSession:
    def of(kind: str) -> tuple[Record, ...]:
        return tuple(r for r in lines if r.get("type") == kind and (kind == "turn" or isinstance(r.get("item"), str)))

    end = next((r for r in reversed(lines) if r.get("type") == "end"), {})
    reason = end.get("reason")
    return LoggedSession(
        first_line,
        response_records=tuple(r for r in of("response") if r.get("again") is not True),
        has_ended=bool(end),
        # A practice page notes only the seconds of each response.
        elapsed_seconds=max((parse_seconds(r.get("elapsed")) for r in lines), default=0.0)
        or sum(parse_seconds(r.get("seconds")) for r in of("response")),
        end_reason=reason if isinstance(reason, str) else "",
        away_seconds=parse_seconds(end.get("away")),
        dispute_records=of("dispute"),
        rating_records=of("rating"),
        turn_records=of("turn"),
        card_records=of("card"),
    )


def last_unfinished_session(sessions: Sequence[LoggedSession]) -> LoggedSession | None:
    """The last session that can be resumed: it has no end line, or is from a practice page. None if there is none."""
    return next((s for s in reversed(sessions) if not s.has_ended and "page" not in s.first_line), None)


def mode_of_session(first_line: Mapping[str, object]) -> Mode:
    """The mode in the first line of a session; interview if it has none or another word."""
    return next((mode for mode in Mode if mode.value == first_line.get("mode")), Mode.INTERVIEW)


def restored_item_state(state: ItemState, response_record: Mapping[str, object]) -> ItemState:
    """`state` after the last response to its item, as logged in `response_record`."""
    response = parse_logged_response(response_record.get("response"))
    hints = parse_hint_count(response_record.get("hints"), len(state.item.hints))
    probe = response_record.get("probe")
    scratch = response_record.get("scratch")
    return replace(
        state,
        response=response,
        seconds_spent=parse_seconds(response_record.get("seconds")),
        was_shown=True,
        was_skipped=response_record.get("skipped") is True,
        flagged=response_record.get("flagged") is True,
        is_late=response_record.get("late") is True,
        closed=response_record.get("shown_solution") is True,
        hints=hints,
        paid_hint_count=hints,
        confidence=parse_confidence(response_record.get("confidence")),
        probed=probe if isinstance(probe, str) else "",
        earlier_response=parse_logged_response(response_record["earlier"])
        if response_record.get("earlier") is not None
        else None,
        scratch=scratch if isinstance(scratch, str) else "",
    )


def parse_logged_response(value: object) -> Response:
    """The response in a log value: a text, or a list of option texts; any other value as text."""
    if isinstance(value, list):
        return tuple(str(v) for v in value)
    return value if isinstance(value, str) else "" if value is None else str(value)


def parse_hint_count(value: object, limit: int = 100) -> int:
    """The number of hints taken; 0 if the value is no whole number from 0 to `limit`."""
    return value if type(value) is int and 0 <= value <= limit else 0


def parse_confidence(value: object) -> int | None:
    """The candidate's confidence from 1 to 5; None for any other value."""
    return value if type(value) is int and 1 <= value <= 5 else None


def _parse_json_object(line: bytes) -> Record | None:
    if len(line) > MAX_LOG_LINE_BYTES:
        return None
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def parse_seconds(value: object) -> float:
    """A duration in seconds from a log or draft; 0 if the value is no plausible duration."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if math.isfinite(value) and 0 <= value < 1e9 else 0.0


def _rounded_number(value: float) -> int | float:
    return int(value) if value == int(value) else round(value, 6)
