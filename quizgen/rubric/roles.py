"""Who has what: one-to-one binding of values to rival keys, and the direction of comparatives.

A slot like `{stage 1|zero-1}` is a key: its words carry a label (1, 3, A, first). So are the first
slots of two criteria's phrases that the stem contrasts ("TCP and UDP"). Where a response speaks of
several keys, each value belongs to the key nearest to it, and "stage 1 shards parameters, stage 3
optimizer states" earns nothing for naming all four.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from quizgen.rubric.lexicon import DOWN, FUNCTION, ORDINALS, RELATIVES, THAN, UP, words
from quizgen.rubric.rubric import ACCEPT, ANSWER
from quizgen.rubric.stem import stem

if TYPE_CHECKING:
    from quizgen.rubric.index import Index, Probe
    from quizgen.rubric.match import Window
    from quizgen.rubric.phrases import Alternative
    from quizgen.rubric.reading import Reading

_FOILS: Final = frozenset(("than", "unlike", "opposed", "compared", "contrast", "versus", "vs", "over", "against"))
_CONTRASTING: Final = frozenset(
    words(
        """difference differences differ differs compare comparison contrast versus vs between and or than
        distinguish"""
    )
)


@dataclass(frozen=True, slots=True)
class Rivals:
    """Key slots that compete: `slots` are (probe, slot); `heads` are words a label may follow."""

    slots: tuple[tuple[int, int], ...]
    heads: frozenset[str]


def find_rivals(index: Index) -> tuple[Rivals, ...]:
    """Families of key slots, for phrases of at least two slots."""
    families: dict[str, list[tuple[int, int]]] = {}
    heads: dict[str, set[str]] = {}
    names: dict[str, set[frozenset[str]]] = {}
    for number, probe in enumerate(index.probes):
        if probe.size < 2 or probe.near == ANSWER:
            continue
        for place, slot in enumerate(probe.phrase.slots):
            found = [head for head in map(_head, slot) if head]
            if found and 2 * len(found) >= len(slot):
                name = found[0]
                for known, words in heads.items():
                    if words & set(found):
                        name = known
                families.setdefault(name, []).append((number, place))
                heads.setdefault(name, set()).update(found)
                names.setdefault(name, set()).add(frozenset(a.text.lower() for a in slot))
                break
    result = [Rivals(tuple(slots), frozenset(heads[name])) for name, slots in families.items()]
    labelled = {slot for name, slots in families.items() if len(names[name]) > 1 for slot in slots}
    contrasted = _contrasted(index, labelled)
    if contrasted:
        result.append(Rivals(contrasted, frozenset()))
    directed = _directed(index)
    if directed:
        result.append(Rivals(directed, frozenset()))
    return tuple(result)


def _contrasted(index: Index, taken: set[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """First slots that the stem names side by side, of criteria that say different things of them."""
    if not index.contrasting:
        return ()
    owners: dict[frozenset[str], list[tuple[int, int]]] = {}
    for number, probe in enumerate(index.probes):
        named = probe.given & 1 and probe.given != (1 << probe.size) - 1
        if named and probe.size >= 2 and probe.near != ANSWER and (number, 0) not in taken:
            owners.setdefault(frozenset(a.text.lower() for a in probe.phrase.slots[0]), []).append((number, 0))
    names = [n for n in owners if len(n) <= 4]
    pairs = index.stem_pairs
    apart = [n for n in names if any(not (n & m) and _paired(n, m, pairs) for m in names if m != n)]
    if len(apart) < 2:
        return ()
    return tuple(slot for name in apart for slot in owners[name])


def _directed(index: Index) -> tuple[tuple[int, int], ...]:
    """Slots that say up and slots that say down, where criteria ask for both: "saves memory, costs time"."""
    found: dict[str, list[tuple[int, int]]] = {"up": [], "down": []}
    for number, probe in enumerate(index.probes):
        if probe.size == 2 and probe.near != ANSWER and probe.kind == ACCEPT:
            for place, slot in enumerate(probe.phrase.slots):
                firsts = {a.words[0] for a in slot}
                for name, words in (("up", UP), ("down", DOWN)):
                    if 2 * len(firsts & words) > len(firsts) and not firsts & (UP | DOWN) - words:
                        found[name].append((number, place))
    owners = [{index.probes[n].owner for n, _ in slots} for slots in found.values()]
    if not all(owners) or owners[0] == owners[1]:
        return ()
    return (*found["up"], *found["down"])


def _paired(one: frozenset[str], other: frozenset[str], pairs: frozenset[tuple[str, str]]) -> bool:
    """The stem names the two side by side."""
    left = {stem(w) for text in one for w in text.split()}
    right = {stem(w) for text in other for w in text.split()}
    return any((a, b) in pairs or (b, a) in pairs for a in left for b in right)


def stem_pairs(words: list[str]) -> frozenset[tuple[str, str]]:
    """Words that a contrast word joins: "TCP and UDP", "bf16 versus fp16", "stack from a queue"."""
    found: list[tuple[str, str]] = []
    for place, word in enumerate(words):
        if word in _JOINING:
            before = [stem(w) for w in words[:place] if w not in FUNCTION][-3:]
            after = [stem(w) for w in words[place + 1 :] if w not in FUNCTION][:3]
            found.extend((a, b) for a in before for b in after)
    return frozenset(p for p in found if p[0] != p[1])


_JOINING: Final = frozenset(["and", "or", "versus", "vs", "than", "from", "with", "to"])


def contrasts(words: list[str]) -> bool:
    """The stem sets things side by side."""
    return any(word in _CONTRASTING for word in words)


def _head(alternative: Alternative) -> str:
    """`stage` for `stage 1` and `first stage`, `zero` for `zero3`; empty where no label is carried."""
    words = alternative.words
    if any(alternative.prefixes) or len(words) > 3:
        return ""
    if len(words) == 1:
        return _split_label(words[0])
    if is_label(words[-1]) and words[-2].isalpha():
        return words[-2]
    if words[0] in ORDINALS and words[-1].isalpha():
        return words[-1]
    return ""


def _split_label(word: str) -> str:
    bare = word.rstrip("0123456789")
    return bare if bare != word and len(bare) >= 2 and bare.isalpha() else ""


def is_label(word: str) -> bool:
    """A number, a letter or a Roman numeral that tells one thing of a kind from another."""
    return (
        (word.isdigit() and len(word) <= 2)
        or (len(word) == 1 and word.isalpha())
        or word in ("one", "two", "three", "ii", "iii")
    )


def crossed_probes(reading: Reading) -> dict[int, str]:
    """Probes whose values all belong to a rival key, with the reason."""
    found: dict[int, str] = {}
    hits = reading.hits
    for rivals in reading.index.rivals:
        slots = [(probe, slot) for probe, slot in rivals.slots if probe in hits]
        if not slots:
            continue
        own: dict[int, set[int]] = {}
        keys: dict[int, int] = {}
        values: dict[int, set[int]] = {}
        for probe, slot in slots:
            for first, last, at, _ in hits[probe]:
                if at == slot:
                    own.setdefault(probe, set()).add(first)
                    keys[first] = max(last, keys.get(first, last))
                else:
                    values.setdefault(probe, set()).add(first)
        if rivals.heads:
            _other_labels(reading, rivals.heads, keys)
        if not keys:
            continue
        everything = {v for places in values.values() for v in places} - set(keys)
        bound = _bind(reading, sorted(keys), sorted(everything))
        for probe, _ in slots:
            mine, own_values = own.get(probe, set()), values.get(probe)
            if not own_values or len(mine) == len(keys):
                continue
            ties = [(v, bound[v]) for v in sorted(own_values) if v in bound]
            if ties and not any(k in mine for _, ks in ties for k in ks):
                value, others = ties[0]
                found[probe] = (
                    f'"{reading.original(value, value)}" is said of "{reading.original(others[0], keys[others[0]])}"'
                )
    return found


def _other_labels(reading: Reading, heads: frozenset[str], keys: dict[int, int]) -> None:
    """Keys the rubric does not name: stage 2 in a rubric about stages 1 and 3."""
    entries = reading.entries
    for place, entry in enumerate(entries[:2000]):
        if place in keys:
            continue
        word = entry.plain
        if word in heads or word.removesuffix("s") in heads:
            if place + 1 < len(entries) and is_label(entries[place + 1].plain) and entries[place + 1].plain != "a":
                keys[place] = place + 1
        elif word[-1].isdigit() and _split_label(word) in heads:
            keys[place] = place


def _bind(reading: Reading, keys: list[int], values: list[int]) -> dict[int, tuple[int, ...]]:
    """Each value to the keys it is said of: in its segment, else the nearest key before it, else after."""
    bound: dict[int, tuple[int, ...]] = {}
    segments = reading.segments
    foils = {k for k in keys if any(_foil(reading, k, k - i) for i in (1, 2, 3))}
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
        if _word(reading, start) in RELATIVES and start - nearest <= 2:
            bound.update({v: (nearest,) for v in here})  # "…, unlike UDP, which is connectionless"
            continue
        present = by_segment.get(segment, [])
        if not present:
            for value in here:
                before = [k for k in main if k < value and reading.together(k, value)]
                after = [k for k in main if k > value and reading.same_sentence(value, k)]
                if before:
                    bound[value] = (before[-1],)
                elif after:
                    bound[value] = (after[0],)
            continue
        if len(present) > 1 and (present[-1] < here[0] or present[0] > here[-1]):
            if len(here) == len(present):
                bound.update({v: (k,) for v, k in zip(here, present, strict=True)})
            else:
                bound.update({v: tuple(present) for v in here})
            continue
        backwards = here[0] < present[0] and here[-1] < present[-1]
        for value in here:
            left = [k for k in present if k < value]
            right = [k for k in present if k > value]
            if backwards:
                bound[value] = (right[0],) if right else (left[-1],)
            else:
                bound[value] = (left[-1],) if left else (right[0],)
    return bound


def _foil(reading: Reading, key: int, place: int) -> bool:
    """A word such as "than" or "unlike" stands shortly before the key, in its segment."""
    segments = reading.segments
    return _word(reading, place) in _FOILS and bisect_right(segments, place) == bisect_right(segments, key)


def _word(reading: Reading, place: int) -> str:
    return reading.entries[place].plain if 0 <= place < len(reading.entries) else ""


# -- comparatives ---------------------------------------------------------------------------


def wrong_direction(reading: Reading, probe: Probe, window: Window) -> str | None:
    """Why a comparison runs the other way than the phrase has it, or None.

    The phrase's slots before its comparative are what has more of it. A mirrored comparative
    (slower for faster) is right exactly when the sides are exchanged too.
    """
    slot = probe.comparative
    word = window.hits[slot][0]
    than = _than(reading, word)
    mirrored = window.inverse
    if than is None:
        return "mirrored" if mirrored else None
    subjects = [window.hits[i][0] for i in range(slot) if window.hits[i][0] != word]
    objects = [window.hits[i][0] for i in range(slot + 1, probe.size) if window.hits[i][0] != word]
    clause_end = reading.clause_bounds(than)[1]
    beyond = [s for s in subjects if than < s < clause_end]
    # An attribute may follow its comparative (higher bandwidth than); what follows "than" is the other side.
    opposite = [o for o in objects if than < o < clause_end]
    swapped = bool(beyond) and not opposite
    if mirrored:
        return None if swapped else "mirrored"
    if swapped:
        quote = reading.original(min(word, window.first), max(window.last, than))
        return f'"{quote}" compares the other way round'
    return None


def compared(reading: Reading) -> bool:
    """The response says "than" somewhere: then comparatives are judged by their two sides."""
    return any(cue == THAN for _, cue in reading.cues)


def _than(reading: Reading, word: int) -> int | None:
    end = min(reading.clause_bounds(word)[1], word + 12)
    for place, cue in reading.cues_in(word + 1, end):
        if cue == THAN:
            return place
    return None
