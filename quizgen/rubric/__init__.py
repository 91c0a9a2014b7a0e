"""Rubrics for free text: phrases, matching, polarity, points and reasons, without any model."""

from quizgen.rubric.parse import parse_synonyms
from quizgen.rubric.rubric import (
    Adjustment,
    Criterion,
    CriterionMark,
    Group,
    NumberTest,
    Phrasing,
    Rubric,
    TextScore,
    WrongClaim,
)
from quizgen.rubric.score import score_text

__all__ = [
    "Adjustment",
    "Criterion",
    "CriterionMark",
    "Group",
    "NumberTest",
    "Phrasing",
    "Rubric",
    "TextScore",
    "WrongClaim",
    "parse_synonyms",
    "score_text",
]  # fmt: skip
