"""Names of a formula that nothing uses: mostly a slip of the author's, so a warning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quizgen.formula.definition import Misconception, Step, Test
from quizgen.formula.language.tree import names
from quizgen.source import Node, shorten


def warn_of_unused(
    fields: Mapping[str, Node], steps: Sequence[Step], misconceptions: Sequence[Misconception], tests: Sequence[Test]
) -> None:
    """Reports inputs and steps that no step and no misconception uses.

    An input that a test gives is meant: the machine epsilon of a format does not depend on its exponent bits.
    """
    trees = (*(step.tree for step in steps), *(m.tree for m in misconceptions))
    used = {name.name for tree in trees for name in names(tree)}
    used.add(steps[-1].name)
    given = {name for test in tests for name, _ in test.given}
    for group, meant in (("inputs", used | given), ("steps", used)):
        for name, node in fields[group].mapping().items() if group in fields else ():
            if name not in meant:
                one = group.removesuffix("s")
                node.report_key(f"{one} {shorten(name)} is used nowhere", "use it in a step, or drop it", "warning")
