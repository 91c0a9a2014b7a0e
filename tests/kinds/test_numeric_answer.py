"""What `answer:` and `find:` say: tolerances as shares and as amounts, digits, bounds that are drawn; what goes on from
a rounded number; what other programs get."""

from __future__ import annotations

from fractions import Fraction

import pytest
from shipped import BankOf

from quizgen.bank.reader import LoadedBank
from quizgen.draw import Stream
from quizgen.formula.quantity import Tolerance
from quizgen.kinds.numeric import NumericItem
from quizgen.model import Outcome

ITEM = """
items:
  - id: one
    kind: numeric
    stem: How much is it?
    formula:
      inputs: {{x: {{is: x, unit: {unit}, default: {value}}}}}
      steps: {{all: {step}}}
      unit: {unit}
      {extra}
    answer: {answer}
"""


def loaded(
    bank_of: BankOf, answer: str, unit: str = "GB", value: str = "10 GB", step: str = "x / 1", extra: str = ""
) -> LoadedBank:
    return bank_of(ITEM.format(unit=unit, value=value, step=step, answer=answer, extra=extra))


def item_of(made: LoadedBank) -> NumericItem:
    item = made.readable.items["one"]
    assert isinstance(item, NumericItem)
    return item


GB = 8 * 10**9
ANSWERS = [
    ("{tolerance: 2%}", "GB", Tolerance(Fraction(2, 100))),
    ("{tolerance: 0.02}", "GB", Tolerance(Fraction(2, 100))),
    ("{tolerance: 0}", "GB", Tolerance(Fraction(0))),
    ("{tolerance: 0.5 GB}", "GB", Tolerance(Fraction(0), Fraction(GB, 2))),
    ("{tolerance: 512 MB}", "GB", Tolerance(Fraction(0), Fraction(GB) * 512 / 1000)),
    ("{tolerance: {absolute: 0.5}}", "GB", Tolerance(Fraction(0), Fraction(GB, 2))),
    ("{tolerance: {absolute: 0.01 %}}", "'%'", Tolerance(Fraction(0), Fraction(1, 10**4))),
    ("{tolerance: 0.01 %}", "'%'", Tolerance(Fraction(1, 10**4))),
    ("{tolerance: 0.5%, digits: 3}", "GB", Tolerance(Fraction(1, 200), digits=3)),
    ("{digits: 3}", "GB", Tolerance(digits=3)),
    ("{tolerance: 0}", "GPU", Tolerance(Fraction(0), digits=0)),
    ("{tolerance: 2 GPU}", "GPU", Tolerance(Fraction(0), Fraction(2), 0)),
    ("{digits: 2}", "GPU", Tolerance(Fraction(0), digits=2)),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "unit", "tolerance"), ANSWERS)
def test_a_tolerance_is_a_share_or_an_amount(bank_of: BankOf, answer: str, unit: str, tolerance: Tolerance) -> None:
    value, step = {"GB": ("10 GB", "x / 1"), "'%'": ("50 %", "x / 1"), "GPU": ("10 GPU", "ceil(x)")}[unit]
    item = item_of(loaded(bank_of, answer, unit, value, step))
    assert item.answer.tolerance == tolerance
    assert item.answer.digits == (tolerance.digits or 0 if "digits" in answer else 0)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("{tolerance: 3 s}", "3 s is a time (s), not an amount of data (B)"),
        ("{tolerance: 5 furlongs}", 'unknown unit "furlongs"'),
        ("{tolerance: 200%}", "tolerance must be a share from 0% to below 100%"),
        ("{tolerance: most}", "tolerance must be a share from 0% to below 100%"),
        ("{tolerance: {absolute: -1 GB}}", "a tolerance is not below 0"),
        ("{tolerance: {relative: 1%}}", "unknown field"),
        ("{tolerance: {}}", "a tolerance"),
        ("{digits: 0}", "digits must be a whole number from 1 to 15"),
        ("{digits: two}", "digits must be a whole number from 1 to 15"),
    ],
)
def test_what_is_no_tolerance_is_told(bank_of: BankOf, answer: str, told: str) -> None:
    made = loaded(bank_of, answer)
    assert any(told in p.message for p in made.problems), [str(p) for p in made.problems]


@pytest.mark.parametrize(
    ("answer", "text", "outcome"),
    [
        ("{tolerance: 0.5 GB}", "10.5 GB", Outcome.CORRECT),
        ("{tolerance: 0.5 GB}", "9.49 GB", Outcome.INCORRECT),
        ("{tolerance: 0.5 GB}", "9.8 GiB", Outcome.INCORRECT),  # 10.52 GB
        ("{tolerance: 0.05 GB}", "10.1", Outcome.INCORRECT),  # below 1 %: no digits count
    ],
)
def test_an_amount_is_the_edge(bank_of: BankOf, answer: str, text: str, outcome: Outcome) -> None:
    assert item_of(loaded(bank_of, answer)).draw(Stream("one", "1")).score(text).outcome is outcome


@pytest.mark.parametrize(
    ("value", "key", "result"),
    [
        ("99.9975 %", "99.9975%", "99.9975%"),
        ("99.99654321 %", "99.99654%", "99.99654%"),
        ("100 %", "100%", "100%"),
        ("95.238 %", "95.24%", "95.24%"),
        ("100.00025 %", "100.00025%", "100.00025%"),
        ("46.6667 %", "46.67%", "46.67%"),
    ],
)
def test_no_key_below_a_hundred_prints_as_a_hundred(bank_of: BankOf, value: str, key: str, result: str) -> None:
    variant = item_of(loaded(bank_of, "{unit: '%'}", "'%'", value)).draw(Stream("one", "1"))
    assert variant.key_text() == key
    assert f"result='{result}'" in str(variant.solution())


# -- bounds that are drawn ------------------------------------------------------------------

FIND = """
items:
  - id: one
    kind: numeric
    stem: "{{N}} parameters at 16 bytes each; a GPU may hold {{budget}}. How many GPUs at least?"
    {draw}
    formula:
      inputs: {{N: {{is: params, unit: param}}, K: {{is: GPUs, unit: 1, whole: true, min: 1}}}}
      steps: {{share: N * 16 B/param / K}}
      unit: B
    find: {{input: K, at_most: {bound}}}
"""
DRAWN = "draw: {N: [7e9 param, 13e9 param], budget: [40 GB, 80 GB]}"


@pytest.mark.parametrize("bound", ["budget", "'{budget}'"])
@pytest.mark.parametrize(
    "draw",
    [DRAWN, "cases: [{N: 7e9 param, budget: 40 GB}, {N: 13e9 param, budget: 80 GB}, {N: 7e9 param, budget: 80 GB}]"],
)
def test_a_bound_may_be_drawn(bank_of: BankOf, bound: str, draw: str) -> None:
    """112 GB at 40 GB each take 3 GPUs, at 80 GB 2; 208 GB at 80 GB take 3."""
    item = item_of(bank_of(FIND.format(draw=draw, bound=bound)))
    for n, budget, key in (("7e9", "40 GB", "3"), ("7e9", "80 GB", "2"), ("13e9", "80e9 B", "3")):
        variant = item.redraw({"N": n, "budget": budget}, None)
        assert variant.key_text() == key
        assert variant.drawn()["budget"] in (budget, "80 GB")
        assert "budget" not in str(variant.prompt())
    assert item.redraw({"N": "7e9", "budget": "40 GB"}, None).score("3 GPUs").outcome is Outcome.CORRECT
    assert item.redraw({"N": "7e9", "budget": "40 GB"}, None).score("2").diagnosis == "off-by-one"
    assert not [p for p in item.prove() if p.severity != "warning"]
    assert "at most 40 GB" in str(item.redraw({"N": "7e9", "budget": "40 GB"}, None).solution())


@pytest.mark.parametrize(
    ("bound", "told"),
    [
        ("budgte", '"budgte" is neither drawn nor a quantity; did you mean "budget"?'),
        ("3 s", "3 s is a time (s), not an amount of data (B)"),
        ("N", '"N" is not a quantity'),
    ],
)
def test_a_bound_that_is_not_drawn_is_told(bank_of: BankOf, bound: str, told: str) -> None:
    draw = "draw: {N: [7e9 param]}" if bound == "N" else DRAWN.replace("budget: [40 GB, 80 GB]", "budget: [40 GB]")
    problems = bank_of(FIND.format(draw=draw, bound=bound)).problems
    assert any(told in str(p) for p in problems), [str(p) for p in problems]


# -- what goes on from a rounded number -----------------------------------------------------

PARTS = """
stimuli: [{id: day, text: "A day brings {n} queries.", draw: {n: [115]}}]
items:
  - id: first
    kind: numeric
    stimulus: day
    stem: What is a hundredth?
    formula: {inputs: {n: {is: n}}, steps: {part: n / 100}}
  - id: second
    kind: numeric
    stimulus: day
    after: {item: first, as: part}
    stem: And 1000 times that?
    formula: {inputs: {part: {is: part}}, steps: {all: part * 1000}}
"""


@pytest.mark.parametrize(
    ("earlier", "later", "outcome"),
    [
        ("1.15", "1150", Outcome.CORRECT),
        ("1.2", "1200", Outcome.CORRECT),  # right as rounded, and as what follows from 1.2
        ("1.2", "1100", Outcome.CORRECT),  # 1150 to two digits
        ("1", "1000", Outcome.CORRECT),  # follows from a wrong number
        ("1.2", "1210", Outcome.CORRECT),  # within 1 % of what follows from 1.2
        ("1.2", "1250", Outcome.INCORRECT),
        ("1.15", "1210", Outcome.INCORRECT),
    ],
)
def test_what_follows_from_a_rounded_part_is_right(bank_of: BankOf, earlier: str, later: str, outcome: Outcome) -> None:
    made = bank_of(PARTS)
    assert made.readable.items["second"].draw(Stream("second", "1")).score_after(later, earlier).outcome is outcome


@pytest.mark.parametrize(
    ("text", "earned"),
    [
        ("part = 1.2; all = 1200", 1),
        ("part = 1.2; all = 1210", 1),  # follows from the rounded step
        ("part = 1.3; all = 1300", Fraction(1, 2)),  # follows from a wrong one
        ("part = 1.2; all = 1300", Fraction(1, 2)),
    ],
)
def test_what_follows_from_a_rounded_step_is_right(bank_of: BankOf, text: str, earned: Fraction | int) -> None:
    made = bank_of(
        ITEM.format(unit="1", value="115", step="x / 100, total: all * 1000", answer="{unit: '1'}", extra="")
        .replace("all", "part")
        .replace("total: ", "all: ")
    )
    assert item_of(made).draw(Stream("one", "1")).score(text).earned == earned


# -- for programs with one tolerance --------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "wrong", "margin"),
    [
        ("{unit: GB}", "", Fraction("0.5")),  # of 15.53: 16 is 0.47 off, 1 % is 0.16
        ("{unit: GB, digits: 3}", "", Fraction("0.1553")),
        ("{unit: GB, tolerance: 0.2%}", "", Fraction("0.03106")),
        ("{unit: GB}", "15.9 GB", Fraction("0.1553")),  # two digits would let the mistake in
        ("{unit: GB}", "16.1 GB", Fraction("0.5")),
        ("{unit: GB, tolerance: 1 GB}", "", Fraction(1)),
    ],
)
def test_one_tolerance_takes_two_digits_where_it_lets_no_mistake_in(
    bank_of: BankOf, answer: str, wrong: str, margin: Fraction
) -> None:
    extra = f"misconceptions: [{{id: m, value: x / x * {wrong}, say: No.}}]" if wrong else ""
    plain = item_of(loaded(bank_of, answer, "B", "15.53 GB", "x / 1", extra)).draw(Stream("one", "1")).plain()
    assert plain.number.margin == margin
