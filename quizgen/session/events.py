"""Every event of a session: a function from one `Interview` to the next.

The clock is an argument: `now` is a number of seconds that only grows (its zero does not matter).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quizgen.model import Entry, Form, Given
from quizgen.session.interview import Dispute, Interview, Mode, Phase, Place, Rules

# A gap between two ticks that is longer than this means that the process did not run: Ctrl-Z, a
# stopped process, a machine that slept. Ticks come once a second.
AWAY_AFTER = 2.0
TICK = 1.0


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
        set_place(session, place),
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


def respond(
    session: Interview, response: Given, now: float, skipped: bool = False, index: int | None = None
) -> Interview:
    """Take a response to an item (None: the one at hand); late when it comes after the item's own budget."""
    session = tick(session, now)
    at = session.at if index is None else index
    place = session.places[at]
    late = session.rules.timed and place.seconds > session.item_budget(at)
    before = place.entry.variant.item.after
    earlier = next((p.response for p in session.places if before and p.entry.variant.item.id == before), None)
    place = replace(place, response=response, skipped=skipped, late=late, shown=True, paid=place.hints, earlier=earlier)
    return set_place(session, place, at)


def confide(session: Interview, level: int | None) -> Interview:
    """Record how sure the candidate is: 1 (a guess) to 5 (certain)."""
    if level is not None and not 1 <= level <= 5:
        raise ValueError("confidence is 1 to 5")
    return set_place(session, replace(session.place, confidence=level))


def take_hint(session: Interview) -> tuple[Interview, str | None]:
    """The next hint of the item's ladder, or None where there is none left."""
    place = session.place
    hints = place.entry.variant.item.hints
    if place.hints >= len(hints) or place.closed:
        return session, None
    return set_place(session, replace(place, hints=place.hints + 1)), hints[place.hints]


def clarify(session: Interview) -> tuple[Interview, tuple[str, ...]]:
    """The facts that an interviewer tells on request; they cost nothing."""
    facts = session.place.entry.variant.item.given
    return set_place(session, replace(session.place, clarified=bool(facts))), facts


def dispute(session: Interview, index: int, claimed: Dispute) -> Interview:
    """Claim a mark of an item; the last claim of a criterion stands."""
    place = session.places[index]
    others = tuple(d for d in place.disputes if d.criterion != claimed.criterion)
    return set_place(session, replace(place, disputes=(*others, claimed)), index)


def fitting(session: Interview, entries: Sequence[Entry], now: float) -> tuple[Entry, ...]:
    """Follow-ups of a kind that the session asks anyway, as long as its time holds for them beside the open items."""
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
    """Put items behind one (None: the one at hand) and the follow-ups it has, so that none of those changes its
    number; items already in the session are left out."""
    known = {p.entry.variant.item.id for p in session.places}
    added = tuple(Place(e, follow_up=True) for e in entries if e.variant.item.id not in known)
    cut = (session.at if index is None else index) + 1
    while cut < len(session.places) and session.places[cut].follow_up:
        cut += 1
    return replace(session, places=(*session.places[:cut], *added, *session.places[cut:]))


def finish(session: Interview, now: float, reason: str) -> Interview:
    """End the session. `reason` is finished, time, quit or end-of-input."""
    return replace(tick(session, now), phase=Phase.ENDED, reason=reason)


def _show(session: Interview, index: int) -> Interview:
    session = replace(session, at=index)
    return session if session.place.shown else set_place(session, replace(session.place, shown=True))


def set_place(session: Interview, place: Place, index: int | None = None) -> Interview:
    """The session with another state of an item (None: the one at hand)."""
    at = session.at if index is None else index
    return replace(session, places=(*session.places[:at], place, *session.places[at + 1 :]))
