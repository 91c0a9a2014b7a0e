"""The one number in a response with words around it: `about 32 GB per GPU`, `26 GB + 5.7 GB = 31.7 GB`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from quizgen.formula.reading.asides import without_inputs, without_told_parts
from quizgen.formula.reading.refusals import lead_fault, power_fault, prime_fault, range_fault, tail_fault
from quizgen.formula.reading.remarks import called_as, followed_by, knows, led_by, other_side, remark_fault
from quizgen.formula.reading.same import finer, same_amount
from quizgen.formula.reading.span import AMOUNT, SIGN, UNIT, WORD, Context, Sense, Span
from quizgen.formula.reading.sums import Sum, sensible, sum_at
from quizgen.formula.reading.unit_words import LONG_WORDS
from quizgen.formula.reading.vocabulary import (
    AGAIN,
    CONCLUDES,
    CONTEXT,
    FILLERS,
    GROUPS,
    IN_ALL,
    IS,
    MODELS,
    ROUGHLY,
    ROUNDED,
    SHIFTS,
)
from quizgen.formula.unit_fit import fits
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit

_ARROWS: Final = ("=>", "->")
_EQUALS: Final = ("=", "==", "~", ":=", *_ARROWS)
TWO: Final = "it holds two different numbers: write one"
Line = Sequence[Span]


@dataclass(frozen=True, slots=True)
class Core:
    """A sum in the text, what stands between it and the one before, and what follows."""

    sum: Sum
    before: tuple[Span, ...]
    after: Span | None
    start: int
    end: int

    @property
    def found(self) -> Sense:
        return self.sum.senses[0]

    @property
    def bracketed(self) -> bool:
        return self.sum.span.text.startswith("(")

    @property
    def unit(self) -> Unit | None:
        return None if self.sum.fault else self.found.unit


def choose(line: Line, context: Context) -> tuple[Sense, ...] | str:
    """What a response gives (several senses, likeliest first), or why it gives nothing."""
    line = without_told_parts(line)
    rest, led = without_inputs(line, context)
    if len(rest) < len(line) and any(s.kind == AMOUNT for s in rest):
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
    finest = result
    for at in range(_solved(segments, signs, last), last):
        before = _left_side(segments[at], result[0], context, signs[at:last])
        if isinstance(before, str):
            return before
        if before and finer(before[0], finest[0]):
            finest = before
        elif before and finest[0].unit is None and before[0].value == finest[0].value:
            finest = before  # 16000 * 2 MB = 32000
    tail = [x for s in segments[last + 1 :] for x in s]
    return tail_fault(tail, True) or finest


def _solved(segments: Sequence[Line], signs: Sequence[str], last: int) -> int:
    """The first part that has to be the same as the last: `180000 = 9x -> x = 20000` names its result anew."""
    for at in range(last - 1, 0, -1):
        if any(s.kind == AMOUNT for s in segments[at]):
            break
        if signs[at - 1] in _ARROWS:
            return at
    return 0


def _segments(line: Line) -> list[tuple[Span, ...]]:
    """The parts between equals signs."""
    parts: list[list[Span]] = [[]]
    for span in line:
        if span.kind == SIGN and span.text in _EQUALS:
            parts.append([])
        else:
            parts[-1].append(span)
    return [tuple(part) for part in parts]


def _left_side(segment: Line, result: Sense, context: Context, signs: Sequence[str]) -> tuple[Sense, ...] | str | None:
    """What stands left of equals signs, if it is the same amount; None if it is working, else a fault.

    A name (`K =`) and a calculation (`13e9 * 16 =`) are working; a plain number must be the same, but for what an
    arrow `concluded` from another named amount (`4% misses -> 96%`), or from one that is rounded to a whole number.
    """
    if not any(s.kind == AMOUNT for s in segment):
        return None
    cores = _cores(segment, context)
    concluded = any(sign in _ARROWS for sign in signs)
    shared = any(s.is_sign("+", "*", "/", "**") for s in segment)
    other = all(c.unit is not None and not fits(c.unit.dim, context.unit.dim) for c in cores)
    if other and (concluded or result.unit is not None):
        return None  # 3 kW for 3000 h =, 7 bits -> 128
    if len(cores) != 1:  # 2N + 14N/K =
        listed = "~" not in signs and _is_list(segment, cores, concluded)
        return None if listed or shared or any(c.sum.single is None for c in cores) else TWO
    core = cores[0]
    if _is_symbolic(segment, core):
        return None  # 6ND =, N*(2 + 14/K) =
    if core.sum.fault:
        return core.sum.fault
    if context.count and _rounds_to(core.found, result):
        return None  # 13.3 = 14, 8096 / 120 = 67.47 -> 67
    alone = not core.before and core.end == len(segment) and (core.unit is not ONE or context.unit.dim.bare)
    if core.sum.single is None:
        said_once = result.unit is None and core.found.value == result.value  # 16000 * 2 MB = 32000
        return core.sum.senses if alone and (said_once or same_amount(core.found, result, context)) else None
    said = [s.low for s in (*core.before, *segment[core.end :]) if s.kind == WORD]
    if concluded and any(word not in FILLERS for word in said):
        return None  # 4% misses -> 96%
    exact = replace(core.found, step=None)  # 30 ~ 35: only the right one is rounded
    return core.sum.senses if same_amount(exact, result, context, context.asked.whole) else TWO


def _is_list(segment: Line, cores: Sequence[Core], concluded: bool) -> bool:
    """`1 s, 2 s and 4 s =`, `12,000 GB at 8 cents =`: numbers, told apart in words, that make the result."""
    words = all(any(s.kind == WORD or s.is_sign(",") for s in core.before) for core in cores[1:])
    named = segment[-1].kind in (WORD, UNIT) and len(segment[-1].text) < 3  # 24 GB and 8 GB, K = 32
    return (words or concluded) and not named and not any(s.low in ("or", "to") for s in segment)


def _is_symbolic(segment: Line, core: Core) -> bool:
    """It calculates with letters: one is glued to the number, or the sum breaks off at one."""
    opens = segment[core.start]
    if core.before and core.before[-1].kind == WORD and opens.is_sign("(") and not opens.gap:
        return True  # log100(1e6) =
    rest = segment[core.end :]
    if core.unit is not None and core.sum.single is not None and core.sum.single.rule != "letter":
        return False  # 31.7 GB @ K =
    letters = bool(rest) and all(s.kind in (WORD, UNIT) and len(s.text) <= 2 for s in rest)  # 6 N D
    named = len(rest) > 1 and rest[0].is_sign("*", "/") and rest[1].kind in (WORD, UNIT)  # 6 * N * D
    return letters or named or (bool(rest) and rest[0].kind == WORD and not rest[0].gap)


# -- one part between equals signs ------------------------------------------------------------


def _segment(segment: Line, context: Context) -> tuple[Sense, ...] | str:
    cores = _cores(segment, context)
    called = 0 if len(cores) == 1 else _called(segment, cores, context) if context.asked.stem else None
    chosen = _chosen(segment, cores, context) if called is None else called
    if isinstance(chosen, str):
        return chosen
    fault = _fault(segment, cores, chosen, context)
    if fault and _are_complements(cores):  # 5.1% overhead, so 94.9% efficiency
        chosen = 1 - chosen
        fault = _fault(segment, cores, chosen, context)
    return fault or cores[chosen].sum.senses


def _fault(segment: Line, cores: Sequence[Core], chosen: int, context: Context) -> str:
    """Why the words around a number make it no answer."""
    core = cores[chosen]
    last = cores[-1] if not chosen and (cores[-1].bracketed or not _is_context(cores[-1], context)) else core
    if core.sum.fault:
        return core.sum.fault
    tail = segment[last.end :]
    count = context.count or context.asked.bound
    if core.before and core.before[-1].low == "and" and core.found.value < 1 and core.found.unit is None:
        return "it adds up in words: write one number"  # a GB and a half
    return (
        lead_fault(core.before, segment[core.start].gap, count)
        or power_fault(core.sum)
        or range_fault(core.sum)
        or (prime_fault(core.sum, tail, context.unit) if not core.before else "")
        or tail_fault(tail, core.unit is not None or knows(tail, context.asked), count, _words(context))
        or remark_fault(led_by(core.before, not chosen), _behind(segment, cores, chosen, tail), core.unit, context)
    )


def _called(segment: Line, cores: Sequence[Core], context: Context) -> int | None:
    """`5% miss, so 95%`, `71 % data, 29 % parity`: of several amounts, the one that alone is called what is asked."""
    asked = context.asked
    words = [(led_by(core.before, not at), _next_words(segment, cores, at)) for at, core in enumerate(cores)]
    called = ["other" if any(other_side(w, asked) for w in both) else called_as(both[1], asked) for both in words]
    meant = [at for at, name in enumerate(called) if name != "other"]
    if len(meant) == 1 and not cores[meant[0]].sum.fault and sensible(cores[meant[0]].found, context.unit):
        return meant[0]
    return called.index("asked") if called.count("asked") == 1 and called.count("told") == len(cores) - 1 else None


def _next_words(segment: Line, cores: Sequence[Core], at: int) -> Sequence[Span]:
    return followed_by(_behind(segment, cores, at, segment[cores[at].end :]))


def _behind(segment: Line, cores: Sequence[Core], chosen: int, tail: Line) -> Line:
    """What stands behind a number and before the next one; `tail`: behind the same amount once more."""
    if chosen == len(cores) - 1:
        return tail
    return segment[cores[chosen].end : cores[chosen + 1].start]


def _words(context: Context) -> set[str]:
    """What an unknown word may have been meant to be: the bank's words, the stem's and the engine's."""
    return {*context.asked.lexicon.words, *context.asked.nouns, *LONG_WORDS}


def _chosen(segment: Line, cores: Sequence[Core], context: Context) -> int | str:
    """Which of several numbers is the answer, or why none is."""
    fault = next((c.sum.fault for c in cores if c.sum.fault), "")
    if fault:
        return fault
    first, second = cores[0].found, cores[1].found
    rounds = any(s.low in ROUNDED for s in cores[1].before)
    if context.count and rounds and len(cores) == 2 and _rounds_to(first, second):
        return 1  # 13.3, so 14
    again = (
        second.value < 0
        or cores[1].bracketed
        or any(s.low in ("i.e", "ie", "e") or s.is_sign("(") for s in cores[1].before)
    )
    if all(_restates(core, first, context) for core in cores[1:]) or (again and _are_complements(cores)):
        return 0
    asked = context.unit
    end = len(cores)
    while end > 1 and _is_context(cores[end - 1], context, cores[end - 2].unit is not None):
        end -= 1
    if end > 1 and _concludes(cores[:end], asked):
        return end - 1
    in_all = [at for at in range(len(cores)) if _is_in_all(segment, cores, at, asked)]
    if len(in_all) == 1:
        return in_all[0]
    wanted = [i for i, c in enumerate(cores) if c.unit is not None and fits(c.unit.dim, asked.dim) and not _is_model(c)]
    if not wanted and all(c.unit is None or _is_context(c, context, False) for c in cores):  # 64 (8 nodes)
        wanted = [i for i, c in enumerate(cores) if c.unit is None]
    if len(wanted) == 1 and all(
        _is_context(c, context, cores[wanted[0]].unit is not None) for i, c in enumerate(cores) if i != wanted[0]
    ):
        if asked.dim.label and any(s.low in GROUPS for s in cores[wanted[0]].before):
            return "it counts in groups: write the number itself"  # 4 nodes of 8 GPUs
        return wanted[0]
    kind = [i for i in wanted if asked.dim.bare or not (cores[i].unit or ONE).dim.bare]
    if len(kind) == 1 and asked is not ONE and all(_is_apart(segment, cores, at) for at in range(1, len(cores))):
        return kind[0]
    between = [s.low or s.text for core in cores[1:] for s in core.before]
    if "+/-" in between:
        return "it gives a margin: write one number"
    if len(cores) == 2 and any(w in ("to", "-", "..", "and", "...") for w in between):
        return "it gives a range or two numbers: write one"
    return TWO


def _is_apart(segment: Line, cores: Sequence[Core], at: int) -> bool:
    """`67 rows, 56 bytes left over`, `0.5% of the table, i.e. 60k rows`: marked off from the amount before it, and
    neither changes the other."""
    before = cores[at].before
    marked = any(s.is_sign(",", ";", "(", "[") or s.low in ("i.e", "ie", "e", "at", "so") for s in before)
    changed = any(s.low in SHIFTS or s.is_sign("/") for s in (*before, *_next_words(segment, cores, at)))
    units = cores[at - 1].unit is not None and cores[at].unit is not None
    return units and not changed and (marked or cores[at].bracketed)


def _is_in_all(segment: Line, cores: Sequence[Core], at: int, asked: Unit) -> bool:
    """`5 ms each, 25 s in total`: no other choice or bound, and in a unit where the others are."""
    words = _next_words(segment, cores, at)
    told = any(s.low in IN_ALL for s in words) and not any(s.low in ("if", "when", "unless") for s in words)
    joined = any(s.low in ("or", "to", "and") for s in cores[at].before)
    units = cores[at].unit is not None or all(core.unit is None for core in cores)
    return told and not joined and units and sensible(cores[at].found, asked)


def _concludes(cores: Sequence[Core], asked: Unit) -> bool:
    """`20 ms each way, so 40 ms`, `$45 on $750 is 6%`, `50M rows at 200 B each: 10 GB`: the last is the result."""
    *others, last = cores
    if last.unit is not None and not fits(last.unit.dim, asked.dim):
        return False
    if _is_concluded(last):
        return not any(_is_concluded(core) for core in others[1:])
    if last.unit is None or any(core.unit is None for core in others):
        return False
    rest = not any(fits(core.found.unit.dim, asked.dim) for core in others if core.found.unit is not None)
    return last.before[-1].is_sign(":") or (rest and any(s.low in IS for s in last.before)) if last.before else False


def _is_concluded(core: Core) -> bool:
    """`so 40 ms`, but not `20 ms or so, maybe 40 ms`."""
    ahead = ["", *(s.low for s in core.before)]
    return any(word in CONCLUDES and before != "or" for before, word in pairwise(ahead))


def _restates(core: Core, first: Sense, context: Context) -> bool:
    """The same amount once more, in another unit."""
    rounded = any(s.low in ("rounded", "rounds") for s in core.before)
    roughly = rounded or any(s.low in ROUGHLY for s in core.before)  # 31.6875 GB or roughly 32 GB
    joined = rounded or all(s.low in AGAIN or (roughly and s.low == "so") or s.kind == SIGN for s in core.before)
    plain = ONE if context.unit.dim.bare else context.unit  # 0.467 (46.7%) is in two units
    other_unit = (core.found.unit or plain) != (first.unit or plain)
    if joined and (other_unit or core.found.calculated or first.calculated or core.found.value == first.value):
        return same_amount(first, core.found, context)
    return joined and roughly and same_amount(replace(first, step=None), core.found, context)


def _are_complements(cores: Sequence[Core]) -> bool:
    """`98 %, i.e. 2 % misses`, `99.99 % (down 0.01 %)`: an amount and the rest of the whole."""
    shares = len(cores) == 2 and all(c.unit is not None and c.unit.symbol == "%" for c in cores)
    return shares and sum(abs(Fraction(core.found.value)) for core in cores) == 100


def _is_model(core: Core) -> bool:
    """`a 13B model` names what the item is about."""
    single = core.sum.single
    return single is not None and single.rule == "letter" and core.after is not None and core.after.low in MODELS


def _is_context(core: Core, context: Context, beside: bool = True) -> bool:
    """`on 32 GPUs`, `for an 8 h outage`, `K 8`: a number that sets the scene. `beside`: the answer has a unit."""
    single = core.sum.single
    if core.sum.fault or single is None:
        return False
    if _is_model(core):
        return True
    unit, asked = core.found.unit, context.unit
    if asked.dim.label and unit is not None and unit.dim == KNOWN_UNITS["B"].dim:
        return all(s.is_sign("(") or (beside and s.low == "of") for s in core.before)  # 14 H100 (80 GB)
    if unit is not None and core.start and not core.before and not core.bracketed:
        return False  # 7 hops 3 packets
    near = [s.low for s in core.before[-2:]]
    led = bool(near) and (near[-1] in CONTEXT or (near[-1] in ("a", "an", "each", "the") and near[0] in CONTEXT))
    if unit is None:
        repeated = beside and core.after is not None and core.after.low in context.asked.nouns  # each of the 25 flows
        named = beside and core.before[-3:-2] and core.before[-3].low in CONTEXT and not set(near) & FILLERS
        return repeated or bool(named) or (led and near[-1] in CONTEXT)  # at queue depth 1
    led = led or (beside and near[-1:] == ["of"])  # 2000 packets of 1500 bytes
    return (bool(unit.dim.label) or led) and not fits(unit.dim, asked.dim)  # on 32 GPUs, at 450 GB/s


def _rounds_to(left: Sense, right: Sense) -> bool:
    """A number and the whole number above or below it."""
    broken = Fraction(left.value).denominator != 1 and Fraction(right.value).denominator == 1
    return broken and abs(Fraction(left.value) - Fraction(right.value)) < 1


def _cores(segment: Line, context: Context) -> list[Core]:
    cores: list[Core] = []
    at = start = 0
    while at < len(segment):
        made = None if _is_dash(segment, at) else sum_at(segment, at, context)
        if made is None or (made[0].broken and _opens_words(segment, at)):
            at += 1
            continue
        found, end = made
        told = bool(cores) and (cores[-1].unit is not None or context.count)
        all_of = segment[at - 1].low == "all" and segment[at].rule == "bare"
        of = not context.unit.dim.bare and segment[at - 1].low == "of"
        part = of and (segment[at - 2].low == "out" or (bool(cores) and _is_part(cores[-1], found)))
        if told and (all_of or part):  # for all three, out of 96 TB
            at = end
            continue
        after = segment[end] if end < len(segment) else None
        cores.append(Core(found, tuple(segment[start:at]), after, at, end))
        at = start = max(end, at + 1)
    return cores


def _is_part(core: Core, whole: Sum) -> bool:
    """`80 TB of 96 TB`."""
    if core.sum.fault or whole.fault or core.unit is None or whole.senses[0].unit is None:
        return False
    mine, theirs = core.unit, whole.senses[0].unit
    return mine.dim == theirs.dim and core.found.value * mine.factor <= whole.senses[0].value * theirs.factor


def _opens_words(segment: Line, at: int) -> bool:
    """The parenthesis at `at` holds prose: (80 GB each)."""
    if not segment[at].is_sign("("):
        return False
    end = next((i for i in range(at, len(segment)) if segment[i].is_sign(")")), at)
    inside = segment[at + 1 : end]
    return any(s.kind in (WORD, UNIT) for s in inside) and not any(s.kind == SIGN for s in inside)


def _is_dash(segment: Line, at: int) -> bool:
    """The dash of `memory - 31.7 GB` is no minus."""
    if not 0 < at < len(segment) - 1 or not segment[at].is_sign("-"):
        return False
    spaced = segment[at].gap and segment[at + 1].gap
    return (spaced or not segment[at].gap) and segment[at - 1].kind in (WORD, UNIT)
