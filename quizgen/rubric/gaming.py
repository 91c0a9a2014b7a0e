"""Word lists and shuffled words: capped and flagged, never taken for an answer, never zeroed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

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

_CAPITAL: Final = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]")  # of a word, not of an abbreviation
_LISTED: Final = "•"  # a line or a bullet: what stands beside it tells nothing
_TABLE.update({pair: 0 for kind in (*_KINDS, _LISTED) for pair in ((kind, _LISTED), (_LISTED, kind))})
_MARKS: Final = {COMMA: ",", BRACKET: ",", STRONG: ",", COLON: ",", BULLET: _LISTED, LINE: _LISTED}

MIN_PAIRS: Final = 8
LIMIT: Final = 0.2  # below 0, in tenths for each pair
PLAINLY: Final = 0.5
SHORT: Final = 20  # and so much more, so that a short text must be plainly out of order


def disorder(reading: ResponseText) -> int:
    """0: sentences, or a text too short to tell; 1: words stand as shuffled words do; 2: and plainly so."""
    kinds = _kinds(reading)
    pairs = len(kinds) - 1
    if pairs < MIN_PAIRS:
        return 0
    total = sum(map(_TABLE.__getitem__, pairwise(kinds)))
    return 2 if total < -PLAINLY * pairs - 2 * SHORT else 1 if total < -LIMIT * pairs - SHORT else 0


def _kinds(reading: ResponseText) -> str:
    """The kind of each word and mark, a letter each."""
    folded = reading.folded
    original, back = folded.original, folded.back
    marks = {place: _MARKS.get(cue, ".") for place, cue, _ in reading.marks}
    marks.update(dict.fromkeys(reading.joints, "="))
    starts = [reading.ends[2 * token] for token in reading.tokens]
    if back is not None:
        starts = [back[at] for at in starts]
    capital = [place for place, at in enumerate(starts) if original[at].isupper() and _CAPITAL.match(original, at)]
    kinds = [entry.order for entry in reading.entries]
    opening = {0, *(place for place, mark in marks.items() if mark == ".")}
    small = opening.isdisjoint(capital) and all(kinds[place] == CONTENT for place in capital)  # names alone have one
    if not small and 2 * len(capital) <= len(kinds):
        marks = dict.fromkeys(_openers(reading, capital), _LISTED) | marks
        for place in capital:
            kinds[place] = "N" if kinds[place] == CONTENT else "Z"
    else:  # in a title, or in small letters throughout, what a sentence begins with tells nothing
        marks = {place: _LISTED if mark == "." else mark for place, mark in marks.items()}
    kinds.append("")
    for place, mark in marks.items():
        kinds[place] = mark + kinds[place]
    return "".join(kinds)


def _openers(reading: ResponseText, capital: list[int]) -> list[int]:
    """Where the lines of a list begin whose breaks were lost: a capital that opens one of them opens several ("To
    reduce tables To increase security")."""
    often = Counter([reading.entries[place].plain for place in capital])
    return [place for place in capital if place and often[reading.entries[place].plain] > 1]


# -- Word lists and shuffled words: capped and flagged, never taken for an answer, never zeroed.
#
# Three signs, each rare in honest answers: the model answer's own words in another order; long runs
# of content words without the small words that join them; kinds of words side by side as no sentence puts
# them ("the of", "is are").

MIN_WORDS: Final = 6
FEW_FUNCTION: Final = 0.12  # share of small words in a list of terms
SOME_FUNCTION: Final = 0.25
LONG_RUN: Final = 7  # content words in a row
VERY_LONG_RUN: Final = 10
TERM: Final = 4  # words of one term of a list
TERMS: Final = 5  # terms that commas part
COVERED: Final = 0.6  # share of the words that stand in them
_DIGITS: Final = "W"  # the class of numbers
COPIED: Final = 0.9  # share of a response's words that the model answer holds too
COPIED_LENGTH: Final = 0.7
BARE: Final = 0.7  # share of weighty words from which small ones no longer join them
BARE_WORDS: Final = 8  # weighty words from which their order is looked at in any case
KEPT_ORDER: Final = 0.45  # share of neighbours that are neighbours in the model answer


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Why a score is capped at the share `most` of what is possible."""

    flag: str
    most: Fraction
    because: str


_LIST: Final = Suspicion("word-list", Fraction(1, 2), "a list of terms that no sentence joins earns at most half")
_SALAD: Final = Suspicion("word-salad", Fraction(1, 2), "words in no order of a sentence earn at most half")
_PLAIN_SALAD: Final = Suspicion(
    "word-salad", Fraction(1, 4), "words in no order of a sentence at all earn at most a quarter"
)
_SHUFFLED: Final = Suspicion(
    "shuffled-model-answer", Fraction(1, 4), "the model answer's words in another order earn at most a quarter"
)


def suspect(reading: ResponseText, coverage: float | None) -> Suspicion | None:
    """The sign found, if any, in a response that earns something; `coverage` of the model answer's words."""
    entries = reading.entries
    count = len(entries)
    if count < 5:
        return None
    index = reading.index
    enough = COPIED_LENGTH * len(index.model_content_words)
    if coverage is not None and coverage > 0.5 and count >= enough and _shuffled(reading):
        return _SHUFFLED
    if count < MIN_WORDS or index.listing:
        return None
    classes = "".join([entry.order for entry in entries])
    small = count - classes.count(CONTENT)
    if small < SOME_FUNCTION * count and (small := small + _joined(reading)) < SOME_FUNCTION * count:
        longest = _longest_run(reading, classes)
        if (longest >= LONG_RUN and small < FEW_FUNCTION * count) or longest >= VERY_LONG_RUN:
            return _LIST
        if _comma_list(reading, classes):
            return _LIST
        if longest >= MIN_WORDS and longest >= 0.6 * count and small < FEW_FUNCTION * count:
            return _LIST
    how = disorder(reading)
    if how:
        return _SALAD if how == 1 else _PLAIN_SALAD
    return None


def _joined(reading: ResponseText) -> int:
    """Notes join their terms by signs and lines as sentences do by small words."""
    return len(reading.joints) + len([1 for _, cue, _ in reading.marks if cue in (COLON, BULLET, LINE)])


def _longest_run(reading: ResponseText, classes: str) -> int:
    """Content words in a row, broken by no mark and no small word."""
    stops = {place for place, _, _ in reading.marks}.union(reading.joints)
    longest = run = 0
    for place, letter in enumerate(classes):
        run = 0 if letter != CONTENT else 1 if place in stops else run + 1
        longest = max(longest, run)
    return longest


def _comma_list(reading: ResponseText, classes: str) -> bool:
    """Terms between commas, one after the other, that no small word and no other mark joins."""
    bounds = [0, *dict.fromkeys(place for place, _, _ in reading.marks), len(classes)]
    commas = {place for place, cue, _ in reading.marks if cue == COMMA}
    terms = words = 0
    for start, end in pairwise(bounds):
        term = 0 < end - start <= TERM and not classes[start:end].strip(CONTENT + _DIGITS)
        terms, words = (terms + 1, words + end - start) if term else (0, 0)
        if terms >= TERMS and words >= COVERED * len(classes):
            return True
        if end not in commas:
            terms = words = 0
    return False


def _shuffled(reading: ResponseText) -> bool:
    index = reading.index
    every = [entry.forms[0] for entry in reading.entries if entry.forms]
    known = index.model_set
    if len([1 for word in every if word in known]) < COPIED * len(every):
        return False
    content = [entry.forms[0] for entry in reading.entries if entry.forms and entry.order == CONTENT]
    if _out_of_order(every, index.model_words):
        return True
    # A short one with its small words is a sentence: "the wall parts A and B" for "A and B are parted by the wall".
    bare = len(content) >= BARE_WORDS or len(content) >= BARE * len(every)
    return bare and _out_of_order(content, index.model_content_words)


def _out_of_order(words: list[str], model: tuple[str, ...]) -> bool:
    """Nearly all words come from the model answer, but few neighbours do."""
    if len(words) < 5 or len(words) < COPIED_LENGTH * len(model):
        return False
    if sum((Counter(words) & Counter(model)).values()) < COPIED * len(words):
        return False
    pairs = set(pairwise(model))
    kept = sum(pair in pairs for pair in pairwise(words))
    return kept < KEPT_ORDER * (len(words) - 1)
