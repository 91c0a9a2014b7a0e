"""A timed session as a value: its rules, the state of each item, which items are open, doubtful or missed; and its
events, each a function from one `Interview` to the next.

The clock is an argument: `now` is a number of seconds that only grows (its zero does not matter)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from quizgen.model import Entry, Form, Given, Outcome, Score, deduct_hints, scale_score


class Mode(StrEnum):
    """How much a session helps. `interview`: pause and probes, feedback at the end. `strict`: no
    pause, no probes, no feedback until the end. `practice`: feedback after each item."""

    INTERVIEW = "interview"
    STRICT = "strict"
    PRACTICE = "practice"


class Phase(StrEnum):
    """Whether a session is ready, runs, is paused or has ended."""

    BRIEF = "brief"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Rules:
    """`multiplier` stretches every time budget. If `timed` is False, clocks count up and nothing stops."""

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
    """What a candidate claims about one mark: `full`, `part` or `no`, and the words of the response, [start, end), that
    prove it. A dispute is recorded beside the mark and never changes it."""

    criterion: str
    claim: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Place:
    """One item's state in a session. `response` is None before a response, and `""` if the item was shown and left.

    `seconds` is the time spent on it so far; `paid` is the number of hints taken when the response was given; `closed`:
    the solution was shown, so the response cannot change; `probed` is the criterion that a probe asked about."""

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
    paid_hints: int = 0
    clarified: bool = False
    confidence: int | None = None
    probed: str = ""
    earlier: Given | None = None  # the response to the previous part when this one was given
    follow_up: bool = False
    disputes: tuple[Dispute, ...] = ()

    @property
    def done(self) -> bool:
        """Whether the item has a response that is not blank, or is closed."""
        return self.closed or (self.response is not None and self.response not in ("", ()))


@dataclass(frozen=True, slots=True)
class Interview:
    """A session: its form, its rules, and where the candidate is.

    `used` is the number of session seconds up to the clock reading `since`; `away` is the number that were not counted
    because the process did not run. `browsing`: the review list is on screen and no item, so time is added to the
    session only."""

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
        """The number of items on the form, without follow-ups that were inserted."""
        return sum(not p.follow_up for p in self.places)

    def number(self, index: int) -> str:
        """An item's number on screen: `8`, or `8a`, `8b` for its follow-ups, so that later items keep their numbers."""
        own = sum(not p.follow_up for p in self.places[: index + 1])
        behind = 0
        while index - behind >= 0 and self.places[index - behind].follow_up:
            behind += 1
        letter = "abcdefghijklmnopqrstuvwxyz"[behind - 1 : behind] or f".{behind}"
        return f"{own}{letter if behind else ''}"

    def index_of_number(self, number: str) -> int | None:
        """The index of the item whose number on screen is `number`, such as `8a`; None if there is none."""
        wanted = number.strip().casefold()
        return next((i for i in range(len(self.places)) if self.number(i) == wanted), None)

    @property
    def budget(self) -> float:
        """The time budget of the whole session, in seconds."""
        return float(self.form.minutes) * 60 * self.rules.multiplier

    def left(self, now: float) -> float:
        """The seconds until time is up, never negative; infinite in an untimed session."""
        if not self.rules.timed:
            return float("inf")
        return max(0.0, self.budget - self.spent(now))

    def spent(self, now: float) -> float:
        """The seconds of the session so far."""
        running = max(0.0, now - self.since) if self.phase is Phase.RUNNING else 0.0
        return self.used + running

    def item_budget(self, index: int | None = None) -> float:
        """The time budget of item `index` (None: the current one), in seconds."""
        place = self.places[self.at if index is None else index]
        return place.entry.variant.item.seconds * self.rules.multiplier

    def item_spent(self, now: float) -> float:
        """The seconds spent on the current item so far."""
        running = max(0.0, now - self.since) if self.phase is Phase.RUNNING and not self.browsing else 0.0
        return self.place.seconds + running

    def expired(self, now: float) -> bool:
        return self.phase is Phase.RUNNING and self.rules.timed and self.left(now) <= 0


LOW_CONFIDENCE = 2


def next_open_item(session: Interview, after: int | None = None) -> int | None:
    """The index of the next item without a response or skip: after index `after` (None: the current one), then from the
    first item; None if there is none."""
    first = (session.at if after is None else after) + 1
    left = [i for i, place in enumerate(session.places) if place.response is None and not place.closed]
    return next((i for i in left if i >= first), next(iter(left), None))


def review_list(session: Interview) -> tuple[int, ...]:
    """Indices of the items worth a review: flagged, unanswered, or answered with low confidence."""
    return tuple(
        index
        for index, place in enumerate(session.places)
        if not place.closed
        and (place.flagged or not place.done or (place.confidence is not None and place.confidence <= LOW_CONFIDENCE))
    )


def unsubmitted_items(session: Interview) -> tuple[int, ...]:
    """Indices of the items whose typed text is submitted when time is up: the one on screen, and any without a
    response."""
    return tuple(
        i
        for i, p in enumerate(session.places)
        if p.shown and not p.closed and p.draft.strip() and (i == session.at or not p.done)
    )


def place_score(place: Place) -> Score:
    """The score of an item's response, scaled to the points of its section, after the cost of hints."""
    response = place.response if place.response is not None else ""
    variant = place.entry.variant
    score = variant.score(response) if place.earlier is None else variant.score_after(response, place.earlier)
    return deduct_hints(scale_score(score, place.entry.points), place.paid_hints)


def has_missed_points(session: Interview) -> bool:
    """Whether any item that was shown earned less than its full points."""
    return any(place_score(place).earned < place.entry.possible for place in session.places if place.shown)


def criterion_to_probe(score: Score, already: str = "") -> str | None:
    """The criterion on which a response missed the most points; None if it has `already` been probed, is blank, or has
    nothing to gain."""
    if already or score.outcome in (Outcome.BLANK, Outcome.UNREADABLE, Outcome.CORRECT):
        return None
    missed = [m for m in score.marks if m.status in ("missing", "partial", "hedged") and m.earned < m.possible]
    if len(score.marks) < 2 or not missed:
        return None
    heaviest = max(missed, key=lambda m: m.possible - m.earned)
    return heaviest.criterion


# A longer gap between two ticks means that the process did not run (Ctrl-Z, a stopped process, a sleeping
# machine). Ticks come once a second.
AWAY_AFTER_SECONDS = 2.0
TICK_SECONDS = 1.0


def new(form: Form, rules: Rules) -> Interview:
    """A session before its clock starts. Raises ValueError if the form is empty."""
    if not form.entries:
        raise ValueError("a session needs at least one item")
    return Interview(form, rules, tuple(Place(e) for e in form.entries))


def start(session: Interview, now: float) -> Interview:
    """Starts the clock and shows the current item."""
    return _show_item(replace(session, phase=Phase.RUNNING, since=now), session.at)


def tick(session: Interview, now: float, steady: bool = True) -> Interview:
    """Adds the time since the last event to the session and the current item.

    With `steady`, the caller ticks every second, so a long gap is time away and not counted. In strict mode it is
    counted, unless the machine slept (which stops `now` itself)."""
    if session.phase is not Phase.RUNNING:
        return session
    gap = max(0.0, now - session.since)
    counted = gap
    if steady and gap > AWAY_AFTER_SECONDS and session.rules.mode is not Mode.STRICT:
        counted = TICK_SECONDS
    place = replace(session.place, seconds=session.place.seconds + (0.0 if session.browsing else counted))
    return replace(
        set_place(session, place),
        used=session.used + counted,
        since=now,
        away=session.away + (gap - counted),
    )


def discount_absence(session: Interview, now: float) -> Interview:
    """Ignores the time since the last event, because the candidate could not see the item (Ctrl-Z)."""
    if session.phase is not Phase.RUNNING or session.rules.mode is Mode.STRICT:
        return session
    return replace(session, since=now, away=session.away + max(0.0, now - session.since))


def pause(session: Interview, now: float) -> Interview:
    """Stops the clock. Raises ValueError in strict mode."""
    if not session.rules.pausable:
        raise ValueError("a strict session has no pause")
    if session.phase is not Phase.RUNNING:
        return session
    return replace(tick(session, now), phase=Phase.PAUSED)


def unpause(session: Interview, now: float) -> Interview:
    return replace(session, phase=Phase.RUNNING, since=now) if session.phase is Phase.PAUSED else session


def go(session: Interview, index: int, now: float) -> Interview:
    """Shows the item at `index`. Raises IndexError if the form has no such item."""
    if not 0 <= index < len(session.places):
        raise IndexError(index)
    return _show_item(replace(tick(session, now), browsing=False), index)


def browse(session: Interview, now: float) -> Interview:
    """Hides the item and shows the review list."""
    return replace(tick(session, now), browsing=True)


def respond(
    session: Interview, response: Given, now: float, skipped: bool = False, index: int | None = None
) -> Interview:
    """Records a response to the item `index` (None: the current one), as late if the item's own budget is used up."""
    session = tick(session, now)
    at = session.at if index is None else index
    place = session.places[at]
    late = session.rules.timed and place.seconds > session.item_budget(at)
    before = place.entry.variant.item.after
    earlier = next((p.response for p in session.places if before and p.entry.variant.item.id == before), None)
    place = replace(
        place, response=response, skipped=skipped, late=late, shown=True, paid_hints=place.hints, earlier=earlier
    )
    return set_place(session, place, at)


def follow_ups_in_time(session: Interview, entries: Sequence[Entry], now: float) -> tuple[Entry, ...]:
    """The `entries` of kinds that the session already asks, as many as there is time for beside the open items."""
    kinds = {p.entry.variant.item.kind for p in session.places if not p.follow_up}
    pace = session.rules.multiplier
    room = session.left(now) - sum(p.entry.variant.item.seconds * pace for p in session.places if not p.done)
    fit = []
    for entry in entries:
        room -= entry.variant.item.seconds * pace
        if entry.variant.item.kind in kinds and room >= 0:
            fit.append(entry)
    return tuple(fit)


def follow_up(session: Interview, entries: Sequence[Entry], index: int | None = None) -> Interview:
    """Inserts follow-up items after item `index` (None: the current one) and its earlier follow-ups. Items that are
    already in the session are left out."""
    known = {p.entry.variant.item.id for p in session.places}
    added = tuple(Place(e, follow_up=True) for e in entries if e.variant.item.id not in known)
    cut = (session.at if index is None else index) + 1
    while cut < len(session.places) and session.places[cut].follow_up:
        cut += 1
    return replace(session, places=(*session.places[:cut], *added, *session.places[cut:]))


def finish(session: Interview, now: float, reason: str) -> Interview:
    """Ends the session. `reason` is finished, time, quit or end-of-input."""
    return replace(tick(session, now), phase=Phase.ENDED, reason=reason)


def _show_item(session: Interview, index: int) -> Interview:
    session = replace(session, at=index)
    return session if session.place.shown else set_place(session, replace(session.place, shown=True))


def set_place(session: Interview, place: Place, index: int | None = None) -> Interview:
    """The session with `place` as the state of item `index` (None: the current one)."""
    at = session.at if index is None else index
    return replace(session, places=(*session.places[:at], place, *session.places[at + 1 :]))
