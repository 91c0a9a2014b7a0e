"""The words of a stem that a response may use, and the unit that it names for a plain number."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from quizgen.formula.units import KNOWN_UNITS, UNIT_ONE, Unit
from quizgen.numbers import words as known
from quizgen.numbers.amounts import amount_at_start
from quizgen.numbers.answer import AnswerFormat, StemWords, UnitLexicon
from quizgen.numbers.words import word_root, word_roots

_NON_NOUNS: Final = "do|does|did|is|are|can|must|will|would|has|have|it|in|a|an|the|per|of|to|at|fits?"
_HOW_MANY_PATTERN: Final = re.compile(rf"\b(?:how many|number of)((?: (?!(?:{_NON_NOUNS})\b)[^\W\d][\w/-]*){{1,4}})")
_ONE_PATTERN: Final = re.compile(r"\b(?:an?|one|the|each|every|per) (?=([\w-]+)(?: ([\w-]+))?)")
_EACH_OF_PATTERN: Final = re.compile(r"\beach of (?:the|our|these) (?:[\d,]+ )?([\w-]+?)s\b")  # each of the 96 GPUs
_PLURAL_PATTERN: Final = re.compile(r"[^s]s$")
# Times for which the stem asks an amount, and times of given rates ("400 trades a day").
_TIME_UNITS: Final = r"(second|minute|hour|day|week|month|year)"
_PERIOD_PATTERN: Final = re.compile(
    rf"\b(?:(?:an?|one|per|each|every|the)\s+(?:\w+ )?|(?=\w+ly\b)){_TIME_UNITS}(?:ly)?\b"
)
_TIME_PHRASE_PATTERN: Final = re.compile(
    r"\b(?:in|for|over|during|within|end of) (?:an?|one|the|each|every) (?:whole |full )?\w+"
)
_GIVEN_RATE_PATTERN: Final = re.compile(r"[\d}][^\s,;.?]{0,20}(?: [^\s,;.?]{1,30}){0,3}? (?:an?|per|each|every) \w+")
# The unit of a plain number: `How many GB …?`, `What is it in dollars?`.
_NAMED_UNIT_PATTERN: Final = re.compile(
    r"\b(?:how many|what|which|in|to) ([^\W\d][^\s.,;:?!)]*|[$%](?!\d))((?: ?/ ?| per | an? )[^\W\d]\w*)?", re.I
)


def with_stem_words(
    expected: AnswerFormat, stem: str, terms: str = "", input_labels: Collection[str] = (), synonyms: Iterable[str] = ()
) -> AnswerFormat:
    """`expected` in the words of `stem`, whose places (`{N}`) are unfilled.

    `terms` names the parts of the formula, `input_labels` are the labels of its inputs (GPU of `16 GPU`), `synonyms`
    the words of the bank's `synonyms:`."""
    low = _EACH_OF_PATTERN.sub(r"each \1", re.sub(r"\{\w*\}", "1", stem.casefold()))
    questions = question_sentences(low)
    all_roots, question = word_roots(low), word_roots(questions)
    counted = _roots_in(_HOW_MANY_PATTERN.findall(questions))
    asked_periods = _periods_in(" ".join((*_TIME_PHRASE_PATTERN.findall(low), _GIVEN_RATE_PATTERN.sub(" ", questions))))
    named = _periods_in(low)
    own: frozenset[str] = frozenset()
    other = own
    # Of each pair of sides, the question names only one. For a one-way time and a round trip, the whole stem counts.
    for left, right in known.OPPOSITE_SIDES:
        text = set(all_roots if "rtt" in right and (left | right).isdisjoint(question) else question)
        if text.isdisjoint(left) != text.isdisjoint(right):
            own, other = (own | left, other | right) if text & left else (own | right, other | left)
    words = StemWords(
        stem,
        frozenset(terms.casefold().split()),
        frozenset((*all_roots, *word_roots(terms), *(one for text in synonyms for one in word_roots(text)))),
        frozenset(question),
        _roots_in([one for pair in _ONE_PATTERN.findall(questions) for one in pair if not _PLURAL_PATTERN.search(one)]),
        counted,
        own,
        other - own,
        asked_periods,
        asked_periods or (named if len(named) == 1 and named[0].factor >= 86400 else ()),
        "".join(" " if word_root(word) in known.FILLER_ROOTS else word[0] for word in re.findall(r"[^\W\d_]+", low)),
        frozenset(input_labels),
    )
    plain = expected.unit is UNIT_ONE and expected.shape == "number"
    named_unit = unit_named_in_stem(stem, expected.unit_lexicon) if plain else None
    return replace(expected, stem_words=words, unit_in_stem=named_unit)


def _roots_in(phrases: Iterable[str]) -> frozenset[str]:
    return frozenset(word_root(word) for phrase in phrases for word in phrase.split() if len(word) > 1)


def _periods_in(text: str) -> tuple[Unit, ...]:
    return tuple(known.PERIODS.get(one) or KNOWN_UNITS[one] for one in dict.fromkeys(_PERIOD_PATTERN.findall(text)))


def unit_named_in_stem(stem: str, lexicon: UnitLexicon) -> Unit | None:
    """The last unit after "how many", "what" or "in" in the question; None without one. A counted thing is no unit."""
    last = None
    for name, below in _NAMED_UNIT_PATTERN.findall(question_sentences(stem)):
        one = f"1 {name}{below}"
        _, unit, end = amount_at_start(one, UNIT_ONE, lexicon) or (1, None, 0)
        if unit is not None and end == len(one) and not unit.dim.label and (unit.dim.powers or unit.symbol == "%"):
            last = unit
    return last


def question_sentences(text: str) -> str:
    """The sentences of `text` that end in a question mark; all of `text` if there are none."""
    return " ".join(one for one in re.split(r"(?<=[.!?;])\s+", text) if one.rstrip("*_ ").endswith("?")) or text
