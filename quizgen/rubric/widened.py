"""A rubric with one phrase more, to try what it would change."""

from __future__ import annotations

from dataclasses import replace

from quizgen.rubric.pattern.phrases import PhraseError, read
from quizgen.rubric.rubric import Phrasing, Rubric


def widened(rubric: Rubric, criterion: str, phrase: str) -> Rubric | None:
    """The rubric that also accepts `phrase` for a criterion; None where the words make no phrase."""
    try:
        read(phrase)
    except PhraseError:
        return None
    criteria = tuple(
        replace(c, accept=(*c.accept, Phrasing(phrase))) if c.id == criterion else c for c in rubric.criteria
    )
    return replace(rubric, criteria=criteria, memo=[])
