"""Reading what a candidate wrote as an answer: exactly, or not at all and with a reason.

`read` never looks at a key. What it cannot decide without one it leaves open in `Reading.others`
(`0.467` where % is asked, `1,234`). It never raises, whatever the text, and takes time linear in its length.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.quantity import in_unit, reduced, tidy
from quizgen.formula.reading.answer import Asked, Reading, Refusal, how
from quizgen.formula.reading.chart import LAYERS, line_of
from quizgen.formula.reading.choice import choose
from quizgen.formula.reading.fold import fold
from quizgen.formula.reading.grammar import Layer, is_time
from quizgen.formula.reading.letter_rules import base_symbol
from quizgen.formula.reading.lexicon import NO_WORDS, Lexicon
from quizgen.formula.reading.numeral import MAX_POWER
from quizgen.formula.reading.show import show_number, show_quantity
from quizgen.formula.reading.span import AMOUNT, UNIT, Context, Sense, Span
from quizgen.formula.reading.spelled import without_slips
from quizgen.formula.reading.told import as_told, without_symbol
from quizgen.formula.reading.unit_words import over
from quizgen.formula.reading.vocabulary import MAGNITUDE_LETTERS
from quizgen.formula.reading.worded import bare_words, several, special, truth, word
from quizgen.formula.unit_table import CURRENCY, DIVISIBLE, INFORMATION, PHYSICAL, SI, TIME
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit, parse_unit

__all__ = ["MAX_LENGTH", "Asked", "Reading", "Refusal", "amount_at", "read"]

MAX_LENGTH: Final = 300

_MATHS = re.compile(r"^\s*\${1,2}([^$]*\d[^$]*)\${1,2}(?!\d)")  # $3.17 \cdot 10^{10}$ is no money

_MARKED_TIME = re.compile(r"(\d) ?['\u2032\u2019] ?(\d{1,2}) ?(?:[\"\u2033\u201d]|'')")  # 33'20"
_NO_CENTS = re.compile(  # 1.500,- and 1500/-
    r"(?<![\d.,])(\d{1,3}(?:[.,' \u2019]\d{3})+|\d+)(?:[.,](?:--?|[\u2013\u2014])|/-)(?![\d.,])"
)

_DOTTED = re.compile(r"\bu\. ?s\.(?= ?(?:\$|dollar))", re.IGNORECASE)  # U.S. dollars

_SLASH_NAME = re.compile(
    r"(?<=\d) (?:x )?/\d{1,3}(?:s\b|(?= [A-Za-z]))|^ *(?:an? )?/\d{1,3}(?= ?[=:])|^ *(?:an? )?/(?=\d)"
)  # 4 /27s, a /27


def read(text: str, asked: Asked | Unit = ONE, filled: Callable[[], str] | None = None) -> Reading | Refusal:
    """What `text` says, where `asked` is asked for (a bare Unit: a number in it). `filled` makes the stem as the
    candidate sees it."""
    if isinstance(asked, Unit):
        asked = Asked(asked)
    if len(text) > MAX_LENGTH:
        return Refusal(f"more than {MAX_LENGTH} characters: write only the answer, {how(asked)}")
    shares = asked.told is not None and asked.told.symbol == "%"  # 25 % may be 25 there
    plain = _plain(text, asked) if asked.shape == "number" and not shares else None
    if plain is not None:
        return plain
    return _read_any(text, asked, LAYERS, filled)


_PLAIN = re.compile(r" *(-?)(\d{1,18})(?:\.(\d{1,18}))?(?:[eE]([+-]?\d{1,2}))? ?([A-Za-z%/-]*) *")


def _plain(text: str, asked: Asked) -> Reading | None:
    """A decimal with no unit or a unit of exactly the asked kind, as most responses are; None for all others.

    Only a short cut: what it reads, `_read_any` reads alike, in ten times the time.
    """
    found = _PLAIN.fullmatch(text)
    if found is None:
        return _grouped(text, asked)
    sign, whole, part, power, spelling = found.groups()
    label = asked.unit.dim.label in DIVISIBLE and (part or "").endswith("0")  # 55.200 pages
    thing = part == "000" or asked.whole or asked.unit.dim.bare or label
    may_group = len(part or "") == 3 and not power and asked.unit.symbol != "%" and thing
    if may_group and (spelling or len(whole) > 3 or not asked.unit.dim.bare):
        return None  # 1.024 GPUs
    unit = asked.lexicon.words.get(spelling.casefold()) if spelling else None
    if unit is not None and unit.dim != asked.unit.dim:
        return None
    if unit is None and spelling:
        same = spelling == asked.unit.symbol and spelling not in MAGNITUDE_LETTERS
        unit = asked.unit if same and spelling != "kb" else _plain_unit(spelling, asked.unit)
    if spelling and unit is None:
        return None
    part = part or ""
    places = int(power or 0) - len(part)
    digits = int(sign + whole + part)
    value = digits * 10**places if places >= 0 else reduced(digits, 10**-places)
    if not part and digits:
        places += len(whole) - len(whole.rstrip("0"))
    step = _power_of_ten(places)
    if unit is not None:  # only for speed
        return Reading(value, unit, show_quantity(value, unit), step)
    first = _reading_of(Sense(value, None, step, raised=power is not None), asked.unit)
    if may_group and whole.strip("0"):
        return replace(first, others=(_reading_of(Sense(digits, unit, step), asked.unit),))
    return first


_GROUPED = re.compile(r" *-?([1-9]\d{0,2}(?:,\d{3})+)(?![\d,])[^,]*")


def _grouped(text: str, asked: Asked) -> Reading | None:
    """The same with thousands grouped by commas; one comma may be a decimal mark as well (1,138 s)."""
    found = _GROUPED.fullmatch(text)
    first = _plain(text.replace(",", ""), asked) if found is not None else None
    if found is None or first is None or first.others:
        return None
    if found[1].count(",") > 1 or found[1].endswith("0") or "." in text:
        return first
    unit = first.unit
    if first.bare or unit.symbol != asked.unit.symbol or unit.dim.bare or unit.dim.label or unit.symbol in _INDIVISIBLE:
        return None
    decimal = _plain(text.replace(",", "."), asked)
    return None if decimal is None or decimal.others else replace(first, others=(replace(decimal, step=first.step),))


_INDIVISIBLE: Final = ("B", "b", "USD", "FLOP")  # of which nobody writes a fraction to three places


@lru_cache(maxsize=256)
def _power_of_ten(power: int) -> Fraction:
    return Fraction(10) ** power


@lru_cache(maxsize=4096)
def _plain_unit(spelling: str, asked: Unit) -> Unit | None:
    """The unit of a spelling that means the same whatever is asked, if it measures what is asked."""
    if spelling in MAGNITUDE_LETTERS or spelling in ("kb", "x", "ratio") or "-" in spelling[:1]:
        return None
    if asked.symbol == "month" and spelling.startswith("y"):
        return None  # twelve of them, however long they are
    if any(part not in KNOWN_UNITS for factor in spelling.split("/") for part in factor.split("-")):
        return None
    unit = parse_unit(spelling)
    return unit if unit.dim == asked.dim and unit is not ONE else None


def _read_any(
    text: str, asked: Asked, layers: Sequence[Layer] = LAYERS, filled: Callable[[], str] | None = None
) -> Reading | Refusal:
    if any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n\r\v\f" for c in text):
        return Refusal(f"it holds control characters: write only the answer, {how(asked)}")
    if asked.unit.dim == _SECOND.dim:
        text = _MARKED_TIME.sub(r"\1 min \2 s", text)
    if any(power > 0 and (name == CURRENCY or name not in PHYSICAL) for name, power in asked.unit.dim.powers):
        text = _DOTTED.sub("US", _NO_CENTS.sub(lambda whole: re.sub(r"\D", "", whole[1]), text))
    folded = fold(_MATHS.sub(r"\1 ", _SLASH_NAME.sub("", text) if asked.slashed else text)).strip()
    if not folded or folded == ".":
        return Refusal("")
    folded = without_slips(without_symbol(folded, asked.symbol), asked.nouns | asked.lexicon.words.keys())
    said = bare_words(folded)
    answer = special(said, asked)
    if answer is not None:
        return answer
    if asked.shape == "truth":
        return truth(said, asked)
    if asked.shape == "word":
        return word(folded, asked)
    if asked.shape == "tuple":
        return several(folded, asked)
    context = Context(asked, filled=filled)
    line = line_of(folded, context, layers)
    told = [span.unit for span in line if span.kind == UNIT and is_time(span)]
    timed = told or any(s.unit and s.unit.dim.power(TIME) for span in line for s in span.senses)
    result = choose(line if timed else [_in_the_period(span, asked) for span in line], context)
    if isinstance(result, str):
        return Refusal(f"{result}, {how(asked)}")
    result = tuple(_of_the_period(sense, asked, told) for sense in result)
    value = result[0].value
    if value and not Fraction(1, 10**MAX_POWER) <= abs(Fraction(value)) < 10**MAX_POWER:
        return Refusal(f"the number is too far from 1: write one that can be meant, {how(asked)}")
    first, *others = (one for sense in result for one in as_told(_reading_of(sense, asked.unit), asked.told))
    found = {(r.base, r.unit.dim): r for one in (first, *others) for r in reversed((one, *one.others))}
    first = replace(first, others=())
    return replace(
        first, others=tuple(r for r in found.values() if (r.base, r.unit.dim) != (first.base, first.unit.dim))
    )


def amount_at(text: str, unit: Unit = ONE, lexicon: Lexicon = NO_WORDS) -> tuple[Fraction, Unit | None, int] | None:
    """Value, unit (None: none was written) and length of the amount at the start of `text`; None if none stands
    there. `unit` is what is asked for."""
    line = line_of(fold(text), Context(Asked(unit, lexicon=lexicon)))
    if not line or line[0].kind != AMOUNT or line[0].fault:
        return None
    sense = line[0].senses[0]
    return Fraction(sense.value), sense.unit, line[0].end


# -- numbers --------------------------------------------------------------------------------


_SECOND: Final = KNOWN_UNITS["s"]


def _of_the_period(found: Sense, asked: Asked, told: Sequence[Unit]) -> Sense:
    """`$7,500` and `7,500 p.a.` where the question asks for dollars per year: the period is told there. Of what is
    neither counted nor money only those of the calendar are; `told` are the times that the response names."""
    head, _, period = asked.unit.symbol.rpartition("/")
    periods = asked.periods or (asked.implied if len(asked.implied) == 1 else ())  # 8 turns, of goods sold in a year
    below = next((one for one in periods if one.symbol == period), None)
    if found.unit is not None and found.unit.symbol[-1:] == "b" and found.unit.dim / _SECOND.dim == asked.unit.dim:
        return replace(found, unit=over(found.unit, _SECOND))  # a line of 480 Mbit
    if found.unit is None or not head or below is None or any(one.factor != below.factor for one in told):
        return found
    if found.unit.symbol == f"1/{period}":
        return replace(found, unit=None)
    dim = found.unit.dim
    if below.factor < KNOWN_UNITS["day"].factor and not dim.label and not dim.power(CURRENCY):
        return found
    rest = dim / asked.unit.dim  # a bank's months may be a label of its own, or of another length
    own = Unit(period, 1, rest) if rest.label == period else asked.lexicon.words.get(period, below)
    return replace(found, unit=over(found.unit, own)) if own.dim == rest else found


def _in_the_period(span: Span, asked: Asked) -> Span:
    if span.kind != AMOUNT or span.fault:
        return span
    return replace(span, senses=tuple(_of_the_period(sense, asked, ()) for sense in span.senses))


def _reading_of(found: Sense, asked: Unit) -> Reading:
    """A number that was found, in its unit or in the one that is asked."""
    if found.unit is not None and not (found.unit is ONE and found.unit is not asked and asked.symbol == "%"):
        plain = found.unit is ONE and not asked.dim.bare
        shown = f"{show_number(found.value)}x" if plain else show_quantity(tidy(found.value), found.unit)
        if found.unit.symbol == "B" and not asked.dim.power(INFORMATION):
            shown = shown.removesuffix("B") + "bytes"  # B would be a billion there
        return Reading(tidy(found.value), found.unit, shown, found.step)
    first, *others = (_bare(found, unit, asked) for unit in _units_of_bare(found, asked))
    return replace(first, others=tuple(others)) if others else first


def _bare(found: Sense, unit: Unit, asked: Unit) -> Reading:
    """A bare number taken to be in `unit`, shown in the unit that is asked."""
    if unit is asked:
        value = tidy(found.value)
        return Reading(value, asked, show_quantity(value, asked), found.step, bare=True)
    value = in_unit(found.value * unit.factor, asked)
    step = None if found.step is None else found.step * unit.factor / asked.factor
    return Reading(value, asked, show_quantity(value, asked), step, bare=True)


def _units_of_bare(found: Sense, asked: Unit) -> tuple[Unit, ...]:
    """The units a bare number may be in, likeliest first.

    It takes the unit that is asked. Beside it, a number up to 1 where % is asked may be a fraction,
    and 3.17e10 or 13e9*2 where GB is asked is in bytes, for nobody writes 3.17e10 for 31.7 GB
    and means exabytes.
    """
    size = found.value if found.value >= 0 else -found.value
    if asked.symbol == "%":
        if size > 1 or not size:
            return (asked,)
        return (ONE, asked) if found.calculated else (asked, ONE)
    if not found.value:
        return (asked,)
    base, prefix = _base_of(asked)
    if prefix >= SI["M"]:
        enough = prefix / 1000 if found.raised or found.calculated else prefix
        return (base, asked) if size >= enough else (asked,)
    if prefix < 1 and (found.raised or found.calculated) and size <= 1:
        return asked, base
    if found.calculated and asked.symbol in ("min", "h", "day", "week", "year"):
        return asked, KNOWN_UNITS["s"]
    return (asked,)


@lru_cache(maxsize=1024)
def _base_of(unit: Unit) -> tuple[Unit, Fraction]:
    """The unit without its prefix, and the prefix."""
    base = parse_unit(base_symbol(unit), unit.labels)
    return base, Fraction(unit.factor) / base.factor
