"""What a person decides after the machine: points set by hand, items dropped, responses accepted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from quizgen.model import ZERO, Given, Mark, Outcome, Score, Variant
from quizgen.scoring.points import judged, shown_points


@dataclass(frozen=True, slots=True)
class Override:
    """What a person decided: points for one criterion of an item, or (no criterion) for all of it."""

    criterion: str
    earned: Fraction
    reason: str


def overridden(score: Score, overrides: Collection[Override]) -> Score:
    """The score after a person's decisions, each with its reason; points stay within what is possible."""
    for one in overrides:
        note = f"set to {shown_points(one.earned)} by hand: {one.reason or 'no reason given'}"
        if one.criterion:
            marks = tuple(
                replace(m, earned=min(max(one.earned, ZERO), m.possible), because=note, status=_status(one.earned, m))
                if m.criterion == one.criterion and m.possible
                else m
                for m in score.marks
            )
        else:
            wanted = min(max(one.earned, ZERO), score.possible)
            marks = (*score.marks, Mark("by-hand", wanted - score.earned, ZERO, note))
        possible = score.possible
        score = judged(replace(score, marks=marks, outcome=Outcome.PARTIAL if possible else score.outcome, review=()))
    return score


def _status(earned: Fraction, mark: Mark) -> str:
    return "found" if earned >= mark.possible else "missing" if earned <= 0 else "partial"


@dataclass(frozen=True, slots=True)
class Changes:
    """What a person changed about the scoring of a whole log: items dropped, responses accepted."""

    dropped: frozenset[str] = frozenset()
    accepted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.dropped or self.accepted)

    def apply(self, variant: Variant, response: Given, score: Score) -> Score:
        name = variant.item.id
        if name in self.dropped:
            return Score(score.outcome, (Mark("dropped", ZERO, ZERO, "the item was dropped"),), score.read_as)
        for text in self.accepted.get(name, ()):
            same = score.read_as is not None and variant.score(text).read_as == score.read_as
            if same or _folded(text) == _folded(response):
                because = f'"{text}" was accepted by hand'
                mark = Mark("accepted", score.possible, score.possible, because, "found")
                return Score(Outcome.CORRECT, (mark,), score.read_as, None, (because,))
        return score


def _folded(given: Given) -> str:
    text = given if isinstance(given, str) else ", ".join(given)
    return " ".join(text.split()).casefold()
