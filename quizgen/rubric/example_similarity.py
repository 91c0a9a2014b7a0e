"""Marks of a response that says more of what only wrong answers say than of what only right ones do.

The example answers beside the item tell (`examples.py`). On 360 answers written blind to 100 items by a hand that
had seen neither rubrics nor examples, halving the marks of those that lean lowered what confident wrong answers
earn from .32 to .19 of the points and raised the correlation with marks by hand from .87 to .91; what right
answers earn did not change.
"""

from __future__ import annotations

from typing import Final

from quizgen.rubric.response import TextReading
from quizgen.rubric.rubric import PARTIAL, CriterionMark
from quizgen.source.problems import shorten

LEANS: Final = 0.015
STRONGLY: Final = 0.06
SHOWN: Final = 2  # stretches of the response


def leaning(reading: TextReading, marks: tuple[CriterionMark, ...]) -> tuple[tuple[CriterionMark, ...], str]:
    """The marks, of which those that earn something count half or a quarter where the response leans, and why."""
    examples = reading.index.examples
    if examples is None or not any([m.earned for m in marks]):
        return marks, ""
    stems = reading.stems
    lean = examples.lean(stems)
    if lean <= LEANS:
        return marks, ""
    parts, counts = (4, "a quarter") if lean > STRONGLY else (2, "half")
    because = f"counts {counts}, as the answer leans to wrong ones"
    entries = reading.entries
    weighty = [
        reading.original(first, last)
        for first, last in examples.telling(stems)
        if sum(not entry.function for entry in entries[first : last + 1]) > 1
    ]
    quoted = ", ".join(f'"{shorten(" ".join(stretch.split()), 60)}"' for stretch in weighty[:SHOWN])
    where = f" ({quoted})" if quoted else ""
    why = f"The answer as a whole says more of what wrong answers say than of what right ones do{where}: "
    told = [
        m._replace(status=PARTIAL, earned=m.earned / parts, because=f"{m.because}, {because}") if m.earned else m
        for m in marks
    ]
    return tuple(told), f"{why}what was found counts {counts}."
