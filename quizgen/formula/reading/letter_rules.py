"""Magnitudes written as a letter (13B, 9.4k, 80G), and how an amount is made of a number and units."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import Parts, Place
from quizgen.formula.reading.number_rules import scaled
from quizgen.formula.reading.numeral import Numeral
from quizgen.formula.reading.span import AMOUNT, WORD, Context, Sense, Span, over
from quizgen.formula.reading.unit_rules import alternatives
from quizgen.formula.reading.vocabulary import LONG_PREFIXES, MAGNITUDE_LETTERS, PROSE, REFUSED_UNITS
from quizgen.formula.unit_table import BINARY, CURRENCY, FLOP, INFORMATION, PHYSICAL, SI, TIME
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit

Units = Iterable[tuple[str, Unit | None]]
_PREFIXES: Final = {**SI, **BINARY}


def amount(context: Context, parts: Parts, numeral: Numeral, units: Units, rule: str, scale: bool = False) -> Span:
    """An amount in each of `units`, and with each value that the numeral's marks allow."""
    senses = []
    for tag, unit in units:
        step = numeral.step or None
        sense = Sense(numeral.value, unit, step, tag, numeral.raised, scaled=scale)
        senses.append(sense)
        open_ = not _whole(context, sense) if numeral.grouping else _may_group(context, sense)
        if numeral.decimal is not None and open_:
            senses.append(replace(sense, value=numeral.decimal, tag="mark"))
    return over(parts, AMOUNT, rule, senses=tuple(senses), fault=numeral.fault, numeral=numeral)


def _whole(context: Context, sense: Sense) -> bool:
    """1.234 of it cannot be meant: a count, single bytes or bits, dollars to three places, or a unit
    smaller than the one that is asked, which nobody turns to for a small number (`31,688 MB` for GB)."""
    if sense.scaled or sense.raised:
        return False
    asked = context.unit
    unit = sense.unit or asked
    if unit.dim == asked.dim and unit.factor < asked.factor and unit.symbol != "%":
        return True
    return unit.symbol in ("B", "b", "FLOP", "USD") or bool(unit.dim.label)


def _may_group(context: Context, sense: Sense) -> bool:
    """`11.510` of a thing without parts can be 11510."""
    unit = sense.unit or context.unit
    if sense.scaled or sense.raised or unit.symbol == "%":
        return False
    return unit.dim.bare or (bool(unit.dim.label) and context.asked.whole)


def numeral_of(span: Span | None) -> Numeral:
    assert span is not None
    return span.number


# -- magnitudes -------------------------------------------------------------------------------


def factor_of(letter: Span | None) -> int:
    return MAGNITUDE_LETTERS.get(letter.text, 0) if letter is not None else 0


def letter_unit(context: Context, parts: Parts, place: Place) -> Span | None:
    """`9.4k tokens/s`, `31.7B bytes`, `4 mega tokens`."""
    number, letter, _, unit = parts
    assert unit is not None
    assert letter is not None
    dim = unit.unit.dim if unit.unit is not None else ONE.dim
    long = LONG_PREFIXES.get(letter.low)
    if long is not None and dim.label:
        return amount(context, parts, scaled(numeral_of(number), _PREFIXES[long]), alternatives(unit), "letter", True)
    factor = factor_of(letter)
    if not factor or parts[2] is not None:
        return None
    counted = dim.label or dim.power(CURRENCY) or any(p > 0 and n not in PHYSICAL for n, p in dim.powers)
    bytes_ = letter.text == "B" and dim.power(INFORMATION) == 1
    plain = letter.text not in ("B", "b", "m") and not (dim.bare and context.unit.symbol != "1")
    if not (counted or bytes_ or plain):
        return None
    return amount(context, parts, scaled(numeral_of(number), factor), alternatives(unit), "letter", True)


def letter_counted(context: Context, parts: Parts, place: Place) -> Span | None:
    """`405B trainable weights`."""
    number, letter, *between, unit = parts
    assert unit is not None
    factor = factor_of(letter)
    if not factor or letter is None or letter.text in ("m", "b") or is_prose(between):
        return None
    if context.unit.dim.power(INFORMATION) and letter.text == "B" and not any(s is not None for s in between):
        return None
    return amount(context, parts, scaled(numeral_of(number), factor), alternatives(unit), "letter", True)


def letter_alone(context: Context, parts: Parts, place: Place) -> Span | None:
    number, letter = parts
    assert letter is not None
    asked, after = context.unit, place.after
    factor = factor_of(letter)
    if letter.text == "t" and ((letter.gap and asked.dim.label == "token") or (after and after.low in ("/", "per"))):
        return None
    if factor and _scales(asked, letter.text):
        return amount(context, parts, scaled(numeral_of(number), factor), [("", None)], "letter", True)
    if letter.text == "B":
        made = amount(context, parts, numeral_of(number), [("", KNOWN_UNITS["B"])], "letter")
        billions = Sense(
            scaled(numeral_of(number), 10**9).value, None, numeral_of(number).step * 10**9, "billions", scaled=True
        )
        return made if letter.gap else replace(made, senses=(*made.senses, billions))
    prefixed = _prefix(letter, asked)
    if prefixed is not None:
        return amount(context, parts, numeral_of(number), [("", prefixed)], "letter")
    return None


def _scales(asked: Unit, letter: str) -> bool:
    """A letter alone multiplies: where a count, money or a plain number is asked, and `k` and what is asked has a k."""
    dim = asked.dim
    if dim.power(TIME) > 0 and any(name not in PHYSICAL for name, _ in dim.powers):
        return letter != "m"  # 30.8M where GPU-hours are asked
    if letter in ("k", "K") and (dim.power("energy") or asked.symbol[0] == "k"):
        return True
    if dim.power(INFORMATION) or dim.power(TIME) > 0 or asked.symbol == "%" or dim.power("energy"):
        return False
    return letter == "B" if dim.power(FLOP) else True


def _prefix(letter: Span, asked: Unit) -> Unit | None:
    """`80G` where GB (or B) is asked, `405T` where FLOP is: the prefix of the unit that is asked."""
    base, slash, rest = base_symbol(asked).partition("/")
    prefix = {"K": "k", "g": "G", "t": "T", "KI": "Ki", "ki": "Ki", "gi": "Gi"}.get(letter.text, letter.text)
    prefix = LONG_PREFIXES.get(letter.low, prefix)
    if prefix not in _PREFIXES or base not in ("B", "b", "FLOP", "W", "Wh", "J") or prefix + base not in KNOWN_UNITS:
        return None
    head = KNOWN_UNITS[prefix + base]
    scale = Fraction(asked.factor) / KNOWN_UNITS[asked.symbol.partition("/")[0]].factor
    return Unit(f"{head.symbol}{slash}{rest}", head.factor * scale, asked.dim)


def base_symbol(unit: Unit) -> str:
    """The symbol of `unit` without the prefix of its first part: B/s for GB/s, s for ms; as it is if it has none."""
    head, slash, rest = unit.symbol.partition("/")
    if head in ("ms", "us", "ns"):
        return "s" + slash + rest
    for prefix in (*BINARY, *SI):
        base = head.removeprefix(prefix)
        known = KNOWN_UNITS.get(base) if base != head and head in KNOWN_UNITS else None
        whole = KNOWN_UNITS.get(head)
        if known and whole and known.dim == whole.dim and known.factor * _PREFIXES[prefix] == whole.factor:
            return base + slash + rest
    return unit.symbol


def is_prose(between: Iterable[Span | None]) -> bool:
    words = [s for s in between if s is not None and s.kind == WORD]
    return any(s.low in PROSE or s.low in REFUSED_UNITS for s in words) or (bool(words) and len(words[0].text) < 3)
