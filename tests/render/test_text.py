"""Blocks as lines of text: widths, tables, code, and nothing that controls a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from every import every
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quizgen import markdown
from quizgen.answer_areas import NumericAnswerLine, Option, Options, TextAnswerLines
from quizgen.derivation import DerivationStep, WorkedDerivation
from quizgen.inline import Text
from quizgen.page import Block, Paragraph, Table, plain_paragraph
from quizgen.render.text import ASCII_EMPHASIS, EmphasisStyle, text_column_count, wrap_blocks, wrap_text
from quizgen.render.text import wrap_markdown_line as wrap_line

BASIC = [
    ("A **strong** word, an *easy* one and `code` in one line.", 30, ASCII_EMPHASIS,
     ["A *strong* word, an _easy_ one", "and `code` in one line."]),
    ("A **strong** word", 40, EmphasisStyle(has_terminal_attributes=True), ["A \x1b[1mstrong\x1b[0m word"]),
    ("A **strong** `word`", 40, EmphasisStyle(has_emphasis_characters=False), ["A strong word"]),
    ("```python\nfor x in y:\n\tprint(x)\n```", 40, ASCII_EMPHASIS, ["    for x in y:", "        print(x)"]),
    ("```\nabcdefghij\n```", 10, ASCII_EMPHASIS, ["    abcdef", "  ↪ ghij"]),
    ("- one\n- two\n  1. deep\n  2. deeper", 40, ASCII_EMPHASIS, ["- one", "- two", "  1. deep", "  2. deeper"]),
    ("> said\n\n---", 40, ASCII_EMPHASIS, ["| said", "", "-" * 40]),
    ("| name | what it means |\n|---|---|\n| a | something that is rather long |\n| bb | short |", 24, ASCII_EMPHASIS,
     ["name  what it means", "----  ------------------", "a     something that is", "      rather long", "bb    short"]),
    ("With $x^2$ it is\n\n$$\\frac{a}{b} \\le 1$$", 40, ASCII_EMPHASIS, ["With x² it is", "", "    a/b ≤ 1"]),
    # `x` in backquotes is three columns wide, not one.
    ("| a | b |\n|---|---|\n| 1 | `x` |\n| 2 | *so* |", 40, ASCII_EMPHASIS, ["a  b", "-  ----", "1  `x`", "2  _so_"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "width", "look", "expected"), BASIC)
def test_markdown_in_lines(text: str, width: int, look: EmphasisStyle, expected: list[str]) -> None:
    """Emphasis by characters, by attributes that take no room, or not at all; code keeps its lines; the widest column
    gives way."""
    assert wrap_blocks(markdown.markdown_blocks(text), width, look) == expected


def test_options_have_letters_and_hang_and_other_response_areas_show_nothing_of_their_own() -> None:
    assert wrap_blocks([plain_paragraph("stem"), NumericAnswerLine("GB"), TextAnswerLines(2)], 40) == ["stem"]
    options = Options((Option("x", (Text("a long option of several words"),)), Option("y", (Text("b"),))))
    assert wrap_blocks([options], 24) == ["  A. a long option of", "     several words", "  B. b"]


def test_columns_of_a_text() -> None:
    texts = ("abc", "漢字", "e\u0301", "ŷ\u0302", "a\u200db", "⁻³", "")
    assert [text_column_count(text) for text in texts] == [3, 4, 1, 1, 2, 2, 0]


HOSTILE = [chr(c) for c in (*range(32), 127, *range(128, 160), 0x202E, 0x2066, 0xD800, 0xE0001, 0x2028)]


@every([c for c in HOSTILE if c not in "\n\t"])
def test_no_control_character_gets_through(char: str) -> None:
    """From a paragraph, code, maths, an option, a cell or a step."""
    texts: list[Block] = [
        Paragraph((Text(f"a{char}b"),)),
        *markdown.markdown_blocks(f"```\na{char}b\n```"),
        *markdown.markdown_blocks(f"$a{char}b$ and `a{char}b`"),
        Options((Option("o", (Text(f"a{char}b"),)),)),
        Table(((Text(f"a{char}b"),),), (((Text(f"a{char}b"),),),)),
        WorkedDerivation(
            f"a{char}b", "", ((f"a{char}b", "1", ""),), (DerivationStep(f"a{char}b", "1", "2", "3"),), "3"
        ),
    ]
    for line in wrap_blocks(texts, 40):
        assert char not in line


@settings(max_examples=50)
@given(st.text(max_size=300), st.integers(8, 60))
def test_any_text_fits_any_width_and_controls_nothing(text: str, width: int) -> None:
    for line in wrap_text(text, width):
        assert text_column_count(line) <= width
        assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in line)


@given(st.text(alphabet="ab *_`$\\{}^|-#>\n1.漢", max_size=200), st.integers(8, 60))
@example(">1111111", 8)
@example("- aaaaaaa1`_`>1", 8)
def test_any_markdown_fits_any_width(text: str, width: int) -> None:
    for line in wrap_blocks(markdown.markdown_blocks(text), width):
        assert text_column_count(line) <= width


def test_a_table_too_wide_for_its_columns_becomes_records() -> None:
    """Three columns of long cells in 30 columns: a row is its letter and text, the rest below by title."""

    def cell(text: str) -> tuple[Text, ...]:
        return (Text(text),) if text else ()

    head = tuple(cell(t) for t in ("", "Option", "Why not"))
    rows = (
        tuple(cell(t) for t in ("A", "It shards the optimizer states", "")),
        tuple(cell(t) for t in ("B", "It shards the parameters", "That is stage three of the three stages")),
    )
    assert wrap_blocks((Table(head, rows),), 30) == [
        "A. It shards the optimizer",
        "   states",
        "B. It shards the parameters",
        "   Why not: That is stage",
        "   three of the three stages",
    ]


def test_tables_without_cells() -> None:
    assert wrap_blocks([Table((), ())]) == wrap_blocks([Table((), ((), ()))]) == []
    head, empty, full = ((Text("X"),), (Text("Y"),)), ((), ()), ((Text("a" * 30),), (Text("b" * 30),))
    assert wrap_blocks([Table(head, (empty, full))], 20) == wrap_blocks([Table(head, (full,))], 20)


def test_a_hint_is_its_authors_markdown_and_nothing_of_a_text_is_lost_by_wrapping() -> None:
    text = " ".join(f"word{n}" for n in range(100))
    assert " ".join(wrap_text(text, 23)) == text
    assert wrap_line("`y` costs $O(n^2)$", 40, ASCII_EMPHASIS, "", "Hint: ") == ["Hint: `y` costs O(n²)"]
    assert wrap_line("a *very* long one", 14, ASCII_EMPHASIS, "   ", "- ") == ["- a _very_", "   long one"]
