"""The blocks and inline pieces of an item, independent of how they are rendered.

The union `Block` is closed: a renderer handles every member (`match` … `assert_never`). Inline pieces are in
`quizgen.inline`; answer areas and derivations are in files of their own, because a session and `solve` start without a
page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quizgen.answer_areas import NumericAnswerLine, Options, TextAnswerLines
from quizgen.derivation import WorkedDerivation
from quizgen.inline import Inline, Text


@dataclass(frozen=True, slots=True)
class Paragraph:
    inline_pieces: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    inline_pieces: tuple[Inline, ...]
    level: int = 3


@dataclass(frozen=True, slots=True)
class CodeBlock:
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class DisplayedMath:
    """Displayed TeX (`$$…$$`)."""

    tex: str


@dataclass(frozen=True, slots=True)
class Quote:
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ListBlock:
    entries: tuple[tuple[Block, ...], ...]
    is_ordered: bool = False
    start_number: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    header_cells: tuple[tuple[Inline, ...], ...]
    rows: tuple[tuple[tuple[Inline, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class ThematicBreak:
    """A thematic break (a horizontal line)."""


@dataclass(frozen=True, slots=True)
class Stimulus:
    """The shared text of several items: its id and content. `is_repeated`: an earlier part on the same page already
    shows it; `items_in_words`: the items that it belongs to, in words."""

    stimulus_id: str
    blocks: tuple[Block, ...]
    is_repeated: bool = False
    items_in_words: str = ""
    first_item_number: int = 0  # number of the first of these items


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """A drawn figure: an SVG for pages, lines of text for a terminal, and a description in words for those who see
    neither."""

    svg: str
    terminal_lines: tuple[str, ...]
    alt: str


@dataclass(frozen=True, slots=True)
class MarkingScheme:
    """A marking scheme: one row per criterion (points, description, phrases).

    A phrase is a tuple of slots, each of which a response must contain: `("reduces or saves", "memory")`."""

    points_criterion_phrases_rows: tuple[tuple[str, str, tuple[tuple[str, ...], ...]], ...]
    extra_rule_texts: tuple[str, ...] = ()  # besides the criteria


Block = (
    Paragraph | Heading | CodeBlock | DisplayedMath | Quote | ListBlock | Table | ThematicBreak | Options
    | NumericAnswerLine | TextAnswerLines | WorkedDerivation | MarkingScheme | Stimulus | DrawnFigure
)  # fmt: skip


def walk_page(part: object) -> Iterator[object]:
    """Yields every block and inline piece in `part`, at any depth, each before its own parts."""
    if not isinstance(part, tuple):
        names = getattr(part, "__match_args__", None)  # fields of a dataclass
        if names is None:
            return
        yield part
        part = tuple(getattr(part, name) for name in names)
    for child in part:
        yield from walk_page(child)


def plain_paragraph(text: str) -> Paragraph:
    """A paragraph of plain text; Markdown in `text` is not interpreted."""
    return Paragraph((Text(text),))
