"""TeX to MathML at build time, limited to elements and attributes that a page may contain.

math-core is strict and returns MathML. Its output is parsed as XML and copied by an allow list, so that nothing from a
bank reaches a page except what is listed here; its few inline styles become classes, because a page's policy allows no
inline style.

Browsers break no lines inside a `<math>` element, and no word without a possible break; on paper, content that is too
wide would be cut, or would shrink the whole document. So a long formula is divided into pieces, a long word gets
possible breaks, and content that is still too wide gets a class with its width, by which the style sheet shrinks it on
paper. Widths are estimates in em of the surrounding font, generous for the widest of its fonts; `fsum` adds them up
identically in every version of Python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from math import fsum
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from math_core import LatexToMathML

MAX_PIECE_EM = 12.0  # em: the longest piece of a formula; the narrowest line, on a screen of 320 pixels, holds as much
NARROWEST_LINE_EM = 24  # em: width available in every line of a page
STEP, WIDEST = 4, 200  # em: the steps of the width classes in shared.css
LARGE_LINE, LINE = 46, 76  # em: lines of large and of normal print, for a table set at 0.6 of the size
MAX_UNBROKEN_CHARACTERS = 24  # characters of a word that needs no break
_LETTER, _CODE, _PADDING = 0.58, 0.6, 1.1  # em: a character of text, of code, and a cell's padding and border

# Latin, Greek and Cyrillic letters, digits and signs; other scripts break by their own rules.
_WORD_PATTERN = re.compile(r"[!-~\u00a1-\u024f\u0370-\u052f]+")
_LONG_WORD_PATTERN = re.compile(rf"{_WORD_PATTERN.pattern[:-1]}{{{MAX_UNBROKEN_CHARACTERS + 1},}}")
# An identifier or address breaks after punctuation, otherwise after twelve characters.
_PART_OF_WORD_PATTERN = re.compile(r".{4,11}[-_/.,:;=&?+)\]}](?=.)|.{1,12}")

_FENCES = frozenset("()[]{}|‖⟨⟩⌈⌉⌊⌋/!.…")
_RELATIONS = frozenset("=≠<>≤≥≪≫≈∼≃≅≡∝∈∉⊂⊆→←↔⇒⇐⇔⟶⟵⟹⟺↦:≔")
_SIGNS = frozenset("+−-±∓×⋅·∗*÷∘∪∩∧∨⊕⊗,;")
_ROW_TAGS = frozenset(["math", "mrow", "mstyle", "mpadded", "mphantom", "menclose", "mtd", "mprescripts"])
_SCRIPT_TAGS = frozenset(["msub", "msup", "msubsup", "mmultiscripts"])
_STACK_TAGS = frozenset(["munder", "mover", "munderover"])
_SCRIPT_SCALE = 0.75  # relative size of a script; scripts of scripts are no smaller


def formula_pieces(row: Sequence[Element]) -> list[list[Element]]:
    """The children of a formula in pieces of up to PIECE em, divided after relations and signs.

    A sign before its operand stays with it."""
    made: list[list[Element]] = [[]]
    filled = 0.0
    for part in _unbroken_parts(row):
        wide = total_width(part)
        if made[-1] and filled + wide > MAX_PIECE_EM:
            made.append([])
            filled = 0.0
        made[-1] += part
        filled += wide
    return made


def _unbroken_parts(row: Sequence[Element]) -> Iterable[list[Element]]:
    """Yields the parts that must stay together; each ends with an operator between operands, or at the row's end."""
    part: list[Element] = []
    for index, element in enumerate(row):
        part.append(element)
        operator = _is_operator(element)
        if not operator or index + 1 == len(row) or len(part) == 1 or _is_operator(row[index - 1]):
            continue
        yield part
        part = []
    if part:
        yield part


def _is_operator(element: Element) -> bool:
    text = element.text or ""
    return element.tag == "mo" and len(text) == 1 and (text in _RELATIONS or text in _SIGNS)


def total_width(row: Iterable[Element]) -> float:
    """The width of elements side by side, in em."""
    return fsum(_element_width(element) for element in row)


def _element_width(element: Element) -> float:
    tag, text = element.tag, element.text or ""
    if tag == "mo":
        return _operator_width(text)
    if tag in ("mi", "mn", "mtext", "ms"):
        return fsum(map(_letter_width, text))
    if tag == "mspace":
        number = re.match(r"-?[\d.]+", element.get("width", "0"))
        return float(number[0]) if number else 0.0
    if tag == "mtable":
        return _table_width(element)
    parts = [_element_width(part) for part in element]
    if tag in _ROW_TAGS:
        return fsum(parts) + (0.3 if tag == "menclose" else 0)
    if tag in _SCRIPT_TAGS:
        return parts[0] + _SCRIPT_SCALE * max(parts[1:], default=0.0)
    if tag in _STACK_TAGS:
        return max(parts[0], *(_SCRIPT_SCALE * part for part in parts[1:]))
    return 0.3 + max(parts) if tag == "mfrac" else fsum(parts) + 1.0  # a root sign


def _table_width(rows: Iterable[Element]) -> float:
    columns = zip_longest(*([_element_width(cell) + 0.8 for cell in row] for row in rows), fillvalue=0.0)
    return fsum(max(column) for column in columns)


def _letter_width(letter: str) -> float:
    return 0.8 if letter.isupper() or letter in "mwæœ" else 0.35 if letter in ".,' ijlt" else 0.62


def _operator_width(text: str) -> float:
    if text in _FENCES:
        return 0.45
    return max(1.0, 0.6 * len(text)) + (0.56 if text in _RELATIONS else 0.44 if text in _SIGNS else 0.2)


def width_class(width_em: float) -> str:
    """The CSS class for a width; empty if every line is wide enough."""
    return "" if width_em <= MAX_PIECE_EM else _width_step_class(width_em)


def _width_step_class(width_em: float) -> str:
    return f"fit e{min(WIDEST, -int(-width_em // STEP) * STEP)}"


def table_width_class(columns: Sequence[float]) -> str:
    """The CSS class of a table with columns of these widths; empty if every line is wide enough.

    If even smaller print does not suffice, the class lets words break anywhere."""
    em = fsum(columns) + _PADDING * len(columns)
    marks = " wider" * (em > LARGE_LINE) + " widest" * (em > LINE)
    return "" if em <= NARROWEST_LINE_EM else _width_step_class(em) + marks


def word_width(text: str, code: bool = False) -> float:
    """The width in em of a text's longest word, with the breaks that `insert_word_breaks` adds."""
    longest = max((len(word) for word in _WORD_PATTERN.findall(text)), default=0)
    return min(longest, MAX_UNBROKEN_CHARACTERS) * (_CODE if code else _LETTER)


@lru_cache(maxsize=4096)
def insert_word_breaks(text: str) -> Markup:
    """The text escaped, with possible breaks in words that are too long for a narrow column.

    Cached, as the forms of an exam show the same texts again and again."""
    if len(text) <= MAX_UNBROKEN_CHARACTERS or not _LONG_WORD_PATTERN.search(text):
        return escape(text)
    made = []
    end = 0
    for word in _LONG_WORD_PATTERN.finditer(text):
        made.append(escape(text[end : word.start()]))
        made.append(Markup("<wbr>").join(_PART_OF_WORD_PATTERN.findall(word[0])))
        end = word.end()
    return Markup("").join([*made, escape(text[end:])])


MAX_TEX_CHARACTERS = 2000  # characters; a longer formula belongs on several lines
MAX_DEPTH = 100  # levels of nesting; no reader follows more

_ALLOWED_TAGS = frozenset((
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup",
    "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mpadded", "mphantom", "menclose", "mmultiscripts",
    "mprescripts", "mstyle", "ms",
))  # fmt: skip
_ALLOWED_ATTRIBUTES = frozenset((
    "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "symmetric", "fence", "separator", "form",
    "lspace", "rspace", "minsize", "maxsize", "accent", "accentunder", "largeop", "movablelimits", "linethickness",
    "width", "height", "depth", "voffset", "columnspan", "rowspan", "columnalign", "notation", "mathsize",
))  # fmt: skip
# CSS declarations that math-core writes -> class
_CLASS_OF_STYLE: Mapping[str, str] = {
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


class UnusableMaths(ValueError):
    """TeX that cannot be shown; `offset` is the index of the character where it fails."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


def mathml(tex: str, display: bool = False) -> Markup:
    """One `<math>` element, or several with possible line breaks between them. Raises UnusableMaths."""
    return measured_mathml(tex, display)[0]


@lru_cache(maxsize=4096)
def measured_mathml(tex: str, display: bool = False) -> tuple[Markup, float]:
    """A `<math>` element with its TeX as an annotation, and its approximate width in em. A formula too long for a
    narrow line becomes several, whose widest counts; a piece that is still too wide gets a class. Raises
    UnusableMaths."""
    from math_core import LatexError

    if len(tex) > MAX_TEX_CHARACTERS:
        raise UnusableMaths(0, f"a formula of {len(tex)} characters; the limit is {MAX_TEX_CHARACTERS}")
    try:
        made = _converter().convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        where, _, what = str(error).partition(": ")
        offset = int(where) if where.isdecimal() else 0
        raise UnusableMaths(offset, what or str(error)) from None
    try:
        top = ElementTree.fromstring(made.replace("&ApplyFunction;", "\u2061"))
    except ElementTree.ParseError:  # math-core passes some `<` through unescaped
        raise UnusableMaths(0, "a character that cannot be here, such as < in \\operatorname") from None
    if (deep := _nesting_depth(top)) > MAX_DEPTH:
        raise UnusableMaths(0, f"nested {deep} deep; the limit is {MAX_DEPTH}")
    pieces = formula_pieces(list(top))
    if len(pieces) == 1:
        em = total_width(top)
        return _formula_html(top, em, f' alttext="{escape(tex)}"', display), em
    widths = [total_width(piece) for piece in pieces]
    parts = (_formula_part(top, piece, last=piece is pieces[-1]) for piece in pieces)
    shown = [_formula_html(part, em) for part, em in zip(parts, widths, strict=True)]
    return Markup("<wbr>").join(shown), max(widths)


def _nesting_depth(top: Element) -> int:
    """The depth of nested elements, counted without recursion."""
    row, depth = [top], 0
    while row:
        row, depth = [child for element in row for child in element], depth + 1
    return depth


def _formula_part(top: Element, children: Sequence[Element], last: bool) -> Element:
    """A part of a formula as a formula by itself: inline, in the same size, with space after its last sign."""
    piece = Element("math")
    if top.get("display") == "block":
        piece.set("displaystyle", "true")
    piece.extend(children)
    if not last and children[-1].tag == "mo":
        children[-1].set("form", "infix")
    return piece


def _formula_html(top: Element, width_em: float, attributes: str = "", display: bool = False) -> Markup:
    """A formula as HTML. Inline maths too wide for a narrow screen is in a box that scrolls; displayed maths already
    has such a box."""
    named = width_class(width_em)
    shown = Markup("".join(_copy_element(top, attributes + (f' class="{named}"' if named else ""))))
    return Markup('<span class="wide-maths" tabindex="0">{}</span>').format(shown) if named and not display else shown


@lru_cache(maxsize=1)
def _converter() -> LatexToMathML:
    from math_core import LatexToMathML

    return LatexToMathML(fancy_error=False)


def _copy_element(element: Element, extra: str = "") -> list[str]:
    name = element.tag
    if name not in _ALLOWED_TAGS:
        raise UnusableMaths(0, f"<{name}> is not allowed in a page")
    parts = [f"<{name}", extra]
    parts += [f' {key}="{escape(value)}"' for key, value in element.attrib.items() if key in _ALLOWED_ATTRIBUTES]
    # Classes replace inline styles. Colours are dropped, because they would mean nothing on paper.
    styles = (re.sub(r"\s*:\s*", ":", " ".join(one.split())) for one in element.get("style", "").split(";"))
    classes = list(filter(None, (_CLASS_OF_STYLE.get(one, "") for one in styles)))
    if classes:
        parts.append(f' class="{" ".join(classes)}"')
    parts.append(">")
    if element.text:
        parts.append(str(escape(element.text)))
    for child in element:
        parts += _copy_element(child)
        if child.tail:
            parts.append(str(escape(child.tail)))
    parts.append(f"</{name}>")
    return parts
