"""Rules that make numbers: words for numbers, mixed numbers, powers of ten, magnitudes in words."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import Layer, Parts, Place, Rule, examples
from quizgen.formula.reading.numeral import Numeral, times_ten
from quizgen.formula.reading.span import NUMBER, SIGN, WORD, Context, Span, over
from quizgen.formula.reading.vocabulary import MAGNITUDE_WORDS, PARTS, SMALL, TENS


def scaled(numeral: Numeral, factor: int) -> Numeral:
    """`numeral` times a magnitude, with its significant places."""
    if numeral.fault:
        return numeral
    power = len(str(factor)) - 1
    if factor == 10**power:
        return replace(times_ten(numeral, power, numeral.text), raised=numeral.raised)
    return replace(numeral, value=numeral.value * factor, step=numeral.step * factor, decimal=None)


def _number(parts: Parts, value: Fraction | int, rule: str, step: Fraction | int = 1) -> Span:
    made = over(parts, NUMBER, rule)
    return replace(made, numeral=Numeral(made.text, Fraction(value), Fraction(step)))


def _value(span: Span | None) -> Fraction:
    return span.number.value if span is not None and not span.number.fault else Fraction(-1)


# -- words for numbers ------------------------------------------------------------------------

_WORTH: Final = {**SMALL, **TENS}
_AFTER_WORD: Final = ("hundred", "thousand", "dozen", "point", "and", "a", "an", "of", "in", "out", "-")


def _word(context: Context, parts: Parts, place: Place) -> Span | None:
    word = parts[0]
    assert word is not None
    low = word.low.removesuffix("fold")
    if low not in _WORTH or word.text not in (word.low, word.text.upper(), word.text.capitalize()):
        return None  # ZeRO is a name
    after = place.after
    if after is not None and after.is_sign("-") and low == "zero":
        return None  # zero-2
    if context.digits and low in ("one", "zero") and not _joined(place):
        return None
    return _number(parts, _WORTH[low], "number word")


def _joined(place: Place) -> bool:
    """A sign, a factor or more of a number stands beside a number word."""
    before, after = place.before, place.after
    if before is not None and (before.is_sign("*", "+", "/") or before.says("plus", "times", "minus", "by", "over")):
        return True
    if after is None:
        return False
    return after.kind == NUMBER or after.is_sign("*", "+", "/", "-") or after.low in (*_AFTER_WORD, *PARTS, *_WORTH)


def _tens(context: Context, parts: Parts, place: Place) -> Span | None:
    tens, ones = _value(parts[0]), _value(parts[2])
    if not (20 <= tens < 100 and tens % 10 == 0 and 1 <= ones < 10):
        return None
    return _number(parts, tens + ones, "tens and ones")


def _hundred(context: Context, parts: Parts, place: Place) -> Span | None:
    if parts[0] is not None and parts[0].kind != NUMBER and not parts[0].says("a"):
        return None
    times = _value(parts[0]) if parts[0] is not None and parts[0].kind == NUMBER else Fraction(1)
    return _number(parts, times * 100, "hundred") if 0 < times < 100 and times.denominator == 1 else None


def _more(context: Context, parts: Parts, place: Place) -> Span | None:
    head, tail = _value(parts[0]), _value(parts[2])
    fits = (head >= 100 and head % 100 == 0 and 0 < tail < 100) or (
        head >= 1000 and head % 1000 == 0 and 0 < tail < 1000
    )
    return _number(parts, head + tail, "and more") if fits else None


def _thousand(context: Context, parts: Parts, place: Place) -> Span | None:
    if parts[0] is None and place.before is not None and place.before.kind == NUMBER:
        return None  # 13 thousand
    times = _value(parts[0]) if parts[0] is not None and parts[0].kind == NUMBER else Fraction(1)
    return _number(parts, times * 1000, "thousand") if 0 < times < 1000 else None


def _point(context: Context, parts: Parts, place: Place) -> Span | None:
    whole, digit = parts[0], parts[2]
    assert digit is not None
    if whole is not None and (whole.number.fault or whole.number.value.denominator != 1):
        return None
    if digit.text.isdigit():
        part, places = Fraction(int(digit.text), 10 ** len(digit.text)), len(digit.text)
    elif 0 <= _value(digit) < 10:
        part, places = _value(digit) / 10, 1
    else:
        return None
    base = whole.number.value if whole is not None else 0
    return _number(parts, base + part, "point", Fraction(1, 10**places))


def _place(context: Context, parts: Parts, place: Place) -> Span | None:
    """One more digit after `point`."""
    head, digit = parts[0], parts[1]
    assert head is not None
    if " point " not in f" {head.text} " or not head.text[-1].isalpha() or not 0 <= _value(digit) < 10:
        return None
    step = head.number.step / 10
    return _number(parts, head.number.value + _value(digit) * step, "decimal places", step)


def _part(context: Context, parts: Parts, place: Place) -> Span | None:
    times, word = parts[0], parts[2]
    assert word is not None
    if word.low not in PARTS or (times is None and parts[1] is not None):
        return None
    over_, under = PARTS[word.low]
    if times is None:
        return _number(parts, Fraction(over_, under), "part", 0) if word.low in ("half", "quarter") else None
    if times.kind == WORD:
        singular = times.says("a", "an", "one") and over_ == 1 and not word.low.endswith(("s", "halves"))
        return _number(parts, Fraction(over_, under), "part", 0) if singular else None
    count = _value(times)
    plural = word.low.endswith(("s", "lves")) or count == 1
    if not plural or not 0 < count < 100 or count.denominator != 1:
        return None
    return _number(parts, count * Fraction(over_, under), "part", 0)


def _and_part(context: Context, parts: Parts, place: Place) -> Span | None:
    whole, part = parts[0], parts[3] or parts[2]
    if whole is None or part is None or part.kind != NUMBER or whole.number.fault or whole.number.raised:
        return None
    if whole.number.value.denominator != 1 or not 0 < _value(part) < 1 or _value(whole) < 1:
        return None
    unit = scaled(Numeral("", Fraction(1), Fraction(1)), _grown(whole)).value
    return _number(parts, whole.number.value + part.number.value * unit, "and a part", part.number.value)


def _grown(span: Span) -> int:
    """What `70 billion` counts in."""
    word = span.text.rpartition(" ")[2].casefold()
    return MAGNITUDE_WORDS.get(word, 1) if word not in ("hundred", "thousand", "dozen") else 1


def _magnitude(context: Context, parts: Parts, place: Place) -> Span | None:
    head, word = parts[0], parts[-1]
    assert word is not None
    if word.low not in MAGNITUDE_WORDS or (head is not None and head.kind == NUMBER and head.number.fault):
        return None
    one = Numeral(word.text, Fraction(1), Fraction(1))
    if head is None or head.kind != NUMBER:
        return (
            replace(over(parts, NUMBER, "magnitude"), numeral=scaled(one, MAGNITUDE_WORDS[word.low])) if head else None
        )
    return replace(over(parts, NUMBER, "magnitude"), numeral=scaled(head.number, MAGNITUDE_WORDS[word.low]))


_SIGNS: Final = {"times": "*", "x": "*", "multiplied": "*", "plus": "+", "minus": "-", "divided": "/", "over": "/"}


def _said(context: Context, parts: Parts, place: Place) -> Span | None:
    """`16 GB times two`: a sign in words before a number, and after one."""
    word = parts[0]
    assert word is not None
    after = place.after
    if after is None or not (after.kind == NUMBER or after.is_sign("(")) or (word.low == "x" and not word.gap):
        return None
    done = place.done
    if word.low == "minus" and done and done[-1].text == "+":
        return None
    ends = bool(done) and (done[-1].kind == NUMBER or done[-1].is_sign(")"))
    named = len(done) > 1 and done[-1].kind == WORD and done[-2].kind == NUMBER
    if not ends and not named and word.low != "minus":
        return None
    return replace(over(parts, SIGN, "sign in words"), text=_SIGNS[word.low])


def _margin(context: Context, parts: Parts, place: Place) -> Span | None:
    return replace(over(parts, SIGN, "margin in words"), text="+/-")


SAID: Final = Layer([
    Rule("margin in words", "plus minus", _margin, examples("GB: plus minus 32 GB => margin")),
    Rule("sign in words", "times|x|multiplied|plus|minus|divided|over by?", _said,
         examples("GB: 16 GB times two => 32 GB", "GB: 96 divided by three => 32 GB", "GB: minus 5 GB => -5 GB"),
         examples("GB: over 30 GB => bound")),
])  # fmt: skip
WORDS: Final = Layer([
    Rule("number word", "WORD", _word, examples("1: sixteen => 16", "GPU: two => 2", "1: threefold => 3"),
         examples("GB: ZeRO => no number")),
])  # fmt: skip
TENS_LAYER: Final = Layer([
    Rule("tens and ones", "SPELLED -? SPELLED", _tens, examples("1: twenty-four => 24", "1: thirty two => 32"),
         examples("1: fifty-fifty => range")),
])  # fmt: skip
HUNDREDS: Final = Layer([
    Rule("hundred", "SPELLED|a? hundred", _hundred, examples("1: two hundred fifty six => 256")),
])  # fmt: skip
THOUSANDS: Final = Layer([
    Rule("thousand", "SPELLED|a? thousand", _thousand, examples("1: one thousand and seventy => 1070")),
    Rule("and more", "SPELLED and? SPELLED", _more, examples("1: one thousand and seventy => 1070")),
    Rule("point", "DIGITS|SPELLED? point DIGITS|SPELLED", _point,
         examples("GB: 31 point 7 => 31.7 GB", "1: zero point five => 1/2")),
    Rule("decimal places", "SPELLED SPELLED", _place, examples("1: point seven five => 3/4")),
])  # fmt: skip

# -- numbers in digits ------------------------------------------------------------------------


def _vulgar(context: Context, parts: Parts, place: Place) -> Span | None:
    whole, part = parts
    assert whole is not None
    assert part is not None
    if len(part.text) != 1 or part.text.isascii():
        return None
    return _number(parts, whole.number.value + part.number.value, "mixed number", 0)


def _mixed(context: Context, parts: Parts, place: Place) -> Span | None:
    whole, above, _, below = parts
    if above is None or not above.gap or not 0 < _value(above) < _value(below):
        return None
    return _number(parts, _value(whole) + _value(above) / _value(below), "mixed fraction", 0)


def _ending(context: Context, parts: Parts, place: Place) -> Span | None:
    above, _, below, ending = parts
    if ending is None or ending.gap or above is None or below is None or not _value(below):
        return None
    return _number(parts, _value(above) / _value(below), "ordinal below", 0)


def _ten_to(context: Context, parts: Parts, place: Place) -> Span | None:
    ten, _, sign, digits = parts
    stands = place.before is not None and place.before.is_sign("**")
    towers = place.after is not None and place.after.is_sign("**")
    if ten is None or digits is None or ten.text != "10" or stands or towers or len(digits.text) > 4:
        return None
    power = -int(digits.text) if sign is not None else int(digits.text)
    numeral = times_ten(Numeral("1", Fraction(1), Fraction(1)), power, f"1e{power}")
    return replace(over(parts, NUMBER, "power of ten"), text=f"1e{power}", numeral=numeral)


def _lost_mark(context: Context, parts: Parts, place: Place) -> Span | None:
    """6.1x10-5: the power is written as it stands in print, its minus kept."""
    factor, times, ten, _, digits = parts
    if factor is None or times is None or ten is None or digits is None or ten.text != "10" or len(digits.text) > 2:
        return None
    more = place.after is not None and (
        place.after.kind == NUMBER or place.after.is_sign("*", "/", "**", "+", "-", "(")
    )
    if factor.number.fault or not 1 <= abs(factor.number.value) < 10 or ten.gap != times.gap or more:
        return None
    if place.before is not None and place.before.kind == SIGN and not place.before.is_sign("=", "~", "(", "-", ":"):
        return None
    text = f"{factor.number.text}e-{digits.text}"
    numeral = times_ten(factor.number, -int(digits.text), text)
    return replace(over(parts, NUMBER, "power without a mark"), text=text, numeral=numeral)


DIGITS: Final = Layer([
    Rule("mixed number", "DIGITS NUMBER", _vulgar, examples("1: 2½ => 2.5")),
    Rule("mixed fraction", "DIGITS DIGITS ~/ ~DIGITS", _mixed, examples("1: 1 1/2 => 1.5"),
         examples("1: 2 3 => two", "1: 3 / 4 / 5 => 0.15")),
    Rule("ordinal below", "DIGITS / DIGITS th|ths|rd|rds|nd|nds", _ending, examples("1: 7/15ths => 7/15")),
    Rule("power of ten", "DIGITS ** -? DIGITS", _ten_to, examples("param: 10^6 million => 1e12 param"),
         examples("1: 10**400 => large")),
    Rule("power without a mark", "NUMBER * NUMBER ~- ~DIGITS", _lost_mark,
         examples("1: 6.1x10-5 => 0.000061", "s: 3x10-6 s => 0.000003 s"), examples("s: 3 * 10 - 6 s => 24 s")),
])  # fmt: skip
POWERS: Final = Layer([
    Rule("part", "SPELLED|DIGITS|a|an|one? -? WORD", _part,
         examples("1: two thirds => 2/3", "1: 3 quarters => 3/4", "1: an eighth => 1/8", "1: half => 1/2")),
])  # fmt: skip
PARTS_LAYER: Final = Layer([
    Rule("magnitude", "NUMBER|a|an a|an|-? WORD", _magnitude,
         examples("param: 13 billion => 13e9 param", "param: half a million => 500000 param",
         "GB: a million bytes => 1 MB")),
    Rule("and a part", "NUMBER and a? NUMBER", _and_part,
         examples("1: two and a half => 2.5", "param: 70 billion and a half => 70.5e9 param"),
         examples("GB: a GB and a half => adds up")),
])  # fmt: skip
NUMBER_LAYERS: Final = (WORDS, TENS_LAYER, HUNDREDS, THOUSANDS, SAID, DIGITS, POWERS, PARTS_LAYER)
