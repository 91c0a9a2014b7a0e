"""A plan for the days until an interview: its date, the minutes for each day, and the purpose of each day; and the
items for the next minutes: those with the largest gain per minute, by skill.

The plan does not record what was done. The items are a greedy choice, made anew from the logs each day, so that a
missed day leaves no backlog. `tests/bench/bench_coach.py` compares its simulated gain with that of other rules."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from quizgen.coach.standing import AGAIN, HARD, ItemTraits, SeenItem, Standing, recall_probability

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
    """`interview_day_ordinal` and `rest_day_ordinals` are ordinal days, a topic without a weight weighs 1.
    `sealed_item_ids` are not asked before the rehearsal."""

    bank_name: str
    interview_day_ordinal: int
    minutes_per_day: int
    weight_by_topic: Mapping[str, float] = field(default_factory=dict)
    rest_day_ordinals: frozenset[int] = frozenset()
    sealed_item_ids: tuple[str, ...] = ()

    @property
    def rehearsal_day_ordinal(self) -> int:
        """The day of the rehearsal: two days before the interview, or the last working day before that if any."""
        last, first = self.interview_day_ordinal - 2, self.interview_day_ordinal - 400
        return next((d for d in range(last, first, -1) if d not in self.rest_day_ordinals), last)

    def day_purpose_name(self, day: int, past_practice_day_count: int) -> str:
        """The purpose of a day that comes after `past_practice_day_count` days of practice; empty once the interview is
        over."""
        if day >= self.interview_day_ordinal:
            return "interview" if day == self.interview_day_ordinal else ""
        if day in self.rest_day_ordinals:
            return "rest"
        if past_practice_day_count == 0:
            return "scout"
        if day == self.rehearsal_day_ordinal and past_practice_day_count >= MIN_PRACTICE_DAYS_BEFORE_REHEARSAL:
            return "rehearsal"
        if day == self.interview_day_ordinal - 1:
            return "last"
        days_to_rehearsal = self.rehearsal_day_ordinal - day
        return "mock" if days_to_rehearsal > 0 and days_to_rehearsal % DAYS_BETWEEN_MOCK_INTERVIEWS == 0 else "practice"

    def days_and_purposes(self, today: int, past_practice_day_count: int) -> list[tuple[int, str]]:
        """Every day from today to the interview with its purpose, provided that no day is missed."""
        schedule = []
        for day in range(today, self.interview_day_ordinal + 1):
            schedule.append((day, self.day_purpose_name(day, past_practice_day_count)))
            past_practice_day_count += schedule[-1][1] not in ("rest", "interview")
        return schedule


def choose_item_ids_to_seal(
    items: Mapping[str, ItemTraits], seen_item_ids: Iterable[str], interview_day_ordinal: int, rehearsal_minutes: int,
    weight_by_topic: Mapping[str, float],
) -> tuple[str, ...]:  # fmt: skip
    """The items kept for the rehearsal: never seen, in the shape of an interview, as many as fit into
    `rehearsal_minutes`.

    The choice depends only on names, weights and the date, so that a new plan seals the same items."""
    order = [items[name] for name in items.keys() - set(seen_item_ids)]
    order.sort(key=lambda s: blake2b(f"{interview_day_ordinal}:{s.id}".encode(), digest_size=8).digest())
    order.sort(key=lambda s: -weight_by_topic.get(s.topic, 1.0))
    seconds = rehearsal_minutes * 60.0
    interview_items = pick_items_in_interview_mix(order, weight_by_topic, seconds, lambda s: s.time_budget_seconds)
    return tuple(sorted(s.id for s in interview_items[: len(items) // BANK_ITEMS_PER_SEALED_ITEM]))


def pick_items_in_interview_mix(
    items_best_first: Sequence[ItemTraits],
    weight_by_topic: Mapping[str, float],
    available_seconds: float,
    expected_seconds: Callable[[ItemTraits], float],
) -> list[ItemTraits]:
    """An interview from `items_best_first`, which has the best first: a design, a text, an item of each of the three
    topics with the largest weights above 1 (an interview certainly has them), and three derivations, then the next
    best; at most six choices (unless nothing else is left), two items per topic and one per skill. Leaves out items
    whose `expected_seconds` do not fit into `available_seconds`."""
    max_choices = MAX_CHOICE_ITEMS if any(s.kind != "choice" for s in items_best_first) else len(items_best_first)
    interview_items: list[ItemTraits] = []

    def take(condition: Callable[[ItemTraits], bool], count: int) -> None:
        for item in items_best_first:
            if sum(map(condition, interview_items)) >= count:
                return
            fits_in_time = sum(map(expected_seconds, [*interview_items, item])) <= available_seconds
            same_topic = sum(t.topic == item.topic for t in interview_items) >= MAX_INTERVIEW_ITEMS_PER_TOPIC
            same_skill = any(t.skill == item.skill for t in interview_items)
            is_extra_choice = item.kind == "choice" and sum(t.kind == "choice" for t in interview_items) >= max_choices
            if condition(item) and fits_in_time and not (same_topic or same_skill or is_extra_choice):
                interview_items.append(item)

    take(lambda s: s.has_design_topic_or_difficulty and s.kind != "choice", 1)
    take(lambda s: s.kind == "text", 1)
    heavy_topics = (topic for topic, weight in weight_by_topic.items() if weight > 1)
    for topic in sorted(heavy_topics, key=lambda t: (-weight_by_topic[t], t))[:MAX_HEAVY_TOPICS]:
        take(lambda s: s.topic == topic, 1)  # noqa: B023  # called before the next topic
    take(lambda s: s.kind == "numeric", MIN_NUMERIC_ITEMS)
    take(lambda s: True, len(items_best_first))
    return interview_items


# -- the items of a day ----------------------------------------------------------------------

# The least share of the time for text items: choosing by value per minute favours short ones.
MIN_TEXT_ITEM_TIME_SHARE = 0.4
MAX_TOPIC_TIME_SHARE = 0.15  # largest share of the time for one topic while others remain: practice mixes topics
MIN_DAYS_BEFORE_SKILL_REPEAT = 2  # days before a skill is practised again
REST_OF_TOPIC_GAIN = 0.05  # growth of a topic through practice, apart from the skill itself
WEEKDAY_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")  # of an ordinal day, which is 1 on a Monday
MAX_LAST_DAY_MINUTES = 20  # largest number of minutes on the day before the interview


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """An item for today. `learning_state` is new, back, fragile, fading or sealed; `reason_with_state` is one line;
    `expected_total_seconds` is the expected time, including reading the solution."""

    item_id: str
    learning_state: str
    reason_with_state: str
    expected_total_seconds: float


@dataclass(frozen=True, slots=True)
class StudyAim:
    """Today, the day of the interview, the weight of each topic (1 if absent), the sealed items, and the items that the
    candidate never wants again."""

    today_ordinal: int
    interview_day_ordinal: int
    weight_by_topic: Mapping[str, float]
    sealed_item_ids: frozenset[str] = frozenset()
    never_ask_item_ids: frozenset[str] = frozenset()


def choose_practice_items(
    standing: Standing, aim: StudyAim, available_seconds: float, one_per_topic_first: bool = False
) -> list[PlannedItem]:
    """The items of a practice day; if possible, neighbours are on different topics. With `one_per_topic_first`, no
    topic gets a second item before each has one."""
    order = _askable_items_best_first(standing, aim)
    planned_items: list[PlannedItem] = []
    spent_seconds = text_seconds = 0.0
    seconds_by_topic, count_by_topic, skills = defaultdict[str, float](float), Counter[str](), set[str]()
    while spent_seconds < available_seconds:
        items = [item for item in order if item.skill not in skills]
        if text_seconds < MIN_TEXT_ITEM_TIME_SHARE * spent_seconds:
            items = [item for item in items if item.kind == "text"] or items
        # No topic takes a whole session while others remain.
        max_topic_seconds = MAX_TOPIC_TIME_SHARE * available_seconds
        items = [item for item in items if seconds_by_topic[item.topic] < max_topic_seconds] or items
        if not items:
            break
        next_item = min(items, key=lambda item: count_by_topic[item.topic]) if one_per_topic_first else items[0]
        planned_items.append(planned_item(next_item.id, standing, aim))
        seconds = planned_items[-1].expected_total_seconds
        spent_seconds += seconds
        text_seconds += seconds if next_item.kind == "text" else 0
        seconds_by_topic[next_item.topic] += seconds
        count_by_topic[next_item.topic] += 1
        skills.add(next_item.skill)
    return _interleave_topics(planned_items, standing)


def choose_interview_items(standing: Standing, aim: StudyAim, available_seconds: float) -> list[PlannedItem]:
    """The items of a day under interview conditions, in the shape of an interview."""
    items = pick_items_in_interview_mix(
        _askable_items_best_first(standing, aim),
        aim.weight_by_topic,
        available_seconds,
        lambda item: expected_item_seconds(item, item.id in standing.seen_item_by_id),
    )
    return _interleave_topics([planned_item(item.id, standing, aim) for item in items], standing)


def _askable_items_best_first(standing: Standing, aim: StudyAim) -> list[ItemTraits]:
    """The items that may be asked, the largest gain first. An item that was seen waits until all items of its skill
    were seen."""
    worth = _recall_gain_per_second_by_item_id(standing, aim)
    order = [standing.traits_by_id[name] for name in sorted(worth, key=lambda name: (-worth[name], name))]
    new_skills = {item.skill for item in order if item.id not in standing.seen_item_by_id}
    return [item for item in order if item.id not in standing.seen_item_by_id or item.skill not in new_skills]


def choose_last_day_items(standing: Standing, aim: StudyAim, available_seconds: float) -> list[PlannedItem]:
    """The items for the day before the interview, only a few: errors made with confidence first, then other errors."""
    worth = _recall_gain_per_second_by_item_id(standing, aim)
    seen_items = standing.seen_item_by_id.items()
    misses = {name: item.last_attempt for name, item in seen_items if item.last_fsrs_rating == AGAIN and name in worth}
    order = sorted(misses, key=lambda n: (not (misses[n].was_missed and misses[n].was_sure), -worth[n], n))
    remaining_seconds = min(available_seconds, MAX_LAST_DAY_MINUTES * 60)
    planned_items: list[PlannedItem] = []
    for item in (planned_item(name, standing, aim) for name in order):
        if item.expected_total_seconds <= remaining_seconds:
            planned_items.append(item)
            remaining_seconds -= item.expected_total_seconds
    return planned_items


def choose_rehearsal_items(standing: Standing, aim: StudyAim) -> list[PlannedItem]:
    """The sealed items, in an order that mixes their topics."""
    ids = sorted((aim.sealed_item_ids - aim.never_ask_item_ids) & standing.traits_by_id.keys())
    return _interleave_topics([planned_item(name, standing, aim) for name in ids], standing)


def expected_item_seconds(item: ItemTraits, was_seen: bool) -> float:
    """The seconds that an item takes, including its solution. Most items take less than their budget, and less still if
    seen before."""
    return item.time_budget_seconds * 0.85 * (0.7 if was_seen else 1.0) + 15 + 0.12 * item.time_budget_seconds


def _recall_gain_per_second_by_item_id(standing: Standing, aim: StudyAim) -> dict[str, float]:
    """The gain per second of each item that may be asked: (weight of its topic / number of its skills) * what the item
    adds to the recall of its skill * the part that is still unknown."""
    recall_by_skill: defaultdict[str, float] = defaultdict(float)  # the recall of a skill, from its best recalled item
    for name, seen_item in standing.seen_item_by_id.items():
        item = standing.traits_by_id[name]
        recall = item.recall_share_for_skill * recall_probability(seen_item.memory_state, aim.interview_day_ordinal)
        recall_by_skill[item.skill] = max(recall, recall_by_skill[item.skill])
    min_days = MIN_DAYS_BEFORE_SKILL_REPEAT if aim.interview_day_ordinal - aim.today_ordinal > 1 else 0
    last_days = {n: seen_item.last_attempt.day_ordinal for n, seen_item in standing.seen_item_by_id.items()}
    recent_ids = (n for n, day in last_days.items() if aim.today_ordinal - day < min_days)
    recent_skills = {standing.traits_by_id[n].skill for n in recent_ids}
    worth = {}
    for name, item in standing.traits_by_id.items():
        is_barred = name in aim.sealed_item_ids or name in aim.never_ask_item_ids or item.skill in recent_skills
        if is_barred or (name in last_days and last_days[name] >= aim.today_ordinal):
            continue
        recall = recall_by_skill[item.skill]
        learn_chance = 1 - standing.unseen_item_success_probability(item)
        gain = (max(0.0, item.recall_share_for_skill - recall) * learn_chance + REST_OF_TOPIC_GAIN) * (1 - recall)
        freshness = 0.9 if name in last_days else 1.0
        weight = aim.weight_by_topic.get(item.topic, 1.0) / standing.skill_count_by_topic[item.topic]
        worth[name] = weight * gain * freshness / expected_item_seconds(item, name in last_days)
    return worth


def _interleave_topics(chosen_items: Sequence[PlannedItem], standing: Standing) -> list[PlannedItem]:
    """The items in nearly the same order; if possible, neighbours are on different topics."""
    pool, order = list(chosen_items), list[PlannedItem]()
    while pool:
        last = standing.traits_by_id[order[-1].item_id].topic if order else ""
        order.append(next((c for c in pool if standing.traits_by_id[c.item_id].topic != last), pool[0]))
        pool.remove(order[-1])
    return order


def planned_item(item_id: str, standing: Standing, aim: StudyAim) -> PlannedItem:
    """The item with today's reason."""
    item, seen_item = standing.traits_by_id[item_id], standing.seen_item_by_id.get(item_id)
    siblings = [one for n, one in standing.seen_item_by_id.items() if standing.traits_by_id[n].skill == item.skill]
    if item_id in aim.sealed_item_ids - aim.never_ask_item_ids:
        state, reason = "sealed", "kept unseen for this rehearsal"
    elif seen_item is not None:
        state, reason = _seen_item_state_and_reason(seen_item, aim)
    elif siblings:
        last = max(siblings, key=lambda one: one.last_attempt.day_ordinal)
        result = "missed" if last.last_fsrs_rating == AGAIN else "right"
        day = past_day_text(last.last_attempt.day_ordinal, aim.today_ordinal)
        state, reason = "new", f"another item of {item.skill}, {result} {day}"
    else:
        weights = {s.topic: aim.weight_by_topic.get(s.topic, 1.0) for s in standing.traits_by_id.values()}
        share = weights[item.topic] / sum(weights.values())
        progress = f"{standing.seen_skill_count(item.topic)} of {standing.skill_count_by_topic[item.topic]} skills met"
        state, reason = "new", f"{item.topic}, {round(share * 100)} % of your plan, {progress}"
    return PlannedItem(item_id, state, f"{state}: {reason}", expected_item_seconds(item, seen_item is not None))


def _seen_item_state_and_reason(seen_item: SeenItem, aim: StudyAim) -> tuple[str, str]:
    attempt = seen_item.last_attempt
    recall_text = f"{round(recall_probability(seen_item.memory_state, aim.interview_day_ordinal) * 100)} % on the day"
    day = past_day_text(attempt.day_ordinal, aim.today_ordinal)
    if attempt.was_missed:
        result = "missed" if attempt.was_answered else "left without a response"
        was_sure = attempt.was_sure and attempt.was_answered
        confidence_text = f" though sure ({attempt.confidence_1_to_5})" if was_sure else ""
        return "back", f"{result} {day}{confidence_text}; {recall_text}"
    if attempt.is_lucky_guess:
        return "fragile", f"right at sure 1 {day}; a guess is right one time in {round(1 / attempt.guess_probability)}"
    if seen_item.last_fsrs_rating == HARD:
        share_before_probe = attempt.points_share_before_probe
        limitation = (
            "only after a follow-up" if share_before_probe < min(attempt.points_share, 0.6)
            else f"with {attempt.hint_count} hints" if attempt.hint_count >= 2
            else f"at sure {attempt.confidence_1_to_5}" if (attempt.confidence_1_to_5 or 3) <= 2
            else "in part"
        )  # fmt: skip
        return "fragile", f"right {limitation} {day}; {recall_text}"
    return "fading", f"right {day}, {recall_text}"


def past_day_text(day: int, today: int) -> str:
    """A day in words, such as `yesterday`, `on Tue` or `9 days ago`."""
    gap = today - day
    if gap <= 1:
        return "yesterday" if gap == 1 else "today"
    return f"on {WEEKDAY_NAMES[(day - 1) % 7]}" if gap < 7 else f"{gap} days ago"


def planned_item_state_counts_text(planned_items: Collection[PlannedItem]) -> str:
    """The number of items by state, such as `12 new, 5 back, 2 fading`."""
    counts = Counter(c.learning_state for c in sorted(planned_items, key=lambda c: c.learning_state != "new"))
    return ", ".join(f"{count} {name}" for name, count in counts.items())
