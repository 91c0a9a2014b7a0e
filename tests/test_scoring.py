"""Responses to verdicts: what fixes a variant, what is remembered, what a person's decision does; what a blind guess
earns, worked by hand, and which options an item has for everyone.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import pytest
from shipped import BankOf

from quizgen.model import Item, Mark, Outcome, Response, Score
from quizgen.scoring.response import (
    UNITS_PER_POINT,
    DroppedItemsAndAcceptedResponses,
    points_in_units,
    score_response,
    score_with_outcome_by_points,
)
from quizgen.scoring.scorer import ItemOptionsAndKey, Scorer, VariantNotDetermined, item_options_and_key
from quizgen.source.problems import up_to_2_decimals

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
  - {id: all, kind: choice, stem: Which?, key: [a1, b2], distractors: [c3]}
  - {id: each, kind: choice, stem: Which?, key: [a, b], distractors: [c], policy: each}
  - id: word
    kind: numeric
    stem: Does {N} fit into 5?
    draw: {N: [3, 7]}
    formula: {inputs: {N: {is: a number, unit: 1}}, steps: {fits: N <= 5}, unit: "1"}
  - id: most
    kind: numeric
    stem: The largest N that needs at most 12 GB?
    formula: {inputs: {N: {is: a number, unit: 1, whole: true}}, steps: {t: N * 4 GB}, unit: GB}
    find: {input: N, at_most: 12 GB}
  - {id: half, kind: numeric, stem: A half?, formula: {inputs: {}, steps: {t: "0.5"}, unit: "1"}}
  - id: why
    kind: text
    stem: Why?
    rubric: {criteria: [{id: fast, say: It is fast., accept: [fast], points: 2}, {id: new, say: It is new., accept: [new]}]}
"""


@pytest.fixture
def items(bank_of: BankOf) -> Mapping[str, Item]:
    return bank_of(BANK).required_bank.items


def outcome(scorer: Scorer, item: Item, given: Mapping[str, str] | None, response: str, seed: str | None = None) -> str:
    return scorer.verdict_on_response(item, seed, given, response).score.outcome


@pytest.mark.parametrize(
    ("item", "drawn", "response", "verdicts"),
    [
        # Where N is 3 it is right, where N is 4 it is not; out of 10 points; with one hint or two taken.
        ("twice", "34", "6", {("6", 2, 2), ("6", 0, 2), ("6", 10, 10), ("6", 0, 10), ("6", Fraction(9, 5), 2), ("6", Fraction(7, 5), 2)}),
        # Without a seed nothing says which option was first; with one it is now the key and now a distractor.
        ("pick", "", "A", {(None, 0, 1), ("no", 0, 1), ("maybe", 0, 1), ("never", 0, 1), ("yes", 1, 1), ("yes", Fraction(9, 10), 1), ("yes", Fraction(7, 10), 1),
                           (None, 0, 10), ("no", 0, 10), ("maybe", 0, 10), ("never", 0, 10), ("yes", 10, 10)}),
        ("pick", "", "yes", {("yes", 1, 1), ("yes", 10, 10), ("yes", Fraction(9, 10), 1), ("yes", Fraction(7, 10), 1)}),
        # Several options are told in the order shown, whoever came first with the same ones in another order.
        ("all", "", ("a1", "b2"), {(both, *points) for both in ("a1; b2", "b2; a1") for points in ((1, 1), (10, 10), (Fraction(9, 10), 1), (Fraction(7, 10), 1))}),
    ],
)  # fmt: skip
def test_a_verdict_is_that_of_its_response(
    items: Mapping[str, Item], item: str, drawn: str, response: Response, verdicts: set[tuple[object, ...]]
) -> None:
    """Another drawing, another order of the options, other points or hints are another verdict of the same words."""
    together, found = Scorer(items), set()
    seeds = (None, *(f"s{n}" for n in range(40)))
    lines = product(seeds, drawn or [""], ((None, 0), (Fraction(10), 0), (None, 1), (None, 2)))
    for seed, n, rest in lines:
        line = (items[item], seed, {"N": n} if n else None, response, *rest)
        score = together.verdict_on_response(*line).score
        assert score == Scorer(items).verdict_on_response(*line).score
        found.add((score.read_as, score.earned, score.possible))
    assert found == verdicts


def test_a_seed_draws_what_the_given_values_lack(items: Mapping[str, Item]) -> None:
    """`given` wins; what it does not say comes from the seed, and without one the line is refused."""
    scorer = Scorer(items)
    drawn = scorer.variant_facts(items["twice"], "s", {}).variant.drawn_log_values()
    assert scorer.variant_facts(items["twice"], "s", {"M": "9"}).variant.drawn_log_values() == drawn
    found = {scorer.variant_facts(items["twice"], f"s{n}", {"M": "9"}).variant.key_text() for n in range(20)}
    assert found == {"6", "8"}
    assert outcome(scorer, items["again"], {"N": "3"}, "A") == "unreadable", "no seed says which option was first"
    with pytest.raises(VariantNotDetermined, match="N"):
        scorer.variant_facts(items["twice"], None, {"M": "9"})


def test_options_chosen_are_told_where_they_are_the_same_for_everyone(items: Mapping[str, Item]) -> None:
    """By letter through the order shown, by text without it; an unreadable response chose nothing."""
    scorer = Scorer(items)
    variant = scorer.variant_facts(items["pick"], "s", None).variant
    order = variant.option_texts_as_shown()
    assert variant.option_texts_as_shown() == order
    assert scorer.verdict_on_response(items["pick"], "s", None, "B").texts_of_chosen_options == (order[1],)
    assert scorer.verdict_on_response(items["pick"], None, None, "MAYBE").texts_of_chosen_options == ("maybe",)
    assert scorer.verdict_on_response(items["pick"], None, None, "perhaps").texts_of_chosen_options == ()
    assert scorer.verdict_on_response(items["twice"], None, {"N": "3"}, "6").texts_of_chosen_options == ()
    for given in ("3", "4"):
        drawn = scorer.verdict_on_response(items["again"], "s", {"N": given}, "A")
        # options of a drawing are not everyone's
        assert (drawn.texts_of_chosen_options, drawn.drawn_value_pairs) == ((), (("N", given),))


@pytest.mark.parametrize(("points", "shown"), [("1/3", "0.33"), ("-1/1000", "0"), ("-3/2", "-1.5"), ("10", "10")])
def test_points_are_shown_as_people_write_them(points: str, shown: str) -> None:
    """At most two decimals, no zeros behind, and never minus nothing."""
    assert up_to_2_decimals(Fraction(points)) == shown


def test_units_are_rounded_half_to_even() -> None:
    """What a unit cannot hold is rounded, not cut: sums of many lean to neither side."""
    assert [points_in_units(Fraction(n, 2 * UNITS_PER_POINT)) for n in (1, 3, -1, -3)] == [0, 2, 0, -2]
    assert points_in_units(Fraction(1, 3)) * 3 == UNITS_PER_POINT


@pytest.mark.parametrize(
    ("earned", "possible", "before", "after"),
    [
        (2, 2, Outcome.PARTIAL, Outcome.CORRECT),
        (0, 2, Outcome.PARTIAL, Outcome.INCORRECT),
        (1, 2, Outcome.CORRECT, Outcome.PARTIAL),
        (0, 2, Outcome.BLANK, Outcome.BLANK),
        (0, 2, Outcome.UNREADABLE, Outcome.UNREADABLE),
        (2, 2, Outcome.UNREADABLE, Outcome.CORRECT),
        (0, 0, Outcome.CORRECT, Outcome.CORRECT),
        (0, 0, Outcome.INCORRECT, Outcome.INCORRECT),
    ],
)
def test_an_outcome_follows_the_marks(earned: int, possible: int, before: Outcome, after: Outcome) -> None:
    """Blank and unreadable stay what they are for as long as they earn nothing."""
    mark = Mark("a", Fraction(earned), Fraction(possible), "")
    assert score_with_outcome_by_points(Score(before, (mark,))).outcome is after


@pytest.mark.parametrize(
    ("item", "response", "told"),
    [
        ("twice", "12", "2 times the key (twice)"),
        ("twice", "3.0", "0.5 times the key (once)"),
        ("twice", "7.5", "1.25 times the key"),
        ("twice", "6", ""),
        ("twice", "", ""),
        ("twice", "Hard  to say", '"hard to say"'),
        ("most", "6", "2 times the key (twice)"),
        ("half", "9e307", ""),  # times the key: more than a float can hold
        ("why", "It is  OLD", '"it is old"'),
        ("why", "It is fast", ""),
        ("why", "old " * 12, f'"{"old " * 11}old"'),
        ("why", "old " * 13, ""),
    ],
)
def test_what_a_wrong_response_said(items: Mapping[str, Item], item: str, response: str, told: str) -> None:
    """With N = 3 the key is 6; what is right, blank, too long or earned something is told as nothing."""
    drawn = {"N": "3"} if item == "twice" else None
    assert Scorer(items).verdict_on_response(items[item], "s", drawn, response).wrong_response_summary == told


def test_what_was_met_before_is_not_scored_again(items: Mapping[str, Item]) -> None:
    """Each different response once: an option's text whatever the seed, a number once a drawing."""
    scorer = Scorer(items)
    with patch("quizgen.scoring.scorer.score_response", wraps=score_response) as scored:
        for drawn in ("3", "4", "3"):
            outcome(scorer, items["pick"], None, "maybe", drawn)
            outcome(scorer, items["twice"], {"N": drawn}, "6")
    assert [call.args[0].item.id for call in scored.call_args_list] == ["pick", "twice", "twice"]


def test_an_accepted_response_is_accepted_however_it_was_written(items: Mapping[str, Item]) -> None:
    """`--accept twice=7`: also `7.0`, which is read as the same; not 8."""
    scorer = Scorer(items, DroppedItemsAndAcceptedResponses(accepted_responses_by_item={"twice": ("7",)}))
    found = [outcome(scorer, items["twice"], {"N": "3"}, text) for text in ("7.0", " 7 ", "8", "6")]
    assert found == ["correct", "correct", "incorrect", "correct"]


@pytest.mark.parametrize(
    ("item", "wanted"),
    [
        ("pick", ItemOptionsAndKey(("maybe", "never", "no", "yes"), ("yes",), 0.25)),
        # Seven subsets that are not empty; one of them is both keys and nothing else.
        ("all", ItemOptionsAndKey(("a1", "b2", "c3"), ("a1", "b2"), 1 / 7)),
        # Judged rightly of three: a 2, b 2, c 0, ab 3, ac 1, bc 1, abc 2: 11 of 21.
        ("each", ItemOptionsAndKey(("a", "b", "c"), ("a", "b"), 11 / 21)),
        ("word", ItemOptionsAndKey(guessing_share=0.5)),
        ("twice", ItemOptionsAndKey(guessing_share=0.0)),
        # The misconception, and two more wrong values, make four options.
        ("again", ItemOptionsAndKey(guessing_share=0.25)),
        ("why", ItemOptionsAndKey(guessing_share=0.0)),
    ],
)
def test_options_and_key_of_an_item(items: Mapping[str, Item], item: str, wanted: ItemOptionsAndKey) -> None:
    """Whatever was drawn; options of a drawing are not everyone's."""
    found = item_options_and_key(items[item])
    assert (found.option_texts, found.key_texts) == (wanted.option_texts, wanted.key_texts)
    assert found.guessing_share == pytest.approx(wanted.guessing_share)
