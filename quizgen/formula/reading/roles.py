"""Which of several amounts is the answer: rows that say of the others what they are there for.

A row strikes the amounts that have its role; what no row strikes is the answer, and two of them are asked about. The
rows go from what words say of an amount to what its kind alone tells, and none strikes the last amount that is left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final

from quizgen.formula.quantity import Number
from quizgen.formula.reading import vocabulary as words_of
from quizgen.formula.reading.answer import Asked
from quizgen.formula.reading.chart import line_of
from quizgen.formula.reading.fold import fold
from quizgen.formula.reading.grammar import Example, examples
from quizgen.formula.reading.lexicon import Lexicon
from quizgen.formula.reading.remarks import followed_by, led_by, names_a_rival, names_asked, remark_fault
from quizgen.formula.reading.same import same_amount
from quizgen.formula.reading.span import AMOUNT, SIGN, UNIT, WORD, Context, Sense, Span
from quizgen.formula.reading.sums import Sum, sensible
from quizgen.formula.unit_fit import fits
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit

Line = Sequence[Span]
_TAKEN_BACK: Final = re.compile(
    r"(?:^|[-,;.(] ?)(?:no|nope)(?: [-,;.]|$| (?:that|that's|it|it's|i|sorry)\b)"
    r"|\bno ?,? wait\b|\bwait (?:[-,;.]|no\b)|\b(?:sorry|oops|correction|scratch that|strike that"
    r"|i mean|i meant|make (?:that|it)|or rather|actually)\b"
)
_NOT: Final = re.compile(r"\b(?:not|isn't|instead of|rather than)(?: (?:a|the|just|only|quite))?$")
_OF_WHICH: Final = re.compile(r"\b(?:of which|of that|of it|including|incl|thereof)(?: \.)?(?: the)?$")
_OF_IT: Final = re.compile(r"of (?:it|that|them|this|which|these)\b")
_UP_TO: Final = re.compile(r"\b(?:up|down) to\b")
_OF_OFFERED: Final = ("taken back", "hedged", "once more", "rest of a whole", "step", "given")
_NOUN: Final = "word of the stem"  # 1190 gross
_MOST: Final = 12  # amounts that are told apart, for each is held against each
_APART: Final = (",", ";", ":", "(", ")", "[", "]")
_MARKS: Final = (*_APART, ".", "-", "..", "...")


@dataclass(frozen=True, slots=True)
class Core:
    """A sum in the text at [start, end), what stands between it and the one before, and before the next one."""

    sum: Sum
    before: tuple[Span, ...]
    after: tuple[Span, ...]
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

    def leads(self, *words: str) -> bool:
        return any(s.low in words for s in self.before)


Strikes = Callable[[Sequence[Core], int, Context], bool]


@dataclass(frozen=True, slots=True)
class Role:
    """One row. `strikes` says whether the amount at a place among those left has the role; `reads` would come out
    otherwise without the row, of `refuses` it keeps its hands, both where `stem` asks."""

    name: str
    strikes: Strikes
    reads: tuple[Example, ...]
    refuses: tuple[Example, ...] = ()
    stem: str = ""


def roles_of(cores: Sequence[Core], context: Context) -> list[str]:
    """The role of each: empty where no row strikes it, which holds for at least one."""
    found = [""] * len(cores)
    known = len(cores) <= _MOST and any(_kind(core, context.unit) for core in cores)
    for role in ROLES if known else ():
        left = [at for at, name in enumerate(found) if not name]
        if len(left) == 1:
            break
        among = [cores[at] for at in left]
        free = role.name in _OF_OFFERED
        each = [_is_conditional(core) for core in among]  # 20 ms if it is cold, 40 ms if not
        struck = [
            at
            for n, at in enumerate(left)
            if not (each[n] and sum(each) > 1)
            and (free or not _is_offered(among, n))
            and role.strikes(among, n, context)
        ]
        for at in struck if len(struck) < len(left) else ():
            found[at] = role.name
    return found


def _is_offered(cores: Sequence[Core], at: int) -> bool:
    """`20 ms or 40 ms`, `20 ms, maybe 40 ms`: as good as the one beside it."""
    said = (_UP_TO.sub("", _said(core.before)).split() for core in cores[max(at, 1) : at + 2])
    ends = {s.low for s in cores[-1].after} & {"otherwise", "else"}
    free = words_of.OFFERED - {"to"}
    return bool(ends) or any(free.intersection(words) or "to" in words[-2:] for words in said)  # 2 min to read 3 GB


def _is_conditional(core: Core) -> bool:
    return bool(core.after) and core.after[0].low in words_of.CONDITIONS


def _said(spans: Line) -> str:
    return " ".join(s.low or s.text for s in spans)


# -- what words say ---------------------------------------------------------------------------


def _is_taken_back(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`28 TB - no wait, 24 TB`, `not 12 % but 12.68 %`."""
    return any(taken_back(core) for core in cores[at + 1 :]) or bool(_NOT.search(_said(cores[at].before)))


def taken_back(core: Core) -> int:
    """Behind how many of the spans before it a correction ends; 0 if there is none."""
    whole = range(1, len(core.before) + 1) if _TAKEN_BACK.search(_said(core.before)) else ()
    return max((at for at in whole if _TAKEN_BACK.search(_said(core.before[:at]))), default=0)


def _is_compared(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`15 % (was 25 %)`, `12.7 %, a bit above the nominal 12 %`, `from 25 % down to 15 %`."""
    core = cores[at]
    said, behind = _said(core.before), [s.low for s in followed_by(core.after)]
    if {"not", "too"} & set(behind[:3]) or (at and behind[:1] in (["more"], ["less"]) and "than" in behind[:3]):
        return True  # 45 are not enough; 1,261 dollars, 61 more than
    near = {*said.split()[-5:]} & words_of.COMPARED - ({"would"} if not at else set())  # you would need 4 levels
    apart = any(s.is_sign(*_APART) for s in core.before)  # 15 below 30
    return bool(said.endswith("from") or near - words_of.RELATIVE or (near and apart))


def _is_hedged(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`just under 10 ms, 9.6 to be precise`: a closer amount follows, near it and on the side that is told."""
    if at + 1 == len(cores) or cores[at].sum.fault or cores[at + 1].sum.fault:
        return False
    near, words = cores[at + 1], _said(cores[at].before).split()[-2:]
    if not {*words} & words_of.HEDGED or near.leads("or", "maybe"):
        return False
    mine, theirs = (Fraction(one.found.value) * (one.unit or context.unit).factor for one in (cores[at], near))
    below = not {*words} & {"over", "above"}
    return 0 < (mine - theirs if below else theirs - mine) <= mine / 5


def _is_said_otherwise(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`75 ms at 30 ms each way`, `>3, i.e. 4`: its words alone would make it no answer, and those of another do not."""
    faulty = [has_fault(core, not n, n == len(cores) - 1, context) for n, core in enumerate(cores)]
    changes = any(s.low in words_of.SHIFTS - words_of.EACH for s in cores[at].after)  # 60k rows, 10% more
    alike = len({core.unit and core.unit.dim for core in cores}) == 1
    joined = alike and any(core.leads("and") for core in cores[1:])  # 12.5% from the price and 4% from dividends
    return faulty[at] and not changes and not joined


def has_fault(core: Core, first: bool, last: bool, context: Context) -> bool:
    if any(s.is_sign("<", ">", "<=", ">=") for s in core.before):
        return True
    return bool(remark_fault(led_by(core.before, first), core.after, core.unit, context, not last))


def _is_whole(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`80 TB of 96 TB`, `1,000 out of 5,000,000`, `$720 for all three`."""
    core, before, said = cores[at], cores[at - 1], _said(cores[at].before)
    if not at or context.unit.dim.bare or not (before.unit is not None or context.count):
        return False
    mine, theirs = core.unit, before.unit
    if mine is None or theirs is None or mine.dim != theirs.dim:
        return said.endswith("out of") or (said.endswith("for all") and mine is None)
    larger = before.found.value * theirs.factor <= core.found.value * mine.factor
    return larger and said.endswith("of")


def _is_part(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`5 ms each, 25 s in total`, `75 ms, of which 60 ms`: another one alone is told to be all of it."""
    told = [n for n, core in enumerate(cores) if _is_in_all(cores, core, context.unit)]
    apart = words_of.ABOUT | words_of.EACH
    asked = [names_asked(_named_by(core, not n, apart), context.asked) for n, core in enumerate(cores)]
    if len(told) == 1 and asked.count(True) == 1 and not asked[told[0]]:
        return not asked[at]  # 20,025 in total, of which 2,025 interest
    question = set(context.asked.question.split())
    if question and told and told[0] and not followed_by(cores[0].after) and not question & words_of.IN_ALL:
        return False  # 2,025, total 20,025
    if len(told) == 1 and told[0] != at:
        return True
    parts = [bool(_OF_WHICH.search(_said(c.before)) or _OF_IT.match(_said(c.after))) for c in cores]
    meant = [part and names_asked(followed_by(c.after), context.asked) for part, c in zip(parts, cores, strict=True)]
    return not meant[at] if any(meant) else parts[at]  # 1024, of which 1022 usable


def _is_otherwise_named(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`avg 4167/s, peak 12500/s` where the question is about the peak: another one alone bears a name of it."""
    units = {s.low for core in cores for s in (*core.before, *core.after) if s.kind == UNIT}
    mine = [[s for s in _named_by(core, not n) if s.low not in units] for n, core in enumerate(cores)]
    told = [names_asked(words, context.asked) for words in mine]
    alike = len({core.unit and core.unit.dim for core in cores}) == 1
    apart = all(any(s.is_sign(",", ";", "(") for s in core.before) for core in cores[1:])
    return alike and apart and told.count(True) == 1 and not told[at] and has_a_name(cores[at], not at)


def _named_by(core: Core, first: bool, ends: frozenset[str] = frozenset()) -> list[Span]:
    """The words that say what it is a number of; those behind it as far as one that `ends` them."""
    before = core.before[:-1] if core.before and core.before[-1].is_sign(":") else core.before
    behind = takewhile(lambda span: span.low not in ends, followed_by(core.after))
    words = [s for s in (*led_by(before, first), *behind) if s.kind == WORD]
    single = core.sum.single
    return [*words, single] if single is not None and single.rule == _NOUN else words


def _is_of_a_rival(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`2475, the fee is 25`: it is named as another given of the stem, and one that is not stands beside it."""
    mine = [_named_by(core, not n, words_of.ABOUT) for n, core in enumerate(cores)]  # 2475 after the fee
    rival = [names_a_rival(words, context.asked) and not names_asked(words, context.asked) for words in mine]
    apart = all(any(s.is_sign(",", ";", "(", ".") for s in core.before) for core in cores[1:])
    return apart and rival[at] and not all(rival)


def _is_in_all(cores: Sequence[Core], core: Core, asked: Unit) -> bool:
    """In a unit where the others are."""
    words = {s.low for s in (*led_by(core.before, core is cores[0]), *followed_by(core.after))}
    units = core.unit is not None or all(one.unit is None for one in cores)
    return bool(words & words_of.IN_ALL) and units and sensible(core.found, asked)


def _opens(core: Core) -> bool:
    """It stands in brackets."""
    return core.bracketed or any(s.is_sign("(", "[") for s in core.before)


def _is_aside(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`$44,100 (a gain of $4,100)`: in brackets, with words of its own, behind a plain one."""
    core = cores[at]
    lettered = any(s.is_sign("-", "+") and t.kind == WORD for s, t in pairwise(core.after))  # (64 - network)
    named = has_a_name(core, False) or lettered
    return bool(at) and _opens(core) and named and not has_a_name(cores[0], True)


# -- what leads from one to the other ---------------------------------------------------------


def _is_step(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`20 ms each way, so 40 ms`, `$45 on $750 is 6%`, `50M rows at 200 B each: 10 GB`: what is concluded from it
    stands behind it."""
    for n in range(at + 1, len(cores)):
        if is_concluded(cores, n) and any(sensible(core.found, context.unit) for core in cores[n:]):
            return True
    return False


def is_concluded(cores: Sequence[Core], at: int) -> bool:
    """`so 40 ms`, but not `20 ms or so, maybe 40 ms`."""
    before = cores[at].before
    ahead = ["", *(s.low for s in before)]
    if any(word in words_of.CONCLUDES and last != "or" for last, word in pairwise(ahead)):
        return True
    colon = bool(before) and before[-1].is_sign(":") and cores[at].unit is not None
    return colon and not any(s.is_sign(":") for core in cores[:at] for s in core.before)


def _is_of_a_period(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`16.5 % (8.25 % a year)`: a rate beside a share, where the stem tells no year."""
    yearly = [core.sum.single is not None and core.sum.single.rule == "amount of a period" for core in cores]
    told = {period.symbol for period in (*context.asked.periods, *context.asked.implied)}
    shares = all(core.unit is not None and core.unit.symbol == "%" for core in cores)
    return yearly[at] and not all(yearly) and shares and "year" not in told and bool(context.asked.question)


def _is_once_more(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`31.7 GB (29.5 GiB)`, `14 (13.3 rounded up)`, `about 22 min, exactly 21.6`."""
    core = cores[at]
    rounded = any(s.low in ("rounded", "rounds") for s in followed_by(core.after))
    if (context.count or rounded) and _opens(core) and any(rounds_to(core.found, one.found) for one in cores[:at]):
        return True
    if any(_replaces(other, core.found, context) for other in cores[at + 1 :]):
        return True
    if any((core.found.value, core.unit or ONE) == (one.found.value, one.unit or ONE) for one in cores[:at]):
        return True
    return any(_restates(core, one.found, context) and not _replaces(core, one.found, context) for one in cores[:at])


def _replaces(core: Core, first: Sense, context: Context) -> bool:
    """It is what the first was only about, or comes to as a count."""
    if rounds_to(first, core.found) if context.count else _is_closer(core, first):
        return True
    return core.leads(*words_of.EXACTLY) and _restates(core, first, context)


def _is_closer(core: Core, first: Sense) -> bool:
    """`11 % (10.7)`: what the first was rounded from."""
    if not _opens(core) or core.unit not in (None, first.unit):
        return False
    if any(s.low in ("rounded", "rounds") for s in followed_by(core.after)):
        return False  # 16 years (15.75 rounded up)
    step, apart = first.step or Fraction(0), abs(Fraction(core.found.value) - Fraction(first.value))
    return (core.found.step or 0) < step and 2 * apart <= step


def _restates(core: Core, first: Sense, context: Context) -> bool:
    """The same amount once more, in another unit, rounded, or more exact."""
    rounded = core.leads("rounded", "rounds")
    roughly = rounded or core.leads(*words_of.ROUGHLY, *words_of.EXACTLY)  # 31.6875 GB or roughly 32 GB
    passed = words_of.AGAIN | ({*words_of.EXACTLY, "so", "more", "to", "be"} if roughly else set())
    joined = rounded or (not core.leads("and") and all(s.low in passed for s in led_by(core.before, False)))
    plain = ONE if context.unit.dim.bare else context.unit  # 0.467 (46.7%) is in two units
    other_unit = (core.found.unit or plain) != (first.unit or plain)
    if joined and (other_unit or core.found.calculated or first.calculated or core.found.value == first.value):
        return same_amount(first, core.found, context)
    known = first if core.leads(*words_of.EXACTLY) else replace(first, step=None)
    return joined and roughly and same_amount(known, core.found, context)


def rounds_to(left: Sense, right: Sense) -> bool:
    """A number and the whole number above or below it."""
    broken = Fraction(left.value).denominator != 1 and Fraction(right.value).denominator == 1
    return broken and abs(Fraction(left.value) - Fraction(right.value)) < 1


def _is_the_rest(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`98 %, i.e. 2 % misses`, `99.99 % (down 0.01 %)`: an amount and the rest of the whole."""
    core = cores[at]
    again = bool(at) and (core.found.value < 0 or _opens(core) or core.leads("i.e", "ie", "e"))
    shares = [abs(Fraction(one.found.value)) for one in cores if one.unit is not None and one.unit.symbol == "%"]
    return again and len(shares) == len(cores) and sum(shares) == 100


# -- what its number tells --------------------------------------------------------------------


def is_given(core: Core, context: Context) -> bool:
    """It is a number that the stem gives, in that unit or in none."""
    if core.sum.fault:
        return False
    mine, unit = core.found, core.unit
    one = ("plain", mine.value) if unit is None else (str(unit.dim), mine.value * unit.factor)
    return one in _givens(context.seen, context.asked.lexicon)


@lru_cache(maxsize=1024)
def _givens(stem: str, lexicon: Lexicon) -> frozenset[tuple[str, Number]]:
    """The amounts in a stem: dimension and amount in base units, and without a dimension the plain number."""
    found: set[tuple[str, Number]] = set()
    for span in line_of(fold(stem), Context(Asked(lexicon=lexicon))):
        for sense in span.senses if span.kind == AMOUNT and not span.fault else ():
            unit = sense.unit or ONE
            found |= {(str(unit.dim), sense.value * unit.factor), ("plain", sense.value)}
    return frozenset(found)


def _is_given(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`grows from $40,000 to $44,100`, `75 ms at 30 ms each way`: a number of the stem beside one that is not."""
    apart = ("and",) if cores[0].leads("from") else ("and", "to")  # 30 to 75 ms
    alone = any(_said(core.before) in apart or core.leads("but", *words_of.OFFERED - {"to"}) for core in cores)
    return not alone and is_given(cores[at], context)


# -- what its kind tells ----------------------------------------------------------------------


def _is_conversion(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`800 (8 bits per byte)`: so many of one unit are another one, whatever is asked."""
    found, unit = cores[at].found, cores[at].unit
    quotient = unit is not None and unit.dim.bare and "/" in unit.symbol
    return bool(quotient and unit is not None and Fraction(found.value) * unit.factor == 1)


def _is_scene(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`on 32 GPUs`, `for an 8 h outage`, `K 8`: a number that sets the scene."""
    beside = any(core.unit is not None and _kind(core, context.unit) for n, core in enumerate(cores) if n != at)
    core, single = cores[at], cores[at].sum.single
    if single is None:
        return False  # 208 10 GB / 8
    if single.rule == "letter" and core.after and core.after[0].low in words_of.MODELS:
        return True  # a 13B model names what the item is about
    unit, asked = core.unit, context.unit
    if asked.dim.label and unit is not None and unit.dim == KNOWN_UNITS["B"].dim:
        return all(s.is_sign("(") or (beside and s.low == "of") for s in core.before)  # 14 H100 (80 GB)
    if unit is not None and core.start and not core.before and not core.bracketed:
        return False  # 7 hops 3 packets
    near = [s.low for s in core.before[-2:]]
    led = bool(near) and (
        near[-1] in words_of.CONTEXT or (near[-1] in ("a", "an", "each", "the") and near[0] in words_of.CONTEXT)
    )
    if unit is None:
        repeated = bool(core.after) and core.after[0].low in context.asked.nouns  # each of the 25 flows
        named = (
            bool(core.before[-3:-2]) and core.before[-3].low in words_of.CONTEXT and not set(near) & words_of.FILLERS
        )
        return beside and (repeated or named or (led and near[-1] in words_of.CONTEXT))  # at queue depth 1
    return (bool(unit.dim.label) or led) and not fits(unit.dim, asked.dim)  # on 32 GPUs, at 450 GB/s


def _is_of_another_kind(cores: Sequence[Core], at: int, context: Context) -> bool:
    """`67 rows, 56 bytes left over`, `267 (costs $9,985.80)`, `360 lost -> 1.5%`: one alone is of the kind that is
    asked, this one is marked off from it, and neither changes the other."""
    asked = context.unit
    kinds = [_kind(core, asked) for core in cores]
    best = max(kinds)
    if kinds[at] == best or kinds.count(best) != 1:
        return False
    core = cores[at]
    between = core.before if at else core.after
    glued = not between or not (between[0].gap or between[0].kind == SIGN)  # 36a7%
    said = cores[1].bracketed or (not glued and any(s.kind in (WORD, UNIT) for s in between))
    bare = cores[kinds.index(best)].unit is None
    named = has_a_name(core, not at)
    apart = said or (core.unit is None and named) or (not bare and any(s.is_sign(*_APART) for s in between))
    torn = any(s.kind == SIGN and s.text not in _MARKS for s in between)
    if not apart or torn or (bare and not (asked.dim.label or asked.dim.bare)):
        return False
    words = {s.low for s in (*between, *followed_by(core.after))}
    again = any(s.low in ("i.e", "ie") for s in between)
    shifts = words_of.SHIFTS - words_of.EACH if _opens(core) else words_of.SHIFTS  # 46 shards (each at 69 %)
    changed = words & {*(() if again else shifts), "and", "x", "times"}
    if _said(between) == "of" and cores[1].before == between:  # 2000 packets of 1500 bytes
        return False
    return not changed and (core.unit is not None or named)


def _kind(core: Core, asked: Unit) -> int:
    """2: in the kind that is asked; 1: it may be; 0: of another kind."""
    if core.unit is None:
        return 2 if asked is ONE else 1
    if asked.dim.bare and core.unit.dim.label:
        return 1 if asked is ONE else 0
    share = core.unit.symbol == "%" and asked.symbol != "%"
    return 2 * (fits(core.unit.dim, asked.dim) and not share)


def has_a_name(core: Core, first: bool) -> bool:
    """`360 lost`, `queue depth 1`: it says what it is a number of."""
    if core.sum.single is not None and core.sum.single.rule in (_NOUN, "one of another"):
        return True
    words = [*led_by(core.before, first), *followed_by(core.after)]
    return any(s.kind != SIGN and s.low.isalpha() and len(s.low) > 2 and s.low not in words_of.FILLERS for s in words)


ROLES: Final = (
    Role("taken back", _is_taken_back,
         examples("TB: 28 TB - no wait, 24 TB => 24 TB", "%: not 12% but 12.68% => 12.68%",
                  "1: 684... no wait, 685 => 685", "GB: 31 GB, sorry, 32 GB => 32 GB", "ms: 40 ms not 80 ms => 40 ms"),
         examples("ms: 40 ms, maybe 80 ms => two")),
    Role("compared", _is_compared,
         examples("%: diluted to 15 % (was 25 %) => 15%", "%: from 25 % down to 15 % => 15%",
                  "%: 12.7 %, a bit above the nominal 12 % => 12.7%"),
         examples("%: from 15% to 25% => two", "%: was 15% or 25% => two")),
    Role("hedged", _is_hedged,
         examples("ms: just under 10 ms, 9.6 to be precise => 9.6 ms",
                  "h: a bit over 5 hours, about 5 h 15 min => 5.25 h",
                  "ms: nearly 1.5 ms, to be exact 1.42 ms => 1.42 ms"),
         examples("ms: under 10 ms, or about 9.6 ms => two", "ms: just under 10 ms, about 12 ms => two")),
    Role("whole", _is_whole,
         examples("TB: 80 TB of 96 TB => 80 TB", "USD: $720 for all three => 720 USD"),
         examples("TB: 96 TB of 80 TB => two", "%: 20% of 30% => two")),
    Role("part of all", _is_part, examples("ms: 20 each way, 40 in total => 40 ms"),
         examples("ms: 20 or 40 in total => two")),
    Role("otherwise named", _is_otherwise_named,
         examples("request/s: avg 4167/s, peak 12500/s => 12500 request/s",
                  "ms: 40 ms on average; 60 ms peak => 60 ms"),
         examples("ms: 40 ms peak, 60 ms => two", "ms: at the peak 40 ms, peak 60 ms => two"),
         "Requests take 20 ms each. How long does one take at the peak?"),
    Role("of another given", _is_of_a_rival,
         examples("USD: 2475, the fee is 25 => 2475 USD", "USD: 25 fee, 2475 left => 2475 USD"),
         examples("USD: 2475 or 25 fee => two"),
         "You change 2,500 dollars; the fee is 1 %. How many dollars do you get?"),
    Role("said otherwise", _is_said_otherwise,
         examples("GB: 720 GB (240 GB on each) => 720 GB", "GB: >3 GB, i.e. 4 GB => 4 GB"),
         examples("GB: 240 GB, 720 GB => two", "GB: 240 GB if cold and 720 GB if not => two"),
         "A backup goes to three sites. How many rows does it take in all?"),
    Role("conversion", _is_conversion,
         examples("b: 800 (8 bits per byte) => 800 b", "s: 60 s/min, so 300 => 300 s"),
         examples("b: 800 (7 bits per byte) => two")),
    Role("scene", _is_scene,
         examples("GB: a 13B model on 32 GPUs takes 31.7 GB each => 31.7 GB", "GPU: 14 GPUs (80 GB each) => 14 GPU",
                  "GB: 31.7 GB on each of the 32 GPUs => 31.7 GB"),
         examples("GB: 31.7 on 32 => two")),
    Role("once more", _is_once_more,
         examples("GB: 31.7 GB (29.5 GiB) => 31.7 GB", "GPU: 2.7, rounded up to 3 => 3 GPU",
                  "min: about 22 min, exactly 21.6 => 21.6 min", "year: 16 years (15.75 rounded up) => 16 year")),
    Role("of a period", _is_of_a_period, examples("%: 16.5 % (8.25 % a year) => 16.5%"),
         examples("%: 16.5 % or 8.25 % a year => two"), "It is sold after two years. What was the total return?"),
    Role("rest of a whole", _is_the_rest, examples("%: a hit ratio of 98 %, i.e. 2 % misses => 98%"),
         examples("%: 98 %, 2 % => two")),
    Role("step", _is_step,
         examples("ms: 20 ms each way, so 40 ms => 40 ms", "GB: 1.8 GB per minute, so after 20 min 36 GB => 36 GB",
                  "min: 43.2 min for three nines, half of that here: 21.6 min => 21.6 min"),
         examples("ms: 20 ms or so, maybe 40 ms => two", "GB: A: 10 GB, B: 20 GB => two")),
    Role("of another kind", _is_of_another_kind,
         examples("GPU: 267 (costs $9,985.80) => 267 GPU", "s: ~0.2s (queue depth 1) => 0.2 s",
                  "1: ratio of 3.2, a saving of 68.75 % => 3.2"),
         examples("GPU: 7 GPUs 3 nodes => two", "s: 200 s and depth 1 => two")),
    Role("aside", _is_aside, examples("USD: $44,100 (a gain of $4,100) => 44100 USD"),
         examples("USD: $44,100 ($4,100) => two")),
    Role("given", _is_given,
         examples("ms: 75 ms at 30 ms each way => 75 ms", "ms: goes from 30 ms to 75 ms => 75 ms"),
         examples("ms: 30 ms or 75 ms => two", "ms: 75 ms, but 15 ms => two", "ms: 45 ms, 75 ms => two"),
         "A request takes 30 ms each way and 15 ms at the server. How long does it take in all?"),
)  # fmt: skip
