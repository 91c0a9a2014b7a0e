"""What a response holds for each criterion: windows of its phrases, how each is put, and near misses."""

from __future__ import annotations

from quizgen.rubric.comparatives import MIRRORED, by_than, compared, wrong_direction
from quizgen.rubric.corrections import supersede
from quizgen.rubric.directions import wrong_way
from quizgen.rubric.finding import Finding
from quizgen.rubric.hedges import both_ways, taken_back
from quizgen.rubric.index import Index
from quizgen.rubric.lexicon import AND, CONTRAST, INSTEAD, NEGATORS
from quizgen.rubric.match import Window, windows
from quizgen.rubric.numbers import check_number
from quizgen.rubric.owned import against, said_of
from quizgen.rubric.pairs import fill_in, stands_for_others
from quizgen.rubric.polarity import ASSERTED, DENIED, HEDGED, PLAIN, Stance, stance
from quizgen.rubric.reading import Hit, Reading
from quizgen.rubric.roles import crossed_probes
from quizgen.rubric.rubric import ACCEPT, ASSERT, MISCONCEPTION, REJECT, SUBJECT
from quizgen.rubric.scopes import weight


def find(index: Index, reading: Reading) -> dict[int, Finding]:
    """Windows and near misses of every criterion that was touched; misconceptions under -1 - place."""
    found: dict[int, Finding] = {}
    probes = index.probes
    hits = reading.hits
    if reading.corrections:
        supersede(reading)
    if index.rivals and stands_for_others(reading.folded.text):
        fill_in(reading)
    crossed = crossed_probes(reading) if index.rivals else None
    breath = reading.stirred and not reading.turning
    choice = reading.choosing and index.contested
    moved = reading.stirred or reading.asks  # else every claim is plainly asserted
    for number in sorted(hits):
        probe = probes[number]
        if probe.kind == SUBJECT:
            continue
        mine = hits[number]
        if probe.kind == REJECT and index.said_of[probe.owner]:
            mine = said_of(reading, mine, index.said_of[probe.owner] | index.said_against[probe.owner])
        matched, near = windows(reading, number, probe, mine)
        if not matched and near is None:
            continue
        accepts = probe.kind == ACCEPT
        echoing = accepts and reading.may_be_copied(probe)
        if echoing and probe.size > 1 and matched and all(reading.copied(w, probe) for w in matched):
            matched = _own_words(reading, number, hits[number]) or matched
        place = probe.owner if probe.kind != MISCONCEPTION else -1 - probe.owner
        finding = found.get(place)
        if finding is None:
            finding = found[place] = Finding()
        if (
            crossed
            and number in crossed
            and not (
                probe.comparative >= 0
                and compared(reading)
                and (not matched or any(by_than(reading, probe, w) for w in matched))
            )
        ):
            if accepts and matched:
                finding.crossed.append((matched[0], crossed[number]))
            continue
        puts: list[tuple[Window, Stance]] = []
        for window in matched:
            if echoing and reading.copied(window, probe):
                finding.echoed = True
                continue
            if probe.comparative >= 0 and not (accepts and index.said_against[probe.owner]):
                why = wrong_direction(reading, probe, window)
                if why is not None:
                    if why == MIRRORED or not accepts:
                        continue
                    if stance(reading, window).kind != DENIED:
                        finding.crossed.append((window, why))
                        continue
                    puts.extend(_compared_again(reading, number, window, hits[number]))
                    continue
            if probe.negator and _cut_off(reading, window):
                continue
            if accepts and number in index.ways:
                why = wrong_way(reading, index.ways[number], window)
                if why is not None:
                    finding.crossed.append((window, why))
                    continue
            put = stance(reading, window) if moved else PLAIN
            if put.kind == DENIED and number in index.denied and put.cue is not None:
                ahead = next((h for h in sorted(window.hits) if h[0] > put.cue[0]), None)
                if ahead and not index.denied[number].isdisjoint(reading.entries[ahead[0]].forms):
                    put = PLAIN  # the model answer denies that word as well
            if breath and accepts and len(matched) == 1 and put.kind == ASSERTED and probe.polarity == ASSERT:
                denial = taken_back(reading, window)
                if denial is not None:
                    put = Stance(HEDGED if denial[1] else DENIED, (denial[0], denial[0]))
            if choice and accepts and put.kind == ASSERTED:
                guess = both_ways(reading, window)
                if guess is not None:
                    put = Stance(HEDGED, guess)
            puts.append((window, put))
        if accepts:
            if len(puts) == 1 and puts[0][1].kind == DENIED and probe.size > 1 and len(hits[number]) > probe.size:
                puts = _turned(reading, number, puts[0], hits[number]) or puts
            finding.accepts.extend(puts)
            if near is not None:
                finding.nears.append(near)
        else:
            finding.rejects.extend(puts)
    for place, finding in found.items():
        if place >= 0 and index.said_against[place]:
            against(reading, place, finding)
    if index.has_numbers:
        for place, criterion in enumerate(index.rubric.criteria):
            if criterion.number is not None:
                said = check_number(reading, criterion.number)
                numbers = [n for n in said if not reading.is_copied((n.said.first, n.said.last, 0, 0))]
                if numbers:
                    found.setdefault(place, Finding()).numbers = numbers
    return found


def _cut_off(reading: Reading, window: Window) -> bool:
    """ "It does not denature and still works" holds no "not works", where both are slots of one phrase."""
    for first, last, _, _ in window.hits:
        if first == last and reading.entries[first].cue in NEGATORS:
            beyond = min((h[0] for h in window.hits if h[0] > first), default=first)
            joined = any(cue == AND for _, cue in reading.cues_in(first, beyond))
            if joined and weight(reading, first + 1, beyond):
                return True
    return False


def _own_words(reading: Reading, number: int, hits: list[Hit]) -> list[Window]:
    """Windows of a phrase that a nearer one hides, copied from the stem: one word at least is the candidate's."""
    probe = reading.index.probes[number]
    for slot in range(probe.size):
        kept = [h for h in hits if h[2] != slot or not reading.is_copied(h)]
        if len(kept) < len(hits) and any(h[2] == slot for h in kept):
            found = [w for w in windows(reading, number, probe, kept)[0] if not reading.copied(w, probe)]
            if found:
                return found
    return []


def _compared_again(reading: Reading, number: int, denied: Window, hits: list[Hit]) -> list[tuple[Window, Stance]]:
    """ "B is not faster than A; A is faster": the same phrase around another comparative."""
    probe = reading.index.probes[number]
    said = denied.hits[probe.comparative]
    found = windows(reading, number, probe, [h for h in hits if h[0] != said[0]])[0]
    return [(w, stance(reading, w)) for w in found if wrong_direction(reading, probe, w) is None]


def _turned(
    reading: Reading, number: int, denied: tuple[Window, Stance], hits: list[Hit]
) -> list[tuple[Window, Stance]]:
    """ "Not freed by the system but by the programmer": the same phrase, with the word after "but"."""
    window, put = denied
    if put.cue is None:
        return []
    cue = put.cue[0]
    gone = {h for h in window.hits if h[0] > cue}
    turns = [p for p, kind in reading.cues_in(cue, len(reading.entries)) if kind in (CONTRAST, INSTEAD)]
    if not gone or not turns:
        return []
    slots = {h[2] for h in gone}
    rest = [h for h in hits if h[2] not in slots or h[0] > turns[0]]
    matched, _ = windows(reading, number, reading.index.probes[number], rest)
    found = [(w, stance(reading, w)) for w in matched if any(window.last < turn <= w.last for turn in turns)]
    return [(w, way) for w, way in found if way.kind == ASSERTED]
