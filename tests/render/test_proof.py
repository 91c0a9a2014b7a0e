"""What `quizgen check` finds of pages before any candidate sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizgen import markdown
from quizgen.answer_areas import TextAnswerLines
from quizgen.render.edition import printed_line_count
from quizgen.render.images import page_display_problems_of_items
from quizgen.render.text import EmphasisStyle, wrap_blocks

from . import made


def found(source: str, root: Path, **fields: object) -> list[tuple[str, str]]:
    item = made.item("x", *markdown.markdown_blocks(source), **fields)
    return [(p.severity, p.message) for p in page_display_problems_of_items([item], str(root))]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("say $\\nosuch$", 'the formula $\\nosuch$ cannot be shown: Unknown command "\\nosuch" (character 1); fix it'),
        ("- two\n- a $\\frac12 of it", "the formula $\\frac12 has no end; put a $ behind it"),
        ("- deep\n  > in **a $\\nosuch$ list**", 'Unknown command "\\nosuch"'),
        ("| a |\n|---|\n| $x + {$ |", "(character"),
        ("say $\\operatorname<$", "a character that cannot be here"),
        ("say $" + "x^{" * 490 + "x" + "}" * 490 + "$", "nested 492 deep; the limit is 100"),
        ("![ring](nothere.png)", '"nothere.png" cannot be read'),
        ("![ring](../up.png)", "is not a path inside the bank"),
        ("![](nothere.png)", "has no alt text"),
    ],
)
def test_what_cannot_be_shown_is_a_failure(source: str, message: str, tmp_path: Path) -> None:
    severity, told = found(source, tmp_path)[0]
    assert severity == "failure"
    assert message in told


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "stem", ["\\\\$" * 21_800, "$" + "\\sqrt" * 790 + " x$", "$" + "x^{" * 490 + "x" + "}" * 490 + "$"]
)
def test_no_stem_costs_more_than_its_length(stem: str) -> None:
    """Dollars that close nothing, and commands nested without braces: quadratic work here would take minutes."""
    assert wrap_blocks(markdown.markdown_blocks(stem), 80, EmphasisStyle(has_emphasis_characters=False))


def test_an_item_longer_than_a_page_is_a_warning_and_good_maths_no_problem(tmp_path: Path) -> None:
    assert found("say $\\frac{a}{b}$ and\n\n$$\\sum_{i=1}^n i$$", tmp_path) == []
    code = "```\n" + "line\n" * 60 + "```"
    assert found(code, tmp_path) == [("warning", "takes about 61 lines on paper, more than a page, and will be split")]
    assert found("```\n" + "line\n" * 20 + "```", tmp_path) == []
    # Ruled lines give way to the stem, but four of them stay.
    for count, severities in ((25, []), (41, ["warning"])):
        stem = markdown.markdown_blocks("```\n" + "line\n" * count + "```")
        item = made.item("x", *stem, TextAnswerLines(1), seconds=200)
        assert [p.severity for p in page_display_problems_of_items([item], "")] == severities


def test_heights_grow_with_lines_lists_and_figures() -> None:
    rows = (
        ("word " * 50, 95, 3.3),
        ("word " * 50, 48, 6.3),
        ("- a\n- b", 95, 2.6),
        ("**![a ring](ring.png)**", 95, 17.3),
    )
    for text, width, lines in rows:
        assert printed_line_count(markdown.markdown_blocks(text), width) == pytest.approx(lines)
