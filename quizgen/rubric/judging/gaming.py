"""Word lists and shuffled words: capped and flagged, never taken for an answer, never zeroed.

Three signs, each rare in honest answers: the model answer's own words in another order; long runs
of content words without the small words that join them; kinds of words side by side as no sentence puts
them ("the of", "is are").
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from quizgen.rubric.judging.word_order import disorder
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.text.lexicon import BULLET, COLON, COMMA, CONTENT, LINE

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


def suspect(reading: TextReading, coverage: float | None) -> Suspicion | None:
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


def _joined(reading: TextReading) -> int:
    """Notes join their terms by signs and lines as sentences do by small words."""
    return len(reading.joints) + len([1 for _, cue, _ in reading.marks if cue in (COLON, BULLET, LINE)])


def _longest_run(reading: TextReading, classes: str) -> int:
    """Content words in a row, broken by no mark and no small word."""
    stops = {place for place, _, _ in reading.marks}.union(reading.joints)
    longest = run = 0
    for place, letter in enumerate(classes):
        run = 0 if letter != CONTENT else 1 if place in stops else run + 1
        longest = max(longest, run)
    return longest


def _comma_list(reading: TextReading, classes: str) -> bool:
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


def _shuffled(reading: TextReading) -> bool:
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


def _out_of_order(said: list[str], model: tuple[str, ...]) -> bool:
    """Nearly all words come from the model answer, but few neighbours do."""
    if len(said) < 5 or len(said) < COPIED_LENGTH * len(model):
        return False
    if sum((Counter(said) & Counter(model)).values()) < COPIED * len(said):
        return False
    pairs = set(pairwise(model))
    kept = sum(pair in pairs for pair in pairwise(said))
    return kept < KEPT_ORDER * (len(said) - 1)
