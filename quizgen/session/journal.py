"""The files of a session: an append-only log, each line of which is on disk before the session continues, and beside it
the draft of what is typed, and the current plan. The log's file system is a value with few methods, so that a test can
make each of them fail."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quizgen.atomic_write import flush_folder_to_disk, open_replacement_file, temporary_paths_left_beside
from quizgen.model import MAX_LOG_LINE_BYTES
from quizgen.session.interview import Interview, ItemState
from quizgen.session.session_log import confidence_or_none, encode_log_line, field_or_default, parse_seconds
from quizgen.source.problems import Unreadable, printable

if TYPE_CHECKING:  # most sessions have no plan
    from quizgen.coach.plan import StudyPlan

LOG_OPEN_FLAGS = os.O_RDWR | os.O_APPEND
for _flag in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY", "O_NONBLOCK"):
    LOG_OPEN_FLAGS |= getattr(os, _flag, 0)  # some platforms lack some of these


class Disk:
    """The file system of a log. Every method raises OSError if it fails; a test overrides methods to make them fail."""

    def open(self, path: str, flags: int) -> int:
        return os.open(path, flags, 0o600)

    def write(self, handle: int, data: bytes) -> int:
        return os.write(handle, data)

    def fsync(self, handle: int) -> None:
        if _is_regular_file(handle):  # a device such as /dev/null cannot be synced
            os.fsync(handle)

    def read_whole_file(self, handle: int) -> bytes:
        """The whole file, from its beginning; empty for a device, which is not read."""
        if not _is_regular_file(handle):
            return b""
        with open(handle, "rb", closefd=False) as file:
            file.seek(0)
            return file.read()

    def is_open_file_at_path(self, handle: int, path: str) -> bool:
        """Whether the path still leads to the open file, that is, nobody removed or replaced it."""
        try:
            return os.path.samestat(os.fstat(handle), os.stat(path))
        except FileNotFoundError:
            return False

    def size_in_bytes(self, handle: int) -> int:
        """The size of the open file in bytes."""
        return os.fstat(handle).st_size

    def lock(self, handle: int) -> None:
        """Locks the file for this process. Raises BlockingIOError if another process has a lock.

        The lock ends with the process, so a crash leaves none behind. A device stores nothing and is shared, so it is
        not locked."""
        if not _is_regular_file(handle):
            return
        if sys.platform == "win32":
            import msvcrt

            # Locks a byte far beyond the text, so that the log can still be read.
            os.lseek(handle, 1 << 30, os.SEEK_SET)
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError as error:
                raise BlockingIOError(error.errno, error.strerror) from None
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def close(self, handle: int) -> None:
        os.close(handle)

    def flush_folder_to_disk(self, path: str) -> None:
        """Makes the name of a new file durable, as a power cut could lose the file without it."""
        flush_folder_to_disk(path)


REAL_DISK = Disk()


def _is_regular_file(handle: int) -> bool:
    return stat.S_ISREG(os.fstat(handle).st_mode)


# Appending to an answer log so that an acknowledged line is on disk, whatever happens next.
#
# One `write` and one `fsync` a line; the folder is synced when the file is made; a lock keeps a second session out.
# Nothing on disk is cut or rewritten: after a torn line the next one starts on a new line. If somebody else
# deletes or truncates the file during the session, the lost lines are written again before the next one.


class LinesNotSaved(Exception):
    """Some lines are not on disk; they stay in memory, and `Journal.retry_pending_lines` tries again."""


class Journal:
    """An open log. Mutable: it has a file and the lines that are not on disk yet.

    `content_at_opening` is the content of the file when it was opened. Raises Unreadable if another session writes to
    it, or OSError if it cannot be opened, locked or (if new) made durable."""

    def __init__(self, path: str, disk: Disk = REAL_DISK) -> None:
        self.path = path
        self._disk = disk
        self._pending_lines: list[bytes] = []
        self._written_lines: list[bytes] = []
        try:
            self._handle, self.content_at_opening = self._open_lock_and_read()
        except BlockingIOError:
            raise Unreadable(f"{printable(path)} is in use by another session; end it first") from None
        self._locked_handle = self._handle
        # A crash tore the last line; it gets a line end before anything is added.
        self._is_last_line_torn = bool(self.content_at_opening) and not self.content_at_opening.endswith(b"\n")
        self._has_last_write_failed = False
        self._expected_size = len(self.content_at_opening)  # length of the file, unless somebody truncates it

    def append(self, record: Mapping[str, object]) -> None:
        """Writes one line and waits until it is on disk. Raises LinesNotSaved if that fails, and keeps the line for
        `retry_pending_lines` unless it is too long for any reader."""
        line = encode_log_line(record)
        if len(line) > MAX_LOG_LINE_BYTES:
            raise LinesNotSaved(f"1 line not saved: a line of a log holds at most {MAX_LOG_LINE_BYTES >> 10} KiB")
        self._pending_lines.append(line)
        self.retry_pending_lines()

    def retry_pending_lines(self) -> None:
        """Writes the lines that are not on disk yet, in order. Raises LinesNotSaved if that fails again."""
        try:
            if self._pending_lines and not self._disk.is_open_file_at_path(self._handle, self.path):
                # Somebody removed or replaced the log.
                new_handle, content = self._open_lock_and_read()
                self.close()
                self._handle = self._locked_handle = new_handle
                self._has_last_write_failed = False
                self._queue_missing_lines(content)
            elif self._pending_lines and self._disk.size_in_bytes(self._handle) < self._expected_size:
                self._queue_missing_lines(self._disk.read_whole_file(self._handle))
            while self._pending_lines:
                self._write_line(self._pending_lines[0])
                self._written_lines.append(self._pending_lines.pop(0))
        except OSError as error:
            lines = f"{len(self._pending_lines)} line{'s' * (len(self._pending_lines) != 1)}"
            raise LinesNotSaved(f"{lines} not saved: {error.strerror or error}") from error

    def close(self) -> None:
        for handle in dict.fromkeys((self._handle, self._locked_handle)):
            self._disk.close(handle)

    def _open_lock_and_read(self) -> tuple[int, bytes]:
        """Opens or creates the log, and replaces no file. Returns the handle, which is locked, and the content."""
        try:
            handle = self._disk.open(self.path, LOG_OPEN_FLAGS)
        except FileNotFoundError:
            handle = self._disk.open(self.path, LOG_OPEN_FLAGS | os.O_CREAT | os.O_EXCL)
        try:
            self._disk.lock(handle)
            content = self._disk.read_whole_file(handle)
            # An empty file may also be left by a crash before its name was on disk.
            if not content:
                self._disk.flush_folder_to_disk(os.path.dirname(self.path) or ".")
        except BaseException:  # whatever happened, the lock must be released
            self._disk.close(handle)
            raise
        return handle, content

    def _write_line(self, line: bytes) -> None:
        """Writes one line in one call. After a failure, nothing is known about the end of the file (a failed fsync may
        have dropped pages), so the next attempt opens the file again and starts a new line."""
        if self._has_last_write_failed:
            new_handle = self._disk.open(self.path, LOG_OPEN_FLAGS)
            if self._handle != self._locked_handle:
                self._disk.close(self._handle)
            self._handle = new_handle
        rest = (b"\n" if self._is_last_line_torn else b"") + line + b"\n"
        self._is_last_line_torn = self._has_last_write_failed = True
        while rest:
            rest = rest[self._disk.write(self._handle, rest) :]
        self._disk.fsync(self._handle)
        self._is_last_line_torn = self._has_last_write_failed = False
        self._expected_size += len(line) + 1

    def _queue_missing_lines(self, content: bytes) -> None:
        """Writes those lines of the session that are missing in the file again, after its `content`."""
        file_lines = set(content.split(b"\n"))
        all_lines = [*self.content_at_opening.split(b"\n"), *self._written_lines]
        self._pending_lines = [*(line for line in all_lines if line and line not in file_lines), *self._pending_lines]
        self._written_lines = [line for line in self._written_lines if line in file_lines]
        self._is_last_line_torn = bool(content) and not content.endswith(b"\n")
        self._expected_size = len(content)


# Text that is typed but not submitted, saved beside the log so that a crash costs at most a second.
#
# A draft is a convenience, not a record: each save replaces all of it, and a damaged draft counts as none.

# The fields of an ItemState that a draft keeps, by their keys in its file.
ITEM_STATE_FIELD_NAME_BY_DRAFT_KEY = {
    "draft": "draft_text", "scratch": "scratch_text", "flagged": "is_flagged", "clarified": "are_facts_shown",
    "hints": "taken_hint_count", "confidence": "confidence", "probed": "probed_criterion_id", "closed": "is_closed",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SessionDraft:
    """The unsubmitted state of a session: the seconds used, the item ids in order, and the saved fields of each item
    (`ITEM_STATE_FIELD_NAME_BY_DRAFT_KEY` and `seconds`) by item id."""

    used_seconds: float = 0.0
    item_ids_in_order: tuple[str, ...] = ()
    draft_file_fields_by_item_id: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


NO_DRAFT = SessionDraft()


def draft_path_of_log(log_path: str) -> str:
    return f"{log_path}.draft"


def replace_draft_file_of_log(log_path: str, session_id: str, session: Interview, now: float) -> None:
    """Replaces the draft file of `log_path`. Raises OSError if that fails; the log itself is not changed."""
    state = {
        "session": session_id,
        "used": session.seconds_so_far(now),
        "order": [p.item.id for p in session.item_states],
        "places": {
            p.item.id: {key: getattr(p, name) for key, name in ITEM_STATE_FIELD_NAME_BY_DRAFT_KEY.items()}
            | {"seconds": round(p.seconds_spent, 3)}
            for p in session.item_states
            if p.was_shown
        },
    }
    with open_replacement_file(draft_path_of_log(log_path), is_private=True) as file:
        file.write(json.dumps(state).encode())


def load_draft_of_log(log_path: str, session_id: str) -> SessionDraft:
    """The draft of session `session_id`; an empty `SessionDraft` if there is none or it cannot be read."""
    try:
        value = json.loads(Path(draft_path_of_log(log_path)).read_bytes())
    except (OSError, ValueError, RecursionError):
        return NO_DRAFT
    if not isinstance(value, dict) or value.get("session") != session_id:
        return NO_DRAFT
    places: dict[str, Any] = field_or_default(value, "places", {})
    order: list[object] = field_or_default(value, "order", [])
    ids = tuple(name for name in order if isinstance(name, str))
    return SessionDraft(parse_seconds(value.get("used")), ids, {k: v for k, v in places.items() if isinstance(v, dict)})


def delete_draft_of_log(log_path: str) -> None:
    """Deletes the draft of a session that ended. Ignores an error."""
    for path in (Path(draft_path_of_log(log_path)), *temporary_paths_left_beside(draft_path_of_log(log_path))):
        with suppress(OSError):
            path.unlink(missing_ok=True)


def item_state_with_draft(item_state: ItemState, draft_fields: Mapping[str, object]) -> ItemState:
    hint_count = min(field_or_default(draft_fields, "hints", 0), len(item_state.item.hints))
    seconds = parse_seconds(draft_fields.get("seconds"))
    # After a crash the draft may be older than the last response, whose place its text must not take.
    return replace(
        item_state,
        was_shown=True,
        draft_text=field_or_default(draft_fields, "draft", "") if seconds >= item_state.seconds_spent else "",
        scratch_text=field_or_default(draft_fields, "scratch", item_state.scratch_text),
        seconds_spent=max(item_state.seconds_spent, seconds),
        is_flagged=draft_fields.get("flagged") is True,
        are_facts_shown=draft_fields.get("clarified") is True,
        taken_hint_count=max(item_state.taken_hint_count, hint_count),
        confidence=confidence_or_none(draft_fields.get("confidence")) or item_state.confidence,
        probed_criterion_id=field_or_default(draft_fields, "probed", "") or item_state.probed_criterion_id,
        is_closed=item_state.is_closed or draft_fields.get("closed") is True,
    )


# The current plan, in one small file beside the logs.

STUDY_PLAN_FILE_NAME = "plan.json"
MAX_PLAN_MINUTES_A_DAY = 24 * 60  # minutes of a day


def load_study_plan(log_folder: Path) -> StudyPlan | None:
    """The plan in a log folder; None if there is none. Raises Unreadable or OSError if it cannot be read."""
    path = log_folder / STUDY_PLAN_FILE_NAME
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        from quizgen.coach.plan import StudyPlan

        plan = StudyPlan(
            str(value["bank"]),
            date.fromisoformat(value["interview"]).toordinal(),
            int(value["minutes"]),
            {str(k): float(v) for k, v in dict(value["weights"]).items()},
            frozenset(date.fromisoformat(day).toordinal() for day in value["rest"]),
            tuple(str(name) for name in value["sealed"]),
        )
        in_range = 0 < plan.minutes_per_day <= MAX_PLAN_MINUTES_A_DAY
        if not in_range or not all(0 < weight <= 1000 for weight in plan.weight_by_topic.values()):
            raise ValueError("invalid minutes or weights")
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise Unreadable(f"{path} is not a plan ({error}); make a new one with --interview") from None
    return plan


def save_study_plan(log_folder: Path, plan: StudyPlan) -> None:
    """Writes `plan` into a log folder, in place of an earlier one. Raises OSError if that fails."""
    log_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_replacement_file(log_folder / STUDY_PLAN_FILE_NAME) as file:
        file.write(f"{json.dumps(study_plan_as_json_dictionary(plan), indent=1, ensure_ascii=False)}\n".encode())


def study_plan_as_json_dictionary(plan: StudyPlan) -> dict[str, object]:
    """The plan as a dictionary of JSON values."""
    return {
        "version": 1,
        "bank": plan.bank_name,
        "interview": date.fromordinal(plan.interview_day_ordinal).isoformat(),
        "minutes": plan.minutes_per_day,
        "weights": dict(sorted(plan.weight_by_topic.items())),
        "rest": [date.fromordinal(day).isoformat() for day in sorted(plan.rest_day_ordinals)],
        "sealed": list(plan.sealed_item_ids),
    }
