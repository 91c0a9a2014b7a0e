"""The result objects of `quizgen solve`, line by line; and derivations: golden texts small enough to read, and values
that are the run's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from formula.written import ZERO2, formula_of, read
from quizgen.formula.derive import derivation_of
from quizgen.formula.solve import solve_line, solve_lines
from quizgen.formula.units import parse_unit
from quizgen.render.text import block_lines


def answer(folder: Path, line: str) -> dict[str, Any]:
    return solve_line(line, {"zero2": formula_of(folder, ZERO2)})


def test_a_result_has_value_unit_and_steps(tmp_path: Path) -> None:
    result = answer(tmp_path, '{"formula": "zero2", "inputs": {"N": 13e9, "K": 32}}')
    assert (result["value"], result["unit"]) == (31687500000, "B")
    assert result["steps"][1] == {
        "name": "sharded",
        "expression": "(g + o) * N / K",
        "substituted": "(2 B/param + 12 B/param) * 13B params / 32",
        "value": 5687500000,
        "unit": "B",
    }


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("nope", "not a JSON object"),
        ("{" * 5000, "not a JSON object"),
        ('{"formula": "zero2", "inputs": {"N": NaN}}', '"NaN" is not a quantity'),
        ("{}", 'needs "formula" or "expression"'),
        ('{"formula": "zero22"}', 'no formula "zero22"; did you mean "zero2"?'),
        ('{"formula": "zero2", "inputs": []}', '"inputs" is no object'),
        ('{"formula": "zero2", "inputs": {"N": 1e9, "K": [1]}}', "is not a number"),
        ('{"formula": "zero2", "inputs": {"N": ' + "9" * 5000 + ', "K": 1}}', "more than 40 characters"),
        ('{"expression": "' + "1" * 300_000 + '"}', "a line of more than"),
    ],
)
def test_a_line_that_cannot_be_answered_is_an_error(line: str, error: str, tmp_path: Path) -> None:
    assert error in str(answer(tmp_path, line)["error"])


def test_lines_go_on_after_an_error_and_blank_ones_are_none(tmp_path: Path) -> None:
    formula = formula_of(tmp_path, ZERO2)
    lines = ["x\n", "  \n", '{"expression": "2 ** 10"}\n', '{"formula": "zero2", "inputs": {"N": "7B", "K": 8}}\n']
    found = [json.loads(line) for line in solve_lines(lines, {"zero2": formula})]
    assert [one.get("value") for one in found] == [None, 1024, 26250000000]
    assert "error" in found[0]


def test_the_answer_of_find(tmp_path: Path) -> None:
    result = answer(tmp_path, '{"formula": "zero2", "inputs": {"N": 70e9}, "find": "K", "at_most": "160 GB"}')
    assert (result["value"], result["unit"], result["sense"]) == (49, "1", "smallest")
    assert result["at"] == {"K": 49, "gives": 160000000000, "holds": True}
    assert result["neighbour"] == {"K": 48, "gives": pytest.approx(140e9 + 980e9 / 48, rel=1e-12), "holds": False}


def test_zero_2_in_the_asked_unit(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    evaluation = formula_of(tmp_path, ZERO2).evaluate({"N": "13e9", "K": 32})
    golden("formula/zero2.txt", "\n".join(block_lines([derivation_of(evaluation, parse_unit("GB"))])) + "\n")


def test_signs_units_and_powers_are_put_in_parentheses(tmp_path: Path) -> None:
    text = """
    inputs: {a: {is: a, unit: s}, b: {is: b, unit: B/s}, n: {is: n}}
    steps:
      x: 2 - n
      y: a**2 / a
      z: 1 GB / b
      w: if(n > 0, a + y, a) * 2
    unit: s
    """
    formula, _ = read(tmp_path, text, inline=True)  # not every input is used
    steps = derivation_of(formula.evaluate({"a": 3, "b": 10, "n": -4})).steps
    assert [step.substituted for step in steps] == ["2 - (-4)", "(3 s)**2 / 3 s", "1 GB / (10 B/s)", "3 s * 2"]
    steps = derivation_of(formula.evaluate({"a": 3, "b": 10, "n": 4})).steps
    assert steps[-1].substituted == "(3 s + 3 s) * 2"


def test_a_share_is_not_doubled_beyond_one(tmp_path: Path) -> None:
    """A hit rate of 70 % has no double; one of 30 % has: 0.6 * 1 ms + 0.4 * 11 ms."""
    text = "title: Mean\nsource: s\ninputs:\n  h: {is: hit rate, unit: 1}\nsteps:\n  t: h * 1 ms + (1 - h) * 11 ms\nunit: ms\n"
    formula = formula_of(tmp_path, text)
    shown = ["\n".join(block_lines([derivation_of(formula.evaluate({"h": h}))])) for h in ("0.7", "0.3")]
    assert "twice" not in shown[0]
    assert "with h twice as large it would be 5 ms" in shown[1]


def test_a_line_to_check_by_has_no_negative_count(tmp_path: Path) -> None:
    """A prefix of 52 bits leaves no hosts, and -2 of them is nothing to check by."""
    text = "title: Hosts\nsource: s\ninputs:\n  p: {is: prefix, unit: 1}\nsteps:\n  hosts: 2 ** (32 - p) - 2\nunit: 1\n"
    formula = formula_of(tmp_path, text)
    assert "Sanity" not in "\n".join(block_lines([derivation_of(formula.evaluate({"p": "26"}))]))
