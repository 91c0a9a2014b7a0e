"""Rubrics for free text: phrases, matching, polarity, points and reasons, without any model."""

from quizgen.rubric.marks import Adjustment, Mark, TextScore
from quizgen.rubric.parse import parse_synonyms
from quizgen.rubric.rubric import Criterion, Group, Misconception, NumberTest, Phrasing, Rubric
from quizgen.rubric.score import score_text

__all__ = [
    "Adjustment",
    "Criterion",
    "Group",
    "Mark",
    "Misconception",
    "NumberTest",
    "Phrasing",
    "Rubric",
    "TextScore",
    "parse_synonyms",
    "score_text",
]  # fmt: skip
