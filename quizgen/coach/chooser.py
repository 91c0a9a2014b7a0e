"""The items for the next minutes: those with the largest gain per minute, by skill.

A greedy choice, made anew from the logs each day, so that a missed day leaves no backlog. `tests/bench/bench_coach.py`
compares its simulated gain with that of other rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from quizgen.coach.plan import heaviest_topics, interview_selection
from quizgen.coach.standing import AGAIN, HARD, KnownItem, Standing, StudyItem, recall_probability

MIN_TEXT_SHARE = 0.4  # least share of the time for text items: choosing by value per minute favours short ones
MAX_TOPIC_SHARE = 0.15  # largest share of the time for one topic while others remain: practice mixes topics
SKILL_REST_DAYS = 2  # days before a skill is practised again
TOPIC_GROWTH = 0.05  # growth of a topic through practice, apart from the skill itself
WEEKDAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")  # of an ordinal day, which is 1 on a Monday
LAST_DAY_MINUTES = 20  # largest number of minutes on the day before the interview


@dataclass(frozen=True, slots=True)
class Choice:
    """An item for today. `lane` is new, back, fragile, fading or sealed; `reason` is one line; `seconds` is the
    expected time, including reading the solution."""

    item: str
    lane: str
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Aim:
    """Today, the day of the interview, the weight of each topic (1 if absent), the sealed items, and the items that the
    candidate never wants again."""

    today: int
    interview: int
    weights: Mapping[str, float]
    sealed: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()

    def weight(self, topic: str) -> float:
        return self.weights.get(topic, 1.0)


def practice_choices(now: Standing, aim: Aim, seconds: float, spread: bool = False) -> list[Choice]:
    """The items of a practice day; if possible, neighbours are on different topics. With `spread`, no topic gets a
    second item before each has one."""
    order = _items_by_gain(now, aim)
    taken: list[Choice] = []
    spent = 0.0
    while spent < seconds:
        free = _next_items(order, taken, now, seconds, spread)
        if not free:
            break
        taken.append(_choice_of_item(free[0], now, aim))
        spent += taken[-1].seconds
        order.remove(free[0])
    return _topics_interleaved(taken, now)


def interview_choices(now: Standing, aim: Aim, seconds: float) -> list[Choice]:
    """The items of a day under interview conditions, in the shape of an interview."""
    order = [now.subjects[name] for name in _items_by_gain(now, aim)]
    selected = interview_selection(
        order, heaviest_topics(aim.weights), seconds, lambda s: item_seconds(s, s.id in now.known)
    )
    return _topics_interleaved([_choice_of_item(subject.id, now, aim) for subject in selected], now)


def _items_by_gain(now: Standing, aim: Aim) -> list[str]:
    """The ids of items that may be asked, the largest gain first. An item that was seen waits until all items of its
    skill were seen."""
    worth = _worth_per_minute(now, aim)
    unmet = {now.subjects[n].skill for n in worth if n not in now.known}
    order = sorted(worth, key=lambda name: (-worth[name], name))
    return [n for n in order if n not in now.known or now.subjects[n].skill not in unmet]


def _next_items(order: list[str], taken: list[Choice], now: Standing, seconds: float, spread: bool) -> list[str]:
    """The items of `order` that may follow the `taken` ones, the best first."""
    subjects = [now.subjects[choice.item] for choice in taken]
    used = {subject.skill for subject in subjects}
    free = [n for n in order if now.subjects[n].skill not in used]
    if _seconds_by(taken, now, "kind").get("text", 0.0) < MIN_TEXT_SHARE * sum(c.seconds for c in taken):
        free = [n for n in free if now.subjects[n].kind == "text"] or free
    # No topic takes a whole session while others remain.
    spent = _seconds_by(taken, now, "topic")
    free = [n for n in free if spent.get(now.subjects[n].topic, 0.0) < MAX_TOPIC_SHARE * seconds] or free
    if spread:
        times = Counter(subject.topic for subject in subjects)
        free.sort(key=lambda n: times[now.subjects[n].topic])
    return free


def _seconds_by(taken: list[Choice], now: Standing, field: str) -> dict[str, float]:
    """The seconds of the taken items, by topic or kind (the `field`)."""
    spent: dict[str, float] = {}
    for choice in taken:
        name = getattr(now.subjects[choice.item], field)
        spent[name] = spent.get(name, 0.0) + choice.seconds
    return spent


def all_choices(now: Standing, aim: Aim) -> list[Choice]:
    """Every item, with today's reason."""
    sealed = {c.item: c for c in rehearsal_choices(now, aim)}
    return [sealed.get(name) or _choice_of_item(name, now, aim) for name in now.subjects]


def last_day_choices(now: Standing, aim: Aim, seconds: float) -> list[Choice]:
    """The items for the day before the interview, only a few: errors made with confidence first, then other errors."""
    worth = _worth_per_minute(now, aim)
    missed = [n for n, one in now.known.items() if one.rating == AGAIN and n in worth]
    order = sorted(missed, key=lambda n: (not (now.known[n].last.missed and now.known[n].last.sure), -worth[n], n))
    taken: list[Choice] = []
    for one in (_choice_of_item(name, now, aim) for name in order):
        if sum(c.seconds for c in taken) + one.seconds <= min(seconds, LAST_DAY_MINUTES * 60):
            taken.append(one)
    return taken


def rehearsal_choices(now: Standing, aim: Aim) -> list[Choice]:
    """The sealed items, in an order that mixes their topics."""
    names = sorted(n for n in aim.sealed - aim.left_out if n in now.subjects)
    made = [Choice(n, "sealed", "sealed: kept unseen for this rehearsal", now.subjects[n].seconds) for n in names]
    return _topics_interleaved(made, now)


def item_seconds(subject: StudyItem, met: bool) -> float:
    """The seconds that an item takes, including its solution. Most items take less than their budget, and less still if
    seen before."""
    return subject.seconds * 0.85 * (0.7 if met else 1.0) + 15 + 0.12 * subject.seconds


def _worth_per_minute(now: Standing, aim: Aim) -> dict[str, float]:
    """The gain per minute of each item that may be asked: (weight of its topic / number of its skills) * what the item
    adds to the recall of its skill * the part that is still unknown."""
    carried = now.recall_by_skill(aim.interview)
    lately = {now.subjects[n].skill: 0 for n in now.known}
    for name, one in now.known.items():
        lately[now.subjects[name].skill] = max(one.last.day, lately[now.subjects[name].skill])
    rest = SKILL_REST_DAYS if aim.interview - aim.today > 1 else 0
    resting = {skill for skill, day in lately.items() if aim.today - day < rest}
    worth = {}
    for name, subject in now.subjects.items():
        met = now.known.get(name)
        if (
            name in aim.sealed
            or name in aim.left_out
            or subject.skill in resting
            or (met is not None and met.last.day >= aim.today)
        ):
            continue
        e = carried.get(subject.skill, 0.0)
        gain = (max(0.0, subject.transfer_share - e) * (1 - now.cold_chance(subject)) + TOPIC_GROWTH) * (1 - e)
        fresh = 1.0 if met is None else 0.9
        weight = aim.weight(subject.topic) / now.skill_counts[subject.topic]
        worth[name] = weight * gain * fresh / item_seconds(subject, met is not None)
    return worth


def _topics_interleaved(taken: Sequence[Choice], now: Standing) -> list[Choice]:
    """The items in nearly the same order; if possible, neighbours are on different topics."""
    left, made = list(taken), list[Choice]()
    while left:
        last = now.subjects[made[-1].item].topic if made else ""
        made.append(next((c for c in left if now.subjects[c.item].topic != last), left[0]))
        left.remove(made[-1])
    return made


def _choice_of_item(name: str, now: Standing, aim: Aim) -> Choice:
    subject, one = now.subjects[name], now.known.get(name)
    lane, reason = _lane_and_reason(one, aim) if one is not None else ("new", _new_item_reason(subject, now, aim))
    return Choice(name, lane, f"{lane}: {reason}", item_seconds(subject, one is not None))


def _new_item_reason(subject: StudyItem, now: Standing, aim: Aim) -> str:
    siblings = [one for n, one in now.known.items() if now.subjects[n].skill == subject.skill]
    if siblings:
        last = max(siblings, key=lambda one: one.last.day)
        how = "missed" if last.rating == AGAIN else "right"
        return f"another item of {subject.skill}, {how} {day_in_words(last.last.day, aim.today)}"
    topics = {s.topic for s in now.subjects.values()}
    share = aim.weight(subject.topic) / sum(aim.weight(t) for t in topics)
    met = f"{now.skills_met(subject.topic)} of {now.skill_counts[subject.topic]} skills met"
    return f"{subject.topic}, {round(share * 100)} % of your plan, {met}"


def _lane_and_reason(one: KnownItem, aim: Aim) -> tuple[str, str]:
    look = one.last
    left = f"{round(recall_probability(one.trace, aim.interview) * 100)} % on the day"
    day = day_in_words(look.day, aim.today)
    if look.missed:
        what = "missed" if look.given else "left without a response"
        return "back", f"{what} {day}{f' though sure ({look.confidence})' if look.sure and look.given else ''}; {left}"
    if look.lucky:
        return "fragile", f"right at sure 1 {day}; a guess is right one time in {round(1 / look.guess)}"
    if one.rating == HARD:
        why = (
            "only after a probe" if look.unaided < look.share and look.unaided < 0.6
            else f"with {look.hints} hints" if look.hints >= 2
            else f"at sure {look.confidence}" if (look.confidence or 3) <= 2
            else "in part"
        )  # fmt: skip
        return "fragile", f"right {why} {day}; {left}"
    return "fading", f"right {day}, {left}"


def day_in_words(day: int, today: int) -> str:
    """A day in words, such as `yesterday`, `on Tue` or `9 days ago`."""
    gap = today - day
    if gap <= 1:
        return "yesterday" if gap == 1 else "today"
    return f"on {WEEKDAYS[day % 7]}" if gap < 7 else f"{gap} days ago"


def lane_counts(choices: Collection[Choice]) -> str:
    """The number of items by lane, such as `12 new, 5 back, 2 fading`."""
    names = dict.fromkeys(c.lane for c in sorted(choices, key=lambda c: c.lane != "new"))
    return ", ".join(f"{sum(c.lane == name for c in choices)} {name}" for name in names)
