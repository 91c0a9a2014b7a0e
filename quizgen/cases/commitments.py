"""Numbers that a candidate commits to in a sentence: "TP = 8", "8-way tensor parallelism", "four stages".

Each form is a row with what it reads and what it must not; names and numbers are put into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from quizgen.cases.case import Commitment

WORDS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10, "twelve": 12,
    "sixteen": 16, "twenty": 20, "thirty-two": 32, "sixty-four": 64,
}  # fmt: skip
_WORDS: Final = "|".join(sorted(WORDS, key=len, reverse=True))
_NUMBER: Final = rf"(?<!\d[.,])(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}}|{_WORDS})(?![\w%]|[.,]\d)"
# What a number is not committed to after: "instead of TP=16", "not TP 8".
_REFUSED: Final = re.compile(r"\b(?:instead of|rather than|not|never|without|from|no|unlike|than)\s+(?:\w+\s+)?$")


@dataclass(frozen=True, slots=True)
class Form:
    """A way to say a number: NAME and NUMBER stand for themselves. The examples are of names `tp` and
    `pipeline stages`: what each reads, and a sentence that must give nothing by it."""

    shape: str
    reads: tuple[str, int]
    not_read: str


FORMS: Final = (
    Form(r"\bNAME[-_ ]*(?:=|:|×|\bx\b)[ ]*NUMBER", ("tp = 8", 8), "tp or 8"),
    Form(r"\bNAME(?: +(?:degree|size|width))?,? +(?:of|is|at|to|equals|becomes) +NUMBER", ("tp of 16", 16), "tp in 16"),
    Form(r"\bNAME[-_ ]?NUMBER", ("TP8 inside the node", 8), "tp, 8 of them"),
    Form(r"\bNUMBER[- ]way[- ]NAME", ("8-way tp", 8), "8 ways to cut tp"),
    Form(r"\bNUMBER[- ]NAME", ("four pipeline stages", 4), "four or more pipeline stages"),
)


def heard(text: str, commitments: Iterable[Commitment]) -> dict[str, int]:
    """The numbers that a text commits to, by the id of the commitment; the last statement of each wins.

    >>> tp = Commitment("tp", ("tp", "tensor parallel*"), (1, 8), 8)
    >>> heard("I'd take tensor parallelism of 16, no: TP=8.", [tp])
    {'tp': 8}
    """
    plain = " ".join(text.casefold().split())
    found: dict[str, int] = {}
    for one in commitments:
        hits = [
            (match.start(), match["number"])
            for pattern in _patterns(one.names)
            for match in pattern.finditer(plain)
            if not _REFUSED.search(plain[: match.start()])
        ]
        if hits:
            written = max(hits)[1]
            found[one.id] = WORDS[written] if written in WORDS else int(written.replace(",", ""))
    return found


@lru_cache(maxsize=64)
def _patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    words = "|".join(_name(n) for n in sorted(names, key=len, reverse=True))
    return tuple(re.compile(f.shape.replace("NAME", f"(?:{words})").replace("NUMBER", _NUMBER)) for f in FORMS)


def _name(name: str) -> str:
    """`tensor parallel*` as a pattern: blanks and hyphens are one, a star ends a word anyhow."""
    pieces = [re.escape(w.removesuffix("*")) + (r"[a-z]*" if w.endswith("*") else "") for w in name.casefold().split()]
    return "[- ]".join(pieces)
