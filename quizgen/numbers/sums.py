"""The pieces of a response: its words, signs and amounts, calculations worked out by the formula engine.

The engine sees names in place of the amounts, never the candidate's text, and its own limits hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from quizgen.formula.errors import FormulaError
from quizgen.formula.expression.check import check
from quizgen.formula.expression.evaluate import ImpossibleError, evaluate
from quizgen.formula.expression.parse import parse
from quizgen.formula.expression.tree import bare_scope
from quizgen.formula.quantity import Number, Quantity, in_unit, tidy
from quizgen.formula.unit_table import PHYSICAL
from quizgen.formula.units import ONE, Dim, Unit, fits
from quizgen.numbers import words as known
from quizgen.numbers.amounts import AmountParser
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.tokens import AMOUNT, END, NUMBER, OPERATORS, SIGN, UNIT, WORD, Line, ResponseToken, WrittenAmount
from quizgen.numbers.units import SECOND

MAX_DEPTH: Final = 12
_NO_FUNCTION: Final = "it uses a function that is not known here: write the result"


def pieces(tokens: Line, expected: AnswerFormat) -> list[ResponseToken]:
    """The pieces of a response to `expected`, in order."""
    line = _amounts(tokens, expected)
    if len(line) > 1 and any(span.low in OPERATORS or span.low == "(" for span in line if span.kind == SIGN):
        return _worked_out(line, expected)
    return line


def amounts_of(line: Line) -> list[ResponseToken]:
    return [span for span in line if span.kind == AMOUNT]


def is_operator(span: ResponseToken) -> bool:
    return span.kind == SIGN and span.low in OPERATORS


def _amounts(tokens: Line, expected: AnswerFormat) -> list[ResponseToken]:
    parser = AmountParser(tokens, expected)
    line: list[ResponseToken] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        parsed = parser.amount(place) if token.kind != SIGN else None
        unit = parser.unit(place) if parsed is None and token.kind == WORD else None
        if parsed is not None:
            amount, place = parsed
            line.append(token._replace(kind=AMOUNT, amount=amount))
        elif unit is not None and not (token.low == "min" and expected.unit.dim != SECOND.dim):
            low = " ".join(one.low for one in tokens[place : unit[1]])
            line.append(token._replace(kind=UNIT, low=low, unit=unit[0]))
            place = unit[1]
        else:
            place += 1
            divides = token.low in ("of", "in") and _is_share(line, parser.at(place), expected)
            line = line[:-1] if divides and line[-1].low == "out" else line
            line.append(token._replace(kind=SIGN, low="/", gap=True) if divides else token)
    return line


def _is_share(line: Line, behind: ResponseToken, expected: AnswerFormat) -> bool:
    """Whether "of" between `line` and the token `behind` divides: `49 out of 50` where a share is expected."""
    left = next((one.amount for one in reversed(line) if one.low != "out"), None)
    share = expected.unit.symbol == "%" or (expected.unit is ONE and expected.unit_in_stem is None)
    return share and left is not None and left.unit is None and behind.kind == NUMBER


# -- calculations ---------------------------------------------------------------------------


def _worked_out(line: list[ResponseToken], expected: AnswerFormat) -> list[ResponseToken]:
    """`line` with each calculation as one amount."""
    made: list[ResponseToken] = []
    place = 0
    while place < len(line):
        spans, place = _piece_at(line, place, made[-1] if made else END, expected)
        made += spans
    return made


def _piece_at(line: Line, place: int, before: ResponseToken, expected: AnswerFormat) -> tuple[Line, int]:
    """The span or the calculation at `place` behind the span `before`, and the place behind it."""
    # The cases of an opening parenthesis exclude each other; all look at the same neighbours.
    span, end = line[place], _calculation_end(line, place)
    opens, leads = span.low == "(", before.kind in (SIGN, "end")
    if opens and leads and end is None and all(one.low != ")" for one in line[place:]):
        raise AskAgain("the parentheses do not match: write the number, or close them")
    apart = span.gap and (end == _operand_end(line, place) and not leads if opens else before.kind in (WORD, UNIT))
    if end is None or end == place + 1 or (apart and span.low in ("(", "+", "-")):
        return [span], place + 1  # memory - 31.7 GB; 31.7 GB (26 + 5.7): the parenthesis stays
    if opens and not span.gap and before.kind == WORD:  # sin(2)
        return [span._replace(kind=AMOUNT, low="", gap=True, worked=True, fault=_NO_FUNCTION)], end
    if opens and end == place + 3:
        return line[place:end], end  # (31.7 GB)
    unit = line[end].unit if end < len(line) and line[end - 1].low == ")" else None
    return [_calculated(line[place:end], unit, expected)], end + (unit is not None)


def _operand_end(line: Line, place: int, depth: int = 0) -> int | None:
    """The place behind the operand that begins at `place`, an amount, a parenthesis or the call of a function, with the
    signs before it; None if none does."""
    # One operand has three shapes; a function's may be several.
    span, behind = (line[at] if at < len(line) else END for at in (place, place + 1))
    if span.low in ("+", "-"):
        return _operand_end(line, place + 1, depth)
    called = span.low in known.FUNCTIONS and behind.low == "("
    if depth > MAX_DEPTH or not (called or span.low == "("):
        return place + 1 if span.kind == AMOUNT else None
    end = _calculation_end(line, place + called + 1, depth + 1)
    while called and end is not None and end < len(line) and line[end].low == ",":
        end = _calculation_end(line, end + 1, depth + 1)
    return end + 1 if end is not None and end < len(line) and line[end].low == ")" else None


def _calculation_end(line: Line, place: int, depth: int = 0) -> int | None:
    """The place behind the operands from `place` on that operators join; None if none begins there."""
    end = _operand_end(line, place, depth)
    while end is not None and end < len(line) and is_operator(line[end]):
        further = _operand_end(line, end + 1, depth)
        if further is None:
            break
        end = further
    return end


def _calculated(part: Line, behind: Unit | None, expected: AnswerFormat) -> ResponseToken:
    """The span of a calculation, with its amount or the reason why it has none."""
    span = part[0]._replace(kind=AMOUNT, low="", worked=True)
    try:
        return span._replace(amount=_value(part, behind, expected))
    except AskAgain as reason:
        return span._replace(amount=None, fault=str(reason))


def _value(part: Line, behind: Unit | None, expected: AnswerFormat) -> WrittenAmount:
    """The amount that a calculation comes to; `behind` is the unit behind its closing parenthesis, that of the whole.
    Raises AskAgain for a range and for what has no value."""
    given = [span.amount for span in part if span.amount is not None]
    if len(given) == 1 and len(part) == 2:
        one, sign = given[0], -1 if part[0].low == "-" else 1
        return one._replace(value=one.value * sign, other=None if one.other is None else one.other * sign)
    units = [one.unit for one in given]
    _check_signs(part, given)
    wanted = (expected.unit_in_stem or ONE) if expected.unit is ONE else expected.unit
    amount = _evaluated(part, [one.value for one in given], units, behind, wanted)
    if all(one.other is None for one in given):
        return amount
    others = [one.value if one.other is None else one.other for one in given]  # 1,234 + 5
    return amount._replace(other=_evaluated(part, others, units, behind, wanted).value)


def _check_signs(part: Line, given: Sequence[WrittenAmount]) -> None:
    """Raise AskAgain for `30-32`, which is a range, and `2500 - 1%`."""
    if len(given) == 2 and len(part) == 3 and part[1].low == "-" and _is_range(*given):
        raise AskAgain("it is a range: write one number")
    percents = {one.unit is not None and one.unit.symbol == "%" for one in given}
    if len(percents) > 1 and {"+", "-"} & {span.low for span in part}:
        raise AskAgain("it adds a percentage to a number: write the result")


def _is_range(low: WrittenAmount, high: WrittenAmount) -> bool:
    """`30-32`, `30 - 32 GB`."""
    if low.unit is None or high.unit is None:
        return low.unit is None and low.value <= high.value
    return low.value * low.unit.factor <= high.value * high.unit.factor


def _evaluated(
    part: Line, numbers: Sequence[Number], units: Sequence[Unit | None], behind: Unit | None, wanted: Unit
) -> WrittenAmount:
    """The amount of a calculation whose amounts have these `numbers` and `units`, in `wanted` where that fits."""
    # Complex by comprehensions alone.
    last = units[-1] if part[-1].kind == AMOUNT and not any(units[:-1]) else None
    whole = last if last is not None and fits(last.dim, wanted.dim) else None  # 26 + 5.7 GB, 3/4 GB
    kept = [ONE if whole is not None or unit is None else _without_labels(unit) for unit in units]
    number, dim = _by_the_engine(part, [Quantity(tidy(one), unit) for one, unit in zip(numbers, kept, strict=True)])
    measured = any(unit.dim.powers for unit in kept)
    if behind is not None and (whole is not None or measured):
        raise AskAgain("the calculation has two units: write the result")
    if whole is not None or behind is not None:
        return WrittenAmount(number, whole or behind)  # 13e9 * (2 + 14/32) bytes
    return _in_wanted(number, dim, units, wanted)


def _in_wanted(number: int | Fraction, dim: Dim, units: Sequence[Unit | None], wanted: Unit) -> WrittenAmount:
    """The amount of a `number` in base units of `dim`, the result of amounts in these `units`."""
    # The order matters: each case is what the ones above it left.
    if not dim.bare:
        if not fits(dim, wanted.dim) and dim != _without_labels(wanted).dim:
            raise AskAgain("the calculation comes to a different kind of quantity: write the result with its unit")
        return WrittenAmount(Fraction(in_unit(number, wanted)), wanted)
    with_dim = [unit for unit in units if unit is not None and unit.dim.powers]
    if any(_without_labels(unit).dim.powers for unit in with_dim) and not (wanted.dim.bare or wanted.dim.label):
        raise AskAgain("the calculation comes to a plain number: write the result with its unit")
    share = bool(with_dim) or all(unit is not None and unit.symbol == "%" for unit in units)
    return WrittenAmount(number, ONE if wanted.dim.bare and share else None)


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
