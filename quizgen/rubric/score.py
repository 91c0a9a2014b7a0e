"""`score_text`: the score of a text by a rubric, every mark with its reason and with how sure it is."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import compress
from operator import add
from typing import Final, NamedTuple

from quizgen.rubric import criteria, lexicon
from quizgen.rubric import rubric as rubrics
from quizgen.rubric.compile import compiled_index
from quizgen.rubric.criteria import FindingByPlace, states_rejected_phrase
from quizgen.rubric.index import RubricIndex
from quizgen.rubric.lexicon import CONTENT_WORD_CLASS_LETTER
from quizgen.rubric.response import MAX_DISTINCT_WORDS_READ, MAX_TOKENS_READ, ResponseText, read_response
from quizgen.rubric.rubric import FOUND, MISSING, PARTIAL, CriterionMark, Rubric, ScoreAdjustment, TextScore
from quizgen.rubric.tokens import MAX_RESPONSE_CHARACTERS, fold_text
from quizgen.source.problems import points_phrase, shorten, up_to_2_decimals

Marks = Sequence[CriterionMark]
Adjustments = tuple[ScoreAdjustment, ...]


def score_text(rubric: Rubric, text: str, *, compares_examples: bool = True) -> TextScore:
    """The score of one response. Never raises; the same text always gives the same value. Without
    `compares_examples` only the rubric's phrases count, not the example answers."""
    index = compiled_index(rubric)
    reading = read_response(index, fold_text(text))
    findings = criteria.findings_by_criterion_or_misconception(index, reading)
    possible = index.possible_points
    marks, found_shares = list(index.missing_marks), [0.0] * len(index.missing_marks)
    for place in findings:
        if place >= 0:
            marks[place], found_shares[place] = criteria.mark_and_filled_share(reading, place, findings)
    ids, corrections, penalties = _misconception_ids_corrections_penalties(rubric, reading, findings)
    is_flawless = not ids and all([m.status == FOUND for m in marks])
    divisor, notes = _points_divisor_and_notes(reading, marks, is_flawless) if compares_examples else (1, ())
    if divisor > 1 and not is_flawless:
        reason = f"counts {_SHARE_NAME_BY_DIVISOR[divisor]}, because the answer resembles wrong ones"
        marks = [
            m._replace(status=PARTIAL, earned=m.earned / divisor, because=f"{m.because}, {reason}") if m.earned else m
            for m in marks
        ]
    total, adjustments = _total_and_adjustments(index, marks, penalties)
    cap = find_jumbled_words_cap_reason(reading) if total else None
    if cap is not None and total > (max_points := possible * cap.max_share):
        total, adjustments = max_points, (*adjustments, ScoreAdjustment("gaming", max_points - total, cap.because))
    doubt = WRONG_LIKENESS_CERTAINTY_FACTOR if divisor > 1 and is_flawless else 1.0
    final_marks = _marks_with_certainty(reading, marks, findings, found_shares, doubt)
    has_doubtful_mark = any([m.certainty < MIN_CERTAINTY_WITHOUT_REVIEW for m in final_marks])
    review = cap is not None or has_doubtful_mark or _may_be_right_though_unrecognised(reading, marks, findings)
    if reading.folded_text.is_cut:
        notes = (*notes, f"Only the first {MAX_RESPONSE_CHARACTERS:,} characters of the response were read.")
    elif reading.is_cut:
        limits = f"{MAX_TOKENS_READ:,} words and marks, {MAX_DISTINCT_WORDS_READ:,} different ones"
        notes = (*notes, f"Only the first {limits}, were read.")
    flags = () if cap is None else (cap.flag,)
    return TextScore(total, possible, final_marks, adjustments, ids, corrections, flags, review, notes)


def _misconception_ids_corrections_penalties(
    rubric: Rubric, reading: ResponseText, findings: FindingByPlace
) -> tuple[tuple[str, ...], tuple[str, ...], Adjustments]:
    """The ids of the misconceptions that a response asserts, their explanations, and the penalties."""
    ids: list[str] = []
    corrections: list[str] = []
    penalties: list[ScoreAdjustment] = []
    for place, misconception in enumerate(rubric.misconceptions):
        if -1 - place not in findings:
            continue
        claims = findings[-1 - place].rejected_phrase_claims
        windows = [window for window, stance in claims if states_rejected_phrase(reading, window, stance)]
        if (window := next((w for w in windows if not reading.retraction_cue_text(w)), None)) is None:
            continue
        ids.append(misconception.id)
        if misconception.correction:
            corrections.append(misconception.correction)
        if misconception.penalty_points:
            spans = (reading.original_char_span(window.first, window.last),)
            reason = f'"{shorten(reading.original_text(window.first, window.last), 80)}" is a misconception'
            penalties.append(ScoreAdjustment("penalty", -misconception.penalty_points, reason, spans))
    return tuple(ids), tuple(corrections), tuple(penalties)


# -- answers that resemble wrong examples -----------------------------------------------------------------

MAX_WORDS_QUOTED_IN_NOTE: Final = 4  # words of a response
_SHARE_NAME_BY_DIVISOR: Final = {2: "half", 4: "a quarter"}


def _points_divisor_and_notes(reading: ResponseText, marks: Marks, is_flawless: bool) -> tuple[int, tuple[str, ...]]:
    """The number by which marks are divided because the answer resembles wrong examples, and a note about it. If every
    criterion is met and nothing is wrong (`is_flawless`), no note is given."""
    examples = reading.rubric_index.example_answers
    if examples is None or rubrics.EARNING_STATUSES.isdisjoint([m.status for m in marks]):
        return 1, ()
    divisor = reading.points_divisor_if_like_wrong
    if divisor == 1 or is_flawless:
        return divisor, ()
    hashes, entries = frozenset(examples.wrong_words), enumerate(reading.word_entries)
    words = [reading.original_text(p, p) for p, e in entries if e.word_stem_hash in hashes and not e.is_function_word]
    quotes = ", ".join(f'"{shorten(word, 40)}"' for word in list(dict.fromkeys(words))[:MAX_WORDS_QUOTED_IN_NOTE])
    remark = f" (words of theirs: {quotes})" if quotes else ""
    return divisor, (
        f"The answer as a whole resembles wrong answers more than right ones{remark}, so what was found counts"
        f" {_SHARE_NAME_BY_DIVISOR[divisor]}.",
    )


# -- Whether words stand in the order of sentences, judged by the kinds of adjacent words.
#
# A table of pairs: ten times the logarithm of how much more often the first kind precedes the second in answers
# than in the same answers with shuffled words. Counted on 2,400 answers of two public sets and a few of our
# own; on other answers of these sets, the limits below flag 0.2 to 1.1 % as they are and three in four when shuffled.

# x content word, N one that begins with a capital, Z small word that does, D determiner, I "a", P and R prepositions,
# T "to", F is/are/was/were, A has/had, M modal, C and/or/but, S subject pronoun, W other small word; . ends a
# sentence or clause, the comma stands for brackets too, = for signs such as "->".
_WORD_AND_MARK_CLASS_LETTERS: Final = "xNZWDIPRTFAMCS.,="
_ADJACENT_WORD_CLASS_SCORE_TABLE: Final = """
    x   -1  -16  -30   -1   -5   -4    6    6    5    3    3    2    5   -5    6    6    1
    N   -5   10  -11   -5   -9    3    2   -5   -7    1    0    0   -1   -4    4    6   -1
    Z    1   -3  -30   -3    2    0  -14  -22  -29    6    3    5  -30   10    5    1  -17
    W    0  -12  -29   -1    5    5  -11  -15   -5    1   -2   -2   -8    7    5    2    2
    D    6   -8  -30  -18  -30  -30  -30  -30  -30  -15  -24  -30  -30  -30    4  -20  -21
    I    6  -11  -27  -24  -30  -30  -28  -23  -19   -4   -5   -8    3  -21    7    2    0
    P    0  -10  -30   -2   13    8  -26  -25  -30  -30   -6  -23  -30  -12    7  -11  -22
    R   -2   -8  -26   -2   14   13  -25  -16  -23  -29   -5  -16  -19  -12    6   -4   -7
    T    2  -14  -30    1    8    3  -30  -22  -30  -30  -16  -20  -24   -8    6  -10   -9
    F    2  -20  -30    5   -5    5  -17  -20   -9  -26   -8   -7  -30  -24    6    1  -11
    A   -6  -14  -17    1    7   15  -15  -12   22  -13   -5   -7  -17  -13    6    1   -3
    M    0  -25  -25   11  -30  -27  -25  -17  -25  -27  -12  -19  -26   -9    6   -5  -10
    C    2   -3  -30    1    4    0  -12  -11  -14   -9    3    3  -30    5    6   -9  -11
    S   -2  -21  -27   -3  -28  -19  -15   -5   -5   17   17   21  -10  -21    6    5   -7
    .  -16   19   25   -7  -28   -1  -30  -21  -28  -26  -16  -18  -22   -9    6    6    6
    ,    2   11   12    9    9    0  -10    1   -1   -1   -6   -4   11   19    6    6    6
    =   -1    2   -2    3  -14    3  -16   -8  -16  -16    0   -5   -9   -3    6    6    6"""
_SCORE_BY_CLASS_PAIR: Final = {
    row.split()[0] + kind: int(value)
    for row in _ADJACENT_WORD_CLASS_SCORE_TABLE.strip().split("\n")
    for kind, value in zip(_WORD_AND_MARK_CLASS_LETTERS, row.split()[1:], strict=True)
}

_CAPITALISED_WORD_PATTERN: Final = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]")  # a capitalised word, not an abbreviation
_LINE_BREAK_LETTER: Final = "•"  # a line or a bullet: its neighbours mean nothing
for _letter in (*_WORD_AND_MARK_CLASS_LETTERS, _LINE_BREAK_LETTER):
    _SCORE_BY_CLASS_PAIR[_letter + _LINE_BREAK_LETTER] = _SCORE_BY_CLASS_PAIR[_LINE_BREAK_LETTER + _letter] = 0
_CLASS_BY_MARK_KIND: Final = {
    **dict.fromkeys((lexicon.COMMA_KIND, lexicon.BRACKET_KIND, lexicon.DASH_KIND, lexicon.COLON_KIND), ","),
    **dict.fromkeys((lexicon.BULLET_KIND, lexicon.LINE_END_KIND), _LINE_BREAK_LETTER),
}

MIN_ANSWER_WORDS_TO_CAP_SCORE: Final = 6
MIN_WORD_SALAD_PAIRS: Final = 8
MIN_WORD_SALAD_DEFICIT_PER_PAIR: Final = 0.7  # below 0, in tenths for each pair
WORD_SALAD_DEFICIT_ADDED_PER_TEXT: Final = 20  # added for short texts, which must be plainly out of order


class CapReason(NamedTuple):
    """Why a score is capped: `max_share` is the share of the possible points that it can earn."""

    flag: str
    max_share: Fraction
    because: str


_WORD_SALAD_CAP_REASON = CapReason("word-salad", Fraction(1, 4), "words in no sentence order earn at most a quarter")
_WORD_LIST_CAP_REASON = CapReason("word-list", Fraction(1, 2), "a row of terms without a connection earns at most half")
MIN_CONTENT_WORD_RUN_OF_WORD_LIST: Final = 8  # words
MIN_WORD_LIST_RUN_SHARE_OF_ANSWER: Final = 0.6  # share of the words in one such run


def find_jumbled_words_cap_reason(reading: ResponseText) -> CapReason | None:
    """The sign that a response is words in any order; None for sentences, notes, and texts too short to tell. Notes
    without small words and speech without marks lack the pairs of words that only shuffled texts have: of 295 right
    answers none is flagged as it stands, one without any mark, none without small words, and 280 shuffled ones."""
    size = len(reading.word_entries)
    if size < MIN_ANSWER_WORDS_TO_CAP_SCORE:
        return None
    text = reading.folded_text.text
    marks = {p: "," if text[at] == ";" else _CLASS_BY_MARK_KIND.get(cue, ".") for p, cue, at in reading.punctuation}
    marks.update(dict.fromkeys(reading.word_places_after_signs, "="))
    kinds = [entry.word_class_letter for entry in reading.word_entries]
    min_count = max(MIN_CONTENT_WORD_RUN_OF_WORD_LIST, MIN_WORD_LIST_RUN_SHARE_OF_ANSWER * size)
    may_be_list = kinds.count(CONTENT_WORD_CLASS_LETTER) >= min_count
    if may_be_list and CONTENT_WORD_CLASS_LETTER * math.ceil(min_count) in _word_class_letters(kinds, marks):
        return _WORD_LIST_CAP_REASON
    row = _word_class_letters_with_capitals(reading, kinds, marks)
    pairs = len(row) - 1
    deficit = -sum(map(_SCORE_BY_CLASS_PAIR.__getitem__, map(add, row, row[1:])))
    min_deficit = MIN_WORD_SALAD_DEFICIT_PER_PAIR * pairs + WORD_SALAD_DEFICIT_ADDED_PER_TEXT
    return _WORD_SALAD_CAP_REASON if pairs >= MIN_WORD_SALAD_PAIRS and deficit > min_deficit else None


def _word_class_letters(kinds: list[str], marks: Mapping[int, str]) -> str:
    """The kinds of all words and marks as one text, a letter each; a mark stands before the word at its place."""
    row = [*kinds, ""]
    for place, mark in marks.items():
        row[place] = mark + row[place]
    return "".join(row)


def _word_class_letters_with_capitals(reading: ResponseText, kinds: list[str], marks: dict[int, str]) -> str:
    """The letters of all words and marks, with other letters for words with a capital. In a title, or in a text without
    capitals, capitals say nothing: full stops then count as breaks of a list."""
    original, _, char_places, _ = reading.folded_text
    starts = list(map(reading.flat_token_char_bounds[::2].__getitem__, reading.token_number_by_word))
    if char_places is not None:
        starts = [char_places[start] for start in starts]
    upper_starts = compress(enumerate(starts), map(str.isupper, map(original.__getitem__, starts)))
    capitals = [place for place, start in upper_starts if _CAPITALISED_WORD_PATTERN.match(original, start)]
    heads = {0, *(place for place, mark in marks.items() if mark == ".")}
    only_names = heads.isdisjoint(capitals) and all([kinds[place] == CONTENT_WORD_CLASS_LETTER for place in capitals])
    if only_names or 2 * len(capitals) > len(kinds):
        return _word_class_letters(kinds, {p: _LINE_BREAK_LETTER if mark == "." else mark for p, mark in marks.items()})
    row = list(kinds)
    for place in capitals:
        row[place] = "N" if kinds[place] == CONTENT_WORD_CLASS_LETTER else "Z"
    # A capitalised word that opens several items whose line breaks were lost: "To reduce tables To increase security".
    openers = [reading.word_entries[place].word for place in capitals]
    items = [place for place, word in zip(capitals, openers, strict=True) if place and openers.count(word) > 1]
    return _word_class_letters(row, dict.fromkeys(items, _LINE_BREAK_LETTER) | marks)


# -- the sum ---------------------------------------------------------------------------------------------


def _total_and_adjustments(index: RubricIndex, marks: Marks, penalties: Adjustments) -> tuple[Fraction, Adjustments]:
    """The sum of the marks after groups, penalties and caps, and what these changed. Only few combinations of marks
    occur, so each one without penalties is computed once."""
    if penalties:
        return _sum_and_adjustments(index, marks, penalties)
    key = tuple([(m.earned.as_integer_ratio(), m.is_found_in_part) if m.status == PARTIAL else m.status for m in marks])
    result = index.known_totals.get(key)
    if result is None:
        result = _sum_and_adjustments(index, marks, penalties)
        if len(index.known_totals) < 4096:
            index.known_totals[key] = result
    return result


def _sum_and_adjustments(index: RubricIndex, marks: Marks, penalties: Adjustments) -> tuple[Fraction, Adjustments]:
    adjustments: list[ScoreAdjustment] = []
    total = sum([m.earned for m in marks if m.status in rubrics.EARNING_STATUSES], criteria.ZERO)
    near_points = sum([m.earned for m in marks if m.is_found_in_part], criteria.ZERO)
    if near_points > index.max_near_points:
        reason = f"what was found only in part earns at most {up_to_2_decimals(index.max_near_points)} together"
        adjustments.append(ScoreAdjustment("near", index.max_near_points - near_points, reason))
    points_by_id = {m.criterion_id: m.earned for m in marks}
    for group in index.rubric.groups:
        adjustments.extend(group.deductions(points_by_id))
    adjustments.extend(penalties)
    total += sum([a.points for a in adjustments], criteria.ZERO)
    full_marks = index.rubric.full_marks
    if full_marks is not None and total > full_marks:
        reason = f"{points_phrase(full_marks)} earn full marks; more does not count"
        adjustments.append(ScoreAdjustment("full-marks", full_marks - total, reason))
        total = full_marks
    if total < 0:
        adjustments.append(ScoreAdjustment("floor", -total, "a score is never below 0"))
        total = criteria.ZERO
    return total, tuple(adjustments)


# -- how sure a mark is ----------------------------------------------------------------------------------
#
# The probability, 0 to 1, that a person would give the same mark, from a few visible signs. Two small tables, one for
# marks that earn something and one for marks that earn nothing. The weights are of logistic regressions on 1,024 marks
# of 272 answers that were also marked by hand. Fitted on half of the items, they rank the marks of the other half with
# an AUC of .84 (earned) and .64 (not earned). The table for marks that earn nothing was adjusted on answers to 76
# questions of two public sets: where a rubric finds little, people often find more.

MIN_CERTAINTY_WITHOUT_REVIEW: Final = 0.4  # below this a person should look at the mark
WRONG_LIKENESS_CERTAINTY_FACTOR: Final = 0.5  # factor for an answer that is worded like a wrong one
EVIDENCE_WIDTH_UNIT_CHARACTERS: Final = 60  # characters of evidence that count as 1
COVERAGE_WITHOUT_MODEL_ANSWER: Final = 0.5  # assumed share of the model answer's words, if there is none
MIN_ANSWER_WORDS_FOR_REVIEW: Final = 12  # words from which an unrecognised answer on the topic goes to a person
MAX_RECOGNISED_POINTS_SHARE_FOR_REVIEW: Final = 0.25  # share of the points

CERTAINTY_WEIGHT_BY_SIGN_IF_EARNED: Final = {
    "always": -0.3,
    "share earned by the other criteria": 1.9,
    "share of the model answer's words": 2.2,
    "width of the evidence": -0.7,
    "found in part": -0.7,
    "said more than once": 1.6,
}
CERTAINTY_WEIGHT_BY_SIGN_IF_UNEARNED: Final = {
    "always": 3.0,
    "share earned by the other criteria": -0.6,
    "share of slots nearly found": -1.4,
    "taken as denied or contradicted": -0.4,
}
CERTAINTY_WEIGHT_OF_UNEARNED_SHARE: Final = -1.6  # of the share of all points that is missed, in both tables


def _marks_with_certainty(
    reading: ResponseText, marks: Marks, findings: FindingByPlace, found_shares: Sequence[float], factor: float
) -> tuple[CriterionMark, ...]:
    """The marks with how sure each is (0 to 1, times `factor`). `found_shares[i]`: share of a phrase found for
    criterion i."""
    index, word_count = reading.rubric_index, reading.model_answer_word_bits.bit_count()
    model_word_count, points = index.model_word_count, index.criterion_points
    coverage = round(word_count / model_word_count, 2) if model_word_count else COVERAGE_WITHOUT_MODEL_ANSWER
    shares = [
        0.0 if m.status == MISSING else points[i] if m.status == FOUND else m.earned.numerator / m.earned.denominator
        for i, m in enumerate(marks)
    ]
    possible, earned_points = index.sum_of_criterion_points, math.fsum(shares)
    max_points = index.possible_points.numerator / index.possible_points.denominator
    base_weight = CERTAINTY_WEIGHT_OF_UNEARNED_SHARE * max(1 - earned_points / max_points, 0.0) if max_points else 0.0
    final_marks: list[CriterionMark] = []
    for place, mark in enumerate(marks):
        share, other_points = shares[place], possible - points[place]
        other_share = (earned_points - share) / other_points if other_points > 0 else float(share > 0)
        weights = CERTAINTY_WEIGHT_BY_SIGN_IF_EARNED if share else CERTAINTY_WEIGHT_BY_SIGN_IF_UNEARNED
        total = base_weight + weights["always"] + weights["share earned by the other criteria"] * other_share
        if share:
            width = mark.evidence_spans[-1][1] - mark.evidence_spans[0][0]
            claims = findings[place].accepted_phrase_claims
            repetition = min(len(claims) - 1, 2) / 2 if claims else 0.0
            total += weights["share of the model answer's words"] * coverage
            total += weights["width of the evidence"] * min(width / EVIDENCE_WIDTH_UNIT_CHARACTERS, 3.0)
            total += weights["found in part"] * (mark.status != FOUND) + weights["said more than once"] * repetition
        else:
            total += weights["share of slots nearly found"] * found_shares[place]
            if mark.status in (rubrics.NEGATED, rubrics.CONTRADICTED):
                total += weights["taken as denied or contradicted"]
        final_marks.append(CriterionMark(*mark[:-1], factor / (1 + math.exp(-total))))
    return tuple(final_marks)


def _may_be_right_though_unrecognised(reading: ResponseText, marks: Marks, findings: FindingByPlace) -> bool:
    """Whether an answer on the topic, long enough, has hardly any recognised word, and may be right all the same."""
    if len(reading.word_entries) < MIN_ANSWER_WORDS_FOR_REVIEW:
        return False
    index = reading.rubric_index
    points = zip(marks, index.criterion_points, strict=True)
    recognised_points = sum([weight for mark, weight in points if mark.status != MISSING and not mark.is_found_in_part])
    is_on_topic = bool(reading.model_answer_word_bits & index.model_bits_not_in_stem) or bool(findings)
    if not is_on_topic or recognised_points >= MAX_RECOGNISED_POINTS_SHARE_FOR_REVIEW * index.sum_of_criterion_points:
        return False
    return index.example_answers is None or reading.points_divisor_if_like_wrong == 1  # else it resembles wrong ones
