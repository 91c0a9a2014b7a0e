"""A response read against a rubric: its passage, hits of phrases, subjects, and what it takes back."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import accumulate, islice
from typing import Final

from quizgen.rubric.amounts import add_amounts
from quizgen.rubric.index import Index, IndexEntry, Probe
from quizgen.rubric.lexicon import ARROWS, BRACKET, CORRECT, ER, FALSE, INVERSE, NAMED_NEGATORS, NO, NOT, VIEW
from quizgen.rubric.matching import Window, collect, thin
from quizgen.rubric.negation_words import settle
from quizgen.rubric.passage import Hit, Passage, segment
from quizgen.rubric.rubric import ACCEPT, REJECT
from quizgen.rubric.subjects import Owners, owners
from quizgen.rubric.tokens import TOKEN, Folded

# -- Where a candidate takes something back: "no wait", "scratch that", "I was wrong".

MILD: Final = 0  # takes back only what is contradicted behind it
REPLACES: Final = 1  # takes back only where words of the same criterion, or its opposite, follow
TAKES_BACK: Final = 2  # can mean nothing else

_SORRY: Final = frozenset(("correction", "sorry", "oops", "wait"))
_JOKES: Final = frozenset(("nevermind", "kidding", "joking", "jk"))
_OPENERS: Final = frozenset(("no", "oh", "well", "hmm", "actually"))
# What stands behind "sorry" or "wait" where something else is put in the place of what was said.
_PUTS_RIGHT: Final = frozenset(("no", "not", "actually", "sorry", "wait", "that's", "it's", "rather", "scratch"))
_PUT_RIGHT: Final = frozenset(
    (one, two) for one in ("it", "that", "this", "they", "i") for two in ("is", "was", "are", "were", "mean", "meant")
)
# Before "no wait" they make a noun of it: "there is no wait".
_HAVING: Final = frozenset(("is", "are", "was", "were", "be", "has", "have", "with", "needs", "need"))
# Two words that take something back.
_TURNS: Final = {
    ("my", "mistake"): TAKES_BACK, ("my", "bad"): MILD, ("i", "mean"): MILD, ("i", "meant"): MILD,
    ("second", "thought"): MILD, ("never", "mind"): TAKES_BACK, ("me", "correct"): MILD,
}  # fmt: skip


def find_corrections(reading: Passage) -> list[tuple[int, int]]:
    """(place, how much it takes back) of words that correct what was said before them."""
    found: list[tuple[int, int]] = []
    word = reading.plain
    for place, cue in reading.cues:
        this = word(place)
        if cue in (CORRECT, VIEW):
            before, after = word(place - 1), word(place + 1)
            opens = place == 0 or before in _OPENERS or reading.mark_before(place)
            if (before, this) in _TURNS:
                found.append((place, _TURNS[before, this]))
            elif this in _SORRY:
                if before == "no" and not reading.mark_before(place):
                    if reading.mark_before(place - 1) or word(place - 2) not in _HAVING:
                        found.append((place, TAKES_BACK))
                elif opens and (after in _PUTS_RIGHT or (after, word(place + 2)) in _PUT_RIGHT):
                    found.append((place, TAKES_BACK))
                elif opens or this == "oops":
                    found.append((place, REPLACES))
            elif this in ("scratch", "strike"):
                if after in ("that", "this"):
                    found.append((place, TAKES_BACK))
            elif this in _JOKES:
                if opens or before == "just" or this == "nevermind":
                    found.append((place, TAKES_BACK))
            elif this == "actually" and (opens or after == "no") and place:
                found.append((place, TAKES_BACK if "no" in (before, after) else MILD))
        elif cue == NO and this == "no":
            # "O(n)... no, O(log n)"; a "No," that opens the response answers it.
            if place and reading.mark_before(place) and reading.mark_before(place + 1):
                found.append((place, MILD))
        elif cue == FALSE and (word(place - 2), word(place - 1)) in (("i", "was"), ("i", "am")):
            found.append((place, TAKES_BACK))
        elif this == "rather" and word(place - 1) == "or":
            found.append((place, MILD))
    return found


def turns_round(reading: Passage, window: Window, place: int) -> bool:
    """ "It goes up, I mean down": the correction is followed by the opposite of a word of the claim."""
    said = {reading.entries[p].plain for first, last, _, _ in window.hits for p in range(first, last + 1)}
    then = {entry.plain for entry in reading.entries[place + 1 : place + 3]}
    return any(said.intersection(ARROWS[one]) and then.intersection(ARROWS[other]) for one, other in ("↑↓", "↓↑"))


# -- Unequal comparisons: "A is not as fast as B" read as "A is slower than B".


def unequal(index: Index, entries: list[IndexEntry]) -> list[int] | None:
    """Read "is not as fast as" as "is slower than" where the rubric compares; the hot words, or None."""
    changed = False
    for place in range(1, len(entries) - 2):
        if entries[place].plain == "as" and entries[place + 2].plain == "as":
            word = next(iter(INVERSE.get(_COMPARED.get(entries[place + 1].plain, ""), ())), "")
            no = next((p for p in range(place - 1, max(-1, place - 5), -1) if entries[p].cue == NOT), -1)
            if word and no >= 0:
                said = [index.memory[w] for w in ("is", word, "than")]
                if said[1].targets:
                    entries[no], entries[place + 1], entries[place + 2] = said
                    changed = True
    return [place for place, entry in enumerate(entries) if entry.hot] if changed else None


_COMPARED: Final = {**ER, "good": "better", "well": "better", "much": "more", "many": "more"}


# -- A response read against a compiled rubric: its passage, and where words of it fill slots of phrases.

_LONG: Final = 2000  # words
_LATELY: Final = 8  # words before a "no wait" that it takes back
_OF_CRITERIA: Final = (ACCEPT, REJECT)
MAX_DISTINCT: Final = 1500  # different words that are read
MAX_TOKENS: Final = 20_000  # words and marks that are read; 64 KiB of English hold about 13,000


class TextReading(Passage):
    """A passage and what is worked out from it once somebody asks: hits, owners, corrections."""

    @cached_property
    def hits(self) -> dict[int, list[Hit]]:
        """Hits of each phrase, in order of their first word."""
        found = collect(self)
        return add_amounts(self, found) if self.index.amounts else found

    @cached_property
    def owners(self) -> Owners:
        """The subject of every word."""
        return owners(self, self.hits)

    @cached_property
    def corrections(self) -> list[tuple[int, int]]:
        """Places where the candidate takes something back, and how much each takes back."""
        return find_corrections(self) if self.told.turning else []

    def retracted(self, window: Window) -> str:
        """The word ("wait", "scratch") in this sentence or at the next one's start that takes a claim back, else ""."""
        for place, kind in self.corrections[bisect_left(self.corrections, (window.last + 1,)) :]:
            if self.sentence(place) - self.sentence(window.last) > 1:
                return ""
            if kind == TAKES_BACK and place - window.last > _LATELY and not self.marked(window.last + 1, place):
                continue  # in a run of words without a mark only what was said last
            replaced = kind == REPLACES and self._replaced(window, place)
            if kind == TAKES_BACK or replaced or turns_round(self, window, place):
                return self.original(place, place)
        return ""

    def _replaced(self, window: Window, place: int) -> bool:
        """Words of a phrase of the same criterion follow the correction before the next mark or joining word."""
        if window.probe < 0:
            return False
        probes = self.index.probes
        end = next((start for start in self.segments if start > place + 1), len(self.entries))
        mine = probes[window.probe]
        kinds = _OF_CRITERIA if mine.kind in _OF_CRITERIA else (mine.kind,)
        return any(
            place < hit[0] < end
            for number, hits in self.hits.items()
            if probes[number].owner == mine.owner and probes[number].kind in kinds
            for hit in hits
        )

    def names_negator(self, window: Window) -> bool:
        """The matched words themselves hold a "no", "not" or "without"."""
        if window.probe < 0 or not self.index.probes[window.probe].negator:
            return False
        return any(
            self.entries[place].plain in NAMED_NEGATORS
            for first, last, _, _ in window.hits
            for place in range(first, last + 1)
        )

    def corrected_inside(self, window: Window) -> bool:
        """A correction stands between the window's words."""
        at = bisect_left(self.corrections, (window.first + 1,))
        return at < len(self.corrections) and self.corrections[at][0] <= window.last

    def retracted_by(self, window: Window, others: list[Window]) -> bool:
        """A correction, however mild, stands between the window and a later claim on the same point."""
        at = bisect_left(self.corrections, (window.last + 1,))
        return at < len(self.corrections) and any(self.corrections[at][0] <= other.last for other in others)

    def may_be_copied(self, probe: Probe) -> bool:
        """The stem's own words fill all slots of the phrase."""
        return probe.given == (1 << probe.size) - 1 and bool(self.index.stem_grams)

    def copied(self, window: Window, probe: Probe) -> bool:
        """All the window's words stand in stretches copied from the stem."""
        return self.may_be_copied(probe) and all(self.is_copied(hit[0], hit[1]) for hit in window.hits)


def read_response(index: Index, folded: Folded) -> TextReading:
    """Words, marks, sentences and cues of a folded response."""
    text = folded.text
    pieces = TOKEN.split(text, MAX_TOKENS)  # what stands between tokens, and the tokens, in turn
    ends = list(accumulate(map(len, pieces)))
    said = pieces[1::2]
    cut = len(said) == MAX_TOKENS
    read: list[int] | range = range(len(said))
    if len(said) > MAX_DISTINCT:
        read = _first_words(said)
        cut = cut or len(read) < len(said)
        said = [said[at] for at in read]
    every = list(map(index.memory.__getitem__, said))
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
    if index.compares and text.count(" as ") > 1:
        hot = unequal(index, entries) or hot
    if len(entries) > _LONG:
        hot = thin(entries, hot)
    return TextReading(
        index, folded, tokens, ends, entries, marks, joints, hot, references, cut,
        *segment(folded, marks, len(entries)), settle(entries, marks, hot),
    )  # fmt: skip


def _first_words(said: list[str]) -> list[int]:
    """The places of tokens, without those that come after MAX_DISTINCT different ones: no answer has so many."""
    known = set(islice(dict.fromkeys(said), MAX_DISTINCT))
    return [place for place, token in enumerate(said) if token in known]
