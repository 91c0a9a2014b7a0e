"""A line of progress with rate and time left, redrawn in place on a terminal's standard error."""

from __future__ import annotations

import time
from typing import TextIO

WAIT = 1.0  # seconds before the line appears: short work shows none
PAUSE = 0.2
WIDTH = 76


class ProgressLine:
    """Bytes read of a total that may be unknown (0). Silent where the stream is no terminal."""

    def __init__(self, total: int, stream: TextIO, wanted: bool) -> None:
        self._total = total
        self._stream = stream
        self._on = wanted and stream.isatty()
        self._start = self._last = time.monotonic()
        self._read: dict[int, int] = {}
        self._drawn = False
        self._stage = ""
        self._begun = self._start

    def show(self, source: int, read: int) -> None:
        """So many bytes of a source are done."""
        self._read[source] = read
        now = time.monotonic()
        if not self._on or now - self._start < WAIT or now - self._last < PAUSE:
            return
        self._last = now
        done = sum(self._read.values())
        rate = done / (now - self._start)
        text = f"{done / 1e6:,.0f} MB, {rate / 1e6:.1f} MB/s"
        if self._total:
            left = max(0.0, (self._total - done) / rate) if rate else 0.0
            share = min(1.0, done / self._total)
            text = f"{_bar(share)}  {text}, {int(left // 60)}:{int(left % 60):02d} left"
        if done >= self._total > 0:
            self.clear()
            return
        self._draw(text)

    def step(self, what: str, done: int, total: int) -> None:
        """So much of a later stage of the work is done; the time left is that of the stage."""
        now = time.monotonic()
        if what != self._stage:
            self._stage, self._begun = what, now
        if not self._on or now - self._start < WAIT or (now - self._last < PAUSE and done < total):
            return
        self._last = now
        if done >= total:
            self.clear()
            return
        left = (now - self._begun) * (total - done) / done if done else 0.0
        text = f"{done:,} of {total:,}, {int(left // 60)}:{int(left % 60):02d} left"
        self._draw(f"{_bar(done / total)}  {what}: {text}")

    def _draw(self, text: str) -> None:
        self._stream.write(f"\r{text:<{WIDTH}}")
        self._stream.flush()
        self._drawn = True

    def clear(self) -> None:
        """Take the line away, for something else to be printed."""
        if self._drawn:
            self._stream.write("\r" + " " * WIDTH + "\r")
            self._stream.flush()
            self._drawn = False


def _bar(share: float) -> str:
    return f"[{'#' * int(share * 20):<20}] {share:4.0%}"
