"""Diagnoses a reading: correct, or wrong with the mistake that explains it.

In order: the key within the tolerance; a misconception of the item that is exact or rounds alike; the key rounded to
enough digits; another kind of quantity; the item's other misconceptions, the nearest first; the right number with a
wrong unit; one too many or too few; the key rounded too far; factor slips, the simplest first; the formula with one
input changed.

A factor slip is a simple multiple of the key. It is tried only if it is plausible: bits for bytes if data is requested,
a percentage if a plain number is, a degree if the formula has one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Final

from quizgen.formula import FormulaError, quantity, units
from quizgen.formula.definition import Evaluation, Formula, Input, InputValue
from quizgen.formula.expression import name_nodes
from quizgen.formula.quantity import FLOAT_ERROR, AnswerValue, Number, Reading, Tolerance, is_number, is_within_share
from quizgen.formula.units import Unit, answer_dimension_fits, dimension_text

KB_PER_KIB: Final = Fraction(1024, 1000)
_UNIT_LABELS_OF_PARALLELISM: Final = units.WORK_SHARING_LABEL_NAMES | {"micro-batch", "layer", "expert", "step"}
# Counted by formulas of training runs; other formulas get no remark about passes.
DIMENSIONS_MARKING_TRAINING_FORMULAS: Final = ("param", "token", units.FLOP_DIMENSION)


@dataclass(frozen=True, slots=True)
class FactorSlip:
    """A slip: `factor` is response / key, `message` the message to the candidate."""

    id: str
    factor: Fraction
    message: str


_PERCENT_SLIPS: Final = (
    FactorSlip("percent-for-fraction", Fraction(100), "That is 100 times too large: a percentage given as a number."),
    FactorSlip("fraction-for-percent", Fraction(1, 100), "That is a hundredth of it: a fraction given as percent."),
)
_BIT_BYTE_SLIPS: Final = tuple(
    FactorSlip("bits-for-bytes", factor, f"That is {size} the answer: bits and bytes are mixed up (1 B = 8 b).")
    for factor, size in ((Fraction(8), "8 times"), (Fraction(1, 8), "an eighth of"))
)
_DECIMAL_PREFIX_SLIPS: Final = tuple(
    FactorSlip(name, Fraction(10) ** (sign * power), f"That is {times} {size}: check the prefix.")
    for power, times in ((3, "1000"), (6, "10^6"), (9, "10^9"), (12, "10^12"))
    for name, sign, size in (("times-1000", 1, "times too large"), ("over-1000", -1, "times too small"))
)
_BYTES_PER_PARAMETER_SLIPS: Final = (
    FactorSlip("recipe-18-for-16", Fraction(9, 8), "That is right for 18 bytes a parameter; this item uses 16."),
    FactorSlip("recipe-16-for-18", Fraction(8, 9), "That is right for 16 bytes a parameter; this item uses 18."),
)
# Multiples that training explains: of passes, and of the bytes of types.
_THREE_TIMES_REASON: Final = "a forward and a backward pass are 3 times a forward pass"
_FOUR_THIRDS_REASON: Final = "a forward pass that is recomputed adds a third"
_PASS_COUNT_SLIPS: Final = (
    FactorSlip("three-times", Fraction(3), f"That is 3 times the answer: {_THREE_TIMES_REASON}."),
    FactorSlip("one-third", Fraction(1, 3), f"That is a third of the answer: {_THREE_TIMES_REASON}."),
    FactorSlip("four-thirds", Fraction(4, 3), f"That is 4/3 of the answer: {_FOUR_THIRDS_REASON}."),
    FactorSlip("three-quarters", Fraction(3, 4), f"That is 3/4 of the answer: {_FOUR_THIRDS_REASON}."),
)
_BYTES_PER_NUMBER_SLIPS: Final = (
    FactorSlip("four-times", Fraction(4), "That is 4 times the answer: 4 bytes (fp32) where the type takes 1."),
    FactorSlip("one-quarter", Fraction(1, 4), "That is a quarter of the answer: 1 byte where the type takes 4."),
)
_PASS_SLIPS_WITHOUT_REASON, _BYTES_SLIPS_WITHOUT_REASON = (
    tuple(replace(slip, message=f"{slip.message.partition(':')[0]}.") for slip in slips)
    for slips in (_PASS_COUNT_SLIPS, _BYTES_PER_NUMBER_SLIPS)
)


@lru_cache(maxsize=256)  # four kilobytes each
def possible_factor_slips(unit: Unit, evaluation: Evaluation | None = None) -> tuple[FactorSlip, ...]:
    """Every slip that is plausible for an answer in `unit` of the run `evaluation`, the simplest first.

    If the formula counts parameters, 16 and 18 bytes of one can be confused; passes are named only if it counts FLOP
    and parameters or tokens; if it counts none of these, a multiple is reported without its meaning in training."""
    dim, head = unit.dim, unit.symbol.partition("/")[0]
    prefixes = (*enumerate(units.FACTOR_BY_BINARY_PREFIX, start=1), *enumerate(units.FACTOR_BY_SI_PREFIX, start=1))
    prefix_power = next((power for power, one in prefixes if head.startswith(one) and len(head) > len(one)), 0)
    formula = evaluation.formula if evaluation is not None else None
    units_of_run = [formula.unit, *(entry.unit for entry in formula.inputs.values())] if formula is not None else []
    markers = {name for name in DIMENSIONS_MARKING_TRAINING_FORMULAS for one in units_of_run if one.dim.power_of(name)}
    data, is_bare = bool(dim.power_of(units.DATA_DIMENSION)), dim.is_bare
    passes = _PASS_COUNT_SLIPS if units.FLOP_DIMENSION in markers and len(markers) > 1 else _PASS_SLIPS_WITHOUT_REASON
    slips = [FactorSlip("wrong-sign", Fraction(-1), "The size is right, the sign is not.")]
    slips += _PERCENT_SLIPS if is_bare else ()
    if data:
        slips += (*_BIT_BYTE_SLIPS, *_slips_of_binary_powers(prefix_power or 3))  # 3: GB and GiB, also without a prefix
    slips += (*_DECIMAL_PREFIX_SLIPS, *_factor_two_slips(unit, bool(markers)), *_parallelism_factor_slips(evaluation))
    slips += _BIT_BYTE_SLIPS if dim.power_of(units.TIME_DIMENSION) and not data else ()
    slips += () if is_bare else passes
    slips += _BYTES_PER_PARAMETER_SLIPS if data and "param" in markers else ()
    if data:
        slips += _BYTES_PER_NUMBER_SLIPS if markers else _BYTES_SLIPS_WITHOUT_REASON
        # Other prefix powers that may have been mixed up: any if no prefix was requested, otherwise the smaller ones
        # at which a conversion can have stopped (not the first: 2.4 % is within chance).
        slips += _slips_of_binary_powers(*(range(prefix_power - 1, 1, -1) if prefix_power else (1, 2, 4)))
    return (*slips, *(passes if is_bare else ()))


def _parallelism_factor_slips(evaluation: Evaluation | None) -> Iterator[FactorSlip]:
    """Yields multiplication and division by a degree, then the factor (N-1)/N of a ring left out or applied. A degree
    is a whole count of 2 or more that shares or repeats the work, but no enum or size."""
    degrees = [
        (entry, int(value))
        for entry, value in (evaluation.inputs_with_values() if evaluation is not None else ())
        if (entry.unit.dim.is_bare or entry.unit.dim.count_label in _UNIT_LABELS_OF_PARALLELISM)
        and (entry.value_kind.type == "number" and not entry.allowed_base_values)
        and (isinstance(value, int | Fraction) and value == int(value) and 2 <= value <= 10**6)
    ]
    for entry, n in degrees:
        times = f"{entry.name} = {n}"
        message = f"That is {times} times the answer: {entry.description}: one of them is asked."
        yield FactorSlip("times-n", Fraction(n), message)
        yield FactorSlip("over-n", Fraction(1, n), f"That is the answer over {times}, which is not divided by here.")
    for entry, n in degrees:
        if n > 2:
            share = f"({entry.name}-1)/{entry.name} = {n - 1}/{n}"
            yield FactorSlip("without-ring-factor", Fraction(n, n - 1), f"The factor {share} is missing.")
            yield FactorSlip("with-ring-factor", Fraction(n - 1, n), f"The factor {share} does not belong here.")


def _slips_of_binary_powers(*powers: int) -> Iterator[FactorSlip]:
    for power in powers:
        si, binary = list(units.FACTOR_BY_SI_PREFIX)[power - 1], list(units.FACTOR_BY_BINARY_PREFIX)[power - 1]
        conversion = f"1 {binary}B = 1.024^{power} {si}B = {float(KB_PER_KIB**power):.4g} {si}B"
        yield FactorSlip("gib-for-gb", KB_PER_KIB**power, f"That is {binary}B taken for {si}B: {conversion}.")
        yield FactorSlip("gb-for-gib", 1 / KB_PER_KIB**power, f"That is {si}B taken for {binary}B: {conversion}.")


def _factor_two_slips(unit: Unit, is_training: bool) -> tuple[FactorSlip, FactorSlip]:
    twice_advice, half_advice = "check what is doubled", "check what should be doubled"
    if unit.dim.power_of(units.DATA_DIMENSION) and is_training:
        twice_advice = "count one direction, phase or tensor, or check the bytes of a type of half the width"
        half_advice = "count both directions, phases or tensors, or check the bytes of a wider type"
    elif unit.dim.power_of(units.FLOP_DIMENSION):
        twice_advice = half_advice = "a multiply-add is two operations"
    return (
        FactorSlip("twice", Fraction(2), f"That is twice the answer: {twice_advice}."),
        FactorSlip("half", Fraction(1, 2), f"That is half the answer: {half_advice}."),
    )


_RELATIVE_FLOAT_COMPARISON_SLACK: Final = 1e-6  # above any floating-point error
MIN_TOLERANCES_FROM_KEY: Final = 5  # tolerances between the key and a slip or misconception that distinguish them
_MAX_ROUNDING_OF_MISTAKE: Final = Fraction(1, 1000)  # for a whole number of many digits: 1.678e7 for 16,777,216
_MAX_ROUNDED_TOO_FAR_SHARE: Final = Fraction(1, 3)  # beyond this relative error a short number is wrong, not rounded
_MAX_HALF_CREDIT_ERROR: Final = Fraction(1, 10)  # largest relative error for half of the points

# The ids of mistakes that no author names; docs/diagnosis.md describes them.
BUILT_IN_MISTAKE_IDS: Final = (
    "wrong-dimension", "not-impossible", "is-impossible", "not-unbounded", "is-unbounded", "wrong-order", "other-unit",
    "off-by-one", "rounded-too-far", "input-left-out", "other-choice", "one-more", "one-less",
    "wrong-sign", "percent-for-fraction", "fraction-for-percent", "bits-for-bytes", "gib-for-gb", "gb-for-gib",
    "times-1000", "over-1000", "twice", "half", "times-n", "over-n", "without-ring-factor", "with-ring-factor",
    "three-times", "one-third", "four-thirds", "three-quarters", "recipe-18-for-16", "recipe-16-for-18", "four-times",
    "one-quarter",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MistakenAnswer:
    """The answer of a named mistake in this variant."""

    id: str
    base_value: AnswerValue
    message: str
    credit_share: Fraction = Fraction(0)
    is_right_by_other_convention: bool = False  # right by another convention


@dataclass(frozen=True, slots=True)
class AnswerTarget:
    """The key with which a response is compared, and the wrong answers of known mistakes. `base_key` is in base
    units; `unit` is the requested unit.

    `credit_share_by_mistake` maps the id of a slip or a misconception to the share of the points that it earns."""

    base_key: AnswerValue
    unit: Unit
    tolerance: Tolerance
    is_answer_always_whole: bool = False
    mistaken_answers: tuple[MistakenAnswer, ...] = ()
    credit_share_by_mistake: Mapping[str, Fraction] = field(default_factory=dict)
    evaluation: Evaluation | None = None  # the run behind the key, for trying other inputs

    @property
    def relative_tolerance(self) -> Fraction:
        """The tolerance as a share of the key; 0 if the key is not a number."""
        return self.tolerance.as_share_of_key(self.base_key) if is_number(self.base_key) else Fraction(0)

    @property
    def min_significant_digits(self) -> int:
        """The significant digits that a rounded number needs; 0: rounding is not accepted."""
        return self.tolerance.min_significant_digits(self.base_key) if is_number(self.base_key) else 0

    def mistakes_outside_tolerance(self) -> Iterator[MistakenAnswer]:
        """Yields the known mistakes whose answers are outside the tolerance of the key."""
        return (k for k in self.mistaken_answers if is_number(k.base_value) and self.is_outside_tolerance(k.base_value))

    def is_outside_tolerance(self, value: Number) -> bool:
        """True if a number in base units is outside the tolerance of the key; False if the key is not a number."""
        return is_number(self.base_key) and not self.tolerance.accepts_base_value(value, self.base_key)


def make_answer_target(
    evaluation: Evaluation, unit: Unit, tolerance: Tolerance, credits: Mapping[str, Fraction] | None = None
) -> AnswerTarget:
    """The target of a variant: the key in `evaluation`, and the answers of its misconceptions.
    `credits` maps ids of mistakes to shares of the points. The message of a misconception that is right
    by another convention says so and names the convention of the formula."""
    formula, credits = evaluation.formula, credits or {}
    convention_text = f" Here: {formula.convention}." if formula.convention else ""
    mistakes = []
    for m, answer in formula.misconceptions_with_answers(evaluation):
        convention, message = m.alternative_convention_text, m.message
        if convention:
            message = f"Right by another convention: {convention}.{convention_text} {message}"
        mistakes.append(MistakenAnswer(m.id, answer, message, credits.get(m.id, m.credit_share), bool(convention)))
    is_key_whole = formula.is_answer_always_whole
    return AnswerTarget(evaluation.answer, unit, tolerance, is_key_whole, tuple(mistakes), credits, evaluation)


# -- the verdict on a reading


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The judgement of a response. `reading` is the reading that was judged; `mistake_id` names the mistake (None:
    correct, or unexplained). `is_rounded_key`: correct, or half correct, as the rounded key."""

    is_correct: bool
    reading: Reading
    mistake_id: str | None = None
    message: str = ""
    credit_share: Fraction = Fraction(0)
    is_rounded_key: bool = False


def diagnose_reading(reading: Reading, target: AnswerTarget) -> Diagnosis:
    """Whether a reading is correct, and if not, the mistake that explains it: of `reading` itself, or of one of its
    `other_readings` if a misconception of the item explains it or it is right in part. Never raises."""
    readings = (reading, *reading.other_readings)
    for one in readings:
        if is_correct_reading(one, target.base_key, target.unit, target.tolerance):
            return Diagnosis(True, one, credit_share=Fraction(1))
    for one in readings:
        if _is_rounding_of_key_only(one, target, target.min_significant_digits):
            return Diagnosis(True, one, credit_share=Fraction(1), is_rounded_key=True)
    verdicts = [_diagnose_wrong_reading(one, target) for one in readings]
    if _has_ambiguous_decimal_point(reading) and len({verdict.mistake_id for verdict in verdicts}) > 1:
        return Diagnosis(False, reading._replace(read_as=" or ".join(one.read_as for one in readings)))
    ids = {mistake.id for mistake in target.mistaken_answers}
    return next((verdict for verdict in verdicts if verdict.mistake_id in ids or verdict.credit_share), verdicts[0])


def is_correct_reading(reading: Reading, key: AnswerValue, unit: Unit, tolerance: Tolerance) -> bool:
    """True if a reading is the key, or a number within the tolerance of it, in a unit that fits."""
    value = reading.value
    if isinstance(key, bool | str | tuple) or isinstance(value, bool | str | tuple):
        return type(key) is type(value) and key == value
    return answer_dimension_fits(reading.unit.dim, unit.dim) and tolerance.accepts_base_value(reading.base_value, key)


def rounded_base_keys_with_credit(target: AnswerTarget, digits: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Yields the key rounded to `digits` digits, in base units, with the share of the points that it earns: if it is
    outside the tolerance, and no known mistake rounds to the same number. Two numbers if the key is halfway between."""
    for base, reading in _unaccepted_base_keys_and_readings(target, digits):
        if (verdict := diagnose_reading(reading, target)).is_rounded_key:
            yield base, verdict.credit_share


def mistakes_with_key_rounding(target: AnswerTarget) -> Iterator[tuple[MistakenAnswer, Fraction]]:
    """Yields each known mistake that rounds to the same number as the key, with that number, if it is outside the
    tolerance."""
    for base, reading in _unaccepted_base_keys_and_readings(target, target.min_significant_digits):
        for mistake in target.mistakes_outside_tolerance():
            if _is_mistaken_answer(reading, mistake, target.unit, target.min_significant_digits):
                yield mistake, base


def _unaccepted_base_keys_and_readings(target: AnswerTarget, digits: int) -> Iterator[tuple[Fraction, Reading]]:
    """Yields the roundings of the key, a number, that are outside its tolerance, in base units and as readings."""
    assert is_number(target.base_key)
    key, unit = Fraction(target.base_key), target.unit
    half = quantity.key_rounding_margin_in_base_units(key, unit, digits)
    place = 2 * half
    for base in sorted({ceil((key - half) / place) * place, floor((key + half) / place) * place}) if place else ():
        if base and not target.tolerance.accepts_base_value(base, target.base_key):
            # 980 to one digit is typed as 1,000, whose place is a thousand.
            typed_place = 2 * quantity.key_rounding_margin_in_base_units(base, unit, digits)
            yield base, Reading(quantity.value_in_unit(base, unit), unit, "", typed_place / unit.factor)


def _is_rounding_of_key_only(reading: Reading, target: AnswerTarget, digits: int) -> bool:
    """True if a reading is the key rounded to `digits` digits, and no known mistake rounds to the same number."""
    if isinstance(target.base_key, bool | str | tuple) or isinstance(reading.value, bool | str | tuple) or not digits:
        return False
    if not _may_be_near(quantity.float_or_infinity(reading.base_value), target.base_key, 10.0 ** (1 - digits)):
        return False
    return quantity.is_rounding_of(reading, target.base_key, target.unit, digits) and not any(
        _is_mistaken_answer(reading, mistake, target.unit, digits) for mistake in target.mistakes_outside_tolerance()
    )


def _is_mistaken_answer(reading: Reading, mistake: MistakenAnswer, unit: Unit, digits: int) -> bool:
    """True if a reading is a known mistake exactly, or rounded to `digits` digits."""
    value = mistake.base_value
    assert not isinstance(value, bool | str | tuple)
    is_exact = is_within_share(reading.base_value, value, FLOAT_ERROR)
    return is_exact or quantity.is_rounding_of(reading, value, unit, digits)


def _has_ambiguous_decimal_point(reading: Reading) -> bool:
    """True for `16.000`: 16, or 16,000 if the point groups thousands. Such a response is not diagnosed by one of its
    two readings."""
    return any(
        alternative.place_value is not None
        and alternative.place_value == reading.place_value
        and alternative.base_value == 1000 * reading.base_value
        and Fraction(reading.base_value / reading.unit.factor).denominator == 1
        for alternative in reading.other_readings
    )


def _diagnose_wrong_reading(reading: Reading, target: AnswerTarget) -> Diagnosis:
    """The mistake that explains a reading that is not right."""
    key, value = target.base_key, reading.value
    if isinstance(key, bool | str | tuple) or isinstance(value, bool | str | tuple):
        return _diagnose_non_numeric_answer(reading, target)
    if not answer_dimension_fits(reading.unit.dim, target.unit.dim):
        unit = target.unit
        kind = dimension_text(unit.dim) + (f", in {unit.plural_symbol}" if unit.symbol != "1" else "")
        message = f"{reading.read_as} is {dimension_text(reading.unit.dim)}; the item asks for {kind}."
        return Diagnosis(False, reading, "wrong-dimension", message)
    amount, exact_key = Fraction(reading.base_value), Fraction(key)
    verdict = _diagnose_misconception(amount, reading, target)
    if verdict is None and amount and key:
        case = amount, exact_key, reading, target
        verdict = _diagnose_other_unit(*case) or _diagnose_off_by_one_or_rounding(*case)
        verdict = verdict or _diagnose_factor_slip(*case) or _diagnose_input_change(*case)
    return verdict or Diagnosis(False, reading)


# -- answers that are not single numbers ----------------------------------------------------

# A word -> the mistake and the remark if it is given and is not the key, and if it is the key and is not given.
_GIVEN_AND_MISSED_MISTAKES_BY_ANSWER_WORD: Final = {
    "impossible": (("not-impossible", "There is an answer."), ("is-impossible", "No value does it.")),
    "unbounded": (("not-unbounded", "There is a bound."), ("is-unbounded", "There is no bound.")),
}


def _diagnose_non_numeric_answer(reading: Reading, target: AnswerTarget) -> Diagnosis:
    key, value = target.base_key, reading.value
    for mistake in target.mistaken_answers:
        if type(mistake.base_value) is type(value) and mistake.base_value == value:
            return Diagnosis(False, reading, mistake.id, mistake.message, mistake.credit_share)
    if isinstance(key, tuple) and isinstance(value, tuple) and sorted(key) == sorted(value):
        return _diagnosis_with_mistake_id("wrong-order", "The numbers are right, their order is not.", reading, target)
    if isinstance(value, str) and value in _GIVEN_AND_MISSED_MISTAKES_BY_ANSWER_WORD:
        return _diagnosis_with_mistake_id(*_GIVEN_AND_MISSED_MISTAKES_BY_ANSWER_WORD[value][0], reading, target)
    verdict = None
    if is_number(value) and answer_dimension_fits(reading.unit.dim, target.unit.dim):
        verdict = _diagnose_misconception(Fraction(reading.base_value), reading, target)
    if verdict is None and isinstance(key, str) and key in _GIVEN_AND_MISSED_MISTAKES_BY_ANSWER_WORD:
        verdict = _diagnosis_with_mistake_id(*_GIVEN_AND_MISSED_MISTAKES_BY_ANSWER_WORD[key][1], reading, target)
    return verdict or Diagnosis(False, reading)


def _diagnosis_with_mistake_id(mistake_id: str, message: str, reading: Reading, target: AnswerTarget) -> Diagnosis:
    return Diagnosis(False, reading, mistake_id, message, target.credit_share_by_mistake.get(mistake_id, Fraction(0)))


# -- numbers --------------------------------------------------------------------------------


def _diagnose_misconception(amount: Fraction, reading: Reading, target: AnswerTarget) -> Diagnosis | None:
    """The nearest of the item's own misconceptions, within the tolerance or rounded as a correct number may be; None if
    there is none."""
    digits = target.min_significant_digits
    half = reading.place_value * reading.unit.factor / 2 if reading.place_value is not None else Fraction(0)
    if is_number(target.base_key) and abs(amount - Fraction(target.base_key)) <= half:
        half = Fraction(0)  # the key itself, rounded

    float_amount = quantity.float_or_infinity(amount)
    slack = max(float(target.relative_tolerance), float(_MAX_ROUNDING_OF_MISTAKE), 10.0 ** (1 - digits) * bool(digits))

    def is_meant(value: Fraction) -> bool:
        if not _may_be_near(float_amount, value, slack):
            return False
        share = max(target.relative_tolerance, FLOAT_ERROR)
        if abs(amount - value) <= max(share * abs(value), min(half, _MAX_ROUNDING_OF_MISTAKE * abs(value))):
            return True
        return quantity.is_rounding_of(reading, value, target.unit, digits) and target.is_outside_tolerance(value)

    pairs = [
        (mistake, Fraction(mistake.base_value)) for mistake in target.mistaken_answers if is_number(mistake.base_value)
    ]
    matches = [(abs(amount - value) / (abs(value) or 1), mistake) for mistake, value in pairs if is_meant(value)]
    best = min(matches, key=lambda pair: pair[0])[1] if matches else None
    return Diagnosis(False, reading, best.id, best.message, best.credit_share) if best is not None else None


def _diagnose_other_unit(amount: Fraction, key: Fraction, reading: Reading, target: AnswerTarget) -> Diagnosis | None:
    """The diagnosis of the number of the key with another unit of the same kind: 31.7 GiB for 31.7 GB, 2 h for 2 s."""
    ratio = Fraction(reading.unit.factor) / target.unit.factor
    if ratio == 1 or not is_within_share(amount / ratio, key, target.relative_tolerance):
        return None
    message = f"The number is right, the unit is not: {reading.unit} where {target.unit} is right."
    mistake_id = next((s.id for s in possible_factor_slips(target.unit) if s.factor == ratio), "other-unit")
    return _diagnosis_with_mistake_id(mistake_id, message, reading, target)


def _diagnose_off_by_one_or_rounding(
    amount: Fraction, key: Fraction, reading: Reading, target: AnswerTarget
) -> Diagnosis | None:
    """The diagnosis of a count that is one too many or too few, or of the key rounded to fewer digits than are needed:
    half right within a tenth of the key, if no known mistake rounds to the same number."""
    error, place = abs(amount - key), reading.place_value
    if target.is_answer_always_whole and error == target.unit.factor:
        message = "That is one too many." if amount > key else "That is one too few."
        return _diagnosis_with_mistake_id("off-by-one", message, reading, target)
    if place is None or error > min(place * reading.unit.factor / 2, _MAX_ROUNDED_TOO_FAR_SHARE * abs(key)):
        return None
    digits = target.min_significant_digits
    earns_half = digits and error <= _MAX_HALF_CREDIT_ERROR * abs(key) and _is_rounding_of_key_only(reading, target, 1)
    credit = target.credit_share_by_mistake.get("rounded-too-far", Fraction(1, 2) if earns_half else Fraction(0))
    need = f"give {digits} significant digits"
    if not digits:
        need = "give more digits" if target.relative_tolerance else "give the exact number"
    elif quantity.key_or_gap_to_100(key, target.unit) != abs(key):
        need += " of the distance from 100 %"
    return Diagnosis(False, reading, "rounded-too-far", f"Rounded too far: {need}.", credit, bool(credit))


def _diagnose_factor_slip(amount: Fraction, key: Fraction, reading: Reading, target: AnswerTarget) -> Diagnosis | None:
    """The diagnosis of the key times the factor of a mistake in units or in a degree; None if no factor fits."""
    ratio = quantity.float_or_infinity(amount) / (quantity.float_or_infinity(key) or 1.0)
    share = target.relative_tolerance
    slack = float(share)
    for slip in possible_factor_slips(target.unit, target.evaluation):
        if not _may_be_near(ratio, slip.factor, slack):
            continue
        # A factor so close to 1 that chance explains it too needs a closer match.
        is_close = abs(slip.factor - 1) < MIN_TOLERANCES_FROM_KEY * share
        tolerance = max(share / MIN_TOLERANCES_FROM_KEY if is_close else share, FLOAT_ERROR)
        if is_within_share(amount, slip.factor * key, tolerance):
            return _diagnosis_with_mistake_id(slip.id, slip.message, reading, target)
    return None


def _diagnose_input_change(amount: Fraction, key: Fraction, reading: Reading, target: AnswerTarget) -> Diagnosis | None:
    """The diagnosis of the formula with one input left out, with another choice, or with one more or one less."""
    run, share = target.evaluation, target.relative_tolerance
    if run is None or not is_number(run.answer):
        return None
    float_amount, slack = quantity.float_or_infinity(amount), max(share / MIN_TOLERANCES_FROM_KEY, FLOAT_ERROR)
    float_slack = float(slack)
    inputs = run.values_by_slot[: len(run.formula.inputs)]
    for mistake in _mistakes_with_changed_input(run.formula, inputs):
        if not (is_number(mistake.base_value) and _may_be_near(float_amount, mistake.base_value, float_slack)):
            continue
        value, margin = Fraction(mistake.base_value), MIN_TOLERANCES_FROM_KEY * share * abs(key)
        if is_within_share(amount, value, slack) and abs(value - key) > margin:
            return _diagnosis_with_mistake_id(mistake.id, mistake.message, reading, target)
    return None


def _may_be_near(response: float, value: Number, relative_slack: float) -> bool:
    """True if `response` may be within `relative_slack` (relative) of `value`; also if floating point cannot decide."""
    float_value = quantity.float_or_infinity(value)
    # `not … >`, since inf - inf is not a number and exceeds nothing
    return not abs(response - float_value) > (relative_slack + _RELATIVE_FLOAT_COMPARISON_SLACK) * abs(float_value)


# Mistakes possible in every formula: an omitted input, the other value of a choice, a count off by one.


MAX_CHANGED_INPUT_RUNS: Final = 40


@lru_cache(maxsize=256)
def _mistakes_with_changed_input(formula: Formula, input_values: tuple[InputValue, ...]) -> tuple[MistakenAnswer, ...]:
    """The answers of `formula` when one input differs from its value in `input_values`."""
    mistakes: list[MistakenAnswer] = []
    used_names = {one.name for step in formula.steps for one in name_nodes(step.tree)}
    changes = [
        (slot, *change)
        for slot, (entry, value) in enumerate(zip(formula.inputs.values(), input_values, strict=True))
        if entry.name in used_names
        for change in _mistaken_input_ids_values_and_messages(entry, value)
    ]
    for slot, name, value, message in changes[:MAX_CHANGED_INPUT_RUNS]:
        try:
            answer = formula.evaluate_slots([*input_values[:slot], value, *input_values[slot + 1 :]]).answer
        except FormulaError:
            continue
        if is_number(answer):
            mistakes.append(MistakenAnswer(name, answer, message))
    return tuple(mistakes)


def _mistaken_input_ids_values_and_messages(entry: Input, value: InputValue) -> Iterator[tuple[str, InputValue, str]]:
    """Yields the values for which an input may be mistaken: id, value, and the message to the candidate."""
    choices: tuple[InputValue, ...] = entry.value_kind.enum_words or entry.allowed_base_values
    for choice in choices:
        if choice != value:
            own, here = (quantity.value_in_unit(v, entry.unit) if is_number(v) else v for v in (choice, value))
            yield "other-choice", choice, f"That is right for {entry.name} = {own}; here it is {here}."
    if choices or entry.value_kind.type != "number" or isinstance(value, str | tuple):
        return
    if value != entry.unit.factor:
        yield "input-left-out", entry.unit.factor, f"That leaves out {entry.name}, {entry.description}."
    is_count = entry.is_whole or bool(entry.unit.dim.count_label)
    if is_count and entry.unit.factor == 1 and Fraction(value).denominator == 1 and 2 <= value <= 10_000:
        yield "one-more", value + 1, f"That uses one more than {entry.name} = {value}."
        yield "one-less", value - 1, f"That uses one less than {entry.name} = {value}."
