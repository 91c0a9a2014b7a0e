"""The data for the number reader in a page's script (`templates/numbers`): our words and units, and the format that an
item asks for. Nothing here depends on a key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

from quizgen.formula import units
from quizgen.formula.units import Unit
from quizgen.numbers import amounts, tokens, words
from quizgen.numbers.answer import AnswerFormat, UnitLexicon, example_answer_text

_JS_MODULE_NAMES = "ratio tables dims fold tokens units amounts evaluate calculations surroundings choose special read"
READER_SCRIPT_FILES: Final = tuple(f"numbers/{name}.js" for name in _JS_MODULE_NAMES.split())
IndexAndUnitRowByText = dict[str, tuple[int, list[Any]]]  # each unit once: its index and its row, by the row as text


def _symbol_factor_and_dimensions(unit: Unit) -> list[Any]:
    """A unit as [symbol, factor, {dimension: power}]."""
    return [unit.symbol, str(unit.factor), {name: int(power) for name, power in unit.dim.powers}]


def _unit_row_index_by_words(
    rows: IndexAndUnitRowByText, unit_by_words: Mapping[str, Unit] | Mapping[tuple[str, ...], Unit]
) -> dict[str, int]:
    """The index of each unit in `rows`, to which units are added that it does not have yet, by its word or phrase."""
    pairs = ((words if isinstance(words, str) else " ".join(words), unit) for words, unit in unit_by_words.items())
    entries = ((text, _symbol_factor_and_dimensions(unit)) for text, unit in sorted(pairs, key=itemgetter(0)))
    return {text: rows.setdefault(str(row), (len(rows), row))[0] for text, row in entries}


@lru_cache(maxsize=1)
def number_reader_tables() -> Mapping[str, Any]:
    """The reader's tables, the same for every page, by the names that its modules use."""
    rows: IndexAndUnitRowByText = {}
    sets = {
        "CENTS": words.CENT_WORDS, "UNCLEAR_UNITS": words.AMBIGUOUS_UNIT_SPELLINGS,
        "PLACE_UNIT_LABELS": units.WORK_SHARING_LABEL_NAMES, "FUNCTION_NAMES": words.FUNCTION_NAMES,
        "FILLER_ROOTS": words.FILLER_WORD_ROOTS, "MEASURE_ROOTS": words.QUANTITY_WORD_ROOTS,
        "CONDITION_WORDS": words.WORDS_BEFORE_CONDITION, "RESULT_CUES": words.WORDS_BEFORE_RESULT,
        "DENIAL_WORDS": words.NEVER_HARMLESS_WORDS, "CHANGED_NUMBER_ROOTS": words.NUMBER_CHANGING_WORD_ROOTS,
        "COMPARATIVES": words.COMPARATIVES_AFTER_TIMES, "SHARE_ROOTS": words.WORD_ROOTS_ASKING_PER_ONE,
        "YES": words.YES_WORDS, "NO": words.NO_WORDS, "NEGATION_WORDS": words.NEGATION_WORDS,
        "PLAIN_YES_NO": words.PLAIN_YES_NO_WORDS, "PHYSICAL": units.PHYSICAL_DIMENSIONS,
        "DIVISIBLE": units.DIVISIBLE_LABELS, "MONEY_LABELS": units.MONEY_LABELS,
        "NEVER_DROPPED": units.LABELS_NO_ANSWER_MAY_ADD,
    }  # fmt: skip
    labels = {name for unit in units.KNOWN_UNITS.values() if (name := unit.dim.count_label)}
    maps: dict[str, Mapping[str, Any]] = {
        "MAGNITUDE_WORDS": words.FACTOR_BY_MAGNITUDE_WORD, "MAGNITUDE_LETTERS": words.FACTOR_BY_MAGNITUDE_LETTER,
        "NUMBER_WORDS": words.NUMBER_BY_WORD, "PREFIXES": words.UNIT_PREFIX_BY_SPELLING,
        "SHORT_UNITS": words.DATA_WORD_BY_SLANG_WORD, "UNIT_WORDS": words.UNIT_SYMBOL_BY_WORD,
        "PLAIN": tokens.PLAIN_TEXT_BY_LOOKALIKE, "SI": units.FACTOR_BY_SI_PREFIX,
        "BINARY": units.FACTOR_BY_BINARY_PREFIX, "WRITTEN": units.CURRENCY_LABELS_BY_WORD,
        "PLURALS": units.PLURAL_BY_SYMBOL,
        "TWINS": {label: units.label_synonyms(label) for label in labels if units.label_synonyms(label)},
    }  # fmt: skip
    return {
        "ofUnits": {
            "KNOWN_UNITS": _unit_row_index_by_words(rows, units.KNOWN_UNITS),
            "SPELLINGS": _unit_row_index_by_words(rows, amounts.UNIT_BY_LOWER_SPELLING),
            "PHRASES": _unit_row_index_by_words(rows, amounts.UNIT_BY_PHRASE),
            "PERIODS": _unit_row_index_by_words(rows, words.MONTH_UNIT_BY_WORD),
        },
        "units": [row for _, row in rows.values()],
        "sets": {name: " ".join(sorted(members)) for name, members in sets.items()},
        "maps": {name: dict(sorted(members.items())) for name, members in maps.items()},
        "patterns": {
            "EMPTY_PHRASES_PATTERN": (words.MEANINGLESS_PHRASES_PATTERN.pattern, "g"),
            "BOUND_PHRASES_PATTERN": (words.BOUND_PHRASES_PATTERN.pattern, "g"),
            "IMPOSSIBLE_PATTERN": (f"^(?:{words.IMPOSSIBLE_PATTERN.pattern})", ""),
            "INFINITE_PATTERN": (f"^(?:{words.INFINITE_PATTERN.pattern})$", ""),
        },
        "lists": {"ONES": words.WORDS_BELOW_20, "TENS": words.WORDS_FOR_TENS},
    }  # fmt: skip


@lru_cache(maxsize=64)
def unit_lexicon_fields(lexicon: UnitLexicon) -> Mapping[str, Any]:
    """A bank's words for units and its own plurals."""
    rows: IndexAndUnitRowByText = {}
    all_units = (*lexicon.unit_by_word.values(), *lexicon.unit_by_phrase.values())
    return {
        "words": _unit_row_index_by_words(rows, lexicon.unit_by_word),
        "phrases": _unit_row_index_by_words(rows, lexicon.unit_by_phrase),
        "units": [row for _, row in rows.values()],
        "plurals": {label[0]: label[1] for unit in all_units for label in unit.bank_units},
    }


def answer_format_fields(expected: AnswerFormat) -> dict[str, Any]:
    """The format that an item asks for, with the words of its stem (without drawn values)."""
    stem = expected.stem_words
    roots = {
        "terms": stem.formula_words, "known": stem.known_word_roots, "question": stem.question_word_roots,
        "counted": stem.counted_word_roots, "inputLabels": stem.input_count_labels,
        "singular": stem.word_roots_after_one_or_each, "ownSide": stem.asked_side_word_roots,
        "otherSide": stem.opposite_side_word_roots,
    }  # fmt: skip
    unit, stem_unit = expected.default_unit, expected.stem_unit
    data: dict[str, Any] = {"unit": _symbol_factor_and_dimensions(unit), "unitIsWhole": unit.is_indivisible}
    data["unitInStem"] = _symbol_factor_and_dimensions(stem_unit) if stem_unit is not None else None
    data |= {"shape": expected.answer_type, "words": expected.enum_words, "names": expected.part_names}
    data |= {"length": expected.part_count, "whole": expected.is_whole, "unbounded": expected.may_be_unbounded}
    data["stem"] = {
        "there": bool(stem.unfilled_stem),
        **{name: " ".join(sorted(members)) for name, members in roots.items()},
        "periods": [*map(_symbol_factor_and_dimensions, stem.asked_periods)],
        "ratePeriods": [*map(_symbol_factor_and_dimensions, stem.periods_a_rate_may_omit)],
    }
    return data | {"example": example_answer_text(expected).removeprefix("such as ")}
