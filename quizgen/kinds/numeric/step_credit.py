"""Credit for intermediate steps in a response: each right step earns its share, and a slip costs points only once.

`sharded = 5.7 GB; total = 31.7 GB`: parts are separated by semicolons or line breaks (or a comma before the next name),
a name is followed by = or :, the last part is the answer. A step is right if it has the true value, or the value that
the formula gives from the candidate's earlier steps. An earlier value is carried on only if a candidate can have worked
it out: it is not 0 or 1, it is at most 100 times off, and the later step depends on it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from quizgen.formula.definition import Evaluation, Formula, Step
from quizgen.formula.errors import FormulaError
from quizgen.formula.expression.evaluate import ImpossibleError
from quizgen.formula.expression.parse import names_in
from quizgen.formula.mistakes import AnswerTarget, Diagnosis, diagnose
from quizgen.formula.quantity import Number, Reading, is_number, is_within_share, rounds_to
from quizgen.formula.units import Unit, answer_dimension_fits
from quizgen.model import ZERO, Mark
from quizgen.numbers.answer import AnswerFormat, Refusal
from quizgen.numbers.read import MAX_CHARACTERS, read_response

MAX_RESPONSE_PARTS: Final = 30
MAX_CARRIED_ERROR_FACTOR: Final = Fraction(100)  # largest error factor of an earlier value that is carried on
_STEP_TOLERANCE: Final = Fraction(1, 100)  # tolerance of a step that is not whole, when the answer is exact

_SPLIT_PATTERN = re.compile(r"[;\n]|,(?=\s+[^\W\d][^\d;,\n]{0,40}[=:≈\d])")
_NAME_PATTERN = re.compile(r"\s*(?:[-*•]\s+)?(?!x ?\d)([^\W\d][^=:≈\d]{0,60})([=:≈]|(?=\d))")
_RESULT_WORDS: Final = ("total", "answer", "result", "sum", "final", "overall", "altogether")

# Words before an equivalent answer: `6.5 Mb/s, or 13`.
_ALTERNATIVE_WORDS: Final = frozenset(
    ("or", "to", "maybe", "perhaps", "possibly", "otherwise", "else", "alternatively")
)
_CONTINUING_OPERATORS: Final = ("x", "*", "/", "×")  # operators that continue from the previous result


@dataclass(frozen=True, slots=True)
class ResponsePart:
    """One part of a response: its name (may be empty), text, start and end. `is_equation`: it is an equation."""

    name: str
    text: str
    start: int
    end: int
    is_equation: bool = False


@dataclass(frozen=True, slots=True)
class StepScore:
    """The `marks` of all steps in the formula's order, the answer's last, and the `verdict` on the answer. A mark is
    found if the step has its true value or follows from an earlier slip, else missing."""

    marks: tuple[Mark, ...]
    verdict: Diagnosis

    @property
    def earned(self) -> Fraction:
        """The points of the steps, or the credit for the answer's mistake if that is more."""
        credit = ZERO if self.verdict.is_correct else self.verdict.credit * sum((m.possible for m in self.marks), ZERO)
        return max(sum((m.earned for m in self.marks), ZERO), credit)


def parts_with_digits(text: str) -> tuple[ResponsePart, ...]:
    """The parts of a response that hold a digit, in order."""
    parts: list[ResponsePart] = []
    start = 0
    ends = [(m.start(), m.end()) for m in _SPLIT_PATTERN.finditer(text)]
    for stop, after in (*ends, (len(text), len(text))):
        piece = text[start:stop]
        if any(c.isdigit() for c in piece):
            named = _NAME_PATTERN.match(piece)
            name = named.group(1).strip() if named else ""
            at = start + (named.end() if named else 0)
            parts.append(ResponsePart(name, text[at:stop], start, stop, "=" in piece or bool(named and named.group(2))))
        start = after
    return tuple(parts)


def score_steps(
    text: str, evaluation: Evaluation, answer_format: AnswerFormat, target: AnswerTarget, points: Fraction
) -> StepScore | None:
    """The score of a response that shows intermediate steps; None if it gives only an answer, or if its answer cannot
    be read.

    `answer_format` is the format of the answer, `target` its key, `points` the maximum of the item. Never raises; the
    time is linear in the length of the text."""
    formula = evaluation.formula
    if answer_format.shape != "number" or isinstance(target.key, bool | str | tuple):
        return None
    parts = step_and_answer_parts(text)
    if not parts or parts[-1].name in formula.inputs:  # N = 13e9, K = 32: 31.7 GB
        return None
    by_step = {}
    for part in parts[:-1]:
        step = find_step_by_name(part.name, formula)
        if step is not None and step is not formula.steps[-1]:
            by_step[step.name] = part
    answer = read_response(parts[-1].text, answer_format)
    if isinstance(answer, Refusal):
        return None
    return _StepMarker(evaluation, target, points).score(by_step, parts[-1], answer)


def step_and_answer_parts(text: str) -> tuple[ResponsePart, ...]:
    """The parts of a response whose last one is the answer and whose others lead to it; empty if it gives only an
    answer.

    A part leads on if it is an equation or, if the last part calls itself the total, has a name; two bare numbers are
    two answers, and inputs (`N = 13e9, K = 32`) lead nowhere. Depends on no formula."""
    parts = parts_with_digits(text) if len(text) <= MAX_RESPONSE_PARTS * MAX_CHARACTERS else ()
    if (
        not 2 <= len(parts) <= MAX_RESPONSE_PARTS or set(_words_of_name(parts[-1].name)) & _ALTERNATIVE_WORDS
    ):  # 6.5 Mb/s, or 13
        return ()
    if 0 < len(parts[-1].name) <= 2 and parts[-1].is_equation and "=" not in parts[-1].text:
        return ()
    closed = bool(set(_words_of_name(parts[-1].name)) & set(_RESULT_WORDS)) or parts[-1].text.lstrip().startswith(
        _CONTINUING_OPERATORS
    )
    return parts if all(p.is_equation or (closed and p.name) for p in parts[:-1]) else ()


def find_step_by_name(name: str, formula: Formula) -> Step | None:
    """The step that a candidate's name means, in any case and spacing and with extra words; None if there is none."""
    plain, words = _letters_and_digits(name), set(_words_of_name(name))
    for step in formula.steps:
        if _letters_and_digits(step.name) == plain:
            return step
    if words & set(_RESULT_WORDS):
        return formula.steps[-1]
    for step in formula.steps:
        if set(_words_of_name(step.name)) <= words:
            return step
    return None


def _letters_and_digits(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _words_of_name(name: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in name.casefold()).split()


class _StepMarker:
    """The steps of one variant: their true values, and the values that follow from a candidate's own."""

    __slots__ = ("evaluation", "formula", "needs", "points", "rounded", "target")

    def __init__(self, evaluation: Evaluation, target: AnswerTarget, points: Fraction) -> None:
        self.evaluation = evaluation
        self.formula = evaluation.formula
        self.target = target
        self.points = points
        self.needs = _steps_needed_by(self.formula.steps)
        self.rounded = False  # whether some step is right only as its value rounded

    def score(self, parts: Mapping[str, ResponsePart], answer_part: ResponsePart, answer: Reading) -> StepScore:
        """The score of all steps: `parts` are the written ones by name, `answer_part` and `answer` the text and reading
        of the answer."""
        own_values: dict[str, Number] = {}
        steps, final = self.formula.steps, self.formula.steps[-1]
        statuses = {
            step.name: self.judge_step(step, parts[step.name], own_values) for step in steps[:-1] if step.name in parts
        }
        verdict, carried = self.judge_answer(answer, own_values)
        if (
            verdict.is_correct and not carried
        ):  # "other" is the candidate's own name for an amount that led to the answer
            statuses = {name: one for name, one in statuses.items() if one[0] != "other"}
        if verdict.is_correct:
            statuses[final.name] = ("carried", _FOLLOW_THROUGH_TEXT) if carried else ("true", "the key")
        else:
            statuses[final.name] = ("wrong", verdict.message or "not the key")
        right = {name for name, (status, _) in statuses.items() if status in ("true", "carried")}
        marks = (
            self.mark(step, statuses, right, answer_part if step is final else parts.get(step.name)) for step in steps
        )
        return StepScore(tuple(marks), verdict)

    def mark(
        self,
        step: Step,
        statuses: Mapping[str, tuple[str, str]],
        right_steps: Collection[str],
        part: ResponsePart | None,
    ) -> Mark:
        """The mark of one step, whose text is `part` (None: not written). A step that was not written counts as right
        if a step in `right_steps` needs it."""
        share = self.points / len(self.formula.steps)
        proven = step.name not in statuses and any(step.name in self.needs[later] for later in right_steps)
        earns = proven or step.name in right_steps
        _, why = statuses.get(step.name, ("", "part of a later step" if proven else "not given"))
        place = ((part.start, part.end),) if part else ()
        return Mark(step.name, share if earns else ZERO, share, why, "found" if earns else "missing", place)

    def judge_step(self, step: Step, part: ResponsePart, own_values: dict[str, Number]) -> tuple[str, str]:
        """The status of a written step and the reason for it. A wrong value that later steps may use is added to
        `own_values`.

        The status is `other` if the step has another unit than the answer and the part may be an amount in the answer's
        unit: `weights = 26 GB` is not the step `weights` in B/param, only the same name."""
        true = self.evaluation.value(step.name)
        if isinstance(true, bool | str | tuple):
            return "wrong", "this step is not a number"
        unit = self.target.unit if answer_dimension_fits(step.unit.dim, self.target.unit.dim) else step.unit
        reading = self.read_part(part, unit)
        if not isinstance(reading, Reading):
            return reading
        if right := self.judge_true_step(step, reading, true, unit, own_values):
            return right
        value = self.value_from_own_values(step.name, own_values) if own_values else None
        if value is not None and value != true and self.is_near(reading, value, true, step, unit):
            own_values[step.name] = reading.base
            return "carried", _FOLLOW_THROUGH_TEXT
        usable = _is_usable_own_value(reading, true, unit)
        if usable:
            own_values[step.name] = reading.base
        target = self.target.unit.dim
        other = not answer_dimension_fits(step.unit.dim, target) and (
            reading.bare or (reading.unit.dim == target and not usable)
        )
        follows = "; steps that follow from it count" if usable else ""
        return "other" if other else "wrong", f"{reading.read_as} is not right{follows}"

    def read_part(self, part: ResponsePart, unit: Unit) -> Reading | tuple[str, str]:
        """The reading of `part` as a number in `unit`; otherwise the status ("wrong" or "other", as in `judge_step`)
        and the reason."""
        reading = read_response(part.text, AnswerFormat(unit))
        if not isinstance(reading, Reading):
            return "wrong", reading.reason or "nothing was given"
        if isinstance(reading.value, bool | str | tuple) or not answer_dimension_fits(reading.unit.dim, unit.dim):
            status = "other" if answer_dimension_fits(reading.unit.dim, self.target.unit.dim) else "wrong"
            return status, f"{reading.read_as} is of a different kind"
        return reading

    def judge_true_step(
        self, step: Step, reading: Reading, true_value: Number, unit: Unit, own_values: dict[str, Number]
    ) -> tuple[str, str] | None:
        """The status and reason of a step that has its true value; None if it has not. A rounded true value is added to
        `own_values`, so that later steps computed from it are right as well."""
        for one in (reading, *reading.others):
            if is_within_share(one.base, true_value, self.tolerance(true_value)):
                return "true", f"{one.read_as} is right"
            if rounds_to(one, true_value, unit, self.required_digits(step)):
                own_values[step.name] = one.base
                self.rounded = True
                return "true", f"{one.read_as} is right, rounded"
        return None

    def is_near(self, reading: Reading, value: Number, true_value: Number, step: Step, unit: Unit) -> bool:
        """Whether a reading is_equation `value` within the tolerance of the step, or is that value rounded."""
        return is_within_share(reading.base, value, self.tolerance(true_value)) or rounds_to(
            reading, value, unit, self.required_digits(step)
        )

    def required_digits(self, step: Step) -> int:
        """The significant digits that a rounded step needs; 0 for a count, which is not rounded."""
        return 0 if step.unit.whole else self.target.required_digits

    def judge_answer(self, answer: Reading, own_values: Mapping[str, Number]) -> tuple[Diagnosis, bool]:
        """The verdict on the answer, and whether it is right only as following from the candidate's own steps."""
        verdict = diagnose(answer, self.target)
        final = self.formula.steps[-1]
        if verdict.is_correct or not own_values:
            return verdict, False
        value = self.value_from_own_values(final.name, own_values)
        key = self.target.key
        assert not isinstance(key, bool | str | tuple)
        if value is None or not value or (self.target.tolerance.accepts_number(value, key) and not self.rounded):
            return verdict, False  # the answer does not depend on the slip
        carried = diagnose(answer, replace(self.target, key=value, mistakes=()))
        return (carried, True) if carried.is_correct else (verdict, False)

    def value_from_own_values(self, name: str, own_values: Mapping[str, Number]) -> Number | None:
        """The value of the step `name` with the candidate's `own_values` in place of the true ones; None if the step
        needs none of them or has no value."""
        if not set(own_values) & self.needs[name]:
            return None
        values: list[Any] = list(self.evaluation.values[: len(self.formula.inputs)])
        try:
            for step in self.formula.steps:
                values.append(
                    own_values[step.name] if step.name in own_values and step.name != name else step.run(values)
                )
                if step.name == name:
                    break
        except (FormulaError, ImpossibleError):
            return None
        value = values[-1]
        return value if is_number(value) else None

    def tolerance(self, true_value: Number) -> Fraction:
        whole = Fraction(true_value).denominator == 1
        return self.target.relative_tolerance or (Fraction(0) if whole else _STEP_TOLERANCE)


_FOLLOW_THROUGH_TEXT: Final = "follows from the earlier step"


def _is_usable_own_value(reading: Reading, true_value: Number, unit: Unit) -> bool:
    """Whether later steps may use a wrong value: it is not 0 or 1 (as written, in `unit` or in base units), has the
    sign of `true_value`, and is at most MAX_CARRIED_ERROR_FACTOR times off."""
    if isinstance(reading.value, bool | str | tuple) or not true_value:
        return False
    base = Fraction(reading.base)
    if any(abs(amount) in (0, 1) for amount in (Fraction(reading.value), base, base / unit.factor)):
        return False
    return 1 / MAX_CARRIED_ERROR_FACTOR <= base / Fraction(true_value) <= MAX_CARRIED_ERROR_FACTOR


def _steps_needed_by(steps: Sequence[Step]) -> dict[str, frozenset[str]]:
    """For each step, all earlier steps that it depends on, directly or not."""
    needs: dict[str, frozenset[str]] = {}
    for step in steps:
        direct = [n.name for n in names_in(step.tree) if n.name in needs]
        needs[step.name] = frozenset(direct).union(*(needs[n] for n in direct))
    return needs
