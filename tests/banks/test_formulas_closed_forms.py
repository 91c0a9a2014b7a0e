"""Each formula of the bank and each of its misconceptions against plain Python, drawing by drawing.

Both sides compute with exact rationals, so they must agree exactly wherever no root, logarithm or
exponential is taken, and to 1e-11 where one is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from drawings import drawings
from every import every
from oracles.catalogue import answer_of, catalogue, mistakes_of
from oracles.closed_forms import FORMS, MISTAKES
from oracles.closed_forms.table import exact

DRAWINGS = 25


def agree(left: Any, right: Any) -> bool:
    if left is None or right is None or isinstance(right, bool) or isinstance(left, bool):
        return left is right
    if isinstance(right, list):
        return [Fraction(one) for one in left] == right
    if isinstance(left, float) or isinstance(right, float):
        return abs(float(left) - float(right)) <= 1e-11 * abs(float(right))
    return Fraction(left) == Fraction(right)


def test_every_formula_has_a_closed_form() -> None:
    assert sorted(FORMS) == sorted(catalogue())
    assert {name: sorted(ids) for name, ids in MISTAKES.items()} == {
        name: sorted(m.id for m in formula.misconceptions) for name, formula in catalogue().items()
    }


@every(sorted(FORMS))
def test_values_and_misconceptions(name: str) -> None:
    formula = catalogue()[name]
    for given in drawings(name, list(formula.inputs), DRAWINGS):
        numbers = {one: exact(value) for one, value in given.items()}
        evaluation = formula.evaluate(given)
        assert agree(answer_of(evaluation), FORMS[name](**numbers)), given
        found = mistakes_of(evaluation)
        for code, wrong in MISTAKES[name].items():
            try:
                expected = wrong(**numbers)
            except ZeroDivisionError:
                assert code not in found, (code, given)
            else:
                assert agree(found[code], expected), (code, given)
