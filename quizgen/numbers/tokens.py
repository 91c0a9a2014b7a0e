"""A folded response as numbers, words and signs."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NamedTuple

from quizgen.formula.units import WRITTEN
from quizgen.numbers.answer import AskAgain
from quizgen.numbers.numeral import Numeral, numeral
from quizgen.numbers.words import FUNCTIONS, MAGNITUDE_WORDS, MODELS, NUMBER_WORDS, NUMBERED_NAMES, ONES, TENS

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
_SPELLED: Final = rf"(?:(?:{'|'.join(TENS)})(?:[ -]?(?:{'|'.join(ONES[1:10])}))?|{'|'.join(reversed(ONES))})(?![^\W_])"
_TOKEN: Final = re.compile(
    rf"(?P<digits>{_DIGITS})(?P<power>{_POWER})|(?P<spelled>(?i:{_SPELLED}))"
    r"|(?P<word>log_?(?:2|10)(?=\()|[^\W\d_]+(?:['_][^\W\d_]+)*|[%$€£¥₹₩₺¢])|(?P<sign>\*\*|<=|>=|=+>|-+>|==|:=|\+/-|\+-|\.\.+|\S)"
)
_DIVISOR: Final = re.compile(
    rf"(?P<digits>{_DIGITS})(?P<power>(?:[eE][+-]?\d+(?!\.?\d))?)"
)  # 5 / 2*10^9 divides by 2 alone
_BLANK: Final = re.compile(r"\s*")
_NAME_TAIL: Final = re.compile(r"(?=\d)[\w.]*\w")
_SAME_SIGN: Final = {"^": "**", "=>": "->", "==": "=", ":=": "=", "==>": "->", "-->": "->", "[": "(", "]": ")"}
_TENS_AND_ONES: Final = re.compile("|".join(sorted(NUMBER_WORDS, key=len, reverse=True)))
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
        kind, word, gap = str(match.lastgroup), match[0], start > at or not line
        at = match.end()
        if kind in ("digits", "power"):
            line.append(ResponseToken(NUMBER, word, word, at, gap, numeral(match["digits"], match["power"])))
        elif kind == "spelled":
            line.append(_spelled(word, at, gap, digits))
        elif kind == "word":
            tail = _NAME_TAIL.match(text, at) if _is_name(word, line, gap) else None
            at = tail.end() if tail else at
            line.append(_word(word + (tail[0] if tail else ""), at, gap, text, line))
        else:
            word = _SAME_SIGN.get(word, word)
            line.append(ResponseToken(SIGN, word, word, at, gap))
        numbers += line[-1].kind == NUMBER
        if len(line) > MAX_TOKENS or numbers > MAX_NUMBERS:
            raise AskAgain("it goes on for too long: write only the answer")
    return _with_named_numbers(line)


def _spelled(word: str, end: int, gap: bool, digits: bool) -> ResponseToken:
    low = word.lower()
    value = sum(NUMBER_WORDS[part] for part in _TENS_AND_ONES.findall(low))
    if digits:
        return ResponseToken(WORD, word, low, end, gap)
    return ResponseToken(NUMBER, word, low, end, gap, Numeral(value, Fraction(1)))


def _is_name(word: str, line: list[ResponseToken], gap: bool) -> bool:
    """Whether digits that hang on `word` belong to it: H100 and fp16 are names, USD5 and 1h30 are not."""
    behind_number = bool(line) and line[-1].kind == NUMBER and not gap
    low = word.casefold()
    return not (
        behind_number or low in WRITTEN or low in ("usd", "$", "x", "us") or not word.isalpha() or low in FUNCTIONS
    )


def _word(word: str, end: int, gap: bool, text: str, line: list[ResponseToken]) -> ResponseToken:
    """A word, or the sign of a product that it stands for: `8 x 80`, `two times 16`."""
    low = word.casefold()
    if low in ("x", "times") and line and (line[-1].kind != SIGN or line[-1].text == ")"):
        follows = text[end:].lstrip()[:1]
        number = follows.isdigit() or follows in ("(", ".") or _is_number_word(text[end:])
        if number and (low == "x" or line[-1].kind == NUMBER or line[-1].low in NUMBER_WORDS):
            return ResponseToken(SIGN, "*", "*", end, gap)
    return ResponseToken(WORD, word, low, end, gap)


def _is_number_word(rest: str) -> bool:
    first = rest.split(None, 1)[:1]
    return bool(first) and first[0].casefold() in NUMBER_WORDS


def _with_named_numbers(line: list[ResponseToken]) -> list[ResponseToken]:
    """`stage 2`, `ZeRO-2` and `fp-16` as one word each, for their numbers are names."""
    made: list[ResponseToken] = []
    for place, token in enumerate(line):
        if token.low in MODELS and len(made) > 1 and made[-2].kind == NUMBER and made[-1].text in ("B", "M", "T"):
            number = made[-2]
            made = [*made[:-2], ResponseToken(WORD, token.text, token.low, token.end, number.gap)]  # a 13B model
            continue
        if token.kind == NUMBER and made and token.text.isdigit():
            hyphen = made[-1].text == "-" and not made[-1].gap and not token.gap
            name = made[-2] if hyphen and len(made) > 1 else made[-1]
            after = line[place + 1] if place + 1 < len(line) else END
            glued = hyphen and name.kind == WORD and len(name.text) > 1 and name.low not in MAGNITUDE_WORDS
            numbered = name.low in NUMBERED_NAMES and (after.kind != WORD or after.gap) and after.text not in OPERATORS
            unit = len(made) > 2 and made[-3].kind == NUMBER if hyphen else len(made) > 1 and made[-2].kind == NUMBER
            if name.kind == WORD and (glued or numbered) and not unit:
                made = made[: -2 if hyphen else -1]
                text = f"{name.text}{'-' if hyphen else ' '}{token.text}"
                made.append(ResponseToken(WORD, text, text.casefold(), token.end, name.gap))
                continue
        made.append(token)
    return made
