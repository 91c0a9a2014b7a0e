"""The page vocabulary: what an item shows, before anyone decides how it looks.

A closed union: a renderer handles every member (`match` … `assert_never`). Inline pieces are
`Text`, `Emphasis`, `CodeSpan`, `MathSpan`, `Link`, `Figure` and `Break`; blocks are the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quizgen.answer_areas import (
    LETTERS,
    Blank,
    Lines,
    Option,
    Options,
    names_letters,
    read_letters,
    stays_last,
)
from quizgen.inline import Break, CodeSpan, Emphasis, Image, Inline, Link, MathSpan, Text

# In modules of their own, for a session begins without a page.


__all__ = [
    "LETTERS", "Blank", "Block", "Break", "Bullets", "Code", "CodeSpan", "Emphasis", "Heading", "Image", "Inline",
    "Lines", "Link", "Math", "MathSpan", "Option", "Options", "Para", "Picture", "Quote", "Scheme", "ShownStep",
    "Steps", "Stimulus", "Table", "Text", "ThematicBreak", "every", "names_letters", "para",
    "read_letters", "stays_last",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Para:
    parts: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    parts: tuple[Inline, ...]
    level: int = 3


@dataclass(frozen=True, slots=True)
class Code:
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Math:
    """Displayed TeX (`$$…$$`)."""

    tex: str


@dataclass(frozen=True, slots=True)
class Quote:
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    entries: tuple[tuple[Block, ...], ...]
    ordered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    head: tuple[tuple[Inline, ...], ...]
    rows: tuple[tuple[tuple[Inline, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class ThematicBreak:
    """A thematic break."""


@dataclass(frozen=True, slots=True)
class ShownStep:
    """One line of a derivation: `name = expression = substituted = value`."""

    name: str
    expression: str
    substituted: str
    value: str


@dataclass(frozen=True, slots=True)
class Steps:
    """A worked derivation: givens (name, value, what it is), then its steps."""

    title: str
    source: str
    givens: tuple[tuple[str, str, str], ...]
    steps: tuple[ShownStep, ...]
    result: str
    convention: str = ""
    sanity: str = ""


@dataclass(frozen=True, slots=True)
class Stimulus:
    """What several items are about: its id and what it shows. `again`: it stands before an earlier part on the
    same page; `about` says in words which items it is for."""

    name: str
    blocks: tuple[Block, ...]
    again: bool = False
    about: str = ""
    first: int = 0  # the number of the first of these items, in which it stands


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure drawn by us: an SVG for pages, lines for a terminal, and what it shows in words."""

    svg: str
    lines: tuple[str, ...]
    alt: str


@dataclass(frozen=True, slots=True)
class Scheme:
    """A marking scheme: one row a criterion (points, what it says, phrases in words).

    A phrase is its slots, all of which must be found: `("reduces or saves", "memory")`.
    """

    rows: tuple[tuple[str, str, tuple[tuple[str, ...], ...]], ...]
    notes: tuple[str, ...] = ()


Block = (
    Para | Heading | Code | Math | Quote | Bullets | Table | ThematicBreak | Options | Blank | Lines | Steps | Scheme
    | Stimulus | Picture
)  # fmt: skip


def every(part: object) -> Iterator[object]:
    """All that some blocks are made of, however deep: each block and inline piece, then what is in it."""
    if not isinstance(part, tuple):
        names = getattr(part, "__match_args__", None)  # of a dataclass: what it is made with
        if names is None:
            return
        yield part
        part = tuple(getattr(part, name) for name in names)
    for inner in part:
        yield from every(inner)


def para(text: str) -> Para:
    """A paragraph of plain text, taken as it is (no Markdown)."""
    return Para((Text(text),))
