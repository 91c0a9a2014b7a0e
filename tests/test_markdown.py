"""Markdown to blocks: what becomes maths, what stays money, which links and images are let through."""

from __future__ import annotations

import pytest

from quizgen.inline import Break, CodeSpan, Emphasis, Image, Inline, Link, MathSpan, Text
from quizgen.markdown import inline_text, markdown_blocks, markdown_inline
from quizgen.page import Bullets, Code, Heading, Math, Para, Quote, Table, ThematicBreak

PIECES: list[tuple[str, tuple[Inline, ...], str]] = [
    ("plain text", (Text("plain text"),), "no parser is needed"),
    ("$N$ ranks", (MathSpan("N"), Text(" ranks")), "maths"),
    ("$a_1$ and $b^2$", (MathSpan("a_1"), Text(" and "), MathSpan("b^2")), "two formulas"),
    (r"$a \$ b$", (MathSpan(r"a \$ b"),), "a dollar inside a formula is escaped"),
    ("from $5 to $10", (Text("from $5 to $10"),), "amounts are money"),
    ("from $5 or 7$1", (Text("from $5 or 7$1"),), "a digit behind the second dollar: money"),
    ("a $ b $ c", (Text("a $ b $ c"),), "blanks inside: money"),
    (r"\$5", (Text("$5"),), "an escaped dollar"),
    ("$$", (Text("$$"),), "nothing inside"),
    ("`$x$`", (CodeSpan("$x$"),), "code wins"),
    ("a *b* **c**", (Text("a "), Emphasis((Text("b"),)), Text(" "), Emphasis((Text("c"),), True)), "emphasis"),
    ("[x](https://a.b)", (Link((Text("x"),), "https://a.b"),), "a safe link"),
    ("[x](http://a.b)", (Text("x"),), "any other keeps its text alone"),
    ("[x](javascript:alert)", (Text("["), Text("x"), Text("](javascript:alert)")), "or is no link at all"),
    ("![alt](fig/a.png)", (Image("alt", "fig/a.png"),), "an image"),
    ("<b>x</b>", (Text("<b>x</b>"),), "raw HTML is text"),
]


@pytest.mark.parametrize(("text", "pieces", "why"), PIECES, ids=[p[2] for p in PIECES])
def test_pieces_of_a_line(text: str, pieces: tuple[Inline, ...], why: str) -> None:
    """The table above; neighbours of plain text are compared as one."""
    assert inline_text(markdown_inline(text)) == inline_text(pieces), why
    assert [p for p in markdown_inline(text) if not isinstance(p, Text)] == [
        p for p in pieces if not isinstance(p, Text)
    ], why


def test_blocks_of_a_page() -> None:
    """Each block that Markdown knows, once."""
    found = markdown_blocks(
        "# Head\n\nA line\nand more  \nbroken.\n\n```py\nx = 1\n```\n\n$$\ny\n$$\n\n> said\n\n3. three\n4. four\n\n"
        "- a\n- b\n\n---\n\n| h | i |\n|---|---|\n| 1 | 2 |\n".replace("\\\n", "\n")
    )
    assert [type(b) for b in found] == [Heading, Para, Code, Math, Quote, Bullets, Bullets, ThematicBreak, Table]
    heading, para, code, math, quote, numbered, bullets, _, table = found
    assert isinstance(heading, Heading)
    assert (heading.level, inline_text(heading.parts)) == (1, "Head")
    assert isinstance(para, Para)
    assert inline_text(para.parts) == "A line and more\nbroken."
    assert Break() in para.parts
    assert code == Code("x = 1", "py")
    assert math == Math("\ny\n")
    assert isinstance(quote, Quote)
    assert isinstance(numbered, Bullets)
    assert (numbered.is_ordered, numbered.start_number, len(numbered.entries)) == (True, 3, 2)
    assert isinstance(bullets, Bullets)
    assert not bullets.is_ordered
    assert isinstance(table, Table)
    assert [inline_text(cell) for cell in (*table.head, *table.rows[0])] == ["h", "i", "1", "2"]


@pytest.mark.parametrize("text", ["", "  \n \n"])
def test_nothing_is_no_block(text: str) -> None:
    """An empty hint leaves no empty paragraph."""
    assert markdown_blocks(text) == ()
