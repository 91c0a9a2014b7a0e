"""Inverse problems: which value of an input brings the answer to a bound.

A closed search over the input's declared domain, each point answered by the formula itself. The
result is checked at the answer and at its neighbour, one of which must hold and the other not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from quizgen.formula.definition import Formula
from quizgen.formula.errors import RejectError
from quizgen.formula.inputs import Given
from quizgen.formula.quantity import Quantity, parse_quantity
from quizgen.formula.solving.found import Checked, Inverse
from quizgen.formula.solving.search import Search
from quizgen.source import did_you_mean, shorten

RELATIONS: Final = ("at_most", "at_least", "below", "above", "equals")

__all__ = ["RELATIONS", "Checked", "Inverse", "find"]


def find(
    formula: Formula, given: Mapping[str, Given], target: str, relation: str, bound: Quantity | str, whole: bool = False
) -> Inverse:
    """The smallest or largest `target` for which the answer is `relation` `bound` (a text: in the formula's unit).

    `given` holds the other inputs. `whole` searches whole numbers although the input is not declared
    so. Raises FormulaError for a target or bound that cannot be used.
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
    return Search(formula, given, target, relation, bound, whole).run()
