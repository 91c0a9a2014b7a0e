"""Mistakes of authors in formula files and numeric items: each is told once, at its line and column.

`FORMULA` is a sound formula file and `ITEM` a sound item that uses it. A mistake swaps one text for another; the
message must stand where `at` stands (`^` marks the column), and be the only one.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from shipped import BankOf

from quizgen import bank as banks
from quizgen.commands.check import prove_bank
from quizgen.source.problems import Problem

FORMULA = """\
formulas:
  f:
    title: A formula
    source: A paper, section 1
    inputs:
      N: {is: number of parameters, unit: param}
      K: {is: data-parallel degree, unit: 1, min: 1}
    steps:
      state: 16 B/param * N / K
    unit: B
"""
ITEM = """\
items:
  - id: a
    kind: numeric
    topic: t
    stem: How much for {N} on {K}?
    draw: {N: [7e9 param, 13e9 param], K: [8, 16]}
    formula: f
    answer: {unit: GB}
    rationale: r
    source: s
    difficulty: 1
    seconds: 30
"""
STEP = "state: 16 B/param * N / K"
K = "{is: data-parallel degree, unit: 1, min: 1}"
UNIT = "    unit: B\n"


class Mistake(NamedTuple):
    """`old` becomes `new`; the message holds `says` and stands at the first `at` of the file."""

    old: str
    new: str
    at: str
    says: str


def _wrong(value: str) -> str:
    return f"{UNIT}    misconceptions:\n      - {{id: m, value: {value}, say: x}}\n"


def _test(test: str) -> str:
    return f"{UNIT}    tests:\n      - {{{test}}}\n"


FORMULAS = (
    Mistake("    inputs:", "    inputz:", "inputz", 'unknown field "inputz"'),
    Mistake(f"    steps:\n      {STEP}\n", "", "title", "steps are missing"),
    Mistake(f"    steps:\n      {STEP}\n", "    steps: {}\n", "{}", "needs a step"),
    Mistake(STEP, f"- {STEP[7:]}", "- 16", "steps must be a mapping"),
    Mistake("state: 16", "N: 16", "N: 16", '"N" is already a name'),
    Mistake(K, f"{K}\n      Z: {{is: nothing, unit: 1, default: 3}}", "Z:", "input Z is used nowhere"),
    Mistake(STEP, f"lost: 2 * K\n      {STEP}", "lost", "step lost is used nowhere"),
    Mistake("* N / K\n", "* (N / K\n", "\n    unit: B", '")" is missing'),
    Mistake("N / K\n", "N / K if K > 1 else 0\n", "else", "write if(test, a, b)"),
    Mistake("N / K\n", "N.real / K\n", ".real", '"." is not read here'),
    Mistake("min: 1}", "min: 8, default: 4}", "4}", "below the input's min"),
    Mistake("unit: param}", "unit: param, default: 3 GB}", "3 GB", "not a count of param"),
    Mistake("min: 1}", "whole: perhaps}", "perhaps", "must be true or false"),
    Mistake(K, "{is: stage, one_of: [a, a]}", "[a, a]", "two or more different words"),
    Mistake(UNIT, _test("N: 13e9, K: 32, Q: 3, is: 6.5e9 B"), "Q:", 'unknown field "Q"'),
    Mistake(UNIT, _test("N: 13e9, K: 32, is: 6.5e9 s"), "{N: 13e9", "not an amount of data"),
    Mistake(UNIT, f"{UNIT}    misconceptions:\n      - {{value: 2 B/param * N, say: x}}\n", "{value", "id is missing"),
    Mistake(
        UNIT,
        _wrong("3 B/param * N") + "      - {id: n, value: 3 B/param * N, say: y}\n",
        "{id: n",
        "m and n have the same value",
    ),
    Mistake(UNIT, _wrong("3 B/param * N").replace("id: m", 'id: "Oh no!"'), '"Oh', "is not an id of a misconception"),
    Mistake("N / K\n", "case(K, 8, N, 16, 2 * N)\n", "case", "pairs, then the rest"),
    Mistake("16 B/param * N / K", "if(K > 8, N, N * 2 B/param)", "N * 2", "branches of one value"),
    Mistake(
        UNIT, f"{UNIT}constants:\n  C: {{value: three, unit: 1, source: x, date: 2024}}\n", "three", "not a quantity"
    ),
    Mistake(UNIT, f"{UNIT}constants:\n  C: {{value: 3, unit: 1, source: x, date: now}}\n", "now", "not a date"),
)
# Found by walking the drawings: told at the item, with the first drawing that fails.
DRAWINGS = (
    Mistake(
        "N / K\n", "N / (K - 8)\n", "", "division by zero in step state for N = 7B params, K = 8 (in 2 of 4 drawings)"
    ),
    Mistake(UNIT, _wrong("N * 16 B/param / K"), "", "m gives the key 14 GB for N = 7B params, K = 8 (in 4 of 4"),
    Mistake(
        UNIT,
        _wrong("16.3 B/param * N / K"),
        "",
        "m gives 14.26 GB, within five tolerances of the key 14 GB for N = 7B params, K = 8 (in 4 of 4",
    ),
    Mistake(
        UNIT, _wrong("N * 1 B/param / (K - 8)"), "", "division by zero in misconception m for N = 7B params, K = 8"
    ),
)
ITEMS = (
    Mistake("formula: f", "formula: g", "g\n", 'unknown formula "g"'),
    Mistake("K: [8, 16]}", "K: [8, 16], Q: [1]}", "Q:", '"Q" is not an input'),
    Mistake(", K: [8, 16]}", "}", "formula:", "input K is neither drawn nor fixed"),
    Mistake("7e9 param", "7 GB", "7 GB", "not a count of param"),
    Mistake("draw: {N: [7e9 param, 13e9 param], K: [8, 16]}", "draw: [N, K]", "[N, K]", "draw must be a mapping"),
    Mistake(
        "draw: {N: [7e9 param, 13e9 param], K: [8, 16]}",
        "cases:\n      - {N: 7e9 param, K: 8}\n      - {N: 7e9, K: 8}",
        "{N: 7e9, K: 8}",
        "listed twice",
    ),
    Mistake(
        "formula: f",
        "formula: f\n    require: [1 / (K - 8) > 0]",
        "id: a",
        "division by zero in require 1 / (K - 8) > 0 for N = 7B params, K = 8",
    ),
    Mistake("[8, 16]", "[0, 16]", "0, 16", "below the input's min 1"),
    Mistake("[8, 16]", "[8, 8]", "8]", "8 is listed twice for K"),
    Mistake("[8, 16]", "{from: 16, to: 8, step: 8}", "K: {", "from is above to"),
    Mistake("[8, 16]", "{from: 8, to: 16, step: 0}", "step: 0", "must not be 0"),
    Mistake("[8, 16]", "[eight, 16]", "eight", "not a quantity"),
    Mistake("{K}?", "{Q}?", "{Q}", '"{Q}" in the stem is not drawn'),
    Mistake(" on {K}?", "?", "K: [", "K is drawn, but the stem does not mention it"),
    Mistake("formula: f", "formula: f\n    with: {K: 8}", "K: 8}", "both drawn and fixed"),
    Mistake("formula: f", "formula: f\n    require: [Q > 3]", "Q >", 'unknown name "Q"'),
    Mistake("formula: f", "formula: f\n    require: [K > 100]", "K > 100", "no drawing satisfies K > 100"),
    Mistake("formula: f", "formula: f\n    require: [N > 3 GB]", "> 3 GB", "cannot be compared"),
    Mistake("unit: GB}", "unit: s}", "s}", "an amount of data (B) is not a time (s)"),
    Mistake("unit: GB}", "unit: GB/s}", "GB/s}", "not a rate"),
    Mistake("unit: GB}", "unit: GB, tolerance: 60%}", "60%", "takes numbers that are far off"),
    Mistake("unit: GB}", "unit: GB, tolerance: 8%}", "8%", "takes GiB for GB"),
    Mistake("    rationale", "    credit: {twicee: 50%}\n    rationale", "twicee", 'did you mean "twice"'),
    Mistake("formula: f", 'formula: ""', '""', "formula is empty"),
    Mistake("    formula: f\n", "", "id: a", "formula is missing in the item"),
    Mistake("[8, 16]", '["", 16]', '"", 16', "K is empty"),
    Mistake("[8, 16]", f"[{', '.join(str(n) for n in range(1, 10_002))}]", "[1, 2", "too many values: 10,001"),
    Mistake("    rationale", "    find: {input: Q, at_most: 80 GB}\n    rationale", "Q, at", '"Q" is not an input'),
    Mistake("    rationale", "    find: {input: K}\n    rationale", "{input", "an input and one bound"),
    Mistake("    rationale", "    find: {input: K, at_most: 80 s}\n    rationale", "80 s", "is a time (s)"),
)


def told(folder: Path, formulas: str, items: str) -> tuple[Problem, ...]:
    (folder / "formulas.yaml").write_text(formulas)
    (folder / "items.yaml").write_text(items)
    loaded = banks.load_bank(str(folder), True)
    proofs = () if loaded.bank is None or loaded.problems else prove_bank(loaded.bank, lambda number: None).problems
    return (*loaded.problems, *proofs)


def swapped(text: str, mistake: Mistake) -> str:
    assert text.count(mistake.old) == 1
    return text.replace(mistake.old, mistake.new)


def place(text: str, at: str) -> tuple[int, int]:
    before = text[: text.index(at)]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def test_without_a_mistake_nothing_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, FORMULA, ITEM) == ()


ROWS = [
    *(("formulas.yaml", mistake) for mistake in FORMULAS),
    *(("items.yaml", mistake) for mistake in ITEMS),
    *(("drawings", mistake) for mistake in DRAWINGS),
]


@pytest.mark.parametrize(("file", "mistake"), ROWS, ids=lambda m: getattr(m, "says", m)[:40])
def test_a_mistake_is_told_once_at_its_place(file: str, mistake: Mistake, tmp_path: Path) -> None:
    """What only drawings show stands at the item."""
    formulas, item = (FORMULA, swapped(ITEM, mistake)) if file == "items.yaml" else (swapped(FORMULA, mistake), ITEM)
    (problem,) = told(tmp_path, formulas, item)
    assert mistake.says in f"{problem.message}; {problem.hint}"
    where = (item, "id: a") if file == "drawings" else (item if file == "items.yaml" else formulas, mistake.at)
    assert (problem.where.line, problem.where.column) == place(*where)
    assert problem.where.path.endswith("formulas.yaml" if file == "formulas.yaml" else "items.yaml")


def test_mistakes_of_a_shared_formula_may_fall_together_in_one_item(tmp_path: Path) -> None:
    """With K = 8 alone 3 B/param N / K and 24 B/param N / K² are one value; with another K beside it they are two."""
    both = _wrong("3 B/param * N / K") + "      - {id: n, value: 24 B/param * N / K / K, say: y}\n"
    formulas = swapped(FORMULA, Mistake(UNIT, both, "", ""))
    assert told(tmp_path, formulas, ITEM.replace("[8, 16]", "[8]")) == ()


def test_a_lent_formula_is_not_the_authors_to_mend(tmp_path: Path) -> None:
    """Asked for the weights alone, weights_only of the formula that ships gives the key in every drawing."""
    item = ITEM.replace("formula: f", "with: {b: 2}\n    formula: model_state_bytes")
    item = item.replace(", K: [8, 16]}", "}").replace(" on {K}", "")
    assert told(tmp_path, FORMULA, item) == ()


TWO = """
items:
  - id: own
    kind: numeric
    stem: How much is {N} over {K} and {Z}?
    draw: {N: [7 GB, 7e9 param], K: [0]}
    with: {Q: 3}
    formula:
      inputs:
        N: {is: parameters, unit: param}
        K: {is: ranks, unit: 1, min: 1}
        M: {is: other, unit: furlongs}
      steps:
        x: N * 2 B/param + K
      unit: B
    answer: {unit: nits, tolerance: 200%}
    credit: {gib-for-gb: 2}
  - id: shared
    kind: numeric
    stem: How much is {N} on {K}?
    draw: {N: [1 s]}
    with: {K: 1 s}
    formula: wrong
    answer: {tolerance: most}
"""
WRONG_FORMULA = """
formulas:
  wrong:
    title: Wrong
    source: None
    inputs:
      N: {is: parameters, unit: param}
      K: {is: ranks, unit: 1}
    steps:
      x: N + 1 s
    unit: qq
"""


def test_a_formula_with_errors_hides_nothing_of_its_item(tmp_path: Path) -> None:
    """Units of drawn and fixed values, the answer's fields, and the formula's own unit as well."""
    (tmp_path / "items.yaml").write_text(TWO)
    (tmp_path / "formulas.yaml").write_text(WRONG_FORMULA)
    problems = banks.load_bank(str(tmp_path), True).problems
    found = [f"{Path(p.where.path).name}:{p.where.line}: {p.message}" for p in problems]
    for line in (
        "items.yaml:6: N: 7 GB is an amount of data (B), not a count of param",
        "items.yaml:6: K = 0 is below the input's min 1",
        'items.yaml:7: "Q" is not an input of the formula',
        'items.yaml:12: unknown unit "furlongs"',
        'items.yaml:16: unknown unit "nits"',
        "items.yaml:16: tolerance must be a share from 0% to below 100%",
        'items.yaml:17: credit must be a share from 0% to below 100%, not "2"',
        "items.yaml:21: N: 1 s is a time (s), not a count of param",
        "items.yaml:22: K: 1 s is a time (s), not a bare number",
        'items.yaml:24: tolerance must be a share from 0% to below 100%, not "most"',
        "formulas.yaml:10: param and s cannot be added in step x; one is a count of param, the other a time (s)",
        'formulas.yaml:11: unknown unit "qq"',
    ):
        message = line.partition(";")[0]
        assert sum(one.startswith(message) for one in found) == 1, (line, found)
    assert len(found) == 12  # that "wrong" has errors is not told once more at the item


def test_every_test_and_every_case_is_read(bank_of: BankOf) -> None:
    """The second wrong line of `require:` and of `cases:` is told with the first."""
    loaded = bank_of(
        "items:\n"
        "  - id: a\n"
        "    kind: numeric\n"
        "    stem: How much are {N}?\n"
        "    cases:\n"
        "      - {N: 1 s}\n"
        "      - {N: 2 s}\n"
        "      - {M: 2 s}\n"
        "    require: [N > 3 GB, N < 2 s]\n"
        "    formula:\n"
        "      inputs: {N: {is: parameters, unit: param}}\n"
        "      steps: {x: N * 2 B/param}\n"
        "      unit: B\n"
        "    answer: {unit: s, tolerance: 200%}\n"
    )
    assert [p.where.line for p in loaded.problems] == [6, 7, 8, 9, 9, 14, 14]
