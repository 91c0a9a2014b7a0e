"""Hostile expressions: each is refused in the expected way or has the expected value, fast and in little memory; and any
text at all ends in a value or a FormulaError."""

from __future__ import annotations

import contextlib
import re
import tracemalloc
from fractions import Fraction
from pathlib import Path

from every import every
from hypothesis import given, settings
from hypothesis import strategies as st

from quizgen.formula import FormulaError
from quizgen.formula.author import parse_formula
from quizgen.formula.quantity import parse_quantity
from quizgen.formula.solve import solve_expression_json
from quizgen.formula.units import parse_unit
from quizgen.numbers.answer import Refusal
from quizgen.numbers.read import read_response
from quizgen.source.problems import Node, ProblemCollector

from .effort import calls
from .torn import Torn

OWN = Path(__file__).with_name("attacks.txt")
GIVEN = {"x": 3, "y": "2.5"}
CALLS, MEMORY = 60_000, 16 << 20


def outcome(text: str) -> str:
    """`reject`, `limit`, `domain`, or `= VALUE` in base units."""
    try:
        result = solve_expression_json(text, GIVEN)
    except FormulaError as error:
        placed = error.text_offset is None or 0 <= error.text_offset <= len(text)
        return error.json_class_word if error.message and error.hint and placed else f"unhelpful {error!r}"
    value = result["value"]
    bits = {"B": 8, "b": 1}.get(result["unit"], 1)
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
        assert calls(lambda text=text: outcome(text)) < CALLS, text[:60]
    tracemalloc.start()
    for text in texts:
        outcome(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MEMORY


# -- any text ------------------------------------------------------------------------------

VOCABULARY = r"""
x y z abs min max round floor ceil sqrt exp log ln log2 log10 sin acos atan2 factorial gcd lcm comb perm hypot
ceil_log2 next_pow2 round_sig sum len divides if case tuple impossible and or not true false nan inf _ __ e E B
GB GiB b Gb s ms h GPU-h GPU param token FLOP FLOP/s B/param micro-batch % USD kWh KB FLOPS + - * / // % ** ( )
, < <= > >= == != = ^ & | ! ~ . : ; ' " [ ] { } @ # $ \ ` ? 0 1 2 3 7 10 0.5 1e9 1e-9 1e308 1e-320 010 0x1f 1_0
9999999999 .5 5. 1e 40 170 171 1000 1024
"""
ODD = st.sampled_from("\0\n\t\u00a0\u200b\u2212\u00d7\uff11\u0661\ud800\u202e\U0001f600")
WORD = st.sampled_from(VOCABULARY.split())
# Words in a row, apart or not, with an odd character among them; one word many times; any characters.
ANY = (
    st.builds(lambda words, between: between.join(words), st.lists(WORD | ODD, max_size=30), st.sampled_from(("", " ")))
    | st.builds(lambda word, count, end: word * count + end, WORD, st.integers(1, 400), WORD)
    | st.text(max_size=200)
)


@given(ANY)
@settings(max_examples=60)
def test_any_text_as_unit_quantity_or_expression(text: str) -> None:
    for read in (parse_unit, parse_quantity, lambda text: solve_expression_json(text, GIVEN)):
        with contextlib.suppress(FormulaError):
            read(text)


@given(st.dictionaries(ANY.filter(bool), ANY, max_size=3), ANY)
@settings(max_examples=50)
def test_any_steps_of_a_formula(steps: dict[str, str], unit: str) -> None:
    """What an author writes is a formula or a list of problems, never an exception."""
    doc = ProblemCollector("formulas.yaml")
    fields = {name: Node(doc, 3, 5, text) for name, text in steps.items()}
    node = Node(doc, 1, 1, {"steps": Node(doc, 2, 3, fields), "unit": Node(doc, 5, 3, unit)})
    assert parse_formula(node, "f", {}, True) is not None or doc.problems


def test_torn_responses_are_read_or_refused() -> None:
    torn = Torn("smoke")
    assert 250 < sum(isinstance(read_response(*torn.next()), Refusal) for _ in range(2_000)) < 1_750
