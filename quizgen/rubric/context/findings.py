"""What a response holds for each criterion: windows of its phrases, and how each is put."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from quizgen.rubric.context.comparatives import MIRRORED, by_than, compared, wrong_direction
from quizgen.rubric.context.finding import Finding, Put
from quizgen.rubric.context.numbers import NumberFinding, check_number
from quizgen.rubric.context.owned import against, said_of
from quizgen.rubric.context.polarity import DENIED, PLAIN, Stance, stance
from quizgen.rubric.context.roles import crossed_probes
from quizgen.rubric.pattern.index import Index, Probe
from quizgen.rubric.reading.match import Window, windows
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.rubric import ACCEPT, MISCONCEPTION, REJECT, SUBJECT


class _Gathered(NamedTuple):
    """A finding while its phrases are looked for."""

    accepts: list[Put]
    rejects: list[Put]
    partly: list[int]
    crossed: list[tuple[Window, str]]
    numbers: list[NumberFinding]
    echoed: list[Window]

    def finding(self) -> Finding:
        return Finding(
            tuple(self.accepts), tuple(self.rejects), tuple(self.partly),
            tuple(self.crossed), tuple(self.numbers), tuple(self.echoed),
        )  # fmt: skip


def find(index: Index, reading: TextReading) -> dict[int, Finding]:
    """What was found for every criterion that was touched; misconceptions under -1 - place."""
    gathered: defaultdict[int, _Gathered] = defaultdict(lambda: _Gathered([], [], [], [], [], []))
    probes, hits = index.probes, reading.hits
    crossed = crossed_probes(reading) if index.rivals else {}
    for number, mine in sorted(hits.items()):
        probe = probes[number]
        kind = probe.kind
        whole = len(mine) >= probe.size and len({hit[2] for hit in mine}) == probe.size
        if kind == SUBJECT or not (whole or kind == ACCEPT):
            continue
        if kind == REJECT and index.said_of[probe.owner]:
            mine = said_of(reading, mine, index.said_of[probe.owner] | index.said_against[probe.owner])
        matched = windows(reading, number, probe, mine) if whole else []
        finding = gathered[probe.owner if kind != MISCONCEPTION else -1 - probe.owner]
        if number in crossed and not (
            probe.comparative >= 0
            and compared(reading)
            and (not matched or any(by_than(reading, probe, w) for w in matched))
        ):
            if kind == ACCEPT and matched:
                finding.crossed.append((matched[0], crossed[number]))
        elif kind != ACCEPT:
            finding.rejects.extend([(w, _put(reading, w)) for w in matched if not _mirrored(reading, probe, w)])
        elif matched:
            _accept(reading, number, probe, matched, finding)
        else:
            finding.partly.append(number)
    if index.has_numbers:
        for place, criterion in enumerate(index.rubric.criteria):
            if criterion.number is not None:
                given = check_number(reading, criterion.number)
                if own := [n for n in given if not reading.is_copied(n.said.first, n.said.last)]:
                    gathered[place].numbers.extend(own)
    found = {place: one.finding() for place, one in gathered.items()}
    for place, known in found.items():
        if place >= 0 and index.said_against[place]:
            found[place] = against(reading, place, known)
    return found


def _accept(reading: TextReading, number: int, probe: Probe, matched: list[Window], finding: _Gathered) -> None:
    """The windows of an accepted phrase into the finding, those said the other way round apart."""
    echoing = reading.may_be_copied(probe)
    if echoing and probe.size > 1 and all(reading.copied(w, probe) for w in matched):
        matched = _own_words(reading, number, probe) or matched
    compares = probe.comparative >= 0 and not reading.index.said_against[probe.owner]
    for window in matched:
        if echoing and reading.copied(window, probe):
            finding.echoed.append(window)
            continue
        why = wrong_direction(reading, probe, window) if compares else None
        if why is None:
            finding.accepts.append((window, _put(reading, window)))
        elif why != MIRRORED and stance(reading, window).kind != DENIED:
            finding.crossed.append((window, why))


def _own_words(reading: TextReading, number: int, probe: Probe) -> list[Window]:
    """Windows of a phrase that a nearer one hides, copied from the stem: one word at least is the candidate's."""
    hits = reading.hits[number]
    for slot in range(probe.size):
        kept = [h for h in hits if h[2] != slot or not reading.is_copied(h[0], h[1])]
        found = windows(reading, number, probe, kept) if len(kept) < len(hits) else []
        if found := [w for w in found if not reading.copied(w, probe)]:
            return found
    return []


def _mirrored(reading: TextReading, probe: Probe, window: Window) -> bool:
    return probe.comparative >= 0 and wrong_direction(reading, probe, window) is not None


def _put(reading: TextReading, window: Window) -> Stance:
    if not (reading.told.stirred or reading.asks):
        return PLAIN
    put = stance(reading, window)
    denied = reading.index.denied.get(window.probe)
    if put.kind == DENIED and denied is not None and put.cue is not None:
        cue = put.cue[0]
        ahead = next((h for h in sorted(window.hits) if h[0] > cue), None)
        if ahead and not denied.isdisjoint(reading.entries[ahead[0]].forms):
            return PLAIN  # the model answer denies that word as well
    return put
