"""Which slot of a phrase a sentence lacks that holds all the others: why a right answer was refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from quizgen.rubric.marks import CONTRADICTED, FOUND, MISSING, NEGATED, PARTIAL, CriterionMark
from quizgen.rubric.pattern.phrases import Alternative, read
from quizgen.rubric.rubric import ANSWER, ANY, Criterion, Phrasing, Rubric
from quizgen.rubric.score import score_text

SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")  # ends of sentences
SHOWN: Final = 5  # alternatives of a slot


@dataclass(frozen=True, slots=True)
class Lacking:
    """A phrase that has all its slots in a sentence but the one at `place`; `there` is where the others stand."""

    phrase: str
    slots: tuple[str, ...]
    place: int
    there: tuple[tuple[int, int], ...]
    sentence: str

    @property
    def slot(self) -> str:
        return self.slots[self.place]

    def __str__(self) -> str:
        names = self.slot.split("|")
        shown = "|".join(names[:SHOWN]) + "|…" * (len(names) > SHOWN)
        return f'{shown} is not in "{self.sentence.strip()}"'


def lacking(rubric: Rubric, criterion: Criterion, answer: str) -> Iterator[Lacking]:
    for sentence in SENTENCE.split(answer):
        for phrasing in criterion.accept:
            slots = tuple(_slot(slot) for slot in read(phrasing.text).slots)
            there = _there(rubric, slots, sentence)
            if len(slots) > 1 and there.count(None) == 1:
                found = tuple(spot for spot in there if spot is not None)
                yield Lacking(phrasing.text, slots, there.index(None), found, sentence)


def because(rubric: Rubric, mark: CriterionMark, answer: str) -> str:
    """Why an answer has a mark, for the author: what was found, and what to look at: the slot that its likeliest
    sentence lacks, or the slot that is taken for a name."""
    told = f"{mark.criterion} is {mark.status}, {mark.because}"
    if mark.status == CONTRADICTED and " is said of " in mark.because:
        return f"{told}; a phrase's first slot is taken for a name of what it is about: put another first if it is none"
    if mark.status == NEGATED:
        return f"{told}; where what it prevents is asked, polarity: any takes both"
    if mark.status not in (MISSING, PARTIAL):
        return told
    criterion = next(c for c in rubric.criteria if c.id == mark.criterion)
    near = max(lacking(rubric, criterion, answer), key=lambda one: len(one.slots), default=None)
    return told if near is None else f"{told}; {near}"


def _slot(alternatives: Sequence[Alternative]) -> str:
    return "|".join(f"{{{a.text}}}" if " " in a.text else a.text for a in alternatives)


def _there(rubric: Rubric, slots: Sequence[str], sentence: str) -> list[tuple[int, int] | None]:
    """Where a sentence holds each slot, whatever it says of it."""
    criteria = [Criterion(str(n), accept=(Phrasing(s, ANSWER, False, ANY),), bare=True) for n, s in enumerate(slots)]
    marks = score_text(Rubric(tuple(criteria), synonyms=rubric.synonyms), sentence).marks
    return [m.evidence[0] if m.status == FOUND and m.evidence else None for m in marks]
