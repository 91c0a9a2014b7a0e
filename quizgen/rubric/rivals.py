"""Key slots that compete, found when a rubric is compiled.

A slot like `{stage 1|zero-1}` is a key: its words carry a label (1, 3, A, first). So are the first
slots of two criteria's phrases that the stem contrasts ("TCP and UDP"), and slots that say up and
down where criteria ask for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from quizgen.rubric.lexicon import DOWN, FUNCTION, ORDINALS, UP, words
from quizgen.rubric.rubric import ACCEPT, ANSWER
from quizgen.rubric.stem import stem

if TYPE_CHECKING:
    from quizgen.rubric.index import Index
    from quizgen.rubric.phrases import Alternative

_CONTRASTING: Final = frozenset(
    words(
        """difference differences differ differs compare comparison contrast versus vs between and or than
        distinguish prefer preferred preferable over better advantage advantages rather instead"""
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
        named = probe.given & 1
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
        return "" if any(len(w) == 1 or w == "log" for w in words[:-1]) else words[-2]  # "n log n" is no label
    if words[0] in ORDINALS and words[-1].isalpha():
        return words[-1]
    return ""


def split_label(word: str) -> str:
    bare = word.rstrip("0123456789")
    return bare if bare != word and len(bare) >= 2 and bare.isalpha() else ""


def is_label(word: str) -> bool:
    """A number, a letter or a Roman numeral that tells one thing of a kind from another."""
    return (
        (word.isdigit() and len(word) <= 2)
        or (len(word) == 1 and word.isalpha())
        or word in ("one", "two", "three", "ii", "iii")
    )
