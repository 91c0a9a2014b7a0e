"""Readiness by topic as two figures, never one: cold, and on the day of the interview.

Cold is the chance to know an item at first sight, from first attempts alone, so that drilling items cannot raise it.
The figure for the day adds what will be left of practice. It is a range: nobody knows how far practice carries over to
an interviewer's questions, and the rest is as uncertain as cold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quizgen.coach.standing import PRIOR_WEIGHT_IN_ATTEMPTS, Standing, recall_probability

MIN_FIRST_ATTEMPTS_FOR_ESTIMATE = 5  # first attempts needed before a figure is shown
Z_SCORE_OF_80_PERCENT_INTERVAL = 1.2816  # standard deviations in half of an 80 % interval
PRACTICE_TRANSFER_RANGE = (0.5, 1.0)  # least and greatest assumed transfer of practice


@dataclass(frozen=True, slots=True)
class TopicReadiness:
    """One topic. `unseen_item_success_range`, the chance to know an item at first sight, is (low, middle, high);
    `interview_day_success_range` is (low, high); both are None below `MIN_FIRST_ATTEMPTS_FOR_ESTIMATE`.
    `seen_skill_count` of the topic's `skill_count` skills were seen."""

    topic: str
    first_attempt_count: int
    unseen_item_success_range: tuple[float, float, float] | None
    interview_day_success_range: tuple[float, float] | None
    seen_skill_count: int
    skill_count: int


@dataclass(frozen=True, slots=True)
class ScoredSession:
    """One past session. `day` is its date in ISO 8601; a session that `is_timed` counts towards readiness."""

    day: str
    reached_item_count: int
    item_count: int
    points_share: float
    used_minutes: float
    is_timed: bool


@dataclass(frozen=True, slots=True)
class ReadinessByTopic:
    """All topics in order, and the total, in which each topic counts by its weight, seen or not."""

    topic_readiness: tuple[TopicReadiness, ...]
    overall_readiness: TopicReadiness

    @property
    def topics_to_practise_next(self) -> tuple[str, ...]:
        """At most three topics for the next session: those tested least, then the weakest."""

        def rank(row: TopicReadiness) -> tuple[bool, float, str]:
            tested = row.unseen_item_success_range
            return tested is not None, tested[0] if tested else row.first_attempt_count, row.topic

        return tuple(row.topic for row in sorted(self.topic_readiness, key=rank)[:3])


def readiness_by_topic(standing: Standing, interview_day: int, topic_weights: Mapping[str, float]) -> ReadinessByTopic:
    """The readiness now, and on the day of the interview (an ordinal day)."""
    recalled: dict[str, float] = {}
    for name, one in standing.seen_item_by_id.items():
        skill = standing.item_by_id[name].skill
        recalled[skill] = max(recall_probability(one.memory_state, interview_day), recalled.get(skill, 0.0))
    figures = {topic: _topic_mean_chances(topic, standing, recalled) for topic in sorted(standing.ability_by_topic)}
    share = {t: topic_weights.get(t, 1.0) for t in figures}
    total = sum(share.values())
    mean = [sum(share[t] * f[n] for t, f in figures.items()) / total for n in range(4)]
    attempts = {t: len(standing.first_attempts_by_topic[t]) for t in figures}
    seen, skills = {t: standing.seen_skill_count(t) for t in figures}, standing.skill_count_by_topic
    return ReadinessByTopic(
        tuple(_topic_readiness(t, attempts[t], figures[t], seen[t], skills[t]) for t in figures),
        _topic_readiness("all topics", sum(attempts.values()), mean, sum(seen.values()), sum(skills.values())),
    )


def _topic_mean_chances(
    topic: str, standing: Standing, recall_by_skill: Mapping[str, float]
) -> tuple[float, float, float, float]:
    """The mean chance to know an unseen item, over items; then, over skills, the low and the high mean chance on the
    interview day, and the mean recall."""
    own = [s for s in standing.item_by_id.values() if s.topic == topic]
    by_skill: dict[str, list[float]] = {}
    for subject in own:
        by_skill.setdefault(subject.skill, []).append(standing.unseen_success_probability(subject))
    cold = {skill: sum(chances) / len(chances) for skill, chances in by_skill.items()}
    recall = {skill: recall_by_skill.get(skill, 0.0) for skill in cold}
    low, high = (
        sum(x * recall[s] + (1 - x * recall[s]) * c for s, c in cold.items()) / len(cold)
        for x in PRACTICE_TRANSFER_RANGE
    )
    item_mean = sum(standing.unseen_success_probability(s) for s in own) / len(own)
    return item_mean, low, high, sum(recall.values()) / len(cold)


def _topic_readiness(
    topic: str, first_attempt_count: int, mean_chances: Sequence[float], seen_skill_count: int, skill_count: int
) -> TopicReadiness:
    middle, low, high, held = mean_chances
    if first_attempt_count < MIN_FIRST_ATTEMPTS_FOR_ESTIMATE:
        return TopicReadiness(topic, first_attempt_count, None, None, seen_skill_count, skill_count)
    variance = middle * (1 - middle) / (first_attempt_count + PRIOR_WEIGHT_IN_ATTEMPTS)
    spread = Z_SCORE_OF_80_PERCENT_INTERVAL * math.sqrt(variance)
    cold = (max(0.0, middle - spread), middle, min(1.0, middle + spread))
    day = (
        max(0.0, low - spread * (1 - PRACTICE_TRANSFER_RANGE[0] * held)),
        min(1.0, high + spread * (1 - PRACTICE_TRANSFER_RANGE[1] * held)),
    )
    return TopicReadiness(topic, first_attempt_count, cold, day, seen_skill_count, skill_count)
