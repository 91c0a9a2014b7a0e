"""Texts out: numbered questions with all that an author wrote, and Markdown as text2qti reads it (`*a)`, `[*]`,
`= v +- d`, `____`). `forms` reads both."""

from __future__ import annotations

from fractions import Fraction

from quizgen.interchange.contract import Exporter
from quizgen.interchange.tables import carried
from quizgen.interchange.templated import writer
from quizgen.plain import Plain

_SMALLEST = Fraction(1, 10_000)  # text2qti takes nothing nearer to zero


def _refuses(item: Plain) -> str:
    number = item.number
    if number is not None and abs(number.value) - number.margin < _SMALLEST:
        return "text2qti takes no number this near to zero"
    return "text2qti takes whole and half points only" if (item.points * 2).denominator != 1 else ""


TEXT = Exporter(1, ".txt", carried("sheet"), writer("text.txt", xml=False))
MARKDOWN = Exporter(1, ".md", carried("markdown"), writer("markdown.md", xml=False), _refuses)
