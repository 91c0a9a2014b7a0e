"""Unequal comparisons: "A is not as fast as B" read as "A is slower than B"."""

from __future__ import annotations

from typing import Final

from quizgen.rubric.pattern.index import Index, IndexEntry
from quizgen.rubric.pattern.variants import ER
from quizgen.rubric.text.cues import NOT
from quizgen.rubric.text.lexicon import INVERSE


def unequal(index: Index, entries: list[IndexEntry]) -> list[int] | None:
    """Read "is not as fast as" as "is slower than" where the rubric compares; the hot words, or None."""
    changed = False
    for place in range(1, len(entries) - 2):
        if entries[place].plain == "as" and entries[place + 2].plain == "as":
            word = next(iter(INVERSE.get(_COMPARED.get(entries[place + 1].plain, ""), ())), "")
            no = next((p for p in range(place - 1, max(-1, place - 5), -1) if entries[p].cue == NOT), -1)
            if word and no >= 0:
                said = [index.memory[w] for w in ("is", word, "than")]
                if said[1].targets:
                    entries[no], entries[place + 1], entries[place + 2] = said
                    changed = True
    return [place for place, entry in enumerate(entries) if entry.hot] if changed else None


_COMPARED: Final = {**ER, "good": "better", "well": "better", "much": "more", "many": "more"}
