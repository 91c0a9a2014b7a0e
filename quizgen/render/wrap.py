"""Text in lines of a given width: whole words, wide characters counted, with terminal attributes or with characters as
marks; and a worked derivation, which `quizgen solve` prints without loading any other block."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from quizgen.source.problems import printable

if TYPE_CHECKING:
    from quizgen.derivation import Steps

# A piece of text and its style: "" plain, "b" strong, "i" emphasis, "c" code, "d" dim, "r" reversed, "u" underlined,
# "ru" both.
StyledText = tuple[str, str]


class TextStyle(NamedTuple):
    """How emphasis is shown: by terminal attributes, by characters (`*so*`, backquotes), or not at all."""

    attributes: bool = False
    characters: bool = True


PLAIN = TextStyle()
NO_MARKS = TextStyle(characters=False)
CODE_MARGIN, CONTINUED_MARGIN = "    ", "  ↪ "
_SGR_CODES = {"b": "1", "i": "3", "c": "36", "d": "2", "r": "7", "u": "4", "ru": "7;4"}


def text_columns(text: str) -> int:
    """The columns of a text on a terminal: a wide character takes two, a combining one none."""
    if text.isascii():
        return len(text)
    return sum(_char_columns(c) for c in text)


def next_command_lines(commands: Sequence[str]) -> list[str]:
    """The next commands, each on a single line so that it can be copied."""
    return [f"Next: {commands[0]}"] if len(commands) == 1 else ["Next:", *(f"  {command}" for command in commands)]


def wrap(text: str, width: int, indent: str = "", first: str | None = None) -> list[str]:
    """Plain text in lines of at most `width` columns, besides its own line ends. Lines begin with `indent`, the first
    with `first`."""
    return [
        line
        for n, part in enumerate(terminal_safe(text).split("\n"))
        for line in fill_lines([(part, "")], width, PLAIN, indent, indent if first is None or n else first)
    ]


def terminal_safe(text: str) -> str:
    r"""Text that is safe on a terminal: tabs become spaces, and control characters become `\u{..}`."""
    return printable(text.replace("\r\n", "\n")).replace("\t", "    ")


def _char_columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


_WORD_OR_GAP_PATTERN = re.compile(r"\n|[^\S\n]+|\S+")


def fill_lines(
    runs: Iterable[StyledText], width: int, style: TextStyle, indent: str = "", first: str | None = None
) -> list[str]:
    """The runs in lines filled with whole words; a word wider than a line is cut."""
    made: list[str] = []
    margin = indent if first is None else first
    line: list[StyledText] = []
    used = text_columns(margin)
    word: list[StyledText] = []
    gap = ""

    def end_line() -> None:
        nonlocal line, used, margin, gap
        made.append((margin + styled_line(line, style)).rstrip())
        line, margin, gap = [], indent, ""
        used = text_columns(margin)

    def place_word() -> None:
        nonlocal word, used, gap
        size = sum(text_columns(t) for t, _ in word)
        if line and used + len(gap) + size > width:
            end_line()
        elif line and gap:
            line.append((gap, ""))
            used += len(gap)
        for text, mark in word:
            while used + text_columns(text) > width and width - used > 0:
                head = _fitting_start(text, width - used)
                line.append((head, mark))
                text = text[len(head) :]
                end_line()
            if text:
                line.append((text, mark))
                used += text_columns(text)
        word, gap = [], ""

    for text, mark in marked_runs(runs, style):
        for piece in _WORD_OR_GAP_PATTERN.findall(text):
            if piece == "\n":
                place_word()
                end_line()
            elif piece.isspace() and piece[0] != "\u00a0":
                place_word()
                gap = " " if line else ""
            else:
                word.append((piece, mark))
    place_word()
    if line or not made:
        end_line()
    return made if made != [""] else []


def marked_runs(runs: Iterable[StyledText], style: TextStyle) -> list[StyledText]:
    """The runs with characters for emphasis if the style has no terminal attributes; runs that have them stay."""
    if style.attributes:
        return list(runs)
    if not style.characters:
        return [(text, "") for text, _ in runs]
    signs = {"b": "*", "i": "_", "c": "`"}
    return [(f"{signs[m]}{t}{signs[m]}" if m in signs and t.strip() else t, "") for t, m in runs]


def styled_line(line: Sequence[StyledText], style: TextStyle) -> str:
    """Pieces of text as one string, with terminal attributes if the style has them."""
    if not style.attributes:
        return "".join(t for t, _ in line)
    return "".join(f"\x1b[{_SGR_CODES[m]}m{t}\x1b[0m" if m in _SGR_CODES else t for t, m in line)


_SGR_PATTERN = re.compile("\x1b\\[[0-9;]*m")


def visible_width(text: str) -> int:
    """The columns of one of our lines, without its terminal attributes."""
    return text_columns(_SGR_PATTERN.sub("", text))


def _fitting_start(text: str, columns: int) -> str:
    """As many characters as fit in `columns` columns, at least one."""
    used = 0
    for index, char in enumerate(text):
        used += _char_columns(char)
        if used > columns:
            return text[: max(1, index)]
    return text


def code_lines(text: str, width: int, style: TextStyle) -> list[str]:
    """Code with a margin. A line too long for `width` continues after an arrow in the margin."""
    made = []
    for line in terminal_safe(text).split("\n"):
        for number, piece in enumerate(_line_pieces(line, width - len(CODE_MARGIN))):
            margin = CONTINUED_MARGIN if number else CODE_MARGIN
            made.append(margin + (styled_line([(piece, "c")], style) if piece else ""))
    return [line.rstrip() for line in made]


def _line_pieces(line: str, columns: int) -> list[str]:
    """A line in pieces of at most `columns` columns."""
    pieces = []
    while text_columns(line) > columns:
        head = _fitting_start(line, columns)
        pieces.append(head)
        line = line[len(head) :]
    return [*pieces, line]


def heading_line(text: str, style: TextStyle) -> list[StyledText]:
    """A line of its own: bold if the terminal can show it; otherwise it needs no mark."""
    return [(text, "b" if style.attributes else "")]


def derivation_lines(steps: Steps, width: int = 80, style: TextStyle = PLAIN) -> list[str]:
    """A worked derivation in lines of at most `width` columns."""
    made = fill_lines(heading_line(terminal_safe(steps.title), style), width, style) if steps.title else []
    if steps.source:
        made += wrap(steps.source, width, "  ")
    for name, value, what in steps.givens:
        made += wrap(f"{name} = {value}" + (f"  ({what})" if what else ""), width, "      ", "  ")
    for step in steps.steps:
        made += wrap(f"{step.name} = {step.expression}", width, "      ", "  ")
        margin = "  " + " " * min(text_columns(terminal_safe(step.name)), width // 3)
        if step.substituted and step.substituted not in (step.expression, step.value):
            made += wrap(f"= {step.substituted}", width, f"{margin}   ", f"{margin} ")
        if step.value != step.expression:
            made += wrap(f"= {step.value}", width, f"{margin}   ", f"{margin} ")
    if steps.result:
        made += fill_lines(heading_line(terminal_safe(f"Result: {steps.result}"), style), width, style)
    if steps.convention:
        made += wrap(f"Convention: {steps.convention}", width, "  ", "")
    if steps.sanity:
        made += wrap(f"Sanity: {steps.sanity}", width, "  ", "")
    return made
