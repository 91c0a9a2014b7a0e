"""A session or a case at work: its value, its clock and its log move together.

Both faces, plain and full screen, call the same methods. A response is on disk when `respond` or `say`
returns without `trouble`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from quizgen.cases import talk as talking
from quizgen.cases.case import OPEN, CasePhase
from quizgen.cases.judge import Judgement, judge
from quizgen.cases.talk import Conversation, Exchange, Line
from quizgen.credit import hint_cost
from quizgen.model import Entry, Given
from quizgen.session import drafts, events, interview, session_log
from quizgen.session.clock import Clock
from quizgen.session.interview import Dispute, Interview, Mode, Phase, Rules
from quizgen.session.journal import Journal, NotSaved
from quizgen.session.reading import ResponseReading, read
from quizgen.session.session_log import Identity, Record

DRAFT_EVERY = 1.0  # seconds between drafts while typing


class Recording(ABC):
    """Mutable: an open log. `trouble` says why lines are not on disk, or is empty; `draft_trouble` the same for the
    draft, which is only a convenience."""

    def __init__(self, who: Identity, journal: Journal, clock: Clock, resumed: bool = False) -> None:
        self.who = who
        self.journal = journal
        self.clock = clock
        self.resumed = resumed
        self.trouble = ""
        self.draft_trouble = ""
        self._drafted = float("-inf")

    @property
    @abstractmethod
    def ended(self) -> bool: ...

    @abstractmethod
    def _keep(self, now: float) -> None:
        """Write the draft. Raises OSError."""

    def retry(self) -> bool:
        """Try again to write what is only in memory; true when everything is on disk."""
        self._saved(self.journal.retry)
        return not self.trouble

    def save_draft(self, force: bool = False) -> None:
        """Keep what is typed beside the log, at most once a second."""
        now = self.clock.now()
        if self.ended or (not force and now - self._drafted < DRAFT_EVERY):
            return
        self._drafted = now
        try:
            self._keep(now)
        except OSError as error:
            self.draft_trouble = error.strerror or str(error)
        else:
            self.draft_trouble = ""

    def close(self) -> None:
        """Leave; what was typed stays as a draft where it goes on later."""
        self.save_draft(force=True)
        self.journal.close()

    def _log(self, line: Record) -> None:
        self._saved(partial(self.journal.append, line))

    def _saved(self, write: Callable[[], None]) -> None:
        try:
            write()
        except NotSaved as error:
            self.trouble = str(error)
        else:
            self.trouble = ""


# A session at work: the interview value, its clock and its log move together.
#
# Both faces, plain and full screen, call the same methods. A response is on disk when `respond`
# returns without `trouble`.


class Sitting(Recording):
    """Mutable: holds the current `Interview` and an open log."""

    def __init__(
        self,
        session: Interview,
        who: session_log.Identity,
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
            self.journal.append(session_log.resume_line(self.who, self.session.used, at))
        else:
            self.journal.append(session_log.session_line(self.who, self.session, at))

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
        kept = session_log.fitting(text, session_log.MAX_SCRATCH)
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
        return interview.next_open(self.session)

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
        return interview.probe(place.entry.variant.score(place.response), place.probed)

    def mark_probed(self, criterion: str) -> None:
        self._note(probed=criterion)

    def dispute(self, index: int, claimed: Dispute) -> None:
        """Log what the candidate claims of a mark, after the end as well."""
        self.session = events.dispute(self.session, index, claimed)
        name = self.session.places[index].entry.variant.item.id
        self._log(session_log.dispute_line(self.who.session, name, claimed, self.clock.utc()))

    def expired(self) -> bool:
        return self.session.expired(self.clock.now())

    def stop(self, reason: str) -> None:
        """End the session: drafts are submitted, what was shown and left is logged, then the end."""
        self.tick()
        for index in interview.unsubmitted(self.session):
            place = self.session.places[index]
            reading = read(place.entry.variant, place.draft)
            if not reading.blank:
                self._respond(reading.response, index)
        for index, place in enumerate(self.session.places):
            if place.shown and place.response is None:
                self._respond("", index)
        self.session = events.finish(self.session, self.clock.now(), reason)
        made = self.session
        self._log(session_log.end_line(self.who, reason, made.used, self.clock.utc(), made.away))
        if not self.trouble:
            drafts.drop(self.journal.path)

    @property
    def feedback_now(self) -> bool:
        return self.session.rules.mode is Mode.PRACTICE

    def _respond(self, response: Given, index: int | None = None, skipped: bool = False) -> None:
        now = self.clock.now()
        self.session = events.respond(self.session, response, now, skipped, index)
        at = self.session.at if index is None else index
        self._log(session_log.response_line(self.who, self.session, at, self.clock.utc(), now))


# A case being talked: the conversation, its clock and its log move together, for both faces.
#
# A response is on disk when `say` returns without `trouble`.


NEARLY = 0.8  # of a box: the interviewer asks for an end
ONE_MORE = "One more sentence on this, then we move on."


class CaseSitting(Recording):
    """Mutable: holds the conversation and an open log. `spent` are seconds by phase."""

    def __init__(
        self, talk: Conversation, who: Identity, journal: Journal, clock: Clock, rules: Rules,
        spent: dict[str, float] | None = None, resumed: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(who, journal, clock, resumed)
        self.talk = talk
        self.rules = rules
        self.spent = dict(spent or {})
        self.warned: set[str] = set()
        self.reason = ""
        self.typed = ""  # not said yet
        self._turn_seconds = 0.0
        self._at = clock.now()

    def open(self) -> None:
        """Write the first line, or that the talk goes on. Raises NotSaved."""
        at = self.clock.utc()
        if self.resumed:
            self.journal.append(session_log.resume_line(self.who, self.elapsed, at))
        else:
            self.journal.append(session_log.case_line(self.who, self.talk, at, self.rules))
        self._at = self.clock.now()

    @property
    def ended(self) -> bool:
        return bool(self.reason)

    @property
    def elapsed(self) -> float:
        return sum(self.spent.values())

    @property
    def phase(self) -> CasePhase:
        """The phase of the turn at hand; the last one once the case is over."""
        case = self.talk.case
        return case.phases[-1] if self.talk.over else case.phase(self.talk.at.phase)

    def box(self) -> float:
        """Seconds of the phase's box."""
        return float(self.phase.minutes) * 60 * self.rules.multiplier

    def left(self) -> float:
        """Seconds left in the box; what an earlier phase left over is not added."""
        return self.box() - self.spent.get(self.phase.id, 0.0)

    def tick(self) -> str:
        """Let the clock move; `near` once a phase, `over` where the box is used up, else empty."""
        now = self.clock.now()
        passed, self._at = max(0.0, now - self._at), now
        if self.talk.over:
            return ""
        name = self.phase.id
        self.spent[name] = self.spent.get(name, 0.0) + passed
        self._turn_seconds += passed
        if not self.rules.timed:
            return ""
        if self.left() <= 0:
            return "over"
        if self.left() <= self.box() * (1 - NEARLY) and name not in self.warned:
            self.warned.add(name)
            return "near"
        return ""

    def say(self, text: str) -> tuple[Line, ...]:
        """Take what the candidate said; the lines that follow it, the next question among them."""
        self.tick()
        return self._take(talking.answer(self.talk, text))

    def leave_turn(self) -> tuple[Line, ...]:
        """Go on: an open turn is done, another is left as it is."""
        self.tick()
        why = "you had asked what you wanted" if self.talk.at.kind == OPEN else "you went on"
        return self._take(talking.left(self.talk, why))

    def box_over(self, typed: str) -> tuple[Line, ...]:
        """The box is used up: what stands there is taken, and the next phase begins."""
        if typed.strip():
            return self._take(talking.answer(self.talk, typed, at_once=False), late=True)
        return self._take(talking.left(self.talk, talking.OVER, at_once=False))

    def stop(self, reason: str) -> None:
        """End the session; what was said is in the log already."""
        self.tick()
        self.reason = reason
        self._log(session_log.end_line(self.who, reason, self.elapsed, self.clock.utc()))
        if not self.trouble:
            drafts.drop(self.journal.path)

    def judged(self) -> Judgement:
        return judge(self.talk, self.spent)

    def hold(self, typed: str) -> None:
        """What is being typed, kept beside the log at most once a second."""
        self.typed = typed
        self.save_draft()

    def _keep(self, now: float) -> None:
        item = f"{self.talk.case.id}.{self.talk.turn}"
        drafts.save_typed(self.journal.path, self.who.session, item, self.typed, self.elapsed)

    def _take(self, exchange: Exchange, late: bool = False) -> tuple[Line, ...]:
        before, self.typed = self.talk, ""
        self.talk = talking.after(before, exchange)
        at = self.clock.utc()
        given = exchange.took == "response" or (exchange.text and before.at.kind == OPEN)
        if given or exchange.turn not in before.responses:
            seconds = self._turn_seconds
            self._log(session_log.said_line(self.who, self.talk, exchange.turn, at, seconds, late, self.elapsed))
        self._log(session_log.turn_line(self.who, before, exchange, at, self.spent))
        if exchange.to != exchange.turn:
            self._turn_seconds = 0.0
        return self.talk.lines[len(before.lines) + (1 if exchange.text else 0) :]
