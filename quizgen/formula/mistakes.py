"""From a reading to a verdict: right, or wrong and which mistake explains it.

In order: the kind of quantity, the key within tolerance, the item's own misconceptions (nearest
first), the right number with another unit, rounding, and ratio slips from simple to less simple.
Comparison is relative and exact in rationals, the edge of the tolerance included; there is no
absolute part, so zero matches nothing but zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from quizgen.formula.definition import Answer, Evaluation, Formula, ImpossibleAnswer, Misconception
from quizgen.formula.factor_slips import MAX_DEGREE, TRAINING, Degree, slips, slips_near
from quizgen.formula.input_mixups import ABOUT as VARIED
from quizgen.formula.input_mixups import varied
from quizgen.formula.inputs import Input
from quizgen.formula.quantity import Number, divided, in_unit, parts
from quizgen.formula.reading import Reading, Value, show_number
from quizgen.formula.unit_fit import fits
from quizgen.formula.unit_table import PLACES
from quizgen.formula.units import Unit, kind_of

ROUNDING: Final = Fraction(1, 10**9)  # of a value that was calculated in floats, or typed from one
_FULL: Final = Fraction(1)
_BLUR: Final = 1e-6  # more than floating point can be off
_APART: Final = 5  # tolerances between a slip and the key that make it stand out
_COPIED: Final = Fraction(1, 1000)  # a whole number of many digits, as 1.678e7 is of 16,777,216
_COPIED_FLOAT: Final = float(_COPIED)
_COARSEST: Final = 1 / 3  # beyond this error a short number is wrong, not rounded

ABOUT: Final = {
    "wrong-dimension": "a quantity of another kind, such as a time where data is asked",
    "not-impossible": "`impossible`, although there is an answer",
    "is-impossible": "a number, although there is none",
    "not-unbounded": "`unbounded`, although there is a bound",
    "is-unbounded": "a number, although there is no bound",
    "wrong-order": "the right numbers of a tuple in another order",
    "other-unit": "the right number with another unit of the same kind",
    "off-by-one": "one more or one less than a whole key",
    "rounded-too-far": "right to the digits that were written, but outside the tolerance",
    **VARIED,
}
_SHARED_OVER: Final = frozenset({*(name for name, _, _ in PLACES), "micro-batch", "layer", "expert", "step"})


@dataclass(frozen=True, slots=True)
class Known:
    """What a named mistake comes to in this variant, in base units."""

    id: str
    value: Value
    say: str
    credit: Fraction = Fraction(0)
    convention: bool = False  # right by another convention


@dataclass(frozen=True, slots=True)
class Target:
    """What a response is held against. `key` is in base units; `unit` is the one that is asked.

    `tolerance` is relative (0: exact). `credits` gives the share of the points that a slip or a
    misconception earns, by its id.
    """

    key: Value
    unit: Unit
    tolerance: Fraction
    whole: bool = False
    known: tuple[Known, ...] = ()
    degrees: tuple[Degree, ...] = ()
    counted: frozenset[str] = frozenset()  # of TRAINING: what of a training run its formula counts
    credits: Mapping[str, Fraction] = field(default_factory=dict)
    evaluation: Evaluation | None = None  # the run behind the key, of which other inputs can be tried


def target(
    evaluation: Evaluation,
    unit: Unit,
    tolerance: Fraction,
    whole: bool | None = None,
    credits: Mapping[str, Fraction] | None = None,
) -> Target:
    """The target of a variant: its key, and what each misconception and degree of its formula comes to."""
    formula = evaluation.formula
    known = _mistakes(evaluation)
    if credits:
        known = tuple(replace(one, credit=credits.get(one.id, one.credit)) for one in known)
    degrees, counted = _degrees(evaluation)
    exact = formula.whole if whole is None else whole
    key = plain_answer(evaluation.answer)
    return Target(key, unit, tolerance, exact, known, degrees, counted, credits or {}, evaluation)


@lru_cache(maxsize=256)
def _mistakes(evaluation: Evaluation) -> tuple[Known, ...]:
    """What each misconception comes to in a run, and what is said of it: every response to a variant needs the same."""
    formula = evaluation.formula
    return tuple(
        Known(m.id, plain_answer(value), said(formula, m), m.credit, bool(m.convention))
        for m, value in formula.mistaken(evaluation)
    )


@lru_cache(maxsize=256)
def _degrees(evaluation: Evaluation) -> tuple[tuple[Degree, ...], frozenset[str]]:
    """The degrees of a run, and which of parameters, tokens and operations it counts."""
    inputs = evaluation.formula.inputs.values()
    found = tuple(
        Degree(i.name, int(Fraction(v)), i.about)
        for i, v in zip(inputs, evaluation.values, strict=False)
        if isinstance(v, int | Fraction) and _is_degree(i, v)
    )
    dims = [i.unit.dim for i in inputs] + [evaluation.formula.unit.dim]
    return found, frozenset(name for name in TRAINING for dim in dims if dim.power(name))


def said(formula: Formula, misconception: Misconception) -> str:
    """What the candidate is told; of another convention, that the number is right by it and which one holds here."""
    if not misconception.convention:
        return misconception.say
    here = f" Here: {formula.convention}." if formula.convention else ""
    return f"Right by another convention: {misconception.convention}.{here} {misconception.say}"


def plain_answer(answer: Answer) -> Value:
    return "impossible" if isinstance(answer, ImpossibleAnswer) else answer


def _is_degree(entry: Input, value: int | Fraction) -> bool:
    """A whole count of 2 or more that work is shared or repeated over; no enum, no size."""
    if entry.choices or entry.kind.shape != "number" or value != int(value) or not 2 <= value <= MAX_DEGREE:
        return False
    return entry.unit.dim.bare or entry.unit.dim.label in _SHARED_OVER


# -- the verdict on a reading


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """`reading` is the one that was judged; `id` names the mistake (None: right, or unexplained)."""

    right: bool
    reading: Reading
    id: str | None = None
    say: str = ""
    credit: Fraction = Fraction(0)


_NO_NUMBER: Final = (bool, str, tuple, ImpossibleAnswer)


def diagnose(reading: Reading, wanted: Target) -> Diagnosed:
    """Whether a reading is right, and if not, the mistake that explains it. Never raises."""
    for one in (reading, *reading.others):
        if is_right(one, wanted.key, wanted.unit, wanted.tolerance):
            return Diagnosed(True, one, credit=_FULL)
    return mistake(reading, wanted)


def mistake(reading: Reading, wanted: Target) -> Diagnosed:
    """What explains a reading that is known to be wrong, as are its others."""
    first = _judge(reading, wanted)
    if not reading.others:
        return first
    rest = [_judge(other, wanted) for other in reading.others]
    if _is_grouped(reading) and any(verdict.id != first.id for verdict in rest):
        shown = " or ".join(r.read_as for r in (reading, *reading.others))
        return Diagnosed(False, replace(reading, read_as=shown))
    named = {k.id for k in wanted.known}
    return next((v for v in (first, *rest) if v.id in named), first)


def _is_grouped(reading: Reading) -> bool:
    """`16.000`: 16, or with a point that groups thousands 16,000; no mistake is told by one of them alone."""
    ways = [one for one in reading.others if one.step is not None and one.step == reading.step]
    whole = bool(ways) and Fraction(reading.base / reading.unit.factor).denominator == 1
    return whole and any(one.base == 1000 * reading.base for one in ways)


def is_right(reading: Reading, key: Value | ImpossibleAnswer, unit: Unit, tolerance: Fraction) -> bool:
    """The key itself, or for a number within the tolerance of it, in a unit that fits.

    Cheap: no mistake is worked out. `Reading.others` are not looked at; `diagnose` does that.
    """
    value = reading.value
    if isinstance(key, _NO_NUMBER) or isinstance(value, _NO_NUMBER):
        return type(key) is type(value) and key == value
    assert not isinstance(key, ImpossibleAnswer)
    if not fits(reading.unit.dim, unit.dim):
        return False
    if isinstance(key, float) or isinstance(value, float):
        return matches(reading.base, key, tolerance)
    (over, under), (times, by) = parts(value), parts(reading.unit.factor)
    return _within(over * times, under * by, key, tolerance)


def _judge(reading: Reading, wanted: Target) -> Diagnosed:
    """What explains a reading that is not right."""
    key, value = wanted.key, reading.value
    if isinstance(key, _NO_NUMBER) or isinstance(value, _NO_NUMBER):
        return _no_number(reading, wanted)
    if not fits(reading.unit.dim, wanted.unit.dim):
        asked = kind_of(wanted.unit.dim) + (f", in {wanted.unit.plural}" if wanted.unit.symbol != "1" else "")
        say = f"{reading.read_as} is {kind_of(reading.unit.dim)}; the item asks for {asked}."
        return Diagnosed(False, reading, "wrong-dimension", say)
    given = _exact(reading.base)
    found = _known(given, reading, wanted) or _slip(given, _exact(key), reading, wanted)
    return found or Diagnosed(False, reading)


def matches(given: Number, key: Number, tolerance: Fraction) -> bool:
    """|given - key| <= tolerance * |key|, exactly. A key from floats is not taken more exactly than it is."""
    if isinstance(key, float):
        tolerance = max(tolerance, ROUNDING)
    return _within(*parts(given), key, tolerance)


def _within(a: int, b: int, key: Number, tolerance: Fraction) -> bool:
    """`matches` for a / b, which need not be in lowest terms."""
    (c, d), (p, q) = parts(key), parts(tolerance)
    return abs(a * d - c * b) * q <= p * abs(c) * b


# -- answers that are no single number ------------------------------------------------------

# A word that was given, and a word that is the key: the mistake and what is said of it.
_GIVEN: Final = {
    "impossible": ("not-impossible", "There is an answer."),
    "unbounded": ("not-unbounded", "There is a bound."),
}
_WANTED: Final = {
    "impossible": ("is-impossible", "No value does it."),
    "unbounded": ("is-unbounded", "There is no bound."),
}


def _no_number(reading: Reading, wanted: Target) -> Diagnosed:
    key, value = wanted.key, reading.value
    for known in wanted.known:
        if type(known.value) is type(value) and known.value == value:
            return Diagnosed(False, reading, known.id, known.say, known.credit)
    if isinstance(key, tuple) and isinstance(value, tuple) and sorted(key) == sorted(value):
        return _slipped("wrong-order", "The numbers are right, their order is not.", reading, wanted)
    if isinstance(value, str) and value in _GIVEN:
        return _slipped(*_GIVEN[value], reading, wanted)
    if not isinstance(value, _NO_NUMBER) and fits(reading.unit.dim, wanted.unit.dim):
        named = _known(_exact(reading.base), reading, wanted)
        if named is not None:
            return named
    if isinstance(key, str) and key in _WANTED:
        return _slipped(*_WANTED[key], reading, wanted)
    return Diagnosed(False, reading)


def _slipped(name: str, say: str, reading: Reading, wanted: Target) -> Diagnosed:
    return Diagnosed(False, reading, name, say, wanted.credits.get(name, Fraction(0)))


# -- numbers --------------------------------------------------------------------------------


def _exact(value: Number) -> Any:
    """An exact number to calculate with; whole ones stay ints, which are ten times as fast."""
    return Fraction(value) if type(value) is float else value


def _known(given: Fraction, reading: Reading, wanted: Target) -> Diagnosed | None:
    """The nearest of the item's own misconceptions."""
    best: tuple[Fraction, Known] | None = None
    coarse, near = max(divided(wanted.tolerance), _COPIED_FLOAT), _float(given)
    hopeful = [
        k for k in wanted.known if not isinstance(k.value, bool | str | tuple) and _is_near(near, k.value, coarse)
    ]
    if not hopeful:
        return None
    half = reading.step * reading.unit.factor / 2 if reading.step is not None else Fraction(0)
    if not isinstance(wanted.key, _NO_NUMBER) and abs(given - Fraction(wanted.key)) <= half:
        half = Fraction(0)  # the key itself, rounded
    for known in hopeful:
        assert not isinstance(known.value, bool | str | tuple)
        value = Fraction(known.value)
        distance = abs(given - value) / abs(value) if value else abs(given)
        slack = max(wanted.tolerance, ROUNDING, min(half / abs(value), _COPIED)) if value else 0
        if distance <= slack and (best is None or distance < best[0]):
            best = distance, known
    if best is None:
        return None
    return Diagnosed(False, reading, best[1].id, best[1].say, best[1].credit)


def _slip(given: int | Fraction, key: Fraction, reading: Reading, wanted: Target) -> Diagnosed | None:
    if not given or not key:
        return None
    other = _other_unit(key, reading, wanted)
    if other is not None:
        return other
    ratio = _float(given) / (_float(key) or 1.0)
    if wanted.whole and abs(given - key) == wanted.unit.factor:
        say = "That is one too many." if given > key else "That is one too few."
        return _slipped("off-by-one", say, reading, wanted)
    if not abs(ratio - 1) > _COARSEST + _BLUR and _rounded(given, key, reading):
        what = "more digits" if wanted.tolerance else "the exact number"
        say = f"Right as far as it goes, but rounded too far: give {what}."
        return _slipped("rounded-too-far", say, reading, wanted)
    slack = divided(wanted.tolerance) + _BLUR
    for slip in slips_near(ratio, slack, wanted.unit, wanted.degrees, wanted.counted):
        tolerance = max(wanted.tolerance, ROUNDING)
        if abs(slip.factor - 1) < _APART * wanted.tolerance:
            tolerance = max(wanted.tolerance / _APART, ROUNDING)  # close to the key itself: chance explains it too
        if matches(given, slip.factor * key, tolerance):
            return _slipped(slip.id, slip.say, reading, wanted)
    return _variation(given, key, reading, wanted)


def _variation(given: int | Fraction, key: Fraction, reading: Reading, wanted: Target) -> Diagnosed | None:
    """The formula with one input left out, another choice, one more or one less."""
    if wanted.evaluation is None or not isinstance(wanted.evaluation.answer, int | float | Fraction):
        return None
    coarse, near = divided(wanted.tolerance) / _APART, _float(given)
    for one in varied(wanted.evaluation):
        if not _is_near(near, one.value, coarse):
            continue
        value, slack = Fraction(one.value), max(wanted.tolerance / _APART, ROUNDING)
        if matches(given, value, slack) and abs(value - key) > _APART * wanted.tolerance * abs(key):
            return _slipped(one.id, one.say, reading, wanted)
    return None


def _float(value: Number) -> float:
    """In floating point: near enough to see which mistakes are worth an exact look. What has no float is infinite."""
    try:
        return value if type(value) is float else divided(value)
    except OverflowError:
        return float("inf")


def _is_near(given: float, value: Number, slack: float) -> bool:
    """May be within `slack` of it, relative; wherever floating point cannot tell, it may."""
    near = _float(value)
    return not abs(given - near) > (slack + _BLUR) * abs(near)  # inf - inf is no number, and above nothing


def _other_unit(key: Fraction, reading: Reading, wanted: Target) -> Diagnosed | None:
    """The number of the key with another unit of the same kind: 31.7 GiB for 31.7 GB, 2 h for 2 s."""
    if reading.unit.factor == wanted.unit.factor or isinstance(reading.value, bool | str | tuple):
        return None
    if not matches(reading.value, in_unit(key, wanted.unit), wanted.tolerance):
        return None
    ratio = Fraction(reading.unit.factor) / wanted.unit.factor
    say = f"The number is right, the unit is not: {reading.unit} where {wanted.unit} is right."
    named = next((s.id for s in slips(wanted.unit, ()) if s.factor == ratio), "other-unit")
    return _slipped(named, say, reading, wanted)


def _rounded(given: int | Fraction, key: Fraction, reading: Reading) -> bool:
    """The key rounds to the digits that were written."""
    if reading.step is None:
        return False
    error = abs(given - key)
    return error <= reading.step * reading.unit.factor / 2 and 3 * error <= abs(key)


def key_text(wanted: Target) -> str:
    """The key in the asked unit to six digits, for messages after scoring."""
    key = wanted.key
    if isinstance(key, str):
        return key
    if isinstance(key, bool):
        return "yes" if key else "no"
    if isinstance(key, tuple):
        return f"({', '.join(show_number(v) for v in key)})"
    shown = show_number(in_unit(key, wanted.unit))
    return f"{shown} {wanted.unit.after(shown)}".removesuffix(" 1")
