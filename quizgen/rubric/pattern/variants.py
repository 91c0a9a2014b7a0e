"""Other ways English puts the same words: negators of one kind, and comparatives in one word or two.

`{no children}` is said as "without children", "does not have children", "never has children";
`more dense` as "denser".
"""

from __future__ import annotations

from typing import Final

from quizgen.rubric.pattern.index import Form
from quizgen.rubric.pattern.phrases import Alternative, Phrase
from quizgen.rubric.text.complexity import IN_WORDS
from quizgen.rubric.text.lexicon import COMPARATIVES, INVERSE, ORDER, words
from quizgen.rubric.text.stem import stem

# Negators that stand for one another before the same words; "n't" is read as "not".
_NEGATORS: Final = ("no", "not", "without", "never")
_ALONE: Final[dict[str, tuple[str, ...]]] = {"no": ("without",), "without": ("no",), "never": (), "not": ("never",)}
# Verbs that carry a "not": "does not end" and "doesn't end" are both "not end".
_AUXILIARIES: Final = frozenset(
    stem(word) for word in words("do does did is are was were can could will would should must has have had may be")
)
_MORE: Final = frozenset(("more", "greater", "higher"))
ER: Final[dict[str, str]] = {
    base: base[:-1] + "ier" if base.endswith("y") and base not in ("dry",) else base.rstrip("e") + "er"
    for base in words(
        """dense fast slow large small cheap simple easy hard cold warm cool heavy light high low long short
        strong weak quick safe thick wide narrow deep rough smooth bright loud dark close rich poor tight loose
        soft clean dry late early old new young great rare steep stiff costly busy noisy sharp tall"""
    )
} | {"big": "bigger", "hot": "hotter", "thin": "thinner", "dim": "dimmer", "wet": "wetter"}
_BASES: Final = {stem(er): base for base, er in ER.items()}


def variants(form: Form) -> list[Form]:
    """Other spellings of a row of words that mean the same."""
    found: list[Form] = []
    first, starred = form[0]
    if not starred:
        if first.endswith("n't") or first == "cannot":
            form = (("not", False), *form[1:])
            first = "not"
            found.append(form)
        elif len(form) > 2 and first in _AUXILIARIES and form[1] == ("not", False):
            form = form[1:]
            first = "not"
            found.append(form)
        if first in _NEGATORS:
            # Alone, "no" is "without" but not "not": "packets are not" holds no "no packets".
            others = _NEGATORS if len(form) > 1 else _ALONE.get(first, ())
            found.extend(((other, False), *form[1:]) for other in others if other != first)
        if len(form) == 1:
            found.extend(((stem(a), False), (stem(b), False)) for a, b in IN_WORDS.get(first, ()))
        if len(form) == 2 and first in _MORE and form[1][0] in _STEMS:
            found.append(((stem(ER[_STEMS[form[1][0]]]), False),))
        if len(form) == 1 and first in _BASES:
            found.append((("more", False), (stem(_BASES[first]), False)))
    return found


_STEMS: Final = {stem(base): base for base in ER}


def comparatives(phrase: Phrase) -> list[tuple[tuple[int, int], str]]:
    """Pairs of slots, "more" and an adjective, with the one word that fills both: `more dense` is "denser"."""
    more = [n for n, slot in enumerate(phrase.slots) if any(a.single and a.words[0] in _MORE for a in slot)]
    return [
        ((one, other), ER[alternative.words[0]])
        for one in more
        for other, slot in enumerate(phrase.slots)
        if other != one
        for alternative in slot
        if alternative.single and not alternative.prefixes[0] and alternative.words[0] in ER
    ]


def mirrored(phrase: Phrase) -> dict[int, list[Form]]:
    """The slots that compare, each with what says the opposite there: `faster` has "slower", `{less dense}`
    has "denser" and "more dense". Of "less memory, more time" neither slot stands for the other's word."""
    said = [_compared(slot) for slot in phrase.slots]
    found: dict[int, list[Form]] = {}
    for place, slot in enumerate(phrase.slots):
        if not said[place]:
            continue
        forms = dict.fromkeys(opposite for a in slot if a.words[0] in said[place] for opposite in _opposites(a))
        opposites = {inverse for word in said[place] for inverse in INVERSE.get(word, ())}
        if not any(opposites & other for other in said[:place] + said[place + 1 :]):
            found[place] = list(forms)
    return found


def _compared(slot: tuple[Alternative, ...]) -> set[str]:
    """Comparatives that stand alone in a slot, or open the rows of words that most of it are."""
    alone = {a.words[0] for a in slot if a.single and (a.words[0] in COMPARATIVES or a.words[0] in ORDER)}
    rows = [a.words[0] for a in slot if a.words[0] in COMPARATIVES]
    return alone | set(rows) if 2 * len(rows) >= len(slot) else alone


def _opposites(alternative: Alternative) -> list[Form]:
    word, *rest = alternative.words
    tail: Form = tuple(
        (w if starred else stem(w), starred) for w, starred in zip(rest, alternative.prefixes[1:], strict=True)
    )
    found: list[Form] = [((stem(inverse), False), *tail) for inverse in INVERSE.get(word, ())]
    base = _STEMS.get(tail[0][0]) if len(tail) == 1 else None
    if word in ("less", "lower") and base:
        found.append(((stem(ER[base]), False),))
    elif not tail and stem(word) in _BASES:
        found.append((("less", False), (stem(_BASES[stem(word)]), False)))
    return found


def both_ways(slot: tuple[Alternative, ...]) -> bool:
    """A slot such as `small*|large*` takes a comparison in either direction."""
    covered = {
        word
        for word in INVERSE
        for a in slot
        if a.single and (word == a.words[0] or (a.prefixes[0] and word.startswith(a.words[0])))
    }
    return any(inverse in covered for word in covered for inverse in INVERSE[word])
