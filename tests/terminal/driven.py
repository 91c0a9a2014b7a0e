"""The full screen driven key by key without a terminal: keys go in through a pipe, the log comes out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from fakes import WHO, Clock, form, item
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from quizgen.interview import events
from quizgen.interview.session import Rules
from quizgen.log import records
from quizgen.log.journal import Journal
from quizgen.model import Form
from quizgen.terminal.full.layout import Screen
from quizgen.terminal.full.panes import Stage
from quizgen.terminal.full.room import Room
from quizgen.terminal.full.run import alive, application
from quizgen.terminal.full.view import note
from quizgen.terminal.sitting import Sitting

ENTER, ESCAPE, UP, DOWN = "\r", "\x1b", "\x1b[A", "\x1b[B"
F = {1: "\x1bOP", 2: "\x1bOQ", 3: "\x1bOR", 4: "\x1bOS", 5: "\x1b[15~", 6: "\x1b[17~", 7: "\x1b[18~", 8: "\x1b[19~",
     9: "\x1b[20~", 10: "\x1b[21~", 11: "\x1b[23~", 12: "\x1b[24~"}  # fmt: skip

Step = str | Callable[[Room], None]


class Screen24(DummyOutput):
    """An output of a fixed size that shows nothing."""

    def __init__(self, rows: int, columns: int) -> None:
        self.size = Size(rows=rows, columns=columns)

    def get_size(self) -> Size:
        return self.size


class Full:
    """A session driven key by key; each step is keys, or a check of the room."""

    screen: Screen

    def __init__(
        self, path: Path, made: Form, steps: list[Step], rows: int = 24, columns: int = 80, **rules: object
    ) -> None:
        self.clock = Clock()
        follow = {e.variant.item.id: e for e in form(item("extra")).entries}
        session = events.new(made, Rules(**rules))  # type: ignore[arg-type]  # fields of Rules
        self.sitting = Sitting(session, WHO, Journal(str(path)), self.clock, follow=follow.get)
        self.sitting.open()
        self.code: int | None = asyncio.run(self._run(steps, rows, columns))
        self.sitting.close()
        self.lines = [line for _, line in records.read_lines(path.read_bytes()) if line]

    async def _run(self, steps: list[Step], rows: int, columns: int) -> int | None:
        with create_pipe_input() as keys:
            app, screen = application(self.sitting, False, keys, Screen24(rows, columns))
            app.ttimeoutlen = 0.01
            app.timeoutlen = 0.02
            running = asyncio.ensure_future(app.run_async())
            await asyncio.sleep(0.02)
            assert screen.room is not None
            self.room = screen.room
            self.screen = screen
            for step in steps:
                if callable(step):
                    step(self.room)
                else:
                    keys.send_text(step)
                    await asyncio.sleep(0.08 if step == ESCAPE else 0.03)
            if alive(app):
                app.exit(result=None)
            return await running

    @property
    def responses(self) -> list[object]:
        return [line["response"] for line in self.lines if line["type"] == "response"]


def stage(wanted: Stage) -> Callable[[Room], None]:
    def check(room: Room) -> None:
        assert room.stage is wanted

    return check


def says(text: str, typed: str = "") -> Callable[[Room], None]:
    def check(room: Room) -> None:
        assert text in note(room, typed)

    return check


def fruit(**fields: object) -> Form:
    return form(item("c"), item("n", "number"), item("t", "text"), **fields)
