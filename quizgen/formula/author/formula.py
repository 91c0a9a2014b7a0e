"""From the node of a formula to a `Formula`: every mistake of the author reported at its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from quizgen.formula.author.claims import parse_misconceptions, parse_tests
from quizgen.formula.author.fields import MAX_TITLE, parse_name, read_unit
from quizgen.formula.author.inputs import parse_inputs
from quizgen.formula.author.steps import answer_fits, parse_steps
from quizgen.formula.author.unused import warn_of_unused
from quizgen.formula.definition import Constant, Formula, Misconception, Step
from quizgen.formula.inputs import Input
from quizgen.formula.language.tree import names, operations
from quizgen.formula.wholeness import is_whole
from quizgen.source import Node

FIELDS: Final = (
    "title", "source", "inputs", "steps", "unit", "misconceptions", "convention", "sanity", "tests",
)  # fmt: skip


def parse_formula(node: Node, name: str, constants: Mapping[str, Constant], inline: bool = False) -> Formula | None:
    """A formula of a bank; None after reporting why it cannot be used.

    `inline`: it stands inside an item, where title and source are optional.
    """
    fields = node.fields(FIELDS, "a formula")
    if not fields:
        return None
    usable = inline or parse_name(node, name, "a formula", {}, MAX_TITLE)
    told = {n: fields[n].text(n).strip() if n in fields else "" for n in ("title", "source", "convention", "sanity")}
    if not inline:
        for needed in ("title", "source"):
            if needed not in fields:
                node.report_key(f'{needed} is missing in formula "{name}"', f"add `{needed}: …`", "failure")
    if "inputs" not in fields and any(name not in FIELDS for name in fields):
        return None  # a misspelt field is told; it may well be this one
    inputs = parse_inputs(fields.get("inputs"), constants)
    unit = read_unit(fields.get("unit"))
    if "steps" not in fields:
        node.report(
            "steps are missing in the formula", "add `steps:` with `name: expression` lines; the last is the answer"
        )
        return None
    if inputs is None:
        return None
    scope, steps = parse_steps(fields["steps"], inputs, constants)
    if steps is None or unit is None or not answer_fits(fields["steps"], steps[-1], unit, "unit" in fields):
        return None
    steps = (*steps[:-1], steps[-1]._replace(unit=unit))
    misconceptions = parse_misconceptions(fields.get("misconceptions"), scope, steps[-1].kind, unit)
    tests = parse_tests(fields.get("tests"), inputs)
    if misconceptions is None or tests is None or not usable:
        return None
    warn_of_unused(fields, steps, misconceptions, tests)
    return Formula(
        name=name,
        title=told["title"] or ("Derivation" if inline else ""),
        source=told["source"],
        inputs=inputs,
        steps=steps,
        unit=unit,
        misconceptions=misconceptions,
        convention=told["convention"],
        sanity=told["sanity"],
        tests=tests,
        constants=_used(constants, steps, misconceptions),
        scope=scope,
        where=node.where,
        whole=_whole(inputs, steps),
        may_be_impossible=any("impossible" in operations(step.tree) for step in steps),
    )


def _used(
    constants: Mapping[str, Constant], steps: tuple[Step, ...], misconceptions: tuple[Misconception, ...]
) -> dict[str, Constant]:
    """The constants that the formula names."""
    trees = (*(step.tree for step in steps), *(m.tree for m in misconceptions))
    found = {name.name for tree in trees for name in names(tree)} if constants else set()
    return {name: constant for name, constant in constants.items() if name in found}


def _whole(inputs: Mapping[str, Input], steps: tuple[Step, ...]) -> bool:
    known = {name: entry.whole for name, entry in inputs.items()}
    for step in steps:
        known[step.name] = step.kind.dim is not None and is_whole(step.tree, known)
    last = steps[-1]
    return last.kind.shape == "number" and known[last.name] and last.unit.factor == 1
