"""Rules that make amounts: a number with its magnitude and its unit, money, counts, rates, bare numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import GrammarPlace, Layer, Parts, Rule, examples, is_time
from quizgen.formula.reading.letter_rules import (
    amount,
    factor_of,
    is_prose,
    letter_alone,
    letter_counted,
    letter_unit,
)
from quizgen.formula.reading.number_rules import scaled
from quizgen.formula.reading.numeral import Numeral
from quizgen.formula.reading.span import AMOUNT, NUMBER, UNIT, WORD, Context, Span, over
from quizgen.formula.reading.unit_rules import alternatives, per_time
from quizgen.formula.reading.unit_words import below_one
from quizgen.formula.reading.unit_words import over as quotient
from quizgen.formula.reading.vocabulary import ABOUT, LATE, MAGNITUDE_LETTERS, NAMED, REFUSED_UNITS
from quizgen.formula.unit_fit import fits
from quizgen.formula.unit_table import PHYSICAL, TIME
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit, is_money

_OF_ANY: Final = frozenset(("unit", "piece", "pcs", "item"))  # whatever is counted

# -- a unit after a number --------------------------------------------------------------------


def _with_unit(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    number, _, unit = parts
    minutes = unit.text == "m" and is_time(unit) and context.unit.symbol not in ("min", "h", "month")
    units = [("minutes" if minutes else tag, one) for tag, one in alternatives(unit)]
    return amount(context, parts, number.numeral, units, "unit")


def _late_unit(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`32ish GB`, `32 or so GB`, `31.7 (GB)`, `31.7 in GB`."""
    number, _, opened, *words, unit, closed = parts
    late = any(words) and all(s.low in LATE for s in words if s)
    if bool(opened) != bool(closed) or unit.unit.dim.label or not (late or (opened and not any(words))):
        return None
    return amount(context, parts, number.numeral, alternatives(unit), "late unit")


def _counted(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`14 H100 GPUs`, `16 data-parallel ranks`."""
    number, *between, unit = parts
    counted = any(power > 0 and name not in PHYSICAL for name, power in unit.unit.dim.powers)
    said = all(s.low in context.asked.nouns for s in between if s)  # 1460 payload bytes
    if is_prose(between) or not (counted or said or unit.unit.symbol == "FLOP"):
        return None
    return amount(context, parts, number.numeral, alternatives(unit), "counted")


def _times_counted(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`14x H100`, `14 x 80 GB GPUs`."""
    number, _, *size, unit = parts
    if size and not fits(unit.unit.dim, context.unit.dim):
        return None
    return amount(context, parts, number.numeral, alternatives(unit), "times a counted thing")


def _noun(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`50304 rows` where the stem speaks of rows and a plain number is asked."""
    number, *words = (part for part in parts if part)
    asked, nouns = context.unit.dim, context.asked.nouns
    last = words[-1].low
    known = {last, last.removesuffix("s"), f"{last}s"} & (nouns | _OF_ANY if asked.label else nouns)
    if any(len(phrase) > len(words) and phrase[-1] == last for phrase in context.asked.lexicon.phrases):
        return None  # the points of basis points
    prose = is_prose(words) or any(word.low in ABOUT for word in words)  # 62 without network
    if not (asked.bare or asked.label or is_money(asked)) or not known or prose:
        return None
    return amount(context, parts, number.numeral, [("", None)], "word of the stem")


def _rate(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`25/s`, `1500 per minute`, `625 1/s`: what is counted was left out and is the thing asked."""
    number, one, _, unit = parts
    head = context.unit.symbol.partition("/")[0]
    named = head.startswith(one.low) or one.low in context.asked.nouns if one.kind == WORD else one.text in ("", "1")
    if (one.text in MAGNITUDE_LETTERS and one.text != "t") or not named:
        return None
    rate = per_time(context.unit, unit.unit)
    told = rate is not None or unit.unit in context.asked.periods  # 6,400/month
    return amount(context, parts, number.numeral, [("", rate)], "rate") if told else None


def _rate_of_letter(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`8k/s`: what is counted was left out."""
    many, _, unit = parts
    rate = per_time(context.unit, unit.unit)
    told = rate is not None or unit.unit in context.asked.periods  # 8k/month
    own = many.senses[0].unit
    if many.rule not in ("letter", "money") or many.text[-1] == "m" or not told:
        return None
    if own is not None and (own.dim != context.unit.dim or unit.unit not in context.asked.periods):
        return None  # but $8k/mo where $ is the bank's sign of dollars a month
    senses = tuple(replace(sense, unit=own or rate) for sense in many.senses)
    return over(parts, AMOUNT, "rate", senses=senses, fault=many.fault, numeral=many.numeral)


def _part_of(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    return amount(context, parts, parts[0].numeral, alternatives(parts[3]), "part of a unit")


def _fraction_of(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    above, _, below, _, _, unit = parts
    if not below.value:
        return None
    numeral = Numeral(f"{above.text}/{below.text}", above.value / below.value)
    return amount(context, parts, numeral, alternatives(unit), "fraction of a unit")


def _one(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`a minute`, `an hour and a half`."""
    _, unit, joint, part = parts
    goes_on = place.after.low == "and"  # a minute and 30 seconds
    first = context.numbers and not any(s.kind == AMOUNT for s in place.done)
    if (not first if goes_on else context.digits) or bool(part) != bool(joint):
        return None
    numeral = Numeral("1", 1 + max(part.value, Fraction(0)), Fraction(1))
    return amount(context, parts, numeral, alternatives(unit), "one of a unit")


# -- money ------------------------------------------------------------------------------------


def _money(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    sign, minus, number, letter = parts
    money = is_money(sign.unit.dim) and sign.unit.symbol != "cent"
    if not (money or sign.text == "%") or place.before.kind == NUMBER:
        return None
    if below_one(letter.unit) is not None:
        return None  # $75 yearly
    numeral, factor = number.numeral, factor_of(letter)
    if letter and not factor:
        if not {n for n, _ in letter.unit.dim.powers} & {*PHYSICAL, *(n for n, _ in sign.unit.dim.powers)}:
            return None
        if letter.unit != sign.unit:  # $2,475 USD
            numeral = replace(numeral, fault="it has two units: write the number with one")
    if minus:
        numeral = replace(numeral, value=-numeral.value)
    foreign = place.before.kind == WORD or (place.before.kind == UNIT and place.before.unit != sign.unit)
    if foreign and not sign.gap:  # A$2000, but USD$2000
        numeral = replace(numeral, fault=REFUSED_UNITS["€"])
    grown = bool(factor) or number.rule == "magnitude"
    return amount(context, parts, scaled(numeral, factor or 1), [("", sign.unit)], "money", grown)


def _price(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`$2 per GPU-hour`."""
    money, joint, unit = parts
    below = unit.unit if joint else below_one(unit.unit)
    if money.rule not in ("money", "price") or below is None:
        return None
    senses = tuple(replace(s, unit=quotient(s.unit or ONE, below)) for s in money.senses)
    return over(parts, AMOUNT, "price", senses=senses, fault=money.fault, numeral=money.numeral)


def _said_late(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`900,000 tokens read per minute`, `13.5 bytes written per byte`: where that is what is asked."""
    many, _, _, _, below = parts
    own, asked = many.senses[0].unit or ONE, context.unit.dim
    unit = quotient(own, below.unit)
    if own is ONE or fits(own.dim, asked) or not fits(unit.dim, asked):
        return None
    return over(parts, AMOUNT, "rate said late", senses=(replace(many.senses[0], unit=unit),), fault=many.fault)


def _of_period(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`3.1 TB per day` where the stem asks how much it is in a day."""
    asked, first = context.unit.dim, parts[0].senses[0]
    unit = first.unit
    yearly = unit is not None and unit.symbol in ("%/year", *(f"%/{period}" for period in context.asked.periods))
    if yearly and context.unit.symbol == "%":  # a rate of interest
        return replace(parts[0], senses=(replace(first, unit=context.unit),), rule="amount of a period")
    for period in context.asked.periods:
        if unit is not None and unit.symbol.endswith(f"/{period}") and not fits(unit.dim, asked):
            whole = None if unit.symbol[0] == "1" else _times_period(unit, period)
            if whole is None or fits(whole.dim, asked):
                return replace(parts[0], senses=(replace(first, unit=whole),), rule="amount of a period")
    return None


def _times_period(unit: Unit, period: Unit) -> Unit:
    symbol = unit.symbol.removesuffix(f"/{period}")
    return Unit(symbol, Fraction(unit.factor) * period.factor, unit.dim * period.dim, unit.labels)


# -- alone ------------------------------------------------------------------------------------


def _clock(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`1:30:00` where a time is asked; `1:30` could be minutes or hours, and elsewhere a ratio: `12:1` where a bare
    number is asked."""
    there = [part.text for part in parts if part.kind == NUMBER]
    spaced = parts[1].gap and parts[2].gap and parts[2].text == "1" and context.unit is ONE
    if not spaced and (parts[1].gap or parts[2].gap):
        return None  # 24 : 1 and 3 to 1 are ratios, 1 : 30 may be anything
    if context.unit is ONE and len(there) == 2 and parts[2].value > 0 and place.before.low not in NAMED:
        ratio = Numeral(":".join(there), parts[0].value / parts[2].value)
        return amount(context, parts, ratio, [("", None)], "clock")
    written, fault, total = ":".join(there), "", 0
    small = all(text.isdigit() and int(text) < 60 and len(text) == 2 for text in there[1:])
    if context.unit.dim.powers != ((TIME, 1),):
        fault = f'"{written}" could be a ratio or a time: write one number'
    elif len(there) != 3 or not small or not there[0].isdigit() or place.before or place.after:
        fault = f'"{written}" could be hours and minutes or minutes and seconds: write 1 h 30 min, or 90 s'
    else:
        total = sum(int(text) * 60**power for power, text in enumerate(reversed(there)))
    numeral = Numeral(written, Fraction(total), Fraction(1), fault=fault)
    return amount(context, parts, numeral, [("", KNOWN_UNITS["s"])], "clock")


def _clock_of(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`1:30 h`, `2:05 min`: the unit is the first number's."""
    first, _, second, unit = parts
    if unit.unit.symbol not in ("h", "min") or len(second.text) != 2 or second.value >= 60:
        return None
    numeral = Numeral(f"{first.text}:{second.text}", first.value + second.value / 60, Fraction(1, 60))
    return amount(context, parts, numeral, [("", unit.unit)], "clock of a unit")


def _bare(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    return amount(context, parts, parts[0].numeral, [("", None)], "bare", parts[0].rule == "magnitude")


CLOCK: Final = Layer([
    Rule("clock of a unit", "DIGITS ~: ~DIGITS TIME", _clock_of,
         examples("s: 1:30 min => 90 s", "s: 1:30 h => 5400 s"), examples("s: 1:75 min => minutes")),
    Rule("clock", "NUMBER ~: ~NUMBER ~:? ~NUMBER?", _clock, examples("s: 1:30:00 => 5400 s", "1: 8:1 => 8"),
         examples("GB: stage 2: 31.7 GB => 31.7 GB", "GB: 8:1 => ratio")),
    Rule("clock", "NUMBER :|to NUMBER", _clock, examples("1: 24 : 1 => 24", "1: 3 to 1 => 3"),
         examples("1: 1 to 3 => range", "GB: 3 to 1 => range")),
])  # fmt: skip
AMOUNTS: Final = Layer([
    Rule("money", "UNIT -? NUMBER WORD|UNIT?", _money,
         examples("GB: $5.6M => 5600000 USD", "USD: $9M => 9000000 USD", "GB: $31.7 => 31.7 USD",
                  "1: %46,7 => 46.7%"),
         examples("USD: A$2M => currencies", "USD: A$2000 => currencies")),
    Rule("letter", "NUMBER WORD|UNIT -? UNIT", letter_unit,
         examples("tok/s: 9.4k tokens/s => 9400 token/s", "GB: 31.7B bytes => 31.7 GB")),
    Rule("letter", "NUMBER WORD|UNIT NAME? -? NAME? COUNTED", letter_counted,
         examples("param: 5B trainable params => 5e9 param")),
    Rule("letter", "NUMBER WORD|UNIT", letter_alone,
         examples("param: 13B => 13e9 param", "GB: 80G => 80 GB", "kWh: 9k => 9000 kWh"), examples("GB: 13B => 13 B")),
    Rule("times a counted thing", "NUMBER *|x NUMBER UNIT COUNTED", _times_counted,
         examples("GPU: 14 x 80 GB GPUs => 14 GPU")),
    Rule("times a counted thing", "NUMBER *|x COUNTED", _times_counted, examples("GPU: 14x GPUs => 14 GPU")),
    Rule("unit", "NUMBER -|.|..|...? UNIT", _with_unit,
         examples("GB: 31.7 GB => 31.7 GB", "GB: 80-GB => 80 GB", "1: 33.3...% => 33.3%")),
    Rule("late unit", "NUMBER -? (|[? WORD? WORD? UNIT )|]?", _late_unit,
         examples("GB: 31700 (MB) => 31.7 GB", "GB: 32ish GB => 32 GB")),
    Rule("counted", "NUMBER NAME|WORD -? NAME? -? NAME? UNIT", _counted, examples("GPU: 14 spare GPUs => 14 GPU")),
    Rule("word of the stem", "NUMBER NAME NAME?", _noun,
         examples("1: 50304 table rows => 50304", "1: 50304 rows => 50304"), examples("1: 3 bananas => bananas")),
    Rule("rate", "NUMBER NUMBER? /|per|a|an|every|each UNIT", _rate,
         examples("token/s: 25/s => 25 token/s", "1/s: 625 1/s => 625 1/s")),
    Rule("rate", "NUMBER NAME /|per UNIT", _rate,
         examples("request/s: 90 req/s => 90 request/s", "request/s: 90 r/s => 90 request/s",
                  "request/s: 90 rows per second => 90 request/s"),
         examples("message/s: 90 m/s => /")),
    Rule("part of a unit", "PART of? a|an UNIT", _part_of, examples("s: half an hour => 1800 s")),
    Rule("fraction of a unit", "NUMBER / NUMBER of a|an|one UNIT", _fraction_of,
         examples("kB: 3/4 of a megabyte => 750 kB", "s: 1/60 of an hour => 60 s")),
    Rule("one of a unit", "a|an TIME and? PART?", _one,
         examples("s: a minute => 60 s", "s: a minute and 30 s => 90 s", "s: an hour and a half => 5400 s")),
    Rule("bare", "NUMBER", _bare, examples("GB: 31.7 => 31.7 GB")),
])  # fmt: skip
PRICES: Final = Layer([
    Rule("price", "AMOUNT /|per|a|an|each|every? UNIT", _price, examples("USD/GPU-h: $2 per GPU hour => 2 USD/GPU-h")),
    Rule("rate said late", "AMOUNT NAME /|per|a|an|each|every|in a|an|each|every|one? UNIT", _said_late,
         examples("request/s: 900 requests served per minute => 15 request/s"),
         examples("GB: 32 GB memory per GPU => 32 GB")),
    Rule("rate of a letter", "AMOUNT /|per|a|an|every|each TIME", _rate_of_letter,
         examples("token/s: 5k/s => 5000 token/s")),
    Rule("amount of a period", "AMOUNT", _of_period,
         examples("TB: 3.1 TB per day => 3.1 TB", "TB: 3100 GB a day => 3.1 TB", "%: 5% per year => 5%"),
         examples("TB: 3.1 TB per hour => 3.1 TB/h")),
])  # fmt: skip
AMOUNT_LAYERS: Final = (CLOCK, AMOUNTS, PRICES)
