"""A timed session as a value: every event is a function from one `Interview` to the next.

Pure. The clock is an argument: `now` is a number of seconds that only grows (its zero does not
matter). Nothing here scores, prints or stores; `quizgen.terminal` and `quizgen.log` do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from quizgen.model import Entry, Form, Given, Outcome, Score, after_hints, scaled

# A gap between two ticks that is longer than this means that the process did not run: Ctrl-Z, a
# stopped process, a machine that slept. Ticks come once a second.
AWAY_AFTER = 2.0
TICK = 1.0
LOW_CONFIDENCE = 2


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
    follow_up: bool = False

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


def new(form: Form, rules: Rules) -> Interview:
    """A session before its clock starts. ValueError: the form is empty."""
    if not form.entries:
        raise ValueError("a session needs at least one item")
    return Interview(form, rules, tuple(Place(e) for e in form.entries))


def start(session: Interview, now: float) -> Interview:
    """Start the clock and show the item at hand."""
    return _show(replace(session, phase=Phase.RUNNING, since=now), session.at)


def tick(session: Interview, now: float, steady: bool = True) -> Interview:
    """Book the time since the last event on the session and on the item at hand.

    `steady`: the caller ticks every second, so that a long gap is time away. It is not counted,
    except in strict mode, where only a machine's sleep (which stops `now` itself) is not.
    """
    if session.phase is not Phase.RUNNING:
        return session
    gap = max(0.0, now - session.since)
    counted = gap
    if steady and gap > AWAY_AFTER and session.rules.mode is not Mode.STRICT:
        counted = TICK
    place = replace(session.place, seconds=session.place.seconds + (0.0 if session.browsing else counted))
    return replace(
        _with(session, session.at, place),
        used=session.used + counted,
        since=now,
        away=session.away + (gap - counted),
    )


def away(session: Interview, now: float) -> Interview:
    """Forget the time since the last event: the candidate could not see the item (Ctrl-Z)."""
    if session.phase is not Phase.RUNNING or session.rules.mode is Mode.STRICT:
        return session
    return replace(session, since=now, away=session.away + max(0.0, now - session.since))


def pause(session: Interview, now: float) -> Interview:
    """Stop the clock. ValueError in strict mode."""
    if not session.rules.pausable:
        raise ValueError("a strict session has no pause")
    if session.phase is not Phase.RUNNING:
        return session
    return replace(tick(session, now), phase=Phase.PAUSED)


def unpause(session: Interview, now: float) -> Interview:
    return replace(session, phase=Phase.RUNNING, since=now) if session.phase is Phase.PAUSED else session


def go(session: Interview, index: int, now: float) -> Interview:
    """Show another item. IndexError outside the form."""
    if not 0 <= index < len(session.places):
        raise IndexError(index)
    return _show(replace(tick(session, now), browsing=False), index)


def browse(session: Interview, now: float) -> Interview:
    """Leave the item for the review list."""
    return replace(tick(session, now), browsing=True)


def respond(session: Interview, response: Given, now: float, skipped: bool = False) -> Interview:
    """Take a response to the item at hand; late when it comes after the item's own budget."""
    session = tick(session, now)
    place = session.place
    late = session.rules.timed and place.seconds > session.item_budget()
    place = replace(place, response=response, skipped=skipped, late=late, shown=True, paid=place.hints)
    return _with(session, session.at, place)


def draft(session: Interview, text: str) -> Interview:
    return _with(session, session.at, replace(session.place, draft=text))


def scratch(session: Interview, text: str) -> Interview:
    return _with(session, session.at, replace(session.place, scratch=text))


def flag(session: Interview) -> Interview:
    return _with(session, session.at, replace(session.place, flagged=not session.place.flagged))


def confide(session: Interview, level: int | None) -> Interview:
    """Record how sure the candidate is: 1 (a guess) to 5 (certain)."""
    if level is not None and not 1 <= level <= 5:
        raise ValueError("confidence is 1 to 5")
    return _with(session, session.at, replace(session.place, confidence=level))


def take_hint(session: Interview) -> tuple[Interview, str | None]:
    """The next hint of the item's ladder, or None where there is none left."""
    place = session.place
    hints = place.entry.variant.item.hints
    if place.hints >= len(hints) or place.closed:
        return session, None
    return _with(session, session.at, replace(place, hints=place.hints + 1)), hints[place.hints]


def clarify(session: Interview) -> tuple[Interview, tuple[str, ...]]:
    """The facts that an interviewer tells on request; they cost nothing."""
    told = session.place.entry.variant.item.given
    return _with(session, session.at, replace(session.place, clarified=bool(told))), told


def close(session: Interview) -> Interview:
    """The solution was shown: the response at hand is final."""
    return _with(session, session.at, replace(session.place, closed=True))


def probed(session: Interview, criterion: str) -> Interview:
    return _with(session, session.at, replace(session.place, probed=criterion))


def follow_up(session: Interview, entries: Sequence[Entry]) -> Interview:
    """Put items right after the one at hand; those already in the session are left out."""
    known = {p.entry.variant.item.id for p in session.places}
    added = tuple(Place(e, follow_up=True) for e in entries if e.variant.item.id not in known)
    cut = session.at + 1
    return replace(session, places=(*session.places[:cut], *added, *session.places[cut:]))


def finish(session: Interview, now: float, reason: str) -> Interview:
    """End the session. `reason` is finished, time, quit or end-of-input."""
    return replace(tick(session, now), phase=Phase.ENDED, reason=reason)


def next_open(session: Interview, after: int | None = None) -> int | None:
    """The next item never shown or neither responded to nor skipped; None: all were met."""
    first = (session.at if after is None else after) + 1
    order: list[int] = [*range(first, len(session.places)), *range(min(first, len(session.places)))]
    for index in order:
        place = session.places[index]
        if place.response is None and not place.closed:
            return index
    return None


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
    return after_hints(scaled(place.entry.variant.score(response), place.entry.points), place.paid)


def probe(score: Score, already: str = "") -> str | None:
    """The heaviest criterion that a response missed, to probe; None: nothing to gain, or blank."""
    if already or score.outcome in (Outcome.BLANK, Outcome.UNREADABLE, Outcome.CORRECT):
        return None
    missed = [m for m in score.marks if m.status in ("missing", "partial", "hedged") and m.earned < m.possible]
    if len(score.marks) < 2 or not missed:
        return None
    heaviest = max(missed, key=lambda m: m.possible - m.earned)
    return heaviest.criterion


def restored(session: Interview, states: Mapping[str, Place], used: float) -> Interview:
    """A session as a log and its draft left it: places by item id, seconds used, at the next open item."""
    places = tuple(
        replace(states[p.entry.variant.item.id], entry=p.entry, follow_up=p.follow_up)
        if p.entry.variant.item.id in states
        else p
        for p in session.places
    )
    session = replace(session, places=places, used=used)
    first = next_open(session, -1)
    return replace(session, at=0 if first is None else first)


def _show(session: Interview, index: int) -> Interview:
    session = replace(session, at=index)
    return session if session.place.shown else _with(session, index, replace(session.place, shown=True))


def _with(session: Interview, index: int, place: Place) -> Interview:
    places = session.places
    return replace(session, places=(*places[:index], place, *places[index + 1 :]))
