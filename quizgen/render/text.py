"""Text in lines of a given width, and blocks of a page as such lines: the terminal, `quizgen show`, keys and reports as
text. Whole words, wide characters counted, with terminal attributes or with characters as marks.

No control character of a bank or a response gets through: `printable` turns it into `\\u{..}`. Pages and templates are
imported where they are shown, as they would slow the start of `quizgen solve` and of a session."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, assert_never

from quizgen.source.problems import printable

if TYPE_CHECKING:
    from jinja2 import Template

    from quizgen.derivation import WorkedDerivation
    from quizgen.inline import Inline
    from quizgen.page import Block, ListBlock, Table

# A piece of text and its style: "" plain, "b" strong, "i" emphasis, "c" code, "d" dim, "r" reversed, "u" underlined,
# "ru" both.
StyledText = tuple[str, str]


class EmphasisStyle(NamedTuple):
    """How emphasis is shown: by terminal attributes, by characters (`*so*`, backquotes), or not at all."""

    has_terminal_attributes: bool = False
    has_emphasis_characters: bool = True


ASCII_EMPHASIS = EmphasisStyle()
_ANSI_CODE_BY_STYLE = {"b": "1", "i": "3", "c": "36", "d": "2", "r": "7", "u": "4", "ru": "7;4"}
_ANSI_PATTERN = re.compile("\x1b\\[[0-9;]*m")
MIN_TEXT_WIDTH_COLUMNS = 8  # narrower texts are not made
MIN_CELL_WIDTH_COLUMNS = 14  # columns below which a cell of a table is hard to read


def text_column_count(text: str) -> int:
    """The columns of a text on a terminal: a wide character takes two, a combining one none."""
    return len(text) if text.isascii() else sum(_char_column_count(c) for c in text)


def next_command_lines(commands: Sequence[str]) -> list[str]:
    """The next commands, each on a single line so that it can be copied."""
    return [f"Next: {commands[0]}"] if len(commands) == 1 else ["Next:", *(f"  {command}" for command in commands)]


def wrap_text(text: str, width: int, indent: str = "", first_indent: str | None = None) -> list[str]:
    """Plain text in lines of at most `width` columns, besides its own line ends. Lines begin with `indent`, the first
    with `first_indent`."""
    lines: list[str] = []
    for number, part in enumerate(terminal_safe_text(text).split("\n")):
        lines += wrap_styled([(part, "")], width, ASCII_EMPHASIS, indent, indent if number else first_indent)
    return lines


def terminal_safe_text(text: str) -> str:
    r"""Text that is safe on a terminal: tabs become spaces, and control characters become `\u{..}`."""
    return printable(text.replace("\r\n", "\n")).replace("\t", "    ")


def _char_column_count(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


_WORD_OR_GAP_PATTERN = re.compile(r"\n|[^\S\n]+|\S+")


def wrap_styled(
    texts: Iterable[StyledText], width: int, style: EmphasisStyle, indent: str = "", first_indent: str | None = None
) -> list[str]:
    """The texts in lines filled with whole words; a word wider than a line is cut."""
    words: list[list[StyledText]] = [[]]  # a word has several pieces if its style changes; a line's end is a word too
    for text, mark in add_emphasis_characters(texts, style):
        for piece in _WORD_OR_GAP_PATTERN.findall(text):
            if piece == "\n":
                words += [[("\n", "")], []]
            elif piece.isspace() and piece[0] != "\u00a0":
                words.append([])
            else:
                words[-1].append((piece, mark))
    lines: list[str] = []
    margin = indent if first_indent is None else first_indent
    line: list[StyledText] = []
    column_count = text_column_count(margin)

    def end_line() -> None:
        nonlocal line, column_count, margin
        lines.append((margin + join_styled_texts(line, style)).rstrip())
        line, margin, column_count = [], indent, text_column_count(indent)

    for word in filter(None, words):
        if word == [("\n", "")]:
            end_line()
            continue
        if line and column_count + 1 + sum(text_column_count(text) for text, _ in word) > width:
            end_line()
        elif line:
            line.append((" ", ""))
            column_count += 1
        for text, mark in word:
            while column_count + text_column_count(text) > width and (line or column_count < width):
                head = _longest_start_within_columns(text, width - column_count) or ("" if line else text[0])
                line.append((head, mark if head else ""))
                text = text[len(head) :]
                end_line()
            if text:
                line.append((text, mark))
                column_count += text_column_count(text)
    if line or not lines:
        end_line()
    return lines if lines != [""] else []


def add_emphasis_characters(styled_pieces: Iterable[StyledText], style: EmphasisStyle) -> list[StyledText]:
    """The runs with characters for emphasis if the style has no terminal attributes; runs that have them stay."""
    if style.has_terminal_attributes:
        return list(styled_pieces)
    if not style.has_emphasis_characters:
        return [(text, "") for text, _ in styled_pieces]
    signs = {"b": "*", "i": "_", "c": "`"}
    return [(f"{signs[m]}{t}{signs[m]}" if m in signs and t.strip() else t, "") for t, m in styled_pieces]


def join_styled_texts(line: Sequence[StyledText], style: EmphasisStyle) -> str:
    """Pieces of text as one string, with terminal attributes if the style has them."""
    if not style.has_terminal_attributes:
        return "".join(t for t, _ in line)
    return "".join(f"\x1b[{_ANSI_CODE_BY_STYLE[m]}m{t}\x1b[0m" if m in _ANSI_CODE_BY_STYLE else t for t, m in line)


def _longest_start_within_columns(text: str, columns: int) -> str:
    """As many characters as fit in `columns` columns."""
    column_count = 0
    for index, char in enumerate(text):
        column_count += _char_column_count(char)
        if column_count > columns:
            return text[:index]
    return text


def code_lines(text: str, width: int, style: EmphasisStyle) -> list[str]:
    """Code with a margin. A line too long for `width` continues after an arrow in the margin."""
    lines = []
    for line in terminal_safe_text(text).split("\n"):
        margin, rest = "    ", line
        while rest or margin.isspace():
            piece = _longest_start_within_columns(rest, width - len(margin)) or rest[:1]
            lines.append(margin + (join_styled_texts([(piece, "c")], style) if piece else ""))
            margin, rest = "  ↪ ", rest[len(piece) :]
    return [line.rstrip() for line in lines]


def _bold_heading_lines(heading: str, width: int, style: EmphasisStyle) -> list[str]:
    """Lines of their own: bold if the terminal can show it; otherwise they need no mark."""
    return wrap_styled([(terminal_safe_text(heading), "b" if style.has_terminal_attributes else "")], width, style)


def derivation_lines(steps: WorkedDerivation, width: int = 80, style: EmphasisStyle = ASCII_EMPHASIS) -> list[str]:
    """A worked derivation in lines of at most `width` columns."""
    lines = _bold_heading_lines(steps.title, width, style) if steps.title else []
    lines += wrap_text(steps.source, width, "  ") if steps.source else []
    for name, value, description in steps.name_value_meanings:
        lines += wrap_text(f"{name} = {value}" + (f"  ({description})" if description else ""), width, "      ", "  ")
    for step in steps.steps:
        lines += wrap_text(f"{step.name} = {step.expression}", width, "      ", "  ")
        margin = "  " + " " * min(text_column_count(terminal_safe_text(step.name)), width // 3)
        if step.substituted and step.substituted not in (step.expression, step.value):
            lines += wrap_text(f"= {step.substituted}", width, f"{margin}   ", f"{margin} ")
        if step.value != step.expression:
            lines += wrap_text(f"= {step.value}", width, f"{margin}   ", f"{margin} ")
    lines += _bold_heading_lines(f"Result: {steps.result_text}", width, style) if steps.result_text else []
    for title, text in (("Convention", steps.convention_text), ("Sanity", steps.sanity_check_text)):
        lines += wrap_text(f"{title}: {text}", width, "  ", "") if text else []
    return lines


# Blocks and inline pieces of a page.


def inline_styled_texts(inline_pieces: Iterable[Inline], outer_style: str = "") -> list[StyledText]:
    """Inline parts as pieces of text with their styles; `outer_style` is the style around them."""
    from quizgen import inline as page
    from quizgen.render.maths import tex_to_unicode

    pieces: list[StyledText] = []
    for part in inline_pieces:
        match part:
            case page.Text(text) | page.CodeSpan(text):
                style = "c" if isinstance(part, page.CodeSpan) else outer_style
                pieces.append((terminal_safe_text(text).replace("\n", " "), style))
            case page.MathSpan(tex):
                pieces.append((terminal_safe_text(tex_to_unicode(tex)).replace("\n", " "), outer_style))
            case page.Emphasis(inner, strong):
                pieces += inline_styled_texts(inner, "b" if strong else outer_style or "i")
            case page.Link(inner, url):
                pieces += [*inline_styled_texts(inner, outer_style), (f" <{terminal_safe_text(url)}>", outer_style)]
            case page.Image(alt, path):
                pieces.append((f"[figure: {terminal_safe_text(alt or path)}]", outer_style))
            case page.LineBreak():
                pieces.append(("\n", outer_style))
            case _:
                assert_never(part)
    return pieces


def wrap_blocks(blocks: Iterable[Block], width: int = 80, style: EmphasisStyle = ASCII_EMPHASIS) -> list[str]:
    """Blocks in lines of at most `width` columns, with a blank line between blocks."""
    columns = max(width, MIN_TEXT_WIDTH_COLUMNS)
    return lines_with_blank_between_parts(_lines_of_block(block, columns, style) for block in blocks)


def lines_with_blank_between_parts(parts: Iterable[list[str]]) -> list[str]:
    """The lines of the parts that are not empty, with a blank line between two parts."""
    return [line for part in parts if part for line in ("", *part)][1:]


def wrap_markdown_line(
    text: str, width: int, style: EmphasisStyle, indent: str = "", first_indent: str | None = None
) -> list[str]:
    """A sentence of the author's Markdown, such as a hint or a fact, as lines."""
    from quizgen.markdown import markdown_inline_pieces

    return wrap_styled(inline_styled_texts(markdown_inline_pieces(text)), width, style, indent, first_indent)


def _lines_of_block(block: Block, width: int, style: EmphasisStyle) -> list[str]:
    from quizgen import page
    from quizgen.answer_areas import NumericAnswerLine, Options, TextAnswerLines, option_letter
    from quizgen.derivation import WorkedDerivation
    from quizgen.render.maths import tex_to_unicode

    match block:
        case page.Paragraph(parts):
            return wrap_styled(inline_styled_texts(parts), width, style)
        case page.Heading(parts, _):
            return _bold_heading_lines("".join(text for text, _ in inline_styled_texts(parts)), width, style)
        case page.CodeBlock(text, _):
            return code_lines(text, width, style)
        case page.DisplayedMath(tex):
            formula = terminal_safe_text(tex_to_unicode(tex)).replace("\n", " ")
            return wrap_styled([(formula, "")], width, style, "      ", "    ")
        case page.Quote(inner) | page.Stimulus(_, inner):
            bar = "| " if width - 2 >= MIN_TEXT_WIDTH_COLUMNS else ""
            return [f"{bar}{line}".rstrip() for line in wrap_blocks(inner, width - len(bar), style)]
        case page.DrawnFigure(_, text_lines, alt):
            has_room = max(map(text_column_count, text_lines), default=0) <= width
            return list(text_lines) if has_room else wrap_text(f"[{alt}]", width)
        case page.ListBlock():
            return _list_lines(block, width, style)
        case page.Table():
            return _table_lines(block, width, style)
        case page.ThematicBreak():
            return ["-" * min(width, 40)]
        case Options(options, _):
            heads = [(f"  {option_letter(n)}. ", inline_styled_texts(o.inline_pieces)) for n, o in enumerate(options)]
            return [line for head, text in heads for line in wrap_styled(text, width, style, "     ", head)]
        case NumericAnswerLine() | TextAnswerLines():
            return []
        case WorkedDerivation():
            return derivation_lines(block, width, style)
        case page.MarkingScheme(rows, notes):
            lines = []
            for points, criterion, phrases in rows:
                lines += wrap_text(criterion, width, "      ", f"  [{points}] ")
                lines += [line for p in phrases for line in wrap_text(" + ".join(p), width, "        ", "      - ")]
            return lines + [line for note in notes for line in wrap_text(note, width, "    ", "  ")]
        case _:
            assert_never(block)


def _list_lines(block: ListBlock, width: int, style: EmphasisStyle) -> list[str]:
    list_lines = []
    for number, entry in enumerate(block.entries, block.start_number):
        mark = f"{number}. " if block.is_ordered else "- "
        has_room = width - len(mark) >= MIN_TEXT_WIDTH_COLUMNS  # otherwise the mark has a line of its own
        entry_lines = [x for b in entry for x in _lines_of_block(b, width - len(mark) if has_room else width, style)]
        lines = [f"{' ' * len(mark) if index else mark}{line}".rstrip() for index, line in enumerate(entry_lines)]
        list_lines += lines if has_room else [mark.rstrip(), *entry_lines]
    return list_lines


def _table_lines(table: Table, width: int, style: EmphasisStyle) -> list[str]:
    """A table whose columns share the width: each gets the width that it needs, or the widest shrink first."""
    has_titles = any(map(inline_styled_texts, table.header_cells))
    # Style marks that are written as characters also take columns.
    rows = (table.header_cells, *table.rows)
    cells = [[add_emphasis_characters(inline_styled_texts(cell), style) for cell in row] for row in rows]
    grid = list(zip(*zip_longest(*cells, fillvalue=[("", "")]), strict=True))[0 if has_titles else 1 :]
    if not grid:
        return []
    full_widths = [max(1, *map(_cell_column_count, column)) for column in zip(*grid, strict=True)]
    widths = list(full_widths)
    while sum(widths) > width - 2 * (len(widths) - 1) and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    if any(w < min(full_width, MIN_CELL_WIDTH_COLUMNS) for w, full_width in zip(widths, full_widths, strict=True)):
        return _table_as_record_lines(cells[0], grid[has_titles:], width, style)
    lines = []
    for number, row in enumerate(grid):
        is_head = has_titles and number == 0
        default_style = "b" if is_head and style.has_terminal_attributes else ""
        cells_in_style = ([(text, mark or default_style) for text, mark in cell] for cell in row)
        cell_lines = [wrap_styled(cell, columns, style) for cell, columns in zip(cells_in_style, widths, strict=True)]
        for parts in zip_longest(*cell_lines, fillvalue=""):
            gaps = (w - text_column_count(_ANSI_PATTERN.sub("", part)) for part, w in zip(parts, widths, strict=True))
            lines.append("  ".join(part + " " * gap for part, gap in zip(parts, gaps, strict=True)).rstrip())
        if is_head:
            lines.append("  ".join("-" * columns for columns in widths))
    return lines


def _cell_column_count(cell: Sequence[StyledText]) -> int:
    return sum(text_column_count(text) for text, _ in cell)


def _table_as_record_lines(
    headers: Sequence[list[StyledText]], rows: Sequence[Sequence[list[StyledText]]], width: int, style: EmphasisStyle
) -> list[str]:
    """A table too wide for columns: for each row, its first two cells (the first is often a letter), then each further
    cell after the title of its column."""
    lines = []
    margin = 3
    for cells in rows:
        pairs = [one for one in zip_longest(headers, cells, fillvalue=[("", "")]) if any(t.strip() for t, _ in one[1])]
        if not pairs:
            continue
        lead, further_pairs = pairs[0][1], pairs[1:]
        if further_pairs and _cell_column_count(lead) < margin:
            lead = [*lead, (". ", ""), *further_pairs.pop(0)[1]]
        lines += wrap_styled(lead, width, style, " " * margin, "")
        for head, cell in further_pairs:
            title = "".join(t for t, _ in head)
            lines += wrap_styled([(f"{title}: ", ""), *cell] if title else cell, width, style, " " * margin)
    return lines


# Plain-text templates: every value in them is printable and cannot end its line.


def plain_text_template(template_name: str, width: int = 80, **filters: Callable[..., Any]) -> Template:
    """A text template with the filters of pages and `filters`, `columns` for the columns of a text, and `wrapped`: it
    fills lines of `width` columns, with an indent for all lines and a text that begins the first."""
    from markupsafe import Markup

    from quizgen.render.html import jinja_environment

    def wrapped(text: str, indent: str = "", first: str | None = None) -> Markup:
        return Markup("".join(f"{line}\n" for line in wrap_text(text, width, indent, first)))

    pages = jinja_environment()
    engine = pages.overlay(
        autoescape=False,
        finalize=lambda value: value if isinstance(value, Markup) else printable(str(value).replace("\n", " ")),
    )
    columns = {"columns": lambda text: text_column_count(terminal_safe_text(text))}
    engine.filters = {**pages.filters, **columns, "wrapped": wrapped, **filters}
    return engine.get_template(template_name)
