"""The one number in a response with words around it: `about 32 GB per GPU`, `26 GB + 5.7 GB = 31.7 GB`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quizgen.formula.read_asides import without_asides, without_reasons
from quizgen.formula.read_clock import clock_time
from quizgen.formula.read_joined import joined, spelled_beside
from quizgen.formula.read_refuse import lead_fault, power_fault, range_fault, tail_fault
from quizgen.formula.read_sums import Found, Sum, billions, sum_at, work_out
from quizgen.formula.read_terms import Term
from quizgen.formula.read_token import NUMBER, SIGN, WORD, Token
from quizgen.formula.read_words import CONTEXT
from quizgen.formula.unit_fit import fits
from quizgen.formula.unit_table import TIME
from quizgen.formula.units import ONE, Unit

_EQUALS: Final = ("=", "==", "=>", "->", "~", ":=")
_CLOSE: Final = Fraction(1, 100)  # two spellings of one amount, each rounded
# 31.7 GB, i.e. about 29.5 GiB
_AGAIN: Final = ("or", "i", "e", "ie", "aka", "that", "is", "this", "which", "about", "approx", "roughly")
_GROUPS: Final = ("of", "with", "each", "having")
_TWO: Final = "it holds two different numbers: write one"


@dataclass(frozen=True, slots=True)
class Core:
    """A sum in the text: what it comes to, and the tokens between it and the one before."""

    sum: Sum
    before: tuple[Token, ...]
    found: Found | str


def phrase_result(tokens: Sequence[Token], asked: Unit, whole: bool) -> Found | str:
    """The number a response gives, or why it gives none."""
    tokens = joined(without_asides(without_reasons(tokens)), asked)
    if not any(t.kind == NUMBER for t in tokens):
        return "it holds no number: write one"
    if spelled_beside(tokens, asked):
        return _TWO
    clock = clock_time(tokens, asked)
    if clock is not None:
        return clock
    segments = _segments(tokens)
    last = max(i for i, s in enumerate(segments) if any(t.kind == NUMBER for t in s))
    result = _segment(segments[last], asked, whole)
    if isinstance(result, str):
        return result
    finest = result
    for at, segment in enumerate(segments[:last]):
        if at and result.unit is not None and _is_input(segments[at - 1], segment):
            continue
        before = _left_side(segment, result, asked, whole)
        if isinstance(before, str):
            return before
        if before is not None and _finer(before, finest):
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


def _is_input(name: Sequence[Token], value: Sequence[Token]) -> bool:
    """`K` = `32`: a number given to a name of one or two letters is no answer."""
    return bool(name) and name[-1].kind == WORD and len(name[-1].text) <= 2 and len(value) == 1


def _left_side(segment: Sequence[Token], result: Found, asked: Unit, whole: bool) -> Found | str | None:
    """What stands left of an equals sign, if it is the same amount; None if it is working, else a fault.

    A name (`K =`) and a calculation (`13e9 * 16 =`) are working; a plain number must be the same.
    """
    if not any(t.kind == NUMBER for t in segment):
        return None
    cores = _cores(segment, asked, whole)
    if result.unit is not None and all(_is_context(c, asked) for c in cores):
        return None
    if any(t.is_sign("+", "*", "/", "**") for t in segment) and len(cores) != 1:
        return None  # 2N + 14N/K =
    if len(cores) != 1:
        return _TWO
    core = cores[0]
    alone = not core.before and core.sum.end == len(segment)
    if core.sum.single is None and not core.sum.fault:
        same = alone and not isinstance(core.found, str) and _same(core.found, result, asked)
        return core.found if same else None
    if isinstance(core.found, str):
        return core.found
    ends_in_name = core.sum.end < len(segment) and segment[-1].kind == WORD
    if ends_in_name and result.unit is not None:  # K = 32, state = 31.7 GB
        return None
    calculated = core.found.calculated or result.calculated
    exact = core.found if calculated else replace(core.found, step=None)  # 30 ~ 35: only the right one is rounded
    return core.found if _same(exact, result, asked) else _TWO


def _finer(left: Found, right: Found) -> bool:
    """`7/15 = 0.5`, `31.6875 GB = 32 GB`: the candidate knows it better than the last number shows."""
    if (left.unit is None) != (right.unit is None) or right.step is None:
        return False
    if left.step is None:
        return True
    mine, theirs = (f.unit.factor if f.unit else 1 for f in (left, right))
    return left.step * mine < right.step * theirs


def _same(left: Found, right: Found, asked: Unit) -> bool:
    """Two spellings of one amount: `31.7 GB (29.5 GiB)`."""
    for mine in _possible(left, asked):
        for theirs in _possible(right, asked):
            one, other = Fraction(left.value) * mine.factor, Fraction(right.value) * theirs.factor
            slack = max(_CLOSE * max(abs(one), abs(other)), _half_step(left, mine), _half_step(right, theirs))
            if fits(mine.dim, theirs.dim) and abs(one - other) <= slack:
                return True
    return False


def _half_step(found: Found, unit: Unit) -> Fraction:
    """By how much a number may be rounded: 0.05 for 31.7; at most a fifth of it."""
    step = found.step or Fraction(0)
    return min(step / 2, abs(Fraction(found.value)) / 5) * unit.factor


def _possible(found: Found, asked: Unit) -> tuple[Unit, ...]:
    """The units it may be in: a bare number where % is asked may be a fraction."""
    if found.unit is not None:
        return (found.unit,)
    return (asked, ONE) if asked.symbol == "%" else (asked,)


def _cores(segment: Sequence[Token], asked: Unit, whole: bool) -> list[Core]:
    cores: list[Core] = []
    at = start = 0
    while at < len(segment):
        skipped = _is_name_part(segment, at) or _is_dash(segment, at)
        found = None if skipped else sum_at(segment, at, asked)
        if found is None:
            at += 1
            continue
        cores.append(Core(found, tuple(segment[start:at]), _worked(found, asked, whole)))
        at = start = max(found.end, at + 1)
    return cores


def _is_name_part(segment: Sequence[Token], at: int) -> bool:
    """The 2 of `ZeRO-2`, and its hyphen."""
    if at == 0 or segment[at].gap:
        return False
    if segment[at].kind == NUMBER and segment[at - 1].is_sign("-") and at > 1 and not segment[at - 1].gap:
        return segment[at - 2].kind == WORD
    return segment[at].is_sign("-") and segment[at - 1].kind == WORD


def _is_dash(segment: Sequence[Token], at: int) -> bool:
    """The dash of `memory - 31.7 GB` is no minus."""
    between = at > 0 and segment[at - 1].kind == WORD and at + 1 < len(segment) and segment[at + 1].gap
    return between and segment[at].is_sign("-") and segment[at].gap


def _worked(found: Sum, asked: Unit, whole: bool) -> Found | str:
    """What a sum comes to, once the comma of a number that must be whole is settled."""
    settled = []
    for part in found.parts:
        if isinstance(part, Term) and part.literal.decimal is not None and _cannot_be_broken(part, asked, whole):
            part = replace(part, literal=replace(part.literal, decimal=None))
        settled.append(part)
    found = replace(found, parts=tuple(settled))
    term = found.single
    if term is not None and term.minutes and term.unit is not None and term.unit.dim.powers == ((TIME, 1),):
        return '"m" could be minutes or milli: write min or ms'
    in_billions = billions(found)
    if in_billions is not None:
        other = work_out(in_billions, asked)
        first = work_out(found, asked)
        if not isinstance(other, str) and (isinstance(first, str) or _sensible(other, asked)):
            return other
    return work_out(found, asked)


def _sensible(found: Found, asked: Unit) -> bool:
    """`13B*16/8` where bytes are asked: 26 billion, not 26 bytes."""
    return found.unit is None or fits(found.unit.dim, asked.dim)


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


# -- one segment ----------------------------------------------------------------------------


def _segment(segment: Sequence[Token], asked: Unit, whole: bool) -> Found | str:
    cores = _cores(segment, asked, whole)
    if not cores:
        return "it holds no number that can be read: write one"
    chosen = _chosen(cores, asked)
    if isinstance(chosen, str):
        return chosen
    core = cores[chosen]
    last = cores[-1] if chosen == 0 and len(cores) > 1 and not _is_context(cores[-1], asked) else core
    if isinstance(core.found, str):
        return core.found
    count = whole or bool(asked.dim.label)
    if core.before and core.before[-1].low == "and" and "/" in segment[core.sum.start].text:
        return "it adds up in words: write one number"  # a GB and a half
    return (
        lead_fault(core.before, segment[core.sum.start].gap, count)
        or power_fault(segment[core.sum.start : core.sum.end])
        or range_fault(core.sum)
        or tail_fault(segment[last.sum.end :], core.found.unit is not None)
        or core.found
    )


def _chosen(cores: Sequence[Core], asked: Unit) -> int | str:
    """Which of several numbers is the answer, or why none is."""
    if len(cores) == 1:
        return 0
    for core in cores:
        if isinstance(core.found, str):
            return core.found
    first = cores[0].found
    assert not isinstance(first, str)
    if all(_restates(core, first, asked) for core in cores[1:]):
        return 0
    wanted = [i for i, c in enumerate(cores) if _answers(c, asked)]
    if len(wanted) == 1 and all(_is_context(c, asked) for i, c in enumerate(cores) if i != wanted[0]):
        if asked.dim.label and wanted[0] and any(t.low in _GROUPS for t in cores[wanted[0]].before):
            return "it counts in groups: write the number itself"  # 4 nodes of 8 GPUs
        return wanted[0]
    between = [t.low for core in cores[1:] for t in core.before]
    if len(cores) == 2 and any(w in ("to", "-", "..", "and", "...") for w in between):
        return "it gives a range or two numbers: write one"
    return _TWO


def _restates(core: Core, first: Found, asked: Unit) -> bool:
    """The same amount once more, in another unit."""
    assert not isinstance(core.found, str)
    rounded = any(t.low in ("rounded", "rounds") for t in core.before)
    joined = rounded or all(t.low in _AGAIN or t.kind == SIGN for t in core.before)
    other_unit = rounded or core.found.unit != first.unit or core.found.calculated or first.calculated
    return joined and other_unit and _same(first, core.found, asked)


def _answers(core: Core, asked: Unit) -> bool:
    found = core.found
    return not isinstance(found, str) and found.unit is not None and fits(found.unit.dim, asked.dim)


def _is_context(core: Core, asked: Unit) -> bool:
    """`on 32 GPUs`, `stage 2`, `K 8`: a number that sets the scene."""
    found = core.found
    if isinstance(found, str) or core.sum.single is None:
        return False
    if found.unit is not None and found.unit.dim.label and not fits(found.unit.dim, asked.dim):
        return True
    return found.unit is None and bool(core.before) and core.before[-1].low in CONTEXT
