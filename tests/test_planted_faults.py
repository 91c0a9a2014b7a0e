"""Faults put into a class on purpose are named, each by its flag; and a class without faults raises hardly any.

The class: abilities N(0, 1), 40 items, right by a two-parameter model. Numbers are wrong in five ways, texts have
three criteria, and what is planted is what its name says.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import pytest
from made_table import MadeResponse, close_tables, table_of

from quizgen.analysis.item_statistics import (
    NEGATIVE_DISCRIMINATION_FLAG,
    UNREWARDED_ANSWER_FLAG,
    WEAK_CRITERION_FLAG,
    WRONG_KEY_FLAG,
    Flag,
    item_figures,
    item_flags,
)
from quizgen.analysis.reliability import MIN_CANDIDATES, uneven_forms_note
from quizgen.analysis.sums import sums_of_table
from quizgen.scoring.response import UNITS_PER_POINT

ITEMS = 40


def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def number(who: str, name: str, right: bool, rng: random.Random, planted: str) -> MadeResponse:
    """A number: where the bank's key is wrong, who knows gives twice the key."""
    said = "" if right else rng.choice(["0.5", "8", "1000", "0.001", "3.14"]) + " times the key"
    if planted == "wrong key":
        right, said = (False, "2 times the key") if right else (rng.random() < 0.1, said)
        said = "" if right else said or "7 times the key"
    return MadeResponse(
        who, name, "correct" if right else "incorrect", UNITS_PER_POINT * right, UNITS_PER_POINT, summary=said
    )


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
    marks = tuple(
        (c, "found" if f else "missing", UNITS_PER_POINT * f, UNITS_PER_POINT)
        for c, f in zip("abc", found, strict=True)
    )
    outcome = "correct" if all(found) else "partial" if any(found) else "incorrect"
    return MadeResponse(
        who, name, outcome, UNITS_PER_POINT * sum(found), 3 * UNITS_PER_POINT, summary=said, criteria=marks
    )


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
                knows = rng.random() < logistic(
                    1.7 * slope[n] * (ability - hard[n]) * (-1 if fault == "reversed" else 1)
                )
                yield number(f"c{c}", f"i{n}", knows, rng, fault)


def flagged(seed: int, candidates: int, planted: dict[int, str]) -> tuple[Flag, ...]:
    sums = sums_of_table(table_of(of(seed, candidates, planted)), {})
    found = item_flags([item_figures(name, s) for name, s in sorted(sums.items.items())])
    close_tables()
    return found


PLANTED = {4: "wrong key", 8: "reversed", 7: "wrong criterion", 11: "missing phrase", 13: "reversed"}


@pytest.mark.parametrize("seed", range(2))
def test_each_planted_fault_is_named(seed: int) -> None:
    """By its flag and with its evidence; nothing else is. (i8 by what the better half gives, or by its r.)"""
    found = flagged(seed, 300, PLANTED)
    assert {f.item for f in found} == {"i4", "i7", "i8", "i11", "i13"}
    named = {(f.item, f.name): f.message for f in found}
    assert "2 times the key" in named["i4", WRONG_KEY_FLAG]
    assert 'criterion "b"' in named["i7", WEAK_CRITERION_FLAG]
    assert '"it overlaps"' in (named.get(("i11", UNREWARDED_ANSWER_FLAG)) or named["i11", WRONG_KEY_FLAG])
    assert "r = -0." in named["i13", NEGATIVE_DISCRIMINATION_FLAG]


@pytest.mark.slow
def test_sound_items_raise_hardly_any_flag() -> None:
    """Four hundred and eighty of them, in twelve classes of 200: one in two hundred at most."""
    found = [flag for seed in range(12) for flag in flagged(100 + seed, 200, {})]
    assert len(found) <= 0.005 * 12 * ITEMS, [f.message for f in found]


def test_two_pools_of_unequal_difficulty_are_told() -> None:
    """Half met items of which 40 % of the points were to be had, half such of 60 %; and a class of one form."""
    assert "40% to 60% of the points" in uneven_forms_note([0.4] * 50 + [0.6] * 50)
    assert uneven_forms_note([0.5] * 50 + [0.54] * 50) == ""
    assert uneven_forms_note([0.4, 0.6] * (MIN_CANDIDATES // 2 - 1)) == ""
