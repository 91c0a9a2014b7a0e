"""TeX to MathML at build time, kept to elements and attributes that a page may hold.

math-core is strict and answers with MathML text. That text is read again as XML and copied by an
allow list, so that nothing of a bank reaches a page but what is named here; its few inline styles
become classes, because a page's policy allows no inline style.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from markupsafe import Markup, escape

from quizgen.render import line_breaking

if TYPE_CHECKING:
    from math_core import LatexToMathML

MAX_TEX = 2000  # characters; a longer formula belongs on several lines
MAX_DEPTH = 100  # levels of elements; no reader follows so many

_ELEMENTS = frozenset((
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup",
    "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mpadded", "mphantom", "menclose", "mmultiscripts",
    "mprescripts", "mstyle", "ms",
))  # fmt: skip
_ATTRIBUTES = frozenset((
    "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "symmetric", "fence", "separator", "form",
    "lspace", "rspace", "minsize", "maxsize", "accent", "accentunder", "largeop", "movablelimits", "linethickness",
    "width", "height", "depth", "voffset", "columnspan", "rowspan", "columnalign", "notation", "mathsize",
))  # fmt: skip
# Declarations math-core writes, and the class that stands for each.
_CLASSES: Mapping[str, str] = {
    "text-align:left": "m-left",
    "text-align:right": "m-right",
    "text-align:center": "m-center",
    "justify-items:start": "",
    "justify-items:end": "",
    "padding-right:0": "m-pr0",
    "padding-left:0": "m-pl0",
    "padding-left:1em": "m-pl1",
    "border-right:0.05em solid currentcolor": "m-br",
    "border-left:0.05em solid currentcolor": "m-bl",
    "border-top:0.05em solid currentcolor": "m-bt",
    "border-bottom:0.05em solid currentcolor": "m-bb",
    "border:0.05em solid currentcolor": "m-box",
}


class BadMaths(ValueError):
    """TeX that cannot be shown; `offset` is the character where it goes wrong, counted from 0."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Maths:
    """A formula for a page, and the width of its widest piece in em, roughly."""

    markup: Markup
    em: float


def mathml(tex: str, display: bool = False) -> Markup:
    """One `<math>` element, or several between which a line may end. Raises BadMaths."""
    return maths(tex, display).markup


@lru_cache(maxsize=4096)
def maths(tex: str, display: bool = False) -> Maths:
    """A `<math>` element, with the TeX as its text for readers that ask; a formula too long for a
    narrow line is several of them, and a piece that is still too wide says so. Raises BadMaths."""
    from math_core import LatexError

    if len(tex) > MAX_TEX:
        raise BadMaths(0, f"a formula of {len(tex)} characters; the limit is {MAX_TEX}")
    try:
        made = _converter().convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        where, _, what = str(error).partition(": ")
        offset = int(where) if where.isdecimal() else 0
        raise BadMaths(offset, what or str(error)) from None
    try:
        top = ElementTree.fromstring(made.replace("&ApplyFunction;", "\u2061"))
    except ElementTree.ParseError:  # math-core lets a `<` through as it stands in some places
        raise BadMaths(0, "a sign that cannot be there, such as < in \\operatorname") from None
    if (deep := _depth(top)) > MAX_DEPTH:
        raise BadMaths(0, f"nested {deep} deep; the limit is {MAX_DEPTH}")
    pieces = line_breaking.pieces(list(top))
    if len(pieces) == 1:
        em = line_breaking.across(top)
        one = _whole(top, f' alttext="{escape(tex)}"', em)
        return Maths(_scrolled(one, em, display), em)
    widths = [line_breaking.across(piece) for piece in pieces]
    shown = [
        _scrolled(_whole(_piece(top, piece, last=piece is pieces[-1]), "", em), em, False)
        for piece, em in zip(pieces, widths, strict=True)
    ]
    return Maths(Markup("<wbr>").join(shown), max(widths))


def _depth(top: ElementTree.Element) -> int:
    """Levels of elements, counted without descending into them by calls."""
    row, depth = [top], 0
    while row:
        row, depth = [child for element in row for child in element], depth + 1
    return depth


def _piece(top: ElementTree.Element, children: Sequence[ElementTree.Element], last: bool) -> ElementTree.Element:
    """A part of a formula as a formula of its own: in line, as large, and with room after its last sign."""
    piece = ElementTree.Element("math")
    if top.get("display") == "block":
        piece.set("displaystyle", "true")
    piece.extend(children)
    if not last and children[-1].tag == "mo":
        children[-1].set("form", "infix")
    return piece


def _whole(top: ElementTree.Element, extra: str, em: float) -> Markup:
    named = line_breaking.width_class(em)
    return Markup("".join(_copied(top, extra + (f' class="{named}"' if named else ""))))


def _scrolled(shown: Markup, em: float, display: bool) -> Markup:
    """Maths in line that no narrow screen holds scrolls inside a box of its own; displayed maths has one."""
    if display or not line_breaking.width_class(em):
        return shown
    return Markup('<span class="wide-maths" tabindex="0">') + shown + Markup("</span>")


@lru_cache(maxsize=1)
def _converter() -> LatexToMathML:
    from math_core import LatexToMathML

    return LatexToMathML(fancy_error=False)


def _copied(element: ElementTree.Element, extra: str = "") -> list[str]:
    name = element.tag
    if name not in _ELEMENTS:
        raise BadMaths(0, f"<{name}> is not allowed in a page")
    parts = [f"<{name}", extra]
    parts += [f' {key}="{escape(value)}"' for key, value in element.attrib.items() if key in _ATTRIBUTES]
    classes = _classes(element.get("style", ""))
    if classes:
        parts.append(f' class="{" ".join(classes)}"')
    parts.append(">")
    if element.text:
        parts.append(str(escape(element.text)))
    for child in element:
        parts += _copied(child)
        if child.tail:
            parts.append(str(escape(child.tail)))
    parts.append(f"</{name}>")
    return parts


def _classes(style: str) -> list[str]:
    """A colour has no class: meaning by colour would be lost on paper."""
    names = []
    for declaration in style.split(";"):
        key, _, value = declaration.partition(":")
        name = _CLASSES.get(f"{key.strip()}:{' '.join(value.split())}", "")
        if name:
            names.append(name)
    return names
