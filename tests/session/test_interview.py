"""The session as a value: time, hints, review, probes. The clock is a plain number here."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import ClassVar

import pytest
from fakes import FakeItem, form, item, noted, three
from hypothesis import given
from hypothesis import strategies as st

from quizgen.model import Mark, Outcome, Score, hint_cost_share
from quizgen.session import interview
from quizgen.session.interview import Interview, Mode, SessionRules


def running(**rules: object) -> Interview:
    return three(**rules).start_clock(100.0)


@given(st.lists(st.tuples(st.floats(0, 1.9), st.integers(0, 2)), max_size=30))
def test_items_share_out_the_whole_time(moves: list[tuple[float, int]]) -> None:
    """Whatever the walk, the items' seconds add up to the session's."""
    session, now = running(), 100.0
    for gap, to in moves:
        now += gap
        session = session.go_to_item(to, now)
    assert sum(p.seconds_spent for p in session.item_states) == pytest.approx(session.used_seconds)
    assert session.used_seconds == pytest.approx(now - 100.0)


def test_the_review_list_costs_session_time_only_and_a_suspend_none() -> None:
    session = replace(running().advance_clock(101.0), is_review_shown=True).go_to_item(2, 102.5)
    assert (session.item_states[0].seconds_spent, session.used_seconds) == (1.0, 2.5)
    session = running().advance_clock(100.4).exclude_time_away(101.9)
    assert (session.used_seconds, session.away_seconds) == (pytest.approx(0.4), pytest.approx(1.5))


@pytest.mark.parametrize(
    ("rules", "ticks", "steady", "used", "away"),
    [
        ({}, (101.0, 103.1), True, 2.0, 1.1),  # a stopped process: one tick
        ({"mode": Mode.STRICT}, (130.0,), True, 30.0, 0),
        ({}, (130.0,), False, 30.0, 0),  # without a steady tick a gap is thinking
        ({}, (90.0, 91.0), True, 1.0, 0),  # a clock that steps back takes nothing
    ],
)
def test_time_away_is_counted_where_the_rules_say_so(
    rules: dict[str, object], ticks: tuple[float, ...], steady: bool, used: float, away: float
) -> None:
    session = running(**rules)
    for now in ticks:
        session = session.advance_clock(now, counts_long_gap_as_away=steady)
    assert (session.used_seconds, session.away_seconds) == (used, pytest.approx(away))


@pytest.mark.parametrize(
    ("timed", "seconds", "late"), [(True, 60.0, False), (True, 60.01, True), (False, 300.0, False)]
)
def test_late_is_beyond_the_items_own_budget_and_nothing_in_an_untimed_session(
    timed: bool, seconds: float, late: bool
) -> None:
    session = running(is_timed=timed).advance_clock(100.0 + seconds, counts_long_gap_as_away=False)
    state = session.record_response("no", 100.0 + seconds).advance_clock(500.0).item_states[0]  # another look
    assert (state.is_response_late, state.seconds_until_response) == (late, round(seconds, 1))
    assert (session.seconds_left(1e9) == 0) is timed


def test_open_items_come_in_order_and_then_again_from_the_front_and_in_the_review() -> None:
    session = running()
    assert session.next_undecided_index() == 1
    session = session.go_to_item(2, 100.0)
    assert session.next_undecided_index() == 0
    session = session.record_response("", 100.0, was_skipped=True)
    session = session.go_to_item(0, 100.0).record_response("yes", 100.0)
    assert session.next_undecided_index() == 1
    session = session.go_to_item(1, 100.0).record_response("4", 100.0)
    assert session.next_undecided_index() is None
    # The review has those that are flagged, open or doubtful.
    session = noted(running().record_response("yes", 101.0), confidence=2)
    session = session.go_to_item(1, 101.0).record_response("4", 101.0)
    session = noted(session, confidence=3)
    session = session.go_to_item(2, 102.0).record_response("", 102.0, was_skipped=True)
    assert session.flagged_unanswered_or_unsure_indices() == (0, 2)
    session = noted(session.go_to_item(1, 103.0), is_flagged=True)
    assert session.flagged_unanswered_or_unsure_indices() == (0, 1, 2)


def test_hints_cost_what_was_taken_before_the_response() -> None:
    """A hint looked at after the response changes nothing until a new response is given."""
    assert [hint_cost_share(taken) * 10 for taken in (0, 1, 2, 3, 4, 9)] == [0, 1, 3, 6, 9, 9]
    session = interview.new_session(form(item("a", hints=("x", "y"))), SessionRules()).start_clock(0.0)
    session = noted(session, taken_hint_count=1).record_response("yes", 1.0)
    session = noted(session, taken_hint_count=2)
    result = session.item_state.score()
    assert result.earned == Fraction(9, 10)
    assert result.outcome is Outcome.PARTIAL
    assert session.record_response("yes", 2.0).item_state.score().earned == Fraction(7, 10)


def marks(*rows: tuple[str, int, int, str]) -> Score:
    made = tuple(Mark(n, Fraction(e), Fraction(p), "", s) for n, e, p, s in rows)
    return Score(Outcome.PARTIAL, made)


def test_a_probe_aims_at_the_heaviest_miss_and_leaves_contradictions_and_blanks_alone() -> None:
    score = marks(("light", 0, 1, "missing"), ("heavy", 0, 3, "missing"), ("had", 2, 2, "found"))
    assert interview.costliest_criterion_id_or_empty(score) == "heavy"
    score = marks(("a", 0, 1, "contradicted"), ("b", 1, 1, "found"))
    assert interview.costliest_criterion_id_or_empty(score) == ""
    assert interview.costliest_criterion_id_or_empty(Score(Outcome.BLANK, score.marks)) == ""


def test_follow_ups_come_next_and_once() -> None:
    """Behind those that came before."""
    first, then = (form(item("extra"), item(name, "number")).entries for name in ("n", "more"))
    once = running().insert_follow_ups(first)
    twice = once.insert_follow_ups(then)
    assert [p.form_entry.variant.item.id for p in once.item_states] == ["c", "extra", "n", "t"]
    assert [p.form_entry.variant.item.id for p in twice.item_states] == ["c", "extra", "more", "n", "t"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherItem(FakeItem):
    kind: ClassVar[str] = "other"


def test_a_follow_up_fits_the_session_in_kind_and_time() -> None:
    """A choice session takes no text, and no session an item that its open items leave no time for."""
    session = interview.new_session(form(item("c"), item("d")), SessionRules()).start_clock(0.0)
    plain = item("why", "text")
    other = OtherItem(**{f.name: getattr(plain, f.name) for f in fields(plain)})
    fits = form(other, item("extra")).entries  # what is not taken needs no time
    assert [e.variant.item.id for e in session.follow_ups_that_fit_in_time(fits, 420.0)] == ["extra"]
    # Of 600 seconds the session's items and the extra one take 60 each.
    assert session.follow_ups_that_fit_in_time(fits, 421.0) == ()


def test_the_clock_starts_after_the_brief_and_stops_at_the_budget() -> None:
    """A multiplier stretches the budget of the session and of an item."""
    assert three().seconds_so_far(5000.0) == 0
    session = running()
    assert (session.budget_seconds, session.seconds_so_far(107.0), session.seconds_left(9000.0)) == (600, 7, 0)
    assert (session.seconds_left(699.99) > 0, session.seconds_left(700.0)) == (True, 0)
    stretched = running(time_multiplier=1.5)
    assert (stretched.budget_seconds, stretched.item_budget_seconds()) == (900, 90)


def test_what_is_typed_at_the_end_is_submitted_but_for_a_closed_item() -> None:
    session = noted(running(), draft_text="B")
    assert noted(session.go_to_item(1, 101.0), draft_text="  ").item_indices_with_unsubmitted_text() == (0,)
    answered = [noted(running(), response="a", draft_text=text).go_to_item(1, 101.0) for text in ("a", "ab", "a\n\nb")]
    assert [one.item_indices_with_unsubmitted_text() for one in answered] == [(), (0,), (0,)]
    assert [0 in one.flagged_unanswered_or_unsure_indices() for one in answered] == [False, True, True]
    closed = noted(session, is_closed=True)
    assert (closed.item_indices_with_unsubmitted_text(), closed.flagged_unanswered_or_unsure_indices()[0]) == ((), 1)
