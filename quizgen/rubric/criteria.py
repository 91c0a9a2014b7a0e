"""The statements of a response on each criterion, and the mark that they earn: windows of phrases, amounts, and whether
each is asserted."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Final

from quizgen.formula.units import PHYSICAL_DIMENSIONS, Dim, Unit, dimension_fits_declared, parse_unit
from quizgen.rubric import response
from quizgen.rubric import rubric as rubrics
from quizgen.rubric.index import MISSPELT_WORD_BIT, OPPOSITE_WORD_BIT, IndexedPhrase, RubricIndex
from quizgen.rubric.lexicon import ARTICLES, COMPARATIVES, FUNCTION_WORDS, TIME_ORDER_WORDS, word_set
from quizgen.rubric.phrases import text_lists_by_slot
from quizgen.rubric.polarity import ASSERTED, ASSERTED_STANCE, DENIED, Stance, find_stance, is_hypothetical
from quizgen.rubric.response import Hit, PartialMatch, PhraseWindow, ResponseAmount, ResponseText, SubjectNumbers
from quizgen.rubric.rubric import ANY_POLARITY, FOUND, HEDGED, NEGATED_POLARITY, PARTIAL, CriterionMark, NumberTest
from quizgen.rubric.scopes import OR_WORD_CUE, THAN_WORD_CUE

# -- All evidence for one criterion, before it is weighed.

ClaimWithStance = tuple[PhraseWindow, Stance]


@dataclass(slots=True)
class CriterionFinding:
    """The matches for one criterion's phrases and number. `filled_shares_and_phrase_indices`: of each phrase without a
    window the share of slots filled and its index. `reversed_windows_and_reasons` compare the wrong way round."""

    accepted_phrase_claims: list[ClaimWithStance]
    rejected_phrase_claims: list[ClaimWithStance]
    filled_shares_and_phrase_indices: list[tuple[float, int]]
    reversed_windows_and_reasons: list[tuple[PhraseWindow, str]]
    amounts_of_asked_dimension: list[ResponseAmount]
    windows_copied_from_stem: list[PhraseWindow]


FindingByPlace = Mapping[int, CriterionFinding]  # of each criterion that the response touches; -1 - n: misconception n


# -- The amounts of a response for the `number:` of a criterion, right or wrong, and their stance.


def find_amounts_of_asked_dimension(reading: ResponseText, test: NumberTest) -> list[ResponseAmount]:
    """The amounts of the kind that a criterion asks for, in base units, without those copied from the stem."""
    unit, _, minimum, maximum = _unit_and_base_value_and_bounds(test)
    numbers: list[ResponseAmount] = []
    for amount in response.find_amounts(reading, test.unit or "1", test.bank_units):
        if amount.unit is not None and not _does_dimension_fit_wanted(amount.unit.dim, unit.dim):
            continue
        if reading.is_copied_from_stem(amount.first, amount.last):
            continue
        value = amount.base_value * unit.factor if amount.unit is None else amount.base_value
        is_right = minimum <= value <= maximum
        if amount.unit is None and unit.symbol != "1" and not (is_right and reading.word_at(amount.first) != "one"):
            continue  # a bare number of something else
        numbers.append(amount._replace(base_value=value))
    return numbers


def _stance_beside_wrong_ones(reading: ResponseText, amount: ResponseAmount, mistakes: list[ResponseAmount]) -> Stance:
    """The stance of a right amount: hedged if a wrong one is offered beside it, as in "16 or 18 bytes"."""
    hit = (amount.first, amount.last, 0, 0)
    stance = find_stance(reading, PhraseWindow(-1, amount.first, amount.last, (hit,)))
    for mistake in mistakes if stance.kind == ASSERTED else ():
        first, last = sorted((amount.first, mistake.first))
        if last - first <= 5 and any(cue == OR_WORD_CUE for _, cue in reading.cue_places_and_kinds_in(first, last)):
            return Stance(HEDGED, (first, last))
    return stance


@lru_cache(maxsize=1024)
def _unit_and_base_value_and_bounds(test: NumberTest) -> tuple[Unit, Fraction, Fraction, Fraction]:
    """The unit of the number that is asked for, its value, and the least and greatest right values, in base units."""
    unit = parse_unit(test.unit or "1", test.bank_units)
    target = test.value * unit.factor
    slack = abs(target) * test.tolerance if test.is_tolerance_relative else test.tolerance * unit.factor
    return unit, target, target - slack, target + slack


@lru_cache(maxsize=1024)
def _does_dimension_fit_wanted(response_dim: Dim, expected_dim: Dim) -> bool:
    """Whether two amounts have the same dimension; a "per parameter" and the like may be missing in the one written."""
    if dimension_fits_declared(response_dim, expected_dim):
        return True
    ratio = (response_dim / expected_dim).powers
    return bool(response_dim.powers) and all(power > 0 and name not in PHYSICAL_DIMENSIONS for name, power in ratio)


# -- The direction of a comparison: "NVLink is faster than InfiniBand" and its mirror image.

OPPOSITE_WITH_UNKNOWN_SUBJECT: Final = "mirrored"  # the opposite comparative is present, and its subject is unknown
# Words that end what "than" compares with.
_WORDS_ENDING_THAN_PHRASE: Final = word_set("it them to onto into go goes lie lies is are was were has have had and or")
_COMPARISON_MARKERS: Final = frozenset(("compared", "comparison", "relative", "unlike", "versus", "vs", "contrast"))


def reversed_comparison_reason(reading: ResponseText, phrase: IndexedPhrase, window: PhraseWindow) -> str | None:
    """Why a comparison runs the other way than in its phrase; None if it runs the same way.

    The slots before the comparative in the phrase name the side that has more. An opposite comparative (slower for
    faster) is right if and only if the sides are exchanged too."""
    word, last, _, flags = window.hits[phrase.comparative_slot_index]
    is_mirrored = bool(flags & OPPOSITE_WORD_BIT)
    subjects = [hit[0] for hit in window.hits[: phrase.comparative_slot_index]]
    objects = [hit[0] for hit in window.hits[phrase.comparative_slot_index + 1 :]]
    than_place = last if reading.word_at(last) == "as" else _find_next_than_place(reading, word)  # "is not as fast as"
    if than_place is None:
        is_swapped = any(_follows_comparison_marker(reading, place) for place in subjects)
        # "Fewer micro-batches" does not say what there are more of.
        is_open = is_mirrored and not is_swapped and (phrase.comparative_slot_index or window.last - window.first > 2)
    else:
        is_swapped = any(_is_object_of_than(reading, than_place, s) for s in subjects)
        is_than_between = max(subjects, default=than_place) < than_place < min(objects, default=than_place)
        is_open = is_mirrored and not is_swapped and not is_than_between
    if is_swapped == is_mirrored:
        return None
    last = window.last if than_place is None else max(window.last, than_place)
    quote = reading.original_text(min(word, window.first), last)
    return OPPOSITE_WITH_UNKNOWN_SUBJECT if is_open else f'"{quote}" compares the other way round'


def _is_object_of_than(reading: ResponseText, than_place: int, place: int) -> bool:
    """Whether "than" compares with the word at `place`: "larger than its left child", not "larger than it go left"."""
    if not than_place < place < reading.clause_bounds(than_place)[1] or reading.has_comma_between(than_place, place):
        return False
    return all(reading.word_at(p) not in _WORDS_ENDING_THAN_PHRASE for p in range(than_place + 1, place))


def _follows_comparison_marker(reading: ResponseText, place: int) -> bool:
    """Whether the word at `place` is what another thing is compared with: X in "compared to X, Y is faster"."""
    markers = [p for p in range(place - 3, place) if reading.word_at(p) in _COMPARISON_MARKERS]
    return any(not reading.has_comma_between(marker, place) for marker in markers)


def _find_next_than_place(reading: ResponseText, word: int) -> int | None:
    if reading.word_entries[word].cue_kind == THAN_WORD_CUE or reading.word_entries[word].word in TIME_ORDER_WORDS:
        return word  # "left < right", "the log before the page"
    end = min(word + 12, reading.clause_bounds(word)[1])
    return next((place for place, cue in reading.cue_places_and_kinds_in(word + 1, end) if cue == THAN_WORD_CUE), None)


# -- Conditions under which a rejected phrase contradicts a criterion that names its subject with `of`.
# The phrase is about that subject and asserted; an accepted statement about the same subject that is as tight
# protects. On blind answers such rejects were wrong once in 41, the same words without a subject ten times in 46.


def _subject_numbers_of_hit(reading: ResponseText, hit: Hit) -> SubjectNumbers | None:
    """The subjects that a word is about; None if there is none, or if the word itself names a subject."""
    owners = reading.word_subjects
    is_name = any(m.first <= hit[1] and hit[0] <= m.last for m in owners.mentions)
    return None if is_name or hit[0] in owners.word_places_of_unclear_topic else owners.subject_numbers_by_word[hit[0]]


def has_closer_words_than_accepted(
    reading: ResponseText, rejected: PhraseWindow, accepted: list[PhraseWindow], subjects: SubjectNumbers
) -> bool:
    """Whether a rejected statement has closer words than every accepted statement about its subject."""

    def word_count(window: PhraseWindow) -> int:
        """The number of words in a window, without articles."""
        return sum(reading.word_entries[p].word not in ARTICLES for p in range(window.first, window.last + 1))

    owners = reading.word_subjects.subject_numbers_by_word
    windows = [g for g in accepted if (owner := owners[g.first]) is None or owner & subjects]
    return all(word_count(window) > word_count(rejected) for window in windows)


def reverse_claims_about_rivals(reading: ResponseText, place: int, finding: CriterionFinding) -> CriterionFinding:
    """The finding for a criterion that compares two subjects: a statement about the second subject counts as its
    opposite about the first, so accepted and rejected windows change places."""
    index = reading.rubric_index
    subjects, rivals = index.subjects_by_criterion[place], index.rivals_by_criterion[place]

    def is_said_of_rival(word: int) -> bool | None:
        """Whether a word is said about the side that is compared with; None: about neither, or both."""
        topics = reading.word_subjects.subject_numbers_by_word[word] or frozenset()
        is_about_subject, is_about_rival = bool(topics & subjects), bool(topics & rivals)
        return is_about_rival if is_about_subject != is_about_rival else None

    accepts: list[ClaimWithStance] = []
    rejects: list[ClaimWithStance] = []
    for claim in finding.accepted_phrase_claims:
        word, _, _, flags = claim[0].hits[max(index.phrases[claim[0].phrase_index].comparative_slot_index, 0)]
        is_mirrored = bool(flags & OPPOSITE_WORD_BIT)
        if is_said_of_rival(word) is (not is_mirrored):
            rejects.append(claim)
        elif not is_mirrored or is_said_of_rival(word):
            accepts.append(claim)
    for claim in finding.rejected_phrase_claims:
        (accepts if claim[1].kind == ASSERTED and is_said_of_rival(claim[0].first) else rejects).append(claim)
    return replace(finding, accepted_phrase_claims=accepts, rejected_phrase_claims=rejects)


def subject_quote_text(reading: ResponseText, window: PhraseWindow, subjects: SubjectNumbers) -> str:
    """The candidate's words for the subject of a statement, as a phrase such as ` of "TP"`; empty if the criterion has
    no subject, or if the statement names it only later."""
    mentions = reading.word_subjects.mentions if subjects else ()
    topic_mentions = [m for m in mentions if m.subject_numbers & subjects and m.first <= window.last]
    if not topic_mentions or topic_mentions[-1].last >= window.first:
        return ""
    return f' of "{reading.original_text(topic_mentions[-1].first, topic_mentions[-1].last)}"'


# -- The evidence of a response for each criterion: windows of its phrases, and their stances.


def findings_by_criterion_or_misconception(index: RubricIndex, reading: ResponseText) -> dict[int, CriterionFinding]:
    """The findings of every criterion that the response touches, by its place; of misconception n under -1 - n."""
    findings: defaultdict[int, CriterionFinding] = defaultdict(lambda: CriterionFinding([], [], [], [], [], []))
    for number, hits in sorted(reading.hits_by_phrase_index.items()):
        phrase = index.phrases[number]
        filled_count = 1 if len(hits) == 1 else len({hit[2] for hit in hits})
        is_whole = filled_count == phrase.slot_count
        if phrase.role == rubrics.ACCEPT_ROLE:
            finding = findings[phrase.owner_number]
            if not (is_whole and _add_accepted_windows(reading, number, hits, finding)):
                finding.filled_shares_and_phrase_indices.append((filled_count / phrase.slot_count, number))
        elif is_whole and phrase.role != rubrics.SUBJECT_ROLE:
            owner = phrase.owner_number if phrase.role == rubrics.REJECT_ROLE else -1 - phrase.owner_number
            findings[owner].rejected_phrase_claims.extend(_claims_of_rejected_phrase(reading, number, hits))
    for place, test in index.number_tests:
        if numbers := find_amounts_of_asked_dimension(reading, test):
            findings[place].amounts_of_asked_dimension.extend(numbers)
    for place, rivals in enumerate(index.rivals_by_criterion):
        if rivals and place in findings:
            findings[place] = reverse_claims_about_rivals(reading, place, findings[place])
    return findings


def _claims_of_rejected_phrase(reading: ResponseText, number: int, hits: list[Hit]) -> list[ClaimWithStance]:
    """The windows of a phrase that must not be said, with their stance; opposite comparisons are left out."""
    index = reading.rubric_index
    phrase = index.phrases[number]
    if phrase.role == rubrics.REJECT_ROLE and index.subjects_by_criterion[phrase.owner_number]:
        subjects = index.subjects_by_criterion[phrase.owner_number] | index.rivals_by_criterion[phrase.owner_number]
        hits = [hit for hit in hits if (_subject_numbers_of_hit(reading, hit) or frozenset()) & subjects]
    windows = response.find_windows(reading, number, hits)
    if phrase.comparative_slot_index >= 0:
        windows = [w for w in windows if reversed_comparison_reason(reading, phrase, w) is None]
    return [(w, find_stance(reading, w)) for w in windows]


def _add_accepted_windows(reading: ResponseText, number: int, hits: list[Hit], finding: CriterionFinding) -> bool:
    """Adds the windows of an accepted phrase to the finding. False if there are none."""
    index = reading.rubric_index
    phrase, windows = index.phrases[number], response.find_windows(reading, number, hits)
    may_echo = phrase.slot_bits_filled_by_item_stem == (1 << phrase.slot_count) - 1 and index.newline_enclosed_stem
    is_comparison = phrase.comparative_slot_index >= 0 and not index.rivals_by_criterion[phrase.owner_number]
    for window in windows:
        if may_echo and all(reading.is_copied_from_stem(hit[0], hit[1]) for hit in window.hits):
            finding.windows_copied_from_stem.append(window)
            continue
        reason = reversed_comparison_reason(reading, phrase, window) if is_comparison else None
        if reason is None:
            finding.accepted_phrase_claims.append((window, find_stance(reading, window)))
        elif reason != OPPOSITE_WITH_UNKNOWN_SUBJECT and find_stance(reading, window).kind != DENIED:
            finding.reversed_windows_and_reasons.append((window, reason))
    return bool(windows)


# -- Evidence against a claim: rejected phrases, denials of the same thing, and corrections.
#
# A reject takes all points of its criterion, so its words must be in one clause, with no accepted claim nearer to them.


def are_rejected_words_together(reading: ResponseText, rejected: PhraseWindow, accepted: list[PhraseWindow]) -> bool:
    """Whether the words of a rejected phrase belong together: in one clause (unless the author sets `near`), and none
    of them closer to an accepted claim ("queries faster, inserts slower" does not say that queries are slower)."""
    if len(rejected.hits) < 2:
        return True
    start, end = reading.clause_bounds(rejected.first)
    max_word_distance = reading.rubric_index.phrases[rejected.phrase_index].max_word_distance
    if max_word_distance == rubrics.WITHIN_NEXT_SENTENCE and not start <= rejected.last < end:
        return False
    size = reading.word_distance_with_segment_penalty(rejected.first, rejected.last)
    places = {h[0] for h in rejected.hits}
    closer_windows = [r for r in accepted if reading.word_distance_with_segment_penalty(r.first, r.last) < size]
    return all(places.isdisjoint(h[0] for h in r.hits) for r in closer_windows)


def states_rejected_phrase(reading: ResponseText, window: PhraseWindow, stance: Stance) -> bool:
    """Whether the response says the rejected phrase of this window, with the polarity that the phrase asks for."""
    setting = reading.rubric_index.phrases[window.phrase_index].polarity
    if setting == ANY_POLARITY or reading.has_matched_negator(window):
        return True
    return stance.kind == (DENIED if setting == NEGATED_POLARITY else ASSERTED) and not is_hypothetical(reading, window)


# -- From evidence to a mark ------------------------------------------------------------------------------

ZERO: Final = Fraction(0)
MIN_POINTS_NEEDING_TWO_WORDS: Final = 2  # points from which a single word is not enough
NEAR_MISS_REACH_TIE_BREAK: Final = 0.01  # prefers a near miss within the reach of its phrase
MAX_CONTENT_WORDS_PER_RELATING_WORD: Final = 9  # most content words of a sentence that relates two things
_FUNCTION_WORDS_RELATING_NOTHING: Final = word_set(
    "of and or nor vs etc e.g i.e also too very same other another more less most least both any all"
)
_COMPARATIVE_WORDS: Final = COMPARATIVES | {"more", "less", "fewer"}


@dataclass(slots=True)
class _CriterionClaims:
    """The statements of a response on one criterion: those that assert, doubt or deny it, and those that assert a
    rejected phrase (`stated_rejected_windows`). `subject_numbers` are the criterion's subjects."""

    response: ResponseText
    criterion: rubrics.Criterion
    criterion_number: int
    finding: CriterionFinding
    asserted_windows: list[PhraseWindow]
    hedged_claims: list[ClaimWithStance]
    denied_claims: list[ClaimWithStance]
    stated_rejected_windows: list[PhraseWindow]
    subject_numbers: SubjectNumbers


def mark_and_filled_share(reading: ResponseText, place: int, findings: FindingByPlace) -> tuple[CriterionMark, float]:
    """The mark of the criterion at `place`, and how near the response came to it: 0 if the mark earns points, otherwise
    the share of the slots of the nearest phrase that are filled. `findings` holds the findings of all criteria."""
    finding, claims = findings[place], _sort_claims_by_stance(reading, place, findings)
    mark = _mark_by_whole_phrases(claims)
    if mark is not None and mark.earned:
        return mark, 0.0
    match, has_own_word = _best_match_and_has_own_word(reading, finding)
    if mark is None:
        mark = _mark_for_partial_match(claims, match, has_own_word)
        if finding.amounts_of_asked_dimension and (number_mark := _mark_for_amounts(claims)).earned >= mark.earned:
            mark = number_mark
        retractions = (w for w, _ in finding.accepted_phrase_claims if reading.retraction_cue_text(w))
        if reading.correction_cues and not mark.earned and (window := next(retractions, None)):
            quote, word = _shortened_window_text(reading, window), reading.retraction_cue_text(window)
            mark = mark._replace(because=f'"{quote}" is taken back by "{word}"')
    return mark, match.filled_slot_count / reading.rubric_index.phrases[match.phrase_index].slot_count if match else 0.0


def _sort_claims_by_stance(reading: ResponseText, place: int, findings: FindingByPlace) -> _CriterionClaims:
    """The windows of a criterion sorted by stance, without those that the candidate took back. A window speaks for the
    criterion (asserted), against it (denied) or is doubtful (hedged), by the polarity of its phrase."""
    index, finding = reading.rubric_index, findings[place]
    criterion, topics = index.rubric.criteria[place], index.subjects_by_criterion[place]
    if not finding.accepted_phrase_claims and not finding.rejected_phrase_claims:  # as for most criteria
        return _CriterionClaims(reading, criterion, place, finding, [], [], [], [], topics)
    sides: dict[str, list[ClaimWithStance]] = {ASSERTED: [], HEDGED: [], DENIED: []}
    for window, stance in finding.accepted_phrase_claims:
        side, polarity = stance.kind, index.phrases[window.phrase_index].polarity
        if polarity == ANY_POLARITY or reading.has_matched_negator(window):  # as in "{no central} server"
            side = ASSERTED
        elif polarity == NEGATED_POLARITY and side != HEDGED:
            side = ASSERTED if side == DENIED else DENIED
        sides[side].append((window, stance))
    rejects = [claim for claim in finding.rejected_phrase_claims if states_rejected_phrase(reading, *claim)]
    if reading.correction_cues:
        later_windows = [w for w, _ in (*sides[ASSERTED], *sides[DENIED], *rejects)]
        sides[""] = rejects
        for kind, claims in sides.items():
            sides[kind] = [claim for claim in claims if not reading.retraction_cue_text(claim[0], later_windows)]
        rejects = sides[""]
    windows = [w for w, _ in sides[ASSERTED]]
    if topics:
        rejected = [w for w, _ in rejects if has_closer_words_than_accepted(reading, w, windows, topics)]
    else:
        all_claims = chain.from_iterable([f.accepted_phrase_claims for f in findings.values()]) if rejects else ()
        asserted_windows = [w for w, stance in all_claims if stance.kind == ASSERTED]
        rejected = [w for w, _ in rejects if are_rejected_words_together(reading, w, asserted_windows)]
    return _CriterionClaims(reading, criterion, place, finding, windows, sides[HEDGED], sides[DENIED], rejected, topics)


def _mark_by_whole_phrases(claims: _CriterionClaims) -> CriterionMark | None:
    """The mark by whole phrases and right numbers, None without them. What contradicts the criterion decides first,
    then what meets it, what is doubted, what compares the other way round, and what is denied."""
    reading, criterion, finding = claims.response, claims.criterion, claims.finding
    if claims.stated_rejected_windows:
        window = min(claims.stated_rejected_windows, key=_looseness_key)
        return _make_mark(claims, rubrics.CONTRADICTED, window, f"it says {_quote_with_subject(claims, window)}", ZERO)
    number = _mark_for_amounts(claims) if finding.amounts_of_asked_dimension else None
    if number is not None and number.status == FOUND:
        return number
    if claims.asserted_windows:
        return _mark_for_asserted_claims(claims)
    denial = next((w for w, stance in finding.rejected_phrase_claims if stance.kind == DENIED), None)
    if denial is not None and claims.subject_numbers and not claims.hedged_claims:
        return _make_mark(claims, FOUND, denial, f"it denies {_quote_with_subject(claims, denial)}", criterion.points)
    if claims.hedged_claims:
        window, stance = min(claims.hedged_claims, key=lambda pair: _looseness_key(pair[0]))
        reason = f'"{_shortened_window_text(reading, window)}" {_why_hedged(reading, stance)}'
        return _make_mark(claims, HEDGED, window, reason, criterion.points / 2)
    if finding.reversed_windows_and_reasons:
        return _make_mark(claims, rubrics.CONTRADICTED, *finding.reversed_windows_and_reasons[0], ZERO)
    if claims.denied_claims:
        window, stance = claims.denied_claims[0]
        reason = f'"{_shortened_window_text(reading, window)}" is denied{_cue_quote(reading, stance)}'
        if reading.rubric_index.phrases[window.phrase_index].polarity == NEGATED_POLARITY:
            reason = f'it says "{_shortened_window_text(reading, window)}", which the answer should deny'
        return _make_mark(claims, rubrics.NEGATED, window, reason, ZERO)
    return None


def _mark_for_asserted_claims(claims: _CriterionClaims) -> CriterionMark:
    """The mark for asserted windows: all points, or a part if they are about another subject, only a name, or spread
    over sentences."""
    reading, points, windows = claims.response, claims.criterion.points, claims.asserted_windows
    full = [window for window in windows if not _half_points_reason(claims, window)]
    if not full:
        window = min(windows, key=_looseness_key)
        reason = f'"{_shortened_window_text(reading, window)}" {_half_points_reason(claims, window)}'
        return _make_mark(claims, PARTIAL, window, reason, points / 2)
    window = min(full, key=lambda w: (_two_sentence_divisor(reading, w), _looseness_key(w))) if full[1:] else full[0]
    divisor, quote = _two_sentence_divisor(reading, window), f'"{_shortened_window_text(reading, window)}"'
    if divisor > 1:
        return _make_mark(claims, PARTIAL, window, f"{quote} is spread over two sentences", points / divisor)
    return _make_mark(claims, FOUND, window, quote, points)


def _half_points_reason(claims: _CriterionClaims, window: PhraseWindow) -> str:
    """Why an asserted window earns only half; empty if it may earn all."""
    reading, criterion, subjects = claims.response, claims.criterion, claims.subject_numbers
    is_comparison = bool(reading.rubric_index.rivals_by_criterion[claims.criterion_number])
    if subjects and not is_comparison and window.last < reading.clause_bounds(window.first)[1]:
        owners = [_subject_numbers_of_hit(reading, hit) for hit in window.hits]
        # It is about another subject, in one clause: "PP stays inside a node", "PP, which is old, stays inside".
        if all(owner is not None and not owner & subjects for owner in owners):
            topic = reading.word_subjects.subject_numbers_by_word[window.first] or subjects
            return f"is said{subject_quote_text(reading, window, topic)}, which was not asked"
    if criterion.needs_explanation and not _does_sentence_state_relation(reading, window):
        return "is named, but nothing is said about it"
    is_bare = len(window.hits) == 1 and window.first == window.last and not criterion.allows_one_word
    return "alone is one word" if is_bare and criterion.points >= MIN_POINTS_NEEDING_TWO_WORDS else ""


def _two_sentence_divisor(reading: ResponseText, window: PhraseWindow) -> int:
    """The number by which a window's points are divided because its words stand in two sentences: 2 if the second
    continues the topic, else 4; 1 for one sentence."""
    first, last = reading.sentence_number(window.first), reading.sentence_number(window.last)
    if first == last or reading.lead_in_sentence_by_bullet.get(last) == first:
        return 1
    if reading.rubric_index.phrases[window.phrase_index].max_word_distance != rubrics.WITHIN_NEXT_SENTENCE:
        return 1
    return 2 if reading.sentence_from_place_continues_topic(reading.sentence_bounds(window.last)[0]) else 4


def _looseness_key(window: PhraseWindow) -> tuple[bool, int, int]:
    """The place of a window in order: first those without misspelt words, and of them those with the closest words."""
    is_misspelt = any([hit[3] & MISSPELT_WORD_BIT for hit in window.hits])
    return is_misspelt, window.last - window.first, window.first


def _best_match_and_has_own_word(reading: ResponseText, finding: CriterionFinding) -> tuple[PartialMatch | None, bool]:
    """The partial match with the largest share of its slots filled, and whether a word in it is not from the stem."""
    phrases = reading.rubric_index.phrases
    nearest_match: PartialMatch | None = None
    best = (0.0, 0, 0)
    for share, number in sorted(finding.filled_shares_and_phrase_indices, reverse=True):
        if share + NEAR_MISS_REACH_TIE_BREAK < best[0]:
            break  # it cannot be nearer, nor can any after it
        phrase, match = phrases[number], response.find_partial_phrase_match(reading, number)
        if match is not None:
            own_count = len([1 for hit in match.hits if not phrase.slot_bits_filled_by_item_stem >> hit[2] & 1])
            filled_share = match.filled_slot_count / phrase.slot_count + NEAR_MISS_REACH_TIE_BREAK * match.is_in_reach
            if (filled_share, own_count, -number) > best:
                nearest_match, best = match, (filled_share, own_count, -number)
    return nearest_match, best[1] > 0


def _mark_for_partial_match(claims: _CriterionClaims, match: PartialMatch | None, has_own_word: bool) -> CriterionMark:
    """The mark for a partial match: half of the share of slots found if that is at least two thirds, a quarter if all
    were found far apart, nothing if it is denied. `has_own_word`: some slot is filled by a word that is not from the
    stem."""
    reading, zero_mark = claims.response, claims.response.rubric_index.missing_marks[claims.criterion_number]
    if match is None:
        copied_windows = claims.finding.windows_copied_from_stem
        return zero_mark._replace(because="only words copied from the item were found") if copied_windows else zero_mark
    phrase, hits = reading.rubric_index.phrases[match.phrase_index], tuple(sorted(match.hits))
    mirror = any([hit[3] & OPPOSITE_WORD_BIT for hit in hits])
    is_near = match.is_in_reach and 3 * match.filled_slot_count >= 2 * phrase.slot_count and has_own_word and not mirror
    is_half = 2 * match.filled_slot_count >= phrase.slot_count
    if not is_near and (not is_half or all([reading.word_entries[h[0]].is_function_word for h in hits])):
        return zero_mark  # a word or two by chance explain nothing
    quotes = " and ".join([f'"{reading.original_text(first, last)}"' for first, last, _, _ in hits])
    reason = f"{quotes} found, but {_missing_words_text(claims, match)}"
    if not is_near:
        return zero_mark._replace(because=reason)
    window = PhraseWindow(match.phrase_index, hits[0][0], max([h[1] for h in hits]), hits)
    stance = find_stance(reading, window) if not match.is_far_apart else ASSERTED_STANCE
    needs_stance = phrase.polarity != ANY_POLARITY and not reading.has_matched_negator(window)
    if needs_stance and (stance.kind == DENIED) != (phrase.polarity == NEGATED_POLARITY):
        denial = f"{quotes} {'are' if len(hits) > 1 else 'is'} denied{_cue_quote(reading, stance)}"
        return _make_mark(claims, rubrics.NEGATED, window, denial, ZERO)
    part = claims.criterion.points * match.filled_slot_count / ((4 if match.is_far_apart else 2) * phrase.slot_count)
    return _make_mark(claims, PARTIAL, window, reason, part)._replace(is_found_in_part=True)


def _missing_words_text(claims: _CriterionClaims, match: PartialMatch) -> str:
    """What is missing in a partial match; the missing words are named only if the criterion has no `statement`."""
    if match.is_far_apart:
        return "far apart"
    filled_slots = {h[2] for h in match.hits}
    phrase = claims.response.rubric_index.phrases[match.phrase_index]
    if claims.criterion.statement:
        return "the rest of the statement was not"
    gaps = [slot for place, slot in enumerate(text_lists_by_slot(phrase.text)) if place not in filled_slots]
    names = [next((word for word in slot if "*" not in word), slot[0].replace("*", "…")) for slot in gaps]
    return f"not {' and '.join(names)}"


def _make_mark(
    claims: _CriterionClaims, status: str, window: PhraseWindow, reason: str, points: Fraction
) -> CriterionMark:
    """A mark with the evidence of a window; each misspelt word in it is named with its correction."""
    reading, criterion, entries = claims.response, claims.criterion, claims.response.word_entries
    hits = sorted(window.hits)
    spans = dict.fromkeys([reading.original_char_span(hit[0], hit[1]) for hit in hits])
    corrections: dict[tuple[str, str], None] = {}
    for first, last, _, flags in hits:
        for place in range(first, last + 1) if flags & MISSPELT_WORD_BIT else ():
            spelling, correction = reading.original_text(place, place), entries[place].corrected_word
            if correction and spelling.lower() != correction:
                corrections[spelling, correction] = None
    reason += "".join([f'; read "{spelling}" as "{correction}"' for spelling, correction in corrections])
    return CriterionMark(criterion.id, status, points, criterion.points, tuple(spans), reason, tuple(corrections))


def _shortened_window_text(reading: ResponseText, window: PhraseWindow) -> str:
    text = reading.original_text(window.first, window.last)
    return text if len(text) <= 90 else f"{text[:60].rsplit(' ', 1)[0]} … {text[-25:].split(' ', 1)[-1]}"


def _quote_with_subject(claims: _CriterionClaims, window: PhraseWindow) -> str:
    reading = claims.response
    return f'"{_shortened_window_text(reading, window)}"{subject_quote_text(reading, window, claims.subject_numbers)}'


def _cue_quote(reading: ResponseText, stance: Stance) -> str:
    places = stance.first_and_last_cue_word
    return "" if places is None else f' ("{reading.original_text(*places)}")'


def _why_hedged(reading: ResponseText, stance: Stance) -> str:
    cue = _cue_quote(reading, stance)
    return f"is only guessed{cue}" if cue else "is asked in a question, not said"


def _does_sentence_state_relation(reading: ResponseText, window: PhraseWindow) -> bool:
    """Whether the sentence relates things and is not a mere list of names, in which verbs, prepositions and signs are
    rare. An amount or a comparison is always a statement."""
    entries = [reading.word_entries[p] for first, last, _, _ in window.hits for p in range(first, last + 1)]
    if any(entry.is_numeral or entry.word in _COMPARATIVE_WORDS for entry in entries):
        return True
    start, end = reading.sentence_bounds(window.first)
    sentence = reading.original_text(start, end - 1)
    relations = sum(map(sentence.count, ("->", "→", "=", "(")))
    names = 0
    for place in range(start, end):
        word, previous_word = reading.word_at(place), reading.word_at(place - 1) if place > start else ""
        if word not in FUNCTION_WORDS:
            names += 1
        elif word in ARTICLES:  # "follows the topology": a verb and its object
            is_verb = previous_word.endswith(("s", "ed")) and previous_word not in FUNCTION_WORDS
            relations += is_verb and not reading.follows_punctuation(place)
        else:
            relations += word not in _FUNCTION_WORDS_RELATING_NOTHING
    return MAX_CONTENT_WORDS_PER_RELATING_WORD * relations >= names


def _mark_for_amounts(claims: _CriterionClaims) -> CriterionMark:
    """The mark for a number alone: the asserted right one, else the first right one, else the nearest."""
    reading, criterion = claims.response, claims.criterion
    zero_mark = reading.rubric_index.missing_marks[claims.criterion_number]
    numbers = claims.finding.amounts_of_asked_dimension
    assert criterion.number_test is not None
    _, target, minimum, maximum = _unit_and_base_value_and_bounds(criterion.number_test)
    mistakes = [n for n in numbers if not minimum <= n.base_value <= maximum]
    stances = {n: _stance_beside_wrong_ones(reading, n, mistakes) for n in numbers if n not in mistakes}
    best = next((n for n, stance in stances.items() if stance.kind == ASSERTED), None)
    if best is None:

        def powers_of_ten_apart(number: ResponseAmount) -> float:
            if number.base_value == target:
                return 0.0
            return abs(math.log10(abs(number.base_value / target))) if number.base_value * target > 0 else math.inf

        best = min(stances or numbers, key=powers_of_ten_apart)
    text = reading.original_text(best.first, best.last)
    if best not in stances:
        return zero_mark._replace(because=f'it gives "{text}", not the amount asked for')
    window, stance = PhraseWindow(-1, best.first, best.last, ((best.first, best.last, 0, 0),)), stances[best]
    if stance.kind == DENIED:
        return _make_mark(claims, rubrics.NEGATED, window, f'"{text}" is denied{_cue_quote(reading, stance)}', ZERO)
    if stance.kind != ASSERTED:
        return _make_mark(claims, HEDGED, window, f'"{text}" {_why_hedged(reading, stance)}', criterion.points / 2)
    return _make_mark(claims, FOUND, window, f'"{text}"', criterion.points)
