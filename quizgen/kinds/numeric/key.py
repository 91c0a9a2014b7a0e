"""The key of a numeric variant in the forms that others need: for people who mark, as options of a choice, for other
programs, for an offline page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice
from math import log

from quizgen.draw import Stream
from quizgen.formula.factor_slips import possible_slips
from quizgen.formula.mistakes import AnswerTarget, MistakenAnswer, half_roundings, right_roundings
from quizgen.formula.quantity import digit_base, rounding_slack, value_in_unit
from quizgen.formula.show import format_in_unit
from quizgen.formula.units import KNOWN_UNITS, Unit
from quizgen.page import Block, Para, plain_paragraph
from quizgen.portable_item import Choices, KnownMistake, NumberKey, PlainNumber

MAX_PORTABLE_NUMBER = 10**60  # largest number that other programs read when it is written out in digits
_MAX_OTHER_UNITS = 8  # units besides the requested one that a response may use
_FINE_TOLERANCE = Fraction(1, 200)  # a narrower tolerance needs more than the usual four figures
_FIGURES_OF_TOLERANCE = ((Fraction(1, 2000), 4), (Fraction(1, 200_000), 6), (Fraction(1, 10**12), 14))
MAX_FIGURES = 15
_ROUNDINGS_LISTED = 3  # numbers of digits for which a key lists the rounded value, from the fewest that count
_MAX_SLIPS = 16  # the simplest ones are listed; a page has no room for hundreds
# A choice item made from a numeric one: the key among numbers that misconceptions produce.
DISTRACTOR_COUNT = 3
OPTION_FIGURES = 3
OPTIONS_APART = Fraction(5, 100)  # smallest relative difference between two options
# Factors of the key, used when misconceptions produce too few numbers.
_FILLER_SLIPS = (
    (Fraction(1, 2), "That is half of it."),
    (Fraction(1, 4), "That is a quarter of it."),
    (Fraction(2), "That is twice as much."),
    (Fraction(4), "That is four times as much."),
    (Fraction(1, 8), "That is an eighth of it."),
    (Fraction(8), "That is eight times as much."),
)


def significant_digits(wanted: AnswerTarget) -> int:
    """How many significant digits of the key are printed so that a copy of them is scored as right: four, more if the
    tolerance is narrow, 30 if the answer must be exact."""
    return next((figures for least, figures in _FIGURES_OF_TOLERANCE if wanted.share >= least), 30)


def accepted_range_paragraphs(wanted: AnswerTarget) -> Iterator[Block]:
    """Yields paragraphs for people who mark: which numbers are right, and which are half right."""
    key, unit = wanted.key, wanted.unit
    if isinstance(key, bool | str | tuple):
        return
    exact, margin = Fraction(key), max(abs(Fraction(key)) * wanted.share, wanted.tolerance.margin)
    if margin:
        figures = 4 if wanted.share >= _FINE_TOLERANCE else 6
        low, high = (format_in_unit(edge, unit, figures) for edge in (exact - margin, exact + margin))
        by = format_in_unit(margin, unit) if wanted.tolerance.margin else f"{float(wanted.share) * 100:g} %"
        yield plain_paragraph(f"Accept: {low} to {high} (within {by}), in any unit that fits.")
    else:
        yield plain_paragraph("Accept: this value alone, in any unit that fits.")
    digits = wanted.digits
    listed: list[Fraction] = []
    for more in range(digits, digits + _ROUNDINGS_LISTED if digits else 0):
        if right := [one for one in right_roundings(wanted, more) if one not in listed]:
            listed += right
            yield plain_paragraph(f"Also right, as rounded to {more} significant digits: {_join_values(right, unit)}.")
    half = [one for few in range(1, digits) for one in half_roundings(wanted, few)]
    if half:
        yield plain_paragraph(f"Half right, as rounded too far: {_join_values(list(dict.fromkeys(half)), unit)}.")


def _join_values(values: Iterable[Fraction], unit: Unit) -> str:
    return " and ".join(format_in_unit(value, unit, MAX_FIGURES) for value in values)


def mistake_paragraphs(wanted: AnswerTarget) -> Iterator[Para]:
    """Yields a paragraph for each known mistake with a value of its own: value, explanation, partial credit."""
    for known in wanted.known:
        if isinstance(known.value, bool | str | tuple) or known.value == wanted.key:
            continue
        earns = f" Earns {float(known.credit) * 100:g} % of the points." if known.credit else ""
        yield plain_paragraph(f"{format_in_unit(known.value, wanted.unit)}: {known.say}{earns}")


def numeric_options(wanted: AnswerTarget, rng: Stream) -> Choices | None:
    """The key and three distractors as options of a choice. By size, the key is as likely first as last. None if the
    key is not a positive number."""
    key = wanted.key
    if isinstance(key, bool | str | tuple) or key <= 0:
        return None
    exact = Fraction(key)
    below: list[tuple[Fraction, str]] = []
    above: list[tuple[Fraction, str]] = []
    named = rng.shuffle("misconceptions", [pair for k in wanted.known if (pair := _distractor_option(k))])
    fillers = [(exact * factor, say) for factor, say in rng.shuffle("slips", _FILLER_SLIPS)]
    for value, say in (*named, *fillers):
        options = (exact, *(other for other, _ in (*below, *above)))
        if all(abs(value - other) > OPTIONS_APART * max(value, other) for other in options):
            (below if value < exact else above).append((value, say))
    rank = rng.number("rank", DISTRACTOR_COUNT + 1)
    unit = wanted.unit
    return Choices(
        format_in_unit(exact, unit, OPTION_FIGURES),
        tuple(
            (format_in_unit(value, unit, OPTION_FIGURES), say)
            for value, say in (*below[:rank], *above[: DISTRACTOR_COUNT - rank])
        ),
    )


def _distractor_option(known: MistakenAnswer) -> tuple[Fraction, str] | None:
    """A mistake's value and its explanation; None if the value is not positive or some convention makes it right."""
    if known.convention or isinstance(known.value, bool | str | tuple) or known.value <= 0:
        return None
    return Fraction(known.value), known.say


def portable_number(wanted: AnswerTarget) -> PlainNumber:
    """The key as a number for other programs. Its margin covers usual rounding, unless a named mistake lies within that
    margin."""
    unit = wanted.unit
    assert not isinstance(wanted.key, bool | str | tuple)
    value = Fraction(value_in_unit(wanted.key, unit))
    wrong: dict[Fraction, str] = {}
    for known in wanted.confusable_mistakes():
        assert not isinstance(known.value, bool | str | tuple)
        mistaken = Fraction(value_in_unit(known.value, unit))
        if not known.convention and not known.credit and abs(mistaken) < MAX_PORTABLE_NUMBER:
            wrong.setdefault(mistaken, known.say)
    rounding = rounding_slack(Fraction(wanted.key), unit, wanted.digits)
    if any(abs(Fraction(k.value) - Fraction(wanted.key)) <= rounding for k in wanted.confusable_mistakes()):  # type: ignore[arg-type]  # confusable mistakes are numbers
        rounding = Fraction(0)
    symbol = unit_label(unit)
    units = tuple(_other_spellings(unit)) if symbol else ()
    size = Fraction(unit.factor)
    zero = wanted.tolerance.margin / size if not value else Fraction(0)
    return PlainNumber(value, symbol, wanted.share, tuple(wrong.items()), units, zero, rounding / size)


def _other_spellings(unit: Unit) -> Iterator[tuple[str, Fraction]]:
    """Yields other spellings and prefixes of a unit with their factors, the closest in size first."""
    seen = {unit.plural}
    alike = [(s, u) for s, u in KNOWN_UNITS.items() if u.dim == unit.dim and s == u.symbol and s not in seen]
    alike.sort(key=lambda pair: (abs(log(pair[1].factor / unit.factor)), pair[0]))
    for spelling, other in [(unit.symbol, unit), *alike[:_MAX_OTHER_UNITS]]:
        if spelling not in seen:
            seen.add(spelling)
            yield spelling, Fraction(other.factor) / Fraction(unit.factor)


def unit_label(unit: Unit) -> str:
    """The unit as a prompt names it; empty for a plain number."""
    return "" if unit.dim.bare and unit.symbol != "%" else str(unit.plural)


def number_key(wanted: AnswerTarget, words: Iterable[tuple[str, Fraction, str]]) -> NumberKey:
    """The key for an offline page that scores responses. `words` holds (word, share of the points, explanation)."""
    by_word = {word: (share, say) for word, share, say in words}
    key = wanted.key
    if isinstance(key, tuple):
        return NumberKey(numbers=tuple(Fraction(part) for part in key), words=by_word)
    if isinstance(key, bool | str):
        return NumberKey(words=by_word, named=tuple(_named_mistakes(wanted)))
    exact = Fraction(key)
    factors = islice(possible_slips(wanted.unit, wanted.degrees, wanted.counted), _MAX_SLIPS)
    return NumberKey(
        exact,
        max(abs(exact) * wanted.share, wanted.tolerance.margin),
        wanted.digits,
        digit_base(exact, wanted.unit),
        tuple(_named_mistakes(wanted)),
        tuple(
            KnownMistake(s.factor * exact, abs(s.factor * exact), s.say, wanted.credits.get(s.id, Fraction(0)))
            for s in factors
            if exact
        ),
        by_word,
        half=bool(wanted.digits) and "rounded-too-far" not in wanted.credits,
        whole=wanted.whole,
    )


def _named_mistakes(wanted: AnswerTarget) -> Iterator[KnownMistake]:
    for known in wanted.known:
        if not isinstance(known.value, bool | str | tuple):
            value = Fraction(known.value)
            yield KnownMistake(value, digit_base(value, wanted.unit), known.say, known.credit)
