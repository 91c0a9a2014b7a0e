"""One part of a response between equals signs: its numbers, and which of them is the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quizgen.formula.read_refuse import lead_fault, power_fault, prime_fault, range_fault, tail_fault
from quizgen.formula.read_same import same_amount
from quizgen.formula.read_sums import Found, Sum, sum_at
from quizgen.formula.read_token import NUMBER, SIGN, WORD, Token
from quizgen.formula.read_words import CONTEXT, MODELS, NAMED
from quizgen.formula.read_worth import grouped_fault, worth
from quizgen.formula.unit_fit import fits
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit

# 31.7 GB, i.e. about 29.5 GiB
_AGAIN: Final = ("or", "i", "e", "ie", "aka", "that", "is", "this", "which", "about", "approx", "roughly")
_ROUGHLY: Final = ("about", "approx", "roughly", "~")
_ROUNDED: Final = ("rounded", "rounds", "round", "so")
_GROUPS: Final = ("of", "with", "each", "having")
TWO: Final = "it holds two different numbers: write one"


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


def segment_result(segment: Sequence[Token], asked: Unit, whole: bool) -> Found | str:
    cores = cores_of(segment, asked, whole)
    if not cores:
        return "it holds no number that can be read: write one"
    count = whole or bool(asked.dim.label)
    chosen = _chosen(cores, asked, count)
    if isinstance(chosen, str):
        return chosen
    core = cores[chosen]
    last = cores[-1] if chosen == 0 and len(cores) > 1 and not is_context(cores[-1], asked) else core
    if isinstance(core.found, str):
        return core.found
    tail = segment[last.sum.end :]
    if core.before and core.before[-1].low == "and" and "/" in segment[core.sum.start].text:
        return "it adds up in words: write one number"  # a GB and a half
    return (
        grouped_fault(core.sum, asked, whole)
        or lead_fault(core.before, segment[core.sum.start].gap, count)
        or power_fault(segment[core.sum.start : core.sum.end])
        or range_fault(core.sum)
        or (prime_fault(core.sum, tail, asked) if not core.before else "")
        or tail_fault(tail, core.found.unit is not None, count)
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
    rounds = any(t.low in _ROUNDED for t in cores[1].before)
    if count and rounds and len(cores) == 2 and not isinstance(second, str) and rounds_to(first, second):
        return 1  # 13.3, so 14
    wanted = [i for i, c in enumerate(cores) if _answers(c, asked)]
    if not wanted and all(c.unit is None or is_context(c, asked) for c in cores):  # 64 (8 nodes), stage 2: 31.7
        wanted = [i for i, c in enumerate(cores) if c.unit is None and not is_named(c)]
    if len(wanted) == 1 and all(is_context(c, asked) for i, c in enumerate(cores) if i != wanted[0]):
        if asked.dim.label and wanted[0] and any(t.low in _GROUPS for t in cores[wanted[0]].before):
            return "it counts in groups: write the number itself"  # 4 nodes of 8 GPUs
        return wanted[0]
    between = [t.low for core in cores[1:] for t in core.before]
    if "+/-" in between:
        return "it gives a margin: write one number"
    if len(cores) == 2 and any(w in ("to", "-", "..", "and", "...") for w in between):
        return "it gives a range or two numbers: write one"
    return TWO


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


def is_context(core: Core, asked: Unit) -> bool:
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


def is_named(core: Core) -> bool:
    """`stage 2`: the number belongs to a name."""
    return core.unit is None and bool(core.before) and core.before[-1].low in NAMED


def rounds_to(left: Found, right: Found) -> bool:
    """A number and the whole number above or below it."""
    broken = Fraction(left.value).denominator != 1 and Fraction(right.value).denominator == 1
    return broken and abs(Fraction(left.value) - Fraction(right.value)) < 1


def cores_of(segment: Sequence[Token], asked: Unit, whole: bool) -> list[Core]:
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
