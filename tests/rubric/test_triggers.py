"""Turns of several words: each row decides its own example, and no other row does it in its place."""

from __future__ import annotations

import pytest

from quizgen.rubric import negation_words as triggers
from quizgen.rubric.negation_words import ROWS, Row, looked_up

from .rubrics import one, status


@pytest.mark.parametrize("row", ROWS, ids=[row.pattern for row in ROWS])
def test_a_row_decides_its_example_and_is_needed_for_it(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = "cache fast"
    assert status(one(claim), row.example) == row.means
    monkeypatch.setattr(triggers, "TABLE", looked_up(tuple(other for other in ROWS if other is not row)))
    assert status(one(claim), row.example) != row.means
