"""The shipped formulas through the engine, as plain Python values in the formula's unit."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from quizgen.bank.formula_files import FormulaBook
from quizgen.formula.definition import IMPOSSIBLE_ANSWER, Evaluation
from quizgen.formula.quantity import value_in_unit
from quizgen.formula.units import Unit
from quizgen.source import yaml

FOLDER = Path(__file__).resolve().parents[2] / "banks" / "distributed-training"


@cache
def catalogue() -> FormulaBook:
    """Every formula of the bank by name, parsed once, with the constants; a problem in one of them is an error here."""
    book, documents = FormulaBook(), []
    for path in sorted(FOLDER.glob("formulas*.yaml")):
        top, document = yaml.read_yaml_with_problems(path)
        book.add_file_node(top)
        documents.append(document)
    assert all(book.get(name) for name in book)
    assert len(book.constant_by_name) == len(book.constant_nodes)
    assert not (problems := [str(p) for document in documents for p in document.problems]), problems
    return book


def in_unit(answer: Any, unit: Unit) -> Any:
    """An answer as a plain value: None for impossible, a bool, a word, a list of numbers or a number."""
    if answer == IMPOSSIBLE_ANSWER:
        return None
    if isinstance(answer, bool | str):
        return answer
    if isinstance(answer, tuple):
        return [value_in_unit(one, unit) for one in answer]
    return value_in_unit(answer, unit)


def agree(left: Any, right: Any, close: float = 1e-11) -> bool:
    """Equal; where a root, logarithm or power was taken, which gives a float, as near as `close`."""
    if left is None or right is None or isinstance(left, bool | str) or isinstance(right, bool | str):
        return type(left) is type(right) and bool(left == right)
    if isinstance(left, list) or isinstance(right, list):
        return len(left) == len(right) and all(agree(a, b, close) for a, b in zip(left, right, strict=True))
    if isinstance(left, float) or isinstance(right, float):
        return abs(float(left) - float(right)) <= close * abs(float(right))
    return Fraction(left) == Fraction(right)


def answer_of(evaluation: Evaluation) -> Any:
    """The answer in the formula's unit."""
    return in_unit(evaluation.answer, evaluation.formula.unit)


def mistakes_of(evaluation: Evaluation) -> dict[str, Any]:
    """What each misconception answers, by its id."""
    formula = evaluation.formula
    return {m.id: in_unit(answer, formula.unit) for m, answer in formula.misconceptions_with_answers(evaluation)}


def solve(name: str, **given: Any) -> Any:
    """The value of a formula for given inputs."""
    return answer_of(catalogue()[name].evaluate_raw(given))
