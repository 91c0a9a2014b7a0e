"""`quizgen solve` for one formula, without its command line: assignments in, result objects out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from quizgen.formula.definition import IMPOSSIBLE, Answer, Evaluation, Formula, ImpossibleAnswer
from quizgen.formula.errors import FormulaError, RejectError
from quizgen.formula.inputs import Input
from quizgen.formula.quantity import Number, is_number, value_in_unit
from quizgen.formula.units import Unit
from quizgen.source.problems import shorten

Result = dict[str, Any]


def read_assignments(texts: Iterable[str]) -> dict[str, str]:
    """The values of a command line by name: {"K": "32"} for ["K=32"]. Raises RejectError for a text without a name or
    a value, and for a name that occurs twice."""
    values: dict[str, str] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise RejectError("assignment", f'"{shorten(text)}" is not a NAME=VALUE', "write it like K=32")
        if name in values:
            both = f"{shorten(values[name])} and {shorten(value)}"
            raise RejectError("assignment", f"{shorten(name)} is given twice, as {both}", "keep one of them")
        values[name] = value
    return values


def solution_result(evaluation: Evaluation) -> Result:
    """The result object of one run: value and unit of the formula, and every step."""
    from quizgen.formula.derive import derivation_of

    formula = evaluation.formula
    answers: tuple[Any, ...] = (*evaluation.values[len(formula.inputs) :], IMPOSSIBLE)  # each step's, as far as they go
    return {
        "formula": formula.name,
        "value": json_value(evaluation.answer, formula.unit),
        "unit": formula.unit.symbol,
        "steps": [
            {
                "name": shown.name,
                "expression": shown.expression,
                "substituted": shown.substituted,
                "value": json_value(answer, step.unit),
                "unit": step.unit.symbol,
            }
            for step, shown, answer in zip(formula.steps, derivation_of(evaluation).steps, answers, strict=False)
        ],
    }


def json_value(answer: Answer, unit: Unit) -> Any:
    """An answer for JSON: a number of `unit`, a truth value, a list of numbers, or "impossible"."""
    if isinstance(answer, ImpossibleAnswer):
        return "impossible"
    if isinstance(answer, bool):
        return answer
    if isinstance(answer, tuple):
        return [json_number(value_in_unit(one, unit)) for one in answer]
    return json_number(value_in_unit(answer, unit))


def json_number(value: Number) -> int | float:
    """An int if the value is whole, else the nearest float."""
    if isinstance(value, Fraction):
        return float(value)
    return int(value) if type(value) is float and value.is_integer() and abs(value) < 2**53 else value


# -- letters, and formulas by words of their titles -----------------------------------------

MIN_IMPLAUSIBLE_FACTOR: Final = 100  # a value this many times outside the values in a formula's tests is questioned


def letter_warnings(formula: Formula, input_values: Mapping[str, Any]) -> list[str]:
    """A warning for each value that is unusual for its letter but usual for another: `N = 70e9 is the number of ranks
    here; did you mean D, bytes of the message?`"""
    usual = {name: values for name in formula.inputs if (values := _usual_values(formula, name))}
    lines = []
    for name in usual.keys() & input_values.keys():
        entry, written = formula.inputs[name], input_values[name]
        value = _base_value_or_none(entry, written)
        if not value or _is_within_factor(value, usual[name]):
            continue
        free = ((n, formula.inputs[n]) for n in usual if n not in input_values)
        meant = [
            f"{n}, {one.description}"
            for n, one in free
            if _is_within_factor(_base_value_or_none(one, written) or 0, usual[n], MIN_IMPLAUSIBLE_FACTOR**2)
        ]
        if meant:
            lines.append(
                f"{name} = {shorten(str(written))} is {entry.description} here; did you mean {' or '.join(meant)}?"
            )
    return lines


def _usual_values(formula: Formula, name: str) -> list[float]:
    """The values of an input in the tests of a formula, and its default; in base units."""
    entry = formula.inputs[name]
    given = [dict(test.input_values)[name] for test in formula.tests if name in dict(test.input_values)]
    values = (*(_base_value_or_none(entry, one) for one in given), entry.default)
    return [float(value) for value in values if is_number(value) and value]


def _base_value_or_none(entry: Input, written: Any) -> float | None:
    """A value as its input reads it; None if it cannot be read, and for words and lists."""
    try:
        value = entry.read_value(written)
    except FormulaError:
        return None
    return float(value) if is_number(value) else None


def _is_within_factor(value: float, usual_values: list[float], factor: float = MIN_IMPLAUSIBLE_FACTOR) -> bool:
    return bool(value) and min(usual_values) / factor < abs(value) < max(usual_values) * factor


def find_formulas(query: str, titles: Mapping[str, str]) -> list[str]:
    """The names of the formulas whose name or title has every word of a query, the shortest first.

    >>> find_formulas("kv_cache", {"kv_bytes": "Bytes of the KV cache", "flops": "FLOPs of a step"})
    ['kv_bytes']"""
    words = re.findall(r"[a-z0-9]+", query.casefold()) if re.fullmatch(r"[\w -]*[A-Za-z]{2}[\w -]*", query) else []
    texts = {name: f"{name} {title}".casefold().replace("_", " ") for name, title in titles.items()}
    has = (n for n, text in texts.items() if words and all(re.search(rf"(?<![a-z0-9]){w}", text) for w in words))
    return sorted(has, key=lambda name: (len(name), name))


def error_result(error: FormulaError) -> Result:
    """An error as an object: message and remedy, class, and place in an expression."""
    step = f" in step {error.step}" if error.step else ""
    message = f"{error.message}{step}; {error.hint}" if error.hint else f"{error.message}{step}"
    fields: Result = {"error": message, "class": error.kind, "code": error.code}
    return fields if error.column is None else {**fields, "column": error.column + 1}
