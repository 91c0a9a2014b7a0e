"""A response read against a compiled rubric: its words, its marks, its sentences, and the hits."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

from quizgen.rubric.pattern.index import Entry, Index, Probe
from quizgen.rubric.pattern.meanings import learn
from quizgen.rubric.reading.collect import collect, thin
from quizgen.rubric.reading.corrections import find_corrections, turns_round
from quizgen.rubric.reading.segment import segment
from quizgen.rubric.reading.triggers import settle
from quizgen.rubric.rubric import ACCEPT
from quizgen.rubric.text.fold import Folded
from quizgen.rubric.text.lexicon import BRACKET, COLON, COMMA, CONTRAST, JOIN, NAMED_NEGATORS, STRONG
from quizgen.rubric.text.tokens import finder

if TYPE_CHECKING:
    from quizgen.rubric.reading.match import Window
    from quizgen.rubric.reading.subjects import Owners

_LONG: Final = 2000  # words
BLANKS: Final = 40  # looked over between a word and the bracket or quote beside it
MAX_DISTINCT: Final = 1500  # different words that are read
MAX_TOKENS: Final = 20_000  # words and marks that are read; 64 KiB of English hold about 13,000

Hit = tuple[int, int, int, int]  # first word, last word, slot, flags


@dataclass(slots=True, eq=False)
class Reading:
    """One pass over a response. Word places count words only; marks stand before the word `place`."""

    index: Index
    folded: Folded
    words: list[re.Match[str]]
    entries: list[Entry]
    marks: list[tuple[int, int, int]]  # (place, cue, character)
    hits: dict[int, list[Hit]]  # probe -> hits in order of their first word
    cues: list[tuple[int, int]]  # (place, cue) of words that are cues
    sentences: list[int]  # first word of every sentence but the first
    topics: dict[int, int]  # sentence of a bullet -> sentence that leads in
    asks: bool = False  # a question mark stands somewhere
    turning: bool = False  # some word may take back what was said
    stirred: bool = False  # some word may deny or doubt a claim
    joints: list[int] = field(default_factory=list)  # words after signs such as = and ->
    said: int = 0  # the content words of the model answer that are there, a bit each
    cut: bool = False  # only the first words were read
    numerals: list[int] = field(default_factory=list)
    excused: dict[int, tuple[int, bool]] = field(default_factory=dict)  # cue -> last word of what excuses it, ahead
    ends: dict[int, int] = field(default_factory=dict)  # cue of several words -> its last word
    _clauses: list[int] | None = None
    _segments: list[int] | None = None
    _corrections: list[tuple[int, bool]] | None = None
    _copied: frozenset[int] | None = None
    _named: list[tuple[int, int]] | None = None
    _owners: Owners | None = None

    def sentence(self, place: int) -> int:
        return bisect_right(self.sentences, place) if self.sentences else 0

    def together(self, first: int, last: int) -> bool:
        """Two places are in one sentence, in neighbours, or in a bullet and its lead-in."""
        if not self.sentences:
            return True
        a, b = self.sentence(first), self.sentence(last)
        return b - a <= 1 or self.topics.get(b) == a

    def same_sentence(self, first: int, last: int) -> bool:
        if not self.sentences:
            return True
        a, b = self.sentence(first), self.sentence(last)
        return a == b or self.topics.get(b) == a

    def sentence_bounds(self, place: int) -> tuple[int, int]:
        """First word and one past the last word of the sentence that holds `place`."""
        at = self.sentence(place)
        start = self.sentences[at - 1] if at else 0
        end = self.sentences[at] if at < len(self.sentences) else len(self.words)
        return start, end

    @property
    def clauses(self) -> list[int]:
        """First words of clauses: after strong marks, and at but, because, which and their like."""
        if self._clauses is None:
            marked = [place for place, cue, _ in self.marks if cue in (STRONG, COLON)]
            joined = [p for p, cue in self.cues if cue == JOIN or (cue == CONTRAST and not self._idle(p))]
            self._clauses = sorted({*self.sentences, *marked, *joined})
        return self._clauses

    def _idle(self, place: int) -> bool:
        """The "but" of "it cannot help but grow" turns nothing."""
        return place > 0 and self.entries[place].plain == "but" and self.entries[place - 1].plain == "help"

    @property
    def segments(self) -> list[int]:
        """Like clauses, and broken at commas too."""
        if self._segments is None:
            self._segments = sorted({*self.clauses, *[place for place, _, _ in self.marks]})
        return self._segments

    def clause_bounds(self, place: int) -> tuple[int, int]:
        clauses = self.clauses
        at = bisect_right(clauses, place)
        start = clauses[at - 1] if at else 0
        return start, (clauses[at] if at < len(clauses) else len(self.words))

    def comma_between(self, first: int, last: int) -> bool:
        """A comma or bracket stands after word `first` and before word `last`."""
        marks = self.marks
        at = bisect_left(marks, (first + 1,))
        while at < len(marks) and marks[at][0] <= last:
            if marks[at][1] in (COMMA, BRACKET):
                return True
            at += 1
        return False

    def reach(self, first: int, last: int) -> int:
        """How far two words stand apart: their distance, and five more for every segment between."""
        segments = self.segments
        return last - first + 5 * (bisect_right(segments, last) - bisect_right(segments, first))

    def mark_before(self, place: int, cue: int = 0) -> bool:
        """Some mark, or a mark of this cue, stands directly before the word `place`."""
        at = bisect_left(self.marks, (place,))
        while at < len(self.marks) and self.marks[at][0] == place:
            if not cue or self.marks[at][1] == cue:
                return True
            at += 1
        return False

    def cues_in(self, start: int, end: int) -> list[tuple[int, int]]:
        """Cue words from word `start` to before word `end`."""
        cues = self.cues
        return cues[bisect_left(cues, (start,)) : bisect_left(cues, (end,))] if cues else cues

    @property
    def named_negations(self) -> list[tuple[int, int]]:
        """Stretches of words in which an accepted phrase that names a negator is found whole."""
        if self._named is None:
            from quizgen.rubric.reading.match import windows  # which reads responses itself

            probes = self.index.probes
            self._named = sorted(
                {
                    (first, last)
                    for number in self.index.negating
                    if number in self.hits and probes[number].kind == ACCEPT
                    for window in windows(self, number, probes[number], self.hits[number])[0]
                    for first, last, _, _ in window.hits
                    if last > first
                }
            )
        return self._named

    @property
    def owners(self) -> Owners:
        """The subject of every word."""
        if self._owners is None:
            from quizgen.rubric.reading.subjects import owners

            self._owners = owners(self)
        return self._owners

    @property
    def corrections(self) -> list[tuple[int, bool]]:
        """Places where the candidate takes something back; True where in so many words ("no wait")."""
        if self._corrections is None:
            self._corrections = find_corrections(self) if self.turning else []
        return self._corrections

    def retracted(self, window: Window) -> bool:
        """A plain "no wait", "scratch that" or "I was wrong" follows in this sentence or opens the next."""
        for place, strong in self.corrections[bisect_left(self.corrections, (window.last + 1,)) :]:
            if self.sentence(place) - self.sentence(window.last) > 1:
                return False
            if strong or turns_round(self, window, place):
                return True
        return False

    def names_negator(self, window: Window) -> bool:
        """The matched words themselves hold a "no", "not" or "without"."""
        if window.probe < 0 or not self.index.probes[window.probe].negator:
            return False
        entries = self.entries
        for first, last, _, _ in window.hits:
            for place in range(first, last + 1):
                if entries[place].plain in NAMED_NEGATORS:
                    return True
        return False

    def corrected_inside(self, window: Window) -> bool:
        """A correction stands between the window's words."""
        corrections = self.corrections
        at = bisect_left(corrections, (window.first + 1,))
        return at < len(corrections) and corrections[at][0] <= window.last

    def retracted_by(self, window: Window, others: list[Window]) -> bool:
        """A correction, however mild, stands between the window and a later claim on the same point."""
        corrections = self.corrections
        at = bisect_left(corrections, (window.last + 1,))
        return at < len(corrections) and any(corrections[at][0] <= other.last for other in others)

    def may_be_copied(self, probe: Probe) -> bool:
        """The stem's own words fill all slots of the phrase."""
        return probe.given == (1 << probe.size) - 1 and bool(self.index.stem_grams)

    def copied(self, window: Window, probe: Probe) -> bool:
        """All the window's words stand in stretches copied from the stem."""
        return self.may_be_copied(probe) and all(self.is_copied(hit) for hit in window.hits)

    def is_copied(self, hit: Hit) -> bool:
        """The words of a hit stand in a stretch of four or more copied from the stem."""
        if self._copied is None:
            plain = [e.plain for e in self.entries]
            grams = self.index.stem_grams
            self._copied = frozenset(
                place
                for start in range(len(plain) - 3)
                if tuple(plain[start : start + 4]) in grams
                for place in range(start, start + 4)
            )
        return all(place in self._copied for place in range(hit[0], hit[1] + 1))

    def mark_beside(self, place: int) -> str:
        """The character before a word, blanks aside; empty at the start."""
        start = self.words[place].start()
        return self.folded.text[max(0, start - BLANKS) : start].rstrip()[-1:]

    def marks_after(self, place: int) -> str:
        """The three characters behind a word, however many blanks part them."""
        end = self.words[place].end()
        return "".join(self.folded.text[end : end + BLANKS].split())[:3]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The candidate's characters from word `first` to word `last`."""
        start, end = self.words[first].start(), self.words[last].end()
        return (start, end) if self.folded.back is None else self.folded.span(start, end)

    def original(self, first: int, last: int) -> str:
        start, end = self.span(first, last)
        return self.folded.original[start:end]


def read_response(index: Index, folded: Folded) -> Reading:
    """Tokens, hits and sentences of a folded response."""
    known = index.memory.get
    text = folded.text
    found = finder(text).finditer(text)
    matches = list(found) if len(text) < MAX_TOKENS else list(islice(found, MAX_TOKENS))
    cut = len(matches) == MAX_TOKENS
    if len(matches) > MAX_DISTINCT:
        count = len(matches)
        matches = _first_words(matches)
        cut = cut or len(matches) < count
    words: list[re.Match[str]] = []
    entries: list[Entry] = []
    hot: list[int] = []
    marks: list[tuple[int, int, int]] = []
    joints: list[int] = []
    last = (-1, 0)
    said = 0
    for match in matches:
        entry = known(match[0]) or learn(index, match[0])
        if entry.hot:
            place = len(words)
            if entry.mark:
                cue = entry.cue
                if not cue:
                    joints.append(place)
                elif not (cue == BRACKET and last == (place, cue)):
                    last = (place, cue)
                    marks.append((place, cue, match.start()))
                continue
            hot.append(place)
            said |= entry.reference
        words.append(match)
        entries.append(entry)
    if index.compares and text.count(" as ") > 1:
        from quizgen.rubric.context.comparatives import unequal

        hot = unequal(index, entries) or hot
    if len(words) > _LONG:
        hot = thin(entries, hot)
    reading = Reading(index, folded, words, entries, marks, {}, [], [], {})
    reading.cut, reading.joints, reading.said = cut, joints, said
    if marks:
        segment(reading)
    collect(reading, hot)
    if reading.stirred:
        settle(reading)
    if index.amounts and reading.numerals:
        from quizgen.rubric.reading.numbers import add_amounts

        add_amounts(reading)
    return reading


def _first_words(matches: list[re.Match[str]]) -> list[re.Match[str]]:
    """Without the words that come after MAX_DISTINCT different ones: no answer has so many."""
    seen: dict[str, bool] = {}
    for match in matches:
        if match[0] not in seen:
            seen[match[0]] = len(seen) < MAX_DISTINCT
    return [match for match in matches if seen[match[0]]] if len(seen) > MAX_DISTINCT else matches
