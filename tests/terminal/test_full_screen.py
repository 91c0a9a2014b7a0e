"""The full screen: what fits, what stays in sight, and what never reaches the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from driven import DOWN, ENTER, ESCAPE, UP, F, Full, Step, note_of, stage
from fakes import form, item
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.layout import BufferControl
from prompt_toolkit.layout.processors import TransformationInput

from quizgen.model import Form
from quizgen.terminal.panes import Stage
from quizgen.terminal.screen import WordWrap, row_breaks
from quizgen.terminal.session_screen import SessionScreen


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (12, 40), (10, 40), (6, 20), (3, 10), (50, 200)])
def test_every_stage_fits_every_size(log: Path, rows: int, columns: int) -> None:
    """No stage fails to draw, down to sizes that nobody uses."""
    made = form(item("c", hints=("look up",), stem="A long stem. " * 40), item("n", "number"), item("t", "text"))
    Full(
        log,
        made,
        [
            F[1], ESCAPE, ENTER, F[2], "y", "b", F[8], "x", F[8], F[9], ENTER, ENTER, "3", "4", ENTER, "2",
            "an apple", F[5], "3", "and more", F[5], stage(Stage.REVIEW), DOWN, UP, "\x03", ESCAPE, "f", "f", DOWN, "q",
        ],
        rows,
        columns,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "gaps"),
    [
        ("", []),
        ("aaa bbb", []),
        ("aaa bbb ccc ddd", [(12, 1)]),  # 12 + 3 would end behind column 13
        ("aaaaaaaaaa bbbb cc", [(11, 2)]),
        ("a" * 30, []),  # too long for any row: cut where the row ends
        ("a " + "b" * 13, [(2, 11)]),
        ("a " + "b" * 14, []),
        ("漢字漢字 漢字漢字", [(5, 4)]),  # two columns each: 8 + 1 + 8
    ],
)
def test_words_stay_whole(text: str, gaps: list[tuple[int, int]]) -> None:
    """Rows of 13 columns; worked by hand."""
    assert row_breaks(text, 13) == gaps


def test_the_cursor_follows_the_words() -> None:
    """`aaaaaaaaaa bbbb cc` on rows of 13: two blanks stand before `bbbb`, which begins the second row."""
    text = "aaaaaaaaaa bbbb cc"
    control = BufferControl(Buffer(document=Document(text)))
    made = WordWrap().apply_transformation(
        TransformationInput(control, Document(text), 0, lambda at: at, [("", text)], 13, 5)
    )
    assert "".join(part[1] for part in made.fragments) == "aaaaaaaaaa   bbbb cc"
    assert [made.source_to_display(at) for at in (0, 10, 11, 15, 18)] == [0, 10, 13, 17, 20]
    assert [made.display_to_source(at) for at in (0, 10, 11, 12, 13, 20)] == [0, 10, 11, 11, 11, 18]


PAGE_UP = "\x1b[5~"


def small_screen(log: Path, made: Form, steps: list[Step]) -> list[tuple[str, ...]]:
    """What the large pane of a 40x10 terminal shows after each key."""
    seen: list[tuple[str, ...]] = []

    def look(state: SessionScreen) -> None:
        seen.append(state.body(39).lines[state.top : state.top + state.rows()])

    Full(log, made, [each for step in steps for each in (step, look)], 10, 40)
    return seen


def test_a_stem_begins_at_its_beginning_and_the_cursor_leads_when_it_moves(log: Path) -> None:
    """A stem of twelve lines and three options on a screen of ten rows."""
    stem = "First words. " + "A long stem that goes on. " * 16
    item_, down, up, hint = small_screen(
        log, form(item("c", stem=stem, hints=("Look up.",))), [ENTER, DOWN, PAGE_UP + PAGE_UP + PAGE_UP, F[2] + "y"]
    )
    assert item_[0].startswith("First words.")
    assert any(line.startswith(">( ) B.") for line in down)
    assert up[0].startswith("First words."), "paging is not held back by the cursor"
    assert hint[-1] == "  Hint 1: Look up."


def test_no_control_byte_of_an_item_reaches_the_full_screen(log: Path) -> None:
    """Every stage shows escape sequences as text; the only ones drawn are our own attributes."""
    nasty = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e"
    made = form(item("t", "text", stem=f"Stem {nasty}", topic=nasty, hints=(nasty,), given=(nasty,)))

    def clean(state: SessionScreen) -> None:
        shown = [*state.body(60).lines, note_of(state, ""), *state.header(60)[:1]]
        for line in shown:
            assert not set(re.sub("\x1b\\[[0-9;]*m", "", line)) & set("\x1b\x07\x9b\u202e"), line

    steps: list[Step] = [ENTER, F[2], "y", F[3], f"apple {nasty}", F[5], "4", clean, ESCAPE, F[10], clean, "f", clean]
    Full(log, made, [step for each in steps for step in (each, clean)])
