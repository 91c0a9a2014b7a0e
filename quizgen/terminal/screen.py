"""The full screen: the layout of its parts, the bindings of its keys, and the application that connects them to a
terminal."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from bisect import bisect_left
from collections.abc import Callable
from operator import attrgetter

from prompt_toolkit.application import Application, get_app, run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, AnyFormattedText, StyleAndTextTuples, fragment_list_to_text
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.processors import Processor, TabsProcessor, Transformation, TransformationInput
from prompt_toolkit.layout.screen import Char
from prompt_toolkit.layout.utils import explode_text_fragments
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from quizgen.render.text import wrap_text
from quizgen.session.interview import TICK_SECONDS
from quizgen.terminal import CAUGHT_SIGNALS, panes
from quizgen.terminal.lines import SignalReceived
from quizgen.terminal.panes import PaneBody, Stage
from quizgen.terminal.session_screen import SessionScreen

_WORD_OR_GAP_PATTERN = re.compile(r"\s+|\S+")
COLOURLESS_STYLE_BY_CLASS = {"bar": "reverse", "bar.late": "reverse bold", "note": "bold", "dim": "", "prompt": "bold"}
COLOUR_STYLE_BY_CLASS = COLOURLESS_STYLE_BY_CLASS | {
    "bar": "bg:ansiblue fg:ansiwhite",
    "bar.late": "bg:ansired fg:ansiwhite bold",
    "note": "fg:ansicyan bold",
    "dim": "fg:ansibrightblack",
}
ESCAPE_WAIT_SECONDS = 0.05  # seconds to distinguish the Escape key from the start of a function key
MIN_ROWS_FOR_LONG_MESSAGE = 12  # with fewer rows a message has at most two
MIN_ROWS_FOR_BLANK_LINE = 20  # with this many rows the screen adds a blank line


class WordWrap(Processor):
    """Fills a row with blanks before a word that the end of the row would cut."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        fragments, width = transformation_input.fragments, transformation_input.width
        text = fragment_list_to_text(fragments)
        gaps = dict(positions_and_blank_counts_before_cut_words(text, width))
        result: StyleAndTextTuples = []
        columns: list[int] = []  # screen column of each character, and of the end
        for place, fragment in enumerate(explode_text_fragments(fragments)):
            result += [("", " ")] * gaps.get(place, 0)
            columns.append(len(result))
            result.append(fragment)
        columns.append(len(result))
        last = len(text)
        return Transformation(
            result, lambda place: columns[min(place, last)], lambda column: min(bisect_left(columns, column), last)
        )


def positions_and_blank_counts_before_cut_words(text: str, width: int) -> list[tuple[int, int]]:
    """The places to insert blanks, as (position in `text`, number of blanks): before a word that the end of a row would
    cut, so many that it starts the next row. A word wider than `width` is left to be cut."""
    gaps: list[tuple[int, int]] = []
    column = 0
    for piece in _WORD_OR_GAP_PATTERN.finditer(text) if width > 0 else ():
        sizes = [1 if " " <= char <= "~" else Char(char).width for char in piece[0]]
        if not piece[0].isspace() and 0 < column < width < column + sum(sizes) and sum(sizes) <= width:
            gaps.append((piece.start(), width - column))
            column = width
        for size in sizes:
            column = size if column + size > width else column + size
    return gaps


class ScreenWidgets:
    """The three inputs, and the parts of the screen around them."""

    def __init__(self, state: SessionScreen) -> None:
        self.state = state
        state.set_input_text, state.read_input_text = self.set_input_text, self.read_input_text
        state.count_visible_rows = self._fitted_body_row_count
        self._buffers = {
            name: Buffer(multiline=name != "number", on_text_changed=lambda b: state.save_draft_or_scratch(b.text))
            for name in ("text", "scratch", "number")
        }
        body_text = FormattedTextControl(self._visible_body_text, focusable=True, show_cursor=False)
        self.body_window = Window(body_text, wrap_lines=False, height=self._fitted_body_row_count)
        self._inputs = {name: self._make_input_widget(name) for name in self._buffers}

        def one_row_window(text: AnyFormattedText, style: str | Callable[[], str] = "class:dim") -> Window:
            return Window(FormattedTextControl(text), height=1, style=style)

        def bar_style() -> str:
            return "class:bar.late" if state.header_and_is_time_short(self.terminal_size.columns)[1] else "class:bar"

        def input_with_rule(name: str) -> ConditionalContainer:
            """The input `name` below its rule, on which the scratch pane says that it is not the response; visible only
            while it is the one on screen."""
            label = "- scratch, never scored " if name == "scratch" else ""
            parts = HSplit([one_row_window(lambda: label.ljust(self.terminal_size.columns, "-")), self._inputs[name]])
            return ConditionalContainer(parts, Condition(lambda: state.name_of_shown_input == name))

        item_states = one_row_window(lambda: state.item_states_line(self.terminal_size.columns))
        has_room = Condition(lambda: self.terminal_size.rows >= MIN_ROWS_FOR_BLANK_LINE)
        message = FormattedTextControl(lambda: "\n".join(self._message_lines()))
        parts = [
            one_row_window(lambda: state.header_and_is_time_short(self.terminal_size.columns)[0], bar_style),
            ConditionalContainer(item_states, Condition(self._shows_item_states)),
            ConditionalContainer(Window(height=1), has_room),
            self.body_window,
            *map(input_with_rule, self._inputs),
            Window(message, height=lambda: len(self._message_lines()), style="class:note"),
            Window(),  # takes the remaining rows, so that a short item and its field stay together
            one_row_window(self._footer_text, bar_style),
        ]
        self.layout = Layout(HSplit(parts), focused_element=self.body_window)

    def _make_input_widget(self, name: str) -> Window:
        """The input `name`: one line for a number, else an editor of several lines."""
        buffer = self._buffers[name]
        if name == "number":
            prompt: StyleAndTextTuples = [("class:prompt", "> ")]
            return Window(BufferControl(buffer), height=1, get_line_prefix=lambda line, wrapped: prompt)
        editor = BufferControl(buffer, input_processors=[TabsProcessor(char1=" ", char2=" "), WordWrap()])
        return Window(editor, wrap_lines=True, height=lambda: max(1, self._input_row_count() - 1))

    # -- state ------------------------------------------------------------------------------

    def set_input_text(self, text: str) -> None:
        """Puts a text into the input on screen, and clears its undo history; this is not saved as typed."""
        for name in ("text", "number"):
            self._buffers[name].reset()
        self._buffers[self.state.name_of_shown_input or "text"].reset(Document(text))

    def read_input_text(self) -> str:
        """The text in the input of the current item."""
        return self._buffers[self.state.name_of_shown_input or "text"].text

    def focus_input_or_body(self) -> None:
        """Gives the keyboard to the part of the screen that needs it at this stage."""
        window = self._inputs.get(self.state.name_of_shown_input, self.body_window)
        if self.layout.current_window is not window:
            self.layout.focus(window)

    # -- heights ----------------------------------------------------------------------------

    @property
    def terminal_size(self) -> Size:
        return get_app().output.get_size()

    def _row_count_for_body_and_input(self) -> int:
        """The number of rows that the body and the input share."""
        rows = self.terminal_size.rows
        blank_rows = int(rows >= MIN_ROWS_FOR_BLANK_LINE)
        return max(1, rows - 2 - self._shows_item_states() - blank_rows - len(self._message_lines()))

    def _shows_item_states(self) -> bool:
        return self.terminal_size.rows >= 9 and bool(self.state.item_states_line(self.terminal_size.columns))

    def _input_row_count(self) -> int:
        """The number of rows of the input and its rule."""
        if self.state.name_of_shown_input in ("", "number"):
            return 2 if self.state.name_of_shown_input else 0
        stem_rows = len(self._current_pane_body().lines)
        total = self._row_count_for_body_and_input()
        rows = max(4 if total >= 6 else 3, min(total - min(stem_rows, total // 2), max(total - stem_rows, total // 2)))
        return min(rows, self.state.MAX_EDITOR_ROWS)

    def _fitted_body_row_count(self) -> int:
        """The number of rows of the body: as many as its text has, at most as many as the input leaves."""
        row_count = len(self._current_pane_body().lines) + 1
        return max(1, min(row_count, self._row_count_for_body_and_input() - self._input_row_count()))

    # -- texts ------------------------------------------------------------------------------

    def _visible_body_text(self) -> AnyFormattedText:
        body, height, first = self._current_pane_body(), self._fitted_body_row_count(), self.state.first_visible_row
        if body.focus_line_index is not None and self.state.follows_cursor:
            first = max(body.focus_line_index - height + 1, min(first, body.focus_line_index))
        first = self.state.first_visible_row = max(0, min(first, len(body.lines) - height))
        return ANSI("\n".join(body.lines[first : first + height]))

    def _current_pane_body(self) -> PaneBody:
        """The text of the large pane at this width."""
        return self.state.pane_body(self.terminal_size.columns - 1)

    def _message_lines(self) -> list[str]:
        """The message in at most as many rows as it may have; the last ends in `…` if more would follow."""
        rows, columns = self.terminal_size
        max_rows = self.state.MAX_MESSAGE_ROWS if rows >= MIN_ROWS_FOR_LONG_MESSAGE else 2
        lines = wrap_text(self.state.message_or_input_status(), max(8, columns - 2), " ", " ")
        if len(lines) > max_rows:
            lines[max_rows - 1 :] = [f"{lines[max_rows - 1][: columns - 2]}…"]
        return lines or [""]

    def _footer_text(self) -> AnyFormattedText:
        """The keys and, if the body is longer than its pane, the position in it."""
        height, total = self._fitted_body_row_count(), len(self._current_pane_body().lines)
        end = min(total, self.state.first_visible_row + height)
        position = "" if total <= height else f" {end}/{total} lines " if end == total else f" PgDn {end}/{total} "
        width = self.terminal_size.columns - len(position)
        return self.state.footer_text(width).ljust(width) + position


def make_key_bindings(screen: ScreenWidgets) -> KeyBindings:
    """The keys of controls.txt; after each action, the keyboard goes to the part of the screen that needs it."""
    keys, state = KeyBindings(), screen.state

    def bind_keys(stages: str, names: str, call: str, condition: str = "") -> None:
        """Binds the keys of one row of the table."""
        action, _, argument = call.partition(" ")
        arguments = [int(argument) if argument.lstrip("-").isdigit() else argument] if argument else []

        def handle(event: KeyPressEvent) -> None:
            message = attrgetter(action)(state)(*([event.data] if argument == "KEY" else arguments))
            state.message = state.message if message is None else message
            screen.focus_input_or_body()

        def is_bound() -> bool:
            condition_value = getattr(state, condition.removeprefix("not ")) if condition else True
            is_met = condition_value() if callable(condition_value) else condition_value
            return (is_everywhere or state.stage.name in stages.split()) and is_met != condition.startswith("not ")

        is_everywhere, key_filter = stages == "ALL", Condition(is_bound)
        for name in names.split():
            keys.add(*name.split("+"), filter=key_filter, eager=is_everywhere)(handle)

    for row in panes.controls_section_rows("actions"):
        bind_keys(*row)
    is_writing = Condition(lambda: state.name_of_shown_input in ("text", "scratch"))
    keys.add("tab", filter=is_writing)(lambda event: event.current_buffer.insert_text("    "))
    redo = keys.add("escape", "_", filter=is_writing, save_before=lambda event: False)  # a save would discard the redos
    redo(lambda event: event.current_buffer.redo())
    # The field of a number shows one line, and would hide the others of a paste.
    paste = keys.add("<bracketed-paste>", filter=Condition(lambda: state.name_of_shown_input == "number"))
    paste(lambda event: event.current_buffer.insert_text(" ".join(event.data.split())))

    @keys.add("escape", "<any>", filter=Condition(lambda: state.stage in (Stage.ITEM, Stage.TALK, Stage.PROBE)))
    def ignore_alt(event: KeyPressEvent) -> None:
        """Alt with a character that nothing is bound to types nothing; after Esc, any other key does what it does."""
        last = event.key_sequence[-1]
        if isinstance(last.key, Keys):
            event.key_processor.feed(last, first=True)

    return keys


def build_application_and_widgets(
    state: SessionScreen, uses_colour: bool, input: Input | None = None, output: Output | None = None
) -> tuple[Application[int], ScreenWidgets]:
    """The application for the session's state, not running yet, and its layout."""
    screen = ScreenWidgets(state)
    app: Application[int] = Application(
        layout=screen.layout,
        key_bindings=make_key_bindings(screen),
        style=Style.from_dict(COLOUR_STYLE_BY_CLASS if uses_colour else COLOURLESS_STYLE_BY_CLASS),
        include_default_pygments_style=False,  # no program text is coloured here
        color_depth=None if uses_colour else ColorDepth.DEPTH_1_BIT,
        full_screen=True,
        input=input,
        output=output,
    )
    app.ttimeoutlen = ESCAPE_WAIT_SECONDS
    app.timeoutlen = ESCAPE_WAIT_SECONDS * 4
    state.leave_screen_with_code = lambda code: app.exit(result=code) if is_app_running_and_not_exiting(app) else None

    def suspend_process() -> None:
        """Ctrl-Z: saves the draft and restores the terminal until `fg`; the time away is not counted."""

        def stop_process() -> None:
            os.kill(0, signal.SIGTSTP)
            sitting.session = sitting.session.exclude_time_away(sitting.clock.seconds_now())

        sitting = state.sitting
        sitting.advance_clock_to_now()
        sitting.save_draft(force=True)
        run_in_terminal(stop_process)

    state.suspend_process = suspend_process
    return app, screen


def is_app_running_and_not_exiting(app: Application[int]) -> bool:
    """Whether the application runs and was not told to exit yet; if it was, a second key or signal changes nothing."""
    return app.future is not None and not app.future.done()


def run_full_screen_for_exit_code_and_redo(state: SessionScreen, uses_colour: bool) -> tuple[int, bool]:
    """Runs the full screen, with a tick a second. Returns the exit code, and whether to begin again with the missed
    items. The draft is saved when the screen is left or a signal arrives, before the terminal is restored. Raises
    SignalReceived."""
    app, screen = build_application_and_widgets(state, uses_colour)

    def stop(number: int) -> None:
        state.sitting.save_draft(force=True)  # first: after SIGHUP the terminal may be gone
        if is_app_running_and_not_exiting(app):
            app.exit(exception=SignalReceived(number))

    async def beat() -> None:
        for item_state in state.session.item_states:  # the items are read while the candidate reads the brief
            await asyncio.sleep(0.02)
            item_state.variant.prompt()
        while True:
            await asyncio.sleep(TICK_SECONDS)
            state.tick()
            if is_app_running_and_not_exiting(app):
                screen.focus_input_or_body()
                app.invalidate()

    async def run_until_left() -> int:
        loop = asyncio.get_running_loop()
        for number in CAUGHT_SIGNALS:
            loop.add_signal_handler(number, stop, int(number))
        beat_task = loop.create_task(beat())
        try:
            return await app.run_async(set_exception_handler=False)
        finally:
            # Save while signals are still caught: closing a window also ends the input, and the second
            # SIGHUP from the shell must not interrupt.
            state.sitting.save_draft(force=True)
            beat_task.cancel()
            for number in CAUGHT_SIGNALS:
                loop.remove_signal_handler(number)

    return asyncio.run(run_until_left()), state.redo_requested
