"""The pieces of a response: its words, signs and amounts, calculations worked out by the formula engine.

The engine sees names in place of the amounts, never the candidate's text, and its own limits hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from quizgen.formula.errors import FormulaError
from quizgen.formula.expression.check import check
from quizgen.formula.expression.evaluate import ImpossibleError, evaluate
from quizgen.formula.expression.parse import parse
from quizgen.formula.expression.tree import bare_scope
from quizgen.formula.quantity import Number, Quantity, in_unit, tidy
from quizgen.formula.unit_fit import fits
from quizgen.formula.unit_table import PHYSICAL
from quizgen.formula.units import ONE, Dim, Unit
from quizgen.numbers import words as known
from quizgen.numbers.amounts import AmountParser, WrittenAmount
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.tokens import NUMBER, OPERATORS, SIGN, WORD, ResponseToken
from quizgen.numbers.units import SECOND

AMOUNT, UNIT = "amount", "unit"
MAX_DEPTH: Final = 12
_NO_FUNCTION: Final = "it uses a function that is not known here: write the result"


class Span(NamedTuple):
    """`kind` is AMOUNT, UNIT (one apart from a number), WORD or SIGN; `gap`: something blank stands before it;
    `worked`: the amount was calculated from several. `fault` says why a calculation has no amount."""

    kind: str
    low: str
    gap: bool
    end: int
    amount: WrittenAmount | None = None
    unit: Unit | None = None
    worked: bool = False
    fault: str = ""


Line = Sequence[Span]


def pieces(tokens: Sequence[ResponseToken], expected: AnswerFormat) -> list[Span]:
    """The pieces of a response to `expected`, in order."""
    line = _amounts(tokens, expected)
    if len(line) > 1 and any(span.low in OPERATORS or span.low == "(" for span in line if span.kind == SIGN):
        return _worked_out(line, expected)
    return line


def amounts_of(line: Line) -> list[Span]:
    return [span for span in line if span.kind == AMOUNT]


def _amounts(tokens: Sequence[ResponseToken], expected: AnswerFormat) -> list[Span]:
    parser = AmountParser(tokens, expected)
    line: list[Span] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        parsed = parser.amount(place) if token.kind != SIGN else None
        if parsed is not None:
            amount, after = parsed
            line.append(Span(AMOUNT, token.low, token.gap, tokens[after - 1].end, amount))
            place = after
            continue
        unit = parser.unit(place) if token.kind == WORD else None
        if unit is not None and not (token.low == "min" and expected.unit.dim != SECOND.dim):
            text = " ".join(one.low for one in tokens[place : unit[1]])
            line.append(Span(UNIT, text, token.gap, tokens[unit[1] - 1].end, None, unit[0]))
            place = unit[1]
            continue
        sign = _sign_of(token, line, tokens, place, expected)
        if sign:
            line = line[:-1] if line[-1].low == "out" else line
            line.append(Span(SIGN, sign, True, token.end))
        else:
            line.append(Span(token.kind, token.low, token.gap, token.end))
        place += 1
    return line


def _sign_of(
    token: ResponseToken, line: list[Span], tokens: Sequence[ResponseToken], place: int, expected: AnswerFormat
) -> str:
    """The operator that `of` stands for: `49 out of 50` where % is expected, `10% of 80 GB`, `1/3 of 96 GB`."""
    if token.low not in ("of", "in") or place + 1 >= len(tokens) or tokens[place + 1].kind != NUMBER:
        return ""
    before = [span for span in line[-3:] if span.low != "out"]
    left = before[-1].amount if before else None
    if left is None:
        return ""
    if left.unit is None and (expected.unit.symbol == "%" or (expected.unit is ONE and expected.unit_in_stem is None)):
        return "/"
    part = left.unit is not None and left.unit.dim.bare and not expected.unit.dim.bare
    return "*" if token.low == "of" and (part or (len(before) > 1 and before[-2].low == "/")) else ""


def _worked_out(line: list[Span], expected: AnswerFormat) -> list[Span]:
    """`line` with each calculation as one amount."""
    made: list[Span] = []
    place = 0
    while place < len(line):
        span, end = line[place], _calculation_end(line, place)
        before = made[-1].kind if made else SIGN
        closing = _closing(line, place) if span.low == "(" else 0
        if closing < 0 and end is None and before == SIGN:
            raise AskAgain("the parentheses do not match: write the number, or close them")
        if end is None or end == place + 1 or (closing and span.gap and before != SIGN and end == closing + 1):
            made.append(span)  # 31.7 GB (26 + 5.7): the parenthesis stays
            end = place + 1
        elif closing and not span.gap and before == WORD:  # sin(2)
            fault = "it uses a function that is not known here: write the result"
            made.append(Span(AMOUNT, "", True, span.end, None, None, True, fault))
        elif closing and end == place + 3:
            made += line[place:end]  # (31.7 GB)
        else:
            unit = line[end].unit if end < len(line) and line[end - 1].low == ")" else None
            made.append(_calculated(line[place:end], unit, expected))
            end += unit is not None
        place = end
    return made


def _calculated(part: Line, behind: Unit | None, expected: AnswerFormat) -> Span:
    """The span of a calculation, with its amount or the reason why it has none."""
    try:
        amount, fault = _value(part, behind, expected), ""
    except AskAgain as reason:
        amount, fault = None, str(reason)
    return Span(AMOUNT, "", part[0].gap, part[0].end, amount, None, True, fault)


def _closing(line: Line, opening: int) -> int:
    depth = 0
    for place in range(opening, len(line)):
        depth += (line[place].low == "(") - (line[place].low == ")")
        if not depth:
            return place
    return -1


def _calculation_end(line: Line, start: int) -> int | None:
    """The place behind the calculation that begins at `start`; None if none does. In linear time."""
    depth, place, end, operand, functions = 0, start, None, False, [False] * (MAX_DEPTH + 2)
    if line[start].low in ("+", "-") and start and line[start - 1].kind in (WORD, UNIT) and line[start].gap:
        return None  # memory - 31.7 GB
    while place < len(line) and depth <= MAX_DEPTH:
        span = line[place]
        called = span.low in known.FUNCTIONS and place + 1 < len(line) and line[place + 1].low == "("
        if not operand and (called or span.low == "("):
            depth += 1
            functions[depth] = called
            place += called
        elif not operand and (span.kind == AMOUNT or span.low in ("+", "-")):
            operand = span.kind == AMOUNT
        elif operand and span.low == ")" and depth:
            depth -= 1
        elif operand and _goes_on(span, functions[depth]):
            operand = False
        else:
            break
        place += 1
        if operand and not depth:
            end = place
    return end


def _goes_on(span: Span, function: bool) -> bool:
    """Whether an operand must follow `span`, which stands behind one: an operator, or in a function a comma."""
    return (span.kind == SIGN and span.low in OPERATORS) or (span.low == "," and function)


def _value(part: Line, behind: Unit | None, expected: AnswerFormat) -> WrittenAmount:
    """The amount that a calculation comes to; `behind` is the unit behind its closing parenthesis, that of the whole.
    Raises AskAgain for a range and for what has no value."""
    given = [span.amount for span in part if span.amount is not None]
    signs = [span.low for span in part if span.kind == SIGN and span.low not in "()"]
    called = any(span.low in known.FUNCTIONS for span in part)
    if len(given) == 1 and len(signs) <= 1 and not called:
        return _negative(given[0]) if signs == ["-"] else given[0]
    if signs == ["-"] and len(part) == 3 and _is_range(*given):
        raise AskAgain("it is a range: write one number")
    wanted = (expected.unit_in_stem or ONE) if expected.unit is ONE else expected.unit
    amount = _in_both_ways(part, given, wanted)
    if behind is not None and amount.unit not in (None, behind):
        raise AskAgain("the calculation has two units: write the result")
    return amount if behind is None else amount._replace(unit=behind)  # 13e9 * (2 + 14/32) bytes


def _in_both_ways(part: Line, given: Sequence[WrittenAmount], wanted: Unit) -> WrittenAmount:
    """The amount of a calculation, with its other value where an amount in it has one (1,234 + 5)."""
    units = [one.unit for one in given]
    amount = _evaluated(part, [one.value for one in given], units, wanted)
    others = [one.value if one.other is None else one.other for one in given]
    if all(one.other is None for one in given):
        return amount
    return amount._replace(other=_evaluated(part, others, units, wanted).value)


def _negative(amount: WrittenAmount) -> WrittenAmount:
    return amount._replace(value=-amount.value, other=None if amount.other is None else -amount.other)


def _is_range(low: WrittenAmount, high: WrittenAmount) -> bool:
    """`30-32`, `30 - 32 GB`."""
    if low.unit is None or high.unit is None:
        return low.unit is None and low.value <= high.value
    return low.value * low.unit.factor <= high.value * high.unit.factor


def _evaluated(part: Line, numbers: Sequence[Number], units: Sequence[Unit | None], wanted: Unit) -> WrittenAmount:
    """The amount of a calculation whose amounts have these `numbers` and `units`, in `wanted` where that fits."""
    whole = _unit_of_whole(part, units, wanted)
    percents = set(map(_is_percent, units))
    if len(percents) > 1 and {"+", "-"} & {span.low for span in part}:
        raise AskAgain("it adds a percentage to a number: write the result")  # 2500 - 1%
    kept = [ONE if whole is not None or unit is None else _without_labels(unit) for unit in units]
    number, dim = _by_the_engine(part, [Quantity(tidy(one), unit) for one, unit in zip(numbers, kept, strict=True)])
    if whole is not None:
        return WrittenAmount(number, whole)
    if not dim.bare:
        if not fits(dim, wanted.dim) and dim != _without_labels(wanted).dim:
            raise AskAgain("the calculation comes to another kind of quantity: write the result with its unit")
        return WrittenAmount(Fraction(in_unit(number, wanted)), wanted)
    if any(unit.dim.powers for unit in kept) and not (wanted.dim.bare or wanted.dim.label):
        raise AskAgain("the calculation comes to a plain number: write the result with its unit")
    measured = percents == {True} or any(unit is not None and unit.dim.powers for unit in units)
    return WrittenAmount(number, ONE if wanted.dim.bare and measured else None)


def _unit_of_whole(part: Line, units: Sequence[Unit | None], wanted: Unit) -> Unit | None:
    """The unit of the last amount where it is that of the whole calculation: `26 + 5.7 GB`, `3/4 GB`."""
    last = units[-1]
    alone = part[-1].kind == AMOUNT and all(unit is None for unit in units[:-1])
    return last if alone and last is not None and fits(last.dim, wanted.dim) else None


def _is_percent(unit: Unit | None) -> bool:
    return unit is not None and unit.symbol == "%"


def _by_the_engine(part: Line, given: Sequence[Quantity]) -> tuple[int | Fraction, Dim]:
    """Value and dimension of a calculation, in which names stand for the quantities `given`."""
    quantities = {f"q{n}": quantity for n, quantity in enumerate(given)}
    names = iter(quantities)
    scope, slots = bare_scope(quantities)
    try:
        tree = parse("".join(next(names) if span.kind == AMOUNT else span.low for span in part))
        dim, value = check(tree, scope).dim, evaluate(tree, scope, slots)
    except (FormulaError, ImpossibleError) as error:
        raise AskAgain(f"the calculation has no value ({error}): write the result") from None
    if dim is None or isinstance(value, bool | str | tuple):
        raise AskAgain("the calculation has no value: write the result")
    return Fraction(value) if isinstance(value, float) else value, dim


def _without_labels(unit: Unit) -> Unit:
    """What is counted does not matter in a calculation: 7e9 params * 2 bytes are bytes."""
    powers = tuple(power for power in unit.dim.powers if power[0] in PHYSICAL)
    return unit if powers == unit.dim.powers else Unit(unit.symbol, unit.factor, Dim(powers))
