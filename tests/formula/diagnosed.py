"""Worked examples of diagnoses: formulas with known keys, and what wrong numbers come from.

Keys by hand. state: 2*13e9 + 14*13e9/32 = 31.6875e9 B. bubble: 7/15. flops: 6*7e9*140e9 = 5.88e21.
ring: 2*7/8*14e9 = 24.5e9 B. time: 350e9/50e9 = 7 s. gpus: 1120/80 = 14. rank 13 of 2x2x2x2 = (1, 0, 1, 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from quizgen.formula.author import parse_formula
from quizgen.formula.definition import Evaluation, Formula
from quizgen.formula.mistakes import AnswerTarget, Diagnosis, diagnose_reading, make_answer_target
from quizgen.formula.quantity import Tolerance
from quizgen.formula.units import parse_unit
from quizgen.kinds.numeric.fields import answer_format_of_formula
from quizgen.numbers.answer import AnswerFormat
from quizgen.source import yaml
from quizgen.source.problems import ProblemCollector

from .spellings import must_read

FILE = Path(__file__).with_name("diagnoses.txt")

FORMULAS = """
state:
  inputs: {N: {is: number of parameters, unit: param}, K: {is: data-parallel degree, whole: true, min: 1}}
  steps: {replicated: 2 B/param * N, sharded: 14 B/param * N / K, state: replicated + sharded}
  unit: B
  misconceptions:
    - {id: gradients-replicated, value: 4 B/param * N + 12 B/param * N / K, credit: 50%,
       say: "That is ZeRO-1, where every GPU still holds all gradients."}
    - {id: all-sharded, value: 16 B/param * N / K, say: "That is ZeRO-3, where the weights are sharded as well."}
recipe:
  inputs: {N: {is: number of parameters, unit: param}, K: {is: data-parallel degree, whole: true, min: 1}}
  steps: {weights: 2 B/param, rest: 14 B/param / K, state: N * (weights + rest)}
  unit: B
bubble:
  inputs: {P: {is: pipeline stages, whole: true, min: 1}, M: {is: micro-batches, whole: true, min: 1}}
  steps: {bubble: (P - 1) / (M + P - 1)}
  misconceptions:
    - {id: ratio, value: (P - 1) / M, say: Add the idle slots to the useful ones below the line.,
       convention: idle time over useful time}
  convention: idle time over total time
flops:
  inputs: {N: {is: number of parameters, unit: param}, D: {is: tokens, unit: token}}
  steps: {compute: 6 FLOP/param/token * N * D}
  unit: FLOP
ring:
  inputs: {N: {is: ranks, whole: true, min: 1}, D: {is: buffer, unit: B}}
  steps: {volume: 2 * (N - 1) / N * D}
  unit: B
seconds:
  inputs: {D: {is: buffer, unit: B}, bandwidth: {is: bandwidth, unit: B/s}}
  steps: {time: D / bandwidth}
  unit: s
gpus:
  inputs:
    N: {is: number of parameters, unit: param}
    M: {is: memory of a GPU, unit: B}
    stage: {is: ZeRO stage, one_of: [0, 3]}
  steps: {least: "if(stage == 3, ceil(16 B/param * N / M), impossible)"}
  unit: GPU
  misconceptions:
    - {id: weights-only, value: ceil(2 B/param * N / M), say: That holds the weights alone.}
staged:
  inputs: {N: {is: number of parameters, unit: param}, stage: {is: stage, one_of: [1, 2]}}
  steps: {state: "if(stage == 2, 10 B/param, 17 B/param) * N"}
  unit: B
rank:
  inputs: {r: {is: rank, whole: true, min: 0}}
  steps: {place: "tuple(r % 2, r // 2 % 2, r // 4 % 2, r // 8 % 2)"}
  misconceptions:
    - {id: reversed, value: 'tuple(r // 4 % 2, r % 2, r // 8 % 2, r // 4 % 2)', say: That counts from the other end.}
legal:
  inputs: {t: {is: tensor-parallel degree, whole: true, min: 1}, heads: {is: heads, whole: true, min: 1}}
  steps: {legal: "divides(t, heads)"}
"""

# name -> formula, inputs, asked unit, tolerance
CASES = {
    "state": ("state", {"N": "13e9", "K": "32"}, "GB", "1/100"),
    "state in GiB": ("state", {"N": "13e9", "K": "32"}, "GiB", "1/100"),
    "state in B": ("state", {"N": "13e9", "K": "32"}, "B", "1/100"),
    "recipe": ("recipe", {"N": "13e9", "K": "32"}, "GB", "1/100"),
    "bubble": ("bubble", {"P": "8", "M": "8"}, "1", "1/100"),
    "bubble in %": ("bubble", {"P": "8", "M": "8"}, "%", "1/100"),
    "flops": ("flops", {"N": "7e9", "D": "140e9"}, "FLOP", "1/100"),
    "ring": ("ring", {"N": "8", "D": "14e9"}, "GB", "1/100"),
    "ring of 5": ("ring", {"N": "5", "D": "14e9"}, "GB", "1/100"),
    "seconds": ("seconds", {"D": "350e9", "bandwidth": "50e9"}, "s", "1/100"),
    "gpus": ("gpus", {"N": "70e9", "M": "80e9", "stage": "3"}, "GPU", "0"),
    "no gpus": ("gpus", {"N": "70e9", "M": "80e9", "stage": "0"}, "GPU", "0"),
    "staged": ("staged", {"N": "7e9", "stage": "2"}, "GB", "1/100"),
    "rank": ("rank", {"r": "13"}, "1", "0"),
    "legal": ("legal", {"t": "8", "heads": "64"}, "1", "0"),
}


@cache
def formulas() -> dict[str, Formula]:
    doc = ProblemCollector("formulas.yaml")
    nodes = yaml.parse_yaml(FORMULAS, doc).mapping()
    made = {name: parse_formula(one, name, {}, is_inline=True) for name, one in nodes.items()}
    assert not doc.problems, doc.problems
    return made


@dataclass(frozen=True)
class Case:
    evaluation: Evaluation
    asked: AnswerFormat
    target: AnswerTarget

    def verdict(self, response: str) -> Diagnosis:
        return diagnose_reading(must_read(response, self.asked), self.target)


@cache
def case(name: str) -> Case:
    formula_name, inputs, unit, share = CASES[name]
    formula = formulas()[formula_name]
    evaluation = formula.evaluate_raw(inputs)
    wanted = make_answer_target(evaluation, parse_unit(unit), Tolerance(Fraction(share)))
    return Case(evaluation, answer_format_of_formula(formula, parse_unit(unit)), wanted)


@dataclass(frozen=True)
class Row:
    case: str
    response: str
    diagnosis: str


def rows() -> tuple[Row, ...]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    parts = [[cell.strip() for cell in line.split("¦")] for line in lines if "¦" in line and not line.startswith("#")]
    return tuple(Row(*cells) for cells in parts)
