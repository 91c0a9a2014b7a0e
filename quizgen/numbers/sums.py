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
from quizgen.numbers.amounts import AmountParser, WrittenAmount
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.tokens import NUMBER, OPERATORS, SIGN, WORD, ResponseToken
from quizgen.numbers.units import SECOND
from quizgen.numbers.words import FUNCTIONS

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
    if len(line) > 1 and any(piece.low in OPERATORS or piece.low == "(" for piece in line if piece.kind == SIGN):
        return _worked_out(line, expected)
    return line


def amounts_of(line: Sequence[Span]) -> list[Span]:
    return [piece for piece in line if piece.kind == AMOUNT]


def _amounts(tokens: Sequence[ResponseToken], expected: AnswerFormat) -> list[Span]:
    parser = AmountParser(tokens, expected)
    line: list[Span] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        found = parser.amount(place) if token.kind != SIGN else None
        if found is not None:
            amount, after = found
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
    before = [piece for piece in line[-3:] if piece.low != "out"]
    left = before[-1].amount if before else None
    if left is None:
        return ""
    share = expected.unit.symbol == "%" or (expected.unit is ONE and expected.unit_in_stem is None)
    if share and left.unit is None:
        return "/"
    part = left.unit is not None and left.unit.dim.bare and not expected.unit.dim.bare
    return "*" if token.low == "of" and (part or (len(before) > 1 and before[-2].low == "/")) else ""


def _worked_out(line: list[Span], expected: AnswerFormat) -> list[Span]:
    """`line` with each calculation as one amount."""
    made: list[Span] = []
    place = 0
    while place < len(line):
        end = _calculation_end(line, place)
        opens = line[place].low == "("
        if opens and not line[place].gap and made and made[-1].kind == WORD and end is not None:
            made.append(Span(AMOUNT, "(", True, line[end - 1].end, None, None, True, _NO_FUNCTION))  # sin(2)
            place = end
            continue
        aside = line[place].low == "(" and made and made[-1].kind in (AMOUNT, WORD, UNIT)
        if aside and end is not None and _closing(line, place) == end - 1:
            made.append(line[place])  # 31.7 GB (26 + 5.7): the parenthesis stays
            place += 1
            continue
        if opens and end is None and not aside and _closing(line, place) < 0:
            raise AskAgain("the parentheses do not match: write the number, or close them")
        if opens and end == place + 3:  # (31.7 GB)
            made += line[place:end]
            place = end
            continue
        if end is None or end == place + 1:
            made.append(line[place])
            place += 1
            continue
        part = line[place:end]
        amount, fault = _value_or_fault(part, expected)
        if end < len(line) and line[end].kind == UNIT and part[-1].low == ")" and amount is not None:
            amount = _in_unit_of_sum(amount, line[end].unit)
            fault = "" if amount is not None else "the calculation has two units: write the result"
            end += 1
        made.append(Span(AMOUNT, line[place].low, line[place].gap, line[end - 1].end, amount, None, True, fault))
        place = end
    return made


def _value_or_fault(part: Sequence[Span], expected: AnswerFormat) -> tuple[WrittenAmount | None, str]:
    try:
        amount = _value(part, expected)
    except AskAgain as fault:
        return None, str(fault)
    return amount, "" if amount is not None else "it is a range: write one number"


def _in_unit_of_sum(amount: WrittenAmount, unit: Unit | None) -> WrittenAmount | None:
    """`13e9 * (2 + 14/32) bytes`: the unit is that of the whole calculation."""
    return amount._replace(unit=unit) if amount.unit is None or amount.unit == unit else None


def _closing(line: Sequence[Span], opening: int) -> int:
    depth = 0
    for place in range(opening, len(line)):
        depth += (line[place].low == "(") - (line[place].low == ")")
        if not depth:
            return place
    return -1


def _calculation_end(line: Sequence[Span], start: int) -> int | None:
    """The place behind the calculation that begins at `start`; None if none does. In linear time."""
    depth, place, end, operand, functions = 0, start, None, False, [False] * (MAX_DEPTH + 2)
    if line[start].low in ("+", "-") and start and line[start - 1].kind in (WORD, UNIT) and line[start].gap:
        return None  # memory - 31.7 GB
    while place < len(line) and depth <= MAX_DEPTH:
        piece = line[place]
        if not operand:
            called = piece.low in FUNCTIONS and place + 1 < len(line) and line[place + 1].low == "("
            if piece.kind == AMOUNT:
                operand = True
            elif called or piece.low == "(":
                depth += 1
                functions[depth] = called
                place += called
            elif piece.low not in ("+", "-"):
                break
        elif piece.low == ")" and depth:
            depth -= 1
        elif (piece.low in OPERATORS and piece.kind == SIGN) or (piece.low == "," and depth and functions[depth]):
            operand = False
        else:
            break
        place += 1
        if operand and not depth:
            end = place
    return end


def _value(part: Sequence[Span], expected: AnswerFormat) -> WrittenAmount | None:
    """The amount that a calculation comes to; None for a range. Raises AskAgain where it has no value."""
    given = [piece.amount for piece in part if piece.amount is not None]
    signs = [piece.low for piece in part if piece.kind == SIGN and piece.low not in "()"]
    if len(given) == 1 and len(part) - len(signs) - 1 == 2 * sum(p.low == "(" for p in part) and len(signs) <= 1:
        one = given[0]
        minus = signs == ["-"]
        return one._replace(value=-one.value, other=None if one.other is None else -one.other) if minus else one
    if signs == ["-"] and len(given) == 2 and len(part) == 3 and _is_range(given, expected):
        return None
    first = _evaluated(part, [one.value for one in given], given, expected)
    if first is None or not any(one.other is not None for one in given):
        return first
    values = [one.value if one.other is None else one.other for one in given]
    second = _evaluated(part, values, given, expected)
    return first if second is None or second.unit != first.unit else first._replace(other=second.value)


def _is_range(given: Sequence[WrittenAmount], expected: AnswerFormat) -> bool:
    """`30-32`, `30 - 32 GB`."""
    low, high = given
    factors = [one.unit.factor if one.unit is not None else 1 for one in given]
    if low.unit is None:
        return low.value <= high.value
    return low.value * factors[0] <= high.value * factors[1]


def _evaluated(
    part: Sequence[Span], numbers: Sequence[Number], given: Sequence[WrittenAmount], expected: AnswerFormat
) -> WrittenAmount | None:
    units = [one.unit for one in given]
    wanted = expected.unit_in_stem if expected.unit is ONE and expected.unit_in_stem is not None else expected.unit
    outer = units[-1]
    alone = outer is not None and part[-1].kind == AMOUNT and all(unit is None for unit in units[:-1])
    whole = outer if alone and outer is not None and fits(outer.dim, wanted.dim) else None  # 26 + 5.7 GB, 3/4 GB
    quantities: dict[str, Quantity] = {}
    text = ""
    for piece in part:
        if piece.kind != AMOUNT:
            text += piece.low
            continue
        unit = None if whole is not None else units[len(quantities)]
        name = f"q{len(quantities)}"
        quantities[name] = Quantity(tidy(numbers[len(quantities)]), _without_labels(unit) if unit is not None else ONE)
        text += name
    percents = [unit is not None and unit.symbol == "%" for unit in units]
    if any(percents) and not all(percents) and any(piece.low in ("+", "-") for piece in part):
        raise AskAgain("it adds a percentage to a number: write the result")  # 2500 - 1%
    scope, slots = bare_scope(quantities)
    try:
        tree = parse(text)
        dim = check(tree, scope).dim
        value = evaluate(tree, scope, slots)
    except ImpossibleError:
        raise AskAgain("the calculation has no value: write the result") from None
    except FormulaError as error:
        raise AskAgain(f"the calculation has no value ({error.message}): write the result") from None
    if dim is None or isinstance(value, bool | str | tuple):
        raise AskAgain("the calculation has no value: write the result")
    number = Fraction(value) if isinstance(value, float) else value
    return _result(number, dim, whole, units, wanted)


def _result(
    value: int | Fraction, dim: Dim, whole: Unit | None, units: Sequence[Unit | None], wanted: Unit
) -> WrittenAmount:
    if whole is not None:
        return WrittenAmount(value, whole)
    measured = any(unit is not None and unit.dim.powers for unit in units)
    labels = any(unit is not None and any(name in PHYSICAL for name, _ in unit.dim.powers) for unit in units)
    if dim.bare:
        if labels and not (wanted.dim.bare or wanted.dim.label):
            raise AskAgain("the calculation comes to a plain number: write the result with its unit")
        percent = wanted.dim.bare and all(unit is not None and unit.symbol == "%" for unit in units)
        return WrittenAmount(value, ONE if percent or (measured and wanted.dim.bare) else None)
    if not fits(dim, wanted.dim) and dim != _without_labels(wanted).dim:
        raise AskAgain("the calculation comes to another kind of quantity: write the result with its unit")
    return WrittenAmount(Fraction(in_unit(value, wanted)), wanted)


def _without_labels(unit: Unit) -> Unit:
    """What is counted does not matter in a calculation: 7e9 params * 2 bytes are bytes."""
    powers = tuple(power for power in unit.dim.powers if power[0] in PHYSICAL)
    return unit if powers == unit.dim.powers else Unit(unit.symbol, unit.factor, Dim(powers))
