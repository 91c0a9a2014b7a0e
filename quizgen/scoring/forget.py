"""Removes one candidate's lines from a log without changing any other byte, and the draft of an unsubmitted response.

The new log is written beside the old one, forced to disk, and replaces it in one step, so that there is never half a
log."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO

from quizgen.atomic_write import flush_folder_to_disk, open_replacement_file, temporary_paths_left_beside
from quizgen.scoring.log_files import MAX_ARCHIVE_SIGNATURE_BYTES, archive_kind_of_bytes_or_empty
from quizgen.scoring.log_lines import BadInput, parse_log_line
from quizgen.source.problems import Unreadable


class _NothingToRemove(Exception):
    """Raised when there is nothing to remove: the log stays as it is."""


def forget_candidate_in_log(log_path: str, candidate: str) -> tuple[int, int, list[int]]:
    """Removes from the log at path `log_path` the lines of a candidate and of the candidate's sessions. Returns the
    number of lines in the log, the number removed, and the numbers of unreadable lines that contain the name. Raises
    Unreadable, with the log unchanged."""
    path = Path(log_path)
    try:
        if path.is_symlink():
            path = path.resolve(strict=True)
        if not path.is_file():
            raise Unreadable(f"{log_path}: there is no such file; check its name")
        with _lock_log_against_sessions(path, log_path):
            with open(path, "rb") as file:
                kind = archive_kind_of_bytes_or_empty(file.read(MAX_ARCHIVE_SIGNATURE_BYTES))
            if kind in ("xz", "zstd"):
                raise Unreadable(f"{log_path}: packed with {kind}; unpack it first; nothing was changed")
            sessions = {candidate}  # a candidate without a name is called by the session
            with _open_maybe_gzip(path, bool(kind)) as log:
                for record in map(_log_record_or_empty, log):
                    if record.get("type") == "session" and _name_in_field_or_none(record, "candidate") == candidate:
                        sessions |= {session} if (session := _name_in_field_or_none(record, "session")) else set()
            result = _rewrite_log_without_candidate(path, bool(kind), candidate, sessions)
            # The draft goes if it is of one of the sessions; so do leftovers of a draft after a crash.
            for place in filter(Path.is_file, (Path(f"{path}.draft"), *temporary_paths_left_beside(f"{path}.draft"))):
                draft = None  # a torn line belongs to nobody known
                with suppress(ValueError, RecursionError):
                    draft = json.loads(place.read_bytes())
                if not isinstance(draft, dict) or _name_in_field_or_none(draft, "session") in sessions:
                    place.unlink()
                    flush_folder_to_disk(str(path.parent))
            return result
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise Unreadable(f"{log_path}: cannot be changed ({reason}); it is as it was") from None


@contextmanager
def _lock_log_against_sessions(path: Path, log_name: str) -> Iterator[None]:
    """Keeps sessions from writing to the log. Raises Unreadable if one is writing. Windows needs no lock, as it cannot
    replace an open log."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with open(path, "rb") as log_file:
        try:
            fcntl.flock(log_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unreadable(f"{log_name}: a session is writing to this log; try again when it has ended") from None
        yield


def _open_maybe_gzip(path: Path, is_gzip: bool) -> IO[bytes]:
    return gzip.open(path, "rb") if is_gzip else open(path, "rb")  # type: ignore[return-value]  # both read lines


def _rewrite_log_without_candidate(
    path: Path, is_gzip: bool, candidate: str, sessions: set[str]
) -> tuple[int, int, list[int]]:
    line_count = removed_count = 0
    doubtful_lines: list[int] = []
    needles = {candidate.encode(), json.dumps(candidate)[1:-1].encode()}
    with suppress(_NothingToRemove), _open_maybe_gzip(path, is_gzip) as source, open_replacement_file(path) as target:
        with gzip.GzipFile(fileobj=target, mode="wb", mtime=0, filename="") if is_gzip else nullcontext(target) as copy:
            for line_count, line in enumerate(source, 1):
                record = _log_record_or_empty(line)
                name = _name_in_field_or_none(record, "candidate")
                if name == candidate or (name is None and _name_in_field_or_none(record, "session") in sessions):
                    removed_count += 1
                    continue
                if not record and any(needle in line for needle in needles):
                    doubtful_lines.append(line_count)
                copy.write(line)
        if not removed_count:
            raise _NothingToRemove
    return line_count, removed_count, doubtful_lines


def _name_in_field_or_none(record: dict[str, object], field: str) -> str | None:
    """The candidate or session in a field; None without one."""
    name = record.get(field)
    return str(name) if type(name) is int or (isinstance(name, str) and name) else None


def _log_record_or_empty(line: bytes) -> dict[str, object]:
    """The record on a line; empty if the line cannot be read."""
    with suppress(BadInput, UnicodeDecodeError):
        return parse_log_line(line.decode("utf-8-sig"))
    return {}
