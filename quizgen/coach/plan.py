"""A plan for the days until an interview: its date, the minutes for each day, and the purpose of each day.

The work of a day is chosen from the logs; the plan does not record what was done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from quizgen.coach.standing import StudyItem

MAX_INTERVIEW_ITEMS_PER_TOPIC = 2  # items of one topic in an interview
MAX_HEAVY_TOPICS, MIN_NUMERIC_ITEMS, MAX_CHOICE_ITEMS = 3, 3, 6  # topics and derivations at least, choices at most
BANK_ITEMS_PER_SEALED_ITEM = 10  # at most one item in this many is sealed
DAYS_BETWEEN_MOCK_INTERVIEWS = 3
MIN_PRACTICE_DAYS_BEFORE_REHEARSAL = 2  # days of practice needed before a rehearsal means anything

DESCRIPTION_BY_DAY_PURPOSE = {
    "scout": "a first look at every topic that fits: where you stand",
    "practice": "what you probably would not know on the day, most useful per minute first; solutions at once",
    "mock": "an interview: a design, texts, derivations, a few choices; no pause, nothing revealed before the end",
    "rehearsal": "items kept unseen, by interview rules: the honest figure",
    "last": "at most 20 minutes: what you missed although you were sure",
    "rest": "nothing: you keep it free",
    "interview": "the interview",
}


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """`interview_day` and `rest_days` are ordinal days, a topic without a weight weighs 1. `sealed_item_ids` are not
    asked before the rehearsal."""

    bank_name: str
    interview_day: int
    minutes_per_day: int
    topic_weights: Mapping[str, float] = field(default_factory=dict)
    rest_days: frozenset[int] = frozenset()
    sealed_item_ids: tuple[str, ...] = ()

    @property
    def rehearsal_day(self) -> int:
        """The day of the rehearsal: two days before the interview, or the last working day before that."""
        return next(d for d in range(self.interview_day - 2, self.interview_day - 400, -1) if d not in self.rest_days)

    def day_purpose(self, day: int, past_practice_day_count: int) -> str:
        """The purpose of a day that comes after `past_practice_day_count` days of practice; empty once the interview is
        over."""
        if day >= self.interview_day:
            return "interview" if day == self.interview_day else ""
        if day in self.rest_days:
            return "rest"
        if past_practice_day_count == 0:
            return "scout"
        if day == self.rehearsal_day and past_practice_day_count >= MIN_PRACTICE_DAYS_BEFORE_REHEARSAL:
            return "rehearsal"
        if day == self.interview_day - 1:
            return "last"
        days_to_rehearsal = self.rehearsal_day - day
        is_strict = days_to_rehearsal > 0 and days_to_rehearsal % DAYS_BETWEEN_MOCK_INTERVIEWS == 0
        return "mock" if is_strict else "practice"

    def day_purposes(self, today: int, past_practice_day_count: int) -> list[tuple[int, str]]:
        """Every day from today to the interview with its purpose, provided that no day is missed."""
        made = []
        for day in range(today, self.interview_day + 1):
            made.append((day, self.day_purpose(day, past_practice_day_count)))
            past_practice_day_count += made[-1][1] not in ("rest", "interview")
        return made


def choose_items_to_seal(
    items: Mapping[str, StudyItem], seen_item_ids: Iterable[str], interview_day: int, rehearsal_minutes: int,
    topic_weights: Mapping[str, float],
) -> tuple[str, ...]:  # fmt: skip
    """The items kept for the rehearsal: never seen, in the shape of an interview, as many as fit into
    `rehearsal_minutes`.

    The choice depends only on names, weights and the date, so that a new plan seals the same items."""
    before = set(seen_item_ids)
    order = [s for s in items.values() if s.id not in before]
    order.sort(key=lambda s: blake2b(f"{interview_day}:{s.id}".encode(), digest_size=8).digest())
    order.sort(key=lambda s: -topic_weights.get(s.topic, 1.0))
    taken = select_interview_items(
        order, heaviest_topics(topic_weights), rehearsal_minutes * 60.0, lambda s: s.time_budget_seconds
    )
    return tuple(sorted(s.id for s in taken[: len(items) // BANK_ITEMS_PER_SEALED_ITEM]))


def heaviest_topics(topic_weights: Mapping[str, float]) -> tuple[str, ...]:
    """The topics that an interview certainly has: those with the largest weights above 1, at most three."""
    heavy = (topic for topic, weight in topic_weights.items() if weight > 1)
    return tuple(sorted(heavy, key=lambda t: (-topic_weights[t], t))[:MAX_HEAVY_TOPICS])


def select_interview_items(
    items_best_first: Sequence[StudyItem],
    required_topics: Sequence[str],
    available_seconds: float,
    expected_seconds: Callable[[StudyItem], float],
) -> list[StudyItem]:
    """An interview from `items_best_first`, which has the best first: a design, a text, an item of each of
    `required_topics`, and three derivations, then the next best; at most six choices (unless nothing else is left), two
    items per topic and one per skill. Leaves out items whose `expected_seconds` do not fit into `available_seconds`."""
    choices = MAX_CHOICE_ITEMS if any(s.kind != "choice" for s in items_best_first) else len(items_best_first)
    taken: list[StudyItem] = []

    def take(fits: Callable[[StudyItem], bool], wanted: int) -> None:
        for one in items_best_first:
            if sum(map(fits, taken)) >= wanted:
                return
            room = sum(map(expected_seconds, taken)) + expected_seconds(one) <= available_seconds
            same_topic = sum(t.topic == one.topic for t in taken) >= MAX_INTERVIEW_ITEMS_PER_TOPIC
            same_skill = any(t.skill == one.skill for t in taken)
            many = one.kind == "choice" and sum(t.kind == "choice" for t in taken) >= choices
            if fits(one) and room and not (same_topic or same_skill or many):
                taken.append(one)

    take(lambda s: s.asks_for_design and s.kind != "choice", 1)
    take(lambda s: s.kind == "text", 1)
    for topic in required_topics:
        take(lambda s: s.topic == topic, 1)  # noqa: B023  # called before the next topic
    take(lambda s: s.kind == "numeric", MIN_NUMERIC_ITEMS)
    take(lambda s: True, len(items_best_first))
    return taken
