"""The line of progress: silent at first and elsewhere, then share and time left."""

from __future__ import annotations

import io

import pytest

from quizgen.commands.shared import ProgressLine


class Screen(io.StringIO):
    """A terminal that keeps what it was sent."""

    def isatty(self) -> bool:
        return True

    @property
    def last(self) -> str:
        return self.getvalue().rpartition("\r")[2].rstrip()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("quizgen.commands.shared.time.monotonic", lambda: now[0])
    return now


def test_reading_and_later_stages_show_share_and_time_left(clock: list[float]) -> None:
    """50 of 200 MB after 10 s: 150 MB are left, at 5 MB/s 30 s. Then a quarter of 200 items in 10 s."""
    screen = Screen()
    line = ProgressLine(200_000_000, screen, True)
    clock[0] += 0.5
    line.show_bytes(0, 1_000_000)
    assert screen.last == ""
    clock[0] += 9.5
    line.show_bytes(0, 30_000_000)
    clock[0] += 0.0
    line.show_bytes(1, 20_000_000)
    assert screen.last == "[###                 ]  15%  MB: 30 of 200, 0:56 left"
    line.show_bytes(1, 170_000_000)
    assert screen.last == ""
    line.show_stage("items", 0, 200)
    clock[0] += 10
    line.show_stage("items", 50, 200)
    assert screen.last == "[#####               ]  25%  items: 50 of 200, 0:30 left"


def test_a_pipe_sees_nothing(clock: list[float]) -> None:
    stream = io.StringIO()
    line = ProgressLine(10, stream, True)
    clock[0] += 60
    line.show_bytes(0, 5)
    line.show_stage("items", 1, 2)
    assert stream.getvalue() == ""
