"""A response read against a rubric: its passage, hits of phrases, whose statement it is, and what it takes back."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from typing import Final

from quizgen.rubric.index import Index, IndexEntry, Probe
from quizgen.rubric.lexicon import BRACKET
from quizgen.rubric.matching import Window, add_amounts, collect, thin, windows
from quizgen.rubric.passage import Hit, Passage, segment
from quizgen.rubric.scopes import EMPTY_CUES, MENDS, NAMED_NEGATORS, STIRRING, TAKES_BACK, Cue, Cues, find_cues
from quizgen.rubric.tokens import TOKEN, Folded

Owner = frozenset[int]  # places of subjects in the rubric


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
    mentions = _mentions(reading, hits)
    of: list[Owner | None] = [None] * len(reading.entries)
    loose: set[int] = set()
    carried: Owner | None = None
    ends: dict[int, Owner | None] = {}
    goes_on = True
    for start, end in itertools.pairwise(_stretches(reading, mentions)):
        sentence = reading.sentence(start)
        if start == 0 or reading.sentence(start - 1) != sentence:
            topic = reading.topics.get(sentence, -1)
            carried = ends.get(topic, carried)
            goes_on = topic >= 0 or reading.goes_on(start)
        inside = [m for m in mentions if start <= m.first < end]
        goes_on = goes_on or bool(inside)
        loose.update(() if goes_on else range(start, end))
        for place in range(start, end):
            of[place] = next((m.of for m in reversed(inside) if m.first <= place), inside[0].of if inside else carried)
        carried = ends[sentence] = inside[0].of if inside else carried
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


def _stretches(reading: Passage, mentions: list[Mention]) -> list[int]:
    """Where segments begin, none within a mention, and the end."""
    size = len(reading.entries)
    bounds = {0, *(place for place in reading.segments if place < size)}
    return [*sorted(b for b in bounds if not any(m.first < b <= m.last for m in mentions)), size]


# -- A response read against a compiled rubric: its passage, and where words of it fill slots of phrases.

_LONG: Final = 2000  # words
MAX_DISTINCT: Final = 1500  # different words that are read
MAX_TOKENS: Final = 20_000  # words and marks that are read; 64 KiB of English hold about 13,000


class ResponseText(Passage):
    """A passage and what is worked out from it once somebody asks: hits, owners, corrections."""

    @cached_property
    def hits(self) -> dict[int, list[Hit]]:
        """Hits of each phrase, in order of their first word."""
        by_probe = collect(self)
        return add_amounts(self, by_probe) if self.index.amounts else by_probe

    @cached_property
    def owners(self) -> Owners:
        """The subject of every word."""
        return owners(self, self.hits)

    @cached_property
    def divisor(self) -> int:
        """By how much marks are divided, as the response leans to the wrong example answers; 1 where it does not."""
        return self.index.examples.divisor(self.numbers) if self.index.examples is not None else 1

    @cached_property
    def corrections(self) -> list[Cue]:
        """Where the candidate takes something back, and how."""
        return [cue for cue in self.cues.scopes if cue.row.does in (TAKES_BACK, MENDS)]

    def retracted(self, claim: Window) -> str:
        """The words ("no wait", "scratch that") in this sentence or at the next one's start that take a claim back, or
        an empty text."""
        for cue in self.corrections:
            if cue.place <= claim.last or cue.row.does == MENDS:
                continue
            if self.sentence(cue.place) - self.sentence(claim.last) > 1:
                return ""
            # In a run of words without a mark only what was said last is taken back.
            if cue.place - claim.last <= cue.row.reach or self.marked(claim.last + 1, cue.place):
                return self.original(cue.place, cue.last)
        return ""

    def mended(self, claim: Window, others: list[Window]) -> bool:
        """A correction, however mild ("or rather", "I mean"), stands between a claim and a later one on the point."""
        after = next((cue.place for cue in self.corrections if cue.place > claim.last), None)
        return after is not None and any(after <= other.last for other in others)

    def names_negator(self, window: Window) -> bool:
        """The matched words themselves hold a "no", "not" or "without"."""
        if window.probe < 0 or not self.index.probes[window.probe].negator:
            return False
        return any(
            self.entries[place].plain in NAMED_NEGATORS
            for first, last, _, _ in window.hits
            for place in range(first, last + 1)
        )

    def may_be_copied(self, probe: Probe) -> bool:
        """The stem's own words fill all slots of the phrase."""
        return probe.given == (1 << probe.size) - 1 and bool(self.index.stem_grams)

    def copied(self, window: Window, probe: Probe) -> bool:
        """All the window's words stand in stretches copied from the stem."""
        return self.may_be_copied(probe) and all(self.is_copied(hit[0], hit[1]) for hit in window.hits)


def read_response(index: Index, folded: Folded) -> ResponseText:
    """Words, marks, sentences and cues of a folded response."""
    text = folded.text
    pieces = TOKEN.split(text, MAX_TOKENS)  # what stands between tokens, and the tokens, in turn
    ends = list(accumulate(map(len, pieces)))
    words = pieces[1::2]
    hyphens = {at for at, gap in enumerate(pieces[2::2]) if gap[:1] == "-"} if "-" in text else ()
    cut = len(words) == MAX_TOKENS
    read: list[int] | range = range(len(words))
    if len(words) > MAX_DISTINCT:
        read = _first_words(words)
        cut = cut or len(read) < len(words)
        words = [words[at] for at in read]
    every = list(map(index.memory.__getitem__, words))
    marks, joints, rates, arrows = _marks(every, [ends[2 * at] for at in read])
    tokens = [at for at, entry in zip(read, every, strict=True) if not entry.mark]
    entries = [entry for entry in every if not entry.mark]
    hot = [place for place, entry in enumerate(entries) if entry.hot or place in rates]
    references = 0
    for place in hot:
        references |= entries[place].reference
    if len(entries) > _LONG:
        hot = thin(entries, hot)
    return ResponseText(
        index, folded, tokens, ends, hyphens, entries, rates, arrows, marks, joints, hot, references, cut,
        *segment(folded, marks, len(entries)), _cues(entries, marks, hot),
    )  # fmt: skip


def _marks(
    every: Sequence[IndexEntry], starts: Sequence[int]
) -> tuple[list[tuple[int, int, int]], list[int], Collection[int], Collection[int]]:
    """From words and signs and the characters where they begin: the marks, the words behind other signs such as `=`,
    those behind a slash, and those behind an arrow."""
    marks: list[tuple[int, int, int]] = []
    joints: list[int] = []
    behind: dict[str, set[int]] = {"/": set(), "->": set(), "=>": set()}
    last = (-1, 0)
    signs = [at for at, entry in enumerate(every) if entry.mark]
    for before, at in enumerate(signs):
        cue, place = every[at].cue, at - before
        if not cue:
            joints.append(place)
            if every[at].plain in behind:
                behind[every[at].plain].add(place)
        elif not (cue == BRACKET and last == (place, cue)):
            last = (place, cue)
            marks.append((place, cue, starts[at]))
    return marks, joints, behind["/"], behind["->"] | behind["=>"]


def _cues(entries: list[IndexEntry], marks: list[tuple[int, int, int]], hot: list[int]) -> Cues:
    single = [(place, entries[place].cue) for place in hot if entries[place].cue]
    if any([cue in STIRRING for _, cue in single]):
        return find_cues([entry.plain for entry in entries], single, marks)
    return Cues(tuple(single)) if single else EMPTY_CUES


def _first_words(words: list[str]) -> list[int]:
    """The places of tokens, without those that come after MAX_DISTINCT different ones: no answer has so many."""
    known = set(islice(dict.fromkeys(words), MAX_DISTINCT))
    return [place for place, token in enumerate(words) if token in known]
