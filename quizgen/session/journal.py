"""An append-only log file: every line is on disk before the session continues. The file system is a value with few
methods, so that a test can make each of them fail."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Mapping

from quizgen.atomic_write import sync_folder
from quizgen.model import MAX_LOG_LINE_BYTES
from quizgen.session.session_log import encode_log_line
from quizgen.source.problems import Unreadable, printable

APPEND_FLAGS = os.O_RDWR | os.O_APPEND
for _flag in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY", "O_NONBLOCK"):
    APPEND_FLAGS |= getattr(os, _flag, 0)  # some platforms lack some of these
CREATE_FLAGS = APPEND_FLAGS | os.O_CREAT | os.O_EXCL


class Disk:
    """The file system of a log. Every method raises OSError if it fails; a test overrides methods to make them fail."""

    def open(self, path: str, flags: int) -> int:
        return os.open(path, flags, 0o600)

    def write(self, handle: int, text: bytes) -> int:
        return os.write(handle, text)

    def fsync(self, handle: int) -> None:
        if _is_regular_file(handle):  # a device such as /dev/null cannot be synced
            os.fsync(handle)

    def read(self, handle: int) -> bytes:
        """The whole file, from its beginning; empty for a device, which is not read."""
        if not _is_regular_file(handle):
            return b""
        os.lseek(handle, 0, os.SEEK_SET)
        pieces = []
        while piece := os.read(handle, 1 << 20):
            pieces.append(piece)
        return b"".join(pieces)

    def is_at_path(self, handle: int, path: str) -> bool:
        """Whether the path still leads to the open file, that is, nobody removed or replaced it."""
        try:
            there = os.stat(path)
        except FileNotFoundError:
            return False
        here = os.fstat(handle)
        return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)

    def size(self, handle: int) -> int:
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

    def sync_folder(self, path: str) -> None:
        """Makes the name of a new file durable, as a power cut could lose the file without it."""
        sync_folder(path)


DISK = Disk()


def _is_regular_file(handle: int) -> bool:
    return stat.S_ISREG(os.fstat(handle).st_mode)


# Appending to an answer log so that an acknowledged line is on disk, whatever happens next.
#
# One `write` and one `fsync` a line; the folder is synced when the file is made; a lock keeps a second session out.
# Nothing on disk is cut or rewritten: after a torn line the next one starts on a new line. If somebody else
# deletes or truncates the file during the session, the lost lines are written again before the next one.


class LogInUse(Unreadable):
    """Another session writes to this log."""


class LinesNotSaved(Exception):
    """Some lines are not on disk; they stay in memory, and `Journal.retry_pending_lines` tries again."""

    def __init__(self, error: OSError, lines: int) -> None:
        self.error = error
        self.line_count = lines
        why = error.strerror or str(error)
        super().__init__(f"{lines} line{'s' * (lines != 1)} not saved: {why}")


class Journal:
    """An open log. Mutable: it has a file and the lines that are not on disk yet.

    `content_before` is the content of the file when it was opened. Raises LogInUse, or OSError if the file cannot be
    opened, locked or (if new) made durable."""

    def __init__(self, path: str, files: Disk = DISK) -> None:
        self.path = path
        self._files = files
        self._pending: list[bytes] = []
        self._written: list[bytes] = []
        self._handle, _ = self._open_or_create()
        self._locked = self._handle
        try:
            try:
                self._files.lock(self._handle)
            except BlockingIOError:
                raise LogInUse(f"{printable(path)} is in use by another session; end it first") from None
            self.content_before = self._files.read(self._handle)
            # An empty file may be left by a crash before its name was on disk.
            if not self.content_before:
                self._files.sync_folder(os.path.dirname(path) or ".")
        except BaseException:  # whatever happened, the lock must be released
            self._files.close(self._handle)
            raise
        # A crash tore the last line; it gets a line end before anything is added.
        self._torn = bool(self.content_before) and not self.content_before.endswith(b"\n")
        self._failed = False
        self._end = len(self.content_before)  # length of the file, unless somebody truncates it

    def append(self, record: Mapping[str, object]) -> None:
        """Writes one line and waits until it is on disk. Raises LinesNotSaved if that fails, and keeps the line for
        `retry_pending_lines` unless it is too long for any reader."""
        line = encode_log_line(record)
        if len(line) > MAX_LOG_LINE_BYTES:
            raise LinesNotSaved(
                OSError(errno.EMSGSIZE, f"a line of a log holds at most {MAX_LOG_LINE_BYTES >> 10} KiB"), 1
            )
        self._pending.append(line)
        self.retry_pending_lines()

    def retry_pending_lines(self) -> None:
        """Writes the lines that are not on disk yet, in order. Raises LinesNotSaved if that fails again."""
        try:
            device = os.path.exists(self.path) and not os.path.isfile(self.path)  # a device is never created again
            if self._pending and not device and not self._files.is_at_path(self._handle, self.path):
                self._reopen()
                self._write_missing_lines()
            elif self._pending and self._files.size(self._handle) < self._end:
                self._write_missing_lines()
            while self._pending:
                self._write_line(self._pending[0])
                self._written.append(self._pending.pop(0))
        except OSError as error:
            raise LinesNotSaved(error, len(self._pending)) from error

    def close(self) -> None:
        for handle in dict.fromkeys((self._handle, self._locked)):
            self._files.close(handle)

    def _open_or_create(self) -> tuple[int, bool]:
        """Opens the log if it exists, else creates it, and never replaces a file. Returns the handle, and whether the
        log is new."""
        try:
            return self._files.open(self.path, APPEND_FLAGS), False
        except FileNotFoundError:
            return self._files.open(self.path, CREATE_FLAGS), True

    def _write_line(self, line: bytes) -> None:
        """Writes one line in one call. After a failure, nothing is known about the end of the file (a failed fsync may
        have dropped pages), so the next attempt opens the file again and starts a new line."""
        if self._failed:
            fresh = self._files.open(self.path, APPEND_FLAGS)
            if self._handle != self._locked:
                self._files.close(self._handle)
            self._handle = fresh
        rest = (b"\n" if self._torn else b"") + line + b"\n"
        self._torn = self._failed = True
        while rest:
            rest = rest[self._files.write(self._handle, rest) :]
        self._files.fsync(self._handle)
        self._torn = self._failed = False
        self._end += len(line) + 1

    def _reopen(self) -> None:
        """Opens or creates the file at the path again, after somebody removed or replaced the log."""
        fresh, created = self._open_or_create()
        try:
            self._files.lock(fresh)
            if created:
                self._files.sync_folder(os.path.dirname(self.path) or ".")
        except OSError:
            self._files.close(fresh)
            raise
        self.close()
        self._handle = self._locked = fresh
        self._failed = False

    def _write_missing_lines(self) -> None:
        """Writes those lines of the session that are missing in the file again, after the lines that are there."""
        left = self._files.read(self._handle)
        there = set(left.split(b"\n"))
        known = [*self.content_before.split(b"\n"), *self._written]
        self._pending = [*(line for line in known if line and line not in there), *self._pending]
        self._written = [line for line in self._written if line in there]
        self._torn = bool(left) and not left.endswith(b"\n")
        self._end = len(left)
