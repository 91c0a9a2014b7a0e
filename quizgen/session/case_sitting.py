"""The sitting of a case, whose items are the turns of a conversation, and its lines in the log.

A response is on disk if `trouble` is empty when `say` returns. The log has a line for each exchange, from which a
resume repeats the conversation, and a response line for each turn, which `quizgen score` reads."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from quizgen.cases import talk as talking
from quizgen.cases.case import OPEN, Case, CasePhase
from quizgen.cases.judge import Judgement, judge
from quizgen.cases.talk import Conversation, Exchange, Line
from quizgen.model import Entry, Form
from quizgen.session import interview
from quizgen.session.clock import Clock
from quizgen.session.interview import Interview, Place, Rules
from quizgen.session.journal import Journal
from quizgen.session.session_log import LOG_VERSION, Identity, Record, first_line, response_line, seconds_of
from quizgen.session.sitting import Sitting

HURRY_SHARE = 0.8  # share of a phase's time after which the interviewer asks the candidate to finish
LAST_SENTENCE_REQUEST = "One more sentence on this, then we move on."


class CaseSitting(Sitting):
    """Mutable: holds the conversation as well as the session. `spent` is the number of seconds spent in each phase."""

    is_case = True

    def __init__(
        self, talk: Conversation, who: Identity, journal: Journal, clock: Clock, rules: Rules,
        spent: Mapping[str, float] | None = None, resumed: bool = False,
    ) -> None:  # fmt: skip
        self.talk = talk
        self.spent = dict(spent or {})
        self._warned: set[str] = set()
        super().__init__(_session_of_case(talk, rules, sum(self.spent.values())), who, journal, clock, resumed=resumed)

    def _first_line(self, at: str) -> Record:
        case = self.talk.case
        names = [t.item.id for t in case.turns if not t.branched]
        line = first_line(self.who, self.talk.seed, names, at, float(case.minutes), self.session.rules)
        return line | {"case": case.id}

    # -- the clock --------------------------------------------------------------------------

    @property
    def phase(self) -> CasePhase:
        """The phase of the current turn; the last phase once the case is over."""
        case = self.talk.case
        return case.phases[-1] if self.talk.over else case.phase(self.talk.at.phase)

    def phase_seconds(self) -> float:
        """The time box of the current phase, in seconds."""
        return float(self.phase.minutes) * 60 * self.session.rules.multiplier

    def left(self) -> float:
        """The seconds left in the phase's time box. Time that an earlier phase did not use is not added."""
        return self.phase_seconds() - self.spent.get(self.phase.id, 0.0)

    def tick(self) -> None:
        before, name = self.session.used, self.phase.id
        super().tick()
        if not self.talk.over:
            self.spent[name] = self.spent.get(name, 0.0) + self.session.used - before

    def expired(self) -> bool:
        """Whether the phase's time box is used up, so that the next phase begins."""
        return self.session.rules.timed and not self.talk.over and self.left() <= 0

    def nearly_expired(self) -> bool:
        """Whether most of the phase's time box is used up; true only once in each phase."""
        near = (
            self.session.rules.timed and not self.talk.over and self.left() <= self.phase_seconds() * (1 - HURRY_SHARE)
        )
        if not near or self.phase.id in self._warned:
            return False
        self._warned.add(self.phase.id)
        return True

    # -- the conversation --------------------------------------------------------------------

    def say(self, text: str) -> tuple[Line, ...]:
        """Logs the candidate's `text` and returns the interviewer's lines that follow, with the next question."""
        self.tick()
        left = self.left() if self.session.rules.timed else None
        return self._log_exchange(talking.answer(replace(self.talk, seconds_left=left), text))

    def leave_turn(self) -> tuple[Line, ...]:
        """Ends the current turn and returns the interviewer's next lines."""
        self.tick()
        why = "you had asked what you wanted" if self.talk.at.kind == OPEN else "you went on"
        return self._log_exchange(talking.left(self.talk, why))

    def end_phase(self, typed: str) -> tuple[Line, ...]:
        """Ends the phase because its time is over: submits `typed`, and returns the lines of the next phase."""
        if typed.strip():
            return self._log_exchange(talking.answer(self.talk, typed, at_once=False), late=True)
        return self._log_exchange(talking.left(self.talk, talking.OVER, at_once=False))

    def judgement(self) -> Judgement:
        return judge(self.talk, self.spent)

    def _submit_all(self) -> None:
        """Submits text that was typed but not sent. Earlier turns are already in the log."""
        place = self.session.place
        if place.draft.strip() and not self.talk.over and self.session.at not in self._held:
            self._log_exchange(talking.answer(self.talk, place.draft))

    def _log_exchange(self, exchange: Exchange, late: bool = False) -> tuple[Line, ...]:
        before, at, now = self.talk, self.session.at, self.clock.now()
        self.talk = talking.after_exchange(before, exchange)
        given = exchange.took == "response" or bool(exchange.text and before.at.kind == OPEN)
        self._update_place(draft=exchange.text, response=self.talk.response_to(exchange.turn), late=late)
        self._held.append(at)
        if given or exchange.turn not in before.responses:
            self._log(response_line(self.who, self.session, at, self.clock.utc(), now))
        self._log(turn_line(self.who, before, exchange, self.clock.utc(), self.spent))
        if not self.talk.over and exchange.to != exchange.turn:
            session = interview.go(self.session, _turn_index(self.talk), now)
            self.session = interview.set_place(session, replace(session.place, entry=Entry(self.talk.variant)))
        return self.talk.lines[len(before.lines) + (1 if exchange.text else 0) :]


def _turn_index(talk: Conversation) -> int:
    return next(n for n, turn in enumerate(talk.case.turns) if turn.id == talk.turn)


def _session_of_case(talk: Conversation, rules: Rules, used: float) -> Interview:
    """The session with all turns of the case; `used` is the number of seconds so far."""
    case = talk.case
    entries = tuple(Entry(talk.variant_of(turn.id)) for turn in case.turns)
    places = tuple(
        Place(entry, response=talk.response_to(turn.id) if turn.id in talk.responses else None)
        for turn, entry in zip(case.turns, entries, strict=True)
    )
    at = len(places) - 1 if talk.over else _turn_index(talk)
    return Interview(Form(case.title, "", talk.seed, case.minutes, entries), rules, places, at=at, used=used)


# -- its lines in the log --------------------------------------------------------------------

TurnLines = tuple[Record, ...]


def turn_line(who: Identity, talk: Conversation, exchange: Exchange, at: str, spent: Mapping[str, float]) -> Record:
    """The log line of one exchange: its text, facts requested, numbers that the candidate fixed, and the next turn."""
    went: Record = {"to": exchange.to, "said": [[line.text, line.why] for line in exchange.lines]}
    if exchange.probe:
        went["probe"] = exchange.probe
    if exchange.branch >= 0:
        went["branch"] = exchange.branch
    if exchange.read:
        went["read"] = exchange.read
    return {
        "v": LOG_VERSION, "type": "turn", "session": who.session, "item": f"{talk.case.id}.{exchange.turn}",
        "text": exchange.text, "took": exchange.took, "asked": list(exchange.requests),
        "values": {name: int(n) if n.denominator == 1 else float(n) for name, n in exchange.values.items()},
        "went": went, "at": at, "spent": {name: round(seconds, 1) for name, seconds in spent.items()},
    }  # fmt: skip


def replay_conversation(case: Case, seed: str, lines: TurnLines) -> tuple[Conversation, dict[str, float]]:
    """The conversation rebuilt from the turn lines of a log, and the seconds spent in each phase. The replay ends at a
    line whose turn is unknown or not the next one."""
    talk = talking.begin(case, seed)
    spent: dict[str, float] = {}
    for record in lines:
        exchange = _logged_exchange(case, record)
        if exchange is None or exchange.turn != talk.turn:
            break
        talk = talking.after_exchange(talk, exchange)
        seconds = record.get("spent")
        if isinstance(seconds, dict):
            spent = {str(name): seconds_of(value) for name, value in seconds.items()}
    return talk, spent


def _logged_exchange(case: Case, record: Record) -> Exchange | None:
    """The exchange in a log line; None if the line names no turn of the case or lacks a field."""
    names = {t.id for t in case.turns}
    turn = str(record.get("item", "")).removeprefix(f"{case.id}.")
    went, text, values = record.get("went"), record.get("text"), record.get("values")
    if turn not in names or not isinstance(went, dict) or not isinstance(text, str):
        return None
    to, probe, branch, lines, part = (went.get(name) for name in ("to", "probe", "branch", "said", "read"))
    if to not in ("", *names) or not isinstance(lines, list):
        return None
    pairs, requests = [pair for pair in lines if isinstance(pair, list)], record.get("asked")
    return Exchange(
        turn=turn,
        text=text,
        took=str(record.get("took", "response")),
        lines=tuple(Line("interviewer", str(pair[0]), turn, str(pair[1])) for pair in pairs if len(pair) == 2),
        to=str(to),
        requests=tuple(str(a) for a in requests) if isinstance(requests, list) else (),
        values=_finite_numbers(values),
        probe=probe if isinstance(probe, str) else "",
        branch=branch if type(branch) is int else -1,
        read=part if isinstance(part, str) else "",
    )


def _finite_numbers(values: object) -> dict[str, Fraction]:
    """The numbers among `values`, by name; other values are left out."""
    numbers = values.items() if isinstance(values, dict) else ()
    return {str(k): Fraction(str(v)) for k, v in numbers if type(v) in (int, float) and math.isfinite(v)}
