"""Reads the log that a practice page saved, and adds it to the user's log, each line once."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import closing

from quizgen.session.journal import Journal
from quizgen.session.session_log import LogRecord, encode_log_line, numbered_log_records

_SESSION_ID_PATTERN = re.compile(r"[0-9a-f]{6,64}")


def saved_log_records_per_sitting_and_faults(saved_bytes: bytes) -> tuple[list[list[LogRecord]], list[str]]:
    """The lines of each sitting in a saved file, its session line first, and a message for each line that belongs to
    none, with its number."""
    lines_by_session: dict[str, list[LogRecord]] = {}
    faults = []
    for number, line in numbered_log_records(saved_bytes.removeprefix(b"\xef\xbb\xbf")):
        reason = reason_to_refuse_line(line, lines_by_session)
        if line is None or reason:
            faults.append(f"line {number}: {reason}")
        elif line["type"] != "session":
            lines_by_session[line["session"]].append(line)
        elif line["session"] not in lines_by_session:
            lines_by_session[line["session"]] = [line]
    return list(lines_by_session.values()), faults


def reason_to_refuse_line(line: LogRecord | None, known_session_ids: Collection[str]) -> str:
    """The reason why a line cannot be added; empty if it can."""
    if line is None:
        return "it is torn or no JSON"
    kind, session, has_item = str(line.get("type")), line.get("session"), isinstance(line.get("item"), str)
    names, texts = line.get("items"), [line.get(name) for name in ("bank", "digest", "seed", "candidate", "started")]
    is_scorable = {
        "session": line.get("mode") == "practice"
        and isinstance(names, list)
        and all(isinstance(text, str) for text in (*texts, *names))
        and bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z", str(line["started"]))),
        "response": has_item and isinstance(line.get("response"), str | list),
        "card": has_item,
        "end": True,
    }
    if not is_scorable.get(kind) or not isinstance(session, str) or not _SESSION_ID_PATTERN.fullmatch(session):
        return "it is not a line of a practice page"
    if kind != "session" and session not in known_session_ids:
        return "the line that begins its sitting is missing"
    return ""


class JournalOfUniqueLines(Journal):
    """An open log to which each line is added once. Mutable: it has the identities of the lines in it."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        lines = [line for _, line in numbered_log_records(self.content_at_opening) if line is not None]
        self._deduplication_keys = set(map(line_deduplication_key, lines))

    def append_if_missing(self, line: LogRecord) -> bool:
        """Appends `line` unless the log has it; it is on disk on return. Returns whether it was missing. Raises
        LinesNotSaved or OSError."""
        is_new = line_deduplication_key(line) not in self._deduplication_keys
        if is_new:
            self.append(line)
            self._deduplication_keys.add(line_deduplication_key(line))
        return is_new


def append_missing_lines_and_count_responses(lines: Sequence[LogRecord], log_path: str) -> int:
    """Appends to the log at `log_path` the lines that are missing there. Returns the number of responses added. Raises
    LinesNotSaved, Unreadable or OSError."""
    with closing(JournalOfUniqueLines(log_path)) as journal:
        return sum([line["type"] == "response" for line in lines if journal.append_if_missing(line)])


def line_deduplication_key(log_line: LogRecord) -> bytes:
    """A key that equal lines share: of a first or last line, its session; else its `id`, or without one its content."""
    kind, name = str(log_line.get("type")), log_line.get("id")
    if kind in ("session", "end"):
        name = log_line.get("session")
    return f"{kind} {name}".encode("utf-8", "backslashreplace") if isinstance(name, str) else encode_log_line(log_line)
