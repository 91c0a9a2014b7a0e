"""What a sum is worth once it is settled what was meant: a comma, `13B` of parameters, TFLOPS as a rate."""

from __future__ import annotations

from dataclasses import replace

from quizgen.formula.read_same import same_amount
from quizgen.formula.read_sums import Found, Sum
from quizgen.formula.read_terms import Term
from quizgen.formula.read_work import billions, both_ways, rates, work_out
from quizgen.formula.unit_fit import fits
from quizgen.formula.unit_table import TIME
from quizgen.formula.units import Unit


def worth(found: Sum, asked: Unit, whole: bool) -> Found | str:
    """What a sum comes to, once the comma of a number that must be whole is settled."""
    settled = []
    for part in found.parts:
        if isinstance(part, Term) and part.literal.decimal is not None and _cannot_be_broken(part, asked, whole):
            part = replace(part, literal=replace(part.literal, decimal=None))
        settled.append(part)
    found = replace(found, parts=tuple(settled))
    again = _once_more(found, asked)
    if again is not None:
        return again
    term = found.single
    if term is not None and term.minutes and term.unit is not None and term.unit.dim.powers == ((TIME, 1),):
        return '"m" could be minutes or milli: write min or ms'
    first = work_out(found, asked)
    in_billions = billions(found)
    if in_billions is not None:
        other = work_out(in_billions, asked)
        if not isinstance(other, str) and (isinstance(first, str) or _sensible(other, asked)):
            return other
    if not isinstance(first, str) and not _sensible(first, asked):
        for as_rates in rates(found):
            other = work_out(as_rates, asked)
            if not isinstance(other, str) and _sensible(other, asked):
                return other
    return first


def _once_more(found: Sum, asked: Unit) -> Found | None:
    """`31.7 GB / 29.5 GiB`: one amount in two units, and no ratio."""
    if len(found.parts) != 3 or found.parts[1] != "/" or asked.dim.bare:
        return None
    left, right = found.terms
    if left.unit is None or right.unit is None or left.unit == right.unit or left.literal.fault or right.literal.fault:
        return None
    first = Found(left.literal.value, left.unit, left.literal.step)
    same = same_amount(first, Found(right.literal.value, right.unit, right.literal.step), asked)
    return first if same and fits(left.unit.dim, asked.dim) else None


def _sensible(found: Found, asked: Unit) -> bool:
    """`13B*16/8` where bytes are asked: 26 billion, not 26 bytes."""
    return found.unit is None or fits(found.unit.dim, asked.dim)


def grouped_fault(found: Sum, asked: Unit, whole: bool) -> str:
    """`1.024` where a count without parts is asked: the point may group thousands."""
    term = found.single
    if term is None or not whole or term.scaled:
        return ""
    unit = term.unit or asked
    left, point, right = term.literal.text.partition(".")
    grouped = bool(point) and len(right) == 3 and right.isdigit() and len(left) <= 3 and left.strip("0") != ""
    counts = (unit.dim.bare or bool(unit.dim.label)) and unit.symbol != "%"
    return both_ways(term.literal.text) if grouped and counts else ""


def _cannot_be_broken(term: Term, asked: Unit, whole: bool) -> bool:
    """1.234 of it cannot be meant: a count, single bytes or bits, dollars to three places, or a unit
    smaller than the one that is asked, which nobody turns to for a small number (`31,688 MB` for GB)."""
    if term.scaled or term.literal.raised:
        return False
    unit = term.unit or asked
    if unit.dim == asked.dim and unit.factor < asked.factor and unit.symbol != "%":
        return True
    if unit.symbol in ("B", "b", "FLOP", "USD") or unit.dim.label:
        return True
    return whole and unit.dim.bare and unit.symbol != "%"
