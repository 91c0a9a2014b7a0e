"""The one amount of a response that answers: the last result, or a reason to ask again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from quizgen.formula.unit_fit import fits
from quizgen.formula.units import ONE, Unit
from quizgen.numbers.amounts import WrittenAmount
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.sums import AMOUNT, UNIT, ResponsePiece, amount_pieces
from quizgen.numbers.surroundings import check_label, check_share, check_words
from quizgen.numbers.tokens import OPERATORS, SIGN, WORD
from quizgen.numbers.units import is_money
from quizgen.numbers.words import (
    CONCLUDING,
    CONDITION_LEADS,
    CORRECTIONS,
    EMPTY_PHRASES,
    FILLERS,
    NUMBERED_NAMES,
)

TWO_NUMBERS: Final = "it holds two different numbers: write one"
_CLOSE: Final = Fraction(1, 100)  # by which two spellings of one amount may differ, each of them rounded
_MANY: Final = 10**6  # from here on trailing zeros are rounding
_EMPTY: Final = re.compile(EMPTY_PHRASES)
_NO_PIECE: Final = ResponsePiece("end", "", True, 0)


class UnitFit(Enum):
    """Whether an amount has a unit that fits what is expected, none, or another one."""

    SAME = 1
    NONE = 2
    OTHER = 3


class Segment(NamedTuple):
    """The pieces between two signs of a result (`=`, `->`, `~`, `:`, "so"), and the sign that leads to them."""

    sign: str
    line: list[ResponsePiece]

    @property
    def amounts(self) -> list[ResponsePiece]:
        return amount_pieces(self.line)


def choose(line: Sequence[ResponsePiece], expected: AnswerFormat) -> WrittenAmount:
    """The amount in `line` that answers. Raises AskAgain."""
    if len(line) == 1 and line[0].amount is not None:
        check_share((), line[0].amount, expected)
        return line[0].amount
    if any(one.kind == AMOUNT == other.kind for one, other in pairwise(line)):
        raise AskAgain(TWO_NUMBERS)
    segments = _segments(_without_inputs(line, expected))
    numbered = [place for place, segment in enumerate(segments) if segment.amounts]
    if not numbered:
        raise AskAgain("it holds no number: write one")
    last = numbered[-1]
    _check_offers(line, len(numbered))
    _check_loss_in_brackets(line, expected)
    for place, segment in enumerate(segments):
        if place > last and any(piece.low == "?" for piece in segment.line):
            raise AskAgain("it leaves the result open: write it")
        if place not in numbered:
            check_label(segment.line, expected, place < last)
    result = _answer_in(segments[last].line, expected)
    for place in numbered[-2::-1] if len(numbered) > 1 else ():
        result = _reconciled(segments[place], segments[last], result, expected)
    return result


def _check_offers(line: Sequence[ResponsePiece], parts: int) -> None:
    """Two numbers with "or" between them are two answers, unless they are one amount in one part."""
    words = " ".join(piece.low for piece in line if piece.kind != AMOUNT)
    if " or " in f" {words} " and "or" in _EMPTY.sub("", words).split() and parts > 1:
        raise AskAgain(TWO_NUMBERS)


def _check_loss_in_brackets(line: Sequence[ResponsePiece], expected: AnswerFormat) -> None:
    bracketed = len(line) == 3 and line[0].low == "(" and line[2].low == ")"
    if bracketed and is_money(expected.unit_in_stem or expected.unit):
        raise AskAgain("a number in brackets may be a loss: write it with its sign")


# -- parts of a response --------------------------------------------------------------------


def _without_inputs(line: Sequence[ResponsePiece], expected: AnswerFormat) -> list[ResponsePiece]:
    """`line` without the `K = 32` of `31.7 GB for K = 32`: a short name that equals a number, behind an amount or
    before one in a unit that fits."""
    starts = [place for place in range(len(line) - 2) if _is_input(line, place)]
    inputs = {place + i for place in starts for i in range(3)}
    outside = [piece for place, piece in enumerate(line) if piece.kind == AMOUNT and place not in inputs]
    if len(starts) > 1 and not outside:
        raise AskAgain(TWO_NUMBERS)  # TP = 8, PP = 4
    fitting = any(one.amount is not None and _fit(one.amount, expected) is UnitFit.SAME for one in outside)
    left: list[ResponsePiece] = []
    for place, piece in enumerate(line):
        if place in starts:
            joined = bool(left) and (left[-1].low in CONDITION_LEADS or left[-1].low in (",", "/", "@", "and", "("))
            if not fitting and not (joined and amount_pieces(left)):
                inputs -= {place, place + 1, place + 2}
            while (
                joined and place in inputs and left and (left[-1].low in CONDITION_LEADS or left[-1].low in ",/@(and")
            ):
                left.pop()
        closes = piece.low == ")" and place - 1 in inputs
        if place not in inputs and not closes:
            left.append(piece)
    return left


def _is_input(line: Sequence[ResponsePiece], place: int) -> bool:
    name, sign, number = line[place : place + 3]
    after = line[place + 3].low if place + 3 < len(line) else ""
    short = name.kind in (WORD, UNIT) and (len(name.low) < 3 or name.low in NUMBERED_NAMES) and sign.low == "="
    return short and number.kind == AMOUNT and not number.worked and after not in ("=", "~", *OPERATORS)


def _segments(line: Sequence[ResponsePiece]) -> list[Segment]:
    segments = [Segment("", [])]
    depth, numbers = 0, False
    for place, piece in enumerate(line):
        current = segments[-1].line
        if piece.kind == SIGN:
            depth += (piece.low == "(") - (piece.low == ")")
        follows = line[place + 1] if place + 1 < len(line) else _NO_PIECE
        colon = piece.low == ":" and follows.gap
        equals = piece.kind == SIGN and piece.low in ("=", "->", "~")
        concludes = piece.low in CONCLUDING and piece.kind == WORD and numbers and line[place - 1].low != "or"
        if depth > 0 or not (colon or equals or concludes) or (piece.low == "~" and not numbers):
            if not (piece.low == "~" and not numbers):
                current.append(piece)
            numbers = numbers or piece.kind == AMOUNT
            continue
        segments.append(Segment("so" if concludes else piece.low, []))
        numbers = False
    return segments


def _reconciled(earlier: Segment, last: Segment, result: WrittenAmount, expected: AnswerFormat) -> WrittenAmount:
    """`result` held against an earlier part: the finer one of two spellings of one amount; AskAgain for two answers."""
    amounts = earlier.amounts
    left = amounts[0].amount
    if left is None:
        return result
    if len(amounts) > 1:
        if earlier.sign == "=" and _fit(left, expected) is UnitFit.SAME and not _same_amount(left, result, expected):
            raise AskAgain(TWO_NUMBERS)  # 2 * 30 ms = 60 ms, maybe 3 * 30 ms = 90 ms
        return result
    behind = earlier.line[earlier.line.index(amounts[0]) + 1 :]
    stopped = bool(behind) and behind[0].low in (",", ";", ".")  # A: 10 GB, B: 20 GB
    fit, result_fit = _fit(left, expected), _fit(result, expected)
    if fit is UnitFit.OTHER:
        return result
    plain = not amounts[0].worked and all(
        piece.kind == AMOUNT or piece.low in FILLERS or piece.low in (",", ".", "-", "(", ")", '"')
        for piece in earlier.line
    )
    if result_fit is UnitFit.OTHER:
        if plain or fit is UnitFit.SAME:
            raise AskAgain(TWO_NUMBERS)  # 13 GPUs = 104 GB
        return result
    if left.unit is not None and result.unit is None:
        if left.value != result.value:
            raise AskAgain(TWO_NUMBERS)
        return left  # 16000 * 2 MB = 32000
    if left.unit is None and result.unit is not None:
        return result
    counted = expected.whole or expected.unit.dim.label or (expected.unit is ONE and last.sign in ("->", "so"))
    if counted and abs(Fraction(left.value) - result.value) < 1 and Fraction(result.value).denominator == 1:
        return result  # 13.33 -> 14
    if _same_amount(left, result, expected):
        return _finer(left, result, expected)
    if plain or (stopped and last.sign in ("=", ":")):
        raise AskAgain(TWO_NUMBERS)
    return result


# -- the amount of one part -----------------------------------------------------------------


def _answer_in(line: list[ResponsePiece], expected: AnswerFormat) -> WrittenAmount:
    line, remarks = _without_asides(line, expected)
    places = [place for place, piece in enumerate(line) if piece.kind == AMOUNT]
    for piece in amount_pieces(line):
        if piece.amount is None:
            raise AskAgain(piece.fault)
    (start, end), amount = _answer_at(line, places, expected)
    between = [piece for piece in line[start:end] if piece.kind != AMOUNT and piece.low != "or"]
    check_words(line[:start], line[end:], [between, *remarks], amount, line[start].gap, expected)
    return amount


def _answer_at(
    line: Sequence[ResponsePiece], places: Sequence[int], expected: AnswerFormat
) -> tuple[tuple[int, int], WrittenAmount]:
    """The places and the value of the only amount, of several spellings of one, or of the one with a unit that fits
    where all others are of another kind or conditions."""
    amounts = {place: amount for place in places if (amount := line[place].amount) is not None}
    first = amounts[places[0]]
    if all(_is_again(line, place) and _same_amount(first, amounts[place], expected) for place in places[1:]):
        finest = first
        for amount in amounts.values():
            finest = _finer(finest, amount, expected)
        return (places[0], places[-1] + 1), finest
    fits_bare = UnitFit.NONE if expected.unit.dim.bare else UnitFit.SAME
    fitting = [place for place in places if _fit(amounts[place], expected) in (UnitFit.SAME, fits_bare)]
    if len(fitting) != 1 or line[fitting[0] - 1].low in ("to", "-", "..", "and", "or"):
        raise AskAgain(TWO_NUMBERS)
    for place in places:
        if place != fitting[0] and not _is_condition(line, place, fitting[0], expected):
            raise AskAgain(TWO_NUMBERS)
    return (fitting[0], fitting[0] + 1), amounts[fitting[0]]


def _is_again(line: Sequence[ResponsePiece], place: int) -> bool:
    """Whether the amount at `place` may say the one before it once more: not `30 to 32` nor `31.7 on 32`."""
    before, earlier = line[place - 1].low, line[place - 2].low if place > 1 else ""
    return before not in (CONDITION_LEADS | {"to", "-", ".."}) or (
        before == "to" and earlier in ("rounded", "up", "down")
    )


def _is_condition(line: Sequence[ResponsePiece], place: int, answer: int, expected: AnswerFormat) -> bool:
    """Whether the amount at `place` is no second answer: `on 32 GPUs`, `, 56 bytes left over`."""
    amount, before = line[place].amount, line[place - 1] if place else _NO_PIECE
    while before.low in ("a", "an", "the", "each", "all") and place > 1:
        place, before = place - 1, line[place - 2]
    if before.low in ("and", "&", "or", "to", "-", "+", "plus", "minus"):
        return False
    led = before.low in CONDITION_LEADS or before.low == "@"
    stopped = before.low in (",", ";") or (place < answer and any(piece.low in ",;" for piece in line[place:answer]))
    counts = bool(amount and amount.unit and amount.unit.dim.label and expected.unit.dim.label)
    bare = amount is None or amount.unit is None
    return (led and not counts) or (stopped and not bare)


def _without_asides(
    line: list[ResponsePiece], expected: AnswerFormat
) -> tuple[list[ResponsePiece], list[list[ResponsePiece]]]:
    """`line` without the parentheses behind an amount, and their words: `38.5 GB (28 + 10.5)`, `52 (rounded down)`.

    An amount in one that says the same stays. Raises AskAgain for one that says something else.
    """
    left: list[ResponsePiece] = []
    remarks: list[list[ResponsePiece]] = []
    place = 0
    while place < len(line):
        piece = line[place]
        if piece.low != "(" or piece.kind != SIGN or not amount_pieces(left):
            left.append(piece)
            place += 1
            continue
        closed = next((end for end in range(place, len(line)) if line[end].low == ")"), len(line))
        inside = line[place + 1 : closed]
        main = left[-1].amount if left[-1].kind == AMOUNT and not piece.gap else None
        if main is not None and main.unit is None and amount_pieces(inside):
            raise AskAgain("a number right before a parenthesis may be a product or a margin: write the result")
        if any(one.low in CORRECTIONS for one in inside):
            raise AskAgain("it takes a number back: write one")
        kept = _kept_of_aside(amount_pieces(left)[-1].amount, inside, expected)
        if kept:
            left += [piece._replace(low=","), *kept]
        else:
            remarks.append([one for one in inside if one.kind != AMOUNT])
        place = closed + 1
    return left, remarks


def _kept_of_aside(
    main: WrittenAmount | None, inside: Sequence[ResponsePiece], expected: AnswerFormat
) -> list[ResponsePiece]:
    """The pieces of a parenthesis behind `main` that say an amount of its kind; none where it tells of other things."""
    amounts = [piece.amount for piece in amount_pieces(inside)]
    if main is None or not amounts or any(amount is None for amount in amounts):
        return []
    kinds = [_fit(amount, expected) for amount in amounts if amount is not None]
    joints = [inside[place - 1].low for place, piece in enumerate(inside) if piece.kind == AMOUNT and place]
    if len(amounts) > 1 and set(joints) & {"to", "or", "-"}:
        return list(inside)
    if len(amounts) == 1 and amounts[0] is not None:
        one = amounts[0]
        if (
            main.unit is not None
            and not main.unit.dim.bare
            and one.unit is None
            and not any(piece.kind == WORD for piece in inside)
        ):
            return [piece._replace(amount=one._replace(unit=main.unit)) for piece in amount_pieces(inside)]
        if kinds[0] is UnitFit.NONE and main.unit is not None and any(piece.kind == WORD for piece in inside):
            return []  # 0.2 s (queue depth 1)
        whole = (
            (expected.whole or expected.unit.whole)
            and abs(Fraction(one.value) - Fraction(main.value)) < 1
            and one.unit is None
        )
        return [] if kinds[0] is UnitFit.OTHER or whole else list(inside)
    same_kind = UnitFit.SAME in kinds or (main.unit is None and UnitFit.NONE in kinds)
    return list(inside) if same_kind else []


# -- two amounts ----------------------------------------------------------------------------


def _fit(amount: WrittenAmount, expected: AnswerFormat) -> UnitFit:
    if amount.unit is None:
        return UnitFit.NONE
    unit = expected.unit_in_stem or expected.unit
    if amount.unit.dim.bare and not expected.unit.dim.bare:
        return UnitFit.OTHER
    return UnitFit.SAME if fits(amount.unit.dim, unit.dim) or amount.unit.dim == expected.unit.dim else UnitFit.OTHER


def _same_amount(left: WrittenAmount, right: WrittenAmount, expected: AnswerFormat) -> bool:
    """Whether two amounts are two spellings of one, each rounded: `31.7 GB (29.5 GiB)`, `0.467 = 46.7%`."""
    one, other = _possible_units(left, expected), _possible_units(right, expected)
    return any(
        _are_close(left, mine, right, theirs, expected.whole or expected.unit.whole) for mine in one for theirs in other
    )


def _possible_units(amount: WrittenAmount, expected: AnswerFormat) -> tuple[Unit, ...]:
    unit = expected.unit_in_stem or expected.unit
    if amount.unit is not None:
        return (amount.unit,)
    return (unit, ONE) if unit.dim.bare and unit is not ONE else (unit,)


def _are_close(left: WrittenAmount, mine: Unit, right: WrittenAmount, theirs: Unit, whole: bool) -> bool:
    if not fits(mine.dim, theirs.dim):
        return False
    one, other = Fraction(left.value) * mine.factor, Fraction(right.value) * theirs.factor
    slack = max(_half_place(left, mine), _half_place(right, theirs))
    if mine.factor != theirs.factor and not whole:
        slack = max(slack, _CLOSE * max(abs(one), abs(other)))
    return abs(one - other) <= slack


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
    if left.step is None or right.step is None:
        return left if left.step is None else right
    whole = expected.whole or expected.unit.whole
    if whole and Fraction(right.value).denominator == 1 != Fraction(left.value).denominator:
        return right  # 2.7, rounded up to 3
    mine, theirs = (_possible_units(one, expected)[0].factor for one in (left, right))
    return left if left.step * mine <= right.step * theirs else right
