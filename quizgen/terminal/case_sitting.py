"""A case being talked: the conversation, its clock and its log move together, for both faces.

A response is on disk when `say` returns without `trouble`.
"""

from __future__ import annotations

from quizgen.cases import talk as talking
from quizgen.cases.case import OPEN, CasePhase
from quizgen.cases.judge import Judgement, judge
from quizgen.cases.talk import Conversation, Exchange, Line
from quizgen.interview.session import Rules
from quizgen.log import drafts, records, turns
from quizgen.log.journal import Journal
from quizgen.log.records import Identity
from quizgen.terminal.clock import Clock
from quizgen.terminal.recording import Recording

NEAR = 0.8  # of a box: the interviewer asks for an end
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
            self.journal.append(records.resume_line(self.who, self.elapsed, at))
        else:
            self.journal.append(turns.case_line(self.who, self.talk, at, self.rules))
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
        if self.left() <= self.box() * (1 - NEAR) and name not in self.warned:
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
        self._log(records.end_line(self.who, reason, self.elapsed, self.clock.utc()))
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
            self._log(turns.said_line(self.who, self.talk, exchange.turn, at, seconds, late, self.elapsed))
        self._log(turns.turn_line(self.who, before, exchange, at, self.spent))
        if exchange.to != exchange.turn:
            self._turn_seconds = 0.0
        return self.talk.lines[len(before.lines) + (1 if exchange.text else 0) :]
