"""One sheet under each of a few conditions: no row is silently wrong. The whole is tests/bench/bench_scan.py."""

from __future__ import annotations

import numpy as np
import pytest

from quizgen.scan.answers import PageReading, read_page
from quizgen.scan.pages import ScannedPage

from .degraded import ALL
from .filled import Truth, filled
from .printed import Exam


def read(exam: Exam, name: str, number: int = 1, named: bool = True) -> tuple[PageReading, dict[str, Truth]]:
    style, spoil = ALL[name]
    chance = np.random.default_rng([number, *name.encode()])
    page = exam.page("form-A-001" if named else "form-A")
    page, truth = filled(page, exam.origin(), exam.sheets("A", named)[0], style, chance)
    forms = {form["code"]: form for form in exam.manifest["forms"]}
    return read_page(ScannedPage("page", 1, np.ascontiguousarray(spoil(page, chance))), forms.get), truth


@pytest.mark.parametrize("name", ["90°", "JPEG 15, 150 dpi", "photo 900 px", "rubbed out, other filled"])
def test_ordinary_pages_are_read(exam: Exam, name: str) -> None:
    """Every row is right, and only rows that a person must look at are doubtful."""
    found, truth = read(exam, name)
    assert len(found.row_readings) == 24, found.failure_reason
    for row in found.row_readings:
        assert bool(row.doubt_reason) == truth[row.item_or_id].look, (row, truth[row.item_or_id])
        if not row.doubt_reason:
            assert row.answer == truth[row.item_or_id].answer


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("crossed out, letter in box", {"writing in the correction box"}),
        ("circled", {"strokes beyond a bubble", "a bubble cannot be seen"}),
        ("light pencil", {"faint", "a weak mark"}),
    ],
)
def test_marks_that_are_no_filled_bubble_are_asked_about(exam: Exam, name: str, why: set[str]) -> None:
    found, truth = read(exam, name)
    several = {row.item_or_id for row in exam.sheets("A", True)[0].rows if row.allows_several}
    for row in found.row_readings:
        if (row.item_or_id not in several and truth[row.item_or_id].answer) or truth[row.item_or_id].look:
            assert row.doubt_reason in why | {"more than one"}, row
    assert {row.doubt_reason for row in found.row_readings} & why


def test_a_cross_is_asked_about_with_its_letter_set(exam: Exam) -> None:
    """Where a person decides, the only crossed bubble of a row is the answer that stands there: in all rows but a few
    whose cross is drawn over the next one; never is a bubble without a cross."""
    page, sheet = exam.page("form-A-001"), exam.sheets("A", True)[0]
    pages = [filled(page, exam.origin(), sheet, "cross", np.random.default_rng(n)) for n in (1, 2)]
    forms = {form["code"]: form for form in exam.manifest["forms"]}
    read = ((read_page(ScannedPage("page", 1, made), forms.get), truth) for made, truth in pages)
    rows = [(row, truth[row.item_or_id]) for found, truth in read for row in found.row_readings]
    assert all(row.doubt_reason for row, true in rows if true.answer)
    assert all(set(row.answer) <= set(true.answer) for row, true in rows)
    single = [(row, true) for row, true in rows if len(true.answer) == 1]
    assert sum(row.answer == true.answer for row, true in single) >= 0.95 * len(single)


@pytest.mark.parametrize("name", ["glare", "folded corner, holes", "fax", "doodles", "hand scanner"])
def test_what_nobody_foresaw_is_doubted_or_right(exam: Exam, name: str) -> None:
    found, truth = read(exam, name, named=False)
    for row in found.row_readings:
        true = truth[row.item_or_id]
        assert row.doubt_reason or (row.answer == true.answer and not true.look), (row, true)


def test_an_id_is_read_from_the_grid(exam: Exam) -> None:
    found, truth = read(exam, "clean 150 dpi", named=False)
    assert found.candidate_id_reading.answer == "".join(truth[f"id{n}"].answer for n in range(1, 9))
    assert not found.candidate_id_reading.doubt_reason
