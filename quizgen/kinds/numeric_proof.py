"""Proofs over the variant space of a numeric item, as problems with places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from quizgen.formula import proof
from quizgen.formula.definition import IMPOSSIBLE, Answer
from quizgen.formula.inputs import Value
from quizgen.formula.space import Axis, points, size
from quizgen.kinds.numeric_score import inverse
from quizgen.model import Coverage
from quizgen.source import Problem, Where

if TYPE_CHECKING:
    from quizgen.kinds.numeric import NumericItem

RARE = 0.02  # a `require` that passes a smaller share is worth a word


def prove(item: NumericItem) -> Iterator[Problem]:
    """Everything that is wrong in some drawing: no key, a broken count, a mistake that gives the key.

    Where an item uses a shared formula, a misconception that is no mistake in some drawing (dividing all
    states by K, at ZeRO stage 3) may give the key there. One that gives it by chance may not, unless the
    formula is lent by another bank, where this author cannot mend it.
    """
    if item.inline:
        yield from (replace(problem, item=item.id) for problem in item.formula.prove())
    axes = _axes(item)
    key = _sought(item) if item.find is not None else None
    conditions = [require.condition for require in item.require]
    found = proof.prove(item.formula, _first(item), axes, conditions, item.asked.tolerance, key)
    never = found.never
    if never is not None:
        require = item.require[never]
        hint = "widen the draws or drop the test"
        earlier = " and ".join(one.condition.text for one in item.require[:never])
        beside = f" once {earlier} holds" if earlier else ""
        told = f"no drawing satisfies {require.condition.text}{beside}"
        yield Problem(require.where, told, hint, item.id, "failure")
    elif conditions and found.allowed < RARE * found.walked:
        share = f"{found.allowed:,} of {found.walked:,}"
        where = item.require[0].where
        yield Problem(where, f"require passes only {share} drawings", "draw likelier values", item.id, "warning")
    for failure in found.failures:
        if not item.inline and (failure.kind == "same" or _says_nothing(failure, found)):
            continue
        if _is_lent(item) and (failure.by_chance or (failure.misconception and failure.kind == "value")):
            continue
        mild = failure.kind == "collision" and not item.inline and failure.other
        many = f" (in {failure.count:,} of {found.allowed:,} drawings)" if failure.count > 1 else ""
        severity = "warning" if mild else "failure"
        yield Problem(_where(item, failure), failure.message + many, failure.hint, item.id, severity)


def _says_nothing(failure: proof.Failure, found: proof.Proof) -> bool:
    """A shared formula's misconception that this item never sets apart from another."""
    return bool(failure.other) and failure.count == found.allowed


def _is_lent(item: NumericItem) -> bool:
    """Whether the formula stands in another folder than the item."""
    return _folder(item.formula.where) != _folder(item.where)


def _folder(where: Where) -> str:
    return where.path.replace("\\", "/").rpartition("/")[0]


def coverage(item: NumericItem) -> Coverage:
    """Drawings walked, drawings there are, and those that every `require` passes."""
    axes = _axes(item)
    walked = list(points(axes))
    if not item.require:
        return Coverage(len(walked), size(axes), len(walked))
    allowed = sum(item.allows(item.values(item.space.values(drawing))) for drawing in walked)
    return Coverage(len(walked), size(axes), allowed)


def _axes(item: NumericItem) -> list[Axis]:
    """The axes as the engine walks them: input names and bound values only."""
    made = []
    for axis in item.space.axes:
        columns = [n for n, name in enumerate(axis.names) if name in item.formula.inputs]
        rows = []
        for row in axis.rows:
            values = [row[n].value for n in columns]
            rows.append(tuple(value for value in values if value is not None))
        made.append(Axis(tuple(axis.names[n] for n in columns), tuple(rows)))
    return made


def _first(item: NumericItem) -> list[Value]:
    return item.values(item.space.values(tuple(0 for _ in item.space.axes)))


def _sought(item: NumericItem) -> Callable[[list[Value]], Answer]:
    def key(values: list[Value]) -> Answer:
        found = inverse(item, lambda: item.formula.run(list(values)))
        return found.at.value if found.status == "found" and found.at is not None else IMPOSSIBLE

    return key


def _where(item: NumericItem, failure: proof.Failure) -> Where:
    """Inside an inline formula the expression itself, else the item that draws."""
    if item.inline:
        for misconception in item.formula.misconceptions:
            if misconception.id == failure.misconception:
                return misconception.where
        for step in item.formula.steps:
            if step.name == failure.step:
                return Where(step.where.path, step.where.line, step.where.column + (failure.column or 0))
    return item.where
