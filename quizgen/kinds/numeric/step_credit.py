"""Credit for intermediate steps in a response: each right step earns its share, and a slip costs points only once.

`sharded = 5.7 GB; total = 31.7 GB`: parts are separated by semicolons or line breaks (or a comma before the next name),
a name is followed by = or :, the last part is the answer. A step is right if it has the true value, or the value that
the formula gives from the candidate's earlier steps. An earlier value is carried on only if a candidate can have worked
it out: it is not 0 or 1, it is at most 100 times off, and the later step depends on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from quizgen.formula import FormulaError
from quizgen.formula.definition import Evaluation, Formula, Step
from quizgen.formula.expression import ImpossibleAnswer, name_nodes
from quizgen.formula.mistakes import AnswerTarget, Diagnosis, diagnose_reading
from quizgen.formula.quantity import Number, Reading, is_number, is_rounding_of, is_within_share
from quizgen.formula.units import Unit, answer_dimension_fits
from quizgen.model import ZERO, Mark
from quizgen.numbers.answer import AnswerFormat, Refusal
from quizgen.numbers.read import MAX_RESPONSE_CHARACTERS, read_response

MAX_RESPONSE_PARTS: Final = 30
MAX_CARRIED_ERROR_FACTOR: Final = Fraction(100)  # largest error factor of an earlier value that is carried on
_STEP_TOLERANCE_FOR_EXACT_ANSWER: Final = Fraction(1, 100)  # of a step that is not whole

_PART_SEPARATOR_PATTERN = re.compile(r"[;\n]|,(?=\s+[^\W\d][^\d;,\n]{0,40}[=:≈\d])")
_PART_NAME_PATTERN = re.compile(r"\s*(?:[-*•]\s+)?(?!x ?\d)([^\W\d][^=:≈\d]{0,60})([=:≈]|(?=\d))")
_WORDS_NAMING_FINAL_ANSWER: Final = frozenset(["total", "answer", "result", "sum", "final", "overall", "altogether"])
# Words before an equivalent answer: `6.5 Mb/s, or 13`.
_WORDS_MEANING_OR = frozenset({"or", "to", "maybe", "perhaps", "possibly", "otherwise", "else", "alternatively"})


@dataclass(frozen=True, slots=True)
class LabelledPart:
    """One part of a response: its name (may be empty), the text after it, and its place. `has_equals_or_colon`: it
    has a `=`, or a sign after its name."""

    written_name: str
    text_after_name: str
    start: int
    end: int
    has_equals_or_colon: bool = False


def diagnose_steps(
    text: str, evaluation: Evaluation, answer_format: AnswerFormat, target: AnswerTarget, points: Fraction
) -> tuple[Diagnosis, tuple[Mark, ...]] | None:
    """The diagnosis of the answer of a response that shows intermediate steps, and the marks of all steps in the
    formula's order, the answer's last; None if it gives only an answer, or if its answer cannot be read.

    A mark is found if the step has its true value or follows from an earlier slip, else missing. `answer_format` is the
    format of the answer, `target` its key, `points` the maximum of the item. Never raises; the time is linear in the
    length of the text."""
    formula = evaluation.formula
    if answer_format.answer_type != "number" or isinstance(target.base_key, bool | str | tuple):
        return None
    parts = steps_then_answer(text)
    if not parts or parts[-1].written_name in formula.inputs:  # N = 13e9, K = 32: 31.7 GB
        return None
    pairs = ((find_step_named_by_candidate(part.written_name, formula), part) for part in parts[:-1])
    part_by_step = {step.name: part for step, part in pairs if step is not None and step is not formula.steps[-1]}
    answer = read_response(parts[-1].text_after_name, answer_format)
    if isinstance(answer, Refusal):
        return None
    return _StepScorer(evaluation, target).diagnosis_and_marks(part_by_step, parts[-1], answer, points)


def steps_then_answer(text: str) -> tuple[LabelledPart, ...]:
    """The parts of a response whose last one is the answer and whose others lead to it; empty if it gives only an
    answer.

    A part leads on if it is an equation or, if the last part calls itself the total, has a name; two bare numbers are
    two answers, and inputs (`N = 13e9, K = 32`) lead nowhere. Depends on no formula."""
    if len(text) > MAX_RESPONSE_PARTS * MAX_RESPONSE_CHARACTERS:
        return ()
    parts: list[LabelledPart] = []
    start = 0
    ends = [match.span() for match in _PART_SEPARATOR_PATTERN.finditer(text)]
    for stop, next_start in (*ends, (len(text), len(text))):
        piece = text[start:stop]
        if any(c.isdigit() for c in piece):
            match = _PART_NAME_PATTERN.match(piece)
            name, text_start, sign = (match[1].strip(), start + match.end(), match[2]) if match else ("", start, "")
            parts.append(LabelledPart(name, text[text_start:stop], start, stop, "=" in piece or bool(sign)))
        start = next_start
    if not 2 <= len(parts) <= MAX_RESPONSE_PARTS:
        return ()
    *leading_parts, last = parts
    words = set(_folded_words_of_name(last.written_name))
    is_short_equation = 0 < len(last.written_name) <= 2 and last.has_equals_or_colon and "=" not in last.text_after_name
    if words & _WORDS_MEANING_OR or is_short_equation:  # 6.5 Mb/s, or 13
        return ()
    # An operator continues from the previous result.
    is_sum = bool(words & _WORDS_NAMING_FINAL_ANSWER) or last.text_after_name.lstrip().startswith(("x", "*", "/", "×"))
    return tuple(parts) if all(p.has_equals_or_colon or (is_sum and p.written_name) for p in leading_parts) else ()


def find_step_named_by_candidate(name: str, formula: Formula) -> Step | None:
    """The step that a candidate's name means, in any case and spacing and with extra words; None if there is none."""
    words, pairs = _folded_words_of_name(name), [(step, _folded_words_of_name(step.name)) for step in formula.steps]
    equal_steps = (step for step, step_words in pairs if "".join(step_words) == "".join(words))
    total = () if _WORDS_NAMING_FINAL_ANSWER.isdisjoint(words) else formula.steps[-1:]
    return next(chain(equal_steps, total, (step for step, step_words in pairs if set(step_words) <= set(words))), None)


def _folded_words_of_name(name: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in name.casefold()).split()


class _StepScorer:
    """One response to a variant. `candidate_value_by_step` has the candidate's values that later steps may use: wrong
    ones, and true ones as rounded (`has_rounded_step`). `needed_steps`: for each step, all earlier ones that it depends
    on, directly or not."""

    def __init__(self, evaluation: Evaluation, target: AnswerTarget) -> None:
        self.evaluation, self.target, self.formula = evaluation, target, evaluation.formula
        self.candidate_value_by_step: dict[str, Number] = {}
        self.has_rounded_step = False
        self.needed_steps: dict[str, frozenset[str]] = {}
        for step in self.formula.steps:
            names = [node.name for node in name_nodes(step.tree) if node.name in self.needed_steps]
            self.needed_steps[step.name] = frozenset(names).union(*(self.needed_steps[name] for name in names))

    def diagnosis_and_marks(
        self, parts_by_step: Mapping[str, LabelledPart], answer_part: LabelledPart, answer: Reading, points: Fraction
    ) -> tuple[Diagnosis, tuple[Mark, ...]]:
        """The result of `diagnose_steps`: `parts_by_step` are the written steps by name, `answer_part` and `answer` the
        text and reading of the answer."""
        steps, answer_name = self.formula.steps, self.formula.steps[-1].name
        written_steps = [step for step in steps if step.name in parts_by_step]
        results = {step.name: self.step_status_and_reason(step, parts_by_step[step.name]) for step in written_steps}
        verdict, key, is_carried = diagnose_reading(answer, self.target), self.target.base_key, False
        assert not isinstance(key, bool | str | tuple)
        value = None if verdict.is_correct else self.step_value_from_own_values(answer_name)
        if value and (self.has_rounded_step or not self.target.tolerance.accepts_base_value(value, key)):
            # The answer depends on a slip: it is right if it follows from the candidate's own steps.
            own_verdict = diagnose_reading(answer, replace(self.target, base_key=value, mistaken_answers=()))
            verdict, is_carried = (own_verdict, True) if own_verdict.is_correct else (verdict, False)
        # "other" is the candidate's own name for an amount that led to the answer.
        dropped_status = "other" if verdict.is_correct and not is_carried else ""
        results = {name: one for name, one in results.items() if one[0] != dropped_status}
        reason = _FOLLOWS_FROM_OWN_STEP_TEXT if is_carried else "the key" if verdict.is_correct else verdict.message
        results[answer_name] = ("right" if verdict.is_correct else "wrong", reason or "not the key")
        # A step that was not written counts as right if a right step needs it.
        right_names = [name for name, (status, _) in results.items() if status == "right"]
        needed_names = frozenset[str]().union(*(self.needed_steps[name] for name in right_names)) - results.keys()
        results |= {name: ("right", "part of a later step") for name in needed_names}
        part_by_name, share, marks = {**parts_by_step, answer_name: answer_part}, points / len(steps), []
        for step in steps:
            status, reason = results.get(step.name, ("", "not given"))
            earned, mark_status = (share, "found") if status == "right" else (ZERO, "missing")
            part = part_by_name.get(step.name)
            marks.append(Mark(step.name, earned, share, reason, mark_status, ((part.start, part.end),) if part else ()))
        return verdict, tuple(marks)

    def step_status_and_reason(self, step: Step, part: LabelledPart) -> tuple[str, str]:
        """The status of a written step (right, wrong or other) and the reason for it.

        The status is `other` if the step has another unit than the answer and the part may be an amount in the answer's
        unit: `weights = 26 GB` is not the step `weights` in B/param, only the same name."""
        key = self.evaluation.value_of_input_or_step(step.name)
        assert is_number(key)  # only the last step, the answer, can be anything else
        dimension = self.target.unit.dim
        is_of_answers_kind = answer_dimension_fits(step.unit.dim, dimension)
        unit = self.target.unit if is_of_answers_kind else step.unit
        reading = read_response(part.text_after_name, AnswerFormat(unit))
        if not isinstance(reading, Reading):
            return "wrong", reading.reason or "nothing was given"
        if isinstance(reading.value, bool | str | tuple) or not answer_dimension_fits(reading.unit.dim, unit.dim):
            status = "other" if answer_dimension_fits(reading.unit.dim, dimension) else "wrong"
            return status, f"{reading.read_as} is of a different kind"
        for possible_reading in (reading, *reading.other_readings):
            if match_kind := self.match_kind_word(possible_reading, key, key, step, unit):
                if match_kind == "rounded":
                    self.candidate_value_by_step[step.name], self.has_rounded_step = possible_reading.base_value, True
                return "right", f"{possible_reading.read_as} is right{', rounded' * (match_kind == 'rounded')}"
        value = self.step_value_from_own_values(step.name)
        if value is not None and value != key and self.match_kind_word(reading, value, key, step, unit):
            self.candidate_value_by_step[step.name] = reading.base_value
            return "right", _FOLLOWS_FROM_OWN_STEP_TEXT
        is_usable = _is_wrong_value_near_enough_to_use(reading, key, unit)
        if is_usable:
            self.candidate_value_by_step[step.name] = reading.base_value
        is_other = not is_of_answers_kind and (reading.has_no_unit or (not is_usable and reading.unit.dim == dimension))
        ending = "; steps that follow from it count" if is_usable else ""
        return "other" if is_other else "wrong", f"{reading.read_as} is not right{ending}"

    def match_kind_word(self, reading: Reading, value: Number, true_value: Number, step: Step, unit: Unit) -> str:
        """How a reading is `value`: "within" the tolerance of the step, whose true value is `true_value`, or "rounded";
        empty if it is not. A count is not rounded."""
        is_whole = Fraction(true_value).denominator == 1
        tolerance = self.target.relative_tolerance or (Fraction(0) if is_whole else _STEP_TOLERANCE_FOR_EXACT_ANSWER)
        if is_within_share(reading.base_value, value, tolerance):
            return "within"
        digits = 0 if step.unit.is_indivisible else self.target.min_significant_digits
        return "rounded" if is_rounding_of(reading, value, unit, digits) else ""

    def step_value_from_own_values(self, step_name: str) -> Number | None:
        """The value of the step `step_name` with the candidate's own values in place of the true ones; None if the step
        needs none of them or has no value."""
        own_value_by_step = {step: value for step, value in self.candidate_value_by_step.items() if step != step_name}
        if self.needed_steps[step_name].isdisjoint(own_value_by_step):
            return None
        values: list[Any] = list(self.evaluation.values_by_slot[: len(self.formula.inputs)])
        try:
            for step in self.formula.steps:
                values.append(own_value_by_step[step.name] if step.name in own_value_by_step else step.compute(values))
                if step.name == step_name:
                    break
        except (FormulaError, ImpossibleAnswer):
            return None
        return values[-1] if is_number(values[-1]) else None


_FOLLOWS_FROM_OWN_STEP_TEXT: Final = "follows from the earlier step"


def _is_wrong_value_near_enough_to_use(reading: Reading, true_value: Number, unit: Unit) -> bool:
    """Whether later steps may use a wrong value: it is not 0 or 1 (as written, in `unit` or in base units), has the
    sign of `true_value`, and is at most MAX_CARRIED_ERROR_FACTOR times off."""
    if not is_number(reading.value) or not true_value:
        return False
    base = Fraction(reading.base_value)
    if any(abs(amount) in (0, 1) for amount in (Fraction(reading.value), base, base / unit.factor)):
        return False
    return 1 / MAX_CARRIED_ERROR_FACTOR <= base / Fraction(true_value) <= MAX_CARRIED_ERROR_FACTOR
