"""Who has what: one-to-one binding of values to rival keys.

Where a response speaks of several keys, each value belongs to the key nearest to it, and "stage 1
shards parameters, stage 3 optimizer states" earns nothing for naming all four.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import Final

from quizgen.rubric.pattern.index import INVERSE_FLAG
from quizgen.rubric.pattern.labels import is_label
from quizgen.rubric.reading.passage import Hit
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.text.cues import AND, FALSE
from quizgen.rubric.text.lexicon import COLON, RELATIVES, words

_FOILS: Final = frozenset(("than", "unlike", "opposed", "compared", "contrast", "versus", "vs", "over", "against"))


_Tie = tuple[int, tuple[int, ...]]  # a value and the keys it is said of


def crossed_probes(reading: TextReading) -> dict[int, str]:
    """Probes whose values all belong to a rival key, with the reason."""
    found: dict[int, str] = {}
    hits = reading.hits
    for rivals in reading.index.rivals:
        slots = [(probe, slot) for probe, slot in rivals.slots if probe in hits]
        if not slots or (len(slots) < 2 and not rivals.stated):
            continue
        own: dict[int, set[int]] = {}
        keys: dict[int, int] = {}
        values: dict[int, set[int]] = {}
        for probe, slot in slots:
            for first, last, at, flags in hits[probe]:
                if flags & INVERSE_FLAG:
                    continue  # a mirrored comparative is weighed where its window is
                if at == slot:
                    own.setdefault(probe, set()).add(first)
                    joined = last > first and any(h[:2] == (first, last) and h[2] != slot for h in hits[probe])
                    keys[first] = max(first if joined else last, keys.get(first, first))
                elif first != last or not _small(reading, first):
                    values.setdefault(probe, set()).add(first)
        dropped = _narrow(rivals.wide, own, keys, values) if rivals.wide else {}
        if rivals.heads:
            _other_labels(reading, rivals.heads, keys)
        if not keys or (len(own) < 2 and not rivals.stated):
            continue
        asked = [p for p, _ in slots if values.get(p) and len(own.get(p, ())) != len(keys)]
        if not asked:
            continue
        inside = {place for first, last in keys.items() for place in range(first, last + 1)}
        everything = {v for places in values.values() for v in places} - inside
        bound = _bind(reading, sorted(keys), sorted(everything), rivals.named)
        for probe in asked:
            mine, own_values = own.get(probe, set()), values[probe]
            if probe in dropped and not all(mine.intersection(bound.get(p, ())) for p in dropped[probe]):
                continue  # its name stands there by the other word
            ties = [(v, bound[v]) for v in sorted(own_values) if v in bound]
            if rivals.heads and any(mine.intersection(keys_of) for _, keys_of in ties):
                # What a rival is said to do as well ("a hypothesis is rejected") does not tell the two apart.
                others_say = {v for p, said in values.items() if not mine & own.get(p, mine) for v in said}
                ties = [tie for tie in ties if tie[0] not in others_say]
            ties = _foreign(reading, ties, mine, hits[probe])
            if ties:
                value, others = ties[0]
                found[probe] = (
                    f'"{reading.original(value, value)}" is said of "{reading.original(others[0], keys[others[0]])}"'
                )
    return found


def _narrow(
    wide: frozenset[tuple[int, int]], own: dict[int, set[int]], keys: dict[int, int], values: dict[int, set[int]]
) -> dict[int, set[int]]:
    """The "receiver" of `receiver|{flow control} window` is no name where another phrase says it of one: those
    places, by phrase."""
    wider = {probe for probe, _ in wide}
    said = {v for places in values.values() for v in places}
    said -= {place for probe, places in own.items() if probe not in wider for place in places}
    for place in said:
        keys.pop(place, None)
    dropped = {probe: own[probe] & said for probe in wider if own.get(probe, set()) & said}
    for probe in dropped:
        own[probe] -= said
    return dropped


def _foreign(reading: TextReading, ties: list[_Tie], mine: set[int], hits: list[Hit]) -> list[_Tie]:
    """The ties that are a rival's: all values of the phrase, or all that fill one of its slots."""
    if not any(k in mine for _, keys in ties for k in keys):
        return ties
    if any(_pronoun_after(reading, key) for key in mine):
        return []  # "X releases heat, Y absorbs it" says heat of both
    small = {at for first, last, at, _ in hits if first == last and _small(reading, first)}
    slots: dict[int, list[_Tie]] = {}
    for tie in ties:
        for first, _, at, _ in hits:
            label = is_label(reading.entries[first].plain) and not any(k in mine for k in tie[1])
            if first == tie[0] and at not in small and not label:
                slots.setdefault(at, []).append(tie)
    return next((found for _, found in sorted(slots.items()) if not any(k in mine for _, ks in found for k in ks)), [])


def _pronoun_after(reading: TextReading, key: int) -> bool:
    at = bisect_right(reading.segments, key)
    end = reading.segments[at] if at < len(reading.segments) else len(reading.entries)
    return any(reading.entries[p].plain in _THINGS for p in range(key + 1, min(end, key + 12)))


_THINGS: Final = frozenset(("it", "them", "this", "both"))


def _small(reading: TextReading, place: int) -> bool:
    """A function word, a negator or a word for anything at all is nothing that a key has."""
    entry = reading.entries[place]
    return entry.function or entry.plain in _ANYTHING or entry.cue not in (0, FALSE)


_ANYTHING: Final = frozenset(words("whatever whichever whoever something anything everything"))


def _other_labels(reading: TextReading, heads: frozenset[str], keys: dict[int, int]) -> None:
    """Keys the rubric does not name: stage 2 in a rubric about stages 1 and 3."""
    for place, entry in enumerate(reading.entries[:2000]):
        if entry.plain in heads and is_label(reading.plain(place + 1)) and reading.plain(place + 1) != "a":
            keys[place] = place + 1


def _bind(reading: TextReading, keys: list[int], values: list[int], named: bool) -> dict[int, tuple[int, ...]]:
    """Each value to the keys it is said of: in its segment, else the nearest key before it, else after."""
    bound: dict[int, tuple[int, ...]] = {}
    segments = reading.segments
    foils = {k for k in keys if any(_foil(reading, k, k - i) for i in (1, 2, 3))}
    if named:
        foils |= {k for before, k in pairwise(keys) if _governed(reading, before, k)}
    main = [k for k in keys if k not in foils] or keys
    by_segment: dict[int, list[int]] = {}
    for key in main:
        by_segment.setdefault(bisect_right(segments, key), []).append(key)
    inside: dict[int, list[int]] = {}
    for value in values:
        inside.setdefault(bisect_right(segments, value), []).append(value)
    for segment, here in inside.items():
        start = segments[segment - 1] if segment else 0
        nearest = max((k for k in keys if k < start), default=-9)
        if reading.plain(start) in RELATIVES and start - nearest <= 2:
            bound.update({v: (nearest,) for v in here})  # "…, unlike UDP, which is connectionless"
            continue
        present = by_segment.get(segment, [])
        ahead = by_segment.get(segment + 1, [])
        if present and ahead and _aside(reading, ahead[0]) and here[-1] > present[-1]:
            bound[here[-1]] = (ahead[0],)  # "… on top of the gradients (stage 2)"
            here = here[:-1]
        if not here:
            continue
        if not present:
            sign = segments[segment] if segment < len(segments) else 0
            if ahead and (reading.mark_before(sign, COLON) or _opened(reading, sign)):
                bound.update({v: (ahead[0],) for v in here})  # "left: smaller keys", "switches = L2 (MAC)"
                continue
            for value in here:
                before = [k for k in main if k < value and reading.together(k, value)]
                after = [k for k in main if k > value and reading.same_sentence(value, k)]
                opens = reading.sentence_bounds(value)[0]
                goes_on = reading.goes_on(opens) and reading.plain(opens) not in _FOREWORDS
                if before and after and before[-1] < opens and not goes_on:
                    bound[value] = (before[-1], after[0])  # of what was spoken of, or of what is named next
                elif before:
                    bound[value] = (before[-1],)
                elif after:
                    bound[value] = (after[0],)
            continue
        if len(present) > 1 and (present[-1] < here[0] or present[0] > here[-1]):
            if len(here) == len(present) and _joined(reading, here[0], here[-1]):
                bound.update({v: (k,) for v, k in zip(here, present, strict=True)})
            else:
                bound.update({v: tuple(present) for v in here})
            continue
        backwards = here[0] < present[0] and here[-1] < present[-1]
        for value in here:
            left = [k for k in present if k < value]
            right = [k for k in present if k > value and not _leads(reading, k)]
            if not left and not right:
                left = [k for k in main if k < value and reading.together(k, value)]
                if not left:
                    continue
            if backwards:
                bound[value] = (right[0],) if right else (left[-1],)
            else:
                if right and right[0] == value + 1 and reading.plain(value - 1) in _BEFORE_NOUNS:
                    left = []  # "the variance falls at the price of a higher bias"
                turned = left and right and right[0] - value <= 3 and _joined(reading, left[-1], value)
                if turned and not _joined(reading, value, right[0]):
                    left = []  # "a switch on layer 2 and a hub on layer 1"
                bound[value] = (left[-1],) if left else (right[0],)
    return bound


def _joined(reading: TextReading, first: int, last: int) -> bool:
    return any(cue == AND for _, cue in reading.cues_in(first, last))


def _opened(reading: TextReading, place: int) -> bool:
    """The word stands first in a bracket."""
    return reading.mark_beside(place) == "("


def _aside(reading: TextReading, key: int) -> bool:
    """The key stands alone in brackets."""
    return _opened(reading, key) and ")" in reading.marks_after(key)


def _leads(reading: TextReading, key: int) -> bool:
    """The key opens what follows its colon, so nothing before it is said of it."""
    return any(reading.mark_before(place, COLON) for place in range(key + 1, key + 4))


def _governed(reading: TextReading, before: int, key: int) -> bool:
    """The key only says more of another before it in its segment: "the memory of their process", "set to X / 2"."""
    at = bisect_right(reading.segments, key)
    start = reading.segments[at - 1] if at else 0
    if before < start and not (reading.mark_before(start, COLON) and start - before <= 3):
        return False  # "thread: shares its process's memory" is one statement
    if _joined(reading, before, key):
        return False  # "into the left subtree and larger keys into the right one"
    at = key - 1
    while at > before and reading.plain(at) in _DETERMINERS:
        at -= 1
    if reading.plain(at) == "on":
        return reading.plain(at - 1) in _RESTING
    return (at > before and reading.plain(at) in _OF) or reading.plain(key).endswith(("'s", "s'"))


_DETERMINERS: Final = frozenset(
    words("a an the its their his her this that these those each every one same any all current")
)
# A clause that one of these opens may speak of what the next one names: "when it does not fit, use FSDP".
_FOREWORDS: Final = frozenset(words("when whenever if unless where since as because"))
_BEFORE_NOUNS: Final = frozenset(words("a an of with for by at"))
_OF: Final = frozenset(words("of to by from per inside within into like"))
# Said with "on", they name what something else rests on: "Infinity builds on stage 3".
_RESTING: Final = frozenset(words("build builds built based rely relies depend depends rest rests top"))


def _foil(reading: TextReading, key: int, place: int) -> bool:
    """A word such as "than" or "unlike" stands shortly before the key, in its segment."""
    segments = reading.segments
    return reading.plain(place) in _FOILS and bisect_right(segments, place) == bisect_right(segments, key)
