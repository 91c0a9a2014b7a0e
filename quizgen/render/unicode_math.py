"""TeX maths as one line of Unicode text, from the MathML that pages show.

TeX that a page cannot show stays as it is, which costs a reader who knows TeX nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from xml.etree.ElementTree import Element

from quizgen.render.mathml import INFIX_CHARACTERS, RELATION_CHARACTERS, UnusableMaths, formula_element

_SUPERSCRIPTS = dict(zip("0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW", (
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ"), strict=True))  # fmt: skip
_SUPERSCRIPTS |= {"−": "⁻", "′": "′", "⊤": "ᵀ", "∗": "*", "∘": "°"}
_SUBSCRIPTS = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_SUBSCRIPTS |= {"−": "₋"}
# Accents as combining characters; \bar and \overline are the same.
_COMBINING_ACCENTS = {
    "ˆ": "\u0302", "˜": "\u0303", "\u20d7": "\u20d7", "˙": "\u0307", "¯": "\u0304", "\u0332": "\u0304",
}  # fmt: skip

_TAGS_OF_PARTS = frozenset((
    "mfrac", "mroot", "msup", "msub", "msubsup", "mover", "munder", "munderover", "mmultiscripts",
))  # fmt: skip
_OPERAND_TAGS = _TAGS_OF_PARTS | {"mi", "mn", "mrow", "msqrt", "mtable"}
_APPLY_FUNCTION, _INVISIBLE_SEPARATOR = "\u2061", "\u2063"
# One number, or one letter with its scripts: needs no brackets under a fraction bar or a root.
_ATOM_PATTERN = re.compile(r"[\d.,]+|\w[₀-₎ₐ-ₜⁱ²³⁰⁴-⁾ᵃ-ᶻ′]*")


@lru_cache(maxsize=1024)
def tex_to_unicode(tex: str) -> str:
    r"""TeX as Unicode text: `\frac{2N}{K} \le 10^{9}` becomes `2N/K ≤ 10⁹`. TeX that cannot be shown is unchanged."""
    try:
        return re.sub(" +", " ", _row_text(formula_element(tex))).strip()
    except UnusableMaths:
        return tex


def _row_text(elements: Iterable[Element]) -> str:
    """The text of elements side by side."""
    shown, tag_before, text_before = "", "", ""
    for element in elements:
        text, tag = _element_text(element), element.tag
        if text_before == _APPLY_FUNCTION:
            shown += "" if text[:1] in ("", *"([{") else " "  # `log n`, but `log(n)`
        elif tag_before == "mfrac" and (tag in _OPERAND_TAGS or text in "([‖"):
            shown += " · "  # `\frac{1}{2}m` must not become 1/2m
        elif tag_before in _OPERAND_TAGS and tag == "mfrac":
            shown += " · "  # `2\frac{1}{3}` must not become 21/3
        elif tag_before in _OPERAND_TAGS - {"mn"} and tag in _OPERAND_TAGS and text[:1] not in ")]":
            shown += " " * (len(text_before) > 1)  # no letters run into a word or a script
        shown += _operator_text(text, shown) if tag == "mo" else text
        tag_before, text_before = tag, text
    return shown


def _operator_text(sign: str, text_before: str) -> str:
    """An operator with the spaces around it: none beside a sign before its operand, a bracket or a slash."""
    if sign in (_APPLY_FUNCTION, _INVISIBLE_SEPARATOR):
        return ""
    if sign in ",;":
        return sign if text_before[-1:].isdecimal() else f"{sign} "  # `10,000`
    if sign not in RELATION_CHARACTERS | INFIX_CHARACTERS:
        return sign
    is_prefix = sign in "+−±" and text_before.rstrip()[-1:] in ("", *"(=<>≤≥≈,[{·×/+−→;")
    return sign if is_prefix else f" {'·' if sign == '∗' else sign} "


def _element_text(element: Element) -> str:
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
            return "; ".join(_row_text(part for cell in row for part in (*cell, gap)).strip() for row in element)
        case "msqrt":
            return _root_text(_row_text(element))
    if element.tag not in _TAGS_OF_PARTS:
        return _row_text(element)
    parts = [_element_text(part).strip() for part in element]
    match element.tag:
        case "mfrac" if element.get("linethickness") == "0":
            return f"{parts[0]} choose {parts[1]}"
        case "mfrac":
            above = f"({parts[0]})" if re.search("[ +−/]", parts[0]) else parts[0]
            return f"{above}/{_in_brackets_unless_atom(parts[1])}"
        case "mroot":
            return f"{_script_text('^', parts[1])}{_root_text(parts[0])}"
        case "mover" if parts[1] in _COMBINING_ACCENTS:
            return unicodedata.normalize("NFC", parts[0] + _COMBINING_ACCENTS[parts[1]])
    signs = {"msup": "^", "mover": "^", "msub": "_", "munder": "_"}.get(element.tag, "_^")
    return parts[0] + "".join(map(_script_text, signs, parts[1:]))


def _in_brackets_unless_atom(text: str) -> str:
    return text if _ATOM_PATTERN.fullmatch(text) else f"({text})"


def _root_text(text: str) -> str:
    return f"√{_in_brackets_unless_atom(text)}"


def _script_text(sign: str, text: str) -> str:
    """A superscript (`sign` ^) or a subscript (`sign` _), in small characters if there are such ones."""
    table = _SUPERSCRIPTS if sign == "^" else _SUBSCRIPTS
    tight = text.replace(" ", "")
    if all(c in table for c in tight):
        return "".join(table[c] for c in tight)
    return f"{sign}{tight}" if len(tight) == 1 else f"{sign}({text})"
