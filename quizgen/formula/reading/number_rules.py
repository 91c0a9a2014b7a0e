"""Rules that make numbers: mixed numbers, powers of ten, magnitudes and parts in words, signs in words."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import GrammarPlace, Layer, Parts, Rule, examples
from quizgen.formula.reading.numeral import Numeral, times_ten
from quizgen.formula.reading.span import NUMBER, SIGN, WORD, Context, Span, over
from quizgen.formula.reading.spelled import PARTS
from quizgen.formula.reading.vocabulary import BOUNDS, MAGNITUDE_WORDS, PROSE
from quizgen.formula.units import SIGNS

_ONE: Final = Numeral("1", Fraction(1), Fraction(1))


def scaled(numeral: Numeral, factor: int) -> Numeral:
    """`numeral` times a magnitude, with its significant places."""
    if numeral.fault:
        return numeral
    power = len(str(factor)) - 1
    if factor == 10**power:
        return replace(times_ten(numeral, power, numeral.text), raised=numeral.raised)
    return replace(numeral, value=numeral.value * factor, step=numeral.step * factor, decimal=None)


def _number(parts: Parts, value: Fraction, rule: str, step: Fraction | int = 0) -> Span:
    made = over(parts, NUMBER, rule)
    return replace(made, numeral=Numeral(made.text, value, Fraction(step)))


# -- words ------------------------------------------------------------------------------------

_SIGNS: Final = {
    "times": "*", "x": "*", "multiplied": "*", "plus": "+", "minus": "-", "less": "-", "negative": "-", "divided": "/",
    "over": "/",
}  # fmt: skip


def _said(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`16 GB times two`: a sign in words before a number, and after one."""
    word, done, after = parts[0], place.done, place.after
    part = _SIGNS[word.low] == "-" and after.says("a", "an", "half", "quarter")  # minus a half
    follows = after.kind == NUMBER or after.is_sign("(") or after.text in SIGNS or part
    said = any(part.low in PROSE | BOUNDS for part in parts[2:3])  # less than 5 %
    if not follows or said or (word.low == "x" and not word.gap):
        return None
    ends = place.before.kind == NUMBER or place.before.is_sign(")")
    named = len(done) > 1 and done[-1].kind == WORD and done[-2].kind == NUMBER
    negates = word.low in ("minus", "negative") and not place.before.is_sign("+") and len(parts) == 2
    if not ends and not named and not negates:
        return None
    return replace(over(parts, SIGN, "sign in words"), text=_SIGNS[word.low])


def _hurried_and(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`2 n a half`, `2h & 30 min`: after a number or its unit, before what goes on."""
    done, after = place.done, place.after
    counted = place.before.kind == NUMBER or (len(done) > 1 and done[-1].kind == WORD and done[-2].kind == NUMBER)
    goes_on = after.kind == NUMBER or after.says("a", "half", "quarter")
    if not counted or not goes_on or not parts[0].gap:
        return None
    return replace(over(parts, WORD, "and in a hurry"), text="and", low="and")


def _margin(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    return replace(over(parts, SIGN, "margin in words"), text="+/-")


def _part(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    times, hyphen, word = parts
    if word.low not in PARTS or (hyphen and not times):
        return None
    plural = word.low.endswith("s")
    if not times or times.kind == WORD:  # half, an eighth
        fits = not plural and (times or word.low in ("half", "quarter"))
        return _number(parts, Fraction(1, PARTS[word.low]), "part") if fits else None
    added = place.before.low == "and" and times.value < PARTS[word.low]  # one and three quarter hours
    fits = 0 < times.value < 100 and (plural or times.value == 1 or added)
    return _number(parts, times.value / PARTS[word.low], "part") if fits else None


def _magnitude(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    head, *_, word = parts
    if word.low not in MAGNITUDE_WORDS or not head:
        return None
    numeral = head.numeral if head.kind == NUMBER else _ONE
    return replace(over(parts, NUMBER, "magnitude"), numeral=scaled(numeral, MAGNITUDE_WORDS[word.low]))


def _one_magnitude(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`per million requests`, where a price of one is asked."""
    below = "/" in context.unit.symbol and (place.before.says("per") or place.before.is_sign("/"))
    return (
        replace(over(parts, NUMBER, "one magnitude"), numeral=scaled(_ONE, MAGNITUDE_WORDS[parts[0].low]))
        if below
        else None
    )


def _and_part(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    whole, *_, part = parts
    if whole.numeral.raised or whole.value.denominator != 1 or whole.value < 1 or not 0 < part.value < 1:
        return None
    unit = MAGNITUDE_WORDS.get(whole.text.rpartition(" ")[2].casefold(), 1) if whole.rule == "magnitude" else 1
    return _number(parts, whole.value + part.value * unit, "and a part", part.value)


def _falling(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """`one million two hundred thousand`: words of falling size, added up."""
    large, _, small = parts
    unit = MAGNITUDE_WORDS.get(large.text.rpartition(" ")[2].casefold(), 0)
    spelled = large.rule == "magnitude" and large.text[0].isalpha() and place.after.low not in MAGNITUDE_WORDS
    return _number(parts, large.value + small.value, "magnitudes", 1) if spelled and 1 <= small.value < unit else None


SAID: Final = Layer([
    Rule("and in a hurry", "&|n|nd|adn|nad", _hurried_and,
         examples("1: two nd a half => 2.5", "s: 2 min & 30 s => 150 s", "1: 2 n a half => 2.5")),
    Rule("margin in words", "plus minus", _margin, examples("GB: plus minus 32 GB => margin")),
    Rule("sign in words", "minus|less|plus a|an|the? NAME of?", _said,
         examples("USD: 2500 less a fee of 25 => 2475 USD")),
    Rule("sign in words", "times|x|multiplied|plus|minus|less|negative|divided|over by?", _said,
         examples("GB: 16 GB times two => 32 GB", "GB: 96 divided by three => 32 GB", "GB: minus 5 GB => -5 GB",
                  "GB: negative 7 GB => -7 GB"),
         examples("GB: over 30 GB => bound")),
])  # fmt: skip

# -- numbers in digits ------------------------------------------------------------------------


def _vulgar(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    whole, part = parts
    if len(part.text) != 1 or part.text.isascii():
        return None
    return _number(parts, whole.value + part.value, "mixed number")


def _mixed(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    whole, _, above, _, below = parts
    if not above.gap or not 0 < above.value < below.value:
        return None
    return _number(parts, whole.value + above.value / below.value, "mixed fraction")


def _ending(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    above, _, below, ending = parts
    return None if ending.gap or not below.value else _number(parts, above.value / below.value, "ordinal below")


def _powered(parts: Parts, factor: Numeral, power: str, rule: str) -> Span:
    text = f"{factor.text}e{power}"
    return replace(over(parts, NUMBER, rule), text=text, numeral=times_ten(factor, int(power), text))


def _ten_to(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    ten, _, sign, digits = parts
    towers = place.before.is_sign("**") or place.after.is_sign("**")
    if ten.text != "10" or towers or len(digits.text) > 4:
        return None
    return _powered(parts, _ONE, sign.text + digits.text, "power of ten")


def _lost_mark(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """6.1x10-5: the power is written as it stands in print, its minus kept."""
    factor, times, ten, _, digits = parts
    more = place.after.kind == NUMBER or place.after.is_sign("*", "/", "**", "+", "-", "(")
    within = place.before.kind == SIGN and not place.before.is_sign("=", "~", "(", "-", ":")
    if ten.text != "10" or len(digits.text) > 2 or not 1 <= factor.value < 10 or ten.gap != times.gap or more or within:
        return None
    return _powered(parts, factor.numeral, f"-{digits.text}", "power without a mark")


DIGITS: Final = Layer([
    Rule("mixed number", "DIGITS NUMBER", _vulgar, examples("1: 2½ => 2.5")),
    Rule("mixed fraction", "DIGITS and? DIGITS ~/ ~DIGITS", _mixed,
         examples("1: 1 1/2 => 1.5", "1: 1 and 1/2 => 1.5"),
         examples("1: 2 3 => two", "1: 3 / 4 / 5 => 0.15")),
    Rule("ordinal below", "DIGITS / DIGITS th|ths|rd|rds|nd|nds", _ending, examples("1: 7/15ths => 7/15")),
    Rule("power of ten", "DIGITS ** -? DIGITS", _ten_to, examples("param: 10^6 million => 1e12 param"),
         examples("1: 10**400 => large")),
    Rule("power without a mark", "NUMBER * NUMBER ~- ~DIGITS", _lost_mark,
         examples("1: 6.1x10-5 => 0.000061", "s: 3x10-6 s => 0.000003 s"), examples("s: 3 * 10 - 6 s => 24 s")),
])  # fmt: skip
POWERS: Final = Layer([
    Rule("part", "SPELLED|DIGITS|a|an|one? -? WORD", _part,
         examples("1: two thirds => 2/3", "1: 3 quarters => 3/4", "1: an eighth => 1/8", "1: half => 1/2",
                  "h: one and three quarter hours => 1.75 h")),
])  # fmt: skip
PARTS_LAYER: Final = Layer([
    Rule("magnitude", "NUMBER|a|an a? -? WORD|SPELLED", _magnitude,
         examples("param: 13 billion => 13e9 param", "param: half a million => 500000 param",
         "GB: a million bytes => 1 MB", "USD: seven and a half thousand => 7500 USD")),
    Rule("one magnitude", "million|billion|trillion", _one_magnitude,
         examples("USD/request: $15 per million requests => 15e-6 USD/request"),
         examples("USD: $15 per million => million")),
    Rule("and a part", "NUMBER and a? NUMBER", _and_part,
         examples("1: two and a half => 2.5", "param: 70 billion and a half => 70.5e9 param"),
         examples("GB: a GB and a half => adds up")),
    Rule("magnitudes", "NUMBER and? SPELLED", _falling,
         examples("param: one million two hundred thousand => 1200000 param"),
         examples("param: one million and two million => two")),
])  # fmt: skip
NUMBER_LAYERS: Final = (SAID, DIGITS, POWERS, PARTS_LAYER)
