"""What a response holds for each criterion: windows of its phrases and amounts, and how each is put."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from quizgen.formula.units import Dim, Unit, assignable
from quizgen.rubric.amounts import Said, amounts_said, unit_of
from quizgen.rubric.index import INVERSE_FLAG, Index, Probe
from quizgen.rubric.lexicon import ARTICLES, ORDER, PRONOUNS, words
from quizgen.rubric.matching import Window, windows
from quizgen.rubric.passage import Hit
from quizgen.rubric.polarity import ASSERTED, DENIED, HEDGED, Stance, stance
from quizgen.rubric.response import ResponseText
from quizgen.rubric.rubric import ACCEPT, MISCONCEPTION, REJECT, SUBJECT, NumberTest
from quizgen.rubric.scopes import OR, THAN
from quizgen.rubric.subjects import Owner

# -- Everything that was found for one criterion, before it is weighed.

FoundClaim = tuple[Window, Stance]


class Finding(NamedTuple):
    """What one criterion's phrases and number found. `partly` are phrases of which something is there; `crossed` what
    compares the other way round, with the reason; `echoed` copies the stem's own words."""

    accepts: list[FoundClaim]
    rejects: list[FoundClaim]
    partly: list[int]
    crossed: list[tuple[Window, str]]
    numbers: list[NumberFinding]
    echoed: list[Window]


# -- What a response gives for the `number:` of a criterion, right or wrong, and how it is put.


@dataclass(frozen=True, slots=True)
class NumberFinding:
    """An amount of the asked kind, right or wrong, and how it is put."""

    said: Said
    right: bool
    stance: Stance
    off: float  # how many powers of ten it is away from the number that is asked for


def check_number(reading: ResponseText, test: NumberTest) -> list[NumberFinding]:
    """The amounts of the asked kind; right ones first."""
    wanted, target, least, most = _bounds(test)
    findings: list[NumberFinding] = []
    for amount in amounts_said(reading, test.unit or "1", test.labels):
        if amount.unit is not None and not _same_kind(amount.unit.dim, wanted.dim):
            continue
        value = amount.value * (wanted if amount.unit is None else amount.unit).factor
        right = least <= value <= most
        if not right and amount.unit is None and wanted.symbol != "1":
            continue  # a bare number of something else
        polarity = stance(reading, Window(-1, amount.first, amount.last, ((amount.first, amount.last, 0, 0),)))
        findings.append(NumberFinding(amount, right, polarity, _powers_off(value, target)))
    wrong = [f for f in findings if not f.right]
    for place, finding in enumerate(findings):
        if finding.right and finding.stance.kind == ASSERTED:
            for other in wrong:
                first, last = sorted((finding.said.first, other.said.first))
                if last - first <= 5 and any(cue == OR for _, cue in reading.cues_in(first, last)):
                    findings[place] = replace(finding, stance=Stance(HEDGED, (first, last)))
    return [f for f in findings if f.right] + wrong


@lru_cache(maxsize=1024)
def _bounds(test: NumberTest) -> tuple[Unit, Fraction, Fraction, Fraction]:
    """The unit that is asked for, the number, and the least and the most that is right."""
    wanted = unit_of(test.unit, test.labels)
    target = test.value * wanted.factor
    slack = abs(target) * test.tolerance if test.relative else test.tolerance * wanted.factor
    return wanted, target, target - slack, target + slack


def _powers_off(value: Fraction, wanted: Fraction) -> float:
    if value == wanted:
        return 0.0
    return abs(math.log10(abs(value / wanted))) if value * wanted > 0 else math.inf


@lru_cache(maxsize=1024)
def _same_kind(written: Dim, wanted: Dim) -> bool:
    """Amounts of one dimension; what "per parameter" counts may be left unsaid."""
    if assignable(written, wanted):
        return True
    ratio = (written / wanted).powers
    return bool(ratio) and all(power > 0 and name not in _PHYSICAL for name, power in ratio) and bool(written.powers)


_PHYSICAL: Final = frozenset(("information", "FLOP", "energy", "currency", "time"))


# -- Which way a comparison runs: "NVLink is faster than InfiniBand" and its mirror image.

MIRRORED: Final = "mirrored"  # the opposite word stands there, and of what it is said is open
# What follows one of these is no longer what "than" compares with.
_MOVING: Final = frozenset(words("to onto into go goes lie lies are is was were has have had stand stands and or"))
_OWNING: Final = frozenset(words("its their his her this that these those"))
_FOILS: Final = frozenset(("compared", "comparison", "relative", "unlike", "versus", "vs", "contrast"))


def wrong_direction(reading: ResponseText, probe: Probe, window: Window) -> str | None:
    """Why a comparison runs the other way than the phrase has it, or None.

    The phrase's slots before its comparative are what has more of it. A mirrored comparative
    (slower for faster) is right exactly when the sides are exchanged too.
    """
    slot = probe.comparative
    word = window.hits[slot][0]
    last = window.hits[slot][1]
    than = last if last > word and reading.plain(last) == "as" else _than(reading, word)  # "is not as fast as"
    mirrored = bool(window.hits[slot][3] & INVERSE_FLAG)
    subjects = [window.hits[i][0] for i in range(slot) if window.hits[i][0] != word]
    objects = [window.hits[i][0] for i in range(slot + 1, probe.size) if window.hits[i][0] != word]
    if than is None:
        # "Compared with X, Y is faster": X is what Y is faster than.
        swapped = any(_is_foil(reading, s) for s in subjects) and not any(_is_foil(reading, o) for o in objects)
        if mirrored and not slot and window.last - window.first <= 2:
            return _other_way(reading, window.first, window.last)  # "fewer micro-batches" for more of them
        if mirrored:
            return None if swapped else MIRRORED
        return _other_way(reading, window.first, window.last) if swapped else None
    clause_end = reading.clause_bounds(than)[1]
    beyond = [s for s in subjects if than < s < clause_end and _compared_with(reading, than, s)]
    # An attribute may follow its comparative (higher bandwidth than), or stand on both sides ("making A is
    # cheaper than making B"); what follows "than" alone is the other side.
    start = reading.clause_bounds(word)[0]
    before = {at for first, _, at, _ in reading.hits[window.probe] if start <= first < than}
    opposite = [window.hits[i][0] for i in range(slot + 1, probe.size) if i not in before]
    opposite = [o for o in opposite if than < o < clause_end]
    swapped = bool(beyond) and (not opposite or (than == word and min(beyond) < min(opposite)))
    if mirrored and swapped:
        return None
    if swapped or (mirrored and objects and subjects and max(subjects) < than < min(objects)):
        return _other_way(reading, min(word, window.first), max(window.last, than))
    return MIRRORED if mirrored else None


def _compared_with(reading: ResponseText, than: int, place: int) -> bool:
    """The word is what "than" compares with: "larger than its left child", not "larger than it go left"."""
    between = [reading.entries[p].plain for p in range(than + 1, place)]
    return not any(w in _MOVING or w in PRONOUNS - _OWNING for w in between) and not reading.comma_between(than, place)


def _other_way(reading: ResponseText, first: int, last: int) -> str:
    return f'"{reading.original(first, last)}" compares the other way round'


def _is_foil(reading: ResponseText, place: int) -> bool:
    """What something else is compared with: "compared to X", "unlike X"."""
    near = range(max(0, place - 3), place)
    return any(reading.entries[p].plain in _FOILS and not reading.comma_between(p, place) for p in near)


def _than(reading: ResponseText, word: int) -> int | None:
    if reading.entries[word].cue == THAN or reading.entries[word].plain in ORDER:
        return word  # "left < right", "the log before the page"
    for place, cue in reading.cues_in(word + 1, word + 12):
        if cue == THAN:
            return place if place < reading.clause_bounds(word)[1] else None
    return None


# -- What a rejected phrase must be to contradict a criterion that names its subject with `of`.
#
# It is said of that subject, in one clause, within a few words, and asserted; an accepted statement of the same
# subject that is as tight protects. Measured on blind answers: such rejects were wrong once in 41, the same words
# without an owner ten times in 46.

REACH: Final = 8  # words of one clause in which a contradiction stands


def said_of(reading: ResponseText, hits: list[Hit], of: Owner) -> list[Hit]:
    """The hits that are said of a subject, not of its rivals or of nothing; none of them names a subject itself."""
    return [h for h in hits if (owner := _owner(reading, h)) is not None and owner & of]


def _owner(reading: ResponseText, hit: Hit) -> Owner | None:
    """The subject that a word is said of, which does not name one itself; None where it is said of nothing."""
    owners = reading.owners
    return None if hit[0] in owners.loose or owners.mention_at(hit[0], hit[1]) else owners.of[hit[0]]


def stands(reading: ResponseText, wrong: Window) -> bool:
    """A rejected window stands in one clause, within REACH words."""
    start, end = reading.clause_bounds(wrong.first)
    if not start <= wrong.last < end or wrong.last - wrong.first >= REACH:
        return False
    return not any(reading.plain(h[0]) in "<>=+" for h in wrong.hits)


def said_of_a_rival(reading: ResponseText, window: Window, of: Owner) -> bool:
    """What is accepted is said in one clause of another declared subject, as a reject would take it: "PP stays inside
    a node", "PP, which is old, stays inside"."""
    owners = [_owner(reading, hit) for hit in window.hits]
    inside = window.last < reading.clause_bounds(window.first)[1]
    return inside and all(owner is not None and not owner & of for owner in owners)


def contradicts(reading: ResponseText, wrong: Window, good: list[Window], of: Owner) -> bool:
    """An asserted rejected window stands, and is tighter than all that is accepted of its subject."""
    if not stands(reading, wrong):
        return False
    size = _tightness(reading, wrong)
    return not any(_tightness(reading, g) <= size and _about(reading, g, of) for g in good)


def denied_rightly(reading: ResponseText, finding: Finding) -> Window | None:
    """A rejected window that is denied: "TP never crosses nodes" says that it stays inside."""
    return next((w for w, polarity in finding.rejects if polarity.kind == DENIED and stands(reading, w)), None)


def _tightness(reading: ResponseText, window: Window) -> int:
    """Words from the first to the last, articles not counted."""
    return sum(reading.entries[p].plain not in ARTICLES for p in range(window.first, window.last + 1))


def _about(reading: ResponseText, window: Window, of: Owner) -> bool:
    owner = reading.owners.of[window.first]
    return owner is None or bool(owner & of)


def against(reading: ResponseText, place: int, finding: Finding) -> Finding:
    """A comparison mirrors by itself: what is said the other way round of the other side says the same."""
    index = reading.index
    of, other = index.said_of[place], index.said_against[place]
    accepts: list[FoundClaim] = []
    rejects: list[FoundClaim] = []
    for window, polarity in finding.accepts:
        slot = index.probes[window.probe].comparative
        owner = reading.owners.of[window.hits[max(slot, 0)][0]]
        mirrored = slot >= 0 and bool(window.hits[slot][3] & INVERSE_FLAG)
        about = owner or frozenset()
        of_other, of_own = bool(about & other) and not about & of, bool(about & of) and not about & other
        if (mirrored and of_own) or (not mirrored and of_other):
            rejects.append((window, polarity))
        elif not mirrored or of_other:
            accepts.append((window, polarity))
    for window, polarity in finding.rejects:
        owner = reading.owners.of[window.first] or frozenset()
        if owner & other and not owner & of and polarity.kind == ASSERTED:
            accepts.append((window, polarity))
        else:
            rejects.append((window, polarity))
    return finding._replace(accepts=accepts, rejects=rejects)


def said_about(reading: ResponseText, window: Window, of: Owner) -> str:
    """` of "TP"`: the candidate's own name of what a statement is about; empty where no subject was asked for."""
    if not of:
        return ""
    named = [m for m in reading.owners.mentions if m.of & of and m.first <= window.last]
    if not named or named[-1].last >= window.first:
        return ""
    return f' of "{reading.original(named[-1].first, named[-1].last)}"'


# -- What a response holds for each criterion: windows of its phrases, and how each is put.


def find(index: Index, reading: ResponseText) -> dict[int, Finding]:
    """What was found for every criterion that was touched; misconceptions under -1 - place."""
    findings: defaultdict[int, Finding] = defaultdict(lambda: Finding([], [], [], [], [], []))
    probes, hits = index.probes, reading.hits
    for number, mine in sorted(hits.items()):
        probe = probes[number]
        kind = probe.kind
        size = probe.size
        whole = size == 1 or (len(mine) >= size and len({hit[2] for hit in mine}) == size)
        if kind == SUBJECT or not (whole or kind == ACCEPT):
            continue
        if kind == REJECT and index.said_of[probe.owner]:
            mine = said_of(reading, mine, index.said_of[probe.owner] | index.said_against[probe.owner])
        matched = windows(reading, number, probe, mine) if whole else []
        finding = findings[probe.owner if kind != MISCONCEPTION else -1 - probe.owner]
        if kind != ACCEPT:
            finding.rejects.extend([(w, stance(reading, w)) for w in matched if not _mirrored(reading, probe, w)])
        elif matched:
            _accept(reading, number, probe, matched, finding)
        else:
            finding.partly.append(number)
    if index.has_numbers:
        for place, criterion in enumerate(index.rubric.criteria):
            if criterion.number is not None:
                given = check_number(reading, criterion.number)
                if own := [n for n in given if not reading.is_copied(n.said.first, n.said.last)]:
                    findings[place].numbers.extend(own)
    for place, against_one in enumerate(index.said_against):
        if against_one and place in findings:
            findings[place] = against(reading, place, findings[place])
    return findings


def _accept(reading: ResponseText, number: int, probe: Probe, matched: list[Window], finding: Finding) -> None:
    """The windows of an accepted phrase into the finding, those said the other way round apart."""
    echoing = reading.may_be_copied(probe)
    compares = probe.comparative >= 0 and not reading.index.said_against[probe.owner]
    for window in matched:
        if echoing and reading.copied(window, probe):
            finding.echoed.append(window)
            continue
        why = wrong_direction(reading, probe, window) if compares else None
        if why is None:
            finding.accepts.append((window, stance(reading, window)))
        elif why != MIRRORED and stance(reading, window).kind != DENIED:
            finding.crossed.append((window, why))


def _mirrored(reading: ResponseText, probe: Probe, window: Window) -> bool:
    return probe.comparative >= 0 and wrong_direction(reading, probe, window) is not None
