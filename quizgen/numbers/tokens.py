"""A folded response as numbers, words and signs."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NamedTuple

from quizgen.formula.units import WRITTEN
from quizgen.numbers import words as known
from quizgen.numbers.answer import AskAgain
from quizgen.numbers.numeral import Numeral, numeral

MAX_TOKENS: Final = 120
MAX_NUMBERS: Final = 24
NUMBER, WORD, SIGN = "number", "word", "sign"
OPERATORS: Final = ("+", "-", "*", "/", "**")


class ResponseToken(NamedTuple):
    """`kind` is NUMBER, WORD or SIGN, `low` the text in lower case, `end` where it ends in the response; `gap` says
    that something blank stands before it. `numeral` is the value of a number."""

    kind: str
    text: str
    low: str
    end: int
    gap: bool
    numeral: Numeral | None = None


END: Final = ResponseToken("end", "", "", 0, True)

_DIGITS: Final = r"(?:\d+(?:[.,'_]\d+|[ \u00a0\u202f]\d{3}(?!\d))*|(?<![\w.])[.,]\d+)"
_POWER: Final = (
    r"(?:\.?[eE][+-]?\d+(?!\.?\d)| [eE][+-]?\d+(?!\w)"
    r"|\s*(?:[*xX]|times)\s*10\s*(?:\^|\*\*)\s*(?:[+-]?\d+|\([+-]?\d+\)))?"
)
_TENS, _ONES = "|".join(known.TENS), "|".join(known.ONES[1:10])
_SPELLED: Final = rf"(?:(?:{_TENS})(?:[ -]?(?:{_ONES}))?|{'|'.join(reversed(known.ONES))})(?![^\W_])"
_MODEL: Final = rf"\d[\d.]*[BMT](?=[ -](?:{'|'.join(sorted(known.MODELS))})\b)"  # a 13B model
_TOKEN: Final = re.compile(
    rf"(?P<name>{_MODEL})|(?P<digits>{_DIGITS})(?P<power>{_POWER})|(?P<spelled>(?i:{_SPELLED}))"
    r"|(?P<word>log_?(?:2|10)(?=\()|[^\W\d_]+(?:['_][^\W\d_]+)*|[%$€£¥₹₩₺¢])"
    r"|(?P<sign>\*\*|<=|>=|=+>|-+>|==|:=|\+/-|\+-|\.\.+|\S)"
)
_DIVISOR: Final = re.compile(rf"(?P<digits>{_DIGITS})(?P<power>(?:[eE][+-]?\d+(?!\.?\d))?)")  # 5 / 2*10^9
_BLANK: Final = re.compile(r"\s*")
# Digits that belong to the word before them: H100, fp-16, ZeRO-2; and stage 2, whose name is in a table.
_NAME_TAIL: Final = re.compile(r"(?=\d)[\w.]*\w|(?<=\w\w)-\d+(?![\d.,]*\d|\s*[*/^]|[A-Za-z%])")
_NUMBERED_TAIL: Final = re.compile(r"(?:-\d+| ?\d+(?!\s*[-+]))(?![\d.,]*\d|\s*[*/^]|[A-Za-z%])")
_SAME_SIGN: Final = {"^": "**", "=>": "->", "==": "=", ":=": "=", "==>": "->", "-->": "->", "[": "(", "]": ")"}
_TENS_AND_ONES: Final = re.compile("|".join(sorted(known.NUMBER_WORDS, key=len, reverse=True)))
_FACTOR: Final = re.compile(rf"\s*(?:[\d(.]|(?i:{'|'.join(known.NUMBER_WORDS)})\b)")
_NO_NAMES: Final = ("usd", "us", "x")
# `14, since 13 does not fit`: what follows is a reason.
_REASON: Final = re.compile(r"(?<=\d)([^\d=]*?)\b(?:because|since)\b.*", re.DOTALL | re.IGNORECASE)


def tokens(text: str, number_words: bool = False) -> list[ResponseToken]:
    """The tokens of a folded response. Raises AskAgain for a number that is none, and for more than
    MAX_TOKENS or MAX_NUMBERS.

    Where digits stand in `text`, a number in words is a word ("one GPU holds 31.7 GB"), unless `number_words` says no.
    """
    text = _REASON.sub(r"\1", text)
    digits = not number_words and any(map(str.isdigit, text))
    line: list[ResponseToken] = []
    at = numbers = 0
    while (start := _BLANK.match(text, at).end()) < len(text):  # type: ignore[union-attr]  # it matches anything
        divides = bool(line) and line[-1].text in ("/", "**")
        match = (_DIVISOR.match(text, start) if divides else None) or _TOKEN.match(text, start)
        assert match is not None
        kind, gap = str(match.lastgroup), start > at or not line
        if kind == "word" or (kind == "spelled" and digits):
            line.append(_word(match[0], match.end(), gap, text, line))
        elif kind in ("digits", "power"):
            number = numeral(match["digits"], match["power"])
            line.append(ResponseToken(NUMBER, match[0], match[0], match.end(), gap, number))
        elif kind == "spelled":
            value = sum(known.NUMBER_WORDS[part] for part in _TENS_AND_ONES.findall(match[0].lower()))
            line.append(
                ResponseToken(NUMBER, match[0], match[0].lower(), match.end(), gap, Numeral(value, Fraction(1)))
            )
        else:
            text_of = _SAME_SIGN.get(match[0], match[0])
            line.append(ResponseToken(SIGN if kind == "sign" else WORD, text_of, text_of.lower(), match.end(), gap))
        at = line[-1].end
        numbers += line[-1].kind == NUMBER
        if len(line) > MAX_TOKENS or numbers > MAX_NUMBERS:
            raise AskAgain("it goes on for too long: write only the answer")
    return line


def _word(word: str, end: int, gap: bool, text: str, line: list[ResponseToken]) -> ResponseToken:
    """A word with the digits that belong to it, or the sign of a product that it stands for: `8 x 80`."""
    low, before = word.casefold(), line[-1] if line else END
    if low in ("x", "times") and (before.kind in (NUMBER, WORD) or before.text == ")"):
        number = _FACTOR.match(text, end) is not None
        if number and (low == "x" or before.kind == NUMBER or before.low in known.NUMBER_WORDS):
            return ResponseToken(SIGN, "*", "*", end, gap)
    digits = _digits_of(word, end, gap, text, before)
    word, end = word + digits, end + len(digits)
    return ResponseToken(WORD, word, word.casefold(), end, gap)


def _digits_of(word: str, end: int, gap: bool, text: str, before: ResponseToken) -> str:
    """The digits behind a `word` that are part of its name: 100 of H100, -2 of ZeRO-2, ` 2` of stage 2."""
    low = word.casefold()
    if low in known.NUMBERED_NAMES:
        tail = _NUMBERED_TAIL.match(text, end) if before.kind != NUMBER else None
    else:
        unit = (before.kind == NUMBER and not gap) or low in WRITTEN or low in known.FUNCTIONS or low in _NO_NAMES
        tail = None if unit or not word.isalpha() else _NAME_TAIL.match(text, end)
    behind = tail is not None and tail[0].startswith("-") and before.kind == NUMBER
    return tail[0] if tail is not None and not behind else ""
