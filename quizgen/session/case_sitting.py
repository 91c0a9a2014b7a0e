"""A case at work: a sitting whose items are the turns of a conversation, and its lines in the log.

A response is on disk when `say` returns without `trouble`. The log holds a line for each exchange, by which a resume
goes the way that was gone, and a response for each turn, as `quizgen score` takes it.
"""

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
from quizgen.session.session_log import VERSION, Identity, Record, first_line, response_line, seconds_of
from quizgen.session.sitting import Sitting

NEARLY = 0.8  # of a box: the interviewer asks for an end
ONE_MORE = "One more sentence on this, then we move on."


class CaseSitting(Sitting):
    """Mutable: the conversation beside the session's value. `spent` are seconds by phase."""

    is_case = True

    def __init__(
        self, talk: Conversation, who: Identity, journal: Journal, clock: Clock, rules: Rules,
        spent: Mapping[str, float] | None = None, resumed: bool = False,
    ) -> None:  # fmt: skip
        self.talk = talk
        self.spent = dict(spent or {})
        self._warned: set[str] = set()
        super().__init__(_session(talk, rules, sum(self.spent.values())), who, journal, clock, resumed=resumed)

    def _first_line(self, at: str) -> Record:
        case = self.talk.case
        names = [t.item.id for t in case.turns if not t.branched]
        line = first_line(self.who, self.talk.seed, names, at, float(case.minutes), self.session.rules)
        return line | {"case": case.id}

    # -- the clock --------------------------------------------------------------------------

    @property
    def phase(self) -> CasePhase:
        """The phase of the turn at hand; the last one once the case is over."""
        case = self.talk.case
        return case.phases[-1] if self.talk.over else case.phase(self.talk.at.phase)

    def box(self) -> float:
        """Seconds of the phase's box."""
        return float(self.phase.minutes) * 60 * self.session.rules.multiplier

    def left(self) -> float:
        """Seconds left in the box; what an earlier phase left over is not added."""
        return self.box() - self.spent.get(self.phase.id, 0.0)

    def tick(self) -> None:
        before, name = self.session.used, self.phase.id
        super().tick()
        if not self.talk.over:
            self.spent[name] = self.spent.get(name, 0.0) + self.session.used - before

    def expired(self) -> bool:
        """The box of the phase is used up; the case goes on with the next one."""
        return self.session.rules.timed and not self.talk.over and self.left() <= 0

    def nearly(self) -> bool:
        """Most of the box is used up; true once a phase."""
        near = self.session.rules.timed and not self.talk.over and self.left() <= self.box() * (1 - NEARLY)
        if not near or self.phase.id in self._warned:
            return False
        self._warned.add(self.phase.id)
        return True

    # -- what is said -----------------------------------------------------------------------

    def say(self, text: str) -> tuple[Line, ...]:
        """Take the candidate's `text`; the lines that follow it, the next question among them."""
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

    def judged(self) -> Judgement:
        return judge(self.talk, self.spent)

    def _submit(self) -> None:
        """What is typed and not said yet is said; the turns met are in the log already."""
        place = self.session.place
        if place.draft.strip() and not self.talk.over and self.session.at not in self._held:
            self._take(talking.answer(self.talk, place.draft))

    def _take(self, exchange: Exchange, late: bool = False) -> tuple[Line, ...]:
        before, at, now = self.talk, self.session.at, self.clock.now()
        self.talk = talking.after(before, exchange)
        given = exchange.took == "response" or bool(exchange.text and before.at.kind == OPEN)
        self._note(draft=exchange.text, response=self.talk.response_to(exchange.turn), late=late)
        self._held.append(at)
        if given or exchange.turn not in before.responses:
            self._log(response_line(self.who, self.session, at, self.clock.utc(), now))
        self._log(turn_line(self.who, before, exchange, self.clock.utc(), self.spent))
        if not self.talk.over and exchange.to != exchange.turn:
            self.session = _entered(interview.go(self.session, _index(self.talk), now), self.talk)
        return self.talk.lines[len(before.lines) + (1 if exchange.text else 0) :]


def _index(talk: Conversation) -> int:
    return next(n for n, turn in enumerate(talk.case.turns) if turn.id == talk.turn)


def _session(talk: Conversation, rules: Rules, used: float) -> Interview:
    """A session of every turn of the case; `used` are its seconds so far."""
    case = talk.case
    entries = tuple(Entry(talk.variant_of(turn.id)) for turn in case.turns)
    places = tuple(
        Place(entry, response=talk.response_to(turn.id) if turn.id in talk.responses else None)
        for turn, entry in zip(case.turns, entries, strict=True)
    )
    at = len(places) - 1 if talk.over else _index(talk)
    return Interview(Form(case.title, "", talk.seed, case.minutes, entries), rules, places, at=at, used=used)


def _entered(session: Interview, talk: Conversation) -> Interview:
    """The turn at hand with the numbers that it was asked with."""
    return interview.set_place(session, replace(session.place, entry=Entry(talk.variant)))


# -- its lines in the log --------------------------------------------------------------------

Turns = tuple[Record, ...]


def turn_line(who: Identity, talk: Conversation, exchange: Exchange, at: str, spent: Mapping[str, float]) -> Record:
    """One exchange: what was said, what it asked for and committed to, and where it went."""
    went: Record = {"to": exchange.to, "said": [[line.text, line.why] for line in exchange.lines]}
    if exchange.probe:
        went["probe"] = exchange.probe
    if exchange.branch >= 0:
        went["branch"] = exchange.branch
    if exchange.read:
        went["read"] = exchange.read
    return {
        "v": VERSION, "type": "turn", "session": who.session, "item": f"{talk.case.id}.{exchange.turn}",
        "text": exchange.text, "took": exchange.took, "asked": list(exchange.requests),
        "values": {name: int(n) if n.denominator == 1 else float(n) for name, n in exchange.values.items()},
        "went": went, "at": at, "spent": {name: round(seconds, 1) for name, seconds in spent.items()},
    }  # fmt: skip


def replayed(case: Case, seed: str, lines: Turns) -> tuple[Conversation, dict[str, float]]:
    """The conversation that a log tells, turn by turn as it went, and the seconds spent by phase.

    A line that names no turn of the case, or another turn than the one reached, ends the replay there.
    """
    talk = talking.begin(case, seed)
    spent: dict[str, float] = {}
    for record in lines:
        exchange = _exchange(case, record)
        if exchange is None or exchange.turn != talk.turn:
            break
        talk = talking.after(talk, exchange)
        seconds = record.get("spent")
        if isinstance(seconds, dict):
            spent = {str(name): seconds_of(value) for name, value in seconds.items()}
    return talk, spent


def _exchange(case: Case, record: Record) -> Exchange | None:
    """The exchange that a line tells; None where it names no turn of the case or lacks a part."""
    names = {t.id for t in case.turns}
    turn = str(record.get("item", "")).removeprefix(f"{case.id}.")
    went, text, values = record.get("went"), record.get("text"), record.get("values")
    if turn not in names or not isinstance(went, dict) or not isinstance(text, str):
        return None
    to, probe, branch, lines, part = (went.get(name) for name in ("to", "probe", "branch", "said", "read"))
    if to not in ("", *names) or not isinstance(lines, list):
        return None
    requests = record.get("asked")
    return Exchange(
        turn=turn,
        text=text,
        took=str(record.get("took", "response")),
        lines=tuple(Line("interviewer", str(pair[0]), turn, str(pair[1])) for pair in lines if _pair(pair)),
        to=str(to),
        requests=tuple(str(a) for a in requests) if isinstance(requests, list) else (),
        values=_numbers(values),
        probe=probe if isinstance(probe, str) else "",
        branch=branch if type(branch) is int else -1,
        read=part if isinstance(part, str) else "",
    )


def _numbers(values: object) -> dict[str, Fraction]:
    """The numbers of a line's values; what is not a number is left out."""
    numbers = values.items() if isinstance(values, dict) else ()
    return {str(k): Fraction(str(v)) for k, v in numbers if type(v) in (int, float) and math.isfinite(v)}


def _pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2
