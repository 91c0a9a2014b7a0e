"""What is remembered of words between answers stays small, and never changes a score."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import count, product

import pytest

from quizgen.rubric import index as meanings
from quizgen.rubric import score_text
from quizgen.rubric.compile import compiled
from quizgen.rubric.index import COMMON, REMEMBERED

from .rubrics import one

WORDS = ["".join(letters) for letters in product("bcdfghjklm", "aeiou", "nprst", "aeiou", "bdgkm")]


def answers(start: int) -> list[str]:
    return ["slower " + " ".join(WORDS[n : n + 25]) + " faster" for n in range(start, start + 6_000, 25)]


def test_a_rubric_remembers_so_many_words_and_no_more() -> None:
    rubric = one("faster")
    for text in answers(0):
        score_text(rubric, text)
    assert len(compiled(rubric).memory) == COMMON < len(WORDS)
    begun = one("slow*")  # every one of these words means something to it
    most = 0
    for text in answers(0):
        score_text(begun, " ".join(f"slow{word}" for word in text.split()))
        most = max(most, len(compiled(begun).memory))
    assert REMEMBERED - 30 < most <= REMEMBERED


def test_words_that_mean_nothing_do_not_drive_out_what_means_something() -> None:
    rubric = one("faster")
    for text in answers(0)[:40]:
        score_text(rubric, text.replace("faster", "quicker"))
    score_text(rubric, "faster")
    meant = compiled(rubric).memory["faster"]
    for text in answers(1000)[:40]:
        score_text(rubric, text.replace("faster", "quicker"))
    assert WORDS[1200] not in compiled(rubric).memory
    assert compiled(rubric).memory["faster"] is meant


def test_a_word_that_means_nothing_to_one_rubric_may_mean_something_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the other was compiled in another process, which counts its rubrics for itself."""
    first, second = one("faster"), one("quicker")
    monkeypatch.setattr(meanings, "_bits", count(4000))
    for text in answers(0)[:40]:
        score_text(first, text)
    assert not score_text(first, "quicker").earned
    monkeypatch.setattr(meanings, "_bits", count(4000))
    elsewhere = pickle.dumps(compiled(second))
    monkeypatch.setattr(meanings, "_bits", count(4001))
    third = replace(second, memo=[pickle.loads(elsewhere)])
    assert score_text(third, "quicker").earned
    assert not score_text(first, "quicker").earned


def test_rubrics_share_what_a_word_without_meaning_for_them_is() -> None:
    rubrics = [one("faster"), one("slower")]
    for rubric in rubrics:
        score_text(rubric, "faster by an aside")
    first, second = (compiled(rubric).memory for rubric in rubrics)
    assert first["aside"] is second["aside"]
    assert first["faster"] is not second["faster"]


def test_a_forgotten_word_scores_as_before() -> None:
    rubric = one("faster slower")
    first = [score_text(rubric, text) for text in answers(0)[:60]]
    compiled(rubric).memory.clear()
    assert [score_text(rubric, text) for text in answers(0)[:60]] == first


def test_a_long_number_is_not_remembered() -> None:
    rubric = one("faster")
    score_text(rubric, "faster by 4096 in note 123456")
    assert "4096" in compiled(rubric).memory
    assert "123456" not in compiled(rubric).memory


def test_a_compiled_rubric_that_travelled_scores_the_same() -> None:
    rubric = one("rings")
    rubric = replace(rubric, model_answer="Rings carry gradients around slowly, chunk by chunk, past each worker.")
    text = "gradients go around slowly in rings, chunk by chunk"
    first = score_text(rubric, text)
    rubric.memo[:] = [pickle.loads(pickle.dumps(compiled(rubric)))]
    assert score_text(rubric, text) == first
