"""What a marking scheme accepts, short enough to mark by: alternatives gathered, what says nothing new left out."""

from __future__ import annotations

from collections.abc import Sequence

WAYS = 5  # ways that are listed
WORDS = 8  # alternatives of one part of a way

Phrase = tuple[str, ...]


def in_short(phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """The phrases of a criterion: the same parts in another order once, ways that differ in one part as one
    way, words that a beginning stands for under that beginning; of many, how many more there are."""
    ways: list[list[list[str]]] = []
    seen = set()
    for phrase in phrases:
        if frozenset(phrase) not in seen:
            seen.add(frozenset(phrase))
            _gather(ways, [slot.split(" or ") for slot in phrase])
    shown = tuple(tuple(_words(slot) for slot in way) for way in ways[:WAYS])
    more = len(ways) - len(shown)
    return (*shown, (f"{more} more way{'s' * (more != 1)}",)) if more else shown


def _gather(ways: list[list[list[str]]], new: list[list[str]]) -> None:
    for way in ways:
        if len(way) == len(new):
            apart = [n for n, (one, other) in enumerate(zip(way, new, strict=True)) if set(one) != set(other)]
            if len(apart) == 1:
                way[apart[0]] += [word for word in new[apart[0]] if word not in way[apart[0]]]
                return
    ways.append(new)


def _words(slot: Sequence[str]) -> str:
    starts = [word[:-1] for word in slot if word.endswith("…")]
    kept = [
        word
        for word in dict.fromkeys(slot)
        if not any(word.startswith(start) and word != f"{start}…" for start in starts)
    ]
    more = len(kept) - WORDS
    if more > 0:
        return f"{', '.join(kept[:WORDS])} or {more} other word{'s' * (more != 1)}"
    return f"{', '.join(kept[:-1])} or {kept[-1]}" if len(kept) > 1 else kept[0]
