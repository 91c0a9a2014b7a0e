"""What `quizgen check` asks of pages: that every formula and image of an item can be shown, and that
an item fits on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quizgen.assemble import variant_of
from quizgen.blocks import Block, Image, Lines, Math, MathSpan, every
from quizgen.model import Item
from quizgen.render.edition import Edition
from quizgen.render.figures import BadFigure, embedded
from quizgen.render.mathml import BadMaths, mathml
from quizgen.render.room import COLUMNS, height
from quizgen.source import Problem

ROWS = 46  # lines of a page


def unshowable(items: Iterable[Item], root: str) -> Iterator[Problem]:
    """Problems of items as pages show them; `root` is the bank's folder. One variant stands for all."""
    for item in items:
        variant = variant_of(item, "0")
        prompt = variant.prompt()
        for message in dict.fromkeys(_faults((*prompt, *variant.solution()), root)):
            yield Problem(item.where, message, "mend it; pages show it as plain text", item.id, "failure")
        stem = rows = height(prompt, COLUMNS)
        if any(isinstance(b, Lines) for b in prompt):
            rows += 1.4 * Edition().text_lines(item.seconds, stem)
        if rows > ROWS:
            what = f"takes about {round(rows)} lines on paper, more than a page, and will be split"
            yield Problem(item.where, what, "shorten it or make two items of it", item.id, "warning")


def _faults(blocks: Iterable[Block], root: str) -> Iterator[str]:
    for piece in every(tuple(blocks)):
        try:
            if isinstance(piece, Image):
                if not piece.alt.strip():
                    yield f'the image "{piece.path}" has no alt text'
                embedded(root, piece.path)
            elif isinstance(piece, Math | MathSpan):
                mathml(piece.tex, isinstance(piece, Math))
        except BadFigure as bad:
            yield f"the image {bad}"
        except BadMaths as bad:
            tex = piece.tex if isinstance(piece, Math | MathSpan) else ""
            yield f"the formula ${tex}$ cannot be shown: {bad} (character {bad.offset + 1})"
