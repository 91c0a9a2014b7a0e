"""What an inverse problem comes to: the value, and the checks at it and at its neighbour."""

from __future__ import annotations

from dataclasses import dataclass

from quizgen.formula.definition import Answer, Formula
from quizgen.formula.quantity import Number, Quantity


@dataclass(frozen=True, slots=True)
class Checked:
    """One value of the target (base units), the answer there (None: it has none), and whether it holds."""

    value: Number
    answer: Answer | None
    holds: bool


@dataclass(frozen=True, slots=True)
class Inverse:
    """`status` is found, impossible or unbounded. `at` is the answer, `beside` the neighbour that fails
    (None at the end of the domain); for impossible, `at` is the nearest miss.

    `sense` is smallest, largest or the one. `strict`: `at` is a limit that is not itself reached.
    """

    formula: Formula
    target: str
    relation: str
    bound: Quantity
    status: str
    sense: str
    domain: str
    at: Checked | None
    beside: Checked | None
    strict: bool = False
