"""Responses that look alike, come too fast or fit no pattern: facts for a person to look at, not a verdict.

Each list gives the evidence and how often chance would produce as much; none says that anybody cheated. Sources:
Schleimer, Wilkerson and Aiken 2003 (texts compared by runs of words that few share); Wollack 1997 and van der Linden
and Sotaridona 2006 (equal wrong answers, weighed by how frequent each answer is); Donlon and Fischer 1968 (person
fit)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import log, sqrt
from statistics import correlation, fmean

WORDS_PER_SEQUENCE = 4  # length of a compared run, in words
MIN_SHARED_SEQUENCES_TO_COMPARE_TEXTS = 4  # runs that two texts must share before they are compared
MIN_TEXT_SIMILARITY = 0.8  # similarity from which two texts are reported; 1 means the same text
# A run of words that more candidates share is common speech; at least a fiftieth of the class.
MAX_CANDIDATES_OF_RARE_WORD_SEQUENCE = 5
MAX_PAIRS_EXPECTED_BY_CHANCE = 0.1  # fewer pairs are reported than chance would produce in a class of this size
MIN_SHARED_WRONG_ANSWERS = 4  # wrong answers that two candidates must share
MAX_CANDIDATES_OF_COUNTED_WRONG_ANSWER = 2_000  # one that more candidates give says nothing about any two of them
MAX_WORDS_READ_PER_SECOND = 10.0  # words a second: nobody reads this fast (Brysbaert 2019 gives 4 on average)
MIN_STEM_WORDS_FOR_FAST_ANSWER = 20  # a stem with fewer words is read at a glance
MIN_FAST_RIGHT_ANSWERS = 3  # right answers faster than reading that are worth a report
MIN_ITEMS_FOR_PERSON_FIT = 15  # items needed before a person-fit figure means anything


@dataclass(frozen=True, slots=True)
class ComparedResponse:
    """One response: `points_share` is its share of the points from 0 to 1, `response_text` the response as it was read,
    `is_free_text` the response if it is free text."""

    candidate_name: str
    item_id: str
    points_share: float
    response_text: str
    is_free_text: bool
    seconds: float | None
    stem_word_count: int  # words in the question


@dataclass(frozen=True, slots=True)
class SimilarTextPair:
    """Two candidates whose texts on one item are alike in wording that hardly anyone else used."""

    item_id: str
    first_candidate_name: str
    second_candidate_name: str
    similarity: float
    response_texts: tuple[str, str]


@dataclass(frozen=True, slots=True)
class SharedMistakes:
    """Two candidates who both missed `both_wrong_count` items and gave the same wrong answer to `same_wrong_count` of
    them. `expected_same_wrong_count`: how many equal answers chance would give them, by how frequent each answer is.
    `expected_pair_count`: how many pairs like this chance would produce in a class of this size."""

    first_candidate_name: str
    second_candidate_name: str
    same_wrong_count: int
    both_wrong_count: int
    expected_same_wrong_count: float
    expected_pair_count: float
    same_wrong_item_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FastRightAnswers:
    """A candidate with right answers given in less time than it takes to read the items."""

    candidate_name: str
    items_with_seconds_and_words: tuple[tuple[str, float, int], ...]  # (item, seconds, words of the question)


@dataclass(frozen=True, slots=True)
class CandidateUnlikeClass:
    """A candidate who is right where most are wrong and wrong where most are right. `correlation_with_class`:
    that of the candidate's shares with the class's, over `item_count` items."""

    candidate_name: str
    correlation_with_class: float
    item_count: int


@dataclass(frozen=True, slots=True)
class AcademicIntegrityFacts:
    """All facts about the responses of `candidate_count`, the most striking first."""

    candidate_count: int
    similar_texts: tuple[SimilarTextPair, ...]
    shared_mistakes: tuple[SharedMistakes, ...]
    fast_right_answers: tuple[FastRightAnswers, ...]
    candidates_unlike_class: tuple[CandidateUnlikeClass, ...]


def academic_integrity_facts(responses: Iterable[ComparedResponse]) -> AcademicIntegrityFacts:
    """The facts about a class. Memory grows with the number of responses."""
    by_item: defaultdict[str, list[ComparedResponse]] = defaultdict(list)
    by_person: defaultdict[str, list[ComparedResponse]] = defaultdict(list)
    for response in responses:
        by_item[response.item_id].append(response)
        by_person[response.candidate_name].append(response)
    texts = chain.from_iterable(map(_similar_text_pairs_on_one_item, by_item.values()))
    mean = {item: fmean(r.points_share for r in group) for item, group in by_item.items()}
    outliers = (_candidate_unlike_class_if_significant(name, group, mean) for name, group in by_person.items())
    mistakes = _pairs_with_shared_mistakes(by_item, len(by_person))
    return AcademicIntegrityFacts(
        len(by_person),
        tuple(sorted(texts, key=lambda p: (-p.similarity, p.item_id, p.first_candidate_name, p.second_candidate_name))),
        tuple(sorted(mistakes, key=lambda p: (p.expected_pair_count, p.first_candidate_name, p.second_candidate_name))),
        tuple(filter(None, (_fast_right_answers_of_candidate(name, by_person[name]) for name in sorted(by_person)))),
        tuple(sorted(filter(None, outliers), key=lambda m: (m.correlation_with_class, m.candidate_name))),
    )


def _similar_text_pairs_on_one_item(responses_to_item: Iterable[ComparedResponse]) -> Iterator[SimilarTextPair]:
    from rapidfuzz.fuzz import ratio

    responses = [r for r in responses_to_item if r.is_free_text]
    texts = [" ".join(re.findall(r"[^\W_]+", r.response_text.casefold())) for r in responses]
    holders: defaultdict[str, set[int]] = defaultdict(set)
    for n, text in enumerate(texts):
        words = text.split()
        for start in range(len(words) - WORDS_PER_SEQUENCE + 1):
            holders[" ".join(words[start : start + WORDS_PER_SEQUENCE])].add(n)
    cap = max(MAX_CANDIDATES_OF_RARE_WORD_SEQUENCE, len(responses) // 50)
    counts = Counter(pair for group in holders.values() if len(group) <= cap for pair in combinations(sorted(group), 2))
    for (a, b), runs in counts.items():
        if runs >= MIN_SHARED_SEQUENCES_TO_COMPARE_TEXTS and responses[a].candidate_name != responses[b].candidate_name:
            likeness = ratio(texts[a], texts[b]) / 100
            if likeness >= MIN_TEXT_SIMILARITY:
                first, second = sorted((responses[a], responses[b]), key=lambda r: r.candidate_name)
                evidence = first.response_text, second.response_text
                yield SimilarTextPair(first.item_id, first.candidate_name, second.candidate_name, likeness, evidence)


def _pairs_with_shared_mistakes(
    responses_by_item: dict[str, list[ComparedResponse]], candidate_count: int
) -> Iterator[SharedMistakes]:
    """Yields the pairs of candidates with more equal wrong answers than chance explains, corrected for the number of
    pairs in the class (Bonferroni)."""
    wrong_answers: dict[str, dict[str, str]] = {}  # (item, candidate, response)
    for item, responses in responses_by_item.items():
        wrong = [r for r in responses if not r.is_free_text and r.response_text and r.points_share < 1]
        wrong_answers[item] = {r.candidate_name: r.response_text for r in wrong}
    share_of_others = {  # (item, response, share of the other candidates who gave it)
        item: {answer: (count - 1) / (len(answers) - 1) for answer, count in Counter(answers.values()).items()}
        for item, answers in wrong_answers.items()
        if len(answers) > 1
    }
    pair_count = candidate_count * (candidate_count - 1) / 2
    for pair, terms in _surprisals_of_shared_answers_by_pair(wrong_answers, share_of_others).items():
        # The probability is at least that of these matches: pairs that chance explains need no closer look.
        if len(terms) >= MIN_SHARED_WRONG_ANSWERS and sum(terms) >= log(pair_count / MAX_PAIRS_EXPECTED_BY_CHANCE):
            items = [item for item in share_of_others if wrong_answers[item].keys() >= set(pair)]
            matches = tuple(sorted(item for item in items if len({wrong_answers[item][name] for name in pair}) == 1))
            chances = [[share_of_others[item][wrong_answers[item][name]] for item in items] for name in pair]
            expectation = pair_count * max(probability_of_at_least_successes(len(matches), row) for row in chances)
            if expectation < MAX_PAIRS_EXPECTED_BY_CHANCE:
                yield SharedMistakes(*pair, len(matches), len(items), max(map(sum, chances)), expectation, matches)


def _surprisals_of_shared_answers_by_pair(
    wrong_answers_by_item: dict[str, dict[str, str]], shares_of_others_by_item: dict[str, dict[str, float]]
) -> defaultdict[tuple[str, str], list[float]]:
    """By pair of candidate names, the surprise of each wrong answer that they share: -log of the share of other
    candidates who gave it."""
    surprises: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for item in (item for item in shares_of_others_by_item if len(wrong_answers_by_item[item]) > 2):
        holders: defaultdict[str, list[str]] = defaultdict(list)
        for name, answer in sorted(wrong_answers_by_item[item].items()):
            holders[answer].append(name)
        for answer, names in holders.items():
            for pair in combinations(names if len(names) <= MAX_CANDIDATES_OF_COUNTED_WRONG_ANSWER else (), 2):
                surprises[pair].append(-log(shares_of_others_by_item[item][answer]))
    return surprises


def probability_of_at_least_successes(count: int, success_chances: Sequence[float]) -> float:
    """P(X >= count), X being the number of successes in independent trials with these chances (Poisson's binomial
    distribution)."""
    chance_by_count = [1.0] + [0.0] * len(success_chances)
    for trials, p in enumerate(success_chances, 1):
        for k in range(trials, 0, -1):
            chance_by_count[k] = chance_by_count[k] * (1 - p) + chance_by_count[k - 1] * p
        chance_by_count[0] *= 1 - p
    return sum(chance_by_count[count:])


def _fast_right_answers_of_candidate(candidate: str, responses: Sequence[ComparedResponse]) -> FastRightAnswers | None:
    answers = [r for r in responses if r.points_share == 1 and r.stem_word_count >= MIN_STEM_WORDS_FOR_FAST_ANSWER]
    times = [(r.item_id, r.seconds, r.stem_word_count) for r in answers if r.seconds is not None]
    rows = [row for row in times if row[1] < row[2] / MAX_WORDS_READ_PER_SECOND]
    return FastRightAnswers(candidate, tuple(sorted(rows))) if len(rows) >= MIN_FAST_RIGHT_ANSWERS else None


def _candidate_unlike_class_if_significant(
    candidate: str, responses: Sequence[ComparedResponse], mean_share_by_item: dict[str, float]
) -> CandidateUnlikeClass | None:
    shares, means = [r.points_share for r in responses], [mean_share_by_item[r.item_id] for r in responses]
    n = len(responses)
    if n < MIN_ITEMS_FOR_PERSON_FIT or len(set(shares)) < 2 or len(set(means)) < 2:
        return None
    r = correlation(shares, means)
    return CandidateUnlikeClass(candidate, r, n) if r < -2 / sqrt(n - 1) else None
