"""File systems that fail on purpose: the n-th call raises, or the process dies there, or the power
goes; and a model that knows every state a disk may be in after it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from quizgen.session.journal import Disk


class Killed(BaseException):
    """The process is gone: nothing after this runs (tests let it pass through everything)."""


def _counted(name: str) -> Callable[..., object]:
    """The method of a real disk, as a call that may be the one that fails."""
    real = getattr(Disk, name)
    return lambda disk, *given: disk.call(name, lambda: real(disk, *given))


@dataclass
class FaultyDisk(Disk):
    """The real disk until call number `at`, which fails in the way of `how`: an errno, `before`
    (killed before the call), `after` (killed after it) or `torn` (half a write, then killed)."""

    at: int = 0
    how: int | str = 0
    once: bool = True
    calls: list[str] = field(default_factory=list)
    handles: set[int] = field(default_factory=set)

    def call(self, name: str, act: Callable[[], object], torn: Callable[[], object] | None = None) -> object:
        self.calls.append(name)
        due = len(self.calls) == self.at or (not self.once and len(self.calls) >= self.at > 0)
        if not due:
            return act()
        if isinstance(self.how, int):
            raise OSError(self.how, errno.errorcode[self.how])
        if self.how != "before":
            (torn if torn and self.how == "torn" else act)()
        raise Killed

    fsync, lock, flush_folder_to_disk = map(_counted, ("fsync", "lock", "flush_folder_to_disk"))
    read_whole_file, is_open_file_at_path = map(_counted, ("read_whole_file", "is_open_file_at_path"))

    def open(self, path: str, flags: int) -> int:
        def act() -> int:
            handle = Disk.open(self, path, flags)
            self.handles.add(handle)
            return handle

        return self.call("open", act)

    def write(self, handle: int, text: bytes) -> int:
        half = text[: len(text) // 2]
        return self.call("write", lambda: Disk.write(self, handle, text), lambda: Disk.write(self, handle, half))

    def close(self, handle: int) -> None:
        self.handles.discard(handle)
        super().close(handle)

    def die(self) -> None:
        """What the system does for a process that is gone."""
        for handle in sorted(self.handles):
            self.close(handle)


@dataclass
class Power(Disk):
    """One file on a disk that keeps nothing but what was synced, and a trace of what could be left
    of it by a power cut at any moment.

    `durable` survives; `pending` was written and not synced: any prefix of it may be there, or its
    length in zeros, or a prefix and zeros behind it (ALICE, OSDI 2014). Without `named` the file
    itself may be gone.
    """

    durable: bytes = b""
    pending: bytes = b""
    exists: bool = False
    named: bool = False
    acknowledged: list[str] = field(default_factory=list)
    states: list[tuple[bytes | None, tuple[str, ...]]] = field(default_factory=list)

    def snapshot(self) -> None:
        """Note every state that a power cut at this moment may leave."""
        acks = tuple(self.acknowledged)
        for content in self._contents():
            self.states.append((content, acks))

    def _contents(self) -> Iterator[bytes | None]:
        if not self.exists or not self.named:
            yield None
        if self.exists:
            size = len(self.pending)
            for cut in range(size + 1):
                yield self.durable + self.pending[:cut]
                if cut < size:
                    yield self.durable + self.pending[:cut] + b"\0" * (size - cut)

    def open(self, path: str, flags: int) -> int:
        if not flags & os.O_CREAT and not self.exists:
            raise FileNotFoundError(2, "no such file", path)
        self.exists = True
        self.snapshot()
        return 7

    def write(self, handle: int, text: bytes) -> int:
        self.pending += text
        self.snapshot()
        return len(text)

    def fsync(self, handle: int) -> None:
        self.durable += self.pending
        self.pending = b""
        self.snapshot()

    def read_whole_file(self, handle: int) -> bytes:
        return self.durable + self.pending

    def is_open_file_at_path(self, handle: int, path: str) -> bool:
        return True

    def size_in_bytes(self, handle: int) -> int:
        return len(self.durable + self.pending)

    def lock(self, handle: int) -> None:
        pass

    def close(self, handle: int) -> None:
        pass

    def flush_folder_to_disk(self, path: str) -> None:
        self.named = True
        self.snapshot()

    def acknowledge(self, name: str) -> None:
        self.acknowledged.append(name)
        self.snapshot()
