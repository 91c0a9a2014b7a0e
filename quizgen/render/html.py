"""Blocks to HTML: one Jinja macro per block (templates/blocks.html), everything escaped.

Bank text is never a template and never trusted: it reaches a page through `escape` or a macro's
autoescaping. Maths is MathML made here, so that a page needs no script to show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, assert_never

from markupsafe import Markup

from quizgen import blocks as page
from quizgen import places
from quizgen.blocks import Block, Inline
from quizgen.exam import points_text
from quizgen.render.figures import BadFigure, drawn_address, embedded
from quizgen.render.fitting import broken, table_class, word_width
from quizgen.render.mathml import BadMaths, mathml, maths
from quizgen.render.scheme_words import in_short
from quizgen.render.words import worded
from quizgen.source import clock, printable, shorten, shown_points

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, slots=True)
class AreaPlace:
    """Where a response area stands: the item's number in the form and its ruled lines on paper."""

    number: int
    lines: int


def _ignored(message: str) -> None:
    """For pages whose bank was checked already."""


@dataclass(frozen=True, slots=True)
class Html:
    """Writes blocks of one bank. `root` is the folder of its images; `report` takes what could
    not be shown (bad TeX, a missing image), which then stands in the page as plain text."""

    root: str
    report: Callable[[str], None] = _ignored
    words: Words = ()

    def macros(self) -> Any:
        """A macro for each block and piece; other programs' pages have others."""
        return macros(self.words)

    def text(self, text: str) -> Markup:
        return broken(text)

    def blocks(self, blocks: Iterable[Block], place: AreaPlace | None = None) -> Markup:
        return Markup("".join([self.block(b, place) for b in blocks]))

    def inline(self, parts: Iterable[Inline]) -> Markup:
        return Markup("".join([self._piece(p) for p in parts]))

    def block(self, block: Block, place: AreaPlace | None = None) -> Markup:
        """One block. A response area (options, blank, lines) needs its `place`; without one, as
        in a key, it is left out."""
        use = self.macros()
        made: Markup
        match block:
            case page.Para(parts):
                made = use.para(self.inline(parts))
            case page.Heading(parts, _):
                made = use.heading(self.inline(parts))
            case page.Code(text, language):
                made = use.code(text, language)
            case page.Math(tex):
                made = use.math(self._maths(tex, True))
            case page.Quote(inner):
                made = use.quote(self.blocks(inner))
            case page.Stimulus(_, inner, again, about):
                made = use.stimulus(self.blocks(inner), again, about)
            case page.Picture(svg, _, alt):
                made = use.picture(drawn_address(svg), alt)
            case page.Bullets(entries, ordered, start):
                made = use.bullets([self.blocks(e) for e in entries], ordered, start)
            case page.Table(head, rows):
                cells = [[self.inline(c) for c in row] for row in rows]
                made = use.table([self.inline(c) for c in head], cells, table_class(_columns((head, *rows))))
            case page.ThematicBreak():
                made = use.rule()
            case page.Options(options, several):
                letters = [block.letter(i) for i in range(len(options))]
                texts = [self.inline(o.parts) for o in options]
                made = use.options(letters, texts, several, place) if place else Markup()
            case page.Blank(unit, words):
                made = use.blank(unit, words, place) if place else Markup()
            case page.Lines(criteria):
                made = use.lines(criteria, place) if place else Markup()
            case page.Steps(title, source, givens, steps, result, convention, sanity):
                made = use.steps(title, source, givens, steps, result, convention, sanity)
            case page.Scheme(rows, notes):
                made = use.scheme([(points, says, in_short(phrases)) for points, says, phrases in rows], notes)
            case _:
                assert_never(block)
        return made

    def _piece(self, piece: Inline) -> Markup:
        made: Markup
        match piece:
            case page.Text(text):
                made = self.text(text)
            case page.Emphasis(parts, strong):
                made = self.macros().emphasis(self.inline(parts), strong)
            case page.CodeSpan(text):
                made = self.macros().code_span(self.text(text))
            case page.MathSpan(tex):
                made = self._maths(tex, False)
            case page.Link(parts, url):
                made = self.macros().link(self.inline(parts), url)
            case page.Image(alt, path):
                made = self._figure(alt, path)
            case page.Break():
                made = self.macros().line_break()
            case _:
                assert_never(piece)
        return made

    def _maths(self, tex: str, display: bool) -> Markup:
        try:
            return mathml(tex, display)
        except BadMaths as bad:
            self.report(f"the formula ${tex}$ cannot be shown: {bad} (character {bad.offset + 1})")
            made: Markup = self.macros().bad_maths(tex)
            return made

    def _figure(self, alt: str, path: str) -> Markup:
        made: Markup
        try:
            if not alt.strip():
                raise BadFigure(f'"{path}" has no alt text; say in the brackets what it shows')
            made = self.macros().figure(embedded(self.root, path), alt)
        except BadFigure as bad:
            self.report(f"the image {bad}")
            made = self.macros().no_figure(alt)
        return made


def _columns(rows: Sequence[Sequence[tuple[Inline, ...]]]) -> list[float]:
    """The width in em that each column of a table needs for its widest word or formula."""
    return [max(_narrowest(cell) for cell in column) for column in zip_longest(*rows, fillvalue=())]


def _narrowest(parts: tuple[Inline, ...]) -> float:
    em = 0.0
    for part in page.every(parts):
        match part:
            case page.Text(text):
                em = max(em, word_width(text))
            case page.CodeSpan(text):
                em = max(em, word_width(text, code=True))
            case page.MathSpan(tex):
                try:
                    em = max(em, maths(tex).em)
                except BadMaths:  # shown, and told, as its TeX
                    em = max(em, word_width(tex, code=True))
    return em


Words = tuple[tuple[str, str], ...]  # fixed words of a form and what stands in their place


@lru_cache(maxsize=4)
def environment(words: Words = ()) -> Environment:
    """The Jinja environment: autoescape everywhere, an unknown name is an error; with other `words` in a form."""
    from jinja2 import Environment, FileSystemLoader, FunctionLoader, StrictUndefined

    shipped = FileSystemLoader(places.shipped("templates"), encoding="utf-8")
    said = dict(words)
    empty = Environment()

    def other(name: str) -> str:
        return worded(shipped.get_source(empty, name)[0], said)

    made = Environment(
        loader=FunctionLoader(other) if words else shipped,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )
    made.filters |= {"printable": printable, "points": shown_points, "clock": clock, "number": points_text}
    made.filters["short"] = _short
    return made


def _short(text: str, limit: int = 24) -> str:
    """A text in one line, cut to so many characters."""
    return shorten(printable(" ".join(text.split())), limit)


@lru_cache(maxsize=4)
def macros(words: Words = ()) -> Any:
    """The macros of templates/blocks.html as functions that return `Markup`."""
    return environment(words).get_template("blocks.html").module
