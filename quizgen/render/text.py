"""Blocks of a page as lines of text for a given width: the terminal, `quizgen show`, keys and reports as text.

No control character of a bank or a response gets through: `printable` turns it into `\\u{..}`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, assert_never

from quizgen.render.wrap import (
    PLAIN,
    StyledText,
    TextStyle,
    code_lines,
    derivation_lines,
    fill_lines,
    heading_line,
    marked_runs,
    terminal_safe,
    text_columns,
    visible_width,
    wrap,
)
from quizgen.source.problems import printable

if TYPE_CHECKING:  # imported only for a page or a report, as it slows the start of a session
    from jinja2 import Template

    from quizgen.inline import Inline
    from quizgen.page import Block


def styled_texts(parts: Iterable[Inline], outer_style: str = "") -> list[StyledText]:
    """Inline parts as pieces of text with their styles; `outer_style` is the style around them."""
    from quizgen import inline as page
    from quizgen.render.unicode_math import tex_to_unicode

    made: list[StyledText] = []
    for part in parts:
        match part:
            case page.Text(text):
                made.append((terminal_safe(text).replace("\n", " "), outer_style))
            case page.CodeSpan(text):
                made.append((terminal_safe(text).replace("\n", " "), "c"))
            case page.MathSpan(tex):
                made.append((terminal_safe(tex_to_unicode(tex)).replace("\n", " "), outer_style))
            case page.Emphasis(inner, strong):
                made += styled_texts(inner, "b" if strong else outer_style or "i")
            case page.Link(inner, url):
                made += [*styled_texts(inner, outer_style), (f" <{terminal_safe(url)}>", outer_style)]
            case page.Image(alt, path):
                made.append((f"[figure: {terminal_safe(alt or path)}]", outer_style))
            case page.Break():
                made.append(("\n", outer_style))
            case _:
                assert_never(part)
    return made


MIN_CELL_COLUMNS = 14  # columns below which a cell of a table is hard to read


def block_lines(blocks: Iterable[Block], width: int = 80, style: TextStyle = PLAIN) -> list[str]:
    """Blocks in lines of at most `width` columns, with a blank line between blocks."""
    shown: list[str] = []
    for block in blocks:
        made = _lines_of_block(block, max(width, 8), style)
        if made:
            shown += ([""] if shown else []) + made
    return shown


def markdown_lines(text: str, width: int, style: TextStyle, indent: str = "", first: str | None = None) -> list[str]:
    """A sentence of the author's Markdown, such as a hint or a fact, as lines."""
    from quizgen.markdown import markdown_inline

    return fill_lines(styled_texts(markdown_inline(text)), width, style, indent, first)


def _lines_of_block(block: Block, width: int, style: TextStyle) -> list[str]:
    from quizgen import page
    from quizgen.answer_areas import Blank, Lines, Options
    from quizgen.derivation import Steps
    from quizgen.render.unicode_math import tex_to_unicode

    match block:
        case page.Para(parts):
            return fill_lines(styled_texts(parts), width, style)
        case page.Heading(parts, _):
            return fill_lines(heading_line("".join(t for t, _ in styled_texts(parts)), style), width, style)
        case page.Code(text, _):
            return code_lines(text, width, style)
        case page.Math(tex):
            return fill_lines(
                [(terminal_safe(tex_to_unicode(tex)).replace("\n", " "), "")], width, style, "      ", "    "
            )
        case page.Quote(inner) | page.Stimulus(_, inner):
            return [f"| {line}".rstrip() for line in block_lines(inner, width - 2, style)]
        case page.Picture(_, drawn, alt):
            return list(drawn) if all(text_columns(line) <= width for line in drawn) else wrap(f"[{alt}]", width)
        case page.Bullets(entries, ordered, start):
            return _bullet_lines(entries, ordered, start, width, style)
        case page.Table(head, rows):
            return _table_lines(head, rows, width, style)
        case page.ThematicBreak():
            return ["-" * min(width, 40)]
        case Options(options, _):
            return [
                line
                for index, option in enumerate(options)
                for line in fill_lines(styled_texts(option.parts), width, style, "     ", f"  {block.letter(index)}. ")
            ]
        case Blank() | Lines():
            return []
        case Steps():
            return derivation_lines(block, width, style)
        case page.Scheme(rows, notes):
            return _scheme_lines(rows, notes, width)
        case _:
            assert_never(block)


def _bullet_lines(
    entries: Sequence[tuple[Block, ...]], ordered: bool, start: int, width: int, style: TextStyle
) -> list[str]:
    made = []
    for index, entry in enumerate(entries):
        mark = f"{start + index}. " if ordered else "- "
        inner = [line for block in entry for line in _lines_of_block(block, max(width - len(mark), 8), style)]
        for n, line in enumerate(inner):
            made.append(((mark if n == 0 else " " * len(mark)) + line).rstrip())
    return made


def _scheme_lines(
    rows: Sequence[tuple[str, str, tuple[tuple[str, ...], ...]]], notes: Sequence[str], width: int
) -> list[str]:
    made = []
    for points, says, phrases in rows:
        made += wrap(says, width, "      ", f"  [{points}] ")
        made += [line for p in phrases for line in wrap(" + ".join(p), width, "        ", "      - ")]
    return made + [line for note in notes for line in wrap(note, width, "    ", "  ")]


def _table_lines(
    head: Sequence[tuple[Inline, ...]], rows: Sequence[Sequence[tuple[Inline, ...]]], width: int, style: TextStyle
) -> list[str]:
    """A table whose columns share the width: each gets the width that it needs, or the widest shrink first."""
    titled = any(map(styled_texts, head))
    # Style marks that are written as characters also take columns.
    cells = [[marked_runs(styled_texts(cell), style) for cell in row] for row in (head, *rows)]
    grid = list(zip(*zip_longest(*cells, fillvalue=[("", "")]), strict=True))[0 if titled else 1 :]
    if not grid:
        return []
    wanted = [max(1, *map(_cell_columns, column)) for column in zip(*grid, strict=True)]
    widths = _column_widths(wanted, width - 2 * (len(wanted) - 1))
    if any(w < min(full, MIN_CELL_COLUMNS) for w, full in zip(widths, wanted, strict=True)):
        return _record_lines(grid[0] if titled else [], grid[titled:], width, style)
    made = [_table_row_lines(row, widths, style, "") for row in grid]
    if titled:
        made[0] = _table_row_lines(grid[0], widths, style, "b" if style.attributes else "")
        made[0].append("  ".join("-" * w for w in widths))
    return [line for row in made for line in row]


def _cell_columns(cell: Sequence[StyledText]) -> int:
    return sum(text_columns(text) for text, _ in cell)


def _column_widths(wanted_columns: Sequence[int], total_columns: int) -> list[int]:
    """The widths of columns that fit into `total_columns`: the widest shrink first, none below 1."""
    widths = list(wanted_columns)
    while sum(widths) > total_columns and max(widths) > 1:
        widths[max(range(len(widths)), key=lambda i: widths[i])] -= 1
    return widths


def _table_row_lines(
    row: Sequence[list[StyledText]], widths: Sequence[int], style: TextStyle, default: str
) -> list[str]:
    """The lines of one row, with its cells wrapped and padded; `default` is the style of text that has none."""
    filled = [fill_lines([(t, m or default) for t, m in cell], widths[i], style) for i, cell in enumerate(row)]
    made = []
    for level in range(max(len(cell) for cell in filled)):
        parts = [cell[level] if level < len(cell) else "" for cell in filled]
        padded = [part + " " * (widths[i] - visible_width(part)) for i, part in enumerate(parts)]
        made.append("  ".join(padded).rstrip())
    return made


def _record_lines(
    headers: Sequence[list[StyledText]], rows: Sequence[Sequence[list[StyledText]]], width: int, style: TextStyle
) -> list[str]:
    """A table too wide for columns: for each row, its first two cells (the first is often a letter), then each further
    cell after the title of its column."""
    made = []
    margin = 3
    for cells in rows:
        filled = [c for c in enumerate(cells) if any(t.strip() for t, _ in c[1])]
        if not filled:
            continue
        lead, others = filled[0][1], filled[1:]
        if others and _cell_columns(lead) < margin:
            lead = [*lead, (". ", ""), *others.pop(0)[1]]
        made += fill_lines(lead, width, style, " " * margin, "")
        for index, cell in others:
            title = "".join(t for t, _ in headers[index]) if index < len(headers) else ""
            named = [(f"{title}: ", ""), *cell] if title else cell
            made += fill_lines(named, width, style, " " * margin, " " * margin)
    return made


# Plain-text templates: every value in them is printable and cannot end its line.


def text_template(name: str, **filters: Callable[..., Any]) -> Template:
    """A text template with the filters of this module, of pages, and `filters`."""
    from markupsafe import Markup

    from quizgen.render.html import jinja_environment

    def printable_value(value: object) -> str:
        return value if isinstance(value, Markup) else printable(str(value).replace("\n", " "))

    pages = jinja_environment()
    shown = pages.overlay(autoescape=False, finalize=printable_value)
    shown.filters = {**pages.filters, **filters}
    return shown.get_template(name)


def fill_filter(width: int) -> Callable[..., str]:
    """A filter that fills lines of `width` columns, with an indent for all lines and a text that begins the first."""
    from markupsafe import Markup

    def wrapped(text: str, indent: str = "", first: str | None = None) -> Markup:
        return Markup("".join(f"{line}\n" for line in wrap(text, width, indent, first)))

    return wrapped
