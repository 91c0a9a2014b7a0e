"""A little for the model answer's own words, where no criterion was recognised.

People who score by hand seldom give nothing to a response that is about the right thing; a rubric with few
phrases does. On 300 responses to computer-science questions and rubrics of two phrases a criterion this raised
the correlation with human scores from .69 to .71, and lowered it on no set that was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from quizgen.rubric.context.finding import Finding
from quizgen.rubric.judging.gaming import suspect
from quizgen.rubric.marks import MISSING, Adjustment, CriterionMark
from quizgen.rubric.pattern.index import Index
from quizgen.rubric.reading.reading import TextReading

SHARE: Final = 0.25  # of the model answer's words must be there, one at least that the stem lacks


def words_alone(
    index: Index, reading: TextReading, found: Mapping[int, Finding], marks: tuple[CriterionMark, ...], said: int
) -> Adjustment | None:
    """What a response earns whose criteria are all missing: nothing was denied, mixed up, guessed or copied.

    `said` holds the model answer's words that are there, a bit each.

    A fifth of the points, and so little that a score rounded to whole criteria stays 0. Nothing where a
    number is asked for, or where the words look like a list.
    """
    share = said.bit_count() / len(index.references)
    if share < SHARE or index.has_numbers or any(m.status != MISSING for m in marks):
        return None
    if any(f.echoed or f.rejects for f in found.values()):
        return None
    if not said & index.own_references or suspect(reading, share) is not None:
        return None
    there, of = said.bit_count(), len(index.references)
    because = f"no criterion was recognised, but {there} of the {of} words of the model answer are there"
    return Adjustment("words", index.for_words, because)
