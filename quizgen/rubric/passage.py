"""A response split into words, marks, sentences and clauses, before any phrase is searched for."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Final

from quizgen.rubric import lexicon
from quizgen.rubric.index import IndexEntry, RubricIndex, newline_separated
from quizgen.rubric.scopes import BUT, JOIN, ResponseCues
from quizgen.rubric.tokens import FoldedText

# -- A response as words, marks and sentences, before any phrase is matched. Immutable.

Hit = tuple[int, int, int, int]  # (first word, last word, slot, flags)


@dataclass(frozen=True, eq=False)
class Passage:
    """The words of a response. A place counts words only, from 0; a mark at a place stands before the word there."""

    index: RubricIndex
    folded: FoldedText
    token_numbers: list[int]  # the token of each word
    token_bounds: list[int]  # for each token: the place after the previous character, and the place after its last one
    tokens_before_hyphen: Collection[int]  # `pre` of `pre-emption`
    entries: list[IndexEntry]
    places_after_slash: Collection[int]  # words after a slash: `layer` of `all-reduces/layer`
    punctuation: list[tuple[int, int, int]]  # (place, cue, character)
    places_after_signs: list[int]  # words after signs such as = and ->
    places_to_examine: list[int]  # words that mean something to the rubric
    model_answer_bits: int  # the model answer's content words that occur, one bit each
    is_cut: bool  # only the first words were read
    later_sentence_starts: tuple[int, ...]  # first word of every sentence but the first
    lead_in_by_bullet: Mapping[int, int]  # sentence of a bullet -> sentence that introduces it
    has_question: bool  # the text contains a question mark
    cues: ResponseCues

    @property
    def stem_hashes(self) -> list[int]:
        """The stem of each word as a number; of an abbreviation's long form, and of a misspelt word's correction."""
        return list(map(attrgetter("stem_hash"), self.entries))

    def word_at(self, place: int) -> str:
        """The word at a place; empty outside the response."""
        return self.entries[place].word if 0 <= place < len(self.entries) else ""

    def sentence_number(self, place: int) -> int:
        """The number of the sentence that holds the word at `place`, from 0."""
        starts = self.later_sentence_starts
        return bisect_right(starts, place) if starts else 0

    def continues_topic(self, start: int) -> bool:
        """Whether the sentence from word `start` is about the same thing as the one before ("So it …")."""
        return self.word_at(start) in lexicon.CONTINUING_WORDS or self.word_at(start + 1) in lexicon.CONTINUING_WORDS

    def sentence_bounds(self, place: int) -> tuple[int, int]:
        """The first word of the sentence that holds `place`, and one past its last word."""
        return _bounds_around(self.later_sentence_starts, place, len(self.entries))

    @cached_property
    def clause_starts(self) -> list[int]:
        """The first words of all clauses: after dashes and colons, and at but, because, which and similar words."""
        marked = [place for place, cue, _ in self.punctuation if cue in (lexicon.DASH, lexicon.COLON)]
        joined = [p for p, cue in self.cues.places_and_kinds if cue in (JOIN, BUT)]
        return sorted({*self.later_sentence_starts, *marked, *joined})

    @cached_property
    def segment_starts(self) -> list[int]:
        """The first words of all segments: clauses split at commas and other marks too."""
        joined = [p for p, cue in self.cues.places_and_kinds if cue in (JOIN, BUT)]
        return sorted({*joined, *[place for place, _, _ in self.punctuation]})

    def clause_bounds(self, place: int) -> tuple[int, int]:
        """The first word of the clause that holds `place`, and one past its last word."""
        return _bounds_around(self.clause_starts, place, len(self.entries))

    def has_comma_between(self, first: int, last: int) -> bool:
        """Whether a comma or bracket stands after word `first` and before word `last`."""
        return any([mark in (lexicon.COMMA, lexicon.BRACKET) for _, mark, _ in self._marks_in(first + 1, last)])

    def are_in_one_statement(self, first: int, last: int) -> bool:
        """Whether two words stand in one sentence, without a comma behind which a statement with its own verb begins
        ("joined by NVLink, between servers there's …")."""
        starts = self.later_sentence_starts
        if starts and bisect_right(starts, first) != bisect_right(starts, last):
            return False
        inside = self._marks_in(first + 1, last)
        if not inside or inside[0][1] != lexicon.COMMA:
            return True
        following = bisect_left(self.punctuation, (last + 1,))
        end = self.punctuation[following][0] if following < len(self.punctuation) else len(self.entries)
        statement = range(last + 1, min(end, last + _MAX_STATEMENT_WORDS))
        return not any([self.entries[place].word in lexicon.FINITE_VERBS for place in statement])

    def word_distance(self, first: int, last: int) -> int:
        """How far apart two words are: their distance in words, plus five for every segment boundary between them."""
        segments = self.segment_starts
        return last - first + 5 * (bisect_right(segments, last) - bisect_right(segments, first))

    def has_mark_before(self, place: int, cue: int = 0) -> bool:
        """Whether a mark stands directly before the word `place`; with `cue`, whether a mark of that kind does."""
        return any([not cue or mark == cue for _, mark, _ in self._marks_in(place, place)])

    def _marks_in(self, first: int, last: int) -> list[tuple[int, int, int]]:
        """The marks that stand before the words from `first` to `last`."""
        return self.punctuation[bisect_left(self.punctuation, (first,)) : bisect_left(self.punctuation, (last + 1,))]

    def cues_in(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """The cue words from `start` to before `end`, as (place, kind)."""
        cues = self.cues.places_and_kinds
        return cues[bisect_left(cues, (start,)) : bisect_left(cues, (end,))] if cues else cues

    @cached_property
    def _places_copied_from_stem(self) -> frozenset[int]:
        """The places of words in runs of four or more that are copied from the stem."""
        plain = [entry.word for entry in self.entries]
        stem = self.index.stem_words
        starts = [start for start in range(len(plain) - 3) if newline_separated(plain[start : start + 4]) in stem]
        return frozenset(place for start in starts for place in range(start, start + 4))

    def is_copied_from_stem(self, first: int, last: int) -> bool:
        """Whether all words from `first` to `last` stand in runs of four or more that are copied from the stem."""
        return all(place in self._places_copied_from_stem for place in range(first, last + 1))

    def folded_char_start(self, place: int) -> int:
        """The place of the word's first character in the folded text."""
        return self.token_bounds[2 * self.token_numbers[place]]

    def original_char_span(self, first: int, last: int) -> tuple[int, int]:
        """The place of the words `first` to `last` in the candidate's own text, end exclusive."""
        bounds, numbers = self.token_bounds, self.token_numbers
        start, end = bounds[2 * numbers[first]], bounds[2 * numbers[last] + 1]
        return (start, end) if self.folded.original_places is None else self.folded.original_span(start, end)

    def original_text(self, first: int, last: int) -> str:
        """The words `first` to `last` as the candidate wrote them, in one line."""
        start, end = self.original_char_span(first, last)
        return " ".join(self.folded.original[start:end].split())


def _bounds_around(starts: list[int] | tuple[int, ...], place: int, size: int) -> tuple[int, int]:
    at = bisect_right(starts, place)
    return starts[at - 1] if at else 0, starts[at] if at < len(starts) else size


# -- sentences and lead-ins ------------------------------------------------------------------------------

_LEAD_IN_PATTERN: Final = re.compile(r"\w{1,20}(?: \w{1,20}){0,2}:[ \n]")  # "rule: …" at the start of a line
_LIST_NUMBER: Final = re.compile(r"(?<![^ (\n])\d{1,2}$")
_MAX_STATEMENT_WORDS: Final = 40  # words in which the verb of a statement is searched for
_MAX_BULLET_INDENT: Final = 40  # largest indentation of a bullet
_MAX_LIST_ENTRY_CHARACTERS: Final = 2000  # characters within which "2." follows "1."


def find_sentences(
    folded: FoldedText, marks: list[tuple[int, int, int]], word_count: int
) -> tuple[tuple[int, ...], Mapping[int, int], bool]:
    """Three results for a response of `word_count` words: the index of the first word of every sentence after the
    first; the number of the introducing sentence, by the number of each bullet's sentence; and whether there is a
    question mark."""
    starts: list[int] = []
    lead_in_by_bullet: dict[int, int] = {}
    lead: int | None = None  # the sentence that ends with a colon and may introduce bullets or lines
    outer: list[tuple[int, int]] = []  # enclosing bullets: (indentation, first word)
    listed: set[int] = set()  # numbers with a full stop that did not end sentences
    previous = (-1, 0)  # place and cue of the previous mark
    for place, cue, at in marks:
        if cue == lexicon.BULLET:
            before = folded.text[at : at + _MAX_BULLET_INDENT]
            blanks = len(before) - len(before.lstrip(" "))
            outer = [*[one for one in outer if one[0] < blanks], (blanks, place)]
            if lead is None and place and previous in ((place, lexicon.COLON), (place, lexicon.LINE_END)):
                lead = bisect_right(starts, place - 1)
        elif cue == lexicon.COLON:
            ends_line = folded.text[at + 1 : at + 2] in ("\n", "")
            lead = bisect_right(starts, max(place - 1, 0)) if ends_line else None
        if place and _ends_sentence(folded, cue, at, listed) and starts[-1:] != [place]:
            starts.append(place)
        if lead is not None and cue in (lexicon.BULLET, lexicon.LINE_END) and starts[-1:] == [place]:
            # A nested bullet continues its parent.
            nested = cue == lexicon.BULLET and len(outer) > 1
            topic = bisect_right(starts, outer[-2][1]) if nested else lead
            if topic != len(starts):
                lead_in_by_bullet[len(starts)] = topic
        previous = (place, cue)
    if starts and starts[-1] >= word_count:
        starts.pop()
    return tuple(starts), lead_in_by_bullet, any([cue == lexicon.QUESTION_MARK for _, cue, _ in marks])


def _ends_sentence(folded: FoldedText, cue: int, at: int, listed: set[int]) -> bool:
    """Whether the mark `cue` at character `at` ends a sentence: a stop if a blank or a closing quote follows, and a
    line end unless the line was only wrapped. `listed` are the numbers of lists that were read so far."""
    text = folded.text
    if cue == lexicon.SENTENCE_END:
        ends = text[at] == "!" or text[at + 1 : at + 2] in ("", *" \n\"')]")
        return ends and not _is_list_number(text, at, listed)
    if cue != lexicon.LINE_END:
        return cue in (lexicon.BULLET, lexicon.QUESTION_MARK)
    after, size = at + 1, len(text)
    while after < size and text[after] == " ":
        after += 1
    if after >= size or text[after] == "\n":
        return True
    place = folded.original_places[after] if folded.original_places is not None else after
    char = folded.original[place]
    return char.isupper() or char.isdigit() or not char.isalnum() or _LEAD_IN_PATTERN.match(text, after) is not None


def _is_list_number(text: str, at: int, listed: set[int]) -> bool:
    """Whether a full stop belongs to a number in a list: "it has 1. a head, 2. a tail"; `listed` are the earlier
    ones."""
    match = _LIST_NUMBER.search(text, max(0, at - 3), at) if text[at] == "." and text[at - 1 : at].isdecimal() else None
    if match is None or text[at + 1 : at + 2] in ("", "\n"):
        return False
    number = int(match[0])
    if number - 1 not in listed and not (number == 1 and " 2. " in text[at : at + _MAX_LIST_ENTRY_CHARACTERS]):
        return False
    listed.add(number)
    return True
