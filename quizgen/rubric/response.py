"""A response read against a rubric: which words and amounts fill which slots of phrases, the windows that hold a whole
phrase, which subject each word is about, and what the candidate takes back."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import accumulate, combinations, compress, islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from quizgen.rubric.index import (
    MISSPELT_FLAG,
    OPPOSITE_FLAG,
    STRONG_WRONG_LIKENESS_LIMIT,
    WRONG_LIKENESS_LIMIT,
    IndexedPhrase,
    IndexEntry,
    RubricIndex,
    WordSequence,
    endings_after,
    is_prefix_word,
)
from quizgen.rubric.lexicon import ARTICLES, BRACKET, words
from quizgen.rubric.passage import Hit, Passage, find_sentences
from quizgen.rubric.phrases import Alternative
from quizgen.rubric.rubric import NEXT_SENTENCE, WHOLE_ANSWER
from quizgen.rubric.scopes import (
    CORRECTS,
    DENYING,
    NAMED_NEGATORS,
    STANCE_CHANGING,
    TAKES_BACK,
    FoundCue,
    ResponseCues,
    find_cues,
)
from quizgen.rubric.spelling import word_stem
from quizgen.rubric.tokens import TOKEN_PATTERN, FoldedText

if TYPE_CHECKING:  # loaded with the first amount, or for types only
    from quizgen.formula.units import BankLabels, Dim, Unit
    from quizgen.numbers.answer import UnitLexicon

# -- From hits to windows: the shortest stretches of words that fill every slot of a phrase.

MAX_WINDOWS_PER_PHRASE: Final = 12  # windows of one phrase
_MAX_COMBINATIONS_TRIED: Final = 200  # sequences tried if one word could fill several slots


class PhraseWindow(NamedTuple):
    """Words `first` to `last`, which fill every slot of the phrase number `phrase_number`; `hits[i]` fills slot i."""

    phrase_number: int
    first: int
    last: int
    hits: tuple[Hit, ...]

    @property
    def has_misspelt_word(self) -> bool:
        """Whether a word in it is misspelt."""
        return any([h[3] & MISSPELT_FLAG for h in self.hits])


class NearMiss(NamedTuple):
    """The best partial match of a phrase: `filled_count` of its slots are filled, by `hits`. `is_far_apart`: all are,
    but too far apart. `is_in_reach`: the hits stand as near as the phrase asks."""

    phrase_number: int
    filled_count: int
    hits: tuple[Hit, ...]
    is_far_apart: bool  # every slot was found, but too far apart
    is_in_reach: bool = True


def find_windows(reading: Passage, number: int, probe: IndexedPhrase, hits: list[Hit]) -> list[PhraseWindow]:
    """The windows in which all slots of phrase `number` are filled; of windows that share a hit, only the closest."""
    # In one piece for speed: every phrase whose slots were all filled comes here.
    hits = hits if probe.allows_misspelling else [hit for hit in hits if not hit[3] & MISSPELT_FLAG]
    if probe.slot_count == 1:
        return [PhraseWindow(number, h[0], h[1], (h,)) for h in hits[:MAX_WINDOWS_PER_PHRASE]]
    anywhere = _is_any_distance_allowed(reading, probe)
    starts = reading.later_sentence_starts
    best: dict[tuple[int, int], list[PhraseWindow]] = {}  # by the sentences in which they begin and end
    for chosen in _hits_filling_all_slots(reading, probe, hits):
        first, end = min(chosen)[0], max([h[1] for h in chosen])
        key = (bisect_right(starts, first), bisect_right(starts, end)) if starts else (0, 0)
        near = anywhere or (probe.max_distance <= NEXT_SENTENCE and key[0] == key[1])
        near = near or _is_near_enough(reading, probe, end - first, *key)
        if near and not (probe.is_ordered and any(a[0] > b[0] for a, b in pairwise(chosen))):
            window = PhraseWindow(number, first, end, chosen)
            if key in best:
                _add_window(reading, probe, best[key], window)
            else:
                best[key] = [window]
    # Words within one sentence are preferred to words of two.
    inside = [w for (a, b), matched in best.items() if a == b for w in matched] if starts else None
    return (inside or [w for matched in best.values() for w in matched])[:MAX_WINDOWS_PER_PHRASE]


def _hits_filling_all_slots(reading: Passage, probe: IndexedPhrase, hits: list[Hit]) -> Iterator[tuple[Hit, ...]]:
    """Yields the latest hit of each slot, every time a hit leaves no slot empty; no word is used twice."""
    row = hits[:1] * probe.slot_count
    empty = (1 << probe.slot_count) - 1
    for hit in hits:
        row[hit[2]] = hit
        empty &= ~(1 << hit[2])
        if not empty:
            chosen = _tightest_distinct_hits(reading, row, hits, hit)
            if chosen:
                yield chosen


def find_near_miss(reading: Passage, number: int, probe: IndexedPhrase, hits: list[Hit]) -> NearMiss | None:
    """The best partial match of a phrase without a window; None if no slot is filled."""
    hits = hits if probe.allows_misspelling else [hit for hit in hits if not hit[3] & MISSPELT_FLAG]
    if len({hit[2] for hit in hits}) == 1:
        return NearMiss(number, 1, (hits[0],), False)
    anywhere = _is_any_distance_allowed(reading, probe)
    last: dict[int, Hit] = {}  # the latest hit of each slot
    most: tuple[Hit, ...] = ()
    for hit in hits:
        last[hit[2]] = hit
        if len(last) > len(most):
            end, sentence = hit[1], reading.sentence_number(hit[1])
            close = tuple(
                h
                for h in last.values()
                if anywhere or _is_near_enough(reading, probe, end - h[0], reading.sentence_number(h[0]), sentence)
            )
            if len({h[0] for h in close}) > len(most):
                most = close
    by_default = probe.max_distance == NEXT_SENTENCE and not probe.is_ordered
    if by_default and len({h[0] for h in last.values()}) == probe.slot_count:
        return NearMiss(number, probe.slot_count, tuple(last.values()), True)
    if not by_default and len(most) == probe.slot_count:
        return NearMiss(number, len(most), most, True, False)
    return NearMiss(number, len({h[0] for h in most}), most, False) if most else None


def _is_any_distance_allowed(reading: Passage, probe: IndexedPhrase) -> bool:
    distance = probe.max_distance
    return distance == WHOLE_ANSWER or (distance <= NEXT_SENTENCE and not reading.later_sentence_starts)


def _add_window(reading: Passage, probe: IndexedPhrase, windows: list[PhraseWindow], window: PhraseWindow) -> None:
    """Adds a window. Of two windows that share a hit, only the one with the closer words is kept, and one without a
    mirrored comparison before one with it."""

    def looseness(one: PhraseWindow) -> tuple[bool, int]:
        mirrored = probe.comparative_slot >= 0 and any([h[3] & OPPOSITE_FLAG for h in one.hits])
        return mirrored, reading.word_distance(one.first, one.last)

    last = windows[-1]
    if any([hit in window.hits for hit in last.hits]):
        if looseness(window) < looseness(last):
            windows[-1] = window
    elif len(windows) < MAX_WINDOWS_PER_PHRASE:
        windows.append(window)


def _is_near_enough(reading: Passage, probe: IndexedPhrase, apart: int, first: int, last: int) -> bool:
    """Whether words `apart` words apart, in the sentences `first` and `last`, are as near as the phrase asks: in one
    sentence (or a bullet and its introduction), within a number of words, or by default in the same or the next
    sentence."""
    near = probe.max_distance
    if first == last or reading.lead_in_by_bullet.get(last) == first:
        return near <= NEXT_SENTENCE or apart < near
    return near == WHOLE_ANSWER or (near == NEXT_SENTENCE and last - first == 1)


def _do_hits_share_word(reading: Passage, one: Hit, other: Hit) -> bool:
    """Whether two hits use the same word; "TP8", which has the forms of a name and of a number, counts as two."""
    if one[1] < other[0] or other[1] < one[0]:
        return False
    return one[:2] != other[:2] or len(reading.entries[one[0]].stems) < 3


def _tightest_distinct_hits(reading: Passage, row: list[Hit], hits: list[Hit], newest: Hit) -> tuple[Hit, ...]:
    """The tightest row of hits with `newest` in it and no word used for two slots; empty if there is none. Words joined
    in the phrase (`allreduce`) may fill neighbouring slots together."""
    if not any([_do_hits_share_word(reading, a, b) for a, b in combinations(row, 2)]):
        return tuple(row)
    at = max(i for i, hit in enumerate(hits) if hit is newest)
    recent = hits[max(0, at - 24) : at + 1][::-1]
    options = [[h for h in recent if h[2] == slot][:6] for slot in range(len(row))]
    best: tuple[Hit, ...] = ()
    best_first, tried = -1, 0
    begun: list[tuple[int, tuple[Hit, ...]]] = [(newest[0], ())]  # (first word, hits of the first slots)
    while begun and tried < _MAX_COMBINATIONS_TRIED:
        tried += 1
        first, chosen = begun.pop()
        if first <= best_first:
            continue  # not tighter than the best row
        if len(chosen) == len(options):
            if newest in chosen:
                best, best_first = chosen, first
            continue
        for hit in reversed(options[len(chosen)]):
            if not any(map(partial(_do_hits_share_word, reading, hit), chosen)):
                begun.append((min(first, hit[0]), (*chosen, hit)))
    return best


# -- Hits: which words of a response fill which slots of which phrases.

MAX_HITS_PER_PHRASE: Final = 100  # hits of one phrase; a text that repeats a word thousands of times gains nothing
_MAX_COMPOUND_WORDS: Final = 3  # words into which a compound may be split


def collect_hits(passage: Passage) -> dict[int, list[Hit]]:
    """The hits of every phrase in order: single words, word sequences, words written apart that a phrase joins."""
    # One loop for speed: it runs for each meaningful word of each response.
    entries, after_slash = passage.entries, passage.places_after_slash
    hits: defaultdict[int, list[Hit]] = defaultdict(list)
    places = passage.places_to_examine
    if "non" in passage.folded.text:  # "non-repeatable" does not contain "repeatable"
        places = [p for p in places if passage.word_at(p - 1) != "non" or passage.has_mark_before(p)]
    end = len(entries) - 1
    for place in places:
        entry = entries[place]
        for probe, slot, flag in entry.targets:
            hits[probe].append((place, place, slot, flag))
        if entry.sequences and (place < end or entry.cue_kind in DENYING):
            sequences = _sequences_from(passage, place, entry)
            if sequences:
                _collect_sequence_hits(passage, hits, place, sequences)
        if after_slash and place in after_slash:  # "4 all-reduces/layer" is "per layer"
            per = passage.index.entry_cache["per"]
            sequences = _sequences_from(passage, place - 1, per)
            for first in (place - 1, place):  # with its noun, or apart from the slot that the noun fills
                _collect_sequence_hits(passage, hits, place - 1, sequences, first)
        if entry.next_word_endings and place < end:
            following = entries[place + 1]
            written = f"\n{following.word[:2]}" in entry.next_word_endings
            if written or any([f"\n{form}\n" in entry.next_word_endings for form in following.stems]):
                _collect_compound_hits(passage, hits, place)
    return hits if len(places) < MAX_HITS_PER_PHRASE else {n: own[:MAX_HITS_PER_PHRASE] for n, own in hits.items()}


def _sequences_from(passage: Passage, place: int, entry: IndexEntry) -> tuple[WordSequence, ...]:
    """The word sequences that begin with the word of `entry` at `place` and may continue with the next words."""
    entries, before_hyphen, tokens = passage.entries, passage.tokens_before_hyphen, passage.token_numbers
    by_second_word = entry.by_second_word
    if by_second_word is None or entry.cue_kind in DENYING:
        return entry.sequences
    sequences = by_second_word.get("", ())
    for at in range(place + 1, place + 6):
        if before_hyphen and tokens[at] in before_hyphen:
            return entry.sequences
        following = entries[at]
        for form in following.stems:
            if form in by_second_word:
                sequences += by_second_word[form]
        if following.word not in ARTICLES or at + 1 == len(entries):
            break
    return sequences


def _collect_sequence_hits(
    passage: Passage, hits: defaultdict[int, list[Hit]], place: int, sequences: Iterable[WordSequence], first: int = -1
) -> None:
    """Adds the hits of those of the `sequences` that stand at `place`. `first` is the place where the hit begins, if it
    is another one."""
    for sequence in sequences:
        last = _match_sequence(passage, place, sequence)
        if last >= 0:
            fuzzy = MISSPELT_FLAG if any([entry.read_as for entry in passage.entries[place : last + 1]]) else 0
            for probe, slot, flag in sequence.targets:
                hits[probe].append((max(place, first), last, slot, flag | fuzzy))


def _collect_compound_hits(reading: Passage, hits: defaultdict[int, list[Hit]], place: int) -> None:
    """Adds the hits of words written apart that a phrase joins: `all reduce`, `BF 16`, `data base`."""
    entries, index = reading.entries, reading.index
    endings, joined = entries[place].next_word_endings, entries[place].word
    for last in range(place + 1, min(place + _MAX_COMPOUND_WORDS, len(entries))):
        following = entries[last]
        for form in following.stems:
            if f"\n{form}\n" in endings and reading.are_in_one_statement(place, last):
                for probe, slot, flag in index.links[joined + form].targets if joined + form in index.links else ():
                    hits[probe].append((place, last, slot, flag))
        joined += following.word
        endings = endings_after(joined, index.joined_words)
        if not endings:
            return


_MAX_SKIPPED_WORDS: Final = 4  # small words between two words of a sequence
# Small words that may stand between the negator of "{no children}" and its noun.
_SKIPPED_AFTER_NEGATOR: Final = ARTICLES | frozenset(
    words("any have has having had more own further longer be been of really its their")
)


def _match_sequence(reading: Passage, place: int, sequence: WordSequence) -> int:
    """The index of the last word of `sequence`, whose first word is at `place`; -1 if the other words do not follow in
    the same statement. Articles between the words are skipped."""
    entries = reading.entries
    at = place  # "{no children}" in "does not have any children"
    skipped = _SKIPPED_AFTER_NEGATOR if entries[place].cue_kind in DENYING else ARTICLES
    for wanted in sequence.later_words:
        starred = is_prefix_word(wanted)
        wanted = wanted[:-1] if starred else wanted
        at += 1
        end = min(at + _MAX_SKIPPED_WORDS, len(entries))
        while at < end and entries[at].word in skipped and wanted not in entries[at].stems:
            at += 1
        skipped = ARTICLES
        if at >= len(entries):
            return -1
        entry = entries[at]
        begins = f"\n{wanted}" in f"\n{entry.word}\n{entry.read_as}"
        if not (begins if starred else wanted in entry.stems):
            # Perhaps this word and the next, joined by a hyphen: `pre-emption`.
            has_hyphen = reading.token_numbers[at] in reading.tokens_before_hyphen
            whole = entry.word + reading.word_at(at + 1) if has_hyphen else ""
            at += 1
            if at >= len(entries) or not (whole.startswith(wanted) if starred else word_stem(whole) == wanted):
                return -1
    return at if reading.are_in_one_statement(place, at) else -1


# -- Amounts: the `number:` of a criterion, and quantities such as `16 B` in phrases.
# The number reader reads them, so `16 bytes per parameter`, `sixteen bytes` and `16B/param` are the same amount,
# `16 bit` is another, and 16 never occurs inside 116.

MAX_AMOUNTS_READ: Final = 40  # amounts read in one response
# An amount: from its first digit to the fourth adjacent word, or from its first number word to the eighth ("eight
# thousand one hundred …"), and before any word that is not in a unit. Short texts recur, and are read once.
_NOT_A_UNIT: Final = (
    r"(?!(?:the|is|are|was|in|on|at|by|for|from|with|which|that|so|but|as|or|it|then|than|when|of|to|if|not|because|must"
    r"|have|has|can|its|this|these|their|would|will|more|less|only|while|where|into|does|do|be)\s)"
)
_AMOUNT_PATTERN: Final = re.compile(
    rf"\d\S{{0,29}}(?:[ \t]+{_NOT_A_UNIT}[^\s.,;:()]{{1,16}}){{0,4}}"
    rf"|\S{{1,30}}(?:(?<![.;:)])[ \t]+{_NOT_A_UNIT}\S{{1,16}}){{0,8}}"
)
# Words that make the preceding number a quantity; page numbers and years need not be read.
_UNIT_PATTERN: Final = re.compile(
    r"-?(?:[kmgtpezy]i?|kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi)?(?:b|bps|bits?|bytes?|w|wh|j|flops?|hz)(?:$|[/p-])"
    r"|%|percent|[mun]?s$|sec|min|h$|hours?|hr|days?|weeks?|years?|x$"
)


class ResponseAmount(NamedTuple):
    """An amount in a response, in words `first` to `last`: `value` base units of `unit`; plain if that is None."""

    first: int
    last: int
    value: Fraction
    unit: Unit | None


@lru_cache(maxsize=512)
def parse_unit(text: str, labels: BankLabels = ()) -> Unit:
    """The unit of that name, with the bank's own units in `labels`; an empty text is the unit of plain numbers."""
    from quizgen.formula.units import UNIT_ONE, parse_unit

    return parse_unit(text, labels) if text else UNIT_ONE


_AmountAtStart = tuple[Fraction, "Unit | None", int]  # (value in base units, unit, length) of an amount


@lru_cache(maxsize=4096)  # a megabyte; with 1,024, four times as many amounts are read
def _amount_at_start(text: str, unit: str, labels: BankLabels = ()) -> _AmountAtStart | None:
    """The value, unit and length of the amount at the start of `text`, read as an answer in `unit`; None if there is
    none. `labels` are the bank's own units."""
    from quizgen.numbers.amounts import amount_at_start

    term = amount_at_start(text, parse_unit(unit, labels), _unit_lexicon(labels))
    return term if term is None or term[1] is None else (term[0] * term[1].factor, *term[1:])


@lru_cache(maxsize=64)
def _unit_lexicon(labels: BankLabels) -> UnitLexicon:
    from quizgen.numbers.answer import UnitLexicon

    return UnitLexicon.from_units({word: parse_unit(word, labels) for one in labels for word in one[:2]})


def amount_of_alternative(alternative: Alternative) -> tuple[Fraction, Dim] | None:
    """The quantity that an alternative of a phrase names, as (value in base units, dimension); None if it names a plain
    number, or more than a quantity."""
    if len(alternative.words) == 1 and not alternative.words[0][-1].isalpha():
        return None
    term = _amount_at_start(alternative.text, "")
    if term is None or term[1] is None or term[2] < len(alternative.text.rstrip("*")):
        return None
    return term[0], term[1].dim


def with_amount_hits(reading: Passage, given: dict[int, list[Hit]]) -> dict[int, list[Hit]]:
    """The hits, with those of amounts equal to a quantity in a phrase: `2 KB` for `2000 bytes`."""
    more: dict[int, list[Hit]] = {}
    for written in response_amounts(reading, ""):
        if written.unit is None:
            continue
        for probe, slot, flags in reading.index.amounts.get((written.value, written.unit.dim), ()):
            if not any(h[0] == written.first and h[2] == slot for h in given.get(probe, ())):
                more.setdefault(probe, []).append((written.first, written.last, slot, flags))
    return {**given, **{probe: sorted([*given.get(probe, ()), *hits]) for probe, hits in more.items()}}


def response_amounts(reading: Passage, unit: str, labels: BankLabels = ()) -> list[ResponseAmount]:
    """The amounts in a response, read as answers in `unit`; only those with a unit if `unit` is empty."""
    amounts: list[ResponseAmount] = []
    past = -1
    text = reading.folded.original
    for place in [p for p in reading.places_to_examine if reading.entries[p].is_numeral]:
        word = reading.entries[place].word
        attached = word.lstrip("0123456789.,^") not in ("", word)
        if place <= past or not (unit or attached or _UNIT_PATTERN.match(reading.word_at(place + 1))):
            continue
        found_text = _AMOUNT_PATTERN.match(text, reading.original_char_span(place, place)[0])
        term = _amount_at_start(found_text[0], unit, labels) if found_text else None
        if term is None:
            continue
        past, end = place, reading.folded_char_start(place) + term[2]
        while past + 1 < len(reading.entries) and reading.folded_char_start(past + 1) < end:
            past += 1
        amounts.append(ResponseAmount(place, past, term[0], term[1]))
        if len(amounts) >= MAX_AMOUNTS_READ:
            break
    return amounts


# -- The subject of each word's statement, among the subjects that a response names.

SubjectNumbers = frozenset[int]  # places of subjects in the rubric


@dataclass(frozen=True, slots=True)
class SubjectMention:
    """Words `first` to `last`, which name the subjects `subjects`; several if they are joined by "and"."""

    first: int
    last: int
    subjects: SubjectNumbers


@dataclass(frozen=True, slots=True)
class WordSubjects:
    """The subjects of a response's words: `subjects_by_word[i]` are those of word i, None before any is named.
    `places_without_topic` are words in later sentences that neither name a subject nor continue with one."""

    mentions: tuple[SubjectMention, ...]
    subjects_by_word: tuple[SubjectNumbers | None, ...]
    places_without_topic: frozenset[int]


def find_subjects(reading: Passage, hits: Mapping[int, list[Hit]]) -> WordSubjects:
    """The mentions of subjects in a response, and the subject that each word is about."""
    mentions = _find_mentions(reading, hits)
    of: list[SubjectNumbers | None] = []
    loose: set[int] = set()
    carried: SubjectNumbers | None = None
    goes_on = True
    ends: dict[int, SubjectNumbers | None] = {}
    size = len(reading.entries)
    named = {place for mention in mentions for place in range(mention.first + 1, mention.last + 1)}
    starts = sorted({0, *reading.segment_starts} - named - {size})
    for start, end in pairwise([*starts, size]):
        sentence = reading.sentence_number(start)
        if start == 0 or reading.sentence_number(start - 1) != sentence:
            topic = reading.lead_in_by_bullet.get(sentence, -1)
            carried = ends.get(topic, carried)
            goes_on = topic >= 0 or reading.continues_topic(start)
        inside = [m for m in mentions if start <= m.first < end]
        goes_on |= bool(inside)
        loose.update(() if goes_on else range(start, end))
        carried = ends[sentence] = inside[0].subjects if inside else carried
        for place in range(start, end):
            of.append(next((m.subjects for m in reversed(inside) if m.first <= place), carried))
    return WordSubjects(tuple(mentions), tuple(of), frozenset(loose))


def _find_mentions(reading: Passage, hits: Mapping[int, list[Hit]]) -> list[SubjectMention]:
    """The longest mentions that share no word, in order. Two subjects may have the same name."""
    index = reading.index
    mentions: list[tuple[int, int, int, int, int, frozenset[int]]] = []
    for number in index.subject_phrase_numbers:
        if number in hits:
            probe = index.phrases[number]
            for window in find_windows(reading, number, probe, hits[number]):
                named = frozenset(p for h in window.hits for p in range(h[0], h[1] + 1))
                mentions.append(
                    (-len(named), window.last - window.first, window.first, window.last, probe.owner_number, named)
                )
    used: dict[int, tuple[int, int]] = {}
    kept: dict[tuple[int, int], set[int]] = {}
    for _, _, start, end, owner, named in sorted(mentions, key=lambda one: one[:5]):
        if all(used.get(place, (start, end)) == (start, end) for place in named):
            used.update(dict.fromkeys(named, (start, end)))
            kept.setdefault((start, end), set()).add(owner)
    return [SubjectMention(start, end, frozenset(of)) for (start, end), of in sorted(kept.items())]


# -- A response read against a compiled rubric: its passage, and the words that fill slots of phrases.

MAX_DISTINCT_WORDS: Final = 1500  # different words that are read
MAX_TOKENS: Final = 20_000  # words and marks that are read; 64 KiB of English contain about 13,000


class ResponseText(Passage):
    """A passage with the results that scoring computes when first needed: hits, subjects, corrections."""

    @cached_property
    def hits_by_phrase(self) -> dict[int, list[Hit]]:
        """The hits of each phrase, in order of their first word."""
        by_probe = collect_hits(self)
        return with_amount_hits(self, by_probe) if self.index.amounts else by_probe

    @cached_property
    def word_subjects(self) -> WordSubjects:
        """The subject that every word is about."""
        return find_subjects(self, self.hits_by_phrase)

    @cached_property
    def likeness_divisor(self) -> int:
        """The number by which marks are divided: 2 if the response resembles wrong examples, 4 if strongly, else 1."""
        lean = self.index.examples.likeness_to_wrong(self.stem_hashes) if self.index.examples is not None else 0.0
        return 1 if lean <= WRONG_LIKENESS_LIMIT else 2 if lean <= STRONG_WRONG_LIKENESS_LIMIT else 4

    @cached_property
    def correction_cues(self) -> list[FoundCue]:
        """The cues with which the candidate takes something back."""
        return [cue for cue in self.cues.found_cues if cue.row.effect in (TAKES_BACK, CORRECTS)]

    def retraction_words(self, claim: PhraseWindow) -> str:
        """The words that take a claim back ("no wait", "scratch that") in its sentence or at the start of the next one;
        empty if there are none."""
        for cue in self.correction_cues:
            if cue.place <= claim.last or cue.row.effect == CORRECTS:
                continue
            back = self.sentence_number(cue.place) - self.sentence_number(claim.last)
            if back > (cue.place in self.later_sentence_starts):
                return ""  # inside a sentence it takes back only words of that sentence
            return self.original_text(cue.place, cue.last)
        return ""

    def is_corrected_later(self, claim: PhraseWindow, later_claims: list[PhraseWindow]) -> bool:
        """Whether a correction, even a mild "or rather", stands between a claim and a later one on the point."""
        after = next((cue.place for cue in self.correction_cues if cue.place > claim.last), None)
        return after is not None and any(after <= other.last for other in later_claims)

    def names_negator(self, window: PhraseWindow) -> bool:
        """Whether the matched words themselves include a "no", "not" or "without"."""
        if window.phrase_number < 0 or not self.index.phrases[window.phrase_number].has_negator:
            return False
        return any(
            self.entries[place].word in NAMED_NEGATORS
            for first, last, _, _ in window.hits
            for place in range(first, last + 1)
        )


def read_response(index: RubricIndex, folded: FoldedText) -> ResponseText:
    """The words, marks, sentences and cues of a folded response."""
    # In one piece for speed: C code runs over all words, and Python only over marks and words that mean something.
    text = folded.text
    pieces = TOKEN_PATTERN.split(text, MAX_TOKENS)  # text between tokens and tokens, alternating
    ends = list(accumulate(map(len, pieces)))
    words = pieces[1::2]
    before_hyphen = {at for at, gap in enumerate(pieces[2::2]) if gap[:1] == "-"} if "-" in text else ()
    cut = len(words) == MAX_TOKENS
    read: Sequence[int] = range(len(words))
    if len(words) > MAX_DISTINCT_WORDS:
        known = set(islice(dict.fromkeys(words), MAX_DISTINCT_WORDS))
        read = list(compress(read, map(known.__contains__, words)))
        cut = cut or len(read) < len(words)
        words = [words[at] for at in read]
    every = list(map(index.entry_cache.__getitem__, words))
    tokens: list[int] = []
    entries: list[IndexEntry] = []
    places_to_examine: list[int] = []
    single: list[tuple[int, int]] = []  # places and kinds of words that are cues by themselves
    marks: list[tuple[int, int, int]] = []
    after_signs: list[int] = []
    after_slash: set[int] = set()
    references = past = signs = 0
    last = (-1, 0)
    for at, entry in enumerate(every):
        if not entry.needs_examination:
            continue
        place, cue = at - signs, entry.cue_kind
        if not entry.is_punctuation:
            places_to_examine.append(place)
            references |= entry.model_answer_bits
            if cue:
                single.append((place, cue))
            continue
        signs += 1
        tokens += read[past:at]
        entries += every[past:at]
        past = at + 1
        if not cue:
            after_signs.append(place)
            if entry.word == "/":
                after_slash.add(place)
        elif cue != BRACKET or last != (place, BRACKET):
            last = (place, cue)
            marks.append((place, cue, ends[2 * read[at]]))
    tokens += read[past:]
    entries += every[past:]
    if after_slash:
        places_to_examine = sorted({*places_to_examine, *after_slash} - {len(entries)})
    if any([cue in STANCE_CHANGING for _, cue in single]):
        cues = find_cues([entry.word for entry in entries], single, marks)
    else:
        cues = ResponseCues(tuple(single))
    return ResponseText(
        index, folded, tokens, ends, before_hyphen, entries, after_slash, marks, after_signs,
        places_to_examine, references, cut, *find_sentences(folded, marks, len(entries)), cues,
    )  # fmt: skip
