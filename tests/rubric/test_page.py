"""The pages on rubrics: each of their examples is scored as its table says."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from quizgen.commands.rubric import command
from quizgen.rubric import score_text
from quizgen.rubric.lint import lint
from quizgen.rubric.scopes import SCOPES

from .rubrics import rubric_of

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "rubrics.md").read_text(encoding="utf-8")
REFERENCE = (DOCS / "rubrics-reference.md").read_text(encoding="utf-8")
BOTH = PAGE + REFERENCE
EXAMPLE = re.compile(
    r"^```yaml\n(?P<yaml>.*?)^```\n\n\| answer \| points \|\n\|---\|---\|\n(?P<rows>(?:\|[^\n]*\n)+)", re.M | re.S
)


def examples() -> list[tuple[str, str, str]]:
    found = []
    for match in EXAMPLE.finditer(BOTH):
        for row in match["rows"].splitlines():
            answer, points = (cell.strip() for cell in row.strip("|").rsplit("|", 1))
            found.append((match["yaml"], answer, points))
    return found


@pytest.mark.parametrize(("yaml", "answer", "points"), examples())
def test_an_example_of_the_page_earns_what_the_page_says(yaml: str, answer: str, points: str) -> None:
    scored = score_text(rubric_of(yaml), answer)
    because = [f"{m.criterion}: {m.status}, {m.because}" for m in scored.marks]
    assert round(scored.earned, 6) == round(Fraction(points), 6), because


def test_every_section_has_its_example() -> None:
    assert BOTH.count("```yaml") == len(EXAMPLE.findall(BOTH)) == 9
    assert len(examples()) >= 30


def test_the_examples_are_sound() -> None:
    for match in EXAMPLE.finditer(BOTH):
        assert lint(rubric_of(match["yaml"])) == ()


def test_the_draft_on_the_page() -> None:
    (shown,) = re.findall(r"^\$ quizgen (rubric draft .*)\n((?:[^`].*\n)+)```", REFERENCE, re.M)
    ran = CliRunner().invoke(command, shlex.split(shown[0])[1:])
    assert ran.exit_code == 0
    assert ran.output.rstrip() == shown[1].rstrip()


def test_the_reference_names_all_words_that_deny_or_doubt() -> None:
    for row in SCOPES:
        assert f"| {row.counts} | {row.means} | {row.leaves} |" in REFERENCE
        assert all(word in REFERENCE for word in re.findall("[a-z']+", row.words.replace("<avert>", "avoid")))


def test_the_page_a_person_reads_is_short() -> None:
    assert len(PAGE.split()) <= 1500
