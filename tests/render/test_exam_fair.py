"""Shuffling is fair: chi-square over 10,000 forms of one exam.

Critical values are the 99.9 % points of the chi-square distribution (Abramowitz and Stegun, table
26.8). Seeds are fixed, so a pass is a pass for good.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from shipped import BankOf

from quizgen import assemble, exam
from quizgen.answer_areas import Options

FORMS = 10_000
ITEMS = 8
CRITICAL = {3: 16.27, 9: 27.88, 15: 37.70}

BANK = "items:\n" + "".join(
    f"  - {{id: item-{n}, kind: choice, stem: Stem {n}, key: right, distractors: [wrong, zebra, apple]}}\n"
    for n in range(ITEMS)
)


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = sum(counts.values()) / cells
    return sum((counts[c] - expected) ** 2 for c in counts) / expected + (cells - len(counts)) * expected


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> list[list[tuple[str, int]]]:
    """Of each form: item ids in order, each with the position of its key."""
    from quizgen import bank as banks

    path = tmp_path_factory.mktemp("fair") / "items.yaml"
    path.write_text(BANK, encoding="utf-8")
    bank = banks.load_bank(str(path)).readable
    plan = exam.plan_exam(bank, assemble.mixed_blueprint(), "fair")
    made = []
    for label in exam.form_labels(FORMS):
        entries = plan.form(label).entries
        areas = [next(b for b in e.variant.prompt() if isinstance(b, Options)) for e in entries]
        positions = [[o.text for o in a.options].index("right") for a in areas]
        made.append([(e.variant.item.id, p) for e, p in zip(entries, positions, strict=True)])
    return made


def test_the_key_of_one_item_says_nothing_of_the_next(forms: list[list[tuple[str, int]]]) -> None:
    pairs = Counter((a, b) for form in forms for (_, a), (_, b) in pairwise(form))
    assert chi_square(Counter(pairs), 16) < CRITICAL[15]


def test_no_order_repeats_a_neighbour_pattern(forms: list[list[tuple[str, int]]]) -> None:
    """Every ordered pair of neighbours is equally frequent, and consecutive forms share no more
    neighbours than chance: 7 places, each with chance 1/8 of the same ordered pair."""
    orders = [[name for name, _ in form] for form in forms]
    pairs = Counter(pair for order in orders for pair in pairwise(order))
    assert len(pairs) == ITEMS * (ITEMS - 1)
    assert chi_square(Counter(pairs), ITEMS * (ITEMS - 1)) < 93.17  # 55 degrees of freedom
    shared = [len(set(pairwise(a)) & set(pairwise(b))) for a, b in pairwise(orders)]
    assert abs(sum(shared) / len(shared) - 7 / 8) < 0.05


def test_every_drawn_value_comes_equally_often_and_apart_from_the_others(bank_of: BankOf) -> None:
    """Five values by four: every pair of them is equally frequent over the forms."""
    loaded = bank_of(
        """
        items:
          - id: area
            kind: numeric
            stem: How much are {a} times {b}?
            draw: {a: [2, 3, 5, 7, 11], b: [13, 17, 19, 23]}
            formula: {inputs: {a: {is: one, unit: 1}, b: {is: other, unit: 1}}, steps: {product: a * b}, unit: 1}
        """
    )
    plan = exam.plan_exam(loaded.readable, assemble.mixed_blueprint(), "fair")
    drawn = (plan.form(label).entries[0].variant.drawn() for label in exam.form_labels(FORMS))
    counts = Counter((values["a"], values["b"]) for values in drawn)
    assert chi_square(Counter(counts), 20) < 43.82  # 19 degrees of freedom
