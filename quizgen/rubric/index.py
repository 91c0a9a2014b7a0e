"""A rubric compiled to an inverted index: what each word of a response means to the rubric, and which words only right
or only wrong example answers use."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from operator import add
from sys import intern
from typing import Final, NamedTuple, TypeVar
from zlib import crc32

from quizgen.formula.units import Dim
from quizgen.rubric import lexicon, tokens
from quizgen.rubric.rubric import MISSING, CriterionMark, Rubric, ScoreAdjustment
from quizgen.rubric.scopes import CUE_KIND_BY_WORD, DENIES_VERB_CUE, THAN_WORD_CUE
from quizgen.rubric.spelling import Speller, american_spelling, may_be_misspelt, word_stem

StemHashes = Sequence[int]  # the stems of the words in order, as numbers
MIN_WORD_SHARE_DENOMINATOR: Final = 100  # words and pairs; with fewer a share means little
WRONG_ANSWER_LIKENESS_LIMITS: Final = (0.02, 0.04)  # above the first a response resembles wrong answers; then strongly


class ExampleAnswerWords:
    """The words and pairs of words that only the right, or only the wrong, example answers of an item use. Texts are
    lists of word stems in order; what the stem (`given`) says counts for neither side."""

    def __init__(self, given: Iterable[StemHashes], right: Iterable[StemHashes], wrong: Iterable[StemHashes]) -> None:
        stem, good, bad = (frozenset().union(*map(_word_and_pair_hashes, texts)) for texts in (given, right, wrong))
        # Arrays, because as sets the words of a bank would take a tenth of the memory of a scoring run.
        self.right_words, self.wrong_words = array("i", good - bad - stem), array("i", bad - good - stem)

    def likeness_to_wrong_answers(self, stem_hashes: StemHashes) -> float:
        """How much a response resembles the wrong answers: the share of their own words that it uses, minus the share
        of the right answers' own words if the first is above the lower of WRONG_ANSWER_LIKENESS_LIMITS."""
        words = frozenset(_word_and_pair_hashes(stem_hashes))
        excess = len(words.intersection(self.wrong_words)) / max(len(self.wrong_words), MIN_WORD_SHARE_DENOMINATOR)
        if excess > WRONG_ANSWER_LIKENESS_LIMITS[0]:
            excess -= len(words.intersection(self.right_words)) / max(len(self.right_words), MIN_WORD_SHARE_DENOMINATOR)
        return excess


def _word_and_pair_hashes(text: StemHashes) -> Iterable[int]:
    """The words and pairs of a text. Numbers of words are odd, and the number of a pair is the sum of its words."""
    return chain(text, map(add, text, text[1:]), map(add, text, text[2:]), map(add, text, text[3:]))


def stable_word_hash(word: str) -> int:
    """An odd number of 29 bits for a word: the same in every process. The interpreter adds numbers below 2**30 fastest,
    and one in 3,000 responses has a word or pair whose number only by chance is one of an example answer."""
    return crc32(word.encode(errors="surrogatepass")) >> 3 | 1


# -- Compounds written as two words: the endings that complete a beginning.


def newline_enclosed_text(words: Sequence[str]) -> str:
    """Words as one text in which each has a line break before and after it, so that `in` finds whole words and runs of
    them."""
    return "\n".join(["", *words, ""])


def compound_endings_text(head: str, keys: Sequence[str]) -> str:
    """All endings that complete the beginning `head` to a longer one of the sorted `keys`, as `newline_enclosed_text`
    joins them: `reduc` for `all` if `allreduc` is a key; empty if there is none. One text takes a fifth of the memory
    of a set."""
    first = last = bisect_right(keys, head)
    while last < len(keys) and keys[last].startswith(head):
        last += 1
    return newline_enclosed_text([key[len(head) :] for key in keys[first:last]]) if last > first else ""


# -- A rubric compiled into an inverted index: from a word of the response to the slots it may fill.
# Scoring costs one dictionary access for each word, and work only for hits, however many phrases the rubric
# has. The meaning of a word for this rubric is computed once and cached.

MISSPELT_WORD_BIT: Final = 1  # flags of a hit: the word was misspelt
OPPOSITE_WORD_BIT: Final = 2  # the mirrored comparative fills the slot

SlotTarget = tuple[int, int, int]  # (number of the phrase, slot, flags)
Form = tuple[tuple[str, bool], ...]  # words in a row: a stem and False, or a prefix of the plain word and True


class IndexedPhrase(NamedTuple):
    """One phrase, ready to be searched for. `owner_number` is the place of its criterion, misconception or subject."""

    text: str
    role: int
    owner_number: int
    slot_count: int
    max_word_distance: int
    is_ordered: bool
    polarity: str
    allows_misspelling: bool
    comparative_slot_index: int  # the slot of a comparative, or -1
    slot_bits_filled_by_item_stem: int  # bit i: the stem's own words fill slot i
    has_negator: bool  # some alternative contains a negator


class WordSequence(NamedTuple):
    """A sequence of words that fills slots together; `later_words` follow the first, a prefix with a star."""

    later_words: tuple[str, ...]
    filled_slots: tuple[SlotTarget, ...]


def is_starred_prefix(word: str) -> bool:
    """Whether a word of a sequence is a prefix; a star alone is the sign."""
    return word[-1] == "*" and word != "*"


class RubricWordUse(NamedTuple):
    """What a stem or prefix means to a rubric: the slots that it fills alone, the word sequences that it begins, and
    its bit among the words of the model answer (0: none)."""

    filled_slots: tuple[SlotTarget, ...] = ()
    sequences_begun: tuple[WordSequence, ...] = ()
    model_answer_word_bit: int = 0


@dataclass(slots=True, eq=False)
class IndexEntry:
    """What one word means to a rubric. Shared by all its occurrences and never changed."""

    word: str
    cue_kind: int
    stems: tuple[str, ...]  # stems equivalent to the word
    word_stem_hash: int = 0  # of its stem, for the comparison with example answers
    is_function_word: bool = False
    word_class_letter: str = lexicon.CONTENT_WORD_CLASS_LETTER
    is_numeral: bool = False
    is_punctuation: bool = False  # punctuation, not a word
    filled_slots: tuple[SlotTarget, ...] = ()
    sequences_begun: tuple[WordSequence, ...] = ()
    sequences_by_next_word: Mapping[str, tuple[WordSequence, ...]] | None = None  # "" if that is a prefix
    compound_endings_text: str = ""  # the endings that the next word may be, as the function of that name gives them
    model_answer_word_bits: int = 0
    corrected_word: str = ""
    matters_for_scoring: bool = False  # punctuation, or a word that needs a closer look


class RubricIndex:
    """A compiled rubric: tables of what a word, a word sequence or a whole response is worth."""

    def __init__(self, rubric: Rubric) -> None:
        self.rubric, criteria, zero = rubric, rubric.criteria, Fraction(0)
        self.phrases: list[IndexedPhrase] = []
        self.meanings: dict[str, RubricWordUse] = {}  # by stem
        self.prefixes: dict[str, list[tuple[str, RubricWordUse]]] = {}  # by two letters; parts by "*"
        self.joined_words: list[str] = []  # sorted keys that an answer may write as two words
        self.beginnings: frozenset[str] = frozenset()  # beginnings of words that may mean something to this rubric
        self.phrase_signs: frozenset[str] = frozenset()
        self.model_bits_not_in_stem = 0  # content words of the model answer, without the stem's
        self.model_word_count = 0  # content words of the model answer
        self.slots_by_amount: dict[tuple[Fraction, Dim], list[SlotTarget]] = {}  # by value and dimension
        self.entry_cache = IndexEntryCache(self)
        self.possible_points = rubric.possible_points
        self.max_near_points = min((c.points for c in criteria), default=zero) / 2
        self.criterion_points = tuple(float(c.points) for c in criteria)
        self.sum_of_criterion_points = sum(self.criterion_points)
        # What `score` made of marks, by their statuses.
        self.known_totals: dict[tuple[object, ...], tuple[Fraction, tuple[ScoreAdjustment, ...]]] = {}
        self.missing_marks = tuple(CriterionMark(c.id, MISSING, zero, c.points, (), "not found") for c in criteria)
        self.newline_enclosed_stem = ""  # of a stem of four words or more, by `newline_enclosed_text`
        self.speller = Speller(())
        self.example_answers: ExampleAnswerWords | None = None  # right and wrong answers beside the item
        self.number_tests = [(n, c.number_test) for n, c in enumerate(criteria) if c.number_test is not None]
        self.subject_phrase_indices: tuple[int, ...] = ()  # phrases that name subjects
        self.subjects_by_criterion: tuple[frozenset[int], ...] = ()  # by criterion: the subjects it is about
        self.rivals_by_criterion: tuple[frozenset[int], ...] = ()  # by criterion: the subjects it compares them with


@lru_cache(maxsize=2048)
def index_key(word: str) -> str:
    """The form of a rubric's word in the index: its stem, canonical rate or number, without a possessive s."""
    if tokens.is_growth_rate(word):
        return tokens.canonical_growth_rate(word)
    if word[0].isdigit():
        return "".join(tokens.split_number_from_letters(word) or (word,))
    return word_stem(word.removesuffix("'s"))


# -- The meaning of a response's word for a rubric: the slots it fills, the sequences it begins, its stems.
# Stem and class of a word are the same for all rubrics and computed once. Most words mean nothing more to a rubric,
# and all rubrics share their entries.

T = TypeVar("T")
LETTERS_PER_BEGINNING: Final = 3  # first letters by which a word is known to mean nothing to a rubric
CLOSER_LOOK_BEGINNING: Final = "?"  # among the beginnings of all rubrics, of signs and of words that may be misspelt
BEGINNING_OF_EVERY_WORD: Final = "*"  # head of every word: in the heads of a rubric whose phrases hold parts of words
MAX_CACHED_WORDS_PER_RUBRIC: Final = 300  # so that a million answers cannot fill the memory


class IndexEntryCache(dict[str, IndexEntry]):
    """The entries, by token, of words that a rubric may use or that may be misspelt, computed when needed, at most
    MAX_CACHED_WORDS_PER_RUBRIC. All other words have the same entry for all rubrics and are not cached here."""

    def __init__(self, index: RubricIndex) -> None:
        super().__init__()
        self._index = index

    def __reduce__(self) -> tuple[type[IndexEntryCache], tuple[RubricIndex]]:
        """Pickles an empty cache: other answers come in another process."""
        return IndexEntryCache, (self._index,)

    def __missing__(self, token: str) -> IndexEntry:
        entry = _entry_for_rubric(self._index, parse_token(token), token)
        if len(self) >= MAX_CACHED_WORDS_PER_RUBRIC:
            self.clear()
        self[entry.word if entry.word == token else token] = entry  # one string for all rubrics
        return entry


def entries_of_tokens(index: RubricIndex, tokens: Sequence[str]) -> list[IndexEntry]:
    """The entry of each word or mark of a response for the rubric."""
    is_unrelated, entry_cache = index.beginnings.isdisjoint, index.entry_cache
    return [
        parsed.entry if is_unrelated(parsed.beginnings) else entry_cache[token]
        for token, parsed in zip(tokens, map(parse_token, tokens), strict=True)
    ]


@dataclass(slots=True)
class ParsedToken:
    """A token before any rubric is applied: an entry without slots, and `spellings`, compared with prefixes."""

    entry: IndexEntry
    text_without_possessive: str  # without a possessive s
    spellings: tuple[str, ...]
    beginnings: tuple[str, ...] = ()  # in the form of `RubricIndex.beginnings`

    @property
    def is_spelt_right(self) -> bool:
        """Whether it is in the word list or a cue, so that it is not a misspelling."""
        return CLOSER_LOOK_BEGINNING not in self.beginnings


@lru_cache(maxsize=4096)  # bounded, so that hostile text cannot fill the memory
def parse_token(token: str, is_used_by_phrase: bool = False) -> ParsedToken:
    """Parses a folded token. A sign such as `=` is a mark, unless `is_used_by_phrase`, by one of the rubric."""
    word = token
    rate: tuple[str, ...] = ()
    # Letters alone are never a mark, and a rate only if they end in n.
    if not token.isalpha() or (token[0] in "nml" and token[-1] in "nm"):
        word = token.strip() or token  # a line end is a mark too
        if tokens.is_growth_rate(word):
            word, rate = tokens.canonical_growth_rate(word), tokens.matchable_words_of_rate(word)
        elif token[-1] == " ":
            return _parse_punctuation(word, "•")
        word = lexicon.WORD_BY_SIGN_ABBREVIATION.get(word, word)
        if not is_used_by_phrase and not any(map(str.isalnum, word)):
            return _parse_punctuation(word, word)
    base = word.rstrip(".")
    if base.endswith(("'s", "s'")):
        base = base[:-2]
    forms = _stems_of_word(base) if not rate else (word, *map(word_stem, rate))
    traits = word in lexicon.FUNCTION_WORDS, lexicon.word_class_letter(word)
    is_numeral = word[0].isdigit() or word in lexicon.DIGITS_BY_WORD
    entry = IndexEntry(word, CUE_KIND_BY_WORD.get(word, 0), forms, stable_word_hash(forms[-1]), *traits, is_numeral)
    spellings = _spellings_of_word(base, rate)
    return ParsedToken(_set_matters_for_scoring(entry), base, spellings, _beginnings_of_word(entry, base, spellings))


def _beginnings_of_word(entry: IndexEntry, base: str, spellings: tuple[str, ...]) -> tuple[str, ...]:
    """The beginnings of a word, in the form of `RubricIndex.beginnings`."""
    beginnings = [f"{base}~"[:LETTERS_PER_BEGINNING], BEGINNING_OF_EVERY_WORD, *map("{:.2}*".format, spellings)]
    beginnings += [form[:LETTERS_PER_BEGINNING] for form in (*entry.stems, *spellings)]
    if not (entry.is_function_word or entry.cue_kind) and may_be_misspelt(base):
        beginnings.append(CLOSER_LOOK_BEGINNING)
    return tuple(map(intern, dict.fromkeys(beginnings)))


def _spellings_of_word(word: str, extras: tuple[str, ...] = ()) -> tuple[str, ...]:
    return tuple(dict.fromkeys((word, american_spelling(word), lexicon.WORD_BY_ABBREVIATION.get(word, word), *extras)))


def _entry_for_rubric(index: RubricIndex, word: ParsedToken, token: str) -> IndexEntry:
    if word.entry.is_punctuation:
        sign = word.entry.word
        if sign in index.phrase_signs:
            word = parse_token(sign if sign in lexicon.STEMS_BY_COMPARISON_SIGN else token, is_used_by_phrase=True)
        if word.entry.is_punctuation:
            return _entry_of_sign_or_its_words(index, word.entry)
    entry = word.entry if index.beginnings.isdisjoint(word.beginnings) else _entry_with_rubric_slots(index, word)
    if not may_be_misspelt(word.text_without_possessive):
        word.beginnings = tuple([beginning for beginning in word.beginnings if beginning != CLOSER_LOOK_BEGINNING])
    if word.is_spelt_right or entry.filled_slots or entry.sequences_begun or entry.compound_endings_text:
        return entry
    if not (correction := index.speller.correction_of(word.text_without_possessive)):
        return entry
    # A misspelt word has the meaning of its correction.
    forms, traits = _stems_of_word(correction), (False, entry.word_class_letter, entry.is_numeral)
    guess = IndexEntry(entry.word, 0, forms, stable_word_hash(forms[-1]), *traits)
    new_entry = _entry_with_rubric_slots(index, ParsedToken(guess, correction, _spellings_of_word(correction)))
    new_entry.corrected_word, new_entry.compound_endings_text = correction, ""
    new_entry.filled_slots = tuple([(n, slot, flag | MISSPELT_WORD_BIT) for n, slot, flag in new_entry.filled_slots])
    return _set_matters_for_scoring(new_entry)


def _entry_with_rubric_slots(index: RubricIndex, word: ParsedToken) -> IndexEntry:
    """The entry of a word for this rubric; the shared entry if the rubric does not use the word."""
    # In one piece for speed: every new word of every response comes here.
    base_entry, meanings = word.entry, index.meanings
    word_uses = [meanings[form] for form in base_entry.stems if form in meanings]
    for spelling in word.spellings:
        for prefix, meaning in index.prefixes.get(spelling[:2], ()):
            if spelling.startswith(prefix):
                word_uses.append(meaning)
    word_uses += [use for part, use in index.prefixes.get("*", ()) if any(part in one for one in word.spellings)]
    endings = compound_endings_text(word.text_without_possessive, index.joined_words)
    if not (word_uses or endings):
        return base_entry
    traits = base_entry.is_function_word, base_entry.word_class_letter, base_entry.is_numeral
    entry = IndexEntry(base_entry.word, base_entry.cue_kind, base_entry.stems, base_entry.word_stem_hash, *traits)
    for meaning in word_uses:
        entry.filled_slots = _join_tuples_without_repeats(entry.filled_slots, meaning.filled_slots)
        entry.sequences_begun = _join_tuples_without_repeats(entry.sequences_begun, meaning.sequences_begun)
        entry.model_answer_word_bits |= 0 if base_entry.is_function_word else meaning.model_answer_word_bit
    entry.compound_endings_text = endings
    if entry.sequences_begun:
        entry.sequences_by_next_word = _group_sequences_by_second_word(entry.sequences_begun)
    return _set_matters_for_scoring(entry)


def _join_tuples_without_repeats(first: tuple[T, ...], second: tuple[T, ...]) -> tuple[T, ...]:
    """Both tuples joined, without duplicates."""
    return tuple(dict.fromkeys((*first, *second))) if first and second else first or second


def _group_sequences_by_second_word(sequences: tuple[WordSequence, ...]) -> dict[str, tuple[WordSequence, ...]]:
    groups: dict[str, tuple[WordSequence, ...]] = {}
    for sequence in sequences:
        next_word = "" if is_starred_prefix(sequence.later_words[0]) else sequence.later_words[0]
        groups[next_word] = (*groups.get(next_word, ()), sequence)
    return groups


def _set_matters_for_scoring(entry: IndexEntry) -> IndexEntry:
    """The entry with `matters_for_scoring` set: whether scoring must look at the word."""
    has_meaning = entry.filled_slots or entry.model_answer_word_bits or entry.sequences_begun
    entry.matters_for_scoring = bool(has_meaning or entry.compound_endings_text or entry.cue_kind or entry.is_numeral)
    return entry


def _entry_of_sign_or_its_words(index: RubricIndex, mark: IndexEntry) -> IndexEntry:
    """A mark; or the words for it, if the rubric uses them: `<` is "smaller than", `↑` is "increases"."""
    words = lexicon.WORDS_BY_UP_OR_DOWN_ARROW.get(mark.word)
    forms = tuple(map(word_stem, words)) if words else lexicon.STEMS_BY_COMPARISON_SIGN.get(mark.word, ())
    if not forms:
        return mark
    traits = not words, lexicon.word_class_letter("more" if words else "than")
    sign = IndexEntry(mark.word, 0 if words else THAN_WORD_CUE, forms, stable_word_hash(forms[-1]), *traits)
    entry = _entry_with_rubric_slots(index, ParsedToken(sign, mark.word, _spellings_of_word(mark.word, words or forms)))
    if not entry.filled_slots:
        return mark
    entry.matters_for_scoring, entry.model_answer_word_bits = True, 0
    return entry


# "TP8" and "ZeRO3" are a name and its number; "fp8" and "int4" are names of formats.
_NAME_AND_NUMBER_PATTERN: Final = re.compile(r"(?!(?:mx|nv)?fp|bf|tf|nf|u?int)([a-z]{2,5})(\d{1,4})")


def _stems_of_word(word: str) -> tuple[str, ...]:
    if word[0].isdigit():
        number, letters = tokens.split_number_from_letters(word) or (word, "")
        return (number + letters, number) if letters else (number,)
    if expansion := lexicon.WORD_BY_ABBREVIATION.get(word) or tokens.GROWTH_RATE_BY_WORD.get(word):
        return word_stem(word), word_stem(expansion)
    if match := _NAME_AND_NUMBER_PATTERN.fullmatch(word):
        return word_stem(word), word_stem(match[1]), match[2]
    if CUE_KIND_BY_WORD.get(word) == DENIES_VERB_CUE and (word.endswith(("n't", "nt")) or word == "cannot"):
        return word_stem(word), "not"  # "isn't stable" contains "not stable"
    return (word_stem(word),)


_CUE_KIND_BY_PUNCTUATION: Final = {
    **dict.fromkeys(".!;", lexicon.SENTENCE_END_KIND), **dict.fromkeys("()", lexicon.BRACKET_KIND),
    **dict.fromkeys(("—", "..."), lexicon.DASH_KIND),
    "?": lexicon.QUESTION_MARK_KIND, ",": lexicon.COMMA_KIND, ":": lexicon.COLON_KIND,
    "•": lexicon.BULLET_KIND, "\n": lexicon.LINE_END_KIND,
}  # fmt: skip


def _parse_punctuation(word: str, sign: str) -> ParsedToken:
    entry = IndexEntry(word, lexicon.DASH_KIND if sign.strip("-") == "" else _CUE_KIND_BY_PUNCTUATION.get(sign, 0), ())
    entry.is_punctuation = entry.matters_for_scoring = True
    return ParsedToken(entry, word, (), (CLOSER_LOOK_BEGINNING,))
