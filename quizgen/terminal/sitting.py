"""A session at work: the interview value, its clock and its log move together.

Both faces, plain and full screen, call the same methods. A response is on disk when `respond`
returns without `trouble`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from quizgen.credit import hint_cost
from quizgen.interview import events, standing
from quizgen.interview.session import Dispute, Interview, Mode, Phase
from quizgen.log import drafts, records
from quizgen.log.journal import Journal
from quizgen.model import Entry, Given
from quizgen.terminal.clock import Clock
from quizgen.terminal.reading import ResponseReading, read
from quizgen.terminal.recording import Recording


class Sitting(Recording):
    """Mutable: holds the current `Interview` and an open log."""

    def __init__(
        self,
        session: Interview,
        who: records.Identity,
        journal: Journal,
        clock: Clock,
        *,
        follow: Callable[[str], Entry | None] = lambda name: None,
        resumed: bool = False,
        steady: bool = True,
        root: str = "",
    ) -> None:
        super().__init__(who, journal, clock, resumed)
        self.session = session
        self.steady = steady
        self.root = root  # the bank's folder, for the images of a page
        self.notice = ""  # told in the brief
        self.reasons: Mapping[str, str] = {}  # by item: why a plan asks it today
        self._follow = follow
        self._held: list[int] = []  # items whose response is not on disk yet

    @property
    def ended(self) -> bool:
        return self.session.phase is Phase.ENDED

    # -- the log ----------------------------------------------------------------------------

    def open(self) -> None:
        """Write the session's first line, or that it goes on. Raises NotSaved."""
        at = self.clock.utc()
        if self.resumed:
            self.journal.append(records.resume_line(self.who, self.session.used, at))
        else:
            self.journal.append(records.session_line(self.who, self.session, at))

    def _saved(self, write: Callable[[], None]) -> None:
        """A response stays its item's draft until it is on disk, so that leaving before that loses
        no word of it where drafts can be kept."""
        super()._saved(write)
        if not self.trouble:
            for index in self._held:
                self.session = events.put(self.session, replace(self.session.places[index], draft=""), index)
            self._held = []

    def _keep(self, now: float) -> None:
        self.tick()
        drafts.save(self.journal.path, self.who.session, self.session, now)

    # -- events -----------------------------------------------------------------------------

    def start(self) -> None:
        self.session = events.start(self.session, self.clock.now())

    def tick(self) -> None:
        self.session = events.tick(self.session, self.clock.now(), self.steady)

    def respond(self, reading: ResponseReading) -> None:
        """Take and log a response to the item at hand."""
        if reading.response:
            self._note(draft=reading.typed)
            self._held.append(self.session.at)
        self._respond(reading.response)

    def skip(self) -> None:
        """Leave the item without a response; one given before stays."""
        if self.session.place.response is None or not self.session.place.done:
            self._respond("", skipped=True)

    def _note(self, **facts: Any) -> None:
        """What changes of the item at hand, by the fields of a `Place`."""
        self.session = events.put(self.session, replace(self.session.place, **facts))

    def go(self, index: int) -> None:
        self.unpause()
        self.session = events.go(self.session, index, self.clock.now())

    def browse(self) -> None:
        self.unpause()
        self.session = events.browse(self.session, self.clock.now())

    def draft(self, text: str) -> None:
        self._note(draft=text)
        self.save_draft()

    def scratch(self, text: str) -> bool:
        """Keep what is on the scratch pad; false where only its beginning has room in the log."""
        kept = records.fitting(text, records.MAX_SCRATCH)
        self._note(scratch=kept)
        self.save_draft()
        return kept == text

    def flag(self) -> bool:
        self._note(flagged=not self.session.place.flagged)
        self.save_draft(force=True)
        return self.session.place.flagged

    def confide(self, level: int | None) -> None:
        self.session = events.confide(self.session, level)

    def hint_offer(self) -> tuple[str, bool]:
        """What the next hint takes from this item's earnings, in words; False: there is none left."""
        place = self.session.place
        count = len(place.entry.variant.item.hints)
        if place.hints >= count or place.closed:
            return "There is no further hint." if count else "This item has no hints.", False
        share = hint_cost(place.hints + 1) - hint_cost(place.hints)
        return f"Hint {place.hints + 1} of {count} takes {round(share * 100)} % off what this item earns.", True

    def take_hint(self) -> str | None:
        self.session, text = events.take_hint(self.session)
        self.save_draft(force=True)
        return text

    def clarify(self) -> tuple[str, ...]:
        self.session, told = events.clarify(self.session)
        return told

    def show_solution(self) -> None:
        """Practice: the item is closed; without a response before, it is logged as left. The clock stands
        until another item is shown: reading a solution is no time of the session."""
        self._note(closed=True)
        if self.session.place.response is None:
            self._respond("")
        self.pause()

    def pause(self) -> None:
        self.session = events.pause(self.session, self.clock.now())
        self.save_draft(force=True)

    def unpause(self) -> None:
        self.session = events.unpause(self.session, self.clock.now())

    def came_back(self) -> None:
        """After Ctrl-Z and fg."""
        self.session = events.away(self.session, self.clock.now())

    @property
    def reason(self) -> str:
        """Why the item at hand is asked today; empty where no plan says it."""
        return self.reasons.get(self.session.place.entry.variant.item.id, "")

    def next_index(self) -> int | None:
        return standing.next_open(self.session)

    def open_follow_ups(self) -> int:
        """Put the follow-ups of the item at hand behind it; how many there are."""
        if not self.session.rules.probing or not self.session.place.done:
            return 0
        names = self.session.place.entry.variant.item.follow_ups
        entries = [e for e in (self._follow(n) for n in names) if e is not None]
        before = len(self.session.places)
        self.session = events.follow_up(self.session, events.fitting(self.session, entries, self.clock.now()))
        return len(self.session.places) - before

    def probe(self) -> str | None:
        """The criterion that a probe should aim at, once an item; None: no probe."""
        place = self.session.place
        if not self.session.rules.probing or place.response is None or place.closed:
            return None
        return standing.probe(place.entry.variant.score(place.response), place.probed)

    def mark_probed(self, criterion: str) -> None:
        self._note(probed=criterion)

    def dispute(self, index: int, claimed: Dispute) -> None:
        """Log what the candidate claims of a mark, after the end as well."""
        self.session = events.dispute(self.session, index, claimed)
        name = self.session.places[index].entry.variant.item.id
        self._log(records.dispute_line(self.who.session, name, claimed, self.clock.utc()))

    def expired(self) -> bool:
        return self.session.expired(self.clock.now())

    def stop(self, reason: str) -> None:
        """End the session: drafts are submitted, what was shown and left is logged, then the end."""
        self.tick()
        for index in standing.unsubmitted(self.session):
            place = self.session.places[index]
            reading = read(place.entry.variant, place.draft)
            if not reading.blank:
                self._respond(reading.response, index)
        for index, place in enumerate(self.session.places):
            if place.shown and place.response is None:
                self._respond("", index)
        self.session = events.finish(self.session, self.clock.now(), reason)
        made = self.session
        self._log(records.end_line(self.who, reason, made.used, self.clock.utc(), made.away))
        if not self.trouble:
            drafts.drop(self.journal.path)

    @property
    def feedback_now(self) -> bool:
        return self.session.rules.mode is Mode.PRACTICE

    def _respond(self, response: Given, index: int | None = None, skipped: bool = False) -> None:
        now = self.clock.now()
        self.session = events.respond(self.session, response, now, skipped, index)
        at = self.session.at if index is None else index
        self._log(records.response_line(self.who, self.session, at, self.clock.utc(), now))
