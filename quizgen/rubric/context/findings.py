"""What a response holds for each criterion: windows of its phrases, and how each is put."""

from __future__ import annotations

from quizgen.rubric.context.comparatives import MIRRORED, by_than, compared, wrong_direction
from quizgen.rubric.context.finding import Finding, Put
from quizgen.rubric.context.numbers import check_number
from quizgen.rubric.context.owned import against, said_of
from quizgen.rubric.context.polarity import DENIED, PLAIN, Stance, stance
from quizgen.rubric.context.roles import crossed_probes
from quizgen.rubric.pattern.index import Index, Probe
from quizgen.rubric.reading.match import Window, windows
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.rubric import ACCEPT, MISCONCEPTION, REJECT, SUBJECT

_NOTHING = Finding()


def find(index: Index, reading: TextReading) -> dict[int, Finding]:
    """What was found for every criterion that was touched; misconceptions under -1 - place."""
    found: dict[int, Finding] = {}
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
        place = probe.owner if kind != MISCONCEPTION else -1 - probe.owner
        before = found.get(place, _NOTHING)
        if number in crossed and not (
            probe.comparative >= 0
            and compared(reading)
            and (not matched or any(by_than(reading, probe, w) for w in matched))
        ):
            if kind == ACCEPT and matched:
                before = before._replace(crossed=(*before.crossed, (matched[0], crossed[number])))
            found[place] = before
        elif not matched:
            if kind == ACCEPT:
                found[place] = before._replace(partly=(*before.partly, number))
        elif kind == ACCEPT:
            found[place] = _accepted(reading, number, probe, matched, before)
        else:
            puts = [(w, _put(reading, number, w)) for w in matched if not _mirrored(reading, probe, w)]
            found[place] = before._replace(rejects=(*before.rejects, *puts))
    for place, finding in found.items():
        if place >= 0 and index.said_against[place]:
            found[place] = against(reading, place, finding)
    if index.has_numbers:
        for place, criterion in enumerate(index.rubric.criteria):
            if criterion.number is not None:
                said = check_number(reading, criterion.number)
                numbers = tuple(n for n in said if not reading.is_copied(n.said.first, n.said.last))
                if numbers:
                    found[place] = found.get(place, _NOTHING)._replace(numbers=numbers)
    return found


def _accepted(reading: TextReading, number: int, probe: Probe, matched: list[Window], before: Finding) -> Finding:
    """The finding with the windows of an accepted phrase, those said the other way round apart."""
    puts: list[Put] = []
    crossed: list[tuple[Window, str]] = []
    echoing, echoed = reading.may_be_copied(probe), before.echoed
    if echoing and probe.size > 1 and all(reading.copied(w, probe) for w in matched):
        matched = _own_words(reading, number, probe) or matched
    compares = probe.comparative >= 0 and not reading.index.said_against[probe.owner]
    for window in matched:
        if echoing and reading.copied(window, probe):
            echoed = True
            continue
        why = wrong_direction(reading, probe, window) if compares else None
        if why is None:
            puts.append((window, _put(reading, number, window)))
        elif why != MIRRORED and stance(reading, window).kind != DENIED:
            crossed.append((window, why))
    return before._replace(
        accepts=(*before.accepts, *puts), crossed=(*before.crossed, *crossed), echoed=echoed
    )  # fmt: skip


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


def _put(reading: TextReading, number: int, window: Window) -> Stance:
    if not (reading.told.stirred or reading.asks):
        return PLAIN
    put = stance(reading, window)
    denied = reading.index.denied.get(number)
    if put.kind == DENIED and denied is not None and put.cue is not None:
        cue = put.cue[0]
        ahead = next((h for h in sorted(window.hits) if h[0] > cue), None)
        if ahead and not denied.isdisjoint(reading.entries[ahead[0]].forms):
            return PLAIN  # the model answer denies that word as well
    return put
