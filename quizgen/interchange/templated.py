"""Formats that are a single text file, rendered from the templates in templates/interchange."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, BinaryIO

from quizgen.answer_areas import LETTERS
from quizgen.interchange.contract import ExportContext, Exporter, carried_fields
from quizgen.interchange.html_text import ExportPage
from quizgen.interchange.import_drafts import item_tags
from quizgen.portable_item import Plain, PlainOption, decimal
from quizgen.render.html import jinja_environment

TEMPLATE_FILTERS: dict[str, Callable[..., str]] = {
    # escapes of GIFT; a line end becomes \n
    "gift": lambda text: re.sub(r"[~=#{}:\\]", r"\\\g<0>", str(text)).replace("\n", "\\n"),
    "indented": lambda text, width: "\n".join(
        line and (" " * width if n else "") + line for n, line in enumerate(str(text).split("\n"))
    ),
}
MAX_KEYS = 10  # more would need shares that Moodle does not offer


def render_template(name: str, context: ExportContext, xml: bool = True, **values: object) -> str:
    """The text of one template, in which `html.page` and `html.line` turn Markdown into HTML, and `html.blocks` blocks.
    `xml`: every text is escaped for XML."""
    base = jinja_environment()
    shown = base if xml else base.overlay(autoescape=False)
    shown.filters.update(TEMPLATE_FILTERS)
    html = ExportPage(context.root)
    parts: Any = base.get_template("interchange/parts.html").module
    return shown.get_template(f"interchange/{name}").render(
        about=context,
        title=" ".join(filter(None, (context.title, context.version))),
        html=html,
        solution=lambda item: parts.solution(html, item, decimal),
        criteria=lambda item: parts.criteria(html, item, decimal),
        decimal=lambda value: decimal(Fraction(value)),
        fraction=option_percent,
        tags=item_tags,
        letters=LETTERS,
        stable_id=stable_id,
        **values,
    )


def template_writer(name: str, xml: bool = True) -> Callable[[Sequence[Plain], ExportContext, BinaryIO], None]:
    """The `write` function of a format that is a single text file."""

    def write(items: Sequence[Plain], context: ExportContext, out: BinaryIO) -> None:
        out.write(render_template(name, context, xml, items=items).encode("utf-8"))

    return write


def option_percent(item: Plain, option: PlainOption) -> str:
    """The points of an option in percent; if there are several keys, right minus wrong."""
    value = 100 / len(item.keys) if option.right else -100 / len(item.keys) if len(item.keys) > 1 else 0
    return f"{value:.5f}".rstrip("0").rstrip(".")


def too_many_keys(item: Plain) -> str:
    """The reason why an item with more than MAX_KEYS keys cannot be exported; else empty."""
    return f"there is no share for more than {MAX_KEYS} keys" if len(item.keys) > MAX_KEYS else ""


def stable_id(context: ExportContext, *parts: str) -> str:
    """An id that is the same in every export of the bank: letters and digits, beginning with a letter."""
    return "g" + hashlib.sha256("\n".join((context.bank, *parts)).encode()).hexdigest()[:32]


# Text formats: numbered questions with everything an author wrote, and Markdown as text2qti reads it (`*a)`, `[*]`,
# `= v +- d`, `____`). `forms` reads both.


_MIN_MARGIN = Fraction(1, 10_000)  # smallest margin that text2qti accepts


def _export_refusal(item: Plain) -> str:
    """The reason why text2qti could not read the item; empty if it can."""
    number = item.number
    if number is not None and abs(number.value) - number.margin < _MIN_MARGIN:
        return "text2qti takes no number this near to zero"
    return "text2qti takes whole and half points only" if (item.points * 2).denominator != 1 else ""


TEXT_EXPORTER = Exporter(1, ".txt", carried_fields("sheet"), template_writer("text.txt", xml=False))
_write_markdown = template_writer("markdown.md", xml=False)
MARKDOWN_EXPORTER = Exporter(
    1, ".md", carried_fields("markdown"), _write_markdown, _export_refusal, figures_beside=True
)
