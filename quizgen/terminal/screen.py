"""The full screen: where its parts go, which key does what, and the application that ties them to a terminal."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from prompt_toolkit.application import Application, get_app, run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.formatted_text import ANSI, AnyFormattedText, StyleAndTextTuples
from prompt_toolkit.formatted_text.utils import fragment_list_to_text
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.containers import ConditionalContainer
from prompt_toolkit.layout.processors import Processor, TabsProcessor, Transformation, TransformationInput
from prompt_toolkit.layout.screen import Char
from prompt_toolkit.layout.utils import explode_text_fragments
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from quizgen.answer_areas import LETTERS, Options
from quizgen.session.interview import Phase
from quizgen.session.sitting import Sitting
from quizgen.terminal import panes, session_screen
from quizgen.terminal.leaving import CAUGHT, Stopped
from quizgen.terminal.panes import Body, Stage
from quizgen.terminal.session_screen import SessionScreen

_PIECES = re.compile(r"\s+|\S+")


class WordWrap(Processor):
    """Fills a row with blanks before a word that begins on it and would end on the next."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        fragments, width = transformation_input.fragments, transformation_input.width
        text = fragment_list_to_text(fragments)
        gaps = breaks(text, width)
        if not gaps:
            return Transformation(fragments)
        shown: StyleAndTextTuples = []
        exploded = explode_text_fragments(fragments)
        start = 0
        for at, blanks in gaps:
            shown += [*exploded[start:at], ("", " " * blanks)]
            start = at
        shown += exploded[start:]
        starts = [at for at, _ in gaps]
        sums = [0]
        for _, blanks in gaps:
            sums.append(sums[-1] + blanks)
        # Where each gap ends on the screen: behind it everything is `sums` columns further.
        ends = [at + total for at, total in zip(starts, sums[1:], strict=True)]

        def to_screen(at: int) -> int:
            return at + sums[bisect_right(starts, at)]

        def to_text(at: int) -> int:
            passed = bisect_right(ends, at)
            back = at - sums[passed]
            return min(back, starts[passed]) if passed < len(starts) else back

        return Transformation(shown, to_screen, to_text)


def breaks(text: str, width: int) -> list[tuple[int, int]]:
    """Where blanks go and how many, so that no word that fits on a row is cut by its end."""
    gaps: list[tuple[int, int]] = []
    used = 0
    for piece in _PIECES.finditer(text) if width > 0 else ():
        sizes = [_columns(c) for c in piece[0]]
        if not piece[0].isspace() and 0 < used < width < used + sum(sizes) and sum(sizes) <= width:
            gaps.append((piece.start(), width - used))
            used = width
        for size in sizes:
            used = size if used + size > width else used + size
    return gaps


def _columns(char: str) -> int:
    return 1 if " " <= char <= "~" else Char(char).width


# Where the parts of the screen go, and how they are drawn.


STYLE = Style.from_dict({"bar": "reverse", "bar.late": "reverse bold", "note": "bold", "dim": "", "prompt": "bold"})
COLOURED = Style.from_dict(
    {
        "bar": "bg:ansiblue fg:ansiwhite",
        "bar.late": "bg:ansired fg:ansiwhite bold",
        "note": "fg:ansicyan bold",
        "dim": "fg:ansibrightblack",
        "prompt": "bold",
    }
)
SMALL = 12  # rows below which the screen saves lines
AIRY = 20  # rows from which it spends one


class Screen:
    """The three inputs and the parts around them."""

    def __init__(self, room: SessionScreen) -> None:
        self.room = room
        room.load = self.load
        self._loading = False
        self.editor = Buffer(multiline=True, on_text_changed=self._changed)
        self.number = Buffer(multiline=False, on_text_changed=self._changed)
        self.scratch = Buffer(multiline=True, on_text_changed=self._changed)
        self.body = Window(
            FormattedTextControl(self._body, focusable=True, show_cursor=False), wrap_lines=False, height=self._height
        )
        self._inputs = {
            "text": self._long(self.editor),
            "scratch": self._long(self.scratch),
            "number": Window(
                BufferControl(self.number), height=1, get_line_prefix=lambda line, wrapped: [("class:prompt", "> ")]
            ),
        }
        self._buffers = {"text": self.editor, "scratch": self.scratch, "number": self.number}
        self.layout = Layout(
            HSplit(
                [
                    Window(FormattedTextControl(self._header), height=1, style=self._bar),
                    ConditionalContainer(
                        Window(FormattedTextControl(self._strip), height=1, style="class:dim"),
                        Condition(self._stripped),
                    ),
                    ConditionalContainer(Window(height=1), Condition(self._airy)),
                    self.body,
                    *(
                        ConditionalContainer(
                            HSplit(
                                [
                                    Window(
                                        FormattedTextControl(partial(self._rule, name)), height=1, style="class:dim"
                                    ),
                                    window,
                                ]
                            ),
                            Condition(partial(self._is, name)),
                        )
                        for name, window in self._inputs.items()
                    ),
                    Window(FormattedTextControl(self._note), height=self._notes, style="class:note"),
                    Window(),  # what is left over, so that a short item and its field stay together
                    Window(FormattedTextControl(self._footer), height=1, style=self._bar),
                ]
            ),
            focused_element=self.body,
        )

    def _long(self, buffer: Buffer) -> Window:
        """An editor of several lines."""
        shown = [TabsProcessor(char1=" ", char2=" "), WordWrap()]
        return Window(
            BufferControl(buffer, input_processors=shown), wrap_lines=True, height=lambda: max(1, self._below() - 1)
        )

    # -- state ------------------------------------------------------------------------------

    def load(self, text: str) -> None:
        """Put a text into the input on screen, its undo history fresh."""
        self._loading = True
        for buffer in (self.editor, self.number):
            buffer.reset()
        self._buffers.get(self.room.editing, self.editor).reset(Document(text))
        self._loading = False

    def typed(self) -> str:
        """What is in the input of the item at hand."""
        return self._buffers.get(self.room.editing, self.editor).text

    def focus(self) -> None:
        """Give the keys to the part that wants them at this stage."""
        window = self._inputs.get(self.room.editing, self.body)
        if self.layout.current_window is not window:
            self.layout.focus(window)

    def _changed(self, buffer: Buffer) -> None:
        if not self._loading:
            session_screen.keep_typed(self.room, buffer.text)

    def _is(self, name: str) -> bool:
        return self.room.editing == name

    # -- heights ----------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        size = get_app().output.get_size()
        return size.rows, size.columns

    def _free(self) -> int:
        """Rows between the bars."""
        return max(1, self.size[0] - 2 - self._stripped() - self._airy() - self._notes())

    def _stripped(self) -> bool:
        outside = (Stage.BRIEF, Stage.DEBRIEF, Stage.HELP)
        return self.size[0] >= 9 and not {self.room.stage, self.room.beneath} & set(outside)

    def _airy(self) -> bool:
        """A blank line above the text, where there is room for one."""
        return self.size[0] >= AIRY

    def _notes(self) -> int:
        return max(1, len(self._message()))

    def _below(self) -> int:
        """Rows of the input and its rule."""
        name = self.room.editing
        if not name:
            return 0
        if name == "number":
            return 2
        stem = len(self._shown().lines)
        free = self._free()
        return max(4 if free >= 6 else 3, min(free - min(stem, free // 2), max(free - stem, free // 2)))

    def _height(self) -> int:
        """Rows of the body: no more than it needs, no more than the input leaves."""
        needs = len(self._shown().lines) + 1
        return max(1, min(needs, self._free() - self._below()))

    # -- texts ------------------------------------------------------------------------------

    def _bar(self) -> str:
        return "class:bar.late" if self._head()[1] else "class:bar"

    def _header(self) -> AnyFormattedText:
        return self._head()[0]

    def _head(self) -> tuple[str, bool]:
        return panes.header(self.room.session, self.room.now, self.size[1], self.room.beneath)

    def _strip(self) -> AnyFormattedText:
        return panes.strip(self.room.session, self.size[1])

    def _body(self) -> AnyFormattedText:
        room = self.room
        body = self._shown()
        height = self._height()
        last = max(0, len(body.lines) - height)
        if body.focus is not None and room.following:
            if body.focus >= room.scroll + height:
                room.scroll = body.focus - height + 1
            elif body.focus < room.scroll:
                room.scroll = body.focus
        room.scroll = max(0, min(room.scroll, last))
        return ANSI("\n".join(body.lines[room.scroll : room.scroll + height]))

    def _shown(self) -> Body:
        """The large pane's text for this width."""
        return session_screen.body(self.room, self.size[1] - 1)

    def page(self, direction: int) -> None:
        self.scroll(direction * max(1, self._height() - 1))

    def scroll(self, lines: int) -> None:
        """Lines up or down; drawing clamps it. The cursor no longer leads."""
        self.room.scroll, self.room.following = max(0, self.room.scroll + lines), False

    def _message(self) -> list[str]:
        rows, columns = self.size
        return session_screen.message_lines(
            session_screen.note(self.room, self.typed()), columns, 3 if rows >= SMALL else 2
        )

    def _note(self) -> AnyFormattedText:
        return "\n".join(self._message())

    def _footer(self) -> AnyFormattedText:
        room = self.room
        short = room.stage is Stage.ITEM and (isinstance(room.area, Options) or room.editing == "number")
        more = self._position()
        width = self.size[1] - len(more)
        return panes.footer(room.stage, room.session, width, short).ljust(width) + more

    def _position(self) -> str:
        """Where the body stands when it is longer than its pane."""
        height = self._height()
        total = len(self._shown().lines)
        if total <= height:
            return ""
        end = min(total, self.room.scroll + height)
        return f" {end}/{total} lines " if end == total else f" PgDn {end}/{total} "

    def _rule(self, name: str) -> str:
        """The line above an input; the scratch pane says that it is not the response."""
        label = "- scratch, never scored " if name == "scratch" else ""
        return label.ljust(self.size[1], "-")


# Which key does what at which stage.


Action = Callable[[], Any]


def bind(screen: Screen, suspend: Action) -> KeyBindings:
    """All key bindings; every handler ends by giving the keys to the right part."""
    keys = KeyBindings()
    room = screen.room

    def at(*stages: Stage) -> Condition:
        return Condition(lambda: room.stage in stages)

    def on(act: Action, filter: Filter, *names: str, eager: bool = False) -> None:
        def handle(event: KeyPressEvent) -> None:
            act()
            screen.focus()

        for name in names:
            keys.add(*name.split(), filter=filter, eager=eager)(handle)

    always = Condition(lambda: True)
    item = at(Stage.ITEM)
    choosing = Condition(lambda: room.stage is Stage.ITEM and not room.scratching and isinstance(room.area, Options))
    short = Condition(lambda: room.stage is Stage.ITEM and room.editing in ("number", ""))
    long = Condition(lambda: room.editing in ("text", "scratch"))
    submitting = Condition(lambda: room.stage is Stage.ITEM and not room.scratching)
    awake = Condition(lambda: not room.hasty)
    reading = at(Stage.BRIEF, Stage.HELP, Stage.FEEDBACK, Stage.DEBRIEF)

    on(room.ask_leave, always, "c-c", "<sigint>", eager=True)
    on(suspend, always, "c-z", eager=True)
    on(room.help, always, "f1", "c-g")
    on(room.help, Condition(lambda: not room.editing), "?")
    on(lambda: screen.page(1), always, "pagedown")
    on(lambda: screen.page(-1), always, "pageup")

    on(room.start, at(Stage.BRIEF), "enter")
    on(lambda: session_screen.submit(room, screen.typed()), short, "enter")
    on(lambda: session_screen.submit(room, screen.typed()), submitting, "f5", "c-d")
    on(room.skip, item, "f7", "c-n")
    on(room.back, item, "f6", "c-p")
    on(lambda: session_screen.flag(room), item, "f4", "c-f")
    on(lambda: session_screen.offer_hint(room), item, "f2", "c-t")
    on(lambda: session_screen.clarify(room), item, "f3", "c-q")
    on(lambda: session_screen.toggle_scratch(room), item, "f8", "c-o")
    on(lambda: session_screen.pause(room), at(Stage.ITEM, Stage.REVIEW), "f9", "escape p")
    on(room.review, item, "f10", "c-r")
    on(lambda: session_screen.ask_number(room), item, "f11", "c-b")
    on(lambda: session_screen.show_solution(room), item, "f12", "c-v")

    on(lambda: room.move(-1), choosing, "up")
    on(lambda: room.move(1), choosing, "down", "tab")
    on(lambda: session_screen.choose(room), choosing, "space")

    @keys.add(Keys.Any, filter=choosing)
    def letter(event: KeyPressEvent) -> None:
        index = LETTERS.find(event.data.upper()) if len(event.data) == 1 else -1
        if index >= 0:
            session_screen.choose(room, index)

    for digit in "0123456789":
        on(
            partial(session_screen.ask_number, room, digit),
            at(Stage.REVIEW, Stage.JUMP) | (at(Stage.DEBRIEF) & awake),
            digit,
        )
    for small in "abcdefghijklmnopqrstuvwxyz.":
        on(partial(session_screen.ask_number, room, small), at(Stage.JUMP), small)
    on(lambda: session_screen.shorten_number(room), at(Stage.JUMP), "backspace")
    on(lambda: session_screen.go_to_number(room), at(Stage.JUMP), "enter")

    @keys.add(Keys.Any, filter=at(Stage.DEBRIEF, Stage.UNSAVED) & ~awake)
    def late(event: KeyPressEvent) -> None:
        room.swallow()

    @keys.add("escape", "_", filter=long, save_before=lambda event: False)  # saving would forget what to redo
    def redo(event: KeyPressEvent) -> None:
        event.current_buffer.redo()

    @keys.add("tab", filter=long)
    def tab(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("    ")

    for level in "12345":
        on(partial(session_screen.confide, room, int(level)), at(Stage.CONFIDENCE), level)
    on(lambda: session_screen.confide(room, None), at(Stage.CONFIDENCE), "enter")
    on(lambda: session_screen.take_hint(room, True), at(Stage.HINT), "y", "Y", "enter")
    on(lambda: session_screen.take_hint(room, False), at(Stage.HINT), "n", "N", "escape")
    on(lambda: session_screen.add_to_probe(room, screen.typed()), at(Stage.PROBE), "f5", "c-d")
    on(lambda: session_screen.add_to_probe(room, ""), at(Stage.PROBE), "escape")
    on(room.forward, at(Stage.FEEDBACK), "enter")

    on(lambda: room.move(-1), at(Stage.REVIEW), "up")
    on(lambda: room.move(1), at(Stage.REVIEW), "down")
    on(room.pick, at(Stage.REVIEW), "enter")
    on(room.finish, at(Stage.REVIEW, Stage.FINISH), "f", "F")
    on(lambda: session_screen.unpause(room), at(Stage.PAUSED), "enter")
    on(lambda: session_screen.retry(room), at(Stage.UNSAVED) & awake, "enter", "r")
    on(lambda: room.leave(0), at(Stage.LEAVE), "s", "S")
    on(lambda: room.leave(0), at(Stage.UNSAVED) & awake, "s", "S")
    on(lambda: room.end("quit"), at(Stage.LEAVE), "e", "E")
    on(room.close_aside, at(Stage.LEAVE, Stage.FINISH, Stage.HELP, Stage.JUMP, Stage.CONFIDENCE), "escape")
    on(room.close_aside, at(Stage.HELP, Stage.LEAVE), "enter", "q")
    debrief = at(Stage.DEBRIEF) & awake
    on(room.redo, debrief, "r", "R")
    on(lambda: room.leave(0), debrief, "q", "enter")
    on(lambda: session_screen.begin_dispute(room), debrief, "d", "D")
    disputed = at(Stage.DISPUTE)
    for key, claim in (("f", "full"), ("p", "part"), ("n", "no")):
        on(partial(session_screen.claim_mark, room, claim), disputed, key)
    on(lambda: session_screen.move_word(room, -1), disputed, "left")
    on(lambda: session_screen.move_word(room, 1), disputed, "right")
    on(lambda: session_screen.mark_word(room), disputed, "space", "enter")
    on(lambda: session_screen.turn_mark(room, 1), disputed, "down", "tab")
    on(lambda: session_screen.turn_mark(room, -1), disputed, "up")
    on(lambda: room.enter(Stage.DEBRIEF), disputed, "escape", "q")
    on(lambda: session_screen.turn_item(room, 1), debrief, "n")
    on(lambda: session_screen.turn_item(room, -1), debrief, "p")

    on(lambda: screen.scroll(-1), reading, "up")
    on(lambda: screen.scroll(1), reading & awake, "down", "space")
    on(lambda: screen.scroll(-1_000_000), reading, "home")
    on(lambda: screen.scroll(1_000_000), reading, "end")
    return keys


# Running the full-screen session on a terminal, with its clock and its signals.


PULSE = 1.0
ESCAPE = 0.05  # seconds to tell the Escape key from the start of a function key


def application(
    sitting: Sitting, colour: bool, input: Input | None = None, output: Output | None = None
) -> tuple[Application[int], Screen]:
    """The application of a sitting and its screen; not yet running."""
    screen = Screen(SessionScreen(sitting))
    app = on_terminal(screen.layout, bind(screen, lambda: _suspend(sitting)), colour, input, output)
    screen.room.leave = lambda code: app.exit(result=code) if alive(app) else None
    return app, screen


def on_terminal(
    layout: Layout, keys: KeyBindings, colour: bool, input: Input | None, output: Output | None
) -> Application[int]:
    app: Application[int] = Application(
        layout=layout,
        key_bindings=keys,
        style=COLOURED if colour else STYLE,
        include_default_pygments_style=False,  # no program text is coloured here
        color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
        full_screen=True,
        input=input,
        output=output,
    )
    app.ttimeoutlen = ESCAPE
    app.timeoutlen = ESCAPE * 4
    return app


def alive(app: Application[int]) -> bool:
    """It runs and was not told to leave yet: a second key or signal on the way out changes nothing."""
    return app.future is not None and not app.future.done()


def run(sitting: Sitting, colour: bool, input: Input | None = None, output: Output | None = None) -> tuple[int, bool]:
    """The exit code of a session that was finished or kept, and whether what it missed is to be redone
    at once. Raises Stopped."""
    app, screen = application(sitting, colour, input, output)

    def keep() -> None:
        if screen.room.session.phase is not Phase.ENDED:
            sitting.save_draft(force=True)

    def pulse() -> None:
        before = screen.room.stage
        screen.room.pulse()
        if screen.room.stage is not before and alive(app):
            screen.focus()

    # The brief is on the screen before the items are read: while it is being read, they are.
    ahead = (place.entry.variant.prompt for place in screen.room.session.places)
    return asyncio.run(attended(app, pulse, keep, ahead)), screen.room.again


async def attended(
    app: Application[int],
    pulse: Callable[[], object],
    keep: Callable[[], None],
    ahead: Iterable[Callable[[], object]] = (),
) -> int:
    """The exit code of an application on whose screen clocks move once a second. `ahead` is done once its first
    screen is there; `keep` when it leaves or a signal comes, before the terminal is restored. Raises Stopped."""
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        keep()  # first: after SIGHUP there may be no terminal left to restore
        if alive(app):
            app.exit(exception=Stopped(number))

    async def beat() -> None:
        for task in ahead:
            await asyncio.sleep(0.02)
            task()
        while True:
            await asyncio.sleep(PULSE)
            pulse()
            if alive(app):
                app.invalidate()

    for number in CAUGHT:
        loop.add_signal_handler(number, stop, int(number))
    beating = loop.create_task(beat())
    try:
        return await app.run_async(set_exception_handler=False)
    finally:
        # While signals are still caught: a closed window is noticed by its end of input as well, and
        # the second SIGHUP that a shell sends must not come between.
        keep()
        beating.cancel()
        for number in CAUGHT:
            loop.remove_signal_handler(number)


def _suspend(sitting: Sitting) -> None:
    """Ctrl-Z: the draft is kept, the terminal restored, and the time away is not counted."""

    def stop() -> None:
        os.kill(0, signal.SIGTSTP)
        sitting.came_back()

    sitting.tick()
    sitting.save_draft(force=True)
    run_in_terminal(stop)
