"""The inputs of a formula: their meaning, unit and range, and how a value is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from quizgen.formula.errors import FormulaError, RejectError
from quizgen.formula.expression.parse import NUMBER_KIND, ValueKind
from quizgen.formula.quantity import (
    Number,
    Quantity,
    exact_decimal,
    exact_number_text,
    int_if_whole,
    parse_quantity,
    value_in_unit,
)
from quizgen.formula.units import UNIT_ONE, BankLabels, Unit, dimension_words, is_assignable
from quizgen.source.problems import did_you_mean, shorten

TRUE_WORDS: Final = ("true", "yes", "1")
FALSE_WORDS: Final = ("false", "no", "0")
MAX_LIST_VALUES: Final = 256
_THOUSANDS_PATTERN: Final = re.compile(r"^[+-]?\d{1,3}(?:,\d{3})+(?![\d,])")

# A value in a run: an amount in base units, an enum word, 0 or 1, or a tuple of amounts.
InputValue = Number | str | tuple[Number, ...]
# A value from outside: typed text, a drawn quantity, a JSON number, or a list of these.
RawValue = Any


class Input(NamedTuple):
    """One named input. `minimum`, `maximum` and `default` are in base units; `value_kind` is the type of its values.

    `choices` lists the only allowed numbers; `must_be_power_of_two` and `divisor_of` restrict inverse problems;
    `bank_labels` are the bank's own units, any of which a value may use."""

    name: str
    description: str
    unit: Unit = UNIT_ONE
    value_kind: ValueKind = NUMBER_KIND
    default: InputValue | None = None
    minimum: Number | None = None
    maximum: Number | None = None
    is_whole: bool = False
    choices: tuple[Number, ...] = ()
    must_be_power_of_two: bool = False
    divisor_of: str = ""
    bank_labels: BankLabels = ()

    def read_value(self, raw_value: RawValue) -> InputValue:
        """The value for a run, from `raw_value` as a person or a file gives it. Raises FormulaError with the reason."""
        shape = self.value_kind.shape
        if shape == "word":
            return self._read_word(raw_value)
        if shape == "truth":
            return self._read_truth(raw_value)
        if shape == "list":
            return self._read_list(raw_value)
        return self._require_in_range(self._read_number(raw_value), raw_value)

    # -- numbers ----------------------------------------------------------------------------

    def _read_number(self, raw_value: RawValue) -> Number:
        if type(raw_value) is Quantity:
            given, own = raw_value.unit.dim, self.unit.dim
            if raw_value.unit is not self.unit and not is_assignable(given, own):
                message = f"{self.name} = {raw_value} is {dimension_words(given)}, not {dimension_words(own)}"
                raise RejectError(message, f"give it in {self.unit}")
            return raw_value.base_value
        try:
            if isinstance(raw_value, str):
                plain = _THOUSANDS_PATTERN.sub(lambda found: found[0].replace(",", ""), raw_value.strip())
                return parse_quantity(plain, self.unit, self.bank_labels).base_value
            value = exact_decimal(raw_value)
        except FormulaError as error:
            error.message = f"{self.name}: {error.message}"
            raise
        return int_if_whole(value * self.unit.factor)

    def _require_in_range(self, value: Number, raw_value: RawValue) -> Number:
        if self.is_whole and type(value_in_unit(value, self.unit)) is not int:
            reason, hint = "is not a whole number", "give a whole number"
        elif self.minimum is not None and value < self.minimum:
            reason, hint = f"is below the input's min {self.bound_text(self.minimum)}", "give a larger one"
        elif self.maximum is not None and value > self.maximum:
            reason, hint = f"is above the input's max {self.bound_text(self.maximum)}", "give a smaller one"
        elif self.choices and value not in self.choices:
            reason, hint = f"is none of {', '.join(map(self.bound_text, self.choices))}", "give one of them"
        elif self.must_be_power_of_two and not (type(value) is int and value > 0 and value & (value - 1) == 0):
            reason, hint = "is not a power of two", "give 1, 2, 4, 8 …"
        else:
            return value
        raise RejectError(f"{self.name} = {shorten(str(raw_value))} {reason}", hint)

    def bound_text(self, value: Number) -> str:
        number = exact_number_text(value_in_unit(value, self.unit))
        return number if self.unit is UNIT_ONE else f"{number} {self.unit}"

    # -- other kinds ------------------------------------------------------------------------

    def _read_word(self, raw_value: RawValue) -> str:
        words = self.value_kind.enum_words
        if isinstance(raw_value, str) and raw_value.strip() in words:
            return raw_value.strip()
        text = shorten(str(raw_value))
        message = f'{self.name} = "{text}" is none of {", ".join(words)}'
        raise RejectError(message, did_you_mean(text, words) or "give one")

    def _read_truth(self, raw_value: RawValue) -> int:
        value = raw_value.value if type(raw_value) is Quantity else raw_value
        text = str(value).strip().lower()
        if text in TRUE_WORDS or text in FALSE_WORDS:
            return int(text in TRUE_WORDS)
        raise RejectError(f'{self.name} = "{shorten(str(raw_value))}" is not yes or no', "give true or false")

    def _read_list(self, raw_value: RawValue) -> tuple[Number, ...]:
        if isinstance(raw_value, str):
            raw_value = raw_value.strip().removeprefix("[").removesuffix("]").split(",")
        if not isinstance(raw_value, list | tuple) or not raw_value:
            raise RejectError(f"{self.name} = {shorten(str(raw_value))} is not a list", f"write {self.name}=1,1,3")
        if len(raw_value) > MAX_LIST_VALUES:
            raise RejectError(f"{self.name} has more than {MAX_LIST_VALUES} values", "give fewer")
        return tuple(self._require_in_range(self._read_number(one), one) for one in raw_value)


def bind_inputs(
    inputs: Mapping[str, Input], input_values: Mapping[str, RawValue], target_input: str = ""
) -> list[InputValue]:
    """The values of a run in the order of `inputs`, with defaults; 0 stands for the input `target_input`.

    Raises FormulaError for a missing or unknown name and for a value outside its range."""
    if input_values.keys() - inputs.keys():
        name = next(name for name in input_values if name not in inputs)
        hint = did_you_mean(name, inputs) or f"inputs: {', '.join(inputs)}"
        raise RejectError(f'there is no input "{shorten(name)}"', hint)
    values: list[InputValue] = []
    lacking: list[str] = []
    for name, entry in inputs.items():
        if name == target_input:
            values.append(0)
        elif name in input_values:
            values.append(entry.read_value(input_values[name]))
        elif entry.default is not None:
            values.append(entry.default)
        else:
            lacking.append(name)
    if lacking:
        which = f"input {lacking[0]} has" if len(lacking) == 1 else f"inputs {', '.join(lacking)} have"
        meant = "; ".join(f"{name}: {inputs[name].description}" for name in lacking)
        raise RejectError(f"{which} no value", f"give {meant}")
    for position, entry in enumerate(inputs.values()):
        if entry.divisor_of and target_input not in (entry.name, entry.divisor_of):
            value = values[position]
            multiple = values[list(inputs).index(entry.divisor_of)]
            assert not isinstance(value, str | tuple)
            assert not isinstance(multiple, str | tuple)
            if not value or Fraction(multiple) % Fraction(value):
                multiple_text = exact_number_text(multiple)
                both = f"{entry.name} = {exact_number_text(value)} does not divide {entry.divisor_of} = {multiple_text}"
                raise RejectError(both, "use a divisor")
    return values
