"""Every example of docs/formulas.md holds, and the page is the one these examples make."""

from __future__ import annotations

import pytest
from shipped import Golden

from formula import language
from quizgen.formula.expression.evaluate import compile_expression
from quizgen.formula.expression.parse import NameScope, Symbol, ValueKind, parse_expression


def test_the_page_is_made_from_the_examples(golden: Golden) -> None:
    golden("formulas.md", language.page(), folder="docs")


def test_every_function_is_shown_or_plain_trigonometry() -> None:
    shown = " ".join(expression for rows in language.EXAMPLES.values() for expression, _ in rows)
    plain = {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "degrees", "radians", "len"}
    assert {name for name in language.FUNCTIONS if f"{name}(" not in shown} == plain


# What the page does not show: t is 90 min, D 80 GB, n 8 GPU, K 32.
EDGES = [
    ("t**40 * t**40", "refused: no amount has the unit s**80; check the powers"),
    ("t**65", "refused: no amount has the unit s to that power; check the exponent"),
    ("D // (3 GB)", "26"),
    ("D // t", "refused: B // s depends on the unit; divide two amounts of one kind, or use floor"),
    ("len(K)", "refused: len takes a list; name an input with list: true"),
    ("ceil_log2(0)", "refused: ceil_log2 of a number that is not positive; keep its argument above 0"),
    ("if(divides(0, 4), 1, 2)", "refused: divisibility by zero; make sure that the divisor is never 0"),
    ("0.1**400", "refused: the result is too small; scale the inputs up"),
    ("", "refused: the formula is empty; write an expression"),
    ("(1, 2)", "refused: several values in parentheses; write tuple(a, b), or a decimal with a point"),
    ("1,5 * K", 'refused: "," does not belong here; write a decimal with a point'),
    ("2 µ", "refused: U+00B5 is not read here; write plain ASCII characters"),
    ("8 GB/min(1, 2)", "8000000000 B"),
    ("log2(n) * 1 s", "3 s"),
    ("round(atan2(1 s, 1 s), 4)", "0.7854"),
    ("(4 / 9)**(3 / 2) - 8 / 27", "0"),
]


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [*(row for rows in language.EXAMPLES.values() for row in rows), *EDGES],
    ids=lambda t: t[:40],
)
def test_an_expression_has_the_outcome_of_its_example(expression: str, wanted: str) -> None:
    assert language.outcome(expression) == wanted


def test_a_yes_no_is_compared_with_its_words() -> None:
    """Yes is 1 and no is 0 in a run."""
    scope = NameScope({"on": Symbol(ValueKind("truth"), 0)})
    for text in ("case(on, false, 5, true, 7, 9)", "if(on == true, 7, 5)"):
        assert [compile_expression(parse_expression(text), scope).run((value,)) for value in (1, 0)] == [7, 5]
