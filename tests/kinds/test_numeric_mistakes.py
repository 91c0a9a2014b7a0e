"""A numeric item with several mistakes: each is told in the same run, none hides another, none is told twice."""

from __future__ import annotations

from pathlib import Path

from shipped import BankOf

from quizgen import bank as banks

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
FORMULAS = """
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


def told(folder: Path) -> list[str]:
    return [
        f"{Path(p.where.path).name}:{p.where.line}: {p.message}" for p in banks.load_bank(str(folder), True).problems
    ]


def test_a_formula_with_errors_hides_nothing_of_its_item(tmp_path: Path) -> None:
    """Units of drawn and fixed values, the answer's fields, and the formula's own unit as well."""
    (tmp_path / "items.yaml").write_text(TWO)
    (tmp_path / "formulas.yaml").write_text(FORMULAS)
    found = told(tmp_path)
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
