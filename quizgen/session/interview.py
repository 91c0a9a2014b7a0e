"""A timed session as a value: its rules, the state of each item, and what is open, doubtful or missed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from quizgen.model import Entry, Form, Given, Outcome, Score, after_hints, scaled


class Mode(StrEnum):
    """How much a session helps. `interview`: pause and probes, feedback at the end. `strict`: no
    pause, no probes, no feedback until the end. `practice`: feedback after each item."""

    INTERVIEW = "interview"
    STRICT = "strict"
    PRACTICE = "practice"


class Phase(StrEnum):
    """Where a session stands."""

    BRIEF = "brief"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Rules:
    """`multiplier` stretches every time budget; `timed` False: clocks count up and nothing stops."""

    mode: Mode = Mode.INTERVIEW
    timed: bool = True
    multiplier: float = 1.0
    probes: bool = True

    @property
    def pausable(self) -> bool:
        return self.mode is not Mode.STRICT

    @property
    def probing(self) -> bool:
        return self.probes and self.mode is not Mode.STRICT


@dataclass(frozen=True, slots=True)
class Dispute:
    """What a candidate claims of one mark: `full`, `part` or `no`, and the words of the response, [start, end),
    that say it. It stands beside the mark and never changes it."""

    criterion: str
    claim: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Place:
    """One item's state in a session. `response` None: not responded to; `""`: shown and left.

    `seconds` is time spent on it so far; `paid` is how many hints had been taken when the response
    was given; `closed`: the solution was shown, so it cannot be changed; `probed` is the criterion
    that a probe was aimed at.
    """

    entry: Entry
    response: Given | None = None
    draft: str = ""
    scratch: str = ""
    seconds: float = 0.0
    shown: bool = False
    skipped: bool = False
    flagged: bool = False
    late: bool = False
    closed: bool = False
    hints: int = 0
    paid: int = 0
    clarified: bool = False
    confidence: int | None = None
    probed: str = ""
    earlier: Given | None = None  # the response to the part before, as it stood when this one was given
    follow_up: bool = False
    disputes: tuple[Dispute, ...] = ()

    @property
    def done(self) -> bool:
        """A response with something in it was given, or the item was closed."""
        return self.closed or (self.response is not None and self.response not in ("", ()))


@dataclass(frozen=True, slots=True)
class Interview:
    """A session: its form, its rules, and where the candidate is.

    `used` seconds of the session are over at clock reading `since`; `away` seconds were not
    counted because the process did not run. `browsing`: no item is on screen (the review list),
    so that time is booked on the session alone.
    """

    form: Form
    rules: Rules
    places: tuple[Place, ...]
    at: int = 0
    phase: Phase = Phase.BRIEF
    used: float = 0.0
    since: float = 0.0
    away: float = 0.0
    browsing: bool = False
    reason: str = ""

    @property
    def place(self) -> Place:
        return self.places[self.at]

    @property
    def count(self) -> int:
        """Items of the form, without the follow-ups that joined it."""
        return sum(not p.follow_up for p in self.places)

    def number(self, index: int) -> str:
        """The number of an item wherever it is named: `8`, and `8a`, `8b` for the follow-ups behind it,
        so that an item keeps its number when follow-ups join the session."""
        own = sum(not p.follow_up for p in self.places[: index + 1])
        behind = 0
        while index - behind >= 0 and self.places[index - behind].follow_up:
            behind += 1
        letter = "abcdefghijklmnopqrstuvwxyz"[behind - 1 : behind] or f".{behind}"
        return f"{own}{letter if behind else ''}"

    def numbered(self, number: str) -> int | None:
        """The place of the item with a number as people write it; None where there is none."""
        wanted = number.strip().casefold()
        return next((i for i in range(len(self.places)) if self.number(i) == wanted), None)

    @property
    def budget(self) -> float:
        """Seconds of the whole session."""
        return float(self.form.minutes) * 60 * self.rules.multiplier

    def left(self, now: float) -> float:
        """Seconds until the hard stop, never negative. Infinite in an untimed session."""
        if not self.rules.timed:
            return float("inf")
        return max(0.0, self.budget - self.spent(now))

    def spent(self, now: float) -> float:
        running = max(0.0, now - self.since) if self.phase is Phase.RUNNING else 0.0
        return self.used + running

    def item_budget(self, index: int | None = None) -> float:
        place = self.places[self.at if index is None else index]
        return place.entry.variant.item.seconds * self.rules.multiplier

    def item_spent(self, now: float) -> float:
        running = max(0.0, now - self.since) if self.phase is Phase.RUNNING and not self.browsing else 0.0
        return self.place.seconds + running

    def expired(self, now: float) -> bool:
        return self.phase is Phase.RUNNING and self.rules.timed and self.left(now) <= 0


# What may be asked of a session at any moment: what is open, what is doubtful, what it comes to.


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
