"""The key of a numeric variant in the forms that others need: for people who mark, as options of a choice, for other
programs, for an offline page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import log

from quizgen.draw import SeededRng
from quizgen.formula.mistakes import HALF, AnswerTarget, MistakenAnswer, creditable_roundings
from quizgen.formula.quantity import amount_whose_digits_count, is_number, max_rounding_error, value_in_unit
from quizgen.formula.show import format_in_unit
from quizgen.formula.units import KNOWN_UNITS, Unit
from quizgen.inline import Text
from quizgen.page import Block, Bullets, Heading, plain_paragraph
from quizgen.portable_item import DerivedChoices, KnownMistake, PageNumberKey, PortableNumber

MAX_PORTABLE_NUMBER = 10**60  # largest number that other programs read when it is written out in digits
_MAX_OTHER_UNITS = 8  # units besides the requested one that a response may use
_FINE_TOLERANCE = Fraction(1, 200)  # a narrower tolerance needs more than the usual four figures
_DIGITS_BY_TOLERANCE = ((Fraction(1, 2000), 4), (Fraction(1, 200_000), 6), (Fraction(1, 10**12), 14))
MAX_PRINTED_DIGITS = 15
MAX_LISTED_ROUNDINGS = 3  # numbers of digits for which a key lists the rounded value, from the fewest that count
MAX_LISTED_SLIPS = 16  # the simplest ones are listed; a page has no room for hundreds
# A choice item made from a numeric one: the key among numbers that misconceptions produce.
DISTRACTOR_COUNT = 3
OPTION_DIGITS = 3
MIN_OPTION_DIFFERENCE = Fraction(5, 100)  # smallest relative difference between two options
# Factors of the key, used when misconceptions produce too few numbers.
_FILLER_FACTORS = (
    (Fraction(1, 2), "That is half of it."),
    (Fraction(1, 4), "That is a quarter of it."),
    (Fraction(2), "That is twice as much."),
    (Fraction(4), "That is four times as much."),
    (Fraction(1, 8), "That is an eighth of it."),
    (Fraction(8), "That is eight times as much."),
)


def printed_key_digits(target: AnswerTarget) -> int:
    """How many significant digits of the key are printed so that a copy of them is scored as right: four, more if the
    tolerance is narrow, 30 if the answer must be exact."""
    return next((figures for least, figures in _DIGITS_BY_TOLERANCE if target.relative_tolerance >= least), 30)


def marking_guide_blocks(target: AnswerTarget) -> tuple[Block, ...]:
    """The accepted range, and one line for each known mistake with a value of its own: value, explanation, partial
    credit."""
    lines = []
    for mistake in target.known_mistakes:
        if is_number(mistake.value) and mistake.value != target.key:
            earns = f" Earns {float(mistake.credit) * 100:g} % of the points." if mistake.credit else ""
            line = f"{format_in_unit(mistake.value, target.unit)}: {mistake.message}{earns}"
            lines.append((plain_paragraph(line),))
    known = (Heading((Text("Known mistakes"),)), Bullets(tuple(lines))) if lines else ()
    return (*_accepted_range_paragraphs(target), *known)


def _accepted_range_paragraphs(target: AnswerTarget) -> Iterator[Block]:
    """Yields paragraphs for people who mark: which numbers are right, and which are half right."""
    key, unit = target.key, target.unit
    if isinstance(key, bool | str | tuple):
        return
    exact, margin = Fraction(key), max(abs(Fraction(key)) * target.relative_tolerance, target.tolerance.absolute_margin)
    if margin:
        figures = 4 if target.relative_tolerance >= _FINE_TOLERANCE else 6
        low, high = (format_in_unit(edge, unit, figures) for edge in (exact - margin, exact + margin))
        share = f"{float(target.relative_tolerance) * 100:g} %"
        by = format_in_unit(margin, unit) if target.tolerance.absolute_margin else share
        yield plain_paragraph(f"Accept: {low} to {high} (within {by}), in any unit that fits.")
    else:
        yield plain_paragraph("Accept: this value alone, in any unit that fits.")
    digits = target.min_significant_digits
    listed: list[Fraction] = []
    for more in range(digits, digits + MAX_LISTED_ROUNDINGS if digits else 0):
        right = [one for one, share in creditable_roundings(target, more) if share == 1 and one not in listed]
        if right:
            listed += right
            yield plain_paragraph(f"Also right, as rounded to {more} significant digits: {_values_text(right, unit)}.")
    half = [one for few in range(1, digits) for one, share in creditable_roundings(target, few) if share == HALF]
    if half:
        yield plain_paragraph(f"Half right, as rounded too far: {_values_text(list(dict.fromkeys(half)), unit)}.")


def _values_text(values: Iterable[Fraction], unit: Unit) -> str:
    return " and ".join(format_in_unit(value, unit, MAX_PRINTED_DIGITS) for value in values)


def choices_from_number(target: AnswerTarget, rng: SeededRng) -> DerivedChoices | None:
    """The key and three distractors as options of a choice. By size, the key is as likely first as last. None if the
    key is not a positive number."""
    key = target.key
    if isinstance(key, bool | str | tuple) or key <= 0:
        return None
    exact = Fraction(key)
    below: list[tuple[Fraction, str]] = []
    above: list[tuple[Fraction, str]] = []
    named = rng.shuffle(
        "misconceptions", [pair for k in target.known_mistakes if (pair := _distractor_value_and_reason(k))]
    )
    fillers = [(exact * factor, say) for factor, say in rng.shuffle("slips", _FILLER_FACTORS)]
    for value, say in (*named, *fillers):
        options = (exact, *(other for other, _ in (*below, *above)))
        if all(abs(value - other) > MIN_OPTION_DIFFERENCE * max(value, other) for other in options):
            (below if value < exact else above).append((value, say))
    rank = rng.draw_number("rank", DISTRACTOR_COUNT + 1)
    unit = target.unit
    distractors = (*below[:rank], *above[: DISTRACTOR_COUNT - rank])
    shown = tuple((format_in_unit(value, unit, OPTION_DIGITS), say) for value, say in distractors)
    return DerivedChoices(format_in_unit(exact, unit, OPTION_DIGITS), shown)


def _distractor_value_and_reason(mistake: MistakenAnswer) -> tuple[Fraction, str] | None:
    """A mistake's value and its explanation; None if the value is not positive or some convention makes it right."""
    if mistake.is_right_by_convention or isinstance(mistake.value, bool | str | tuple) or mistake.value <= 0:
        return None
    return Fraction(mistake.value), mistake.message


def portable_number(target: AnswerTarget) -> PortableNumber:
    """The key as a number for other programs. Its margin covers usual rounding, unless a named mistake lies within that
    margin."""
    unit = target.unit
    assert not isinstance(target.key, bool | str | tuple)
    value = Fraction(value_in_unit(target.key, unit))
    wrong: dict[Fraction, str] = {}
    for mistake in target.mistakes_outside_tolerance():
        assert not isinstance(mistake.value, bool | str | tuple)
        mistaken = Fraction(value_in_unit(mistake.value, unit))
        if not mistake.is_right_by_convention and not mistake.credit and abs(mistaken) < MAX_PORTABLE_NUMBER:
            wrong.setdefault(mistaken, mistake.message)
    rounding = max_rounding_error(Fraction(target.key), unit, target.min_significant_digits)
    if any(abs(Fraction(k.value) - Fraction(target.key)) <= rounding for k in target.mistakes_outside_tolerance()):  # type: ignore[arg-type]  # confusable mistakes are numbers
        rounding = Fraction(0)
    symbol = unit_text_in_prompt(unit)
    units = tuple(_compatible_units(unit)) if symbol else ()
    size = Fraction(unit.factor)
    zero = target.tolerance.absolute_margin / size if not value else Fraction(0)
    return PortableNumber(value, symbol, target.relative_tolerance, tuple(wrong.items()), units, zero, rounding / size)


def _compatible_units(unit: Unit) -> Iterator[tuple[str, Fraction]]:
    """Yields other spellings and prefixes of a unit with their factors, the closest in size first."""
    seen = {unit.plural}
    alike = [(s, u) for s, u in KNOWN_UNITS.items() if u.dim == unit.dim and s == u.symbol and s not in seen]
    alike.sort(key=lambda pair: (abs(log(pair[1].factor / unit.factor)), pair[0]))
    for spelling, other in [(unit.symbol, unit), *alike[:_MAX_OTHER_UNITS]]:
        if spelling not in seen:
            seen.add(spelling)
            yield spelling, Fraction(other.factor) / Fraction(unit.factor)


def unit_text_in_prompt(unit: Unit) -> str:
    """The unit as a prompt names it; empty for a plain number."""
    return "" if unit.dim.is_bare and unit.symbol != "%" else str(unit.plural)


def offline_number_key(target: AnswerTarget, scored_words: Iterable[tuple[str, Fraction, str]]) -> PageNumberKey:
    """The key for an offline page that scores responses. `scored_words` holds (word, share of the points,
    explanation)."""
    by_word = {word: (share, say) for word, share, say in scored_words}
    key = target.key
    if isinstance(key, tuple):
        return PageNumberKey(expected_numbers=tuple(Fraction(part) for part in key), words=by_word)
    if isinstance(key, bool | str):
        return PageNumberKey(words=by_word, known_mistakes=tuple(_known_number_mistakes(target)))
    exact = Fraction(key)
    factors = target.possible_slips()[:MAX_LISTED_SLIPS]
    return PageNumberKey(
        exact,
        max(abs(exact) * target.relative_tolerance, target.tolerance.absolute_margin),
        target.min_significant_digits,
        amount_whose_digits_count(exact, target.unit),
        tuple(_known_number_mistakes(target)),
        tuple(
            KnownMistake(
                s.factor * exact, abs(s.factor * exact), s.message, target.credit_by_mistake.get(s.id, Fraction(0))
            )
            for s in factors
            if exact
        ),
        by_word,
        gives_half_credit=bool(target.min_significant_digits) and "rounded-too-far" not in target.credit_by_mistake,
        is_whole=target.is_whole,
    )


def _known_number_mistakes(target: AnswerTarget) -> Iterator[KnownMistake]:
    for mistake in target.known_mistakes:
        if not isinstance(mistake.value, bool | str | tuple):
            value = Fraction(mistake.value)
            yield KnownMistake(value, amount_whose_digits_count(value, target.unit), mistake.message, mistake.credit)
