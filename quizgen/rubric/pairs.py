"""Words that stand for others: the former and the latter of two names, and the opposite of what was said."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING, Final

from quizgen.rubric.lexicon import ARROWS
from quizgen.rubric.meanings import learn

if TYPE_CHECKING:
    from quizgen.rubric.reading import Hit, Reading
    from quizgen.rubric.rivals import Rivals

_Slots = set[tuple[int, int]]  # of one name: (probe, slot)
_MOST: Final = 20  # words of one response that stand for others
_NEAR: Final = 40  # names that are looked back to
_OPPOSITE: Final = {"↑": "↓", "↓": "↑"}
_TURNED: Final = frozenset((("vice", "versa"), ("the", "opposite"), ("the", "reverse"), ("the", "contrary")))


def stands_for_others(text: str) -> bool:
    return " latter" in text or " former" in text or " versa" in text or "the opposite" in text or "the reverse" in text


def fill_in(reading: Reading) -> None:
    """Hits of the words that others stand for."""
    name_pairs(reading)
    opposites(reading)


def opposites(reading: Reading) -> None:
    """ "The bias grows, and for the variance it is vice versa": what was said to go up goes down."""
    entries, index = reading.entries, reading.index
    places = [p for p in range(2, len(entries)) if (entries[p - 1].plain, entries[p].plain) in _TURNED]
    for place in places[:_MOST]:
        said = next((s for p in range(place - 2, max(-1, place - 20), -1) for s in _way(reading, p)), "")
        if said:
            sign = _OPPOSITE[said]
            for probe, slot, flag in (index.memory.get(sign) or learn(index, sign)).targets:
                _add(reading, probe, (place, place, slot, flag))


def _way(reading: Reading, place: int) -> list[str]:
    return [sign for sign, words in ARROWS.items() if reading.entries[place].plain in words]


def name_pairs(reading: Reading) -> None:
    """Let "the former" and "the latter" fill the slots of the names they stand for."""
    entries = reading.entries
    places = [p for p, entry in enumerate(entries) if entry.plain in ("former", "latter")][:_MOST]
    for rivals in reading.index.rivals if places else ():
        pair = _pair(reading, rivals, places[0]) if rivals.named else None
        if pair is not None:
            for place in places:
                for probe, slot in sorted(pair[entries[place].plain == "latter"]):
                    _add(reading, probe, (place, place, slot, 0))


def _add(reading: Reading, probe: int, hit: Hit) -> None:
    insort(reading.hits.setdefault(probe, []), hit)


def _pair(reading: Reading, rivals: Rivals, place: int) -> tuple[_Slots, _Slots] | None:
    """The slots of the last two names before a place, the one said first in front."""
    names: dict[int, _Slots] = {}
    for probe, slot in rivals.slots:
        for first, _, at, flags in reading.hits.get(probe, ()):
            if at == slot and first < place and not flags:
                names.setdefault(first, set()).add((probe, slot))
    found = sorted(names, reverse=True)[:_NEAR]
    for at, later in enumerate(found):
        if reading.sentence(place) - reading.sentence(later) > 1:
            return None
        for earlier in found[at + 1 :]:
            if reading.together(earlier, later) and not names[earlier] & names[later]:
                return names[earlier], names[later]
    return None
