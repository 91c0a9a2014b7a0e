"""Single words that decide how a claim is put: each of them decides its row's example, and none is there for nothing."""

from __future__ import annotations

import pytest

from quizgen.rubric.index import word_of
from quizgen.rubric.lexicon import CUE_ROWS, CUES, CueRow

from .rubrics import one, status

WORDS = [(row, word) for row in CUE_ROWS for word in row.words.split()]


def said(example: str, word: str) -> str:
    text = example.format(word)
    return text[0].upper() + text[1:]


def claim(example: str) -> str:
    return "cache up" if "up" in example.split() or "up," in example or "up." in example else "cache fast"


@pytest.mark.parametrize(("row", "word"), WORDS, ids=[word for _, word in WORDS])
def test_a_cue_decides_its_example_and_leaves_the_other_alone(
    row: CueRow, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert status(one(claim(row.example)), said(row.example, word)) == row.means
    assert status(one(claim(row.unlike)), said(row.unlike, word)) == "found"
    with monkeypatch.context() as patch:
        patch.delitem(CUES, word)
        word_of.cache_clear()
        assert status(one(claim(row.example)), said(row.example, word)) != row.means
    word_of.cache_clear()


def test_no_word_is_in_two_rows() -> None:
    assert len(WORDS) == len({word for _, word in WORDS})
