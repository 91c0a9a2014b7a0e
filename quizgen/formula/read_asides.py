"""What stands beside an answer and is none of it: the reason behind it, the inputs it was worked out from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from quizgen.formula.read_token import NUMBER, SIGN, WORD, Token
from quizgen.formula.read_units import unit_at
from quizgen.formula.read_words import NAMED
from quizgen.formula.unit_fit import fits
from quizgen.formula.units import Unit

_LEADS: Final = ("for", "with", "when", "where", "if", "given", "using", "assuming", "at", "w")


def without_reasons(tokens: Sequence[Token]) -> Sequence[Token]:
    """`14 because 13 does not fit`: what comes after the reason is none of the answer."""
    seen = False
    for at, token in enumerate(tokens):
        seen = seen or token.kind == NUMBER
        if seen and token.kind == WORD and token.low in ("because", "since"):
            return tokens[:at]
    return tokens


def without_asides(tokens: Sequence[Token]) -> Sequence[Token]:
    """`6.5 GB (K = 32)`, `31.7 GB (26 weights + 5.7 rest)`: inputs and told sums in parentheses behind a number
    are none of the answer."""
    tokens = _without_told_sum(tokens)
    for at in range(1, len(tokens) - 3):
        if tokens[at].is_sign("(") and tokens[at + 1].kind == WORD and tokens[at + 2].is_sign("="):
            end = next((i for i in range(at, len(tokens)) if tokens[i].is_sign(")")), None)
            if end is not None and any(t.kind == NUMBER for t in tokens[:at]):
                return [*tokens[:at], *tokens[end + 1 :]]
    return tokens


def _without_told_sum(tokens: Sequence[Token]) -> Sequence[Token]:
    """A sum with words in parentheses at the very end tells how the number came about."""
    start = next((i for i in range(1, len(tokens)) if tokens[i].is_sign("(")), 0)
    if not start or not tokens[-1].is_sign(")") or not tokens[start].gap or tokens[start - 1].kind == SIGN:
        return tokens
    inside = tokens[start + 1 : -1]
    numbers = [i for i, t in enumerate(inside) if t.kind == NUMBER]
    told = len(numbers) > 1 and any(t.is_sign("+") for t in inside) and any(t.kind == WORD for t in inside)
    return tokens[:start] if told and any(t.kind == NUMBER for t in tokens[:start]) else tokens


def without_inputs(tokens: Sequence[Token], asked: Unit) -> tuple[Sequence[Token], bool]:
    """What is left of `31.7 GB for K = 32` or `N = 13B, K = 32: 31.7 GB` without the inputs, and whether
    the words before them say that they are inputs.

    An input is a name of one or two letters (or `stage`) that is equal to a number of another kind than is asked.
    """
    left: list[Token] = []
    at, last = 0, -1
    led = True
    while at < len(tokens):
        end = _input_at(tokens, at, asked)
        if end is None:
            left.append(tokens[at])
            at += 1
            continue
        told = at == last or (0 < last == at - 1 and tokens[last].low == "and")  # , K = 32 after another
        while left and (left[-1].low in (*_LEADS, "and") or left[-1].is_sign("(", ",", "/")):
            told = told or left[-1].low in _LEADS
            left.pop()
        led = led and told
        at = end
        while at < len(tokens) and tokens[at].is_sign(",", ":", ";", ")"):
            at += 1
        last = at
    return left, led


def _input_at(tokens: Sequence[Token], at: int, asked: Unit) -> int | None:
    """Where `K = 32` or `N = 13B` ends that starts at `at`; None if none does."""
    name = tokens[at]
    if at + 2 >= len(tokens) or name.kind != WORD or not name.text.isalpha():
        return None
    if len(name.text) > 2 and name.low not in NAMED:
        return None
    before = tokens[at - 1] if at else None
    if before is not None and before.kind != WORD and not before.is_sign("(", ",", ";", ":", "/"):
        return None  # 20 * 70B = 1.4T
    if before is not None and not name.gap and not before.is_sign("("):
        return None  # 14N/K = 31.7
    if not tokens[at + 1].is_sign("=", "==") or tokens[at + 2].kind != NUMBER or tokens[at + 2].number().fault:
        return None
    end = at + 3
    billions = end < len(tokens) and tokens[end].text in ("B", "b", "k", "K", "M", "T") and not tokens[end].gap
    unit = None if billions else unit_at(tokens, end, asked)
    if unit is not None:
        if fits(unit[0].dim, asked.dim):
            return None
        end = unit[1]
    end += billions
    return None if end < len(tokens) and tokens[end].is_sign("+", "-", "*", "/", "**", "(") else end
