"""The one amount of a response that answers: the last result, or a reason to ask again."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from quizgen.formula.units import ONE
from quizgen.numbers import words as known
from quizgen.numbers.amounts import WrittenAmount
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.equal_amounts import UnitFit, finer, same_amount, unit_fit
from quizgen.numbers.sums import AMOUNT, UNIT, Line, Span, amounts_of
from quizgen.numbers.surroundings import check_label, check_share, check_words
from quizgen.numbers.tokens import OPERATORS, SIGN, WORD
from quizgen.numbers.units import has_money

TWO_NUMBERS: Final = "it holds two different numbers: write one"
_EMPTY: Final = re.compile(known.EMPTY_PHRASES)
_JOINTS: Final = frozenset(("to", "-", "..", "and", "or", "&", "+"))


class Segment(NamedTuple):
    """The spans between two signs of a result (`=`, `->`, `~`, `:`, "so"), and the sign that leads to them."""

    sign: str
    line: list[Span]


def choose(line: Line, expected: AnswerFormat) -> WrittenAmount:
    """The amount in `line` that answers. Raises AskAgain."""
    if len(line) == 1 and line[0].amount is not None:
        check_share([], line[0].amount, expected)
        return line[0].amount
    if any(one.kind == AMOUNT == other.kind for one, other in pairwise(line)):
        raise AskAgain(TWO_NUMBERS)
    segments = _segments(_without_inputs(line, expected))
    numbered = [place for place, segment in enumerate(segments) if amounts_of(segment.line)]
    if not numbered:
        raise AskAgain("it holds no number: write one")
    last = numbered[-1]
    _check_whole_line(line, len(numbered), expected)
    for place, segment in enumerate(segments):
        if place > last and any(span.low == "?" for span in segment.line):
            raise AskAgain("it leaves the result open: write it")
        if place not in numbered:
            check_label(segment.line, expected, place < last)
    result = _answer_in(segments[last].line, expected)
    for place in reversed(numbered[:-1]):
        result = _reconciled(segments[place], segments[last].sign, result, expected)
    return result


def _check_whole_line(line: Line, parts: int, expected: AnswerFormat) -> None:
    """Two numbers with "or" between them are two answers; a sum of money in brackets may be a loss."""
    words = [span.low for span in line if span.kind == WORD]
    if "or" in words and parts > 1 and "or" in _EMPTY.sub("", " ".join(words)).split():
        raise AskAgain(TWO_NUMBERS)
    bracketed = len(line) == 3 and line[0].low == "(" and line[2].low == ")"
    if bracketed and has_money(expected.unit_in_stem or expected.unit):
        raise AskAgain("a number in brackets may be a loss: write it with its sign")


# -- parts of a response --------------------------------------------------------------------


def _without_inputs(line: Line, expected: AnswerFormat) -> list[Span]:
    """`line` without the `K = 32` of `31.7 GB for K = 32`: a short name that equals a number, behind an amount or
    before one in a unit that fits."""
    starts = [place for place in range(len(line) - 2) if _is_input(line, place)]
    inputs = {place + i for place in starts for i in range(3)}
    outside = [span.amount for place, span in enumerate(line) if span.kind == AMOUNT and place not in inputs]
    if len(starts) > 1 and not outside:
        raise AskAgain(TWO_NUMBERS)  # TP = 8, PP = 4
    fitting = any(one is not None and unit_fit(one, expected) is UnitFit.SAME for one in outside)
    left: list[Span] = []
    for place, span in enumerate(line):
        if place in starts and not (fitting or (_is_joint(left) and amounts_of(left))):
            inputs -= {place, place + 1, place + 2}
        if place not in inputs:
            left += () if span.low == ")" and place - 1 in inputs else (span,)
            continue
        while _is_joint(left):
            left.pop()
    return left


def _is_joint(line: Line) -> bool:
    return bool(line) and (line[-1].low in known.CONDITION_LEADS or line[-1].low in (",", ";", "/", "@", "and", "("))


def _is_input(line: Line, place: int) -> bool:
    name, sign, number = line[place : place + 3]
    if place and not _is_joint(line[:place]):
        return False
    after = line[place + 3].low if place + 3 < len(line) else ""
    short = name.kind in (WORD, UNIT) and (len(name.low) < 3 or name.low in known.NUMBERED_NAMES) and sign.low == "="
    return short and number.kind == AMOUNT and not number.worked and after not in ("=", "~", *OPERATORS)


def _segments(line: Line) -> list[Segment]:
    segments = [Segment("", [])]
    depth, numbers = 0, False
    for place, span in enumerate(line):
        depth += (span.low == "(") - (span.low == ")")
        gap = place + 1 == len(line) or line[place + 1].gap
        equals = span.kind == SIGN and (span.low in ("=", "->") or (span.low == ":" and gap))
        concludes = (span.low in known.CONCLUDING or span.low == "~") and numbers and line[place - 1].low != "or"
        if depth <= 0 and (equals or concludes):
            segments.append(Segment("=" if span.low == "is" else "so" if span.kind == WORD else span.low, []))
            numbers = False
        elif span.low != "~":
            segments[-1].line.append(span)
            numbers = numbers or span.kind == AMOUNT
    return segments


def _reconciled(earlier: Segment, sign: str, result: WrittenAmount, expected: AnswerFormat) -> WrittenAmount:
    """`result`, which `sign` leads to, held against an earlier part: the finer one of two spellings of one amount;
    AskAgain for two answers."""
    spans = amounts_of(earlier.line)
    left = spans[0].amount
    if left is None:
        return result
    fit, same = unit_fit(left, expected), same_amount(left, result, expected)
    if fit is UnitFit.OTHER or (len(spans) > 1 and (earlier.sign != "=" or fit is UnitFit.NONE or same)):
        return result
    bare = left.unit is not None and result.unit is None
    differs = unit_fit(result, expected) is UnitFit.OTHER or (bare and left.value != result.value)
    if differs or len(spans) > 1:
        raise AskAgain(TWO_NUMBERS)  # 13 GPUs = 104 GB; 60 ms, maybe 3 * 30 ms = 90 ms
    if bare or (left.unit is None and result.unit is not None):
        return left if bare else result  # 16000 * 2 MB = 32000
    return _plain_result(left, result, same, _is_answer_too(earlier.line, spans[0], sign), sign, expected)


def _plain_result(
    left: WrittenAmount, result: WrittenAmount, same: bool, answer_too: bool, sign: str, expected: AnswerFormat
) -> WrittenAmount:
    """The rounded one of two whole counts, the finer one of two spellings, or `result` where `left` is working."""
    counted = expected.whole or expected.unit.dim.label or (expected.unit is ONE and sign in ("->", "so"))
    if counted and abs(Fraction(left.value) - result.value) < 1 and Fraction(result.value).denominator == 1:
        return result  # 13.33 -> 14
    if same:
        return finer(left, result, expected)
    if answer_too:
        raise AskAgain(TWO_NUMBERS)
    return result


def _is_answer_too(line: Line, span: Span, sign: str) -> bool:
    """Whether the number `span` of an earlier part is another answer: nothing else stands there, or something named
    follows it (`A: 10 GB, B: 20 GB`)."""
    behind = line[line.index(span) + 1 :]
    named = bool(behind) and behind[0].low in (",", ";", ".") and sign in ("=", ":")
    quiet = known.FILLERS | {",", ".", "-", "(", ")", '"'}
    return named or (not span.worked and all(one.kind == AMOUNT or one.low in quiet for one in line))


# -- the amount of one part -----------------------------------------------------------------


def _answer_in(line: list[Span], expected: AnswerFormat) -> WrittenAmount:
    """The only amount of a part, or the one with a unit that fits where all others are of a different kind."""
    line, remarks = _without_asides(line, expected)
    amounts: dict[int, WrittenAmount] = {}
    for place, span in enumerate(line):
        if span.kind == AMOUNT:
            if span.amount is None:
                raise AskAgain(span.fault)
            amounts[place] = span.amount
    fits_bare = UnitFit.NONE if expected.unit.dim.bare else UnitFit.SAME
    fitting = [place for place, one in amounts.items() if unit_fit(one, expected) in (UnitFit.SAME, fits_bare)]
    answer = fitting[0] if len(amounts) > 1 and len(fitting) == 1 else next(iter(amounts))
    others = [place for place in amounts if place != answer]
    if others and (len(fitting) != 1 or line[answer - 1].low in _JOINTS):
        raise AskAgain(TWO_NUMBERS)
    if not all(_is_condition(line, place, answer, expected) for place in others):
        raise AskAgain(TWO_NUMBERS)
    check_words(line[:answer], line[answer + 1 :], remarks, amounts[answer], line[answer].gap, expected)
    return amounts[answer]


def _is_condition(line: Line, place: int, answer: int, expected: AnswerFormat) -> bool:
    """Whether the amount at `place` is no second answer: `on 32 GPUs`, `, 56 bytes left over`."""
    amount, at = line[place].amount, place - 1
    while at > 0 and line[at].low in ("a", "an", "the", "each", "all"):
        at -= 1
    before = line[at].low if at >= 0 else ""
    unit = amount.unit if amount is not None else None
    counts = bool(unit and unit.dim.label and expected.unit.dim.label)
    led = (before in known.CONDITION_LEADS or before == "@") and not counts
    stopped = before in (",", ";") or any(span.low in (",", ";") for span in line[place:answer])
    return before not in _JOINTS and (led or (stopped and unit is not None))


def _without_asides(line: list[Span], expected: AnswerFormat) -> tuple[list[Span], list[Line]]:
    """`line` without the parentheses behind an amount, and their words: `38.5 GB (28 + 10.5)`, `52 (rounded down)`.

    Of one that says the same amount, the finer one stays. Raises AskAgain for one that says another.
    """
    left: list[Span] = []
    remarks: list[Line] = []
    place = 0
    while place < len(line):
        span = line[place]
        amounts = amounts_of(left) if span.low == "(" else []
        main = amounts[-1].amount if amounts else None
        if main is None:
            left.append(span)
            place += 1
            continue
        closed = next((end for end in range(place, len(line)) if line[end].low == ")"), len(line))
        inside = line[place + 1 : closed]
        if not span.gap and main.unit is None and amounts_of(inside):
            raise AskAgain("a number right before a parenthesis may be a product or a margin: write the result")
        if any(one.low in known.CORRECTIONS for one in inside):
            raise AskAgain("it takes a number back: write one")
        amount = _finer_of_aside(main, inside, expected)
        at = left.index(amounts[-1])
        left[at] = left[at]._replace(amount=amount)
        remarks.append([one for one in inside if one.kind != AMOUNT])
        place = closed + 1
    return left, remarks


def _finer_of_aside(main: WrittenAmount, inside: Line, expected: AnswerFormat) -> WrittenAmount:
    """`main` or the amount of its kind in the parenthesis behind it, whichever is finer. Raises AskAgain for two
    amounts that differ."""
    words = any(span.kind == WORD for span in inside)
    for span in amounts_of(inside):
        one = span.amount
        fit = unit_fit(one, expected) if one is not None else UnitFit.OTHER
        named = fit is UnitFit.NONE and main.unit is not None and words and len(amounts_of(inside)) == 1
        if one is None or fit is UnitFit.OTHER or named:  # 14 GPUs (80 GB each), 0.2 s (queue depth 1)
            continue
        whole = (expected.whole or expected.unit.whole) and one.unit is None
        if whole and abs(Fraction(one.value) - Fraction(main.value)) < 1:
            continue  # 14 (13.3 rounded up)
        if one.unit is None and main.unit is not None and not main.unit.dim.bare:
            one = one._replace(unit=main.unit)
        if not same_amount(main, one, expected):
            raise AskAgain(TWO_NUMBERS)
        main = finer(main, one, expected)
    return main
