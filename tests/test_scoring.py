"""Responses to verdicts: what fixes a variant, what is remembered, what a person's decision does."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from shipped import BankOf

from quizgen.model import Item, Mark, Outcome, Score, Variant, deduct_hints
from quizgen.scoring.overrides import Override, ScoringChanges, apply_overrides
from quizgen.scoring.response import UNITS_PER_POINT, points_in_units, score_response, with_outcome
from quizgen.scoring.scorer import Scorer, VariantNotDetermined
from quizgen.source.problems import points_decimal

BANK = """
items:
  - id: twice
    kind: numeric
    points: 2
    stem: Twice {N}?
    draw: {N: [3, 4]}
    formula: {inputs: {N: {is: a number, unit: 1}}, steps: {t: 2 * N}, unit: "1", misconceptions: [{id: once, value: N, say: That is N.}]}
  - id: pick
    kind: choice
    stem: Which?
    key: "yes"
    distractors: ["no", maybe, never]
  - {id: again, kind: choice, stem: "Twice {N}?", from: twice}
  - id: why
    kind: text
    stem: Why?
    rubric: {criteria: [{id: fast, say: It is fast., accept: [fast], points: 2}, {id: new, say: It is new., accept: [new]}]}
"""


@pytest.fixture
def items(bank_of: BankOf) -> Mapping[str, Item]:
    return bank_of(BANK).readable.items


def outcome(scorer: Scorer, item: Item, given: Mapping[str, str] | None, response: str, seed: str | None = None) -> str:
    return scorer.verdict(item, seed, given, response).score.outcome


def test_one_response_to_two_variants_is_scored_for_each(items: Mapping[str, Item]) -> None:
    """What is remembered of `6` where N is 3 says nothing about `6` where N is 4."""
    scorer = Scorer(items)
    for _ in range(2):
        assert outcome(scorer, items["twice"], {"N": "3"}, "6") == "correct"
        assert outcome(scorer, items["twice"], {"N": "4"}, "6") == "incorrect"


def test_several_options_are_told_in_the_order_shown(bank_of: BankOf) -> None:
    """Whoever came first with the same options in another order: each reads them as they stood on the form."""
    loaded = bank_of("items: [{id: all, kind: choice, stem: Which?, key: [a1, b2], distractors: [c3]}]")
    item, together = loaded.readable.items["all"], Scorer(loaded.readable.items)
    read = set()
    for n in range(12):
        score = together.verdict(item, f"s{n}", None, ("a1", "b2")).score
        alone = Scorer(loaded.readable.items).verdict(item, f"s{n}", None, ("a1", "b2")).score
        assert score == alone
        read.add(score.read_as)
    assert read == {"a1; b2", "b2; a1"}


def test_a_letter_is_remembered_for_its_order_alone(items: Mapping[str, Item]) -> None:
    """Over many seeds the first option is now the key and now a distractor; its text always means the same."""
    scorer = Scorer(items)
    assert outcome(scorer, items["pick"], None, "A") == "unreadable"  # nothing says which option was first
    by_letter = {outcome(scorer, items["pick"], None, "A", f"s{n}") for n in range(40)}
    by_text = {outcome(scorer, items["pick"], None, "yes", f"s{n}") for n in range(40)}
    assert by_letter == {"correct", "incorrect"}
    assert by_text == {"correct"}


def test_points_and_hints_of_a_line_are_part_of_what_is_remembered(items: Mapping[str, Item]) -> None:
    """The same words out of other points, or with a hint taken, are another verdict."""
    scorer = Scorer(items)
    plain = scorer.verdict(items["twice"], None, {"N": "3"}, "6").score
    ten = scorer.verdict(items["twice"], None, {"N": "3"}, "6", Fraction(10)).score
    hinted = scorer.verdict(items["twice"], None, {"N": "3"}, "6", None, 1).score
    assert [(s.earned, s.possible) for s in (plain, ten, hinted)] == [(2, 2), (10, 10), (Fraction(9, 5), 2)]


def test_a_seed_draws_what_the_given_values_lack(items: Mapping[str, Item]) -> None:
    """`given` wins; what it does not say comes from the seed, and without one the line is refused."""
    scorer = Scorer(items)
    drawn = dict(scorer.variant(items["twice"], "s", {})[1])
    assert dict(scorer.variant(items["twice"], "s", {"M": "9"})[1]) == drawn
    assert {scorer.variant(items["twice"], f"s{n}", {"M": "9"})[1] for n in range(20)} == {(("N", "3"),), (("N", "4"),)}
    with pytest.raises(VariantNotDetermined, match="N"):
        scorer.variant(items["twice"], None, {"M": "9"})


def test_options_chosen_are_told_where_they_are_the_same_for_everyone(items: Mapping[str, Item]) -> None:
    """By letter through the order shown, by text without it; an unreadable response chose nothing."""
    scorer = Scorer(items)
    variant, _, order = scorer.variant(items["pick"], "s", None)
    assert variant.order() == order
    assert scorer.verdict(items["pick"], "s", None, "B").chosen_options == (order[1],)
    assert scorer.verdict(items["pick"], None, None, "MAYBE").chosen_options == ("maybe",)
    assert scorer.verdict(items["pick"], None, None, "perhaps").chosen_options == ()
    assert scorer.verdict(items["twice"], None, {"N": "3"}, "6").chosen_options == ()
    for given in ("3", "4"):
        drawn = scorer.verdict(items["again"], "s", {"N": given}, "A")
        assert (drawn.chosen_options, drawn.drawn_value_pairs) == ((), (("N", given),)), (
            "options of a drawing are not everyone's"
        )


@pytest.mark.parametrize(
    ("points", "shown"),
    [("2", "2"), ("1/3", "0.33"), ("1/2", "0.5"), ("-1/1000", "0"), ("1/2000000", "0"), ("-3/2", "-1.5"), ("10", "10")],
)
def test_points_are_shown_as_people_write_them(points: str, shown: str) -> None:
    """At most two decimals, no zeros behind, and never minus nothing."""
    assert points_decimal(Fraction(points)) == shown


def test_units_are_rounded_half_to_even() -> None:
    """What a unit cannot hold is rounded, not cut: sums of many lean to neither side."""
    assert [points_in_units(Fraction(n, 2 * UNITS_PER_POINT)) for n in (1, 3, -1, -3)] == [0, 2, 0, -2]
    assert points_in_units(Fraction(1, 3)) * 3 == UNITS_PER_POINT


def score_of(*marks: tuple[str, int, int], outcome: Outcome = Outcome.PARTIAL) -> Score:
    return Score(outcome, tuple(Mark(name, Fraction(e), Fraction(p), "") for name, e, p in marks))


@pytest.mark.parametrize(
    ("marks", "before", "after"),
    [
        ([("a", 2, 2)], Outcome.PARTIAL, Outcome.CORRECT),
        ([("a", 0, 2)], Outcome.PARTIAL, Outcome.INCORRECT),
        ([("a", 1, 2)], Outcome.CORRECT, Outcome.PARTIAL),
        ([("a", 0, 2)], Outcome.BLANK, Outcome.BLANK),
        ([("a", 0, 2)], Outcome.UNREADABLE, Outcome.UNREADABLE),
        ([("a", 2, 2)], Outcome.UNREADABLE, Outcome.CORRECT),
        ([("a", 0, 0)], Outcome.CORRECT, Outcome.CORRECT),
        ([("a", 0, 0)], Outcome.INCORRECT, Outcome.INCORRECT),
    ],
)
def test_an_outcome_follows_the_marks(marks: list[tuple[str, int, int]], before: Outcome, after: Outcome) -> None:
    """Blank and unreadable stay what they are for as long as they earn nothing."""
    assert with_outcome(score_of(*marks, outcome=before)).outcome is after


@pytest.mark.parametrize(
    ("criterion", "earned", "total", "because"),
    [
        ("a", "9", 3, "set to 9 by hand: seen on paper"),
        ("a", "-1", 1, "set to -1 by hand: seen on paper"),
        ("", "99", 3, "set to 99 by hand: seen on paper"),
        ("", "0", 0, "set to 0 by hand: seen on paper"),
    ],
)
def test_a_decision_stays_within_what_is_possible(criterion: str, earned: str, total: int, because: str) -> None:
    """Of one criterion or of the whole; the reason stands with it, and nobody need look again."""
    before = score_of(("a", 0, 2), ("b", 1, 1))
    after = apply_overrides(before, [Override(criterion, Fraction(earned), "seen on paper")])
    assert (after.earned, after.possible, after.review) == (total, 3, ())
    assert because in [m.because for m in after.marks]


SAID = """
items:
  - id: size
    kind: numeric
    stem: How much for {N} numbers?
    draw: {N: [3, 4]}
    formula: {inputs: {N: {is: a number, unit: 1}}, steps: {a: N * 2 GB, t: a * 2}, unit: GB, misconceptions: [{id: once, value: a, say: Twice that.}]}
  - id: most
    kind: numeric
    stem: The largest N that needs at most 12 GB?
    formula: {inputs: {N: {is: a number, unit: 1, whole: true}}, steps: {t: N * 4 GB}, unit: GB}
    find: {input: N, at_most: 12 GB}
  - id: why
    kind: text
    stem: Why?
    rubric: {criteria: [{id: fast, say: It is fast., accept: [fast]}, {id: new, say: It is new., accept: [new]}]}
"""


@pytest.mark.parametrize(
    ("item", "response", "told"),
    [
        ("size", "24 GB", "2 times the key (twice)"),
        ("size", "6,000 MB", "0.5 times the key (once)"),
        ("size", "15", "1.25 times the key"),
        ("size", "12 GB", ""),
        ("size", "", ""),
        ("size", "Hard  to say", '"hard to say"'),
        ("most", "6", "2 times the key (twice)"),
        ("most", "none", ""),
        ("why", "It is  OLD", '"it is old"'),
        ("why", "It is fast", ""),
        ("why", "old " * 12, f'"{"old " * 11}old"'),
        ("why", "old " * 13, ""),
    ],
)
def test_what_a_wrong_response_said(bank_of: BankOf, item: str, response: str, told: str) -> None:
    """With N = 3 the key is 12 GB; what is right, blank, too long or earned something is told as nothing."""
    loaded = bank_of(SAID)
    drawn = {"N": "3"} if item == "size" else None
    assert Scorer(loaded.readable.items).verdict(loaded.readable.items[item], "s", drawn, response).summary == told


def test_what_was_met_before_is_not_scored_again(items: Mapping[str, Item], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each different response once: an option's text whatever the seed, a number once a drawing."""
    scored: list[str] = []

    def counting(variant: Variant, *rest: Any) -> Score:
        scored.append(variant.item.id)
        return score_response(variant, *rest)

    monkeypatch.setattr("quizgen.scoring.scorer.score_response", counting)
    scorer = Scorer(items)
    for seed in ("s1", "s2", "s1"):
        outcome(scorer, items["pick"], None, "maybe", seed)
    assert scored == ["pick"]
    for drawn in ("3", "4", "3"):
        outcome(scorer, items["twice"], {"N": drawn}, "6")
    assert scored == ["pick", "twice", "twice"]
    assert scorer.variant(items["twice"], None, {"N": "3"})[0] is scorer.variant(items["twice"], "s", {"N": "3"})[0]


def test_a_criterion_may_be_named_by_its_number() -> None:
    """Where no other has that name; a number beyond the last names none."""
    before = score_of(("a", 0, 2), ("b", 1, 1))
    assert apply_overrides(before, [Override("1", Fraction(2), "seen")]).earned == 3
    assert apply_overrides(before, [Override("3", Fraction(2), "seen")]) == before
    named = score_of(("2", 0, 2), ("b", 1, 1))
    assert apply_overrides(named, [Override("2", Fraction(2), "seen")]).earned == 3


def test_an_accepted_response_is_accepted_however_it_was_written(items: Mapping[str, Item]) -> None:
    """`--accept twice=7`: also `7.0`, which is read as the same; not 8."""
    scorer = Scorer(items, ScoringChanges(accepted_by_item={"twice": ("7",)}))
    assert [outcome(scorer, items["twice"], {"N": "3"}, text) for text in ("7.0", " 7 ", "8", "6")] == [
        "correct", "correct", "incorrect", "correct",
    ]  # fmt: skip


def test_hints_cost_nothing_where_none_was_taken_or_nothing_earned() -> None:
    """10 % of two points for the first; no mark of its own where there is nothing to take."""
    full, none = score_of(("a", 2, 2), outcome=Outcome.CORRECT), score_of(("a", 0, 2), outcome=Outcome.INCORRECT)
    assert deduct_hints(full, 0) == full
    assert deduct_hints(none, 2) == none
    assert deduct_hints(full, 1).earned == Fraction(9, 5)
