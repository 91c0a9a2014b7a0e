"""What a response is held against: the key of a variant, and what known mistakes come to in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.definition import Answer, Evaluation, Formula, ImpossibleAnswer, Misconception
from quizgen.formula.inputs import Input
from quizgen.formula.language.tree import Name, Operation
from quizgen.formula.reading.answer import Asked, Shape, Value
from quizgen.formula.slips import MAX_DEGREE, TRAINING, Degree
from quizgen.formula.unit_table import PLACES
from quizgen.formula.units import Unit

_SHARED_OVER: Final = frozenset({*(name for name, _, _ in PLACES), "micro-batch", "layer", "expert", "step"})


@dataclass(frozen=True, slots=True)
class Known:
    """What a named mistake comes to in this variant, in base units."""

    id: str
    value: Value
    say: str
    credit: Fraction = Fraction(0)
    convention: bool = False  # right by another convention


@dataclass(frozen=True, slots=True)
class Target:
    """What a response is held against. `key` is in base units; `unit` is the one that is asked.

    `tolerance` is relative (0: exact). `credits` gives the share of the points that a slip or a
    misconception earns, by its id.
    """

    key: Value
    unit: Unit
    tolerance: Fraction
    whole: bool = False
    known: tuple[Known, ...] = ()
    degrees: tuple[Degree, ...] = ()
    counted: frozenset[str] = frozenset()  # of TRAINING: what of a training run its formula counts
    credits: Mapping[str, Fraction] = field(default_factory=dict)
    evaluation: Evaluation | None = None  # the run behind the key, of which other inputs can be tried


def target(
    evaluation: Evaluation,
    unit: Unit,
    tolerance: Fraction,
    whole: bool | None = None,
    credits: Mapping[str, Fraction] | None = None,
) -> Target:
    """The target of a variant: its key, and what each misconception and degree of its formula comes to."""
    formula = evaluation.formula
    known = _mistakes(evaluation)
    if credits:
        known = tuple(replace(one, credit=credits.get(one.id, one.credit)) for one in known)
    degrees, counted = _degrees(evaluation)
    exact = formula.whole if whole is None else whole
    key = plain_answer(evaluation.answer)
    return Target(key, unit, tolerance, exact, known, degrees, counted, credits or {}, evaluation)


@lru_cache(maxsize=256)
def _mistakes(evaluation: Evaluation) -> tuple[Known, ...]:
    """What each misconception comes to in a run, and what is said of it: every response to a variant needs the same."""
    formula = evaluation.formula
    return tuple(
        Known(m.id, plain_answer(value), said(formula, m), m.credit, bool(m.convention))
        for m, value in formula.mistaken(evaluation)
    )


@lru_cache(maxsize=256)
def _degrees(evaluation: Evaluation) -> tuple[tuple[Degree, ...], frozenset[str]]:
    """The degrees of a run, and which of parameters, tokens and operations it counts."""
    inputs = evaluation.formula.inputs.values()
    found = tuple(
        Degree(i.name, int(Fraction(v)), i.about)
        for i, v in zip(inputs, evaluation.values, strict=False)
        if isinstance(v, int | Fraction) and _is_degree(i, v)
    )
    dims = [i.unit.dim for i in inputs] + [evaluation.formula.unit.dim]
    return found, frozenset(name for name in TRAINING for dim in dims if dim.power(name))


def said(formula: Formula, misconception: Misconception) -> str:
    """What the candidate is told; of another convention, that the number is right by it and which one holds here."""
    if not misconception.convention:
        return misconception.say
    here = f" Here: {formula.convention}." if formula.convention else ""
    return f"Right by another convention: {misconception.convention}.{here} {misconception.say}"


def asked(formula: Formula, unit: Unit) -> Asked:
    """What `read` needs to know of an item: what is asked, and nothing of how it is worked out, for that
    would tell of the key."""
    shape: Shape = "truth" if formula.kind == "truth" else "tuple" if formula.kind == "tuple" else "number"
    last = formula.steps[-1].tree
    parts = last.operands if isinstance(last, Operation) and last.name == "tuple" else ()
    names = tuple(part.name if isinstance(part, Name) else "" for part in parts)
    return Asked(unit, shape, names=names, length=len(parts), whole=unit.whole, impossible=unit.whole)


def plain_answer(answer: Answer) -> Value:
    return "impossible" if isinstance(answer, ImpossibleAnswer) else answer


def _is_degree(entry: Input, value: int | Fraction) -> bool:
    """A whole count of 2 or more that work is shared or repeated over; no enum, no size."""
    if entry.choices or entry.kind.shape != "number" or value != int(value) or not 2 <= value <= MAX_DEGREE:
        return False
    return entry.unit.dim.bare or entry.unit.dim.label in _SHARED_OVER
