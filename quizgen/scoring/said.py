"""What a response said, in few words, so that responses that say the same can be counted together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from quizgen.answer_sheet import UNREAD
from quizgen.model import Given, Outcome, Score, Variant
from quizgen.scoring.points import units

WORDS = 12  # of a response that earned nothing, to be told as it is
LETTERS = 60
_PLAIN = re.compile(r"(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)( ?\D.*|)")

# (criterion, status, earned and possible in units)
CriterionSummary = tuple[str, str, int, int]


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a number, in the unit asked for, and as it is written."""

    amount: Fraction
    text: str

    @classmethod
    def of(cls, variant: Variant) -> Key | None:
        """None where the key is no number."""
        text = variant.key_text()
        amount = variant.amount(text)
        return None if amount is None else cls(amount, text)

    def times(self, variant: Variant, response: Given, score: Score) -> str:
        """A wrong number to the key; an empty text where it is none."""
        ours, theirs = _PLAIN.fullmatch(self.text), _PLAIN.fullmatch(score.read_as or "")
        if ours and theirs and ours[2] == theirs[2]:  # the same unit: no need to read it again
            one, other = (float(found[1].replace(",", "")) for found in (theirs, ours))
            return f"{one / other:.3g} times the key" if other else f"{one:.3g}"
        amount = variant.amount(response)
        if amount is None:
            return ""
        return f"{float(amount / self.amount):.3g} times the key" if self.amount else f"{float(amount):.3g}"


def said(variant: Variant, key: Key | None, response: Given, score: Score) -> str:
    """A wrong number as so many times the key, so that it is one mistake in every variant, and the name of that
    mistake where it has one; few words that earned nothing or could not be read as they are. Else an empty text."""
    if score.outcome in (Outcome.CORRECT, Outcome.BLANK) or response == UNREAD:
        return ""
    if key is not None and score.outcome is not Outcome.UNREADABLE:
        times = key.times(variant, response, score)
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
