"""Where the parts of the screen go, and how they are drawn."""

from __future__ import annotations

from functools import partial

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, AnyFormattedText
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.containers import ConditionalContainer
from prompt_toolkit.layout.processors import TabsProcessor
from prompt_toolkit.styles import Style

from quizgen.answer_areas import Options
from quizgen.terminal.full import aids, panes, view
from quizgen.terminal.full.panes import Body, Stage
from quizgen.terminal.full.room import Room
from quizgen.terminal.full.wrapping import WordWrap

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

    def __init__(self, room: Room) -> None:
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
            aids.typed(self.room, buffer.text)

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
        return view.body(self.room, self.size[1] - 1)

    def page(self, direction: int) -> None:
        self.scroll(direction * max(1, self._height() - 1))

    def scroll(self, lines: int) -> None:
        """Lines up or down; drawing clamps it. The cursor no longer leads."""
        self.room.scroll, self.room.following = max(0, self.room.scroll + lines), False

    def _message(self) -> list[str]:
        rows, columns = self.size
        return view.message_lines(view.note(self.room, self.typed()), columns, 3 if rows >= SMALL else 2)

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
