"""Proofs over the variant space of a numeric item, as problems with places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from quizgen.formula import proof
from quizgen.formula.author import failed_tests
from quizgen.formula.definition import IMPOSSIBLE, Answer, Evaluation
from quizgen.formula.derive import derive
from quizgen.formula.diagnose import matches
from quizgen.formula.drawings import Axis, points, size
from quizgen.formula.errors import FormulaError
from quizgen.formula.inputs import Value
from quizgen.formula.reading.read import Refusal, read
from quizgen.kinds.numeric.score import inverse, target
from quizgen.kinds.numeric.space import Drawn
from quizgen.kinds.numeric.task import NumericTask
from quizgen.kinds.numeric.variant import NumericVariant
from quizgen.model import Coverage, Outcome
from quizgen.source import Problem, Where, shorten

RARE = 0.02  # a `require` that passes a smaller share is worth a word


def prove(item: NumericTask) -> Iterator[Problem]:
    """Everything that is wrong in some drawing: no key, a broken count, a mistake that gives the key.

    Where an item uses a shared formula, a misconception that is no mistake in some drawing (dividing all
    states by K, at ZeRO stage 3) may give the key there. One that gives it by chance may not, unless the
    formula is lent by another bank, where this author cannot mend it.
    """
    if item.inline:
        yield from (replace(problem, item=item.id) for problem in failed_tests(item.formula))
    yield from _tried(item)
    axes = _axes(item)
    key = _sought(item) if item.find is not None else None
    found = proof.prove(item.formula, _first(item), axes, item.require, item.asked.tolerance, key)
    never = found.never
    if never is not None:
        require = item.require[never]
        hint = "widen the draws or drop the test"
        earlier = " and ".join(one.text for one in item.require[:never])
        beside = f" once {earlier} holds" if earlier else ""
        told = f"no drawing satisfies {require.text}{beside}"
        yield Problem(require.where, told, hint, item.id, "failure")
    elif item.require and found.allowed < RARE * found.walked:
        share = f"{found.allowed:,} of {found.walked:,}"
        where = item.require[0].where
        yield Problem(where, f"require passes only {share} drawings", "draw likelier values", item.id, "warning")
    if found.zero:
        step = item.formula.steps[-1].where if item.inline else item.where
        hint = "mend the step, or draw values that give another"
        yield Problem(step, "the key is 0 in every drawing", hint, item.id, "warning")
    for failure in found.failures:
        if not item.inline and (failure.kind == "same" or _says_nothing(failure, found)):
            continue
        if _is_lent(item) and (failure.by_chance or (failure.misconception and failure.kind == "value")):
            continue
        mild = failure.kind == "collision" and not item.inline and failure.other
        many = f" (in {failure.count:,} of {found.allowed:,} drawings)" if failure.count > 1 else ""
        severity = "warning" if mild else "failure"
        yield Problem(_where(item, failure), failure.message + many, failure.hint, item.id, severity)


_OUTCOMES = {
    "right": (Outcome.CORRECT,),
    "wrong": (Outcome.INCORRECT, Outcome.PARTIAL),
    "unreadable": (Outcome.UNREADABLE,),
}
_PRINTED = Fraction(1, 1000)  # four significant figures
_HOW_MANY = re.compile(r"\bhow many ([a-z][a-z-]{2,})", re.IGNORECASE)


def _tried(item: NumericTask) -> Iterator[Problem]:
    """Responses of `reads:`, and what a candidate would copy from the solution, in the first drawing."""
    drawn = _first_allowed(item)
    if drawn is None:
        return  # told by the proof
    variant = item.redraw({name: one.text for name, one in drawn.items()}, None)
    assert isinstance(variant, NumericVariant)
    for one in item.reads:
        score = variant.score(one.text)
        if score.outcome not in _OUTCOMES[one.outcome]:
            why = f", {score.say[0]}" if score.outcome is Outcome.UNREADABLE and score.say else ""
            told = f'"{shorten(one.text)}" is {score.outcome}, not {one.outcome} (key: {variant.key_text()}){why}'
            yield Problem(one.where, told, "mend the entry, the stem or `units:`", item.id, "failure")
    try:
        lines = list(_own_lines(item, variant.evaluation, variant.key_text()))
    except FormulaError:
        return  # told by the proof, which names the drawing
    for text, answer in lines:
        scored = variant.score(text) if answer else None
        if scored is not None and scored.outcome is not Outcome.CORRECT:
            told = f'the key as a candidate would copy it, "{shorten(text)}", is {scored.outcome}'
            yield Problem(item.where, told, "name its words in `units:`, or ask in another unit", item.id, "failure")
    if item.find is None:
        yield from _steps_read(item, variant.evaluation())


def _steps_read(item: NumericTask, evaluation: Evaluation) -> Iterator[Problem]:
    """Printed steps that the reader takes for something else, or for nothing."""
    for step, shown in zip(item.formula.steps, derive(evaluation).steps, strict=True):
        true = evaluation.value(step.name)
        if isinstance(true, bool | str | tuple):
            continue
        text = f"{shown.name} = {shown.value}"
        found = read(text, replace(item.asked.against, shape="number", unit=step.unit, whole=False))
        if isinstance(found, Refusal):
            what = f"refused: {found.reason}"
        elif not isinstance(found.value, bool | str | tuple) and matches(found.base, true, _PRINTED):
            continue
        else:
            what = f"read as {found.read_as}"
        told = f'a step as a candidate would copy it, "{shorten(text)}", is {what}'
        yield Problem(step.where, told, "name its words in `units:`, or rename the step", item.id, "failure")


def _first_allowed(item: NumericTask) -> dict[str, Drawn] | None:
    for number, drawing in enumerate(item.space.walk()):
        values = item.space.values(drawing)
        if item.allows(item.values(values)):
            return values
        if number > 1000:
            break
    return None


def _own_lines(item: NumericTask, evaluated: Callable[[], Evaluation], key: str) -> Iterator[tuple[str, bool]]:
    """What the solution prints, and whether it is the answer: the key, its last line, the key and the stem's word."""
    wanted = target(item, evaluated)
    yield key, True
    if isinstance(wanted.key, bool | str | tuple):
        return
    counted = _HOW_MANY.search(item.stem)
    bare = item.asked.unit.dim.bare and item.asked.unit.symbol != "%"
    if counted is not None and bare:
        yield f"{key} {counted[1]}", True
    if item.find is None and item.asked.tolerance:
        last = derive(evaluated(), item.asked.unit).steps[-1]
        yield f"{last.name} = {last.value}", True


def _says_nothing(failure: proof.Failure, found: proof.Proof) -> bool:
    """A shared formula's misconception that this item never sets apart from another."""
    return bool(failure.other) and failure.count == found.allowed


def _is_lent(item: NumericTask) -> bool:
    """Whether the formula stands in another folder than the item."""
    return _folder(item.formula.where) != _folder(item.where)


def _folder(where: Where) -> str:
    return where.path.replace("\\", "/").rpartition("/")[0]


def coverage(item: NumericTask) -> Coverage:
    """Drawings walked, drawings there are, and those that every `require` passes."""
    axes = _axes(item)
    walked = list(points(axes))
    if not item.require:
        return Coverage(len(walked), size(axes), len(walked))
    allowed = sum(item.allows(item.values(item.space.values(drawing))) for drawing in walked)
    return Coverage(len(walked), size(axes), allowed)


def _axes(item: NumericTask) -> list[Axis]:
    """The axes as the engine walks them: input names and bound values only."""
    made = []
    for axis in item.space.axes:
        columns = [n for n, name in enumerate(axis.names) if name in item.formula.inputs]
        rows = tuple(tuple(value for n in columns if (value := row[n].value) is not None) for row in axis.rows)
        made.append(Axis(tuple(axis.names[n] for n in columns), rows))
    return made


def _first(item: NumericTask) -> list[Value]:
    return item.values(item.space.values(tuple(0 for _ in item.space.axes)))


def _sought(item: NumericTask) -> Callable[[list[Value]], Answer]:
    def key(values: list[Value]) -> Answer:
        found = inverse(item, lambda: item.formula.run(list(values)))
        return found.at.value if found.status == "found" and found.at is not None else IMPOSSIBLE

    return key


def _where(item: NumericTask, failure: proof.Failure) -> Where:
    """Inside an inline formula the expression itself, else the item that draws."""
    if item.inline:
        for misconception in item.formula.misconceptions:
            if misconception.id == failure.misconception:
                return misconception.where
        for step in item.formula.steps:
            if step.name == failure.step:
                return Where(step.where.path, step.where.line, step.where.column + (failure.column or 0))
    return item.where
