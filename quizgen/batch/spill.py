"""Records on disk by partition: one temporary file, appended in large pieces, read by partition.

Memory is bounded: pieces wait in a buffer of fixed size, and the index is two numbers a piece. A piece
is compact JSON, so that any Python on any machine of a cluster can read it and nothing in it can run.
"""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

BUFFER = 4 << 20
WINDOW = 512


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
        if not self.pieces:
            return
        with open(self.path, "rb") as file:
            for offset, size in self.pieces:
                file.seek(offset)
                yield from unpacked(file.read(size))

    def stream(self) -> Iterator[str]:
        """As `chunks`, each still packed and reading a little at a time: for many partitions read side
        by side."""
        for joined in self.data:
            for start, end in _pieces(joined):
                yield joined[start:end].decode("ascii")
        if self.data:
            return
        for offset, size in self.pieces:
            held, at, end = b"", offset, offset + size
            while at < end or held:
                want = 4 + int.from_bytes(held[:4], "little") if len(held) >= 4 else WINDOW
                if len(held) < want and at < end:
                    with open(self.path, "rb") as file:  # not kept open: there may be a thousand of us
                        file.seek(at)
                        more = file.read(min(end - at, max(WINDOW, want - len(held))))
                    at += len(more)
                    held += more
                    continue
                yield held[4:want].decode("ascii")
                held = held[want:]


def first_of(piece: str) -> str:
    """The text that a packed list begins with; the rest is not looked at."""
    found: str = _first(piece, 1)[0]
    return found


def whole(piece: str) -> Any:
    return _decode(piece)


def unpacked(data: bytes) -> Iterator[Any]:
    """The values of several pieces that were joined, each behind its length."""
    for start, end in _pieces(data):
        yield _decode(data[start:end].decode("ascii"))


def _pieces(data: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(data):
        start, at = at + 4, at + 4 + int.from_bytes(data[at : at + 4], "little")
        yield start, at


class Spill:
    """Where records wait for their candidate's other records. A context manager: the file goes with it."""

    def __init__(self, partitions: int, folder: str | None = None) -> None:
        self.partitions = partitions
        self._file: IO[bytes] | None = None
        self._folder = folder
        self._end = 0
        self._waiting: dict[int, list[bytes]] = {}
        self._size = 0
        self._index: dict[int, tuple[array[int], array[int]]] = {}

    def __enter__(self) -> Spill:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def put(self, partition: int, *pieces: bytes) -> None:
        """Add pieces to a partition."""
        for data in pieces:
            self._put(partition, data)
        if self._size > BUFFER:
            self._flush()

    def _put(self, partition: int, data: bytes) -> None:
        waiting = self._waiting.setdefault(partition, [])
        waiting.append(len(data).to_bytes(4, "little"))
        waiting.append(data)
        self._size += len(data) + 80

    def _flush(self) -> None:
        if self._file is None:
            self._file = tempfile.NamedTemporaryFile(prefix="quizgen-", dir=self._folder)  # noqa: SIM115  # closed by __exit__
        for partition, pieces in self._waiting.items():
            size = self._file.write(b"".join(pieces))
            offsets, sizes = self._index.setdefault(partition, (array("q"), array("q")))
            offsets.append(self._end)
            sizes.append(size)
            self._end += size
        self._file.flush()
        self._waiting.clear()
        self._size = 0

    def read(self, partition: int, in_place: bool = True) -> Partition:
        """One partition. With `in_place` False its bytes travel with it (another machine reads it)."""
        pieces = tuple(zip(*self._index.get(partition, ((), ())), strict=True))
        waiting = b"".join(self._waiting.get(partition, ()))
        if self._file is not None and (in_place or not pieces) and not waiting:
            return Partition(partition, self._file.name, pieces)
        if not pieces:
            return Partition(partition, data=(waiting,) if waiting else ())
        if in_place:
            self._flush()
            return self.read(partition)
        assert self._file is not None
        data = []
        with open(self._file.name, "rb") as file:
            for offset, size in pieces:
                file.seek(offset)
                data.append(file.read(size))
        return Partition(partition, data=(*data, waiting) if waiting else tuple(data))

    def used(self) -> list[int]:
        """The partitions that hold anything, in order."""
        return sorted({*self._index, *self._waiting})
