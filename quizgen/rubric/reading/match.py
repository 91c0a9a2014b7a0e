"""From hits to windows: the shortest stretches of words that fill every slot of a phrase."""

from __future__ import annotations

import itertools
from typing import Final, NamedTuple

from quizgen.rubric.pattern.index import FUZZY, INVERSE_FLAG, Probe
from quizgen.rubric.reading.passage import Hit, Passage
from quizgen.rubric.rubric import ANSWER, NEXT, SENTENCE

MAX_WINDOWS: Final = 12  # of one phrase
_TRIES: Final = 200  # rows of words that are tried where one word could fill several slots


class Window(NamedTuple):
    """Words `first` to `last` hold one hit for every slot; `hits[i]` fills slot i."""

    probe: int
    first: int
    last: int
    hits: tuple[Hit, ...]

    @property
    def fuzzy(self) -> bool:
        return any([h[3] & FUZZY for h in self.hits])

    @property
    def inverse(self) -> bool:
        return any([h[3] & INVERSE_FLAG for h in self.hits])


class Near(NamedTuple):
    """The best that was found of a phrase whose slots were not all found together."""

    probe: int
    found: int  # slots
    hits: tuple[Hit, ...]
    apart: bool  # every slot was found, but too far apart
    windowed: bool = True


def windows(reading: Passage, number: int, probe: Probe, hits: list[Hit]) -> list[Window]:
    """Windows of a phrase, at most one for each sentence it ends in."""
    hits = _counted(probe, hits)
    if probe.size == 1:
        return [Window(number, h[0], h[1], (h,)) for h in hits[:MAX_WINDOWS]]
    anywhere = _anywhere(reading, probe)
    row = hits[:1] * probe.size  # the last hit of each slot
    empty = (1 << probe.size) - 1
    best: dict[tuple[int, int], list[Window]] = {}
    for hit in hits:
        row[hit[2]] = hit
        empty &= ~(1 << hit[2])
        if empty:
            continue
        chosen = _distinct(row, hits, hit) if probe.shared else tuple(row)
        if chosen:
            first, end = min([h[0] for h in chosen]), max([h[1] for h in chosen])
            near = anywhere or _near_enough(reading, probe, first, end)
            if near and (not probe.ordered or _in_order(chosen)):
                key = (reading.sentence(first), reading.sentence(end))
                _keep(reading, best.setdefault(key, []), Window(number, first, end, chosen))
    # Words of one sentence belong together before words of two.
    inside = [w for (a, b), found in best.items() if a == b for w in found]
    return (inside or [w for found in best.values() for w in found])[:MAX_WINDOWS]


def near_miss(reading: Passage, number: int, probe: Probe, hits: list[Hit]) -> Near | None:
    """The best that is there of a phrase of several slots that has no window."""
    anywhere = _anywhere(reading, probe)
    last: dict[int, Hit] = {}
    most: tuple[Hit, ...] = ()
    for hit in _counted(probe, hits):
        last[hit[2]] = hit
        if len(last) > len(most):
            close = tuple([h for h in last.values() if anywhere or _near_enough(reading, probe, h[0], hit[1])])
            if len({h[0] for h in close}) > len(most):
                most = close
    everywhere = len({h[0] for h in last.values()}) == probe.size
    if everywhere and probe.near == NEXT and not probe.ordered:
        return Near(number, probe.size, tuple(last.values()), True)
    if len(most) == probe.size and (probe.near != NEXT or probe.ordered):
        return Near(number, len(most), most, True, False)
    return Near(number, len({h[0] for h in most}), most, False) if most else None


def _counted(probe: Probe, hits: list[Hit]) -> list[Hit]:
    return hits if probe.fuzzy else [h for h in hits if not h[3] & FUZZY]


def _anywhere(reading: Passage, probe: Probe) -> bool:
    return probe.near == ANSWER or (probe.near <= NEXT and not reading.sentences)


def _keep(reading: Passage, known: list[Window], window: Window) -> None:
    """Of windows that share a hit, the one whose words belong together more closely; others side by side."""
    if known and any([hit in window.hits for hit in known[-1].hits]):
        last = known[-1]
        if (window.inverse, reading.reach(window.first, window.last)) < (
            last.inverse,
            reading.reach(last.first, last.last),
        ):
            known[-1] = window
    elif len(known) < MAX_WINDOWS:
        known.append(window)


def _near_enough(reading: Passage, probe: Probe, first: int, last: int) -> bool:
    if probe.near == NEXT:
        return reading.together(first, last)
    if probe.near == SENTENCE:
        return reading.same_sentence(first, last)
    if probe.near == ANSWER:
        return True
    return last - first < probe.near and reading.same_sentence(first, last)


def _in_order(hits: tuple[Hit, ...]) -> bool:
    return all(a[0] <= b[0] for a, b in itertools.pairwise(hits))


def _distinct(row: list[Hit], hits: list[Hit], newest: Hit) -> tuple[Hit, ...]:
    """One word for each slot, the tightest such row that holds the newest hit. Joined words (`allreduce`) may
    fill neighbours together."""
    if not any(a[0] <= b[1] and b[0] <= a[1] for a, b in itertools.combinations(row, 2)):
        return tuple(row)
    at = next(i for i in range(len(hits) - 1, -1, -1) if hits[i] is newest)
    recent = hits[max(0, at - 24) : at + 1]
    options = [[h for h in reversed(recent) if h[2] == slot][:6] for slot in range(len(row))]
    best: list[tuple[int, tuple[Hit, ...]]] = []
    tried = 0

    def pick(slot: int, first: int, chosen: tuple[Hit, ...]) -> None:
        nonlocal tried
        tried += 1
        if tried > _TRIES or (best and newest[1] - first >= best[0][0]):
            return
        if slot == len(options):
            if newest in chosen:
                best[:] = [(newest[1] - first, chosen)]
            return
        for hit in options[slot]:
            if all(hit[0] > other[1] or hit[1] < other[0] for other in chosen):
                pick(slot + 1, min(first, hit[0]), (*chosen, hit))

    pick(0, newest[0], ())
    return best[0][1] if best else ()
