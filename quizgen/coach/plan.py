"""A plan to an interview: its date, its minutes, and what each day until then is for.

What is to be done on a day is made from the logs; the plan itself holds nothing that was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from quizgen.coach.standing import StudySubject

A_TOPIC = 2  # sealed items at most
A_BANK = 10  # one item in so many is sealed at most
EVERY = 3  # days between two strict sessions
ENOUGH = 2  # days of practice without which a rehearsal would tell nothing

ABOUT = {
    "scout": "a first look at every topic that fits: where you stand",
    "practice": "what is likely unknown on the day, the most useful per minute first",
    "mock": "the same by interview rules: no pause, nothing told before the end",
    "rehearsal": "sealed items that you never met, by interview rules: the honest figure",
    "last": "at most 20 minutes: what you missed though you were sure",
    "rest": "nothing: you keep it free",
    "interview": "the interview",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """`interview` and `rest` are ordinal days, `minutes` are those of a day, `weights` are by topic (1 where none
    is named), `sealed` the items that nothing asks before the rehearsal."""

    bank: str
    interview: int
    minutes: int
    weights: Mapping[str, float] = field(default_factory=dict)
    rest: frozenset[int] = frozenset()
    sealed: tuple[str, ...] = ()

    @property
    def rehearsal(self) -> int:
        """The day of the rehearsal: two before the interview, or the last working day before that."""
        return next(d for d in range(self.interview - 2, self.interview - 400, -1) if d not in self.rest)

    def purpose(self, day: int, practised: int) -> str:
        """What a day is for, after so many days of practice; empty once the interview is over."""
        if day >= self.interview:
            return "interview" if day == self.interview else ""
        if day in self.rest:
            return "rest"
        if practised == 0:
            return "scout"
        if day == self.rehearsal and practised >= ENOUGH:
            return "rehearsal"
        if day == self.interview - 1:
            return "last"
        return "mock" if day < self.rehearsal and (self.rehearsal - day) % EVERY == 0 else "practice"

    def days(self, today: int, practised: int) -> list[tuple[int, str]]:
        """Every day from today to the interview and its purpose, as if none of them were missed."""
        made = []
        for day in range(today, self.interview + 1):
            made.append((day, self.purpose(day, practised)))
            practised += made[-1][1] not in ("rest", "interview")
        return made


def seal(subjects: Mapping[str, StudySubject], met: Iterable[str], interview: int, minutes: int) -> tuple[str, ...]:
    """Items kept for the rehearsal: never met before it, a few of each topic, as many as its minutes hold.

    Which ones follows from their names and the date, so that a plan made again seals the same."""
    before = set(met)
    limit, left = len(subjects) // A_BANK, minutes * 60.0
    order = sorted((s for s in subjects.values() if s.id not in before), key=lambda s: _drawn(s.id, interview))
    taken: list[StudySubject] = []
    for turn in range(1, A_TOPIC + 1):
        for subject in order:
            fits = len(taken) < limit and subject.seconds <= left and subject not in taken
            if fits and sum(s.topic == subject.topic for s in taken) < turn:
                taken.append(subject)
                left -= subject.seconds
    return tuple(sorted(s.id for s in taken))


def _drawn(name: str, interview: int) -> bytes:
    return blake2b(f"{interview}:{name}".encode(), digest_size=8).digest()
