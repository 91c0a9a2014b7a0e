"""What reading and scoring one numeric response costs, as a ratio to the closed form and to json.loads of a log line.

Run: python tests/bench/bench_number.py. Half of the lines are right or nearly so; the other half are off by 2, 8,
0.71 and 1.37. What is measured is the process's own time, for a busy machine stretches the other.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction

from timing import best

from quizgen.bank import load_bank
from quizgen.draw import SeededRng
from quizgen.formula.quantity import value_in_unit
from quizgen.kinds.numeric.item import NumericItem
from quizgen.model import Outcome, Variant

ROUNDS = 15
FACTORS = (1, 1.002, 1, 1.001, 2, 8, 0.71, 1.37)
LINE = json.dumps(
    {"v": 1, "type": "response", "session": "s", "candidate": "ada", "item": "zero2-13b", "seed": "7",
     "given": {"N": "13e9 param", "K": "32"}, "response": "31.7 GB", "seconds": 74.2, "at": "2026-11-21T10:00:00Z"}
)  # fmt: skip


def responses() -> list[tuple[Variant, str]]:
    """Responses to forty shipped items with a number as their key."""
    made: list[tuple[Variant, str]] = []
    for item in load_bank("distributed-training").required_bank.items.values():
        if not isinstance(item, NumericItem) or item.inverse_spec is not None or len(made) >= 40 * len(FACTORS):
            continue
        variant = item.draw(SeededRng(item.id, "1"))
        key, unit = variant.evaluation.answer, item.answer_format.default_unit
        if isinstance(key, int | float | Fraction) and not isinstance(key, bool):
            value, name = float(value_in_unit(key, unit)), unit.symbol
            made += [(variant, f"{value * factor:.4g} {name}".removesuffix(" 1")) for factor in FACTORS]
    return made


def scored(lines: Sequence[tuple[Variant, str]]) -> None:
    for variant, text in lines:
        variant.score(text)


def main() -> None:
    lines = responses()
    right = [(variant, text) for variant, text in lines if variant.score(text).outcome is Outcome.CORRECT]
    wrong = [line for line in lines if line not in right]
    loads = best(lambda: [json.loads(LINE) for _ in lines], ROUNDS) / len(lines)
    closed = best(lambda: [abs(float("31.7") - 13 * (2 + 14 / 32)) <= 0.3 for _ in lines], ROUNDS) / len(lines)
    for name, some in (("right", right), ("wrong", wrong)):
        scored(some)
        cost = best(lambda some=some: scored(some), ROUNDS) / len(some)
        ratios = f"{cost / loads:.1f} x json.loads, {cost / closed:.0f} x closed form"
        print(f"{name}: {cost * 1e6:.1f} us a response, {ratios}")


if __name__ == "__main__":
    main()
