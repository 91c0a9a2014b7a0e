"""What is chosen, and that every reason is true."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import pytest

from quizgen.coach import plan as study_plan
from quizgen.coach.plan import StudyPlan, choose_item_ids_to_seal
from quizgen.coach.standing import ItemAttempt, ItemTraits, standing_from_attempts

MONDAY = 739_586  # 23 November 2026
AIM = study_plan.StudyAim(MONDAY + 2, MONDAY + 9, {})


def bank(*rows: tuple[str, str, str, str]) -> dict[str, ItemTraits]:
    return {name: ItemTraits(name, topic, kind, skill, 2.5, 60) for name, topic, kind, skill in rows}


FOUR = bank(
    ("a1", "a", "numeric", "s"), ("a2", "a", "numeric", "s"), ("b1", "b", "choice", "b1"), ("c1", "c", "text", "c1")
)


def names(choices: Iterable[study_plan.PlannedItem]) -> list[str]:
    return [choice.item_id for choice in choices]


@pytest.mark.parametrize(
    ("name", "looks", "told"),
    [
        ("b1", [], "new: b, 33 % of your plan, 0 of 1 skills met"),
        ("a2", [ItemAttempt("a1", MONDAY, 0.0, 0.0, 5)], "new: another item of s, missed on Mon"),
        ("a1", [ItemAttempt("a1", MONDAY, 0.0, 0.0, 5)], "back: missed on Mon though sure (5); 56 % on the day"),
        ("a1", [ItemAttempt("a1", MONDAY, 0.0, 0.0, 2)], "back: missed on Mon; 56 % on the day"),
        ("a1", [ItemAttempt("a1", MONDAY, 0.0, 0.0, was_answered=False)], "back: left without a response on Mon; 56 % on the day"),
        ("b1", [ItemAttempt("b1", MONDAY + 1, 1.0, 1.0, 1, guess_probability=0.25)],
         "fragile: right at sure 1 yesterday; a guess is right one time in 4"),
        ("a1", [ItemAttempt("a1", MONDAY, 1.0, 1.0, 2)], "fragile: right at sure 2 on Mon; 73 % on the day"),
        ("c1", [ItemAttempt("c1", MONDAY, 0.9, 0.3, 4)], "fragile: right only after a follow-up on Mon; 73 % on the day"),
        ("a1", [ItemAttempt("a1", MONDAY - 9, 1.0, 1.0, 4)], "fading: right 11 days ago, 72 % on the day"),
    ],
)  # fmt: skip
def test_reasons_by_hand(name: str, looks: list[ItemAttempt], told: str) -> None:
    """Percentages: FSRS-6 with default parameters, 9 days after one look (18 for the last)."""
    assert study_plan.planned_item(name, standing_from_attempts(FOUR, looks), AIM).reason_with_state == told
    assert study_plan.choose_practice_items(
        standing_from_attempts(FOUR, []), study_plan.StudyAim(0, 9, {}), 600
    )  # days may count from 0


def test_a_met_item_waits_for_its_skill_and_the_skill_rests_two_days() -> None:
    def asked(today: int, *looks: ItemAttempt) -> set[str]:
        standing, aim = standing_from_attempts(FOUR, looks), replace(AIM, today_ordinal=today)
        return set(names(study_plan.choose_practice_items(standing, aim, 9999)))

    missed = ItemAttempt("a1", MONDAY, 0.0, 0.0, 3)
    assert asked(MONDAY) - {"b1", "c1"} in ({"a1"}, {"a2"})  # one of the skill, not both
    assert asked(MONDAY + 1, missed) == {"b1", "c1"}
    assert asked(MONDAY + 2, missed) == {"a2", "b1", "c1"}
    assert asked(MONDAY + 4, *(missed, ItemAttempt("a2", MONDAY + 2, 1.0, 1.0, 4))) & {"a1", "a2"}


def test_text_has_two_fifths_of_the_time_and_neighbours_differ() -> None:
    rows = [(f"{k[0]}{n}", f"topic{n % 5}", k, f"{k}{n}") for k in ("choice", "text") for n in range(60)]
    made = {n: replace(s, time_budget_seconds=240.0 if s.kind == "text" else 60.0) for n, s in bank(*rows).items()}
    taken = study_plan.choose_practice_items(standing_from_attempts(made, ()), AIM, 60 * 60)
    text = sum(c.expected_total_seconds for c in taken if made[c.item_id].kind == "text")
    assert text / sum(c.expected_total_seconds for c in taken) == pytest.approx(0.4, abs=0.06)
    assert all(a != b for a, b in pairwise([made[c.item_id].topic for c in taken]))
    assert (
        60 * 60
        <= sum(c.expected_total_seconds for c in taken)
        < 60 * 60 + study_plan.expected_item_seconds(made["t0"], False)
    )


def test_a_weight_counts_and_sealed_items_are_left_alone() -> None:
    rows = [(f"{t}{n}", t, "numeric", f"{t}{n}") for t in "xy" for n in range(30)]
    standing = standing_from_attempts(bank(*rows), ())
    heavy = names(study_plan.choose_practice_items(standing, replace(AIM, weight_by_topic={"y": 3.0}), 900))
    topics = [name[0] for name in heavy]
    assert topics.count("y") >= 3 * topics.count("x")
    sealed = frozenset({"x0", "y0"})
    aim = replace(AIM, sealed_item_ids=sealed)
    assert not sealed & set(names(study_plan.choose_practice_items(standing, aim, 99_999)))
    assert set(names(study_plan.choose_rehearsal_items(standing, aim))) == sealed


def test_the_last_day_is_for_confident_mistakes() -> None:
    looks = [
        ItemAttempt(name, MONDAY, share, share, sure) for name, share, sure in (("a1", 0.0, 2), ("b1", 0.0, 5), ("c1", 1.0, 5))
    ]  # fmt: skip
    last = replace(AIM, today_ordinal=MONDAY + 8)
    assert names(study_plan.choose_last_day_items(standing_from_attempts(FOUR, looks), last, 3000)) == ["b1", "a1"]
    assert study_plan.choose_last_day_items(standing_from_attempts(FOUR, looks[2:]), last, 3000) == []


def test_when_a_day_was() -> None:
    words = [study_plan.past_day_text(MONDAY, MONDAY + n) for n in (0, 1, 2, 6, 7)]
    assert words == ["today", "yesterday", "on Mon", "on Mon", "7 days ago"]


def test_what_each_day_is_for() -> None:
    """Ten days from a Sunday; a day off; nothing practised moves the scout, too little the rehearsal."""
    plan = StudyPlan("b", MONDAY + 9, 45, rest_day_ordinals=frozenset({MONDAY + 3}))
    purposes = [purpose for _, purpose in plan.days_and_purposes(MONDAY - 1, 0)]
    assert purposes == [
        "scout", "practice", "mock", "practice", "rest", "mock", "practice", "practice", "rehearsal", "last", "interview"
    ]  # fmt: skip
    assert plan.day_purpose_name(MONDAY + 5, 0) == "scout"
    assert plan.day_purpose_name(plan.rehearsal_day_ordinal, 1) == "practice"
    assert plan.day_purpose_name(MONDAY + 10, 5) == ""
    for rest_days, rehearsal in (({MONDAY + 7}, MONDAY + 6), (range(MONDAY - 400, MONDAY + 9), MONDAY + 7)):
        assert replace(plan, rest_day_ordinals=frozenset(rest_days)).rehearsal_day_ordinal == rehearsal


def test_what_is_sealed_is_new_spread_and_the_same_again() -> None:
    rows = [(f"{t}{n}", t, "numeric", f"{t}{n}") for t in "uvwxyz" for n in range(30)]
    made = bank(*rows)
    sealed = choose_item_ids_to_seal(made, {"u0"}, MONDAY, 10, {})
    assert len(sealed) == 10  # ten items of a minute
    assert {sum(n.startswith(t) for n in sealed) for t in "uvwxyz"} <= {1, 2}
    # What was practised since is never sealed, and changes nothing.
    assert choose_item_ids_to_seal(made, {"u0", *list(made)[40:]} - set(sealed), MONDAY, 10, {}) == sealed
    assert choose_item_ids_to_seal(made, (), MONDAY + 1, 10, {}) != sealed
    assert len(choose_item_ids_to_seal(made, (), MONDAY, 600, {})) == 12  # two a topic
