"""Words, numbers, complexities and marks of a folded text, found by one regular expression.

What counts as one word: `o(n log n)`, `16`, `3.5`, `10^6`, `16b`, `fp16`, `c++`, `don't`, `&&`, `\\0`.
A hyphen, slash, underscore or dot inside a compound only separates: `all-reduce` is two words that
the index also knows as one.
"""

from __future__ import annotations

import re
from typing import Final

from quizgen.rubric.text.complexity import RATE
from quizgen.rubric.text.fold import fold

# Order matters: the longest reading of a place comes first. Every branch is linear.
TOKEN: Final = re.compile(
    rf"(?=[nml2]){RATE}"
    r"""
    |
      (?:(?<=\n)|(?<=\A))[ ]{0,40}(?:[-*+•>]{1,2}|\d{1,2}[.)]|\(?[a-z][.)])[ ](?=\S)   # bullet
    | (?<![^\W_])[oθω][ ]?\([^()\n]{0,40}(?:\([^()\n]{0,20}\)[^()\n]{0,20}){0,3}\)  # complexity
    | (?:e\.g|i\.e|w\.r\.t|a\.k\.a|(?:etc|vs|approx|fig|resp|cf|eq|sec|no(?=\.[ ]?\d))(?=\.))\.?  # abbreviation
    | w/o(?![^\W_])|w/(?=[ ])|b/c(?![^\W_])
    | [^\W\d_][^\W_]*(?:'[^\W\d_]+)?(?:\+\+|\#(?![^\W_]))?                                  # word
    | \d+(?:,\d{3}(?!\d))*(?:\.\d+)*(?:e[+-]?\d+(?![^\W_]))?(?:\^-?\d+)?(?:%|[^\W_]+)?        # number
    | \\[0-9a-z](?![^\W_])                                                     # \0 \n
    | &&|\|\||\+\+|--(?=[^\s-])|<->|<=|>=|==|!=|->|=>|<-|<<|>>|::|\.\.\.
    | [.!?;:,()\n—]|(?<=\s)-+(?=\s)|[<>=+&%~^*/↑↓]
    """,
    re.VERBOSE,
)

# The same tokens for the plain prose that most responses are, twice as fast. `finder` says when. Words come
# first, but for those that may begin a rate; where each branch can begin is told by its first character.
_WORD_GOES_ON: Final = r"[a-z0-9]*(?:['][a-z]+)?(?:[#](?![a-z0-9]))?"
PLAIN_TOKEN: Final = re.compile(
    rf"[a-ko-z]{_WORD_GOES_ON}|[.](?:[.][.])?|[,!?;:]|(?=[nm][ *^23l-]|l[gno]|2[ *^]){RATE}|[lmn]{_WORD_GOES_ON}"
    r"|[0-9]\d*(?:,\d{3}(?!\d))*(?:\.\d+)*(?:e-?\d+(?![a-z0-9_]))?[a-z0-9]*"
)
_INTRICATE: Final = "(/\n\\&|<=>*~^)+%"
_WITH_A_DASH: Final = (" - ", "--")
_WITH_A_STOP_INSIDE: Final = ("e.g", "i.e", "w.r.t", "a.k.a")


def finder(text: str) -> re.Pattern[str]:
    """The quickest expression that finds the same tokens in this text."""
    if not text.isascii() or text[1:2] in ".)" or text[2:3] in ".)":
        return TOKEN
    for sign in _INTRICATE:
        if sign in text:
            return TOKEN
    if "etc" in text or "vs." in text or "::" in text:
        return TOKEN
    if "-" in text:
        for sign in _WITH_A_DASH:
            if sign in text:
                return TOKEN
    if text.find(".", 0, -1) >= 0:
        for sign in _WITH_A_STOP_INSIDE:
            if sign in text:
                return TOKEN
    return PLAIN_TOKEN


def number(token: str) -> tuple[str, str] | None:
    """The digits in their plainest form and what hangs on them: `1,024b` is (`1024`, `b`)."""
    found = _NUMBER.match(token)
    if not found:
        return None
    digits = found.group(1).replace(",", "")
    if "." in digits and digits.count(".") == 1 and not found.group(2):
        digits = digits.rstrip("0").rstrip(".")
    plain = digits.lstrip("0") or "0"
    if plain[0] == ".":
        plain = "0" + plain
    return plain + (found.group(2) or ""), token[found.end() :]


_NUMBER: Final = re.compile(r"(\d+(?:,\d{3}(?!\d))*(?:\.\d+)*)((?:e[+-]?\d+(?![^\W_]))?(?:\^-?\d+)?)")


def words_of(text: str) -> list[str]:
    """The folded words of a text, marks left out."""
    return [m[0] for m in TOKEN.finditer(fold(text).text) if any(c.isalnum() for c in m[0]) and m[0][-1] != " "]
