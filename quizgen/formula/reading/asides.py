"""What stands beside an answer and is none of it: the reason behind it, the inputs it was worked out from,
what it is made up of."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Final

from quizgen.formula.reading.span import AMOUNT, NUMBER, SIGN, UNIT, WORD, Context, Span
from quizgen.formula.reading.vocabulary import NAMED
from quizgen.formula.unit_fit import fits

_LEADS: Final = ("for", "with", "when", "where", "if", "given", "using", "assuming", "at", "w")


def without_reasons(line: Sequence[Span]) -> Sequence[Span]:
    """`14 because 13 does not fit`: what comes after the reason is none of the answer."""
    seen = False
    for at, span in enumerate(line):
        seen = seen or span.kind == NUMBER
        if seen and span.kind == WORD and span.low in ("because", "since"):
            return line[:at]
    return line


def without_told_parts(line: Sequence[Span], context: Context) -> Sequence[Span]:
    """`31.7 GB (26 weights + 5.7 rest)`, `11510 (1010 for R, 10500 for S)`: a sum in words in parentheses at
    the very end tells how the number came about; a list of two or more has to add up, or multiply, to it."""
    start = next((i for i in range(1, len(line)) if line[i].is_sign("(")), 0)
    if not start or not line[-1].is_sign(")") or not line[start].gap or line[start - 1].kind == SIGN:
        return line
    inside = line[start + 1 : -1]
    amounts = [s for s in inside if s.kind == AMOUNT and not s.fault]
    before = [s for s in line[:start] if s.kind == AMOUNT and not s.fault]
    if len(amounts) < 2 or not before or not any(s.kind in (WORD, UNIT) for s in inside):
        return line
    if any(s.is_sign("+") for s in inside):
        return line[:start]
    listed = not any(s.kind == SIGN and s.text not in (",", ";", ":", "=") for s in inside)
    told = [_base(s, context) for s in amounts]
    made = (sum(told, Fraction(0)), prod(told, start=Fraction(1)))  # 150 MB (18750 pages of 8 kB)
    comes_to = len(before) == 1 and any(abs(one - _base(before[0], context)) <= abs(one) / 1000 for one in made)
    return line[:start] if listed and comes_to else line


def _base(amount: Span, context: Context) -> Fraction:
    sense = amount.senses[0]
    return Fraction(sense.value) * (sense.unit or context.unit).factor


def without_inputs(line: Sequence[Span], context: Context) -> tuple[Sequence[Span], bool]:
    """What is left of `31.7 GB for K = 32` or `N = 13B, K = 32: 31.7 GB` without the inputs, and whether
    the words before them say that they are inputs.

    An input is a name of one or two letters (or `stage`) that is equal to a number of another kind than is asked.
    """
    left: list[Span] = []
    at, last, led = 0, -1, True
    while at < len(line):
        end = _input_at(line, at, context)
        if end is None:
            left.append(line[at])
            at += 1
            continue
        told = at == last or (0 < last == at - 1 and line[last].low == "and")  # , K = 32 after another
        while left and (left[-1].low in (*_LEADS, "and") or left[-1].is_sign("(", ",", "/")):
            told = told or left[-1].low in _LEADS
            left.pop()
        led = led and told
        at = end
        while at < len(line) and line[at].is_sign(",", ":", ";", ")"):
            at += 1
        last = at
    return left, led


def _input_at(line: Sequence[Span], at: int, context: Context) -> int | None:
    """Where `K = 32` or `N = 13B` ends that starts at `at`; None if none does."""
    name = line[at]
    if at + 2 >= len(line) or name.kind not in (WORD, UNIT) or not name.text.isalpha():
        return None
    if len(name.text) > 2 and name.low not in NAMED:
        return None
    before = line[at - 1] if at else None
    if before is not None and before.kind == SIGN and not before.is_sign("(", ",", ";", ":", "/"):
        return None  # 20 * 70B = 1.4T
    if before is not None and (before.kind == AMOUNT or (not name.gap and not before.is_sign("("))):
        return None  # 14N/K = 31.7
    amount = line[at + 2]
    if not line[at + 1].is_sign("=", "==") or amount.kind != AMOUNT or amount.fault:
        return None
    unit = None if amount.rule == "letter" else amount.senses[0].unit
    if unit is not None and fits(unit.dim, context.unit.dim):
        return None
    end = at + 3
    return None if end < len(line) and line[end].is_sign("+", "-", "*", "/", "**", "(") else end
