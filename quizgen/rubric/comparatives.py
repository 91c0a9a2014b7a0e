"""Which way a comparison runs: "NVLink is faster than InfiniBand" and its mirror image."""

from __future__ import annotations

from typing import Final

from quizgen.rubric.index import INVERSE_FLAG, Probe
from quizgen.rubric.lexicon import THAN
from quizgen.rubric.match import Window
from quizgen.rubric.reading import Reading

_FOILS: Final = frozenset(("compared", "comparison", "relative", "unlike", "versus", "vs", "contrast"))


def wrong_direction(reading: Reading, probe: Probe, window: Window) -> str | None:
    """Why a comparison runs the other way than the phrase has it, or None.

    The phrase's slots before its comparative are what has more of it. A mirrored comparative
    (slower for faster) is right exactly when the sides are exchanged too.
    """
    slot = probe.comparative
    word = window.hits[slot][0]
    than = _than(reading, word)
    mirrored = window.inverse
    subjects = [window.hits[i][0] for i in range(slot) if window.hits[i][0] != word]
    objects = [window.hits[i][0] for i in range(slot + 1, probe.size) if window.hits[i][0] != word]
    if not mirrored and objects and _mirror_nearer(reading, window, slot, objects[0]):
        return _other_way(reading, window.first, window.last)
    if than is None:
        # "Compared with X, Y is faster": X is what Y is faster than.
        swapped = any(_is_foil(reading, s) for s in subjects) and not any(_is_foil(reading, o) for o in objects)
        if mirrored:
            return None if swapped else "mirrored"
        return _other_way(reading, window.first, window.last) if swapped else None
    clause_end = reading.clause_bounds(than)[1]
    beyond = [s for s in subjects if than < s < clause_end]
    # An attribute may follow its comparative (higher bandwidth than); what follows "than" is the other side.
    opposite = [o for o in objects if than < o < clause_end]
    swapped = bool(beyond) and not opposite
    if mirrored:
        return None if swapped else "mirrored"
    if swapped:
        return _other_way(reading, min(word, window.first), max(window.last, than))
    return None


def _mirror_nearer(reading: Reading, window: Window, slot: int, thing: int) -> bool:
    """ "A narrower range but more precision": of the range it says "narrower", whatever is more."""
    start, end = reading.clause_bounds(thing)
    if start <= window.hits[slot][0] < end:
        return False
    return any(
        at == slot and flags & INVERSE_FLAG and start <= first < end
        for first, _, at, flags in reading.hits[window.probe]
    )


def _other_way(reading: Reading, first: int, last: int) -> str:
    return f'"{reading.original(first, last)}" compares the other way round'


def _is_foil(reading: Reading, place: int) -> bool:
    """What something else is compared with: "compared to X", "unlike X"."""
    near = range(max(0, place - 3), place)
    return any(reading.entries[p].plain in _FOILS and not reading.comma_between(p, place) for p in near)


def compared(reading: Reading) -> bool:
    """The response says "than" somewhere: then comparatives are judged by their two sides."""
    return any(cue == THAN for _, cue in reading.cues)


def _than(reading: Reading, word: int) -> int | None:
    end = min(reading.clause_bounds(word)[1], word + 12)
    for place, cue in reading.cues_in(word + 1, end):
        if cue == THAN:
            return place
    return None
