"""Formulas in maths: each expression as a person would set it, and every one of the shipped banks."""

from __future__ import annotations

import pytest

from quizgen import bank, data_folders
from quizgen.derivation import Steps
from quizgen.draw import Stream
from quizgen.render.formula_sheet import formula_tex
from quizgen.render.mathml import mathml


@pytest.mark.parametrize(
    ("expression", "tex"),
    [
        ("a / (b + c)", r"\frac{a}{b + c}"),
        ("(a + b) * c", r"\left(a + b\right) \cdot c"),
        ("a - (b - c)", r"a - \left(b - c\right)"),
        ("a - b - c", "a - b - c"),
        ("(a + b) ** 2", r"\left(a + b\right)^{2}"),
        ("a ** (b - 1)", "a^{b - 1}"),
        ("-(a + b)", r"-\left(a + b\right)"),
        ("2 * (K - 1)", r"2 \cdot \left(K - 1\right)"),
        ("a // b % c", r"\left\lfloor \frac{a}{b} \right\rfloor \bmod c"),
        ("ceil(a / b)", r"\left\lceil \frac{a}{b} \right\rceil"),
        ("sqrt(2 * delta * M)", r"\sqrt{2 \cdot \mathrm{delta} \cdot M}"),
        ("2 B/param * n_ar", r"2\,\mathrm{B/param} \cdot n_{\mathrm{ar}}"),
        ("1.5e9 * in_flight", r"1.5 \cdot 10^{9} \cdot \text{in flight}"),
        ("max(a, b)", r"\max\left(a, b\right)"),
        ("if(a >= 2, b, c)", r"\begin{cases} b & \text{if } a \ge 2 \\ c & \text{otherwise} \end{cases}"),
    ],
)
def test_an_expression_is_set_as_people_set_it(expression: str, tex: str) -> None:
    assert formula_tex("x", expression) == f"x = {tex}"
    assert "<math" in mathml(formula_tex("x", expression))


def test_every_formula_that_ships_can_be_set() -> None:
    count = 0
    for name in data_folders.shipped_bank_names():
        loaded = bank.load_bank(name).readable
        for item in loaded.items.values():
            for block in item.draw(Stream(item.id, "x")).solution():
                for step in block.steps if isinstance(block, Steps) else ():
                    assert "<math" in mathml(formula_tex(step.name, step.expression))
                    count += 1
    assert count > 400
