"""A response read against a rubric: its words, marks, sentences and clauses; which words and amounts fill which slots
of phrases, and the windows that hold a whole phrase; which subject each word is about; what is taken back."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import accumulate, combinations, compress, islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from quizgen.formula.units import BankUnits, Dim, Unit, parse_unit
from quizgen.rubric import index as rubric_index
from quizgen.rubric import lexicon, scopes
from quizgen.rubric.index import MISSPELT_WORD_BIT, IndexedPhrase, IndexEntry, RubricIndex, WordSequence
from quizgen.rubric.phrases import SlotAlternative
from quizgen.rubric.rubric import WITHIN_ANSWER, WITHIN_NEXT_SENTENCE
from quizgen.rubric.spelling import word_stem
from quizgen.rubric.tokens import TOKEN_PATTERN, FoldedText

if TYPE_CHECKING:  # loaded with the first amount
    from quizgen.numbers.answer import UnitLexicon

# -- A response as words, marks and sentences. Nothing changes it; what scoring needs later is computed at first use.

Hit = tuple[int, int, int, int]  # (first word, last word, slot, flags)
HitsByPhrase = defaultdict[int, list[Hit]]


@dataclass(eq=False)  # not frozen, because it takes a sixth of the time to make
class ResponseText:
    """The words of a response. A place counts words only, from 0; a mark at a place stands before the word there."""

    rubric_index: RubricIndex
    folded_text: FoldedText
    token_number_by_word: list[int]  # the token of each word
    flat_token_char_bounds: list[int]  # for each token: the places after the previous character and after its last one
    tokens_before_hyphen: Collection[int]  # `pre` of `pre-emption`
    word_entries: list[IndexEntry]
    word_places_after_slash: Collection[int]  # words after a slash: `layer` of `all-reduces/layer`
    punctuation: list[tuple[int, int, int]]  # (place, kind, offset in the folded text)
    word_places_after_signs: list[int]  # words after signs such as = and ->
    word_places_that_matter: list[int]  # words that mean something to the rubric
    model_answer_word_bits: int  # the model answer's content words that occur, one bit each
    is_cut: bool  # only the first words were read
    later_sentence_starts: tuple[int, ...]  # first word of every sentence but the first
    lead_in_sentence_by_bullet: Mapping[int, int]  # sentence of a bullet -> sentence that introduces it
    has_question_mark: bool  # the text contains a question mark
    cue_places_and_kinds: tuple[tuple[int, int], ...]  # of all cue words, also those that divide clauses
    found_cues: tuple[scopes.FoundCue, ...] = ()  # the rows of cues that may change how a claim is meant
    word_places_of_cues_without_effect: frozenset[int] = frozenset()  # denying words that deny nothing here

    def word_at(self, place: int) -> str:
        """The word at a place; empty outside the response."""
        return self.word_entries[place].word if 0 <= place < len(self.word_entries) else ""

    def sentence_number(self, place: int) -> int:
        """The number of the sentence that holds the word at `place`, from 0."""
        return bisect_right(self.later_sentence_starts, place)

    def sentence_from_place_continues_topic(self, start: int) -> bool:
        """Whether the sentence from word `start` is about the same thing as the one before ("So it …")."""
        return not lexicon.TOPIC_CONTINUING_WORDS.isdisjoint((self.word_at(start), self.word_at(start + 1)))

    def sentence_bounds(self, place: int) -> tuple[int, int]:
        """The first word of the sentence that holds `place`, and one past its last word."""
        return _sentence_or_clause_bounds(self.later_sentence_starts, place, len(self.word_entries))

    @cached_property
    def clause_starts(self) -> list[int]:
        """The first words of all clauses: after dashes and colons, and at but, because, which and similar words."""
        mark_places = [place for place, cue, _ in self.punctuation if cue in (lexicon.DASH_KIND, lexicon.COLON_KIND)]
        joiners = [p for p, cue in self.cue_places_and_kinds if cue in (scopes.CLAUSE_JOINING_CUE, scopes.BUT_WORD_CUE)]
        return sorted({*self.later_sentence_starts, *mark_places, *joiners})

    @cached_property
    def segment_starts(self) -> list[int]:
        """The first words of all segments: clauses split at commas and other marks too."""
        joiners = [p for p, cue in self.cue_places_and_kinds if cue in (scopes.CLAUSE_JOINING_CUE, scopes.BUT_WORD_CUE)]
        return sorted({*joiners, *[place for place, _, _ in self.punctuation]})

    def clause_bounds(self, place: int) -> tuple[int, int]:
        """The first word of the clause that holds `place`, and one past its last word."""
        return _sentence_or_clause_bounds(self.clause_starts, place, len(self.word_entries))

    def has_comma_between(self, first: int, last: int) -> bool:
        """Whether a comma or bracket stands after word `first` and before word `last`."""
        kinds = [kind for _, kind, _ in self._punctuation_in_range(first + 1, last)]
        return lexicon.COMMA_KIND in kinds or lexicon.BRACKET_KIND in kinds

    def are_in_one_sentence_and_statement(self, first: int, last: int) -> bool:
        """Whether two words stand in one sentence, without a comma behind which a statement with its own verb begins
        ("joined by NVLink, between servers there's …")."""
        numbers = self.token_number_by_word
        if numbers[last] - numbers[first] == last - first:
            return True  # as mostly: only words stand between them
        if self.sentence_number(first) != self.sentence_number(last):
            return False
        marks = self._punctuation_in_range(first + 1, last)
        if not marks or marks[0][1] != lexicon.COMMA_KIND:
            return True
        mark_number = bisect_left(self.punctuation, (last + 1,))
        end = self.punctuation[mark_number][0] if mark_number < len(self.punctuation) else len(self.word_entries)
        statement = range(last + 1, min(end, last + _MAX_WORDS_SEARCHED_FOR_VERB))
        return not any([self.word_entries[place].word in lexicon.FINITE_VERBS for place in statement])

    def word_distance_with_segment_penalty(self, first: int, last: int) -> int:
        """How far apart two words are: their distance in words, plus five for every segment boundary between them."""
        return last - first + 5 * (bisect_right(self.segment_starts, last) - bisect_right(self.segment_starts, first))

    def follows_punctuation(self, place: int, mark_kind: int = 0) -> bool:
        """Whether a mark stands directly before the word `place`; with `mark_kind`, whether one of that kind does."""
        return any([not mark_kind or mark == mark_kind for _, mark, _ in self._punctuation_in_range(place, place)])

    def _punctuation_in_range(self, first: int, last: int) -> list[tuple[int, int, int]]:
        """The marks that stand before the words from `first` to `last`."""
        return self.punctuation[bisect_left(self.punctuation, (first,)) : bisect_left(self.punctuation, (last + 1,))]

    def found_cues_in(self, start: int, end: int) -> tuple[scopes.FoundCue, ...]:
        """The rows of cues that stand from word `start` to before word `end`."""
        return self.found_cues[bisect_left(self.found_cues, (start,)) : bisect_left(self.found_cues, (end,))]

    def cue_places_and_kinds_in(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """The cue words from `start` to before `end`, as (place, kind)."""
        cues = self.cue_places_and_kinds
        return cues[bisect_left(cues, (start,)) : bisect_left(cues, (end,))] if cues else cues

    @cached_property
    def _places_copied_from_stem(self) -> frozenset[int]:
        """The places of words in runs of four or more that are copied from the stem."""
        words = [entry.word for entry in self.word_entries]
        stem = self.rubric_index.newline_enclosed_stem
        starts = [n for n in range(len(words) - 3) if rubric_index.newline_enclosed_text(words[n : n + 4]) in stem]
        return frozenset(place for start in starts for place in range(start, start + 4))

    def is_copied_from_stem(self, first: int, last: int) -> bool:
        """Whether all words from `first` to `last` stand in runs of four or more that are copied from the stem."""
        return all(place in self._places_copied_from_stem for place in range(first, last + 1))

    def original_char_span(self, first: int, last: int) -> tuple[int, int]:
        """The place of the words `first` to `last` in the candidate's own text, end exclusive."""
        bounds, numbers = self.flat_token_char_bounds, self.token_number_by_word
        start, end = bounds[2 * numbers[first]], bounds[2 * numbers[last] + 1]
        return self.folded_text.original_char_span(start, end)

    def original_text(self, first: int, last: int) -> str:
        """The words `first` to `last` as the candidate wrote them, in one line."""
        start, end = self.original_char_span(first, last)
        return " ".join(self.folded_text.original[start:end].split())

    @cached_property
    def hits_by_phrase_index(self) -> dict[int, list[Hit]]:
        """The hits of each phrase, in order of their first word; also those of amounts equal to a quantity in a phrase:
        `2 KB` for `2000 bytes`."""
        hits = _collect_hits(self)
        amount_hits: HitsByPhrase = defaultdict(list)
        for amount in find_amounts(self, "") if self.rubric_index.slots_by_amount else ():
            key = (amount.base_value, amount.unit.dim) if amount.unit is not None else None
            for number, slot, flags in self.rubric_index.slots_by_amount.get(key, ()) if key is not None else ():
                if not any(h[0] == amount.first and h[2] == slot for h in hits.get(number, ())):
                    amount_hits[number].append((amount.first, amount.last, slot, flags))
        return hits | {number: sorted([*hits.get(number, ()), *new_hits]) for number, new_hits in amount_hits.items()}

    @cached_property
    def word_subjects(self) -> WordSubjects:
        """The mentions of subjects in the response, and the subject that each word is about."""
        mentions = _find_subject_mentions(self)
        subjects: list[SubjectNumbers | None] = []
        places_without_topic: set[int] = set()
        topic: SubjectNumbers | None = None
        has_topic = True
        topic_by_sentence: dict[int, SubjectNumbers | None] = {}
        size = len(self.word_entries)
        name_places = {place for mention in mentions for place in range(mention.first + 1, mention.last + 1)}
        starts = sorted({0, *self.segment_starts} - name_places - {size})
        for start, end in pairwise([*starts, size]):
            sentence = self.sentence_number(start)
            if start == 0 or self.sentence_number(start - 1) != sentence:
                lead_in = self.lead_in_sentence_by_bullet.get(sentence, -1)
                topic = topic_by_sentence.get(lead_in, topic)
                has_topic = lead_in >= 0 or self.sentence_from_place_continues_topic(start)
            names = [m for m in mentions if start <= m.first < end]
            has_topic |= bool(names)
            places_without_topic.update(() if has_topic else range(start, end))
            topic = topic_by_sentence[sentence] = names[0].subject_numbers if names else topic
            for place in range(start, end):
                subjects.append(next((m.subject_numbers for m in reversed(names) if m.first <= place), topic))
        return WordSubjects(tuple(mentions), tuple(subjects), frozenset(places_without_topic))

    @cached_property
    def points_divisor_if_like_wrong(self) -> int:
        """The number by which marks are divided: 2 if the response resembles wrong examples, 4 if strongly, else 1."""
        examples = self.rubric_index.example_answers
        excess = examples.likeness_to_wrong_answers([e.word_stem_hash for e in self.word_entries]) if examples else 0.0
        return (1, 2, 4)[sum(excess > limit for limit in rubric_index.WRONG_ANSWER_LIKENESS_LIMITS)]

    @cached_property
    def correction_cues(self) -> list[scopes.FoundCue]:
        """The cues with which the candidate takes something back."""
        return [c for c in self.found_cues if c.row.effect in (scopes.TAKES_BACK_CUE, scopes.CORRECTS_IF_RESTATED_CUE)]

    def retraction_cue_text(self, claim: PhraseWindow, later_claims: Sequence[PhraseWindow] = ()) -> str:
        """The words that take a claim back ("no wait", "scratch that") in its sentence or at the start of the next one,
        or with which one of `later_claims` corrects it (even a mild "or rather"); empty if there are none."""
        next_cue = next((cue for cue in self.correction_cues if cue.place > claim.last), None)
        if next_cue is not None and any(next_cue.place <= later_claim.last for later_claim in later_claims):
            return self.original_text(next_cue.place, next_cue.last)
        for cue in self.correction_cues:
            if cue.place <= claim.last or cue.row.effect == scopes.CORRECTS_IF_RESTATED_CUE:
                continue
            sentence_distance = self.sentence_number(cue.place) - self.sentence_number(claim.last)
            if sentence_distance > (cue.place in self.later_sentence_starts):
                return ""  # inside a sentence it takes back only words of that sentence
            return self.original_text(cue.place, cue.last)
        return ""

    def has_matched_negator(self, window: PhraseWindow) -> bool:
        """Whether the matched words themselves include a "no", "not" or "without"."""
        if window.phrase_index < 0 or not self.rubric_index.phrases[window.phrase_index].has_negator:
            return False
        words = [entry.word for first, last, _, _ in window.hits for entry in self.word_entries[first : last + 1]]
        return not scopes.NEGATING_WORDS.isdisjoint(words)


def _sentence_or_clause_bounds(starts: list[int] | tuple[int, ...], place: int, size: int) -> tuple[int, int]:
    number = bisect_right(starts, place)
    return starts[number - 1] if number else 0, starts[number] if number < len(starts) else size


MAX_DISTINCT_WORDS_READ: Final = 1500  # different words that are read
MAX_TOKENS_READ: Final = 20_000  # words and marks that are read; 64 KiB of English contain about 13,000


def read_response(index: RubricIndex, response: FoldedText) -> ResponseText:
    """The words, marks, sentences and cues of a folded response."""
    # In one piece for speed: C code runs over all words, and Python only over marks and words that mean something.
    text = response.text
    pieces = TOKEN_PATTERN.split(text, MAX_TOKENS_READ)  # text between tokens and tokens, alternating
    ends = list(accumulate(map(len, pieces)))
    words, gaps = pieces[1::2], pieces[2::2]
    hyphens = {gap for gap in set(gaps) if gap[:1] == "-"} if "-" in text else ()
    before_hyphen = set(compress(range(len(gaps)), map(hyphens.__contains__, gaps))) if hyphens else ()
    is_cut = len(words) == MAX_TOKENS_READ
    token_numbers: Sequence[int] = range(len(words))
    if len(words) > MAX_DISTINCT_WORDS_READ:
        vocabulary = set(islice(dict.fromkeys(words), MAX_DISTINCT_WORDS_READ))
        token_numbers = list(compress(token_numbers, map(vocabulary.__contains__, words)))
        is_cut = is_cut or len(token_numbers) < len(words)
        words = [words[number] for number in token_numbers]
    all_entries = rubric_index.entries_of_tokens(index, words)
    tokens: list[int] = []
    entries: list[IndexEntry] = []
    word_places_that_matter: list[int] = []
    single_cues: list[tuple[int, int]] = []  # places and kinds of words that are cues by themselves
    marks: list[tuple[int, int, int]] = []
    after_signs: list[int] = []
    after_slash: set[int] = set()
    model_bits = run_start = signs = 0
    last_mark = (-1, 0)
    for number, entry in enumerate(all_entries):
        if not entry.matters_for_scoring:
            continue
        place, cue = number - signs, entry.cue_kind
        if not entry.is_punctuation:
            word_places_that_matter.append(place)
            model_bits |= entry.model_answer_word_bits
            if cue:
                single_cues.append((place, cue))
            continue
        signs += 1
        tokens += token_numbers[run_start:number]
        entries += all_entries[run_start:number]
        run_start = number + 1
        if not cue:
            after_signs.append(place)
            if entry.word == "/":
                after_slash.add(place)
        elif cue != lexicon.BRACKET_KIND or last_mark != (place, lexicon.BRACKET_KIND):
            last_mark = (place, cue)
            marks.append((place, cue, ends[2 * token_numbers[number]]))
    tokens += token_numbers[run_start:]
    entries += all_entries[run_start:]
    if after_slash:
        word_places_that_matter = sorted({*word_places_that_matter, *after_slash} - {len(entries)})
    if not scopes.STANCE_CHANGING_CUE_KINDS.isdisjoint([cue for _, cue in single_cues]):
        cues = scopes.response_text_cue_fields([entry.word for entry in entries], single_cues, marks)
    else:
        cues = tuple(single_cues), (), frozenset()
    return ResponseText(
        index, response, tokens, ends, before_hyphen, entries, after_slash, marks, after_signs, word_places_that_matter,
        model_bits, is_cut, *sentence_starts_lead_ins_and_has_question(response, marks, len(entries)), *cues,
    )  # fmt: skip


# -- sentences and lead-ins ------------------------------------------------------------------------------

_COLON_LABEL_PATTERN: Final = re.compile(r"\w{1,20}(?: \w{1,20}){0,2}:[ \n]")  # "rule: …" at the start of a line
_LIST_NUMBER_BEFORE_FULL_STOP_PATTERN: Final = re.compile(r"(?<![^ (\n])\d{1,2}$")
_MARK_KINDS_INSIDE_SENTENCES: Final = frozenset((lexicon.COMMA_KIND, lexicon.BRACKET_KIND, lexicon.DASH_KIND))
_MAX_WORDS_SEARCHED_FOR_VERB: Final = 40  # words in which the verb of a statement is searched for
_MAX_BULLET_INDENT_SPACES: Final = 40  # largest indentation of a bullet
_MAX_CHARACTERS_TO_NEXT_LIST_NUMBER: Final = 2000  # characters within which "2." follows "1."


def sentence_starts_lead_ins_and_has_question(
    response: FoldedText, marks: list[tuple[int, int, int]], word_count: int
) -> tuple[tuple[int, ...], Mapping[int, int], bool]:
    """Three results for a response of `word_count` words: the index of the first word of every sentence after the
    first; the number of the introducing sentence, by the number of each bullet's sentence; and whether there is a
    question mark."""
    starts: list[int] = []
    lead_in_sentence_by_bullet: dict[int, int] = {}
    lead: int | None = None  # the sentence that ends with a colon and may introduce bullets or lines
    open_bullets: list[tuple[int, int]] = []  # enclosing bullets: (indentation, first word)
    list_numbers: set[int] = set()  # numbers with a full stop that did not end sentences
    for previous, (place, cue, offset) in pairwise([(-1, 0, 0), *marks]):
        if cue == lexicon.BULLET_KIND:
            line_start = response.text[offset : offset + _MAX_BULLET_INDENT_SPACES]
            blanks = len(line_start) - len(line_start.lstrip(" "))
            open_bullets = [*[bullet for bullet in open_bullets if bullet[0] < blanks], (blanks, place)]
            if lead is None and place and previous[:2] in ((place, lexicon.COLON_KIND), (place, lexicon.LINE_END_KIND)):
                lead = bisect_right(starts, place - 1)
        elif cue == lexicon.COLON_KIND:
            ends_line = response.text[offset + 1 : offset + 2] in ("\n", "")
            lead = bisect_right(starts, max(place - 1, 0)) if ends_line else None
        elif cue in _MARK_KINDS_INSIDE_SENTENCES:
            continue
        if place and _does_mark_end_sentence(response, cue, offset, list_numbers) and starts[-1:] != [place]:
            starts.append(place)
        if lead is not None and cue in (lexicon.BULLET_KIND, lexicon.LINE_END_KIND) and starts[-1:] == [place]:
            # A nested bullet continues its parent.
            is_nested = cue == lexicon.BULLET_KIND and len(open_bullets) > 1
            topic = bisect_right(starts, open_bullets[-2][1]) if is_nested else lead
            lead_in_sentence_by_bullet[len(starts)] = topic
    if starts and starts[-1] >= word_count:
        starts.pop()
    has_question = "?" in response.text and any([cue == lexicon.QUESTION_MARK_KIND for _, cue, _ in marks])
    return tuple(starts), lead_in_sentence_by_bullet, has_question


def _does_mark_end_sentence(response: FoldedText, cue: int, offset: int, list_numbers: set[int]) -> bool:
    """Whether the mark `cue` at character `offset` ends a sentence: a stop if a blank or a closing quote follows, and a
    line end unless the line was only wrapped. `list_numbers` are the numbers of lists that were read so far."""
    text = response.text
    if cue == lexicon.SENTENCE_END_KIND:
        is_stop = text[offset] == "!" or text[offset + 1 : offset + 2] in ("", *" \n\"')]")
        return is_stop and not _is_full_stop_of_list_number(text, offset, list_numbers)
    if cue != lexicon.LINE_END_KIND:
        return cue in (lexicon.BULLET_KIND, lexicon.QUESTION_MARK_KIND)
    start, size = offset + 1, len(text)
    while start < size and text[start] == " ":
        start += 1
    if start >= size or text[start] == "\n":
        return True
    place = response.original_char_places[start] if response.original_char_places is not None else start
    char = response.original[place]
    return char.isupper() or char.isdigit() or not char.isalnum() or _COLON_LABEL_PATTERN.match(text, start) is not None


def _is_full_stop_of_list_number(text: str, at: int, series: set[int]) -> bool:
    """Whether a full stop belongs to a number in a list: "it has 1. a head, 2. a tail"; `series` are the earlier
    ones."""
    ends_number = text[at] == "." and text[at - 1 : at].isdecimal()
    match = _LIST_NUMBER_BEFORE_FULL_STOP_PATTERN.search(text, max(0, at - 3), at) if ends_number else None
    if match is None or text[at + 1 : at + 2] in ("", "\n"):
        return False
    number = int(match[0])
    if number - 1 not in series and not (number == 1 and " 2. " in text[at : at + _MAX_CHARACTERS_TO_NEXT_LIST_NUMBER]):
        return False
    series.add(number)
    return True


# -- From hits to windows: the shortest stretches of words that fill every slot of a phrase.

MAX_WINDOWS_PER_PHRASE: Final = 12  # windows of one phrase
_MAX_HIT_COMBINATIONS_TRIED: Final = 200  # sequences tried if one word could fill several slots


class PhraseWindow(NamedTuple):
    """Words `first` to `last`, which fill every slot of the phrase at `phrase_index`; `hits[i]` fills slot i."""

    phrase_index: int
    first: int
    last: int
    hits: tuple[Hit, ...]


class PartialMatch(NamedTuple):
    """The best partial match of a phrase: `filled_slot_count` of its slots are filled, by `hits`. `is_far_apart`: all
    are, but too far apart. `is_in_reach`: the hits stand as near as the phrase asks."""

    phrase_index: int
    filled_slot_count: int
    hits: tuple[Hit, ...]
    is_far_apart: bool
    is_in_reach: bool = True


def find_windows(reading: ResponseText, number: int, hits: list[Hit]) -> list[PhraseWindow]:
    """The windows in which all slots of phrase `number` are filled; of windows that share a hit, only the closest."""
    # In one piece for speed: every phrase whose slots were all filled comes here.
    phrase = reading.rubric_index.phrases[number]
    hits = hits if phrase.allows_misspelling else [hit for hit in hits if not hit[3] & MISSPELT_WORD_BIT]
    if phrase.slot_count == 1:
        return [PhraseWindow(number, h[0], h[1], (h,)) for h in hits[:MAX_WINDOWS_PER_PHRASE]]
    best: dict[tuple[int, int], list[PhraseWindow]] = {}  # by the sentences in which they begin and end
    row = hits[:1] * phrase.slot_count  # the latest hit of each slot
    empty_slots = (1 << phrase.slot_count) - 1  # bit i: slot i has no hit yet
    for hit in hits:
        row[hit[2]] = hit
        empty_slots &= ~(1 << hit[2])
        if empty_slots or not (tight_row := _tightest_distinct_hits(reading, row, hits, hit)):
            continue
        first, end = min(tight_row)[0], max([h[1] for h in tight_row])
        sentences = reading.sentence_number(first), reading.sentence_number(end)
        is_near_in_one_sentence = sentences[0] == sentences[1] and phrase.max_word_distance <= WITHIN_NEXT_SENTENCE
        is_near_enough = is_near_in_one_sentence or _are_words_near_enough(reading, phrase, first, end)
        if is_near_enough and not (phrase.is_ordered and any(a[0] > b[0] for a, b in pairwise(tight_row))):
            _add_or_replace_window(reading, best.setdefault(sentences, []), PhraseWindow(number, first, end, tight_row))
    # Words within one sentence are preferred to words of two.
    one_sentence_windows = [w for (a, b), windows in best.items() if a == b for w in windows]
    return (one_sentence_windows or [w for windows in best.values() for w in windows])[:MAX_WINDOWS_PER_PHRASE]


def find_partial_phrase_match(reading: ResponseText, number: int) -> PartialMatch | None:
    """The best partial match of a phrase without a window; None if no slot is filled."""
    phrase, hits = reading.rubric_index.phrases[number], reading.hits_by_phrase_index[number]
    hits = hits if phrase.allows_misspelling else [hit for hit in hits if not hit[3] & MISSPELT_WORD_BIT]
    if len({hit[2] for hit in hits}) == 1:
        return PartialMatch(number, 1, (hits[0],), False)
    hit_by_slot: dict[int, Hit] = {}  # the latest hit of each slot
    best_hits: tuple[Hit, ...] = ()
    for hit in hits:
        hit_by_slot[hit[2]] = hit
        if len(hit_by_slot) > len(best_hits):
            group = tuple([h for h in hit_by_slot.values() if _are_words_near_enough(reading, phrase, h[0], hit[1])])
            if len({h[0] for h in group}) > len(best_hits):
                best_hits = group
    is_default = phrase.max_word_distance == WITHIN_NEXT_SENTENCE and not phrase.is_ordered
    if is_default and len({h[0] for h in hit_by_slot.values()}) == phrase.slot_count:
        return PartialMatch(number, phrase.slot_count, tuple(hit_by_slot.values()), True)
    if not is_default and len(best_hits) == phrase.slot_count:
        return PartialMatch(number, len(best_hits), best_hits, True, False)
    return PartialMatch(number, len({h[0] for h in best_hits}), best_hits, False) if best_hits else None


def _add_or_replace_window(reading: ResponseText, windows: list[PhraseWindow], window: PhraseWindow) -> None:
    """Adds a window. Of two windows that share a hit, only the one with the closer words is kept, and one without a
    mirrored comparison before one with it."""
    if not (windows and any([hit in window.hits for hit in windows[-1].hits])):
        windows += [window] if len(windows) < MAX_WINDOWS_PER_PHRASE else []
        return
    has_comparative = reading.rubric_index.phrases[window.phrase_index].comparative_slot_index >= 0

    def looseness(contender: PhraseWindow) -> tuple[bool, int]:
        is_mirrored = has_comparative and any([h[3] & rubric_index.OPPOSITE_WORD_BIT for h in contender.hits])
        return is_mirrored, reading.word_distance_with_segment_penalty(contender.first, contender.last)

    if looseness(window) < looseness(windows[-1]):
        windows[-1] = window


def _are_words_near_enough(reading: ResponseText, phrase: IndexedPhrase, first: int, last: int) -> bool:
    """Whether the words `first` and `last` are as near as the phrase asks: in one sentence (or a bullet and its
    introduction), within a number of words, or by default in the same or the next sentence."""
    max_distance = phrase.max_word_distance
    sentence, last_sentence = reading.sentence_number(first), reading.sentence_number(last)
    if sentence == last_sentence or reading.lead_in_sentence_by_bullet.get(last_sentence) == sentence:
        return max_distance <= WITHIN_NEXT_SENTENCE or last - first < max_distance
    return max_distance == WITHIN_ANSWER or (max_distance == WITHIN_NEXT_SENTENCE and last_sentence - sentence == 1)


def _do_hits_share_word(reading: ResponseText, hit: Hit, other_hit: Hit) -> bool:
    """Whether two hits use the same word; "TP8", which has the forms of a name and of a number, counts as two."""
    if hit[1] < other_hit[0] or other_hit[1] < hit[0]:
        return False
    return hit[:2] != other_hit[:2] or len(reading.word_entries[hit[0]].stems) < 3


def _tightest_distinct_hits(reading: ResponseText, row: list[Hit], hits: list[Hit], newest: Hit) -> tuple[Hit, ...]:
    """The tightest row of hits with `newest` in it and no word used for two slots; empty if there is none. Words joined
    in the phrase (`allreduce`) may fill neighbouring slots together."""
    if not any([_do_hits_share_word(reading, one, other) for one, other in combinations(row, 2)]):
        return tuple(row)
    position = max(i for i, hit in enumerate(hits) if hit is newest)
    recent_hits = hits[max(0, position - 24) : position + 1][::-1]
    options = [[h for h in recent_hits if h[2] == slot][:6] for slot in range(len(row))]
    best: tuple[Hit, ...] = ()
    best_first, attempts = -1, 0
    beginnings: list[tuple[int, tuple[Hit, ...]]] = [(newest[0], ())]  # (first word, hits of the first slots)
    while beginnings and attempts < _MAX_HIT_COMBINATIONS_TRIED:
        attempts += 1
        first, beginning = beginnings.pop()
        if first <= best_first:
            continue  # not tighter than the best row
        if len(beginning) == len(options):
            if newest in beginning:
                best, best_first = beginning, first
            continue
        for hit in reversed(options[len(beginning)]):
            if not any(map(partial(_do_hits_share_word, reading, hit), beginning)):
                beginnings.append((min(first, hit[0]), (*beginning, hit)))
    return best


# -- Hits: which words of a response fill which slots of which phrases.

MAX_HITS_PER_PHRASE: Final = 100  # hits of one phrase; a text that repeats a word thousands of times gains nothing
_MAX_COMPOUND_WORDS: Final = 3  # words into which a compound may be split


def _collect_hits(reading: ResponseText) -> dict[int, list[Hit]]:
    """The hits of every phrase in order: single words, word sequences, words written apart that a phrase joins."""
    # One loop for speed: it runs for each meaningful word of each response.
    entries, after_slash = reading.word_entries, reading.word_places_after_slash
    hits: HitsByPhrase = defaultdict(list)
    places = reading.word_places_that_matter
    if "non" in reading.folded_text.text:  # "non-repeatable" does not contain "repeatable"
        places = [p for p in places if reading.word_at(p - 1) != "non" or reading.follows_punctuation(p)]
    end = len(entries) - 1
    for place in places:
        entry = entries[place]
        for number, slot, flag in entry.filled_slots:
            hits[number].append((place, place, slot, flag))
        if entry.sequences_begun and place < end:
            sequences = _word_sequences_beginning_at(reading, place, entry)
            if sequences:
                _collect_sequence_hits(reading, hits, place, sequences)
        if after_slash and place in after_slash:  # "4 all-reduces/layer" is "per layer"
            per_entry = reading.rubric_index.entry_cache["per"]
            sequences = _word_sequences_beginning_at(reading, place - 1, per_entry)
            for first in (place - 1, place):  # with its noun, or apart from the slot that the noun fills
                _collect_sequence_hits(reading, hits, place - 1, sequences, first)
        if entry.compound_endings_text and place < end:
            next_entry = entries[place + 1]
            may_continue = f"\n{next_entry.word}" in entry.compound_endings_text
            if may_continue or any([f"\n{form}\n" in entry.compound_endings_text for form in next_entry.stems]):
                _add_hits_of_split_compound(reading, hits, place)
    return hits if len(places) < MAX_HITS_PER_PHRASE else {n: group[:MAX_HITS_PER_PHRASE] for n, group in hits.items()}


def _word_sequences_beginning_at(reading: ResponseText, place: int, entry: IndexEntry) -> tuple[WordSequence, ...]:
    """The word sequences that begin with the word of `entry` at `place` and may continue with the next words."""
    entries, before_hyphen, tokens = reading.word_entries, reading.tokens_before_hyphen, reading.token_number_by_word
    sequences_by_next_word = entry.sequences_by_next_word or {}
    fillers = _WORDS_SKIPPED_AFTER_NEGATOR if entry.cue_kind in scopes.DENYING_CUE_KINDS else lexicon.ARTICLES
    sequences = sequences_by_next_word.get("", ())
    for next_place in range(place + 1, min(place + 6, len(entries))):
        if before_hyphen and tokens[next_place] in before_hyphen:
            return entry.sequences_begun
        next_entry = entries[next_place]
        for form in next_entry.stems:
            if form in sequences_by_next_word:
                sequences += sequences_by_next_word[form]
        if next_entry.word not in fillers:
            break
    return sequences


def _collect_sequence_hits(
    reading: ResponseText, hits: HitsByPhrase, place: int, sequences: Iterable[WordSequence], first: int = -1
) -> None:
    """Adds the hits of those of the `sequences` that stand at `place`. `first` is the place where the hit begins, if it
    is another one."""
    for sequence in sequences:
        last = _find_sequence_end(reading, place, sequence)
        if last >= 0:
            typo = MISSPELT_WORD_BIT if any([e.corrected_word for e in reading.word_entries[place : last + 1]]) else 0
            for number, slot, flag in sequence.filled_slots:
                hits[number].append((max(place, first), last, slot, flag | typo))


def _add_hits_of_split_compound(reading: ResponseText, hits: HitsByPhrase, place: int) -> None:
    """Adds the hits of words written apart that a phrase joins: `all reduce`, `BF 16`, `data base`."""
    entries, index = reading.word_entries, reading.rubric_index
    endings, compound = entries[place].compound_endings_text, entries[place].word
    for last in range(place + 1, min(place + _MAX_COMPOUND_WORDS, len(entries))):
        next_entry = entries[last]
        if compound[-1].isdigit() and next_entry.word[0].isdigit():
            return  # "2, 50 ms" is not 250 ms
        for form in next_entry.stems:
            if f"\n{form}\n" in endings and reading.are_in_one_sentence_and_statement(place, last):
                meaning = index.meanings.get(compound + form)
                for number, slot, flag in meaning.filled_slots if meaning is not None else ():
                    hits[number].append((place, last, slot, flag))
        compound += next_entry.word
        if not (endings := rubric_index.compound_endings_text(compound, index.joined_words)):
            return


_MAX_SMALL_WORDS_SKIPPED_IN_SEQUENCE: Final = 4  # small words between two words of a sequence
# Small words that may stand between the negator of "{no children}" and its noun.
_WORDS_SKIPPED_AFTER_NEGATOR: Final = lexicon.ARTICLES | lexicon.word_set(
    "any have has having had more own further longer be been of really its their"
)


def _find_sequence_end(reading: ResponseText, place: int, sequence: WordSequence) -> int:
    """The index of the last word of `sequence`, whose first word is at `place`; -1 if the other words do not follow in
    the same statement. Articles between the words are skipped."""
    entries = reading.word_entries
    last, size = place, len(entries)
    # "{no children}" in "does not have any children"
    fillers = _WORDS_SKIPPED_AFTER_NEGATOR if entries[place].cue_kind in scopes.DENYING_CUE_KINDS else lexicon.ARTICLES
    for word in sequence.later_words:
        last += 1
        if last < size and word in entries[last].stems:  # as mostly, so it is tried first
            fillers = lexicon.ARTICLES
            continue
        is_prefix = rubric_index.is_starred_prefix(word)
        word = word[:-1] if is_prefix else word
        end = min(last + _MAX_SMALL_WORDS_SKIPPED_IN_SEQUENCE, size)
        while last < end and entries[last].word in fillers and word not in entries[last].stems:
            last += 1
        fillers = lexicon.ARTICLES
        if last >= size:
            return -1
        entry = entries[last]
        if not (f"\n{word}" in f"\n{entry.word}\n{entry.corrected_word}" if is_prefix else word in entry.stems):
            # Perhaps this word and the next, joined by a hyphen: `pre-emption`.
            has_hyphen = reading.token_number_by_word[last] in reading.tokens_before_hyphen
            compound = entry.word + reading.word_at(last + 1) if has_hyphen else ""
            last += 1
            if last >= size or not (compound.startswith(word) if is_prefix else word_stem(compound) == word):
                return -1
    return last if reading.are_in_one_sentence_and_statement(place, last) else -1


# -- Amounts: the `number:` of a criterion, and quantities such as `16 B` in phrases.
# The number reader reads them, so `16 bytes per parameter`, `sixteen bytes` and `16B/param` are the same amount,
# `16 bit` is another, and 16 never occurs inside 116.

MAX_AMOUNTS_PER_RESPONSE: Final = 40  # amounts read in one response
# An amount: from its first digit to the fourth adjacent word, or from its first number word to the eighth ("eight
# thousand one hundred …"), and before any word that is not in a unit. Short texts recur, and are read once.
_LOOKAHEAD_REFUSING_NON_UNIT_WORDS: Final = (
    r"(?!(?:the|is|are|was|in|on|at|by|for|from|with|which|that|so|but|as|or|it|then|than|when|of|to|if|not|because|must"
    r"|have|has|can|its|this|these|their|would|will|more|less|only|while|where|into|does|do|be)\s)"
)
_AMOUNT_PATTERN: Final = re.compile(
    rf"\d\S{{0,29}}(?:[ \t]+{_LOOKAHEAD_REFUSING_NON_UNIT_WORDS}[^\s.,;:()]{{1,16}}){{0,4}}"
    rf"|\S{{1,30}}(?:(?<![.;:)])[ \t]+{_LOOKAHEAD_REFUSING_NON_UNIT_WORDS}\S{{1,16}}){{0,8}}"
)
# Words that make the preceding number a quantity; page numbers and years need not be read.
_UNIT_AFTER_NUMBER_PATTERN: Final = re.compile(
    r"-?(?:[kmgtpezy]i?|kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi)?(?:b|bps|bits?|bytes?|w|wh|j|flops?|hz)(?:$|[/p-])"
    r"|%|percent|[mun]?s$|sec|min|h$|hours?|hr|days?|weeks?|years?|x$"
)


class ResponseAmount(NamedTuple):
    """An amount in a response, in words `first` to `last`: `base_value` base units of `unit`; plain if that is None."""

    first: int
    last: int
    base_value: Fraction
    unit: Unit | None


@lru_cache(maxsize=4096)  # a megabyte; with 1,024, four times as many amounts are read
def _base_amount_unit_and_length(text: str, unit: str, labels: BankUnits) -> tuple[Fraction, Unit | None, int] | None:
    """The value in base units, unit and length of the amount at the start of `text`, read as an answer in `unit`; None
    if there is none. `labels` are the bank's own units."""
    from quizgen.numbers.amounts import value_unit_and_length_at_start

    term = value_unit_and_length_at_start(text, parse_unit(unit or "1", labels), _lexicon_of_bank_units(labels))
    return term if term is None or term[1] is None else (term[0] * term[1].factor, *term[1:])


@lru_cache(maxsize=64)
def _lexicon_of_bank_units(labels: BankUnits) -> UnitLexicon:
    from quizgen.numbers.answer import UnitLexicon

    return UnitLexicon.from_unit_by_spelling({word: parse_unit(word, labels) for label in labels for word in label[:2]})


def amount_of_alternative(alternative: SlotAlternative) -> tuple[Fraction, Dim] | None:
    """The quantity that an alternative of a phrase names, as (value in base units, dimension); None if it names a plain
    number, or more than a quantity."""
    if len(alternative.words) == 1 and not alternative.words[0][-1].isalpha():
        return None
    term = _base_amount_unit_and_length(alternative.text, "", ())
    if term is None or term[1] is None or term[2] < len(alternative.text.rstrip("*")):
        return None
    return term[0], term[1].dim


def find_amounts(reading: ResponseText, unit: str, labels: BankUnits = ()) -> list[ResponseAmount]:
    """The amounts in a response, read as answers in `unit`; only those with a unit if `unit` is empty."""
    amounts: list[ResponseAmount] = []
    last = -1
    text, entries, bounds = reading.folded_text.original, reading.word_entries, reading.flat_token_char_bounds
    numbers = reading.token_number_by_word
    for place in [p for p in reading.word_places_that_matter if entries[p].is_numeral]:
        word = entries[place].word
        has_letters = word.lstrip("0123456789.,^") not in ("", word)
        if place <= last or not (unit or has_letters or _UNIT_AFTER_NUMBER_PATTERN.match(reading.word_at(place + 1))):
            continue
        match = _AMOUNT_PATTERN.match(text, reading.original_char_span(place, place)[0])
        term = _base_amount_unit_and_length(match[0], unit, labels) if match else None
        if term is None:
            continue
        end = bounds[2 * numbers[place]] + term[2]  # in the folded text
        last = place
        while last + 1 < len(numbers) and bounds[2 * numbers[last + 1]] < end:
            last += 1
        amounts.append(ResponseAmount(place, last, term[0], term[1]))
        if len(amounts) >= MAX_AMOUNTS_PER_RESPONSE:
            break
    return amounts


# -- The subject of each word's statement, among the subjects that a response names.

SubjectNumbers = frozenset[int]  # places of subjects in the rubric


@dataclass(frozen=True, slots=True)
class SubjectMention:
    """Words `first` to `last`, which name the subjects `subject_numbers`; several if they are joined by "and"."""

    first: int
    last: int
    subject_numbers: SubjectNumbers


@dataclass(frozen=True, slots=True)
class WordSubjects:
    """The subjects of a response's words: `subject_numbers_by_word[i]` are those of word i, None before any is named.
    `word_places_of_unclear_topic` are words in later sentences that neither name a subject nor continue with one."""

    mentions: tuple[SubjectMention, ...]
    subject_numbers_by_word: tuple[SubjectNumbers | None, ...]
    word_places_of_unclear_topic: frozenset[int]


def _find_subject_mentions(reading: ResponseText) -> list[SubjectMention]:
    """The longest mentions that share no word, in order. Two subjects may have the same name."""
    index, hits = reading.rubric_index, reading.hits_by_phrase_index
    windows = [w for n in index.subject_phrase_indices if n in hits for w in find_windows(reading, n, hits[n])]
    places_by_window = {w: {p for first, last, _, _ in w.hits for p in range(first, last + 1)} for w in windows}
    span_by_place: dict[int, tuple[int, int]] = {}
    subjects_by_span: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for window in sorted(places_by_window, key=lambda w: (-len(places_by_window[w]), w.last - w.first, w.first)):
        span, places = (window.first, window.last), places_by_window[window]
        if all(span_by_place.get(place, span) == span for place in places):
            span_by_place.update(dict.fromkeys(places, span))
            subjects_by_span[span].add(index.phrases[window.phrase_index].owner_number)
    return [SubjectMention(*span, frozenset(subjects)) for span, subjects in sorted(subjects_by_span.items())]
