"""Hostile expressions: each is refused in the expected way or has the expected value, fast and in little memory."""

from __future__ import annotations

import re
import tracemalloc
from fractions import Fraction
from pathlib import Path

from every import every

from quizgen.formula.errors import FormulaError
from quizgen.formula.solve import solve_expression

from .effort import calls

OWN = Path(__file__).with_name("attacks.txt")
GIVEN = {"x": 3, "y": "2.5"}
CALLS, MEMORY = 60_000, 16 << 20


def outcome(text: str) -> str:
    """`reject`, `limit`, `domain`, or `= VALUE` in base units."""
    try:
        result = solve_expression(text, GIVEN)
    except FormulaError as error:
        placed = error.column is None or 0 <= error.column <= len(text)
        return error.kind if error.message and error.hint and placed else f"unhelpful {error!r}"
    value = result["value"]
    bits = {"B": 8, "b": 1}.get(result["unit"], 1)
    assert isinstance(value, int | float)
    assert not isinstance(value, bool)
    return f"= {value * bits}"


def own_cases() -> list[tuple[str, str]]:
    cases = []
    for line in OWN.read_text(encoding="utf-8").splitlines():
        found = re.fullmatch(r"(.*?)  +## (.+)", line)
        if found is None:
            assert line.startswith("#"), line
            continue
        text, wanted = found.groups()
        if text.startswith("esc:"):
            text = text[4:].encode("ascii").decode("unicode_escape")
        elif text.startswith("rep:"):
            _, count, part, tail = text.split(":")
            text = part * int(count) + tail
        cases.append((text, wanted))
    return cases


@every(own_cases)
def test_own_corpus(text: str, wanted: str) -> None:
    got = outcome(text)
    if wanted == "~":
        assert got.startswith("= ")
    elif wanted.startswith("= "):
        assert got.startswith("= "), got
        assert Fraction(got[2:]) == Fraction(wanted[2:]) or abs(float(got[2:]) - float(wanted[2:])) < 1e-12
    else:
        assert got == wanted


def test_every_case_is_cheap() -> None:
    """At most 60,000 calls (some ten milliseconds) and 16 MiB, which a single huge power would need as well."""
    texts = [text for text, _ in own_cases()]
    texts += ["(" * 100_000 + "1" + ")" * 100_000, "-" * 100_000 + "1", "a" * 1_000_000, "1" + "+1" * 500_000]
    for text in texts:
        assert calls(lambda text=str(text): outcome(text)) < CALLS, str(text)[:60]
    tracemalloc.start()
    for text in texts:
        outcome(str(text))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MEMORY
