"""What a candidate knows of a bank: how much of past practice is probably still known, and readiness by topic.

Recall is that of FSRS-6 with its default parameters. The formulas and parameters are those of the package `fsrs` 6.3
(MIT); tests compare the two. Only recall is needed, never a due date, so the package with its schedules is not a
dependency.

Readiness is two figures, never one: cold, and on the day of the interview. Cold is the chance to know an item at first
sight, from first attempts alone, so that drilling items cannot raise it. The figure for the day adds what will be left
of practice. It is a range: nobody knows how far practice carries over to an interviewer's questions, and the rest is as
uncertain as cold."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quizgen.model import Item

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
FSRS_PARAMETERS = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
    1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
)  # fmt: skip
FSRS_FORGETTING_FACTOR = 0.9 ** (-1 / FSRS_PARAMETERS[20]) - 1
MIN_STABILITY_DAYS = 0.001  # days


@dataclass(frozen=True, slots=True)
class MemoryState:
    """The memory of an item: days until recall falls to 90 %, difficulty from 1 to 10, and the day of the last
    attempt."""

    stability_days: float
    recall_difficulty_1_to_10: float
    last_attempt_day_ordinal: int


def recall_probability(memory: MemoryState, day: int) -> float:
    """The chance to recall an item on a day."""
    decay = 1 + FSRS_FORGETTING_FACTOR * max(0, day - memory.last_attempt_day_ordinal) / memory.stability_days
    return float(decay ** -FSRS_PARAMETERS[20])


def memory_state_after_attempt(memory: MemoryState | None, rating: int, day: int) -> MemoryState:
    """The state of the memory after an attempt rated 1 (again) to 4 (easy), on a later day than the last."""
    w = FSRS_PARAMETERS
    if memory is None:
        stability, difficulty = w[rating - 1], _difficulty_after_first_rating(rating)
    else:
        s, d, r = memory.stability_days, memory.recall_difficulty_1_to_10, recall_probability(memory, day)
        if rating == AGAIN:
            stability_after_lapse = w[11] * d ** -w[12] * ((s + 1) ** w[13] - 1) * math.exp((1 - r) * w[14])
            stability = min(stability_after_lapse, s / math.exp(w[17] * w[18]))
        else:
            bonus = w[15] if rating == HARD else w[16] if rating == EASY else 1.0
            stability = s * (1 + math.exp(w[8]) * (11 - d) * s ** -w[9] * math.expm1((1 - r) * w[10]) * bonus)
        difficulty_before_reversion = d - w[6] * (rating - 3) * (10 - d) / 9
        difficulty = w[7] * _difficulty_after_first_rating(EASY) + (1 - w[7]) * difficulty_before_reversion
    return MemoryState(max(stability, MIN_STABILITY_DAYS), min(max(difficulty, 1.0), 10.0), day)


def _difficulty_after_first_rating(rating: int) -> float:
    """The difficulty of an item after a first attempt with this rating, not yet held between 1 and 10."""
    return FSRS_PARAMETERS[4] - math.exp(FSRS_PARAMETERS[5] * (rating - 1)) + 1


MIN_PASSED_POINTS_SHARE = 0.6  # share of the points below which an item was missed
MIN_SURE_CONFIDENCE = 4


@dataclass(frozen=True, slots=True)
class ItemAttempt:
    """One attempt at an item. `points_share` is the share of the points after the cost of hints,
    `points_share_before_probe` that before a probe, `guess_probability` the chance to be right without knowledge,
    `time_budget_multiple` the time as a multiple of the budget. `was_timed_without_help`: timed, without a hint or
    solution, so that a first attempt predicts an interview. `was_answered` is False if the item was skipped, left
    blank, or its solution was shown."""

    item_id: str
    day_ordinal: int
    points_share: float
    points_share_before_probe: float
    confidence_1_to_5: int | None = None
    hint_count: int = 0
    guess_probability: float = 0.0
    time_budget_multiple: float = 1.0
    was_over_time_budget: bool = False
    was_answered: bool = True
    was_timed_without_help: bool = True

    @property
    def is_lucky_guess(self) -> bool:
        """Whether the answer to a choice is right although the candidate called it a guess."""
        was_guess = self.confidence_1_to_5 == 1 and self.guess_probability > 0
        return was_guess and self.points_share >= MIN_PASSED_POINTS_SHARE

    @property
    def was_missed(self) -> bool:
        """Whether there was no answer, or one below `MIN_PASSED_POINTS_SHARE` of the points."""
        return not self.was_answered or self.points_share < MIN_PASSED_POINTS_SHARE

    @property
    def was_sure(self) -> bool:
        return (self.confidence_1_to_5 or 0) >= MIN_SURE_CONFIDENCE


def fsrs_rating_of_attempt(attempt: ItemAttempt) -> int:
    """The rating for FSRS, from 1 (again) to 4 (easy). A passed attempt is `again` only if it was a guess; a failed
    one always is."""
    if attempt.was_missed or attempt.is_lucky_guess:
        return AGAIN
    is_partial = attempt.points_share < 0.8 or attempt.points_share_before_probe < MIN_PASSED_POINTS_SHARE
    if is_partial or attempt.hint_count >= 2 or (attempt.confidence_1_to_5 or 3) <= 2:
        return HARD
    is_quick = attempt.time_budget_multiple <= 0.5 and not attempt.was_over_time_budget
    return EASY if attempt.points_share >= 0.95 and attempt.was_sure and not attempt.hint_count and is_quick else GOOD


@dataclass(frozen=True, slots=True)
class SeenItem:
    """An item that the candidate has met: the state of its memory, its first and its last attempt (one a day counts),
    and the FSRS rating of the last, 1 to 4."""

    memory_state: MemoryState
    first_attempt: ItemAttempt
    last_attempt: ItemAttempt
    last_fsrs_rating: int


def seen_item_by_id_of_attempts(attempts: Iterable[ItemAttempt]) -> dict[str, SeenItem]:
    """Every item that was attempted, by id. A second attempt on the same day is ignored, as it shows short-term
    memory."""
    seen_item_by_id: dict[str, SeenItem] = {}
    for attempt in sorted(attempts, key=lambda one: one.day_ordinal):
        item = seen_item_by_id.get(attempt.item_id)
        if item is not None and attempt.day_ordinal <= item.last_attempt.day_ordinal:
            continue
        rating = fsrs_rating_of_attempt(attempt)
        memory = memory_state_after_attempt(item.memory_state if item else None, rating, attempt.day_ordinal)
        seen_item_by_id[attempt.item_id] = SeenItem(memory, item.first_attempt if item else attempt, attempt, rating)
    return seen_item_by_id


LOGITS_PER_DIFFICULTY_LEVEL = 0.6  # logits between two levels of difficulty
MIDDLE_DIFFICULTY_LEVEL = 2.5  # difficulty at which ability equals the expected share
PRIOR_WEIGHT_IN_ATTEMPTS = 4.0  # weight of the candidate's own mean, in first attempts
SAME_SKILL_RECALL_SHARE = 0.6  # share of the recall of one item that carries over to others of its skill
# Recognising an answer carries over less than producing one.
SAME_SKILL_RECALL_FACTOR_BY_KIND = {"choice": 0.7, "numeric": 1.0, "text": 1.3}
MIN_DESIGN_TASK_DIFFICULTY = 5  # difficulty of a design task


@dataclass(frozen=True, slots=True)
class ItemTraits:
    """The facts about an item on which the choice depends."""

    id: str
    topic: str
    kind: str
    skill: str
    difficulty: float
    time_budget_seconds: float

    @property
    def has_design_topic_or_difficulty(self) -> bool:
        """Whether the item asks for the design of a system, by its topic or difficulty."""
        return "design" in self.topic or self.difficulty >= MIN_DESIGN_TASK_DIFFICULTY

    @property
    def recall_share_for_skill(self) -> float:
        """The share of the item's recall that helps with other items of its skill."""
        return SAME_SKILL_RECALL_SHARE * SAME_SKILL_RECALL_FACTOR_BY_KIND.get(self.kind, 1.0)


def traits_of_item(item: Item) -> ItemTraits:
    """The facts about an item, with usual values in place of a missing topic, skill or difficulty."""
    difficulty = float(item.difficulty or MIDDLE_DIFFICULTY_LEVEL)
    return ItemTraits(item.id, item.topic or "other", item.kind, item.skill or item.id, difficulty, item.seconds)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a candidate knows of a bank. `seen_item_by_id`: the items attempted so far. `ability_logit_by_topic`: the
    logit of the chance to know a new item of middle difficulty. `first_attempt_credits_and_difficulties_by_topic`: of
    first attempts that predict an interview, as (credit without luck, difficulty)."""

    traits_by_id: Mapping[str, ItemTraits]
    seen_item_by_id: Mapping[str, SeenItem]
    ability_logit_by_topic: Mapping[str, float]
    skill_count_by_topic: Mapping[str, int]
    first_attempt_credits_and_difficulties_by_topic: Mapping[str, tuple[tuple[float, float], ...]]

    def unseen_item_success_probability(self, item: ItemTraits) -> float:
        """The chance to know an item at first sight."""
        return success_probability(self.ability_logit_by_topic[item.topic], item.difficulty)

    def seen_skill_count(self, topic: str) -> int:
        """The number of a topic's skills that were practised."""
        return len({self.traits_by_id[n].skill for n in self.seen_item_by_id if self.traits_by_id[n].topic == topic})


def standing_from_attempts(items: Mapping[str, ItemTraits], attempts: Iterable[ItemAttempt]) -> Standing:
    """The standing from all attempts, except those at items that the bank no longer has."""
    seen_item_by_id = seen_item_by_id_of_attempts(look for look in attempts if look.item_id in items)
    pairs_by_topic: dict[str, list[tuple[float, float]]] = {s.topic: [] for s in items.values()}
    for name, seen_item in seen_item_by_id.items():
        first = seen_item.first_attempt
        if first.was_timed_without_help:
            credit = (first.points_share_before_probe - first.guess_probability) / (1 - first.guess_probability)
            pairs_by_topic[items[name].topic].append((max(0.0, credit), items[name].difficulty))
    overall = estimated_ability_logit([look for topic in pairs_by_topic.values() for look in topic], 0.5)
    mean = success_probability(overall, MIDDLE_DIFFICULTY_LEVEL)
    return Standing(
        items,
        seen_item_by_id,
        {topic: estimated_ability_logit(attempts, mean) for topic, attempts in pairs_by_topic.items()},
        Counter(topic for topic, _ in {(s.topic, s.skill) for s in items.values()}),
        {topic: tuple(attempts) for topic, attempts in pairs_by_topic.items()},
    )


def success_probability(ability_logit: float, difficulty: float) -> float:
    """The chance, from 0 to 1, to know an item of this difficulty (1 to 5) with an ability in logits."""
    return 1 / (1 + math.exp(LOGITS_PER_DIFFICULTY_LEVEL * (difficulty - MIDDLE_DIFFICULTY_LEVEL) - ability_logit))


def estimated_ability_logit(credit_difficulty_pairs: Sequence[tuple[float, float]], prior_points_share: float) -> float:
    """The logit at which the expected credit equals the credit earned. `credit_difficulty_pairs` are (credit,
    difficulty) pairs, to which `PRIOR_WEIGHT_IN_ATTEMPTS` attempts at middle difficulty with the credit
    `prior_points_share` are added."""
    earned_credit = sum(credit for credit, _ in credit_difficulty_pairs) + PRIOR_WEIGHT_IN_ATTEMPTS * prior_points_share
    counts = Counter(difficulty for _, difficulty in credit_difficulty_pairs)
    low, high = -8.0, 8.0
    for _ in range(40):  # to a precision of 16 / 2**40 logits
        middle = (low + high) / 2
        expected_credit = sum(n * success_probability(middle, d) for d, n in counts.items())
        expected_credit += PRIOR_WEIGHT_IN_ATTEMPTS * success_probability(middle, MIDDLE_DIFFICULTY_LEVEL)
        low, high = (middle, high) if expected_credit < earned_credit else (low, middle)
    return (low + high) / 2


# -- readiness by topic ----------------------------------------------------------------------

MIN_FIRST_ATTEMPTS_FOR_ESTIMATE = 5  # first attempts needed before a figure is shown
Z_SCORE_OF_80_PERCENT_INTERVAL = 1.2816  # standard deviations in half of an 80 % interval
PRACTICE_TRANSFER_SHARE_RANGE = (0.5, 1.0)  # least and greatest assumed transfer of practice


@dataclass(frozen=True, slots=True)
class TopicReadiness:
    """One topic. `unseen_item_success_low_mid_high`, the chance to know an item at first sight, is (low, middle, high);
    `interview_day_success_range` is (low, high); both are None below `MIN_FIRST_ATTEMPTS_FOR_ESTIMATE`.
    `seen_skill_count` of the topic's `skill_count` skills were seen."""

    topic: str
    first_attempt_count: int
    unseen_item_success_low_mid_high: tuple[float, float, float] | None
    interview_day_success_range: tuple[float, float] | None
    seen_skill_count: int
    skill_count: int


@dataclass(frozen=True, slots=True)
class PastSessionResult:
    """One past session, `iso_date` its date in ISO 8601; a session that `is_timed` counts towards readiness."""

    iso_date: str
    reached_item_count: int
    item_count: int
    points_share: float
    used_minutes: float
    is_timed: bool


@dataclass(frozen=True, slots=True)
class ReadinessByTopic:
    """All topics in order, and the total, in which each topic counts by its weight, seen or not."""

    topic_readiness_rows: tuple[TopicReadiness, ...]
    overall_readiness: TopicReadiness

    @property
    def up_to_three_topics_to_practise(self) -> tuple[str, ...]:
        """At most three topics for the next session: those tested least, then the weakest."""

        def rank(row: TopicReadiness) -> tuple[bool, float, str]:
            estimate = row.unseen_item_success_low_mid_high
            return estimate is not None, estimate[0] if estimate else row.first_attempt_count, row.topic

        return tuple(row.topic for row in sorted(self.topic_readiness_rows, key=rank)[:3])


def readiness_by_topic(
    standing: Standing, interview_day_ordinal: int, weight_by_topic: Mapping[str, float]
) -> ReadinessByTopic:
    """The readiness now, and on the day of the interview (an ordinal day)."""
    recalls: dict[str, float] = {}
    for name, seen_item in standing.seen_item_by_id.items():
        skill = standing.traits_by_id[name].skill
        recalls[skill] = max(recall_probability(seen_item.memory_state, interview_day_ordinal), recalls.get(skill, 0.0))
    figures = {t: _topic_unseen_low_high_recall(t, standing, recalls) for t in sorted(standing.ability_logit_by_topic)}
    share = {t: weight_by_topic.get(t, 1.0) for t in figures}
    mean = [sum(share[t] * f[n] for t, f in figures.items()) / sum(share.values()) for n in range(4)]
    attempts = {t: len(standing.first_attempt_credits_and_difficulties_by_topic[t]) for t in figures}
    seen_counts, skills = {t: standing.seen_skill_count(t) for t in figures}, standing.skill_count_by_topic
    return ReadinessByTopic(
        tuple(_topic_readiness(t, attempts[t], figures[t], seen_counts[t], skills[t]) for t in figures),
        _topic_readiness("all topics", sum(attempts.values()), mean, sum(seen_counts.values()), sum(skills.values())),
    )


def _topic_unseen_low_high_recall(
    topic: str, standing: Standing, recall_by_skill: Mapping[str, float]
) -> tuple[float, float, float, float]:
    """The mean chance to know an unseen item, over items; then, over skills, the low and the high mean chance on the
    interview day, and the mean recall."""
    topic_items = [s for s in standing.traits_by_id.values() if s.topic == topic]
    by_skill: dict[str, list[float]] = {}
    for subject in topic_items:
        by_skill.setdefault(subject.skill, []).append(standing.unseen_item_success_probability(subject))
    chance_by_skill = {skill: sum(chances) / len(chances) for skill, chances in by_skill.items()}
    recall = {skill: recall_by_skill.get(skill, 0.0) for skill in chance_by_skill}
    low, high = (
        sum(x * recall[s] + (1 - x * recall[s]) * c for s, c in chance_by_skill.items()) / len(chance_by_skill)
        for x in PRACTICE_TRANSFER_SHARE_RANGE
    )
    item_mean = sum(standing.unseen_item_success_probability(s) for s in topic_items) / len(topic_items)
    return item_mean, low, high, sum(recall.values()) / len(chance_by_skill)


def _topic_readiness(
    topic: str, first_attempt_count: int, mean_chances: Sequence[float], seen_skill_count: int, skill_count: int
) -> TopicReadiness:
    middle, low, high, recall = mean_chances
    if first_attempt_count < MIN_FIRST_ATTEMPTS_FOR_ESTIMATE:
        return TopicReadiness(topic, first_attempt_count, None, None, seen_skill_count, skill_count)
    variance = middle * (1 - middle) / (first_attempt_count + PRIOR_WEIGHT_IN_ATTEMPTS)
    spread = Z_SCORE_OF_80_PERCENT_INTERVAL * math.sqrt(variance)
    unseen_success_low_mid_high = (max(0.0, middle - spread), middle, min(1.0, middle + spread))
    spread_below, spread_above = (spread * (1 - transfer * recall) for transfer in PRACTICE_TRANSFER_SHARE_RANGE)
    day = (max(0.0, low - spread_below), min(1.0, high + spread_above))
    return TopicReadiness(topic, first_attempt_count, unseen_success_low_mid_high, day, seen_skill_count, skill_count)
