"""TeX as a line of Unicode, where each expected line was written by hand and none may change the maths; formulas in
maths: each expression as a person would set it, and every one of the shipped banks.
"""

from __future__ import annotations

import pytest
import shipped
from hypothesis import given
from hypothesis import strategies as st

from quizgen import data_folders
from quizgen.derivation import WorkedDerivation
from quizgen.draw import SeededRng
from quizgen.render.formula_sheet import formula_tex
from quizgen.render.mathml import tex_to_mathml
from quizgen.render.unicode_math import tex_to_unicode

CASES = [
    (r"10^{-3}", "10⁻³"),
    (r"x_i^2", "xᵢ²"),
    (r"\frac{2N}{K}", "2N/K"),
    (r"\sqrt{d_k}", "√dₖ"),
    (r"x_{q}", "x_q"),
    (r"\text{tokens per second}", "tokens per second"),
    (r"\sum_{i=1}^{B} x_i", "∑ᵢ₌₁ᴮ xᵢ"),
    (r"\alpha + \beta \le \gamma", "α + β ≤ γ"),
    (r"\frac{a+b}{c}", "(a + b)/c"),
    (r"\frac{a}{b+c}", "a/(b + c)"),
    (r"\frac{a}{2b}", "a/(2b)"),
    (r"\frac{p-1}{p}\frac{n}{B}", "(p − 1)/p · n/B"),
    (r"2\frac{1}{3}", "2 · 1/3"),
    (r"\tfrac{1}{2}mv^2", "1/2 · mv²"),
    (r"\frac{a/b}{c}", "(a/b)/c"),
    (r"\sqrt{a+b}", "√(a + b)"),
    (r"\log_2 n", "log₂ n"),
    (r"\lVert x \rVert", "‖ x ‖"),
    (r"-x + -y", "−x + −y"),
    (r"a_1 * b_2 * c", "a₁ · b₂ · c"),
    (r"3\,\mathrm{GB}", "3 GB"),
    (r"x^{2N}", "x²ᴺ"),
    (r"x^{q}", "x^q"),
    (r"x^{a/b}", "x^(a/b)"),
    (r"W_{\text{in}}", "Wᵢₙ"),
    (r"\hat y", "\u0177"),
    (r"\left(\frac{1}{2}\right)", "(1/2)"),
    (r"\unknown{z}", r"\unknown{z}"),
    (r"50\%", "50%"),
    (r"\binom{n}{k}", "C(n, k)"),
    (r"x{a}", "xa"),
    ("a\nb\tc", "a b c"),
    (r"\begin{aligned} a &+ b \end{aligned}", "a + b"),
    (r"\text12", "12"),
    (r"x^{}", "x"),
    ("", ""),
]


@pytest.mark.parametrize(("tex", "text"), CASES, ids=[c[0] or "empty" for c in CASES])
def test_tex_as_text(tex: str, text: str) -> None:
    assert tex_to_unicode(tex) == text


def test_text_beyond_the_limits_comes_back_unchanged() -> None:
    assert tex_to_unicode(r"\alpha" * 600) == "α" * 600
    assert tex_to_unicode(r"\alpha" * 700) == r"\alpha" * 700  # 4,200 characters
    assert tex_to_unicode("{" * 30 + r"\alpha" + "}" * 30) == "α"
    assert tex_to_unicode("{" * 31 + r"\alpha" + "}" * 31) == "{" * 31 + r"\alpha" + "}" * 31


@given(st.text(alphabet=r"\{}^_ abfrac12sqrt+-", max_size=80))
def test_any_tex_comes_back_as_one_line(tex: str) -> None:
    assert "\n" not in tex_to_unicode(tex)


@pytest.mark.parametrize("tex", ["{" * 5000, "\\frac" * 900, "^" * 4000, "x_" * 2000, "\\sqrt{" * 31])
def test_nests_are_bounded(tex: str) -> None:
    assert isinstance(tex_to_unicode(tex), str)


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
    assert "<math" in tex_to_mathml(formula_tex("x", expression))


def test_every_formula_that_ships_can_be_set() -> None:
    """A third of them."""
    count = 0
    for number, name in enumerate(data_folders.shipped_bank_names()):
        for item in shipped.part_of(shipped.bank(name).items.values(), number):
            for block in item.draw(SeededRng(item.id, "x")).solution():
                for step in block.steps if isinstance(block, WorkedDerivation) else ():
                    assert "<math" in tex_to_mathml(formula_tex(step.name, step.expression))
                    count += 1
    assert count > 130
