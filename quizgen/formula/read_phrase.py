"""The one number in a response with words around it: `about 32 GB per GPU`, `26 GB + 5.7 GB = 31.7 GB`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from quizgen.formula.read_asides import without_asides, without_inputs, without_reasons
from quizgen.formula.read_clock import clock_time
from quizgen.formula.read_joined import joined, spelled_beside
from quizgen.formula.read_refuse import tail_fault
from quizgen.formula.read_same import finer, same_amount
from quizgen.formula.read_segment import TWO, Core, cores_of, is_context, is_named, rounds_to, segment_result
from quizgen.formula.read_sums import Found
from quizgen.formula.read_token import NUMBER, SIGN, WORD, Token
from quizgen.formula.read_words import SHARED_OUT
from quizgen.formula.unit_fit import fits
from quizgen.formula.units import Unit

_EQUALS: Final = ("=", "==", "=>", "->", "~", ":=")


def phrase_result(tokens: Sequence[Token], asked: Unit, whole: bool) -> Found | str:
    """The number a response gives, or why it gives none."""
    tokens = without_asides(without_reasons(tokens))
    rest, led = without_inputs(tokens, asked)
    if len(rest) < len(tokens) and any(t.kind == NUMBER for t in rest):
        alone = _result(joined(rest, asked), asked, whole)
        if not isinstance(alone, str) and (led if alone.unit is None else fits(alone.unit.dim, asked.dim)):
            return alone
    return _result(joined(tokens, asked), asked, whole)


def _result(tokens: Sequence[Token], asked: Unit, whole: bool) -> Found | str:
    if not any(t.kind == NUMBER for t in tokens):
        return "it holds no number: write one"
    if spelled_beside(tokens, asked):
        return TWO
    clock = clock_time(tokens, asked)
    if clock is not None:
        return clock
    segments = _segments(tokens)
    last = max(i for i, s in enumerate(segments) if any(t.kind == NUMBER for t in s))
    result = segment_result(segments[last], asked, whole)
    if isinstance(result, str):
        return result
    finest = result
    for segment in segments[:last]:
        before = _left_side(segment, result, asked, whole)
        if isinstance(before, str):
            return before
        if before is not None and finer(before, finest):
            finest = before
    tail = [t for s in segments[last + 1 :] for t in s]
    return tail_fault(tail, True) or finest


def _segments(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """The parts between equals signs."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == SIGN and token.text in _EQUALS:
            parts.append([])
        else:
            parts[-1].append(token)
    return [tuple(part) for part in parts]


def _left_side(segment: Sequence[Token], result: Found, asked: Unit, whole: bool) -> Found | str | None:
    """What stands left of an equals sign, if it is the same amount; None if it is working, else a fault.

    A name (`K =`) and a calculation (`13e9 * 16 =`) are working; a plain number must be the same.
    """
    if not any(t.kind == NUMBER for t in segment):
        return None
    cores = cores_of(segment, asked, whole)
    if all(is_context(c, asked) and (result.unit is not None or is_named(c)) for c in cores):
        return None
    shared = any(t.is_sign("+", "*", "/", "**") or t.low in SHARED_OUT for t in segment)
    if shared and len(cores) != 1:
        return None  # 2N + 14N/K =
    if len(cores) != 1:
        return TWO
    core = cores[0]
    if _is_symbolic(segment, core):
        return None  # 6ND =, N*(2 + 14/K) =
    alone = not core.before and core.sum.end == len(segment)
    if core.sum.single is None and not core.sum.fault:
        same = alone and not isinstance(core.found, str) and same_amount(core.found, result, asked)
        return core.found if same else None
    if isinstance(core.found, str):
        return core.found
    ends_in_name = core.sum.end < len(segment) and segment[-1].kind == WORD
    if ends_in_name and result.unit is not None:  # K = 32, state = 31.7 GB
        return None
    if (whole or asked.dim.label) and rounds_to(core.found, result):
        return None  # 13.3 -> 14
    calculated = core.found.calculated or result.calculated
    exact = core.found if calculated else replace(core.found, step=None)  # 30 ~ 35: only the right one is rounded
    return core.found if same_amount(exact, result, asked, whole) else TWO


def _is_symbolic(segment: Sequence[Token], core: Core) -> bool:
    """It calculates with letters: one is glued to the number, or the sum breaks off at one."""
    if core.sum.fault:
        return any(t.kind == WORD for t in segment)
    rest = segment[core.sum.end :]
    if core.unit is not None or not rest:
        return False
    letters = all(t.kind == WORD and len(t.text) <= 2 for t in rest)  # 6 N D
    named = len(rest) > 1 and rest[0].is_sign("*", "/") and rest[1].kind == WORD  # 6 * N * D
    return letters or named or (rest[0].kind == WORD and not rest[0].gap)
