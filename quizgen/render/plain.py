"""Templates of plain text: every value in them is printable and cannot end its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from quizgen.render.filling import wrap
from quizgen.source import printable

if TYPE_CHECKING:  # a session begins without a page
    from jinja2 import Template


def text_template(name: str, **filters: Callable[..., Any]) -> Template:
    """A template with those filters and the ones of pages."""
    from markupsafe import Markup

    from quizgen.render.html import environment

    def finished(value: object) -> str:
        return value if isinstance(value, Markup) else printable(str(value).replace("\n", " "))

    pages = environment()
    shown = pages.overlay(autoescape=False, finalize=finished)
    shown.filters = {**pages.filters, **filters}
    return shown.get_template(name)


def filler(width: int) -> Callable[..., str]:
    """A filter that fills lines of a width: the margin of all but the first, then what the first begins with."""
    from markupsafe import Markup

    def wrapped(text: str, indent: str = "", first: str | None = None) -> Markup:
        return Markup("".join(f"{line}\n" for line in wrap(text, width, indent, first)))

    return wrapped
