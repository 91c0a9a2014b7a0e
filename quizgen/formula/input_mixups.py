"""Mistakes that every formula has: an input left out, the other value of a choice, one more or one less of a count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.definition import Evaluation, Formula
from quizgen.formula.errors import FormulaError
from quizgen.formula.expression.tree import names
from quizgen.formula.inputs import Input, Value
from quizgen.formula.quantity import Number

ABOUT: Final = {
    "input-left-out": "what the formula gives with one input left out of it",
    "other-choice": "what the formula gives for another stage, scheme or choice than the stem's",
    "one-more": "what the formula gives with one more of a count",
    "one-less": "what the formula gives with one less of a count",
}
MAX_RUNS: Final = 40


@dataclass(frozen=True, slots=True)
class Varied:
    """What the formula answers with one input changed; `left_out` and its kin are ids of `ABOUT`."""

    id: str
    value: Number
    say: str


def varied(evaluation: Evaluation) -> tuple[Varied, ...]:
    """What one run would have answered with one input changed, in base units."""
    return _varied(evaluation.formula, evaluation.values[: len(evaluation.formula.inputs)])


@lru_cache(maxsize=256)
def _varied(formula: Formula, given: tuple[Value, ...]) -> tuple[Varied, ...]:
    made: list[Varied] = []
    used = {one.name for step in formula.steps for one in names(step.tree)}
    changes = [
        (slot, *change)
        for slot, (entry, value) in enumerate(zip(formula.inputs.values(), given, strict=True))
        if entry.name in used
        for change in _changes(entry, value)
    ]
    for slot, name, value, say in changes[:MAX_RUNS]:
        try:
            answer = formula.run([*given[:slot], value, *given[slot + 1 :]]).answer
        except FormulaError:
            continue
        if isinstance(answer, int | float | Fraction) and not isinstance(answer, bool):
            made.append(Varied(name, answer, say))
    return tuple(made)


def _changes(entry: Input, value: Value) -> Iterator[tuple[str, Value, str]]:
    """What an input may have been taken for: id, value, and what the candidate is told."""
    if entry.kind.shape == "word":
        for word in entry.kind.words:
            if word != value:
                yield "other-choice", word, f"That is right for {entry.name} = {word}; here it is {value}."
        return
    if entry.kind.shape != "number" or isinstance(value, str | tuple):
        return
    if entry.choices:
        for other in entry.choices:
            if other != value:
                yield "other-choice", other, f"That is right for {entry.name} = {other}; here it is {value}."
        return
    if value != entry.unit.factor:
        yield "input-left-out", entry.unit.factor, f"That leaves out {entry.name}, {entry.about}."
    counts = entry.whole or bool(entry.unit.dim.label)
    if counts and entry.unit.factor == 1 and Fraction(value).denominator == 1 and 2 <= value <= 10_000:
        yield "one-more", value + 1, f"That uses one more than {entry.name} = {value}."
        yield "one-less", value - 1, f"That uses one less than {entry.name} = {value}."
