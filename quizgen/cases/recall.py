"""What a candidate wants to hear once more of what was told: the sentence that has most of the question's words."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Final

from quizgen.cases.listening import content_stems, normalized_text, phrase_pattern, related_stem_groups
from quizgen.cases.remarks import word_rows_of_block

_OPENING_PATTERN: Final = phrase_pattern(
    """
    brief, setup, scenario, case, from start|top|beginning, the beginning
    """
)
_EVERYTHING_PATTERN: Final = phrase_pattern(
    """
    numbers, figures, facts, brief, setup, scenario, case, everything, all
    """
)
_STEMS_OF_EVERYTHING: Final = content_stems("brief setup scenario case facts rewind top play run")
_NUMBER_WORDS: Final = (
    "two three four five six seven eight nine ten eleven twelve",
    "twenty thirty forty fifty sixty seventy eighty ninety",
)
_WORD_PATTERN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[a-z]+|\d*)")
_UNITS, _ADJECTIVES, _SPOKEN = (
    frozenset(word for row in word_rows_of_block(name) for word in row) for name in ("units", "adjectives", "spoken")
)  # names of a number, units, adjectives of conversation that facts have, too, and words that ask for a repetition
_ZEROS_BY_MULTIPLIER: Final = {"hundred": "00", "thousand": "000"}
_CLOCK_TIME_PATTERN: Final = re.compile(r"\b\d\d?:\d\d\b")
_COUNT_QUESTION_PATTERN: Final = phrase_pattern("how many, count|counts, number of, size of, how big")
_COUNTED_WEIGHT: Final = 1.0  # of a number right before the thing that is counted
_UNIT_WEIGHT: Final = 0.4
_RELATED_WORD_WEIGHT: Final = 0.5
_LAST_WORD_WEIGHT: Final = 0.25  # "how many people are in a group" is about the group
MIN_STATEMENT_FIT: Final = 0.45
MIN_ANSWERED_SHARE: Final = 0.6  # of the content of a question that asks for no repetition


def has_number(text: str) -> bool:
    """Whether a text has a number, in digits or in words."""
    return not {word for word in _ordered_stems(text) if word[0].isdigit()} <= {"1"}


def wants_all(question: str) -> bool:
    """Whether a question is for all numbers or all that was told."""
    return (
        bool(_EVERYTHING_PATTERN.search(normalized_text(question)))
        and not _word_weights_of_question(question).keys() - _STEMS_OF_EVERYTHING - _UNITS
    )


def wants_opening(question: str) -> bool:
    """Whether a question is for all that was told from the beginning."""
    return bool(_OPENING_PATTERN.search(normalized_text(question)))


def share_of_question_in_fact(question: str, say: str, name_stems: Collection[str]) -> float:
    """The share of the words by which a question names what it wants that a fact has, in what it says or in its name,
    from 0 to 1; 1 for a question that names nothing."""
    wanted, own = _word_weights_of_question(question), _statement_stems(say) | frozenset(name_stems)
    met = sum(weight for word, weight in wanted.items() if _has_related_stem(word, own))
    return met / sum(wanted.values()) if wanted else 1.0


def _has_related_stem(word: str, stems: Collection[str]) -> bool:
    """Whether a stem, or one that is related to it, is among the stems."""
    return word in stems or any(word in related and not related.isdisjoint(stems) for related in related_stem_groups())


def best_statement(question: str, statements: Sequence[str]) -> str:
    """The one of `statements` that has most of the question's words, the later of two that are alike; for a question of
    a number alone the last one with a number; empty if none fits."""
    wanted = _word_weights_of_question(question)
    if not wanted:
        return next((one for one in reversed(statements) if has_number(one)), "")
    counted = wanted if _COUNT_QUESTION_PATTERN.search(normalized_text(question)) else {}
    scores = [
        (_word_fit(wanted, one, statements) + _COUNTED_WEIGHT * _has_number_before_word(one, counted), place)
        for place, one in enumerate(statements)
    ]
    most, place = max(scores, default=(0.0, 0))
    return statements[place] if most >= MIN_STATEMENT_FIT else ""


def answer_in_statements(question: str, statements: Sequence[str]) -> str:
    """The one of `statements` that has most of the content of a question with several words; empty if there is none.

    >>> answer_in_statements("Was there a sale in spring?", ["A shop gets slow.", "Since the spring sale."])
    'Since the spring sale.'"""
    wanted = _word_weights_of_question(question)
    best = best_statement(question, statements) if len(wanted) > 1 else ""
    return best if best and _word_fit(wanted, best, [best]) >= MIN_ANSWERED_SHARE * sum(wanted.values()) else ""


_FACT_PHRASE_WEIGHT: Final = 0.75
_NAME_WEIGHT: Final = 0.4
_FACT_RELATED_WORD_WEIGHT: Final = 0.25


def fact_fits(
    question: str,
    text_by_fact: Mapping[str, str],
    name_stems_by_fact: Mapping[str, Collection[str]],
    heard_fact_ids: Collection[str],
) -> dict[str, float]:
    """How well each fact fits a question, by the fact's id: by the words of `text_by_fact`, by the stems that name it,
    and by the phrases that the question meets (those of `heard_fact_ids`). A word that many facts have counts less, a
    number before the thing that is counted more.

    >>> fact_fits("How fast is a port?", {"a": "A port has 400 Gb/s.", "b": "Ten nodes."}, {"a": (), "b": ()}, ())
    {'a': 1.25, 'b': 0.0}"""
    wanted, own = (
        _word_weights_of_question(question),
        {name: _statement_stems(say) for name, say in text_by_fact.items()},
    )
    counted = wanted if _COUNT_QUESTION_PATTERN.search(normalized_text(question)) else {}
    fits = {
        name: _FACT_PHRASE_WEIGHT * (name in heard_fact_ids) / max(1, len(heard_fact_ids)) ** 0.5
        + _COUNTED_WEIGHT * _has_number_before_word(say, counted)
        for name, say in text_by_fact.items()
    }
    for word, weight in wanted.items():
        count = sum(word in stems for stems in own.values())
        for name, stems in own.items():
            if word in stems:
                fits[name] += weight / count**0.5
            elif word in name_stems_by_fact[name]:
                fits[name] += weight * _NAME_WEIGHT
            elif _has_related_stem(word, stems):
                fits[name] += weight * _FACT_RELATED_WORD_WEIGHT
    return fits


def _word_fit(wanted: Mapping[str, float], text: str, others: Sequence[str]) -> float:
    """How much of the wanted words a text has; a word that many of the others have counts less."""
    own, made = _statement_stems(text), 0.0
    for word, weight in wanted.items():
        if word in own:
            made += weight / max(1, sum(word in _statement_stems(one) for one in others)) ** 0.5
        elif _has_related_stem(word, own):
            made += weight * _RELATED_WORD_WEIGHT
    return made


def _has_number_before_word(text: str, counted: Collection[str]) -> bool:
    """Whether a text has a number right before a word that is counted, or one of its related words."""
    words = text.casefold().split()
    near = " ".join(
        f"{a} {b}"
        for n, a, b in zip(words, words[1:], [*words[2:], ""], strict=False)
        if n[0].isdigit() or n in _DIGITS_BY_NUMBER_WORD
    )
    after = content_stems(near)
    return any(_has_related_stem(word, after) for word in counted)


def _word_weights_of_question(question: str) -> dict[str, float]:
    """The words by which a question names what it wants, and their weights."""
    words = [word for word in _ordered_stems(question) if word not in _SPOKEN]
    weights = {word: _UNIT_WEIGHT if word in _UNITS else 1.0 for word in words}
    last = next((word for word in reversed(words) if word not in _UNITS), "")
    return weights | ({last: 1.0 + _LAST_WORD_WEIGHT} if last else {})


@cache
def _statement_stems(text: str) -> frozenset[str]:
    return frozenset((*_ordered_stems(text), *(("hour", "time") if _CLOCK_TIME_PATTERN.search(text) else ())))


def _ordered_stems(text: str) -> list[str]:
    """The stems of the words with content, the numbers as digits, and the units, in order."""
    made = []
    for word in _WORD_PATTERN.findall(text.casefold().replace("’", "'")):
        if word[0].isdigit():
            made.append(word.replace(",", ""))
        elif word in _DIGITS_BY_NUMBER_WORD:
            made.append(_DIGITS_BY_NUMBER_WORD[word])
        elif word in _ZEROS_BY_MULTIPLIER and made and made[-1].isdigit():  # "two hundred"
            made[-1] += _ZEROS_BY_MULTIPLIER[word]
        elif word in _ADJECTIVES:
            made.append(word)
        elif word.rstrip("s") in _UNITS:
            made.append(word.rstrip("s"))
        else:
            made += content_stems(word)
    return made


_DIGITS_BY_NUMBER_WORD: Final = {
    word: str(number)
    for words, step in zip(_NUMBER_WORDS, (1, 10), strict=True)
    for number, word in zip(range(2 * step, 100, step), words.split(), strict=False)
}
