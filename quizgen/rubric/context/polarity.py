"""Does the candidate assert, deny or doubt what a window says?

Scopes are narrow on purpose: on scored answers a negator far from the claim is mostly about
something else. A cue counts only inside the clause of the claim, directly before it, between its
words, or directly after it; pseudo-negations ("not only", "no longer than") never count.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from quizgen.rubric.context.conditions import apart, of_a_case, premised, required
from quizgen.rubric.context.hedges import find_hedge
from quizgen.rubric.context.scopes import excused, negates, weight
from quizgen.rubric.reading.match import Window
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.rubric import NEGATED
from quizgen.rubric.text.cues import AND, DENIES, FALSE, INSTEAD, NOT, OR
from quizgen.rubric.text.lexicon import COLON, LIGHT, NEGATORS, QUERY, RELATIVES, STIRRING, words

ASSERTED: Final = "asserted"
DENIED: Final = "denied"
HEDGED: Final = "hedged"

_SIGHT: Final = 60  # words of one sentence that are looked at on each side of a claim


class Stance(NamedTuple):
    """How a claim is put. `cue` is the word that decides (words first..last); a guess without one is a question."""

    kind: str
    cue: tuple[int, int] | None = None


PLAIN: Final = Stance(ASSERTED)


def denied_as_a_whole(reading: TextReading, window: Window) -> bool:
    """ "It is not true that there is no X": even a phrase that names its negator can be called false."""
    start, end = reading.sentence_bounds(window.first)
    for place, cue in reading.cues_in(max(start, window.first - 12), window.first):
        if cue == DENIES and negates(reading, window, [window.first], place, cue):
            return True
    after = [pair for pair in reading.cues_in(window.last + 1, end + 8) if pair[1] in (NOT, FALSE)]
    return _false_next(reading, window, after) is not None


def stance(reading: TextReading, window: Window) -> Stance:
    """The stance of a window; plain assertion where the response holds no cue at all."""
    if not reading.told.stirred and not reading.asks:
        return PLAIN
    start, end = reading.sentence_bounds(window.first)
    if window.last >= end:
        end = reading.sentence_bounds(window.last)[1]
    if end - start > _SIGHT:
        start, end = max(start, window.first - _SIGHT), min(end, window.last + _SIGHT)
    near = [pair for pair in reading.cues_in(start, end) if pair[1] in STIRRING]
    after = [pair for pair in reading.cues_in(window.last + 1, end + 8) if pair[1] in (NOT, FALSE)]
    if not near and not after:
        return _asked(reading, window, end)
    negations: list[tuple[int, int]] = []
    matched = sorted({h[0] for h in window.hits})
    conditional: int | None = None
    for place, cue in near:
        if _inside(window, place) or excused(reading, window, matched, place):
            continue
        if cue == DENIES and any(place < m <= reading.told.ends[place] for m in matched):
            cue = NOT  # "it does not follow that X", where "follows" is asked for
        if cue in NEGATORS or cue == DENIES:
            if cue != DENIES:
                if conditional is None:
                    conditional = required(reading, start, end)
                covered = conditional >= 0 and not apart(reading, conditional, place, start)
                if covered or of_a_case(reading, window, place) or premised(reading, place, cue, window.first):
                    continue
            if negates(reading, window, matched, place, cue):
                negations.append((place, place))
        elif cue == INSTEAD:
            if _instead(reading, window, matched, place):
                negations.append((place, place))
        elif cue == FALSE and _false(reading, window, place):
            negations.append((place, place))
    verdict = _false_next(reading, window, after) if after else None
    if verdict is not None:
        negations.append((verdict, verdict))
    decisive = _odd(reading, negations)
    wants_denial = window.probe >= 0 and reading.index.probes[window.probe].polarity == NEGATED
    if decisive is not None and not wants_denial:
        return Stance(DENIED, decisive)
    hedge = find_hedge(reading, window, near, start)
    if wants_denial and (decisive is None or hedge is None):
        if decisive is not None:
            return Stance(DENIED, decisive)
        asked = _asked(reading, window, end)
        return asked if asked.kind == DENIED else PLAIN
    if hedge is not None:
        return Stance(HEDGED, hedge)
    return _asked(reading, window, end)


def _odd(reading: TextReading, negations: list[tuple[int, int]]) -> tuple[int, int] | None:
    """The first denial that no other one of its own clause takes back."""
    if len(negations) < 2:
        return negations[0] if negations else None
    clauses: dict[int, list[tuple[int, int]]] = {}
    for cue in negations:
        clauses.setdefault(reading.clause_bounds(cue[0])[0], []).append(cue)
    return next((cues[0] for cues in clauses.values() if _stacked(reading, cues) % 2), None)


def _stacked(reading: TextReading, cues: list[tuple[int, int]]) -> int:
    """How many negators of a clause act on one another: "not A and not B", "neither A nor B" deny once each."""
    count = 1
    for (before, _), (place, _) in pairwise(cues):
        joined = reading.plain(place) == "nor" or reading.comma_between(before, place)
        if not joined and not any(cue in (AND, OR) for _, cue in reading.cues_in(before, place)):
            count += 1
    return count


def _asked(reading: TextReading, window: Window, end: int) -> Stance:
    """A claim with a question mark after it is only a guess, unless the question is a quoted one."""
    if not reading.mark_before(end, QUERY):
        return PLAIN
    answered = reading.entries[end].plain if end < len(reading.entries) else ""
    brief = answered in ("no", "not", "never") and reading.sentence_bounds(end)[1] - end <= 4
    if brief or (answered in ("no", "yes") and reading.mark_before(end + 1)):
        # "Can it shrink the batch? No, …", "Secret? Not needed.": one's own question, answered.
        return PLAIN if answered == "yes" else Stance(DENIED, (end, end))
    if end < len(reading.entries) and reading.plain(reading.sentence_bounds(window.first)[0]) in _WH:
        return PLAIN  # "Which copy was it for? Nobody knows."
    if any(cue == COLON and window.first < place < end for place, cue, _ in reading.marks):
        return PLAIN  # "It is ambiguous: is it for the first?"
    after = reading.marks_after(end - 1)
    return PLAIN if any(c in after for c in "\"')") else Stance(HEDGED)


_WH: Final = frozenset(words("which what who whose when where why how"))


def _inside(window: Window, place: int) -> bool:
    """The cue belongs to the matched words themselves."""
    return any([first <= place <= last for first, last, _, _ in window.hits])


def _instead(reading: TextReading, window: Window, matched: list[int], place: int) -> bool:
    """ "instead of X", "rather than X", "unlike X": X is denied if the claim stands right there."""
    following = reading.plain(place + 1)
    word = reading.plain(place)
    if word in ("instead", "rather"):
        if following not in ("of", "than"):
            return False
        head = place + 2
    else:
        head = place + 1
    ahead = [m for m in matched if m >= head]
    if not ahead or weight(reading, head, ahead[0]) > 1 or reading.comma_between(head, ahead[0]):
        return False
    if word == "unlike" and any(reading.plain(p) in RELATIVES for p in range(ahead[0] + 1, window.last)):
        return False  # "unlike UDP, which is connectionless" says so of UDP
    if reading.comma_between(ahead[0], ahead[-1]):
        return False  # "instead of keeping X, it drops them": the comma ends what is replaced
    # Only the whole claim, or its last part, is replaced; "X instead of Y" with both slots is one claim.
    return ahead[0] == matched[0] or word in ("instead", "rather")


def _false(reading: TextReading, window: Window, place: int) -> bool:
    """ "It is wrong that X", "X is false"."""
    if place < window.first:
        return reading.plain(place) in ("incorrectly", "wrongly", "mistaken") and window.first - place <= 4
    if place > window.last:
        between = [reading.plain(i) for i in range(window.last + 1, place)]
        if all(w in LIGHT or w in ("which", "but", "claim", "idea", "statement", "a", "not") for w in between) and any(
            w in ("is", "are", "was", "were", "be", "would", "s") for w in between
        ):
            return not _negated_false(reading, place)
    return False


def _negated_false(reading: TextReading, place: int) -> bool:
    return any(reading.plain(i) in ("not", "isn't", "isnt", "never") for i in range(place - 3, place))


def _false_next(reading: TextReading, window: Window, after: list[tuple[int, int]]) -> int | None:
    """ "X. That is wrong." / "Some say X, but this is not true.": the verdict word, if any."""
    last = reading.sentence_bounds(window.last)[1]
    stop = min(reading.sentence_bounds(last)[1], last + 8) if last < len(reading.entries) else last
    for place, cue in after:
        if place >= stop:
            break
        if place in reading.told.excused:
            continue  # "It is often mistaken for a disk"
        positive = cue == NOT and reading.plain(place + 1) in ("true", "correct", "right", "so", "accurate")
        if not (positive or (cue == FALSE and not _negated_false(reading, place))):
            continue
        before = [reading.plain(i) for i in range(max(window.last + 1, place - 4), place)]
        turn = any(reading.plain(i) in ("but", "which", "however") for i in range(window.last + 1, place))
        # "That is wrong"; but "one gets it wrong by …" says nothing of what stands before.
        said_of = any(w in ("this", "that", "which", "it", "they", "those") for w in before)
        verdict = positive or any(w in ("is", "are", "was", "were", "be", "isn't", "sounds") for w in before)
        if (place >= last or turn) and ((said_of and verdict) or any(w in ("that's", "it's") for w in before)):
            return place
    return None
