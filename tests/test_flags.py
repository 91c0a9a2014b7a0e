"""Flags at their bounds: figures made by hand, one step on either side of each rule. And faults put into a class on
purpose are named, each by its flag; a class without faults raises hardly any.

The class: abilities N(0, 1), 40 items, right by a two-parameter model. Numbers are wrong in five ways, texts have
three criteria, and what is planted is what its name says.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from statistics import NormalDist

import pytest
from made_table import MadeResponse, close_tables, table_of

from quizgen.analysis import item_statistics
from quizgen.analysis.estimates import MIN_RELIABLE_N, Estimate, form_difficulty_note_or_empty, sums_of_table
from quizgen.scoring.response import UNITS_PER_POINT
from quizgen.scoring.scorer import ItemOptionsAndKey

N = 100
NOTHING = Estimate(None, 0)


def option(text: str, taken: int, r: float | None = None, n: int = N) -> item_statistics.OptionStatistics:
    return item_statistics.OptionStatistics(
        text, text == "key", taken, Estimate(taken / n, n), None, Estimate(r, n), 0, 0
    )


def item(
    options: Sequence[item_statistics.OptionStatistics] = (),
    *,
    n: int = N,
    name: str = "i",
    p: float = 0.7,
    r: float | None = 0.4,
    lower: float = 0.4,
    upper: float = 0.9,
    keys: tuple[str, ...] = ("key",),
) -> item_statistics.ItemStatistics:
    return item_statistics.ItemStatistics(
        name, n, Estimate(p, n), Estimate(r, n), Estimate(upper - lower, n), Estimate(upper, n), Estimate(lower, n), Estimate(0.0, n),
        Estimate(0.0, n), 0, NOTHING, NOTHING, tuple(options), (), (), keys,
    )  # fmt: skip


def names(*items: item_statistics.ItemStatistics) -> list[str]:
    return [flag.name for flag in item_statistics.all_item_flags(items)]


@pytest.mark.parametrize(
    ("key", "rival", "r", "flagged", "why"),
    [
        (30, (30, 0.30), -0.30, True, "standard error 1 / sqrt(97): 0.30 is 3 of them, and 6 apart"),
        (30, (30, 0.25), -0.30, False, "0.25 is not 2.6 of them"),
        (30, (30, 0.30), -0.09, False, "less than 4 of them apart"),
        (30, (15, 0.30), -0.30, True, "half as many as took the key may be the rival"),
        (30, (14, 0.30), -0.30, False, "fewer are chance"),
        (15, (45, 0.21), -0.15, True, "three times as many as took the key: 2 and 3 of them are enough"),
        (16, (45, 0.21), -0.15, False, "not quite three times"),
        (0, (60, 0.30), None, True, "nobody took the key"),
    ],
)
def test_a_likely_wrong_key(key: int, rival: tuple[int, float], r: float | None, flagged: bool, why: str) -> None:
    """Taking a distractor goes with doing well, taking the key does not."""
    made = item([option("key", key, r), option("rival", *rival), option("c", 20, -0.1), option("d", 20, -0.1)], r=r)
    assert (item_statistics.WRONG_KEY_FLAG in names(made)) is flagged, why


@pytest.mark.parametrize(("r", "flagged"), [(-0.31, True), (-0.30, False), (0.0, False), (None, False)])
def test_negative_discrimination_of_any_kind(r: float | None, flagged: bool) -> None:
    """Three standard errors below zero: 3 / sqrt(97) is 0.3046."""
    assert ("negative discrimination" in names(item(r=r))) is flagged


def test_a_wrong_key_needs_one_key_and_thirty_responses() -> None:
    """Of several keys none is the rival's rival, and of few responses everything is chance."""
    options = [option("key", 30, -0.5), option("rival", 30, 0.5), option("c", 20, -0.1)]
    assert names(item(options, r=-0.5)) == [item_statistics.WRONG_KEY_FLAG]
    assert names(item(options, r=-0.5, keys=("key", "c"))) == ["negative discrimination"]
    assert names(item(options, r=-0.9, n=29)) == []


@pytest.mark.parametrize(
    ("taken", "others", "flagged", "why"),
    [
        (0, (15, 15), True, "among 30 wrong ones (5/6)**30 = 0.0042, below 0.005"),
        (0, (14, 15), False, "among 29 (5/6)**29 = 0.0051"),
        (1, (100, 95), True, "one of 200 is nobody"),
        (2, (100, 95), False, "two of 200 are somebody"),
        (0, (101, 20), False, "where most take one wrong option the others say little"),
    ],
)
def test_a_distractor_nobody_takes(taken: int, others: tuple[int, int], flagged: bool, why: str) -> None:
    """Its fair share is a third of the wrong choices; half of that is what a plausible one draws at least."""
    n = 200
    wrong = [option("b", others[0], -0.1, n), option("c", others[1], -0.1, n), option("dead", taken, None, n)]
    made = item([option("key", n - sum(others) - taken, 0.3, n), *wrong], n=n)
    assert ("distractor nobody takes" in names(made)) is flagged, why


def test_one_distractor_alone_is_never_dead() -> None:
    """An item of yes and no has nowhere else to go wrong."""
    assert names(item([option("key", 100, None), option("b", 0, None)], p=1.0)) == []


@pytest.mark.parametrize(
    ("changes", "flagged", "why"),
    [
        ({}, True, "r = 0 where 0.4 is usual, and 70 % of the weakest are right"),
        ({"r": 0.15}, False, "0.25 is less than 2.6 standard errors of 0.10"),
        ({"n": 1000, "r": 0.19}, False, "sure, but nearly half of what is usual"),
        ({"n": 1000, "r": 0.17}, True, "sure, and well below half"),
        ({"lower": 0.49}, False, "the weakest do not get it right"),
        ({"lower": 0.5, "upper": 0.71}, False, "the best are a fifth ahead"),
        ({"p": 0.99}, False, "everyone gets it right"),
        ({"n": 29}, False, "too few"),
    ],
)
def test_weak_candidates_get_it_right(changes: dict[str, float], flagged: bool, why: str) -> None:
    """Against five sound items of the same difficulty, whose correlation is 0.4."""
    sound = [item(name=f"s{n}") for n in range(5)]
    odd = item(name="odd", **{"p": 0.7, "r": 0.0, "lower": 0.7, "upper": 0.75, **changes})
    found = [(f.name, f.item_id) for f in item_statistics.all_item_flags([*sound, odd])]
    assert (found == [("weak candidates get it right", "odd")]) is flagged, why
    assert not names(*sound[:3], odd), "four items say nothing about what is usual"


def test_the_worst_comes_first() -> None:
    """A wrong key before an item that weak candidates get right, before a dead distractor."""
    sound = [item(name=f"s{n}") for n in range(5)]
    rivals = [option("key", 30, -0.5), option("rival", 30, 0.5), option("c", 40, -0.1)]
    wrong = item(rivals, name="wrong", r=-0.5, p=0.3)
    unused = [option("key", 70, 0.0), option("b", 30, 0.0), option("c", 0)]
    weak = item(unused, name="weak", r=0.0, lower=0.7, upper=0.75)
    assert [(f.item_id, f.name) for f in item_statistics.all_item_flags([*sound, weak, wrong])] == [
        ("wrong", item_statistics.WRONG_KEY_FLAG), ("weak", "weak candidates get it right"), ("weak", "distractor nobody takes"),
    ]  # fmt: skip


def test_the_chance_of_rare_counts_among_many() -> None:
    """Where the terms of a binomial underflow, near the normal curve: 5,000 of 30,000 at 1/6 are the middle, 4,900 are
    1.54 standard errors below it."""
    assert item_statistics._binomial_chance_of_at_most(5_000, 30_000, 1 / 6) == pytest.approx(0.503, abs=0.001)
    below = NormalDist().cdf((4_900.5 - 5_000) / math.sqrt(30_000 * 5 / 36))
    assert item_statistics._binomial_chance_of_at_most(4_900, 30_000, 1 / 6) == pytest.approx(below, abs=0.001)
    assert item_statistics._binomial_chance_of_at_most(2, 10, 0.5) == pytest.approx((1 + 10 + 45) / 1024)


ITEMS = 40


def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def number(who: str, name: str, right: bool, rng: random.Random, planted: str) -> MadeResponse:
    """A number: where the bank's key is wrong, who knows gives twice the key."""
    said = "" if right else rng.choice(["0.5", "8", "1000", "0.001", "3.14"]) + " times the key"
    if planted == "wrong key":
        right, said = (False, "2 times the key") if right else (rng.random() < 0.1, said)
        said = "" if right else said or "7 times the key"
    outcome = "correct" if right else "incorrect"
    return MadeResponse(who, name, outcome, UNITS_PER_POINT * right, UNITS_PER_POINT, summary=said)


def text(who: str, name: str, ability: float, hard: float, rng: random.Random, planted: str) -> MadeResponse:
    """Three criteria of a point; the second rewards a mistake, or better candidates use a word that it lacks."""
    way = -1.5 if planted == "reversed" else 1.5
    found = [rng.random() < logistic(way * (ability - hard - shift)) for shift in (-0.5, 0.0, 0.5)]
    if planted == "wrong criterion":
        found[1] = rng.random() < logistic(-1.5 * (ability - hard))
    said = ""
    if planted == "missing phrase":
        said = '"it overlaps"' if found[1] and rng.random() < 0.8 else ""
        found = [f and not said for f in found]
    one = UNITS_PER_POINT
    marks = tuple((c, "found" if f else "missing", one * f, one) for c, f in zip("abc", found, strict=True))
    outcome = "correct" if all(found) else "partial" if any(found) else "incorrect"
    return MadeResponse(who, name, outcome, one * sum(found), 3 * one, summary=said, criteria=marks)


def of(seed: int, candidates: int, planted: dict[int, str]) -> Iterator[MadeResponse]:
    rng = random.Random(seed)
    hard = [rng.uniform(-1.5, 1.5) for _ in range(ITEMS)]
    slope = [rng.uniform(0.6, 1.6) for _ in range(ITEMS)]
    for c in range(candidates):
        ability = rng.gauss(0, 1)
        for n in range(ITEMS):
            fault = planted.get(n, "")
            if n % 2:
                yield text(f"c{c}", f"i{n}", ability, hard[n], rng, fault)
            else:
                way = -1.7 if fault == "reversed" else 1.7
                knows = rng.random() < logistic(way * slope[n] * (ability - hard[n]))
                yield number(f"c{c}", f"i{n}", knows, rng, fault)


def flagged(seed: int, candidates: int, planted: dict[int, str]) -> tuple[item_statistics.ItemFlag, ...]:
    sums = sums_of_table(table_of(of(seed, candidates, planted)), {})
    found = item_statistics.all_item_flags(
        [item_statistics.statistics_of_item(n, s, ItemOptionsAndKey()) for n, s in sorted(sums.sums_by_item.items())]
    )
    close_tables()
    return found


PLANTED = {4: "wrong key", 8: "reversed", 7: "wrong criterion", 11: "missing phrase", 13: "reversed"}


def test_each_planted_fault_is_named() -> None:
    """By its flag and with its evidence; nothing else is. (i8 by what the better half gives, or by its r.)"""
    found = flagged(0, 300, PLANTED)
    assert {f.item_id for f in found} == {"i4", "i7", "i8", "i11", "i13"}
    named = {(f.item_id, f.name): f.message for f in found}
    assert "2 times the key" in named["i4", item_statistics.WRONG_KEY_FLAG]
    assert 'criterion "b"' in named["i7", "criterion against the rest"]
    assert '"it overlaps"' in (
        named.get(("i11", "strong candidates say what earns nothing")) or named["i11", item_statistics.WRONG_KEY_FLAG]
    )
    assert "r = -0." in named["i13", "negative discrimination"]


@pytest.mark.slow
def test_sound_items_raise_hardly_any_flag() -> None:
    """A hundred and sixty of them, in four classes of 200: one in two hundred at most."""
    found = [flag for seed in range(4) for flag in flagged(100 + seed, 200, {})]
    assert len(found) <= 0.005 * 4 * ITEMS, [f.message for f in found]


def test_two_pools_of_unequal_difficulty_are_told() -> None:
    """Half met items of which 40 % of the points were to be had, half such of 60 %; and a class of one form."""
    assert "40% to 60% of the points" in form_difficulty_note_or_empty([0.4] * 50 + [0.6] * 50)
    assert form_difficulty_note_or_empty([0.5] * 50 + [0.54] * 50) == ""
    assert form_difficulty_note_or_empty([0.4, 0.6] * (MIN_RELIABLE_N // 2 - 1)) == ""
