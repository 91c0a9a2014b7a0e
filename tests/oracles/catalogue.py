"""The shipped formulas through the engine, as plain Python values in the formula's unit."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from quizgen.formula.author import parse_constant, parse_formula
from quizgen.formula.definition import IMPOSSIBLE, Constant, Evaluation, Formula
from quizgen.formula.quantity import value_in_unit
from quizgen.source import yaml
from quizgen.source.problems import Node

FOLDER = Path(__file__).resolve().parents[2] / "banks" / "distributed-training"


@cache
def nodes() -> tuple[dict[str, Node], dict[str, Node]]:
    """The formulas and constants of the bank as written."""
    formulas: dict[str, Node] = {}
    constants: dict[str, Node] = {}
    for path in sorted(FOLDER.glob("formulas*.yaml")):
        top, document, _ = yaml.load_yaml(path, path.name)
        assert top is not None
        assert not document.problems
        fields = top.mapping()
        formulas |= fields["formulas"].mapping() if "formulas" in fields else {}
        constants |= fields["constants"].mapping() if "constants" in fields else {}
    return formulas, constants


@cache
def constants() -> dict[str, Constant]:
    found = {name: parse_constant(node, name) for name, node in nodes()[1].items()}
    return {name: constant for name, constant in found.items() if constant is not None}


@cache
def catalogue() -> dict[str, Formula]:
    """Every formula of the bank, parsed once; a problem in one of them is an error here."""
    found = {name: parse_formula(node, name, constants()) for name, node in nodes()[0].items()}
    problems = [str(p) for node in (*nodes()[0].values(), *nodes()[1].values()) for p in node.doc.problems]
    assert not problems, problems
    return {name: formula for name, formula in found.items() if formula is not None}


def in_unit_of(formula: Formula, answer: Any) -> Any:
    """An answer in the formula's unit: None for impossible, a bool, a list of numbers or a number."""
    if answer is IMPOSSIBLE:
        return None
    if isinstance(answer, bool):
        return answer
    if isinstance(answer, tuple):
        return [value_in_unit(one, formula.unit) for one in answer]
    return value_in_unit(answer, formula.unit)


def answer_of(evaluation: Evaluation) -> Any:
    """The answer in the formula's unit."""
    return in_unit_of(evaluation.formula, evaluation.answer)


def mistakes_of(evaluation: Evaluation) -> dict[str, Any]:
    """What each misconception answers, by its id."""
    formula = evaluation.formula
    return {m.id: in_unit_of(formula, answer) for m, answer in formula.mistaken_answers(evaluation)}


def solve(name: str, **given: Any) -> Any:
    """The value of a formula for given inputs."""
    return answer_of(catalogue()[name].evaluate(given))
