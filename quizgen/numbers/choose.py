"""The one amount of a response that answers: the last result, if each word around it is known; or a reason to ask.

`95% misses` is no hit rate, `7 hops too many` are not 7 hops and `31.7 bananas` are nothing. Known are the fillers,
units, the words of the stem and of the bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Final, NamedTuple

from quizgen.formula import units
from quizgen.formula.units import CURRENCY_LABELS_BY_WORD, UNIT_ONE, Unit, answer_dimension_fits, label_synonyms
from quizgen.numbers import words
from quizgen.numbers.amounts import SECOND, is_money_unit, only_amount_tokens
from quizgen.numbers.answer import AnswerFormat, UnreadableError
from quizgen.numbers.tokens import AMOUNT, EDGE_TOKEN, OPERATORS, SIGN, WORD, ResponseToken, Tokens, WrittenAmount
from quizgen.numbers.words import word_root
from quizgen.source.problems import shorten

_PUNCTUATION: Final = frozenset((",", ";", ".", "!", "?", "(", ")", ":"))
_IGNORED_SIGNS: Final = (*_PUNCTUATION, '"', "_", "#", "|", "@")
_HARMLESS_WORD_ROOTS: Final = words.FILLER_WORD_ROOTS | words.QUANTITY_WORD_ROOTS
_PLAIN_NUMBER_HINT: Final = "write only the number and its unit"
TWO_NUMBERS_REASON: Final = "it has two or more numbers: write one"
_FILLER_TOKENS: Final = words.FILLER_WORD_ROOTS | {",", ".", "-", "(", ")", '"'}
_MIN_NUMBER_WITH_ROUNDED_ZEROS: Final = 10**6  # from here on trailing zeros may be rounding


class Segment(NamedTuple):
    """The tokens after `sign_text`, the sign of a result (`=`, `->`, `~`, `:`, "so"), up to the next sign; "(" for an
    amount in a parenthesis after the result."""

    sign_text: str
    tokens: list[ResponseToken]


def choose_answer_amount(line: Tokens, expected: AnswerFormat) -> WrittenAmount:
    """The one amount in `line` that is the answer. Raises UnreadableError if it is not clear."""
    segments = _split_at_result_signs(line)
    indexes = [index for index, segment in enumerate(segments) if only_amount_tokens(segment.tokens)]
    if not indexes:
        raise UnreadableError("there is no number in it: write one")
    last = indexes[-1]
    _refuse_several_answers(line, len(indexes), expected)
    for index, segment in enumerate(segments):
        if index not in indexes:
            tokens = [token for token in segment.tokens if token.lower not in expected.stem_words.formula_words]
            require_harmless_phrase(tokens, expected, any(token.lower in OPERATORS for token in segment.tokens))
    result, asides = _amount_of_segment_and_parentheses(segments[last].tokens, expected)
    for segment in (*asides, *(segments[index] for index in reversed(indexes[:-1]))):
        result = _answer_of_two_amounts(segment, segments[last].sign_text, result, expected)
    return result


def _refuse_several_answers(line: Tokens, segment_count: int, expected: AnswerFormat) -> None:
    """Raise UnreadableError for two numbers in a row or with "or" between them, and for money in brackets (a loss?)."""
    text = " ".join(token.lower for token in line if token.kind == WORD)
    alternative = segment_count > 1 and "or" in words.MEANINGLESS_PHRASES_PATTERN.sub("", text).split()
    if alternative or any(one.kind == AMOUNT == other.kind for one, other in pairwise(line)):
        raise UnreadableError(TWO_NUMBERS_REASON)
    if len(line) == 3 and line[0].lower == "(" and is_money_unit(expected.stem_unit or expected.default_unit):
        raise UnreadableError("a number in brackets may be a loss: write it with its sign")


def _split_at_result_signs(line: Tokens) -> list[Segment]:
    segments = [Segment("", [])]
    depth = 0
    for last, token, next_token in zip((EDGE_TOKEN, *line), line, (*line[1:], EDGE_TOKEN), strict=False):
        depth += (token.lower == "(") - (token.lower == ")")
        is_equals_sign = token.lower in ("=", "->", "~") or (token.lower == ":" and next_token.is_after_space)
        is_conclusion = token.lower in words.WORDS_BEFORE_RESULT and last.lower != "or"
        if depth <= 0 and (is_equals_sign or is_conclusion):
            segments.append(Segment("=" if token.lower == "is" else "so" if token.kind == WORD else token.lower, []))
        elif token.lower != "~":
            segments[-1].tokens.append(token)
    if depth > 0:
        raise UnreadableError("the parentheses do not match: write the number, or close them")
    return segments


# -- two amounts, or two spellings of one ---------------------------------------------------


def unit_fits(unit: Unit, expected: AnswerFormat) -> bool:
    """Whether `unit` has the expected dimension, or is the unit that the stem names for a plain number."""
    dim, stem_unit = expected.default_unit.dim, expected.stem_unit
    is_stem_unit = stem_unit is not None and (unit.dim, unit.factor) == (stem_unit.dim, stem_unit.factor)
    return is_stem_unit or (answer_dimension_fits(unit.dim, dim) and (dim.is_bare or not unit.dim.is_bare))


def _answer_of_two_amounts(segment: Segment, sign: str, result: WrittenAmount, expected: AnswerFormat) -> WrittenAmount:
    """`result`, which follows `sign`, or the amount of an earlier `segment` if that is the same one to more digits.
    Raises UnreadableError if they are two answers."""
    first, *other_tokens = only_amount_tokens(segment.tokens)
    left = first.amount
    if left is None or not unit_fits(left.unit or expected.default_unit, expected):
        return result
    if not unit_fits(result.unit or expected.default_unit, expected):
        raise UnreadableError(TWO_NUMBERS_REASON)  # 13 GPUs = 104 GB
    if other_tokens:
        if segment.sign_text == "=" and left.unit is not None and not _do_amounts_round_alike(left, result, expected):
            raise UnreadableError(TWO_NUMBERS_REASON)  # 60 ms, maybe 3 * 30 ms = 90 ms
        return result
    if _is_repeated_with_unit_or_rounded(left, result, segment.sign_text, sign, expected):
        return result
    if _do_amounts_round_alike(left, result, expected):
        # The one in the expected unit, or with more digits.
        if left.unit is not None and result.unit is not None and left.unit != result.unit:
            return result if result.unit == expected.default_unit else left
        return min(
            (left, result),
            key=lambda one: ((one.place_value or 0) * _possible_units(one, expected)[0].factor, one.unit is None),
        )
    is_unit_lost = (left.unit is None, result.unit is None) == (False, True)
    if (is_unit_lost, left.value) == (True, result.value):
        return left  # 16000 * 2 MB = 32000
    if is_unit_lost or _is_second_answer(segment, first, sign):
        raise UnreadableError(TWO_NUMBERS_REASON)
    return result


def _is_repeated_with_unit_or_rounded(
    left: WrittenAmount, result: WrittenAmount, left_sign: str, sign: str, expected: AnswerFormat
) -> bool:
    """Whether `result` is `left` with a unit added, or rounded to a whole number: `13.33 -> 14`, `14 (13.33)`. The sign
    `left_sign` precedes `left`, and `sign` precedes `result`."""
    aside, unit = left_sign == "(", expected.default_unit
    counts = unit.is_indivisible if aside else bool(unit.dim.count_label) or (unit is UNIT_ONE and sign in ("->", "so"))
    is_near = abs(Fraction(left.value) - Fraction(result.value)) < 1 and Fraction(result.value).denominator == 1
    return (not aside and left.unit is None and result.unit is not None) or (is_near and (expected.is_whole or counts))


def _is_second_answer(segment: Segment, token: ResponseToken, sign: str) -> bool:
    """Whether the number `token` of an earlier `segment` is another answer: in a parenthesis, alone, or of another name
    (`A: 10 GB, B: 20 GB`)."""
    next_tokens = segment.tokens[segment.tokens.index(token) + 1 :]
    has_name = bool(next_tokens) and next_tokens[0].lower in (",", ";", ".") and sign in ("=", ":")
    has_only_fillers = all(one.kind == AMOUNT or word_root(one.lower) in _FILLER_TOKENS for one in segment.tokens)
    return segment.sign_text == "(" or has_name or (has_only_fillers and not token.is_calculated)


def _do_amounts_round_alike(left: WrittenAmount, right: WrittenAmount, expected: AnswerFormat) -> bool:
    """Whether two amounts are equal up to rounding, in any unit: `31.7 GB (29.5 GiB)`, `0.467 = 46.7%`."""
    for unit, other_unit in product(_possible_units(left, expected), _possible_units(right, expected)):
        value, other_value = Fraction(left.value) * unit.factor, Fraction(right.value) * other_unit.factor
        slack = max(_max_rounding_error_in_base_units(left, unit), _max_rounding_error_in_base_units(right, other_unit))
        if answer_dimension_fits(unit.dim, other_unit.dim) and abs(value - other_value) <= slack:
            return True
    return False


def _possible_units(amount: WrittenAmount, expected: AnswerFormat) -> tuple[Unit, ...]:
    unit = expected.stem_unit or expected.default_unit
    if amount.unit is not None:
        return (amount.unit,)
    return (unit, UNIT_ONE) if unit.dim.is_bare and unit is not UNIT_ONE else (unit,)


def _max_rounding_error_in_base_units(amount: WrittenAmount, unit: Unit) -> Fraction:
    """The largest rounding error of an amount, at most a tenth of it, in base units: 0.05 for 31.7, 0.5 for 30."""
    step = amount.place_value or Fraction(0)
    if abs(Fraction(amount.value)) < _MIN_NUMBER_WITH_ROUNDED_ZEROS:
        step = min(step, Fraction(1))
    return min(step / 2, abs(Fraction(amount.value)) / 10) * unit.factor


# -- the amount of one part -----------------------------------------------------------------


def _amount_of_segment_and_parentheses(line: Tokens, expected: AnswerFormat) -> tuple[WrittenAmount, list[Segment]]:
    """The only amount of a segment, or the only one with a unit that fits; and the amounts in parentheses after it.
    Raises UnreadableError."""
    line, asides = _split_off_parentheses(line)
    faults = [token.calculation_error_text for token in only_amount_tokens(line) if token.amount is None]
    if faults:
        raise UnreadableError(faults[0])
    amounts = {index: token.amount for index, token in enumerate(line) if token.amount is not None}
    index = _answer_token_index(line, amounts, expected)
    answer = amounts[index]
    if answer.unit is None and any(not aside[0].is_after_space and only_amount_tokens(aside) for aside in asides):
        raise UnreadableError("a number right before a parenthesis may be a product or a margin: write the result")
    require_harmless_context(line, index, asides, expected)
    return answer, [Segment("(", [token]) for aside in asides for token in only_amount_tokens(aside)]


def _answer_token_index(line: Tokens, amounts: Mapping[int, WrittenAmount], expected: AnswerFormat) -> int:
    """The index in `line` of the answer among `amounts` (by index). Raises UnreadableError if two may be the answer."""
    is_bare = expected.default_unit.dim.is_bare
    matches = [index for index, one in amounts.items() if (unit_fits(one.unit, expected) if one.unit else is_bare)]
    answer = matches[0] if len(matches) == 1 else next(iter(amounts))
    rivals = [index for index in amounts if index != answer]
    is_clear = len(matches) == 1 and line[answer - 1].lower not in ("to", "-", "..", "and", "or", "&", "+")
    if rivals and not (is_clear and all(is_condition_of(line, amounts, index, answer, expected) for index in rivals)):
        raise UnreadableError(TWO_NUMBERS_REASON)
    return answer


def is_condition_of(
    line: Tokens, amounts: Mapping[int, WrittenAmount], index: int, answer: int, expected: AnswerFormat
) -> bool:
    """Whether the amount at `index` is a condition of the one at index `answer`: `on 32 GPUs`, `4 %, so`."""
    texts = (token.lower for token in reversed(line[:index]))
    preposition = next((word for word in texts if word not in ("a", "an", "the", "each", "all")), "")
    unit = amounts[index].unit
    if preposition in words.WORDS_BEFORE_CONDITION or preposition == "@":
        share = preposition in ("of", "in") and amounts[answer].unit is None  # 1460 of 1538 bytes
        return not (share or (unit and unit.dim.count_label and expected.default_unit.dim.count_label))  # GPUs on nodes
    return unit is not None and any(token.lower in (",", ";") for token in line[max(index - 1, 0) : max(index, answer)])


# -- the words around an amount -------------------------------------------------------------


def require_harmless_context(line: Tokens, index: int, parentheses: Sequence[Tokens], expected: AnswerFormat) -> None:
    """Raise UnreadableError if the tokens around the amount at `index` in `line`, or `parentheses` after it, change its
    meaning."""
    before, answer, after = line[:index], line[index], line[index + 1 :]
    amount = answer.amount
    assert amount is not None
    _refuse_signs_that_change_amount(before, after, expected)
    _refuse_separated_unit((*before, *after, *(token for aside in parentheses for token in aside)), amount, expected)
    _refuse_words_next_to_number(before, after, amount, answer.is_after_space, expected)
    _refuse_unasked_each_or_per([token.lower for token in (*before, *after)], amount, expected)
    if amount.unit is UNIT_ONE and after and after[0].lower in words.COMPARATIVES_AFTER_TIMES:
        after = after[1:]  # 42 times faster
    for part in (before, after, *parentheses):
        stops = [
            n for n, one in enumerate(part) if one.lower in _PUNCTUATION or (one.lower == "-" and one.is_after_space)
        ]
        for start, end in zip((-1, *stops), (*stops, len(part)), strict=True):
            require_harmless_phrase(part[start + 1 : end], expected)


def require_harmless_phrase(line: Tokens, expected: AnswerFormat, allows_names: bool = False) -> None:
    """Raise UnreadableError for words that name the opposite of what is asked, change a number, or are unknown. With
    `allows_names`, an unknown word may be a name in a formula."""
    line_words = [word for token in line if token.kind == WORD for word in token.lower.replace("_", " ").split()]
    text = words.MEANINGLESS_PHRASES_PATTERN.sub(" ", " ".join(line_words))
    stem, asked_roots = expected.stem_words, expected.stem_words.asked_side_word_roots
    opposites = [word for word in text.split() if word_root(word) in stem.opposite_side_word_roots]
    if opposites and asked_roots.isdisjoint(map(word_root, line_words)):
        raise UnreadableError(f'"{opposites[0]}" is the opposite of what is asked: write the number that is asked')
    if words.BOUND_PHRASES_PATTERN.search(text) and not _accepts_bound_as_answer(expected):
        raise UnreadableError("it gives a bound: write the number itself")
    for word in words.BOUND_PHRASES_PATTERN.sub(" ", text).split():
        base = word_root(word)
        if base not in asked_roots and (base not in stem.question_word_roots or word in words.NEVER_HARMLESS_WORDS):
            _require_harmless_word(word, base, expected, allows_names)


def _require_harmless_word(word: str, base: str, expected: AnswerFormat, allows_names: bool) -> None:
    stem, own_words = expected.stem_words, expected.unit_lexicon.unit_by_word
    if base in words.NUMBER_CHANGING_WORD_ROOTS or (word in CURRENCY_LABELS_BY_WORD and word not in own_words):
        raise UnreadableError(f'"{shorten(word)}" may change the number: {_PLAIN_NUMBER_HINT}')
    is_known = base in stem.known_word_roots or word in own_words
    is_harmless = base in _HARMLESS_WORD_ROOTS or len(word) < 3 or word.endswith("ly")
    ends_in_digit = word[-1].isdigit() and word not in words.FUNCTION_NAMES  # H100
    if not (allows_names or is_known or is_harmless or ends_in_digit):
        raise _unknown_word_error(word)


def _unknown_word_error(word: str) -> UnreadableError:
    return UnreadableError(
        f'"{shorten(word)}" is not a unit known here, nor a word of the question: write the number with its unit'
    )


def _refuse_signs_that_change_amount(before: Tokens, after: Tokens, expected: AnswerFormat) -> None:
    """Raise UnreadableError for signs around an amount that change it: `16*N`, `K - 1`, `2000+`, `> 30`, `sin(2)`."""
    ignored_signs = (*_IGNORED_SIGNS, *((">=", "<=") if _accepts_bound_as_answer(expected) else ()))
    for last, token in pairwise((EDGE_TOKEN, *before, EDGE_TOKEN, *after)):
        dash = token.lower == "-" and len(last.lower) > 2  # memory - 31.7 GB
        is_call = token.lower == "(" and last.kind == WORD and not token.is_after_space
        if token.kind == SIGN and (is_call or not (dash or token.lower in ignored_signs)):
            letter = next((one.text for one in (*after, *before) if one.kind == WORD and len(one.text) == 1), "")
            reason = f'"{letter}" may be a name or a unit' if letter else f'cannot read "{token.text}" here'
            raise UnreadableError(f"{reason}: {_PLAIN_NUMBER_HINT}")


def _refuse_separated_unit(line: Tokens, amount: WrittenAmount, expected: AnswerFormat) -> None:
    """Raise UnreadableError for a unit apart from its number (`31.7, GB`), except one of another kind in words of the
    stem (`45 GB for the hour`)."""
    dim = expected.default_unit.dim
    for token in line:
        if token.unit is None or token.unit.dim.count_label or not token.unit.dim.powers:
            continue
        is_same_kind = answer_dimension_fits(token.unit.dim, dim) or (dim.is_rate and token.unit.dim == SECOND.dim)
        if is_same_kind or amount.unit is None or word_root(token.lower) not in expected.stem_words.known_word_roots:
            remedy = "the number alone" if expected.default_unit is UNIT_ONE else "the unit right after"
            raise UnreadableError(f"there is a word between number and unit: write {remedy}")


def _refuse_words_next_to_number(
    before: Tokens, after: Tokens, amount: WrittenAmount, is_after_space: bool, expected: AnswerFormat
) -> None:
    """Raise UnreadableError for a word right before the number (`A$2000`, `one 1000`), for `per` with a word that is no
    unit and not asked for, and for some words after a bare number."""
    last, first, second = (EDGE_TOKEN, *before)[-1], *(*after, EDGE_TOKEN, EDGE_TOKEN)[:2]
    is_joint = not is_after_space or last.lower in words.NUMBER_BY_WORD or (last.lower == "in" and amount.unit is None)
    if last.kind == WORD and last.lower != "x" and is_joint:
        raise UnreadableError(f'cannot read "{last.lower}" right before the number: {_PLAIN_NUMBER_HINT}')
    if first.lower == "per" or (first.lower in ("a", "an", "every") and second.kind == WORD):
        if second.unit is None and word_root(second.lower) not in expected.stem_words.word_roots_after_one_or_each:
            raise UnreadableError(f'"{first.lower} {shorten(second.lower)}" is not asked: write the number that is')
    elif amount.unit is None and first.kind == WORD:
        base, known_roots = word_root(first.lower), expected.stem_words.known_word_roots
        is_short = len(first.lower) < 3 and first.lower != "or" and base not in words.FILLER_WORD_ROOTS
        if not first.is_after_space or (is_short and (len(first.lower) == 1 or base not in known_roots)):
            raise _unknown_word_error(first.lower)


def _refuse_unasked_each_or_per(texts: list[str], amount: WrittenAmount, expected: AnswerFormat) -> None:
    """Raise UnreadableError for `10 GB per replica` and for `each` in the `texts` around it, unless the stem asks
    it."""
    stem, powers = expected.stem_words, dict(expected.default_unit.dim.powers)
    if not stem.unfilled_stem:
        return
    for name, power in amount.unit.dim.powers if amount.unit is not None else ():
        labels = (name, *label_synonyms(name))
        divides = power < 0 and name not in units.PHYSICAL_DIMENSIONS and powers.keys().isdisjoint(labels)
        if divides and word_roots_of_label(name, expected).isdisjoint(stem.word_roots_after_one_or_each):
            raise UnreadableError(f'"per {name}" is not asked: write the number that is')
    divides = any(power < 0 for power in powers.values())
    if "each" in texts and not divides and words.WORD_ROOTS_ASKING_PER_ONE.isdisjoint(stem.question_word_roots):
        raise UnreadableError('"each" is not asked: write the number that is')


def word_roots_of_label(label: str, expected: AnswerFormat) -> frozenset[str]:
    """The roots of all words for the things of `label`: itself, its synonyms, and the bank's words for it."""
    labels = (label, *label_synonyms(label))
    own_words = (word for word, unit in expected.unit_lexicon.unit_by_word.items() if unit.dim.count_label in labels)
    return frozenset(map(word_root, (*labels, *own_words)))


def _accepts_bound_as_answer(expected: AnswerFormat) -> bool:
    """Whether a bound (`at least 14`) counts as an answer."""
    return expected.is_whole or bool(expected.default_unit.dim.count_label)


def _split_off_parentheses(line: Tokens) -> tuple[Tokens, list[list[ResponseToken]]]:
    """`line` without the parentheses after an amount, and those parentheses: `38.5 GB (28 + 10.5)`."""
    remainder: list[ResponseToken] = []
    asides: list[list[ResponseToken]] = []
    has_amount = is_inside = False
    for token in line:
        if not is_inside and token.lower == "(" and has_amount:
            asides.append([])
            is_inside = True
        (asides[-1] if is_inside else remainder).append(token)
        is_inside = is_inside and token.lower != ")"
        has_amount = has_amount or token.kind == AMOUNT
    return remainder, asides
