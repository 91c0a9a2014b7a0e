"""How far a negator reaches: narrow scopes, and the words that look like denials and are none.

On scored answers a negator far from the claim is mostly about something else, so it reaches over a
few weighty words of its own clause only.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from quizgen.rubric.reading.match import Window
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.text.cues import AND, CONTRAST, DENIES, JOIN, LACK, NO, WITHOUT
from quizgen.rubric.text.lexicon import (
    COLON,
    COMMA,
    GENERIC,
    LIGHT,
    PRONOUNS,
    RELATIVES,
    REPORTING,
    words,
)

REACH: Final = 3  # weighty words between a negator and the claim


def negates(reading: TextReading, window: Window, matched: list[int], place: int, cue: int) -> bool:
    """The negator denies the claim."""
    if cue == DENIES:
        return window.first > reading.told.ends[place] and not _ended(reading, reading.told.ends[place], window.first)
    if place < window.last and any(reading.plain(p) == "until" for p in range(place + 1, window.last + 1)):
        return False  # "nothing is copied until it is written": then it is
    start, end = reading.clause_bounds(place)
    if end == place + 1 and reading.plain(end) == "because":
        end = reading.clause_bounds(end)[1]  # "not because of X" denies that it is because of X
    if window.first < place < window.last:
        ahead = [m for m in matched if m > place]
        if reading.plain(end) in _CASES and not reading.mark_before(end):
            end = reading.clause_bounds(end)[1]  # "does not write when a line is evicted"
        if not ahead or ahead[0] >= end or reading.comma_between(place, ahead[0]):
            return False
        beyond = next((m for m in ahead if m > end), -1) if reading.plain(end) == "but" else -1
        if beyond > 0 and not weight(reading, end + 1, beyond):
            return False  # "never after the data but before it"
        if _reports(reading, place, ahead[0]) or _new_subject(reading, place, ahead[0]):
            return False
        if _other_predicate(reading, place, ahead[0]):
            return False
        return weight(reading, place + 1, ahead[0]) <= (2 if cue in (NO, WITHOUT) else 5)
    if place < window.first:
        if window.first >= end:
            return False
        if reading.comma_between(place, window.first) or _reports(reading, place, window.first):
            return False
        if _new_subject(reading, place, window.first):
            return False
        if _goes_on(reading, matched, place, end) or _other_predicate(reading, place, window.first):
            return False
        distance = weight(reading, place + 1, window.first)
        if _and_between(reading, place, window.first) and distance > 0:
            return False
        return distance <= (2 if cue in (NO, WITHOUT) else REACH)
    if (
        place == window.last + 1
        and reading.mark_before(place, COLON)
        and (cue == LACK or place + 1 == len(reading.entries) or reading.mark_before(place + 1))
    ):
        return True  # "false negatives: none"
    if place - window.last <= 2 and reading.plain(place) == "no" and reading.plain(place + 1) in _ANSWERS:
        return True  # spoken: "can it shrink the batch no it multiplies"
    # After the claim: "... is not needed", "... does not happen", "... is impossible".
    if window.last < start or reading.comma_between(window.last, place):
        return False
    between = [reading.plain(i) for i in range(window.last + 1, place)]
    if cue in (WITHOUT, NO) or any(w not in LIGHT or w in PRONOUNS for w in between):
        return False
    following = place + 1
    while reading.plain(following) in LIGHT and following < end:
        following += 1
    return following >= end or reading.plain(following) in GENERIC


def excused(reading: TextReading, window: Window, matched: list[int], place: int) -> bool:
    """A turn of words takes its meaning from the cue, and the claim takes no word of that turn: "does not
    prevent" denies where preventing is asked for."""
    last, ahead = reading.told.excused.get(place, (-1, False))
    return last >= 0 and not (any(place < m <= last for m in matched) or (ahead and window.first < place))


def _ended(reading: TextReading, place: int, first: int) -> bool:
    """A turn such as "but" or a reason stands between a denial of the whole and the claim."""
    return any(
        cue == CONTRAST or (cue == JOIN and reading.plain(p) in REASONS and reading.plain(p + 1) != "that")
        for p, cue in reading.cues_in(place + 1, first)
    )


def _goes_on(reading: TextReading, matched: list[int], negator: int, end: int) -> bool:
    """ "We do not keep X, we drop them": the claim is made in a clause of its own after the denied one.
    "It does not save X, it costs Y" denies a word of the claim, and "not the same when Z" all of it."""
    if not weight(reading, negator + 1, matched[0]) and reading.plain(end) not in REASONS:
        return False
    for before, place in pairwise(matched):
        if before < end <= place and reading.plain(end) not in RELATIVES and reading.plain(end) not in _CASES:
            return True
        comma = next((p for p in range(before + 1, place + 1) if reading.mark_before(p, COMMA)), -1)
        if comma >= 0 and reading.plain(comma) in _SUBJECTS:
            return True
    return False


def _new_subject(reading: TextReading, place: int, first: int) -> bool:
    """ "It is not changed as only a copy is passed"."""
    return any(reading.plain(p) == "as" and reading.plain(p + 1) in _REASONING for p in range(place + 2, first))


def _other_predicate(reading: TextReading, place: int, first: int) -> bool:
    """ "Commits that had not been shipped are lost", "versions nobody sees must go": the negator belongs to a clause
    about the subject, and the claim is made by a verb of its own."""
    before, word = reading.plain(place - 1), reading.plain(place)
    verbal = before in _VERBS or before in RELATIVES or "'" in word
    if not verbal and (word != "nobody" or place == reading.clause_bounds(place)[0]):
        return False
    end = next((p for p, cue in reading.cues_in(place + 1, first) if cue == JOIN), first)
    return any(
        reading.plain(p) in _FINITE and reading.plain(p - 1) not in _NO_PARTICIPLES and weight(reading, place + 1, p)
        for p in range(place + 2, end + 1)
    )


_VERBS: Final = frozenset(words("is are was were has have had do does did can could will would should may might must"))
_FINITE: Final = frozenset(words("is are was were must will can should would may might"))
_NO_PARTICIPLES: Final = frozenset(words("that which what it they this there and or as than"))
# Words that open a case under which the clause before them holds.
_CASES: Final = frozenset(("when", "whenever", "if", "where"))
_ANSWERS: Final = frozenset(("it", "they", "that", "this", "we", "you"))
_REASONING: Final = frozenset(("only", "it", "they", "there", "we", "you", "this"))
_SUBJECTS: Final = PRONOUNS - RELATIVES - {"that"} | {"i", "we", "you", "one", "as", "so"}
REASONS: Final = frozenset(("because", "since", "so", "therefore", "thus", "hence"))


def _reports(reading: TextReading, first: int, last: int) -> bool:
    """A reporting verb directly after the negator: what is left unsaid is not denied."""
    return any(reading.plain(i) in REPORTING for i in range(first + 1, min(last, first + 4)))


def weight(reading: TextReading, first: int, last: int) -> int:
    """Words between that could carry the negation away: light verbs, articles and the like are not counted."""
    return sum(1 for i in range(first, last) if reading.entries[i].plain not in LIGHT)


def _and_between(reading: TextReading, first: int, last: int) -> bool:
    return any(first < place < last and cue == AND for place, cue in reading.cues)
