"""What a response holds for each criterion: windows of its phrases, how each is put, and near misses."""

from __future__ import annotations

from quizgen.rubric.context.comparatives import MIRRORED, by_than, compared, wrong_direction
from quizgen.rubric.context.finding import Finding
from quizgen.rubric.context.owned import against, said_of
from quizgen.rubric.context.polarity import DENIED, PLAIN, Stance, stance
from quizgen.rubric.context.roles import crossed_probes
from quizgen.rubric.pattern.index import Index
from quizgen.rubric.reading.match import Window, windows
from quizgen.rubric.reading.numbers import check_number
from quizgen.rubric.reading.reading import Hit, Reading
from quizgen.rubric.rubric import ACCEPT, MISCONCEPTION, REJECT, SUBJECT


def find(index: Index, reading: Reading) -> dict[int, Finding]:
    """Windows and near misses of every criterion that was touched; misconceptions under -1 - place."""
    found: dict[int, Finding] = {}
    probes = index.probes
    hits = reading.hits
    crossed = crossed_probes(reading) if index.rivals else None
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
            put = stance(reading, window) if moved else PLAIN
            if put.kind == DENIED and number in index.denied and put.cue is not None:
                ahead = next((h for h in sorted(window.hits) if h[0] > put.cue[0]), None)
                if ahead and not index.denied[number].isdisjoint(reading.entries[ahead[0]].forms):
                    put = PLAIN  # the model answer denies that word as well
            puts.append((window, put))
        if accepts:
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
