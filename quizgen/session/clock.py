"""Time for a session: one clock that only runs forward, and the wall's for the record."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """The clocks of this machine; a test passes one that it moves by hand."""

    def now(self) -> float:
        """Seconds that only grow. A change of the wall clock does not move it, and a machine's sleep does not run it:
        `time.monotonic` stands still while Linux or macOS sleeps."""
        return time.monotonic()

    def utc(self) -> str:
        """The current UTC time in ISO 8601. It is only recorded and never decides a deadline."""
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def duration_in_words(seconds: float) -> str:
    """A duration in words: `45 minutes`, `1 minute 30 seconds`, `20 seconds`."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    parts = []
    if minutes:
        parts.append(f"{minutes} minute{'s' * (minutes != 1)}")
    if rest or not minutes:
        parts.append(f"{rest} second{'s' * (rest != 1)}")
    return " ".join(parts)
