"""What a sum comes to, worked out by the formula engine.

The engine sees names for the terms, never the candidate's text, and its own limits hold.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from quizgen.formula.check import check
from quizgen.formula.dimensions import Dim
from quizgen.formula.errors import FormulaError
from quizgen.formula.evaluate import ImpossibleError, evaluate
from quizgen.formula.parse import parse
from quizgen.formula.quantity import Quantity, in_unit, tidy
from quizgen.formula.read_spelling import over
from quizgen.formula.read_sums import Found, Sum
from quizgen.formula.read_terms import Term, scaled
from quizgen.formula.scope import bare_scope
from quizgen.formula.unit_fit import LABELS, fits
from quizgen.formula.unit_table import INFORMATION
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit


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
    """The value of several terms, in the unit that is asked where it is of that kind."""
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
        if whole is not None and "*" in parts and whole.dim != asked.dim and whole.dim == _unlabelled(asked).dim:
            return Found(in_unit(value * whole.factor, asked), asked, calculated=True)  # 16384 * 1880 h
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
    share = asked.dim.bare and bool(last.unit.dim.powers) and found.parts[-2] == "/"  # 405 / 989 TFLOP/s
    if share or (counts and found.parts[-2] in ("/", "*")):
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
