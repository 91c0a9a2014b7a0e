"""How a session is left: kept by its candidate, over, or stopped by SIGTERM or SIGHUP (Windows has neither)."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class SessionKept(Exception):
    """Raised when the candidate leaves a session and keeps it for later."""


class SessionEnded(Exception):
    """Raised when the session ends now; the argument is the reason."""


class SignalReceived(Exception):
    """Raised when SIGTERM or SIGHUP arrives; the argument is the signal's number."""


CAUGHT_SIGNALS = tuple(s for s in (getattr(signal, n, None) for n in ("SIGTERM", "SIGHUP")) if s is not None)


@contextmanager
def raise_on_signals() -> Iterator[None]:
    """A context manager in which SIGTERM and SIGHUP raise `SignalReceived`."""

    def raise_signal(number: int, frame: FrameType | None) -> None:
        for caught in CAUGHT_SIGNALS:  # a shell sends a second signal, which must not interrupt the saving
            signal.signal(caught, signal.SIG_IGN)
        raise SignalReceived(number)

    before = {s: signal.signal(s, raise_signal) for s in CAUGHT_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if callable(handler) else signal.SIG_DFL)
