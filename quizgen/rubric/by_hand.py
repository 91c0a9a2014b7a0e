"""What marks by hand, criterion by criterion, say of a rubric: false credit, false denial, a person's help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from quizgen.rubric.marks import TextScore
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.statistics import kappa, pearson

HELP: Final = (0, 5, 10, 20, 30, 50)  # per cent of the answers that a person scores, the least sure ones first

Hand = tuple[tuple[str, float], ...]  # criterion id -> 0 (says nothing of it) to 1 (says it)


@dataclass(frozen=True, slots=True)
class TypeFigures:
    """Mean shares of the answers of one `type`, by hand and by the rubric."""

    type: str
    rows: int
    human: float
    rubric: float


@dataclass(frozen=True, slots=True)
class HandFigures:
    """`false_credit`: full marks where a person gives none, of `nothing` such criteria.
    `false_denial`: nothing where a person gives full marks, of `everything` such criteria."""

    types: tuple[TypeFigures, ...]
    false_credit: float
    nothing: int
    false_denial: float
    everything: int


@dataclass(frozen=True, slots=True)
class Helped:
    """Agreement where a person scores the least sure `per_cent` of the answers."""

    per_cent: int
    r: float
    kappa: float


def share_by_hand(rubric: Rubric, hand: Hand) -> float:
    """The share of the points that the marks by hand come to, groups and full marks counted."""
    given = {name: Fraction(value).limit_denominator(1000) for name, value in hand}
    earned = {c.id: c.points * given.get(c.id, Fraction(0)) for c in rubric.criteria}
    total = sum(earned.values(), Fraction(0))
    for group in rubric.groups:
        total -= max(Fraction(0), sum((earned[name] for name in group.of), Fraction(0)) - group.at_most)
    return float(min(total, rubric.possible) / rubric.possible)


def by_hand(rows: Iterable[tuple[str, Hand, float, TextScore]]) -> HandFigures | None:
    """Figures of (type, marks by hand, human share, score) of every answer; None where none has such marks."""
    types: dict[str, list[tuple[float, float]]] = {}
    nothing: list[bool] = []
    everything: list[bool] = []
    for kind, hand, human, scored in rows:
        if not hand:
            continue
        types.setdefault(kind, []).append((human, float(scored.earned / scored.possible)))
        marks = {m.criterion: m for m in scored.marks}
        for name, value in hand:
            if name in marks and value == 0:
                nothing.append(marks[name].earned == marks[name].possible)
            elif name in marks and value == 1:
                everything.append(marks[name].earned == 0)
    if not types:
        return None
    table = tuple(
        TypeFigures(kind, len(pairs), _mean([h for h, _ in pairs]), _mean([e for _, e in pairs]))
        for kind, pairs in sorted(types.items())
    )
    return HandFigures(table, _mean(nothing), len(nothing), _mean(everything), len(everything))


def helped(earned: list[float], human: list[float], sure: list[float], bins: int) -> tuple[Helped, ...]:
    """Agreement by how many of the answers a person scores, the least sure first."""
    order = sorted(range(len(earned)), key=lambda i: (sure[i], i))
    found = []
    for per_cent in HELP:
        mended = list(earned)
        for i in order[: round(len(order) * per_cent / 100)]:
            mended[i] = human[i]
        found.append(Helped(per_cent, pearson(mended, human), kappa(mended, human, bins)))
    return tuple(found)


def graded_marks(value: object) -> Hand:
    """`hand` of a graded line: {criterion id: 0 to 1}; empty where it is none."""
    if not isinstance(value, Mapping):
        return ()
    marks = [(str(k), float(v)) for k, v in value.items() if isinstance(v, int | float) and 0 <= v <= 1]
    return tuple(marks) if len(marks) == len(value) else ()


def _mean(values: list[float] | list[bool]) -> float:
    return sum(values) / len(values) if values else 0.0
