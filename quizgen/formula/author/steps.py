"""The steps of a formula: parsed in order, checked against inputs, constants and earlier steps."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quizgen.formula.author.fields import parse_name, report
from quizgen.formula.definition import Constant, Step
from quizgen.formula.dimensions import BARE, Dim, assignable, kind_of
from quizgen.formula.errors import FormulaError
from quizgen.formula.inputs import Input
from quizgen.formula.language.check import check
from quizgen.formula.language.evaluate import fold
from quizgen.formula.language.names import SHAPES, NameScope, Symbol, ValueKind
from quizgen.formula.language.parse import parse
from quizgen.formula.language.tree import Tree, names
from quizgen.formula.units import Unit, labels_of, natural_unit
from quizgen.source import Node, shorten


def parse_steps(
    node: Node, inputs: Mapping[str, Input], constants: Mapping[str, Constant]
) -> tuple[NameScope, tuple[Step, ...] | None]:
    """The steps in order and the scope of all names; None for the steps if one cannot be used."""
    symbols = {name: Symbol(ValueKind(dim=c.quantity.dim), constant=c.quantity.base) for name, c in constants.items()}
    symbols |= {name: Symbol(entry.kind, slot) for slot, (name, entry) in enumerate(inputs.items())}
    entries = node.mapping("steps")
    if not entries and node.shape == "mapping":
        node.report("a formula needs a step", "add `name: expression`; the last step is the answer")
    steps: list[Step] = []
    usable = bool(entries)
    broken: set[str] = set()
    for position, (name, entry) in enumerate(entries.items()):
        named = parse_name(entry, name, "a step", inputs)
        if not named and name in inputs:
            usable = False
            continue  # its name would be read as the input's
        later = frozenset(list(entries)[position:]) - symbols.keys()
        step = _step(entry, name, NameScope(symbols, later), broken, entries, last=position == len(entries) - 1)
        usable = usable and named and step is not None
        if step is None:
            broken.add(name)
        if step is not None and named:
            symbols = {**symbols, name: Symbol(step.kind, len(inputs) + position)}
            steps.append(step)
    return NameScope(symbols), tuple(steps) if usable else None


def _step(
    node: Node, name: str, scope: NameScope, broken: set[str], entries: Mapping[str, Node], last: bool
) -> Step | None:
    text = node.text(f"step {shorten(name)}")
    if not text:
        return None
    try:
        tree = parse(text, labels_of(node.doc.labels))
    except FormulaError as error:
        report(node, error, f"step {shorten(name)}")
        return None
    used = {found.name for found in names(tree)}
    if used & broken:
        return None  # told already: this step only repeats the mistake of the one it needs
    if _in_a_ring(node, name, tree, entries):
        return None
    try:
        kind = check(tree, scope)
        run = fold(tree, scope)
    except FormulaError as error:
        report(node, error, f"step {shorten(name)}")
        return None
    if kind.shape in ("word", "list") or (not last and kind.shape in ("tuple", "truth")):
        wanted = "a number" if not last else "a number, a test or a tuple"
        only = "only the last step may be a test or a tuple"
        node.report(f"step {shorten(name)} is {SHAPES[kind.shape]}, not {wanted}", only)
        return None
    return Step(name, text, tree, kind, natural_unit(kind.dim or BARE, labels_of(node.doc.labels)), run, node.where)


def _in_a_ring(node: Node, name: str, tree: Tree, entries: Mapping[str, Node]) -> bool:
    """Reports steps that need each other, which is clearer than that one is not known yet."""
    for found in names(tree):
        if found.name == name:
            node.report_at(found.start, f"step {name} needs itself", "use an input or an earlier step")
            return True
        other = entries.get(found.name)
        if (
            other is None
            or not isinstance(other.value, str)
            or list(entries).index(found.name) < list(entries).index(name)
        ):
            continue
        chain = _path(found.name, name, entries)
        if chain:
            who = " and ".join((name, found.name)) if len(chain) == 2 else " -> ".join((name, *chain))
            node.report_at(found.start, f"{who} need each other", "let a step use only inputs and earlier steps")
            return True
    return False


def _path(start: str, goal: str, entries: Mapping[str, Node]) -> list[str]:
    """The names from `start` to `goal` along which each step needs the next; empty if there is no way."""
    paths, seen = [[start]], {start}
    while paths:
        path = paths.pop(0)
        entry = entries.get(path[-1])
        if entry is None or not isinstance(entry.value, str):
            continue
        words = re.findall(r"[A-Za-z_][A-Za-z0-9_]*", entry.value[:1000])
        if goal in words:
            return [*path, goal]
        for word in words:
            if word in entries and word not in seen:
                seen.add(word)
                paths.append([*path, word])
    return []


def answer_fits(node: Node, last: Step, unit: Unit, declared: bool) -> bool:
    """Whether the last step can be printed in the formula's unit."""
    dim = last.kind.dim
    if last.kind.shape in ("truth", "impossible") or dim is None or assignable(dim, unit.dim):
        return True
    place = node.mapping("steps")[last.name]
    if not declared:
        place.report(f"the formula gives {dim}, but has no unit", f"add `unit: {natural_unit(dim)}`")
        return False
    place.report(
        f"step {last.name} gives {dim}, the formula's unit is {unit}: {kind_of(dim)} is not {kind_of(unit.dim)}",
        conversion(dim, unit.dim),
    )
    return False


def conversion(got: Dim, wanted: Dim) -> str:
    """What to multiply or divide by to get there, where that is one thing."""
    missing = wanted / got
    if len(missing.powers) > 2:
        return "change the step or the unit"
    if all(power < 0 for _, power in missing.powers):
        return f"divide by {kind_of(BARE / missing)}, or change the unit"
    return f"multiply by {kind_of(missing)}, or change the unit"
