"""A session at work: its value, its clock and its log move together.

Both faces, plain and full screen, call the same methods. A response is on disk when `respond` returns without
`trouble`. A case is a sitting whose items are turns: `session.case_sitting`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from quizgen.model import Entry, Given, hint_cost
from quizgen.session import drafts, interview, session_log
from quizgen.session.cards import Card
from quizgen.session.clock import Clock
from quizgen.session.interview import Dispute, Interview, Mode, Phase
from quizgen.session.journal import Journal, NotSaved
from quizgen.session.reading import ResponseReading, read_response
from quizgen.session.session_log import Identity, Record

if TYPE_CHECKING:  # most sessions are no case
    from quizgen.cases.judge import Judgement

DRAFT_EVERY = 1.0  # seconds between drafts while typing


class Sitting:
    """Mutable: holds the current `Interview` and an open log. `trouble` says why lines are not on disk, or is empty;
    `draft_trouble` the same for the draft beside it of what is being typed. `steady`: a person is at the clock, which
    ticks every second. `root` is the bank's folder, for the images of a page; `terms` gives the meanings of
    the bank's words; `notice` is a line for the brief; `reasons` say why a plan asks an item today, `cards` what is
    kept of items, both by their ids."""

    is_case: ClassVar[bool] = False

    def __init__(
        self,
        session: Interview,
        who: Identity,
        journal: Journal,
        clock: Clock,
        *,
        follow: Callable[[str], Entry | None] = lambda name: None,
        resumed: bool = False,
        steady: bool = True,
        root: str = "",
        terms: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self.who = who
        self.journal = journal
        self.clock = clock
        self.resumed = resumed
        self.trouble = ""
        self.draft_trouble = ""
        self._drafted = float("-inf")
        self.session = session
        self.steady = steady
        self.root = root
        self.terms = terms
        self.notice = ""
        self.reasons: Mapping[str, str] = {}
        self.cards: dict[str, Card] = {}
        self._follow = follow
        self._held: list[int] = []  # items whose response is not on disk yet

    @property
    def ended(self) -> bool:
        return self.session.phase is Phase.ENDED

    # -- the log ----------------------------------------------------------------------------

    def open(self) -> None:
        """Write the session's first line, or that it goes on. Raises NotSaved."""
        at = self.clock.utc()
        line = session_log.resume_line(self.who, self.session.used, at) if self.resumed else self._first_line(at)
        self.journal.append(line)

    def _first_line(self, at: str) -> Record:
        return session_log.session_line(self.who, self.session, at)

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
        self.tick()
        try:
            drafts.save(self.journal.path, self.who.session, self.session, now)
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
        """A response stays its item's draft until it is on disk, so that leaving before that loses
        no word of it where drafts can be kept."""
        try:
            write()
        except NotSaved as error:
            self.trouble = str(error)
            return
        self.trouble = ""
        for index in self._held:
            self.session = interview.set_place(self.session, replace(self.session.places[index], draft=""), index)
        self._held = []

    # -- events -----------------------------------------------------------------------------

    def start(self) -> None:
        self.session = interview.start(self.session, self.clock.now())

    def tick(self) -> None:
        self.session = interview.tick(self.session, self.clock.now(), self.steady)

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
        self.session = interview.set_place(self.session, replace(self.session.place, **facts))

    def go(self, index: int) -> None:
        self.unpause()
        self.session = interview.go(self.session, index, self.clock.now())

    def browse(self) -> None:
        self.unpause()
        self.session = interview.browse(self.session, self.clock.now())

    def draft(self, text: str) -> None:
        self._note(draft=text)
        self.save_draft()

    def scratch(self, text: str) -> bool:
        """Keep what is on the scratch pad; false where only its beginning has room in the log."""
        kept = session_log.truncate_to_bytes(text, session_log.MAX_SCRATCH)
        self._note(scratch=kept)
        self.save_draft()
        return kept == text

    def flag(self) -> bool:
        self._note(flagged=not self.session.place.flagged)
        self.save_draft(force=True)
        return self.session.place.flagged

    def confide(self, level: int | None) -> None:
        """How sure the candidate is: 1 (a guess) to 5 (certain)."""
        self._note(confidence=level)

    def hint_offer(self) -> tuple[str, bool]:
        """What the next hint takes from this item's earnings, in words; False: there is none left."""
        place = self.session.place
        count = len(place.entry.variant.item.hints)
        if place.hints >= count or place.closed:
            return "There is no further hint." if count else "This item has no hints.", False
        share = hint_cost(place.hints + 1) - hint_cost(place.hints)
        return f"Hint {place.hints + 1} of {count} takes {round(share * 100)} % off what this item earns.", True

    def take_hint(self) -> str | None:
        """The next hint of the item's ladder, or None where there is none left."""
        place = self.session.place
        left = () if place.closed else place.entry.variant.item.hints[place.hints :]
        self._note(hints=place.hints + bool(left))
        self.save_draft(force=True)
        return next(iter(left), None)

    def clarify(self) -> tuple[str, ...]:
        """The facts that an interviewer tells on request; they cost nothing."""
        facts = self.session.place.entry.variant.item.given
        self._note(clarified=bool(facts))
        return facts

    def show_solution(self) -> None:
        """Practice: the item is closed; without a response before, it is logged as left. The clock stands
        until another item is shown: reading a solution is not a time of the session."""
        self._note(closed=True)
        if self.session.place.response is None:
            self._respond("")
        self.pause()

    def pause(self) -> None:
        self.session = interview.pause(self.session, self.clock.now())
        self.save_draft(force=True)

    def unpause(self) -> None:
        self.session = interview.unpause(self.session, self.clock.now())

    def came_back(self) -> None:
        """After Ctrl-Z and fg."""
        self.session = interview.away(self.session, self.clock.now())

    @property
    def reason(self) -> str:
        """Why the item at hand is asked today; empty where no plan says it. What a follow-up follows is its reason:
        that of the plan was made before the session."""
        if not self.reasons or not self.session.place.follow_up:
            return self.reasons.get(self.session.place.entry.variant.item.id, "")
        brought = next(i for i in range(self.session.at, -1, -1) if not self.session.places[i].follow_up)
        return f"a follow-up to item {self.session.number(brought)}"

    def next_index(self) -> int | None:
        return interview.next_open_item(self.session)

    def open_follow_ups(self) -> int:
        """Put the follow-ups of the item at hand behind it; how many there are."""
        if not self.session.rules.probing or not self.session.place.done:
            return 0
        names = self.session.place.entry.variant.item.follow_ups
        entries = [e for e in (self._follow(n) for n in names) if e is not None]
        before = len(self.session.places)
        self.session = interview.follow_up(
            self.session, interview.follow_ups_in_time(self.session, entries, self.clock.now())
        )
        return len(self.session.places) - before

    def probe(self) -> str | None:
        """The criterion that a probe should aim at, once an item; None: no probe."""
        place = self.session.place
        if not self.session.rules.probing or place.response is None or place.closed:
            return None
        return interview.criterion_to_probe(place.entry.variant.score(place.response), place.probed)

    def mark_probed(self, criterion: str) -> None:
        self._note(probed=criterion)

    def dispute(self, index: int, claimed: Dispute) -> None:
        """Log what the candidate claims of a mark, after the end as well; the last claim of a criterion stands."""
        place = self.session.places[index]
        others = tuple(d for d in place.disputes if d.criterion != claimed.criterion)
        self.session = interview.set_place(self.session, replace(place, disputes=(*others, claimed)), index)
        name = place.entry.variant.item.id
        self._log(session_log.dispute_line(self.who.session, name, claimed, self.clock.utc()))

    def keep(self, index: int, typed: str) -> str:
        """Log the card of an item as its candidate `typed` it, after the end as well; what it says now."""
        name = self.session.places[index].entry.variant.item.id
        card = self.cards.pop(name, Card(name)).after(typed)
        if card.about:
            self.cards[name] = card
        self._log(card.line(self.who.session, self.clock.utc()))
        return f"Kept of item {self.session.number(index)}: {card.about or 'nothing'}."

    def expired(self) -> bool:
        return self.session.expired(self.clock.now())

    def stop(self, reason: str) -> None:
        """End the session: drafts are submitted, what was shown and left is logged, then the end."""
        self.tick()
        self._submit()
        self.session = interview.finish(self.session, self.clock.now(), reason)
        made = self.session
        self._log(session_log.end_line(self.who, reason, made.used, self.clock.utc(), made.away))
        if not self.trouble:
            drafts.drop(self.journal.path)

    def judged(self) -> Judgement | None:
        """What a case came to; None for a session of items, whose responses say it."""
        return None

    def _submit(self) -> None:
        """Take what is typed and not given yet, and log what was shown and left."""
        for index in interview.unsubmitted_items(self.session):
            place = self.session.places[index]
            reading = read_response(place.entry.variant, place.draft)
            if not reading.blank:
                self._respond(reading.response, index)
        for index, place in enumerate(self.session.places):
            if place.shown and place.response is None:
                self._respond("", index)

    @property
    def feedback_now(self) -> bool:
        return self.session.rules.mode is Mode.PRACTICE

    def _respond(self, response: Given, index: int | None = None, skipped: bool = False) -> None:
        now = self.clock.now()
        self.session = interview.respond(self.session, response, now, skipped, index)
        at = self.session.at if index is None else index
        self._log(session_log.response_line(self.who, self.session, at, self.clock.utc(), now))
