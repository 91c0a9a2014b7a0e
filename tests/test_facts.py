"""What a blind guess earns, worked by hand, and which options an item has for everyone."""

from __future__ import annotations

import pytest
from shipped import BankOf

from quizgen.scoring.scorer import ItemKeyFacts, item_key_facts

BANK = """
items:
  - {id: four, kind: choice, stem: 1?, key: a, distractors: [b, c, d], points: 2}
  - {id: two-of-three, kind: choice, stem: 2?, key: [a, b], distractors: [c]}
  - {id: each, kind: choice, stem: 3?, key: [a, b], distractors: [c], policy: each}
  - id: word
    kind: numeric
    stem: Does {N} fit into 5?
    draw: {N: [3, 7]}
    formula: {inputs: {N: {is: a number, unit: 1}}, steps: {fits: N <= 5}, unit: "1"}
  - id: number
    kind: numeric
    stem: Twice {N}?
    draw: {N: [3, 7]}
    formula: {inputs: {N: {is: a number, unit: 1}}, steps: {t: 2 * N}, unit: "1", misconceptions: [{id: once, value: N, say: No.}]}
  - {id: made, kind: choice, stem: "Twice {N}?", from: number}
  - {id: why, kind: text, stem: Why?, rubric: {criteria: [{id: c, say: It is fast., accept: [fast]}]}}
"""


@pytest.mark.parametrize(
    ("item", "facts"),
    [
        ("four", ItemKeyFacts(("a", "b", "c", "d"), ("a",), 0.25)),
        # Seven subsets that are not empty; one of them is both keys and nothing else.
        ("two-of-three", ItemKeyFacts(("a", "b", "c"), ("a", "b"), 1 / 7)),
        # Judged rightly of three: a 2, b 2, c 0, ab 3, ac 1, bc 1, abc 2: 11 of 21.
        ("each", ItemKeyFacts(("a", "b", "c"), ("a", "b"), 11 / 21)),
        ("word", ItemKeyFacts(guessing_share=0.5)),
        ("number", ItemKeyFacts(guessing_share=0.0)),
        ("made", ItemKeyFacts(guessing_share=0.25)),  # the misconception, and two more wrong values, make four options
        ("why", ItemKeyFacts(guessing_share=0.0)),
    ],
)
def test_facts_of_an_item(bank_of: BankOf, item: str, facts: ItemKeyFacts) -> None:
    """Whatever was drawn; options of a drawing are not everyone's."""
    found = item_key_facts(bank_of(BANK).readable.items[item])
    assert (found.options, found.keys) == (facts.options, facts.keys)
    assert found.guessing_share == pytest.approx(facts.guessing_share)
