"""Where an inverse problem looks: the values that a target input may take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Final

from quizgen.formula.definition import IMPOSSIBLE, Answer, Formula
from quizgen.formula.errors import FormulaError, RejectError
from quizgen.formula.expression.functions import rounded
from quizgen.formula.inputs import Given, Input, Value, bind
from quizgen.formula.quantity import Number, Quantity, parse_quantity, tidy
from quizgen.source.problems import did_you_mean, shorten

FARTHEST: Final = 10**15  # in declared units: where an open domain ends for us
NEAREST: Final = Fraction(1, 10**15)
FEW: Final = 4096  # whole numbers that are listed one by one
MAX_DIVIDED: Final = 10**12


@dataclass(frozen=True, slots=True)
class Domain:
    """Values in base units. `listed` holds all of them where they are few; else `low` to `high`.

    `open_low`, `open_high`: that end is ours, not the author's, so holding there means unbounded.
    """

    name: str
    listed: tuple[Number, ...] = ()
    low: Number = 0
    high: Number = 0
    unit: Number = 1  # the step between neighbours, where `whole`
    whole: bool = False
    open_low: bool = False
    open_high: bool = False


def domain_of(entry: Input, inputs: Sequence[str], values: Sequence[Value | None]) -> Domain:
    """The declared domain of an input. `values` are those of the other inputs, in the order of `inputs`.

    Raises RejectError where there is no order to search in.
    """
    if entry.kind.shape != "number":
        raise RejectError("find", f"{entry.name} is not a number to search for", "find a numeric input")
    low, high = entry.low, entry.high
    factor = entry.unit.factor
    if entry.choices:
        return Domain("listed values", tuple(sorted(entry.choices)))
    if entry.divisor_of:
        whole = values[list(inputs).index(entry.divisor_of)]
        return Domain(f"divisors of {entry.divisor_of}", _within(divisors(whole), low, high))
    if entry.powers_of_two:
        powers = tuple(2**k for k in range(50))
        listed = _within(powers, low, high)
        return Domain("powers of two", listed, open_high=high is None)
    if entry.whole:
        least = low if low is not None else factor
        most = high if high is not None else FARTHEST * factor
        if most - least <= FEW * factor:
            return Domain("whole numbers", tuple(least + n * factor for n in range(int((most - least) / factor) + 1)))
        return Domain("whole numbers", (), least, most, factor, True, False, high is None)
    least = low if low is not None and low > 0 else NEAREST * factor
    most = high if high is not None else FARTHEST * FARTHEST * factor
    return Domain("real numbers", (), least, most, 0, False, low is None or low <= 0, high is None)


def _within(values: Sequence[Number], low: Number | None, high: Number | None) -> tuple[Number, ...]:
    return tuple(v for v in values if (low is None or v >= low) and (high is None or v <= high))


def divisors(whole: Value | None) -> tuple[Number, ...]:
    if type(whole) is not int or not 0 < whole <= MAX_DIVIDED:
        raise RejectError("find", "the divisors of this number cannot be listed", "give a whole number up to 1e12")
    small = [d for d in range(1, int(whole**0.5) + 2) if d * d <= whole and whole % d == 0]
    return tuple(sorted({*small, *(whole // d for d in small)}))


# How an answer runs over the whole numbers of a domain: with holes, or up and down.
#
# A search halves, which needs an answer everywhere that only rises or only falls. Where it does not,
# what can be listed is listed, so that no value is overlooked.


SCANNED: Final = 4096  # a stretch of whole numbers that is walked rather than halved
_ENOUGH: Final = 64  # values with an answer that show how they lie
_CLOSE: Final = 32  # values in a row that show whether the answer turns


def without_holes(domain: Domain, answers: Callable[[Number], bool], product: int) -> Domain:
    """Of whole numbers those for which there is an answer: where it takes a multiple (a batch of whole
    accumulation steps) the multiples, where it takes a divisor (of a world size) a list.

    `product` is that of the other whole inputs: what divides one of them divides it.
    """
    # Three attempts on one list of numbers, from the likeliest to the last.
    numbers: list[Number] = []
    at, end = domain.low, min(domain.high, domain.low + SCANNED * domain.unit)
    while at <= end and len(numbers) < _ENOUGH:
        if answers(at):
            numbers.append(at)
        at = at + domain.unit
    if len(numbers) == _ENOUGH and numbers[-1] - numbers[0] == (_ENOUGH - 1) * domain.unit:
        return domain
    dividing = divisors(product) if product <= MAX_DIVIDED // 100 else ()
    factors = range(1, 2 if numbers else _ENOUGH)  # numbers in the formula may have a part in it: 2 * dp
    apart = [d * n * domain.unit for d in dividing for n in factors]
    numbers = sorted({*numbers, *(value for value in apart if domain.low <= value <= domain.high and answers(value))})
    step = numbers[0] if numbers else 0
    if step and all(step * n > domain.high or answers(step * n) for n in range(2, _ENOUGH)):
        return replace(domain, low=step, high=domain.high // step * step, unit=step)
    return replace(domain, listed=tuple(numbers))


def first_values(domain: Domain) -> Domain:
    """The first stretch of a domain as a list."""
    count = min(SCANNED, int(Fraction(domain.high - domain.low) / Fraction(domain.unit)) + 1)
    return replace(domain, listed=tuple(domain.low + n * domain.unit for n in range(count)))


def turns(domain: Domain, answer: Callable[[Number], Answer | None]) -> bool:
    """Whether the answer rises somewhere and falls elsewhere: looked at in the first values and around doublings."""
    values: list[Number] = [domain.low + n * domain.unit for n in range(_CLOSE)]
    at = values[-1] * 2
    while at < domain.high and len(values) < 3 * _CLOSE:
        values += [at - domain.unit, at]
        at = at * 2
    answers = [one for one in map(answer, values) if isinstance(one, int | float | Fraction)]
    return any(a < b for a, b in pairwise(answers)) and any(a > b for a, b in pairwise(answers))


# Inverse problems: which value of an input brings the answer to a bound.
#
# A closed search over the input's declared domain, each point answered by the formula itself. The
# result is checked at the answer and at its neighbour, one of which must hold and the other not.


CLOSE: Final = Fraction(1, 10**9)  # how nearly `equals` must be met
_HALVINGS: Final = 160


@dataclass(frozen=True, slots=True)
class Checked:
    """One value of the target (base units), the answer there (None: it has none), and whether it holds."""

    value: Number
    answer: Answer | None
    holds: bool


@dataclass(frozen=True, slots=True)
class Inverse:
    """`status` is found, impossible or unbounded. `at` is the answer, `beside` the neighbour that fails
    (None at the end of the domain); for impossible, `at` is the nearest miss.

    `sense` is smallest, largest or the one. `strict`: `at` is a limit that is not itself reached.
    """

    formula: Formula
    target: str
    relation: str
    bound: Quantity
    status: str
    sense: str
    domain: str
    at: Checked | None
    beside: Checked | None
    strict: bool = False


def find(formula: Formula, given: Mapping[str, Given], target: str, relation: str, bound: Quantity | str) -> Inverse:
    """The smallest or largest `target` for which the answer is `relation` `bound` (a text: in the formula's unit).

    `given` holds the other inputs. Raises FormulaError for a target or bound that cannot be used.
    """
    if target not in formula.inputs:
        hint = did_you_mean(target, formula.inputs) or f"inputs: {', '.join(formula.inputs)}"
        raise RejectError("name", f'there is no input "{shorten(target)}" to find', hint)
    if target in given:
        raise RejectError("find", f"{target} is given and sought", f"leave {target} out of the values")
    if formula.kind != "number":
        raise RejectError("find", f"{formula.name} does not answer with a number", "find needs a numeric formula")
    if isinstance(bound, str):
        bound = parse_quantity(bound, formula.unit)
    formula.accepts(bound.unit)
    return _Search(formula, given, target, relation, bound).run()


class _Search:
    """One search; `test` runs the formula at a value of the target."""

    def __init__(
        self, formula: Formula, given: Mapping[str, Given], target: str, relation: str, bound: Quantity
    ) -> None:
        self.formula, self.target, self.relation, self.bound = formula, target, relation, bound
        self.slot = list(formula.inputs).index(target)
        self.values = bind(formula.inputs, given, target)
        self.domain = domain_of(formula.inputs[target], list(formula.inputs), self.values)

    @property
    def wants_less(self) -> bool:
        return self.relation in ("at_most", "below")

    def test(self, value: Number) -> Checked:
        self.values[self.slot] = value
        try:
            answer = self.formula.run(self.values).answer
        except FormulaError:
            return Checked(value, None, False)
        return Checked(value, answer, isinstance(answer, int | Fraction | float) and self.met(answer))

    def _answers(self, value: Number) -> bool:
        return self.test(value).answer not in (None, IMPOSSIBLE)

    def met(self, answer: Number) -> bool:
        bound = self.bound.base
        match self.relation:
            case "at_most":
                return answer <= bound
            case "at_least":
                return answer >= bound
            case "below":
                return answer < bound
            case "above":
                return answer > bound
            case _:
                return abs(Fraction(answer) - Fraction(bound)) <= CLOSE * abs(Fraction(bound))

    def result(
        self, status: str, sense: str, at: Checked | None, beside: Checked | None, strict: bool = False
    ) -> Inverse:
        given = (self.formula, self.target, self.relation, self.bound)
        return Inverse(*given, status, sense, self.domain.name, at, beside, strict)

    def run(self) -> Inverse:
        domain = self.domain
        if domain.whole and self.formula.may_be_impossible:
            others = [value for n, value in enumerate(self.values) if n != self.slot and type(value) is int and value]
            self.domain = domain = without_holes(domain, self._answers, prod(others))
        if self.domain.listed:
            return self._listed()
        if domain.whole and turns(domain, lambda value: self.test(value).answer):
            self.domain = first_values(domain)
            values = self._listed()
            if values.status == "found" and values.beside is not None:
                return values
            self.domain = domain
        return self._equal() if self.relation == "equals" else self._turning()

    def _turning(self) -> Inverse:
        """Where the test turns between the ends of the domain."""
        first, last = self._ends()
        if first is None or last is None:
            return self.result("impossible", "", None, None)
        if first.holds and last.holds:
            return self._everywhere(first, last)
        if not first.holds and not last.holds:
            inside = self._somewhere(first.value, last.value)
            if inside is None:
                return self.result("impossible", "", self._nearest(first, last), None)
            last = inside
        sense = "smallest" if last.holds else "largest"
        return self._boundary(first.value, last.value, sense)

    # -- the shapes of a domain -------------------------------------------------------------------

    def _listed(self) -> Inverse:
        """A domain small enough to try every value; values without an answer are no part of it."""
        # The cases exclude each other and share what was tried: apart they would need six arguments.
        tried = [one for one in map(self.test, self.domain.listed) if one.answer is not None]
        holding = [n for n, one in enumerate(tried) if one.holds]
        if not holding:
            return self.result("impossible", "", self._nearest(tried[0], tried[-1]) if tried else None, None)
        first, last = holding[0] == 0, holding[-1] == len(tried) - 1
        wants_more = self._rises(tried[0], tried[-1]) == self.wants_less
        largest = first and (not last or wants_more) and self.relation != "equals"
        if first and last and largest and self.domain.open_high:
            return self.result("unbounded", "largest", tried[-1], None)
        n = holding[-1] if largest else holding[0]
        other = n + 1 if largest else n - 1
        beside = tried[other] if 0 <= other < len(tried) else None
        alone = self.relation == "equals" and len(holding) == 1
        sense = "the one" if alone else "largest" if largest else "smallest"
        return self.result("found", sense, tried[n], beside)

    @staticmethod
    def _rises(first: Checked, last: Checked) -> bool:
        a, b = first.answer, last.answer
        if isinstance(a, int | Fraction | float) and isinstance(b, int | Fraction | float):
            return a < b
        return False

    def _ends(self) -> tuple[Checked | None, Checked | None]:
        """The outermost points of the domain at which the formula has a value."""
        return self._end(self.domain.low, self.domain.high), self._end(self.domain.high, self.domain.low)

    def _end(self, start: Number, towards: Number) -> Checked | None:
        """The value nearest to `start` that has an answer, stepping inwards by halving the exponent."""
        at, step = start, Fraction(1)
        for _ in range(_HALVINGS):
            tested = self.test(at)
            if tested.answer is not None:
                return tested
            step *= 2
            inward = (start or self.domain.unit) * step / (1 if start else 2) if start < towards else start / step
            at = self._on_grid(inward, down=start > towards)
            if (start < towards) != (at < towards):
                return None
        return None

    def _on_grid(self, value: Number, down: bool = True) -> Number:
        if not self.domain.whole:
            return tidy(Fraction(value))
        steps = Fraction(value) / Fraction(self.domain.unit)
        return tidy((steps.__floor__() if down else steps.__ceil__()) * Fraction(self.domain.unit))

    def _everywhere(self, first: Checked, last: Checked) -> Inverse:
        """It holds at both ends: the end that the bound pulls away from is the answer, or there is no end."""
        if self._rises(first, last) == self.wants_less:
            return self.result("unbounded" if self.domain.open_high else "found", "largest", last, None)
        return self.result("unbounded" if self.domain.open_low else "found", "smallest", first, None)

    def _somewhere(self, low: Number, high: Number) -> Checked | None:
        """A point inside that holds although neither end does: on a grid of powers of two."""
        at: Number = low if low > 0 else self.domain.unit or Fraction(1)
        while at < high:
            tested = self.test(self._on_grid(at))
            if tested.holds:
                return tested
            at = at * 2
        return None

    def _nearest(self, first: Checked, last: Checked) -> Checked:
        return first if self._rises(first, last) == self.wants_less else last

    def _boundary(self, low: Number, high: Number, sense: str) -> Inverse:
        """Between a point that holds and one that does not."""
        if self.domain.whole:
            return self._whole_boundary(low, high, sense)
        exact = self._crossing(low, high)
        if exact is not None:
            at = self.test(exact)
            nudge: Fraction = 1 - CLOSE if sense == "smallest" else 1 + CLOSE
            beside, inside = self.test(tidy(Fraction(exact) * nudge)), self.test(tidy(Fraction(exact) * (2 - nudge)))
            if not beside.holds and (at.holds or inside.holds):  # else it lies within a stretch of equal answers
                return self.result("found", sense, at, beside, strict=not at.holds)
        low, high = self._halve(low, high, lambda one: one.holds == (sense == "smallest"))
        at, beside = self.test(high), self.test(low)
        if sense == "largest":
            at, beside = beside, at
        return self.result("found", sense, *self._plainest(at, beside, 1 - CLOSE if sense == "smallest" else 1 + CLOSE))

    def _whole_boundary(self, low: Number, high: Number, sense: str) -> Inverse:
        step = self.domain.unit
        wanted = sense == "smallest"
        bottom, top = self._bracket(low, high, wanted)
        if top - bottom <= SCANNED * step:
            at = bottom
            while at < top and self.test(at).holds != wanted:
                at = at + step
            top, bottom = at, at - step
        else:
            bottom, top = self._halve(bottom, top, lambda one: one.holds == wanted)
        answer, other = (top, bottom) if wanted else (bottom, top)
        beside = self.test(other) if self.domain.low <= other <= self.domain.high else None
        return self.result("found", sense, self.test(answer), beside)

    def _bracket(self, low: Number, high: Number, wanted: bool) -> tuple[Number, Number]:
        """The first stretch between doublings at whose end the test turns to `wanted`."""
        bottom, size = low, self.domain.unit
        while (top := min(low + size, high)) < high:
            if self.test(top).holds == wanted:
                return bottom, top
            bottom, size = top, size * 2
        return bottom, high

    def _halve(self, low: Number, high: Number, turned: Callable[[Checked], bool]) -> tuple[Number, Number]:
        """Neighbours (or, for reals, values 1e-15 apart) between which the test turns."""
        for _ in range(_HALVINGS):
            middle = self._on_grid((Fraction(low) + Fraction(high)) / 2)
            if not self.domain.whole and low > 0 and high > low * 4:
                middle = tidy(Fraction(float(low) ** 0.5 * float(high) ** 0.5))
            if middle in (low, high) or (
                not self.domain.whole and high - low <= abs(Fraction(high)) * Fraction(1, 10**15)
            ):
                break
            if turned(self.test(middle)):
                high = middle
            else:
                low = middle
        return low, high

    def _crossing(self, low: Number, high: Number) -> Number | None:
        """The exact value that meets the bound, where the formula is linear in the target or in its inverse."""
        one, two = self.test(low), self.test(high)
        a, b, goal = one.answer, two.answer, self.bound.base
        if not isinstance(a, int | Fraction) or not isinstance(b, int | Fraction) or a == b or type(goal) is float:
            return None
        share = (Fraction(goal) - Fraction(a)) / (Fraction(b) - Fraction(a))
        x, y = Fraction(low), Fraction(high)
        candidates = [x + share * (y - x)]
        inverse = (1 - share) / x + share / y if x and y else Fraction(0)
        if inverse:
            candidates.append(1 / inverse)
        for candidate in candidates:  # linear first, then linear in the inverse
            if x <= candidate <= y and self.test(tidy(candidate)).answer == goal:
                return tidy(candidate)
        return None

    def _equal(self) -> Inverse:
        """The value at which the answer is the bound: where `at most` turns."""
        at = None
        for side in ("at_most", "at_least"):  # the second where the answer comes to stay
            self.relation = side
            turning = self._turning()
            self.relation = "equals"
            at = self.test(turning.at.value) if turning.at is not None else at
            if turning.status == "found" and at is not None and at.holds:
                break
        else:
            return self.result("impossible", "", at, None)
        if self.domain.whole:
            beside = self.test(turning.beside.value) if turning.beside is not None else None
            several = self.test(at.value + self.domain.unit).holds
            return self.result("found", "smallest" if several else "the one", at, beside)
        return self.result("found", "the one", *self._plainest(at, None, 1 + 1000 * CLOSE))

    def _plainest(self, at: Checked, beside: Checked | None, nudge: Fraction) -> tuple[Checked, Checked | None]:
        """The same answer with the fewest figures that keep the bound while its neighbour does not."""
        for figures in range(4, 16):
            short = self.test(tidy(rounded(at.value, figures)))
            other = self.test(tidy(Fraction(short.value) * nudge))
            if short.holds and not other.holds:
                return short, other
        return at, beside


# Inverse problems: which value of an input brings the answer to a bound.
