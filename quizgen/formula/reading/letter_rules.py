"""Magnitudes written as a letter (13B, 9.4k, 80G), and how an amount is made of a number and units."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import GrammarPlace, Parts
from quizgen.formula.reading.number_rules import scaled
from quizgen.formula.reading.numeral import Numeral
from quizgen.formula.reading.span import AMOUNT, WORD, Context, Sense, Span, over
from quizgen.formula.reading.unit_rules import alternatives
from quizgen.formula.reading.vocabulary import LONG_PREFIXES, MAGNITUDE_LETTERS, PROSE, REFUSED_UNITS
from quizgen.formula.unit_table import BINARY, CURRENCY, DIVISIBLE, FLOP, INFORMATION, PHYSICAL, SI, TIME
from quizgen.formula.units import KNOWN_UNITS, Unit, own_money

Units = Iterable[tuple[str, Unit | None]]
_PREFIXES: Final = {**SI, **BINARY}
_MINUTES: Final = re.compile(r"\b(?:min|minutes?|h|hours?)\b")


def amount(context: Context, parts: Parts, numeral: Numeral, units: Units, rule: str, scale: bool = False) -> Span:
    """An amount in each of `units`, and with each value that the numeral's marks allow."""
    senses = []
    for tag, unit in units:
        sense = Sense(numeral.value, unit, numeral.step or None, tag, numeral.raised, scaled=scale)
        senses.append(sense)
        if numeral.decimal is not None and (_may_part if numeral.grouping else _may_group)(context, sense):
            senses.append(replace(sense, value=numeral.decimal, tag="mark"))
    return over(parts, AMOUNT, rule, senses=tuple(senses), fault=numeral.fault, numeral=numeral)


def _may_part(context: Context, sense: Sense) -> bool:
    """1.234 of it can be meant: not of a count, single bytes or bits, dollars to three places, or a unit
    smaller than the one that is asked, which nobody turns to for a small number (`31,688 MB` for GB)."""
    asked = context.unit
    unit = sense.unit or asked
    if sense.scaled or sense.raised:
        return True
    smaller = unit.dim == asked.dim and unit.factor < asked.factor and unit.symbol != "%"
    return not (smaller or unit.symbol in ("B", "b", "FLOP", "USD") or unit.dim.label)


def _may_group(context: Context, sense: Sense) -> bool:
    """`11.510` of a thing without parts can be 11510, and `16.000` of any."""
    unit = sense.unit or context.unit
    if sense.scaled or sense.raised or unit.symbol == "%":
        return False
    parted = Fraction(sense.value).denominator > 1
    money = own_money(unit.dim)  # 50.750 €
    rounded = unit.dim.label in DIVISIBLE and Fraction(sense.value * 100).denominator == 1  # 55.200 pages
    counted = rounded or (bool(unit.dim.label) and context.asked.whole)
    return not parted or unit.dim.bare or bool(money) or counted


# -- magnitudes -------------------------------------------------------------------------------


def factor_of(letter: Span) -> int:
    return MAGNITUDE_LETTERS.get(letter.text, 0)


def letter_unit(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`9.4k tokens/s`, `31.7B bytes`, `4 mega tokens`."""
    number, letter, hyphen, unit = parts
    dim, factor = unit.unit.dim, factor_of(letter)
    if letter.text == "T" and own_money(dim):
        factor = 1000  # 130 T€
    long = LONG_PREFIXES.get(letter.low)
    if long is not None and dim.label:
        factor = _PREFIXES[long]
    elif not factor or hyphen:
        return None
    counted = dim.label or dim.power(CURRENCY) or any(p > 0 and n not in PHYSICAL for n, p in dim.powers)
    bytes_ = letter.text == "B" and dim.power(INFORMATION) == 1
    plain = letter.text not in ("B", "b", "m") and not (dim.bare and context.unit.symbol != "1")
    if not (counted or bytes_ or plain):
        return None
    return amount(context, parts, scaled(number.numeral, factor), alternatives(unit), "letter", True)


def letter_counted(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`405B trainable weights`."""
    number, letter, *between, unit = parts
    factor = factor_of(letter)
    if not factor or letter.text in ("m", "b") or is_prose(between):
        return None
    return amount(context, parts, scaled(number.numeral, factor), alternatives(unit), "letter", True)


def letter_alone(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    number, letter = parts
    asked, after = context.unit, place.after
    if letter.rule == "months of a year":
        return None
    if context.asked.told is not None and letter.text == context.asked.told.symbol:
        return None  # 1024 B of bytes
    factor = factor_of(letter)
    if letter.text == "t" and ((letter.gap and asked.dim.label == "token") or after.low in ("/", "per")):
        return None
    factors = place.before.is_sign("*") or after.is_sign("*")  # 80 us * 2.5k
    scales = (
        _scales(asked, letter.text) or (factors and letter.text in ("k", "K")) or _in_a_ratio(context, letter, place)
    )
    if factor and scales:
        return amount(context, parts, scaled(number.numeral, factor), [("", None)], "letter", True)
    if letter.text == "B":
        made = amount(context, parts, number.numeral, [("", KNOWN_UNITS["B"])], "letter")
        many = scaled(number.numeral, 10**9)
        billions = Sense(many.value, None, many.step, "billions", scaled=True)
        return made if letter.gap else replace(made, senses=(*made.senses, billions))
    prefixed = _prefix(letter, asked)
    return None if prefixed is None else amount(context, parts, number.numeral, [("", prefixed)], "letter")


def _in_a_ratio(context: Context, letter: Span, place: GrammarPlace) -> bool:
    """`100k / 1.2m`, `100k of 1.2m` where a percentage is asked."""
    minutes = letter.text == "m" and _MINUTES.search(context.asked.stem)
    if context.unit.symbol != "%" or letter.text not in ("k", "K", "m", "M", "mm", "MM") or minutes:
        return False
    return any(span.is_sign("/") or span.says("of", "out", "on", "in", "from") for span in (place.before, place.after))


def _scales(asked: Unit, letter: str) -> bool:
    """A letter alone multiplies: where a count, money or a plain number is asked, and `k` and what is asked has a k."""
    dim = asked.dim
    if dim.power(TIME) > 0 and any(name not in PHYSICAL for name, _ in dim.powers):
        return letter != "m"  # 30.8M where GPU-hours are asked
    kilos = asked.symbol[0] == "k" and not (dim.power(INFORMATION) and dim.power(TIME))  # 80k of kb/s is 80 kb/s
    if letter in ("k", "K") and (dim.power("energy") or kilos):
        return True
    if dim.power(INFORMATION) or dim.power(TIME) > 0 or asked.symbol == "%" or dim.power("energy"):
        return False
    return letter == "B" if dim.power(FLOP) else True


def _prefix(letter: Span, asked: Unit) -> Unit | None:
    """`80G` where GB (or B) is asked, `405T` where FLOP is: the prefix of the unit that is asked."""
    base, slash, rest = base_symbol(asked).partition("/")
    short = {"K": "k", "g": "G", "t": "T", "KI": "Ki", "ki": "Ki", "gi": "Gi"}.get(letter.text, letter.text)
    head = KNOWN_UNITS.get(LONG_PREFIXES.get(letter.low, short) + base)
    if head is None or base not in ("B", "b", "FLOP", "W", "Wh", "J") or head.symbol == base:
        return None
    scale = Fraction(asked.factor) / KNOWN_UNITS[asked.symbol.partition("/")[0]].factor
    return Unit(f"{head.symbol}{slash}{rest}", head.factor * scale, asked.dim, asked.labels)


def base_symbol(unit: Unit) -> str:
    """The symbol of `unit` without the prefix of its first part: B/s for GB/s, s for ms; as it is if it has none."""
    head, slash, rest = unit.symbol.partition("/")
    whole = KNOWN_UNITS.get(head)
    for prefix in ("m", "u", "n", *BINARY, *SI):
        base = KNOWN_UNITS.get(head.removeprefix(prefix))
        scale = _PREFIXES.get(prefix) or Fraction(1, 1000 ** ("mun".index(prefix) + 1))
        if whole and base and base is not whole and (base.dim, base.factor * scale) == (whole.dim, whole.factor):
            return base.symbol + slash + rest
    return unit.symbol


def is_prose(between: Iterable[Span]) -> bool:
    words = [s for s in between if s.kind == WORD]
    return any(s.low in PROSE or s.low in REFUSED_UNITS for s in words) or (bool(words) and len(words[0].text) < 3)
