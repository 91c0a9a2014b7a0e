"""Numbers in words: `sixteen`, `thirty-two`, `one hundred and twenty-eight`, `two thirds`, `a million`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from quizgen.formula.read_number import Literal
from quizgen.formula.read_token import NUMBER, WORD, Token
from quizgen.formula.read_words import MAGNITUDE_WORDS

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
SMALL: Final = {word: value for value, word in enumerate(_ONES.split(" "))}
_DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS: Final = {word: 10 * value for value, word in enumerate(_DECADES.split(" "), start=2)}
PARTS: Final = {
    "half": (1, 2), "halves": (1, 2), "third": (1, 3), "thirds": (1, 3), "quarter": (1, 4), "quarters": (1, 4),
    "fourth": (1, 4), "fourths": (1, 4), "fifth": (1, 5), "fifths": (1, 5), "sixth": (1, 6), "sixths": (1, 6),
    "seventh": (1, 7), "sevenths": (1, 7), "eighth": (1, 8), "eighths": (1, 8), "ninth": (1, 9), "ninths": (1, 9),
    "tenth": (1, 10), "tenths": (1, 10), "eleventh": (1, 11), "elevenths": (1, 11), "twelfth": (1, 12),
    "twelfths": (1, 12), "thirteenth": (1, 13), "thirteenths": (1, 13), "fifteenth": (1, 15), "fifteenths": (1, 15),
    "sixteenth": (1, 16), "sixteenths": (1, 16), "twentieth": (1, 20), "twentieths": (1, 20),
    "hundredth": (1, 100), "hundredths": (1, 100),
}  # fmt: skip


def spelled_out(found: list[Token]) -> list[Token]:
    """Number words (`sixteen`, `thirty-two`, `one hundred and twenty-eight`, `two thirds`) as numbers."""
    out: list[Token] = []
    at = 0
    while at < len(found):
        value, end = spelled_at(found, at)
        if end == at:
            out.append(found[at])
            at += 1
            continue
        first, last = found[at], found[end - 1]
        text = str(value)
        step = Fraction(1, value.denominator) if "point" in {t.low for t in found[at:end]} else Fraction(1)
        out.append(Token(NUMBER, text, first.start, last.end, first.gap, Literal(text, value, step)))
        at = end
        half_of_one = value < 1 and at + 1 < len(found) and found[at].low in ("a", "an", "of")
        if half_of_one and found[at + 1].low in MAGNITUDE_WORDS:  # half a million
            at += 1
    return out


def spelled_at(found: Sequence[Token], at: int) -> tuple[Fraction, int]:
    """The number that words spell from `at` on, and where they end (`at` if they spell none)."""
    if _is_name(found, at):
        return Fraction(0), at
    total, group, end, place = 0, -1, at, at
    if found[at].low in ("a", "an") and at + 1 < len(found) and found[at + 1].low in ("hundred", "thousand"):
        group, place = 1, at + 1
    while place < len(found):
        word = found[place].low.removesuffix("fold") if found[place].kind == WORD else ""  # threefold
        if word in SMALL and (group < 0 or (SMALL[word] < 10 and group % 10 == 0 and group % 100) or group % 100 == 0):
            group = max(group, 0) + SMALL[word]
        elif word in TENS and (group < 0 or group % 100 == 0):
            group = max(group, 0) + TENS[word]
        elif word == "hundred" and (0 < group < 100 or end == at):
            group = max(group, 1) * 100
        elif word == "thousand" and (group > 0 or end == at) and not total:
            total, group = max(group, 1) * 1000, 0
        elif word == "dozen" and (end == at or 0 < group < 20):
            group = 12 if end == at else group * 12
        else:
            joins = found[place].is_sign("-") or (word == "and" and group % 100 == 0)
            if joins and end == place and total + group > 0 and place + 1 < len(found) and _more(found[place + 1]):
                place += 1
                continue
            break
        place += 1
        end = place
    tenths, after = _tenths(found, end)
    if after > end:
        return Fraction(total + max(group, 0)) + tenths, after
    if end == at:
        return _part(found, at)
    value = Fraction(total + group)
    after = end + 1 if end < len(found) and found[end].is_sign("-") else end
    if after < len(found) and found[after].kind == WORD and found[after].low in PARTS and 0 < value < 20:
        return value * Fraction(*PARTS[found[after].low]), after + 1
    return value, end


def _is_name(found: Sequence[Token], at: int) -> bool:
    """`ZeRO` and the word of `zero-2` are names."""
    text = found[at].text
    hyphen = at + 2 < len(found) and found[at + 1].is_sign("-") and not found[at + 2].gap
    return text not in (text.lower(), text.upper(), text.capitalize()) or (hyphen and found[at + 2].kind == NUMBER)


def _tenths(found: Sequence[Token], at: int) -> tuple[Fraction, int]:
    """`point seven five` at `at` as 0.75, and where it ends (`at` if it is none)."""
    if at >= len(found) or found[at].low != "point":
        return Fraction(0), at
    end = at + 1
    while end < len(found) and found[end].kind == WORD and SMALL.get(found[end].low, 10) < 10:
        end += 1
    digits = "".join(str(SMALL[t.low]) for t in found[at + 1 : end])
    return (Fraction(int(digits), 10 ** len(digits)), end) if digits else (Fraction(0), at)


def _more(token: Token) -> bool:
    return token.kind == WORD and (token.low in SMALL or token.low in TENS)


def _part(found: Sequence[Token], at: int) -> tuple[Fraction, int]:
    """`half`, `a half`, `a quarter of`: the only parts that stand without a number word."""
    words = [t.low for t in found[at : at + 2]]
    if len(words) == 2 and words[0] in ("a", "an") and words[1] in MAGNITUDE_WORDS and words[1] != "dozen":
        return Fraction(1), at + 1
    if words and words[0] in ("half", "quarter"):
        return Fraction(*PARTS[words[0]]), at + 1
    if len(words) == 2 and words[0] in ("a", "an"):
        if words[1] == "dozen":
            more = [t.low for t in found[at + 2 : at + 5]] == ["and", "a", "half"]
            return (Fraction(18), at + 5) if more else (Fraction(12), at + 2)
        if words[1] in PARTS and PARTS[words[1]][0] == 1 and not words[1].endswith(("s", "halves")):
            return Fraction(*PARTS[words[1]]), at + 2
    return Fraction(0), at
