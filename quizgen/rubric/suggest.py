"""Phrases suggested to the author of a rubric: from a model answer, and from the marks that candidates dispute."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from quizgen.rubric.compile import compiled_index
from quizgen.rubric.lint import COMMON_WORDS
from quizgen.rubric.response import read_response
from quizgen.rubric.rubric import FOUND, Phrasing, Rubric
from quizgen.rubric.scopes import CUES
from quizgen.rubric.score import score_text
from quizgen.rubric.spelling import word_stem
from quizgen.rubric.tokens import content_words, fold_text, folded_words, is_growth_rate

# -- A first rubric from a model answer: `quizgen rubric draft`. A start for the author, not for use as it is.

MAX_DRAFT_CRITERIA: Final = 6
MAX_SLOTS_PER_DRAFT: Final = 3


@dataclass(frozen=True, slots=True)
class DraftCriterion:
    """A suggested criterion: its id, the sentence that it asks for, and the phrase to accept."""

    id: str
    say: str
    phrase: str


def draft_criteria(stem_text: str, model_answer: str) -> tuple[DraftCriterion, ...]:
    """One criterion for each sentence of the model answer, with its two or three most telling words not in the stem."""
    given = {word_stem(word) for word in folded_words(stem_text)}
    criteria: list[DraftCriterion] = []
    for sentence in _split_sentences(model_answer):
        chosen = _telling_words(sentence, given)
        if chosen and len(criteria) < MAX_DRAFT_CRITERIA:
            name = "-".join(re.sub(r"[^a-z0-9]+", "", word) for word in chosen[:2]).strip("-") or "point"
            taken = {criterion.id for criterion in criteria}
            free = next(full for full in (name, *(f"{name}-{n}" for n in range(2, 99))) if full not in taken)
            criteria.append(DraftCriterion(free, sentence, " ".join(map(_slot_for_word, chosen))))
    return tuple(criteria)


def _split_sentences(text: str) -> list[str]:
    """The text split into the sentences that scoring sees, each in one line."""
    reading = read_response(compiled_index(Rubric(())), fold_text(text))
    bounds = pairwise([0, *reading.later_sentence_starts, len(reading.entries)])
    return [reading.original_text(start, end - 1) for start, end in bounds if end > start]


def _telling_words(sentence: str, stems_in_question: set[str]) -> list[str]:
    """The most telling words of a sentence in its order, without those whose stem is in `stems_in_question`."""
    seen: dict[str, str] = {}
    for token, _ in content_words(sentence):
        word = token.strip().removesuffix("'s").removesuffix("'")
        if (is_growth_rate(word) or (len(word) > 1 and "'" not in word)) and word not in CUES:
            seen.setdefault(word_stem(word), word)

    def weight(key: str) -> int:
        """How much a word says about the answer: long words, rare words and numbers weigh most."""
        word = seen[key]
        return max(min(len(word), 10) - 5 * (word in COMMON_WORDS) + 4 * any(map(str.isdigit, word)), 1)

    ranked = sorted((key for key in seen if key not in stems_in_question), key=weight, reverse=True)
    return [word for key, word in seen.items() if key in ranked[:MAX_SLOTS_PER_DRAFT]]


def _slot_for_word(word: str) -> str:
    """The word as a slot of a phrase; a long word as a prefix, so that other endings match too."""
    if is_growth_rate(word):
        return "{" + word + "}"
    root = word_stem(word)
    is_long = word.isalpha() and len(word) >= 7 and len(root) >= 5
    return root + "*" if is_long and word.startswith(root) and root != word else word


# -- Phrases that candidates claim to have met, for the author of a rubric: the spans, the phrase that would accept
# one, and its other effects.

MAX_PHRASE_WORDS = 5  # words of a phrase


@dataclass(frozen=True, slots=True)
class CandidateDispute:
    """One dispute: the answer, the words that the candidate marked in it, and the claim `full`, `part` or `no`."""

    item: str
    criterion: str
    answer: str
    quote: str
    claim: str


@dataclass(frozen=True, slots=True)
class CriterionDisputes:
    """A criterion with its disputes: `disputed_count` of the `answer_count` answers, and how often each quote was
    marked. `phrase` would accept the first quotes (empty: no such phrase); it would also change `changed_count` other
    answers, of which `example` is one."""

    item: str
    criterion: str
    disputed_count: int
    answer_count: int
    upward_count: int
    quotes: tuple[tuple[str, int], ...]
    phrase: str
    changed_count: int
    example: str


def disputed_criteria(
    disputes: Sequence[CandidateDispute], answers: dict[str, list[str]], rubrics: dict[str, Rubric]
) -> tuple[CriterionDisputes, ...]:
    """The disputed criteria, those with most disputes first. `answers` holds all different answers of each item."""
    by_mark: dict[tuple[str, str], list[CandidateDispute]] = {}
    for dispute in disputes:
        by_mark.setdefault((dispute.item, dispute.criterion), []).append(dispute)
    made = []
    for (item, criterion), own in by_mark.items():
        up = [c for c in own if c.claim != "no" and c.quote]
        quotes = Counter(" ".join(c.quote.split()) for c in up)
        listed = tuple(sorted(quotes.items(), key=lambda q: (-q[1], q[0])))
        counts = len({c.answer for c in own}), len(answers[item]), len(up)
        phrase, changed = _phrase_for_disputes(rubrics[item], criterion, up, answers[item])
        example = changed[0] if changed else ""
        made.append(CriterionDisputes(item, criterion, *counts, listed, phrase, len(changed), example))
    return tuple(sorted(made, key=lambda c: (-c.disputed_count, c.item, c.criterion)))


def _phrase_for_disputes(
    rubric: Rubric, criterion: str, disputes: Iterable[CandidateDispute], answers: Iterable[str]
) -> tuple[str, list[str]]:
    """The first phrase made of a candidate's own words that would meet the criterion in that answer, and the other
    answers in which it would newly meet it; empty if no phrase does."""
    for dispute in disputes:
        phrase = " ".join(dict.fromkeys([word for word, _ in content_words(dispute.quote)[:MAX_PHRASE_WORDS]]))
        added = Phrasing(phrase)
        criteria = [replace(c, accept=(*c.accept, added)) if c.id == criterion else c for c in rubric.criteria]
        wider = replace(rubric, criteria=tuple(criteria), memo=[])
        met = [a for a in answers if _is_met(wider, criterion, a) and not _is_met(rubric, criterion, a)]
        if dispute.answer in met:
            return phrase, [answer for answer in met if answer != dispute.answer]
    return "", []


def _is_met(rubric: Rubric, criterion: str, answer: str) -> bool:
    return any(m.criterion == criterion and m.status == FOUND for m in score_text(rubric, answer).marks)
