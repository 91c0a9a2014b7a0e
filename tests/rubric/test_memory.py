"""What is remembered of words between answers stays small, and never changes a score."""

from __future__ import annotations

import gc
from itertools import product

from quizgen.rubric import score_text
from quizgen.rubric.compiling.compile import compiled
from quizgen.rubric.pattern import memory

from .rubrics import one

WORDS = ["".join(letters) for letters in product("bcdfghjklm", "aeiou", "nprst", "aeiou", "bdgkm")]


def answers(start: int) -> list[str]:
    return ["slower " + " ".join(WORDS[n : n + 25]) + " faster" for n in range(start, start + 6_000, 25)]


def test_rubrics_share_what_they_remember_beyond_their_thousand() -> None:
    rubrics = [one("faster"), one("slower"), one("faster slower")]
    for rubric in rubrics:
        for text in answers(0):
            score_text(rubric, text)
    held = sum(len(compiled(rubric).memory) for rubric in rubrics)
    assert max(len(compiled(rubric).memory) for rubric in rubrics) > 5_000
    assert held <= 3 * 1_000 + 10_000


def test_a_rubric_that_is_gone_gives_its_share_back() -> None:
    gc.collect()
    before = memory.lent[0]
    rubric = one("faster")
    for text in answers(0)[:80]:
        score_text(rubric, text)
    assert memory.lent[0] > before
    del rubric
    gc.collect()
    assert memory.lent[0] == before


def test_a_forgotten_word_scores_as_before() -> None:
    rubric = one("faster slower")
    first = [score_text(rubric, text) for text in answers(0)[:60]]
    compiled(rubric).forget()
    assert [score_text(rubric, text) for text in answers(0)[:60]] == first


def test_a_long_number_is_not_remembered() -> None:
    rubric = one("faster")
    score_text(rubric, "faster by 4096 in note 123456")
    assert "4096" in compiled(rubric).memory
    assert "123456" not in compiled(rubric).memory
