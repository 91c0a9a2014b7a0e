"""The format of an expected answer, as far as a candidate is told of it, and the refusal of a response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from quizgen.formula.units import UNIT_ONE, Unit, own_currency_label_of_dim

AnswerType = Literal["number", "truth", "tuple", "word"]


class UnreadableError(Exception):
    """Why a response cannot be read; its text ends in what to write instead."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitLexicon:
    """A bank's spellings of its units: `unit_by_word` maps a word in lower case to its unit, `unit_by_phrase` several
    words."""

    unit_by_word: Mapping[str, Unit] = field(default_factory=dict)
    unit_by_phrase: Mapping[tuple[str, ...], Unit] = field(default_factory=dict)

    @classmethod
    def from_unit_by_spelling(cls, units: Mapping[str, Unit]) -> UnitLexicon:
        """The lexicon of `units`, a mapping from spellings (`qps`, `index pages`, `micro-batch`) to units. The singular
        of a counted thing is added."""
        words = {text.casefold(): unit for text, unit in units.items()}
        parts_with_units = ((tuple(text.replace("-", " ").split()), unit) for text, unit in words.items())
        phrases = {parts: unit for parts, unit in parts_with_units if len(parts) > 1}
        for word, unit in tuple(words.items()):
            if unit.dim.count_label and word.endswith("s") and not word.endswith("ss"):
                words.setdefault(word[:-3] + "y" if word.endswith("ies") else word[:-1], unit)
        return cls(words, phrases)


EMPTY_LEXICON: Final = UnitLexicon()


@dataclass(frozen=True, slots=True)
class StemWords:
    """The words of a stem, as roots (`miss` for misses, missing). `unfilled_stem` is the stem with its places unfilled,
    `formula_words` those of the formula's parts, which may lead to a number. `known_word_roots` holds all roots of
    the stem, the formula and the bank's synonyms, `question_word_roots` those of the sentence that asks,
    `word_roots_after_one_or_each` its words for one thing ("each GPU"), `counted_word_roots` those behind "how many",
    `opposite_side_word_roots` those for the opposite of what is asked (misses for hits). `asked_periods` are the
    times of which an amount is asked ("in a day"), `periods_a_rate_may_omit` these or the only day, month or year that
    the stem names. `input_count_labels` are the formula's counts."""

    unfilled_stem: str = ""
    formula_words: frozenset[str] = frozenset()
    known_word_roots: frozenset[str] = frozenset()
    question_word_roots: frozenset[str] = frozenset()
    word_roots_after_one_or_each: frozenset[str] = frozenset()
    counted_word_roots: frozenset[str] = frozenset()
    asked_side_word_roots: frozenset[str] = frozenset()
    opposite_side_word_roots: frozenset[str] = frozenset()
    asked_periods: tuple[Unit, ...] = ()
    periods_a_rate_may_omit: tuple[Unit, ...] = ()
    input_count_labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class AnswerFormat:
    """The kind of answer that an item expects. Nothing here depends on the key.

    `default_unit` is that of a number without one. `enum_words` are the answers of an enum, `part_names` those of a
    tuple's parts in order ("" for a part without one), `part_count` the number of parts. `is_whole`: a fraction makes
    no sense. `may_be_unbounded`: this word is an answer. `stem_unit` is the unit that the stem names where a plain
    number is expected ("How many GB …?")."""

    default_unit: Unit = UNIT_ONE
    answer_type: AnswerType = "number"
    enum_words: tuple[str, ...] = ()
    part_names: tuple[str, ...] = ()
    part_count: int = 0
    is_whole: bool = False
    may_be_unbounded: bool = False
    unit_lexicon: UnitLexicon = EMPTY_LEXICON
    stem_words: StemWords = StemWords()
    stem_unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A response that cannot be read. `reason`: why, and how to write it; empty for a blank response."""

    reason: str

    @property
    def is_blank(self) -> bool:
        return not self.reason


def tuple_text(numbers: Sequence[str], names: Sequence[str]) -> str:
    """The parts of a tuple: `tp 1, cp 0` where each has a name, else `(1, 0)`."""
    if not names or not all(names):
        return f"({', '.join(numbers)})"
    return ", ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=True))


def example_answer_text(expected: AnswerFormat) -> str:
    """An example that shows how to write an answer and reveals nothing: `such as 12.5 GB`."""
    if expected.answer_type == "truth":
        return "yes or no"
    if expected.answer_type == "word":
        return f"one of {', '.join(expected.enum_words)}"
    if expected.answer_type == "tuple":
        return f"such as {tuple_text([str(i) for i in range(expected.part_count or 3)], expected.part_names)}"
    unit = expected.default_unit
    if unit is UNIT_ONE:
        return "such as 12.5"
    if unit.dim.count_label and not own_currency_label_of_dim(unit.dim):
        return f"such as 12 {unit.plural_symbol}"
    return f"such as 12.5{'' if unit.symbol == '%' else ' '}{unit.plural_symbol}"
