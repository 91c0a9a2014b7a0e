"""Key slots that compete, found when a rubric is compiled.

A slot like `{stage 1|zero-1}` is a key: its words carry a label (1, 3, A, first). So are the first
slots of two criteria's phrases that the stem contrasts ("TCP and UDP"), and slots that say up and
down where criteria ask for both; and first slots of short phrases that the model answer says one by one.
"""

from __future__ import annotations

import re
from typing import Final

from quizgen.rubric.pattern.index import Index
from quizgen.rubric.pattern.labels import Rivals, is_label, split_label
from quizgen.rubric.pattern.phrases import Alternative
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.rubric import ACCEPT, ANSWER
from quizgen.rubric.text.lexicon import DOWN, FUNCTION, GIVE, ORDINALS, TAKE, UP, words
from quizgen.rubric.text.stem import stem

_NAMES: Final = 4  # a slot with more words than this says what something is or does
_CONTRASTING: Final = frozenset(
    words(
        """difference differences differ differs different compare comparison contrast versus vs between and or than
        distinguish prefer preferred preferable over better advantage advantages rather instead"""
    )
)


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
    if index.contrasting:
        first = [(number, 0) for number in range(len(index.probes)) if (number, 0) not in labelled]
        contrasted = _contrasted(index, first)
        # "in series and in parallel circuits": what differs between them may be contrasted too.
        second = [(number, 1) for family in contrasted for number, _ in family if index.probes[number].size > 2]
        contrasted += _contrasted(index, second)
        result.extend(Rivals(family, frozenset(), wide=_wide(index, family)) for family in contrasted)
    taken = {slot for family in result for slot in family.slots}
    for family in _modelled(index, taken):
        result.append(Rivals(family, frozenset(), stated=False, wide=_wide(index, family)))
    for one, other, most in ((UP, DOWN, 2), (TAKE, GIVE, 3)):
        directed = _directed(index, one, other, most)
        if directed:
            result.append(Rivals(directed, frozenset(), False))
    return tuple(result)


def _contrasted(index: Index, slots: list[tuple[int, int]]) -> list[tuple[tuple[int, int], ...]]:
    """Families of those slots that the stem names side by side, of criteria that say different things of them."""
    owners: dict[frozenset[str], list[tuple[int, int]]] = {}
    for number, position in slots:
        probe = index.probes[number]
        if probe.given >> position & 1 and probe.size >= 2 and probe.near != ANSWER:
            words = _texts(index, number, position)
            owners.setdefault(words, []).append((number, position))
    names = [n for n in owners if _names(n) and not _amounts(n)]
    pairs, together = index.stem_pairs, index.named_together

    def rivals(one: frozenset[str], other: frozenset[str]) -> bool:
        if one & other:
            return False
        return _paired(one, other, pairs) or any((a, b) in together for a in owners[one] for b in owners[other])

    families: list[list[frozenset[str]]] = []
    for name in names:
        joined = [f for f in families if any(rivals(name, other) for other in f)]
        families = [f for f in families if f not in joined] + [[*(n for f in joined for n in f), name]]
    return [tuple(slot for name in family for slot in owners[name]) for family in families if len(family) > 1]


def _modelled(index: Index, known: set[tuple[int, int]]) -> list[tuple[tuple[int, int], ...]]:
    """First slots that open clauses of their own in the model answer, of criteria that share no word."""
    opening: dict[frozenset[str], list[tuple[int, int]]] = {}
    for number in index.openers:
        probe = index.probes[number]
        if (number, 0) not in known and probe.near != ANSWER:
            words = _texts(index, number)
            if _names(words) and not _amounts(words):
                opening.setdefault(words, []).append((number, 0))
    said = {
        name: {a.text.lower().rstrip("*") for n, _ in slots for slot in index.probes[n].phrase.slots for a in slot}
        for name, slots in opening.items()
    }
    sizes = {name: {index.probes[n].size for n, _ in slots} for name, slots in opening.items()}
    names = [n for n in opening if not any(m != n and said[n] & said[m] for m in opening)]
    owners = {index.probes[n].owner for name in names for n, _ in opening[name]}
    if len(names) < 2 or len(owners) < len(names) or not set.intersection(*(sizes[n] for n in names)):
        return []
    # Other phrases that begin with one of these names speak of it too.
    for number, probe in enumerate(index.probes):
        if probe.kind == ACCEPT and probe.size >= 2 and probe.near != ANSWER and (number, 0) not in known:
            shared = [n for n in names if n & _texts(index, number)]
            if len(shared) == 1 and (number, 0) not in opening[shared[0]]:
                opening[shared[0]].append((number, 0))
    return [tuple(slot for name in names for slot in opening[name])]


def _texts(index: Index, number: int, place: int = 0) -> frozenset[str]:
    return frozenset(a.text.lower() for a in index.probes[number].phrase.slots[place])


def _wide(index: Index, family: tuple[tuple[int, int], ...]) -> frozenset[tuple[int, int]]:
    names = {slot: _texts(index, *slot) for slot in family}
    return frozenset(slot for slot, name in names.items() if any(other < name for other in names.values()))


def _directed(index: Index, one: frozenset[str], other: frozenset[str], most: int) -> tuple[tuple[int, int], ...]:
    """Slots that say up and slots that say down, where criteria ask for both: "saves memory, costs time"."""
    found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for number, probe in enumerate(index.probes):
        if 2 <= probe.size <= most and probe.near != ANSWER and probe.kind == ACCEPT:
            for place, slot in enumerate(probe.phrase.slots):
                firsts = {a.words[0] for a in slot}
                for slots, words in zip(found, (one, other), strict=True):
                    if 2 * len(firsts & words) > len(firsts) and not firsts & (one | other) - words:
                        slots.append((number, place))
    owners = [{index.probes[n].owner for n, _ in slots} for slots in found]
    if not all(owners) or owners[0] == owners[1]:
        return ()
    return (*found[0], *found[1])


def _names(slot: frozenset[str]) -> bool:
    """A slot that names something: few words, or many spellings of one: "row store", "row-oriented", "rows"."""
    if any(name in FUNCTION for name in slot):
        return False
    return len(slot) <= _NAMES or len({stem(re.split(r"[ *-]", name)[0]) for name in slot}) <= 2


def _amounts(names: frozenset[str]) -> bool:
    """A number is what something has, not a thing that has something."""
    return any(name[0].isdigit() for name in names)


def _paired(one: frozenset[str], other: frozenset[str], pairs: frozenset[tuple[str, str]]) -> bool:
    """The stem names the two side by side."""
    left = [_key(w) for text in sorted(one) for w in text.split()]
    right = [_key(w) for text in sorted(other) for w in text.split()]
    return any(
        (_fits(a, x) and _fits(b, y)) or (_fits(a, y) and _fits(b, x)) for x, y in pairs for a in left for b in right
    )


def _key(word: str) -> tuple[str, bool]:
    return (word.rstrip("*"), True) if word.endswith("*") else (stem(word), False)


def _fits(key: tuple[str, bool], said: str) -> bool:
    """A slot's word, or its prefix, is the stem's word."""
    word, starred = key
    return said == word or (starred and (said.startswith(word) or (word.startswith(said) and len(said) > 3)))


def stem_pairs(words: list[str]) -> frozenset[tuple[str, str]]:
    """Words that a contrast word joins: "TCP and UDP", "bf16 versus fp16", "stack from a queue"."""
    found: list[tuple[str, str]] = []
    for place, word in enumerate(words):
        if word in _JOINING:
            before = [stem(w) for w in words[:place] if w not in FUNCTION][-3:]
            after = [stem(w) for w in words[place + 1 :] if w not in FUNCTION][:3]
            found.extend((a, b) for a in before for b in after)
    return frozenset(p for p in found if p[0] != p[1])


def named_together(stem: TextReading) -> frozenset[tuple[tuple[int, int], tuple[int, int]]]:
    """Slots, as (probe, slot), whose words a contrast word of the stem joins, both ways."""
    found: dict[tuple[tuple[int, int], tuple[int, int]], None] = {}
    entries = stem.entries

    def near(first: int, last: int) -> bool:
        return sum(1 for p in range(first, last) if not entries[p].function) <= 4

    for place, entry in enumerate(entries):
        if entry.plain in _JOINING:
            sides: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
            for probe, hits in stem.hits.items():
                for first, last, slot, _ in hits:
                    if last < place and near(last + 1, place):
                        sides[0].append((probe, slot))
                    elif first > place and near(place + 1, first):
                        sides[1].append((probe, slot))
            found.update({pair: None for a in sides[0] for b in sides[1] for pair in ((a, b), (b, a))})
    return frozenset(found)


_JOINING: Final = frozenset(["and", "or", "versus", "vs", "than", "from", "with", "to", "over", "instead"])


def contrasts(words: list[str]) -> bool:
    """The stem sets things side by side."""
    return any(word in _CONTRASTING for word in words)


def _head(alternative: Alternative) -> str:
    """`stage` for `stage 1` and `first stage`, `zero` for `zero3`; empty where no label is carried."""
    words = alternative.words
    if any(alternative.prefixes) or len(words) > 3:
        return ""
    if len(words) == 1:
        return split_label(words[0])
    if is_label(words[-1]) and words[-2].isalpha():
        # "n log n" and "exactly one" are no labels.
        return "" if any(len(w) == 1 or w in _NO_HEADS for w in words[:-1]) else words[-2]
    if words[0] in ORDINALS and words[-1].isalpha():
        return words[-1]
    return ""


_NO_HEADS: Final = frozenset(words("log only just exactly least most than no not"))
