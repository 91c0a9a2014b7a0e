"""What stands beside an answer and is none of it: the reason behind it, the inputs it was worked out from,
what it is made up of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from quizgen.formula.reading.span import AMOUNT, NUMBER, SIGN, UNIT, WORD, Context, Span
from quizgen.formula.reading.vocabulary import NAMED

_LEADS: Final = ("for", "with", "when", "where", "if", "given", "using", "assuming", "at", "w")


def without_reasons(line: Sequence[Span]) -> Sequence[Span]:
    """`14 because 13 does not fit`: what comes after the reason is none of the answer."""
    seen = False
    for at, span in enumerate(line):
        seen = seen or (span.kind == NUMBER and not (at and line[at - 1].says("not")))  # not 19, because .., but 14
        if seen and span.kind == WORD and span.low in ("because", "since"):
            return line[:at]
    return line


def without_told_parts(line: Sequence[Span]) -> Sequence[Span]:
    """`31.7 GB (26 weights + 5.7 rest)`, `11510 (1010 for R, 10500 for S)`, `10 MB (80 Mbit / 8)`: two or more amounts
    in parentheses at the very end tell how the number came about."""
    start = next((i for i in range(1, len(line)) if line[i].is_sign("(")), 0)
    if not start or not line[-1].is_sign(")") or not line[start].gap or line[start - 1].kind == SIGN:
        return line
    inside = line[start + 1 : -1]
    amounts = [s for s in inside if s.kind == AMOUNT and not s.fault]
    before = [s for s in line[:start] if s.kind == AMOUNT and not s.fault]
    worked = any(s.kind in (WORD, UNIT) or s.is_sign("=", "+", "*", "/") for s in inside)  # 3 (200^3 = 8M)
    told = worked or (before and before[-1].senses[0].unit is not None)
    choice = any(s.low in ("or", "not") or (s.low == "to" and t.kind == AMOUNT) for s, t in pairwise(inside))
    return line[:start] if len(amounts) > 1 and before and told and not choice else line


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
    glued = at and not name.gap and line[at - 1].kind == AMOUNT  # 80 us * 2.5k = 200 ms
    glued = glued or (at and line[at - 1].is_sign("*", "**", "+"))  # h*c + (1-h)*m = 1.42 ms
    if glued or at + 2 >= len(line) or name.kind not in (WORD, UNIT) or not name.text.isalpha():
        return None
    if len(name.text) > 2 and name.low not in NAMED:
        return None
    amount = line[at + 2]
    if not line[at + 1].is_sign("=", "==") or amount.kind != AMOUNT or amount.fault:
        return None
    end = at + 3
    return None if end < len(line) and line[end].is_sign("+", "-", "*", "/", "**", "(") else end
