"""Reading what a candidate wrote as an answer: exactly, or not at all and with a reason; and the words of a stem that
help with it.

The way of a response: fold -> tokens -> amounts and calculations -> the one that answers -> what it means. No key is
looked at: what only a key could decide (0.467 where a percentage is expected; 1,234) is left to
`Reading.other_readings`. Asking again is cheap and a wrong number is not, so a response that no rule reads is
refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula import units
from quizgen.formula.quantity import Number, Reading, number_text, quantity_text, value_in_unit
from quizgen.formula.units import KNOWN_UNITS, UNIT_ONE, Dim, Unit, answer_dimension_fits, int_if_whole, parse_unit
from quizgen.numbers import amounts, answer, words
from quizgen.numbers.amounts import SECOND, is_money_unit
from quizgen.numbers.answer import AnswerFormat, Refusal, StemWords, UnitLexicon, UnreadableError, example_answer_text
from quizgen.numbers.choose import choose_answer_amount, unit_fits, word_roots_of_label
from quizgen.numbers.tokens import MAX_POWER_OF_TEN, WORD, WrittenAmount, fold_to_plain_characters, split_tokens
from quizgen.numbers.words import word_root, word_roots

_WORD_PATTERN: Final = re.compile(r"[^\W_]+(?:'\w+)?")
_WORDS_MAKING_YES_NO_UNSURE: Final = frozenset(("or", "maybe", "perhaps", "sure", "certain", "depends"))
_LEADING_IT_IS_PATTERN: Final = re.compile(r"(?:(?:it|this|that|there|is|'s) )+|it's ")
_NAME_BEFORE_NUMBER_PATTERN: Final = re.compile(r"(?<![\w.])([^\W\d_]{1,8})(?=\d)")  # TP1 CP1
_WORDS_NAMING_NO_TUPLE_PART: Final = words.word_set("rank index coordinate coordinates the is at and degree")
_SIGNS_ALLOWED_IN_TUPLE: Final = ("(", ")", "<", ">", ",", ";", "=", "->", ":", ".", "/", "|")
MAX_RESPONSE_CHARACTERS: Final = 300
# Times, ratios, dates, addresses, powers without a sign: 8:00, 1/2/3, 2026-04-22, 10.0.0.1, 3x10-6, 3x1010, 31.O.
_TIME_RATIO_OR_DATE_PATTERN: Final = re.compile(
    r"\bp\. ?[am]\b|\d:\d|\d : \d|(?<![\w.*])(?<![*x] )\d+/\d+/\d|\d\.(?:10(?:\^|\*\*)|[A-DF-Za-df-z#])|!="
    r"|\d·\d(?!0(?:\^|\*\*))|\d /\d|\d\s*[x*]\s*10(?:-\d|(?!24\b)[1-9]\d?\b(?![.,]|\s*=))"
    r"|(?<![\d.])(?!\d{1,3}(?:\.\d{3})+(?![\d.]))(?:[012]?\d?\d\.){3}[012]?\d?\d(?![\d.])|20[0-3]\d-[01]\d-[0-3]\d"
)
# The conditions of a result: `31.7 GB for K = 32`, `31.7 GB (K = 32, N = 13B)`.
_EQUATION_REGEX_TEXT: Final = (
    r"(?:[^\W\d]{1,2}|stage|zero) ?= ?\d[\d.,]*(?<=\d) ?[^\W\d]*(?= ?(?:[,;:)]|$|and [^\W\d]+ ?=))"
)
_LEADING_EQUATION_PATTERN: Final = re.compile(rf"\W*{_EQUATION_REGEX_TEXT}")
_CONDITION_EQUATION_PATTERN: Final = re.compile(
    rf"(?:\s*(?:[,;@(]|\b(?:{'|'.join(words.WORDS_BEFORE_CONDITION)}|and)\b/?))+ ?{_EQUATION_REGEX_TEXT}"
)


def read_response(text: str, expected: AnswerFormat, fill_stem: Callable[[], str] | None = None) -> Reading | Refusal:
    """The reading of a response `text` to what is `expected`, or why there is none.

    `fill_stem` makes the stem with its drawn values. Never raises, and takes time linear in the length of `text`.

    >>> read_response("about 31.7 gigabytes", AnswerFormat(KNOWN_UNITS["GB"])).read_as
    '31.7 GB'
    >>> read_response("31.7 or 32", AnswerFormat(KNOWN_UNITS["GB"])).reason
    'it has two or more numbers: write one, such as 12.5 GB'
    """
    text = text.strip()
    try:
        if len(text) > MAX_RESPONSE_CHARACTERS:
            raise UnreadableError(f"more than {MAX_RESPONSE_CHARACTERS} characters: write only the answer")
        return _read_response_or_raise(text, expected, fill_stem)
    except UnreadableError as error:
        reason = str(error)
        separator = " " if reason.endswith("write") else ", "
        return Refusal(f"{reason}{separator}{example_answer_text(expected)}" if reason else "")


def _read_response_or_raise(text: str, expected: AnswerFormat, fill_stem: Callable[[], str] | None) -> Reading:
    if not text.isprintable() and any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n\r\v\f" for c in text):
        raise UnreadableError("it has control characters: write only the answer")
    plain_text = fold_to_plain_characters(text).strip()
    if plain_text in ("", "."):
        raise UnreadableError("")
    if expected.answer_type == "number" and "=" in plain_text and not _LEADING_EQUATION_PATTERN.match(plain_text):
        core = _CONDITION_EQUATION_PATTERN.sub("", plain_text)  # without the input values that it repeats: `, K = 32`
        plain_text = core if any(map(str.isdigit, core)) else plain_text
    begins_with_number = plain_text[0].isdigit() and expected.answer_type == "number"
    if not begins_with_number and (reading := read_non_numeric_answer(plain_text, expected)) is not None:
        return reading
    if _TIME_RATIO_OR_DATE_PATTERN.search(plain_text):
        raise UnreadableError("it may be a time, a ratio, a date, an address or a power: write one number")
    amount = choose_answer_amount(amounts.evaluate_calculations(split_tokens(plain_text), expected), expected)
    return reading_of_amount(amount, expected, fill_stem)


# -- the meaning of an amount whose unit, period or counted thing is left open -----------------


def reading_of_amount(amount: WrittenAmount, expected: AnswerFormat, fill_stem: Callable[[], str] | None) -> Reading:
    """The likeliest reading of `amount`; its `other_readings` are those that only the key can decide. Raises
    UnreadableError."""
    scaled = amount.has_exponent or amount.place_value is None
    if scaled and amount.value and not 1 <= abs(Fraction(amount.value)) * 10**MAX_POWER_OF_TEN < 100**MAX_POWER_OF_TEN:
        raise UnreadableError("the number is too far from 1: write a plausible one")
    if amount.unit is not None and amount.unit.dim != expected.default_unit.dim:
        amount = amount._replace(unit=_adapt_unit_to_stem(amount.unit, expected))
    unit, target, stem = amount.unit, expected.stem_unit or expected.default_unit, expected.stem_words.unfilled_stem
    if unit is not None and unit.dim == target.dim and unit.factor != target.factor and stem:
        # `3 min` where the stem asks "How long is 3 min in s?"
        question = questions_or_all_text(fill_stem() if fill_stem is not None else stem)
        if re.search(rf"(?<![\d.,]){re.escape(quantity_text(amount.value, unit))}(?!\w)", question):
            raise UnreadableError(f"the question says that already: write it in {target.plural_symbol}")
    readings = _readings_in_possible_units(amount, expected)
    if amount.value_if_other_mark is not None:
        readings += _readings_in_possible_units(amount._replace(value=amount.value_if_other_mark), expected)
    reading_by_amount = {(one.base_value, one.unit.dim): one for one in reversed(readings)}
    first, *other_readings = reversed(reading_by_amount.values())
    return first._replace(other_readings=tuple(other_readings)) if other_readings else first


# -- counted things and periods -------------------------------------------------------------


def _adapt_unit_to_stem(unit: Unit, expected: AnswerFormat) -> Unit:
    """`unit`, converted to the asked dimension if the stem's words allow it: replicas are pods if it asks "how many
    replicas", and dollars are dollars a year (or the reverse) if it asks for a year.

    Other units stay; the answer is wrong. Raises UnreadableError for counted things of no input (GPUs for nodes)."""
    target = expected.default_unit
    if target is UNIT_ONE and expected.stem_unit is None and not amounts.unit_without_count_labels(unit).dim.is_bare:
        raise UnreadableError("the item asks for a plain number: write it without a unit")
    unit = _adapt_counted_thing_to_stem(unit, expected)
    if not answer_dimension_fits(unit.dim, target.dim):
        return _adapt_time_to_stem(unit, expected) if expected.stem_words.unfilled_stem or target.dim.is_bare else unit
    if not unit_fits(unit, expected):
        raise UnreadableError("it is a ratio, but the item asks for an amount: write the amount")
    return unit


def _adapt_counted_thing_to_stem(unit: Unit, expected: AnswerFormat) -> Unit:
    """`unit` with the expected label if the stem counts by its word (`24 replicas` of pods), else unchanged. Raises
    UnreadableError for another counted thing that is not the label of an input."""
    stem, target, labels = expected.stem_words, expected.default_unit, amounts.numerator_labels(unit.dim)
    is_suitable = bool(amounts.numerator_labels(target.dim)) and answer_dimension_fits(unit.dim, target.dim)
    if not stem.unfilled_stem or not labels or is_suitable or is_money_unit(unit):
        return unit
    if word_roots_of_label(labels[0], expected) & stem.counted_word_roots:
        label_dim = Dim(tuple(power for power in target.dim.powers if power[0] not in units.PHYSICAL_DIMENSIONS))
        return replace(unit, dim=amounts.unit_without_count_labels(unit).dim * label_dim)
    if labels[0] in stem.input_count_labels and not target.dim.is_bare:
        return unit
    raise UnreadableError(f'"{unit.plural_symbol}" are not what is asked: write the number that is')


def _adapt_time_to_stem(unit: Unit, expected: AnswerFormat) -> Unit:
    """`unit` divided by the time that the stem names, or without its own, if the stem asks for the amount of that time
    or for a percentage a year. Raises UnreadableError for a rate or an amount of another time."""
    target = expected.default_unit
    period_name = target.symbol.rpartition("/")[2]
    period = amounts.time_unit_of_rate(target, expected.unit_lexicon) or (SECOND if target.dim.is_rate else None)
    if target.dim.is_rate and unit.dim == SECOND.dim:
        raise UnreadableError("it is a time, but the item asks for a rate: write how many per unit of time")
    if period is None or not answer_dimension_fits(unit.dim / period.dim, target.dim):
        own_period = amounts.time_unit_of_rate(unit, expected.unit_lexicon)
        if own_period is None or not answer_dimension_fits(unit.dim * SECOND.dim, target.dim):
            return unit
        is_yearly_share = target.dim.is_bare and own_period.symbol == "year"  # 5.25 % a year
        if not is_yearly_share and own_period.symbol not in {one.symbol for one in expected.stem_words.asked_periods}:
            raise UnreadableError("it is a rate, but the item asks for an amount: write the amount")
        factor, symbol = Fraction(unit.factor) * own_period.factor, unit.symbol.rpartition("/")[0]
        return Unit(symbol, factor, unit.dim * SECOND.dim, unit.bank_units)
    if period_name not in {one.symbol for one in expected.stem_words.periods_a_rate_may_omit}:
        raise UnreadableError("it is an amount, but the item asks for a rate: write it per unit of time")
    return amounts.quotient_of_units(unit, period)


# -- bare numbers ---------------------------------------------------------------------------


def _readings_in_possible_units(amount: WrittenAmount, expected: AnswerFormat) -> list[Reading]:
    unit, target = amount.unit, expected.default_unit
    if unit is not None and not (unit is UNIT_ONE and target.symbol == "%"):
        value = int_if_whole(amount.value)
        text = f"{number_text(value)}x" if unit is UNIT_ONE and not target.dim.is_bare else quantity_text(value, unit)
        if unit.symbol == "B" and not target.dim.power_of(units.DATA_DIMENSION):
            text = text.removesuffix("B") + "bytes"  # a B after a plain number would mean billion
        reading, stem_unit = Reading(value, unit, text, amount.place_value), expected.stem_unit
        if stem_unit is None or unit is UNIT_ONE or (unit.dim, unit.factor) != (stem_unit.dim, stem_unit.factor):
            return [reading]
        # In exactly the unit that the stem names (`How many GB …?`): a plain number; a percentage may be its share too.
        bare_reading = reading._replace(unit=UNIT_ONE, has_no_unit=True)
        return [bare_reading, reading] if stem_unit.symbol == "%" else [bare_reading]
    readings = []
    for possible_unit in _units_of_bare_number(amount, target):
        worth = value_in_unit(amount.value * possible_unit.factor, target)
        step = None if amount.place_value is None else amount.place_value * possible_unit.factor / target.factor
        readings.append(Reading(worth, target, quantity_text(worth, target), step, True))
    return readings


def _units_of_bare_number(amount: WrittenAmount, target: Unit) -> tuple[Unit, ...]:
    """The units that a bare number may have, likeliest first: the `target` one, and

    * a fraction, for a number up to 1 if % is wanted,
    * the unit without its prefix, for 3.17e10 or 13e9*2 if GB is wanted."""
    size = abs(Fraction(amount.value))
    if target.symbol == "%":
        if size > 1:
            return (target,)
        return (UNIT_ONE, target) if (amount.place_value is None) or amount.unit is UNIT_ONE else (target, UNIT_ONE)
    base_symbol = amounts.SI_OR_BINARY_PREFIX_PATTERN.sub("", target.symbol)
    base = target if base_symbol == target.symbol else parse_unit(base_symbol, target.bank_units)
    prefix = Fraction(target.factor) / base.factor  # 10^9 for GB/s
    is_exact = amount.has_exponent or amount.place_value is None
    if prefix >= units.FACTOR_BY_SI_PREFIX["M"]:
        return (base, target) if size >= (prefix / 1000 if is_exact else prefix) else (target,)
    if prefix < 1 and is_exact and size <= 1:
        return target, base
    if (amount.place_value is None) and target.symbol in ("min", "h", "day", "week", "year"):
        return target, KNOWN_UNITS["s"]
    return (target,)


# -- answers that are not single numbers --------------------------------------------------------


def read_non_numeric_answer(text: str, expected: AnswerFormat) -> Reading | None:
    """The reading of a folded `text` that is no single number; None where it may be one. Raises UnreadableError."""
    phrase = " ".join(text.casefold().split()).strip(" .!,;:\"'()?")
    core_phrase = _LEADING_IT_IS_PATTERN.sub("", phrase, count=1)
    if expected.may_be_unbounded and words.INFINITE_PATTERN.fullmatch(core_phrase):
        return Reading("unbounded", expected.default_unit, "unbounded")
    if expected.answer_type == "number":
        if words.IMPOSSIBLE_PATTERN.match(core_phrase):
            return Reading("impossible", expected.default_unit, "impossible")
        if core_phrase == "nan" or words.INFINITE_PATTERN.fullmatch(core_phrase):
            raise UnreadableError(f'"{core_phrase}" is not a finite number: write one')
        return None
    if expected.answer_type == "truth":
        return _yes_or_no_reading(_WORD_PATTERN.findall(phrase.replace("¬", "not "))[:8], expected)
    return _read_enum_word(text, expected) if expected.answer_type == "word" else _read_tuple(text, expected)


def _yes_or_no_reading(texts: list[str], expected: AnswerFormat) -> Reading:
    """`yes`, `no, 8 is too few`, `it is not valid`."""
    replies = [word for word in texts[:4] if word in words.PLAIN_YES_NO_WORDS and texts[0] in words.PLAIN_YES_NO_WORDS]
    is_negated = not replies and not words.NEGATION_WORDS.isdisjoint(texts)
    yes_or_no = words.YES_WORDS | words.NO_WORDS
    answers = {(word in words.YES_WORDS) != is_negated for word in replies or texts if word in yes_or_no}
    if len(answers) != 1 or (not replies and not _WORDS_MAKING_YES_NO_UNSURE.isdisjoint(texts)):
        raise UnreadableError("it is neither yes nor no: write")
    value = answers.pop()
    return Reading(value, expected.default_unit, "yes" if value else "no")


def _read_enum_word(text: str, expected: AnswerFormat) -> Reading:
    reply, *spaced = (f" {' '.join(_WORD_PATTERN.findall(one.casefold()))} " for one in (text, *expected.enum_words))
    hits = [word for word, one in zip(expected.enum_words, spaced, strict=True) if one in reply]
    longest = max(hits, key=len, default="")
    if not hits or not all(word.casefold() in longest.casefold() for word in hits):
        raise UnreadableError(f"it names {'more than one' if hits else 'none'} of the answers: write")
    return Reading(longest, expected.default_unit, longest)


def _read_tuple(text: str, expected: AnswerFormat) -> Reading:
    """`(1, 0, 1, 1)`, `1 0 1 1`, `tp=1, cp=0, pp=1, dp=1`."""
    values: list[Number] = []
    names: list[str] = []
    sign = 1
    for token in split_tokens(_NAME_BEFORE_NUMBER_PATTERN.sub(r"\1 ", text.replace(",", " , "))):
        if token.amount is not None:
            values.append(int_if_whole(token.amount.value * sign))
            sign = 1
        elif token.text == "-":
            sign = 1 if values and not token.is_after_space else -1  # 1-1-0-2
        elif token.kind == WORD:
            names += () if token.lower in _WORDS_NAMING_NO_TUPLE_PART else (token.lower,)
        elif token.text not in _SIGNS_ALLOWED_IN_TUPLE:
            raise UnreadableError(f'cannot read "{token.text}" here: write')
    if len(values) != (expected.part_count or max(len(values), 1)):
        raise UnreadableError(f"{len(values)} numbers where {expected.part_count or 'some'} are asked: write")
    values = _values_in_order_of_names(values, names, expected.part_names) if expected.part_names else values
    reading_text = answer.tuple_text([number_text(value) for value in values], expected.part_names)
    base_values = tuple([int_if_whole(value * expected.default_unit.factor) for value in values])
    return Reading(base_values, expected.default_unit, reading_text)


def _values_in_order_of_names(values: list[Number], written_names: list[str], names: tuple[str, ...]) -> list[Number]:
    """The values in the order of `names`, each by its name among `written_names` (`dp` for `dp_rank`); as they stand if
    the names do not match. A part without a name takes the one that is left."""
    written_heads, heads = ([name.casefold().partition("_")[0] for name in group] for group in (written_names, names))
    extra_heads = [head for head in written_heads if head not in heads]
    if heads.count("") == len(extra_heads) == 1:
        heads[heads.index("")] = extra_heads[0]
    are_all_named = len(set(written_heads)) == len(written_heads) and sorted(written_heads) == sorted(heads)
    return [values[written_heads.index(head)] for head in heads] if are_all_named else values


# -- the words of a stem that a response may use, and the unit that it names for a plain number ----------

_NOUN_AFTER_HOW_MANY_PATTERN: Final = re.compile(
    r"\b(?:how many|number of)((?: "
    r"(?!(?:do|does|did|is|are|can|must|will|would|has|have|it|in|a|an|the|per|of|to|at|fits?)\b)[^\W\d][\w/-]*){1,4})"
)
_NOUN_AFTER_ARTICLE_OR_EACH_PATTERN: Final = re.compile(r"\b(?:an?|one|the|each|every|per) (?=([\w-]+)(?: ([\w-]+))?)")
_EACH_OF_NOUN_PATTERN: Final = re.compile(r"\beach of (?:the|our|these) (?:[\d,]+ )?([\w-]+?)s\b")  # of the 96 GPUs
# Times for which the stem asks an amount, and times of given rates ("400 trades a day").
_TIME_UNIT_WORD_REGEX_TEXT: Final = r"(second|minute|hour|day|week|month|year)"
_PERIOD_PATTERN: Final = re.compile(
    rf"\b(?:(?:an?|one|per|each|every|the)\s+(?:\w+ )?|(?=\w+ly\b)){_TIME_UNIT_WORD_REGEX_TEXT}(?:ly)?\b"
)
_IN_A_PERIOD_PATTERN: Final = re.compile(
    r"\b(?:in|for|over|during|within|end of) (?:an?|one|the|each|every) (?:whole |full )?\w+"
)
_STEM_RATE_PATTERN: Final = re.compile(r"[\d}][^\s,;.?]{0,20}(?: [^\s,;.?]{1,30}){0,3}? (?:an?|per|each|every) \w+")
# The unit of a plain number: `How many GB …?`, `What is it in dollars?`.
_UNIT_NAMED_IN_QUESTION_PATTERN: Final = re.compile(
    r"\b(?:how many|what|which|in|to) ([^\W\d][^\s.,;:?!)]*|[$%](?!\d))((?: ?/ ?| per | an? )[^\W\d]\w*)?", re.I
)


def answer_format_in_words_of_stem(
    expected: AnswerFormat, stem: str, terms: str = "", input_labels: Collection[str] = (), synonyms: Iterable[str] = ()
) -> AnswerFormat:
    """`expected` in the words of `stem`, whose places (`{N}`) are unfilled.

    `terms` names the parts of the formula, `input_labels` are the labels of its inputs (GPU of `16 GPU`), `synonyms`
    the words of the bank's `synonyms:`."""
    body = _EACH_OF_NOUN_PATTERN.sub(r"each \1", re.sub(r"\{\w*\}", "1", stem.casefold()))
    questions = questions_or_all_text(body)
    all_roots, question = word_roots(body), word_roots(questions)
    times = _time_units_in_text(" ".join((*_IN_A_PERIOD_PATTERN.findall(body), _STEM_RATE_PATTERN.sub(" ", questions))))
    stem_times = _time_units_in_text(body)
    roots = opposites = frozenset[str]()
    # Of each pair of sides, the question names only one. For a one-way time and a round trip, the whole stem counts.
    for left, right in words.OPPOSITE_WORD_ROOT_SETS:
        text = set(all_roots if "rtt" in right and (left | right).isdisjoint(question) else question)
        if text.isdisjoint(left) != text.isdisjoint(right):
            roots, opposites = (roots | left, opposites | right) if text & left else (roots | right, opposites | left)
    words_after_one = (word for pair in _NOUN_AFTER_ARTICLE_OR_EACH_PATTERN.findall(questions) for word in pair)
    result = StemWords(
        stem,
        frozenset(terms.casefold().split()),
        frozenset((*all_roots, *word_roots(terms), *(one for text in synonyms for one in word_roots(text)))),
        frozenset(question),
        _word_roots_of_phrases(word for word in words_after_one if not re.search("[^s]s$", word)),
        _word_roots_of_phrases(_NOUN_AFTER_HOW_MANY_PATTERN.findall(questions)),
        roots,
        opposites - roots,
        times,
        times or (stem_times if len(stem_times) == 1 and stem_times[0].factor >= 86400 else ()),
        frozenset(input_labels),
    )
    is_plain_number = expected.default_unit is UNIT_ONE and expected.answer_type == "number"
    named_unit = unit_named_in_stem(stem, expected.unit_lexicon) if is_plain_number else None
    return replace(expected, stem_words=result, stem_unit=named_unit)


def _word_roots_of_phrases(phrases: Iterable[str]) -> frozenset[str]:
    return frozenset(word_root(word) for phrase in phrases for word in phrase.split() if len(word) > 1)


def _time_units_in_text(text: str) -> tuple[Unit, ...]:
    periods = dict.fromkeys(_PERIOD_PATTERN.findall(text))
    return tuple(words.MONTH_UNIT_BY_WORD.get(word) or KNOWN_UNITS[word] for word in periods)


def unit_named_in_stem(stem: str, lexicon: UnitLexicon) -> Unit | None:
    """The last unit after "how many", "what" or "in" in the question; None without one. A counted thing is no unit."""
    last = None
    for name, divisor in _UNIT_NAMED_IN_QUESTION_PATTERN.findall(questions_or_all_text(stem)):
        phrase = f"1 {name}{divisor}"
        _, unit, end = amounts.value_unit_and_length_at_start(phrase, UNIT_ONE, lexicon) or (1, None, 0)
        if unit and end == len(phrase) and not unit.dim.count_label and (unit.dim.powers or unit.symbol == "%"):
            last = unit
    return last


def questions_or_all_text(text: str) -> str:
    """The sentences of `text` that end in a question mark; all of `text` if there are none."""
    return " ".join(one for one in re.split(r"(?<=[.!?;])\s+", text) if one.rstrip("*_ ").endswith("?")) or text
