"""Reading what a candidate wrote as an answer: exactly, or not at all and with a reason.

The way of a response: fold -> tokens -> amounts and calculations -> the one that answers -> what it means. No key is
looked at: what only a key could decide (0.467 where a percentage is expected; 1,234) stays open in `Reading.others`.
Asking again is cheap and a wrong number is not, so a response that no rule reads is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from quizgen.formula.reading import Reading
from quizgen.formula.units import ONE, Unit
from quizgen.numbers.answer import AnswerFormat, AskAgain, Refusal, example
from quizgen.numbers.choose import choose
from quizgen.numbers.fold import fold
from quizgen.numbers.meaning import readings
from quizgen.numbers.special import word_answer
from quizgen.numbers.sums import pieces
from quizgen.numbers.tokens import tokens
from quizgen.numbers.units import SECOND

MAX_LENGTH: Final = 300
# Times, ratios, dates, addresses, and powers that lost their sign: 8:00, 1/2/3, 10.0.0.1, 3x10-6, 3x1010, 31.O.
_UNCLEAR: Final = re.compile(
    r"\d:\d|\d : \d|\d/\d+/\d|\d\.(?:10(?:\^|\*\*)|[A-DF-Za-df-z#])|!=|\d·\d"
    r"|\d /\d|\d\s*[x*]\s*10(?:-\d|(?!24\b)[1-9]\d?\b(?![.,]|\s*=))"
    r"|(?<![\d.])(?!\d{1,3}(?:\.\d{3})+(?![\d.]))(?:[012]?\d?\d\.){3}[012]?\d?\d(?![\d.])"
)
_TO_ONE: Final = re.compile(r"(?<=\d) ?: ?1(?![\d.,:])")  # a ratio of 12:1
_CLOCK: Final = re.compile(r"(?<![\d:.])(\d+):([0-5]\d):([0-5]\d)(?![\d:.])")


def read(
    text: str, expected: AnswerFormat | Unit = ONE, filled_stem: Callable[[], str] | None = None
) -> Reading | Refusal:
    """The reading of a response `text` to what is `expected` (a bare Unit: a number in it), or why there is none.

    `filled_stem` makes the stem with its drawn values. Never raises, and takes time linear in the length of `text`.

    >>> read("about 31.7 gigabytes", KNOWN_UNITS["GB"]).read_as
    '31.7 GB'
    >>> read("31.7 or 32", KNOWN_UNITS["GB"]).reason
    'it holds two different numbers: write one, such as 12.5 GB'
    """
    if isinstance(expected, Unit):
        expected = AnswerFormat(expected)
    text = text.strip()
    try:
        if len(text) > MAX_LENGTH:
            raise AskAgain(f"more than {MAX_LENGTH} characters: write only the answer")
        return _read(text, expected, filled_stem)
    except AskAgain as reason:
        why = str(reason)
        return Refusal(f"{why}{' ' if why.endswith('write') else ', '}{example(expected)}" if why else "")


def _read(text: str, expected: AnswerFormat, filled_stem: Callable[[], str] | None) -> Reading:
    if not text.isprintable() and any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n\r\v\f" for c in text):
        raise AskAgain("it holds control characters: write only the answer")
    folded = fold(text).strip()
    if folded in ("", "."):
        raise AskAgain("")
    if expected.unit.dim == SECOND.dim:
        folded = _CLOCK.sub(r"\1 h \2 min \3 s", folded)
    if expected.unit is ONE:
        folded = _TO_ONE.sub("", folded)
    if not folded[0].isdigit() or expected.shape != "number":
        answer = word_answer(folded, expected)
        if answer is not None:
            return answer
    if expected.symbol_in_stem:
        folded = _behind_a_digit(expected.symbol_in_stem).sub("", folded)
    if _UNCLEAR.search(folded):
        raise AskAgain("it may be a time, a ratio, a date, an address or a power: write one number")
    return readings(choose(pieces(tokens(folded), expected), expected), expected, filled_stem)


@lru_cache(maxsize=256)
def _behind_a_digit(symbol: str) -> re.Pattern[str]:
    """A unit that only the stem knows (`m/s2`), right behind a digit."""
    return re.compile(r"(?<=\d)\s*°?" + r"\^?".join(map(re.escape, symbol)) + r"(?![\w/^*])")
