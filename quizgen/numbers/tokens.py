"""A response in plain characters, and these as numbers, words and signs.

Which marks of a number group digits, and which one is the decimal mark:

* One dot is a decimal point; several group thousands (`1.234.567`).
* One comma before exactly three digits can be either (`1,234`). It groups where the last digit is 0, for nobody writes
  1.230 for 1.23 (`31,700`); it is a decimal comma after a 0 or more than three digits (`0,467`, `1234,567`); else both
  values are kept. Before any other number of digits it is a decimal comma.
* Several commas group thousands, or in the Indian way hundreds above them (`12,34,567`). Where both marks stand, the
  last one is the decimal mark. Blanks, apostrophes and underscores group thousands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from quizgen.formula.quantity import reduced
from quizgen.formula.units import WRITTEN, Unit
from quizgen.numbers import words as known
from quizgen.numbers.answer import AskAgain

MAX_TOKENS: Final = 120
MAX_NUMBERS: Final = 24
MAX_DIGITS: Final = 60
MAX_POWER: Final = 308  # powers of ten of a double, as in the formula engine
NUMBER, WORD, SIGN, AMOUNT, UNIT = "number", "word", "sign", "amount", "unit"
OPERATORS: Final = ("+", "-", "*", "/", "**")
_MARK: Final = re.compile(r"[.,'_ \u00a0\u202f\u2009]")
_EXPONENT: Final = re.compile(r"[+-]?\d+(?=\)?$)")
_ALIKE: Final = {
    "-": "‐‑‒–—―−﹘﹣－➖˗", "*": "∗⋅•∙＊", "/": "÷∕⁄／", "~": "≈∼≃≅≊～〜˜≐", "'": "’‘ʼ′`´＇٬", '"': "“”″„«»",
    "u": "µμ", "->": "→⇒⟹⟶➔", "=": "∴", "<=": "≤⩽", ">=": "≥⩾", "+/-": "±", "..": "…", "(": "{", ")": "}",
    " unbounded ": "∞", ".": "٫。", ",": "、", "%": "٪", "^": "ˆ", "<": "⟨", ">": "⟩", " x ": "×✕✖⨯",
    **dict(zip(("1/2", "1/3", "2/3", "1/4", "3/4"), "½⅓⅔¼¾", strict=True)),
}  # fmt: skip
PLAIN: Final = {char: plain for plain, chars in _ALIKE.items() for char in chars}
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")

# What is more than one character, in the order in which it is replaced.
_RAISED_RUN: Final = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_MIXED: Final = re.compile(r"(\d) ?([½⅓⅔¼¾])")  # 2½ h
# `31·7` could be a decimal point or a product; `3.17·10^10` and `8 · 80` are products.
_POINT: Final = re.compile(r"(?<=\d)·(?=\d)(?!10(?:\^|\*\*))")
_PER_PERIOD: Final = re.compile(r"\bp\. ?([am])\b\.?")  # p.a., p.m.


def fold(text: str) -> str:
    """`text` with one spelling of digits, blanks, signs, quotes and superscripts, in linear time.

    What looks alike is replaced before NFKC, which turns 10⁶ into 106 and ½ into 1⁄2.

    >>> fold("≈ 3.17×10¹⁰ B")
    '~ 3.17 x 10^10 B'
    """
    if not text.isascii() or any(char in text for char in "{}`\t\n\r\v\f"):
        text = _RAISED_RUN.sub(lambda run: "^" + run[0].translate(_RAISED), text)
        text = _MIXED.sub(lambda mixed: f"({mixed[1]}+{PLAIN[mixed[2]]})", text)
        if text.count("·") == 1 and _POINT.search(text):
            text = text.replace("·", "\0")  # kept apart from a product until here
        text = "".join(map(_piece, text)).replace("\0", "·")
    if "p" in text and "." in text:
        text = _PER_PERIOD.sub(lambda per: "per annum" if per[1] == "a" else "per month", text)
    return text


@lru_cache(maxsize=1024)
def _piece(char: str) -> str:
    """The plain spelling of one character."""
    if char == "·":
        return "*"
    alike = PLAIN.get(char)
    if alike or "!" <= char <= "~" or char == "\0":
        return alike or char
    kind, plain = unicodedata.category(char), unicodedata.normalize("NFKC", char)
    if kind in ("Cf", "So") or char in "\ufe0e\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return plain if plain.isascii() else ""  # zero-width and direction marks, pictures and how to draw them
    if kind == "No":
        return char  # ⅞ is no 7/8 behind a digit: it is asked about
    return str(unicodedata.decimal(char)) if kind == "Nd" else plain


# -- numbers ----------------------------------------------------------------------------------


class WrittenAmount(NamedTuple):
    """A number in `unit` (None: none was written). `step` is the worth of its last significant place (1/10 for 31.7,
    100 for 31,700), None where it was calculated; `other` its value if the mark in it is read the other way (1234 and
    1.234), with `grouping` where `value` takes it as one that groups; `raised`: a power of ten was written; `scaled`:
    that or a magnitude (`million`)."""

    value: int | Fraction
    unit: Unit | None = None
    step: Fraction | None = None
    other: int | Fraction | None = None
    raised: bool = False
    grouping: bool = False
    scaled: bool = False

    def times(self, factor: int | Fraction) -> WrittenAmount:
        step, other = (None if one is None else one * factor for one in (self.step, self.other))
        value = self.value * factor
        return self._replace(value=value, step=None if step is None else Fraction(step), other=other, scaled=True)

    def negated(self) -> WrittenAmount:
        return self._replace(value=-self.value, other=None if self.other is None else -self.other)


def numeral(digits: str, power: str = "") -> WrittenAmount:
    """The number of `digits` (`31,687.5`) and `power` (`e10`, ` x 10^10` or nothing). Raises AskAgain."""
    if len(digits) > MAX_DIGITS:
        raise AskAgain(f"a number of more than {MAX_DIGITS} digits: write it as 3.17e10")
    number = _decimal(digits, "") if digits.isdigit() else _marked(digits)
    if not power:
        return number
    written = _EXPONENT.findall(power)[-1]
    exponent = int(written) if len(written) < 9 else MAX_POWER + 1
    if abs(exponent) > MAX_POWER:
        word = "small" if written.startswith("-") else "large"
        raise AskAgain(f"{digits}{power} is too {word} for a number here: write one nearer to 1")
    return number.times(10**exponent if exponent >= 0 else _power_of_ten(exponent))._replace(raised=True)


@lru_cache(maxsize=1024)
def _power_of_ten(exponent: int) -> Fraction:
    return Fraction(10) ** exponent


def _marked(digits: str) -> WrittenAmount:
    """The number of digits with marks between them. Raises AskAgain for `1,2,3.4`."""
    parts, marks = _MARK.split(digits), _MARK.findall(digits)
    if not parts[0]:  # .5 and ,5
        return _decimal("0", parts[1])
    last = marks[-1] if marks[-1] in ".," and marks.count(marks[-1]) == 1 else ""
    groups, between = (parts[:-1], marks[:-1]) if last else (parts, marks)
    if len(set(between)) > 1 or not _are_grouped(groups, between):
        raise AskAgain(f'"{digits}" is not one number: write it as 1234.5 or 1,234.5')
    whole = "".join(groups)
    if not last:
        return _decimal(whole, "")
    point = _decimal(whole, parts[-1])
    if between or len(parts[-1]) != 3 or len(whole) > 3 or whole.startswith("0"):
        return point
    joined = _decimal(whole + parts[-1], "")
    if last == ".":
        return point._replace(other=joined.value)  # 11.510
    return joined._replace(grouping=True, other=None if digits.endswith("0") else point.value)


def _are_grouped(parts: list[str], marks: list[str]) -> bool:
    """Whether `parts` are a first group of one to three digits and groups of three, or of two in the Indian way."""
    if not marks or marks[0] == "_":
        return True
    if not 1 <= len(parts[0]) <= 3 or parts[0][0] == "0" or len(parts[-1]) != 3:
        return False
    inner = {len(part) for part in parts[1:-1]}
    return inner <= {3} or (marks[0] == "," and len(parts[0]) < 3 and inner == {2})


def _decimal(whole: str, part: str) -> WrittenAmount:
    digits = int(whole + part)
    if part or not digits:
        return WrittenAmount(reduced(digits, 10 ** len(part)), None, _power_of_ten(-len(part)))
    return WrittenAmount(digits, None, _power_of_ten(len(whole) - len(whole.rstrip("0"))))


# -- tokens ---------------------------------------------------------------------------------


class ResponseToken(NamedTuple):
    """A number, word or sign of a response, and later an amount or a unit.

    `kind` is NUMBER, WORD, SIGN, AMOUNT, or UNIT for one apart from a number. `low` is the text in lower case, `end`
    where it ends in the response; `gap`: something blank stands before it. `amount` is the value of a number, and of
    an amount with its unit; `worked`: it was calculated from several, `fault` says why a calculation has none.
    """

    kind: str
    text: str
    low: str
    end: int
    gap: bool
    amount: WrittenAmount | None = None
    unit: Unit | None = None
    worked: bool = False
    fault: str = ""


Line = Sequence[ResponseToken]
END: Final = ResponseToken("end", "", "", 0, True)

_DIGITS: Final = r"(?:\d+(?:[.,'_]\d+|[ \u00a0\u202f]\d{3}(?!\d))*|(?<![\w.])[.,]\d+)"
_POWER: Final = (
    r"(?:\.?[eE][+-]?\d+(?!\.?\d)| [eE][+-]?\d+(?!\w)"
    r"|\s*(?:[*xX]|times)\s*10\s*(?:\^|\*\*)\s*(?:[+-]?\d+|\([+-]?\d+\)))?"
)
_TENS, _ONES = "|".join(known.TENS), "|".join(known.ONES[1:10])
_SPELLED: Final = rf"(?:(?:{_TENS})(?:[ -]?(?:{_ONES}))?|{'|'.join(reversed(known.ONES))})(?![^\W_])"
_TOKEN: Final = re.compile(
    rf"\s*(?:(?P<spelled>(?i:{_SPELLED}))"
    rf"|(?P<word>log_?(?:2|10)(?=\()|[^\W\d_]+(?:['_][^\W\d_]+)*|[%$€£¥₹₩₺¢])"
    rf"|(?P<digits>{_DIGITS})(?P<power>{_POWER})|(?P<sign>\*\*|<=|>=|=+>|-+>|==|:=|\+/-|\+-|\.\.+|\S))"
)
_DIVISOR: Final = re.compile(rf"\s*(?P<digits>{_DIGITS})(?P<power>(?:[eE][+-]?\d+(?!\.?\d))?)")  # 5 / 2*10^9
# Digits that belong to the word before them: H100, fp-16, ZeRO-2; and stage 2, whose name is in a table.
_NAME_TAIL: Final = re.compile(r"(?=\d)[\w.]*\w|(?<=\w\w)-\d+(?![\d.,]*\d|\s*[*/^]|[A-Za-z%])")
_NUMBERED_TAIL: Final = re.compile(r"(?:-\d+| ?\d+(?!\s*[-+]))(?![\d.,]*\d|\s*[*/^]|[A-Za-z%])")
_SAME_SIGN: Final = {"^": "**", "=>": "->", "==": "=", ":=": "=", "==>": "->", "-->": "->", "[": "(", "]": ")"}
_TENS_AND_ONES: Final = re.compile("|".join(sorted(known.NUMBER_WORDS, key=len, reverse=True)))
# `14, since 13 does not fit`: what follows is a reason.
_REASON: Final = re.compile(r"(?<=\d)([^\d=]*?)\b(?:because|since)\b.*", re.DOTALL | re.IGNORECASE)
_FACTOR: Final = re.compile(rf"\s*(?:[\d(.]|(?i:{'|'.join(known.NUMBER_WORDS)})\b)")


def tokens(text: str, number_words: bool = False) -> list[ResponseToken]:
    """The tokens of a folded response. Raises AskAgain for a number that is none, and for more than
    MAX_TOKENS or MAX_NUMBERS.

    Where digits stand in `text`, a number in words is a word ("one GPU holds 31.7 GB"), unless `number_words` says no.
    """
    text = _REASON.sub(r"\1", text).rstrip()
    spelled = number_words or not any(map(str.isdigit, text))
    line: list[ResponseToken] = []
    at = numbers = 0
    while at < len(text):
        divides = bool(line) and line[-1].text in ("/", "**")
        match = (_DIVISOR.match(text, at) if divides else None) or _TOKEN.match(text, at)
        assert match is not None  # any character is a sign
        line.append(_token(match, line[-1] if line else END, spelled))
        at = line[-1].end
        numbers += line[-1].kind == NUMBER
        if len(line) > MAX_TOKENS or numbers > MAX_NUMBERS:
            raise AskAgain("it is too long: write only the answer")
    return line


def _token(match: re.Match[str], before: ResponseToken, spelled: bool) -> ResponseToken:
    """The token of `match`; a number in words is a number where `spelled`."""
    kind, text, end = match.lastgroup, match[0].lstrip(), match.end()
    gap = before is END or len(text) < len(match[0])
    if kind == "power":
        return ResponseToken(NUMBER, text, text, end, gap, numeral(match["digits"], match["power"]))
    if kind == "spelled" and spelled:
        value = sum(known.NUMBER_WORDS[part] for part in _TENS_AND_ONES.findall(text.lower()))
        return ResponseToken(NUMBER, text, text.lower(), end, gap, WrittenAmount(value, None, Fraction(1)))
    if kind == "sign":
        text = _SAME_SIGN.get(text, text)
        return ResponseToken(SIGN, text, text, end, gap)
    if _is_times(text, before) and _FACTOR.match(match.string, end):
        return ResponseToken(SIGN, "*", "*", end, gap)
    tail = _digits_of(text.casefold(), match, gap, before)
    return ResponseToken(WORD, text + tail, (text + tail).casefold(), end + len(tail), gap)


def _is_times(word: str, before: ResponseToken) -> bool:
    """Whether a word behind the token `before` may be the sign of a product: `8 x 80`, `two times 14`."""
    number = before.kind == NUMBER or before.low in known.NUMBER_WORDS
    return (word in ("x", "X") and (number or before.kind == WORD or before.text == ")")) or (
        word == "times" and number
    )


def _digits_of(low: str, match: re.Match[str], gap: bool, before: ResponseToken) -> str:
    """The digits behind a word that are part of its name: 100 of H100, -2 of ZeRO-2, ` 2` of stage 2."""
    if low in known.NUMBERED_NAMES:
        tail = _NUMBERED_TAIL.match(match.string, match.end()) if before.kind != NUMBER else None
        return tail[0] if tail is not None else ""
    unit = (before.kind == NUMBER and not gap) or low in WRITTEN or low in known.FUNCTIONS or low in ("usd", "us", "x")
    tail = None if unit or not low.isalpha() else _NAME_TAIL.match(match.string, match.end())
    return tail[0] if tail is not None and not (tail[0].startswith("-") and before.kind == NUMBER) else ""
