"""What is known of a scored response, and a bounded memory of it."""

from __future__ import annotations

from collections import OrderedDict

from quizgen.model import Score
from quizgen.scoring.points import units
from quizgen.scoring.said import CriterionSummary, criteria

Drawn = tuple[tuple[str, str], ...]
# (item, outcome, earned and possible in units, options chosen, diagnosis, drawn values, what it said, criteria)
Summary = tuple[str, str, int, int, tuple[str, ...], str | None, Drawn, str, tuple[CriterionSummary, ...]]


class Verdict:
    """What is known of one scored response.

    `summary` is a plain tuple that survives any copy. `score` is there only where the scorer was asked to keep
    it, `tail` (the score as text) where it was asked to write it: memory is for remembering. `review` says why
    a person should look at it.
    """

    __slots__ = ("review", "score", "summary", "tail")

    def __init__(self, summary: Summary, score: Score | None, tail: str) -> None:
        self.summary = summary
        self.score = score
        self.tail = tail
        self.review = score.review if score is not None else ()

    @classmethod
    def of(
        cls, item: str, score: Score, chosen: tuple[str, ...], drawn: Drawn, tail: str = "", said: str = ""
    ) -> Verdict:
        earned, possible, marks = units(score.earned), units(score.possible), criteria(score)
        summary = (item, str(score.outcome), earned, possible, chosen, score.diagnosis, drawn, said, marks)
        return cls(summary, score, tail)


class Recent:
    """Verdicts by key, the ones used lately, up to a weight in all."""

    __slots__ = ("_kept", "_limit", "_weight")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[str, Verdict] = OrderedDict()
        self._weight = 0

    def get(self, key: str) -> Verdict | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: str, value: Verdict) -> None:
        """Remember a verdict that `get` did not find."""
        self._kept[key] = value
        self._weight += _weight(key, value)
        while self._weight > self._limit and len(self._kept) > 1:
            self._weight -= _weight(*self._kept.popitem(last=False))


def _weight(key: str, value: Verdict) -> int:
    """What remembering costs: a choice or a number weighs 1, a text as much as it has criteria, for texts are hardly
    ever given twice."""
    return 1 + len(value.summary[-1]) + (len(key) + len(value.tail)) // 512
