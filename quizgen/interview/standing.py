"""What may be asked of a session at any moment: what is open, what is doubtful, what it comes to."""

from __future__ import annotations

from quizgen.credit import after_hints, scaled
from quizgen.interview.session import Interview, Place
from quizgen.model import Outcome, Score

LOW_CONFIDENCE = 2


def next_open(session: Interview, after: int | None = None) -> int | None:
    """The next item never shown or neither responded to nor skipped; None: all were met."""
    first = (session.at if after is None else after) + 1
    left = [i for i, place in enumerate(session.places) if place.response is None and not place.closed]
    return next((i for i in left if i >= first), next(iter(left), None))


def review_list(session: Interview) -> tuple[int, ...]:
    """Items worth another look in the time left: flagged, unanswered, or given with low confidence."""
    return tuple(
        index
        for index, place in enumerate(session.places)
        if not place.closed
        and (place.flagged or not place.done or (place.confidence is not None and place.confidence <= LOW_CONFIDENCE))
    )


def unsubmitted(session: Interview) -> tuple[int, ...]:
    """Items whose draft a hard stop submits: something typed, no response yet, or still on screen."""
    return tuple(
        i
        for i, p in enumerate(session.places)
        if p.shown and not p.closed and p.draft.strip() and (i == session.at or not p.done)
    )


def result(place: Place) -> Score:
    """What a place comes to: its response scored, at the points of its section, after its hints."""
    response = place.response if place.response is not None else ""
    variant = place.entry.variant
    score = variant.score(response) if place.earlier is None else variant.score_after(response, place.earlier)
    return after_hints(scaled(score, place.entry.points), place.paid)


def missed(session: Interview) -> bool:
    """Whether something that was shown earned less than its points: there is something to redo."""
    return any(result(place).earned < place.entry.possible for place in session.places if place.shown)


def probe(score: Score, already: str = "") -> str | None:
    """The heaviest criterion that a response missed, to probe; None: nothing to gain, or blank."""
    if already or score.outcome in (Outcome.BLANK, Outcome.UNREADABLE, Outcome.CORRECT):
        return None
    missed = [m for m in score.marks if m.status in ("missing", "partial", "hedged") and m.earned < m.possible]
    if len(score.marks) < 2 or not missed:
        return None
    heaviest = max(missed, key=lambda m: m.possible - m.earned)
    return heaviest.criterion
