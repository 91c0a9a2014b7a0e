"""A folded response as numbers, words and signs. Linear; never refuses anything."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.read_fold import vulgar
from quizgen.formula.read_number import Literal, match_number, times_ten
from quizgen.formula.read_spelled import spelled_out
from quizgen.formula.read_token import NUMBER, SIGN, WORD, Token

_WORD = re.compile(r"(?:usd|[x$])(?=\d+\.?\d*)|[^\W\d_](?:\w*[^\W_])?(?:\.\d+)*(?:'[^\W\d_]+)?", re.IGNORECASE)
_GLUED_WORD = re.compile(r"[^\W\d_]+")  # after a digit: 1h30 is a number, a word and a number
_SIGN = re.compile(r"\*\*|<=|>=|==|!=|=>|->|\+/-|\.\.+|&&|\|\||.", re.DOTALL)
_MARKS: Final = "$%€£¥¢"

_LOGARITHMS: Final = {"log_2": "log2", "log_10": "log10"}
_ENDINGS: Final = ("th", "ths", "rd", "rds", "nd", "nds")
SAID_SIGNS: Final = {"times": "*", "x": "*", "multiplied": "*", "plus": "+", "minus": "-", "divided": "/", "over": "/"}


def tokens(text: str, *, words: bool = True) -> tuple[Token, ...]:
    """The tokens of a folded response. `words`: number words count as numbers, if no digit stands anywhere."""
    found = _scan(text)
    if words and not any(t.kind == NUMBER for t in found):
        found = spelled_out(found)
    return tuple(_powers(said(_mixed(_without_endings(found)))))


def _without_endings(found: list[Token]) -> list[Token]:
    """`7/15ths` as 7/15."""
    if not any(t.kind == WORD and t.low in _ENDINGS for t in found):
        return found
    return [
        token
        for at, token in enumerate(found)
        if at < 2 or token.gap or token.low not in _ENDINGS or not found[at - 2].is_sign("/")
    ]


def _scan(text: str) -> list[Token]:
    found: list[Token] = []
    at, gap = 0, False
    while at < len(text):
        char = text[at]
        if char.isspace():
            at, gap = at + 1, True
            continue
        token = _token(text, at, gap, found[-1] if found else None)
        found.append(token)
        at, gap = token.end, False
    return found


def _token(text: str, at: int, gap: bool, before: Token | None) -> Token:
    char = text[at]
    number = match_number(text, at) if char.isdigit() or char in ".," else None
    if number is not None:
        literal, end = number
        return Token(NUMBER, text[at:end], at, end, gap, literal)
    parts = vulgar(char) if ord(char) > 127 else None
    if parts is not None:
        value = Fraction(*parts)
        return Token(NUMBER, char, at, at + 1, gap, Literal(char, value))
    if char in _MARKS:
        return Token(WORD, char, at, at + 1, gap)
    if char == "@":
        return Token(WORD, "at", at, at + 1, gap)
    glued = at > 0 and text[at - 1].isdigit()
    word = (_GLUED_WORD if glued else _WORD).match(text, at)
    if word is not None:
        if word.group() in "xX" and before is not None and _multiplies(text, word.end(), before):
            return Token(SIGN, "*", at, word.end(), gap)
        named = _LOGARITHMS.get(word.group().casefold(), word.group())
        return Token(WORD, named, at, word.end(), gap)
    sign = _SIGN.match(text, at)
    assert sign is not None
    written, end = sign.group(), sign.end()
    if text.startswith("+-", at) and before is not None and before.kind != SIGN:  # 31 +- 1
        written, end = "+/-", at + 2
    return Token(SIGN, "**" if written == "^" else written, at, end, gap)


def _multiplies(text: str, after: int, before: Token) -> bool:
    """An `x` between a number (or a parenthesis) and another is a times sign; `0x1F` is none."""
    rest = text[after : after + 8].lstrip()
    follows = rest[:1].isdigit() or rest[:1] in ("(", ".", "$")
    hexadecimal = before.text == "0" and not text[after : after + 1].isspace()
    return follows and not hexadecimal and (before.kind == NUMBER or before.is_sign(")") or before.kind == WORD)


def _mixed(found: list[Token]) -> list[Token]:
    """`2½`, `2 1/2` and `31 point 7` as one number each."""
    out: list[Token] = []
    at = 0
    while at < len(found):
        token = found[at]
        step = 1
        if token.kind == NUMBER and token.text.isdigit() and at + 1 < len(found):
            after = found[at + 1]
            point = found[at + 2] if after.low == "point" and at + 2 < len(found) else None
            if point is not None and point.text.isdigit():
                value = Fraction(f"{token.text}.{point.text}")
                literal = Literal(token.text, value, Fraction(1, 10 ** len(point.text)))
                token = replace(token, text=f"{token.text}.{point.text}", end=point.end, literal=literal)
                step = 3
            elif after.kind == NUMBER and len(after.text) == 1 and not after.text.isascii():
                token = _added(token, after.number().value, after)
                step = 2
            elif after.gap and after.kind == NUMBER and after.text.isdigit() and at + 3 < len(found):
                slash, below = found[at + 2], found[at + 3]
                tight = not slash.gap and not below.gap and slash.is_sign("/")
                if tight and below.text.isdigit() and below.kind == NUMBER:
                    over, under = after.number().value, below.number().value
                    if 0 < over < under:
                        token = _added(token, over / under, below)
                        step = 4
        out.append(token)
        at += step
    return out


def _added(token: Token, part: Fraction, last: Token) -> Token:
    value = token.number().value + part
    return replace(token, text=f"{token.text} {part}", end=last.end, literal=Literal(token.text, value))


def said(found: Sequence[Token]) -> list[Token]:
    """`times`, `plus`, `divided by` between two numbers as signs; `minus` before one as a sign."""
    out: list[Token] = []
    for at, token in enumerate(found):
        after = found[at + 1] if at + 1 < len(found) else None
        if token.kind == WORD and token.low == "by" and out and out[-1].kind == SIGN and out[-1].text in "*/":
            continue
        if token.low == "minus" and out and out[-1].low == "plus":  # plus minus 1
            out[-1] = replace(out[-1], kind=SIGN, text="+/-")
            continue
        sign = SAID_SIGNS.get(token.low) if token.kind == WORD else None
        if token.low == "x" and not token.gap:
            sign = None  # 0x20 is no product
        if sign and after is not None and (after.kind == NUMBER or after.is_sign("(") or after.low == "by"):
            between = bool(out) and (out[-1].kind == NUMBER or out[-1].is_sign(")") or _is_unit_like(out))
            if between if token.low != "minus" else True:
                token = replace(token, kind=SIGN, text=sign)
        out.append(token)
    return out


def _is_unit_like(out: list[Token]) -> bool:
    return len(out) > 1 and out[-1].kind == WORD and out[-2].kind == NUMBER


def _powers(found: list[Token]) -> list[Token]:
    """`3.17 * 10 ** 10` and `10 ** 9` as one number each, unless a division or power stands before."""
    out: list[Token] = []
    at = 0
    while at < len(found):
        token, step = found[at], 1
        before = out[-1] if out else None
        if token.kind == NUMBER and not (before is not None and before.is_sign("**")):
            own = _ten_to(found, at)
            scaled = None
            if own is None and at + 1 < len(found) and found[at + 1].is_sign("*"):
                scaled = None if before is not None and before.is_sign("/") else _ten_to(found, at + 2)
            if own is not None:
                power, end = own
                one = Literal("1", Fraction(1), Fraction(1))
                token, step = _powered(token, one, power, found[end - 1]), end - at
            elif scaled is not None and not token.number().fault:
                power, end = scaled
                token, step = _powered(token, token.number(), power, found[end - 1]), end - at
        out.append(token)
        at += step
    return out


def _powered(token: Token, literal: Literal, power: int, last: Token) -> Token:
    text = f"{literal.text}e{power}"
    return replace(token, text=text, end=last.end, literal=times_ten(literal, power, text))


def _ten_to(found: list[Token], at: int) -> tuple[int, int] | None:
    """The exponent and the end of `10 ** 10`, `10 ** -3` or `10 ** (10)` at `at`."""
    if at + 2 >= len(found) or found[at].text != "10" or not found[at + 1].is_sign("**"):
        return None
    at += 2
    closed = found[at].is_sign("(")
    at += closed
    negative = at < len(found) and found[at].is_sign("-")
    at += negative or (at < len(found) and found[at].is_sign("+"))
    if at >= len(found) or not found[at].text.isdigit() or len(found[at].text) > 4:
        return None
    power = int(found[at].text)
    at += 1
    if closed:
        if at >= len(found) or not found[at].is_sign(")"):
            return None
        at += 1
    if at < len(found) and found[at].is_sign("**"):
        return None
    return (-power if negative else power), at
