"""Cold and on the day: worked by hand, and what cannot flatter them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from quizgen.coach.standing import (
    ItemAttempt,
    ItemTraits,
    estimated_ability_logit,
    memory_state_after_attempt,
    readiness_by_topic,
    recall_probability,
    standing_from_attempts,
    success_probability,
)


def subjects(count: int, topic: str = "t", kind: str = "numeric", difficulty: float = 2.5) -> dict[str, ItemTraits]:
    return {f"{topic}{n}": ItemTraits(f"{topic}{n}", topic, kind, f"{topic}{n}", difficulty, 60) for n in range(count)}


def look(item: str, share: float, day: int = 1, **fields: object) -> ItemAttempt:
    return ItemAttempt(item, day, share, share, 4, **fields)


def test_an_ability_by_hand() -> None:
    """Six of eight right at the middle difficulty, four looks at one half: (6 + 2) / 12 = 2/3, logit ln 2."""
    assert estimated_ability_logit([(1.0, 2.5)] * 6 + [(0.0, 2.5)] * 2, 0.5) == pytest.approx(math.log(2), abs=1e-9)
    assert success_probability(math.log(2), 2.5) == pytest.approx(2 / 3)
    assert success_probability(0.0, 3.5) == pytest.approx(1 / (1 + math.exp(0.6)))  # a step harder


def test_both_figures_by_hand() -> None:
    """Eight of 16 items of one topic met yesterday, six right. The own mean is 2/3, so that cold is
    (6 + 4 * 2/3) / 12 = 26/36; spread 1.2816 * sqrt(p q / 12). On the day: the recalled half by FSRS."""
    looks = [look(f"t{n}", float(n < 6)) for n in range(8)]
    found = readiness_by_topic(standing_from_attempts(subjects(16), looks), 11, {})
    (row,) = found.topic_readiness_rows
    cold = 26 / 36
    spread = 1.2816 * math.sqrt(cold * (1 - cold) / 12)
    assert row.unseen_item_success_low_mid_high == pytest.approx((cold - spread, cold, cold + spread))
    good, again = (recall_probability(memory_state_after_attempt(None, g, 1), 11) for g in (3, 1))
    for end, x, sign in zip(row.interview_day_success_range or (), (0.5, 1.0), (-1, 1), strict=True):
        kept = (6 * x * good + 2 * x * again) / 16
        # What is not kept is as doubtful as cold is.
        assert end == pytest.approx(kept + (cold + sign * spread) * (1 - kept))
    assert (row.first_attempt_count, row.seen_skill_count, row.skill_count) == (8, 8, 16)


def test_what_is_drilled_does_not_raise_what_is_cold() -> None:
    """The same five items right on ten more days: cold stays; only what will be left on the day grows."""
    bank = subjects(40)
    first = [look(f"t{n}", float(n < 2)) for n in range(5)]
    drilled = first + [look(f"t{n}", 1.0, day) for day in range(2, 12) for n in range(5)]
    once, often = (
        readiness_by_topic(standing_from_attempts(bank, looks), 20, {}).topic_readiness_rows[0]
        for looks in (first, drilled)
    )
    assert once.unseen_item_success_low_mid_high == often.unseen_item_success_low_mid_high
    before, after = once.interview_day_success_range[0], often.interview_day_success_range[0]
    assert before < after < before + 0.8 * 5 / 40


def test_five_right_answers_to_one_item_show_nothing() -> None:
    looks = [look("t0", 1.0, day) for day in range(1, 6)]
    found = readiness_by_topic(standing_from_attempts(subjects(40), looks), 9, {})
    (row,) = found.topic_readiness_rows
    assert (row.first_attempt_count, row.unseen_item_success_low_mid_high) == (1, None)
    assert found.overall_readiness.interview_day_success_range is None


def test_hints_practice_and_luck_earn_nothing() -> None:
    """A choice of two right half of the time is worth 0; practice and hints are not counted at all."""
    luck = {"guess_probability": 0.5, "points_share": 0.5, "points_share_before_probe": 0.5}
    for change in ({"was_timed_without_help": False}, luck):
        now = standing_from_attempts(subjects(16), [replace(look(f"t{n}", 1.0), **change) for n in range(8)])
        assert sum(credit for credit, _ in now.first_attempt_credits_and_difficulties_by_topic["t"]) == 0, change


def test_an_unmet_topic_has_its_weight_in_the_whole() -> None:
    """All right in one topic: the other, never met, is drawn to one's own mean and counts by its weight."""
    bank = subjects(10, "a") | subjects(10, "b")
    now = standing_from_attempts(bank, [look(f"a{n}", 1.0) for n in range(10)])
    overall = [readiness_by_topic(now, 5, weights).overall_readiness for weights in ({}, {"b": 9.0})]
    even, heavy = (one.unseen_item_success_low_mid_high for one in overall)
    a, b = (success_probability(now.ability_logit_by_topic[t], 2.5) for t in "ab")
    assert even[1] == pytest.approx((a + b) / 2)
    assert heavy[1] == pytest.approx((a + 9 * b) / 10)
    assert b < a


def test_the_next_topics_are_the_least_tested_then_the_weakest() -> None:
    bank = {**subjects(8, "never"), **subjects(8, "weak"), **subjects(8, "strong"), **subjects(8, "some")}
    looks = [look(f"weak{n}", 0.0) for n in range(8)] + [look(f"strong{n}", 1.0) for n in range(8)]
    looks += [look(f"some{n}", 1.0) for n in range(2)]
    found = readiness_by_topic(standing_from_attempts(bank, looks), 3, {})
    assert found.up_to_three_topics_to_practise == ("never", "some", "weak")
