"""Proofs over a variant space."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from formula.written import formula_of
from quizgen.formula.inputs import InputValue
from quizgen.formula.proof import Proof, combinations_to_check, prove_formula
from quizgen.formula.quantity import Tolerance


class Axis(NamedTuple):
    """An input that is drawn, and its values."""

    name: str
    values: Sequence[InputValue]


ONE = Tolerance(Fraction(1, 100))
SINGLE = [Axis("n", (1,))]


def proof_of(folder: Path, text: str, axes: list[Axis], tolerance: Tolerance = ONE) -> Proof:
    formula = formula_of(folder, text, inline=True)
    defaults = {name: 1 if entry.default is None else entry.default for name, entry in formula.inputs.items()}

    def values_of(drawing: tuple[int, ...]) -> list[InputValue]:
        drawn = {axis.name: axis.values[row] for axis, row in zip(axes, drawing, strict=True)}
        return list({**defaults, **drawn}.values())

    sizes, names = [len(axis.values) for axis in axes], [axis.name for axis in axes]
    return prove_formula(formula, sizes, values_of, names, [], tolerance, formula.unit)


def test_five_tolerances_are_the_border(tmp_path: Path) -> None:
    """1.05 of the key is five tolerances of 1 % away and no more; of 0.999 % it is farther."""
    text = "inputs: {n: {is: n}}\nsteps: {a: n}\nmisconceptions: [{id: m, value: n * 1.05, say: No.}]\n"
    axis = [Axis("n", (1, 7))]
    assert len(proof_of(tmp_path, text, axis).failures) == 1
    assert proof_of(tmp_path, text, axis, tolerance=Tolerance(Fraction(999, 100000))).failures == ()


def test_large_spaces_are_walked_at_their_edges_and_sampled(tmp_path: Path) -> None:
    axes = [Axis("a", tuple(range(1, 301))), Axis("b", tuple(range(1, 301)))]
    seen = list(combinations_to_check((300, 300)))
    assert len(seen) == len(set(seen)) > 10_000
    assert {(0, 0), (299, 0), (0, 299), (299, 299), (7, 0), (150, 33)} <= set(seen)
    proof = proof_of(tmp_path, "inputs: {a: {is: a}, b: {is: b}}\nsteps: {c: a + b}\n", axes)
    assert proof.tried_combination_count == len(seen)


ROUNDS = (
    "inputs: {{n: {{is: n}}}}\nsteps: {{a: {key} * n}}\nmisconceptions: [{{id: m, value: {wrong} * n, say: No.}}]\n"
)


@pytest.mark.parametrize(
    ("key", "wrong", "tolerance", "told"),
    [
        ("15.53", "15.75", Tolerance(), "m gives 15.75, which rounds to 16 as the key 15.53 does for n = 1; write `digits: 3`"),
        ("15.53", "15.50", Tolerance(Fraction(1, 1000), digits=3), "m gives 15.5, which rounds to 15.5 as the key 15.53 does for n = 1; write `digits: 4`"),
        ("15.53", "15.75", Tolerance(digits=3), ""),  # 15.5, and 15.7 or 15.8
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
