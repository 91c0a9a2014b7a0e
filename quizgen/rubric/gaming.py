"""Word lists and shuffled words: capped and flagged, never taken for an answer, never zeroed.

Three signs, each rare in honest answers: the model answer's own words in another order; long runs
of content words without the small words that join them; small words side by side that no English
sentence puts side by side ("the of", "is are"). On 3,900 scored answers of two public sets they flag
0.6 %, on shuffled references 88 %.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from quizgen.rubric.lexicon import BULLET, COLON, CONTENT, LINE

if TYPE_CHECKING:
    from quizgen.rubric.reading import Reading

MIN_WORDS: Final = 6
MIN_SENTENCE: Final = 8  # words from which ungrammatical pairs count
FEW_FUNCTION: Final = 0.12  # share of small words in a list of terms
SOME_FUNCTION: Final = 0.25
LONG_RUN: Final = 7  # content words in a row
VERY_LONG_RUN: Final = 10
ODD_SHARE: Final = 0.04  # impossible pairs for each word
ONE_ODD: Final = 12  # words up to which a single impossible pair counts: a slip in a long answer is a slip
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
_SHUFFLED: Final = Suspicion(
    "shuffled-model-answer", Fraction(1, 4), "the model answer's words in another order earn at most a quarter"
)

# D determiner, P preposition, T "to", F is/are/was/were, A other auxiliary, M modal, C and/or/but,
# S subject pronoun, W other small word.
_ODD: Final = re.compile("D(?=[DPTFAMCSI])|I(?=[DI])|P(?=[FM])|T(?=[FR])|R(?=[FMPT])|M(?=[FMRDI])|F(?=[FAM])|C(?=C)")


def suspect(reading: Reading, coverage: float | None) -> Suspicion | None:
    """The sign found, if any, in a response that earns something; `coverage` of the model answer's words."""
    entries = reading.entries
    count = len(entries)
    if count < 5:
        return None
    index = reading.index
    if coverage is not None and coverage > 0.5 and count >= COPIED_LENGTH * index.model_content and _shuffled(reading):
        return _SHUFFLED
    if count < MIN_WORDS:
        return None
    classes = "".join([entry.order for entry in entries])
    small = count - classes.count(CONTENT)
    if small < SOME_FUNCTION * count and (small := small + _joined(reading)) < SOME_FUNCTION * count:
        longest = _longest_run(reading, classes)
        if (longest >= LONG_RUN and small < FEW_FUNCTION * count) or longest >= VERY_LONG_RUN:
            return _LIST
        if longest >= MIN_WORDS and longest >= 0.6 * count and small < FEW_FUNCTION * count:
            return _LIST
    if count >= MIN_SENTENCE:
        odd = 0
        for match in _ODD.finditer(classes):
            place = match.start() + 1
            named = _is_name(reading, place - 1) or _is_name(reading, place)
            if (
                not named
                and not reading.mark_before(place)
                and not (classes[place - 1] == "C" and _both(reading, place))
            ):
                odd += 1
        if odd >= ODD_SHARE * count and (odd > 1 or (odd and count <= ONE_ODD)):
            return _SALAD
    return None


def _is_name(reading: Reading, place: int) -> bool:
    """ "Each IS is told": capitals in the midst of small letters are a name, not a small word."""
    word = reading.original(place, place)
    return len(word) > 1 and word.isupper() and not reading.folded.original.isupper()


def _joined(reading: Reading) -> int:
    """Notes join their terms by signs and lines as sentences do by small words."""
    return len(reading.joints) + len([1 for _, cue, _ in reading.marks if cue in (COLON, BULLET, LINE)])


def _both(reading: Reading, place: int) -> bool:
    """ "and/or" is no oddity."""
    return {reading.entries[place - 1].plain, reading.entries[place].plain} == {"and", "or"}


def _longest_run(reading: Reading, classes: str) -> int:
    """Content words in a row, broken by no mark and no small word."""
    stops = {place for place, _, _ in reading.marks}.union(reading.joints)
    longest = run = 0
    for place, letter in enumerate(classes):
        run = 0 if letter != CONTENT else 1 if place in stops else run + 1
        longest = max(longest, run)
    return longest


def _shuffled(reading: Reading) -> bool:
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
