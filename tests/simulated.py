"""Learners that forget, guess and carry what they know from one item to the next, and rules that choose for them.

Truth: an FSRS-6 trace an item (its strength scaled by learner), items of one skill that help each other, an
ability by topic that grows with practice, guesses, slips, texts that are right in part. A rule sees scores and
confidences alone and believes the default parameters; the last one, `knows`, sees the truth. What counts is the
chance to know a new item of each skill on the day, topics alike. All numbers here are assumptions, named so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import shipped

from quizgen.coach import plan as study_plan
from quizgen.coach import standing
from quizgen.coach.plan import StudyAim, StudyPlan

GROWTH, SLOWER = 0.08, 12.0  # logits of ability by practice, and after how many items it levels off
SLIP, GUESS, LUCK = 0.08, 0.28, 0.03  # a number spoilt; a choice and a number right without knowing
TEXT_PARTS = 4
CARRIED_BY_KIND = {"choice": 0.7, "numeric": 1.0, "text": 1.3}
SEED = 1000  # the rule was made on other learners


@dataclass(frozen=True)
class World:
    """How learners differ from what is believed of them. `wrong`: the share of skill tags that are wrong."""

    days: int = 10
    minutes: int = 45
    strength: float = 1.0
    carried: float = 0.6
    ability: float = -0.3
    wrong: float = 0.0
    missed: float = 0.0


@lru_cache(maxsize=1)
def shape() -> tuple[standing.ItemTraits, ...]:
    """Topics, kinds, difficulties and budgets of the bank that ships; skills are made up anew for each learner."""
    return tuple(standing.traits_of_item(i) for i in shipped.bank().items.values() if i.status == "active")


class Learner:
    """One learner: what is true of each item, and what practice makes of it."""

    def __init__(self, seed: int, world: World) -> None:
        self.rng = rng = np.random.default_rng(seed)
        self.world, self.items = world, shape()
        n = len(self.items)
        topics = sorted({s.topic for s in self.items})
        self.topic = np.array([topics.index(s.topic) for s in self.items])
        self.kind = np.array([s.kind for s in self.items])
        self.seconds = np.array([s.time_budget_seconds for s in self.items], float)
        hard = np.array([s.difficulty for s in self.items])
        self.b = 0.6 * (hard - 2.5) + rng.normal(0, 0.6, n)
        self.theta = rng.normal(world.ability, 0.6) + rng.normal(0, 0.9, len(topics))
        self.skill = np.zeros(n, int)  # pairs of a topic with near difficulties
        count = 0
        for t in range(len(topics)):
            own = np.where(self.topic == t)[0]
            own = own[np.argsort(hard[own] + rng.random(len(own)))]
            self.skill[own] = count + np.arange(len(own)) // 2
            count = int(self.skill.max()) + 1
        self.topic_of = np.zeros(count, int)
        self.topic_of[self.skill] = self.topic
        self.skill_b = np.bincount(self.skill, self.b) / np.bincount(self.skill)
        tags = self.skill.copy()
        for t in range(len(topics)):
            own = np.where((self.topic == t) & (rng.random(n) < world.wrong))[0]
            tags[own] = rng.permutation(tags[own])
        named = [replace(s, skill=f"{s.topic}-{tags[i]}") for i, s in enumerate(self.items)]
        self.subjects = {s.id: s for s in named}
        weight = np.array([CARRIED_BY_KIND[kind] for kind in self.kind])
        self.carries = np.minimum(0.95, world.carried * weight)
        self.strength = world.strength * np.exp(rng.normal(0, 0.4))
        self.traces: dict[int, standing.MemoryState] = {}
        self.stability, self.last = np.zeros(n), np.zeros(n)
        self.practised = np.zeros(len(topics))

    def recall(self, day: int) -> np.ndarray:
        met = self.stability > 0
        t = np.maximum(day - self.last, 0) / np.where(met, self.stability, 1)
        return np.where(met, (1 + standing.FSRS_FORGETTING_FACTOR * t) ** -standing.FSRS_PARAMETERS[20], 0.0)

    def able(self) -> np.ndarray:
        return self.theta + GROWTH * SLOWER * (1 - np.exp(-self.practised / SLOWER))

    def carried(self, recall: np.ndarray) -> np.ndarray:
        best = np.zeros(len(self.skill_b))
        np.maximum.at(best, self.skill, self.carries * recall)
        return best

    def knows(self, day: int) -> np.ndarray:
        recall = self.recall(day)
        e = np.maximum(recall, self.carried(recall)[self.skill])
        return e + (1 - e) / (1 + np.exp(self.b - self.able()[self.topic]))

    def interview(self, day: int) -> float:
        e = self.carried(self.recall(day))
        k = e + (1 - e) / (1 + np.exp(self.skill_b - self.able()[self.topic_of]))
        return float(np.mean(np.bincount(self.topic_of, k) / np.bincount(self.topic_of)))

    def answer(self, i: int, day: int) -> tuple[standing.ItemAttempt, float]:
        """A look and the seconds it took; the solution is read, so that practice leaves a trace."""
        rng, k, kind = self.rng, float(self.knows(day)[i]), self.kind[i]
        if kind == "text":
            share = rng.binomial(TEXT_PARTS, k) / TEXT_PARTS
            knew = share >= 0.6
        else:
            knew = rng.random() < k
            luck = GUESS if kind == "choice" else LUCK
            share = float(rng.random() < (1 - SLIP * (kind == "numeric")) if knew else rng.random() < luck)
        sure = int(np.clip(round(rng.normal(4.0 if knew else 2.2, 0.9)), 1, 5))
        met = i in self.traces
        seconds = self.seconds[i] * rng.uniform(0.6, 1.1) * (0.7 if met else 1)
        seconds += 12 if share >= 0.8 else 20 + 0.25 * self.seconds[i]
        trace = standing.memory_state_after_attempt(
            self.traces.get(i), (standing.GOOD if share >= 0.9 else standing.HARD) if knew else standing.AGAIN, day
        )
        if not met:
            trace = replace(trace, stability_days=trace.stability_days * self.strength)
        self.traces[i] = trace
        self.stability[i], self.last[i] = trace.stability_days, day
        self.practised[self.topic[i]] += 0.3 if met else 1
        guess = 0.25 if kind == "choice" else 0.0
        return standing.ItemAttempt(self.items[i].id, day, share, share, sure, guess_probability=guess), seconds


# A rule: (learner, looks so far, day) -> the items of the day in order, as places in the bank.
Rule = Callable[[Learner, list[standing.ItemAttempt], int, np.random.Generator], list[int]]


def places(learner: Learner) -> Mapping[str, int]:
    return {s.id: i for i, s in enumerate(learner.items)}


def coach(learner: Learner, looks: list[standing.ItemAttempt], day: int, rng: np.random.Generator) -> list[int]:
    """Days of practice, and every third in the shape of an interview, as a plan has them."""
    aim, at = StudyAim(day, learner.world.days, {}), places(learner)
    purpose = StudyPlan("", learner.world.days, learner.world.minutes).day_purpose_name(day, len(looks))
    choose = study_plan.choose_interview_items if purpose == "mock" else study_plan.choose_practice_items
    # A quarter more than fits: it goes on where an evening is fast.
    made = choose(standing.standing_from_attempts(learner.subjects, looks), aim, learner.world.minutes * 75)
    return [at[c.item_id] for c in made]


def mock(learner: Learner, looks: list[standing.ItemAttempt], day: int, rng: np.random.Generator) -> list[int]:
    """What a new session does: what was not shown lately comes first."""
    last = np.full(len(learner.items), -1e3)
    at = places(learner)
    for look in looks:
        last[at[look.item_id]] = look.day_ordinal
    return [int(i) for i in np.lexsort((rng.random(len(last)), last))]


def due(learner: Learner, looks: list[standing.ItemAttempt], day: int, rng: np.random.Generator) -> list[int]:
    """Spaced repetition as usual: what is due at 90 % comes first, then new items as they come."""
    found = standing.standing_from_attempts(learner.subjects, looks).seen_item_by_id
    at = places(learner)
    states = {at[name]: one.memory_state for name, one in found.items()}
    ages = {i: (day - state.last_attempt_day_ordinal) / state.stability_days for i, state in states.items()}
    r = {i: (1 + standing.FSRS_FORGETTING_FACTOR * age) ** -standing.FSRS_PARAMETERS[20] for i, age in ages.items()}
    back = sorted((i for i in r if r[i] <= 0.9), key=lambda i: r[i])
    new = [int(i) for i in rng.permutation(len(learner.items)) if i not in r]
    return [*back, *new]


RULES: dict[str, Rule] = {"due": due, "mock": mock, "coach": coach}


@lru_cache(maxsize=100_000)
def stability_after(trace: standing.MemoryState, rating: int, day: int) -> float:
    return standing.memory_state_after_attempt(trace, rating, day).stability_days


def best_next(learner: Learner, day: int, done: set[int]) -> int:
    """The place that the truth says gains most a minute: its trace after an answer, at the interview."""
    world = learner.world
    r = learner.recall(world.days)
    best = learner.carried(r)
    open_ = 1 - 1 / (1 + np.exp(learner.skill_b - learner.able()[learner.topic_of]))
    share = open_ / np.bincount(learner.topic_of)[learner.topic_of]
    k = learner.knows(day)
    cost = learner.seconds * 0.85 * np.where(learner.stability > 0, 0.7, 1) + 15 + 0.12 * learner.seconds
    up, down = (
        np.full(len(k), standing.FSRS_PARAMETERS[rating - 1] * learner.strength)
        for rating in (standing.GOOD, standing.AGAIN)
    )
    for i, before in learner.traces.items():
        if i not in done:
            up[i], down[i] = stability_after(before, standing.GOOD, day), stability_after(before, standing.AGAIN, day)
    up, down = (
        (1 + standing.FSRS_FORGETTING_FACTOR * (world.days - day) / after) ** -standing.FSRS_PARAMETERS[20]
        for after in (up, down)
    )
    held = best[learner.skill]
    then = k * np.maximum(held, learner.carries * up) + (1 - k) * np.maximum(held, learner.carries * down)
    growth = GROWTH * np.exp(-learner.practised / SLOWER)[learner.topic] * 0.2 * (1 - held)
    value = ((then - held) * share[learner.skill] + growth * np.where(learner.stability > 0, 0.3, 1)) / cost
    value[list(done)] = -1
    return int(np.argmax(value))


def gain(name: str, seed: int, world: World) -> float:
    """Points gained in knowing a new item on the day, 0 to 100, by one learner under one rule."""
    learner = Learner(seed, world)
    rng, absent = np.random.default_rng(seed + 10_000), np.random.default_rng(seed + 5)
    before = learner.interview(0)
    looks: list[standing.ItemAttempt] = []
    for day in range(world.days):
        if absent.random() < world.missed:
            continue
        left, done = world.minutes * 60.0, set[int]()
        order = iter(RULES[name](learner, looks, day, rng)) if name != "knows" else None
        while left > 0:
            i = next(order, None) if order is not None else best_next(learner, day, done)
            if i is None or len(done) == len(learner.items):
                break
            # As the rule, so the learner: an item once a day.
            look, seconds = learner.answer(i, day)
            looks.append(look)
            done.add(i)
            left -= seconds
    return 100 * (learner.interview(world.days) - before)


def gains(name: str, world: World, learners: int) -> np.ndarray:
    return np.array([gain(name, seed, world) for seed in range(SEED, SEED + learners)])
