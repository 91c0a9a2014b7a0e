"""The one amount of a response that answers: the last result, or a reason to ask again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from quizgen.formula.units import ONE, Unit, fits
from quizgen.numbers import words as known
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.sums import amounts_of
from quizgen.numbers.surroundings import check_label, check_words
from quizgen.numbers.tokens import AMOUNT, END, WORD, Line, ResponseToken, WrittenAmount
from quizgen.numbers.units import has_money
from quizgen.numbers.words import root

TWO_NUMBERS: Final = "these are two different numbers: write one"
_EMPTY: Final = re.compile(known.EMPTY_PHRASES)
_JOINTS: Final = frozenset(("to", "-", "..", "and", "or", "&", "+"))
_QUIET: Final = known.FILLERS | {",", ".", "-", "(", ")", '"'}
_ARTICLES: Final = ("a", "an", "the", "each", "all")
_CLOSE: Final = Fraction(1, 100)  # by which two spellings of one amount may differ, each of them rounded
_MANY: Final = 10**6  # from here on trailing zeros are rounding


class Segment(NamedTuple):
    """The spans between two signs of a result (`=`, `->`, `~`, `:`, "so"), and the sign that leads to them; "(" for an
    amount in a parenthesis behind the result."""

    sign: str
    line: list[ResponseToken]


def choose(line: Line, expected: AnswerFormat) -> WrittenAmount:
    """The amount in `line` that answers. Raises AskAgain."""
    segments = _segments(line)
    numbered = [place for place, segment in enumerate(segments) if amounts_of(segment.line)]
    if not numbered:
        raise AskAgain("there is no number in it: write one")
    last = numbered[-1]
    _check_whole_line(line, len(numbered), expected)
    for place, segment in enumerate(segments):
        if place > last and any(span.low == "?" for span in segment.line):
            raise AskAgain("it leaves the result open: write the result")
        if place not in numbered:
            check_label(segment.line, expected)
    result, asides = _answer_in(segments[last].line, expected)
    for earlier in (*asides, *(segments[place] for place in reversed(numbered[:-1]))):
        result = _reconciled(earlier, segments[last].sign, result, expected)
    return result


def _check_whole_line(line: Line, parts: int, expected: AnswerFormat) -> None:
    """Two numbers in a row, or with "or" between them, are two answers; money in brackets may be a loss."""
    words = " ".join(span.low for span in line if span.kind == WORD)
    alternative = parts > 1 and "or" in _EMPTY.sub("", words).split()
    if alternative or any(one.kind == AMOUNT == other.kind for one, other in pairwise(line)):
        raise AskAgain(TWO_NUMBERS)
    bracketed = len(line) == 3 and line[0].low == "(" and line[2].low == ")"
    if bracketed and has_money(expected.unit_in_stem or expected.unit):
        raise AskAgain("a number in brackets may be a loss: write it with its sign")


def _segments(line: Line) -> list[Segment]:
    segments = [Segment("", [])]
    depth = 0
    for before, span, behind in zip((END, *line), line, (*line[1:], END), strict=False):
        depth += (span.low == "(") - (span.low == ")")
        equals = span.low in ("=", "->", "~") or (span.low == ":" and behind.gap)
        concludes = span.low in known.CONCLUDING and before.low != "or"
        if depth <= 0 and (equals or concludes):
            segments.append(Segment("=" if span.low == "is" else "so" if span.kind == WORD else span.low, []))
        elif span.low != "~":
            segments[-1].line.append(span)
    if depth > 0:
        raise AskAgain("the parentheses do not match: write the number, or close them")
    return segments


# -- two amounts, or two spellings of one ---------------------------------------------------


def _has_fitting_unit(amount: WrittenAmount, expected: AnswerFormat) -> bool | None:
    """Whether an amount has a unit that fits what is expected; None where it has no unit."""
    if amount.unit is None:
        return None
    unit, given = expected.unit_in_stem or expected.unit, amount.unit.dim
    if given.bare and not expected.unit.dim.bare:
        return False
    return fits(given, unit.dim) or given == expected.unit.dim


def _reconciled(earlier: Segment, sign: str, result: WrittenAmount, expected: AnswerFormat) -> WrittenAmount:
    """`result`, which `sign` leads to, held against an earlier part: the finer one of two spellings of one amount;
    AskAgain for two answers."""
    first, *more = amounts_of(earlier.line)
    left = first.amount
    if left is None or _has_fitting_unit(left, expected) is False:
        return result
    same = _is_same(left, result, expected)
    if more and (earlier.sign != "=" or left.unit is None or same):
        return result
    if more or _has_fitting_unit(result, expected) is False:
        raise AskAgain(TWO_NUMBERS)  # 13 GPUs = 104 GB; 60 ms, maybe 3 * 30 ms = 90 ms
    if _is_result_of(left, result, earlier.sign, sign, expected):
        return result
    if same:
        return _finer(left, result, expected)
    if left.unit is not None and result.unit is None:
        if left.value != result.value:
            raise AskAgain(TWO_NUMBERS)
        return left  # 16000 * 2 MB = 32000
    if _is_answer_too(earlier, first, sign):
        raise AskAgain(TWO_NUMBERS)
    return result


def _is_result_of(left: WrittenAmount, result: WrittenAmount, before: str, sign: str, expected: AnswerFormat) -> bool:
    """Whether `result` is `left` with a unit, or the whole number that it comes to: `13.33 -> 14`, `14 (13.33)`.
    `before` and `sign` lead to them."""
    aside, unit = before == "(", expected.unit
    counted = unit.whole if aside else bool(unit.dim.label) or (unit is ONE and sign in ("->", "so"))
    near = abs(Fraction(left.value) - Fraction(result.value)) < 1 and Fraction(result.value).denominator == 1
    return (not aside and left.unit is None and result.unit is not None) or (near and (expected.whole or counted))


def _is_answer_too(earlier: Segment, span: ResponseToken, sign: str) -> bool:
    """Whether the number `span` of an earlier part is another answer: it is in a parenthesis, it stands alone, or
    something named follows it (`A: 10 GB, B: 20 GB`)."""
    behind = earlier.line[earlier.line.index(span) + 1 :]
    named = bool(behind) and behind[0].low in (",", ";", ".") and sign in ("=", ":")
    alone = not span.worked and all(one.kind == AMOUNT or root(one.low) in _QUIET for one in earlier.line)
    return earlier.sign == "(" or named or alone


def _is_same(left: WrittenAmount, right: WrittenAmount, expected: AnswerFormat) -> bool:
    """Whether two amounts are two spellings of one, each rounded: `31.7 GB (29.5 GiB)`, `0.467 = 46.7%`."""
    whole = expected.whole or expected.unit.whole
    for mine in _possible_units(left, expected):
        for theirs in _possible_units(right, expected):
            one, other = Fraction(left.value) * mine.factor, Fraction(right.value) * theirs.factor
            slack = max(_half_place(left, mine), _half_place(right, theirs))
            if mine.factor != theirs.factor and not whole:
                slack = max(slack, _CLOSE * max(abs(one), abs(other)))
            if fits(mine.dim, theirs.dim) and abs(one - other) <= slack:
                return True
    return False


def _possible_units(amount: WrittenAmount, expected: AnswerFormat) -> tuple[Unit, ...]:
    unit = expected.unit_in_stem or expected.unit
    if amount.unit is not None:
        return (amount.unit,)
    return (unit, ONE) if unit.dim.bare and unit is not ONE else (unit,)


def _half_place(amount: WrittenAmount, unit: Unit) -> Fraction:
    """By how much an amount may be rounded, at most a tenth of it: 0.05 for 31.7, half of one for 30."""
    step = amount.step or Fraction(0)
    if abs(Fraction(amount.value)) < _MANY:
        step = min(step, Fraction(1))
    return min(step / 2, abs(Fraction(amount.value)) / 10) * unit.factor


def _finer(left: WrittenAmount, right: WrittenAmount, expected: AnswerFormat) -> WrittenAmount:
    """The amount of two spellings that was written in the expected unit or to more digits; `left` where both were."""
    if left.unit is not None and right.unit is not None and left.unit != right.unit:
        return right if right.unit == expected.unit else left
    places = [((one.step or 0) * _possible_units(one, expected)[0].factor, one.unit is None) for one in (left, right)]
    return left if places[0] <= places[1] else right


# -- the amount of one part -----------------------------------------------------------------


def _answer_in(line: Line, expected: AnswerFormat) -> tuple[WrittenAmount, list[Segment]]:
    """The only amount of a part, or the one with a unit that fits where all others are of a different kind; and the
    amounts in parentheses behind it."""
    line, asides = _without_asides(line)
    faults = [span.fault for span in amounts_of(line) if span.amount is None]
    if faults:
        raise AskAgain(faults[0])
    amounts = {place: span.amount for place, span in enumerate(line) if span.amount is not None}
    place = _place_of_answer(line, amounts, expected)
    answer = amounts[place]
    if answer.unit is None and any(not one[0].gap and amounts_of(one) for one in asides):
        raise AskAgain("a number right before a parenthesis may be a product or a margin: write the result")
    check_words(line[:place], line[place + 1 :], asides, answer, line[place].gap, expected)
    return answer, [_aside(span, answer) for one in asides for span in amounts_of(one)]


def _place_of_answer(line: Line, amounts: Mapping[int, WrittenAmount], expected: AnswerFormat) -> int:
    """The place in `line` of the one that answers of `amounts` by their places. Raises AskAgain for two answers."""
    bare = None if expected.unit.dim.bare else True
    fitting = [place for place, one in amounts.items() if _has_fitting_unit(one, expected) in (True, bare)]
    answer = fitting[0] if len(fitting) == 1 else next(iter(amounts))
    others = [place for place in amounts if place != answer]
    alone = len(fitting) == 1 and line[answer - 1].low not in _JOINTS
    if others and not (alone and all(_is_condition(line, amounts, place, answer, expected) for place in others)):
        raise AskAgain(TWO_NUMBERS)
    return answer


def _aside(span: ResponseToken, main: WrittenAmount) -> Segment:
    """The part of an amount in a parenthesis behind the amount `main`, in whose unit a bare number is."""
    amount, unit = span.amount, main.unit
    if amount is not None and amount.unit is None and unit is not None and not unit.dim.bare:
        span = span._replace(amount=amount._replace(unit=unit))
    return Segment("(", [span])


def _is_condition(
    line: Line, amounts: Mapping[int, WrittenAmount], place: int, answer: int, expected: AnswerFormat
) -> bool:
    """Whether the amount at `place` is no second answer beside the one at `answer`: `on 32 GPUs`, `, 56 bytes left
    over`."""
    before = next((span.low for span in reversed(line[:place]) if span.low not in _ARTICLES), "")
    unit = amounts[place].unit
    if before in known.CONDITION_LEADS or before == "@":
        counts = bool(unit and unit.dim.label and expected.unit.dim.label)  # 4 GPUs in each of 8 nodes
        share = before in ("of", "in") and amounts[answer].unit is None  # 1460 of 1538 bytes
        return not counts and not share
    return unit is not None and any(span.low in (",", ";") for span in line[max(place - 1, 0) : max(place, answer)])


def _without_asides(line: Line) -> tuple[Line, list[list[ResponseToken]]]:
    """`line` without the parentheses behind an amount, and these: `38.5 GB (28 + 10.5)`, `52 (rounded down)`."""
    left: list[ResponseToken] = []
    asides: list[list[ResponseToken]] = []
    numbers = inside = False
    for span in line:
        if not inside and span.low == "(" and numbers:
            asides.append([])
            inside = True
        (asides[-1] if inside else left).append(span)
        inside = inside and span.low != ")"
        numbers = numbers or span.kind == AMOUNT
    return left, asides
