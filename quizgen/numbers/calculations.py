"""The pieces of a response: its words, signs and amounts, calculations worked out by the formula engine.

The engine sees names in place of the amounts, never the candidate's text, and its own limits hold."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from quizgen.formula.errors import FormulaError
from quizgen.formula.expression.evaluate import ImpossibleError, compile_expression
from quizgen.formula.expression.parse import parse_expression, scope_and_slot_values
from quizgen.formula.quantity import Quantity, int_if_whole, value_in_unit
from quizgen.formula.unit_table import PHYSICAL_DIMENSIONS
from quizgen.formula.units import UNIT_ONE, Dim, Unit, answer_dimension_fits
from quizgen.numbers import words as known
from quizgen.numbers.amounts import AmountParser
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.tokens import AMOUNT, EDGE, OPERATORS, SIGN, UNIT, WORD, Line, ResponseToken, WrittenAmount


def evaluate_calculations(tokens: Line, expected: AnswerFormat) -> list[ResponseToken]:
    """The words, signs and amounts of a response in order, with each calculation replaced by its result."""
    line = _merge_amounts(tokens, expected)
    made: list[ResponseToken] = []
    index = 0
    while index < len(line):
        span, before, end = line[index], made[-1] if made else EDGE, _calculation_end(line, index)
        apart = span.gap and span.low in ("(", "+", "-") and before.kind not in (SIGN, "end")
        if end is None or end == index + 1 or apart:  # memory - 31.7 GB; 31.7 GB (26 + 5.7): the parenthesis stays
            made.append(span)
            index += 1
        elif span.low == "(" and end == index + 3:  # (31.7 GB)
            made += line[index:end]
            index = end
        else:
            unit = line[end].unit if end < len(line) and line[end - 1].low == ")" else None
            span = span._replace(kind=AMOUNT, low="", amount=None, worked=True)
            try:
                made.append(span._replace(amount=_calculated_amount(line[index:end], unit, expected)))
            except AskAgain as reason:
                made.append(span._replace(error=str(reason)))
            index = end + (unit is not None)
    return made


def amount_tokens(line: Line) -> list[ResponseToken]:
    return [span for span in line if span.kind == AMOUNT]


def is_operator(span: ResponseToken) -> bool:
    return span.kind == SIGN and span.low in OPERATORS


def _merge_amounts(tokens: Line, expected: AnswerFormat) -> list[ResponseToken]:
    """`tokens` with each amount, and each unit apart from a number, as one token."""
    parser = AmountParser(tokens, expected)
    line: list[ResponseToken] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        parsed = parser.read_amount(index)
        unit = parser.read_unit(index) if parsed is None and token.kind == WORD else None
        if parsed is not None:
            amount, index = parsed
            line.append(token._replace(kind=AMOUNT, amount=amount))
        elif unit is not None:
            low = " ".join(one.low for one in tokens[index : unit[1]])
            line.append(token._replace(kind=UNIT, low=low, unit=unit[0]))
            index = unit[1]
        else:
            index += 1
            line.append(token)
    return line


# -- calculations ---------------------------------------------------------------------------


def _calculation_end(line: Line, index: int) -> int | None:
    """The index after the longest calculation (amounts, operators, parentheses, functions) that begins at `index`; None
    if none begins there."""
    end, depth, operand = None, 0, True  # `operand`: an operand comes next
    for at, (span, behind) in enumerate(pairwise((*line[index:], EDGE)), index):
        if operand and span.kind == AMOUNT:
            operand = False
        elif operand:
            if span.low not in ("(", "+", "-") and not (span.low in known.FUNCTION_NAMES and behind.low == "("):
                break
            depth += span.low == "("
        elif depth and span.low == ")":
            depth -= 1
        elif is_operator(span) or (depth and span.low == ","):
            operand = True
        else:
            break
        end = at + 1 if not depth and not operand else end
    return end


def _calculated_amount(part: Line, unit_after: Unit | None, expected: AnswerFormat) -> WrittenAmount:
    """The result of a calculation. `unit_after`: the unit after its closing parenthesis, which is the result's unit.
    Raises AskAgain if it has no value."""
    amounts = [span.amount for span in part if span.amount is not None]
    if len(part) == 2:
        return amounts[0].negated() if part[0].low == "-" else amounts[0]
    if len(amounts) == 2 and [span.low for span in part[1:-1]] == ["-"]:
        low, high = amounts
        unit = high.unit or UNIT_ONE
        if low.value * (low.unit or unit).factor <= high.value * unit.factor:
            raise AskAgain("it is a range: write one number")  # 30-32 GB
    percents = {one.unit is not None and one.unit.symbol == "%" for one in amounts}
    if len(percents) > 1 and any(span.low in ("+", "-") for span in part):
        raise AskAgain("it adds a percentage to a number: write the result")
    wanted = (expected.unit_in_stem or UNIT_ONE) if expected.unit is UNIT_ONE else expected.unit
    whole = _unit_of_calculation([one.unit for one in amounts], unit_after, wanted)
    if whole is not None:
        bare = [Quantity(int_if_whole(one.value), UNIT_ONE) for one in amounts]
        return WrittenAmount(_evaluate_by_engine(part, bare)[0], whole)
    return _evaluate_calculation(part, amounts, wanted)


def _unit_of_calculation(units: Sequence[Unit | None], unit_after: Unit | None, wanted: Unit) -> Unit | None:
    """The unit at the end of a calculation, `unit_after` it or the last of `units`: `13e9 * (2 + 14/32) bytes`, `26 +
    5.7 GB`. None without one. Raises AskAgain for another unit in the parentheses."""
    if unit_after is None:
        *others, last = units
        return last if last is not None and not any(others) and answer_dimension_fits(last.dim, wanted.dim) else None
    if any(without_counted_labels(unit).dim.powers for unit in units if unit is not None):
        raise AskAgain("a unit stands in the parentheses and behind them: write the result with its unit")
    return unit_after


def _evaluate_calculation(part: Line, amounts: Sequence[WrittenAmount], wanted: Unit) -> WrittenAmount:
    """The result of a calculation with these `amounts`, in the unit `wanted` if the dimension fits."""
    units = [UNIT_ONE if one.unit is None else without_counted_labels(one.unit) for one in amounts]
    quantities = [Quantity(int_if_whole(one.value), to) for one, to in zip(amounts, units, strict=True)]
    number, dim = _evaluate_by_engine(part, quantities)
    if not dim.is_bare:
        if not answer_dimension_fits(dim, wanted.dim) and dim != without_counted_labels(wanted).dim:
            raise AskAgain("the calculation comes to a different kind of quantity: write the result with its unit")
        return WrittenAmount(Fraction(value_in_unit(number, wanted)), wanted)
    if any(unit.dim.powers for unit in units) and not (wanted.dim.is_bare or wanted.dim.label):
        raise AskAgain("the calculation comes to a plain number: write the result with its unit")
    return WrittenAmount(number)


def _evaluate_by_engine(part: Line, given: Sequence[Quantity]) -> tuple[int | Fraction, Dim]:
    """The value in base units and the dimension of a calculation with the quantities `given`. Raises AskAgain."""
    quantities = {f"q{n}": quantity for n, quantity in enumerate(given)}
    names = iter(quantities)
    scope, slots = scope_and_slot_values(quantities)
    try:
        tree = parse_expression("".join(next(names) if span.kind == AMOUNT else span.low for span in part))
        made = compile_expression(tree, scope)
        dim, value = made.kind.dim, made.run(slots)
    except (FormulaError, ImpossibleError) as error:
        raise AskAgain(f"the calculation has no value ({error}): write the result") from None
    if dim is None or isinstance(value, bool | str | tuple):
        raise AskAgain("the calculation has no value: write the result")
    return Fraction(value) if isinstance(value, float) else value, dim


def without_counted_labels(unit: Unit) -> Unit:
    """`unit` without what it counts, which a calculation ignores: 7e9 params * 2 bytes are bytes."""
    powers = tuple(power for power in unit.dim.powers if power[0] in PHYSICAL_DIMENSIONS)
    return unit if powers == unit.dim.powers else Unit(unit.symbol, unit.factor, Dim(powers))
