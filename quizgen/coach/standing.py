"""How much of past practice is probably still known: FSRS-6 with its default parameters.

The formulas and parameters are those of the package `fsrs` 6.3 (MIT); tests compare the two. Only recall is needed,
never a due date, so the package with its schedules is not a dependency."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from quizgen.model import Item

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
W = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
    1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
)  # fmt: skip
FORGETTING_FACTOR = 0.9 ** (-1 / W[20]) - 1
MIN_STABILITY_DAYS = 0.001  # days


@dataclass(frozen=True, slots=True)
class Trace:
    """The memory of an item: days until recall falls to 90 %, difficulty from 1 to 10, and the day of the last look."""

    stability: float
    difficulty: float
    day: int


def recall_probability(trace: Trace | None, day: int) -> float:
    """The chance to recall an item on a day; 0 for one that was never seen (None)."""
    if trace is None:
        return 0.0
    return float((1 + FORGETTING_FACTOR * max(0, day - trace.day) / trace.stability) ** -W[20])


def trace_after_review(trace: Trace | None, rating: int, day: int) -> Trace:
    """The trace after a look rated 1 (again) to 4 (easy), on a later day than the last."""
    if trace is None:
        return Trace(max(W[rating - 1], MIN_STABILITY_DAYS), _clamped(_first_difficulty(rating)), day)
    s, d, r = trace.stability, trace.difficulty, recall_probability(trace, day)
    if rating == AGAIN:
        kept = W[11] * d ** -W[12] * ((s + 1) ** W[13] - 1) * math.exp((1 - r) * W[14])
        stability = min(kept, s / math.exp(W[17] * W[18]))
    else:
        bonus = W[15] if rating == HARD else W[16] if rating == EASY else 1.0
        stability = s * (1 + math.exp(W[8]) * (11 - d) * s ** -W[9] * math.expm1((1 - r) * W[10]) * bonus)
    moved = d - W[6] * (rating - 3) * (10 - d) / 9
    difficulty = _clamped(W[7] * _first_difficulty(EASY) + (1 - W[7]) * moved)
    return Trace(max(stability, MIN_STABILITY_DAYS), difficulty, day)


def _first_difficulty(rating: int) -> float:
    return W[4] - math.exp(W[5] * (rating - 1)) + 1


def _clamped(difficulty: float) -> float:
    return min(max(difficulty, 1.0), 10.0)


PASSED_SHARE = 0.6  # share of the points below which an item was missed
MIN_SURE_CONFIDENCE = 4


@dataclass(frozen=True, slots=True)
class ItemLook:
    """One look at an item. `share` is the share of the points after the cost of hints, `unaided` that before a probe,
    `guess` the chance to be right without knowledge, `pace` the time as a multiple of the budget. `measured`: timed,
    without a hint or solution, so that a first look predicts an interview. `given` is False if the item was skipped,
    left blank, or its solution was shown."""

    item: str
    day: int
    share: float
    unaided: float
    confidence: int | None = None
    hints: int = 0
    guess: float = 0.0
    pace: float = 1.0
    late: bool = False
    given: bool = True
    measured: bool = True

    @property
    def lucky(self) -> bool:
        """Whether the answer to a choice is right although the candidate called it a guess."""
        return self.share >= PASSED_SHARE and self.confidence == 1 and self.guess > 0

    @property
    def missed(self) -> bool:
        return not self.given or self.share < PASSED_SHARE

    @property
    def sure(self) -> bool:
        return (self.confidence or 0) >= MIN_SURE_CONFIDENCE


def fsrs_rating(look: ItemLook) -> int:
    """The rating for FSRS, from 1 (again) to 4 (easy). A passed look is `again` only if it was a guess; a failed one
    always is."""
    if look.missed or look.lucky:
        return AGAIN
    if look.share < 0.8 or look.unaided < PASSED_SHARE or look.hints >= 2 or (look.confidence or 3) <= 2:
        return HARD
    quick = look.pace <= 0.5 and not look.late
    return EASY if look.share >= 0.95 and look.sure and not look.hints and quick else GOOD


@dataclass(frozen=True, slots=True)
class KnownItem:
    """One item that was seen: its trace, its first and its last look, and the rating of the last look."""

    trace: Trace
    first: ItemLook
    last: ItemLook
    rating: int


def known_items(looks: Iterable[ItemLook]) -> dict[str, KnownItem]:
    """Every item that was seen. A second look on the same day is ignored, as it shows short-term memory."""
    kept: dict[str, KnownItem] = {}
    for look in sorted(looks, key=lambda one: one.day):
        before = kept.get(look.item)
        if before is not None and look.day <= before.last.day:
            continue
        rated = fsrs_rating(look)
        trace = trace_after_review(before.trace if before else None, rated, look.day)
        kept[look.item] = KnownItem(trace, before.first if before else look, look, rated)
    return kept


LOGITS_PER_LEVEL = 0.6  # logits between two levels of difficulty
MIDDLE_DIFFICULTY = 2.5  # difficulty at which ability equals the expected share
PRIOR_ATTEMPTS = 4.0  # weight of the candidate's own mean, in first attempts
SKILL_TRANSFER = 0.6  # share of the recall of one item that carries over to others of its skill
KIND_TRANSFER = {
    "choice": 0.7,
    "numeric": 1.0,
    "text": 1.3,
}  # recognising an answer carries over less than producing one
MAX_TRANSFER_SHARE = 0.95
DESIGN_DIFFICULTY = 5  # difficulty of a design task


@dataclass(frozen=True, slots=True)
class StudyItem:
    """The facts about an item on which the choice depends."""

    id: str
    topic: str
    kind: str
    skill: str
    difficulty: float
    seconds: float

    @property
    def asks_for_design(self) -> bool:
        """Whether the item asks for the design of a system, by its topic or difficulty."""
        return "design" in self.topic or self.difficulty >= DESIGN_DIFFICULTY

    @property
    def transfer_share(self) -> float:
        """The share of the item's recall that helps with other items of its skill."""
        return min(MAX_TRANSFER_SHARE, SKILL_TRANSFER * KIND_TRANSFER.get(self.kind, 1.0))


def study_item_of(item: Item) -> StudyItem:
    """The facts about an item, with usual values in place of a missing topic, skill or difficulty."""
    return StudyItem(
        item.id,
        item.topic or "other",
        item.kind,
        item.skill or item.id,
        float(item.difficulty or MIDDLE_DIFFICULTY),
        item.seconds,
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """`abilities`: topic -> logit of the chance to know a new item of middle difficulty; `skills`: topic -> their
    number; `firsts`: topic -> measured first looks as (credit without luck, difficulty)."""

    subjects: Mapping[str, StudyItem]
    known: Mapping[str, KnownItem]
    abilities: Mapping[str, float]
    skill_counts: Mapping[str, int]
    first_looks: Mapping[str, tuple[tuple[float, float], ...]]

    def cold_chance(self, subject: StudyItem) -> float:
        """The chance to know an item at first sight."""
        return success_probability(self.abilities[subject.topic], subject.difficulty)

    def recall_by_skill(self, day: int) -> dict[str, float]:
        """By skill, the recall that carries over from its best recalled item on a day; without skills never
        practised."""
        best: dict[str, float] = {}
        for name, one in self.known.items():
            subject = self.subjects[name]
            carried = subject.transfer_share * recall_probability(one.trace, day)
            best[subject.skill] = max(carried, best.get(subject.skill, 0.0))
        return best

    def skills_met(self, topic: str) -> int:
        """The number of a topic's skills that were practised."""
        return len({self.subjects[n].skill for n in self.known if self.subjects[n].topic == topic})


def standing(subjects: Mapping[str, StudyItem], looks: Iterable[ItemLook]) -> Standing:
    """The standing from all looks, except those at items that the bank no longer has."""
    kept = known_items(look for look in looks if look.item in subjects)
    firsts: dict[str, list[tuple[float, float]]] = {s.topic: [] for s in subjects.values()}
    for name, one in kept.items():
        if one.first.measured:
            credit = max(0.0, (one.first.unaided - one.first.guess) / (1 - one.first.guess))
            firsts[subjects[name].topic].append((credit, subjects[name].difficulty))
    overall = ability_logit([look for topic in firsts.values() for look in topic], 0.5)
    mean = success_probability(overall, MIDDLE_DIFFICULTY)
    return Standing(
        subjects,
        kept,
        {topic: ability_logit(looks, mean) for topic, looks in firsts.items()},
        Counter(topic for topic, _ in {(s.topic, s.skill) for s in subjects.values()}),
        {topic: tuple(looks) for topic, looks in firsts.items()},
    )


def success_probability(ability: float, difficulty: float) -> float:
    """The chance, from 0 to 1, to know an item of this difficulty (1 to 5) with an ability in logits."""
    return 1 / (1 + math.exp(LOGITS_PER_LEVEL * (difficulty - MIDDLE_DIFFICULTY) - ability))


def ability_logit(firsts: Iterable[tuple[float, float]], prior: float) -> float:
    """The logit at which the expected credit equals the credit earned. `firsts` are (credit, difficulty) pairs, to
    which `PRIOR_ATTEMPTS` looks of middle difficulty with the credit `prior` are added."""
    looks = list(firsts)
    shown = sum(credit for credit, _ in looks) + PRIOR_ATTEMPTS * prior
    counts = Counter(difficulty for _, difficulty in looks)
    low, high = -8.0, 8.0
    for _ in range(40):  # to a precision of 16 / 2**40 logits
        middle = (low + high) / 2
        expected = sum(
            n * success_probability(middle, d) for d, n in counts.items()
        ) + PRIOR_ATTEMPTS * success_probability(middle, MIDDLE_DIFFICULTY)
        low, high = (middle, high) if expected < shown else (low, middle)
    return (low + high) / 2
