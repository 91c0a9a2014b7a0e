"""Answers made from the model answer that should earn less: denied or shuffled."""

from __future__ import annotations

import hashlib

from quizgen.rubric.compile import compiled_index
from quizgen.rubric.response import read_response
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.scopes import BUT
from quizgen.rubric.tokens import fold_text

REASONS = frozenset(("because", "since", "so", "therefore", "thus", "hence"))


def negated(rubric: Rubric) -> str:
    """The model answer with every clause called untrue."""
    reading = read_response(compiled_index(rubric), fold_text(rubric.model_answer))
    turns = [p for p, cue in reading.cues.words if cue == BUT or reading.word_at(p) in REASONS]
    starts = sorted({0, *reading.sentences, *(p for p in turns if reading.word_at(p + 1) != "that")})
    parts = []
    for start, end in zip(starts, [*starts[1:], len(reading.entries)], strict=True):
        if start in turns:
            start += 1
        if end - start >= 3:
            clause = reading.original_text(start, end - 1)
            keep = clause[:2].isupper() or not clause[0].isupper()
            parts.append(f"It is not true that {clause if keep else clause[0].lower() + clause[1:]}.")
    return " ".join(parts)


def shuffled(text: str, turn: int = 0) -> str:
    """The words of a text in an order that depends on them and `turn` alone."""
    found = [w.strip(".,;:!?") for w in text.split()]
    return " ".join(sorted(found, key=lambda w: hashlib.sha256(f"{turn} {w}".encode()).digest()))
