"""Reading what a candidate wrote as an answer: exactly, or not at all and with a reason.

The way of a response: fold -> tokens -> amounts and calculations -> the one that answers -> what it means. No key is
looked at: what only a key could decide (0.467 where a percentage is expected; 1,234) stays open in `Reading.others`.
Asking again is cheap and a wrong number is not, so a response that no rule reads is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.quantity import in_unit, tidy
from quizgen.formula.reading import Reading, show_number, show_quantity
from quizgen.formula.unit_table import INFORMATION, PHYSICAL, SI
from quizgen.formula.units import KNOWN_UNITS, ONE, Dim, Unit, fits, parse_unit
from quizgen.numbers import words as known
from quizgen.numbers.amounts import amount_at
from quizgen.numbers.answer import AnswerFormat, AskAgain, Lexicon, Refusal, example
from quizgen.numbers.choose import choose
from quizgen.numbers.special import word_answer
from quizgen.numbers.stem import question_of
from quizgen.numbers.sums import pieces, without_labels
from quizgen.numbers.surroundings import label_roots
from quizgen.numbers.tokens import MAX_POWER, WrittenAmount, fold, tokens
from quizgen.numbers.units import SECOND, has_money, over, period_of

MAX_LENGTH: Final = 300
# Times, ratios, dates, addresses, and powers that lost their sign: 8:00, 1/2/3, 10.0.0.1, 3x10-6, 3x1010, 31.O.
_UNCLEAR: Final = re.compile(
    r"\d:\d|\d : \d|\d/\d+/\d|\d\.(?:10(?:\^|\*\*)|[A-DF-Za-df-z#])|!=|\d·\d"
    r"|\d /\d|\d\s*[x*]\s*10(?:-\d|(?!24\b)[1-9]\d?\b(?![.,]|\s*=))"
    r"|(?<![\d.])(?!\d{1,3}(?:\.\d{3})+(?![\d.]))(?:[012]?\d?\d\.){3}[012]?\d?\d(?![\d.])"
)
# What a result holds for: `31.7 GB for K = 32`, `31.7 GB (K = 32, N = 13B)`.
_INPUT: Final = r"(?:[^\W\d]{1,2}|stage|zero) ?= ?\d[\d.,]*(?<=\d) ?[^\W\d]*(?= ?(?:[,;:)]|$|and [^\W\d]+ ?=))"
_STARTS_WITH_INPUT: Final = re.compile(rf"\W*{_INPUT}")
_CONDITION: Final = re.compile(rf"(?:\s*(?:[,;@(]|\b(?:{'|'.join(known.CONDITION_LEADS)}|and)\b/?))+ ?{_INPUT}")
_PREFIX: Final = re.compile(r"^(?:[kMGTPEZY]i?|[mun](?=s))(?=(?:B|b|FLOP|Wh?|J|s)(?:$|[/-]))")
_LONG_TIMES: Final = ("min", "h", "day", "week", "year")
_SMALLEST: Final = Fraction(1, 10**MAX_POWER)
_NUMBER: Final = re.compile(r"\d[\d.,]*")


def read(
    text: str, expected: AnswerFormat | Unit = ONE, filled_stem: Callable[[], str] | None = None
) -> Reading | Refusal:
    """The reading of a response `text` to what is `expected` (a bare Unit: a number in it), or why there is none.

    `filled_stem` makes the stem with its drawn values. Never raises, and takes time linear in the length of `text`.

    >>> read("about 31.7 gigabytes", KNOWN_UNITS["GB"]).read_as
    '31.7 GB'
    >>> read("31.7 or 32", KNOWN_UNITS["GB"]).reason
    'these are two different numbers: write one, such as 12.5 GB'
    """
    if isinstance(expected, Unit):
        expected = AnswerFormat(expected)
    text = text.strip()
    try:
        if len(text) > MAX_LENGTH:
            raise AskAgain(f"more than {MAX_LENGTH} characters: write only the answer")
        return _read(text, expected, filled_stem)
    except AskAgain as reason:
        why = str(reason)
        return Refusal(f"{why}{' ' if why.endswith('write') else ', '}{example(expected)}" if why else "")


def _read(text: str, expected: AnswerFormat, filled_stem: Callable[[], str] | None) -> Reading:
    if not text.isprintable() and any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n\r\v\f" for c in text):
        raise AskAgain("it has control characters: write only the answer")
    folded = fold(text).strip()
    if folded in ("", "."):
        raise AskAgain("")
    if expected.shape == "number":
        folded = _without_inputs(folded)
    if not folded[0].isdigit() or expected.shape != "number":
        answer = word_answer(folded, expected)
        if answer is not None:
            return answer
    if _UNCLEAR.search(folded):
        raise AskAgain("it may be a time, a ratio, a date, an address or a power: write one number")
    return readings(choose(pieces(tokens(folded), expected), expected), expected, filled_stem)


def _without_inputs(text: str) -> str:
    """A folded response without what its result holds for (`, K = 32`)."""
    if "=" not in text or _STARTS_WITH_INPUT.match(text):
        return text
    left = _CONDITION.sub("", text)
    return left if any(map(str.isdigit, left)) else text


# -- what an amount means where its unit, period or counted thing is left open ---------------


def readings(amount: WrittenAmount, expected: AnswerFormat, filled_stem: Callable[[], str] | None) -> Reading:
    """The likeliest reading of `amount`, with the others that are as likely. Raises AskAgain."""
    scaled = amount.raised or amount.step is None
    if scaled and amount.value and not _SMALLEST <= abs(Fraction(amount.value)) < 1 / _SMALLEST:
        raise AskAgain("the number is too far from 1: write a plausible one")
    if amount.unit is not None and amount.unit.dim != expected.unit.dim:
        amount = _in_the_period(_as_counted(amount, amount.unit, expected), expected)
    _check_repeats_the_stem(amount, expected, filled_stem)
    every = _of_units(amount, expected)
    if amount.other is not None:
        every += _of_units(amount._replace(value=amount.other), expected)
    every = [reading for one in every for reading in _as_plain_number(one, expected)]
    distinct = {(one.base, one.unit.dim): one for one in reversed(every)}
    first, *others = reversed(distinct.values())
    return replace(first, others=tuple(others)) if others else first


# -- counted things and periods -------------------------------------------------------------


def _as_counted(amount: WrittenAmount, unit: Unit, expected: AnswerFormat) -> WrittenAmount:
    """`24 replicas`, an `amount` in `unit`, where the stem asks "how many replicas" and counts pods, in pods.

    Another counted thing than is asked stays as it is only if it is the label of an input: then it is wrong. Raises
    AskAgain for any other.
    """
    stem = expected.stem
    if expected.unit is ONE and expected.unit_in_stem is None and not (unit.dim.bare or unit.dim.label):
        raise AskAgain("the item asks for a plain number: write it without a unit")
    labels, wanted = _counted(unit.dim), _counted(expected.unit.dim)
    fitting = bool(wanted) and fits(unit.dim, expected.unit.dim)
    if not stem.text or not labels or fitting or has_money(unit):
        return amount
    if label_roots(labels[0], expected) & stem.counted:
        own = Dim(tuple(power for power in expected.unit.dim.powers if power[0] not in PHYSICAL))
        return amount._replace(unit=replace(unit, dim=without_labels(unit).dim * own))
    if labels[0] in stem.input_labels and not expected.unit.dim.bare:
        return amount
    raise AskAgain(f'"{unit.plural}" are not what is asked: write the number that is')


def _counted(dim: Dim) -> list[str]:
    """The labels of the things that an amount of this dimension counts: request of requests a second."""
    return [name for name, power in dim.powers if name not in PHYSICAL and power > 0]


def _in_the_period(amount: WrittenAmount, expected: AnswerFormat) -> WrittenAmount:
    """`$7,500` where dollars a year are expected, `3.1 TB a day` where the stem asks for a day's: the stem tells the
    period. Raises AskAgain where it does not."""
    unit, wanted, stem = amount.unit or ONE, expected.unit, expected.stem
    if fits(unit.dim, wanted.dim) or not (stem.text or wanted.dim.bare):
        return amount
    if wanted.dim.is_rate and unit.dim == SECOND.dim:
        raise AskAgain("it is a time, but the item asks for a rate: write how many per unit of time")
    _, per, own = wanted.symbol.rpartition("/")
    period = expected.lexicon.words.get(own) if per else None  # a bank's own months
    period = period or period_of(wanted) or (SECOND if wanted.dim.is_rate else None)
    if period is not None and fits(unit.dim / period.dim, wanted.dim):
        if all(one.symbol != own for one in stem.rate_periods):
            raise AskAgain("it is an amount, but the item asks for a rate: write it per unit of time")
        return amount._replace(unit=over(unit, period))
    return amount._replace(unit=_without_period(unit, expected))


def _without_period(unit: Unit, expected: AnswerFormat) -> Unit:
    """`unit` without the time that it is per, where that is the time of which an amount is asked, or a percentage a
    year. Raises AskAgain for another time."""
    period = period_of(unit)
    if period is None or not fits(unit.dim * SECOND.dim, expected.unit.dim):
        return unit
    yearly = expected.unit.dim.bare and period.symbol == "year"  # 5.25 % a year
    if not yearly and all(one.symbol != period.symbol for one in expected.stem.periods):
        raise AskAgain("it is a rate, but the item asks for an amount: write the amount")
    factor, symbol = Fraction(unit.factor) * period.factor, unit.symbol.rpartition("/")[0]
    return Unit(symbol, factor, unit.dim * SECOND.dim, unit.labels)


def _check_repeats_the_stem(
    amount: WrittenAmount, expected: AnswerFormat, filled_stem: Callable[[], str] | None
) -> None:
    """Raise AskAgain for `3 min` where the stem asks "How long is 3 min in s?"."""
    unit, wanted = amount.unit, expected.unit_in_stem or expected.unit
    if unit is None or unit.dim != wanted.dim or unit.factor == wanted.factor or not expected.stem.text:
        return
    given = amounts_in_question(filled_stem() if filled_stem is not None else expected.stem.text, expected.lexicon)
    if any((value, one.factor) == (amount.value, unit.factor) for value, one in given):
        raise AskAgain(f"the question says that already: write it in {wanted.plural}")


def amounts_in_question(stem: str, lexicon: Lexicon) -> Iterator[tuple[Fraction, Unit]]:
    """The amounts with a unit in the sentence of `stem` that asks."""
    question = question_of(stem)
    for number in _NUMBER.finditer(question):
        one = amount_at(question[number.start() : number.start() + 40], ONE, lexicon)
        if one is not None and one[1] is not None:
            yield one[0], one[1]


# -- bare numbers ---------------------------------------------------------------------------


def _of_units(amount: WrittenAmount, expected: AnswerFormat) -> list[Reading]:
    unit, wanted = amount.unit, expected.unit
    if unit is not None and not (unit is ONE and wanted.symbol == "%"):
        value = tidy(amount.value)
        shown = f"{show_number(value)}x" if unit is ONE and not wanted.dim.bare else show_quantity(value, unit)
        if unit.symbol == "B" and not wanted.dim.power(INFORMATION):
            shown = shown.removesuffix("B") + "bytes"  # B would be a billion there
        return [Reading(value, unit, shown, amount.step)]
    return [_bare(amount, one, wanted) for one in _units_of_bare(amount, wanted)]


def _bare(amount: WrittenAmount, unit: Unit, wanted: Unit) -> Reading:
    """The reading of a bare number in `unit`, shown in the unit that is wanted."""
    if unit is wanted:
        value, step = tidy(amount.value), amount.step
    else:
        value = in_unit(amount.value * unit.factor, wanted)
        step = None if amount.step is None else amount.step * unit.factor / wanted.factor
    return Reading(value, wanted, show_quantity(value, wanted), step, True)


def _units_of_bare(amount: WrittenAmount, wanted: Unit) -> tuple[Unit, ...]:
    """The units in which a bare number may be, likeliest first: the one that is wanted, and beside it

    * a fraction for a number up to 1 where % is wanted,
    * the unit without its prefix for 3.17e10 or 13e9*2 where GB is wanted: nobody writes 3.17e10 and means exabytes.
    """
    if not amount.value:
        return (wanted,)
    size = abs(Fraction(amount.value))
    if wanted.symbol == "%":
        if size > 1:
            return (wanted,)
        return (ONE, wanted) if (amount.step is None) or amount.unit is ONE else (wanted, ONE)
    base, prefix = _base_of(wanted)
    exact = amount.raised or amount.step is None
    if prefix >= SI["M"]:
        return (base, wanted) if size >= (prefix / 1000 if exact else prefix) else (wanted,)
    if prefix < 1 and exact and size <= 1:
        return wanted, base
    if (amount.step is None) and wanted.symbol in _LONG_TIMES:
        return wanted, KNOWN_UNITS["s"]
    return (wanted,)


@lru_cache(maxsize=1024)
def _base_of(unit: Unit) -> tuple[Unit, Fraction]:
    """`unit` without its prefix, and the prefix: B/s and 10^9 of GB/s."""
    symbol = _PREFIX.sub("", unit.symbol)
    if symbol == unit.symbol:
        return unit, Fraction(1)
    base = parse_unit(symbol, unit.labels)
    return base, Fraction(unit.factor) / base.factor


def _as_plain_number(reading: Reading, expected: AnswerFormat) -> tuple[Reading, ...]:
    """The plain number of an amount in exactly the unit that the stem names (`How many GB …?`); of a percentage its
    share as well."""
    named, unit = expected.unit_in_stem, reading.unit
    if named is None or unit is ONE or (unit.dim, unit.factor) != (named.dim, named.factor):
        return (reading,)
    plain = replace(reading, unit=ONE, bare=True)
    return (plain, reading) if named.symbol == "%" else (plain,)
