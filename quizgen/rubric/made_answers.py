"""Answers made from the model answer that should earn less: denied, shuffled, with roles exchanged."""

from __future__ import annotations

import hashlib

from quizgen.rubric.fold import fold
from quizgen.rubric.lexicon import CONTRAST
from quizgen.rubric.reading import read_response
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.scopes import REASONS, plain


def negated(rubric: Rubric) -> str:
    """The model answer with every clause called untrue."""
    reading = read_response(rubric.index, fold(rubric.model_answer))
    turns = [p for p, cue in reading.cues if cue == CONTRAST or plain(reading, p) in REASONS]
    starts = sorted({0, *reading.sentences, *(p for p in turns if plain(reading, p + 1) != "that")})
    parts = []
    for start, end in zip(starts, [*starts[1:], len(reading.words)], strict=True):
        if start in turns:
            start += 1
        if end - start >= 3:
            clause = reading.original(start, end - 1)
            keep = clause[:2].isupper() or not clause[0].isupper()
            parts.append(f"It is not true that {clause if keep else clause[0].lower() + clause[1:]}.")
    return " ".join(parts)


def shuffled(text: str, turn: int = 0) -> str:
    """The words of a text in an order that depends on them and `turn` alone."""
    found = [w.strip(".,;:!?") for w in text.split()]
    return " ".join(sorted(found, key=lambda w: hashlib.sha256(f"{turn} {w}".encode()).digest()))


def swapped(rubric: Rubric) -> str:
    """The model answer with two rival keys exchanged; empty where it names fewer than two."""
    text = rubric.model_answer
    reading = read_response(rubric.index, fold(text))
    for rivals in (r for r in rubric.index.rivals if r.stated):
        spans: dict[tuple[int, int], int] = {}
        for probe, slot in rivals.slots:
            for first, last, at, _ in reading.hits.get(probe, ()):
                if at == slot:
                    spans.setdefault(reading.span(first, last), rubric.index.probes[probe].owner)
        owners = list(dict.fromkeys(spans.values()))
        if len(owners) < 2:
            continue
        names = {owner: text[a:b] for (a, b), owner in reversed(spans.items())}
        other = {owners[0]: names[owners[1]], owners[1]: names[owners[0]]}
        if names[owners[0]].lower() == names[owners[1]].lower():
            continue
        for (a, b), owner in sorted(spans.items(), reverse=True):
            if owner in other:
                text = text[:a] + other[owner] + text[b:]
        return text
    return ""
