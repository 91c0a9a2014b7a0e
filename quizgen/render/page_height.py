"""About how much of a printed page an item's stem takes: enough to keep its ruled lines on that page."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from quizgen import page as page
from quizgen.markdown import plain
from quizgen.page import Block

COLUMNS = 95  # characters of a line of usual print
LARGE_COLUMNS = 48
FIGURE = 16  # lines: a figure is at most 85 mm high


def height(blocks: Iterable[Block], columns: int) -> float:
    """Lines that blocks take, at so many characters a line."""
    return fsum(_block(block, columns) for block in blocks)  # rounds alike in every version of Python


def _block(block: Block, columns: int) -> float:
    match block:
        case page.Code(text, _):
            # A character of code is about a tenth wider than one of text.
            return 1 + sum(1 + len(line) // (columns * 9 // 10) for line in text.split("\n"))
        case page.Math():
            return 2.5
        case page.Quote(inner):
            return height(inner, columns)
        case page.Picture():
            return FIGURE
        case page.Stimulus(_, inner, again):
            return 0.0 if again else 1 + height(inner, columns)
        case page.Bullets(entries, _, _):
            return fsum(height(entry, columns) for entry in entries)
        case page.Table(head, rows):
            # Each column has about its share of the line, less its padding.
            wide = max(4, columns // max(1, len(head)) - 1)
            return fsum(0.6 + max((1 + len(plain(cell)) // wide for cell in row), default=1) for row in (head, *rows))
        case page.Options(options, _):
            return 1 + fsum(1.5 + len(o.text) // columns for o in options)
        case page.Para(parts) | page.Heading(parts, _):
            return (
                1.3 + len(plain(parts)) // columns + FIGURE * sum(isinstance(p, page.Image) for p in page.every(parts))
            )
        case _:
            return 1.3
