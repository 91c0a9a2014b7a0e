"""Records on disk by partition: one temporary file, appended in large pieces, read by partition.

Memory is bounded: pieces wait in a buffer of fixed size, and a partition is one place in the file. A piece
is compact JSON, so that any Python on any machine of a cluster can read it and nothing in it can run.
"""

from __future__ import annotations

import heapq
import json
import struct
import tempfile
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from typing import IO, Any

from quizgen.source.problems import Unreadable

BUFFER = 1 << 20
WINDOW = 256  # read of a value to learn the name it begins with

_PLACE = struct.Struct("<qq")
_NOWHERE = (-1, 0)

_encode = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode
_decode = json.JSONDecoder().decode
_first = json.JSONDecoder().raw_decode


def packed(value: object) -> bytes:
    """Plain values as a piece; tuples come back as lists."""
    return _encode(value).encode("ascii")


@dataclass(frozen=True, slots=True)
class Partition:
    """The records of one partition, as a process on this machine or another can read them.

    `pieces` are (offset, size) in the file at `path`, or the bytes themselves in `data`.
    """

    number: int
    path: str = ""
    pieces: tuple[tuple[int, int], ...] = ()
    data: tuple[bytes, ...] = ()

    def chunks(self) -> Iterator[Any]:
        """The pieces as they were put in, in that order."""
        if self.data:
            for joined in self.data:
                yield from unpacked(joined)
            return
        with open(self.path, "rb") as file:
            for offset, size in self.pieces:
                file.seek(offset)
                yield from unpacked(file.read(size))


def unpacked(data: bytes) -> Iterator[Any]:
    """The values of several pieces that were joined, each behind its length."""
    at = 0
    while at < len(data):
        start, at = at + 4, at + 4 + int.from_bytes(data[at : at + 4], "little")
        yield value_of(data[start:at])


def value_of(data: bytes) -> Any:
    """What was packed."""
    return _decode(data.decode("ascii"))


def _working_file(folder: str | None) -> IO[bytes]:
    return tempfile.NamedTemporaryFile(prefix="quizgen-", dir=folder)  # its holder closes it


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unreadable(
            f"no room for working files ({error.strerror or error}); set TMPDIR to a folder with more room"
        ) from None


class Pieces:
    """Texts on disk, one for each block of a run, of which any part can be read again."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._reader: FileIO | None = None
        self._starts = array("q")
        self._end = 0

    def add(self, data: bytes) -> None:
        """The text of the next block."""
        self._starts.append(self._end)
        if data:
            with _room():
                if self._file is None:
                    self._file = _working_file(self._folder)
                self._file.write(data)
                self._file.flush()
            self._end += len(data)

    def read(self, block: int, offset: int, size: int) -> bytes:
        assert self._file is not None
        if self._reader is None:
            self._reader = FileIO(self._file.name)
        self._reader.seek(self._starts[block] + offset)
        return self._reader.read(size)

    def apart(self) -> None:
        """Read through a file of this process from here on: a forked one has the place in it in common."""
        if self._reader is not None:
            self._reader.close()
        self._reader = None

    def close(self) -> None:
        self.apart()
        if self._file is not None:
            with suppress(OSError):  # what a full disk did not take is not wanted any more
                self._file.close()


class Spill:
    """Where records wait for their candidate's other records. A context manager: the file goes with it.

    Every piece in the file begins with the place of the one before it in its partition, so that what is held
    in memory is one place a partition, however long the log.
    """

    def __init__(self, partitions: int, folder: str | None = None, buffer: int = BUFFER) -> None:
        self.partitions = partitions
        self._file: IO[bytes] | None = None
        self._folder = folder
        self._buffer = buffer
        self._end = 0
        self._waiting: dict[int, list[bytes]] = {}
        self._size = 0
        self._last: dict[int, tuple[int, int]] = {}  # offset and size of a partition's last piece

    def __enter__(self) -> Spill:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # what a full disk did not take is not wanted any more
                self._file.close()

    def put(self, partition: int, *pieces: bytes) -> None:
        """Add pieces to a partition."""
        for data in pieces:
            self._put(partition, data)
        if self._size > self._buffer:
            self._flush()

    def _put(self, partition: int, data: bytes) -> None:
        waiting = self._waiting.setdefault(partition, [])
        waiting.append(len(data).to_bytes(4, "little"))
        waiting.append(data)
        self._size += len(data) + 80

    def _flush(self) -> None:
        with _room():
            self._write_out()

    def _write_out(self) -> None:
        if self._file is None:
            self._file = _working_file(self._folder)
        for partition, pieces in self._waiting.items():
            before = self._file.write(_PLACE.pack(*self._last.get(partition, _NOWHERE)))
            size = sum(map(len, pieces))
            self._file.writelines(pieces)
            self._last[partition] = (self._end + before, size)
            self._end += before + size
        self._file.flush()
        self._waiting.clear()
        self._size = 0

    def _pieces(self, partition: int) -> tuple[tuple[int, int], ...]:
        """Where the pieces of a partition are in the file, the first one first."""
        found: list[tuple[int, int]] = []
        place = self._last.get(partition, _NOWHERE)
        if self._file is None or place == _NOWHERE:
            return ()
        with open(self._file.name, "rb", buffering=0) as file:
            while place != _NOWHERE:
                found.append(place)
                file.seek(place[0] - _PLACE.size)
                offset, size = _PLACE.unpack(file.read(_PLACE.size))
                place = (offset, size)
        return tuple(reversed(found))

    def read(self, partition: int, in_place: bool = True) -> Partition:
        """One partition. With `in_place` False its bytes travel with it (another machine reads it)."""
        waiting = b"".join(self._waiting.get(partition, ()))
        if waiting and in_place and partition in self._last:
            self._flush()
            waiting = b""
        pieces = self._pieces(partition)
        if not pieces:
            return Partition(partition, data=(waiting,) if waiting else ())
        assert self._file is not None
        if in_place:
            return Partition(partition, self._file.name, pieces)
        data = []
        with open(self._file.name, "rb") as file:
            for offset, size in pieces:
                file.seek(offset)
                data.append(file.read(size))
        return Partition(partition, data=(*data, waiting) if waiting else tuple(data))

    def used(self) -> list[int]:
        """The partitions that hold anything, in order."""
        return sorted({*self._last, *self._waiting})

    def merged(self) -> Iterator[bytes]:
        """All values, packed, by the text that each, a list, begins with; in a partition they lie in that order
        already.

        Of a partition that waits its turn, one name is held and where the value is.
        """
        self._flush()
        assert self._file is not None
        with open(self._file.name, "rb") as file:
            for _, offset, size in heapq.merge(*(self._names(file, n) for n in self.used())):
                file.seek(offset)
                yield file.read(size)

    def _names(self, file: IO[bytes], partition: int) -> Iterator[tuple[str, int, int]]:
        for offset, size in self._pieces(partition):
            at = offset
            while at < offset + size:
                file.seek(at)
                start = file.read(4 + WINDOW)
                length = int.from_bytes(start[:4], "little")
                try:
                    name = _first(start[4 : 4 + length].decode("ascii"), 1)[0]
                except json.JSONDecodeError:  # a name longer than the window
                    file.seek(at + 4)
                    name = _first(file.read(length).decode("ascii"), 1)[0]
                yield name, at + 4, length
                at += 4 + length
