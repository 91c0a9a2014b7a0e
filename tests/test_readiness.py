"""Readiness: worked by hand from its formula."""

from __future__ import annotations

import math

import pytest

from quizgen.readiness import ENOUGH, Evidence, progress, readiness


def fresh(*shares: float, topic: str = "t", age: float = 0.0) -> list[Evidence]:
    return [Evidence(topic, f"{topic}{n}", share, age) for n, share in enumerate(shares)]


def test_below_five_responses_there_is_no_range() -> None:
    found = readiness("t", fresh(1, 1, 1, 1), 9)
    assert (found.count, found.low, found.middle, found.high, found.met, found.total) == (4, None, None, None, 4, 9)


def test_a_range_by_hand() -> None:
    """Six of eight right, today: (6 + 2) / (8 + 4) = 2/3; spread 1.2816 * sqrt(2/9 / 12)."""
    found = readiness("t", fresh(1, 1, 1, 1, 1, 1, 0, 0), 8)
    spread = 1.2816 * math.sqrt(2 / 9 / 12)
    assert found.middle == pytest.approx(2 / 3)
    assert found.low == pytest.approx(2 / 3 - spread)
    assert found.high == pytest.approx(2 / 3 + spread)


def test_a_fortnight_halves_the_weight() -> None:
    """Five right at 14 days: (2.5 + 2) / (2.5 + 4)."""
    assert readiness("t", fresh(1, 1, 1, 1, 1, age=14.0), 5).middle == pytest.approx(4.5 / 6.5)


def test_an_item_met_again_counts_a_quarter_for_its_earlier_responses() -> None:
    """One item right today and wrong four times before: (1 + 2) / (1 + 4 * 0.25 + 4)."""
    evidence = [Evidence("t", "same", 1.0, 0.0), *(Evidence("t", "same", 0.0, 1e-9) for _ in range(4))]
    assert readiness("t", evidence, 1).middle == pytest.approx(3 / 6)


@pytest.mark.parametrize(
    ("shares", "trend"),
    [((0, 0, 0, 1, 1, 1), "up"), ((1, 1, 1, 0, 0, 0), "down"), ((1, 0, 1, 1, 0, 1), "steady"), ((0, 0, 1, 1, 1), "")],
)
def test_trend_is_later_against_earlier(shares: tuple[float, ...], trend: str) -> None:
    evidence = [Evidence("t", str(n), share, float(len(shares) - n)) for n, share in enumerate(shares)]
    assert readiness("t", evidence, 6).trend == trend


def test_the_next_session_takes_the_weakest_and_the_untested() -> None:
    evidence = fresh(*[0.0] * ENOUGH, topic="weak") + fresh(*[1.0] * 40, topic="strong") + fresh(1, 1, topic="few")
    found = progress(evidence, {"few": 3, "never": 4, "strong": 40, "weak": 5}, 2)
    assert found.next_topics == ("weak", "never", "few")
    assert found.untested == ("never",)
    assert found.overall.count == ENOUGH + 42


def test_a_range_never_leaves_zero_to_one() -> None:
    for share in (0.0, 1.0):
        found = readiness("t", fresh(*[share] * 500), 500)
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.high <= 1


def test_a_topic_that_is_surely_known_is_not_asked_again() -> None:
    """From a lower bound of 70 % on there is nothing to do: 20 right give (20 + 2) / 24 - 0.07 = 0.84, 12 of 16 give 0.57."""
    evidence = fresh(*[1.0] * 20, topic="known") + fresh(*[1.0] * 12, *[0.0] * 4, topic="shaky")
    assert progress(evidence, {"known": 20, "shaky": 16}, 3).next_topics == ("shaky",)


def test_a_clock_that_was_ahead_makes_nothing_count_double() -> None:
    """A response from tomorrow (a clock set back since) counts as one of today."""
    assert readiness("t", fresh(1, 1, 1, 1, 1, age=-14.0), 5).middle == pytest.approx((5 + 2) / (5 + 4))
