"""Proofs over the drawings of an item: all of them, or all edges and a stated sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import gcd, prod
from typing import Any, Final

from quizgen.formula import FormulaError, quantity
from quizgen.formula.definition import IMPOSSIBLE_ANSWER, Answer, Evaluation, Formula, InputValue, Requirement
from quizgen.formula.expression import ImpossibleAnswer, NumberNode, is_piecewise, tree_nodes
from quizgen.formula.mistakes import MIN_TOLERANCES_FROM_KEY, AnswerTarget, MistakenAnswer, mistakes_with_key_rounding
from quizgen.formula.quantity import Tolerance, is_number, is_within_share, value_in_unit
from quizgen.formula.show import format_answer, format_base_value_in_unit, input_value_text
from quizgen.formula.units import Unit

MAX_ENUMERATED_COMBINATIONS: Final = 20_000  # up to this many drawings all are checked
SAMPLED_COMBINATION_COUNT: Final = 10_000
MAX_AXES_FOR_ALL_CORNERS: Final = 12  # up to this many axes every corner is checked
_SAMPLE_STRIDE_AS_SHARE_OF_DRAWINGS: Final = 0.6180339887498949


def row_combinations_to_check(axis_row_counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yields the row numbers of every drawing, the last axis fastest; of a large space only its edges and a sample.

    Edges are every corner, and every value of each axis with all others at their first, middle and last. The sample are
    drawings at even distances: every k-th of all, with k near the golden section and no common factor."""
    total = prod(axis_row_counts)
    if total <= MAX_ENUMERATED_COMBINATIONS:
        return product(*map(range, axis_row_counts))
    corners = product(*((0, size - 1) for size in axis_row_counts))
    combinations = dict.fromkeys(corners if len(axis_row_counts) <= MAX_AXES_FOR_ALL_CORNERS else ())
    for rows in zip(*((0, size // 2, size - 1) for size in axis_row_counts), strict=True):
        for position, size in enumerate(axis_row_counts):
            combinations |= dict.fromkeys((*rows[:position], row, *rows[position + 1 :]) for row in range(size))
    stride = int(total * _SAMPLE_STRIDE_AS_SHARE_OF_DRAWINGS) | 1
    while gcd(stride, total) != 1:
        stride += 2
    for n in range(min(SAMPLED_COMBINATION_COUNT, total)):
        index, point = n * stride % total, []
        for size in reversed(axis_row_counts):
            index, row = divmod(index, size)
            point.append(row)
        combinations[tuple(reversed(point))] = None
    return iter(combinations)


# The proof over a variant space: what could go wrong in some drawing, found before a candidate sees it.
#
# In every drawing that `require` allows, the key must exist; a count must be whole; every misconception must differ
# from the key and from every other by more than five tolerances. No misconception may round to the key, and no
# tolerance may accept 100 % for a key below it.


MAX_ROUNDING_SHARE_OF_KEY: Final = Fraction(1, 4)  # relative distance beyond which a number never rounds to the key


@dataclass(frozen=True, slots=True)
class ProofFailure:
    """One problem, reported once: `message` names the first drawing that has it, `combination_count` is the number that
    do.

    `kind` is value (the key or a misconception has none), fraction (a broken count), near (a misconception within five
    tolerances of the key or of another one), coincidence (equal to it), same (equal because the misconception is not a
    mistake in this drawing), rounding (one that rounds to the key), tolerance (one that accepts another answer) or
    digits (an irrational key that needs all of them). The misconceptions `misconception_id` and, if there is one,
    `other_misconception_id` collide; `expression_offset` is the place inside the expression of the step;
    `distinguishing_digit_count` digits distinguish the two; `suggested_margin_in_base_units` is the largest suitable
    tolerance. `hint` is the remedy."""

    kind: str
    message: str
    hint: str
    combination_count: int = 1
    step_name: str = ""
    expression_offset: int | None = None
    misconception_id: str = ""
    other_misconception_id: str = ""
    distinguishing_digit_count: int = 0
    suggested_margin_in_base_units: Fraction = Fraction(0)


@dataclass(slots=True)
class Proof:
    """One proof of a formula over the drawings of axes with so many rows (`axis_row_counts`), and its result.
    `input_slot_values_of_combination` returns the bound inputs by slot for the row numbers of a drawing,
    `drawn_input_names` are the inputs that differ between drawings, and `answer_unit` is the requested unit.

    `compute_key_without_formula` replaces the formula's own answer (for inverse problems): a function of the row
    numbers of the drawing. Misconceptions are then not compared.

    `allowed_combination_count` drawings passed every `require`, and `remaining_counts_after_requirements` has, for each
    requirement, the number that passed it and all before it."""

    formula: Formula
    axis_row_counts: Sequence[int]
    input_slot_values_of_combination: Callable[[tuple[int, ...]], list[InputValue]]
    drawn_input_names: Sequence[str]
    requirements: Sequence[Requirement]
    tolerance: Tolerance
    answer_unit: Unit
    compute_key_without_formula: Callable[[tuple[int, ...]], Answer] | None = None
    piecewise_misconception_ids: frozenset[str] = frozenset()  # ids of those that may be no mistake in some drawings
    current_input_slot_values: list[InputValue] = field(default_factory=list)  # of this drawing
    allowed_combination_count: int = 0
    remaining_counts_after_requirements: list[int] = field(default_factory=list)
    trivial_key_texts_seen: set[str] = field(default_factory=set)  # "0", "impossible", or empty for any other
    failures_by_kind_and_place: dict[tuple[str, str, str], list[ProofFailure]] = field(default_factory=dict)  # in order

    def check_drawings(self) -> Proof:
        """This proof, after every drawing was checked, or of a large space its edges and a sample."""
        self.remaining_counts_after_requirements = [0] * len(self.requirements)
        piecewise_steps = any(is_piecewise(step.tree) for step in self.formula.steps)
        piecewise = (m.id for m in self.formula.misconceptions if piecewise_steps or is_piecewise(m.tree))
        self.piecewise_misconception_ids = frozenset(piecewise)
        for combination in row_combinations_to_check(self.axis_row_counts):
            self.check_combination(self.input_slot_values_of_combination(combination), combination)
        return self

    @property
    def key_text_if_always_trivial(self) -> str:
        """ "0" or "impossible" if that is the key in every drawing, else empty."""
        return min(self.trivial_key_texts_seen) if len(self.trivial_key_texts_seen) == 1 else ""

    def check_combination(self, values: list[InputValue], row_numbers: tuple[int, ...]) -> None:
        """Checks the drawing of `values` with the row numbers `row_numbers`, unless a requirement refuses it."""
        self.current_input_slot_values = values
        evaluation: Evaluation | None = None
        place_text = ""
        try:
            for index, requirement in enumerate(self.requirements):
                if requirement.needs_step_values and evaluation is None:
                    evaluation = self.formula.evaluate_slots(values)
                place_text = f" in require {requirement.expression_text}"
                if not requirement.is_met_by_slot_values(evaluation.values_by_slot if evaluation else values):
                    return
                place_text = ""
                self.remaining_counts_after_requirements[index] += 1
            self.allowed_combination_count += 1
            if self.compute_key_without_formula is not None:
                self.report_fractional_key(self.compute_key_without_formula(row_numbers))
                return
            evaluation = evaluation or self.formula.evaluate_slots(values)
        except (ImpossibleAnswer, IndexError):  # a requirement of an impossible value, or of a step after one
            return
        except FormulaError as error:
            step = f" in step {error.step_name}" if error.step_name else ""
            hint = f"{error.hint}, or refuse the drawing with require" if self.drawn_input_names else error.hint
            message = f"{error.message}{place_text}{step}"
            self.add_failure("value", message, hint, step_name=error.step_name, expression_offset=error.text_offset)
            return
        self.report_fractional_key(evaluation.answer)
        self.report_bad_tolerance(evaluation.answer)
        self.report_indistinct_misconception_values(evaluation)

    def add_failure(self, kind: str, message: str, hint: str = "", **details: Any) -> None:
        """Adds a failure in this drawing, a ProofFailure with `details`, to those of the same kind and place, which are
        reported once."""
        values = dict(zip(self.formula.inputs, self.current_input_slot_values, strict=True))
        input_texts = [f"{n} = {input_value_text(self.formula.inputs[n], values[n])}" for n in self.drawn_input_names]
        failure = ProofFailure(kind, f"{message} for {', '.join(input_texts) or 'the fixed inputs'}", hint, **details)
        place = kind, failure.step_name or failure.misconception_id, failure.other_misconception_id
        self.failures_by_kind_and_place.setdefault(place, []).append(failure)

    def report_fractional_key(self, answer: Answer) -> None:
        """Reports a key that must be whole, since it counts indivisible things, but is not."""
        is_zero = is_number(answer) and answer == 0
        self.trivial_key_texts_seen.add("impossible" if answer is IMPOSSIBLE_ANSWER else "0" if is_zero else "")
        unit = self.formula.unit
        if self.compute_key_without_formula or not unit.is_indivisible or not isinstance(answer, Fraction | float):
            return
        numbers = [one for step in self.formula.steps for one in tree_nodes(step.tree) if isinstance(one, NumberNode)]
        # A step may have a fraction of the things that are counted, such as 22.7 of them.
        has_fraction = any(
            one.unit and one.unit.dim == unit.dim and one.value_in_own_unit * one.unit.factor % 1 for one in numbers
        )
        if value_in_unit(answer, unit) % 1 and not has_fraction:
            label = unit.dim.count_label
            own = any(one[0] == label for one in unit.bank_units)
            parts = f", or if one has parts, declare one: `units: {{part-of-{label}: [0.001 {label}]}}`" if own else ""
            hint = f"round it with ceil or floor, or ask for another unit than {unit}{parts}"
            message = f"the key is {format_answer(self.formula, answer)}, not a whole number,"
            self.add_failure("fraction", message, hint, step_name=self.formula.steps[-1].name)

    def report_bad_tolerance(self, key: Answer) -> None:
        """Reports a tolerance that accepts 100 % for less, or numbers far from a small key, or only an irrational key
        with all its digits."""
        if not is_number(key) or not key:
            return
        if isinstance(key, float) and not (self.tolerance.as_share_of_key(key) or self.tolerance.min_digits):
            message = f"only all the digits of the key {format_base_value_in_unit(key, self.answer_unit)} are right"
            self.add_failure("digits", message, "write `digits: 3`, or a tolerance")
            return
        exact_key, share = Fraction(key), self.tolerance.as_share_of_key(key)
        gap = quantity.key_or_gap_to_100(exact_key, self.answer_unit)
        key_text = f"the key {format_base_value_in_unit(key, self.answer_unit)}"
        if gap != abs(exact_key) and gap and share * abs(exact_key) >= gap:
            margin = quantity.round_to_significant(gap / 20, 1)
            message = f"the tolerance accepts {format_base_value_in_unit(1, self.answer_unit)} for {key_text}"
        elif self.tolerance.margin_in_base_units and share >= quantity.MIN_TOLERANCE_SHARE_WARNED_OF:
            margin = quantity.round_to_significant(abs(exact_key) / 100, 1)
            message = f"the tolerance accepts numbers that are far off {key_text}"
        else:
            return
        self.add_failure("tolerance", message, suggested_margin_in_base_units=margin)

    def report_misconception_rounding_to_key(self, key: Answer, misconception_id: str, answer: Answer) -> None:
        """Reports a misconception whose `answer` rounds to the same number as the key."""
        if not (is_number(key) and is_number(answer) and is_within_share(answer, key, MAX_ROUNDING_SHARE_OF_KEY)):
            return
        mistake = MistakenAnswer(misconception_id, answer, "")
        target = AnswerTarget(key, self.answer_unit, self.tolerance, mistaken_answers=(mistake,))
        rounding = next((base for _, base in mistakes_with_key_rounding(target)), None)
        if rounding is None or (isinstance(answer, float) and is_within_share(answer, key, quantity.FLOAT_ERROR)):
            return  # no number of digits distinguishes it from the key
        digits = target.min_significant_digits + 1
        while any(mistakes_with_key_rounding(replace(target, tolerance=self.tolerance._replace(min_digits=digits)))):
            digits += 1
        texts = [format_base_value_in_unit(one, self.answer_unit) for one in (answer, rounding, key)]
        clause = f"which rounds to {texts[1]} as the key {texts[2]} does"
        message = f"misconception {misconception_id} gives {texts[0]}, {clause}"
        self.add_failure("rounding", message, misconception_id=misconception_id, distinguishing_digit_count=digits)

    def report_indistinct_misconception_values(self, evaluation: Evaluation) -> None:
        """Reports misconceptions without a value, with the value of the key or of another misconception, or that round
        to the key."""
        mistakes = list(self.formula.misconceptions_with_answers(evaluation))
        answered_ids = {m.id for m, _ in mistakes}
        misconceptions = [m for m in self.formula.misconceptions if m.id not in answered_ids]
        for misconception in misconceptions if evaluation.answer is not IMPOSSIBLE_ANSWER else ():
            try:
                misconception.compute(evaluation.values_by_slot)
            except FormulaError as error:
                hint = "give it a value there, or refuse the drawing with require"
                message = f"{error.message} in misconception {misconception.id}"
                self.add_failure("value", message, hint, misconception_id=misconception.id)
        for misconception, answer in mistakes:
            self.report_misconception_rounding_to_key(evaluation.answer, misconception.id, answer)
        # An answer that is right by another convention may equal the key.
        answers = [(m.id, answer) for m, answer in mistakes if not m.alternative_convention_text]
        for index, (name, answer) in enumerate(answers):
            if self.are_too_close_to_distinguish(answer, evaluation.answer):
                self.report_collision(name, answer, "", evaluation.answer)
                continue
            for other_id, other_answer in answers[:index]:
                if not isinstance(answer, bool) and self.are_too_close_to_distinguish(answer, other_answer):
                    self.report_collision(name, answer, other_id, other_answer)

    def report_collision(self, misconception_id: str, answer: Answer, other_id: str, other_answer: Answer) -> None:
        """Reports the misconception `misconception_id`, whose `answer` is within five tolerances of `other_answer`: the
        answer of the misconception `other_id`, or the key if `other_id` is empty."""
        text, twin = format_answer(self.formula, answer), format_answer(self.formula, other_answer)
        is_equal = answer == other_answer
        if other_id:
            clause = f"both give {text}" if text == twin else f"give {twin} and {text}, within five tolerances"
            message = f"misconceptions {other_id} and {misconception_id} {clause}"
        elif is_equal:
            message = f"misconception {misconception_id} gives the key {twin}"
        else:
            message = f"misconception {misconception_id} gives {text}, within five tolerances of the key {twin}"
        # A misconception is not a mistake in this drawing if the formula has branches or rounds, so that it is one
        # elsewhere, or if an input is 0 or 1, so that its omission changes nothing.
        inputs = zip(self.formula.inputs.values(), self.current_input_slot_values, strict=False)
        numbers = [(value, entry.unit.factor) for entry, value in inputs if not isinstance(value, str | tuple)]
        is_left_out = any(value in (0, 1) or abs(value) == factor for value, factor in numbers)
        is_harmless = bool(other_id) or misconception_id in self.piecewise_misconception_ids or is_left_out
        kind = "near" if not is_equal else "same" if is_harmless else "coincidence"
        self.add_failure(kind, message, misconception_id=misconception_id, other_misconception_id=other_id)

    def are_too_close_to_distinguish(self, left: Answer, right: Answer) -> bool:
        """True if `left` is within five tolerances of `right`."""
        if not is_number(left) or not is_number(right) or not right:
            return left == right
        gap = MIN_TOLERANCES_FROM_KEY * self.tolerance.as_share_of_key(right)
        gap = max(gap, quantity.FLOAT_ERROR) if isinstance(left, float) else gap
        return left == right or is_within_share(left, right, gap)

    @property
    def failures(self) -> tuple[ProofFailure, ...]:
        """The failures, each kind and place once, with the number of its drawings and a hint that fits all of them."""
        failures = []
        for group in self.failures_by_kind_and_place.values():
            failure, count = group[0], len(group)
            hint = failure.hint
            if failure.kind in ("near", "coincidence", "same"):
                remedy = "narrow the tolerance" if failure.kind == "near" else "drop the misconception"
                alternative = ", draw other values or refuse such drawings with `require`"
                hint = f"{remedy}{alternative if count < self.allowed_combination_count else ' or draw other values'}"
            elif failure.kind == "rounding":
                digits = max(one.distinguishing_digit_count for one in group)
                hint = f"write `digits: {digits}`, or draw values that distinguish them"
            elif failure.kind == "tolerance":
                margin = min(one.suggested_margin_in_base_units for one in group)
                margin_text = format_base_value_in_unit(margin, self.answer_unit)
                hint = f"write `tolerance: {{absolute: {margin_text}}}` and `digits: 2`"
            failures.append(replace(failure, combination_count=count, hint=hint))
        return tuple(failures)
