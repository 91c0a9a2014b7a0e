"""Inverse problems: the value of an input that brings the answer of a formula to a bound.

The input's declared domain is searched, and the formula itself answers each point. In a small domain every value is
tried; otherwise values at growing distances, then the interval around the bound is narrowed. The result is checked at
the answer and at its neighbour: one must satisfy the bound and the other must not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise
from math import inf, prod
from operator import gt, lt
from typing import Any, Final

from quizgen.formula import BadTextError, FormulaError, definition, quantity
from quizgen.formula.definition import IMPOSSIBLE_ANSWER, Answer, Formula, Input, InputValue, RawInputValue
from quizgen.formula.expression import operation_names
from quizgen.formula.quantity import FLOAT_ERROR, Number, Quantity, is_number, value_in_unit
from quizgen.formula.show import format_answer, format_number, input_value_text, prefixed_quantity_text
from quizgen.formula.units import int_if_whole
from quizgen.source.problems import did_you_mean, shorten

MAX_SEARCHED_VALUE_IN_OWN_UNIT: Final = 10**15  # in declared units: the end of an unbounded domain
MIN_SEARCHED_VALUE_IN_OWN_UNIT: Final = Fraction(1, 10**15)
MAX_ENUMERATED_NUMBERS: Final = 4096  # whole numbers that are tried one by one
MAX_FACTORED_NUMBER: Final = 10**12
_MAX_ANSWERABLE_SAMPLES: Final = 64  # values with an answer that show which whole numbers of a domain have one
_CONSECUTIVE_VALUES_BEFORE_DOUBLING: Final = 32  # adjacent values tried before the steps grow
_MAX_BISECTIONS: Final = 160


@dataclass(frozen=True, slots=True)
class _SearchDomain:
    """The values of an input, in base units. `listed_values` are all of them if they are few, or none; otherwise (None)
    they run from `low` to `high`.

    `is_low_end_assumed`, `is_high_end_assumed`: the author gave no bound there, so that a search that succeeds even at
    that end is unbounded."""

    description: str
    listed_values: tuple[Number, ...] | None = None
    low: Number = 0
    high: Number = 0
    step: Number = 1  # the distance between neighbours, if `is_whole`
    is_whole: bool = False
    is_low_end_assumed: bool = False
    is_high_end_assumed: bool = False

    def spread_values(self) -> Iterator[Number]:
        """Yields values from `low` to `high`: consecutive whole numbers at first, then pairs around doublings; for
        other numbers four per doubling."""
        size = self.low
        while self.is_whole and size <= self.high and size < self.low + _CONSECUTIVE_VALUES_BEFORE_DOUBLING * self.step:
            yield size
            size = size + self.step
        size = max(size - self.step, self.step) * 2 if self.is_whole else size
        while size < self.high:
            values = (size - self.step, size) if self.is_whole else tuple(size * Fraction(n, 4) for n in (4, 5, 6, 7))
            yield from (one for one in values if one < self.high)
            size = size * 2
        yield self.high


def _search_domain_of_input(entry: Input, value_by_input: Mapping[str, InputValue]) -> _SearchDomain:
    """The declared domain of an input. `value_by_input` has the values of the other inputs.

    Raises BadTextError if its values have no order to search in."""
    if entry.value_kind.type != "number":
        raise BadTextError(f"{entry.name} is not a number to search for", "find a numeric input")
    low, high, factor = entry.min_base_value, entry.max_base_value, entry.unit.factor

    def values_in_range(input_values: Sequence[Number]) -> tuple[Number, ...]:
        return tuple(v for v in input_values if (low is None or v >= low) and (high is None or v <= high))

    if entry.allowed_base_values:
        return _SearchDomain("listed values", values_in_range(sorted(entry.allowed_base_values)))
    if entry.must_divide_input:
        divisors = _ascending_divisors(value_by_input[entry.must_divide_input])
        return _SearchDomain(f"divisors of {entry.must_divide_input}", values_in_range(divisors))
    if entry.must_be_power_of_two:
        powers = values_in_range(tuple(2**k for k in range(50)))
        return _SearchDomain("powers of two", powers, is_high_end_assumed=high is None)
    if entry.is_whole:
        start = low if low is not None else factor
        end = high if high is not None else MAX_SEARCHED_VALUE_IN_OWN_UNIT * factor
        domain = _SearchDomain("whole numbers", None, start, end, factor, True, False, high is None)
        return _limit_to_first_whole_numbers(domain) if end - start <= MAX_ENUMERATED_NUMBERS * factor else domain
    start = low if low is not None and low > 0 else MIN_SEARCHED_VALUE_IN_OWN_UNIT * factor
    end = high if high is not None else MAX_SEARCHED_VALUE_IN_OWN_UNIT * MAX_SEARCHED_VALUE_IN_OWN_UNIT * factor
    return _SearchDomain("real numbers", None, start, end, 0, False, low is None or low <= 0, high is None)


def _ascending_divisors(number: InputValue) -> tuple[Number, ...]:
    """All divisors of a whole number in ascending order. Raises BadTextError if the number is unknown or has too
    many."""
    if type(number) is not int or not 0 < number <= MAX_FACTORED_NUMBER:
        raise BadTextError("the divisors of this number cannot be listed", "give a whole number up to 1e12")
    small_divisors = [d for d in range(1, int(number**0.5) + 2) if d * d <= number and number % d == 0]
    return tuple(sorted({*small_divisors, *(number // d for d in small_divisors)}))


def _limit_to_first_whole_numbers(domain: _SearchDomain) -> _SearchDomain:
    """A domain that lists the first whole numbers of `domain`."""
    count = min(MAX_ENUMERATED_NUMBERS, int(Fraction(domain.high - domain.low) / Fraction(domain.step))) + 1
    return replace(domain, listed_values=tuple(domain.low + n * domain.step for n in range(count)))


@dataclass(frozen=True, slots=True)
class CheckedValue:
    """One `base_value` of the target, the `answer` of the formula there (None: no answer), and whether the
    bound holds there (`meets_bound`)."""

    base_value: Number
    answer: Answer | None
    meets_bound: bool


@dataclass(frozen=True, slots=True)
class InverseSolution:
    """The result of an inverse problem. `status` is found, impossible or unbounded.

    `best_or_nearest` is the answer, or the value that comes nearest if the problem is impossible; `neighbouring_value`
    is the next value, which fails (None at the end of the domain). `extremum_word` is smallest, largest or "the one",
    and empty if the problem is impossible."""

    formula: Formula
    sought_name: str
    relation_name: str
    bound_quantity: Quantity
    domain_description: str
    status: str
    extremum_word: str
    best_or_nearest: CheckedValue | None
    neighbouring_value: CheckedValue | None

    @property
    def base_value_if_found(self) -> Number | None:
        """The value that solves the problem, in base units; None if there is none."""
        return self.best_or_nearest.base_value if self.status == "found" and self.best_or_nearest is not None else None

    @property
    def is_best_value_excluded(self) -> bool:
        """True if `best_or_nearest` is a limit that the target must not itself reach."""
        return self.status == "found" and self.best_or_nearest is not None and not self.best_or_nearest.meets_bound


def extreme_input_within_bound(
    formula: Formula, input_values: Mapping[str, RawInputValue], sought_name: str, relation: str, bound: Quantity | str
) -> InverseSolution:
    """The smallest or largest `sought_name` for which the answer is `relation` `bound` (a text is in the formula's
    unit).

    `input_values` holds the other inputs. Raises FormulaError for a target or bound that cannot be used."""
    if sought_name not in formula.inputs:
        hint = did_you_mean(sought_name, formula.inputs) or f"inputs: {', '.join(formula.inputs)}"
        raise BadTextError(f'there is no input "{shorten(sought_name)}" to find', hint)
    if sought_name in input_values:
        raise BadTextError(f"{sought_name} is given and sought", f"leave {sought_name} out of the values")
    if formula.answer_type != "number":
        raise BadTextError(f"{formula.name} does not answer with a number", "find needs a numeric formula")
    if isinstance(bound, str):
        bound = quantity.parse_quantity(bound, formula.unit)
    formula.require_unit_fits_answer(bound.unit)
    return _InverseSearch(formula, input_values, sought_name, relation, bound).find_solution()


class _InverseSearch:
    """One search; `checked_at` runs the formula at a value of the target."""

    def __init__(
        self, formula: Formula, input_values: Mapping[str, RawInputValue], target: str, relation: str, bound: Quantity
    ) -> None:
        self.formula, self.relation, self.bound = formula, relation, bound
        self.target_slot = list(formula.inputs).index(target)
        self.values_by_slot = formula.read_input_slots(input_values, target)
        # A divisor of any of the other whole inputs divides their product. The value of the target is still 0.
        self.product_of_other_inputs = prod(abs(v) for v in self.values_by_slot if type(v) is int and v)
        value_by_input = dict(zip(formula.inputs, self.values_by_slot, strict=True))
        self.domain = _search_domain_of_input(formula.inputs[target], value_by_input)
        self.may_be_impossible = any(IMPOSSIBLE_ANSWER in operation_names(step.tree) for step in formula.steps)
        self.make_solution = partial(InverseSolution, formula, target, relation, bound, self.domain.description)

    def checked_at(self, value: Number) -> CheckedValue:
        """The formula's answer at `value` of the target, and whether the bound holds there."""
        value = int_if_whole(value)
        self.values_by_slot[self.target_slot] = value
        try:
            answer = self.formula.evaluate_slots(self.values_by_slot).answer
        except FormulaError:
            return CheckedValue(value, None, False)
        _, is_met = definition.WORDS_AND_TEST_BY_RELATION_NAME[self.relation]
        return CheckedValue(value, answer, is_number(answer) and is_met(answer, self.bound.base_value))

    def checked_domain_values_that_have_answer(self) -> list[CheckedValue]:
        """The checked values of the domain, or of a spread of it, but those without an answer."""
        values = self.domain.spread_values() if self.domain.listed_values is None else self.domain.listed_values
        return [one for one in map(self.checked_at, values) if one.answer is not None]

    def find_solution(self) -> InverseSolution:
        """Chooses between listing, bisection for a bound and the search for one equal value."""
        if self.domain.is_whole and self.domain.listed_values is None and self.may_be_impossible:
            self.domain = self._domain_of_answerable_values()
        domain = self.domain
        if domain.listed_values is not None:
            return self._search_extreme_value()
        trials = self.checked_domain_values_that_have_answer() if domain.is_whole else []
        answers: list[Any] = [one.answer for one in trials if is_number(one.answer)]
        if any(map(lt, answers, answers[1:])) and any(map(gt, answers, answers[1:])):
            # The answer rises in one part and falls in another, so that bisection could miss a value.
            self.domain = _limit_to_first_whole_numbers(domain)
            solution = self._search_extreme_value()
            if solution.neighbouring_value is not None:
                return solution
            self.domain = domain
        return self._search_equal_value() if self.relation == "equals" else self._search_extreme_value()

    def _gives_possible_answer(self, value: Number) -> bool:
        return self.checked_at(value).answer not in (None, IMPOSSIBLE_ANSWER)

    def _domain_of_answerable_values(self) -> _SearchDomain:
        """The whole numbers of the domain that have an answer: multiples if the formula needs one (a batch of whole
        accumulation steps), a list if it needs a divisor (of a world size)."""
        domain, has_answer = self.domain, self._gives_possible_answer
        first_values = _limit_to_first_whole_numbers(domain).listed_values or ()
        numbers = list(islice(filter(has_answer, first_values), _MAX_ANSWERABLE_SAMPLES))
        if len(numbers) == _MAX_ANSWERABLE_SAMPLES and numbers[-1] - numbers[0] == (len(numbers) - 1) * domain.step:
            return domain
        product = self.product_of_other_inputs
        divisors = _ascending_divisors(product) if product <= MAX_FACTORED_NUMBER // 100 else ()
        factors = range(1, 2 if numbers else _MAX_ANSWERABLE_SAMPLES)  # numbers in the formula may be factors: 2 * dp
        multiples = {d * n * domain.step for d in divisors for n in factors}
        multiples_in_domain = (value for value in multiples if domain.low <= value <= domain.high)
        numbers = sorted({*numbers, *filter(has_answer, multiples_in_domain)})
        step = min(numbers, default=0)
        if step and all(step * n > domain.high or has_answer(step * n) for n in range(2, _MAX_ANSWERABLE_SAMPLES)):
            return replace(domain, low=step, high=domain.high // step * step, step=step)
        return replace(domain, listed_values=tuple(numbers) or None)

    def _search_extreme_value(self) -> InverseSolution:
        """The smallest or largest value for which the bound holds."""
        trials = self.checked_domain_values_that_have_answer()
        if not any(one.meets_bound for one in trials):
            nearest = trials[0 if self._is_largest_value_sought(trials) else -1] if trials else None
            return self.make_solution("impossible", "", nearest, None)
        index, step = self._index_and_sign_of_extreme_trial_meeting_bound(trials)
        best_value, is_met_at_ends = trials[index], trials[0].meets_bound and trials[-1].meets_bound
        is_only_value = self.relation == "equals" and sum(one.meets_bound for one in trials) == 1
        sense = "the one" if is_only_value else "largest" if step > 0 else "smallest"
        if not 0 <= index + step < len(trials):
            is_open = self.domain.is_high_end_assumed if step > 0 else self.domain.is_low_end_assumed
            return self.make_solution("unbounded" if is_open and is_met_at_ends else "found", sense, best_value, None)
        edge = best_value, trials[index + step]
        edge = edge if self.domain.listed_values else self._narrow_to_adjacent_values(*edge)
        return self.make_solution("found", sense, *edge)

    def _is_largest_value_sought(self, trials: Sequence[CheckedValue]) -> bool:
        """True if the bound drives the answer, and so the target, towards the end of the domain."""
        first, last = trials[0].answer, trials[-1].answer
        is_rising = is_number(first) and is_number(last) and first < last
        return is_rising == (self.relation in ("at_most", "below"))

    def _index_and_sign_of_extreme_trial_meeting_bound(self, trials: Sequence[CheckedValue]) -> tuple[int, int]:
        """The index of the largest (1) or smallest (-1) trial for which the bound holds, and that sign."""
        indexes = [n for n, one in enumerate(trials) if one.meets_bound]
        last = trials[-1].meets_bound
        first_counts = not trials[0].meets_bound or self.relation == "equals"
        if first_counts or (last and not self._is_largest_value_sought(trials)):
            return indexes[0], -1
        if self.domain.listed_values or last:
            return indexes[-1], 1
        return next(n for n, one in enumerate(trials) if not one.meets_bound) - 1, 1

    def _narrow_to_adjacent_values(
        self, hit: CheckedValue, miss: CheckedValue, exact_only: bool = False
    ) -> tuple[CheckedValue, CheckedValue]:
        """Narrows `hit`, for which the bound holds, and `miss`, for which it does not, to adjacent values, and
        returns both; unless `exact_only`, with few digits."""
        domain = self.domain
        nudge = 1 - FLOAT_ERROR if hit.base_value > miss.base_value else 1 + FLOAT_ERROR
        root = None if domain.is_whole else self._exact_input_that_gives_bound(hit, miss)
        if root is not None:
            edge = self.checked_at(root)
            neighbour, inner = self.checked_at(Fraction(root) * nudge), self.checked_at(Fraction(root) * (2 - nudge))
            if not neighbour.meets_bound and (edge.meets_bound or inner.meets_bound):
                return edge, neighbour  # otherwise it lies within a stretch of equal answers
        for _ in range(_MAX_BISECTIONS):  # until they are neighbours; neighbouring real numbers differ by 1e-15
            middle = (Fraction(hit.base_value) + Fraction(miss.base_value)) / 2
            if domain.is_whole:
                middle = Fraction(middle // Fraction(domain.step) * Fraction(domain.step))
            elif abs(Fraction(hit.base_value) - Fraction(miss.base_value)) <= abs(Fraction(hit.base_value)) / 10**15:
                break
            if middle in (hit.base_value, miss.base_value):
                break
            trial = self.checked_at(middle)
            hit, miss = (trial, miss) if trial.meets_bound else (hit, trial)
        if not domain.is_whole and not exact_only:
            # The value near `hit` with the fewest digits for which the bound holds, but not for its neighbour.
            for figures in range(4, 16):
                short_hit = self.checked_at(quantity.round_to_significant(hit.base_value, figures))
                short_miss = self.checked_at(Fraction(short_hit.base_value) * nudge)
                if short_hit.meets_bound and not short_miss.meets_bound:
                    return short_hit, short_miss
        return hit, miss

    def _exact_input_that_gives_bound(self, first: CheckedValue, second: CheckedValue) -> Number | None:
        """The exact value that meets the bound, if the formula is linear in the target or in its inverse; else None."""
        a, b, goal = first.answer, second.answer, self.bound.base_value
        if not isinstance(a, int | Fraction) or not isinstance(b, int | Fraction) or a == b or type(goal) is float:
            return None
        share = (Fraction(goal) - Fraction(a)) / (Fraction(b) - Fraction(a))
        x, y = Fraction(first.base_value), Fraction(second.base_value)
        inverse = (1 - share) / x + share / y if x and y else Fraction(0)
        for root in (x + share * (y - x), *((1 / inverse,) if inverse else ())):
            if min(x, y) <= root <= max(x, y) and self.checked_at(root).answer == goal:
                return int_if_whole(root)
        return None

    def _search_equal_value(self) -> InverseSolution:
        """The value at which the answer equals the bound: where the answer crosses it, or an end of the domain."""
        domain = self.domain
        edges: list[tuple[CheckedValue, CheckedValue]] = []
        for self.relation in ("at_most", "at_least"):  # the second if the answer stays at the value
            trials = self.checked_domain_values_that_have_answer()
            turns = [(a, b) if a.meets_bound else (b, a) for a, b in pairwise(trials) if a.meets_bound != b.meets_bound]
            edges += [self._narrow_to_adjacent_values(*turn, exact_only=True) for turn in turns]
        miss = self._search_extreme_value().best_or_nearest
        ends = [*trials[: not domain.is_low_end_assumed], *trials[len(trials) - (not domain.is_high_end_assumed) :]]
        self.relation = "equals"
        for edge, neighbour in (*edges, *((end, end) for end in ends)):
            trial = self.checked_at(edge.base_value)
            if trial.meets_bound and not domain.is_whole:
                # A value with fewer digits whose answer is as near to the bound; its neighbour, if that fails.
                short_values = (quantity.round_to_significant(trial.base_value, n) for n in range(4, 16))
                short_trials = map(self.checked_at, short_values)
                distance = self._absolute_distance_to_bound(trial)
                best = next((one for one in short_trials if self._absolute_distance_to_bound(one) <= distance), trial)
                next_trial = self.checked_at(Fraction(best.base_value) * (1 + 1000 * FLOAT_ERROR))
                return self.make_solution("found", "the one", best, None if next_trial.meets_bound else next_trial)
            if trial.meets_bound:
                is_next_equal = self.checked_at(trial.base_value + domain.step).meets_bound
                other_trial = None if edge is neighbour else self.checked_at(neighbour.base_value)
                return self.make_solution("found", "smallest" if is_next_equal else "the one", trial, other_trial)
        return self.make_solution("impossible", "", None if miss is None else self.checked_at(miss.base_value), None)

    def _absolute_distance_to_bound(self, trial: CheckedValue) -> Fraction | float:
        return abs(Fraction(trial.answer) - Fraction(self.bound.base_value)) if is_number(trial.answer) else inf


# An inverse problem as lines of text.


def inverse_result_lines(solution: InverseSolution) -> tuple[str, ...]:
    """The lines of an inverse problem: `K = 14`, then the checks at the answer and at its neighbour."""
    formula, target = solution.formula, solution.sought_name
    entry = formula.inputs[target]
    bound = prefixed_quantity_text(solution.bound_quantity, None)
    condition = f"{definition.WORDS_AND_TEST_BY_RELATION_NAME[solution.relation_name][0]} {bound}"
    goal = bound if solution.relation_name == "equals" else condition
    lines = [f"{formula.title or formula.name}: {entry.description} ({target}) for an answer {condition}", ""]
    if solution.status != "found":
        impossible_text = f"impossible, no {target} among the {solution.domain_description} gives {goal}"
        unbounded_text = f"unbounded, every {target} that was tried gives {goal}"
        lines.append(f"Answer: {impossible_text if solution.status == 'impossible' else unbounded_text}")
        if solution.best_or_nearest is not None:
            lines.append(f"  even {_input_gives_answer_text(solution, solution.best_or_nearest)}")
        return tuple(lines)
    assert solution.best_or_nearest is not None
    value = input_value_text(entry, solution.best_or_nearest.base_value)
    if solution.is_best_value_excluded:
        side = "above" if solution.extremum_word == "smallest" else "below"
        lines.append(f"Answer: every {target} {side} {value}, but not {value} itself")
    else:
        sense = {"smallest": "the smallest", "largest": "the largest"}.get(solution.extremum_word, "the value")
        lines.append(f"Answer: {target} = {value}, {sense} among the {solution.domain_description}")
    for trial in filter(None, (solution.best_or_nearest, solution.neighbouring_value)):
        verdict = "meets the bound" if trial.meets_bound else "does not"
        lines.append(f"  {_input_gives_answer_text(solution, trial)}: {verdict}")
    if solution.neighbouring_value is None:
        lines.append(f"  {target} = {value} is the end of its domain")
    return tuple(lines)


def _input_gives_answer_text(solution: InverseSolution, trial: CheckedValue) -> str:
    """One check as text: `K = 14 gives 79.9 GB`, with as many digits as distinguish the answer from the bound."""
    formula, entry = solution.formula, solution.formula.inputs[solution.sought_name]
    number = value_in_unit(trial.base_value, entry.unit)
    value = quantity.with_thousands_commas(str(Quantity(number))) if entry.is_whole else format_number(number, 10)
    answer_text = "no value" if trial.answer is None else format_answer(formula, trial.answer)
    for digits in (10, 15):
        if trial.answer is not None and answer_text == format_answer(formula, solution.bound_quantity.base_value):
            answer_text = format_answer(formula, trial.answer, None, digits)
    unit = "" if entry.unit.symbol == "1" else f" {entry.unit.symbol_after_number_text(value)}"
    return f"{solution.sought_name} = {value}{unit} gives {answer_text}"
