"""Any text at all ends in a value or a FormulaError."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from formula import fuzz, torn
from quizgen.formula.author import parse_formula
from quizgen.formula.errors import FormulaError
from quizgen.formula.quantity import parse_quantity
from quizgen.formula.solve import solve_line
from quizgen.formula.units import parse_unit
from quizgen.source.problems import Document, Node

ANY = st.text(max_size=200) | st.lists(st.sampled_from(fuzz.WORDS), max_size=30).map(" ".join)


@given(ANY)
@settings(max_examples=500)
def test_any_text_as_expression(text: str) -> None:
    assert fuzz.outcome(text) in ("value", "reject", "limit", "domain")


@given(ANY)
@settings(max_examples=300)
def test_any_text_as_unit_or_quantity(text: str) -> None:
    for read in (parse_unit, parse_quantity):
        with contextlib.suppress(FormulaError):
            read(text)


@given(ANY)
@settings(max_examples=200)
def test_any_line_of_stdin(text: str) -> None:
    result = solve_line(text, lambda name: None, lambda: ())
    assert "error" in result or "value" in result


@given(st.dictionaries(ANY.filter(bool), ANY, max_size=3), ANY)
@settings(max_examples=200)
def test_any_steps_of_a_formula(steps: dict[str, str], unit: str) -> None:
    """What an author writes is a formula or a list of problems, never an exception."""
    doc = Document("formulas.yaml")
    fields = {name: Node(doc, 3, 5, text) for name, text in steps.items()}
    node = Node(doc, 1, 1, {"steps": Node(doc, 2, 3, fields), "unit": Node(doc, 5, 3, unit)})
    assert parse_formula(node, "f", {}, True) is not None or doc.problems


def test_fuzz_smoke() -> None:
    found = fuzz.run(20_000, "smoke")
    assert sum(found.values()) == 20_000
    assert found["value"] > 500


def test_torn_responses_are_read_or_refused() -> None:
    found = torn.run(4_000, "smoke")
    assert found["read"] + found["refused"] == 4_000
    assert min(found["read"], found["refused"]) > 500
