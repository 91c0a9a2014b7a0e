"""A case full screen: the talk above, what you say below, the clock of the phase on top."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Always, Condition, Filter
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output import ColorDepth, Output

from quizgen.cases.case import OPEN
from quizgen.cases.talk import said_so_far
from quizgen.render.case_text import case_lines
from quizgen.render.text import lines, wrap
from quizgen.terminal.case_sitting import ONE_MORE, CaseSitting
from quizgen.terminal.clock import clock_text
from quizgen.terminal.full.layout import COLOURED, STYLE
from quizgen.terminal.full.wrapping import WordWrap
from quizgen.terminal.signals import CAUGHT, Stopped

PULSE = 1.0
always = Always()
ROOM = 8  # lines to write in


class CaseScreen:
    """Mutable: how far the talk is scrolled back, what the line above the keys says, and whether the talk is over."""

    def __init__(self, sitting: CaseSitting) -> None:
        self.sitting = sitting
        self.back = 0
        self.note = ""
        self.debriefing = sitting.talk.over
        self.app: Application[int] | None = None
        self.editor = Buffer(multiline=True, document=Document(sitting.typed))
        self.talk = Window(FormattedTextControl(self._talk, show_cursor=False), wrap_lines=False)
        self.field = Window(BufferControl(self.editor, input_processors=[WordWrap()]), wrap_lines=True, height=ROOM)
        self.layout = Layout(
            HSplit([
                Window(FormattedTextControl(self._header), height=1, style="class:bar"),
                self.talk,
                Window(FormattedTextControl(self._note), height=1, style="class:note"),
                self.field,
                Window(FormattedTextControl(self._footer), height=1, style="class:bar"),
            ]),
            focused_element=self.field,
        )  # fmt: skip

    # -- what is shown ----------------------------------------------------------------------

    def _columns(self) -> int:
        return min(self.app.output.get_size().columns, 100) if self.app is not None else 80

    def rows(self) -> int:
        rows = self.app.output.get_size().rows if self.app is not None else 24
        return max(1, rows - ROOM - 3)

    def _header(self) -> str:
        sitting = self.sitting
        if self.debriefing:
            return f" {sitting.talk.case.title}: debrief"
        clock = f"{clock_text(sitting.left())} left in “{sitting.phase.title}”" if sitting.rules.timed else "untimed"
        return f" {sitting.talk.case.title}   {clock}"

    def _footer(self) -> str:
        if self.debriefing:
            return " up, down, PgUp, PgDn scroll   q leave"
        said = "Enter asks   F7 done asking" if self.sitting.talk.at.kind == OPEN else "F5 or Ctrl-D says it   F7 go on"
        return f" {said}   F3 what was said   PgUp back   F10 end   Ctrl-C leave"

    def _note(self) -> str:
        rest = "" if self.debriefing else "Your words:"
        return f" {self.note or rest}"

    def lines(self) -> list[tuple[str, str]]:
        """The talk, or its debrief, as (style, line)."""
        width = self._columns() - 2
        if self.debriefing:
            return [("", text) for text in case_lines(self.sitting.judged(), width)]
        shown: list[tuple[str, str]] = []
        for line in self.sitting.talk.lines:
            mine = line.speaker == "candidate"
            lead = "You: " if mine else "Interviewer: "
            shown += [("class:dim" if mine else "", text) for text in wrap(line.text, width, "  ", lead)] + [("", "")]
        if not self.sitting.talk.over and self.sitting.talk.at.kind == "choice":
            prompt = self.sitting.talk.variant.prompt()[1:]
            shown += [("", text) for text in lines(prompt, width)]
        return shown

    def _talk(self) -> StyleAndTextTuples:
        shown, rows = self.lines(), self.rows()
        self.back = max(0, min(self.back, len(shown) - rows))
        end = len(shown) - self.back
        return [(style, f" {text}\n") for style, text in shown[max(0, end - rows) : end]]

    # -- what keys do -----------------------------------------------------------------------

    def say(self) -> None:
        text = self.editor.text
        if not text.strip():
            self.note = "Write something first, or go on with F7."
            return
        self.editor.reset()
        self.sitting.say(text)
        self._after()

    def go_on(self) -> None:
        text = self.editor.text
        self.editor.reset()
        if text.strip():
            self.sitting.say(text)
        else:
            self.sitting.leave_turn()
        self._after()

    def said(self) -> None:
        self.note = " · ".join(said_so_far(self.sitting.talk)) or "Nothing was told or committed yet."

    def pulse(self) -> None:
        """Once a second: the clock, and what the interviewer says of it."""
        if self.debriefing:
            return
        self.sitting.hold(self.editor.text)
        event = self.sitting.tick()
        if event == "near":
            self.note = f"Interviewer: {ONE_MORE}"
        elif event == "over":
            typed = self.editor.text
            self.editor.reset()
            self.sitting.box_over(typed)
            self._after()
            self.note = "The time of that part is over; what you had typed was taken."

    def scroll(self, by: int) -> None:
        self.back += by

    def _after(self) -> None:
        self.back = 0
        self.note = f"NOT SAVED: {self.sitting.trouble}; tried again with the next." if self.sitting.trouble else ""
        if self.sitting.talk.over:
            self.finish("finished")

    def finish(self, reason: str) -> None:
        self.sitting.stop(reason)
        self.debriefing = True
        self.back = 1_000_000  # from the top


def _bind(screen: CaseScreen) -> KeyBindings:
    keys = KeyBindings()
    debriefing = Condition(lambda: screen.debriefing)

    def on(act: Callable[[KeyPressEvent], None], *names: str, filter: Filter | None = None) -> None:
        for name in names:
            keys.add(name, filter=~debriefing if filter is None else filter, eager=True)(act)

    def enter(event: KeyPressEvent) -> None:
        if screen.sitting.talk.at.kind == "text":
            event.current_buffer.insert_text("\n")
        else:
            screen.say()

    on(enter, "enter")
    on(lambda event: screen.say(), "f5", "c-d")
    on(lambda event: screen.go_on(), "f7", "c-n")
    on(lambda event: screen.said(), "f3", "c-q")
    on(lambda event: screen.finish("quit"), "f10")
    on(lambda event: screen.scroll(screen.rows() - 1), "pageup", filter=always)
    on(lambda event: screen.scroll(1 - screen.rows()), "pagedown", filter=always)
    on(lambda event: event.app.exit(result=0), "c-c", filter=always)
    on(lambda event: screen.scroll(1), "up", filter=debriefing)
    on(lambda event: screen.scroll(-1), "down", filter=debriefing)
    on(lambda event: event.app.exit(result=0), "q", filter=debriefing)
    return keys


def application(
    sitting: CaseSitting, colour: bool, input: Input | None = None, output: Output | None = None
) -> tuple[Application[int], CaseScreen]:
    """The application of a talk and its screen; not yet running."""
    screen = CaseScreen(sitting)
    app: Application[int] = Application(
        layout=screen.layout,
        key_bindings=_bind(screen),
        style=COLOURED if colour else STYLE,
        color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
        full_screen=True,
        input=input,
        output=output,
    )
    screen.app = app
    return app, screen


def run(sitting: CaseSitting, colour: bool) -> int:
    """Talk the case through on a terminal; the exit code. Raises Stopped."""
    return asyncio.run(_run(*application(sitting, colour)))


async def _run(app: Application[int], screen: CaseScreen) -> int:
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        if app.future is not None and not app.future.done():
            app.exit(exception=Stopped(number))

    async def pulse() -> None:
        while True:
            await asyncio.sleep(PULSE)
            screen.pulse()
            app.invalidate()

    for number in CAUGHT:
        loop.add_signal_handler(number, stop, int(number))
    ticking = loop.create_task(pulse())
    try:
        return await app.run_async(set_exception_handler=False)
    finally:
        ticking.cancel()
        for number in CAUGHT:
            loop.remove_signal_handler(number)
