"""Worked derivations: an expression with its values substituted, `(2 B/param + …) * 13B params / 32`."""

from __future__ import annotations

from typing import Any

from quizgen.derivation import DerivationStep, WorkedDerivation
from quizgen.formula.definition import IMPOSSIBLE, Evaluation, Step
from quizgen.formula.errors import FormulaError
from quizgen.formula.expression.evaluate import compile_expression
from quizgen.formula.expression.functions import ARITHMETIC_BY_SIGN, FUNCTIONS
from quizgen.formula.expression.parse import Name, Num, Operation, Tree
from quizgen.formula.inputs import Input, InputValue
from quizgen.formula.quantity import Quantity, ungroup_thousands, value_in_unit
from quizgen.formula.show import format_amount, format_answer
from quizgen.formula.units import Unit


def _expression_with_values(step: Step, evaluation: Evaluation) -> str:
    """The author's text of a step with every name replaced by its value and every choice by its selected branch."""
    text = step.expression

    def substituted_text(part: Tree, adjacent_sign: str = "", follows_sign: bool = False) -> str:
        """The text of `part`; `adjacent_sign` is the operator next to it, which it follows if `follows_sign`."""
        if isinstance(part, Num):
            return text[part.start : part.end]
        if isinstance(part, Name):
            value = ungroup_thousands(_value_text_in_expression(evaluation, part.name))
            # In parentheses if a sign in it could be read together with the one next to it.
            if follows_sign and adjacent_sign in ("/", "//", "%"):
                loose = "/" in value
            elif adjacent_sign == "**" and not follows_sign:
                loose = not value.replace(".", "").isalnum()
            else:
                loose = bool(adjacent_sign) and value.startswith("-")
            return f"({value})" if loose else value
        if part.name in ("if", "case"):
            branch = _selected_branch(part, evaluation)
            if part.name == "if" and isinstance(branch, Operation) and branch.name == "impossible":
                holds = "" if branch is part.operands[1] else "it is not true that "
                return f"impossible, because {holds}{substituted_text(part.operands[0])}"
            tight = not isinstance(branch, Operation) or branch.name in FUNCTIONS or branch.name in ("if", "case")
            return substituted_text(branch) if tight or not adjacent_sign else f"({substituted_text(branch)})"
        sign = part.name if part.name in ARITHMETIC_BY_SIGN and len(part.operands) == 2 else ""
        pieces: list[str] = []
        at = part.start
        for number, operand in enumerate(part.operands):
            pieces += (text[at : operand.start], substituted_text(operand, sign, number == 1))
            at = operand.end
        return "".join((*pieces, text[at : part.end]))

    return f"{text[: step.tree.start]}{substituted_text(step.tree)}{text[step.tree.end :]}"


def _selected_branch(tree: Operation, evaluation: Evaluation) -> Tree:
    """The branch that an `if` or `case` selects in this run."""
    subject, *_, otherwise = tree.operands
    tests = [(subject, tree.branches[0])]
    if tree.name == "case":
        tests = [(tree._replace(name="==", operands=(subject, label)), branch) for label, branch in tree.case_pairs]
    compiled = ((compile_expression(test, evaluation.formula.name_scope), branch) for test, branch in tests)
    return next((branch for test, branch in compiled if test.run(evaluation.values_by_slot)), otherwise)


# The worked derivation of one run: givens, steps with values inserted, the answer, a line to check it by.
#
# It uses the values that the run itself computed, so it cannot disagree with the key.


def derivation_of(evaluation: Evaluation, answer_unit: Unit | None = None) -> WorkedDerivation:
    """The derivation of a run as a block of a page, with the answer in `answer_unit` (None: the formula's unit)."""
    formula = evaluation.formula
    givens = [
        (name, input_value_text(entry, value), entry.description)
        for (name, entry), value in zip(formula.inputs.items(), evaluation.values_by_slot, strict=False)
    ]
    givens += [
        (c.name, format_amount(c.quantity, None), ", ".join(filter(None, (c.description, c.source, c.date))))
        for c in formula.constants.values()
    ]
    steps = []
    # The answers of the steps, as far as the run goes: it may end early at an impossible value.
    answers: tuple[Any, ...] = (*evaluation.values_by_slot[len(formula.inputs) :], IMPOSSIBLE)
    for step, answer in zip(formula.steps, answers, strict=False):
        if step is formula.steps[-1] or answer is IMPOSSIBLE:
            value = format_answer(formula, answer, answer_unit)
        else:
            value = format_amount(Quantity.from_base_value(answer, step.unit))
        steps.append(DerivationStep(step.name, step.expression, _expression_with_values(step, evaluation), value))
    title, result = formula.title or formula.name, format_answer(formula, evaluation.answer, answer_unit)
    sanity = formula.sanity_check_text or _sanity_check_text(evaluation, answer_unit)
    return WorkedDerivation(title, formula.source, tuple(givens), tuple(steps), result, formula.convention, sanity)


def input_value_text(entry: Input, value: InputValue | bool) -> str:
    """An input's value as people write it, with its unit: `13B params`, `80 GB`, `yes`, `1 s, 3 s`."""
    if isinstance(value, str):
        return value
    if entry.value_kind.shape == "truth":
        return "yes" if value else "no"
    amounts = value if isinstance(value, tuple) else (value,)
    return ", ".join(format_amount(Quantity.from_base_value(one, entry.unit), None) for one in amounts)


def _value_text_in_expression(evaluation: Evaluation, name: str) -> str:
    """The value of a name as it stands inside an expression."""
    formula = evaluation.formula
    symbol = formula.name_scope.symbols.get(name)
    if symbol is None:
        return name  # an enum word, compared with its input
    if symbol.constant_value is not None:
        return format_amount(formula.constants[name].quantity, None)
    value: Any = evaluation.values_by_slot[symbol.slot]
    entry = formula.inputs.get(name)
    if entry is not None:
        return input_value_text(entry, value)
    return format_amount(Quantity.from_base_value(value, formula.steps[symbol.slot - len(formula.inputs)].unit))


def _sanity_check_text(evaluation: Evaluation, answer_unit: Unit | None) -> str:
    """A comparison with a simpler case, in words: a degree at its minimum, otherwise an amount doubled, but no share
    that would exceed one; empty if no case gives another answer."""
    formula = evaluation.formula
    numbers = [
        (slot, entry, value)
        for slot, (entry, value) in enumerate(zip(formula.inputs.values(), evaluation.values_by_slot, strict=False))
        if not isinstance(value, str | tuple) and entry.value_kind.shape == "number" and value
    ]
    cases: list[tuple[int, Input, str, Any]] = [
        (slot, entry, f"{entry.name} = {input_value_text(entry, entry.minimum)}", entry.minimum)
        for slot, entry, value in numbers
        if entry.is_whole and entry.minimum is not None and entry.minimum != value
    ]
    cases += [
        (slot, entry, f"{entry.name} twice as large", value * 2)
        for slot, entry, value in numbers
        if not (entry.unit.dim.is_bare and 1 < value * 2 < 2)  # a share such as a hit rate of 70 %
    ]
    answer = format_answer(formula, evaluation.answer, answer_unit)
    for slot, entry, change, value in cases if formula.answer_shape == "number" else ():
        values = [*evaluation.values_by_slot[:slot], value, *evaluation.values_by_slot[slot + 1 : len(formula.inputs)]]
        try:
            entry.read_value(value_in_unit(value, entry.unit))
            changed = formula.run_steps(values).answer
            line = format_answer(formula, changed, answer_unit)
        except FormulaError:
            continue
        # An amount that falls below zero is no simpler case: the formula is not for such an input.
        negative = [one < 0 for one in (evaluation.answer, changed) if not isinstance(one, str | tuple)]
        if line != answer and negative != [False, True]:
            return f"with {change} it would be {line}"
    return ""
