"""The result objects of `quizgen solve`, line by line; derivations: golden texts small enough to read, and values that
are the run's own; and inverse problems: the answer holds, its neighbour does not; expected values worked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from operator import eq, ge, le
from pathlib import Path
from typing import Any

import pytest

from formula.written import ZERO2, formula_of, read
from quizgen.formula import FormulaError
from quizgen.formula.inverse import extreme_input_within_bound, inverse_result_lines
from quizgen.formula.quantity import parse_quantity
from quizgen.formula.show import derivation_of
from quizgen.formula.solve import json_result_lines
from quizgen.formula.units import parse_unit
from quizgen.render.text import wrap_blocks


def solved(folder: Path, line: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(next(json_result_lines([line], {"zero2": formula_of(folder, ZERO2)})))
    return result


def test_a_result_has_value_unit_and_steps(tmp_path: Path) -> None:
    result = solved(tmp_path, '{"formula": "zero2", "inputs": {"N": 13e9, "K": 32}}')
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
    assert error in str(solved(tmp_path, line)["error"])


def test_lines_go_on_after_an_error_and_blank_ones_are_none(tmp_path: Path) -> None:
    formula = formula_of(tmp_path, ZERO2)
    lines = ["x\n", "  \n", '{"expression": "2 ** 10"}\n', '{"formula": "zero2", "inputs": {"N": "7B", "K": 8}}\n']
    found = [json.loads(line) for line in json_result_lines(lines, {"zero2": formula})]
    assert [one.get("value") for one in found] == [None, 1024, 26250000000]
    assert "error" in found[0]


def test_the_answer_of_find(tmp_path: Path) -> None:
    result = solved(tmp_path, '{"formula": "zero2", "inputs": {"N": 70e9}, "find": "K", "at_most": "160 GB"}')
    assert (result["value"], result["unit"], result["sense"]) == (49, "1", "smallest")
    assert result["at"] == {"K": 49, "gives": 160000000000, "holds": True}
    assert result["neighbour"] == {"K": 48, "gives": pytest.approx(140e9 + 980e9 / 48, rel=1e-12), "holds": False}


def test_zero_2_in_the_asked_unit(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    evaluation = formula_of(tmp_path, ZERO2).evaluate_raw({"N": "13e9", "K": 32})
    golden("formula/zero2.txt", "\n".join(wrap_blocks([derivation_of(evaluation, parse_unit("GB"))])) + "\n")


def test_signs_units_and_powers_are_put_in_parentheses(tmp_path: Path) -> None:
    text = """
    inputs: {a: {is: a, unit: s}, b: {is: b, unit: B/s}, n: {is: n}}
    steps:
      x: -n - n
      y: a**2 / a
      z: 1 GB / b
      w: if(n > 0, a + y, a) * 2
    unit: s
    """
    formula, _ = read(tmp_path, text, inline=True)  # not every input is used
    steps = derivation_of(formula.evaluate_raw({"a": 3, "b": 10, "n": -4})).steps
    assert [step.substituted for step in steps] == ["-(-4) - (-4)", "(3 s)**2 / 3 s", "1 GB / (10 B/s)", "3 s * 2"]
    assert derivation_of(formula.evaluate_raw({"a": 3, "b": 10, "n": 4})).steps[-1].substituted == "(3 s + 3 s) * 2"


def test_a_share_is_not_doubled_beyond_one(tmp_path: Path) -> None:
    """A hit rate of 70 % has no double; one of 30 % has: 0.6 * 1 ms + 0.4 * 11 ms."""
    text = "title: Mean\nsource: s\ninputs:\n  h: {is: hit rate, unit: 1}\nsteps:\n  t: h * 1 ms + (1 - h) * 11 ms\nunit: ms\n"
    formula = formula_of(tmp_path, text)
    shown = ["\n".join(wrap_blocks([derivation_of(formula.evaluate_raw({"h": h}))])) for h in ("0.7", "0.3")]
    assert "twice" not in shown[0]
    assert "with h twice as large it would be 5 ms" in shown[1]


def test_a_line_to_check_by_has_no_negative_count(tmp_path: Path) -> None:
    """A prefix of 52 bits leaves no hosts, and -2 of them is nothing to check by."""
    text = "title: Hosts\nsource: s\ninputs:\n  p: {is: prefix, unit: 1}\nsteps:\n  hosts: 2 ** (32 - p) - 2\nunit: 1\n"
    assert "Sanity" not in "\n".join(wrap_blocks([derivation_of(formula_of(tmp_path, text).evaluate_raw({"p": "26"}))]))


ZERO3 = "inputs: {N: {is: N, unit: param}, K: {is: K, whole: true, min: 1}}\nsteps: {m: 16 B/param * N / K}\nunit: B\n"
ZERO1 = "inputs: {N: {is: N, unit: param}, K: {is: degree, whole: true, min: 1}}\nsteps: {m: 4 B/param * N + 12 B/param * N / K}\nunit: B\n"
BUBBLE = "inputs: {P: {is: stages, whole: true}, M: {is: micro-batches, whole: true, min: 1}}\nsteps: {b: (P - 1) / (M + P - 1)}\nunit: 1\n"
AMDAHL = "inputs: {s: {is: serial}, N: {is: GPUs, whole: true, min: 1}}\nsteps: {e: 1 / (1 + s * (N - 1))}\nunit: 1\n"
SPEED = "inputs: {s: {is: serial}, N: {is: GPUs, whole: true, min: 1}}\nsteps: {e: 1 / (s + (1 - s) / N)}\nunit: 1\n"
YOUNG = "inputs: {d: {is: write, unit: s}, M: {is: MTBF, unit: s, min: 0}}\nsteps: {t: sqrt(2 * d * M)}\nunit: s\n"
HEADS = "inputs: {heads: {is: a, whole: true}, t: {is: TP, whole: true, max: 20, min: 2, divisor_of: heads}}\nsteps: {each: heads / t}\n"
POWERS = "inputs: {n: {is: n, powers_of_two: true}}\nsteps: {a: 1000 / n}\n"
LISTED = "inputs: {m: {is: memory, unit: GB, one_of: [16, 40, 80]}}\nsteps: {a: m / 2}\nunit: GB\n"
HILL = "inputs: {x: {is: x, whole: true, min: 0, max: 100}}\nsteps: {a: 100 - (x - 40)**2}\n"

# 2 * dp divides the batch, or there is no number of steps.
ACCUM = (
    "inputs: {batch: {is: batch, whole: true, min: 1}, dp: {is: ranks, whole: true, min: 1}}\n"
    "steps: {n: 'if(divides(2 * dp, batch), batch / (2 * dp), impossible)'}\n"
)
FEWEST = "inputs: {f: {is: target, min: 0, max: 1}}\nsteps: {m: floor(15 * (1 - f) / f) + 1}\n"
STORED = "inputs: {P: {is: P, whole: true}, M: {is: M, whole: true, min: 1}}\nsteps: {a: 'min(P, M)'}\n"
NO_HOLES = "inputs: {x: {is: x, whole: true, min: 5}}\nsteps: {a: 'if(x > 100000, impossible, 100 / x)'}\n"
APART = "inputs: {x: {is: x, min: 1, max: 10}}\nsteps: {a: sqrt((x - 20) * (x - 0.5))}\n"
CUT = "inputs: {x: {is: x, min: 1, max: 100}}\nsteps: {a: 'if(x < 10, impossible, x)'}\n"
ARCH = "inputs: {x: {is: x, min: 1, max: 99}}\nsteps: {a: x * (100 - x)}\n"
PADDED = "inputs: {t: {is: TP, whole: true, min: 1}}\nsteps: {v: ceil(50257 / (128 * t)) * 128 * t}\n"

# formula, given, target, relation, bound, status, answer, neighbour
CASES: list[tuple[str, dict[str, Any], str, str, str, str, Any, Any]] = [
    (ZERO3, {"N": "70e9"}, "K", "at_most", "80 GB", "found", 14, 13),
    (ZERO3, {"N": "70e9"}, "K", "below", "80 GB", "found", 15, 14),
    (ZERO3, {"N": "70e9"}, "K", "equals", "81 GB", "impossible", None, None),
    (ZERO3, {"N": "70e9"}, "K", "equals", "80 GB", "found", 14, None),
    (ZERO3, {"K": 8}, "N", "at_most", "80 GB", "found", 40 * 10**9, ...),
    (ZERO1, {"N": "70e9"}, "K", "at_most", "80 GB", "impossible", None, None),
    (BUBBLE, {"P": 16}, "M", "below", "5%", "found", 286, 285),
    (AMDAHL, {"s": "0.01"}, "N", "at_least", "80%", "found", 26, 27),
    (SPEED, {"s": "0.05"}, "N", "at_least", "30", "impossible", None, None),
    (SPEED, {"s": "0.05"}, "N", "at_most", "30", "unbounded", None, None),
    (YOUNG, {"d": "60 s"}, "M", "equals", "1000 s", "found", Fraction("8333.33333333333"), ...),
    (ZERO1, {"K": 11}, "N", "equals", "81 GB", "found", Fraction(111_375_000_000, 7), ...),
    (YOUNG, {"d": "60 s"}, "M", "at_most", "20 min", "found", 12000, ...),
    (HEADS, {"heads": 24}, "t", "at_most", "5", "found", 6, 4),
    (HEADS, {"heads": 23}, "t", "at_most", "50", "impossible", None, None),
    ("inputs: {x: {is: x, whole: true, min: -100}}\nsteps: {a: 3 * x}\n", {}, "x", "at_most", "90", "found", 30, 31),
    (POWERS, {}, "n", "at_most", "10", "found", 128, 64),
    # only multiples of 2 * dp, only divisors of batch / 2 have an answer
    (ACCUM, {"dp": 16}, "batch", "at_least", "16", "found", 512, 480),
    (ACCUM, {"dp": 4096}, "batch", "equals", "16", "found", 131072, ...),
    (ACCUM, {"batch": 720}, "dp", "at_most", "7", "found", 60, 45),
    # the answer comes to stay, and goes up and down
    (LISTED, {}, "m", "at_least", "15 GB", "found", 40 * 8 * 10**9, 16 * 8 * 10**9),
    (HILL, {}, "x", "at_least", "96", "found", 38, 37),
    # no multiple of the least value, though the formula may say impossible; multiples beyond what is listed
    (NO_HOLES, {}, "x", "at_most", "15", "found", 7, 6),
    # a value outside the domain alone, and none at one end of it
    (APART, {}, "x", "at_most", "1000", "impossible", None, None),
    (CUT, {}, "x", "at_least", "20", "found", 20, ...),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[2]}-{c[3]}-{c[4]}")
def test_smallest_and_largest(case: tuple[str, dict[str, Any], str, str, str, str, Any, Any], tmp_path: Path) -> None:
    text, given, target, relation, bound, status, answer, beside = case
    formula = formula_of(tmp_path, text, inline=True)
    found = extreme_input_within_bound(formula, given, target, relation, parse_quantity(bound, formula.unit))
    assert found.status == status
    if status != "found":
        return
    assert Fraction(found.best_or_nearest.base_value) == answer
    assert found.best_or_nearest.meets_bound
    assert found.neighbouring_value is None or not found.neighbouring_value.meets_bound
    if beside is not ... and relation != "equals":
        assert (found.neighbouring_value.base_value if found.neighbouring_value else None) == beside


def test_a_neighbour_that_misses_by_little_is_shown_with_the_digits_that_say_so(tmp_path: Path) -> None:
    formula = formula_of(tmp_path, ZERO3, inline=True)
    found = extreme_input_within_bound(formula, {"N": 70 * 10**9}, "K", "at_most", parse_quantity("40 B", formula.unit))
    assert inverse_result_lines(found)[-2:] == (
        "  K = 28,000,000,000 gives 40 B: meets the bound",
        "  K = 27,999,999,999 gives 40.0000000014286 B: does not",
    )


def test_an_open_bound_is_not_reached(tmp_path: Path) -> None:
    formula = formula_of(tmp_path, ZERO3, inline=True)
    found = extreme_input_within_bound(formula, {"K": 8}, "N", "below", parse_quantity("80 GB", formula.unit))
    assert found.is_best_value_excluded
    assert "every N below 40B params, but not 40B params itself" in "\n".join(inverse_result_lines(found))


@pytest.mark.parametrize(
    ("text", "given", "target", "says"),
    [
        (ZERO3, {"N": 1, "K": 1}, "L", 'there is no input "L" to find'),
        ("inputs: {x: {is: x}}\nsteps: {a: x > 1}\n", {}, "x", "does not answer with a number"),
        ("inputs: {w: {is: way, one_of: [up, down]}}\nsteps: {a: 'if(w == up, 1, 2)'}\n", {}, "w", "w is not a number"),
        (HEADS, {"heads": 2 * 10**12}, "t", "the divisors of this number cannot be listed"),
    ],
)
def test_why_it_cannot_be_searched(text: str, given: dict[str, Any], target: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(FormulaError, match=says):
        extreme_input_within_bound(formula_of(tmp_path, text, inline=True), given, target, "at_most", "1")


def test_what_holds_only_inside_the_domain_is_found(tmp_path: Path) -> None:
    """x (100 - x) is 2000 at 50 - sqrt(500)."""
    found = extreme_input_within_bound(formula_of(tmp_path, ARCH, inline=True), {}, "x", "at_least", "2000")
    assert float(found.best_or_nearest.base_value) == pytest.approx(50 - 500**0.5, rel=1e-8)


def test_a_stretch_of_equal_answers_has_an_edge(tmp_path: Path) -> None:
    """15 (1 - f) / f is below 100 from f = 15/115 on, not only from 15/114, where it is 99."""
    found = extreme_input_within_bound(formula_of(tmp_path, FEWEST, inline=True), {}, "f", "at_most", "100")
    assert found.best_or_nearest.meets_bound
    assert not found.neighbouring_value.meets_bound
    assert abs(Fraction(found.best_or_nearest.base_value) - Fraction(15, 115)) < Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("text", "given", "target"),
    [(ACCUM, {"dp": 3}, "batch"), (ACCUM, {"batch": 180}, "dp"), (STORED, {"P": 7}, "M"), (PADDED, {}, "t")],
)
def test_trying_every_value_agrees(text: str, given: dict[str, Any], target: str, tmp_path: Path) -> None:
    """Whatever is found is the first or last of all values up to 200 that hold; `impossible` where none does."""
    formula = formula_of(tmp_path, text, inline=True)
    answers = {n: formula.evaluate_raw({**given, target: n}).answer for n in range(1, 201)}
    known = {n: a for n, a in answers.items() if isinstance(a, int | Fraction)}
    for bound in sorted(set(known.values()))[:4]:
        for relation in ("at_most", "at_least", "equals"):
            found = extreme_input_within_bound(formula, given, target, relation, str(bound))
            keeps = {"at_most": le, "at_least": ge, "equals": eq}[relation]
            held = [n for n, a in known.items() if keeps(a, bound)]
            if found.status == "found" and found.best_or_nearest.base_value <= 200:
                assert found.best_or_nearest.base_value == (held[-1] if found.extremum_word == "largest" else held[0])
            elif found.status == "impossible":
                assert not held
