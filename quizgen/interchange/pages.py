"""Blocks to the small HTML that other programs take: well-formed, no class but what says a part's role,
maths as `\\(…\\)`. `unpage` is the way back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from quizgen import markdown
from quizgen.blocks import Para
from quizgen.render.html import Html, environment


@dataclass(frozen=True, slots=True)
class ExportPage(Html):
    """`root` is the folder of the figures, which are embedded; `report` takes what could not be."""

    def macros(self) -> Any:
        return _macros()

    def text(self, text: str) -> Markup:
        """Escaped; a backslash before a bracket must not open maths on the other side."""
        made = escape(text)
        for mark in "([)]":
            made = made.replace(f"\\{mark}", Markup("\\<span>{}</span>").format(mark))
        return made

    def page(self, text: str) -> Markup:
        """Markdown with paragraphs."""
        return self.blocks(markdown.blocks(text))

    def line(self, text: str) -> Markup:
        """Markdown of one line, such as an option: no paragraph around it."""
        made = markdown.blocks(text)
        if len(made) == 1 and isinstance(made[0], Para):
            return self.inline(made[0].parts)
        return self.blocks(made)

    def maths(self, tex: str, display: bool) -> Markup:
        return Markup("\\[{}\\]" if display else "\\({}\\)").format(tex)


@lru_cache(maxsize=1)
def _macros() -> Any:
    return environment().get_template("interchange/blocks.html").module
