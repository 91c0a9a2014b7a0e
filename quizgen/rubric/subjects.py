"""Whose statement it is: mentions of a rubric's subjects, and the subject that each word of a response belongs to.

A mention is a phrase of a subject; the longest wins, then the tightest. A stretch between marks, conjunctions and
relative pronouns belongs to the mention before a word, else to its first one; a stretch without one goes on with
what was spoken of, and a bullet with its lead-in. What is only compared with owns no more than its own words.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from quizgen.rubric.lexicon import BRACKET, COLON, SENTENCE, STRONG, words
from quizgen.rubric.matching import windows
from quizgen.rubric.passage import Hit, Passage

Owner = frozenset[int]  # places of subjects in the rubric

# What stands after one of these is compared with, not spoken of.
_BESIDE: Final = frozenset(words("than unlike versus vs compared relative instead"))
_PARTING: Final = frozenset(words("and or but while"))
_JOINING: Final = frozenset(words("and or both the"))
_LISTING: Final = frozenset(words("and or through to"))
_LIST: Final = 4  # words of "stages 1, 2 and 3" after the first number


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `first` to `last` name the subjects `of`; together, where they are joined by "and"."""

    first: int
    last: int
    of: Owner


@dataclass(frozen=True, slots=True)
class Owners:
    """`of[i]` is the subject of word i, None where nothing was named yet. `loose` words stand in a later
    sentence that neither names a subject nor goes on with one."""

    mentions: tuple[Mention, ...]
    of: tuple[Owner | None, ...]
    loose: frozenset[int]

    def mention_at(self, first: int, last: int) -> bool:
        """Some word of the stretch names a subject."""
        return any(m.first <= last and first <= m.last for m in self.mentions)


def owners(reading: Passage, hits: Mapping[int, list[Hit]]) -> Owners:
    """Mentions and owners of a response, from left to right."""
    mentions = _joined(reading, _mentions(reading, hits))
    of: list[Owner | None] = [None] * len(reading.entries)
    loose: set[int] = set()
    carried: Owner | None = None
    ends: dict[int, Owner | None] = {}
    goes_on = True
    bounds = _stretches(reading, mentions)
    for start, end in itertools.pairwise(bounds):
        sentence = reading.sentence(start)
        opens = start == 0 or reading.sentence(start - 1) != sentence
        if opens:
            topic = reading.topics.get(sentence)
            carried = carried if topic is None else ends.get(topic, carried)
            goes_on = topic is not None or reading.goes_on(start)
        inside = [m for m in mentions if start <= m.first < end]
        goes_on = goes_on or bool(inside)
        if not goes_on:
            loose.update(range(start, end))
        spoken_of = [m for m in inside if not _BESIDE & {reading.plain(m.first - 1), reading.plain(m.first - 2)}]
        if not spoken_of:
            of[start:end] = [carried] * (end - start)
            for mention in inside:
                of[mention.first : mention.last + 1] = [mention.of] * (mention.last + 1 - mention.first)
        else:
            first = spoken_of[0]
            for place in range(start, end):
                last = next((m for m in reversed(spoken_of) if m.first <= place), first)
                of[place] = last.of
            carried = first.of
        ends[sentence] = carried
    return Owners(tuple(mentions), tuple(of), frozenset(loose))


def _mentions(reading: Passage, hits: Mapping[int, list[Hit]]) -> list[Mention]:
    """The longest phrases of subjects that share no word, in order; two subjects may have the same words."""
    index = reading.index
    mentions: list[tuple[int, int, int, int, int, frozenset[int]]] = []
    for number in index.naming:
        if number in hits:
            probe = index.probes[number]
            for window in windows(reading, number, probe, hits[number]):
                named = frozenset(p for h in window.hits for p in range(h[0], h[1] + 1))
                mentions.append(
                    (-len(named), window.last - window.first, window.first, window.last, probe.owner, named)
                )
    used: dict[int, tuple[int, int]] = {}
    kept: dict[tuple[int, int], set[int]] = {}
    for _, _, start, end, owner, named in sorted(mentions, key=lambda one: one[:5]):
        if all(used.get(place, (start, end)) == (start, end) for place in named):
            used.update(dict.fromkeys(named, (start, end)))
            kept.setdefault((start, end), set()).add(owner)
    return [Mention(start, end, frozenset(of)) for (start, end), of in sorted(kept.items())]


def _joined(reading: Passage, mentions: list[Mention]) -> list[Mention]:
    """ "Stages 1 and 2", "A and B": mentions that one statement is about."""
    numbers = reading.index.numbered
    joined: list[Mention] = []
    for mention in mentions:
        of, last = mention.of, mention.last
        if reading.plain(last) in numbers:
            place = last + 1
            while place - mention.last <= _LIST and (
                reading.plain(place) in _LISTING or reading.plain(place) in numbers
            ):
                if reading.plain(place) in numbers and not any(m.first <= place <= m.last for m in mentions):
                    of, last = of | {numbers[reading.plain(place)]}, place
                place += 1
        before = joined[-1] if joined else None
        if before is not None and (mention.first <= before.last or _one_name(reading, before, mention)):
            joined[-1] = Mention(before.first, max(before.last, last), before.of | of)
        else:
            joined.append(Mention(mention.first, last, of))
    return joined


def _one_name(reading: Passage, left: Mention, right: Mention) -> bool:
    between = [reading.plain(place) for place in range(left.last + 1, right.first)]
    if not between:
        return left.of == right.of
    if not _JOINING.issuperset(between) or not {"and", "or"} & set(between):
        return False
    parted = (SENTENCE, COLON, STRONG, BRACKET)
    return reading.same_sentence(left.first, right.first) and not any(
        cue in parted and left.last < place <= right.first for place, cue, _ in reading.marks
    )


def _stretches(reading: Passage, mentions: list[Mention]) -> list[int]:
    """Where stretches begin, and the end: segments, cut at "and" between two mentions, never within one."""
    size = len(reading.entries)
    bounds = {0, *(place for place in reading.segments if place < size)}
    for left, right in itertools.pairwise(mentions):
        if left.of != right.of:
            cuts = [p for p in range(left.last + 1, right.first) if reading.plain(p) in _PARTING]
            bounds.update(cuts[-1:])
    return [*sorted(b for b in bounds if not any(m.first < b <= m.last for m in mentions)), size]
