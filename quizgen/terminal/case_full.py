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
from prompt_toolkit.layout import BufferControl, ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output import Output

from quizgen.cases.case import OPEN
from quizgen.cases.talk import said_so_far
from quizgen.render.case import case_lines
from quizgen.render.text import lines, wrap
from quizgen.session.sitting import ONE_MORE, CaseSitting
from quizgen.source.problems import clock
from quizgen.terminal.screen import WordWrap, attended, on_terminal

ENDING = "F10 again ends the case here, with its debrief; any other key goes on."
always = Always()
ROOM = 8  # lines to write in


class CaseScreen:
    """Mutable: how far the talk is scrolled back, what the line above the keys says, and whether the talk is over.
    `debriefs` holds the lines of the debrief by their width."""

    def __init__(self, sitting: CaseSitting) -> None:
        self.sitting = sitting
        self.back = 0
        self.note = ""
        self.debriefing = sitting.talk.over
        self.debriefs: dict[int, list[str]] = {}
        self.app: Application[int] | None = None
        self.editor = Buffer(multiline=True, document=Document(sitting.typed))
        self.talk = Window(FormattedTextControl(self._talk, show_cursor=False), wrap_lines=False)
        self.field = Window(BufferControl(self.editor, input_processors=[WordWrap()]), wrap_lines=True, height=ROOM)
        talking = Condition(lambda: not self.debriefing)
        self.layout = Layout(
            HSplit([
                Window(FormattedTextControl(self._header), height=1, style="class:bar"),
                self.talk,
                Window(FormattedTextControl(self._note), height=lambda: len(self._noted()), style="class:note"),
                ConditionalContainer(self.field, talking),
                Window(FormattedTextControl(self._footer), height=1, style="class:bar"),
            ]),
            focused_element=self.field,
        )  # fmt: skip

    # -- what is shown ----------------------------------------------------------------------

    def _columns(self) -> int:
        return min(self.app.output.get_size().columns, 100) if self.app is not None else 80

    def rows(self) -> int:
        rows = self.app.output.get_size().rows if self.app is not None else 24
        return max(1, rows - 2 - len(self._noted()) - (0 if self.debriefing else ROOM))

    def _header(self) -> str:
        sitting = self.sitting
        if self.debriefing:
            return f" {sitting.talk.case.title}: debrief"
        time = f"{clock(sitting.left())} left in “{sitting.phase.title}”" if sitting.rules.timed else "untimed"
        return f" {sitting.talk.case.title}   {time}"

    def _footer(self) -> str:
        if self.debriefing:
            below = f"   {self.back} more lines below" if self.back else ""
            return f" up, down, PgUp, PgDn scroll   n, p turns   q leave{below}"
        said = "Enter asks   F7 done asking" if self.sitting.talk.at.kind == OPEN else "F5 or ^D says it   F7 go on"
        return f" {said}   F3 what was said   PgUp back   F10 end   ^C leave"

    def _note(self) -> str:
        return "\n".join(self._noted())

    def _noted(self) -> list[str]:
        """A note in as many lines as it takes, at most six."""
        return wrap(self.note or ("" if self.debriefing else "Your words:"), self._columns() - 2, "   ", " ")[:6] or [
            ""
        ]

    def lines(self) -> list[tuple[str, str]]:
        """The talk, or its debrief, as (style, line)."""
        width = self._columns() - 2
        if self.debriefing:
            if width not in self.debriefs:
                self.debriefs = {width: case_lines(self.sitting.judged(), width)}
            return [("", text) for text in self.debriefs[width]]
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

    def turn(self, step: int) -> None:
        """The next turn of the debrief at the top, or the one before."""
        shown, rows = self.lines(), self.rows()
        top = len(shown) - self.back - rows
        heads = [0, *(number for number, (_, text) in enumerate(shown) if text.startswith("-- "))]
        if step > 0:
            top = next((head for head in heads if head > top), top)
        else:
            top = max((head for head in heads if head < top), default=0)
        self.back = max(0, len(shown) - rows - top)

    def _after(self) -> None:
        self.back = 0
        self.note = f"NOT SAVED: {self.sitting.trouble}; tried again with the next." if self.sitting.trouble else ""
        if self.sitting.talk.over:
            self.finish("finished")

    def end(self) -> None:
        """One key does not end an interview; the second does."""
        if self.note == ENDING:
            self.finish("quit")
        else:
            self.note = ENDING

    def finish(self, reason: str) -> None:
        self.sitting.stop(reason)
        self.debriefing, self.note = True, ""
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
    on(lambda event: screen.end(), "f10")
    on(lambda event: screen.scroll(screen.rows() - 1), "pageup", filter=always)
    on(lambda event: screen.scroll(1 - screen.rows()), "pagedown", filter=always)
    on(lambda event: event.app.exit(result=0), "c-c", filter=always)
    on(lambda event: screen.scroll(1), "up", filter=debriefing)
    on(lambda event: screen.scroll(-1), "down", filter=debriefing)
    on(lambda event: screen.turn(1), "n", filter=debriefing)
    on(lambda event: screen.turn(-1), "p", filter=debriefing)
    on(lambda event: event.app.exit(result=0), "q", filter=debriefing)
    return keys


def application(
    sitting: CaseSitting, colour: bool, input: Input | None = None, output: Output | None = None
) -> tuple[Application[int], CaseScreen]:
    """The application of a talk and its screen; not yet running."""
    screen = CaseScreen(sitting)
    screen.app = on_terminal(screen.layout, _bind(screen), colour, input, output)
    return screen.app, screen


def run(sitting: CaseSitting, colour: bool) -> int:
    """Talk the case through on a terminal; the exit code. Raises Stopped."""
    app, screen = application(sitting, colour)
    return asyncio.run(attended(app, screen.pulse, lambda: sitting.save_draft(force=True)))
