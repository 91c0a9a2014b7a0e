"""A response read against a rubric: its passage, hits of phrases, subjects, and what it takes back."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, islice
from typing import Final

from quizgen.rubric.amounts import add_amounts
from quizgen.rubric.index import Index, IndexEntry, Probe
from quizgen.rubric.lexicon import BRACKET
from quizgen.rubric.matching import Window, collect, thin
from quizgen.rubric.passage import Hit, Passage, segment
from quizgen.rubric.scopes import (
    MENDS,
    NAMED_NEGATORS,
    NO_CUES,
    STIRRING,
    TAKES_BACK,
    Cue,
    Cues,
    find_cues,
)
from quizgen.rubric.subjects import Owners, owners
from quizgen.rubric.tokens import TOKEN, Folded

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
    marks: list[tuple[int, int, int]] = []
    joints: list[int] = []
    last = (-1, 0)
    signs = [at for at, entry in enumerate(every) if entry.mark]
    for before, at in enumerate(signs):
        cue, place = every[at].cue, at - before
        if not cue:
            joints.append(place)
        elif not (cue == BRACKET and last == (place, cue)):
            last = (place, cue)
            marks.append((place, cue, ends[2 * read[at]]))
    tokens = [at for at, entry in zip(read, every, strict=True) if not entry.mark]
    entries = [entry for entry in every if not entry.mark]
    hot = [place for place, entry in enumerate(entries) if entry.hot]
    references = 0
    for place in hot:
        references |= entries[place].reference
    if len(entries) > _LONG:
        hot = thin(entries, hot)
    return ResponseText(
        index, folded, tokens, ends, hyphens, entries, marks, joints, hot, references, cut,
        *segment(folded, marks, len(entries)), _cues(entries, marks, hot),
    )  # fmt: skip


def _cues(entries: list[IndexEntry], marks: list[tuple[int, int, int]], hot: list[int]) -> Cues:
    single = [(place, entries[place].cue) for place in hot if entries[place].cue]
    if any([cue in STIRRING for _, cue in single]):
        return find_cues([entry.plain for entry in entries], single, marks)
    return Cues(tuple(single)) if single else NO_CUES


def _first_words(words: list[str]) -> list[int]:
    """The places of tokens, without those that come after MAX_DISTINCT different ones: no answer has so many."""
    known = set(islice(dict.fromkeys(words), MAX_DISTINCT))
    return [place for place, token in enumerate(words) if token in known]
