"""What an author learns from answers: how well rubrics agree with human scores (`quizgen rubric eval`), and phrases
suggested from a model answer (`draft`), from answers that people marked (`suggest`), and from disputes (`disputes`)."""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, pairwise, product
from statistics import correlation, fmean
from typing import Final

from quizgen.rubric.check import COMMON_WORDS, PhraseMissingOneSlot, find_phrases_missing_one_slot
from quizgen.rubric.compile import compiled_index
from quizgen.rubric.lexicon import DIGITS_BY_WORD, word_set
from quizgen.rubric.response import read_response
from quizgen.rubric.rubric import FOUND, MISSING, PARTIAL, Criterion, PhraseWithSettings, Rubric, TextScore
from quizgen.rubric.scopes import CUE_KIND_BY_WORD
from quizgen.rubric.score import score_text
from quizgen.rubric.spelling import word_stem
from quizgen.rubric.tokens import content_words_with_folded_places, fold_text, folded_words, is_growth_rate

# -- answers with human scores, from JSON Lines ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GradedRow:
    """One answer with the score that a person gave: `human_points` of `max_points` points, and `human_share`, 0 to 1.
    `human_share_by_criterion` is the person's mark for each criterion, 0 to 1; `is_scored_from_criterion_marks`: they
    decide the score. `answer_category` is the file's own category of the answer."""

    line_number: int
    item_id: str
    stem: str
    answer: str
    human_share: float
    human_points: float
    max_points: float
    human_share_by_criterion: Mapping[str, float] = field(default_factory=dict)
    is_scored_from_criterion_marks: bool = False
    answer_category: str = ""


def rows_and_line_faults(lines: Iterable[str]) -> Iterator[GradedRow | tuple[int, str]]:
    """Yields a row for each line of a JSON Lines file of scored answers, or (line number, reason) for a line that
    cannot be read.

    Fields: `item` or `question_id`; `answer` or `response`; `score` and `max_score` (default 1) or `earned` and
    `possible`, or `hand`; `question` or `stem`; `criteria` (id: true or false); `type`."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            row_or_error = _graded_row_or_error_of_line(number, line)
            yield (number, row_or_error) if isinstance(row_or_error, str) else row_or_error


def _graded_row_or_error_of_line(number: int, line: str) -> GradedRow | str:
    """The row of one line, or the reason why it cannot be read."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return "not JSON"
    if not isinstance(row, dict):
        return "not a JSON object"
    item, answer = row.get("item") or row.get("question_id"), row.get("answer", row.get("response"))
    if not isinstance(item, str | int) or not isinstance(answer, str):
        return "needs item (or question_id) and answer (or response)"
    hand = _share_by_criterion_from_json(row.get("hand"))
    score = _json_number_or_none(row.get("score", row.get("earned", 0 if hand else None)))
    top = _json_number_or_none(row.get("max_score", row.get("possible", 1)))
    if score is None or not top or not 0 <= score <= top:
        return "needs score (or earned) from 0 to max_score (or possible), or hand: {criterion: 0 to 1}"
    marks, kind = hand or _share_by_criterion_from_json(row.get("criteria")), str(row.get("type") or "")
    stem = str(row.get("question") or row.get("stem") or "")
    return GradedRow(number, str(item), stem, answer, score / top, score, top, marks, bool(hand), kind)


def _json_number_or_none(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9:
        return float(value)
    return None


def _share_by_criterion_from_json(value: object) -> dict[str, float]:
    """The mark of each criterion, 0 to 1 (true is 1); empty if `value` is no such mapping."""
    if not isinstance(value, Mapping):
        return {}
    marks = {str(k): float(v) for k, v in value.items() if isinstance(v, int | float) and 0 <= v <= 1}
    return marks if len(marks) == len(value) else {}


def item_rows_unmatched_count(rows: Iterable[GradedRow], items: Mapping[str, Rubric]) -> tuple[list[GradedRow], int]:
    """The rows that belong to an item, with its id, and the number of other rows. The item is found by id, else by the
    text of the stem. The score of rows marked by hand is computed from the item's points."""
    name_by_stem = {_folded_text(items[name].stem): name for name in reversed([*items])}  # the first of equal stems
    rows, item_rows = list(rows), []
    for row in rows:
        name = row.item_id
        if name not in items:  # as item ids are written: `10.1` as `10-1`, `Fault:VOLTAGE_Q` as `fault-voltage-q`
            name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        if row.stem and (name not in items or _folded_text(items[name].stem) != _folded_text(row.stem)):
            name = name_by_stem.get(_folded_text(row.stem), name)
        if name in items:
            if row.is_scored_from_criterion_marks:
                row = replace(row, human_share=points_share_of_hand_marks(items[name], row.human_share_by_criterion))
            item_rows.append(replace(row, item_id=name))
    return item_rows, len(rows) - len(item_rows)


def _folded_text(text: str) -> str:
    return " ".join(folded_words(text))


def points_share_of_hand_marks(rubric: Rubric, share_by_criterion: Mapping[str, float]) -> float:
    """The share of the rubric's points that marks by hand, `share_by_criterion`, earn after the caps of groups and full
    marks."""
    shares = {name: Fraction(share).limit_denominator(1000) for name, share in share_by_criterion.items()}
    total = rubric.points_after_group_caps({c.id: c.points * shares.get(c.id, 0) for c in rubric.criteria})
    return float(min(total, rubric.possible_points) / rubric.possible_points)


# -- statistics ------------------------------------------------------------------------------------------


def correlation_of_pairs(pairs: Sequence[tuple[float, float]]) -> float:
    """Pearson's correlation of two lists, given as pairs; 0 if one of the lists does not vary."""
    if len(pairs) < 2 or any(max(values) - min(values) <= 1e-9 for values in zip(*pairs, strict=True)):
        return 0.0
    return correlation(*zip(*pairs, strict=True))


def quadratic_kappa_of_pairs(pairs: Iterable[tuple[float, float]], bins: int) -> float:
    """Quadratic weighted kappa (Cohen 1968) of pairs of values from 0 to 1, rounded to `bins` equal steps."""
    steps = [tuple(min(bins - 1, max(0, math.floor(x * (bins - 1) + 0.5))) for x in pair) for pair in pairs]
    disagreement = sum((i - j) ** 2 for i, j in steps)
    left, right = (Counter(pair[side] for pair in steps) for side in (0, 1))
    chance = sum((i - j) ** 2 * m * n for (i, m), (j, n) in product(left.items(), right.items()))
    return 1 - disagreement * len(steps) / chance if chance else 0.0


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


# -- the report ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScoreAgreement:
    """How well the rubrics' scores agree with the human ones, both 0 to 1. `mean_correlation_within_items` is the mean
    of the correlations within items, which easy and hard items do not inflate."""

    pearson_correlation: float
    mean_correlation_within_items: float
    root_mean_square_error: float
    quadratic_weighted_kappa: float
    mean_rubric_share_of_all_rows: float


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An answer with the share of the points that a person gave and that the rubric gave."""

    line_number: int
    item_id: str
    answer: str
    human_share: float
    rubric_share: float
    rubric_marks_text: str


@dataclass(frozen=True, slots=True)
class CategoryMeans:
    """The mean share of the points for all answers of one category, by a person and by the rubric."""

    category: str
    row_count: int
    mean_human_share: float
    mean_rubric_share: float


@dataclass(frozen=True, slots=True)
class ErrorRatesOfAllCriteria:
    """How often the rubric gives the opposite of a person for one criterion. `false_full_credit_rate`: the share with
    full marks among the `no_credit_mark_count` marks where the person gave none. `false_denial_rate`: the share with no
    points among the `full_credit_mark_count` marks where the person gave all."""

    false_full_credit_rate: float
    no_credit_mark_count: int
    false_denial_rate: float
    full_credit_mark_count: int


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The report of `quizgen rubric eval`. `kappa_step_count`: the number of steps of the human scale.
    `item_ids_counts_correlations` holds (id, number of answers, correlation within the item)."""

    row_count: int
    unmatched_row_count: int
    kappa_step_count: int
    human_mean: float  # of the shares of all rows
    rubric_agreement: ScoreAgreement
    category_means: tuple[CategoryMeans, ...]  # by the rows' own categories; empty if no row has one
    item_ids_counts_correlations: tuple[tuple[str, int, float], ...]
    largest_disagreements: tuple[Disagreement, ...]  # the largest difference first
    error_rates_of_all_criteria: ErrorRatesOfAllCriteria | None  # None if no answer is marked by criterion


ScoredRow = tuple[GradedRow, TextScore]


def scored_rows_unmatched_count(rows: Iterable[GradedRow], items: Mapping[str, Rubric]) -> tuple[list[ScoredRow], int]:
    """The rows that belong to an item, each with its score, and the number of rows without an item."""
    item_rows, rest_count = item_rows_unmatched_count(rows, items)
    return [(row, score_text(items[row.item_id], row.answer)) for row in item_rows], rest_count


def evaluate_rubrics(rows: Iterable[GradedRow], items: Mapping[str, Rubric], *, limit: int = 10) -> AgreementReport:
    """Scores every row and compares the scores with the human ones. `limit` is how many of the largest disagreements
    are listed. Rows without an item are counted."""
    scores, rest_count = scored_rows_unmatched_count(rows, items)
    by_type: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)  # pairs of shares: by a person, earned
    by_item: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    differences = []
    for row, score in scores:
        human, share = row.human_share, float(score.earned / score.possible) if score.possible else 0.0
        by_type[row.answer_category].append((human, share))
        by_item[row.item_id].append((human, share))
        if human != share:
            reasons = "; ".join(f"{m.criterion_id} {m.status} ({m.because})" for m in score.marks)
            differences.append(Disagreement(row.line_number, row.item_id, row.answer, human, share, reasons))
    largest = sorted(differences, key=lambda one: (-abs(one.rubric_share - one.human_share), one.line_number))[:limit]
    within = tuple((name, len(group), correlation_of_pairs(group)) for name, group in sorted(by_item.items()))
    categories = sorted(by_type.items() if any(by_type) else ())
    types = tuple(CategoryMeans(kind, len(group), *map(_mean, zip(*group, strict=True))) for kind, group in categories)
    pairs, bins = list(chain.from_iterable(by_item.values())), _count_human_scale_steps([row for row, _ in scores])
    rmse = math.sqrt(_mean([(human - share) ** 2 for human, share in pairs]))
    mean_within, kappa = _mean([r for _, _, r in within]), quadratic_kappa_of_pairs(pairs, bins)
    rubric = ScoreAgreement(correlation_of_pairs(pairs), mean_within, rmse, kappa, _mean([share for _, share in pairs]))
    human_mean, errors = _mean([human for human, _ in pairs]), _error_rates_of_all_criteria(scores)
    return AgreementReport(len(scores), rest_count, bins, human_mean, rubric, types, within, tuple(largest), errors)


def _error_rates_of_all_criteria(scores: list[ScoredRow]) -> ErrorRatesOfAllCriteria | None:
    """The errors of single criteria in answers that a person marked by criterion; None if there are no such answers."""
    shares: dict[float, list[Fraction]] = {0: [], 1: []}  # points by a person (none, all) -> shares by the rubric
    for row, score in scores:
        marks = {m.criterion_id: m for m in score.marks}
        for name, value in row.human_share_by_criterion.items():
            if name in marks and value in shares:
                shares[value].append(marks[name].earned / marks[name].possible)
    if not any(row.human_share_by_criterion for row, _ in scores):
        return None
    credit, denial = [share == 1 for share in shares[0]], [share == 0 for share in shares[1]]
    return ErrorRatesOfAllCriteria(_mean(credit), len(credit), _mean(denial), len(denial))


def _count_human_scale_steps(rows: list[GradedRow]) -> int:
    """The steps of the human scale: 2 for 0/1 scores, one for each point up to 10 or two with half points, else 5."""
    if all(row.human_share in (0.0, 1.0) for row in rows):
        return 2
    top = max((row.max_points for row in rows), default=1.0)
    if 2 <= top <= 10:
        has_whole_points = all(row.human_points == int(row.human_points) for row in rows)
        return int(top) + 1 if has_whole_points else 2 * int(top) + 1
    return 5


# -- A first rubric from a model answer: `quizgen rubric draft`. A start for the author, not for use as it is.

MAX_DRAFT_CRITERIA: Final = 6
MAX_WORDS_PER_DRAFT_PHRASE: Final = 3


def criteria_from_model_answer(stem_text: str, model_answer: str) -> tuple[Criterion, ...]:
    """One criterion for each sentence of the model answer, with its two or three most telling words not in the stem."""
    question_stems = {word_stem(word) for word in folded_words(stem_text)}
    criteria: list[Criterion] = []
    reading = read_response(compiled_index(Rubric(())), fold_text(model_answer))
    bounds = pairwise([0, *reading.later_sentence_starts, len(reading.word_entries)])
    for sentence in [reading.original_text(start, end - 1) for start, end in bounds if end > start]:
        if (words := _most_telling_words_of_sentence(sentence, question_stems)) and len(criteria) < MAX_DRAFT_CRITERIA:
            name = "-".join(re.sub(r"[^a-z0-9]+", "", word) for word in words[:2]).strip("-") or "point"
            ids = {criterion.id for criterion in criteria}
            new_id = next(attempt for attempt in (name, *(f"{name}-{n}" for n in range(2, 99))) if attempt not in ids)
            phrase = PhraseWithSettings(" ".join(map(_slot_for_word, words)))
            criteria.append(Criterion(new_id, statement=sentence, accepted_phrases=(phrase,)))
    return tuple(criteria)


def _most_telling_words_of_sentence(sentence: str, stems_in_question: set[str]) -> list[str]:
    """The most telling words of a sentence in its order, without those whose stem is in `stems_in_question`."""
    word_by_stem: dict[str, str] = {}
    for token, _ in content_words_with_folded_places(sentence):
        word = token.strip().removesuffix("'s").removesuffix("'")
        if (is_growth_rate(word) or (len(word) > 1 and "'" not in word)) and word not in CUE_KIND_BY_WORD:
            word_by_stem.setdefault(word_stem(word), word)

    def weight(key: str) -> int:
        """How much a word says about the answer: long words, rare words and numbers weigh most."""
        word = word_by_stem[key]
        return max(min(len(word), 10) - 5 * (word in COMMON_WORDS) + 4 * any(map(str.isdigit, word)), 1)

    stems_by_weight = sorted((key for key in word_by_stem if key not in stems_in_question), key=weight, reverse=True)
    return [word for key, word in word_by_stem.items() if key in stems_by_weight[:MAX_WORDS_PER_DRAFT_PHRASE]]


def _slot_for_word(word: str) -> str:
    """The word as a slot of a phrase; a long word as a prefix, so that other endings match too."""
    if is_growth_rate(word):
        return "{" + word + "}"
    root = word_stem(word)
    is_long = word.isalpha() and len(word) >= 7 and len(root) >= 5
    return root + "*" if is_long and word.startswith(root) and root != word else word


# -- Phrases that candidates claim to have met, for the author of a rubric: the spans, the phrase that would accept
# one, and its other effects.

MAX_SUGGESTED_PHRASE_WORDS = 5  # words of a phrase


@dataclass(frozen=True, slots=True)
class CandidateDispute:
    """One dispute: the answer, the words that the candidate marked in it, and the claim `full`, `part` or `no`."""

    item_id: str
    criterion_id: str
    answer: str
    marked_words: str
    claimed_credit_word: str


@dataclass(frozen=True, slots=True)
class CriterionDisputes:
    """A criterion with its disputes: `disputed_answer_count` of the `distinct_answer_count` answers, and how often each
    quote was marked. `suggested_phrase` would accept the first quotes (empty: none would); it would change
    `newly_met_other_answer_count` other answers, of which `newly_met_other_answer` is one."""

    item_id: str
    criterion_id: str
    disputed_answer_count: int
    distinct_answer_count: int
    credit_claim_count: int
    quotes_and_counts: tuple[tuple[str, int], ...]
    suggested_phrase: str
    newly_met_other_answer_count: int
    newly_met_other_answer: str


def group_disputes_by_criterion(
    disputes: Sequence[CandidateDispute], answers: dict[str, list[str]], rubrics: dict[str, Rubric]
) -> tuple[CriterionDisputes, ...]:
    """The disputed criteria, those with most disputes first. `answers` holds all different answers of each item."""
    disputes_by_mark: dict[tuple[str, str], list[CandidateDispute]] = {}
    for dispute in disputes:
        disputes_by_mark.setdefault((dispute.item_id, dispute.criterion_id), []).append(dispute)
    groups = []
    for (item, criterion), group in disputes_by_mark.items():
        claims = [c for c in group if c.claimed_credit_word != "no" and c.marked_words]
        quotes = Counter(" ".join(c.marked_words.split()) for c in claims)
        quotes_and_counts = tuple(sorted(quotes.items(), key=lambda q: (-q[1], q[0])))
        counts = len({c.answer for c in group}), len(answers[item]), len(claims)
        phrase, changes = _phrase_and_newly_met_answers(rubrics[item], criterion, claims, answers[item])
        example = changes[0] if changes else ""
        groups.append(CriterionDisputes(item, criterion, *counts, quotes_and_counts, phrase, len(changes), example))
    return tuple(sorted(groups, key=lambda c: (-c.disputed_answer_count, c.item_id, c.criterion_id)))


def _phrase_and_newly_met_answers(
    rubric: Rubric, criterion: str, disputes: Iterable[CandidateDispute], answers: Iterable[str]
) -> tuple[str, list[str]]:
    """The first phrase made of a candidate's own words that would meet the criterion in that answer, and the other
    answers in which it would newly meet it; empty if no phrase does."""
    unmet_answers = [answer for answer in answers if not _does_answer_fully_meet(rubric, criterion, answer)]
    for dispute in disputes:
        phrase = " ".join(dict(content_words_with_folded_places(dispute.marked_words)[:MAX_SUGGESTED_PHRASE_WORDS]))
        new_rubric = _rubric_with_phrase(rubric, criterion, phrase)
        met_answers = [answer for answer in unmet_answers if _does_answer_fully_meet(new_rubric, criterion, answer)]
        if dispute.answer in met_answers:
            return phrase, [answer for answer in met_answers if answer != dispute.answer]
    return "", []


def _rubric_with_phrase(rubric: Rubric, name: str, phrase: str) -> Rubric:
    """The rubric with one more accepted phrase of criterion `name`, to try it. A mistaken one matches nothing."""
    entry = PhraseWithSettings(phrase)
    result = [replace(c, accepted_phrases=(*c.accepted_phrases, entry)) if c.id == name else c for c in rubric.criteria]
    return replace(rubric, criteria=tuple(result))


def _does_answer_fully_meet(rubric: Rubric, criterion: str, answer: str) -> bool:
    return any(m.criterion_id == criterion and m.status == FOUND for m in score_text(rubric, answer).marks)


# -- Phrases that a rubric lacks, from answers that people have marked: `quizgen rubric suggest`.
#
# A criterion that a right answer misses is tried with one more phrase: one of its own phrases, with a word of that
# answer added to the only slot that was not found. The effect of each is counted over all answers of the item. Only a
# person can tell which word is meant, so the likely ones are listed.

# Words without meaning for the subject.
CHATTER_AND_NUMBER_WORDS: Final = DIGITS_BY_WORD.keys() | word_set(
    """okay yeah yes whatever well basically actually really just like kind sort thing things stuff lot bit maybe
    perhaps probably think guess mean know say said etc something anything everything somehow simply quite pretty"""
)
MIN_HUMAN_SHARE_IF_RIGHT: Final = 0.75  # human share from which an answer, or a criterion of it, counts as right
MAX_HUMAN_SHARE_IF_WRONG: Final = 0.25
MAX_PHRASES_TRIED_PER_CRITERION: Final = 24  # phrases tried for one criterion
MAX_WORDINGS_PER_SUGGESTION: Final = 4  # wordings of one suggestion
PENALTY_CHARACTERS_IF_RUBRIC_HAS_WORD = 200  # if a phrase of the rubric has the word
PENALTY_CHARACTERS_PER_ITEM_WITH_WORD = 5  # for each item with the word in an answer
MAX_ANSWERS_TRIED_PER_ITEM: Final = 300  # answers of one item on which they are tried


@dataclass(frozen=True, slots=True)
class SuggestedWording:
    """The words that a suggested phrase adds to a slot, and how many answers it newly meets: right ones, wrong ones (a
    person gave nothing), and others; `wrong_or_undecided_answer` is one of the wrong or other ones."""

    added_words: str
    met_right_answer_count: int
    met_wrong_answer_count: int
    met_undecided_answer_count: int
    wrong_or_undecided_answer: str


@dataclass(frozen=True, slots=True)
class SlotSuggestion:
    """Wordings for a criterion that fails in `right_answers_without_criterion_count` of its `right_answer_count`
    answers, likeliest first. They change slot `slot_text`; `missed_sentence` is from an answer that should meet it."""

    item_id: str
    criterion_id: str
    right_answers_without_criterion_count: int
    right_answer_count: int
    slot_text: str
    missed_sentence: str
    wordings: tuple[SuggestedWording, ...]


@dataclass(frozen=True, slots=True)
class _PhraseTrial:
    """A phrase to try: it adds the words `added_words` to the slot missing in `unmet_phrase`.
    `penalised_char_distance`: how many characters they are from the words that matched, plus penalties."""

    added_words: str
    phrase: str
    unmet_phrase: PhraseMissingOneSlot
    penalised_char_distance: int


def suggest_wordings_for_items(
    rows: Iterable[GradedRow], items: Mapping[str, Rubric], *, max_per_item: int = 8
) -> tuple[SlotSuggestion, ...]:
    """At most `max_per_item` suggestions for each item; those that would meet most right answers come first."""
    rows_by_item: dict[str, list[ScoredRow]] = {}
    for row, score in scored_rows_unmatched_count(rows, items)[0]:
        rows_by_item.setdefault(row.item_id, []).append((row, score))
    # A word of many items says little about one criterion.
    keys = ({key for row, _ in group for key in _word_and_place_by_stem(row.answer)} for group in rows_by_item.values())
    usage = Counter(chain.from_iterable(keys))
    suggestions: list[SlotSuggestion] = []
    for name, group in sorted(rows_by_item.items()):
        sample, rubric = group[:MAX_ANSWERS_TRIED_PER_ITEM], items[name]
        iterators = (_suggestions_for_criterion(sample, rubric, c, usage) for c in rubric.criteria)
        new_suggestions = chain.from_iterable(iterators)
        suggestions += sorted(new_suggestions, key=lambda s: -s.wordings[0].met_right_answer_count)[:max_per_item]
    return tuple(suggestions)


def _suggestions_for_criterion(
    answers: Sequence[ScoredRow], rubric: Rubric, criterion: Criterion, usage: Counter[str]
) -> Iterator[SlotSuggestion]:
    """Yields the suggestions for one criterion: each time for the slot whose best trial meets most of the right answers
    that are still lost, minus the wrong ones."""
    statuses = [next(m.status for m in score.marks if m.criterion_id == criterion.id) for _, score in answers]
    verdicts = [_deserves_criterion(row, criterion.id) for row, _ in answers]
    misses = {n for n, d in enumerate(verdicts) if d is True and statuses[n] in (MISSING, PARTIAL)}
    missed_count, wrong_answers = len(misses), {n for n, d in enumerate(verdicts) if d is False}
    unmet = {n: row.answer for n, (row, _) in enumerate(answers) if statuses[n] != FOUND}
    gains = _met_answer_numbers_by_trial(rubric, criterion, sorted(misses), unmet, usage)

    def worth(trial: _PhraseTrial) -> tuple[int, int, int]:
        """The sort key of a trial: right answers minus wrong ones that it meets, then right ones, then nearness."""
        right_count = len(gains[trial] & misses)
        return right_count - len(gains[trial] & wrong_answers), right_count, -trial.penalised_char_distance

    while trials := sorted((trial for trial in gains if worth(trial)[0] > 0), key=worth, reverse=True):
        gap = trials[0].unmet_phrase
        group = [t for t in trials if (t.unmet_phrase.phrase, t.unmet_phrase.slot_text) == (gap.phrase, gap.slot_text)]
        wordings = []
        for trial in group[:MAX_WORDINGS_PER_SUGGESTION]:
            undeserved, undecided = ([n for n in sorted(gains[trial]) if verdicts[n] is kind] for kind in (False, None))
            example = next((answers[n][0].answer for n in (*undeserved, *undecided)), "")
            counts = len(gains[trial] & misses), len(undeserved), len(undecided)
            wordings.append(SuggestedWording(trial.added_words, *counts, example))
        facts = missed_count, verdicts.count(True), gap.slot_text, gap.sentence
        yield SlotSuggestion(answers[0][0].item_id, criterion.id, *facts, tuple(wordings))
        for trial in group:
            misses -= gains.pop(trial)


def _met_answer_numbers_by_trial(
    rubric: Rubric, criterion: Criterion, misses: Sequence[int], unmet: Mapping[int, str], usage: Counter[str]
) -> dict[_PhraseTrial, set[int]]:
    """The most frequent and nearest trials from the answers `misses`, each with the answers of `unmet` that it would
    meet. A trial that the stem meets is left out."""
    attempts = [one for n in misses for one in _trials_from_answer(rubric, criterion, unmet[n], usage)]
    trials = {one.phrase: one for one in reversed(attempts)}
    counts = Counter(one.phrase for one in attempts)
    ranking = sorted(trials.values(), key=lambda one: (-counts[one.phrase], one.penalised_char_distance, one.phrase))
    gains = {}
    for one in ranking[:MAX_PHRASES_TRIED_PER_CRITERION]:
        wider = _rubric_with_phrase(rubric, criterion.id, one.phrase)
        if not _does_answer_fully_meet(wider, criterion.id, rubric.stem):
            gains[one] = {n for n, answer in unmet.items() if _does_answer_fully_meet(wider, criterion.id, answer)}
    return gains


def _deserves_criterion(row: GradedRow, criterion: str) -> bool | None:
    """Whether a person gave the criterion in this answer; None if it was given in part, or not marked."""
    share = row.human_share_by_criterion.get(criterion) if row.human_share_by_criterion else row.human_share
    if share is None or MAX_HUMAN_SHARE_IF_WRONG < share < MIN_HUMAN_SHARE_IF_RIGHT:
        return None
    return share >= MIN_HUMAN_SHARE_IF_RIGHT


def _trials_from_answer(rubric: Rubric, criterion: Criterion, answer: str, usage: Counter[str]) -> list[_PhraseTrial]:
    """Trials from one answer: words for the one slot that a phrase lacks."""
    question_stems = set(_word_and_place_by_stem(rubric.stem))
    # A word of a phrase already has a meaning of its own, so it is no likely synonym.
    rubric_stems = {key for c in rubric.criteria for p in c.accepted_phrases for key in _word_and_place_by_stem(p.text)}
    trials = []
    for gap in find_phrases_missing_one_slot(rubric, criterion, answer):
        for key, (word, place) in _word_and_place_by_stem(gap.sentence).items():
            if key not in question_stems and all(not start <= place < end for start, end in gap.filled_sentence_spans):
                before, after = gap.slot_texts[: gap.missing_slot_index], gap.slot_texts[gap.missing_slot_index + 1 :]
                phrase = " ".join([*before, f"{gap.slot_text}|{word}", *after])
                distance = min(abs(place - spot) for start, end in gap.filled_sentence_spans for spot in (start, end))
                distance += PENALTY_CHARACTERS_IF_RUBRIC_HAS_WORD * (key in rubric_stems)
                distance += PENALTY_CHARACTERS_PER_ITEM_WITH_WORD * usage[key]
                trials.append(_PhraseTrial(word, phrase, gap, distance))
    return trials


def _word_and_place_by_stem(text: str) -> dict[str, tuple[str, int]]:
    """The content words of a text by their stem, each with its first place."""
    places: dict[str, tuple[str, int]] = {}
    for word, place in content_words_with_folded_places(text):
        if len(word) > 2 and word not in CHATTER_AND_NUMBER_WORDS:
            places.setdefault(word_stem(word), (word, place))
    return places
