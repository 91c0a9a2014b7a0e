"""Formulas, their steps, misconceptions and conditions; and whether an expression is always whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple

from quizgen.formula.errors import FormulaError, RejectError
from quizgen.formula.expression.evaluate import ImpossibleError, RunFunction, compile_boolean_expression
from quizgen.formula.expression.functions import FUNCTIONS
from quizgen.formula.expression.parse import (
    Name,
    NameScope,
    Num,
    Tree,
    ValueKind,
    name_nodes,
    operation_names,
    parse_expression,
)
from quizgen.formula.inputs import Input, InputValue, RawValue, bind_inputs
from quizgen.formula.quantity import Number, Quantity
from quizgen.formula.units import BankLabels, Unit, dimension_words, is_assignable
from quizgen.source.problems import Where

# Functions with a whole result whenever all operands are whole.
_OPERATIONS_WHOLE_IF_OPERANDS_ARE: Final = frozenset({"+", "-", "*", "%", "abs", "min", "max", "sum"})
_ALWAYS_WHOLE_OPERATIONS: Final = frozenset(
    {"//", "impossible", *(name for name, one in FUNCTIONS.items() if one.returns_whole)}
)

# Bounds in YAML and JSON, and in words.
RELATION_WORDS: Final = {
    "at_most": "at most",
    "at_least": "at least",
    "below": "below",
    "above": "above",
    "equals": "equal to",
}


def is_always_whole(tree: Tree, is_whole_by_name: Mapping[str, bool]) -> bool:
    """True if the value of a tree is always a whole number: counts that are added, multiplied, rounded or selected.

    `is_whole_by_name` maps names to whether they are whole. A quotient never counts as whole, even if it comes out
    even."""
    if isinstance(tree, Num):
        return type(tree.value) is int and (tree.unit is None or tree.unit.factor == 1)
    if isinstance(tree, Name):
        return is_whole_by_name.get(tree.name, False)
    deciding = tree.branches or (tree.operands if tree.name in _OPERATIONS_WHOLE_IF_OPERANDS_ARE else ())
    if tree.name == "**":
        exponent = tree.operands[1]
        fixed = isinstance(exponent, Num) and type(exponent.value) is int and exponent.value >= 0
        deciding = tree.operands[:1] if fixed else ()
    whole = bool(deciding) and all(is_always_whole(operand, is_whole_by_name) for operand in deciding)
    return whole or tree.name in _ALWAYS_WHOLE_OPERATIONS or (tree.name == "round" and len(tree.operands) == 1)


class Condition(NamedTuple):
    """A `require` of an item, such as `K >= 8 and divides(K, heads)`. `is_met_by` takes the values of a run by slot and
    raises DomainError if the condition has no value for them. `needs_step_values`: the condition names a step, so
    `is_met_by` needs the values of all steps; otherwise those of the inputs are enough."""

    expression: str
    is_met_by: RunFunction
    needs_step_values: bool
    where: Where

    @staticmethod
    def parse(expression: str, formula: Formula, bank_labels: BankLabels, where: Where) -> Condition:
        """A condition over inputs, constants and steps; `bank_labels` are the bank's own units. Raises FormulaError
        with the column."""
        tree = parse_expression(expression, bank_labels)
        steps = {step.name for step in formula.steps}
        needs_steps = any(name.name in steps for name in name_nodes(tree))
        return Condition(expression, compile_boolean_expression(tree, formula.name_scope), needs_steps, where)


# A formula as data: inputs, steps in order, the unit of the answer, misconceptions, tests.
#
# `Formula.parse` reads one from a bank and reports every mistake at its place. The result has passed every
# check of names, kinds and units, so only the values of a drawing can still make it fail. Amounts are in base
# units (bit, s, FLOP, J, USD, a count) and exact. The small parts are named tuples, which are created seven
# times as fast as frozen dataclasses.


class Constant(NamedTuple):
    """A named figure with a source and a date, such as a bandwidth from a data sheet."""

    name: str
    quantity: Quantity
    description: str = ""
    source: str = ""
    date: str = ""


class Step(NamedTuple):
    """One named expression. `run` takes the values of inputs and earlier steps, by slot."""

    name: str
    expression: str
    tree: Tree
    value_kind: ValueKind
    unit: Unit  # unit in which its value is shown
    run: RunFunction
    where: Where


class Misconception(NamedTuple):
    """A wrong way to compute the answer: `message` is the message to the candidate, `credit` the share of the points
    that the answer earns.

    `alternative_convention` is set if the answer is right by another convention than the formula's, and names that
    convention."""

    id: str
    expression: str
    tree: Tree
    run: RunFunction
    message: str
    credit: Fraction
    where: Where
    alternative_convention: str = ""


class FormulaTest(NamedTuple):
    """Values of inputs (`input_values`) and the expected answer, as the author wrote them."""

    input_values: tuple[tuple[str, str], ...]
    expected: str
    where: Where


IMPOSSIBLE: Final = "impossible"  # the answer of a formula if there is no possible value
Answer = Number | bool | str | tuple[Number, ...]  # the only str is IMPOSSIBLE


class Evaluation(NamedTuple):
    """One run of a formula: the values of inputs and steps by slot, and the answer, in base units."""

    formula: Formula
    values_by_slot: tuple[InputValue | bool, ...]
    answer: Answer

    def value_of_name(self, name: str) -> InputValue | bool | None:
        """The value of the input or step called `name`; None if the run ended before it at an impossible value."""
        slot = self.formula.name_scope.symbols[name].slot
        return self.values_by_slot[slot] if slot < len(self.values_by_slot) else None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Formula:
    """A checked formula. `name_scope` assigns slots to inputs first, then to steps. Two formulas are equal only if they
    are one object."""

    name: str
    title: str
    source: str
    inputs: Mapping[str, Input]
    steps: tuple[Step, ...]
    unit: Unit
    misconceptions: tuple[Misconception, ...]
    convention: str
    sanity_check_text: str
    tests: tuple[FormulaTest, ...]
    constants: Mapping[str, Constant]
    name_scope: NameScope
    where: Where
    is_answer_whole: bool  # the answer is always a whole number

    @property
    def may_be_impossible(self) -> bool:
        """True if some step contains `impossible`."""
        return any("impossible" in operation_names(step.tree) for step in self.steps)

    @property
    def answer_shape(self) -> str:
        """The type of the answer: number, truth or tuple (impossible if it never has a value)."""
        return self.steps[-1].value_kind.shape

    def run_steps(self, bound_values: list[InputValue]) -> Evaluation:
        """The evaluation of all steps for bound inputs. Raises DomainError or LimitError with the name of the step."""
        computed: list[Any] = list(bound_values)
        for step in self.steps:
            try:
                computed.append(step.run(computed))
            except FormulaError as error:
                error.step = step.name
                raise
            except ImpossibleError:
                return Evaluation(self, tuple(computed), IMPOSSIBLE)
        return Evaluation(self, tuple(computed), computed[-1])

    def evaluate(self, input_values: Mapping[str, RawValue]) -> Evaluation:
        """The evaluation for input values by name. Raises FormulaError for values that cannot be used."""
        return self.run_steps(bind_inputs(self.inputs, input_values))

    def answers_of_misconceptions(self, evaluation: Evaluation) -> Iterator[tuple[Misconception, Answer]]:
        """Yields each misconception with its answer in this run; one without a value is skipped."""
        for misconception in self.misconceptions:
            try:
                yield misconception, misconception.run(evaluation.values_by_slot)
            except ImpossibleError:
                yield misconception, IMPOSSIBLE
            except (FormulaError, IndexError):  # IndexError: a step after an impossible one was never computed
                continue

    def require_answer_unit(self, unit: Unit) -> Unit:
        """`unit`, unchanged. Raises RejectError if the answer cannot be given in it."""
        if not is_assignable(self.unit.dim, unit.dim):
            message = f"the formula gives {self.unit}, the answer wants {unit}"
            raise RejectError(message, f"{dimension_words(self.unit.dim)} is not {dimension_words(unit.dim)}")
        return unit
