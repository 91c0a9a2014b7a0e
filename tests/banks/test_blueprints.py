"""The blueprints of the shipped banks: each assembles, fits its minutes, and advises over the whole scale."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest
import shipped
from every import every

from quizgen.assemble import assemble, select_with_section_index
from quizgen.model import Blueprint, Item

SEEDS = 12
SCORING_GUIDE = {14: "Expert", 11: "Advanced", 8: "Intermediate", 5: "Developing", 0: "Beginning"}


def blueprints() -> Iterator[tuple[str, str]]:
    for name in shipped.NAMES:
        for blueprint in shipped.bank(name).blueprint_by_name:
            yield name, blueprint


def blueprint_of(name: str, title: str) -> Blueprint:
    return shipped.bank(name).blueprint_by_name[title]


@cache
def forms(name: str, title: str, count: int = SEEDS) -> list[list[Item]]:
    bank, blueprint = shipped.bank(name), blueprint_of(name, title)
    return [[item for item, _ in select_with_section_index(bank, blueprint, f"seed {n}")] for n in range(count)]


@every(blueprints)
def test_every_seed_gives_a_form_of_distinct_items_within_the_minutes(name: str, title: str) -> None:
    blueprint = blueprint_of(name, title)
    assert blueprint.minutes is not None
    wanted = sum(section.item_count or 0 for section in blueprint.sections)
    shares = []
    for items in forms(name, title):
        assert len(items) == wanted
        assert len({item.id for item in items}) == wanted, "an item comes twice"
        shares.append(sum(item.seconds for item in items) / (float(blueprint.minutes) * 60))
    assert max(shares) <= 1.15, "the items' own time budgets exceed the minutes"
    assert 0.65 <= sum(shares) / len(shares) <= 1.02, "the minutes are far from what the items take"


@every(blueprints)
def test_bands_cover_the_whole_scale_and_say_what_to_do(name: str, title: str) -> None:
    bands = blueprint_of(name, title).score_bands
    starts = [band.min_share for band in bands]
    assert min(starts) == 0
    assert max(starts) < 1
    assert len(set(starts)) == len(starts) >= 3
    assert len({band.name for band in bands}) == len(bands)
    assert all(len(band.advice.split()) >= 6 for band in bands)


def test_advice_names_only_blueprints_that_there_are() -> None:
    for name, title in blueprints():
        for band in blueprint_of(name, title).score_bands:
            for quoted in band.advice.split("`")[1::2]:
                if not quoted.startswith("quizgen "):
                    assert quoted in shipped.bank(name).blueprint_by_name, (title, quoted)


def test_every_topic_has_a_drill_that_stays_on_it() -> None:
    topics = {item.topic for item in shipped.bank(shipped.NAMES[0]).items.values()}
    drills = {title for title in shipped.bank(shipped.NAMES[0]).blueprint_by_name if title.startswith("drill-")}
    assert drills == {f"drill-{topic}" for topic in topics}
    for topic in sorted(topics):
        for items in forms(shipped.NAMES[0], f"drill-{topic}", 5):
            assert {item.topic for item in items} == {topic}


def test_the_quick_check_is_fifteen_choices_with_the_scoring_guides_levels() -> None:
    quick = blueprint_of(shipped.NAMES[0], "quick")
    assert quick.minutes == 15
    assert all(len(items) == 15 and {i.kind for i in items} == {"choice"} for items in forms(shipped.NAMES[0], "quick"))
    for right in range(16):
        expected = SCORING_GUIDE[max(least for least in SCORING_GUIDE if least <= right)]
        reached = [band for band in quick.score_bands if band.min_share <= Fraction(right, 15)]
        assert max(reached, key=lambda band: band.min_share).name == expected, right


@pytest.mark.parametrize(
    ("title", "minutes", "kinds"),
    [
        ("readiness", 40, {"choice", "numeric", "text"}),
        ("phone-screen", 30, {"numeric", "text"}),
        ("numbers", 20, {"numeric"}),
    ],
)
def test_a_blueprint_takes_its_minutes_and_its_kinds(title: str, minutes: int, kinds: set[str]) -> None:
    """Readiness has twenty items, a phone screen nothing of the top levels; numbers are mostly easy."""
    assert blueprint_of(shipped.NAMES[0], title).minutes == minutes
    for items in forms(shipped.NAMES[0], title):
        assert {item.kind for item in items} == kinds
        assert title != "readiness" or len(items) == 20
        assert title != "phone-screen" or max(item.difficulty for item in items) <= 3
        assert title != "numbers" or sum(item.difficulty <= 2 for item in items) / len(items) >= 0.8


@pytest.mark.parametrize(
    ("title", "second"),
    [
        ("staff-loop", {"expert-parallel"}),
        ("staff-loop-serving", {"post-training"}),
        ("staff-loop-operations", {"interconnect", "collectives"}),
    ],
)
def test_a_staff_loop_is_two_long_designs_with_numbers_that_belong_to_them(title: str, second: set[str]) -> None:
    blueprint = blueprint_of(shipped.NAMES[0], title)
    assert blueprint.minutes == 60
    for items in forms(shipped.NAMES[0], title):
        designs = [item for item in items if item.kind == "text" and item.difficulty == 5]
        assert len(designs) == 2
        assert all(12 * 60 <= item.seconds <= 15 * 60 for item in designs)
        assert all(item.difficulty >= 4 for item in items if item.kind == "text")
        first, later = (items[: items.index(designs[1])], items[items.index(designs[1]) + 1 :])
        numbers = [item for item in first if item.kind == "numeric"], [item for item in later if item.kind == "numeric"]
        assert [len(one) for one in numbers] == [3, 3]
        assert {item.topic for item in numbers[1]} <= second
        wanted = blueprint.sections[1].topics
        assert {item.topic for item in numbers[0]} <= set(wanted)


@every(blueprints)
def test_a_sitting_is_worth_the_same_points_whatever_the_seed(name: str, title: str) -> None:
    worth = set()
    for number in range(5):
        form = assemble(shipped.bank(name), blueprint_of(name, title), f"seed {number}")
        worth.add(sum(entry.points for entry in form.entries))
    assert len(worth) == 1
