"""The pages on rubrics: each of their examples is scored as its table says."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from pathlib import Path

import pytest
from shipped import Command, Golden

from quizgen.rubric.check import lint_rubric
from quizgen.rubric.scopes import CUE_ROWS
from quizgen.rubric.score import score_text

from .rubrics import rubric_of

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "rubrics.md").read_text(encoding="utf-8")
REFERENCE = (DOCS / "rubrics-reference.md").read_text(encoding="utf-8")
BOTH = PAGE + REFERENCE
DENIALS = """\
# Denials and doubts in text answers

Made from `quizgen/rubric/scopes.py`; `pytest tests/rubric/test_page.py --update-golden` writes this page anew.

Every word that denies, doubts or takes back, with a sentence on the claim "the cache is fast" that it decides, the status of
the claim there, and a sentence whose claim it leaves alone. *not* and *false* stand for all words of that kind. Where several
rows match, the longest wins.

| words | decides | status | leaves alone |
|---|---|---|---|
"""
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
    because = [f"{m.criterion_id}: {m.status}, {m.because}" for m in scored.marks]
    assert round(scored.earned, 6) == round(Fraction(points), 6), because


def test_every_section_has_its_example_which_is_sound() -> None:
    found = [match["yaml"] for match in EXAMPLE.finditer(BOTH)]
    assert BOTH.count("```yaml") == len(found) == 10
    assert len(examples()) >= 30
    assert [lint_rubric(rubric_of(yaml)) for yaml in found] == [()] * 10


def test_the_draft_on_the_page(command: Command) -> None:
    (shown,) = re.findall(r"^\$ quizgen (rubric draft .*)\n((?:[^`].*\n)+)```", REFERENCE, re.M)
    assert command(*shlex.split(shown[0])).out.rstrip() == shown[1].rstrip()


def denials() -> str:
    """docs/denials.md: a table row for each row of `CUE_ROWS`, its words as a person reads them."""
    rows = []
    for row in CUE_ROWS:
        words = row.cue_words.replace("^", "").replace("|", " / ")
        words = re.sub("<([a-z]+)>", r"*\1*", words)
        rows.append(f"| {words} | {row.example} | {row.example_status} | {row.counterexample} |")
    return DENIALS + "\n".join(rows) + "\n"


def test_the_page_of_denials_is_the_table(golden: Golden) -> None:
    golden("denials.md", denials(), folder="docs")
