"""Rules that make amounts: a number with its magnitude and its unit, money, counts, rates, bare numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import Layer, Parts, Place, Rule, examples, is_time
from quizgen.formula.reading.letter_rules import (
    amount,
    factor_of,
    is_prose,
    letter_alone,
    letter_counted,
    letter_unit,
    numeral_of,
)
from quizgen.formula.reading.number_rules import scaled
from quizgen.formula.reading.numeral import Numeral
from quizgen.formula.reading.span import AMOUNT, NUMBER, UNIT, WORD, Context, Span, over
from quizgen.formula.reading.unit_rules import alternatives
from quizgen.formula.reading.unit_words import over as quotient
from quizgen.formula.reading.vocabulary import LATE, REFUSED_UNITS
from quizgen.formula.unit_fit import fits
from quizgen.formula.unit_table import INFORMATION, PHYSICAL, TIME
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit

# -- a unit after a number --------------------------------------------------------------------


def _with_unit(context: Context, parts: Parts, place: Place) -> Span | None:
    number, hyphen, unit = parts
    assert unit is not None
    if hyphen is not None and (hyphen.gap or (unit.gap and hyphen.text == "-")):
        return None
    minutes = unit.text == "m" and unit.unit is not None and is_time(unit)
    units = [("minutes" if minutes else tag, one) for tag, one in alternatives(unit)]
    return amount(context, parts, numeral_of(number), units, "unit")


def _late_unit(context: Context, parts: Parts, place: Place) -> Span | None:
    """`32ish GB`, `32 or so GB`, `31.7 (GB)`, `31.7 in GB`."""
    number, _, opened, *between, unit, closed = parts
    assert unit is not None
    words = [s for s in between if s is not None]
    if (opened is None) != (closed is None) or (unit.unit is not None and unit.unit.dim.label):
        return None
    if any(s.low not in LATE for s in words) or not (words or opened):
        return None
    return amount(context, parts, numeral_of(number), alternatives(unit), "late unit")


def _counted(context: Context, parts: Parts, place: Place) -> Span | None:
    """`14 H100 GPUs`, `16 data-parallel ranks`."""
    number, *between, unit = parts
    assert unit is not None
    dim = unit.unit.dim if unit.unit is not None else ONE.dim
    if is_prose(between) or not (dim.label or (unit.unit is not None and unit.unit.symbol == "FLOP")):
        return None
    return amount(context, parts, numeral_of(number), alternatives(unit), "counted")


def _times_counted(context: Context, parts: Parts, place: Place) -> Span | None:
    """`14x H100`, `14 x 80 GB GPUs`."""
    number, _, other, size, unit = parts
    if unit is None or unit.unit is None or not unit.unit.dim.label or (other is None) != (size is None):
        return None
    data = size is not None and size.unit is not None and bool(size.unit.dim.power(INFORMATION))
    if size is not None and (
        not data or context.unit.dim.power(INFORMATION) or not fits(unit.unit.dim, context.unit.dim)
    ):
        return None
    return amount(context, parts, numeral_of(number), alternatives(unit), "times a counted thing")


def _noun(context: Context, parts: Parts, place: Place) -> Span | None:
    """`50304 rows` where the stem speaks of rows and a plain number is asked."""
    number, *words = parts
    asked = context.unit
    nouns = context.asked.nouns
    there = [s for s in words if s is not None]
    known = [s.low in nouns or s.low.removesuffix("s") in nouns or f"{s.low}s" in nouns for s in there]
    if not (asked.dim.bare or asked.dim.label) or not known or not known[-1] or is_prose(there):
        return None
    return amount(context, parts, numeral_of(number), [("", None)], "word of the stem")


def _rate(context: Context, parts: Parts, place: Place) -> Span | None:
    """`25/s`, `1500 per minute`, `625 1/s`: what is counted was left out and is the thing asked."""
    number, one, letter, _, unit = parts
    if unit is None or unit.unit is None or (one is not None and (one.text != "1" or letter is not None)):
        return None
    head, slash, below = context.unit.symbol.partition("/")
    if letter is not None and (head != "token" or letter.text != "t"):
        return None
    if not slash:
        if one is None:
            return None
        return amount(context, parts, numeral_of(number), [("", quotient(ONE, unit.unit))], "rate")
    under = KNOWN_UNITS.get(below)
    if under is None or not is_time(unit) or under.dim != unit.unit.dim:
        return None
    rate = Unit(
        f"{head}/{unit.unit.symbol}", Fraction(context.unit.factor) * under.factor / unit.unit.factor, context.unit.dim
    )
    return amount(context, parts, numeral_of(number), [("", rate)], "rate")


def _part_of(context: Context, parts: Parts, place: Place) -> Span | None:
    return amount(context, parts, numeral_of(parts[0]), alternatives(_there(parts[3])), "part of a unit")


def _there(span: Span | None) -> Span:
    assert span is not None
    return span


def _one(context: Context, parts: Parts, place: Place) -> Span | None:
    """`a minute`, `an hour and a half`."""
    _, unit, _, part = parts
    if context.digits or (part is None) != (parts[2] is None):
        return None
    value = 1 + (part.number.value if part is not None else 0)
    return amount(
        context, parts, Numeral("1", Fraction(value), Fraction(1)), alternatives(_there(unit)), "one of a unit"
    )


# -- money ------------------------------------------------------------------------------------


def _money(context: Context, parts: Parts, place: Place) -> Span | None:
    sign, minus, number, letter = parts
    assert sign is not None
    if sign.unit is None or sign.unit.symbol != "USD":
        return None
    if place.before is not None and place.before.kind == NUMBER:
        return None
    numeral = numeral_of(number)
    factor = factor_of(letter)
    if letter is not None and not factor:
        if letter.unit is None or not {n for n, _ in letter.unit.dim.powers} & set(PHYSICAL):
            return None
        numeral = replace(numeral, fault="it has two units: write the number with one")
    if minus is not None:
        numeral = replace(numeral, value=-numeral.value)
    if place.before is not None and place.before.kind in (WORD, UNIT) and not sign.gap:  # A$2000
        numeral = replace(numeral, fault=REFUSED_UNITS["€"])
    grown = scaled(numeral, factor) if factor and not numeral.fault else numeral
    return amount(
        context,
        parts,
        grown,
        [("", sign.unit)],
        "money",
        bool(factor) or (number is not None and number.rule == "magnitude"),
    )


def _price(context: Context, parts: Parts, place: Place) -> Span | None:
    """`$2 per GPU-hour`."""
    money, _, unit = parts
    if money is None or money.rule not in ("money", "price") or unit is None or unit.unit is None:
        return None
    below = unit.unit
    senses = tuple(replace(s, unit=quotient(s.unit, below)) for s in money.senses if s.unit is not None)
    return over(parts, AMOUNT, "price", senses=senses, fault=money.fault, numeral=money.numeral)


def _led_percent(context: Context, parts: Parts, place: Place) -> Span | None:
    sign, number = parts
    if sign is None or sign.unit is None or sign.text != "%":
        return None
    return amount(context, parts, numeral_of(number), [("", KNOWN_UNITS["%"])], "percent before")


# -- alone ------------------------------------------------------------------------------------


def _clock(context: Context, parts: Parts, place: Place) -> Span | None:
    """`1:30:00` where a time is asked; `1:30` could be minutes or hours, and elsewhere a ratio."""
    there = [p for p in parts if p is not None and p.kind == NUMBER]
    written = ":".join(p.text for p in there)
    fault, total = "", 0
    small = all(p.text.isdigit() and int(p.text) < 60 and len(p.text) == 2 for p in there[1:])
    if context.unit.dim.powers != ((TIME, 1),):
        fault = f'"{written}" could be a ratio or a time: write one number, such as 1/8 or 0.125'
    elif (
        len(there) != 3
        or not small
        or not there[0].text.isdigit()
        or place.before is not None
        or place.after is not None
    ):
        fault = f'"{written}" could be hours and minutes or minutes and seconds: write 1 h 30 min, or 90 s'
    else:
        total = int(there[0].text) * 3600 + int(there[1].text) * 60 + int(there[2].text)
    return amount(
        context, parts, Numeral(written, Fraction(total), Fraction(1), fault=fault), [("", KNOWN_UNITS["s"])], "clock"
    )


def _bare(context: Context, parts: Parts, place: Place) -> Span | None:
    grown = _there(parts[0]).rule == "magnitude"
    return amount(context, parts, numeral_of(parts[0]), [("", None)], "bare", grown)


CLOCK: Final = Layer([
    Rule("clock", "NUMBER ~: ~NUMBER ~:? ~NUMBER?", _clock, examples("s: 1:30:00 => 5400 s", "1: 8:1 => ratio"),
         examples("GB: stage 2: 31.7 GB => 31.7 GB")),
])  # fmt: skip
AMOUNTS: Final = Layer([
    Rule("money", "UNIT -? NUMBER WORD|UNIT", _money, examples("GB: $5.6M => 5600000 USD", "USD: $9M => 9000000 USD"),
         examples("USD: A$2M => currencies")),
    Rule("money", "UNIT -? NUMBER", lambda c, p, x: _money(c, (*p, None), x), examples("GB: $31.7 => 31.7 USD"),
         examples("USD: A$2000 => currencies")),
    Rule("percent before", "UNIT NUMBER", _led_percent, examples("1: %46,7 => 46.7%")),
    Rule("letter", "NUMBER WORD|UNIT -? UNIT", letter_unit,
         examples("tok/s: 9.4k tokens/s => 9400 token/s", "GB: 31.7B bytes => 31.7 GB")),
    Rule("letter", "NUMBER WORD|UNIT NAME? -? NAME? COUNTED", letter_counted,
         examples("param: 5B trainable params => 5e9 param")),
    Rule("letter", "NUMBER WORD|UNIT", letter_alone,
         examples("param: 13B => 13e9 param", "GB: 80G => 80 GB", "kWh: 9k => 9000 kWh"), examples("GB: 13B => 13 B")),
    Rule("times a counted thing", "NUMBER *|x NUMBER UNIT COUNTED", _times_counted,
         examples("GPU: 14 x 80 GB GPUs => 14 GPU")),
    Rule("times a counted thing", "NUMBER *|x COUNTED",
         lambda c, p, x: _times_counted(c, (p[0], None, None, None, p[2]), x),
         examples("GPU: 14x GPUs => 14 GPU")),
    Rule("unit", "NUMBER -|.? UNIT", _with_unit, examples("GB: 31.7 GB => 31.7 GB", "GB: 80-GB => 80 GB")),
    Rule("late unit", "NUMBER -? (|[? WORD? WORD? UNIT )|]?", _late_unit,
         examples("GB: 31700 (MB) => 31.7 GB", "GB: 32ish GB => 32 GB")),
    Rule("counted", "NUMBER NAME|WORD -? NAME? -? NAME? UNIT", _counted, examples("GPU: 14 spare GPUs => 14 GPU")),
    Rule("word of the stem", "NUMBER NAME NAME", _noun, examples("1: 50304 table rows => 50304")),
    Rule("word of the stem", "NUMBER NAME", _noun, examples("1: 50304 rows => 50304"),
         examples("1: 3 bananas => bananas")),
    Rule("rate", "NUMBER NUMBER? t? /|per UNIT", _rate,
         examples("token/s: 25/s => 25 token/s", "1/s: 625 1/s => 625 1/s")),
    Rule("part of a unit", "PART of? a|an UNIT", _part_of, examples("s: half an hour => 1800 s")),
    Rule("one of a unit", "a|an TIME and? PART?", _one,
         examples("s: a minute => 60 s", "s: an hour and a half => 5400 s")),
    Rule("bare", "NUMBER", _bare, examples("GB: 31.7 => 31.7 GB")),
])  # fmt: skip
PRICES: Final = Layer([
    Rule("price", "AMOUNT /|per|a|an|each UNIT", _price, examples("USD/GPU-h: $2 per GPU hour => 2 USD/GPU-h")),
])  # fmt: skip
AMOUNT_LAYERS: Final = (CLOCK, AMOUNTS, PRICES)
