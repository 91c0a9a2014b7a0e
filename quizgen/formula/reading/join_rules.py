"""Rules that join amounts: times of falling size, shares, factors, one number of another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import Layer, Parts, Place, Rule, examples
from quizgen.formula.reading.span import AMOUNT, SIGN, WORD, Context, Sense, Span, over
from quizgen.formula.reading.vocabulary import NAMED, PROSE
from quizgen.formula.unit_table import TIME
from quizgen.formula.units import KNOWN_UNITS, ONE

_FACTORS: Final = {"twice": 2, "double": 2, "thrice": 3, "triple": 3}
_ALONE: Final = ("as", "much", "many", "the", "that", "of", "it", "more", "a", "factor")
_TIMES: Final = ((TIME, 1),)


def _name(context: Context, parts: Parts, place: Place) -> Span | None:
    """The 2 of `ZeRO-2` is part of a name."""
    word = parts[0]
    assert word is not None
    done = place.done
    if len(done) > 1 and done[-2].kind == "NUMBER" and parts[2] is not None and parts[2].text == "1":
        return None  # 450 GB s-1
    follows = bool(done) and (done[-1].kind == "NUMBER" or done[-1].text == "%")
    return None if follows or not word.low.isalpha() or word.low == "usd" else over(parts, WORD, "name with a number")


def _named(context: Context, parts: Parts, place: Place) -> Span | None:
    """`stage 2` is the name of a stage where another number stands."""
    word, number = parts
    if context.numbers < 2 or word is None or word.low not in NAMED or number is None or not number.text.isdigit():
        return None
    if place.after is not None and place.after.is_sign("*", "/", "**", "+"):
        return None
    return over(parts, WORD, "named number")


NAMES: Final = Layer([
    Rule("name with a number", "WORD ~- ~NUMBER", _name,
         examples("GB: ZeRO-2 gives 31.7 GB => 31.7 GB", "GB: ZeRO-2 => no number")),
    Rule("named number", "WORD NUMBER", _named, examples("GB: stage 2 - 31.7 GB => 31.7 GB")),
])  # fmt: skip


def first(span: Span | None) -> Sense:
    assert span is not None
    return span.senses[0]


def _raised(place: Place) -> bool:
    """A power follows, which binds closer."""
    return place.after is not None and place.after.is_sign("**")


def _all(span: Span | None, change: Callable[[Sense], Sense]) -> tuple[Sense, ...]:
    assert span is not None
    return tuple(change(sense) for sense in span.senses)


def _compound(context: Context, parts: Parts, place: Place) -> Span | None:
    """`1 h 30 min`, `2 hours and 5 minutes`, `1h30`: times of falling size, added up."""
    left, joint, right = parts
    if left is None or right is None or left.fault or right.fault:
        return None
    large, small = first(left), first(right)
    unit, smaller = large.unit, small.unit
    if unit is None or unit.dim.powers != _TIMES:
        return None
    if smaller is None:
        if (
            unit.symbol != "h"
            or joint is not None
            or Fraction(small.value) >= 60
            or place.after is not None
            or small.scaled
        ):
            return None
        smaller = KNOWN_UNITS["min"]
    least = left.parts[-1].senses[0].unit if left.parts else unit
    if smaller.dim.powers != _TIMES or least is None or smaller.factor >= least.factor:
        return None
    share = Fraction(smaller.factor) / unit.factor
    value = Fraction(large.value) + Fraction(small.value) * share
    step = None if small.step is None else small.step * share
    kept = replace(right, senses=(replace(small, unit=smaller),))
    return over(parts, AMOUNT, "compound time", senses=(Sense(value, unit, step),), numeral=left.numeral, parts=(kept,))


def _factor(context: Context, parts: Parts, place: Place) -> Span | None:
    """`twice 16 GB`."""
    word, *_, amount = parts
    assert word is not None
    if _raised(place):
        return None
    times = _FACTORS[word.low]
    senses = _all(amount, lambda s: replace(s, value=s.value * times, calculated=True, step=None))
    return over(parts, AMOUNT, "factor", senses=senses, fault=_fault(amount))


def _factor_alone(context: Context, parts: Parts, place: Place) -> Span | None:
    word = parts[0]
    assert word is not None
    if (
        context.digits
        or place.done
        or (place.after is not None and place.after.low not in _ALONE and place.after.kind != "SIGN")
    ):
        return None
    return over(parts, AMOUNT, "factor alone", senses=(Sense(_FACTORS[word.low], None, calculated=True),))


def _fault(*spans: Span | None) -> str:
    return next((s.fault for s in spans if s is not None and s.fault), "")


def _negative(context: Context, parts: Parts, place: Place) -> Span | None:
    senses = _all(parts[1], lambda s: replace(s, value=-s.value))
    return over(parts, AMOUNT, "negative", senses=senses, fault=_fault(parts[1]))


def _is_share(span: Span) -> bool:
    sense = first(span)
    if sense.unit is not None:
        return sense.unit.symbol == "%"
    return 0 < sense.value < 1


def _share(context: Context, parts: Parts, place: Place) -> Span | None:
    """`half of 63.4 GB`, `1/3 of 96 GB`, `10% of 80 GB`."""
    share, _, below, joint, article, amount = parts
    if (
        share is None
        or amount is None
        or _raised(place)
        or (joint is None and article is None)
        or (below is None) != (parts[1] is None)
    ):
        return None
    part = Fraction(first(share).value)
    if below is not None:
        under = first(below)
        if under.unit is not None or not under.value:
            return None
        part /= Fraction(under.value)
    written = (
        below is not None or (share.numeral is not None and "/" in str(share.text)) or first(share).unit is not None
    )
    spelled = not share.text[:1].isdigit()
    if not part > 0 or (below is None and not _is_share(share)) or (below is not None and part >= 1):
        return None
    if (written or not spelled) and context.unit.dim.bare:
        return None
    times = part * (first(share).unit or ONE).factor
    senses = _all(amount, lambda s: replace(s, value=s.value * times, calculated=True, step=None))
    return over(parts, AMOUNT, "share", senses=senses, fault=_fault(share, amount))


def _of(context: Context, parts: Parts, place: Place) -> Span | None:
    """`7 of 15`, `7 in 15`, `7 out of 15` where a plain number or a percentage is asked."""
    above, *_, below = parts
    if above is None or below is None or not context.unit.dim.bare or above.fault or below.fault:
        return None
    if place.before is not None and place.before.is_sign("*", "/", "+", "-"):
        return None
    over_, under = first(above), first(below)
    if (
        over_.unit is not None
        or (under.unit or ONE).symbol == "%"
        or not 0 <= over_.value <= under.value
        or not under.value
    ):
        return None
    if Fraction(over_.value).denominator != 1:
        return None
    value = Fraction(over_.value) / Fraction(under.value)
    return over(parts, AMOUNT, "one of another", senses=(Sense(value, None, calculated=True),))


def _and_part(context: Context, parts: Parts, place: Place) -> Span | None:
    """`1 hour and a half`."""
    whole, _, part = parts
    if whole is None or part is None or part.rule != "bare" or part.text[:1].isdigit() or not 0 < first(part).value < 1:
        return None
    sense = first(whole)
    other = place.after is not None and place.after.kind == "UNIT" and place.after.low not in PROSE
    if sense.unit is None or other or Fraction(sense.value).denominator != 1 or sense.value < 1:
        return None
    senses = _all(whole, lambda s: replace(s, value=s.value + first(part).value, step=Fraction(first(part).value)))
    return over(parts, AMOUNT, "and a part of it", senses=senses, fault=whole.fault)


def _per(context: Context, parts: Parts, place: Place) -> Span | None:
    """`50 queries per 25 ms`."""
    follows = place.before is not None and place.before.kind == AMOUNT
    joined = follows and place.after is not None and place.after.kind == AMOUNT
    return replace(over(parts, SIGN, "per an amount"), text="/") if joined else None


TIMES: Final = Layer([
    Rule("compound time", "AMOUNT and|,? AMOUNT", _compound,
         examples("s: 1 h 30 min => 5400 s", "s: 1h30 => 5400 s", "ms: 54 ms 400 us => 54.4 ms"),
         examples("s: 30 min 1 h => two")),
])  # fmt: skip
JOINS: Final = Layer([
    Rule("per an amount", "per", _per, examples("1/s: 50 per 25 ms => 2000 1/s")),
    Rule("and a part of it", "AMOUNT and AMOUNT", _and_part, examples("s: 1 hour and a half => 5400 s")),
    Rule("factor", "twice|double|thrice|triple of? the? AMOUNT", _factor, examples("GB: twice 16 GB => 32 GB")),
    Rule("factor alone", "twice|double|thrice|triple", _factor_alone, examples("1: twice as much => 2")),
    Rule("negative", "negative AMOUNT", _negative, examples("GB: negative 7 GB => -7 GB")),
    Rule("share", "AMOUNT /? AMOUNT? of? the? AMOUNT", _share,
         examples("GB: half of 63.4 GB => 31.7 GB", "GB: 1/3 of 96 GB => 32 GB", "GB: 10% of 80 GB => 8 GB")),
    Rule("share", "AMOUNT of? the? AMOUNT", lambda c, p, x: _share(c, (p[0], None, None, *p[1:]), x),
         examples("GB: half the 80 GB => 40 GB")),
    Rule("one of another", "AMOUNT out? of|in the|every? AMOUNT", _of,
         examples("1: 7 of 15 => 7/15", "1: 7 out of 15 => 7/15"),
         examples("GB: 7 of 15 GB => two")),
])  # fmt: skip
