"""Derivations: golden texts small enough to read, and values that are the run's own."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from formula.written import ZERO2, formula_of, read
from quizgen.formula.definition import IMPOSSIBLE
from quizgen.formula.derive import derive
from quizgen.formula.units import parse_unit

CHOICES = """
title: Fewest GPUs
source: definition
inputs:
  N: {is: parameters, unit: param}
  M: {is: memory of a GPU, unit: B}
  stage: {is: ZeRO stage, whole: true, min: 0, max: 3}
steps:
  whole: N * case(stage, 0, 16 B/param, 1, 4 B/param, 2, 2 B/param, 0 B/param)
  room: M - whole
  gpus: if(room <= 0, impossible, ceil((16 B/param * N - whole) / room))
unit: GPU
"""


def test_zero_2_in_the_asked_unit(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    formula = formula_of(tmp_path, ZERO2)
    evaluation = formula.evaluate({"N": "13e9", "K": 32})
    text = "\n".join(derive(evaluation, parse_unit("GB")).lines())
    golden("formula/zero2.txt", text + "\n")


def test_choices_show_the_branch_taken(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    formula = formula_of(tmp_path, CHOICES)
    texts = []
    for stage in (3, 1):
        evaluation = formula.evaluate({"N": "70B", "M": "80GB", "stage": stage})
        texts.append("\n".join(derive(evaluation).lines()))
    golden("formula/fewest-gpus.txt", "\n\n".join(texts) + "\n")


def test_steps_hold_the_values_of_the_run(tmp_path: Path) -> None:
    """By hand: 2 B x 13e9 = 26 GB; 14 B x 13e9 / 32 = 5.6875 GB; together 31.6875 GB, in bits."""
    formula = formula_of(tmp_path, ZERO2)
    evaluation = formula.evaluate({"N": "13e9", "K": 32})
    derived = derive(evaluation)
    assert [step.answer for step in derived.steps] == [26 * 8 * 10**9, 5687500000 * 8, 31687500000 * 8]
    assert [step.value for step in derived.steps] == ["26 GB", "5.688 GB", "31.69 GB"]
    assert derived.steps[-1].answer == evaluation.answer
    assert derived.result == "31.69 GB"


def test_an_impossible_answer_ends_the_steps(tmp_path: Path) -> None:
    formula = formula_of(tmp_path, CHOICES)
    evaluation = formula.evaluate({"N": "70B", "M": "80GB", "stage": 1})
    assert evaluation.answer is IMPOSSIBLE
    assert derive(evaluation).result == "impossible"
    assert derive(evaluation).steps[-1].value == "impossible"


def test_signs_units_and_powers_are_put_in_parentheses(tmp_path: Path) -> None:
    text = """
    inputs:
      a: {is: a, unit: s}
      b: {is: b, unit: B/s}
      n: {is: n}
    steps:
      x: 2 - n
      y: a**2 / a
      z: 1 GB / b
      w: if(n > 0, a + y, a) * 2
    unit: s
    """
    formula, problems = read(tmp_path, text, inline=True)
    assert formula is not None, problems
    steps = derive(formula.evaluate({"a": 3, "b": 10, "n": -4})).steps
    assert [step.substituted for step in steps] == ["2 - (-4)", "(3 s)**2 / 3 s", "1 GB / (10 B/s)", "3 s * 2"]
    steps = derive(formula.evaluate({"a": 3, "b": 10, "n": 4})).steps
    assert steps[-1].substituted == "(3 s + 3 s) * 2"


def test_four_figures_are_shown_and_none_is_lost(tmp_path: Path) -> None:
    formula, _ = read(tmp_path, "steps: {a: 1 / 3, b: a * 3}\n", inline=True)
    assert formula is not None
    evaluation = formula.evaluate({})
    assert evaluation.values == (Fraction(1, 3), 1)
    assert derive(evaluation).steps[1].substituted == "0.3333 * 3"
