"""Where a candidate takes something back: "no wait", "scratch that", "I was wrong"."""

from __future__ import annotations

from typing import Final

from quizgen.rubric.reading.match import Window
from quizgen.rubric.reading.passage import Passage
from quizgen.rubric.text.cues import CORRECT, FALSE, NO, VIEW
from quizgen.rubric.text.lexicon import ARROWS

MILD: Final = 0  # takes back only what is contradicted behind it
REPLACES: Final = 1  # takes back only where words of the same criterion, or its opposite, follow
TAKES_BACK: Final = 2  # can mean nothing else

_SORRY: Final = frozenset(("correction", "sorry", "oops", "wait"))
_JOKES: Final = frozenset(("nevermind", "kidding", "joking", "jk"))
_OPENERS: Final = frozenset(("no", "oh", "well", "hmm", "actually"))
# What stands behind "sorry" or "wait" where something else is put in the place of what was said.
_PUTS_RIGHT: Final = frozenset(("no", "not", "actually", "sorry", "wait", "that's", "it's", "rather", "scratch"))
_PUT_RIGHT: Final = frozenset(
    (one, two) for one in ("it", "that", "this", "they", "i") for two in ("is", "was", "are", "were", "mean", "meant")
)
# Before "no wait" they make a noun of it: "there is no wait".
_HAVING: Final = frozenset(("is", "are", "was", "were", "be", "has", "have", "with", "needs", "need"))
# Two words that take something back.
_TURNS: Final = {
    ("my", "mistake"): TAKES_BACK, ("my", "bad"): MILD, ("i", "mean"): MILD, ("i", "meant"): MILD,
    ("second", "thought"): MILD, ("never", "mind"): TAKES_BACK, ("me", "correct"): MILD,
}  # fmt: skip


def find_corrections(reading: Passage) -> list[tuple[int, int]]:
    """(place, how much it takes back) of words that correct what was said before them."""
    found: list[tuple[int, int]] = []
    word = reading.plain
    for place, cue in reading.cues:
        this = word(place)
        if cue in (CORRECT, VIEW):
            before, after = word(place - 1), word(place + 1)
            opens = place == 0 or before in _OPENERS or reading.mark_before(place)
            if (before, this) in _TURNS:
                found.append((place, _TURNS[before, this]))
            elif this in _SORRY:
                if before == "no" and not reading.mark_before(place):
                    if reading.mark_before(place - 1) or word(place - 2) not in _HAVING:
                        found.append((place, TAKES_BACK))
                elif opens and (after in _PUTS_RIGHT or (after, word(place + 2)) in _PUT_RIGHT):
                    found.append((place, TAKES_BACK))
                elif opens or this == "oops":
                    found.append((place, REPLACES))
            elif this in ("scratch", "strike"):
                if after in ("that", "this"):
                    found.append((place, TAKES_BACK))
            elif this in _JOKES:
                if opens or before == "just" or this == "nevermind":
                    found.append((place, TAKES_BACK))
            elif this == "actually" and (opens or after == "no") and place:
                found.append((place, TAKES_BACK if "no" in (before, after) else MILD))
        elif cue == NO and this == "no":
            # "O(n)... no, O(log n)"; a "No," that opens the response answers it.
            if place and reading.mark_before(place) and reading.mark_before(place + 1):
                found.append((place, MILD))
        elif cue == FALSE and (word(place - 2), word(place - 1)) in (("i", "was"), ("i", "am")):
            found.append((place, TAKES_BACK))
        elif this == "rather" and word(place - 1) == "or":
            found.append((place, MILD))
    return found


def turns_round(reading: Passage, window: Window, place: int) -> bool:
    """ "It goes up, I mean down": the correction is followed by the opposite of a word of the claim."""
    said = {reading.entries[p].plain for first, last, _, _ in window.hits for p in range(first, last + 1)}
    then = {entry.plain for entry in reading.entries[place + 1 : place + 3]}
    return any(said.intersection(ARROWS[one]) and then.intersection(ARROWS[other]) for one, other in ("↑↓", "↓↑"))
