"""The arithmetic of a response: one term, a compound time, or an expression worked out by the formula engine.

The engine sees names for the terms, never the candidate's text, and its own limits hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quizgen.formula.check import check
from quizgen.formula.dimensions import Dim
from quizgen.formula.errors import FormulaError
from quizgen.formula.evaluate import ImpossibleError, evaluate
from quizgen.formula.parse import parse
from quizgen.formula.quantity import Number, Quantity, in_unit, tidy
from quizgen.formula.read_number import Literal
from quizgen.formula.read_spelling import over
from quizgen.formula.read_terms import Term, scaled, term_at
from quizgen.formula.read_token import WORD, Token
from quizgen.formula.read_units import unit_at
from quizgen.formula.read_words import FUNCTIONS
from quizgen.formula.scope import bare_scope
from quizgen.formula.unit_fit import LABELS, fits
from quizgen.formula.unit_table import INFORMATION, TIME
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit

_MAX_TERMS: Final = 60
_OPERATORS: Final = ("+", "-", "*", "/", "//", "**")
_TIME: Final = ((TIME, 1),)


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms and signs in order, from token `start` to token `end`. `fault`: what is wrong with it."""

    parts: tuple[Term | str, ...]
    start: int
    end: int
    fault: str = ""

    @property
    def terms(self) -> tuple[Term, ...]:
        return tuple(part for part in self.parts if isinstance(part, Term))

    @property
    def single(self) -> Term | None:
        """The term, where there is only one and at most a sign before it."""
        inner = [part for part in self.parts if part not in ("(", ")")]
        if len(inner) == 2 and inner[0] in ("-", "+") and isinstance(inner[1], Term):
            literal = inner[1].literal
            if inner[0] == "+":
                return inner[1]
            decimal = None if literal.decimal is None else -literal.decimal
            return replace(inner[1], literal=replace(literal, value=-literal.value, decimal=decimal))
        return inner[0] if len(inner) == 1 and isinstance(inner[0], Term) else None


@dataclass(frozen=True, slots=True)
class Found:
    """What a sum comes to: `value` in `unit`, or a bare number where `unit` is None.

    `step` is the worth of the last significant place (None: it was calculated or is exact).
    """

    value: Number
    unit: Unit | None
    step: Fraction | None = None
    calculated: bool = False
    raised: bool = False


def sum_at(tokens: Sequence[Token], at: int, asked: Unit) -> Sum | None:
    """The longest sum that starts at token `at`; None if none does."""
    parts: list[Term | str] = []
    end, place, depth, functions = at, at, 0, 0
    good: list[Term | str] = []
    wants = True
    while place < len(tokens):
        token = tokens[place]
        if wants:
            if token.is_sign("(", "["):
                depth += 1
                parts.append("(")
                place += 1
            elif token.is_sign("-", "+"):
                parts.append(token.text)
                place += 1
            elif _is_function(tokens, place):
                parts.extend((token.low, "("))
                place, depth, functions = place + 2, depth + 1, functions + 1
            else:
                found = term_at(tokens, place, asked)
                if found is None:
                    break
                term, place = found
                if term.unit is not None and term.unit.dim.powers == _TIME:
                    term, place = _compound(tokens, place, asked, term)
                parts.append(term)
                wants = False
        elif token.is_sign(")", "]") and depth:
            depth -= 1
            parts.append(")")
            place += 1
            trailing = unit_at(tokens, place, asked) if not depth else None
            if trailing is not None:  # 13e9 * (2 + 14/32) bytes
                parts.extend(("*", Term(Literal("1", Fraction(1)), trailing[0])))
                place = trailing[1]
        elif token.is_sign(*_OPERATORS) or (token.is_sign(",") and functions and depth):
            parts.append(token.text)
            place += 1
            wants = True
        elif token.is_sign("(") and not token.gap and _bare(parts[-1]) and place + 1 < len(tokens):
            if isinstance(parts[-1], Term) and _is_alone(tokens, place):
                text = f"{parts[-1].literal.text}({tokens[place + 1].text})"
                return Sum((), at, place + 3, f'"{text}" could be a margin or a product: write one number')
            parts.append("*")
            wants = True
        else:
            break
        if not wants and not depth:
            end, good = place, list(parts)
        if len(parts) > 4 * _MAX_TERMS:
            break
    if not good:
        fault = "the parentheses do not match: write the number, or close them"
        return Sum(tuple(parts), at, place, fault) if any(isinstance(p, Term) for p in parts) else None
    if sum(isinstance(part, Term) for part in good) > _MAX_TERMS:
        return Sum(tuple(good), at, end, f"more than {_MAX_TERMS} numbers: write the result")
    return Sum(tuple(good), at, end)


def _is_alone(tokens: Sequence[Token], at: int) -> bool:
    """The parenthesis at `at` holds one whole number: 3.17(5)."""
    return at + 2 < len(tokens) and tokens[at + 1].text.isdigit() and tokens[at + 2].is_sign(")")


def _bare(part: Term | str) -> bool:
    return part == ")" or (isinstance(part, Term) and part.unit is None)


def _is_function(tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    return (
        token.kind == WORD
        and token.low in FUNCTIONS
        and at + 1 < len(tokens)
        and tokens[at + 1].is_sign("(")
        and not tokens[at + 1].gap
    )


def _compound(tokens: Sequence[Token], at: int, asked: Unit, term: Term) -> tuple[Term, int]:
    """`1 h 30 min`, `2 hours and 5 minutes`, `1h30`: times of falling size, added up."""
    first, unit, total = term, term.unit, term.literal.value
    assert unit is not None
    step = term.literal.step
    while not term.literal.fault and unit.factor >= 1 and at < len(tokens):
        skip = 1 if tokens[at].low == "and" or tokens[at].is_sign(",") else 0
        found = term_at(tokens, at + skip, asked)
        if found is None or found[0].literal.fault:
            break
        part, end = found
        smaller = part.unit
        if smaller is None:
            if unit.symbol != "h" or skip or part.literal.value >= 60 or end < len(tokens):
                break
            smaller = KNOWN_UNITS["min"]
        if smaller.dim.powers != _TIME or smaller.factor >= unit.factor:
            break
        assert first.unit is not None
        share = Fraction(smaller.factor) / first.unit.factor
        total += part.literal.value * share
        step = part.literal.step * share
        unit, at = smaller, end
        term = replace(first, literal=replace(first.literal, value=total, step=step, decimal=None), minutes=False)
    return term, at


# -- working it out -------------------------------------------------------------------------


def work_out(found: Sum, asked: Unit) -> Found | str:
    """What a sum comes to, or why it comes to nothing."""
    if found.fault:
        return found.fault
    for term in found.terms:
        if term.literal.fault:
            return term.literal.fault
        if term.literal.decimal is not None:
            return both_ways(term.literal.text)
    single = found.single
    if single is not None:
        return Found(single.literal.value, single.unit, single.literal.step, raised=single.literal.raised)
    return _calculate(found, asked)


def both_ways(text: str) -> str:
    """The reason for a comma (or, in a count, a point) that could be either mark."""
    if "," not in text:
        return f'"{text}" could be {text.replace(".", "")} or {text}0: write a whole number, without the point'
    left, _, right = text.partition(",")
    return f'"{text}" could be {left}{right} or {left}.{right}: write it without the comma, or with a point'


def billions(found: Sum) -> Sum | None:
    """The same sum with every `13B` as thousands of millions; None if there is none."""
    if found.single is not None or not any(t.billions for t in found.terms):
        return None
    parts = [
        replace(p, literal=scaled(p.literal, 10**9), unit=None) if isinstance(p, Term) and p.billions else p
        for p in found.parts
    ]
    return replace(found, parts=tuple(parts))


def rates(found: Sum) -> tuple[Sum, ...]:
    """The same sum with its last TFLOPS, and with all of them, as work a second, which it may have meant."""
    spelt = [at for at, p in enumerate(found.parts) if isinstance(p, Term) and p.flops]
    if found.single is not None or not spelt:
        return ()
    other = []
    for chosen in (spelt[-1:], spelt):
        parts = list(found.parts)
        for at in chosen:
            term = parts[at]
            assert isinstance(term, Term)
            assert term.unit is not None
            parts[at] = replace(term, unit=over(term.unit, KNOWN_UNITS["s"]))
        other.append(replace(found, parts=tuple(parts)))
    return tuple(other)


def _calculate(found: Sum, asked: Unit) -> Found | str:
    parts, whole = _outer_unit(found, asked)
    values: dict[str, Quantity] = {}
    text = ""
    for part in parts:
        if isinstance(part, Term):
            name = f"q{len(values)}"
            values[name] = Quantity(tidy(part.literal.value), _unlabelled(part.unit))
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
        units = [t.unit for t in parts if isinstance(t, Term) and t.unit is not None]
        if whole is None and not asked.dim.label and any(u.dim.powers or u.factor != 1 for u in units):
            whole = ONE  # GB over GB is a plain number, and so is 100% - 53%; 2 nodes * 8 GPUs is a count
        return Found(value, whole, calculated=True)
    whose = {t.unit.dim.label for t in found.terms if t.unit is not None} & {n for n, _ in asked.dim.powers}
    joint = bool(whose - {""}) and _unlabelled(asked).dim == dim  # 2048 GPUs * 88.8 h
    unit = asked if joint or fits(dim, asked.dim) else _unit_of(dim, found)
    return Found(in_unit(value, unit), unit, calculated=True)


def _outer_unit(found: Sum, asked: Unit) -> tuple[tuple[Term | str, ...], Unit | None]:
    """`26 + 5.7 GB`: one unit, at the very end, belongs to the result."""
    last = found.parts[-1]
    others = [t for t in found.terms[:-1] if t.unit is not None and (t.unit.dim.powers or t.unit.factor != 1)]
    if not isinstance(last, Term) or last.unit is None or others:
        return found.parts, None
    counts = bool(last.unit.dim.label) and not fits(last.unit.dim, asked.dim)
    if (counts and found.parts[-2] in ("/", "*")) or (asked.dim.bare and found.parts[-2] == "/"):  # 405 / 989 TFLOP/s
        return (*found.parts[:-1], replace(last, unit=None)), None
    return (*found.parts[:-1], replace(last, unit=None)), last.unit


def _unlabelled(unit: Unit | None) -> Unit:
    """`unit` as a plain factor of physical dimensions: what is counted does not matter in a candidate's sum."""
    if unit is None:
        return ONE
    return Unit(unit.symbol, unit.factor, Dim(tuple(p for p in unit.dim.powers if p[0] not in LABELS)))


def _unit_of(dim: Dim, found: Sum) -> Unit:
    for term in found.terms:
        if term.unit is not None and term.unit.dim == dim:
            return term.unit
    return Unit(str(dim), Fraction(8) ** int(dim.power(INFORMATION)), dim)
