"""The time of a session: a clock that only runs forward, and the wall clock for the log."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """The clocks of this machine; a test passes one that it moves by hand."""

    def now(self) -> float:
        """Seconds that only grow. They do not depend on the wall clock, and pause while Linux or macOS sleeps, as
        `time.monotonic` does."""
        return time.monotonic()

    def utc(self) -> str:
        """The current UTC time in ISO 8601, for the log only: no deadline depends on it."""
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
