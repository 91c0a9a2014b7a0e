"""Which way a comparison runs: "NVLink is faster than InfiniBand" and its mirror image."""

from __future__ import annotations

from typing import Final

from quizgen.rubric.pattern.index import INVERSE_FLAG, Probe
from quizgen.rubric.reading.match import Window
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.text.cues import THAN
from quizgen.rubric.text.lexicon import ORDER, PRONOUNS, words

MIRRORED: Final = "mirrored"  # the opposite word stands there, and of what it is said is open
_FOILS: Final = frozenset(("compared", "comparison", "relative", "unlike", "versus", "vs", "contrast"))
# What follows one of these is no longer what "than" compares with.
_MOVING: Final = frozenset(words("to onto into go goes lie lies are is was were has have had stand stands and or"))
_OWNING: Final = frozenset(words("its their his her this that these those"))


def wrong_direction(reading: TextReading, probe: Probe, window: Window) -> str | None:
    """Why a comparison runs the other way than the phrase has it, or None.

    The phrase's slots before its comparative are what has more of it. A mirrored comparative
    (slower for faster) is right exactly when the sides are exchanged too.
    """
    slot = probe.comparative
    word = window.hits[slot][0]
    than = _than(reading, word)
    mirrored = bool(window.hits[slot][3] & INVERSE_FLAG)
    subjects = [window.hits[i][0] for i in range(slot) if window.hits[i][0] != word]
    objects = [window.hits[i][0] for i in range(slot + 1, probe.size) if window.hits[i][0] != word]
    if not mirrored and objects and _mirror_nearer(reading, window, slot, objects[0]):
        return _other_way(reading, window.first, window.last)
    if than is None:
        # "Compared with X, Y is faster": X is what Y is faster than.
        swapped = any(_is_foil(reading, s) for s in subjects) and not any(_is_foil(reading, o) for o in objects)
        if mirrored and not slot and window.last - window.first <= 2:
            return _other_way(reading, window.first, window.last)  # "fewer micro-batches" for more of them
        if mirrored:
            return None if swapped else MIRRORED
        return _other_way(reading, window.first, window.last) if swapped else None
    clause_end = reading.clause_bounds(than)[1]
    beyond = [s for s in subjects if than < s < clause_end and _compared_with(reading, than, s)]
    # An attribute may follow its comparative (higher bandwidth than), or stand on both sides ("making A is
    # cheaper than making B"); what follows "than" alone is the other side.
    start = reading.clause_bounds(word)[0]
    before = {at for first, _, at, _ in reading.hits[window.probe] if start <= first < than}
    opposite = [window.hits[i][0] for i in range(slot + 1, probe.size) if i not in before]
    opposite = [o for o in opposite if than < o < clause_end]
    swapped = bool(beyond) and (not opposite or (than == word and min(beyond) < min(opposite)))
    if mirrored and swapped:
        return None
    if swapped or (mirrored and objects and subjects and max(subjects) < than < min(objects)):
        return _other_way(reading, min(word, window.first), max(window.last, than))
    return MIRRORED if mirrored else None


def by_than(reading: TextReading, probe: Probe, window: Window) -> bool:
    """Both sides of the window's comparison stand around a "than", which then says who has more."""
    word = window.hits[probe.comparative][0]
    than = _than(reading, word)
    if than is None:
        return False
    subjects = [window.hits[i][0] for i in range(probe.comparative)]
    return all(s < word or (s > than and _compared_with(reading, than, s)) for s in subjects)


def _compared_with(reading: TextReading, than: int, place: int) -> bool:
    """The word is what "than" compares with: "larger than its left child", not "larger than it go left"."""
    between = [reading.entries[p].plain for p in range(than + 1, place)]
    return not any(w in _MOVING or w in PRONOUNS - _OWNING for w in between) and not reading.comma_between(than, place)


def _mirror_nearer(reading: TextReading, window: Window, slot: int, thing: int) -> bool:
    """ "A narrower range but more precision": of the range it says "narrower", whatever is more."""
    mirrors = [h[0] for h in reading.hits[window.probe] if h[3] & INVERSE_FLAG and h[2] == slot]
    if not mirrors:
        return False
    start, end = reading.clause_bounds(thing)
    word = window.hits[slot][0]
    if start <= word < end and not reading.comma_between(min(word, thing), max(word, thing)):
        return False
    return any(start <= m < end and not reading.comma_between(min(m, thing), max(m, thing)) for m in mirrors)


def _other_way(reading: TextReading, first: int, last: int) -> str:
    return f'"{reading.original(first, last)}" compares the other way round'


def _is_foil(reading: TextReading, place: int) -> bool:
    """What something else is compared with: "compared to X", "unlike X"."""
    near = range(max(0, place - 3), place)
    return any(reading.entries[p].plain in _FOILS and not reading.comma_between(p, place) for p in near)


def compared(reading: TextReading) -> bool:
    """The response says "than" somewhere: then comparatives are judged by their two sides."""
    return any(cue == THAN for _, cue in reading.cues)


def _than(reading: TextReading, word: int) -> int | None:
    if reading.entries[word].cue == THAN or reading.entries[word].plain in ORDER:
        return word  # "left < right", "the log before the page"
    for place, cue in reading.cues_in(word + 1, word + 12):
        if cue == THAN:
            return place if place < reading.clause_bounds(word)[1] else None
    return None
