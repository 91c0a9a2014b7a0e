"""Text items read answers as an examiner would: other people's right wordings earn, typical wrong ones do not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import wordings_table as table

from quizgen.rubric.score import score_text

BLIND = "C-*"  # written by someone who saw the stems alone


def test_every_text_item_has_right_and_wrong_wordings() -> None:
    """Of a second writer, or beside the item: a right answer and one that is confident and wrong."""
    written = table.wordings(BLIND)
    assert all(len(texts["right"]) >= 3 and len(texts["wrong"]) >= 2 for texts in written.values())
    assert set(table.wordings()) <= set(table.items()), "a wording names an item that is gone"
    for name in set(table.items()) - set(written):
        answers: Any = table.items()[name]
        earned = {one.share for one in answers.answers}
        assert {Fraction(1), Fraction(0)} <= earned, name


def test_right_wordings_are_as_long_as_candidates_write() -> None:
    lengths = [len(text.split()) for texts in table.wordings(BLIND).values() for text in texts["right"]]
    assert 25 <= sum(lengths) / len(lengths) <= 80
    assert max(lengths) <= 120


def test_model_answers_earn_full_marks() -> None:
    assert [row.item for row in table.rows() if row.model < 1] == []


def test_stems_said_back_earn_nothing() -> None:
    echoed = [name for name, item in table.items().items() if score_text(item.rubric, item.rubric.stem).earned]
    assert echoed == []


def test_right_wordings_earn_four_fifths_on_average() -> None:
    assert table.means(BLIND)[0] >= 0.8
    assert table.means()[0] >= 0.8


def test_no_item_halves_its_right_wordings() -> None:
    assert [(row.item, row.right) for row in table.rows() if table.mean(row.right) < 0.5] == []


def test_wrong_wordings_earn_a_fifth_at_most_on_average() -> None:
    assert table.means(BLIND)[1] <= 0.2
    assert table.means()[1] <= 0.2


def test_a_right_wording_earns_more_than_a_wrong_one_on_every_item() -> None:
    assert [row.item for row in table.rows() if table.mean(row.wrong) >= table.mean(row.right)] == []
