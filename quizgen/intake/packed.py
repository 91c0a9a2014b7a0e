"""Archives of logs: gzip, xz and zstd, told by their first bytes, read as they are unpacked."""

from __future__ import annotations

import gzip
import lzma
import zlib
from importlib import import_module
from typing import IO, Any

from quizgen.intake.lines import Damaged

MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
AHEAD = max(map(len, MAGIC))  # bytes that tell an archive
SUFFIXES = ("", ".gz", ".xz", ".zst")


def kind_of(head: bytes) -> str:
    """The archive that begins like this; an empty text where it is none."""
    return next((name for magic, name in MAGIC.items() if head.startswith(magic)), "")


class Unpacked:
    """Reads an archive, also one of several members; what is torn at its end is told in `note`, not lost.
    Raises Damaged where its extra is missing."""

    def __init__(self, file: IO[bytes], kind: str) -> None:
        self._kind = kind
        self._broken: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error, lzma.LZMAError)
        self.note = ""
        if kind == "zstd":
            try:
                # Not imported by name: the extra may be absent.
                zstd: Any = import_module("zstandard")
            except ImportError:
                raise Damaged("packed with zstd; install quizgen[zstd], or unpack it first") from None
            self._broken += (zstd.ZstdError,)
            self._file: Any = zstd.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        else:
            self._file = gzip.GzipFile(fileobj=file) if kind == "gzip" else lzma.LZMAFile(file)  # noqa: SIM115  # not ours

    def read(self, size: int, /) -> bytes:
        try:
            piece: bytes = self._file.read1(size) if self._kind != "zstd" else self._file.read(size)
            return piece
        except self._broken as error:
            why = "it ends too early" if isinstance(error, EOFError) else f"what follows is not {self._kind}"
            self.note = f"the archive is damaged from here on ({why}); what came before it is scored"
            return b""
