"""Rules that make the periods of a rate: `weekly`, `p.a.`, `per fortnight`, `/qtr`, and the months of a year."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.grammar import GrammarPlace, Layer, Parts, Rule, examples
from quizgen.formula.reading.span import NUMBER, UNIT, WORD, Context, Span, over
from quizgen.formula.reading.spelled import PARTS
from quizgen.formula.reading.unit_words import over as quotient
from quizgen.formula.reading.vocabulary import PROSE, UNIT_WORDS
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit

_YEAR: Final = KNOWN_UNITS["year"]
_OWN: Final = {
    name: Unit(name, Fraction(_YEAR.factor) * Fraction(*share), _YEAR.dim)
    for name, share in (("month", (1, 12)), ("quarter", (1, 4)), ("fortnight", (14, 365)))
}
_ADVERBS: Final = {
    "hourly": "h", "daily": "day", "nightly": "day", "weekly": "week", "fortnightly": "fortnight",
    "monthly": "month", "quarterly": "quarter", "yearly": "year", "annually": "year", "pa": "year", "pm": "month",
    "pcm": "month", "pw": "week", "ph": "h",
}  # fmt: skip
_NOUNS: Final = {
    "quarter": "quarter", "qtr": "quarter", "fortnight": "fortnight", "annum": "year",
    **dict.fromkeys(("month", "months", "mo", "mth", "mnth", "monat"), "month"),
}  # fmt: skip
_EACH: Final = ("per", "a", "an", "each", "every")


def _told(context: Context, name: str) -> Unit | None:
    """The bank's own unit of this name, if the item asks for it (a bank may count months), or the stem's period."""
    unit = context.asked.lexicon.words.get(name)
    if unit is not None and (unit is context.unit or context.unit.dim.power(unit.dim.label or "")):
        return unit
    return next((unit for unit in context.asked.periods if unit.symbol == name), None)  # of 30 days


def _numbers(done: Sequence[Span]) -> bool:
    return any(span.kind == NUMBER for span in done)


def _adverb(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    name = _ADVERBS["".join(part.low for part in parts if part.low.isalpha())]
    period = _told(context, name) or _OWN.get(name) or KNOWN_UNITS[name]
    return over(parts, UNIT, "period adverb", unit=quotient(ONE, period))


def _period(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """A period that is no unit elsewhere: behind `per`, and behind the `a` that follows an amount."""
    before, done = place.before, place.done
    led = before.is_sign("/") or before.says(*_EACH)
    if parts[0].kind != WORD or not led or not _numbers(done):
        return None
    if before.says("a", "an"):
        ends = done[-2].kind == NUMBER or (len(done) > 2 and done[-3].kind == NUMBER and done[-2].low not in PROSE)
        if not ends or place.after.says("of"):
            return None  # 2 and a quarter, 3 is a quarter of 12
    name = _NOUNS[parts[0].low]
    told = _told(context, name)
    if name == "month" and "days" in context.asked.nouns and told is None:
        return None
    return over(parts, UNIT, "period", unit=told or _OWN.get(name) or KNOWN_UNITS[name])


def _month(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """Twelve months are a year; how many days one has is not said."""
    rate = any(span.kind == UNIT and span.unit.symbol == "month" for span in place.done)  # $200 a month x 12 months
    told = rate or context.unit.symbol in ("year", "month")
    if parts[0].kind != WORD or place.before.kind != NUMBER or not told:
        return None
    own = context.unit if context.unit.symbol == "month" else _OWN["month"]
    return over(parts, UNIT, "months of a year", unit=own)


def _years(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """Where a bank's own months are asked."""
    months = context.unit
    counted = place.before.kind == NUMBER or place.before.low in PARTS  # two and a half years
    if parts[0].kind != WORD or months.symbol != "month" or not counted:
        return None
    return over(parts, UNIT, "years of months", unit=Unit("year", 12 * Fraction(months.factor), months.dim))


def _beside_years(context: Context, parts: Parts, place: GrammarPlace) -> Span | None:
    """An m behind years, and where months are asked."""
    beside = any(UNIT_WORDS.get(span.low) == "year" for span in place.done)
    return _month(context, parts, place) if beside or context.unit.symbol == "month" else None


PERIODS: Final = Layer([
    Rule("period adverb", "p ~.|/ ~a|m|w ~.?", _adverb,
         examples("USD/year: $5 p.a. => 5 USD/year", "USD/year: $5 p/m => 60 USD/year")),
    Rule("period adverb", "|".join(_ADVERBS), _adverb,
         examples("TB: 3.1 TB daily => 3.1 TB", "TB: 3.1 TB hourly => 3.1 TB/h", "USD: $75k yearly => 75000 USD/year")),
    Rule("period", "|".join(_NOUNS), _period,
         examples("USD/year: $5 per quarter => 20 USD/year", "USD/year: $5 a month => 60 USD/year",
                  "USD/year: $5 per annum => 5 USD/year"),
         examples("GB: a quarter of 96 GB => 24 GB", "s: 2 months => days")),
    Rule("months of a year", "month|months|mo|mth|mths|mos", _month,
         examples("year: 30 months => 2.5 year", "year: 2 years 6 months => 2.5 year"),
         examples("day: 2 months => days")),
    Rule("years of months", "years|year|yrs|yr|y", _years, examples("month: 3 years => 36 month")),
    Rule("months of a year", "m", _beside_years, examples("year: 3y 9m => 3.75 year"),
         examples("year: 9 m => minutes")),
])  # fmt: skip
