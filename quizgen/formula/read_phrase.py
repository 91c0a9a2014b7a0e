"""The one number in a response with words around it: `about 32 GB per GPU`, `26 GB + 5.7 GB = 31.7 GB`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quizgen.formula.read_asides import without_asides, without_inputs, without_reasons
from quizgen.formula.read_clock import clock_time
from quizgen.formula.read_joined import joined, spelled_beside
from quizgen.formula.read_refuse import lead_fault, power_fault, range_fault, tail_fault
from quizgen.formula.read_same import finer, same_amount
from quizgen.formula.read_sums import Found, Sum, sum_at
from quizgen.formula.read_token import NUMBER, SIGN, WORD, Token
from quizgen.formula.read_words import CONTEXT, MODELS, NAMED, SHARED_OUT
from quizgen.formula.read_worth import grouped_fault, worth
from quizgen.formula.unit_fit import fits
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit

_EQUALS: Final = ("=", "==", "=>", "->", "~", ":=")
# 31.7 GB, i.e. about 29.5 GiB
_AGAIN: Final = ("or", "i", "e", "ie", "aka", "that", "is", "this", "which", "about", "approx", "roughly")
_ROUGHLY: Final = ("about", "approx", "roughly", "~")
_GROUPS: Final = ("of", "with", "each", "having")
_TWO: Final = "it holds two different numbers: write one"


@dataclass(frozen=True, slots=True)
class Core:
    """A sum in the text: what it comes to, the tokens between it and the one before, and the next token."""

    sum: Sum
    before: tuple[Token, ...]
    after: Token | None
    found: Found | str

    @property
    def unit(self) -> Unit | None:
        return None if isinstance(self.found, str) else self.found.unit


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
    if all(_is_context(c, asked) and (result.unit is not None or _is_named(c)) for c in cores):
        return None
    shared = any(t.is_sign("+", "*", "/", "**") or t.low in SHARED_OUT for t in segment)
    if shared and len(cores) != 1:
        return None  # 2N + 14N/K =
    if len(cores) != 1:
        return _TWO
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
    if (whole or asked.dim.label) and _rounds_to(core.found, result):
        return None  # 13.3 -> 14
    calculated = core.found.calculated or result.calculated
    exact = core.found if calculated else replace(core.found, step=None)  # 30 ~ 35: only the right one is rounded
    return core.found if same_amount(exact, result, asked, whole) else _TWO


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


def _rounds_to(left: Found, right: Found) -> bool:
    """A number and the whole number above or below it."""
    broken = Fraction(left.value).denominator != 1 and Fraction(right.value).denominator == 1
    return broken and abs(Fraction(left.value) - Fraction(right.value)) < 1


def _cores(segment: Sequence[Token], asked: Unit, whole: bool) -> list[Core]:
    cores: list[Core] = []
    at = start = 0
    while at < len(segment):
        skipped = _is_name_part(segment, at) or _is_dash(segment, at)
        part = segment[: at + 1] if _is_dash(segment, at + 1) else segment  # stage 2 - 31.7 GB
        found = None if skipped else sum_at(part, at, asked)
        if found is None or (found.fault and _opens_words(segment, at)):
            at += 1
            continue
        after = segment[found.end] if found.end < len(segment) else None
        cores.append(Core(found, tuple(segment[start:at]), after, worth(found, asked, whole)))
        at = start = max(found.end, at + 1)
    return cores


def _opens_words(segment: Sequence[Token], at: int) -> bool:
    """The parenthesis at `at` holds prose: (80 GB each)."""
    if not segment[at].is_sign("("):
        return False
    end = next((i for i in range(at, len(segment)) if segment[i].is_sign(")")), at)
    inside = segment[at + 1 : end]
    return any(t.kind == WORD for t in inside) and not any(t.kind == SIGN for t in inside)


def _is_name_part(segment: Sequence[Token], at: int) -> bool:
    """The 2 of `ZeRO-2`, and its hyphen."""
    if at == 0 or segment[at].gap:
        return False
    if segment[at].kind == NUMBER and segment[at - 1].is_sign("-") and at > 1 and not segment[at - 1].gap:
        return segment[at - 2].kind == WORD
    return segment[at].is_sign("-") and segment[at - 1].kind == WORD


def _is_dash(segment: Sequence[Token], at: int) -> bool:
    """The dash of `memory - 31.7 GB` and `ZeRO-2 - 31.7 GB` is no minus."""
    if not 0 < at < len(segment) - 1 or not segment[at].is_sign("-") or not segment[at].gap or not segment[at + 1].gap:
        return False
    if segment[at - 1].kind == WORD:
        return True
    return at > 1 and (_is_name_part(segment, at - 1) or segment[at - 2].low in NAMED)


# -- one segment ----------------------------------------------------------------------------


def _segment(segment: Sequence[Token], asked: Unit, whole: bool) -> Found | str:
    cores = _cores(segment, asked, whole)
    if not cores:
        return "it holds no number that can be read: write one"
    chosen = _chosen(cores, asked, whole or bool(asked.dim.label))
    if isinstance(chosen, str):
        return chosen
    core = cores[chosen]
    last = cores[-1] if chosen == 0 and len(cores) > 1 and not _is_context(cores[-1], asked) else core
    if isinstance(core.found, str):
        return core.found
    count = whole or bool(asked.dim.label)
    tail = segment[last.sum.end :]
    if asked.dim.power("time") == 1 and tail and tail[0].is_sign("'", '"') and not tail[0].gap and not core.before:
        return f'"{core.sum.terms[0].literal.text}{tail[0].text}" could be minutes, seconds or inches: write min or s'
    if core.before and core.before[-1].low == "and" and "/" in segment[core.sum.start].text:
        return "it adds up in words: write one number"  # a GB and a half
    return (
        grouped_fault(core.sum, asked, whole)
        or lead_fault(core.before, segment[core.sum.start].gap, count)
        or power_fault(segment[core.sum.start : core.sum.end])
        or range_fault(core.sum)
        or tail_fault(segment[last.sum.end :], core.found.unit is not None, count)
        or core.found
    )


def _chosen(cores: Sequence[Core], asked: Unit, count: bool) -> int | str:
    """Which of several numbers is the answer, or why none is. `count`: only whole numbers make sense."""
    if len(cores) == 1:
        return 0
    for core in cores:
        if isinstance(core.found, str):
            return core.found
    first = cores[0].found
    assert not isinstance(first, str)
    if all(_restates(core, first, asked) for core in cores[1:]):
        return 0
    second = cores[1].found
    rounds = any(t.low in ("rounded", "rounds", "round", "so") for t in cores[1].before)
    if count and rounds and len(cores) == 2 and not isinstance(second, str) and _rounds_to(first, second):
        return 1  # 13.3, so 14
    wanted = [i for i, c in enumerate(cores) if _answers(c, asked)]
    if not wanted and all(c.unit is None or _is_context(c, asked) for c in cores):  # 64 (8 nodes), stage 2: 31.7
        wanted = [i for i, c in enumerate(cores) if not _is_context(c, asked)]
        wanted *= all(c.unit is not None or _is_named(c) for i, c in enumerate(cores) if i not in wanted)
    if len(wanted) == 1 and all(_is_context(c, asked) for i, c in enumerate(cores) if i != wanted[0]):
        if asked.dim.label and wanted[0] and any(t.low in _GROUPS for t in cores[wanted[0]].before):
            return "it counts in groups: write the number itself"  # 4 nodes of 8 GPUs
        return wanted[0]
    between = [t.low for core in cores[1:] for t in core.before]
    if "+/-" in between:
        return "it gives a margin: write one number"
    if len(cores) == 2 and any(w in ("to", "-", "..", "and", "...") for w in between):
        return "it gives a range or two numbers: write one"
    return _TWO


def _restates(core: Core, first: Found, asked: Unit) -> bool:
    """The same amount once more, in another unit."""
    assert not isinstance(core.found, str)
    rounded = any(t.low in ("rounded", "rounds") for t in core.before)
    joined = rounded or all(t.low in _AGAIN or t.kind == SIGN for t in core.before)
    plain = ONE if asked.dim.bare else asked  # what a bare number is in: 0.467 (46.7%) is in two units
    other_unit = (core.found.unit or plain) != (first.unit or plain)
    if joined and (other_unit or core.found.calculated or first.calculated):
        return same_amount(first, core.found, asked)
    roughly = rounded or any(t.low in _ROUGHLY for t in core.before)  # 31.6875 GB or roughly 32 GB
    return joined and roughly and same_amount(replace(first, step=None), core.found, asked)


def _answers(core: Core, asked: Unit) -> bool:
    return core.unit is not None and fits(core.unit.dim, asked.dim) and not _is_model(core)


def _is_model(core: Core) -> bool:
    """`a 13B model` names what the item is about."""
    term = core.sum.single
    return term is not None and (term.billions or term.scaled) and core.after is not None and core.after.low in MODELS


def _is_context(core: Core, asked: Unit) -> bool:
    """`on 32 GPUs`, `stage 2`, `K 8`: a number that sets the scene."""
    found = core.found
    if isinstance(found, str) or core.sum.single is None:
        return False
    if _is_model(core):
        return True
    if asked.dim.label and found.unit is not None and found.unit.dim == KNOWN_UNITS["B"].dim:
        return all(t.is_sign("(") for t in core.before)  # 14 H100 (80 GB)
    led = bool(core.before) and core.before[-1].low in CONTEXT
    if found.unit is not None and (found.unit.dim.label or led) and not fits(found.unit.dim, asked.dim):
        return True  # on 32 GPUs, at 450 GB/s
    return found.unit is None and led


def _is_named(core: Core) -> bool:
    """`stage 2`: the number belongs to a name."""
    return core.unit is None and bool(core.before) and core.before[-1].low in NAMED
