"""Text to tokens. Numbers take the unit that stands directly after them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NamedTuple

from quizgen.formula.errors import LimitError, RejectError
from quizgen.formula.quantity import Number, literal, plain
from quizgen.formula.unit_table import REFUSED, TIME
from quizgen.formula.units import Labels, Unit, known_unit, parse_unit
from quizgen.source import shorten

MAX_SOURCE: Final = 1000  # characters
MAX_NAME: Final = 32

_TOKEN = re.compile(
    r" *(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>\*\*|//|<=|>=|==|!=|[-+*/%(),<>]))"
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NO_OPERAND = re.compile(r" *(?:$|[)<>=!,*/%]|and\b|or\b)")  # what cannot follow a remainder's sign
_RADIX = re.compile(r"0[xXoObB][0-9a-fA-F]")

_HINTS: Final = {
    "^": "write ** for a power",
    "=": "write == to compare",
    "&": "write and",
    "|": "write or",
    "!": "write not, or != to compare",
    "'": "there are no strings here",
    '"': "there are no strings here",
    ".": "there are no attributes here; a number starts with a digit",
    "[": "a list is an input with `list: true`",
    "{": "write the name without braces",
    "$": "write USD after the number",
    ":": "write if(test, a, b) or case(x, 0, a, b)",
    "?": "write if(test, a, b)",
    "#": "there are no comments inside a formula",
    "\n": "write the formula on one line",
    "\t": "only spaces may stand between the parts",
    "×": "write *",
    "÷": "write /",
    "·": "write *",
    "−": "write -",
    "≤": "write <=",
    "≥": "write >=",
}


class Token(NamedTuple):
    """`kind` is number, name, sign or end; `text` as written; a number has `value`, `unit`."""

    kind: str
    text: str
    start: int
    end: int
    value: Number = 0
    unit: Unit | None = None


def tokenize(source: str, labels: Labels = ()) -> list[Token]:
    """The tokens of a formula, closed by one of kind `end`; `labels` are those of its bank. Raises RejectError or
    LimitError."""
    if len(source) > MAX_SOURCE:
        if _RADIX.match(source):
            raise RejectError("number", "only decimal numbers are read", "write it in decimal", 0)
        raise LimitError("too-long", f"a formula of more than {MAX_SOURCE} characters", "split it into steps", 0)
    tokens: list[Token] = []
    at, size = 0, len(source)
    while at < size:
        found = _TOKEN.match(source, at)
        if found is None or not source.isascii():
            rest = at + len(source[at:]) - len(source[at:].lstrip(" "))
            if rest == size:
                break
            raise _unreadable(source, rest if found is None else _first_other(source))
        kind = found.lastgroup or ""
        text, start, at = found[kind], found.start(kind), found.end()
        if kind == "number":
            token = _number(source, text, start, at, labels)
            at = token.end
            if source[at : at + 1] == "%" and _NO_OPERAND.match(source, at + 1):
                share = plain(Fraction(token.value) / 100)
                hint = f"write {share}: in a formula a percentage is a fraction"
                raise RejectError("percent", f'"{text}%" asks for a remainder here', hint, start)
        else:
            if kind == "name" and len(text) > MAX_NAME:
                raise LimitError("long-name", f"a name of more than {MAX_NAME} characters", "shorten it", start)
            token = Token(kind, text, start, at)
        tokens.append(token)
    tokens.append(Token("end", "", size, size))
    return tokens


def _first_other(source: str) -> int:
    return next(i for i, char in enumerate(source) if not char.isascii())


def _unreadable(source: str, at: int) -> RejectError:
    char = source[at]
    shown = f'"{char}"' if char.isascii() and char.isprintable() else f"U+{ord(char):04X}"
    usual = "take it out" if char.isascii() else "write plain ASCII characters"
    return RejectError("character", f"{shown} is not read here", _HINTS.get(char, usual), at)


def _number(source: str, text: str, start: int, end: int, labels: Labels) -> Token:
    if len(text) > 1 and text[0] == "0" and text[1].isdigit():
        raise RejectError("number", f'"{shorten(text)}" starts with a zero', "write it without leading zeros", start)
    if _RADIX.match(source, start) and source[end : end + 1] in ("x", "X", "o", "O", "b", "B"):
        raise RejectError("number", "only decimal numbers are read", "write it in decimal", start)
    try:
        value = literal(text)
    except (RejectError, LimitError) as error:
        raise error.at(start) from None
    spelling, stop = _unit_after(source, start, end, labels)
    unit = parse_unit(spelling, labels) if spelling else None
    return Token("number", source[start:end], start, stop, value, unit)


def _unit_after(source: str, start: int, end: int, labels: Labels) -> tuple[str, int]:
    """The longest spelling of a unit directly after a number, and where it ends."""
    at = end
    while source[at : at + 1] == " ":
        at += 1
    word = _WORD.match(source, at)
    if word is None or word.group() in ("and", "or"):
        return "", end
    name = word.group()
    spelling, stop = _hyphenated(source, name, word.end(), labels)
    if known_unit(spelling, labels) is None and "-" not in spelling:
        raise _no_unit(source[start:end], name, at)
    while source[stop : stop + 1] == "/":
        more = _WORD.match(source, stop + 1)
        if more is None or source[more.end() : more.end() + 1] == "(":
            break
        part, part_end = _hyphenated(source, more.group(), more.end(), labels)
        if known_unit(part, labels) is None and "-" not in part:
            break
        spelling, stop = f"{spelling}/{part}", part_end
    return spelling, stop


def _hyphenated(source: str, name: str, end: int, labels: Labels) -> tuple[str, int]:
    """`micro-batch` and `GPU-h` are read on over their hyphen; `s-x` is a difference."""
    more = _WORD.match(source, end + 1) if source[end : end + 1] == "-" else None
    if more is None:
        return name, end
    whole = f"{name}-{more.group()}"
    left, right = known_unit(name, labels), known_unit(more.group(), labels)
    spent = left is not None and bool(left.dim.label) and right is not None and _time(right)
    return (whole, more.end()) if spent or known_unit(whole, labels) is not None else (name, end)


def _time(unit: Unit) -> bool:
    return unit.dim.powers == ((TIME, 1),)


def _no_unit(number: str, name: str, at: int) -> RejectError:
    if name in ("if", "else"):
        return RejectError("syntax", f'"{name}" after a number', "write if(test, a, b)", at)
    if name in ("not", "in", "is"):
        return RejectError("syntax", f'"{name}" after a number', "a test stands only inside if(…) or require", at)
    if name.startswith("_"):
        return RejectError("number", f'"{shorten(number + name)}" is no number', "write 1000000 or 1e6", at)
    hint = REFUSED.get(name, f"write {number} * {shorten(name)} if it is a name")
    return RejectError("unit", f'unknown unit "{shorten(name)}"', hint, at)
