"""Appending to an answer log so that an acknowledged line is on disk, whatever happens next.

One `write` and one `fsync` a line, the folder synced when the file is made, a lock against a second
session. What is on disk is never cut or rewritten: behind a torn line the next one starts afresh.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from quizgen.log.files import APPEND, CREATE, Disk, Files


class LogInUse(Exception):
    """Another session writes to this log."""


class NotSaved(Exception):
    """Lines that are not on disk; they stay in memory, and `Journal.retry` tries again."""

    def __init__(self, error: OSError, lines: int) -> None:
        self.error = error
        self.lines = lines
        why = error.strerror or str(error)
        super().__init__(f"{lines} line{'s' * (lines != 1)} not saved: {why}")


class Journal:
    """An open log. Mutable: it holds a file and the lines that could not be written yet.

    `before` is what the file held when it was opened. Raises LogInUse, or OSError where the file
    cannot be opened, locked or (when it is new) made durable.
    """

    def __init__(self, path: str, files: Files | None = None) -> None:
        self.path = path
        self._files: Files = files if files is not None else Disk()
        self._pending: list[bytes] = []
        self._written: list[bytes] = []
        self._handle, self.created = self._open()
        self._locked = self._handle
        try:
            self._take()
            self.before = self._files.read(self._handle)
            # An empty file may be what a crash left before its name was made durable.
            if not self.before:
                self._files.sync_folder(os.path.dirname(path) or ".")
        except BaseException:  # whatever stopped it, the lock must not stay
            self._files.close(self._handle)
            raise
        # A last line without its end was torn by a crash: it gets one before anything is added.
        self._torn = bool(self.before) and not self.before.endswith(b"\n")
        self._failed = False

    def append(self, record: Mapping[str, object]) -> None:
        """Write one line and wait until it is on disk. NotSaved: it is kept for `retry`."""
        text = json.dumps(record, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)
        self._pending.append(text.encode("utf-8", "backslashreplace"))
        self.retry()

    def retry(self) -> None:
        """Write what could not be written before, in order. NotSaved where it still cannot be."""
        try:
            if self._pending and not self._files.same(self._handle, self.path) and _is_file(self.path):
                self._again()
            while self._pending:
                self._write(self._pending[0])
                self._written.append(self._pending.pop(0))
        except OSError as error:
            raise NotSaved(error, len(self._pending)) from error

    def close(self) -> None:
        for handle in dict.fromkeys((self._handle, self._locked)):
            self._files.close(handle)

    def _open(self) -> tuple[int, bool]:
        """An existing log is opened, a missing one made; never one in place of the other."""
        try:
            return self._files.open(self.path, APPEND), False
        except FileNotFoundError:
            return self._files.open(self.path, CREATE), True

    def _take(self) -> None:
        try:
            self._files.lock(self._handle)
        except BlockingIOError:
            raise LogInUse(f"{self.path} is in use by another session") from None

    def _write(self, line: bytes) -> None:
        """One line in one write. After a failure nothing is known about the end of the file (a failed
        fsync may have thrown pages away), so the next try takes a fresh handle and a fresh line."""
        if self._failed:
            fresh = self._files.open(self.path, APPEND)
            if self._handle != self._locked:
                self._files.close(self._handle)
            self._handle = fresh
        rest = (b"\n" if self._torn else b"") + line + b"\n"
        self._torn = self._failed = True
        while rest:
            rest = rest[self._files.write(self._handle, rest) :]
        self._files.fsync(self._handle)
        self._torn = self._failed = False

    def _again(self) -> None:
        """The file was removed or replaced under the session: make it anew with all its lines."""
        fresh, created = self._open()
        try:
            self._files.lock(fresh)
            if created:
                self._files.sync_folder(os.path.dirname(self.path) or ".")
        except OSError:
            self._files.close(fresh)
            raise
        before = self._files.read(fresh)
        self.close()
        self._handle = self._locked = fresh
        self._torn = bool(before) and not before.endswith(b"\n")
        self._failed = False
        self._pending = [*self._written, *self._pending]
        self._written = []


def _is_file(path: str) -> bool:
    """A name that leads to a device (`/dev/full` in tests) is never made anew."""
    return not os.path.exists(path) or os.path.isfile(path)
