"""The page on rubrics: each of its examples is graded as its table says."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from quizgen.rubric import grade
from quizgen.rubric.lint import lint

from .rubrics import rubric_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rubrics.md"
EXAMPLE = re.compile(
    r"^```yaml\n(?P<yaml>.*?)^```\n\n\| answer \| points \|\n\|---\|---\|\n(?P<rows>(?:\|[^\n]*\n)+)", re.M | re.S
)


def examples() -> list[tuple[str, str, str]]:
    found = []
    for match in EXAMPLE.finditer(PAGE.read_text(encoding="utf-8")):
        for row in match["rows"].splitlines():
            answer, points = (cell.strip() for cell in row.strip("|").rsplit("|", 1))
            found.append((match["yaml"], answer, points))
    return found


@pytest.mark.parametrize(("yaml", "answer", "points"), examples())
def test_example(yaml: str, answer: str, points: str) -> None:
    graded = grade(rubric_of(yaml), answer)
    because = [f"{m.criterion}: {m.status}, {m.because}" for m in graded.marks]
    assert round(graded.earned, 6) == round(Fraction(points), 6), because


def test_every_section_has_its_example() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("```yaml") == len(EXAMPLE.findall(text)) == 5
    assert len(examples()) >= 20


def test_the_examples_are_sound() -> None:
    for match in EXAMPLE.finditer(PAGE.read_text(encoding="utf-8")):
        assert lint(rubric_of(match["yaml"])) == ()
