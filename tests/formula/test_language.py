"""Every example of docs/formulas.md holds, and the page is the one these examples make."""

from __future__ import annotations

from pathlib import Path

import pytest

from formula import language


@pytest.mark.parametrize(
    ("expression", "wanted"), [row for rows in language.EXAMPLES.values() for row in rows], ids=lambda t: t[:40]
)
def test_an_expression_has_the_outcome_of_its_example(expression: str, wanted: str) -> None:
    assert language.outcome(expression) == wanted


def test_the_page_is_made_from_the_examples(root: Path, request: pytest.FixtureRequest) -> None:
    page = root / "docs" / "formulas.md"
    if request.config.getoption("--update-golden"):
        page.write_text(language.page(), encoding="utf-8")
    assert page.read_text(encoding="utf-8") == language.page()


def test_every_function_is_shown_or_plain_trigonometry() -> None:
    shown = " ".join(expression for rows in language.EXAMPLES.values() for expression, _ in rows)
    plain = {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "degrees", "radians", "len"}
    assert {name for name in language.FUNCTIONS if f"{name}(" not in shown} == plain
