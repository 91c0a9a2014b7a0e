"""What a response holds for each criterion: windows of its phrases and amounts, and how each is put."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from quizgen.formula.units import Dim, assignable
from quizgen.rubric.amounts import Said, amounts_said, unit_of
from quizgen.rubric.index import INVERSE_FLAG, Index, Probe, is_label
from quizgen.rubric.lexicon import AND, ARTICLES, COLON, FALSE, OR, ORDER, PRONOUNS, RELATIVES, THAN, words
from quizgen.rubric.matching import Window, windows
from quizgen.rubric.passage import Hit
from quizgen.rubric.polarity import ASSERTED, DENIED, HEDGED, PLAIN, Stance, stance
from quizgen.rubric.response import TextReading
from quizgen.rubric.rubric import ACCEPT, MISCONCEPTION, REJECT, SUBJECT, NumberTest
from quizgen.rubric.subjects import Owner

# -- Everything that was found for one criterion, before it is weighed.

Put = tuple[Window, Stance]


class Finding(NamedTuple):
    """What one criterion's phrases and number found. `partly` are phrases of which something is there; `crossed` what
    is said of a rival, with the reason; `echoed` copies the stem's own words."""

    accepts: tuple[Put, ...]
    rejects: tuple[Put, ...]
    partly: tuple[int, ...]
    crossed: tuple[tuple[Window, str], ...]
    numbers: tuple[NumberFinding, ...]
    echoed: tuple[Window, ...]


# -- What a response gives for the `number:` of a criterion, right or wrong, and how it is put.


@dataclass(frozen=True, slots=True)
class NumberFinding:
    """An amount of the asked kind, right or wrong, and how it is put."""

    said: Said
    right: bool
    stance: Stance


def check_number(reading: TextReading, test: NumberTest) -> list[NumberFinding]:
    """The amounts of the asked kind; right ones first."""
    wanted = unit_of(test.unit, test.labels)
    target = test.value * wanted.factor
    slack = abs(target) * test.tolerance if test.relative else test.tolerance * wanted.factor
    least, most = target - slack, target + slack
    found: list[NumberFinding] = []
    for said in amounts_said(reading, test.unit or "1", test.labels):
        if said.unit is not None and not _same_kind(said.unit.dim, wanted.dim):
            continue
        value = said.value * (wanted if said.unit is None else said.unit).factor
        right = least <= value <= most
        if not right and said.unit is None and wanted.symbol != "1":
            continue  # a bare number of something else
        put = stance(reading, Window(-1, said.first, said.last, ((said.first, said.last, 0, 0),)))
        found.append(NumberFinding(said, right, put))
    wrong = [f for f in found if not f.right]
    for place, finding in enumerate(found):
        if finding.right and finding.stance.kind == ASSERTED:
            for other in wrong:
                first, last = sorted((finding.said.first, other.said.first))
                if last - first <= 5 and any(cue == OR for _, cue in reading.cues_in(first, last)):
                    found[place] = NumberFinding(finding.said, True, Stance(HEDGED, (first, last)))
    return [f for f in found if f.right] + wrong


@lru_cache(maxsize=1024)
def _same_kind(said: Dim, wanted: Dim) -> bool:
    """Amounts of one dimension; what "per parameter" counts may be left unsaid."""
    if assignable(said, wanted):
        return True
    ratio = (said / wanted).powers
    return bool(ratio) and all(power > 0 and name not in _PHYSICAL for name, power in ratio) and bool(said.powers)


_PHYSICAL: Final = frozenset(("information", "FLOP", "energy", "currency", "time"))


# -- Which way a comparison runs: "NVLink is faster than InfiniBand" and its mirror image.

MIRRORED: Final = "mirrored"  # the opposite word stands there, and of what it is said is open
_FOILS: Final = frozenset(("compared", "comparison", "relative", "unlike", "versus", "vs", "contrast"))
# What follows one of these is no longer what "than" compares with.
_MOVING: Final = frozenset(words("to onto into go goes lie lies are is was were has have had stand stands and or"))
_OWNING: Final = frozenset(words("its their his her this that these those"))


def wrong_direction(reading: TextReading, probe: Probe, window: Window) -> str | None:
    """Why a comparison runs the other way than the phrase has it, or None.

    The phrase's slots before its comparative are what has more of it. A mirrored comparative
    (slower for faster) is right exactly when the sides are exchanged too.
    """
    slot = probe.comparative
    word = window.hits[slot][0]
    than = _than(reading, word)
    mirrored = bool(window.hits[slot][3] & INVERSE_FLAG)
    subjects = [window.hits[i][0] for i in range(slot) if window.hits[i][0] != word]
    objects = [window.hits[i][0] for i in range(slot + 1, probe.size) if window.hits[i][0] != word]
    if not mirrored and objects and _mirror_nearer(reading, window, slot, objects[0]):
        return _other_way(reading, window.first, window.last)
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


def by_than(reading: TextReading, probe: Probe, window: Window) -> bool:
    """Both sides of the window's comparison stand around a "than", which then says who has more."""
    word = window.hits[probe.comparative][0]
    than = _than(reading, word)
    if than is None:
        return False
    subjects = [window.hits[i][0] for i in range(probe.comparative)]
    return all(s < word or (s > than and _compared_with(reading, than, s)) for s in subjects)


def _compared_with(reading: TextReading, than: int, place: int) -> bool:
    """The word is what "than" compares with: "larger than its left child", not "larger than it go left"."""
    between = [reading.entries[p].plain for p in range(than + 1, place)]
    return not any(w in _MOVING or w in PRONOUNS - _OWNING for w in between) and not reading.comma_between(than, place)


def _mirror_nearer(reading: TextReading, window: Window, slot: int, thing: int) -> bool:
    """ "A narrower range but more precision": of the range it says "narrower", whatever is more."""
    mirrors = [h[0] for h in reading.hits[window.probe] if h[3] & INVERSE_FLAG and h[2] == slot]
    if not mirrors:
        return False
    start, end = reading.clause_bounds(thing)
    word = window.hits[slot][0]
    if start <= word < end and not reading.comma_between(min(word, thing), max(word, thing)):
        return False
    return any(start <= m < end and not reading.comma_between(min(m, thing), max(m, thing)) for m in mirrors)


def _other_way(reading: TextReading, first: int, last: int) -> str:
    return f'"{reading.original(first, last)}" compares the other way round'


def _is_foil(reading: TextReading, place: int) -> bool:
    """What something else is compared with: "compared to X", "unlike X"."""
    near = range(max(0, place - 3), place)
    return any(reading.entries[p].plain in _FOILS and not reading.comma_between(p, place) for p in near)


def compared(reading: TextReading) -> bool:
    """The response says "than" somewhere: then comparatives are judged by their two sides."""
    return any(cue == THAN for _, cue in reading.cues)


def _than(reading: TextReading, word: int) -> int | None:
    if reading.entries[word].cue == THAN or reading.entries[word].plain in ORDER:
        return word  # "left < right", "the log before the page"
    for place, cue in reading.cues_in(word + 1, word + 12):
        if cue == THAN:
            return place if place < reading.clause_bounds(word)[1] else None
    return None


# -- Who has what: one-to-one binding of values to rival keys.
#
# Where a response speaks of several keys, each value belongs to the key nearest to it, and "stage 1
# shards parameters, stage 3 optimizer states" earns nothing for naming all four.

_ROLE_FOILS: Final = frozenset(("than", "unlike", "opposed", "compared", "contrast", "versus", "vs", "over", "against"))


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
    return reading.plain(place) in _ROLE_FOILS and bisect_right(segments, place) == bisect_right(segments, key)


# -- What a rejected phrase must be to contradict a criterion that names its subject with `of`.
#
# It is said of that subject, in one clause, within a few words, and asserted; an accepted statement of the same
# subject that is as tight protects. Measured on blind answers: such rejects were wrong once in 41, the same words
# without an owner ten times in 46.

REACH: Final = 8  # words of one clause in which a contradiction stands

# Said with one of these, a thing is neither so nor not so: "avoids hops", "fewer copies".
_LESSENING: Final = frozenset(
    words(
        """fewer less reduce reduces reduced reducing reduction avoid avoids avoided avoiding prevent prevents lower
        lowers decrease decreases cut cuts save saves saving eliminate eliminates minimize minimizes rarely seldom
        hardly"""
    )
)
# What stands after one of these in its sentence is told as a mistake.
_MISTAKES: Final = frozenset(
    words(
        """wrong trap traps mistake mistakes pitfall pitfalls error incorrectly wrongly misleading inflate inflates
        inflated"""
    )
)


def said_of(reading: TextReading, hits: list[Hit], of: Owner) -> list[Hit]:
    """The hits that are said of a subject, not of its rivals or of nothing; none of them names a subject itself."""
    return [h for h in hits if (owner := _owner(reading, h)) is not None and owner & of]


def _owner(reading: TextReading, hit: Hit) -> Owner | None:
    """The subject that a word is said of, which does not name one itself; None where it is said of nothing."""
    owners = reading.owners
    return None if hit[0] in owners.loose or owners.mention_at(hit[0], hit[1]) else owners.of[hit[0]]


def stands(reading: TextReading, wrong: Window) -> bool:
    """A rejected window stands in one clause within REACH words, and nothing there lessens it."""
    start, end = reading.clause_bounds(wrong.first)
    if not start <= wrong.last < end or wrong.last - wrong.first >= REACH:
        return False
    entries = reading.entries
    taken = {p for h in wrong.hits for p in range(h[0], h[1] + 1)}
    if len(taken) < len(wrong.hits) or any(entries[h[0]].plain in "<>=+" for h in wrong.hits):
        return False
    before = range(max(start, wrong.first - 2), wrong.last)
    return not any(p not in taken and entries[p].plain in _LESSENING and reading.plain(p + 1) != "than" for p in before)


def said_of_a_rival(reading: TextReading, window: Window, of: Owner) -> bool:
    """What is accepted is said in one clause of another declared subject, as a reject would take it: "PP stays inside
    a node", "PP, which is old, stays inside"."""
    said = [_owner(reading, hit) for hit in window.hits]
    inside = window.last < reading.clause_bounds(window.first)[1]
    return inside and all(owner is not None and not owner & of for owner in said)


def told_as_a_mistake(reading: TextReading, wrong: Window) -> bool:
    """ "One mistake is to run TP across nodes": what is called wrong is denied."""
    start = reading.sentence_bounds(wrong.first)[0]
    return any(reading.entries[p].plain in _MISTAKES for p in range(start, wrong.first))


def contradicts(reading: TextReading, wrong: Window, good: list[Window], of: Owner) -> bool:
    """An asserted rejected window stands, and is tighter than all that is accepted of its subject."""
    if not stands(reading, wrong) or told_as_a_mistake(reading, wrong):
        return False
    size = _tightness(reading, wrong)
    return not any(_tightness(reading, g) <= size and _about(reading, g, of) for g in good)


def denied_rightly(reading: TextReading, finding: Finding) -> Window | None:
    """A rejected window that is denied or told as a mistake: "TP never crosses nodes" says that it stays inside."""
    for window, put in finding.rejects:
        if (put.kind == DENIED or (put.kind == ASSERTED and told_as_a_mistake(reading, window))) and stands(
            reading, window
        ):
            return window
    return None


def _tightness(reading: TextReading, window: Window) -> int:
    """Words from the first to the last, articles not counted."""
    return sum(reading.entries[p].plain not in ARTICLES for p in range(window.first, window.last + 1))


def _about(reading: TextReading, window: Window, of: Owner) -> bool:
    owner = reading.owners.of[window.first]
    return owner is None or bool(owner & of)


def against(reading: TextReading, place: int, finding: Finding) -> Finding:
    """A comparison mirrors by itself: what is said the other way round of the other side says the same."""
    index = reading.index
    of, other = index.said_of[place], index.said_against[place]
    accepts: list[Put] = []
    rejects: list[Put] = []
    for window, put in finding.accepts:
        slot = index.probes[window.probe].comparative
        owner = reading.owners.of[window.hits[max(slot, 0)][0]]
        mirrored = slot >= 0 and bool(window.hits[slot][3] & INVERSE_FLAG)
        about = owner or frozenset()
        of_other, of_own = bool(about & other) and not about & of, bool(about & of) and not about & other
        if (mirrored and of_own) or (not mirrored and of_other):
            rejects.append((window, put))
        elif not mirrored or of_other:
            accepts.append((window, put))
    for window, put in finding.rejects:
        owner = reading.owners.of[window.first] or frozenset()
        if owner & other and not owner & of and put.kind == ASSERTED:
            accepts.append((window, put))
        else:
            rejects.append((window, put))
    return finding._replace(accepts=tuple(accepts), rejects=tuple(rejects))


def said_about(reading: TextReading, window: Window, of: Owner) -> str:
    """` of "TP"`: the candidate's own name of what a statement is about; empty where no subject was asked for."""
    if not of:
        return ""
    named = [m for m in reading.owners.mentions if m.of & of and m.first <= window.last]
    if not named or named[-1].last >= window.first:
        return ""
    return f' of "{reading.original(named[-1].first, named[-1].last)}"'


# -- What a response holds for each criterion: windows of its phrases, and how each is put.


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
