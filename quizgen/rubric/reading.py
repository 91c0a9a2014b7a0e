"""A response read against a compiled rubric: its words, its marks, its sentences, and the hits."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from quizgen.rubric.fold import Folded, fold
from quizgen.rubric.index import FUZZY, Entry, Index, Probe, Sequence
from quizgen.rubric.lexicon import (
    ARTICLES,
    BULLET,
    COLON,
    COMMA,
    CONTRAST,
    CORRECT,
    FALSE,
    JOIN,
    LINE,
    NAMED_NEGATORS,
    QUERY,
    SENTENCE,
    STIRRING,
    STRONG,
    TURNING,
)
from quizgen.rubric.rubric import ACCEPT
from quizgen.rubric.stem import stem
from quizgen.rubric.tokens import finder

if TYPE_CHECKING:
    from collections.abc import Sequence as Row

    from quizgen.rubric.match import Window

MAX_HITS: Final = 100  # of one phrase; a text that repeats a word thousands of times gains nothing
_LONG: Final = 2000  # words

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
    numerals: list[int] = field(default_factory=list)
    _clauses: list[int] | None = None
    _segments: list[int] | None = None
    _corrections: list[tuple[int, bool]] | None = None
    _copied: frozenset[int] | None = None
    _named: list[tuple[int, int]] | None = None

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
            found = set(self.sentences)
            found.update(place for place, cue, _ in self.marks if cue in (STRONG, COLON))
            found.update(place for place, cue in self.cues if cue in (CONTRAST, JOIN))
            self._clauses = sorted(found)
        return self._clauses

    @property
    def segments(self) -> list[int]:
        """Like clauses, and broken at commas too."""
        if self._segments is None:
            found = set(self.clauses)
            found.update(place for place, _, _ in self.marks)
            self._segments = sorted(found)
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
            if marks[at][1] == COMMA:
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
        """Stretches of words matched by accepted phrases that name a negator themselves."""
        if self._named is None:
            probes = self.index.probes
            self._named = sorted(
                {
                    (first, last)
                    for number in self.index.negating
                    for first, last, _, _ in self.hits.get(number, ())
                    if last > first and probes[number].kind == ACCEPT
                }
            )
        return self._named

    @property
    def corrections(self) -> list[tuple[int, bool]]:
        """Places where the candidate takes something back; True where in so many words ("no wait")."""
        if self._corrections is None:
            self._corrections = _find_corrections(self) if self.turning else []
        return self._corrections

    def retracted(self, window: Window) -> bool:
        """A plain "no wait", "scratch that" or "I was wrong" follows in this sentence or opens the next."""
        for place, strong in self.corrections[bisect_left(self.corrections, (window.last + 1,)) :]:
            if self.sentence(place) - self.sentence(window.last) > 1:
                return False
            if strong:
                return True
        return False

    def names_negator(self, window: Window) -> bool:
        """The matched words themselves hold a "no", "not" or "without"."""
        if window.probe < 0 or not self.index.probes[window.probe].negator:
            return False
        return any(
            self.entries[place].plain in NAMED_NEGATORS for h in window.hits for place in range(h[0], h[1] + 1)
        )

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

    def copied(self, window: Window, probe: Probe) -> bool:
        """All the window's words stand in stretches copied from the stem."""
        if probe.given != (1 << probe.size) - 1 or not self.index.stem_grams:
            return False
        if self._copied is None:
            plain = [e.plain for e in self.entries]
            grams = self.index.stem_grams
            self._copied = frozenset(
                place
                for start in range(len(plain) - 3)
                if tuple(plain[start : start + 4]) in grams
                for place in range(start, start + 4)
            )
        return all(place in self._copied for h in window.hits for place in range(h[0], h[1] + 1))

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The candidate's characters from word `first` to word `last`."""
        return self.folded.span(self.words[first].start(), self.words[last].end())

    def original(self, first: int, last: int) -> str:
        start, end = self.span(first, last)
        return self.folded.original[start:end]


def read_response(index: Index, folded: Folded) -> Reading:
    """Tokens, hits and sentences of a folded response."""
    known = index.memory.get
    matches = list(finder(folded.text).finditer(folded.text))
    found = [known(match[0]) for match in matches]
    if None in found:
        make = index.entry
        found = [entry or make(match[0]) for entry, match in zip(found, matches, strict=True)]
    entries: list[Entry] = found  # type: ignore[assignment]  # None was just replaced
    words = matches
    marks: list[tuple[int, int, int]] = []
    kinds = [entry.mark for entry in entries]
    if True in kinds:
        past = 0
        for at, is_mark in enumerate(kinds):
            if is_mark:
                if entries[at].cue:
                    marks.append((at - past, entries[at].cue, matches[at].start()))
                past += 1
        words = [match for match, is_mark in zip(matches, kinds, strict=True) if not is_mark]
        entries = [entry for entry in entries if not entry.mark]
    hot = [at for at, entry in enumerate(entries) if entry.hot]
    if len(words) > _LONG:
        hot = _thin(entries, hot)
    reading = Reading(index, folded, words, entries, marks, {}, [], [], {})
    if marks:
        _segment(reading)
    _collect(reading, hot)
    if index.amounts and reading.numerals:
        from quizgen.rubric.numbers import add_amounts

        add_amounts(reading)
    return reading


def sentences_of(text: str) -> list[str]:
    """A text cut where the grader sees sentences."""
    from quizgen.rubric.rubric import Rubric

    folded = fold(text)
    reading = read_response(Rubric(()).index, folded)
    starts = [0, *reading.sentences]
    ends = [*reading.sentences, len(reading.words)]
    return [reading.original(a, b - 1) for a, b in zip(starts, ends, strict=True) if b > a]


def _thin(entries: list[Entry], hot: list[int]) -> list[int]:
    """In a very long text, the first occurrences of every word only; cues all count."""
    seen: dict[int, int] = {}
    kept: list[int] = []
    for place in hot:
        entry = entries[place]
        count = seen.get(id(entry), 0)
        seen[id(entry)] = count + 1
        if count < MAX_HITS or entry.cue:
            kept.append(place)
    return kept


def _collect(reading: Reading, hot: Row[int]) -> None:
    entries = reading.entries
    hits = reading.hits
    cues = reading.cues
    count = len(entries)
    singles = reading.index.singles
    for place in hot:
        entry = entries[place]
        cue = entry.cue
        if cue:
            cues.append((place, cue))
            if cue in STIRRING:
                reading.stirred = True
            if cue in TURNING:
                reading.turning = True
        if entry.numeral:
            reading.numerals.append(place)
        if entry.targets:
            flags = FUZZY if entry.read_as else 0
            for probe, slot, flag in entry.targets:
                found = hits.get(probe)
                if found is None:
                    hits[probe] = [(place, place, slot, flags | flag)]
                elif len(found) < MAX_HITS:
                    found.append((place, place, slot, flags | flag))
        for sequence in entry.starts:
            last = _match_sequence(reading, place, sequence)
            if last >= 0:
                fuzzy = any(entries[i].read_as for i in range(place, last + 1))
                for probe, slot, flag in sequence.targets:
                    found = hits.setdefault(probe, [])
                    if len(found) < MAX_HITS:
                        found.append((place, last, slot, flag | FUZZY if fuzzy else flag))
        if entry.joins and place + 1 < count:
            joined = entry.plain
            for last in range(place + 1, min(place + 3, count)):
                following = entries[last]
                for form in following.forms:
                    for probe, slot, flag in singles.get(joined + form, ()):
                        found = hits.setdefault(probe, [])
                        if len(found) < MAX_HITS and reading.same_sentence(place, last):
                            found.append((place, last, slot, flag))
                joined += following.plain


def _match_sequence(reading: Reading, place: int, sequence: Sequence) -> int:
    """The last word of the sequence that begins at `place`, articles not counted; else -1."""
    entries = reading.entries
    count = len(entries)
    at = place
    for wanted, starred in sequence.rest:
        at += 1
        while at < count and entries[at].plain in ARTICLES and wanted not in entries[at].forms:
            at += 1
        if at >= count:
            return -1
        entry = entries[at]
        if starred:
            if not (entry.plain.startswith(wanted) or entry.read_as.startswith(wanted)):
                if not (_hyphened(reading, at) and (entry.plain + entries[at + 1].plain).startswith(wanted)):
                    return -1
                at += 1
        elif wanted not in entry.forms:
            if not (_hyphened(reading, at) and stem(entry.plain + entries[at + 1].plain) == wanted):
                return -1
            at += 1
    return at if not reading.sentences or reading.sentence(place) == reading.sentence(at) else -1


def _hyphened(reading: Reading, place: int) -> bool:
    """A hyphen joins this word to the next: `pre-emption`."""
    end = reading.words[place].end()
    return place + 1 < len(reading.words) and reading.folded.text[end : end + 1] == "-"


def _segment(reading: Reading) -> None:
    """Sentence starts and lead-ins from the marks."""
    text = reading.folded.text
    starts: list[int] = []
    bullets: list[int] = []
    lead: int | None = None  # the sentence number of a line that ends with a colon
    previous: tuple[int, int, int] = (-1, 0, -1)
    size = len(text)
    for mark in reading.marks:
        place, cue, at = mark
        new = False
        if cue == SENTENCE:
            after = text[at + 1 : at + 2]
            new = not after or after in " \n\"')]" or text[at] == "!" or _glued_sentence(reading, at)
        elif cue == QUERY:
            new = reading.asks = True
        elif cue == BULLET:
            new = True
            if previous[0] == place and previous[1] in (COLON, LINE) and lead is None and place:
                lead = bisect_right(starts, place - 1)
            bullets.append(place)
        elif cue == LINE:
            new = _line_ends(reading, at, size)
            if text[at + 1 : at + 2] == "\n":
                lead = None
        if cue == COLON:
            lead = None if text[at + 1 : at + 2] not in ("\n", "") else bisect_right(starts, max(place - 1, 0))
        elif cue in (SENTENCE, QUERY) and lead is not None and not bullets:
            lead = None
        if new and place and (not starts or starts[-1] != place):
            starts.append(place)
        if lead is not None and cue in (BULLET, LINE) and place and starts and starts[-1] == place:
            number = len(starts)
            if number != lead:
                reading.topics[number] = lead
        previous = mark
    if starts and starts[-1] >= len(reading.words):
        starts.pop()
    reading.sentences = starts


def _glued_sentence(reading: Reading, at: int) -> bool:
    """`channel.Passive`: a full stop without a blank, between a word and a capital."""
    folded = reading.folded
    text = folded.text
    if at < 3 or not text[at - 3 : at].isalpha() or not text[at + 1 : at + 4].isalpha():
        return False
    place = folded.back[at + 1] if folded.back is not None else at + 1
    return folded.original[place].isupper() and not folded.original[place + 1 : place + 2].isupper()


def _line_ends(reading: Reading, at: int, size: int) -> bool:
    """A line end closes a sentence unless the line was only wrapped."""
    text = reading.folded.text
    after = at + 1
    while after < size and text[after] == " ":
        after += 1
    if after >= size or text[after] == "\n":
        return True
    place = reading.folded.back[after] if reading.folded.back is not None else after
    char = reading.folded.original[place]
    return char.isupper() or char.isdigit() or not char.isalnum()


_STRONG_WORDS: Final = frozenset(("correction", "nevermind", "sorry", "oops"))
_OPENERS: Final = frozenset(("no", "oh", "well", "hmm"))
_AFTER_WAIT: Final = frozenset(["no", "actually", "that's", "that", "i", "sorry", "it", "it's"])
# Two words that take something back; True where they can mean nothing else.
_TURNS: Final = {
    ("my", "mistake"): True, ("my", "bad"): False, ("i", "mean"): False, ("i", "meant"): False,
    ("second", "thought"): False, ("never", "mind"): True, ("me", "correct"): False, ("me", "rephrase"): False,
}  # fmt: skip


def _find_corrections(reading: Reading) -> list[tuple[int, bool]]:
    found: list[tuple[int, bool]] = []
    entries = reading.entries
    count = len(entries)

    def word(place: int) -> str:
        return entries[place].plain if 0 <= place < count else ""

    for place, cue in reading.cues:
        this = word(place)
        if cue == CORRECT:
            before, after = word(place - 1), word(place + 1)
            opens = place == 0 or before in _OPENERS or reading.mark_before(place)
            if (before, this) in _TURNS:
                found.append((place, _TURNS[before, this]))
            elif this == "wait":
                opens = place == 0 or before in ("no", "oh", "actually") or reading.mark_before(place)
                if opens and (reading.mark_before(place + 1) or after in _AFTER_WAIT or before == "no"):
                    found.append((place, True))
            elif this in ("scratch", "strike"):
                if after in ("that", "this"):
                    found.append((place, True))
            elif this in _STRONG_WORDS:
                if opens or this in ("nevermind", "oops"):
                    found.append((place, True))
            elif this == "actually" and (opens or after == "no") and place:
                found.append((place, before == "no" or after == "no"))
        elif cue == FALSE and (word(place - 2), word(place - 1)) in (("i", "was"), ("i", "am")):
            found.append((place, True))
        elif this == "rather" and word(place - 1) == "or":
            found.append((place, False))
    return found
