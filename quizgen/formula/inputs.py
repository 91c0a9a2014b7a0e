"""The inputs of a formula: their meaning, unit and range, and how a value is read."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from quizgen.formula.errors import FormulaError, RejectError
from quizgen.formula.expression.parse import NUMBER_KIND, ValueKind
from quizgen.formula.quantity import (
    Number,
    Quantity,
    exact_number,
    exact_text,
    int_if_whole,
    parse_quantity,
    value_in_unit,
)
from quizgen.formula.units import UNIT_ONE, Labels, Unit, dimension_words, is_assignable
from quizgen.source.problems import did_you_mean, shorten

TRUE_WORDS: Final = ("true", "yes", "1")
FALSE_WORDS: Final = ("false", "no", "0")
MAX_LIST_VALUES: Final = 256

# A value in a run: an amount in base units, an enum word, 0 or 1, or a tuple of amounts.
Value = Number | str | tuple[Number, ...]
# A value from outside: typed text, a drawn quantity, a JSON number, or a list of these.
Given = Any


class Input(NamedTuple):
    """One named input. `minimum`, `maximum` and `default` are in base units; `kind` is the type of its values.

    `choices` lists the only allowed numbers; `must_be_power_of_two` and `divisor_of` restrict inverse problems;
    `labels` are the bank's own units, any of which a value may use."""

    name: str
    description: str
    unit: Unit = UNIT_ONE
    kind: ValueKind = NUMBER_KIND
    default: Value | None = None
    minimum: Number | None = None
    maximum: Number | None = None
    is_whole: bool = False
    choices: tuple[Number, ...] = ()
    must_be_power_of_two: bool = False
    divisor_of: str = ""
    labels: Labels = ()

    def read_value(self, given: Given) -> Value:
        """The value for a run, from a value as written. Raises FormulaError with the reason."""
        shape = self.kind.shape
        if shape == "word":
            return self._read_word(given)
        if shape == "truth":
            return self._read_truth(given)
        if shape == "list":
            return self._read_list(given)
        return self._require_in_range(self._read_number(given), given)

    # -- numbers ----------------------------------------------------------------------------

    def _read_number(self, given: Given) -> Number:
        if type(given) is Quantity:
            if given.unit is not self.unit and not is_assignable(given.unit.dim, self.unit.dim):
                raise RejectError(
                    "unit",
                    f"{self.name} = {given} is {dimension_words(given.unit.dim)}, not {dimension_words(self.unit.dim)}",
                    f"give it in {self.unit}",
                )
            return given.base
        try:
            if isinstance(given, str):
                return parse_quantity(given, self.unit, self.labels).base
            value = exact_number(given)
        except FormulaError as error:
            error.message = f"{self.name}: {error.message}"
            raise
        return int_if_whole(value * self.unit.factor)

    def _require_in_range(self, value: Number, given: Given) -> Number:
        if self.is_whole and type(value_in_unit(value, self.unit)) is not int:
            raise self._range_error(given, "is not a whole number", "give a whole number")
        if self.minimum is not None and value < self.minimum:
            raise self._range_error(
                given, f"is below the input's min {self.bound_text(self.minimum)}", "give a larger one"
            )
        if self.maximum is not None and value > self.maximum:
            raise self._range_error(
                given, f"is above the input's max {self.bound_text(self.maximum)}", "give a smaller one"
            )
        if self.choices and value not in self.choices:
            known = ", ".join(self.bound_text(choice) for choice in self.choices)
            raise self._range_error(given, f"is none of {known}", "give one of them")
        if self.must_be_power_of_two and not (type(value) is int and value > 0 and value & (value - 1) == 0):
            raise self._range_error(given, "is not a power of two", "give 1, 2, 4, 8 …")
        return value

    def bound_text(self, value: Number) -> str:
        return exact_text(value_in_unit(value, self.unit))

    def _range_error(self, given: Given, reason: str, hint: str) -> RejectError:
        return RejectError("range", f"{self.name} = {shorten(str(given))} {reason}", hint)

    # -- other kinds ------------------------------------------------------------------------

    def _read_word(self, given: Given) -> str:
        words = self.kind.words
        if isinstance(given, str) and given.strip() in words:
            return given.strip()
        text = shorten(str(given))
        raise RejectError(
            "word", f'{self.name} = "{text}" is none of {", ".join(words)}', did_you_mean(text, words) or "give one"
        )

    def _read_truth(self, given: Given) -> int:
        if given is True or given is False:
            return int(given)
        value = given.value if type(given) is Quantity else given
        text = value.strip().lower() if isinstance(value, str) else str(value)
        if text in TRUE_WORDS or text in FALSE_WORDS:
            return int(text in TRUE_WORDS)
        raise RejectError("word", f'{self.name} = "{shorten(str(given))}" is not yes or no', "give true or false")

    def _read_list(self, given: Given) -> tuple[Number, ...]:
        if isinstance(given, str):
            given = [part for part in given.strip().removeprefix("[").removesuffix("]").split(",")]
        if not isinstance(given, list | tuple) or not given:
            raise RejectError("list", f"{self.name} = {shorten(str(given))} is not a list", f"write {self.name}=1,1,3")
        if len(given) > MAX_LIST_VALUES:
            raise RejectError("list", f"{self.name} has more than {MAX_LIST_VALUES} values", "give fewer")
        return tuple(self._require_in_range(self._read_number(one), one) for one in given)


def bind_inputs(inputs: Mapping[str, Input], given: Mapping[str, Given], target_input: str = "") -> list[Value]:
    """The values of a run in the order of `inputs`, with defaults; 0 stands for the input `target_input`.

    Raises FormulaError for a missing or unknown name and for a value outside its range."""
    if given.keys() - inputs.keys():
        name = next(name for name in given if name not in inputs)
        hint = did_you_mean(name, inputs) or f"inputs: {', '.join(inputs)}"
        raise RejectError("name", f'there is no input "{shorten(name)}"', hint)
    values: list[Value] = []
    lacking: list[str] = []
    for name, entry in inputs.items():
        if name == target_input:
            values.append(0)
        elif name in given:
            values.append(entry.read_value(given[name]))
        elif entry.default is not None:
            values.append(entry.default)
        else:
            lacking.append(name)
    if lacking:
        which = f"input {lacking[0]} has" if len(lacking) == 1 else f"inputs {', '.join(lacking)} have"
        meant = "; ".join(f"{name}: {inputs[name].description}" for name in lacking)
        raise RejectError("missing", f"{which} no value", f"give {meant}")
    for position, entry in enumerate(inputs.values()):
        if entry.divisor_of and target_input not in (entry.name, entry.divisor_of):
            _require_divisor(entry, values[position], values[list(inputs).index(entry.divisor_of)])
    return values


def _require_divisor(entry: Input, value: Value, whole: Value) -> None:
    assert not isinstance(value, str | tuple)
    assert not isinstance(whole, str | tuple)
    if not value or Fraction(whole) % Fraction(value):
        raise RejectError(
            "range",
            f"{entry.name} = {exact_text(value)} does not divide {entry.divisor_of} = {exact_text(whole)}",
            "use a divisor",
        )
