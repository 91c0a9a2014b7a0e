"""A folded response as numbers, words and signs. Linear; never refuses anything."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.fold import vulgar
from quizgen.formula.reading.numeral import Numeral, match_number
from quizgen.formula.reading.span import NOTHING, NUMBER, SIGN, WORD, Span
from quizgen.formula.reading.spelled import match_spelled
from quizgen.formula.units import SIGNS

_WORD = re.compile(r"(?:usd|[x$])(?=\d+\.?\d*)|[^\W\d_](?:\w*[^\W_])?(?:\.\d+)*(?:'[^\W\d_]+)?", re.IGNORECASE)
_GLUED_WORD = re.compile(r"[^\W\d_]+")  # after a digit: 1h30 is a number, a word and a number
_SIGN = re.compile(r"\*\*|=+>|-+>|<=|>=|==|!=|:=|\+/-|\.\.+|&&|\|\||.", re.DOTALL)
_ADDRESS = re.compile(r"(?!\d+(?:\.\d{3})+(?![\d.]))\d{1,3}(?:\.\d{1,3}){3}(?:/\d+)?(?![\w.])")  # 255.255.252.0
_MARKS: Final = frozenset("%¢") | SIGNS
_LOGARITHMS: Final = {"log_2": "log2", "log_10": "log10"}


def tokens(text: str) -> list[Span]:
    """The tokens of a folded response."""
    found: list[Span] = []
    digits = any(char.isdigit() for char in text)
    at, gap = 0, False
    while at < len(text):
        if text[at].isspace():
            at, gap = at + 1, True
            continue
        token = _token(text, at, gap, found[-1] if found else NOTHING, digits)
        found.append(token)
        at, gap = token.end, False
    return found


def _token(text: str, at: int, gap: bool, before: Span, digits: bool) -> Span:
    char = text[at]
    address = _ADDRESS.match(text, at)
    if address is not None:
        return Span(WORD, address[0], at, address.end(), gap, address[0])
    number = match_number(text, at) if char.isdigit() or char in ".," else None
    glued = at > 0 and text[at - 1].isdigit()
    if not glued and (char.isalpha() or (number is not None and " point " in text)):
        number = match_spelled(text, at, digits) or number
    if number is not None:
        numeral, end = number
        return Span(NUMBER, text[at:end], at, end, gap, text[at:end].casefold(), numeral)
    parts = vulgar(char) if ord(char) > 127 else None
    if parts is not None:
        return Span(NUMBER, char, at, at + 1, gap, char, Numeral(char, Fraction(*parts)))
    if char in _MARKS:
        return Span(WORD, char, at, at + 1, gap, char)
    if char == "@":
        return Span(WORD, "at", at, at + 1, gap, "at")
    word = (_GLUED_WORD if glued else _WORD).match(text, at)
    if word is not None:
        if word.group() in "xX" and _multiplies(text, word.end(), before):
            return Span(SIGN, "*", at, word.end(), gap, "*")
        named = _LOGARITHMS.get(word.group().casefold(), word.group())
        return Span(WORD, named, at, word.end(), gap, named.casefold())
    sign = _SIGN.match(text, at)
    assert sign is not None
    written, end = sign.group(), sign.end()
    if text.startswith("+-", at) and before and before.kind != SIGN:  # 31 +- 1
        written, end = "+/-", at + 2
    if written[-1] == ">" and len(written) > 1:
        written = "->"
    written = "**" if written == "^" else written
    return Span(SIGN, written, at, end, gap, written)


def _multiplies(text: str, after: int, before: Span) -> bool:
    """An `x` between a number (or a parenthesis) and another is a times sign; `0x1F` is none."""
    rest = text[after : after + 8].lstrip()
    follows = rest[:1].isdigit() or rest[:1] in ("(", ".", "$")
    hexadecimal = before.text == "0" and not text[after : after + 1].isspace()
    return bool(before) and follows and not hexadecimal and (before.kind != SIGN or before.text == ")")
