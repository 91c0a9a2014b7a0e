"""What an answer says of a case: "without X there is no Y", "if no reply comes, …"."""

from __future__ import annotations

from typing import Final

from quizgen.rubric.context.scopes import weight
from quizgen.rubric.reading.match import Window
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.text.cues import AND, JOIN, NO, WITHOUT
from quizgen.rubric.text.lexicon import ARTICLES, NEGATORS, PRONOUNS

_CONDITIONS: Final = frozenset(("if", "when", "whenever", "unless", "otherwise"))
# Words that open what is said of a case: its subject begins with them.
_OPENING: Final = ARTICLES | PRONOUNS | {"there", "each", "every", "all", "we", "you", "one", "our", "your"}


def required(reading: TextReading, start: int, end: int) -> int:
    """ "Without X there is no Y" says that Y needs X: the two negators cancel. The place of the first, or -1."""
    condition = -1
    negators = 0
    for place, cue in reading.cues_in(start, end):
        if cue == JOIN and condition < 0 and reading.plain(place) == "unless":
            condition = place
        elif cue == JOIN and condition < 0 and reading.plain(place) == "if":
            condition = place
            negators -= 1  # "if X does not …, Y does not …": it takes two
        elif cue in NEGATORS:
            if cue == WITHOUT and condition < 0:
                condition = place
            else:
                negators += 1
    return condition if negators >= 1 else -1


def apart(reading: TextReading, condition: int, place: int, start: int) -> bool:
    """ "It does not go on without X, and it is never Y": a statement of its own that the condition does not cover."""
    first, last = min(condition, place), max(condition, place)
    joined = next((p for p, cue in reading.cues_in(first + 1, last) if cue == AND and reading.mark_before(p)), None)
    if joined is None:
        return False
    # One that opens the sentence covers what is said of it first: "if A, then not B, and C is not so either".
    return condition - start > 1 or any(cue in NEGATORS for _, cue in reading.cues_in(first + 1, joined))


def of_a_case(reading: TextReading, window: Window, place: int) -> bool:
    """ "If no reply comes, the frame is sent again": a case that is spoken of, not a denial of the whole."""
    start, end = reading.clause_bounds(place)
    if window.first < start and any(place < h[0] < end for h in window.hits):
        return False  # "fast when the pages are not marked", where marked pages are asked for
    if reading.plain(start) == "otherwise" and place > start:
        return True  # "it has to be locked, otherwise the count is not right"
    if reading.plain(start) not in _CONDITIONS or reading.comma_between(start + 1, place):
        return False
    # "If it comes late the packet is not dropped since …": the negator stands inside the claim itself.
    beyond = window.last >= end and not start < window.first < place
    return window.first < start or beyond or reading.comma_between(place, window.last)


def premised(reading: TextReading, place: int, cue: int, first: int) -> bool:
    """ "Without a cache the lookup is slow": what opens the clause is a case; the claim says what follows."""
    with_no = cue == NO and reading.plain(place - 1) == "with"
    if not (with_no or cue == WITHOUT) or reading.clause_bounds(place)[0] != place - with_no:
        return False
    named = reading.plain(place + 1) in PRONOUNS
    return any(
        reading.plain(p) in _OPENING and (named or weight(reading, place + 1, p)) for p in range(place + 2, first + 1)
    )
