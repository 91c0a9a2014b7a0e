"""The file system as the log sees it: a handful of calls, each of which a test can make fail."""

from __future__ import annotations

import os
import sys

from quizgen.atomic_write import sync_folder

# Flags that one platform or another lacks; there they mean nothing.
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)

APPEND = os.O_RDWR | os.O_APPEND | _CLOEXEC | _NOFOLLOW | _BINARY | _NONBLOCK
CREATE = APPEND | os.O_CREAT | os.O_EXCL


class Disk:
    """What the log asks of a file system. Every method raises OSError where it fails; what overrides one in a test can
    make it fail."""

    def open(self, path: str, flags: int) -> int:
        return os.open(path, flags, 0o600)

    def write(self, handle: int, text: bytes) -> int:
        return os.write(handle, text)

    def fsync(self, handle: int) -> None:
        if _regular(handle):  # a device such as /dev/null has nothing to sync
            os.fsync(handle)

    def read(self, handle: int) -> bytes:
        """The whole file, whatever its position. Not for a device: it reads nothing there."""
        if not _regular(handle):
            return b""
        os.lseek(handle, 0, os.SEEK_SET)
        pieces = []
        while piece := os.read(handle, 1 << 20):
            pieces.append(piece)
        return b"".join(pieces)

    def same(self, handle: int, path: str) -> bool:
        """The path still leads to the open file: nobody removed or replaced it."""
        try:
            there = os.stat(path)
        except FileNotFoundError:
            return False
        here = os.fstat(handle)
        return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)

    def size(self, handle: int) -> int:
        """Bytes in the open file."""
        return os.fstat(handle).st_size

    def lock(self, handle: int) -> None:
        """Take the file for this process; BlockingIOError where another has it.

        The lock goes with the process, so that a crash never leaves one behind. A device, which keeps
        nothing and belongs to everyone, is not locked.
        """
        if not _regular(handle):
            return
        if sys.platform == "win32":
            import msvcrt

            # A byte far behind the text: readers of the log are not kept out.
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
        """Make a new file's name durable: without this a power cut can forget the file itself."""
        sync_folder(path)


DISK = Disk()


def _regular(handle: int) -> bool:
    import stat

    return stat.S_ISREG(os.fstat(handle).st_mode)
