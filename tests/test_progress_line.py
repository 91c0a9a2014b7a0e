"""The line of progress: silent at first and elsewhere, then share, rate and time left."""

from __future__ import annotations

import io

import pytest

from quizgen.commands.shared import ProgressLine


class Screen(io.StringIO):
    """A terminal that keeps what it was sent."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("quizgen.commands.shared.time.monotonic", lambda: now[0])
    return now


def last(screen: Screen) -> str:
    return screen.getvalue().rpartition("\r")[2].rstrip()


def test_reading_shows_share_rate_and_time_left(clock: list[float]) -> None:
    """200 MB in all; 50 MB after 10 s are a quarter at 5 MB/s, and 150 MB are left: 30 s."""
    screen = Screen()
    line = ProgressLine(200_000_000, screen, True)
    clock[0] += 0.5
    line.show(0, 1_000_000)
    assert screen.getvalue() == ""
    clock[0] += 9.5
    line.show(0, 30_000_000)
    clock[0] += 0.0
    line.show(1, 20_000_000)
    assert last(screen) == "[###                 ]  15%  30 MB, 3.0 MB/s, 0:56 left"
    clock[0] += 1.0
    line.show(1, 25_000_000)
    assert last(screen) == "[#####               ]  28%  55 MB, 5.0 MB/s, 0:29 left"
    line.clear()
    assert last(screen) == ""


def test_later_stages_show_their_own_time_left(clock: list[float]) -> None:
    screen = Screen()
    line = ProgressLine(10, screen, True)
    clock[0] += 60
    line.step("adding up items", 0, 200)
    clock[0] += 10
    line.step("adding up items", 50, 200)
    assert last(screen) == "[#####               ]  25%  adding up items: 50 of 200, 0:30 left"
    line.step("adding up items", 200, 200)
    assert last(screen) == ""


def test_a_pipe_sees_nothing(clock: list[float]) -> None:
    stream = io.StringIO()
    line = ProgressLine(10, stream, True)
    clock[0] += 60
    line.show(0, 5)
    line.step("adding up items", 1, 2)
    assert stream.getvalue() == ""
