"""Rules that make units: one word, two words, products, powers, quotients."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import Layer, Parts, Place, Rule, examples, is_time
from quizgen.formula.reading.span import NUMBER, UNIT, WORD, Context, Span, over
from quizgen.formula.reading.unit_words import Atom, spelt
from quizgen.formula.reading.unit_words import over as quotient
from quizgen.formula.reading.vocabulary import LONG_PREFIXES, PAIRS, PROSE
from quizgen.formula.unit_table import CURRENCY, FLOP, INFORMATION, PLACES, SI, TIME
from quizgen.formula.units import KNOWN_UNITS, Unit

_PLACES: Final = frozenset(name for name, _, _ in PLACES)


def _unit(parts: Parts, unit: Unit, rule: str, flops: bool = False) -> Span:
    return over(parts, UNIT, rule, unit=unit, flops=flops)


def letter(asked: Unit) -> str:
    """`b` where bits are asked, `B` everywhere else."""
    head = asked.symbol.partition("/")[0]
    return "b" if asked.dim.power(INFORMATION) and head.endswith(("b", "bit")) else "B"


def _atom(context: Context, text: str) -> Atom | None:
    asked = context.unit
    found = spelt(text, letter(asked), context.asked.lexicon, asked.dim.powers == ((TIME, 1),))
    if found is not None and found.unit.dim.label == "op" and asked.dim.power(FLOP):  # ops, TOPS
        prefix = found.unit.symbol.removesuffix("op")
        return Atom(KNOWN_UNITS[f"{prefix}FLOP"], plural_flop=bool(prefix)) if prefix in ("", *SI) else found
    return found


def _pair(context: Context, parts: Parts, place: Place) -> Span | None:
    first, _, second, third = parts
    assert first is not None
    assert second is not None
    phrases = context.asked.lexicon.phrases
    found = phrases.get((first.low, second.low))
    if third is not None and (first.low, second.low, third.low) in phrases:
        return _unit(parts, phrases[first.low, second.low, third.low], "words of the bank")
    symbol = PAIRS.get((first.low, second.low))
    if found is None and symbol is None:
        return None
    return _unit(parts[:3], found or KNOWN_UNITS[str(symbol)], "two words") if third is None else None


def _prefixed(context: Context, parts: Parts, place: Place) -> Span | None:
    prefix, _, word = parts
    assert prefix is not None
    assert word is not None
    found = _atom(context, prefix.low + word.text) if prefix.low in LONG_PREFIXES else None
    return None if found is None else _unit(parts, found.unit, "long prefix", found.plural_flop)


def _word(context: Context, parts: Parts, place: Place) -> Span | None:
    word = parts[0]
    assert word is not None
    if word.text == "S" and place.before is not None and place.before.is_sign("/"):  # GB/S
        return _unit(parts, KNOWN_UNITS["s"], "unit word")
    found = _atom(context, word.text)
    return None if found is None else _unit(parts, found.unit, "unit word", found.plural_flop)


def times(unit: Unit, other: Unit, sign: str) -> Unit:
    joined = unit.symbol + other.symbol
    if joined in KNOWN_UNITS and other.symbol == "h":  # kW h
        return KNOWN_UNITS[joined]
    mark = "*" if "/" in unit.symbol else sign
    symbol = f"{unit.symbol}{mark}{other.symbol}"
    return Unit(symbol, Fraction(unit.factor) * other.factor, unit.dim * other.dim, unit.labels + other.labels)


def _product(context: Context, parts: Parts, place: Place) -> Span | None:
    left, sign, right = parts
    assert left is not None
    assert right is not None
    unit, factor = left.unit, right.unit
    assert unit is not None
    assert factor is not None
    flops = left.flops or right.flops
    if sign is not None and place.after is not None and place.after.kind == NUMBER:
        return None  # the $ of 500 GPU-h * $2
    if sign is None:
        carries = unit.dim.label in _PLACES or unit.dim.is_rate or left.flops
        if not is_time(right) or not carries or (right.text == "min" and context.unit.dim.label):
            return None  # 14 GPUs min
        return _unit(parts, times(unit, factor, "-"), "unit product", flops)
    if is_time(left):
        return None
    if right.unit is not None and right.unit.symbol.endswith("**-1"):
        return _inverse(context, (left, right, None, None), place)
    if sign.text == "*":
        return _unit(parts, times(unit, factor, "*"), "unit product", flops)
    if is_time(right) or unit.dim.is_rate:
        return _unit(parts, times(unit, factor, "-"), "unit product", flops)
    return None


def _power(context: Context, parts: Parts, place: Place) -> Span | None:
    base, _, sign, digit = parts
    assert base is not None
    assert digit is not None
    unit = base.unit
    if unit is None or digit.text not in ("1", "2", "3"):
        return None
    power = int(digit.text) * (-1 if sign is not None else 1)
    return _unit(parts, Unit(f"{unit.symbol}**{power}", Fraction(unit.factor) ** power, unit.dim**power), "unit power")


def _inverse(context: Context, parts: Parts, place: Place) -> Span | None:
    """`GB s^-1`, `GB s-1`."""
    left, right, sign, one = parts
    if left is None or right is None or left.unit is None or right.unit is None:
        return None
    if sign is not None or one is not None:
        lost = sign is not None and one is not None and one.text == "1" and is_time(right)
        return _unit(parts, quotient(left.unit, right.unit), "lost power", left.flops) if lost else None
    if not right.unit.symbol.endswith("**-1"):
        return None
    below = Unit(right.unit.symbol[:-4], 1 / Fraction(right.unit.factor), right.unit.dim**-1)
    return _unit(parts, quotient(left.unit, below), "lost power", left.flops)


def _quotient(context: Context, parts: Parts, place: Place) -> Span | None:
    above, sign, *between, below = parts
    assert above is not None
    assert below is not None
    assert sign is not None
    if above.unit is None or below.unit is None:
        return None
    if sign.low in ("a", "an", "each", "every") and not (is_time(below) or below.unit.dim.label):
        return None
    asked = context.unit.dim
    if above.text == "B" and sign.kind == WORD and (asked.bare or asked.label or asked.power(CURRENCY)):
        return None  # 14B per GPU: billions
    said = [s for s in between if s is not None]
    if said and (not below.unit.dim.label or any(s.low in PROSE for s in said)):
        return None
    return _unit(parts, quotient(above.unit, below.unit), "unit quotient", above.flops or below.flops)


WORD_UNITS: Final = Layer([
    Rule("two words", "WORD -? WORD WORD?", _pair, examples("%: 46.7 per cent => 46.7%", "s: 5 milli seconds => 5 ms")),
    Rule("two words", "WORD -? WORD", lambda c, p, x: _pair(c, (*p, None), x),
         examples("%: 3 percentage points => 3%")),
    Rule("long prefix", "WORD -? WORD", _prefixed, examples("s: 5 giga bytes => 5 GB")),
])  # fmt: skip
ATOMS: Final = Layer([
    Rule("unit word", "WORD", _word, examples("GB: 31.7 gigabytes => 31.7 GB", "GB: 29.5 gib => 29.5 GiB"),
         examples("GB: 31.7 bananas => bananas", "s: 3 months => days")),
])  # fmt: skip
RAISED: Final = Layer([
    Rule("unit power", "UNIT ** -? NUMBER", _power, examples("B/s: 900 GB s^-1 => 900 GB/s")),
])  # fmt: skip
PRODUCTS: Final = Layer([
    Rule("lost power", "UNIT UNIT ~-? ~NUMBER?", _inverse, examples("B/s: 450 GB s-1 => 450 GB/s")),
    Rule("lost power", "UNIT UNIT", lambda c, p, x: _inverse(c, (*p, None, None), x),
         examples("B/s: 9 GB s^-1 => 9 GB/s")),
    Rule("unit product", "UNIT -|*? UNIT", _product,
         examples("USD/GPU-h: 5 USD per GPU hour => 5 USD/GPU-h", "kWh: 5 gigawatt hours => 5 GWh"),
         examples("GPU: 14 GPUs min => 14 GPU")),
])  # fmt: skip
QUOTIENTS: Final = Layer([
    Rule("unit quotient", "UNIT /|per|a|an|each|every NAME? -? NAME? -? NAME? UNIT", _quotient,
         examples("B/s: 50 GB per second => 50 GB/s", "GB: 31.7 GB per data-parallel rank => 31.7 GB/rank")),
    Rule("unit product", "UNIT -|*? UNIT", _product, examples("FLOP: 100 PFLOP/s-days => 8.64e21 FLOP")),
])  # fmt: skip
UNIT_LAYERS: Final = (WORD_UNITS, ATOMS, RAISED, PRODUCTS, QUOTIENTS)


def alternatives(span: Span) -> tuple[tuple[str, Unit], ...]:
    """What a unit span can be, each with its tag: FLOPS is work, or work a second."""
    unit = span.unit
    assert unit is not None
    if unit.dim.power(FLOP) == 1 and unit.dim.power(TIME) == 1:
        return (("", quotient(unit, KNOWN_UNITS["s"])),)  # PF-days
    if not span.flops or unit.dim.power(FLOP) == 0 or unit.dim.power(TIME) < 0:
        return (("", unit),)
    return (("", unit), ("rate", quotient(unit, KNOWN_UNITS["s"])))
