"""The lines of an answer log: written for a session, and read again to resume it.

A bad line never stops the reading. This reader is for the user's own logs; `quizgen score` reads logs from anywhere."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from quizgen.model import MARKING_RULES_VERSION, MAX_LOG_LINE_BYTES, Response, points_as_json
from quizgen.session.interview import Dispute, Interview, ItemState, Mode, SessionRules

MAX_RESPONSE_BYTES, MAX_SCRATCH_BYTES = MAX_LOG_LINE_BYTES // 2, MAX_LOG_LINE_BYTES // 4  # one line holds both

LogRecord = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SessionIdentity:
    """The fields that every line of a session repeats, and the bank's data for the first line. `base_path_of_bank_name`
    is the folder to which the path `bank_name` is relative; empty for a bank that ships or an absolute path."""

    session_id: str
    candidate_name: str
    bank_name: str
    bank_digest: str
    base_path_of_bank_name: str = ""


def first_record_of_session(
    identity: SessionIdentity, session: Interview, utc_text: str, item_ids: Sequence[str] = ()
) -> LogRecord:
    """The first line of a session or a case at `utc_text` (ISO 8601), with all its items, or those of `item_ids`."""
    form, rules = session.form, session.rules
    record = make_record("session", identity.session_id, candidate=identity.candidate_name, bank=identity.bank_name)
    item_ids = list(item_ids) or [p.item.id for p in session.item_states]
    fields: LogRecord = {"digest": identity.bank_digest, "seed": form.seed, "items": item_ids, "started": utc_text}
    fields |= {"minutes": points_as_json(form.minutes), "rules": MARKING_RULES_VERSION}
    fields |= {"folder": identity.base_path_of_bank_name, "untimed": not rules.is_timed}
    fields |= {"multiplier": rules.time_multiplier if rules.time_multiplier != 1 else None, "mode": rules.mode.value}
    own_points = {p.item.id: points_as_json(own) for p in session.item_states if (own := p.form_entry.points_override)}
    fields |= {"title": form.title, "blueprint": form.blueprint_name, "points": own_points}
    return record | _without_empty_values(fields)


def response_record(identity: SessionIdentity, session: Interview, index: int, utc_text: str, now: float) -> LogRecord:
    """The log line of the response to item `index`. Its `elapsed` is the number of seconds that the session has used,
    for a resume."""
    state = session.item_states[index]
    variant, candidate = state.variant, identity.candidate_name
    line = make_record("response", identity.session_id, candidate=candidate, item=state.item.id, seed=variant.seed)
    line |= _without_empty_values({"given": dict(variant.drawn_log_values())})
    response, seconds = "" if state.response is None else state.response, round(state.seconds_spent, 1)
    line |= {"response": response, "seconds": seconds, "at": utc_text, "late": state.is_response_late}
    line |= {"confidence": state.confidence, "hints": state.paid_hint_count, "flagged": state.is_flagged}
    line |= {"elapsed": round(session.seconds_so_far(now), 3)}
    points, earlier_response = state.form_entry.points_override, state.response_to_previous_part_item
    line |= {} if earlier_response is None else {"earlier": earlier_response}
    extras: LogRecord = {"skipped": state.was_skipped, "points": None if points is None else points_as_json(points)}
    extras |= {"probe": state.probed_criterion_id, "follow_up": state.is_follow_up, "shown_solution": state.is_closed}
    extras |= {"scratch": state.scratch_text if state.scratch_text.strip() else ""}
    return line | _without_empty_values(extras)


def log_record_of_dispute(session_id: str, item_id: str, dispute: Dispute, utc_text: str) -> LogRecord:
    line = make_record("dispute", session_id, item=item_id, criterion=dispute.criterion_id)
    quote = {"from": dispute.quote_start, "to": dispute.quote_end}
    return line | {"claim": dispute.claimed_share_word, **quote, "at": utc_text}


def make_record(record_type: str, session_id: str, **fields: object) -> LogRecord:
    return {"v": 1, "type": record_type, "session": session_id, **fields}


def _without_empty_values(fields: LogRecord) -> LogRecord:
    return {name: value for name, value in fields.items() if value}


def field_or_default(record: Mapping[str, object], name: str, default: T) -> T:
    """The value of a field of a log line or a draft; `default` if there is none, or one of another type."""
    value = record.get(name)
    return value if isinstance(value, type(default)) and not isinstance(value, bool) else default


def last_dispute_by_criterion_id_by_item_id(session: LoggedSession) -> dict[str, dict[str, Dispute]]:
    """The last readable dispute of each criterion, by item id and criterion."""
    claims: dict[str, dict[str, Dispute]] = {}
    for line in session.dispute_records:
        criterion, claim, start, end = (line.get(name) for name in ("criterion", "claim", "from", "to"))
        if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end):
            continue
        if claim in ("full", "part", "no") and isinstance(criterion, str):
            claims.setdefault(str(line["item"]), {})[criterion] = Dispute(criterion, claim, start, end)
    return claims


@dataclass(frozen=True, slots=True)
class LoggedSession:
    """One session from its log: the session line, its responses in order, the disputed marks, and whether it ended
    (`end_reason` says how; `away_seconds` is the number of seconds not counted). On a practice page only the first
    response to an item is kept, as its solution is shown then. `log_path` is that of the log, if it was read from a
    folder."""

    first_record: LogRecord
    response_records: tuple[LogRecord, ...] = ()
    has_ended: bool = False
    used_seconds: float = 0.0
    end_reason: str = ""
    away_seconds: float = 0.0
    dispute_records: tuple[LogRecord, ...] = ()
    rating_only_records: tuple[LogRecord, ...] = ()  # confidence in items without a response
    case_turn_records: tuple[LogRecord, ...] = ()  # turns of a case
    mark_and_note_records: tuple[LogRecord, ...] = ()  # bookmarks and notes on its items
    log_path: str = ""

    @property
    def bank_name(self) -> str:
        return str(self.first_record.get("bank", ""))

    @property
    def start_utc_text(self) -> str:
        """UTC, ISO 8601, as logged."""
        return str(self.first_record.get("started", ""))

    @property
    def is_case(self) -> bool:
        return isinstance(self.first_record.get("case"), str)

    @property
    def last_response_record_by_item_id(self) -> Mapping[str, LogRecord]:
        """The last response line of each item, by item id."""
        return {str(r.get("item")): r for r in self.response_records}


def encode_log_line(value: object) -> bytes:
    """`value` as the bytes of a JSON line for the log."""
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def text_cut_to_log_bytes(text: str, max_bytes: int) -> str:
    """The longest beginning of `text` that needs at most `max_bytes` bytes in a log line."""
    return text[: bisect_right(range(len(text)), max_bytes, key=lambda n: len(encode_log_line(text[: n + 1])))]


def numbered_log_records(log_content: bytes) -> Iterator[tuple[int, LogRecord | None]]:
    """Yields each non-empty line's number and its object; None for a line that is not a JSON object."""
    for number, line in enumerate(log_content.split(b"\n"), 1):
        if not line.strip(b" \t\r\0"):
            continue
        try:
            value = json.loads(line.decode("utf-8-sig")) if len(line) <= MAX_LOG_LINE_BYTES else None
        except (ValueError, RecursionError):
            value = None
        yield number, value if isinstance(value, dict) else None


def damaged_lines_note_on_log_content(log_content: bytes) -> str:
    """A sentence on the lines of a log that cannot be read, such as `line 3 is damaged and does not count`; empty if
    there are none."""
    numbers = [number for number, line in numbered_log_records(log_content) if line is None]
    if len(numbers) > 1:
        return f"{len(numbers)} lines are damaged and do not count, the first is line {numbers[0]}"
    return f"line {numbers[0]} is damaged and does not count" if numbers else ""


def sessions_in_log_content(log_content: bytes) -> tuple[LoggedSession, ...]:
    """The sessions of a log in the order in which they began. Lines of an unknown session are ignored."""
    lines: dict[str, list[LogRecord]] = {}
    for _, line in numbered_log_records(log_content):
        name = line.get("session") if line else None
        if line and isinstance(name, str) and (name in lines or line.get("type") == "session"):
            lines.setdefault(name, []).append(line)
    return tuple(logged_session_of_records(head, records) for head, *records in lines.values())


def logged_session_of_records(first_record: LogRecord, lines: Sequence[LogRecord]) -> LoggedSession:
    def records(kind: str) -> tuple[LogRecord, ...]:
        return tuple(r for r in lines if r.get("type") == kind and (kind == "turn" or isinstance(r.get("item"), str)))

    end = next((r for r in reversed(lines) if r.get("type") == "end"), {})
    return LoggedSession(
        first_record,
        response_records=tuple(r for r in records("response") if r.get("again") is not True),
        has_ended=bool(end),
        # A practice page notes only the seconds of each response.
        used_seconds=max((parse_seconds(r.get("elapsed")) for r in lines), default=0.0)
        or sum(parse_seconds(r.get("seconds")) for r in records("response")),
        end_reason=field_or_default(end, "reason", ""),
        away_seconds=parse_seconds(end.get("away")),
        dispute_records=records("dispute"),
        rating_only_records=records("rating"),
        case_turn_records=records("turn"),
        mark_and_note_records=records("card"),
    )


def rules_of_first_record(first_record: Mapping[str, object]) -> SessionRules:
    """The rules in the first line of a session; the mode is interview if the line has none or another word."""
    mode = next((mode for mode in Mode if mode.value == first_record.get("mode")), Mode.INTERVIEW)
    multiplier = positive_fraction_or_none(first_record.get("multiplier"), 100)
    return SessionRules(mode, first_record.get("untimed") is not True, float(multiplier or 1))


def item_state_after_response(state: ItemState, response_fields: Mapping[str, object]) -> ItemState:
    """`state` after the last response to its item, whose log line has these `response_fields`."""
    hint_count = hint_count_or_zero(response_fields.get("hints"), len(state.item.hints))
    earlier_response, seconds = response_fields.get("earlier"), parse_seconds(response_fields.get("seconds"))
    return replace(
        state,
        response=parse_logged_response(response_fields.get("response")),
        seconds_spent=seconds,
        seconds_until_response=seconds,
        was_shown=True,
        was_skipped=response_fields.get("skipped") is True,
        is_flagged=response_fields.get("flagged") is True,
        is_response_late=response_fields.get("late") is True,
        is_closed=response_fields.get("shown_solution") is True,
        taken_hint_count=hint_count,
        paid_hint_count=hint_count,
        confidence=confidence_or_none(response_fields.get("confidence")),
        probed_criterion_id=field_or_default(response_fields, "probe", ""),
        response_to_previous_part_item=None if earlier_response is None else parse_logged_response(earlier_response),
        scratch_text=field_or_default(response_fields, "scratch", ""),
    )


def parse_logged_response(value: object) -> Response:
    """The response in a log value: a text, or a list of option texts; any other value as text."""
    if isinstance(value, list):
        return tuple(str(v) for v in value)
    return value if isinstance(value, str) else "" if value is None else str(value)


def hint_count_or_zero(value: object, max_hint_count: int = 100) -> int:
    """The number of hints taken; 0 if the value is no whole number from 0 to `max_hint_count`."""
    return value if type(value) is int and 0 <= value <= max_hint_count else 0


def confidence_or_none(value: object) -> int | None:
    """The candidate's confidence from 1 to 5; None for any other value."""
    return value if type(value) is int and 1 <= value <= 5 else None


def parse_seconds(value: Any) -> float:
    """A duration in seconds from a log or draft; 0 if the value is no plausible duration."""
    return float(value) if type(value) in (int, float) and 0 <= value < 1e9 else 0.0  # not infinity, and not NaN


def positive_fraction_or_none(value: Any, maximum: int) -> Fraction | None:
    """The positive number in a log value; None if it is not a number or too large."""
    return Fraction(str(value)) if type(value) in (int, float) and 0 < value <= maximum else None


# -- cards on which a candidate notes something about an item --------------------------------

TEXT_BY_CANDIDATE_MARK = {"star": "bookmarked", "never": "never asked again", "bad": "a bad item, asked no more"}
TEXT_BY_CANDIDATE_MARK |= {"easy": "easy", "none": ""}
MARK_WORDS_EXCLUDING_ITEM = ("never", "bad")  # an item with one of these marks is not asked again
CANDIDATE_MARK_BY_WORD = {"bookmark": "star", "never again": "never", "bad item": "bad"}
CANDIDATE_MARK_BY_WORD |= {mark: mark for mark in TEXT_BY_CANDIDATE_MARK}
CARD_MARK_HELP_TEXT = "star, never (again), bad (item), none, or a note"
MAX_CANDIDATE_NOTE_CHARACTERS = 2000  # characters of a note


@dataclass(frozen=True, slots=True)
class MarkAndNote:
    """A candidate's card on one item: a mark, which is one of `TEXT_BY_CANDIDATE_MARK`, and a note."""

    item_id: str
    mark_word: str = "none"
    note: str = ""

    def with_typed_mark_or_note(self, typed_text: str) -> MarkAndNote:
        """The card after the candidate typed a mark or a note; `none` removes both.

        >>> MarkAndNote("zero2-13b").with_typed_mark_or_note("bookmark").with_typed_mark_or_note("look up stage 2")
        MarkAndNote(item_id='zero2-13b', mark_word='star', note='look up stage 2')"""
        text = " ".join(typed_text.split())
        if (mark := CANDIDATE_MARK_BY_WORD.get(text.casefold())) is None:
            return replace(self, note=text[:MAX_CANDIDATE_NOTE_CHARACTERS])
        return MarkAndNote(self.item_id) if mark == "none" else replace(self, mark_word=mark)

    @property
    def mark_and_note_text(self) -> str:
        """The mark and the note in words: `bookmarked; “look up stage 2”`; empty for an empty card."""
        return "; ".join(filter(None, (TEXT_BY_CANDIDATE_MARK[self.mark_word], f"“{self.note}”" if self.note else "")))

    def log_record(self, session_id: str, utc_text: str) -> LogRecord:
        """The card's line in the log of a session; `utc_text` is UTC, ISO 8601."""
        return make_record("card", session_id, item=self.item_id, mark=self.mark_word, note=self.note, at=utc_text)


def last_mark_and_note_by_item_id(sessions: Iterable[LoggedSession]) -> dict[str, MarkAndNote]:
    """The last card on each item in some sessions, by item; without cards that have an unknown mark, and those that the
    candidate emptied."""
    lines = [line for session in sessions for line in session.mark_and_note_records]
    cards: dict[str, MarkAndNote] = {}
    for line in sorted(lines, key=lambda line: str(line.get("at", ""))):
        name, mark = str(line["item"]), str(line.get("mark"))
        if mark in TEXT_BY_CANDIDATE_MARK:
            cards[name] = MarkAndNote(name, mark, field_or_default(line, "note", ""))
    return {name: card for name, card in cards.items() if card.mark_and_note_text}
