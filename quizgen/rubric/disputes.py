"""What candidates say they did say, for the author of a rubric: spans, the phrase that would accept one, and
what else that phrase would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quizgen.rubric.marks import FOUND
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import score_text
from quizgen.rubric.text.tokens import content_words
from quizgen.rubric.widened import widened

MOST = 5  # words of a phrase


@dataclass(frozen=True, slots=True)
class Claimed:
    """One dispute: the answer, the words that its candidate marked, and `full`, `part` or `no`."""

    item: str
    criterion: str
    answer: str
    quote: str
    claim: str


@dataclass(frozen=True, slots=True)
class Contested:
    """A criterion with its disputes: how many of how many answers, the quotes most frequent first, a phrase that
    would accept the first of them (empty where none would), and what it would change: how many other
    answers would meet the criterion that do not now, and one of them."""

    item: str
    criterion: str
    disputed: int
    answered: int
    upward: int
    quotes: tuple[tuple[str, int], ...]
    phrase: str
    changed: int
    example: str


def contested(
    claims: Sequence[Claimed], answers: dict[str, list[str]], rubrics: dict[str, Rubric]
) -> tuple[Contested, ...]:
    """Criteria by how often they are disputed. `answers`: every different answer by item."""
    by_mark: dict[tuple[str, str], list[Claimed]] = {}
    for one in claims:
        by_mark.setdefault((one.item, one.criterion), []).append(one)
    made = []
    for (item, criterion), own in by_mark.items():
        up = [c for c in own if c.claim != "no" and c.quote]
        quotes = Counter(" ".join(c.quote.split()) for c in up)
        phrase, changed = _accepting(rubrics[item], criterion, up, answers[item])
        made.append(
            Contested(
                item,
                criterion,
                len({c.answer for c in own}),
                len(answers[item]),
                len(up),
                tuple(sorted(quotes.items(), key=lambda q: (-q[1], q[0]))),
                phrase,
                len(changed),
                changed[0] if changed else "",
            )
        )
    return tuple(sorted(made, key=lambda c: (-c.disputed, c.item, c.criterion)))


def _accepting(
    rubric: Rubric, criterion: str, claims: Iterable[Claimed], answers: Iterable[str]
) -> tuple[str, list[str]]:
    """The first phrase of a candidate's own words that meets the criterion in their answer, and the other answers
    that it would newly meet it in."""
    for claim in claims:
        phrase = " ".join(dict.fromkeys([word for word, _ in content_words(claim.quote)[:MOST]]))
        wider = widened(rubric, criterion, phrase)
        if wider is None or not _met(wider, criterion, claim.answer) or _met(rubric, criterion, claim.answer):
            continue
        others = [a for a in answers if a != claim.answer]
        return phrase, [a for a in others if _met(wider, criterion, a) and not _met(rubric, criterion, a)]
    return "", []


def _met(rubric: Rubric, criterion: str, answer: str) -> bool:
    return any(m.criterion == criterion and m.status == FOUND for m in score_text(rubric, answer).marks)
