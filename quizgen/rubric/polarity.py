"""Whether a response asserts, denies or doubts a claim, decided by the rows of `scopes.py` that reach it.

A claim is a window: the words of a response that fill a phrase. The reach is narrow on purpose: in scored answers, a
negation far from the claim is mostly about something else."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Final, NamedTuple

from quizgen.rubric import lexicon, scopes
from quizgen.rubric.lexicon import PREDICATES_AFTER_NOT, PRONOUNS, REPORTING_WORDS, WEIGHTLESS_WORDS, word_set
from quizgen.rubric.response import PhraseWindow, ResponseText
from quizgen.rubric.rubric import HEDGED, NEGATED_POLARITY

ASSERTED: Final = "asserted"
DENIED: Final = "denied"

_MAX_WORDS_TO_CUE: Final = 60  # words of one sentence examined on each side of a claim
_MAX_WORDS_TO_VERDICT: Final = 8  # words of the next sentence in which "that is wrong" may stand
_DOUBTING_CUE_KINDS: Final = frozenset((scopes.HEDGE_CUE, scopes.OTHERS_VIEW_CUE))


class Stance(NamedTuple):
    """How a response puts a claim: asserted, denied or hedged. `first_and_last_cue_word` are the first and last word
    that decides; a hedged claim without one is a question."""

    kind: str
    first_and_last_cue_word: tuple[int, int] | None = None


ASSERTED_STANCE: Final = Stance(ASSERTED)


def find_stance(reading: ResponseText, claim: PhraseWindow) -> Stance:
    """Whether a response asserts, denies or doubts a claim; a claim without any cue is asserted.

    A denial wins over a doubt, both win over a verdict on the sentence ("that is wrong"). If the phrase should be
    denied, a doubt counts only with a denial. What is left may be a question."""
    if not reading.found_cues and not reading.has_question_mark:
        return ASSERTED_STANCE
    start, end = reading.sentence_bounds(claim.first)[0], reading.sentence_bounds(claim.last)[1]
    cues = reading.found_cues_in(max(start, claim.first - _MAX_WORDS_TO_CUE), min(end, claim.last + _MAX_WORDS_TO_CUE))
    effective_cues = [cue for cue in cues if _does_cue_affect_claim(reading, claim, cue)]
    doubt = next((cue for cue in effective_cues if cue.row.effect in _DOUBTING_CUE_KINDS), None)
    denials = [cue for cue in effective_cues if cue.row.effect not in _DOUBTING_CUE_KINDS]
    denial = _first_uncancelled_denial(reading, denials) or _find_cue_that_says_false(reading, claim)
    if denial is not None:
        number = claim.phrase_index
        wants_denial = number >= 0 and reading.rubric_index.phrases[number].polarity == NEGATED_POLARITY
        if not (wants_denial and doubt):
            return Stance(DENIED, (denial.place, denial.place))
    return Stance(HEDGED, (doubt.place, doubt.last)) if doubt is not None else _stance_in_question(reading, claim, end)


def _does_cue_affect_claim(reading: ResponseText, claim: PhraseWindow, cue: scopes.FoundCue) -> bool:
    """Whether a cue decides how the claim is put."""
    if any([first <= cue.place <= last for first, last, _, _ in claim.hits]):
        return False  # the cue is one of the matched words
    effect, at = cue.row.effect, cue.place
    is_guess = effect == scopes.HEDGE_CUE and any([hit[0] == at + 1 for hit in claim.hits])
    side = scopes.CLAIM_AFTER if at < claim.first else scopes.CLAIM_AROUND if at < claim.last else scopes.CLAIM_BEFORE
    if (at in reading.word_places_of_cues_without_effect and not is_guess) or not cue.row.claim_side_bits & side:
        return False  # "the cache of maybe 8 MB" guesses the 8 MB only
    if effect in scopes.DENYING_CUE_KINDS:
        return _does_negator_deny_claim(reading, claim, cue)
    if effect == scopes.DENIES_CLAUSE_CUE:  # "it is not true that": to the next "but" or "because"
        return not _has_cue(reading, cue.last + 1, claim.first, scopes.BUT_WORD_CUE, scopes.CLAUSE_JOINING_CUE)
    if effect == scopes.SAYS_FALSE_CUE:  # "X is false"
        words = [reading.word_at(place) for place in range(claim.last + 1, cue.place)]
        return all([word in WEIGHTLESS_WORDS for word in words]) and not _BEING_WORDS.isdisjoint(words)
    if effect == scopes.REPLACES_CUE:  # the claim, or its last part, is X in "instead of X" or "unlike X"
        is_near = count_weighty_words(reading, cue.last + 1, claim.first) <= cue.row.reach_in_weighty_words
        return is_near and not reading.has_comma_between(cue.last + 1, claim.last)
    if effect == scopes.HEDGE_CUE:
        return _is_claim_doubted(reading, claim, cue)
    return effect == scopes.OTHERS_VIEW_CUE and _is_claim_rejected_view(reading, claim, cue)


def _has_cue(reading: ResponseText, start: int, end: int, *kinds: int) -> bool:
    """Whether a cue of one of the kinds stands from word `start` to before word `end`."""
    return any([kind in kinds for _, kind in reading.cue_places_and_kinds_in(start, end)])


# -- denials ---------------------------------------------------------------------------------------------


def _does_negator_deny_claim(reading: ResponseText, claim: PhraseWindow, cue: scopes.FoundCue) -> bool:
    """Whether "not", "no", "without" and the like deny the claim, which follows within their reach or stands before."""
    start, stop = reading.sentence_bounds(claim.first)
    if _do_denials_cancel(reading, start, max(stop, claim.last + 1)) or _is_only_condition_denied(reading, claim, cue):
        return False
    if cue.place > claim.last:
        return _is_preceding_claim_denied(reading, claim, cue)
    hit_place = min(hit[0] for hit in claim.hits if hit[0] > cue.place)
    end = reading.clause_bounds(cue.place)[1]
    if end == cue.place + 1 and reading.word_at(end) == "because":
        end = reading.clause_bounds(end)[1]  # the reason in "not because of X"
    if _is_in_denied_list(reading, claim, cue, hit_place, end):
        return True
    if hit_place >= end or (reading.word_at(end) in _CONJUNCTIONS_ENDING_DENIAL and claim.last >= end):
        return False  # "not after the data but before it", "it is not needed, so …", "nothing is copied until …"
    return not _holds_only_after_comma(reading, hit_place + 1, claim.last) and _is_within_reach(reading, cue, hit_place)


def _is_within_reach(reading: ResponseText, cue: scopes.FoundCue, hit_place: int) -> bool:
    """Whether the word at `hit_place` is near enough behind the cue. A comma, an "and" or a verb of saying ends the
    reach."""
    place = cue.place + 1
    if reading.has_comma_between(cue.place, hit_place) or _has_cue(reading, place, hit_place, scopes.AND_WORD_CUE):
        return False
    is_near = count_weighty_words(reading, cue.last + 1, hit_place) <= cue.row.reach_in_weighty_words
    return is_near and REPORTING_WORDS.isdisjoint(map(reading.word_at, range(place, min(hit_place, place + 3))))


def _is_in_denied_list(reading: ResponseText, claim: PhraseWindow, cue: scopes.FoundCue, start: int, end: int) -> bool:
    """Whether the claim is a later member of the list that a denial opens: "no disk at 90 percent or a fast cache"."""
    joins = reading.cue_places_and_kinds_in(cue.last + 1, start)
    if not joins or any(kind != scopes.OR_WORD_CUE for _, kind in joins) or claim.last >= end:
        return False
    words = [reading.word_at(place) for place in range(joins[-1][0] + 1, claim.last + 2)]
    gap_words = words[: start - joins[-1][0] - 1]
    return sum(w not in _LIST_MEMBER_LEAD_WORDS for w in gap_words) < 2 and _WORDS_ENDING_DENIED_LIST.isdisjoint(words)


def _holds_only_after_comma(reading: ResponseText, first: int, last: int) -> bool:
    """Whether the exception from a denial begins in the words from `first` to `last`: ", only" in "you do not redo
    everything, only the scores"."""
    places = [place for place in range(first, last + 1) if reading.word_at(place) in _WORDS_MEANING_ONLY]
    return any(reading.follows_punctuation(place, lexicon.COMMA_KIND) for place in places)


def _is_preceding_claim_denied(reading: ResponseText, claim: PhraseWindow, cue: scopes.FoundCue) -> bool:
    """Whether the cue denies the claim before it: "… is not needed", "… does not happen", "… is impossible"."""
    if reading.has_comma_between(claim.last, cue.place):
        return False
    if cue.row.effect == scopes.DENIES_NOUN_CUE:
        return cue.place == claim.last + 1  # "the workers share nothing"
    if any(reading.word_at(p) not in _WEIGHTLESS_WORDS_WITHOUT_PRONOUNS for p in range(claim.last + 1, cue.place)):
        return False
    next_place = cue.last + 1
    while reading.word_at(next_place) in WEIGHTLESS_WORDS:
        next_place += 1
    return next_place >= reading.clause_bounds(cue.place)[1] or reading.word_at(next_place) in PREDICATES_AFTER_NOT


def _find_cue_that_says_false(reading: ResponseText, claim: PhraseWindow) -> scopes.FoundCue | None:
    """The cue that calls the claim false: "X. That is wrong.", "Some say X, but this is not true"; None if not."""
    end = reading.sentence_bounds(claim.last)[1]
    for cue in reading.found_cues_in(claim.last + 1, min(reading.sentence_bounds(end)[1], end + _MAX_WORDS_TO_VERDICT)):
        is_false = cue.row.effect == scopes.SAYS_FALSE_CUE
        truth = reading.word_at(cue.place + 1) in _WORDS_MEANING_TRUE and not reading.follows_punctuation(cue.place + 1)
        if not is_false and not (cue.row.effect in (scopes.DENIES_VERB_CUE, scopes.DENIES_CLAUSE_CUE) and truth):
            continue
        words = {reading.word_at(place) for place in range(max(claim.last + 1, cue.place - 4), cue.place)}
        # "That is wrong"; but "one gets it wrong by …" says nothing about the sentence before.
        verdict = not words.isdisjoint(_POINTING_WORDS) and (not is_false or not words.isdisjoint(_BEING_WORDS - {"s"}))
        if verdict or not words.isdisjoint(("that's", "it's")):
            return cue
    return None


_WEIGHTLESS_WORDS_WITHOUT_PRONOUNS: Final = WEIGHTLESS_WORDS - PRONOUNS
_BEING_WORDS: Final = word_set("is are was were be would s isn't sounds")
_WORDS_MEANING_TRUE: Final = word_set("true correct right so accurate")
_POINTING_WORDS: Final = word_set("this that which it they those")
_LIST_MEMBER_LEAD_WORDS: Final = word_set("a an the any its their for of in on at by to from with when if")
_WORDS_ENDING_DENIED_LIST: Final = word_set("is are was were be has have does do can will would could should it they")
_WORDS_MEANING_ONLY: Final = word_set("only just merely simply")
_CONJUNCTIONS_ENDING_DENIAL: Final = word_set("but so therefore thus hence until")  # the claim follows


def _first_uncancelled_denial(reading: ResponseText, denials: list[scopes.FoundCue]) -> scopes.FoundCue | None:
    """The first denial that no second denial in its clause cancels, if any. "not A and not B" denies each once."""
    for _, group in groupby(denials, key=lambda cue: reading.clause_bounds(cue.place)[0]):
        cues = list(group)
        count = len(cues)
        for a, b in pairwise(cues):  # adjacent: "neither A nor B"
            is_joined = _has_cue(reading, a.place, b.place, scopes.AND_WORD_CUE, scopes.OR_WORD_CUE)
            count -= is_joined or reading.word_at(b.place) == "nor"
        if count % 2:
            return cues[0]
    return None


def count_weighty_words(reading: ResponseText, first: int, last: int) -> int:
    """The number of words from `first` to before `last`, without articles, light verbs and the like."""
    return sum([1 for place in range(first, last) if reading.word_entries[place].word not in WEIGHTLESS_WORDS])


# -- conditions: "without X there is no Y", "if no reply comes, …" ----------------------------------------


def _do_denials_cancel(reading: ResponseText, start: int, end: int) -> bool:
    """Whether two denials cancel, as in "without X there is no Y", "not Y unless X", "if not X, then not Y"."""
    condition = denials = 0
    for place, kind in reading.cue_places_and_kinds_in(start, end):
        if kind in scopes.DENYING_CUE_KINDS and (kind != scopes.DENIES_LIKE_WITHOUT_CUE or condition):
            denials += 1
        elif not condition and (kind == scopes.DENIES_LIKE_WITHOUT_CUE or reading.word_at(place) in ("unless", "if")):
            condition = 1
            denials -= reading.word_at(place) == "if"  # it takes two denials
    return bool(condition) and denials >= 1


def _is_only_condition_denied(reading: ResponseText, claim: PhraseWindow, cue: scopes.FoundCue) -> bool:
    """Whether a denial stands in a condition and the claim does not: "If no reply comes, the frame is sent again",
    "Without a cache the lookup is slow"."""
    start, end = reading.clause_bounds(cue.place)
    if reading.word_at(start) in _CONDITION_WORDS:
        is_outside = claim.first < start or claim.last >= end or reading.has_comma_between(cue.place, claim.last)
        return is_outside or _has_new_subject_between(reading, cue.last + 1, claim.first)
    with_no = cue.row.effect == scopes.DENIES_NOUN_CUE and reading.word_at(cue.place - 1) == "with"
    if not (with_no or cue.row.effect == scopes.DENIES_LIKE_WITHOUT_CUE) or start != cue.place - with_no:
        return False
    return _has_new_subject_between(reading, cue.place + 1, claim.first, reading.word_at(cue.place + 1) not in PRONOUNS)


def _has_new_subject_between(reading: ResponseText, first: int, last: int, min_word_count: int = 1) -> bool:
    """Whether a new statement begins between two words: at least `min_word_count` weighty words stand before its
    subject."""
    places = [p for p in range(first + 1, last + 1) if reading.word_at(p) in _WORDS_BEGINNING_A_SUBJECT]
    return any(count_weighty_words(reading, first, p) >= min_word_count for p in places)


def is_hypothetical(reading: ResponseText, claim: PhraseWindow) -> bool:
    """Whether the claim is an imagined case, as in "Had you cut it by rows, each rank would …": such a word opens its
    clause, and "would" or the like follows in the sentence."""
    if reading.word_at(reading.clause_bounds(claim.first)[0]) not in _SUPPOSING_WORDS:
        return False
    later_places = range(claim.last + 1, reading.sentence_bounds(claim.last)[1])
    return any(word in _CONDITIONAL_VERBS or word.endswith("'d") for word in map(reading.word_at, later_places))


_CONDITION_WORDS: Final = frozenset(("if", "when", "whenever", "unless"))
_SUPPOSING_WORDS: Final = frozenset(("if", "had", "were", "suppose", "imagine"))
_CONDITIONAL_VERBS: Final = frozenset(("would", "wouldn't", "could", "might"))
# Words with which the subject of a new statement begins.
_WORDS_BEGINNING_A_SUBJECT: Final = PRONOUNS | word_set("a an the there each every all i we you one my our your")


# -- doubts ----------------------------------------------------------------------------------------------


def _is_claim_doubted(reading: ResponseText, claim: PhraseWindow, cue: scopes.FoundCue) -> bool:
    """Whether "maybe" or "I am not sure" doubts the claim: it stands in the same clause or opens the sentence."""
    start, end = reading.clause_bounds(claim.first)[0], reading.clause_bounds(claim.last)[1]
    if cue.row.reach_in_weighty_words == scopes.REACHES_WHOLE_SENTENCE:
        return True
    if cue.place < claim.last:
        return start <= cue.place or cue.place - reading.sentence_bounds(claim.first)[0] <= 1
    # Behind the claim a hedge may belong to the next statement: "X, and maybe Y", "X, maybe Y".
    if cue.place >= end or _has_cue(reading, claim.last + 1, cue.place, scopes.AND_WORD_CUE):
        return False
    words = [reading.word_at(place) for place in range(claim.last + 1, cue.place)]
    if reading.has_comma_between(claim.last, cue.place) and not _WORDS_ALLOWED_BEFORE_TRAILING_HEDGE.issuperset(words):
        return False  # "2,900 on average, the peak maybe"
    return not reading.follows_punctuation(cue.place) or end - cue.last < 2 or reading.follows_punctuation(cue.last + 1)


def _is_claim_rejected_view(reading: ResponseText, claim: PhraseWindow, cue: scopes.FoundCue) -> bool:
    """Whether the candidate rejects the claim as a view: "Some believe X, but Y", "I first thought of X; however,
    Y"."""
    words = [reading.word_at(place) for place in range(max(0, cue.place - 3), cue.place)]
    if _WORDS_BEFORE_ANOTHERS_VIEW.isdisjoint(words):
        return False
    end = reading.sentence_bounds(claim.last)[1]
    if end < len(reading.word_entries):
        end = min(reading.sentence_bounds(end)[1], end + 3)
    return _has_cue(reading, claim.last + 1, end, scopes.BUT_WORD_CUE)


_WORDS_ALLOWED_BEFORE_TRAILING_HEDGE: Final = WEIGHTLESS_WORDS | word_set("i i'm im am think believe guess just not")
_WORDS_BEFORE_ANOTHERS_VIEW: Final = word_set(
    """some many most people one others they often commonly you first initially originally previously everyone
    everybody to had"""
)


def _stance_in_question(reading: ResponseText, claim: PhraseWindow, end: int) -> Stance:
    """The stance of a claim in a question: a guess, unless the question is rhetorical and answered, or quoted."""
    if not reading.follows_punctuation(end, lexicon.QUESTION_MARK_KIND):
        return ASSERTED_STANCE
    answer = reading.word_at(end)
    is_brief = answer in ("no", "not", "never") and reading.sentence_bounds(end)[1] - end <= 4
    if is_brief or (answer in ("no", "yes") and reading.follows_punctuation(end + 1)):
        # "Can it shrink the batch? No, …", "Secret? Not needed.": the writer answers the question.
        return ASSERTED_STANCE if answer == "yes" else Stance(DENIED, (end, end))
    if any(mark == lexicon.COLON_KIND and claim.first < place < end for place, mark, _ in reading.punctuation):
        return ASSERTED_STANCE  # "It is ambiguous: is it for the first?"
    return Stance(HEDGED)
