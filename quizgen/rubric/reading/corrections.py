"""Where a candidate takes something back: "no wait", "scratch that", "I was wrong"."""

from __future__ import annotations

from typing import Final

from quizgen.rubric.reading.match import Window
from quizgen.rubric.reading.passage import Passage
from quizgen.rubric.text.cues import CORRECT, FALSE, NO, VIEW
from quizgen.rubric.text.lexicon import ARROWS

_STRONG_WORDS: Final = frozenset(("correction", "nevermind", "sorry", "oops", "kidding", "joking", "jk"))
_OPENERS: Final = frozenset(("no", "oh", "well", "hmm"))
_AFTER_WAIT: Final = frozenset(["no", "actually", "that's", "that", "i", "sorry", "it", "it's"])
# Two words that take something back; True where they can mean nothing else.
_TURNS: Final = {
    ("my", "mistake"): True, ("my", "bad"): False, ("i", "mean"): False, ("i", "meant"): False,
    ("second", "thought"): False, ("never", "mind"): True, ("me", "correct"): False,
}  # fmt: skip


def find_corrections(reading: Passage) -> list[tuple[int, bool]]:
    found: list[tuple[int, bool]] = []
    word = reading.plain
    for place, cue in reading.cues:
        this = word(place)
        if cue in (CORRECT, VIEW):
            before, after = word(place - 1), word(place + 1)
            opens = place == 0 or before in _OPENERS or reading.mark_before(place)
            if (before, this) in _TURNS:
                found.append((place, _TURNS[before, this]))
            elif this == "wait":
                opens = place == 0 or before in ("no", "oh", "actually") or reading.mark_before(place)
                if opens and (reading.mark_before(place + 1) or after in _AFTER_WAIT or before == "no"):
                    found.append((place, True))
            elif this in ("scratch", "strike"):
                if after in ("that", "this"):
                    found.append((place, True))
            elif this in _STRONG_WORDS:
                if opens or before == "just" or this in ("nevermind", "oops"):
                    found.append((place, True))
            elif this == "actually" and (opens or after == "no") and place:
                found.append((place, before == "no" or after == "no"))
        elif cue == NO and this == "no":
            # "O(n)... no, O(log n)"; a "No," that opens the response answers it.
            if place and reading.mark_before(place) and reading.mark_before(place + 1):
                found.append((place, False))
        elif cue == FALSE and (word(place - 2), word(place - 1)) in (("i", "was"), ("i", "am")):
            found.append((place, True))
        elif this == "rather" and word(place - 1) == "or":
            found.append((place, False))
    return found


def turns_round(reading: Passage, window: Window, place: int) -> bool:
    """ "It goes up, I mean down": the correction is followed by the opposite of a word of the claim."""
    said = {reading.entries[p].plain for first, last, _, _ in window.hits for p in range(first, last + 1)}
    then = {entry.plain for entry in reading.entries[place + 1 : place + 3]}
    return any(said.intersection(ARROWS[one]) and then.intersection(ARROWS[other]) for one, other in ("↑↓", "↓↑"))
