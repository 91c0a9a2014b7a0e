"""What all looks at a bank come to: recall by item and by skill, and how likely what is new is known."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from quizgen.coach.looks import ItemLook, KnownItem, known
from quizgen.coach.memory import recall
from quizgen.model import Item

STEP = 0.6  # logits that a step of difficulty takes
MIDDLE = 2.5  # the difficulty at which an ability is a share
PRIOR = 4.0  # first looks' worth of one's own mean
CARRIED = 0.6  # how much of an item that is recalled serves another one of its skill
BY_KIND = {"choice": 0.7, "numeric": 1.0, "text": 1.3}  # to recognise carries less than to say
MOST = 0.95


@dataclass(frozen=True, slots=True)
class StudySubject:
    """What is to know of an item to choose it."""

    id: str
    topic: str
    kind: str
    skill: str
    difficulty: float
    seconds: float

    @property
    def carries(self) -> float:
        """The share of its recall that serves another item of the skill."""
        return min(MOST, CARRIED * BY_KIND.get(self.kind, 1.0))


def subject_of(item: Item) -> StudySubject:
    return StudySubject(
        item.id, item.topic or "other", item.kind, item.skill or item.id, float(item.difficulty or MIDDLE), item.seconds
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """`abilities`: logits by topic, of knowing what is new at the middle difficulty; `skills`: how many a topic
    has; `firsts`: measured first looks by topic, each a credit without luck and a difficulty."""

    subjects: Mapping[str, StudySubject]
    known: Mapping[str, KnownItem]
    abilities: Mapping[str, float]
    skills: Mapping[str, int]
    firsts: Mapping[str, tuple[tuple[float, float], ...]]

    def cold(self, subject: StudySubject) -> float:
        """The chance to know an item that is met for the first time."""
        return chance(self.abilities[subject.topic], subject.difficulty)

    def by_skill(self, day: int) -> dict[str, float]:
        """By skill: what of it the best recalled item carries on a day; skills never met are left out."""
        best: dict[str, float] = {}
        for name, one in self.known.items():
            subject = self.subjects[name]
            carried = subject.carries * recall(one.trace, day)
            best[subject.skill] = max(carried, best.get(subject.skill, 0.0))
        return best

    def met(self, topic: str) -> int:
        """Skills of a topic that were met."""
        return len({self.subjects[n].skill for n in self.known if self.subjects[n].topic == topic})


def standing(subjects: Mapping[str, StudySubject], looks: Iterable[ItemLook]) -> Standing:
    """Looks at items that the bank no longer has are left out."""
    found = known(look for look in looks if look.item in subjects)
    firsts: dict[str, list[tuple[float, float]]] = {s.topic: [] for s in subjects.values()}
    for name, one in found.items():
        if one.first.measured:
            credit = max(0.0, (one.first.unaided - one.first.guess) / (1 - one.first.guess))
            firsts[subjects[name].topic].append((credit, subjects[name].difficulty))
    mean = chance(ability([look for topic in firsts.values() for look in topic], 0.5), MIDDLE)
    return Standing(
        subjects,
        found,
        {topic: ability(looks, mean) for topic, looks in firsts.items()},
        Counter(topic for topic, _ in {(s.topic, s.skill) for s in subjects.values()}),
        {topic: tuple(looks) for topic, looks in firsts.items()},
    )


def chance(ability: float, difficulty: float) -> float:
    return 1 / (1 + math.exp(STEP * (difficulty - MIDDLE) - ability))


def ability(firsts: Iterable[tuple[float, float]], prior: float) -> float:
    """The logits at which as much is expected as was shown, `PRIOR` looks at `prior` among it."""
    looks = list(firsts)
    shown = sum(credit for credit, _ in looks) + PRIOR * prior
    counts = Counter(difficulty for _, difficulty in looks)
    low, high = -8.0, 8.0
    for _ in range(40):  # to 16 / 2**40 logits
        middle = (low + high) / 2
        expected = sum(n * chance(middle, d) for d, n in counts.items()) + PRIOR * chance(middle, MIDDLE)
        low, high = (middle, high) if expected < shown else (low, middle)
    return (low + high) / 2
