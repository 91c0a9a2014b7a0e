"""Rubrics for free text: phrases, matching, polarity, points and reasons, without any model."""

from quizgen.rubric.graded import Adjustment, Graded, Mark
from quizgen.rubric.parse import parse_synonyms
from quizgen.rubric.rubric import Criterion, Group, Misconception, NumberTest, Phrasing, Rubric
from quizgen.rubric.score import grade

__all__ = [
    "Adjustment", "Criterion", "Graded", "Group", "Mark", "Misconception", "NumberTest", "Phrasing", "Rubric",
    "grade", "parse_synonyms",
]  # fmt: skip
