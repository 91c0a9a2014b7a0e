"""Lines and images in and out: the keyboard and the screen of the plain mode. And how a session is left: kept by its
candidate, over, or stopped by SIGTERM or SIGHUP (Windows has neither)."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from quizgen.source.problems import printable
from quizgen.terminal import CAUGHT_SIGNALS

if TYPE_CHECKING:  # a session starts without a page
    from quizgen.page import Block


class LineTerminal:
    """Standard input and output; a test passes its own. Reads lines from the file descriptor itself, so that waiting
    for a terminal can time out; a pipe is read without a timeout.

    `is_interactive`: a person is at the keyboard, so an unreadable response is asked again. `image_protocol_name`: the
    image protocol of the screen, empty if it has none."""

    def __init__(self, is_interactive: bool, width: int, image_protocol_name: str = "") -> None:
        self.is_interactive = is_interactive
        self.width = width
        self.image_protocol_name = image_protocol_name
        self._buffer = b""
        self._has_ended = False

    def read_line(self, timeout: float | None = None) -> str | None:
        """The next line without its line end; None if `timeout` seconds passed. Raises EOFError at the end of input."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while b"\n" not in self._buffer and not self._has_ended:
            if deadline is not None and sys.platform != "win32":
                if not select.select([0], [], [], max(0.0, deadline - time.monotonic()))[0]:
                    return None
            piece = os.read(0, 65536)
            self._buffer += piece
            self._has_ended = not piece
        if self.is_interactive:
            self._has_ended = False  # Ctrl-D after some text ends the line, not the session
        if not self._buffer:
            raise EOFError
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode("utf-8-sig", "replace").removesuffix("\r")

    def write_line(self, text: str = "") -> None:
        """Prints one line."""
        self.write_raw_text(f"{printable(text)}\n")

    def write_raw_text(self, text: str) -> None:
        """Prints text as it is, such as the escape sequence of an image, and flushes it."""
        sys.stdout.write(text)
        sys.stdout.flush()

    def write_lines(self, texts: Iterable[str]) -> None:
        """Prints lines that are already wrapped."""
        for text in texts:
            self.write_line(text)

    def discard_pending_input(self) -> None:
        """Discards input that was not read yet: it was meant for an item whose time is over."""
        if not self.is_interactive:
            return
        self._buffer = b""
        if sys.platform != "win32" and os.isatty(0):  # otherwise the shell would run it as a command
            import termios

            termios.tcflush(0, termios.TCIFLUSH)

    def write_prompt(self, text: str) -> None:
        """Prints a prompt without a line end; nothing if nobody is at the keyboard."""
        if self.is_interactive:
            self.write_raw_text(text)


class SessionLeftForLater(Exception):
    """Raised when the candidate leaves a session and keeps it for later."""


class SessionEnded(Exception):
    """Raised when the session ends now; the argument is the reason."""


class SignalReceived(Exception):
    """Raised when SIGTERM or SIGHUP arrives; the argument is the signal's number."""


@contextmanager
def raise_on_signals() -> Iterator[None]:
    """A context manager in which SIGTERM and SIGHUP raise `SignalReceived`."""

    def raise_signal(number: int, frame: FrameType | None) -> None:
        for signal_number in CAUGHT_SIGNALS:  # a shell sends a second signal, which must not interrupt the saving
            signal.signal(signal_number, signal.SIG_IGN)
        raise SignalReceived(number)

    handler_by_signal = {s: signal.signal(s, raise_signal) for s in CAUGHT_SIGNALS}
    try:
        yield
    finally:
        for number, handler in handler_by_signal.items():
            signal.signal(number, handler if callable(handler) else signal.SIG_DFL)


# A bank's images in terminals that can show them: kitty's graphics protocol (kitty, WezTerm, Ghostty) and iTerm2's.
#
# Sixel is not supported, because images would have to be decoded and their colours counted; nor is SVG, which no
# terminal draws. The alt text is printed in any case.

KITTY, ITERM2 = "kitty", "iterm2"
MAX_KITTY_COMMAND_CHARACTERS = 4096  # characters in one command of kitty's protocol
ASSUMED_COLUMN_WIDTH_PIXELS = 9  # approximate width of a column in pixels
_IMAGE_MEDIA_TYPES_BY_PROTOCOL = {KITTY: ("image/png",), ITERM2: ("image/png", "image/jpeg", "image/gif")}


def detect_image_protocol_name(environment: Mapping[str, str], is_terminal: bool) -> str:
    """The image protocol of a terminal; empty if it has none, or runs in tmux or screen."""
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    in_multiplexer = environment.get("TMUX") or term.startswith(("screen", "tmux"))
    if not is_terminal or in_multiplexer or environment.get("ACCESSIBLE"):
        return ""
    if environment.get("KITTY_WINDOW_ID") or term in ("xterm-kitty", "xterm-ghostty") or program == "WezTerm":
        return KITTY
    return ITERM2 if program == "iTerm.app" or environment.get("LC_TERMINAL") == "iTerm2" else ""


def image_escape_sequences(blocks: Iterable[Block], bank_folder_path: str, protocol: str, width: int) -> Iterator[str]:
    """Yields the escape sequence of each image that the terminal can show, at most `width` columns wide.
    `bank_folder_path` is the bank's folder."""
    if not protocol:
        return
    import base64

    from quizgen.inline import Image
    from quizgen.page import walk_page
    from quizgen.render.images import UnusableImage, image_data_url

    for piece in walk_page(tuple(blocks)):
        if not isinstance(piece, Image):
            continue
        try:
            media, _, data = image_data_url(bank_folder_path, piece.path).removeprefix("data:").partition(";base64,")
        except UnusableImage:
            continue  # the alt text is shown instead; `quizgen check` reports the reason
        if media in _IMAGE_MEDIA_TYPES_BY_PROTOCOL[protocol]:
            pixels = int.from_bytes(base64.b64decode(data[:32])[16:20], "big")  # width of a PNG in pixels
            columns = max(1, min(width, -(-pixels // ASSUMED_COLUMN_WIDTH_PIXELS))) if media == "image/png" else width
            if protocol == KITTY:
                # Transmits and shows (a=T) a PNG (f=100) without a reply (q=2), by
                # https://sw.kovidgoyal.net/kitty/graphics-protocol/.
                starts = range(0, len(data), MAX_KITTY_COMMAND_CHARACTERS)
                *pieces, last = (data[start : start + MAX_KITTY_COMMAND_CHARACTERS] for start in starts)
                commands = [*(f"m=1;{piece}" for piece in pieces), f"m=0;{last}"]
                yield f"\x1b_Ga=T,f=100,q=2,c={columns}," + "\x1b\\\x1b_G".join(commands) + "\x1b\\\n"
            else:  # https://iterm2.com/documentation-images.html
                yield f"\x1b]1337;File=inline=1;size={len(base64.b64decode(data))};width={columns}:{data}\x07\n"
