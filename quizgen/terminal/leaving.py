"""How a session is left: kept by its candidate, over, or stopped by SIGTERM or SIGHUP (Windows has neither)."""

from __future__ import annotations

import signal
from types import FrameType


class KeptForLater(Exception):
    """Raised when the candidate leaves a session and keeps it for later."""


class EndedNow(Exception):
    """Raised when the session ends now; the argument is the reason."""


class Stopped(Exception):
    """Raised when SIGTERM or SIGHUP arrives; the argument is the signal's number."""


CAUGHT_SIGNALS = tuple(s for s in (getattr(signal, n, None) for n in ("SIGTERM", "SIGHUP")) if s is not None)
Handlers = dict[signal.Signals, object]


def catch_signals() -> Handlers:
    """Makes SIGTERM and SIGHUP raise `Stopped`, and returns the previous handlers."""

    def stop(number: int, frame: FrameType | None) -> None:
        for caught in CAUGHT_SIGNALS:  # a shell sends a second signal, which must not interrupt the saving
            signal.signal(caught, signal.SIG_IGN)
        raise Stopped(number)

    return {s: signal.signal(s, stop) for s in CAUGHT_SIGNALS}


def restore_handlers(before: Handlers) -> None:
    """Puts back the handlers that `catch_signals` returned."""
    for number, handler in before.items():
        signal.signal(number, handler if callable(handler) else signal.SIG_DFL)
