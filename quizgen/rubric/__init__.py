"""Rubrics for free text: phrases, matching, polarity, points and reasons, without any model."""

from quizgen.rubric.parse import parse_synonyms
from quizgen.rubric.rubric import (
    CriteriaGroup,
    Criterion,
    CriterionMark,
    NumberTest,
    Phrasing,
    Rubric,
    RubricMisconception,
    ScoreAdjustment,
    TextScore,
)
from quizgen.rubric.score import score_text

__all__ = [
    "CriteriaGroup",
    "Criterion",
    "CriterionMark",
    "NumberTest",
    "Phrasing",
    "Rubric",
    "RubricMisconception",
    "ScoreAdjustment",
    "TextScore",
    "parse_synonyms",
    "score_text",
]  # fmt: skip
