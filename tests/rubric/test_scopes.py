"""The table of scopes: each row decides its own example, and leaves the other one alone."""

from __future__ import annotations

import pytest

from quizgen.rubric import score_text
from quizgen.rubric.scopes import EXCUSES, SCOPES, Row

from .rubrics import one

CACHE = one("cache fast")


def marked(text: str) -> str:
    return score_text(CACHE, text).marks[0].status


@pytest.mark.parametrize("row", SCOPES, ids=[row.words[:40] for row in SCOPES])
def test_a_row_decides_its_example_and_leaves_the_other_alone(row: Row) -> None:
    assert marked(row.counts) == row.means
    assert marked(row.leaves) == ("negated" if row.does == EXCUSES else "found")


def test_a_word_stands_in_one_row() -> None:
    single = [word for row in SCOPES if "^" not in row.words for word in row.words.split()]
    assert len(single) == len(set(single))
