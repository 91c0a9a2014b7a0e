"""Readiness by topic as two figures, never one: cold, and on the day of the interview.

Cold is the chance to know an item at first sight, from first looks alone, so that drilling items cannot raise it. The
figure for the day adds what will be left of practice. It is a range: nobody knows how far practice carries over to an
interviewer's questions, and the rest is as uncertain as cold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quizgen.coach.standing import PRIOR_ATTEMPTS, Standing, recall_probability

MIN_FIRST_ATTEMPTS = 5  # first attempts needed before a figure is shown
HALF_INTERVAL_DEVIATIONS = 1.2816  # standard deviations in half of an 80 % interval
TRANSFER_RANGE = (0.5, 1.0)  # least and greatest assumed transfer of practice


@dataclass(frozen=True, slots=True)
class Readiness:
    """One topic. `cold` is (low, middle, high), `day` (low, high); both are None below `MIN_FIRST_ATTEMPTS`.
    `skills_met` of the topic's `skill_count` skills were seen."""

    topic: str
    first_look_count: int
    cold_range: tuple[float, float, float] | None
    day_range: tuple[float, float] | None
    skills_met: int
    skill_count: int


@dataclass(frozen=True, slots=True)
class ScoredSession:
    """One past session: its day, the number of items reached, the share of the points, the minutes used, and whether it
    was timed, and so counts towards readiness."""

    day: str
    reached: int
    items: int
    share: float
    minutes: float
    timed: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """All topics in order, and the total, in which each topic counts by its weight, seen or not."""

    topics: tuple[Readiness, ...]
    overall: Readiness

    @property
    def next_topics(self) -> tuple[str, ...]:
        """At most three topics for the next session: those tested least, then the weakest."""
        order = sorted(
            self.topics,
            key=lambda r: (r.cold_range is not None, r.cold_range[0] if r.cold_range else r.first_look_count, r.topic),
        )
        return tuple(r.topic for r in order[:3])


def progress(now: Standing, interview: int, weights: Mapping[str, float]) -> Progress:
    """The readiness now, and on the day `interview`."""
    recalled: dict[str, float] = {}
    for name, one in now.known.items():
        skill = now.subjects[name].skill
        recalled[skill] = max(recall_probability(one.trace, interview), recalled.get(skill, 0.0))
    figures = {topic: _topic_means(topic, now, recalled) for topic in sorted(now.abilities)}
    share = {t: weights.get(t, 1.0) for t in figures}
    total = sum(share.values())
    count = sum(len(looks) for looks in now.first_looks.values())
    mean = [sum(share[t] * f[n] for t, f in figures.items()) / total for n in range(4)]
    return Progress(
        tuple(
            _readiness(t, len(now.first_looks[t]), figures[t], now.skills_met(t), now.skill_counts[t]) for t in figures
        ),
        _readiness("all topics", count, mean, sum(now.skills_met(t) for t in figures), sum(now.skill_counts.values())),
    )


def _topic_means(topic: str, now: Standing, recalled: Mapping[str, float]) -> tuple[float, float, float, float]:
    """The means over items and skills of: cold, the low end and the high end on the day, and recall."""
    own = [s for s in now.subjects.values() if s.topic == topic]
    by_skill: dict[str, list[float]] = {}
    for subject in own:
        by_skill.setdefault(subject.skill, []).append(now.cold_chance(subject))
    cold = {skill: sum(chances) / len(chances) for skill, chances in by_skill.items()}
    low, high = (
        sum(x * recalled.get(s, 0.0) + (1 - x * recalled.get(s, 0.0)) * c for s, c in cold.items()) / len(cold)
        for x in TRANSFER_RANGE
    )
    item_mean = sum(now.cold_chance(s) for s in own) / len(own)
    return item_mean, low, high, sum(recalled.get(skill, 0.0) for skill in cold) / len(cold)


def _readiness(topic: str, count: int, figures: Sequence[float], met: int, skills: int) -> Readiness:
    middle, low, high, held = figures
    if count < MIN_FIRST_ATTEMPTS:
        return Readiness(topic, count, None, None, met, skills)
    spread = HALF_INTERVAL_DEVIATIONS * math.sqrt(middle * (1 - middle) / (count + PRIOR_ATTEMPTS))
    cold = (max(0.0, middle - spread), middle, min(1.0, middle + spread))
    day = (
        max(0.0, low - spread * (1 - TRANSFER_RANGE[0] * held)),
        min(1.0, high + spread * (1 - TRANSFER_RANGE[1] * held)),
    )
    return Readiness(topic, count, cold, day, met, skills)
