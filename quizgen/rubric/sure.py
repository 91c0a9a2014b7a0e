"""How sure a mark is: the chance, 0 to 1, that a person would give the same, from a few signs that can be shown.

Two small tables, one for marks that earn something and one for marks that earn nothing. The weights are of logistic
regressions on 1,024 marks of 272 answers that were also marked by hand. Fitted on half of the items they rank the
marks of the other half with an AUC of .84 (earned) and .64 (not earned). What is not earned was set apart from that, on
answers to 76 questions of two public sets: where a rubric finds little, people often find more.
"""

from __future__ import annotations

import math
from typing import Final

from quizgen.rubric.context.finding import Finding
from quizgen.rubric.marks import CONTRADICTED, FOUND, MISSING, NEGATED, CriterionMark
from quizgen.rubric.pattern.index import Index

REVIEW: Final = 0.4  # below this a mark asks for a person
WIDE: Final = 60  # characters of evidence that count as one
UNKNOWN: Final = 0.5  # share of the model answer's words where there is none

EARNED: Final = {
    "always": -0.3,
    "share earned by the other criteria": 1.9,
    "share of the model answer's words": 2.2,
    "width of the evidence": -0.7,
    "found in part": -0.7,
    "said more than once": 1.6,
}
NOTHING: Final = {
    "always": 3.0,
    "share earned by the other criteria": -0.6,
    "share of slots nearly found": -1.4,
    "taken as denied or contradicted": -0.4,
}
UNEARNED: Final = -1.6  # of the share of all points that the response does not earn, in both tables
_E: Final = tuple(EARNED.values())
_N: Final = tuple(NOTHING.values())


def with_sure(
    index: Index,
    marks: tuple[CriterionMark, ...],
    found: dict[int, Finding],
    nearly: list[float],
    coverage: float | None,
) -> tuple[CriterionMark, ...]:
    """The marks of a response, each with how sure it is; `nearly`: by criterion, the share of a phrase found."""
    known = UNKNOWN if coverage is None else coverage
    points = index.points
    shares = [
        0.0 if m.status == MISSING else points[i] if m.status == FOUND else m.earned.numerator / m.earned.denominator
        for i, m in enumerate(marks)
    ]
    possible, earned = index.all_points, math.fsum(shares)
    full = index.possible.numerator / index.possible.denominator
    left = UNEARNED * max(1 - earned / full, 0.0) if full else 0.0
    said: list[CriterionMark] = []
    for place, mark in enumerate(marks):
        rest = possible - points[place]
        elsewhere = (earned - shares[place]) / rest if rest > 0 else float(shares[place] > 0)
        finding = found.get(place)
        if shares[place]:
            width = mark.evidence[-1][1] - mark.evidence[0][0] if mark.evidence else 0
            more = min(len(finding.accepts) - 1, 2) / 2 if finding is not None and finding.accepts else 0.0
            total = left + _E[0] + _E[1] * elsewhere + _E[2] * known + _E[3] * min(width / WIDE, 3.0)
            total += _E[4] * (mark.status != FOUND) + _E[5] * more
        else:
            total = left + _N[0] + _N[1] * elsewhere + _N[2] * nearly[place]
            total += _N[3] * (mark.status in (NEGATED, CONTRADICTED))
        said.append(CriterionMark._make((*mark[:-1], 1 / (1 + math.exp(-total)))))
    return tuple(said)


def sure_of(marks: tuple[CriterionMark, ...]) -> float:
    """How sure the score of a response is: its marks by their points."""
    possible = math.fsum(m.possible for m in marks)
    return math.fsum(m.possible * m.sure for m in marks) / possible if possible else 1.0
