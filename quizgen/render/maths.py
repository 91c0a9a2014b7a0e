"""TeX as MathML, limited to elements and attributes that a page may contain, and as one line of Unicode text.

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
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest
from math import fsum
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup, escape

MAX_FORMULA_PIECE_WIDTH_EM = 12.0  # em: the narrowest line, on a screen of 320 pixels, holds as much
NARROWEST_LINE_WIDTH_EM = 24  # em: width available in every line of a page
WIDTH_CLASS_STEP_EM, MAX_WIDTH_CLASS_EM = 4, 200  # em: the steps of the width classes in shared.css
# em: lines of large and of normal print, for a table set at 0.6 of the size
LARGE_PRINT_LINE_WIDTH_EM, NORMAL_PRINT_LINE_WIDTH_EM = 46, 76
MAX_UNBROKEN_WORD_CHARACTERS = 24  # characters of a word that needs no break
# em: a character of text, of code, and a cell's padding and border
_TEXT_LETTER_WIDTH_EM, _CODE_LETTER_WIDTH_EM, CELL_PADDING_EM = 0.58, 0.6, 1.1

# Latin, Greek and Cyrillic letters, digits and signs; other scripts break by their own rules.
_UNBREAKABLE_WORD_PATTERN = re.compile(r"[!-~\u00a1-\u024f\u0370-\u052f]+")
_LONG_WORD_PATTERN = re.compile(rf"({_UNBREAKABLE_WORD_PATTERN.pattern[:-1]}{{{MAX_UNBROKEN_WORD_CHARACTERS + 1},}})")
# An identifier or address breaks after punctuation, otherwise after twelve characters.
_BREAKABLE_WORD_PART_PATTERN = re.compile(r".{4,11}[-_/.,:;=&?+)\]}](?=.)|.{1,12}")

_NARROW_OPERATOR_CHARACTERS = frozenset("()[]{}|‖⟨⟩⌈⌉⌊⌋/!.…")
RELATION_CHARACTERS = frozenset("=≠<>≤≥≪≫≈∼≃≅≡∝∈∉⊂⊆→←↔⇒⇐⇔⟶⟵⟹⟺↦:≔")
INFIX_CHARACTERS = frozenset("+−-±∓×⋅·∗*÷∘∪∩∧∨⊕⊗,;")
_SCRIPT_FONT_SCALE = 0.75  # relative size of a script; scripts of scripts are no smaller


def split_formula_for_lines(elements: Sequence[Element]) -> list[list[Element]]:
    """The children of a formula in pieces of up to MAX_FORMULA_PIECE_WIDTH_EM em, divided after relations and signs.

    A sign before its operand stays with it."""
    pieces: list[list[Element]] = [[]]
    piece_width = 0.0
    part: list[Element] = []  # what must stay together: up to an operator between operands, or to the row's end
    for index, element in enumerate(elements):
        part.append(element)
        ends_part = _is_relation_or_infix(element) and len(part) > 1 and not _is_relation_or_infix(elements[index - 1])
        if not ends_part and index + 1 < len(elements):
            continue
        width = total_width_em(part)
        if pieces[-1] and piece_width + width > MAX_FORMULA_PIECE_WIDTH_EM:
            pieces.append([])
            piece_width = 0.0
        pieces[-1] += part
        piece_width += width
        part = []
    return pieces


def _is_relation_or_infix(element: Element) -> bool:
    return element.tag == "mo" and element.text in RELATION_CHARACTERS | INFIX_CHARACTERS


def total_width_em(elements: Iterable[Element]) -> float:
    """The width of elements side by side, in em."""
    return fsum(_element_width_em(element) for element in elements)


def _element_width_em(element: Element) -> float:
    tag, text = element.tag, element.text or ""
    if tag == "mo":
        margin = 0.56 if text in RELATION_CHARACTERS else 0.44 if text in INFIX_CHARACTERS else 0.2
        return 0.45 if text in _NARROW_OPERATOR_CHARACTERS else max(1.0, 0.6 * len(text)) + margin
    if tag in ("mi", "mn", "mtext", "ms"):
        return fsum(0.8 if c.isupper() or c in "mwæœ" else 0.35 if c in ".,' ijlt" else 0.62 for c in text)
    if tag == "mspace":
        number = re.match(r"-?[\d.]+", element.get("width", "0"))
        return float(number[0]) if number else 0.0
    if tag == "mtable":
        columns = zip_longest(*([_element_width_em(cell) + 0.8 for cell in row] for row in element), fillvalue=0.0)
        return fsum(max(column) for column in columns)
    parts = [_element_width_em(part) for part in element]
    if tag in ("math", "mrow", "mstyle", "mpadded", "mphantom", "menclose", "mtd", "mprescripts"):  # a row
        return fsum(parts) + (0.3 if tag == "menclose" else 0)
    if tag in ("msub", "msup", "msubsup", "mmultiscripts"):
        return parts[0] + _SCRIPT_FONT_SCALE * max(parts[1:], default=0.0)
    if tag in ("munder", "mover", "munderover"):
        return max(parts[0], *(_SCRIPT_FONT_SCALE * part for part in parts[1:]))
    return 0.3 + max(parts) if tag == "mfrac" else fsum(parts) + 1.0  # a root sign


def css_width_class(width_em: float, available_em: float = MAX_FORMULA_PIECE_WIDTH_EM) -> str:
    """The CSS class for a width; empty if lines of `available_em` em are wide enough."""
    step = min(MAX_WIDTH_CLASS_EM, -int(-width_em // WIDTH_CLASS_STEP_EM) * WIDTH_CLASS_STEP_EM)
    return f"fit e{step}" if width_em > available_em else ""


def longest_word_width_em(text: str, is_code: bool = False) -> float:
    """The width in em of a text's longest word, with the breaks that `escape_with_word_breaks` adds."""
    length = max((len(word) for word in _UNBREAKABLE_WORD_PATTERN.findall(text)), default=0)
    return min(length, MAX_UNBROKEN_WORD_CHARACTERS) * (_CODE_LETTER_WIDTH_EM if is_code else _TEXT_LETTER_WIDTH_EM)


@lru_cache(maxsize=4096)
def escape_with_word_breaks(text: str) -> Markup:
    """The text escaped, with possible breaks in words that are too long for a narrow column.

    Cached, as the forms of an exam show the same texts again and again."""
    pieces = [
        Markup("<wbr>").join(_BREAKABLE_WORD_PART_PATTERN.findall(piece)) if index % 2 else escape(piece)
        for index, piece in enumerate(_LONG_WORD_PATTERN.split(text))
    ]
    return Markup("").join(pieces)


MAX_TEX_CHARACTERS = 2000  # characters; a longer formula belongs on several lines
MAX_MATHML_NESTING_DEPTH = 100  # levels of nesting; no reader follows more

_ALLOWED_MATHML_TAGS = frozenset((
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup",
    "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mpadded", "mphantom", "menclose", "mmultiscripts",
    "mprescripts", "mstyle", "ms",
))  # fmt: skip
_ALLOWED_MATHML_ATTRIBUTES = frozenset((
    "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "symmetric", "fence", "separator", "form",
    "lspace", "rspace", "minsize", "maxsize", "accent", "accentunder", "largeop", "movablelimits", "linethickness",
    "width", "height", "depth", "voffset", "columnspan", "rowspan", "columnalign", "notation", "mathsize",
))  # fmt: skip
# CSS declarations that math-core writes -> class
_CSS_CLASS_BY_STYLE = {
    "text-align:left": "m-left", "text-align:right": "m-right", "text-align:center": "m-center",
    "padding-right:0": "m-pr0", "padding-left:0": "m-pl0", "padding-left:1em": "m-pl1",
    "border-right:0.05em solid currentcolor": "m-br", "border-left:0.05em solid currentcolor": "m-bl",
    "border-top:0.05em solid currentcolor": "m-bt", "border-bottom:0.05em solid currentcolor": "m-bb",
    "border:0.05em solid currentcolor": "m-box",
}  # fmt: skip


class UnusableMaths(ValueError):
    """TeX that cannot be shown; the message says why, and at which character."""


def tex_to_mathml(tex: str, is_display: bool = False) -> Markup:
    """One `<math>` element, or several with possible line breaks between them. Raises UnusableMaths."""
    return mathml_and_width_em(tex, is_display)[0]


@lru_cache(maxsize=4096)
def mathml_and_width_em(tex: str, is_display: bool = False) -> tuple[Markup, float]:
    """A `<math>` element with its TeX as an annotation, and its approximate width in em. A formula too long for a
    narrow line becomes several, whose widest counts; a piece that is still too wide gets a class. Raises
    UnusableMaths."""
    top = formula_element(tex, is_display)
    pieces = split_formula_for_lines(list(top))
    if len(pieces) == 1:
        em = total_width_em(top)
        return _formula_html(top, em, f' alttext="{escape(tex)}"', is_display), em
    html_pieces = []
    for piece in pieces:
        # A formula by itself: inline, in the same size, with space after its last sign.
        part = Element("math", {"displaystyle": "true"} if is_display else {})
        part.extend(piece)
        if piece is not pieces[-1] and piece[-1].tag == "mo":
            piece[-1].set("form", "infix")
        html_pieces.append(_formula_html(part, total_width_em(piece)))
    return Markup("<wbr>").join(html_pieces), max(map(total_width_em, pieces))


def formula_element(tex: str, is_display: bool = False) -> Element:
    """The `<math>` element of TeX, with all that math-core writes. Raises UnusableMaths."""
    from math_core import LatexError, LatexToMathML

    if len(tex) > MAX_TEX_CHARACTERS:
        raise UnusableMaths(f"a formula of {len(tex)} characters; the limit is {MAX_TEX_CHARACTERS}")
    try:
        mathml = LatexToMathML(fancy_error=False).convert_with_local_state(tex, displaystyle=is_display)
    except UnicodeEncodeError:
        raise UnusableMaths("half of a character in UTF-16") from None
    except LatexError as error:
        position, _, fault = str(error).partition(": ")
        raise UnusableMaths(f"{fault.rstrip('.')} (character {int(position) + 1})" if fault else str(error)) from None
    try:
        top = ElementTree.fromstring(mathml.replace("&ApplyFunction;", "\u2061"))
    except ElementTree.ParseError:  # math-core passes some `<` through unescaped
        raise UnusableMaths("a character that cannot be here, such as < in \\operatorname") from None
    row, depth = [top], 0
    while row:
        row, depth = [child for element in row for child in element], depth + 1
    if depth > MAX_MATHML_NESTING_DEPTH:
        raise UnusableMaths(f"nested {depth} deep; the limit is {MAX_MATHML_NESTING_DEPTH}")
    return top


def _formula_html(formula: Element, width_em: float, attributes: str = "", is_display: bool = False) -> Markup:
    """A formula as HTML. Inline maths too wide for a narrow screen is in a box that scrolls; displayed maths already
    has such a box."""
    class_ = css_width_class(width_em)
    html = Markup("".join(_allowed_element_html_pieces(formula, attributes + (f' class="{class_}"' if class_ else ""))))
    box = Markup('<span class="wide-maths" tabindex="0">{}</span>')
    return box.format(html) if class_ and not is_display else html


def _allowed_element_html_pieces(element: Element, extra_attributes: str = "") -> list[str]:
    name = element.tag
    if name not in _ALLOWED_MATHML_TAGS:
        raise UnusableMaths(f"<{name}> is not allowed in a page")
    parts = [f"<{name}", extra_attributes]
    parts += [f' {key}="{escape(value)}"' for key, value in element.attrib.items() if key in _ALLOWED_MATHML_ATTRIBUTES]
    # Classes replace inline styles. Colours are dropped, because they would mean nothing on paper.
    styles = (re.sub(r"\s*:\s*", ":", " ".join(style.split())) for style in element.get("style", "").split(";"))
    classes = list(filter(None, (_CSS_CLASS_BY_STYLE.get(style, "") for style in styles)))
    parts += [f' class="{" ".join(classes)}"' if classes else "", ">", escape(element.text or "")]
    for child in element:
        parts += [*_allowed_element_html_pieces(child), escape(child.tail or "")]
    return [*parts, f"</{name}>"]


# TeX as one line of Unicode text, from the MathML that pages show. TeX that a page cannot show stays as it is, which
# costs a reader who knows TeX nothing.


_SUPERSCRIPT_BY_CHARACTER = dict(zip("0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW", (
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ"), strict=True))  # fmt: skip
_SUPERSCRIPT_BY_CHARACTER |= {"−": "⁻", "′": "′", "⊤": "ᵀ", "∗": "*", "∘": "°"}
_SUBSCRIPT_BY_CHARACTER = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_SUBSCRIPT_BY_CHARACTER |= {"−": "₋"}
# Accents as combining characters; \bar and \overline are the same.
_COMBINING_BY_ACCENT = {
    "ˆ": "\u0302", "˜": "\u0303", "\u20d7": "\u20d7", "˙": "\u0307", "¯": "\u0304", "\u0332": "\u0304",
}  # fmt: skip

_TAGS_WITH_CHILD_ROLES = frozenset((
    "mfrac", "mroot", "msup", "msub", "msubsup", "mover", "munder", "munderover", "mmultiscripts",
))  # fmt: skip
_OPERAND_TAGS = _TAGS_WITH_CHILD_ROLES | {"mi", "mn", "mrow", "msqrt", "mtable"}
_APPLY_FUNCTION, _INVISIBLE_SEPARATOR = "\u2061", "\u2063"
# One number, or one letter with its scripts: needs no brackets under a fraction bar or a root.
_NEEDS_NO_BRACKETS_PATTERN = re.compile(r"[\d.,]+|\w[₀-₎ₐ-ₜⁱ²³⁰⁴-⁾ᵃ-ᶻ′]*")


@lru_cache(maxsize=1024)
def tex_to_unicode(tex: str) -> str:
    r"""TeX as Unicode text: `\frac{2N}{K} \le 10^{9}` becomes `2N/K ≤ 10⁹`. TeX that cannot be shown is unchanged."""
    try:
        return re.sub(" +", " ", _mathml_row_text(formula_element(tex))).strip()
    except UnusableMaths:
        return tex


def _mathml_row_text(elements: Iterable[Element]) -> str:
    """The text of elements side by side."""
    row_text, tag_before, text_before = "", "", ""
    for element in elements:
        text, tag = _mathml_element_text(element), element.tag
        if text_before == _APPLY_FUNCTION:
            row_text += "" if text[:1] in ("", *"([{") else " "  # `log n`, but `log(n)`
        elif (tag_before == "mfrac" and text in "([‖") or {"mfrac"} <= {tag_before, tag} <= _OPERAND_TAGS:
            row_text += " · "  # `\frac{1}{2}m` must not become 1/2m, nor `2\frac{1}{3}` 21/3
        elif tag_before in _OPERAND_TAGS - {"mn"} and tag in _OPERAND_TAGS and text[:1] not in ")]":
            row_text += " " * (len(text_before) > 1)  # no letters run into a word or a script
        row_text += _operator_text_with_spaces(text, row_text) if tag == "mo" else text
        tag_before, text_before = tag, text
    return row_text


def _operator_text_with_spaces(sign: str, text_before: str) -> str:
    """An operator with the spaces around it: none beside a sign before its operand, a bracket or a slash."""
    if sign in (_APPLY_FUNCTION, _INVISIBLE_SEPARATOR):
        return ""
    if sign in ",;":
        return sign if text_before[-1:].isdecimal() else f"{sign} "  # `10,000`
    if sign not in RELATION_CHARACTERS | INFIX_CHARACTERS:
        return sign
    is_prefix = sign in "+−±" and text_before.rstrip()[-1:] in ("", *"(=<>≤≥≈,[{·×/+−→;")
    return sign if is_prefix else f" {'·' if sign == '∗' else sign} "


def _mathml_element_text(element: Element) -> str:
    """The text of an element of MathML."""
    match element.tag:
        case "mi":  # letters of other alphabets, such as 𝐱, as plain ones
            return unicodedata.normalize("NFKC", element.text or "").replace("\ufe00", "")
        case "mo" | "mn" | "mtext":
            return "".join(element.itertext()).replace("\u00a0", " ")
        case "mspace":
            return " " if element.get("width") else ""
        case "mtable":
            gap = Element("mspace", width="1em")
            return "; ".join(_mathml_row_text(part for cell in row for part in (*cell, gap)).strip() for row in element)
        case "msqrt":
            return f"√{_in_brackets_unless_atom(_mathml_row_text(element))}"
    if element.tag not in _TAGS_WITH_CHILD_ROLES:
        return _mathml_row_text(element)
    parts = [_mathml_element_text(part).strip() for part in element]
    match element.tag:
        case "mfrac" if element.get("linethickness") == "0":
            return f"{parts[0]} choose {parts[1]}"
        case "mfrac":
            numerator = f"({parts[0]})" if re.search("[ +−/]", parts[0]) else parts[0]
            return f"{numerator}/{_in_brackets_unless_atom(parts[1])}"
        case "mroot":
            return f"{_super_or_subscript_text('^', parts[1])}√{_in_brackets_unless_atom(parts[0])}"
        case "mover" if parts[1] in _COMBINING_BY_ACCENT:
            return unicodedata.normalize("NFC", parts[0] + _COMBINING_BY_ACCENT[parts[1]])
    signs = {"msup": "^", "mover": "^", "msub": "_", "munder": "_"}.get(element.tag, "_^")
    return parts[0] + "".join(map(_super_or_subscript_text, signs, parts[1:]))


def _in_brackets_unless_atom(text: str) -> str:
    return text if _NEEDS_NO_BRACKETS_PATTERN.fullmatch(text) else f"({text})"


def _super_or_subscript_text(sign: str, text: str) -> str:
    """A superscript (`sign` ^) or a subscript (`sign` _), in small characters if there are such ones."""
    table = _SUPERSCRIPT_BY_CHARACTER if sign == "^" else _SUBSCRIPT_BY_CHARACTER
    characters = text.replace(" ", "")
    if all(c in table for c in characters):
        return "".join(table[c] for c in characters)
    return f"{sign}{characters}" if len(characters) == 1 else f"{sign}({text})"
