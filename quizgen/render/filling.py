"""Runs of text into lines of a width: words whole, wide characters counted, attributes or marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from quizgen.source import printable

if TYPE_CHECKING:  # a session begins without a page
    from quizgen.inline import Inline

# A run of text and how it is set: "" plain, "b" strong, "i" emphasis, "c" code, "d" dim; "r" reversed, "u" underlined,
# "ru" both.
Run = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Look:
    """How marks are shown: by terminal attributes, by characters (`*so*`, backquotes), or not at all."""

    attributes: bool = False
    characters: bool = True


PLAIN = Look()
BARE = Look(characters=False)
MARGIN, GOES_ON = "    ", "  ↪ "
_SGR = {"b": "1", "i": "3", "c": "36", "d": "2", "r": "7", "u": "4", "ru": "7;4"}


def width_of(text: str) -> int:
    """Columns that a terminal needs: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_columns(c) for c in text)


def next_lines(commands: Sequence[str]) -> list[str]:
    """What to do next, a command a line and never broken, so that it can be copied."""
    return [f"Next: {commands[0]}"] if len(commands) == 1 else ["Next:", *(f"  {command}" for command in commands)]


def wrap(text: str, width: int, indent: str = "", first: str | None = None) -> list[str]:
    """Plain text in lines of at most `width` columns; its own line ends are kept."""
    return [
        line
        for n, part in enumerate(clean(text).split("\n"))
        for line in wrapped([(part, "")], width, PLAIN, indent, indent if first is None or n else first)
    ]


def clean(text: str) -> str:
    """Text that does nothing to a terminal but show: tabs become spaces, controls `\\u{..}`."""
    return printable(text.replace("\r\n", "\n")).replace("\t", "    ")


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def runs(parts: Iterable[Inline], mark: str = "") -> list[Run]:
    from quizgen import inline as page
    from quizgen.render.unicode_math import text_of

    made: list[Run] = []
    for part in parts:
        match part:
            case page.Text(text):
                made.append((clean(text).replace("\n", " "), mark))
            case page.CodeSpan(text):
                made.append((clean(text).replace("\n", " "), "c"))
            case page.MathSpan(tex):
                made.append((clean(text_of(tex)).replace("\n", " "), mark))
            case page.Emphasis(inner, strong):
                made += runs(inner, "b" if strong else mark or "i")
            case page.Link(inner, url):
                made += [*runs(inner, mark), (f" <{clean(url)}>", mark)]
            case page.Image(alt, path):
                made.append((f"[figure: {clean(alt or path)}]", mark))
            case page.Break():
                made.append(("\n", mark))
            case _:
                assert_never(part)
    return made


_PIECES = re.compile(r"\n|[^\S\n]+|\S+")


def wrapped(runs: Iterable[Run], width: int, look: Look, indent: str = "", first: str | None = None) -> list[str]:
    """Fill lines with whole words; a word wider than a line is cut."""
    made: list[str] = []
    margin = indent if first is None else first
    line: list[Run] = []
    used = width_of(margin)
    word: list[Run] = []
    gap = ""

    def end() -> None:
        nonlocal line, used, margin, gap
        made.append((margin + set_runs(line, look)).rstrip())
        line, margin, gap = [], indent, ""
        used = width_of(margin)

    def place() -> None:
        nonlocal word, used, gap
        size = sum(width_of(t) for t, _ in word)
        if line and used + len(gap) + size > width:
            end()
        elif line and gap:
            line.append((gap, ""))
            used += len(gap)
        for text, mark in word:
            while used + width_of(text) > width and width - used > 0:
                head = _fit(text, width - used)
                line.append((head, mark))
                text = text[len(head) :]
                end()
            if text:
                line.append((text, mark))
                used += width_of(text)
        word, gap = [], ""

    for text, mark in marked(runs, look):
        for piece in _PIECES.findall(text):
            if piece == "\n":
                place()
                end()
            elif piece.isspace() and piece[0] != "\u00a0":
                place()
                gap = " " if line else ""
            else:
                word.append((piece, mark))
    place()
    if line or not made:
        end()
    return made if made != [""] else []


def marked(runs: Iterable[Run], look: Look) -> list[Run]:
    """Without terminal attributes, marks become characters; runs that are set so already stay as they are."""
    if look.attributes:
        return list(runs)
    if not look.characters:
        return [(text, "") for text, _ in runs]
    signs = {"b": "*", "i": "_", "c": "`"}
    return [(f"{signs[m]}{t}{signs[m]}" if m in signs and t.strip() else t, "") for t, m in runs]


def set_runs(line: Sequence[Run], look: Look) -> str:
    if not look.attributes:
        return "".join(t for t, _ in line)
    return "".join(f"\x1b[{_SGR[m]}m{t}\x1b[0m" if m in _SGR else t for t, m in line)


_OWN_SGR = re.compile("\x1b\\[[0-9;]*m")


def bare(text: str) -> int:
    """Columns of a line of ours, attributes not counted."""
    return width_of(_OWN_SGR.sub("", text))


def _fit(text: str, room: int) -> str:
    """As many characters as fit in `room` columns, at least one."""
    used = 0
    for index, char in enumerate(text):
        used += _columns(char)
        if used > room:
            return text[: max(1, index)]
    return text


def code_lines(text: str, width: int, look: Look) -> list[str]:
    """Code behind a margin; a line too long for the screen goes on behind an arrow in the margin."""
    made = []
    for line in clean(text).split("\n"):
        for number, piece in enumerate(_cut(line, width - len(MARGIN))):
            made.append((GOES_ON if number else MARGIN) + (set_runs([(piece, "c")], look) if piece else ""))
    return [line.rstrip() for line in made]


def _cut(line: str, room: int) -> list[str]:
    """A line in pieces that fit."""
    pieces = []
    while width_of(line) > room:
        head = _fit(line, room)
        pieces.append(head)
        line = line[len(head) :]
    return [*pieces, line]
