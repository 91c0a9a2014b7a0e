"""Turns of several words: each row decides its own example, and no other row does it in its place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from quizgen.rubric.reading import triggers
from quizgen.rubric.reading.triggers import ROWS, Row, TriggerTable

from .rubrics import one, status


@pytest.fixture
def rows() -> Iterator[list[TriggerTable]]:
    before = triggers.TABLE[0]
    yield triggers.TABLE
    triggers.TABLE[0] = before


@pytest.mark.parametrize("row", ROWS, ids=[row.pattern for row in ROWS])
def test_a_row_decides_its_example_and_is_needed_for_it(row: Row, rows: list[TriggerTable]) -> None:
    claim = "cache fast"
    assert status(one(claim), row.example) == row.means
    rows[0] = TriggerTable(tuple(other for other in ROWS if other is not row))
    assert status(one(claim), row.example) != row.means
