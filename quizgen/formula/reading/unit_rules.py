"""Rules that make units: one word, two words, products, powers, quotients."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import GrammarPlace, Layer, Parts, Rule, examples, is_time
from quizgen.formula.reading.lexicon import NO_WORDS
from quizgen.formula.reading.span import NUMBER, UNIT, WORD, Context, Span, over
from quizgen.formula.reading.unit_words import LONG_WORDS, Atom, below_one, is_shortened, one_slip, spelt
from quizgen.formula.reading.unit_words import over as quotient
from quizgen.formula.reading.vocabulary import PAIRS, POINTS, PROSE
from quizgen.formula.unit_fit import fits
from quizgen.formula.unit_table import CURRENCY, FLOP, INFORMATION, PLACES, SI, TIME
from quizgen.formula.units import CENTS, KNOWN_UNITS, SIGNS, WRITTEN, Dim, Unit, own_money

_PLACES: Final = frozenset(name for name, _, _ in PLACES)


def _unit(parts: Parts, unit: Unit, rule: str, flops: bool = False) -> Span:
    return over(parts, UNIT, rule, unit=unit, flops=flops)


def letter(asked: Unit) -> str:
    """`b` where bits are asked, `B` everywhere else."""
    head = asked.symbol.partition("/")[0]
    return "b" if asked.dim.power(INFORMATION) and head.endswith(("b", "bit")) else "B"


_TIMES: Final = {"pm": KNOWN_UNITS["min"], "ph": KNOWN_UNITS["h"], "pd": KNOWN_UNITS["day"]}


def _in_another_time(word: str, own: Mapping[str, Unit]) -> Atom | None:
    """The queries a minute of `qpm` where the bank has `qps`."""
    rate = own.get(f"{word[:-1]}s") if len(word) > 2 and word[-2:] in _TIMES and word not in own else None
    found = per_time(rate, _TIMES[word[-2:]]) if rate is not None else None
    return Atom(found) if found is not None else None


def cent_of(money: Unit) -> Unit:
    return Unit("cent", Fraction(money.factor) / 100, money.dim)


def _atom(context: Context, text: str) -> Atom | None:
    asked, own = context.unit, context.asked.lexicon.words
    money = own_money(asked.dim)
    if text.casefold() in CENTS and text.casefold() not in own and (money or asked.dim.power(CURRENCY)):
        return Atom(cent_of(own.get(money.casefold(), KNOWN_UNITS["USD"])))
    if asked.symbol == "%" and text.casefold() == "bps":
        text = "bp"
    if letter(asked) == "b" and text.casefold() in ("gig", "gigs", "meg", "megs"):
        text = f"{text[0].upper()}b"
    text = next((name for name in WRITTEN.get(text.casefold(), ()) if name in own), text)
    found = _in_another_time(text.casefold(), own) or spelt(
        text, letter(asked), context.asked.lexicon, asked.dim.powers == ((TIME, 1),)
    )
    if asked.dim.power(TIME) < 0 and found is not None and text.endswith(("bs", "Bs")):  # Mbs
        return Atom(quotient(found.unit, KNOWN_UNITS["s"]))
    if found is not None and found.unit.dim.label == "op" and asked.dim.power(FLOP):  # ops, TOPS
        prefix = found.unit.symbol.removesuffix("op")
        return Atom(KNOWN_UNITS[f"{prefix}FLOP"], plural_flop=bool(prefix)) if prefix in ("", *SI) else found
    return found


def _pair(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    words = tuple(part.low for part in parts if part.kind == WORD)
    phrases = context.asked.lexicon.phrases
    found = phrases.get(words)
    if found is None and place.before.kind == NUMBER:  # basis pts
        found = next((phrases[phrase] for phrase in phrases if _is_short(words, phrase)), None)
    symbol = PAIRS.get(words) if len(words) == 2 else None
    atom = spelt(symbol, "B", NO_WORDS) if symbol else None
    unit = found or (atom.unit if atom else None)
    return None if unit is None else _unit(parts, unit, "two words")


def _is_short(words: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """The words are those of a phrase, the last with letters left out between its first and its last."""
    return words[:-1] == phrase[:-1] and is_shortened(words[-1], phrase[-1])


def _marked(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`tx/s` and `I/Os` of a bank, `b.p.`: one word with a mark in it."""
    text = "".join(part.low for part in parts[:3]).replace(".", "")
    short = parts[1].text == "/" or (len(text) == 2 and place.before.kind == NUMBER)
    found = context.asked.lexicon.words.get(text) if short else None
    return None if found is None else _unit(parts, _meant(context, text) or found, "word with a mark")


def _meant(context: Context, word: str) -> Unit | None:
    """What is asked, where the bank has it end in this word: `reads` for `page reads`."""
    phrases = context.asked.lexicon.phrases.items() if context.unit.dim.label else ()
    return next((unit for phrase, unit in phrases if phrase[-1] == word and unit.dim == context.unit.dim), None)


def _word(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    text = "s" if parts[0].text == "S" and place.before.is_sign("/") else parts[0].text  # GB/S
    found = _atom(context, text)
    if found is None and (place.before.is_sign("/") or place.before.says("per")):
        found = _cut_short(context, parts[0].low)
    if found is None and place.before.kind == NUMBER:
        found = _slipped(context, text, place.after.says("per") or place.after.is_sign("/"))
        if context.unit.symbol == "%" and parts[0].low in POINTS - context.asked.nouns:
            found = Atom(context.unit)
    if found is None:
        return None
    return _unit(parts, _meant(context, text.casefold()) or found.unit, "unit word", found.plural_flop)


def _cut_short(context: Context, word: str) -> Atom | None:
    """The share of `2.40/sh` where an amount per share is asked."""
    below = context.unit.symbol.rpartition("/")[2]
    unit = context.asked.lexicon.words.get(below) or KNOWN_UNITS.get(below)
    short = len(word) > 1 and below.startswith(word) and unit is not None and bool(unit.dim.label)
    return Atom(unit) if short and unit is not None else None


def _slipped(context: Context, word: str, rate: bool) -> Atom | None:
    """`miliseconds`, `hpos`, `lvls`: a word of what is asked (of a `rate`: what is counted in it) with one letter lost,
    doubled or swapped or with some left out, if it can be no other; not of bits and bytes, as near to each other."""
    asked, own = context.unit.dim, context.asked.lexicon.words
    if not 3 <= len(word) <= 20 or not word.isalpha() or not word.islower() or word in PROSE | context.asked.nouns:
        return None
    words = {*(w for w in own if len(w) > 3), *LONG_WORDS}
    slips = one_slip(word) if len(word) > 3 else ()
    near = (_atom(context, w) for w in words if w in slips or is_shortened(word, w))
    known = [found for found in near if found is not None]
    alike = [one for one in known if one.unit.dim.bare == asked.bare]
    units = {one.unit.symbol: one for one in alike if fits(one.unit.dim, asked) or _is_counted(one.unit, asked) or rate}
    slipped = next(iter(units.values())) if len(units) == 1 else None
    return None if slipped is None or slipped.unit.dim.power(INFORMATION) else slipped


def _is_counted(unit: Unit, asked: Dim) -> bool:
    """What is asked is so much of it per something: euros of euros a month."""
    return bool(unit.dim.label) and asked.power(unit.dim.label) == 1


def times(unit: Unit, other: Unit, sign: str) -> Unit:
    joined = unit.symbol + other.symbol
    if joined in KNOWN_UNITS and other.symbol == "h":  # kW h
        return KNOWN_UNITS[joined]
    symbol = f"{unit.symbol}{'*' if '/' in unit.symbol else sign}{other.symbol}"
    return Unit(symbol, Fraction(unit.factor) * other.factor, unit.dim * other.dim, unit.labels + other.labels)


def _product(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    left, sign, right = parts
    unit = left.unit
    if sign and place.after.kind == NUMBER:
        return None  # the $ of 500 GPU-h * $2
    if not sign:
        carries = unit.dim.label in _PLACES or unit.dim.is_rate or left.flops
        if not is_time(right) or not carries or (right.text == "min" and context.unit.dim.label):
            return None  # 14 GPUs min
    elif is_time(left) or (sign.text == "-" and not is_time(right) and not unit.dim.is_rate):
        return None
    elif right.unit.symbol.endswith("**-1"):
        return _inverse(context, (left, right, sign, sign), place)
    mark = "*" if sign.text == "*" else "-"
    return _unit(parts, times(unit, right.unit, mark), "unit product", left.flops or right.flops)


def _power(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    base, _, sign, digit = parts
    if digit.text not in ("1", "2", "3"):
        return None
    unit, power = base.unit, int(sign.text + digit.text)
    made = Unit(f"{unit.symbol}**{power}", Fraction(unit.factor) ** power, unit.dim**power, unit.labels)
    return _unit(parts, made, "unit power")


def _inverse(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`GB s^-1`, `GB s-1`."""
    left, right, sign, one = parts
    if right.unit.symbol.endswith("**-1"):
        below = Unit(right.unit.symbol[:-4], 1 / Fraction(right.unit.factor), right.unit.dim**-1)
        return _unit(tuple(dict.fromkeys(parts)), quotient(left.unit, below), "lost power", left.flops)
    lost = sign and one.text == "1" and is_time(right)
    return _unit(parts, quotient(left.unit, right.unit), "lost power", left.flops) if lost else None


def _quotient(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    above, sign, *between, below = parts
    asked = context.unit.dim
    if above.text == "B" and sign.kind == WORD and (asked.bare or asked.label or asked.power(CURRENCY)):
        return None  # 14B per GPU: billions
    if below.text in SIGNS and place.after.kind == NUMBER and not place.after.gap:
        return None  # $1m / $10m
    if any(between) and (not below.unit.dim.label or any(s.low in PROSE for s in between)):
        return None
    return _unit(parts, quotient(above.unit, below.unit), "unit quotient", above.flops or below.flops)


def _of_adverb(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`5 GB daily`."""
    above, adverb = parts
    below = below_one(adverb.unit)
    return None if below is None else _unit(parts, quotient(above.unit, below), "adverb of a rate", above.flops)


WORD_UNITS: Final = Layer([
    Rule("two words", "WORD -? WORD WORD?", _pair,
         examples("%: 46.7 per cent => 46.7%", "%: 15 per mille => 1.5%",
                  "s: 5 milli seconds => 5 ms", "%: 3 percentage points => 3%")),
    Rule("word with a mark", "WORD ~/|. ~WORD ~.?", _marked, examples("request/s: 40 rq/s => 40 request/s")),
])  # fmt: skip
ATOMS: Final = Layer([
    Rule("unit word", "WORD", _word, examples("GB: 31.7 gigabytes => 31.7 GB", "GB: 29.5 gib => 29.5 GiB"),
         examples("GB: 31.7 bananas => bananas", "s: 3 months => days")),
])  # fmt: skip
RAISED: Final = Layer([
    Rule("unit power", "UNIT ** -? NUMBER", _power, examples("B/s: 900 GB s^-1 => 900 GB/s")),
])  # fmt: skip
PRODUCTS: Final = Layer([
    Rule("adverb of a rate", "UNIT UNIT", _of_adverb, examples("B/s: 5 GB daily => 5 GB/day")),
    Rule("lost power", "UNIT UNIT ~-? ~NUMBER?", _inverse,
         examples("B/s: 450 GB s-1 => 450 GB/s", "B/s: 9 GB s^-1 => 9 GB/s")),
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


def per_time(asked: Unit, time: Unit) -> Unit | None:
    """What is asked, in another time: requests/min of requests/s; None if it is nothing in a time."""
    head, _, below = asked.symbol.partition("/")
    if time.symbol == below and time.dim.label:
        return asked  # the bank's own months
    under = KNOWN_UNITS.get(below)
    if under is None or under.dim != time.dim or time.dim.powers != ((TIME, 1),):
        return None
    factor = Fraction(asked.factor) * under.factor / time.factor
    return Unit(f"{head}/{time.symbol}", factor, asked.dim, asked.labels)


def alternatives(span: Span) -> tuple[tuple[str, Unit], ...]:
    """What a unit span can be, each with its tag: FLOPS is work, or work a second."""
    unit = span.unit
    if unit.dim.power(FLOP) == 1 and unit.dim.power(TIME) == 1:
        return (("", quotient(unit, KNOWN_UNITS["s"])),)  # PF-days
    if not span.flops or unit.dim.power(FLOP) == 0 or unit.dim.power(TIME) < 0:
        return (("", unit),)
    return (("", unit), ("rate", quotient(unit, KNOWN_UNITS["s"])))
