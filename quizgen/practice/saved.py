"""Reads the log that a practice page saved, and adds it to the user's log, each line once."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from quizgen.session.journal import Journal
from quizgen.session.session_log import Record, encode_log_line, read_lines

_SESSION_ID_PATTERN = re.compile(r"[0-9a-f]{6,64}")
_START_TIME_PATTERN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z")


def read_saved_sittings(saved_bytes: bytes) -> tuple[list[list[Record]], list[str]]:
    """The lines of each sitting in a saved file, its session line first, and a message for each line that belongs to
    none, with its number."""
    by_session: dict[str, list[Record]] = {}
    faults = []
    for number, line in read_lines(saved_bytes.removeprefix(b"\xef\xbb\xbf")):
        why = reason_to_refuse_line(line, by_session)
        if line is None or why:
            faults.append(f"line {number}: {why}")
        elif line["type"] != "session":
            by_session[line["session"]].append(line)
        elif line["session"] not in by_session:
            by_session[line["session"]] = [line]
    return list(by_session.values()), faults


def reason_to_refuse_line(line: Record | None, known_session_ids: Collection[str]) -> str:
    """The reason why a line cannot be added; empty if it can."""
    if line is None:
        return "it is torn or no JSON"
    kind, session, has_item = str(line.get("type")), line.get("session"), isinstance(line.get("item"), str)
    is_complete = {
        "session": _is_complete_session_line(line),
        "response": has_item and isinstance(line.get("response"), str | list),
        "card": has_item,
        "end": True,
    }
    if not is_complete.get(kind) or not isinstance(session, str) or not _SESSION_ID_PATTERN.fullmatch(session):
        return "it is not a line of a practice page"
    if kind != "session" and session not in known_session_ids:
        return "the line that begins its sitting is missing"
    return ""


def _is_complete_session_line(session_line: Record) -> bool:
    """Whether a session line has all the fields that a sitting needs."""
    texts = [session_line.get(name) for name in ("bank", "digest", "seed", "candidate", "started")]
    names = session_line.get("items")
    has_items = isinstance(names, list) and all(isinstance(name, str) for name in names)
    has_texts = all(isinstance(text, str) for text in texts) and session_line.get("mode") == "practice"
    return has_texts and has_items and bool(_START_TIME_PATTERN.fullmatch(str(session_line["started"])))


def add_sitting_to_log(lines: Sequence[Record], log_path: str) -> int:
    """Appends to the log at `log_path` the lines that are missing there, each on disk on return. Returns the number of
    responses added. Raises LinesNotSaved, LogInUse or OSError."""
    journal = Journal(log_path)
    try:
        there = {log_line_identity(line) for _, line in read_lines(journal.content_before) if line is not None}
        new = [line for line in lines if log_line_identity(line) not in there]
        for line in new:
            journal.append(line)
        return sum(line["type"] == "response" for line in new)
    finally:
        journal.close()


def log_line_identity(log_line: Record) -> bytes:
    """A key that equal lines share: of a first or last line, its session; else its `id`, or without one its content."""
    kind, name = str(log_line.get("type")), log_line.get("id")
    if kind in ("session", "end"):
        name = log_line.get("session")
    return f"{kind} {name}".encode("utf-8", "backslashreplace") if isinstance(name, str) else encode_log_line(log_line)
