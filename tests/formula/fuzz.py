"""Fuzzing the formula engine: any text ends in a value or a FormulaError, nothing else.

Run `python tests/formula/fuzz.py 1000000 [SEED]` for a long run; it prints the number of inputs and
of each outcome, and stops with the offending text if anything else comes out.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

from quizgen.formula.errors import FormulaError
from quizgen.formula.solve import solve_expression

WORDS = [
    "x",
    "y",
    "z",
    "abs",
    "min",
    "max",
    "round",
    "floor",
    "ceil",
    "sqrt",
    "exp",
    "log",
    "ln",
    "log2",
    "log10",
    "sin",
    "acos",
    "atan2",
    "factorial",
    "gcd",
    "lcm",
    "comb",
    "perm",
    "hypot",
    "ceil_log2",
    "next_pow2",
    "round_sig",
    "sum",
    "len",
    "divides",
    "if",
    "case",
    "tuple",
    "impossible",
    "and",
    "or",
    "not",
    "true",
    "false",
    "nan",
    "inf",
    "_",
    "__",
    "e",
    "E",
    "B",
    "GB",
    "GiB",
    "b",
    "Gb",
    "s",
    "ms",
    "h",
    "GPU-h",
    "GPU",
    "param",
    "token",
    "FLOP",
    "FLOP/s",
    "B/param",
    "micro-batch",
    "%",
    "USD",
    "kWh",
    "KB",
    "FLOPS",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "(",
    ")",
    ",",
    "<",
    "<=",
    ">",
    ">=",
    "==",
    "!=",
    "=",
    "^",
    "&",
    "|",
    "!",
    "~",
    ".",
    ":",
    ";",
    "'",
    '"',
    "[",
    "]",
    "{",
    "}",
    "@",
    "#",
    "$",
    "\\",
    "`",
    "?",
    "0",
    "1",
    "2",
    "3",
    "7",
    "10",
    "0.5",
    "1e9",
    "1e-9",
    "1e308",
    "1e-320",
    "010",
    "0x1f",
    "1_0",
    "9999999999",
    ".5",
    "5.",
    "1e",
    "40",
    "170",
    "171",
    "1000",
    "1024",
]
ODD = (
    "\x00",
    "\n",
    "\t",
    "\u00a0",
    "\u200b",
    "\u2212",
    "\u00d7",
    "\uff11",
    "\u0661",
    "\ud800",
    "\u202e",
    "é",
    "µ",
    "\U0001f600",
)
SHAPES = (
    "{a} + {b}", "{a} * {b}", "({a}) / ({b})", "({a}) ** ({b})", "-({a})", "{a} // {b}", "{a} % {b}", "sqrt({a})",
    "if({a} < {b}, {b}, {c})", "case({a}, 1, {b}, {c})", "max({a}, {b})", "floor({a})", "exp({a})", "comb({a}, {b})",
)  # fmt: skip
GIVEN = {"x": 3, "y": "2.5", "z": "-7"}


def text_of(rng: random.Random) -> str:
    """A text of one of several kinds: words in a row, mutated formulas, letters, repetitions."""
    kind = rng.random()
    if kind < 0.5:
        gap = rng.choice(["", " ", " "])
        return gap.join(rng.choice(WORDS) for _ in range(rng.randint(1, 24)))
    if kind < 0.8:
        letters = list(formula(rng, rng.randint(1, 5)))
        for _ in range(rng.randint(0, 3)):
            at = rng.randrange(len(letters) + 1)
            letters[at : at + rng.randint(0, 2)] = rng.choice((*WORDS, *ODD))
        return "".join(letters)
    if kind < 0.95:
        return "".join(
            chr(rng.choice((rng.randint(32, 126), rng.randint(0, 0x2FF)))) for _ in range(rng.randint(0, 60))
        )
    return rng.choice(WORDS) * rng.randint(1, 400) + rng.choice(WORDS)


def formula(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(["x", "y", "z", "2", "0.5", "x", "y", "3", "0", "1e9", "3 B", "7 s", "4 GPU"])
    a, b, c = (formula(rng, rng.randint(0, depth - 1)) for _ in range(3))
    return rng.choice(SHAPES).format(a=a, b=b, c=c)


def outcome(text: str) -> str:
    try:
        solve_expression(text, GIVEN)
    except FormulaError as error:
        str(error)
        return f"{error.kind}"
    return "value"


def run(count: int, seed: str) -> Counter[str]:
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    for _ in range(count):
        text = text_of(rng)
        try:
            found[outcome(text)] += 1
        except BaseException:
            print(f"not a FormulaError for {text!r}", file=sys.stderr)
            raise
    return found


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    result = run(many, sys.argv[2] if len(sys.argv) > 2 else "1")
    told = ", ".join(f"{n:,} {name}" for name, n in sorted(result.items()))
    print(f"{many:,} inputs: {told}; 0 crashes")
