"""Formulas and nodes from YAML text, for tests."""

from __future__ import annotations

import textwrap
from pathlib import Path

from quizgen.formula.author import failed_test_problems, parse_formula
from quizgen.formula.definition import Formula
from quizgen.source import yaml

ZERO2 = """
    title: ZeRO-2 model state per GPU
    source: Rajbhandari et al. 2020, section 5
    inputs:
      N: {is: number of parameters, unit: param}
      K: {is: data-parallel degree, unit: 1, whole: true, min: 1}
      w: {is: bytes of a weight, unit: B/param, default: 2}
      g: {is: bytes of a gradient, unit: B/param, default: 2}
      o: {is: bytes of optimizer states, unit: B/param, default: 12}
    steps:
      replicated: w * N
      sharded: (g + o) * N / K
      state: replicated + sharded
    unit: B
    misconceptions:
      - id: gradients-replicated
        value: (w + g) * N + o * N / K
        say: That is ZeRO-1, where every GPU still holds all gradients.
    convention: optimizer states include the fp32 master weights
    tests:
      - {N: 13e9, K: 32, is: 31.6875e9 B}
"""


def read(folder: Path, text: str, inline: bool = False) -> tuple[Formula | None, list[str]]:
    """The formula of a YAML mapping, and its problems as `line:column: message; hint`."""
    path = folder / "formulas.yaml"
    path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    top, doc = yaml.read_yaml_with_problems(path)
    formula = parse_formula(top, "f", {}, inline)
    proven = list(failed_test_problems(formula)) if formula is not None else []
    return formula, [str(p).removeprefix(f"{path}:") for p in (*doc.problems, *proven)]


def formula_of(folder: Path, text: str, inline: bool = False) -> Formula:
    formula, problems = read(folder, text, inline)
    assert problems == []
    return formula
