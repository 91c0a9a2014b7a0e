"""The full screen driven key by key without a terminal: keys go in through a pipe, the log comes out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from fakes import WHO, Clock, Script, form, item
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding.key_processor import KeyPress, KeyProcessor
from prompt_toolkit.output import DummyOutput

from quizgen.model import Form
from quizgen.session import interview, session_log
from quizgen.session.interview import SessionRules
from quizgen.session.journal import Journal
from quizgen.session.sitting import Sitting
from quizgen.terminal.lines import SessionLeftForLater
from quizgen.terminal.panes import Stage
from quizgen.terminal.plain import PlainSession
from quizgen.terminal.screen import ScreenWidgets, build_application_and_widgets, is_app_running_and_not_exiting
from quizgen.terminal.session_screen import SessionScreen

ENTER, ESCAPE, UP, DOWN = "\r", "\x1b", "\x1b[A", "\x1b[B"
F = {1: "\x1bOP", 2: "\x1bOQ", 3: "\x1bOR", 4: "\x1bOS", 5: "\x1b[15~", 6: "\x1b[17~", 7: "\x1b[18~", 8: "\x1b[19~",
     9: "\x1b[20~", 10: "\x1b[21~", 11: "\x1b[23~", 12: "\x1b[24~"}  # fmt: skip

Step = str | Callable[[SessionScreen], None]


def sitting_of(path: Path, made: Form, clock: Clock, **rules: object) -> Sitting:
    """A session of the items of a form, whose bank has one follow-up and one term."""
    session = interview.new_session(made, SessionRules(**rules))
    extra = {e.variant.item.id: e for e in form(item("extra")).entries}
    terms = {"link": "A wire."}
    return Sitting(session, WHO, Journal(str(path)), clock, draw_follow_up_entry=extra.get, load_glossary=lambda: terms)


class Logged:
    """A session that is over, and the lines of its log."""

    lines: list[dict[str, object]]

    def read_log(self, path: Path) -> None:
        self.lines = [line for _, line in session_log.numbered_log_records(path.read_bytes()) if line]

    @property
    def responses(self) -> list[object]:
        return [line["response"] for line in self.lines if line["type"] == "response"]


class Driven(Logged):
    """A full screen driven key by key; each step is keys, or a check of the state."""

    screen: ScreenWidgets

    def __init__(self, state: SessionScreen, steps: Sequence[Step], rows: int = 24, columns: int = 80) -> None:
        self.state = state
        self.sitting = state.sitting
        self.sitting.log_start_or_resume()
        self.code: int | None = asyncio.run(self._run(steps, rows, columns))
        self.sitting.close_log_and_keep_draft()
        self.read_log(Path(self.sitting.journal.path))

    async def _run(self, steps: Sequence[Step], rows: int, columns: int) -> int | None:
        with create_pipe_input() as keys:
            nothing_shown = DummyOutput()
            nothing_shown.get_size = lambda: Size(rows=rows, columns=columns)
            app, screen = build_application_and_widgets(self.state, False, keys, nothing_shown)
            app.ttimeoutlen = 0.01
            app.timeoutlen = 0.02
            taken: list[KeyProcessor] = []
            app.key_processor.after_key_press += taken.append
            sent = 0
            running = asyncio.ensure_future(app.run_async())
            await _until(lambda: running.done() or app.render_counter > 0)
            self.screen = screen
            for step in steps:
                if callable(step):
                    step(self.state)
                else:
                    keys.send_text(step)
                    sent += _presses(step)
                    await _until(partial(_settled, app, taken, sent))
            if is_app_running_and_not_exiting(app):
                app.exit(result=None)
            return await running


class Full(Driven):
    """A session of the items of a form."""

    def __init__(
        self, path: Path, made: Form, steps: Sequence[Step], rows: int = 24, columns: int = 80, **rules: object
    ) -> None:
        super().__init__(SessionScreen(sitting_of(path, made, Clock(), **rules)), steps, rows, columns)


def _presses(step: str) -> int:
    """How many presses of a key a terminal would send this as."""
    found: list[KeyPress] = []
    Vt100Parser(found.append).feed_and_flush(step)
    return len(found)


def _settled(app: Application[int], taken: list[KeyProcessor], sent: int) -> bool:
    """All keys were taken, none waits for what may follow it, and the screen shows what they did; or it is left."""
    waiting = len(taken) < sent or app.key_processor.key_buffer or app.invalidated
    return not waiting or not is_app_running_and_not_exiting(app)


async def _until(reached: Callable[[], bool]) -> None:
    """Waits for a state, however busy the machine is; TimeoutError when it never comes."""
    async with asyncio.timeout(60):
        while not reached():
            await asyncio.sleep(0.001)


def stage(wanted: Stage) -> Callable[[SessionScreen], None]:
    def check(state: SessionScreen) -> None:
        assert state.stage is wanted

    return check


def note_of(state: SessionScreen, typed: str) -> str:
    """The line under the body, were this in the input."""
    before, state.read_input_text = state.read_input_text, lambda: typed
    try:
        return state.message_or_input_status()
    finally:
        state.read_input_text = before


def says(text: str, typed: str = "") -> Callable[[SessionScreen], None]:
    def check(state: SessionScreen) -> None:
        assert text in note_of(state, typed), note_of(state, typed)

    return check


def passes(seconds: int) -> Callable[[SessionScreen], None]:
    """So many seconds pass, a tick at a time."""

    def wait(state: SessionScreen) -> None:
        assert isinstance(state.sitting.clock, Clock)
        for _ in range(seconds):
            state.sitting.clock.tick(1)
            state.tick()

    return wait


def time_is_over(state: SessionScreen) -> None:
    state.end_session_and_show_debrief("time")


def shows(text: str, columns: int = 60) -> Callable[[SessionScreen], None]:
    def check(state: SessionScreen) -> None:
        shown = state.pane_body(columns).lines
        assert text in " ".join(" ".join(shown).split()), "\n".join(shown)

    return check


def fruit(**fields: object) -> Form:
    return form(item("c"), item("n", "number"), item("t", "text"), **fields)


class Played(Logged):
    """A session line by line over a script: what was shown, and what its log holds."""

    def __init__(self, path: Path, typed: list[str | float | BaseException], made: Form, **rules: object) -> None:
        keyboard = bool(rules.pop("keyboard", False))
        clock = Clock()
        self.script = Script(typed, keyboard, int(str(rules.pop("width", 80))), clock=clock)
        self.sitting = sitting_of(path, made, clock, **{"wants_probes": False, **rules})
        self.sitting.counts_long_gap_as_away = keyboard
        self.sitting.log_start_or_resume()
        self.left = False
        try:
            PlainSession(self.sitting, self.script).run_to_debrief()
        except SessionLeftForLater:
            self.left = True
        self.sitting.close_log_and_keep_draft()
        self.read_log(path)

    @property
    def screen(self) -> str:
        return self.script.screen

    @property
    def end(self) -> object:
        return self.lines[-1].get("reason")
