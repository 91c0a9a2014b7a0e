"""Formulas: their inputs and how a value is read, steps, misconceptions and conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import ge, gt, le, lt
from typing import Any, Final, NamedTuple

from quizgen.formula import BadTextError, FormulaError, quantity
from quizgen.formula.expression import BARE_NUMBER_KIND, ImpossibleAnswer, NameScope, RunFunction, Tree, ValueKind
from quizgen.formula.quantity import Number, Quantity, parse_quantity, value_in_unit, without_thousands_commas
from quizgen.formula.units import UNIT_ONE, BankUnits, Unit, dimension_fits_declared, dimension_text
from quizgen.source.problems import Location, did_you_mean, shorten

TRUE_WORDS: Final = ("true", "yes", "1")
FALSE_WORDS: Final = ("false", "no", "0")

# A value in a run: an amount in base units, an enum word, 0 or 1, or a tuple of amounts.
InputValue = Number | str | tuple[Number, ...]
# A value from outside: typed text, a drawn quantity, a JSON number, or a list of these.
RawInputValue = Any


class Input(NamedTuple):
    """One named input. `min_base_value`, `max_base_value` and `default_value` are in base units; `value_kind` is the
    type of its values.

    `allowed_base_values` lists the only allowed numbers; `must_be_power_of_two` and `must_divide_input`, another
    input's name, restrict inverse problems; `bank_units` are the bank's own units, any of which a value may use."""

    name: str
    description: str
    unit: Unit = UNIT_ONE
    value_kind: ValueKind = BARE_NUMBER_KIND
    default_value: InputValue | None = None
    min_base_value: Number | None = None
    max_base_value: Number | None = None
    is_whole: bool = False
    allowed_base_values: tuple[Number, ...] = ()
    must_be_power_of_two: bool = False
    must_divide_input: str = ""
    bank_units: BankUnits = ()

    def read_raw_value(self, raw_value: RawInputValue) -> InputValue:
        """The value for a run, from `raw_value` as a person or a file gives it. Raises FormulaError with the reason."""
        value_type = self.value_kind.type
        if value_type == "number":
            return self._require_allowed_value(self._base_value_of_raw(raw_value), raw_value)
        raw_text = shorten(str(raw_value))
        if value_type == "word":
            words = self.value_kind.enum_words
            if isinstance(raw_value, str) and raw_value.strip() in words:
                return raw_value.strip()
            hint = did_you_mean(raw_text, words) or "give one"
            raise BadTextError(f'{self.name} = "{raw_text}" is none of {", ".join(words)}', hint)
        if value_type == "truth":
            value = raw_value.value_in_own_unit if type(raw_value) is Quantity else raw_value
            text = str(value).strip().lower()
            if text in TRUE_WORDS or text in FALSE_WORDS:
                return int(text in TRUE_WORDS)
            raise BadTextError(f'{self.name} = "{raw_text}" is not yes or no', "give true or false")
        if isinstance(raw_value, str):
            raw_value = raw_value.strip().removeprefix("[").removesuffix("]").split(",")
        if not isinstance(raw_value, list | tuple) or not raw_value:
            raise BadTextError(f"{self.name} = {raw_text} is not a list", f"write {self.name}=1,1,3")
        return tuple(self._require_allowed_value(self._base_value_of_raw(element), element) for element in raw_value)

    def _base_value_of_raw(self, raw_value: RawInputValue) -> Number:
        if type(raw_value) is Quantity:
            value_dim, own_dim = raw_value.unit.dim, self.unit.dim
            if raw_value.unit is not self.unit and not dimension_fits_declared(value_dim, own_dim):
                message = f"{self.name} = {raw_value} is {dimension_text(value_dim)}, not {dimension_text(own_dim)}"
                raise BadTextError(message, f"give it in {self.unit}")
            return raw_value.base_value
        try:
            if isinstance(raw_value, str):
                return parse_quantity(without_thousands_commas(raw_value), self.unit, self.bank_units).base_value
            return Quantity(quantity.exact_number_as_printed(raw_value), self.unit).base_value
        except FormulaError as error:
            error.message = f"{self.name}: {error.message}"
            raise

    def _require_allowed_value(self, value: Number, raw_value: RawInputValue) -> Number:
        to_amount = partial(Quantity.from_base_value, unit=self.unit)
        if self.is_whole and type(value_in_unit(value, self.unit)) is not int:
            reason, hint = "is not a whole number", "give a whole number"
        elif self.min_base_value is not None and value < self.min_base_value:
            reason, hint = f"is below the input's min {to_amount(self.min_base_value)}", "give a larger one"
        elif self.max_base_value is not None and value > self.max_base_value:
            reason, hint = f"is above the input's max {to_amount(self.max_base_value)}", "give a smaller one"
        elif self.allowed_base_values and value not in self.allowed_base_values:
            amounts_text = ", ".join(map(str, map(to_amount, self.allowed_base_values)))
            reason, hint = f"is none of {amounts_text}", "give one of them"
        elif self.must_be_power_of_two and not (type(value) is int and value > 0 and value & (value - 1) == 0):
            reason, hint = "is not a power of two", "give 1, 2, 4, 8 …"
        else:
            return value
        raise BadTextError(f"{self.name} = {shorten(str(raw_value))} {reason}", hint)


# The relation of an answer to a bound, as it is called in YAML and JSON: in words, and as a test of both numbers.
WORDS_AND_TEST_BY_RELATION_NAME: Final[dict[str, tuple[str, Callable[[Any, Any], bool]]]] = {
    "at_most": ("at most", le),
    "at_least": ("at least", ge),
    "below": ("below", lt),
    "above": ("above", gt),
    "equals": ("equal to", partial(quantity.is_within_share, share=quantity.FLOAT_ERROR)),
}


class Requirement(NamedTuple):
    """A `require` of an item, such as `K >= 8 and divides(K, heads)`. `is_met_by_slot_values` takes the values of a run
    by slot and raises DomainError if the condition has no value for them. `needs_step_values`: the condition names a
    step, so that the values of all steps are needed; otherwise those of the inputs are enough."""

    expression_text: str
    is_met_by_slot_values: RunFunction
    needs_step_values: bool
    location: Location


# A formula as data. It has passed every check of names, kinds and units, so only the values of a drawing can still make
# it fail. Amounts are in base units (bit, s, FLOP, J, USD, a count) and exact. The small parts are named tuples, which
# are created seven times as fast as frozen dataclasses.


class Constant(NamedTuple):
    """A named figure with a source and a date, such as a bandwidth from a data sheet."""

    name: str
    quantity: Quantity
    description: str = ""
    citation: str = ""
    source_date_text: str = ""


class Step(NamedTuple):
    """One named expression. `compute` takes the values of inputs and earlier steps, by slot."""

    name: str
    expression_text: str
    tree: Tree
    value_kind: ValueKind
    unit: Unit  # unit in which its value is shown
    compute: RunFunction
    location: Location


class Misconception(NamedTuple):
    """A wrong way to compute the answer: `message` is the message to the candidate, `credit_share` the share of the
    points that the answer earns.

    `alternative_convention_text` is set if the answer is right by another convention than the formula's, and names that
    convention."""

    id: str
    expression_text: str
    tree: Tree
    compute: RunFunction
    message: str
    credit_share: Fraction
    location: Location
    alternative_convention_text: str = ""


class FormulaTest(NamedTuple):
    """The values of inputs and the expected answer, as the author wrote them."""

    text_by_input: Mapping[str, str]
    expected_answer_text: str
    location: Location


IMPOSSIBLE_ANSWER: Final = "impossible"  # the answer of a formula if there is no possible value
Answer = Number | bool | str | tuple[Number, ...]  # the only str is IMPOSSIBLE_ANSWER


class Evaluation(NamedTuple):
    """One run of a formula: the values of inputs and steps by slot, and the answer, in base units."""

    formula: Formula
    values_by_slot: tuple[InputValue | bool, ...]
    answer: Answer

    def inputs_with_values(self) -> Iterator[tuple[Input, InputValue | bool]]:
        """Yields each input with its value in this run."""
        return zip(self.formula.inputs.values(), self.values_by_slot, strict=False)

    def value_of_input_or_step(self, name: str) -> InputValue | bool | None:
        """The value of the input or step called `name`; None if the run ended before it at an impossible value."""
        slot = self.formula.name_scope.symbols[name].slot
        return self.values_by_slot[slot] if slot < len(self.values_by_slot) else None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Formula:
    """A checked formula. `name_scope` assigns slots to inputs first, then to steps. Two formulas are equal only if they
    are one object."""

    name: str
    title: str
    citation: str
    inputs: Mapping[str, Input]
    steps: tuple[Step, ...]
    unit: Unit
    misconceptions: tuple[Misconception, ...]
    convention: str
    sanity_check_text: str
    tests: tuple[FormulaTest, ...]
    constant_by_name: Mapping[str, Constant]
    name_scope: NameScope
    location: Location
    is_answer_always_whole: bool  # the answer is always a whole number

    @property
    def answer_type(self) -> str:
        """The type of the answer: number, truth or tuple (impossible if it never has a value)."""
        return self.steps[-1].value_kind.type

    def read_input_slots(self, input_values: Mapping[str, RawInputValue], sought_name: str = "") -> list[InputValue]:
        """The values of a run in the order of the inputs, with defaults; 0 stands for the input `sought_name`.

        Raises FormulaError for a missing or unknown name and for a value outside its range."""
        if input_values.keys() - self.inputs.keys():
            name = next(name for name in input_values if name not in self.inputs)
            hint = did_you_mean(name, self.inputs) or f"inputs: {', '.join(self.inputs)}"
            raise BadTextError(f'there is no input "{shorten(name)}"', hint)
        values: dict[str, Any] = {
            name: entry.read_raw_value(input_values[name]) if name in input_values else entry.default_value
            for name, entry in self.inputs.items()
        } | ({sought_name: 0} if sought_name else {})
        if names := [name for name, value in values.items() if value is None]:
            subject = f"input {names[0]} has" if len(names) == 1 else f"inputs {', '.join(names)} have"
            descriptions = "; ".join(f"{name}: {self.inputs[name].description}" for name in names)
            raise BadTextError(f"{subject} no value", f"give {descriptions}")
        for entry in self.inputs.values():
            if entry.must_divide_input and sought_name not in (entry.name, entry.must_divide_input):
                value, multiple = values[entry.name], values[entry.must_divide_input]
                if not value or {str, tuple} & {type(value), type(multiple)} or Fraction(multiple) % Fraction(value):
                    statement = f"{entry.name} = {Quantity(value)} does not divide {entry.must_divide_input}"
                    raise BadTextError(f"{statement} = {Quantity(multiple)}", "use a divisor")
        return list(values.values())

    def evaluate_slots(self, input_slot_values: list[InputValue]) -> Evaluation:
        """The evaluation of all steps for bound inputs. Raises DomainError or LimitError with the name of the step."""
        values_by_slot: list[Any] = list(input_slot_values)
        for step in self.steps:
            try:
                values_by_slot.append(step.compute(values_by_slot))
            except FormulaError as error:
                error.step_name = step.name
                raise
            except ImpossibleAnswer:
                return Evaluation(self, tuple(values_by_slot), IMPOSSIBLE_ANSWER)
        return Evaluation(self, tuple(values_by_slot), values_by_slot[-1])

    def evaluate_raw(self, input_values: Mapping[str, RawInputValue]) -> Evaluation:
        """The evaluation for input values by name. Raises FormulaError for values that cannot be used."""
        return self.evaluate_slots(self.read_input_slots(input_values))

    def misconceptions_with_answers(self, evaluation: Evaluation) -> Iterator[tuple[Misconception, Answer]]:
        """Yields each misconception with its answer in this run; one without a value is skipped."""
        for misconception in self.misconceptions:
            try:
                yield misconception, misconception.compute(evaluation.values_by_slot)
            except ImpossibleAnswer:
                yield misconception, IMPOSSIBLE_ANSWER
            except (FormulaError, IndexError):  # IndexError: a step after an impossible one was never computed
                continue

    def require_unit_fits_answer(self, unit: Unit) -> Unit:
        """`unit`, unchanged. Raises BadTextError if the answer cannot be given in it."""
        if not dimension_fits_declared(self.unit.dim, unit.dim):
            message = f"the formula gives {self.unit}, the answer wants {unit}"
            raise BadTextError(message, f"{dimension_text(self.unit.dim)} is not {dimension_text(unit.dim)}")
        return unit
