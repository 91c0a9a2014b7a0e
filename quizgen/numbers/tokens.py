"""A response in plain characters, and these as numbers, words and signs.

Which marks of a number group digits, and which one is the decimal mark:

* One dot is a decimal point; several group thousands (`1.234.567`).
* One comma before exactly three digits can be either (`1,234`). It groups where the last digit is 0, for nobody writes
  1.230 for 1.23 (`31,700`); it is a decimal comma after a 0 or more than three digits (`0,467`, `1234,567`); else both
  values are kept. Before any other number of digits it is a decimal comma.
* Several commas group thousands, or in the Indian way hundreds above them (`12,34,567`). Where both marks stand, the
  last one is the decimal mark. Blanks, apostrophes and underscores group thousands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from quizgen.formula.units import CURRENCY_LABELS_BY_WORD, Unit, int_if_whole
from quizgen.numbers import words
from quizgen.numbers.answer import UnreadableError

MAX_RESPONSE_TOKENS: Final = 120
MAX_NUMERAL_CHARACTERS: Final = 60
MAX_POWER_OF_TEN: Final = 308  # powers of ten of a double, as in the formula engine
NUMBER, WORD, SIGN, AMOUNT, UNIT = "number", "word", "sign", "amount", "unit"
OPERATORS: Final = ("+", "-", "*", "/", "**")
_DIGIT_SEPARATOR_PATTERN: Final = re.compile(r"[.,'_ \u00a0\u202f\u2009]")
# No marks, underscores anywhere, or one mark between groups of three, or of two in the Indian way.
_GROUPED_DIGITS_PATTERN: Final = re.compile(
    rf"\d+(?:_\d+)*|[1-9]\d{{0,2}}({_DIGIT_SEPARATOR_PATTERN.pattern})\d{{3}}(?:\1\d{{3}})*|[1-9]\d?(?:,\d\d)+,\d{{3}}"
)
_EXPONENT_AT_END_PATTERN: Final = re.compile(r"[+-]?\d+(?=\)?$)")
_LOOKALIKES_BY_PLAIN_TEXT: Final = {
    "-": "‐‑‒–—―−－", "*": "⋅•∙＊", "/": "÷∕⁄／", "~": "≈∼≃≅", "'": "’‘′´", '"': "“”″„", "u": "µμ", "->": "→⇒",
    "<=": "≤", ">=": "≥", "+/-": "±", "..": "…", ".": "٫", " unbounded ": "∞", " x ": "×✕",
    **dict(zip((" 1/2", " 1/3", " 2/3", " 1/4", " 3/4"), "½⅓⅔¼¾", strict=True)),
}  # fmt: skip
PLAIN_TEXT_BY_LOOKALIKE: Final = {char: plain for plain, chars in _LOOKALIKES_BY_PLAIN_TEXT.items() for char in chars}
_PLAIN_CHARACTER_BY_SUPERSCRIPT: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SUPERSCRIPT_PATTERN: Final = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")


def fold_to_plain_characters(text: str) -> str:
    """`text` with one spelling of digits, blanks, signs, quotes and superscripts, in linear time.

    What looks alike is replaced before NFKC, which turns 10⁶ into 106 and ½ into 1⁄2.

    >>> fold_to_plain_characters("≈ 3.17×10¹⁰ B")
    '~ 3.17 x 10^10 B'
    """
    if text.isascii():
        return text
    text = _SUPERSCRIPT_PATTERN.sub(lambda run: "^" + run[0].translate(_PLAIN_CHARACTER_BY_SUPERSCRIPT), text)
    return "".join(map(_plain_spelling_of_character, text))


@lru_cache(maxsize=1024)
def _plain_spelling_of_character(char: str) -> str:
    """The plain spelling of one character; ⅞ has none, for it is no 7/8 behind a digit."""
    spelling, kind = PLAIN_TEXT_BY_LOOKALIKE.get(char), unicodedata.category(char)
    if spelling or "!" <= char <= "~" or char == "·" or kind == "No":
        return spelling or char
    if kind == "Cf":
        return ""  # zero-width and direction marks
    return str(unicodedata.decimal(char)) if kind == "Nd" else unicodedata.normalize("NFKC", char)


# -- numbers ----------------------------------------------------------------------------------


class WrittenAmount(NamedTuple):
    """A number in `unit` (None: none was written). `place_value` is the worth of its last significant place (1/10 for
    31.7, 100 for 31,700), None where it was calculated; `value_if_other_mark` its value if the mark in it is read the
    other way (1234 and 1.234); `has_exponent`: a power of ten was written."""

    value: int | Fraction
    unit: Unit | None = None
    place_value: Fraction | None = None
    value_if_other_mark: int | Fraction | None = None
    has_exponent: bool = False

    def scaled_by(self, factor: int | Fraction) -> WrittenAmount:
        place = None if self.place_value is None else abs(Fraction(self.place_value * factor))
        other_value = None if self.value_if_other_mark is None else self.value_if_other_mark * factor
        return self._replace(value=self.value * factor, place_value=place, value_if_other_mark=other_value)


def parse_numeral_or_raise(digits: str, power_text: str = "") -> WrittenAmount:
    """The number of `digits` (`31,687.5`) times `power_text` (`e10`, ` x 10^10`, or empty). Raises UnreadableError."""
    if len(digits) > MAX_NUMERAL_CHARACTERS:
        raise UnreadableError(f"a number of more than {MAX_NUMERAL_CHARACTERS} digits: write it as 3.17e10")
    if "/" in digits:  # 2 1/2
        ones, numerator, denominator = map(int, re.split(" +|/", digits))
        if numerator >= denominator:
            raise UnreadableError(f'"{digits}" is not one number: write it as 2.5')
        number = WrittenAmount(ones + Fraction(numerator, denominator))
    else:
        number = _amount_of_digits(digits, "") if digits.isdigit() else _parse_digits_with_separators(digits)
    if not power_text:
        return number
    exponent_text = _EXPONENT_AT_END_PATTERN.findall(power_text)[-1]
    exponent = int(exponent_text) if len(exponent_text) < 9 else MAX_POWER_OF_TEN + 1
    if abs(exponent) > MAX_POWER_OF_TEN:
        raise UnreadableError(f"{digits}{power_text} is too far from 1: write a plausible number")
    return number.scaled_by(int_if_whole(Fraction(10) ** exponent))._replace(has_exponent=True)


def _parse_digits_with_separators(digits: str) -> WrittenAmount:
    """The number of digits with marks between them. Raises UnreadableError for `1,2,3.4`."""
    marks = _DIGIT_SEPARATOR_PATTERN.findall(digits)
    last = marks[-1] if marks[-1] in ".," and marks.count(marks[-1]) == 1 else ""
    groups, _, decimals = digits.rpartition(last) if last else (digits, "", "")
    if not groups:  # .5 and ,5
        return _amount_of_digits("0", decimals)
    if not _GROUPED_DIGITS_PATTERN.fullmatch(groups):
        raise UnreadableError(f'"{digits}" is not one number: write it as 1234.5 or 1,234.5')
    integer_digits = _DIGIT_SEPARATOR_PATTERN.sub("", groups)
    if not last:
        return _amount_of_digits(integer_digits, "")
    decimal = _amount_of_digits(integer_digits, decimals)
    if integer_digits != groups or len(decimals) != 3 or len(integer_digits) > 3 or integer_digits.startswith("0"):
        return decimal
    whole_number = _amount_of_digits(integer_digits + decimals, "")
    if last == ".":
        return decimal._replace(value_if_other_mark=whole_number.value)  # 11.510
    return whole_number._replace(value_if_other_mark=None if digits.endswith("0") else decimal.value)


def _amount_of_digits(integer_digits: str, decimals: str) -> WrittenAmount:
    digits = int(integer_digits + decimals)
    if decimals or not digits:
        return WrittenAmount(int_if_whole(Fraction(digits, 10 ** len(decimals))), None, Fraction(10) ** -len(decimals))
    return WrittenAmount(digits, None, Fraction(10) ** (len(integer_digits) - len(integer_digits.rstrip("0"))))


# -- tokens ---------------------------------------------------------------------------------


class ResponseToken(NamedTuple):
    """A number, word or sign of a response, and later an amount or a unit.

    `kind` is NUMBER, WORD, SIGN, AMOUNT, or UNIT for one apart from a number. `lower` is the text in lower case,
    `end_offset` where it ends in the response; `is_after_space`: something blank stands before it. `amount` is the
    value of a number, and of an amount with its unit; `is_calculated`: it was calculated from several,
    `calculation_error_text` says why a calculation has none."""

    kind: str
    text: str
    lower: str
    end_offset: int
    is_after_space: bool
    amount: WrittenAmount | None = None
    unit: Unit | None = None
    is_calculated: bool = False
    calculation_error_text: str = ""


Tokens = Sequence[ResponseToken]
EDGE_TOKEN: Final = ResponseToken("end", "", "", 0, True)

_NUMERAL_REGEX_TEXT = r"(?:\d+ +\d/\d\d?(?![\d.,/])|\d+(?:[.,'_]\d+|[ \u00a0\u202f]\d{3}(?!\d))*|(?<![\w.])[.,]\d+)"
_POWER_OF_TEN_REGEX_TEXT: Final = (
    r"(?:\.?[eE][+-]?\d+(?!\.?\d)| [eE][+-]?\d+(?!\w)"
    r"|\s*(?:[*xX·]|times)\s*10\s*(?:\^|\*\*)\s*(?:[+-]?\d+|\([+-]?\d+\)))?"
)
_TENS, _ONES = "|".join(words.WORDS_FOR_TENS), "|".join(words.WORDS_BELOW_20[1:10])
_NUMBER_WORD_REGEX_TEXT = rf"(?:(?:{_TENS})(?:[ -]?(?:{_ONES}))?|{'|'.join(reversed(words.WORDS_BELOW_20))})(?![^\W_])"
_TOKEN_PATTERN: Final = re.compile(
    rf"\s*(?:(?P<spelled>(?i:{_NUMBER_WORD_REGEX_TEXT}))"
    rf"|(?P<word>log_?(?:2|10)(?=\()|[^\W\d_]+(?:['_][^\W\d_]+)*|[%$€£¥₹₩₺¢])"
    rf"|(?P<digits>{_NUMERAL_REGEX_TEXT})(?P<power>{_POWER_OF_TEN_REGEX_TEXT})"
    rf"|(?P<sign>\*\*|<=|>=|=+>|-+>|==|:=|\+/-|\+-|\.\.+|\S))"
)
# `14, since 13 is less`.
_TRAILING_REASON_PATTERN: Final = re.compile(r"(?<=\d)([^\d=]*?)\b(?:because|since)\b.*", re.DOTALL | re.IGNORECASE)
# Digits that belong to the preceding word: H100, fp-16, ZeRO-2.
_DIGITS_IN_NAME_PATTERN: Final = re.compile(r"(?=\d)[\w.]*\w|(?<=\w\w)-\d+(?![\d.,]*\d|\s*[*/^]|[A-Za-z%])")
_STANDARD_SIGN_BY_SPELLING: Final = {
    "^": "**", "=>": "->", "==": "=", ":=": "=", "==>": "->", "-->": "->", "[": "(", "]": ")", "·": "*"
}  # fmt: skip
_SINGLE_NUMBER_WORD_PATTERN: Final = re.compile("|".join(sorted(words.NUMBER_BY_WORD, key=len, reverse=True)))
_FACTOR_AFTER_TIMES_PATTERN: Final = re.compile(rf"\s*(?:[\d(.]|(?i:{'|'.join(words.NUMBER_BY_WORD)})\b)")


def split_tokens(text: str, reads_number_words: bool = False) -> list[ResponseToken]:
    """The tokens of a folded response. Raises UnreadableError for a number that is none, and for more than
    MAX_RESPONSE_TOKENS.

    Where digits stand in `text`, a number in words is a word ("one GPU holds 31.7 GB"), unless `reads_number_words`.
    """
    text = _TRAILING_REASON_PATTERN.sub(r"\1", text).rstrip()
    reads_number_words = reads_number_words or not any(map(str.isdigit, text))
    line: list[ResponseToken] = []
    offset = 0
    while offset < len(text):
        match = _TOKEN_PATTERN.match(text, offset)
        assert match is not None  # every character is at least a sign
        line.append(_make_token(match, line[-1] if line else EDGE_TOKEN, reads_number_words))
        offset = line[-1].end_offset
        if len(line) > MAX_RESPONSE_TOKENS:
            raise UnreadableError("it is too long: write only the answer")
    return line


def _make_token(match: re.Match[str], last: ResponseToken, reads_number_words: bool) -> ResponseToken:
    """The token of `match`; a number in words is a number where `reads_number_words`."""
    kind, text, end = match.lastgroup, match[0].lstrip(), match.end()
    gap = last is EDGE_TOKEN or len(text) < len(match[0])
    if kind == "power":
        if last.text in ("/", "**") and match["power"].lstrip()[:1] not in ("", "e", "E"):
            raise UnreadableError("it divides by a product: write the result, or parentheses")
        return ResponseToken(NUMBER, text, text, end, gap, parse_numeral_or_raise(match["digits"], match["power"]))
    if kind == "spelled" and reads_number_words:
        value = sum(words.NUMBER_BY_WORD[part] for part in _SINGLE_NUMBER_WORD_PATTERN.findall(text.lower()))
        return ResponseToken(NUMBER, text, text.lower(), end, gap, WrittenAmount(value, None, Fraction(1)))
    if kind == "sign":
        text = _STANDARD_SIGN_BY_SPELLING.get(text, text)
        return ResponseToken(SIGN, text, text, end, gap)
    lower = text.casefold()
    product = lower in ("x", "times") and (last.kind in (NUMBER, WORD) or last.text == ")")  # 8 x 80
    if product and _FACTOR_AFTER_TIMES_PATTERN.match(match.string, end):
        return ResponseToken(SIGN, text, "*", end, gap)
    tail = _digits_in_name(lower, match, gap, last)
    return ResponseToken(WORD, text + tail, lower + tail.casefold(), end + len(tail), gap)


def _digits_in_name(lower: str, match: re.Match[str], is_after_space: bool, last: ResponseToken) -> str:
    """The digits behind a word that are part of its name: 100 of H100, -2 of ZeRO-2."""
    unit = (last.kind == NUMBER and not is_after_space) or lower in ("usd", "us", "x") or lower in words.FUNCTION_NAMES
    is_name = lower.isalpha() and not unit and lower not in CURRENCY_LABELS_BY_WORD
    tail = _DIGITS_IN_NAME_PATTERN.match(match.string, match.end()) if is_name else None
    return tail[0] if tail is not None and not (tail[0].startswith("-") and last.kind == NUMBER) else ""
