"""Formats numbers and amounts as people write them (`13B`, `80 GB`, `31.69 GB`, `1.2e-5`), and worked derivations: an
expression with its values substituted, `(2 B/param + …) * 13B params / 32`."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from quizgen.derivation import DerivationStep, WorkedDerivation
from quizgen.formula import FormulaError, quantity
from quizgen.formula.definition import IMPOSSIBLE_ANSWER, Answer, Evaluation, Formula, Input, InputValue, Step
from quizgen.formula.expression import NameNode, NumberNode, Operation, Tree, compile_expression
from quizgen.formula.functions import ARITHMETIC_FUNCTION_BY_SIGN, FUNCTION_BY_NAME
from quizgen.formula.quantity import Number, Quantity, exact_number_text, printed_fraction, round_to_significant
from quizgen.formula.units import FACTOR_BY_COUNT_SUFFIX, KNOWN_UNITS, UNIT_ONE, Unit, int_if_whole

INTERMEDIATE_DIGITS: Final = 4  # significant figures of an intermediate value
_PLAIN_NUMBER_AND_UNIT_PATTERN: Final = re.compile(r"[\d.,]+\s+[A-Za-z]")  # a number without an exponent, and its unit
# The first unit of a spelling, which takes the prefix, and the rest.
_FIRST_UNIT_AND_REST_PATTERN: Final = re.compile(r"(\w*)(?!\*\*)(.*)")
_SHOWN_PREFIXES_BY_SYMBOL: Final = {"B": "kMGTPE", "b": "kMGTP", "FLOP": "kMGTPEZY", "J": "kMG", "W": "kMG"}
_PREFIXED_SYMBOLS_BY_UNIT_SYMBOL: Final = {
    **{unit: (unit, *(prefix + unit for prefix in prefixes)) for unit, prefixes in _SHOWN_PREFIXES_BY_SYMBOL.items()},
    "s": ("ns", "us", "ms", "s", "h", "day"),
}


def format_number(value: Number, digits: int = INTERMEDIATE_DIGITS) -> str:
    """A number to significant figures: `31.69`, `12,288`, `1.2e-5`, `5.76e23`.

    A whole number below a million keeps all its digits; very large and very small numbers have an exponent."""
    fraction = printed_fraction(value)
    if fraction.denominator == 1 and abs(fraction) < 10**6:
        return quantity.with_thousands_commas(str(fraction.numerator))
    rounding = round_to_significant(value, digits)
    power = quantity.decimal_exponent(rounding)
    if -5 < power < 6:
        return quantity.with_thousands_commas(exact_number_text(rounding))
    return f"{exact_number_text(rounding / Fraction(10) ** power)}e{power}"


def format_share_number(value: Number, whole: int, digits: int = INTERMEDIATE_DIGITS) -> str:
    """A share of `whole` (100 for a percentage, 1 for a fraction) to significant figures: `46.67`, `99.9975`.

    From nine tenths up, the difference from `whole` keeps one figure less, so that 99.9975 never prints as 100."""
    gap = whole - printed_fraction(value)
    if 0 < 10 * gap <= whole or (gap and round_to_significant(value, digits) == whole):
        return quantity.with_thousands_commas(exact_number_text(whole - round_to_significant(gap, digits - 1)))
    return format_number(value, digits)


def format_count(value: Number) -> str:
    """A count as people say it: `13B`, `7.5B`, `350M`; with all digits if a suffix would lose some."""
    fraction = printed_fraction(value)
    if abs(fraction) >= 10**6:
        for suffix in ("T", "B", "M"):
            quotient = fraction / FACTOR_BY_COUNT_SUFFIX[suffix]
            if 1 <= abs(quotient) < 10**6 and round_to_significant(quotient, INTERMEDIATE_DIGITS) == quotient:
                return f"{exact_number_text(quotient)}{suffix}"
    text = quantity.with_thousands_commas(exact_number_text(fraction))
    keeps_digits = abs(fraction) < 10**15 if fraction.denominator == 1 else abs(fraction) < 10**6 and len(text) <= 12
    return text if keeps_digits else format_number(value)


def format_drawn_quantity(amount: Quantity, authored_text: str = "") -> str:
    """The text of a drawn value in a stem: `13B` for a count, `80 GB` for an amount, `32` for a degree, `46.7 %`.

    `authored_text` is the value as the author wrote it. If it has plain digits, its unit is kept: `1460 B` becomes
    `1,460 B`; otherwise the prefix is chosen: `2e9 B` becomes `2 GB`."""
    unit = amount.unit
    if unit is UNIT_ONE or (unit.dim.count_label and not unit.has_convertible_or_currency_label):
        return format_count(amount.value_in_own_unit)
    if _PLAIN_NUMBER_AND_UNIT_PATTERN.match(authored_text) and abs(printed_fraction(amount.value_in_own_unit)) < 10**6:
        text = quantity.with_thousands_commas(exact_number_text(amount.value_in_own_unit))
        return f"{text} {unit.symbol_after_number_text(text)}"
    return prefixed_quantity_text(amount, None)


def prefixed_quantity_text(amount: Quantity, digits: int | None = INTERMEDIATE_DIGITS) -> str:
    """An amount with its unit and a suitable prefix: `31.69 GB`, `13B params`, `2 B/param`.

    `digits` None keeps every digit, if they come to an end. A unit that already has a prefix keeps it."""
    number, unit = amount.value_in_own_unit, amount.unit
    if digits is None and "/" in exact_number_text(number):
        digits = INTERMEDIATE_DIGITS
    if unit.dim.is_bare and unit.factor == 1:
        return format_count(number) if digits is None else format_share_number(number, 1, digits)
    if unit.dim.count_label:
        count_text = _count_text_to_significant_digits(number, digits or 30)
        return f"{count_text} {unit.symbol_after_number_text(count_text)}"
    value, best = _value_and_unit_with_suitable_prefix(amount, digits is None)
    if digits is None and round_to_significant(value, 6) != printed_fraction(value):
        value, best = number, unit
    text = format_share_number(value, 100, digits or 30) if best.symbol == "%" else format_number(value, digits or 30)
    return f"{text} {best.symbol_after_number_text(text)}"


def _count_text_to_significant_digits(value: Number, digits: int) -> str:
    if abs(printed_fraction(value)) >= 10**6:
        return format_count(int_if_whole(round_to_significant(value, digits)))
    return format_number(value, digits)


def _value_and_unit_with_suitable_prefix(amount: Quantity, may_use_binary_prefix: bool = False) -> tuple[Number, Unit]:
    """The value and unit with the prefix that brings the value between 1 and 1000. With `may_use_binary_prefix`, bytes
    that are whole KiB but not whole kB have a binary prefix, as people say 4 KiB and 512 MiB."""
    unit = amount.unit
    head, tail = _FIRST_UNIT_AND_REST_PATTERN.findall(unit.symbol)[0]
    ladder = _PREFIXED_SYMBOLS_BY_UNIT_SYMBOL.get(head, ())
    size = abs(printed_fraction(amount.value_in_own_unit)) * KNOWN_UNITS.get(head, unit).factor
    if may_use_binary_prefix and head in _PREFIXED_SYMBOLS_BY_UNIT_SYMBOL["B"] and size % 8000 and size % 8192 == 0:
        ladder = ("KiB", "MiB", "GiB", "TiB", "PiB")
    if not ladder or not size:
        return amount.value_in_own_unit, unit
    symbols = [one for one in ladder if size >= KNOWN_UNITS[one].factor * (2 if one in ("h", "day") else 1)]
    best_symbol = symbols[-1] if symbols else ladder[0]
    if best_symbol == head:
        return amount.value_in_own_unit, unit
    factor = Fraction(unit.factor) * KNOWN_UNITS[best_symbol].factor / KNOWN_UNITS[head].factor
    best_unit = replace(unit, symbol=best_symbol + tail, factor=int_if_whole(factor))
    return quantity.value_in_unit(amount.base_value, best_unit), best_unit


def format_base_value_in_unit(base_value: Number, unit: Unit, digits: int = INTERMEDIATE_DIGITS) -> str:
    """An amount in base units, shown in exactly the requested unit: `31.69 GB`, `46.7%`."""
    value = quantity.value_in_unit(base_value, unit)
    if unit.symbol == "%":
        return f"{format_share_number(value, 100, digits)}%"
    if unit is UNIT_ONE:
        return format_share_number(value, 1, digits)
    text = _count_text_to_significant_digits(value, digits) if unit.dim.count_label else format_number(value, digits)
    return f"{text} {unit.symbol_after_number_text(text)}"


def format_answer(formula: Formula, answer: Answer, unit: Unit | None = None, digits: int = INTERMEDIATE_DIGITS) -> str:
    """Any answer of a formula as text: `31.69 GB`, `yes`, `(1, 0, 2)`, `impossible`.

    In exactly `unit` if it is not None, otherwise with a suitable prefix."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, tuple):
        return f"({', '.join(format_base_value_in_unit(one, unit or formula.unit, digits) for one in answer)})"
    if unit is None and formula.unit.symbol != "%":
        return prefixed_quantity_text(Quantity.from_base_value(answer, formula.unit), digits)
    return format_base_value_in_unit(answer, unit or formula.unit, digits)


def _step_text_with_values(step: Step, evaluation: Evaluation) -> str:
    """The author's text of a step with every name replaced by its value and every choice by its selected branch."""
    text = step.expression_text

    def substituted_text(part: Tree, adjacent_sign: str = "", follows_sign: bool = False) -> str:
        """The text of `part`; `adjacent_sign` is the operator next to it, which it follows if `follows_sign`."""
        if isinstance(part, NumberNode):
            return text[part.start : part.end]
        if isinstance(part, NameNode):
            value = quantity.without_thousands_commas(_value_text_of_name_in_expression(evaluation, part.name))
            # In parentheses if a sign in it could be read together with the one next to it.
            if follows_sign and adjacent_sign in ("/", "//", "%"):
                needs_parentheses = "/" in value
            elif adjacent_sign == "**" and not follows_sign:
                needs_parentheses = not value.replace(".", "").isalnum()
            else:
                needs_parentheses = bool(adjacent_sign) and value.startswith("-")
            return f"({value})" if needs_parentheses else value
        if part.name in ("if", "case"):
            subject, *_, last = part.operands
            tests = [(subject, part.branches[0])]
            if part.name == "case":
                equals = part._replace(name="==")
                tests = [(equals._replace(operands=(subject, label)), one) for label, one in part.labels_with_branches]
            # The branch that is selected in this run; the last if no test holds.
            scope, values = evaluation.formula.name_scope, evaluation.values_by_slot
            branch = next((one for test, one in tests if compile_expression(test, scope).compute(values)), last)
            if part.name == "if" and isinstance(branch, Operation) and branch.name == "impossible":
                negation = "" if branch is part.operands[1] else "it is not true that "
                return f"impossible, because {negation}{substituted_text(part.operands[0])}"
            is_atom = not isinstance(branch, Operation) or branch.name in (*FUNCTION_BY_NAME, "if", "case")
            return substituted_text(branch) if is_atom or not adjacent_sign else f"({substituted_text(branch)})"
        sign = part.name if part.name in ARITHMETIC_FUNCTION_BY_SIGN else ""
        pieces: list[str] = []
        offset = part.start
        for number, operand in enumerate(part.operands):
            pieces += (text[offset : operand.start], substituted_text(operand, sign, number == 1))
            offset = operand.end
        return "".join((*pieces, text[offset : part.end]))

    return f"{text[: step.tree.start]}{substituted_text(step.tree)}{text[step.tree.end :]}"


# The worked derivation of one run: givens, steps with values inserted, the answer, a line to check it by.
#
# It uses the values that the run itself computed, so it cannot disagree with the key.


def derivation_of(evaluation: Evaluation, answer_unit: Unit | None = None) -> WorkedDerivation:
    """The derivation of a run as a block of a page, with the answer in `answer_unit` (None: the formula's unit)."""
    formula = evaluation.formula
    inputs = evaluation.inputs_with_values()
    givens = [(entry.name, input_value_text(entry, value), entry.description) for entry, value in inputs]
    for constant in formula.constant_by_name.values():
        origin = ", ".join(filter(None, (constant.description, constant.citation, constant.source_date_text)))
        givens.append((constant.name, prefixed_quantity_text(constant.quantity, None), origin))
    steps = []
    # The answers of the steps, as far as the run goes: it may end early at an impossible value.
    answers: tuple[Any, ...] = (*evaluation.values_by_slot[len(formula.inputs) :], IMPOSSIBLE_ANSWER)
    for step, answer in zip(formula.steps, answers, strict=False):
        if step is formula.steps[-1] or answer is IMPOSSIBLE_ANSWER:
            value = format_answer(formula, answer, answer_unit)
        else:
            value = prefixed_quantity_text(Quantity.from_base_value(answer, step.unit))
        steps.append(DerivationStep(step.name, step.expression_text, _step_text_with_values(step, evaluation), value))
    title, result = formula.title or formula.name, format_answer(formula, evaluation.answer, answer_unit)
    sanity = formula.sanity_check_text or _comparison_with_simpler_case_text(evaluation, answer_unit)
    return WorkedDerivation(title, formula.citation, tuple(givens), tuple(steps), result, formula.convention, sanity)


def input_value_text(entry: Input, value: InputValue | bool) -> str:
    """An input's value as people write it, with its unit: `13B params`, `80 GB`, `yes`, `1 s, 3 s`."""
    if isinstance(value, str):
        return value
    if entry.value_kind.type == "truth":
        return "yes" if value else "no"
    amounts = value if isinstance(value, tuple) else (value,)
    return ", ".join(prefixed_quantity_text(Quantity.from_base_value(one, entry.unit), None) for one in amounts)


def _value_text_of_name_in_expression(evaluation: Evaluation, name: str) -> str:
    """The value of a name as it stands inside an expression."""
    formula = evaluation.formula
    if (symbol := formula.name_scope.symbols.get(name)) is None:
        return name  # an enum word, compared with its input
    if symbol.constant_value is not None:
        return prefixed_quantity_text(formula.constant_by_name[name].quantity, None)
    value: Any = evaluation.values_by_slot[symbol.slot]
    if (entry := formula.inputs.get(name)) is not None:
        return input_value_text(entry, value)
    step = formula.steps[symbol.slot - len(formula.inputs)]
    return prefixed_quantity_text(Quantity.from_base_value(value, step.unit))


def _comparison_with_simpler_case_text(evaluation: Evaluation, answer_unit: Unit | None) -> str:
    """A comparison with a simpler case, in words: a degree at its minimum, otherwise an amount doubled, but no share
    that would exceed one; empty if no case gives another answer."""
    formula = evaluation.formula
    at_minimum: list[tuple[int, Input, str, Any]] = []
    at_double: list[tuple[int, Input, str, Any]] = []
    for slot, (entry, value) in enumerate(evaluation.inputs_with_values()):
        minimum = entry.min_base_value
        if isinstance(value, str | tuple) or entry.value_kind.type != "number" or not value:
            continue
        if entry.is_whole and minimum is not None and minimum != value:
            at_minimum.append((slot, entry, f"{entry.name} = {input_value_text(entry, minimum)}", minimum))
        if not (entry.unit.dim.is_bare and 1 < value * 2 < 2):  # a share such as a hit rate of 70 %
            at_double.append((slot, entry, f"{entry.name} twice as large", value * 2))
    answer = format_answer(formula, evaluation.answer, answer_unit)
    for slot, entry, change, value in (*at_minimum, *at_double) if formula.answer_type == "number" else ():
        values = [*evaluation.values_by_slot[:slot], value, *evaluation.values_by_slot[slot + 1 : len(formula.inputs)]]
        try:
            entry.read_raw_value(quantity.value_in_unit(value, entry.unit))
            new_answer = formula.evaluate_slots(values).answer
            line = format_answer(formula, new_answer, answer_unit)
        except FormulaError:
            continue
        # An amount that falls below zero is no simpler case: the formula is not for such an input.
        are_negative = [one < 0 for one in (evaluation.answer, new_answer) if not isinstance(one, str | tuple)]
        if line != answer and are_negative != [False, True]:
            return f"with {change} it would be {line}"
    return ""
