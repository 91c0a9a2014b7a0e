"""Scoring a numeric response: read it, compare it with the derived key, say which mistake it came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from quizgen.blocks import Step, Steps
from quizgen.draw import Stream
from quizgen.formula.definition import Evaluation, ImpossibleAnswer
from quizgen.formula.derive import derive
from quizgen.formula.errors import FormulaError
from quizgen.formula.quantity import in_unit
from quizgen.formula.read import Asked, Blank, Unreadable, read
from quizgen.formula.show import shown
from quizgen.model import ZERO, Choices, Mark, Outcome, Sample, Score

if TYPE_CHECKING:
    from quizgen.kinds.numeric import NumericItem

Evaluated = Callable[[], Evaluation]


def asked_of(item: NumericItem) -> Asked:
    """What the item asks for, as far as its stem tells a candidate."""
    shape = item.formula.kind
    return Asked(item.asked.unit, "truth" if shape == "truth" else "tuple" if shape == "tuple" else "number")


def key_text(item: NumericItem, evaluated: Evaluated) -> str:
    try:
        return shown(item.formula, evaluated().answer, item.asked.unit)
    except FormulaError as error:
        return f"none ({error.message})"


def worked(item: NumericItem, evaluated: Evaluated, told: Mapping[str, str], say: str) -> Steps:
    """The derivation as a block."""
    try:
        made = derive(evaluated(), item.asked.unit, None, told)
    except FormulaError as error:
        return Steps(item.formula.title, item.formula.source, (), (), f"no value: {error.message}")
    return Steps(
        made.title,
        made.source,
        tuple((line.name, line.value, line.about) for line in (*made.givens, *made.constants)),
        tuple(Step(s.name, s.expression, s.substituted, s.value) for s in made.steps),
        made.result,
        made.convention,
        made.sanity,
        say,
    )


def score(item: NumericItem, evaluated: Evaluated, text: str) -> Score:
    """Never raises, whatever the text."""
    reading = read(text, asked_of(item))
    if isinstance(reading, Blank):
        return Score(Outcome.BLANK, (_mark(item, ZERO, "nothing was given"),))
    if isinstance(reading, Unreadable):
        return Score(Outcome.UNREADABLE, (_mark(item, ZERO, reading.reason),), None, None, (reading.reason,))
    try:
        answer = evaluated().answer
    except FormulaError as error:
        why = f"this drawing has no key ({error.message}): tell whoever keeps the bank to run quizgen check"
        return Score(Outcome.UNREADABLE, (_mark(item, ZERO, why),), reading.read_as, None, (why,))
    right = _equal(item, answer, reading.value if isinstance(reading.value, str | tuple | bool) else reading.base)
    return Score(
        Outcome.CORRECT if right else Outcome.INCORRECT,
        (_mark(item, item.points if right else ZERO, "the key" if right else "not the key"),),
        reading.read_as,
    )


def _equal(item: NumericItem, answer: object, given: object) -> bool:
    if isinstance(answer, ImpossibleAnswer) or isinstance(given, str):
        return str(answer) == str(given)
    if isinstance(answer, bool | tuple) or isinstance(given, bool | tuple):
        return answer == given
    assert isinstance(answer, int | float | Fraction)
    assert isinstance(given, int | float | Fraction)
    return abs(Fraction(given) - Fraction(answer)) <= item.asked.tolerance * abs(Fraction(answer))


def samples(item: NumericItem, evaluated: Evaluated) -> tuple[Sample, ...]:
    """Responses at 0.99 and 1.01 of the tolerance, the key, a blank, an unreadable text."""
    found = [
        Sample("", Outcome.BLANK, ZERO),
        Sample("no idea", Outcome.UNREADABLE, ZERO),
        Sample("1e400", Outcome.UNREADABLE, ZERO),
    ]
    try:
        answer = evaluated().answer
    except FormulaError:
        return tuple(found)  # told by the proof, which names the drawing
    if isinstance(answer, ImpossibleAnswer):
        return (*found, Sample("impossible", Outcome.CORRECT, item.points))
    if isinstance(answer, bool):
        yes, no = ("yes", "no") if answer else ("no", "yes")
        return (*found, Sample(yes, Outcome.CORRECT, item.points), Sample(no, Outcome.INCORRECT))
    if isinstance(answer, tuple):
        text = ", ".join(str(part) for part in answer)
        return (*found, Sample(f"({text})", Outcome.CORRECT, item.points))
    unit = item.asked.unit
    value = Fraction(in_unit(answer, unit))
    tail = "" if unit.dim.bare and unit.symbol != "%" else f" {unit.symbol}"
    edge = item.asked.tolerance
    if edge and value:
        for share in (1 - edge * Fraction(99, 100), 1 + edge * Fraction(99, 100)):
            found.append(Sample(f"{_decimal(value * share)}{tail}", Outcome.CORRECT, item.points))
        for share in (1 - edge * Fraction(101, 100), 1 + edge * Fraction(101, 100)):
            found.append(Sample(f"{_decimal(value * share)}{tail}", Outcome.INCORRECT))
    elif value.denominator == 1:
        found.append(Sample(f"{value}{tail}", Outcome.CORRECT, item.points))
        found.append(Sample(f"{value + 1}{tail}", Outcome.INCORRECT))
    return tuple(found)


def _decimal(value: Fraction) -> str:
    """Twelve significant digits, as a person with a calculator would copy them."""
    return f"{float(value):.12g}"


def choices(item: NumericItem, evaluated: Evaluated, rng: Stream) -> Choices | None:
    return None


def _mark(item: NumericItem, earned: Fraction, because: str) -> Mark:
    status = "found" if earned == item.points else "partial" if earned else "missing"
    return Mark("value", earned, item.points, because, status)
