"""What is remembered of words between answers stays small, and never changes a score."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import product

from quizgen.rubric.compile import compiled_index
from quizgen.rubric.index import MAX_CACHED_WORDS, MAX_IDLE_WORDS
from quizgen.rubric.score import score_text

from .rubrics import one

WORDS = ["".join(letters) for letters in product("bcdfghjklm", "aeiou", "nprst", "aeiou", "bdgkm")]


def answers(start: int) -> list[str]:
    return ["slower " + " ".join(WORDS[n : n + 25]) + " faster" for n in range(start, start + 6_000, 25)]


def test_a_rubric_remembers_so_many_words_and_no_more() -> None:
    rubric = one("faster")
    most = 0
    for text in answers(0):
        score_text(rubric, f"{text} {text}")
        most = max(most, len(compiled_index(rubric).memory))
    assert MAX_IDLE_WORDS - 30 < most <= MAX_CACHED_WORDS < len(WORDS)


def test_a_forgotten_word_scores_as_before() -> None:
    rubric = one("faster slower")
    first = [score_text(rubric, text) for text in answers(0)[:60]]
    compiled_index(rubric).memory.clear()
    assert [score_text(rubric, text) for text in answers(0)[:60]] == first


def test_a_compiled_rubric_that_travelled_scores_the_same() -> None:
    rubric = one("rings")
    rubric = replace(rubric, model_answer="Rings carry gradients around slowly, chunk by chunk, past each worker.")
    text = "gradients go around slowly in rings, chunk by chunk"
    first = score_text(rubric, text)
    rubric.memo[:] = [pickle.loads(pickle.dumps(compiled_index(rubric)))]
    assert score_text(rubric, text) == first
