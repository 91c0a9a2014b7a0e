"""A test over the names of a formula, as `require:` holds one: `K >= 8 and divides(K, heads)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from quizgen.formula.definition import Formula
from quizgen.formula.language.check import truth
from quizgen.formula.language.evaluate import Run, fold
from quizgen.formula.language.parse import parse
from quizgen.formula.language.tree import names
from quizgen.formula.units import Labels
from quizgen.source import Where

NOWHERE: Final = Where("", 1, 1)


@dataclass(frozen=True, slots=True)
class Condition:
    """`needs_steps`: it names a step, so it takes all values of a run, not the inputs alone."""

    text: str
    run: Run
    needs_steps: bool
    where: Where = NOWHERE

    @staticmethod
    def parse(text: str, formula: Formula, labels: Labels = (), where: Where = NOWHERE) -> Condition:
        """A test over inputs, constants and steps; `labels` are those of the bank. Raises FormulaError with the
        column."""
        tree = parse(text, labels)
        truth(tree, formula.scope)
        steps = {step.name for step in formula.steps}
        return Condition(text, fold(tree, formula.scope), any(name.name in steps for name in names(tree)), where)

    def holds(self, values: Sequence[Any]) -> bool:
        """Whether it holds for the values of a run. Raises DomainError where it has no value."""
        return bool(self.run(values))
