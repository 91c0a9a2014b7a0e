"""What a response said, in few words, so that responses that say the same can be counted together."""

from __future__ import annotations

from fractions import Fraction

from quizgen.model import Given, Outcome, Score, Variant
from quizgen.scoring.points import units

WORDS = 12  # of a response that earned nothing, to be told as it is
LETTERS = 60

# (criterion, status, earned and possible in units)
CriterionSummary = tuple[str, str, int, int]


def said(variant: Variant, key: Fraction | None, response: Given, score: Score) -> str:
    """A wrong number as so many times the key (`key`: in the unit asked for), so that it is one mistake in
    every variant; few words that earned nothing or could not be read as they are. Else an empty text."""
    if score.outcome in (Outcome.CORRECT, Outcome.BLANK):
        return ""
    if key is not None:
        amount = variant.amount(response)
        if amount is not None:
            return f"{float(amount / key):.3g} times the key" if key else f"{float(amount):.3g}"
    if score.earned:
        return ""
    words = (response if isinstance(response, str) else "; ".join(response)).casefold().split()
    text = " ".join(words)
    return f'"{text}"' if len(words) <= WORDS and len(text) <= LETTERS else ""


def criteria(score: Score) -> tuple[CriterionSummary, ...]:
    """What each criterion of a rubric came to; nothing where one mark is the whole score."""
    marks = [m for m in score.marks if m.status and m.possible]
    if len(marks) < 2:
        return ()
    return tuple((m.criterion, m.status, units(m.earned), units(m.possible)) for m in marks)
