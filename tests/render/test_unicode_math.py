"""TeX as a line of Unicode, where each expected line was written by hand and none may change the maths; formulas in
maths: each expression as a person would set it, and every one of the shipped banks.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import shipped
from hypothesis import given
from hypothesis import strategies as st

from quizgen import data_folders
from quizgen.derivation import WorkedDerivation
from quizgen.draw import SeededRng
from quizgen.render.formula_sheet import equation_tex
from quizgen.render.maths import tex_to_mathml, tex_to_unicode


def table(name: str) -> list[list[str]]:
    """The rows of a file: a text and what becomes of it."""
    return [line.split("\t") for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()[1:]]


CASES = [*table("tex.txt"), ("a\nb\tc", "abc"), ("", "")]


@pytest.mark.parametrize(("tex", "text"), CASES, ids=[c[0] or "empty" for c in CASES])
def test_tex_as_text(tex: str, text: str) -> None:
    assert tex_to_unicode(tex) == text


def test_a_formula_that_is_too_long_comes_back_unchanged() -> None:
    assert tex_to_unicode(r"\alpha" * 333) == "α" * 333
    assert tex_to_unicode(r"\alpha" * 334) == r"\alpha" * 334  # 2,004 characters


@given(st.text(alphabet=r"\{}^_ abfrac12sqrt+-", max_size=80))
def test_any_tex_comes_back_as_one_line(tex: str) -> None:
    assert "\n" not in tex_to_unicode(tex)


@pytest.mark.parametrize("tex", ["{" * 5000, "\\frac" * 900, "^" * 4000, "x_" * 2000, "\\sqrt{" * 31])
def test_nests_are_bounded(tex: str) -> None:
    assert isinstance(tex_to_unicode(tex), str)


@pytest.mark.parametrize(("expression", "tex"), table("expressions.txt"))
def test_an_expression_is_set_as_people_set_it(expression: str, tex: str) -> None:
    assert equation_tex("x", expression) == f"x = {tex}"
    assert "<math" in tex_to_mathml(equation_tex("x", expression))


def test_every_formula_that_ships_can_be_set() -> None:
    """A third of them."""
    count = 0
    for number, name in enumerate(data_folders.shipped_bank_names()):
        for item in shipped.part_of(shipped.bank(name).items.values(), number):
            for block in item.draw(SeededRng(item.id, "x")).solution():
                for step in block.steps if isinstance(block, WorkedDerivation) else ():
                    assert "<math" in tex_to_mathml(equation_tex(step.name, step.expression))
                    count += 1
    assert count > 130
