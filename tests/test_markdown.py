"""Markdown to blocks: what becomes maths, what stays money, which links and images are let through."""

from __future__ import annotations

import pytest

from quizgen.inline import CodeSpan, Emphasis, Image, Inline, Link, MathSpan, Text
from quizgen.markdown import markdown_inline_pieces, pieces_as_plain_text

PIECES: list[tuple[str, tuple[Inline, ...], str]] = [
    ("plain text", (Text("plain text"),), "no parser is needed"),
    ("$N$ ranks", (MathSpan("N"), Text(" ranks")), "maths"),
    (r"$a \$ b$", (MathSpan(r"a \$ b"),), "a dollar inside a formula is escaped"),
    ("from $5 to $10", (Text("from $5 to $10"),), "amounts are money"),
    ("from $5 or 7$1", (Text("from $5 or 7$1"),), "a digit behind the second dollar: money"),
    ("a $ b $ c", (Text("a $ b $ c"),), "blanks inside: money"),
    (r"\$5", (Text("$5"),), "an escaped dollar"),
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
    found = markdown_inline_pieces(text)
    assert pieces_as_plain_text(found) == pieces_as_plain_text(pieces), why
    assert [p for p in found if not isinstance(p, Text)] == [p for p in pieces if not isinstance(p, Text)], why
