"""What a response said, in few words, so that responses that say the same can be counted together."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cached_property

from quizgen.model import Given, Outcome, Score, Variant
from quizgen.scoring.points import units
from quizgen.sheet_layout import UNREAD

WORDS = 12  # of a response that earned nothing, to be told as it is
LETTERS = 60
_PLAIN = re.compile(r"(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)( ?\D.*|)")

# (criterion, status, earned and possible in units)
CriterionSummary = tuple[str, str, int, int]


class Key:
    """The key of a variant as it is written, and as an amount, which only wrong numbers ask for."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant

    @cached_property
    def text(self) -> str:
        return self._variant.key_text()

    @cached_property
    def amount(self) -> Fraction | None:
        """In the unit asked for; None where the key is no number."""
        return self._variant.amount(self.text)

    def times(self, response: Given, score: Score) -> str | None:
        """A wrong number to the key; an empty text where it is none, None where the key is none."""
        ours, theirs = _PLAIN.fullmatch(self.text), _PLAIN.fullmatch(score.read_as or "")
        if ours and theirs and ours[2] == theirs[2]:  # the same unit: no need to read it again
            one, other = (float(found[1].replace(",", "")) for found in (theirs, ours))
            return f"{one / other:.3g} times the key" if other else f"{one:.3g}"
        if self.amount is None:
            return None
        amount = self._variant.amount(response)
        if amount is None:
            return ""
        return f"{float(amount / self.amount):.3g} times the key" if self.amount else f"{float(amount):.3g}"


def said(key: Key, response: Given, score: Score) -> str:
    """A wrong number as so many times the key, so that it is one mistake in every variant, and the name of that
    mistake where it has one; few words that earned nothing or could not be read as they are. Else an empty text."""
    if score.outcome in (Outcome.CORRECT, Outcome.BLANK) or response == UNREAD:
        return ""
    times = key.times(response, score) if score.outcome is not Outcome.UNREADABLE else None
    if times is not None:
        return f"{times} ({score.diagnosis})" if times and score.diagnosis else times
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
