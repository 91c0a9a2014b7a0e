"""Where a report goes: standard output, or a file that takes the old one's place when it is whole.

What a link leads to is replaced, not the link; a pipe or a device takes what it is given and stays what it is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import IO

from quizgen.atomic_write import replacing, unwritable
from quizgen.source.problems import Unreadable, printable


class Output:
    """A context manager that gives a function to write text with."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._whole = replacing(name)
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Callable[[str], None]:
        if self._name == "-":
            # Not click.echo: it takes escape sequences out of data on its way to a file. On a screen
            # they are shown, never sent.
            if sys.stdout.isatty():
                return lambda text: _put(printable(text))
            return _put
        try:
            self._file = self._whole.__enter__()
        except OSError as error:
            raise unwritable(self._name, error) from None
        return self._write

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is None:
            return
        try:
            self._whole.__exit__(kind, error, at)
        except OSError as fault:
            if kind is None:
                raise unwritable(self._name, fault) from None

    def _write(self, text: str) -> None:
        assert self._file is not None
        try:
            self._file.write(text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise unwritable(self._name, error) from None


@contextmanager
def held(write: Callable[[str], None]) -> Iterator[tuple[Callable[[str], object], Callable[[], None]]]:
    """A function that keeps text, on disk if it is much, and one that passes it on to `write`."""
    with SpooledTemporaryFile(1 << 20, "w+", encoding="utf-8", errors="surrogatepass", newline="") as file:

        def release() -> None:
            file.seek(0)
            while text := file.read(1 << 16):
                write(text)

        yield file.write, release


def _put(text: str) -> None:
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Unreadable(f"standard output cannot be written ({error.strerror or error})") from None
