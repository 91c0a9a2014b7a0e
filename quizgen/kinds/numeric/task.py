"""What a numeric item asks: its formula, the space of its drawings, how nearly an answer counts."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from quizgen.formula.condition import Condition
from quizgen.formula.definition import Formula
from quizgen.formula.errors import FormulaError
from quizgen.formula.inputs import Value
from quizgen.kinds.numeric.parts import AnswerSpec, Find, ReadRule
from quizgen.kinds.numeric.space import Drawn, Space
from quizgen.model import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericTask(Item, ABC):
    """`fixed` holds the inputs that the item sets (`with:`), `asked` what is asked for and how
    nearly, `require` the tests that a drawing must pass, `find` an inverse problem."""

    kind: ClassVar[str] = "numeric"

    formula: Formula
    space: Space
    fixed: Mapping[str, Drawn]
    require: tuple[Condition, ...]
    asked: AnswerSpec
    find: Find | None = None
    bound: tuple[Value, ...]  # fixed values and defaults by slot; 1 where a drawing or a search fills it
    slots: Mapping[str, int]
    inline: bool = False
    earlier: NumericTask | None = None  # the part before, whose answer is the input `after_as`
    after_as: str = ""
    fields: frozenset[str] = frozenset()
    reads: tuple[ReadRule, ...] = ()

    def values(self, drawn: Mapping[str, Drawn]) -> list[Value]:
        """Bound inputs by slot. The searched input of an inverse problem is filled by its search."""
        values = list(self.bound)
        for name, one in drawn.items():
            if one.value is not None:
                values[self.slots[name]] = one.value
        return values

    def allows(self, values: list[Value]) -> bool:
        """Whether a drawing passes every `require`; one that has no value there does not."""
        try:
            for condition in self.require:
                full = self.formula.run(values).values if condition.needs_steps else values
                if not condition.holds(full):
                    return False
        except FormulaError:
            return False
        return True
