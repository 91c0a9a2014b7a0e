"""Lines in and out: the keyboard and the screen of the plain mode."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterable
from typing import TextIO

from quizgen.source.problems import printable


class LineTerminal:
    """Standard input and output; a test passes its own. Reads lines from the file descriptor itself, so that waiting
    for a terminal can time out; a pipe is read without a timeout.

    `interactive`: a person is at the keyboard, so an unreadable response is asked again. `pictures`: the image protocol
    of the screen, empty if it has none."""

    def __init__(
        self, interactive: bool, width: int, handle: int = 0, out: TextIO | None = None, pictures: str = ""
    ) -> None:
        self.interactive = interactive
        self.width = width
        self.pictures = pictures
        self._handle = handle
        self._out = out if out is not None else sys.stdout
        self._buffer = b""
        self._ended = False

    def read_line(self, timeout: float | None = None) -> str | None:
        """The next line without its line end; None if `timeout` seconds passed. Raises EOFError at the end of input."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while b"\n" not in self._buffer and not self._ended:
            if deadline is not None and sys.platform != "win32":
                ready, _, _ = select.select([self._handle], [], [], max(0.0, deadline - time.monotonic()))
                if not ready:
                    return None
            piece = os.read(self._handle, 65536)
            self._buffer += piece
            self._ended = not piece
        if not self._buffer:
            raise EOFError
        if b"\n" in self._buffer:
            line, _, self._buffer = self._buffer.partition(b"\n")
        else:
            line, self._buffer = self._buffer, b""
        if self.interactive:
            self._ended = False  # Ctrl-D after some text ends the line, not the session
        return line.decode("utf-8", "replace").removesuffix("\r")

    def write_line(self, text: str = "") -> None:
        """Prints one line."""
        self.write_raw(f"{printable(text)}\n")

    def write_raw(self, text: str) -> None:
        """Prints text as it is, such as the escape sequence of an image, and flushes it."""
        self._out.write(text)
        self._out.flush()

    def write_lines(self, texts: Iterable[str]) -> None:
        """Prints lines that are already wrapped."""
        for text in texts:
            self.write_line(text)

    def discard_pending_input(self) -> None:
        """Discards input that was not read yet: it was meant for an item whose time is over."""
        if not self.interactive:
            return
        self._buffer = b""
        if sys.platform != "win32":
            import termios

            if os.isatty(self._handle):  # otherwise the shell would run it as a command
                termios.tcflush(self._handle, termios.TCIFLUSH)

    def write_prompt(self, text: str) -> None:
        """Prints a prompt without a line end; nothing if nobody is at the keyboard."""
        if self.interactive:
            self.write_raw(text)
