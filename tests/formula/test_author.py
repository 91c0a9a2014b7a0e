"""What inputs of every kind take, in a formula and from a person, and proofs over a variant space. Mistakes in other
fields: kinds/test_author_mistakes.py."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from formula.written import ZERO2, formula_of, read
from quizgen.formula import FormulaError
from quizgen.formula.definition import InputValue
from quizgen.formula.proof import Proof, row_combinations_to_check
from quizgen.formula.quantity import Tolerance

KINDS = """
    inputs:
      scheme: {is: scheme, one_of: [ddp, zero1, zero2]}
      tied: {is: tied, one_of: [true, false], default: false}
      strict: {is: strict, one_of: [0, 1], default: 1}
      size: {is: size, unit: GB, one_of: [40, 80], default: 80}
      times: {is: times, unit: s, list: true, default: "1, 2"}
    steps:
      a: case(scheme, ddp, 2, zero1, 3, 4) + if(tied, 10, 0) + if(strict, 100, 0) + strict * 1000
      b: a + sum(times) / (1 s) + size / (1 GB) + if(scheme != ddp, 0.5, 0)
    unit: 1
"""


def test_enums_lists_and_choices(tmp_path: Path) -> None:
    formula = formula_of(tmp_path, KINDS, inline=True)
    assert formula.evaluate_raw({"scheme": "ddp"}).answer == 2 + 0 + 100 + 1000 + 3 + 80
    got = formula.evaluate_raw({"scheme": "zero1", "tied": True, "strict": "0", "size": "40", "times": [1, "500 ms"]})
    assert float(got.answer) == 3 + 10 + 0 + 0 + 1.5 + 40 + 0.5


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("ddp, 2", "dpd, 2", '8:19: scheme is one of ddp, zero1, zero2 in step a; did you mean "ddp"?'),
        ("if(tied", "if(size", '8:45: "size" is not a test in step a; write a comparison such as x > 0'),
        ("sum(times)", "times", "9:10: a list where a number is needed in step b; take its sum, max, min or len"),
        (
            "a + sum",
            "scheme + sum",
            "9:6: a word where a number is needed in step b; compare it: if(… == word, a, b), or use case",
        ),
        ("scheme != ddp", "scheme < ddp", "9:57: words have no order for < in step b; use == or !="),
        ("a + sum", "ddp + sum", '9:6: "ddp" is a word of scheme in step b; write scheme == ddp'),
        ("[40, 80], default: 80", "[40, 80], default: 60", "5:57: size = 60 is none of 40 GB, 80 GB; give one of them"),
    ],
)
def test_mistakes_with_kinds(old: str, new: str, wanted: str, tmp_path: Path) -> None:
    assert read(tmp_path, KINDS.replace(old, new, 1), inline=True) == (None, [wanted])


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"N": "13e9"}, "input K has no value; give K: data-parallel degree"),
        ({"N": "13e9", "K": 0}, "K = 0 is below the input's min 1; give a larger one"),
        ({"N": "13e9", "K": "2.5"}, "K = 2.5 is not a whole number; give a whole number"),
        ({"N": "13 GB", "K": 2}, "N: 13 GB is an amount of data (B), not a count of param; give it in param"),
        ({"N": "13e9", "K": 2, "G": 1}, 'there is no input "G"; did you mean "g"?'),
        ({"N": "many", "K": 2}, 'N: "many" is not a quantity; write a number, or one with a unit such as 1 param'),
        ({"N": True, "K": 2}, "N: True is not a number; write a number such as 2 or 0.5"),
    ],
)
def test_given_values_that_cannot_be_used(given: dict[str, object], wanted: str, tmp_path: Path) -> None:
    formula = formula_of(tmp_path, ZERO2)
    with pytest.raises(FormulaError, match=f"^{re.escape(wanted)}$"):
        formula.evaluate_raw(given)


@pytest.mark.parametrize(
    ("text", "whole"),
    [("12 * l * h**2", True), ("l / h", False), ("l // h", True), ("max(l, floor(x))", True), ("if(x > 1, l, h)", True),
     ("if(x > 1, l, x)", False), ("l ** x", False), ("0.5 * l", False), ("case(l, 1, 2, 3)", True), ("round(x)", True),
     ("round(x, 1)", False), ("sqrt(l)", False), ("l % h - 1", True)],
)  # fmt: skip
def test_whole_by_construction(text: str, whole: bool, tmp_path: Path) -> None:
    inputs = "inputs:\n  l: {is: l, whole: true}\n  h: {is: h, whole: true}\n  x: {is: x}\n"
    formula, _ = read(tmp_path, f"{inputs}steps: {{a: '{text}'}}\n", inline=True)  # not every input is used
    assert formula.is_answer_always_whole is whole


def test_more_misconceptions_than_a_proof_can_compare_are_refused(tmp_path: Path) -> None:
    """The proof compares each with each other in each of up to 20,000 drawings: 500 of them took minutes."""
    head = "title: F\nsource: S\ninputs: {a: {is: a, unit: 1}}\nsteps: {t: 2 * a}\nmisconceptions:\n"
    entries = [f"  - {{id: m{n}, value: a + {n}, say: No.}}\n" for n in range(1, 34)]
    told = "6:3: 33 misconceptions; at most 32: keep the common ones"
    assert read(tmp_path, head + "".join(entries)) == (None, [told])
    assert len(formula_of(tmp_path, head + "".join(entries[:32])).misconceptions) == 32


class Axis(NamedTuple):
    """An input that is drawn, and its values."""

    name: str
    values: Sequence[InputValue]


ONE = Tolerance(Fraction(1, 100))
SINGLE = [Axis("n", (1,))]


def proof_of(folder: Path, text: str, axes: list[Axis], tolerance: Tolerance = ONE) -> Proof:
    formula = formula_of(folder, text, inline=True)
    defaults = {
        name: 1 if entry.default_value is None else entry.default_value for name, entry in formula.inputs.items()
    }

    def values_of(drawing: tuple[int, ...]) -> list[InputValue]:
        drawn = {axis.name: axis.values[row] for axis, row in zip(axes, drawing, strict=True)}
        return list({**defaults, **drawn}.values())

    sizes, names = [len(axis.values) for axis in axes], [axis.name for axis in axes]
    return Proof(formula, sizes, values_of, names, [], tolerance, formula.unit).check_drawings()


def test_five_tolerances_are_the_border(tmp_path: Path) -> None:
    """1.05 of the key is five tolerances of 1 % away and no more; of 0.999 % it is farther."""
    text = "inputs: {n: {is: n}}\nsteps: {a: n}\nmisconceptions: [{id: m, value: n * 1.05, say: No.}]\n"
    axis = [Axis("n", (1, 7))]
    assert len(proof_of(tmp_path, text, axis).failures) == 1
    assert proof_of(tmp_path, text, axis, tolerance=Tolerance(Fraction(999, 100000))).failures == ()


def test_large_spaces_are_walked_at_their_edges_and_sampled(tmp_path: Path) -> None:
    axes = [Axis("a", tuple(range(1, 301))), Axis("b", tuple(range(1, 301)))]
    seen = list(row_combinations_to_check((300, 300)))
    assert len(seen) == len(set(seen)) > 10_000
    assert {(0, 0), (299, 0), (0, 299), (299, 299), (7, 0), (150, 33)} <= set(seen)
    text = "inputs: {a: {is: a}, b: {is: b}}\nsteps: {c: a + b}\n"
    assert proof_of(tmp_path, text, axes).allowed_combination_count == len(seen)


ROUNDS = "inputs: {{n: {{is: n}}}}\nsteps: {{a: {key} * n}}\nmisconceptions: [{{id: m, value: {wrong} * n, say: No}}]\n"


@pytest.mark.parametrize(
    ("key", "wrong", "tolerance", "told"),
    [
        ("15.53", "15.75", Tolerance(), "m gives 15.75, which rounds to 16 as the key 15.53 does for n = 1; write `digits: 3`"),
        ("15.53", "15.50", Tolerance(Fraction(1, 1000), min_digits=3), "m gives 15.5, which rounds to 15.5 as the key 15.53 does for n = 1; write `digits: 4`"),
        ("15.53", "15.75", Tolerance(min_digits=3), ""),  # 15.5, and 15.7 or 15.8
        ("15.53", "15.75", Tolerance(Fraction(0)), ""),  # rounding does not count
        ("15.53", "16.6", Tolerance(), ""),  # rounds to 17
        ("15.90", "16.1", Tolerance(), ""),  # 16 is within 1 % of 15.9, however it came about
    ],
)  # fmt: skip
def test_a_mistake_rounds_to_the_key(tmp_path: Path, key: str, wrong: str, tolerance: Tolerance, told: str) -> None:
    failures = proof_of(tmp_path, ROUNDS.format(key=key, wrong=wrong), SINGLE, tolerance=tolerance).failures
    shown = [f"{f.message}; {f.hint}" for f in failures if f.kind == "rounding"]
    assert (len(shown), told in "".join(shown)) == (bool(told), True), shown


@pytest.mark.parametrize(
    ("step", "unit", "tolerance", "told"),
    [
        ("1 - 0.005 ** 2", "'%'", Tolerance(), "accepts 100% for the key 99.9975% for n = 1; write `tolerance: {absolute: 0.0001%}`"),
        ("1 - 0.005 ** 2", "1", Tolerance(), "accepts 1 for the key 0.999975 for n = 1; write `tolerance: {absolute: 1e-6}`"),
        ("1 - 0.005 ** 2", "'%'", Tolerance(Fraction(0), Fraction(1, 10**6), 2), ""),
        ("0.98", "'%'", Tolerance(), ""),  # 97.02 to 98.98 %
        ("2 GB", "B", Tolerance(Fraction(0), Fraction(4 * 10**9)), "accepts numbers that are far off the key 2e9 B for n = 1"),  # 0.5 GB
        ("4 GB", "B", Tolerance(Fraction(0), Fraction(4 * 10**9)), ""),
    ],
)  # fmt: skip
def test_a_tolerance_takes_another(tmp_path: Path, step: str, unit: str, tolerance: Tolerance, told: str) -> None:
    """Near 100 % one per cent of the value is another answer; an amount may be much of a small key."""
    text = f"inputs: {{n: {{is: n}}}}\nsteps: {{a: ({step}) * n}}\nunit: {unit}\n"
    failures = proof_of(tmp_path, text, SINGLE, tolerance=tolerance).failures
    shown = [f"{f.message}; {f.hint}" for f in failures]
    assert (len(shown), told in "".join(shown)) == (bool(told), True), shown
