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
from quizgen.rubric.text.lexicon import FUNCTION, NAMED_NEGATORS

# Order matters: the longest reading of a place comes first. Every branch is linear.
ANY_TOKEN: Final = (
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
    """
)
# Most of prose is words of two letters and more, and marks before a blank, that nothing above takes otherwise; they are
# tried first, and at a blank only what may begin a line. The tokens are the same, found in half the time. One group,
# so that `split` gives what stands between tokens and the tokens in turn.
TOKEN: Final = re.compile(
    rf"""
    ((?:[a-ko-z]|[mn](?!l(?:og|g|n))|l(?!og|g|n))[a-z]++(?![^\W_]|['.+\#/^])|[,.;](?=[ ])
    |(?:(?![ ])|(?<=\n)|(?<=\A))(?:{ANY_TOKEN}))""",
    re.VERBOSE,
)


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


def content_words(text: str) -> list[tuple[str, int]]:
    """The folded words of a text that say what it is about, each with the place where it stands."""
    found = [(match[0], match.start()) for match in TOKEN.finditer(fold(text).text)]
    return [(w, at) for w, at in found if w[0].isalnum() and w not in FUNCTION and w not in NAMED_NEGATORS]


def words_of(text: str) -> list[str]:
    """The folded words of a text, marks left out."""
    return [token for token in TOKEN.findall(fold(text).text) if any(c.isalnum() for c in token) and token[-1] != " "]
