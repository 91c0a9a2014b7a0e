"""Guesses and other people's views: "maybe", "I guess", "either A or B", "some say that …"."""

from __future__ import annotations

from typing import Final

from quizgen.rubric.reading.match import Window
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.text.cues import AND, CONTRAST, EITHER, HEDGE, MIGHT, NOT, OR, VIEW

_GUESSERS: Final = frozenset(("i", "just", "a", "am", "my", "i'm", "im"))
# Who holds a view that the candidate then turns from.
_HOLDERS: Final = frozenset(
    ("some", "many", "most", "people", "one", "others", "they", "often", "commonly", "you", "first", "initially",
     "originally", "previously", "everyone", "everybody", "to", "had")
)  # fmt: skip
_FORMER: Final = frozenset(("thought", "believed", "assumed", "expected", "suspected", "said", "claimed"))
_RECALL: Final = frozenset(("know", "remember", "recall"))
# What a hedge is about begins with these: "maybe with fewer nodes".
_OPENING: Final = frozenset(("with", "without", "by", "for", "in", "at", "on", "to", "from", "some", "a", "an", "also"))
_REACH: Final = 6  # words ahead of a hedge, where an "and" stands between
_TURN: Final = frozenset(("actually", "fact", "reality", "truth"))


def find_hedge(reading: TextReading, window: Window, near: list[tuple[int, int]], start: int) -> tuple[int, int] | None:
    """The words that make a claim a guess, if any; `near` are the cues of its sentence, which begins at `start`."""
    clause_start, clause_end = reading.clause_bounds(window.first)
    clause_end = max(clause_end, reading.clause_bounds(window.last)[1])
    for place, cue in near:
        word = reading.plain(place)
        if cue == HEDGE:
            if word in ("guess", "suppose", "guessing") and reading.plain(place - 1) not in _GUESSERS:
                continue
            if place > window.last and _of_the_next(reading, window, place):
                continue
            if window.first - place > _REACH and any(c == AND for _, c in reading.cues_in(place, window.first)):
                continue
            if clause_start <= place < clause_end or (place < window.first and place - start <= 1):
                return place, place
        elif cue == NOT:
            following = reading.plain(place + 1)
            if place > window.last and following in _RECALL and _has_object(reading, place + 2):
                continue  # "X, I don't remember the rest"
            if following in ("sure", "certain", "confident", "positive") or (
                (following in _RECALL and reading.plain(place - 1) in ("i", "do", "really"))
                or (word in ("don't", "dont", "can't", "cant") and following in _RECALL)
            ):
                return place, place + 1
        elif cue == EITHER and clause_start <= place <= window.last:
            other = next((p for p, c in reading.cues_in(place, clause_end + 1) if c == OR), None)
            # "either the parameters or the gradients" is a guess; "either to extend it or to …" is a list.
            nouns = reading.plain(place + 1) not in ("to", "by", "for", "in", "through", "with", "when", "if")
            if other is None or not nouns or other - place > 6 or window.last >= other + 4:
                continue
            if window.last < other or not any(place <= h[0] < other for h in window.hits):
                return place, other
        elif cue == MIGHT and max(clause_start, window.first - 4) <= place < window.last:
            spoken_of = word == "might" or reading.plain(place - 1) in ("it", "that", "this", "answer")
            if spoken_of and reading.plain(place + 1) in ("be", "have"):
                return place, place
        elif cue == VIEW and place < window.first and _former_view(reading, window, place):
            return place, place
    return None


def _has_object(reading: TextReading, place: int) -> bool:
    """What is not known is named: "… the heap", not "… for sure" or nothing."""
    return place < reading.clause_bounds(place - 1)[1] and reading.plain(place) in _NAMING


_NAMING: Final = frozenset(("the", "a", "an", "what", "how", "about", "any", "more", "anything", "much", "other", "of"))


def _of_the_next(reading: TextReading, window: Window, place: int) -> bool:
    """ "X, and maybe Y": the hedge opens what is said next and leaves X alone."""
    if any(cue == AND and reading.mark_before(p) for p, cue in reading.cues_in(window.last + 1, place)):
        return True
    if reading.plain(place + 1) in _OPENING and not reading.mark_before(place + 1):
        return True  # "it restarts maybe with fewer nodes"
    first = place
    while first > window.last + 1 and reading.plain(first - 1) in _GUESSERS:
        first -= 1
    return any(p == first - 1 and cue == AND for p, cue in reading.cues_in(window.last + 1, place)) and (
        place + 1 < reading.clause_bounds(place)[1]
    )


def _former_view(reading: TextReading, window: Window, place: int) -> bool:
    """ "Some believe X, but Y", "I first thought of X; in fact Y": a view the candidate turns from."""
    before = [reading.plain(i) for i in range(max(0, place - 3), place)]
    if not (any(w in _HOLDERS for w in before) or (reading.plain(place) in _FORMER and "i" in before)):
        return False
    end = reading.sentence_bounds(window.last)[1]
    if end < len(reading.entries):
        end = min(reading.sentence_bounds(end)[1], end + 3)
    return any(cue == CONTRAST for _, cue in reading.cues_in(window.last + 1, end)) or any(
        reading.plain(i) in _TURN for i in range(window.last + 1, min(end, window.last + 40))
    )
