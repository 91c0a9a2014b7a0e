"""Shuffled words: capped and flagged, never taken for an answer, never zeroed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from quizgen.rubric.lexicon import BRACKET, BULLET, COLON, COMMA, CONTENT, LINE, STRONG
from quizgen.rubric.response import ResponseText

# -- Whether words stand in an order that sentences have, told by which kinds of words stand side by side.
#
# A table of pairs: ten times the logarithm of how much more often the one kind stands before the other in answers
# than in the same answers with their words shuffled. Counted on 2,400 answers of two public sets and a few of our
# own; on other answers of these, the limits below flag 0.2 to 1.1 % as they stand and three in four when shuffled.

# x content word, N one that begins with a capital, Z small word that does, D determiner, I "a", P and R prepositions,
# T "to", F is/are/was/were, A has/had, M modal, C and/or/but, S subject pronoun, W other small word; . ends a
# sentence or clause, the comma stands for brackets too, = for signs such as "->".
_KINDS: Final = "xNZWDIPRTFAMCS.,="
_ROWS: Final = """
    x   -1  -16  -30   -1   -5   -4    6    6    5    3    3    2    5   -5    6    6    1
    N   -5   10  -11   -5   -9    3    2   -5   -7    1    0    0   -1   -4    4    6   -1
    Z    1   -3  -30   -3    2    0  -14  -22  -29    6    3    5  -30   10    5    1  -17
    W    0  -12  -29   -1    5    5  -11  -15   -5    1   -2   -2   -8    7    5    2    2
    D    6   -8  -30  -18  -30  -30  -30  -30  -30  -15  -24  -30  -30  -30    4  -20  -21
    I    6  -11  -27  -24  -30  -30  -28  -23  -19   -4   -5   -8    3  -21    7    2    0
    P    0  -10  -30   -2   13    8  -26  -25  -30  -30   -6  -23  -30  -12    7  -11  -22
    R   -2   -8  -26   -2   14   13  -25  -16  -23  -29   -5  -16  -19  -12    6   -4   -7
    T    2  -14  -30    1    8    3  -30  -22  -30  -30  -16  -20  -24   -8    6  -10   -9
    F    2  -20  -30    5   -5    5  -17  -20   -9  -26   -8   -7  -30  -24    6    1  -11
    A   -6  -14  -17    1    7   15  -15  -12   22  -13   -5   -7  -17  -13    6    1   -3
    M    0  -25  -25   11  -30  -27  -25  -17  -25  -27  -12  -19  -26   -9    6   -5  -10
    C    2   -3  -30    1    4    0  -12  -11  -14   -9    3    3  -30    5    6   -9  -11
    S   -2  -21  -27   -3  -28  -19  -15   -5   -5   17   17   21  -10  -21    6    5   -7
    .  -16   19   25   -7  -28   -1  -30  -21  -28  -26  -16  -18  -22   -9    6    6    6
    ,    2   11   12    9    9    0  -10    1   -1   -1   -6   -4   11   19    6    6    6
    =   -1    2   -2    3  -14    3  -16   -8  -16  -16    0   -5   -9   -3    6    6    6"""
_TABLE: Final = {
    (row.split()[0], kind): int(value)
    for row in _ROWS.strip().split("\n")
    for kind, value in zip(_KINDS, row.split()[1:], strict=True)
}

_TERMS: Final = re.compile(f"{CONTENT}+")
_CAPITAL: Final = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]")  # of a word, not of an abbreviation
_LISTED: Final = "•"  # a line or a bullet: what stands beside it tells nothing
_TABLE.update({pair: 0 for kind in (*_KINDS, _LISTED) for pair in ((kind, _LISTED), (_LISTED, kind))})
_MARKS: Final = {COMMA: ",", BRACKET: ",", STRONG: ",", COLON: ",", BULLET: _LISTED, LINE: _LISTED}

MIN_WORDS: Final = 6
MIN_PAIRS: Final = 8
LIMIT: Final = 0.7  # below 0, in tenths for each pair
SHORT: Final = 20  # and so much more, so that a short text must be plainly out of order


class Suspicion(NamedTuple):
    """Why a score is capped at the share `most` of what is possible."""

    flag: str
    most: Fraction
    because: str


_SALAD: Final = Suspicion("word-salad", Fraction(1, 4), "words in no sentence order earn at most a quarter")


_LIST: Final = Suspicion("word-list", Fraction(1, 2), "a row of terms without a connection earns at most half")
LONG_RUN: Final = 8  # terms in a row
MOST: Final = 0.6  # share of the words that stand in it


def suspect(reading: ResponseText) -> Suspicion | None:
    """The sign that a response is words in any order; None for sentences, notes, and texts too short to tell. Notes
    without small words and speech without marks have none of the pairs that only shuffled words have: of 295 right
    answers none is flagged as it stands, one without any mark, none without small words, and 280 shuffled ones."""
    size = len(reading.entries)
    if size < MIN_WORDS:
        return None
    marks = {place: "," if reading.folded.text[at] == ";" else _MARKS.get(cue, ".") for place, cue, at in reading.marks}
    marks.update(dict.fromkeys(reading.joints, "="))
    kinds = [entry.order for entry in reading.entries]
    longest = max(map(len, _TERMS.findall(_joined(kinds, marks))), default=0)
    if longest >= LONG_RUN and longest >= MOST * size:
        return _LIST
    row = _joined(*_with_capitals(reading, kinds, marks))
    pairs = len(row) - 1
    total = sum(map(_TABLE.__getitem__, pairwise(row)))
    return _SALAD if pairs >= MIN_PAIRS and total < -LIMIT * pairs - SHORT else None


def _joined(kinds: list[str], marks: Mapping[int, str]) -> str:
    """The kind of each word and mark, a letter each; a mark stands before the word of its place."""
    row = [*kinds, ""]
    for place, mark in marks.items():
        row[place] = mark + row[place]
    return "".join(row)


def _with_capitals(reading: ResponseText, kinds: list[str], marks: dict[int, str]) -> tuple[list[str], dict[int, str]]:
    """The kinds with words that begin with a capital as such; in a title, or in small letters throughout, what a
    sentence begins with tells nothing, and its mark is that of a list."""
    starts, (original, _, back, _) = [reading.ends[2 * token] for token in reading.tokens], reading.folded
    if back is not None:
        starts = [back[at] for at in starts]
    capital = [place for place, at in enumerate(starts) if original[at].isupper() and _CAPITAL.match(original, at)]
    if not _tells_by_capitals(kinds, marks, capital):
        return kinds, {place: _LISTED if mark == "." else mark for place, mark in marks.items()}
    row = list(kinds)
    for place in capital:
        row[place] = "N" if kinds[place] == CONTENT else "Z"
    return row, dict.fromkeys(_openers(reading, capital), _LISTED) | marks


def _openers(reading: ResponseText, capital: list[int]) -> list[int]:
    """Where the lines of a list begin whose breaks were lost: a capital that opens one of them opens several ("To
    reduce tables To increase security")."""
    often = Counter([reading.entries[place].plain for place in capital])
    return [place for place in capital if place and often[reading.entries[place].plain] > 1]


def _tells_by_capitals(kinds: list[str], marks: Mapping[int, str], capital: list[int]) -> bool:
    """Sentences begin with a capital here: not where names alone have one, and not in a title."""
    opening = {0, *(place for place, mark in marks.items() if mark == ".")}
    small = opening.isdisjoint(capital) and all(kinds[place] == CONTENT for place in capital)
    return not small and 2 * len(capital) <= len(kinds)
