"""The arithmetic of a response as it stands: amounts with signs between them, worked out by the formula engine.

The engine sees names for the amounts, never the candidate's text, and its own limits hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isclose
from typing import Final

from quizgen.formula.errors import FormulaError
from quizgen.formula.expression.check import check
from quizgen.formula.expression.evaluate import ImpossibleError, evaluate
from quizgen.formula.expression.parse import parse
from quizgen.formula.expression.tree import bare_scope
from quizgen.formula.quantity import Quantity, in_unit, tidy
from quizgen.formula.reading.same import same_amount
from quizgen.formula.reading.span import AMOUNT, SUM, UNIT, WORD, Context, Sense, Span, over
from quizgen.formula.reading.unit_rules import alternatives, per_time
from quizgen.formula.reading.vocabulary import FUNCTIONS, PROSE
from quizgen.formula.unit_fit import fits
from quizgen.formula.unit_table import INFORMATION, PHYSICAL, TIME
from quizgen.formula.units import ONE, Dim, Unit

_OPERATORS: Final = ("+", "-", "*", "/", "//", "**")
Part = Sense | str


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum in the text: the amounts and signs of it, and what it comes to (several senses, or a fault)."""

    span: Span
    parts: tuple[Span | str, ...]
    senses: tuple[Sense, ...]
    fault: str = ""
    broken: bool = False  # it breaks off

    @property
    def amounts(self) -> tuple[Span, ...]:
        return tuple(p for p in self.parts if isinstance(p, Span))

    @property
    def single(self) -> Span | None:
        """The amount, where there is only one and at most a sign before it."""
        return None if self.broken else _single(self.parts)


def _single(parts: Sequence[Span | str]) -> Span | None:
    inner = [p for p in parts if p not in ("(", ")")]
    if len(inner) == 2 and inner[0] in ("-", "+") and isinstance(inner[1], Span):
        return inner[1]
    return inner[0] if len(inner) == 1 and isinstance(inner[0], Span) else None


def sum_at(line: Sequence[Span], at: int, context: Context) -> tuple[Sum, int] | None:
    """The longest sum that starts at `at`, and where it ends; None if none does."""
    parts: list[Span | str] = []
    good: list[Span | str] = []
    end, place, depth, functions, wants = at, at, 0, 0, True
    while place < len(line):
        item = line[place]
        if wants:
            if item.is_sign("(", "["):
                depth += 1
                parts.append("(")
            elif item.is_sign("-", "+"):
                parts.append(item.text)
            elif _is_function(line, place):
                parts.extend((item.low, "("))
                place, depth, functions = place + 1, depth + 1, functions + 1
            elif item.kind == AMOUNT:
                parts.append(item)
                wants = False
            else:
                break
            place += 1
        elif item.is_sign(")", "]") and depth:
            depth -= 1
            parts.append(")")
            place += 1
            if not depth and place < len(line) and line[place].kind == UNIT:  # 13e9 * (2 + 14/32) bytes
                senses = tuple(Sense(1, unit, tag=tag) for tag, unit in alternatives(line[place]))
                parts.extend(("*", over((line[place],), AMOUNT, "unit of a sum", senses=senses)))
                place += 1
        elif not depth and _is_a_period(line, place, parts, context.unit):
            break
        elif item.is_sign(*_OPERATORS) or (item.is_sign(",") and functions and depth):
            parts.append(item.text)
            place += 1
            wants = True
        elif (named := _behind_a_name(line, place)) > place:
            place = named
        elif item.is_sign("(") and not item.gap and _is_bare(parts[-1]) and place + 1 < len(line):
            if isinstance(parts[-1], Span) and _is_alone(line, place):
                text = f"{parts[-1].text}({line[place + 1].text})"
                fault = f'"{text}" could be a margin or a product: write one number'
                return Sum(over((*line[at : place + 3],), SUM, "sum"), (), (), fault), place + 3
            parts.append("*")
            wants = True
        else:
            break
        if not wants and not depth:
            end, good = place, list(parts)
    if not good:
        if not any(isinstance(p, Span) for p in parts):
            return None
        fault = "the parentheses do not match: write the number, or close them"
        return Sum(over((*line[at:place],), SUM, "sum"), tuple(parts), (), fault, broken=True), place
    span = over((*line[at:end],), SUM, "sum")
    made = worth(tuple(good), context)
    senses, fault = ((), made) if isinstance(made, str) else (made, "")
    return Sum(span, tuple(good), senses, fault), end


def _is_a_period(line: Sequence[Span], at: int, parts: Sequence[Span | str], asked: Unit) -> bool:
    """The `over two years` of `16.5 % over two years` is no division where no rate is asked."""
    last, following = parts[-1], line[at + 1] if at + 1 < len(line) else None
    if line[at].low != "over" or following is None or following.kind != AMOUNT or not isinstance(last, Span):
        return False
    mine, below = last.senses[0].unit, following.senses[0].unit
    time = below is not None and (below.dim.powers == ((TIME, 1),) or below.dim.label == "month")
    rate = any(power < 0 for _, power in asked.dim.powers) or asked.dim.power(TIME)
    return time and not rate and (not asked.dim.bare if mine is None else fits(mine.dim, asked.dim))


def _behind_a_name(line: Sequence[Span], at: int) -> int:
    """Behind the name of a part that another one is added to: `4 ms seek + 4 ms rotation`."""
    for end in range(at, min(at + 3, len(line) - 1)):
        if end > at and line[end].is_sign("+") and line[end].gap and line[end + 1].kind == AMOUNT:
            return end
        if line[end].kind != WORD or len(line[end].low) < 3 or not line[end].low.isalpha() or line[end].low in PROSE:
            break
    return at


def _is_alone(line: Sequence[Span], at: int) -> bool:
    """The parenthesis at `at` holds one whole number: 3.17(5)."""
    return at + 2 < len(line) and line[at + 1].text.isdigit() and line[at + 2].is_sign(")")


def _is_bare(part: Span | str) -> bool:
    return part == ")" or (isinstance(part, Span) and part.senses[0].unit is None)


def _is_function(line: Sequence[Span], at: int) -> bool:
    opens = at + 1 < len(line) and line[at + 1].is_sign("(") and not line[at + 1].gap
    return opens and line[at].kind in (WORD, UNIT) and line[at].low in FUNCTIONS


# -- what it comes to -------------------------------------------------------------------------


def sensible(sense: Sense, asked: Unit) -> bool:
    return sense.unit is None or fits(sense.unit.dim, asked.dim)


def worth(parts: tuple[Span | str, ...], context: Context) -> tuple[Sense, ...] | str:
    """What a sum can mean, likeliest first; why it means nothing."""
    amounts = [p for p in parts if isinstance(p, Span)]
    fault = next((a.fault for a in amounts if a.fault), "")
    if fault:
        return fault
    asked = context.unit
    single = _single(parts)
    if single is not None:
        senses = [s for s in single.senses if s.tag != "billions"]
        if senses[0].tag == "minutes":
            return '"m" could be minutes or milli: write min or ms'
        fitting = [s for s in senses if sensible(s, asked)] or senses[:1]
        if "-" in parts:
            fitting = [replace(s, value=-s.value) for s in fitting]
        return tuple(s for s in fitting if s.unit == fitting[0].unit)
    again = _once_more(parts, context)
    if again is not None:
        return again
    tags = {s.tag for a in amounts for s in a.senses}
    found: list[Sense] = []
    fault = ""
    for meant in _choices(tags):
        chosen = _with(parts, meant)
        value = _calculate(chosen, asked)
        if isinstance(value, str):
            fault = fault or value
        elif sensible(value, asked) or meant == _LITERAL:
            found.append(value)
        if found and sensible(found[0], asked) and "mark" not in tags:
            break
    fitting = [s for s in found if sensible(s, asked)] or found[:1]
    return tuple(dict.fromkeys(fitting)) or fault


_LITERAL: Final = ("", 0)


def _choices(tags: set[str]) -> list[tuple[str, int]]:
    """What may be meant in a sum, likeliest first: a tag and how many amounts from the end it holds for (0: all)."""
    first = [("billions", 0)] if "billions" in tags else []
    rates = [("rate", 1), ("rate", 0)] if "rate" in tags else []
    return [*first, _LITERAL, *rates, *([("mark", 0)] if "mark" in tags else [])]


def _with(parts: Sequence[Span | str], meant: tuple[str, int]) -> tuple[Part, ...]:
    tag, many = meant
    having = [i for i, p in enumerate(parts) if isinstance(p, Span) and any(s.tag == tag for s in p.senses)]
    chosen = set(having[-many:]) if tag else set()
    return tuple(
        next(s for s in p.senses if i not in chosen or s.tag == tag) if isinstance(p, Span) else p
        for i, p in enumerate(parts)
    )


def _once_more(parts: tuple[Span | str, ...], context: Context) -> tuple[Sense, ...] | None:
    """`31.7 GB / 29.5 GiB`: one amount in two units, and no ratio."""
    if len(parts) != 3 or parts[1] != "/" or context.unit.dim.bare:
        return None
    left, right = (p.senses[0] for p in parts if isinstance(p, Span))
    if left.unit is None or right.unit is None or left.unit == right.unit:
        return None
    return (left,) if same_amount(left, right, context) and fits(left.unit.dim, context.unit.dim) else None


def _calculate(parts: tuple[Part, ...], asked: Unit) -> Sense | str:
    """The value of several amounts, in the unit that is asked where it is of that kind."""
    if "log" in parts:
        return _of_any_base(parts, asked)
    parts = parts if asked.dim.bare else _changed_by(parts)
    given = [p for p in parts if isinstance(p, Sense)]
    parts, whole = _outer_unit(parts, asked)
    values: dict[str, Quantity] = {}
    text = ""
    for part in parts:
        if isinstance(part, Sense):
            name = f"q{len(values)}"
            values[name] = Quantity(tidy(Fraction(part.value)), _unlabelled(part.unit))
            text += name
        else:
            text += part + (" " if part == "," else "")
    try:
        scope, slots = bare_scope(values)
        tree = parse(text)
        kind = check(tree, scope)
        value = evaluate(tree, scope, slots)
    except FormulaError as error:
        return f"the arithmetic has no result ({error.message}): write the number itself"
    except ImpossibleError:
        return "the arithmetic has no result: write the number itself"
    dim = kind.dim
    if kind.shape != "number" or isinstance(value, bool | tuple):
        return "that is no number: write the result"
    if dim is None or dim.bare:
        units = [p.unit for p in parts if isinstance(p, Sense) and p.unit is not None]
        if whole is None and not asked.dim.label and any(u.dim.powers or u.factor != 1 for u in units):
            whole = None if _has_factor(parts) else ONE  # GB over GB is a plain number, 2 nodes * 8 GPUs a count
        if whole is not None and "*" in parts and whole.dim != asked.dim and whole.dim == _unlabelled(asked).dim:
            return Sense(in_unit(value * whole.factor, asked), asked, calculated=True)  # 16384 * 1880 h
        return Sense(value, whole, calculated=True)
    whose = {p.unit.dim.label for p in given if p.unit is not None} & {n for n, _ in asked.dim.powers}
    joint = bool(whose - {""}) and _unlabelled(asked).dim == dim  # 2048 GPUs * 88.8 h
    unit = asked if joint or fits(dim, asked.dim) else _unit_of(dim, given)
    return Sense(in_unit(value, unit), unit, calculated=True)


def _of_any_base(parts: tuple[Part, ...], asked: Unit) -> Sense | str:
    """`log(2) / log(1.05)`, which is the same in every base."""
    named = (tuple(name if part == "log" else part for part in parts) for name in ("ln", "log10"))
    one, other = (_calculate(each, asked) for each in named)
    if isinstance(one, str) or isinstance(other, str):
        return one if isinstance(one, str) else str(other)
    same = isclose(one.value, other.value, rel_tol=1e-9)
    return one if same else '"log" may have any base: write ln, log2 or log10'


def _has_factor(parts: tuple[Part, ...]) -> bool:
    """`$1m / $10m * 365`: a plain number is multiplied by what is left of units."""
    for at, part in enumerate(parts):
        plain = isinstance(part, Sense) and part.unit is None
        if plain and ("*" in parts[max(at - 1, 0) : at] or parts[at + 1 : at + 2] == ("*",)):
            return True
    return False


def _changed_by(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """`2500 - 1%`, `1000 + 5% + 5%`: of what stands before, a hundredth less, a twentieth more."""
    made: list[Part] = []
    depth = 0
    for at, part in enumerate(parts):
        depth += (part == "(") - (part == ")")
        ends = at + 1 == len(parts) or parts[at + 1] in ("+", "-")
        taken = isinstance(part, Sense) and _is_percent(part) and ends and not depth and made[-1:] in (["+"], ["-"])
        if isinstance(part, Sense) and taken and any(isinstance(p, Sense) and not _is_percent(p) for p in made):
            sign = made.pop()
            made = ["(", *made, ")", "*", "(", Sense(1, None), sign, Sense(Fraction(part.value) / 100, None), ")"]
        else:
            made.append(part)
    return tuple(made)


def _is_percent(sense: Sense) -> bool:
    return sense.unit is not None and sense.unit.symbol == "%"


def _outer_unit(parts: tuple[Part, ...], asked: Unit) -> tuple[tuple[Part, ...], Unit | None]:
    """`26 + 5.7 GB`: one unit, at the very end, belongs to the result."""
    last = parts[-1]
    before = [p for p in parts[:-1] if isinstance(p, Sense)]
    if not isinstance(last, Sense) or last.unit is None:
        return parts, None
    unit = last.unit
    spent = unit.dim.powers == ((TIME, 1),) and not asked.dim.power(TIME) and parts[-2] == "*"  # 810 * 2.5 years
    if spent and not any(p.unit is not None and p.unit.dim.powers for p in before):
        return (*parts[:-1], replace(last, unit=None)), None
    if any(p.unit is not None and (p.unit.dim.powers or p.unit.factor != 1) for p in before):
        return parts, None
    if _is_percent(last) and parts[-2] == "*" and not asked.dim.bare:
        return parts, None  # 80 * 60 %
    counts = bool(unit.dim.label) and not fits(unit.dim, asked.dim)
    share = asked.dim.bare and bool(unit.dim.powers) and parts[-2] == "/"  # 405 / 989 TFLOP/s
    if share or (counts and parts[-2] in ("/", "*")):
        return (*parts[:-1], replace(last, unit=None)), None
    if parts[-2] == "/" and not fits(unit.dim, asked.dim):
        if fits(unit.dim**-1, asked.dim):
            return parts, None  # 50 / 25 ms where a rate is asked
        if (rate := per_time(asked, unit)) is not None:
            return (*parts[:-1], replace(last, unit=None)), rate  # 52k / 2080 h where dollars per hour are
    return (*parts[:-1], replace(last, unit=None)), unit


def _unlabelled(unit: Unit | None) -> Unit:
    """`unit` as a plain factor of physical dimensions: what is counted does not matter in a candidate's sum."""
    if unit is None:
        return ONE
    return Unit(unit.symbol, unit.factor, Dim(tuple(p for p in unit.dim.powers if p[0] in PHYSICAL)))


def _unit_of(dim: Dim, given: Sequence[Sense]) -> Unit:
    for sense in given:
        if sense.unit is not None and sense.unit.dim == dim:
            return sense.unit
    return Unit(str(dim), Fraction(8) ** int(dim.power(INFORMATION)), dim)
