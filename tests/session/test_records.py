"""The lines of a log, made and read back; hostile lines never stop the reading."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from fakes import WHO, form, item, noted, three

from quizgen.model import MAX_LOG_LINE_BYTES
from quizgen.session import interview, session_log
from quizgen.session.interview import Mode, SessionRules

AT = "2026-11-21T10:00:00Z"


def test_lines_as_the_contract_has_them() -> None:
    assert session_log.first_record_of_session(WHO, three(), AT) == {
        "v": 1, "type": "session", "session": "s1", "candidate": "ann", "bank": "fake", "digest": "sha256:0", "seed": "s",
        "items": ["c", "n", "t"], "started": AT, "minutes": 10, "rules": 2, "mode": "interview", "title": "Fruit",
    }  # fmt: skip
    session = noted(three().start_clock(0.0), confidence=4)
    session = session.record_response("yes", 1.24)
    assert session_log.response_record(WHO, session, 0, AT, 1.24) == {
        "v": 1, "type": "response", "session": "s1", "candidate": "ann", "item": "c", "seed": "s", "response": "yes",
        "seconds": 1.2, "at": AT, "late": False, "confidence": 4, "hints": 0, "flagged": False, "elapsed": 1.24,
    }  # fmt: skip


def test_several_options_are_a_list_and_section_points_are_told() -> None:
    assert session_log.parse_logged_response(["B, C", "A"]) == ("B, C", "A")
    assert [session_log.parse_logged_response(value) for value in ("B", None, 3)] == ["B", "", "3"]
    made = interview.new_session(form(item("c")), SessionRules())
    entry = replace(made.item_states[0].form_entry, points_override=Fraction(5, 2))
    made = replace(made, item_states=(replace(made.item_states[0], form_entry=entry, response=("no", "yes")),))
    line = session_log.response_record(WHO, made, 0, AT, 0.0)
    assert (line["response"], line["points"]) == (("no", "yes"), 2.5)


def encoded(*lines: object) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


HEAD = {"v": 1, "type": "session", "session": "a", "items": ["x"], "seed": "1"}
ANSWER = {"v": 1, "type": "response", "session": "a", "item": "x", "response": "1", "elapsed": 7}


def test_sessions_come_back_with_responses_time_and_disputes() -> None:
    """Also where two logs were put together, so that a session line comes twice."""
    claim = {"type": "dispute", "session": "a", "item": "x", "criterion": "c", "claim": "full", "from": 0, "to": 1}
    again, end = {**ANSWER, "response": "2", "elapsed": 9}, {"type": "end", "session": "a"}
    (logged,) = session_log.sessions_in_log_content(encoded(HEAD, ANSWER, HEAD, again, claim, end))
    assert (logged.has_ended, logged.used_seconds) == (True, 9)
    assert logged.last_response_record_by_item_id["x"]["response"] == "2"
    assert [d["claim"] for d in logged.dispute_records] == ["full"]
    assert len(logged.response_records) == 2


@pytest.mark.parametrize(
    "bad",
    [
        b"{", b"null", b"\xff\xfe{}", b"\0\0\0", b"[" * 100_000, b"9" * 5000,
        b'{"session": "a", "type": "response", "item": 5}', b'{"session": ["a"], "type": "response"}',
        b'{"session": "a", "type": "response", "item": "y", "elapsed": 1e999}',
        b'{"session": "a", "type": "response", "item": "y", "elapsed": "NaN"}',
    ],
)  # fmt: skip
def test_a_hostile_line_never_stops_the_reading(bad: bytes) -> None:
    (logged,) = session_log.sessions_in_log_content(encoded(HEAD) + bad + b"\n" + encoded(ANSWER))
    assert logged.last_response_record_by_item_id["x"]["response"] == "1"
    assert logged.used_seconds == 7


def test_odd_fields_fall_back() -> None:
    """And an unknown mode is the usual one."""
    for line in (
        {"response": 5, "seconds": True, "hints": -1, "confidence": 9, "probe": 3},
        {"response": None, "seconds": float("inf"), "hints": 10**9, "confidence": "high", "scratch": []},
        {},
    ):
        place = session_log.item_state_after_response(three().item_states[0], line)
        assert (place.seconds_spent, place.taken_hint_count, place.confidence) == (0.0, 0, None), line
        assert place.probed_criterion_id == "", line
    modes = [session_log.rules_of_first_record({"mode": mode}).mode for mode in ("strict", "loose", 3, {"a": 1})]
    assert modes == [Mode.STRICT, Mode.INTERVIEW, Mode.INTERVIEW, Mode.INTERVIEW]


@pytest.mark.parametrize("text", ["a" * 300, "\U0001f600" * 90, '"' * 200, "\x01" * 70, "\ud800" * 60, ""])
def test_what_fits_into_a_line_is_the_longest_start_that_does(text: str) -> None:
    """Counted as the line holds it: four bytes, an escape, or one."""
    kept = session_log.text_cut_to_log_bytes(text, 200)
    assert text.startswith(kept)
    assert len(session_log.encode_log_line(kept)) <= 200
    assert kept == text or len(session_log.encode_log_line(text[: len(kept) + 1])) > 200


def test_the_fullest_line_can_be_read_again_and_a_longer_one_is_read_as_none() -> None:
    """A response and a scratch pad at their limits, whatever is in them, fit into one line. The readers of logs refuse
    a longer one as well."""
    limits = (session_log.MAX_RESPONSE_BYTES, session_log.MAX_SCRATCH_BYTES)
    most, notes = (session_log.text_cut_to_log_bytes("\x01" * limit, limit) for limit in limits)
    session = noted(three().start_clock(0.0).record_response(most, 1.0), scratch_text=notes)
    line = session_log.response_record(WHO, session, session.current_index, "2026-11-21T10:00:00Z", 2.0)
    assert len(session_log.encode_log_line(line)) <= MAX_LOG_LINE_BYTES
    whole = session_log.encode_log_line({"response": ""})
    filled = session_log.encode_log_line({"response": "x" * (MAX_LOG_LINE_BYTES - len(whole))})
    assert [found is not None for _, found in session_log.numbered_log_records(filled)] == [True]
    longer = filled.replace(b"xx", b"xxx", 1)
    assert [found is not None for _, found in session_log.numbered_log_records(longer)] == [False]
