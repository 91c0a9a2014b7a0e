"""The one number in a response with words around it: `about 32 GB per GPU`, `26 GB + 5.7 GB = 31.7 GB`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from quizgen.formula.reading.asides import without_inputs, without_told_parts
from quizgen.formula.reading.refusals import lead_fault, power_fault, prime_fault, range_fault, tail_fault
from quizgen.formula.reading.remarks import is_passed_over, led_by, remark_fault
from quizgen.formula.reading.roles import (
    Core,
    Line,
    has_a_name,
    is_concluded,
    is_given,
    roles_of,
    rounds_to,
    taken_back,
)
from quizgen.formula.reading.same import finer, same_amount
from quizgen.formula.reading.span import AMOUNT, SIGN, UNIT, WORD, Context, Sense, Span
from quizgen.formula.reading.sums import sensible, sum_at
from quizgen.formula.reading.unit_words import LONG_WORDS
from quizgen.formula.reading.vocabulary import GROUPS, OFFERED
from quizgen.formula.unit_fit import fits
from quizgen.formula.units import ONE

_EQUALS: Final = ("=", "==", "~", ":=", "->")
_CHANGES: Final = ("plus", "minus", "less", "without", "times")
_SAME: Final = ("once more", "rest of a whole")
TWO: Final = "it holds two different numbers: write one"


def choose(line: Line, context: Context) -> tuple[Sense, ...] | str:
    """What a response gives (several senses, likeliest first), or why it gives nothing."""
    line = without_told_parts(line)
    rest, led = without_inputs(line, context)
    if len(rest) < len(line):
        alone = _result(rest, context)
        if not isinstance(alone, str):
            unit = alone[0].unit
            if led if unit is None else fits(unit.dim, context.unit.dim):
                return alone
    return _result(line, context)


def _result(line: Line, context: Context) -> tuple[Sense, ...] | str:
    if not any(s.kind == AMOUNT for s in line):
        return "it holds no number: write one"
    segments = _segments(line)
    last = max(i for i, s in enumerate(segments) if any(x.kind == AMOUNT for x in s))
    signs = [s.text for s in line if s.kind == SIGN and s.text in _EQUALS]
    result = _segment(segments[last], context)
    if isinstance(result, str):
        return result
    if not sensible(result[0], context.unit):
        lefts = [core for segment in segments[:last] for core in _cores(segment, context)]
        alone = lefts[0] if len(lefts) == 1 and lefts[0].sum.single and not lefts[0].before else None
        if alone and alone.unit is not None and sensible(alone.found, context.unit):
            return alone.sum.senses  # 13 nodes = 104 GPUs
    finest, bare = result, result[0].unit is None
    for at in range(_solved(segments, signs, last), last):
        if _goes_on(segments[at], segments[at + 1], context):
            continue
        before = _left_side(segments[at], result[0], context, signs[at:last], at > 0)
        if isinstance(before, str):
            return before
        if before and finer(before[0], finest[0]):
            finest = before
        elif before and bare and before[0].value == finest[0].value and sensible(before[0], context.unit):
            finest = before  # 16000 * 2 MB = 32000
    tail = [x for s in segments[last + 1 :] for x in s]
    if any(s.is_sign("?") for s in tail):
        return "it leaves the result open: write it"  # 2500 * 80 = ?
    return finest


def _solved(segments: Sequence[Line], signs: Sequence[str], last: int) -> int:
    """The first part that has to be the same as the last: `180000 = 9x -> x = 20000` names its result anew."""
    for at in range(last - 1, 0, -1):
        if any(s.kind == AMOUNT for s in segments[at]):
            break
        if signs[at - 1] == "->":
            return at
    return 0


def _goes_on(segment: Line, following: Line, context: Context) -> bool:
    """What comes to the only amount here is said right after the equals sign, and the working goes on from there:
    `7200 s = 2 h, then 45 min, so 2.75 h`."""
    left, right = _cores(segment, context), _cores(following, context)
    if len(left) != 1 or len(right) < 2 or right[0].before or left[0].sum.fault or right[0].sum.fault:
        return False
    return bool(right[1].before) and same_amount(left[0].found, right[0].found, context)


def _segments(line: Line) -> list[tuple[Span, ...]]:
    """The parts between equals signs."""
    parts: list[list[Span]] = [[]]
    for span in line:
        if span.kind == SIGN and span.text in _EQUALS:
            parts.append([])
        else:
            parts[-1].append(span)
    return [tuple(part) for part in parts]


def _left_side(
    segment: Line, result: Sense, context: Context, signs: Sequence[str], worked: bool
) -> tuple[Sense, ...] | str | None:
    """What stands left of equals signs, if it is the same amount; None if it is working, else a fault.

    A name (`K =`) and a calculation (`13e9 * 16 =`) are working; a plain number must be the same, but for what an
    arrow `concluded` from another named amount (`4% misses -> 96%`), from one that was `worked` out, or from one that
    is rounded to a whole number.
    """
    if not any(s.kind == AMOUNT for s in segment):
        return None
    cores = _cores(segment, context)
    concluded = "->" in signs
    shared = any(s.is_sign("+", "*", "/", "**", ":") for s in segment)  # 40,000 : 1,600 = 25
    other = all(c.unit is not None and not fits(c.unit.dim, context.unit.dim) for c in cores)
    if other and (concluded or result.unit is not None or len(signs) > 1):
        return None  # 3 kW for 3000 h =, 7 bits -> 128, 800 GB : 250 GB =, 5 min = 300 s, 45,000/300 =
    offered = [one.found for one, two in pairwise(cores) if two.leads(*OFFERED - {"to"}) and not one.sum.fault]
    if any(sensible(one, context.unit) and not same_amount(one, result, context) for one in offered):
        return TWO  # 2/10 = 20% or 2/8 = 25%
    if len(cores) != 1:  # 2N + 14N/K =
        listed = "~" not in signs and _is_list(segment, cores)
        return None if listed or shared or any(c.sum.single is None for c in cores) else TWO
    core = cores[0]
    goes_on = bool(core.before) and (core.before[-1].is_sign("*", "/") or core.before[-1].says("x"))  # x8 =
    if goes_on or _is_symbolic(segment, core):
        return None  # 6ND =, N*(2 + 14/K) =
    if core.sum.fault:
        return None if len(core.sum.amounts) > 1 and core.end == len(segment) else core.sum.fault  # 3 / (4 - 3 MB/s) =
    if context.count and rounds_to(core.found, result):
        return None  # 13.3 = 14, 8096 / 120 = 67.47 -> 67
    if context.unit.symbol == "%" and result.unit is not None and core.unit is not result.unit and _is_counted(core):
        return None  # 200 lost = 2 %
    alone = not core.before and core.end == len(segment) and (core.unit is not ONE or context.unit.dim.bare)
    if core.sum.single is None:
        said_once = result.unit is None and core.found.value == result.value  # 16000 * 2 MB = 32000
        return core.sum.senses if alone and (said_once or same_amount(core.found, result, context)) else None
    if concluded and is_given(core, context):
        return None  # 250 GB -> 800 GB
    signed = any(s.is_sign("-", "+") and name.kind == WORD for s, name in pairwise(core.after))
    changed = signed or any(s.low in _CHANGES for s in core.after)  # 1024 minus network and broadcast = 1022
    if changed or (concluded and (worked or has_a_name(core, True))):
        return None  # 4% misses -> 96%, 1.01^12 = 1.1268 -> 12.68%
    exact = replace(core.found, step=None)  # 30 ~ 35: only the right one is rounded
    return core.sum.senses if same_amount(exact, result, context, context.asked.whole) else TWO


def _is_counted(core: Core) -> bool:
    return has_a_name(core, True) or (core.unit is not None and bool(core.unit.dim.label))


def _is_list(segment: Line, cores: Sequence[Core]) -> bool:
    """`1 s, 2 s and 4 s =`, `12,000 GB at 8 cents =`: numbers, told apart in words, that make the result."""
    words = all(any(s.kind == WORD or s.is_sign(",") for s in core.before) for core in cores[1:])
    named = segment[-1].kind in (WORD, UNIT) and len(segment[-1].text) < 3  # 24 GB and 8 GB, K = 32
    return words and not named and not any(s.low in ("or", "to") for s in segment)


def _is_symbolic(segment: Line, core: Core) -> bool:
    """It calculates with letters: one is glued to the number, or the sum breaks off at one."""
    opens = segment[core.start]
    if core.before and opens.is_sign("(") and not opens.gap:
        return True  # log100(1e6) =
    rest = segment[core.end :]
    named = len(rest) > 1 and rest[0].is_sign("*", "/")  # 6 * N * D
    return named or (bool(rest) and all(s.kind in (WORD, UNIT) and len(s.text) <= 2 for s in rest))  # 6 N D


# -- one part between equals signs ------------------------------------------------------------


def _segment(segment: Line, context: Context) -> tuple[Sense, ...] | str:
    cores = _cores(segment, context)
    fault = next((core.sum.fault for core in cores if core.sum.fault), "")
    if fault:
        return fault
    roles = roles_of(cores, context)
    left = [at for at, role in enumerate(roles) if not role]
    if len(left) > 1:
        return _why_several([cores[at] for at in left])
    return _fault(segment, cores, left[0], roles, context) or cores[left[0]].sum.senses


def _why_several(cores: Sequence[Core]) -> str:
    between = [s.low or s.text for core in cores[1:] for s in core.before]
    if "+/-" in between:
        return "it gives a margin: write one number"
    if len(cores) == 2 and any(w in ("to", "-", "..", "and", "...") for w in between):
        return "it gives a range or two numbers: write one"
    return TWO


def _fault(segment: Line, cores: Sequence[Core], chosen: int, roles: Sequence[str], context: Context) -> str:
    """Why the words around a number make it no answer."""
    core = cores[chosen]
    last = next((at for at in range(chosen, len(cores) - 1) if roles[at + 1] not in _SAME), len(cores) - 1)
    end = next(
        (
            one.start
            for one, role in zip(cores, roles, strict=True)
            if role not in ("scene", "whole") and one.start > cores[last].end
        ),
        len(segment),
    )
    before, tail = core.before[taken_back(core) :], segment[cores[last].end : end]
    concluded = is_concluded(cores, chosen)  # so we end up with 1.2 million pages
    count = context.count or context.asked.bound
    shares = {one.found.value for one in cores if one.unit is not None and one.unit.symbol == "%"}
    if core.found.unit is None and not context.unit.dim.bare and core.found.value * 100 in shares:
        return "it is a share: write the number that is asked"  # 0.9994, so 99.94 % up
    if before and before[-1].low == "and" and core.found.value < 1 and core.found.unit is None:
        return "it adds up in words: write one number"  # a GB and a half
    if len(cores) > 1 and context.unit.dim.label and before and before[-1].low in GROUPS and not concluded:
        return "it counts in groups: write the number itself"  # 4 nodes of 8 GPUs
    words = {*context.asked.lexicon.words, *context.asked.nouns, *LONG_WORDS}  # what an unknown one may be meant to be
    told = not context.asked.question or core.sum.amounts[-1].rule == "word of the stem"  # 3 round trip times
    passed = not told and bool(tail) and is_passed_over(tail[0].low, context.asked, len(cores) == 1)
    exact = context.count or not any(letter.isdigit() for letter in core.sum.span.text)  # a bit more than a third
    return (
        lead_fault(before, segment[core.start].gap, count, exact)
        or power_fault(core.sum)
        or range_fault(core.sum)
        or (prime_fault(core.sum, tail, context.unit) if not before else "")
        or tail_fault(tail, core.unit is not None, count, words, passed)
        or remark_fault(led_by(before, not chosen), tail, core.unit, context, end < len(segment))
    )


def _cores(segment: Line, context: Context) -> list[Core]:
    cores: list[Core] = []
    at = start = 0
    while at < len(segment):
        made = None if _is_dash(segment, at) else sum_at(segment, at, context)
        if made is None or (made[0].broken and _opens_words(segment, at)):
            at += 1
            continue
        found, end = made
        cores.append(Core(found, tuple(segment[start:at]), (), at, end))
        at = start = max(end, at + 1)
    ends = [*(core.start for core in cores[1:]), len(segment)][: len(cores)]
    return [replace(core, after=tuple(segment[core.end : end])) for core, end in zip(cores, ends, strict=True)]


def _opens_words(segment: Line, at: int) -> bool:
    """The parenthesis at `at` holds prose: (80 GB each), (18000/yr)."""
    end = next((i for i in range(at, len(segment)) if segment[i].is_sign(")")), at)
    inside = segment[at + 1 : end]
    behind = end == len(segment) - 1 and at > 0 and segment[at].gap and segment[at - 1].kind in (AMOUNT, UNIT, WORD)
    if behind and inside[-1].kind == WORD:
        return True  # 62 (64 - network - broadcast)
    rate = len(inside) == 3 and inside[1].is_sign("/") and inside[2].kind == UNIT
    return rate or (any(s.kind in (WORD, UNIT) for s in inside) and not any(s.kind == SIGN for s in inside))


def _is_dash(segment: Line, at: int) -> bool:
    """The dash of `memory - 31.7 GB` is no minus."""
    if not 0 < at < len(segment) - 1 or not segment[at].is_sign("-"):
        return False
    spaced = segment[at].gap and segment[at + 1].gap
    return (spaced or not segment[at].gap) and segment[at - 1].kind in (WORD, UNIT)
