"""Rules that join amounts: times of falling size, shares, factors, one number of another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import GrammarPlace, Layer, Parts, Rule, examples
from quizgen.formula.reading.span import AMOUNT, NUMBER, SIGN, WORD, Context, Sense, Span, over
from quizgen.formula.reading.unit_rules import cent_of
from quizgen.formula.reading.vocabulary import FALLS, FUNCTIONS, MAGNITUDE_WORDS, NAMED
from quizgen.formula.unit_table import TIME
from quizgen.formula.units import KNOWN_UNITS, ONE, SIGNS, is_money

_FACTORS: Final = {"twice": 2, "double": 2, "thrice": 3, "triple": 3}
_ALONE: Final = ("as", "much", "many", "the", "that", "of", "it", "more", "a", "factor")
_FALLING: Final = (
    "loss|losses|losing|loses|sinks|slips|down|drop|drops|dropped|fall|falls|fell|decrease|decreases|decreased|decline|declines|declined|"
    "deficit|shrinks|shrank"
)
# What a stem asks for that has a sign; what it asks for that is a size: FALLS.
_SIGNED: Final = frozenset(("negative", "sign", "signed"))
_HEDGED: Final = "about|around|roughly|approximately|approx|nearly|almost|some|circa|~"
_TIMES: Final = ((TIME, 1),)


def _name(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """The 2 of `ZeRO-2` is part of a name."""
    word, _, number = parts
    if len(place.done) > 1 and place.done[-2].kind == NUMBER and number.text == "1":
        return None  # 450 GB s-1
    if number.text[0].isalpha() or place.after.low in MAGNITUDE_WORDS:
        return None  # GPU-two, per GPU-32 thousand
    follows = place.before.kind == NUMBER or place.before.text == "%"
    return None if follows or not word.low.isalpha() or word.low == "usd" else over(parts, WORD, "name with a number")


def _named(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`stage 2` is the name of a stage where another number stands."""
    word, number = parts
    counts = place.after.is_sign("*", "/", "**", "+")
    if context.numbers < 2 or word.low not in NAMED or not number.text.isdigit() or counts:
        return None
    return over(parts, WORD, "named number")


NAMES: Final = Layer([
    Rule("name with a number", "WORD ~- ~NUMBER", _name,
         examples("GB: ZeRO-2 gives 31.7 GB => 31.7 GB", "GB: ZeRO-2 => no number")),
    Rule("named number", "WORD NUMBER", _named, examples("GB: stage 2 - 31.7 GB => 31.7 GB")),
])  # fmt: skip


def _all(span: Span, change: Callable[[Sense], Sense]) -> tuple[Sense, ...]:
    return tuple(change(sense) for sense in span.senses)


def _times(parts: Parts, amount: Span, factor: Fraction | int, rule: str, fault: str = "") -> Span:
    senses = _all(amount, lambda s: replace(s, value=s.value * factor, calculated=True, step=None))
    return over(parts, AMOUNT, rule, senses=senses, fault=fault or amount.fault)


def _compound(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`1 h 30 min`, `2 hours and 5 minutes`, `1h30`, `3 dollars and 50 cents`, `an hour and a half`: units of falling
    size, added up."""
    left, joint, right = parts
    listed = joint.text == "," and any(span.low in FUNCTIONS for span in place.done)  # max(1.5 s, 500 ms)
    if left.fault or right.fault or listed:
        return None
    large, small = left.senses[0], right.senses[0]
    unit, smaller = large.unit, small.unit
    if unit is None or not (unit.dim.powers == _TIMES or is_money(unit.dim) or unit.symbol == "year"):
        return None  # a year may be one of a bank's months
    spelt = right.rule == "bare" and not right.text[:1].isdigit()
    part = spelt and joint.low == "and" and 0 < small.value < 1 and Fraction(large.value).denominator == 1
    if smaller is None:
        alone = not (joint or place.after or small.scaled)
        minutes = unit.symbol == "h" and alone
        signed = not right.gap and left.text[-1:] in SIGNS  # 1€65
        named = left.text[-1:].isalpha() or signed  # 1 dollar 65
        cents = is_money(unit.dim) and unit.factor == 1 and alone and named and len(right.text) == 2
        if not part and not cents and not (minutes and Fraction(small.value) < 60):
            return None
        smaller = unit if part else cent_of(unit) if cents else KNOWN_UNITS["min"]
    least = (left.parts or (left,))[-1].senses[0].unit or unit
    if smaller.dim != unit.dim or (smaller.factor >= least.factor and not part):
        return None
    share = Fraction(smaller.factor) / unit.factor
    if joint.text == "," and small.value * share > 1:
        return None  # 5 h, 300 min: once more
    step = None if small.step is None else small.step * share
    senses = (Sense(Fraction(large.value) + Fraction(small.value) * share, unit, step),)
    kept = (replace(right, senses=(replace(small, unit=smaller),)),)
    return over(parts, AMOUNT, "compound time", senses=senses, numeral=left.numeral, parts=kept)


def _factor(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`twice 16 GB`."""
    raised = place.after.is_sign("**")  # a power binds closer
    return None if raised else _times(parts, parts[-1], _FACTORS[parts[0].low], "factor")


def _factor_alone(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    follows = place.after and place.after.kind != SIGN and place.after.low not in _ALONE
    if context.digits or place.done or follows:
        return None
    return over(parts, AMOUNT, "factor alone", senses=(Sense(_FACTORS[parts[0].low], None, calculated=True),))


def _below(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`a loss of $350k`, `down 15%`, `15% lower`: what is below nought, unless the stem asks for a loss or a fall."""
    amount = next(part for part in parts if part.kind == AMOUNT)
    nouns, sense = context.asked.nouns, amount.senses[0]
    signed = bool(nouns & _SIGNED)
    unit = sense.unit or context.unit
    told = (unit.symbol == "%" or is_money(unit.dim)) and place.after.kind != AMOUNT  # 98 % (down 2 %)
    told = told and place.after.low != "to"  # 25 % down to 15 %
    if sense.value <= 0 or not told or (nouns & FALLS and not signed):
        return None
    lost = unit.symbol == "%" and not signed and any(part.low in ("loss", "losses") for part in parts)
    fault = "a loss could be meant below nought: write the number with its sign" if lost else amount.fault
    senses = _all(amount, lambda s: replace(s, value=-s.value))
    return over(parts, AMOUNT, "below nought", senses=senses, fault=fault)


def _in_brackets(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`(350,000)`: how books write money that is owed."""
    money = is_money(context.unit.dim) and parts[1].rule in ("bare", "money", "letter", "unit")
    if not money or place.done or place.after or parts[1].senses[0].value <= 0:
        return None
    senses = _all(parts[1], lambda s: replace(s, value=-s.value))
    return over(parts, AMOUNT, "in brackets", senses=senses, fault=parts[1].fault)


def _share(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`half of 63.4 GB`, `1/3 of 96 GB`, `10% of 80 GB`."""
    share, *bar, joint, article, amount = parts
    if place.after.is_sign("**") or not (joint or article):
        return None
    first = share.senses[0]
    part, unit = Fraction(first.value), first.unit or ONE
    if bar:
        under = bar[1].senses[0]
        if under.unit is not None or not under.value:
            return None
        part /= Fraction(under.value)
    written = bool(bar) or first.unit is not None or "/" in share.text or share.text[:1].isdigit()
    is_share = unit.symbol == "%" if first.unit is not None and not bar else 0 < part < 1
    if not is_share or not part > 0 or (written and context.unit.dim.bare):
        return None
    return _times(parts, amount, part * unit.factor, "share", share.fault)


def _of(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`7 of 15`, `7 in 15`, `1 key in 5`, `22.5 GB of 90 GB` where a plain number or a percentage is asked."""
    above, *_, below = parts
    if not context.unit.dim.bare or above.fault or below.fault or place.before.is_sign("*", "/", "+", "-"):
        return None
    part, whole = above.senses[0], below.senses[0]
    mine, theirs = part.unit or ONE, whole.unit or part.unit or ONE
    if theirs.symbol == "%" or (part.unit is not None and mine.dim != theirs.dim) or not whole.value:
        return None
    value = Fraction(part.value * mine.factor) / Fraction(whole.value * (theirs.factor if part.unit else 1))
    bare, joint = (whole.unit or part.unit) is None, {span.low for span in parts}
    counted = Fraction(part.value).denominator == 1 or joint & {"of", "on"}
    if not 0 <= value <= 1 or (bare and not counted) or ("on" in joint and not (bare and context.unit.symbol == "%")):
        return None
    return over(parts, AMOUNT, "one of another", senses=(Sense(value, None, calculated=True),))


def _per(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`50 queries per 25 ms`, `50 in 25 ms`."""
    below = [sense.unit.dim for sense in place.after.senses if sense.unit is not None]
    joined = place.before.kind == AMOUNT and place.after.kind == AMOUNT and (bool(below) or parts[0].low == "per")
    if joined and parts[0].low == "in":
        joined = bool(below) and below[0].powers == _TIMES and context.unit.dim.power(TIME) == -1
    return replace(over(parts, SIGN, "per an amount"), text="/") if joined else None


TIMES: Final = Layer([
    Rule("compound time", "AMOUNT and|,? AMOUNT", _compound,
         examples("s: 1 h 30 min => 5400 s", "s: 1h30 => 5400 s", "ms: 54 ms 400 us => 54.4 ms",
                  "USD: 3 dollars and 50 cents => 3.5 USD", "USD: 3$50 => 3.5 USD", "s: 1 hour and a half => 5400 s"),
         examples("s: 30 min 1 h => two")),
])  # fmt: skip
JOINS: Final = Layer([
    Rule("per an amount", "per|every|each|in", _per,
         examples("1/s: 50 per 25 ms => 2000 1/s", "1/s: 5 requests every 10 ms => 500 1/s",
                  "1/s: 50 in 25 ms => 2000 1/s", "1/s: one each 10 ms => 100 1/s"),
         examples("GB: 32 GB in 10 ms => 32 GB")),
    Rule("factor", "twice|double|thrice|triple of? the? AMOUNT", _factor, examples("GB: twice 16 GB => 32 GB")),
    Rule("factor alone", "twice|double|thrice|triple", _factor_alone, examples("1: twice as much => 2")),
    Rule("below nought", f"{_FALLING} of|by? a? {_HEDGED}? .? AMOUNT", _below,
         examples("USD: a loss of $350k => -350000 USD", "%: down 15% => -15%", "%: drop of 15% => -15%",
                  "%: down by about 15% => -15%", "%: falls ~15% => -15%"),
         examples("%: a loss of 15% => sign", "%: down to 15% => 15%", "GB: drops 15 GB => 15 GB")),
    Rule("below nought", "AMOUNT (? in? the? loss|lower|down|drop|fall|decrease|decline|deficit|red )?", _below,
         examples("USD: $350k loss => -350000 USD", "USD: $350k in the red => -350000 USD", "%: 15% lower => -15%")),
    Rule("in brackets", "( AMOUNT )", _in_brackets, examples("USD: (350,000) => -350000 USD"),
         examples("GB: (350) => 350 GB")),
    Rule("share", "AMOUNT / AMOUNT of? the? AMOUNT", _share, examples("GB: 1/3 of 96 GB => 32 GB")),
    Rule("share", "AMOUNT of? the? AMOUNT", _share,
         examples("GB: half of 63.4 GB => 31.7 GB", "GB: 10% of 80 GB => 8 GB", "GB: half the 80 GB => 40 GB")),
    Rule("one of another", "AMOUNT NAME of AMOUNT", _of, examples("1: 200 lost of 10000 => 0.02")),
    Rule("one of another", "AMOUNT out? of|in|on the|every? AMOUNT", _of,
         examples("1: 7 of 15 => 7/15", "1: 7 out of 15 => 7/15"),
         examples("GB: 7 of 15 GB => two")),
])  # fmt: skip
