"""The full screen: responses, probes and aids, key by key; the session and its log come out; what fits, what stays in
sight, and what never reaches the terminal; and every row of the table of keys names what there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from driven import DOWN, ENTER, ESCAPE, UP, F, Full, Step, fruit, note_of, passes, says, shows, stage, time_is_over
from fakes import Clock, FakeVariant, form, item
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.layout import BufferControl
from prompt_toolkit.layout.processors import TransformationInput

from quizgen.model import Form, FormEntry
from quizgen.page import Block, Stimulus, plain_paragraph
from quizgen.session.interview import Mode, RunState, SessionRules, new_session
from quizgen.session.sitting import Sitting
from quizgen.terminal.debriefs import DisputeState
from quizgen.terminal.panes import Stage, controls_section_rows, review_list_line
from quizgen.terminal.screen import WordWrap, positions_and_blank_counts_before_cut_words
from quizgen.terminal.session_screen import CaseScreen, SessionScreen


def test_a_whole_session(log: Path) -> None:
    steps = [
        stage(Stage.BRIEF), ENTER, stage(Stage.ITEM), "b", ENTER, stage(Stage.CONFIDENCE), "5", "4", ENTER, ENTER, "an apple", ENTER,
        "a pear", F[5], "3", stage(Stage.REVIEW), "f", stage(Stage.DEBRIEF), "q",
    ]  # fmt: skip
    done = Full(log, fruit(), steps)
    assert done.responses == ["yes", "4", "an apple\na pear"]
    assert [line.get("confidence") for line in done.lines[1:4]] == [5, None, 3]
    assert done.lines[-1]["reason"] == "finished"
    assert done.code == 0


class WithTable(FakeVariant):
    def prompt(self) -> tuple[Block, ...]:
        return (Stimulus("table", (plain_paragraph("Rows of a table."),)), *FakeVariant.prompt(self))


def test_a_list_of_items_shows_questions_and_not_their_shared_table() -> None:
    made = replace(fruit(), entries=(FormEntry(WithTable(item("c"), "s")),))
    assert review_list_line(new_session(made, SessionRules()), 0, 80) == "  1. open: Stem of c."


def on_row(row: int) -> Callable[[SessionScreen], None]:
    """The review's cursor is on this row."""

    def check(state: SessionScreen) -> None:
        assert state.cursor == row

    return check


def took(seconds: float) -> Callable[[SessionScreen], None]:
    def check(state: SessionScreen) -> None:
        assert state.session.used_seconds == pytest.approx(seconds, abs=0.1)

    return check


def stopped_for_an_hour(state: SessionScreen) -> None:
    """The process did not run: there was no tick."""
    assert isinstance(state.sitting.clock, Clock)
    state.sitting.clock.tick(3600)
    state.tick()


def explains(name: str, *others: str) -> Callable[[SessionScreen], None]:
    """The debrief has the solution of this item, and none of the others."""

    def check(state: SessionScreen) -> None:
        text = "\n".join(state.pane_body(80).lines)
        assert [f"Solution of {one}." in text for one in (name, *others)] == [True, *(False for _ in others)]

    return check


NUMBER, TEXT, HINTED = form(item("n", "number")), form(item("t", "text")), form(item("c", hints=("look up",)))
PROBED = ["an apple", F[5], "4", stage(Stage.PROBE)]
PRACTICE, STRICT = {"mode": Mode.PRACTICE}, {"mode": Mode.STRICT}
# The items and rules, the keys and checks behind the start, and the responses in the log.
KEYED: list[tuple[Form, dict[str, object], list[Step], list[str]]] = [
    (fruit(), {}, [DOWN, DOWN, ENTER, "1"], ["never"]),
    (NUMBER, {}, ["4", says("reads as 4", "4"), "x", says("not yet readable", "4x"), ENTER, says("costs nothing"), stage(Stage.ITEM)], []),
    (TEXT, {}, ["apple", "\x17", "\x1f", F[5], "5", ESCAPE], ["apple"]),
    (TEXT, {}, ["an apple", says("2 words. F5 or Ctrl-D submits, ^_ undoes, Alt-_ redoes.", "an apple"), "\x1f", "\x1b_", F[5], "4"], ["an apple"]),
    (TEXT, {}, [says("Too long: only the first 65,536 characters count.", "x" * 70_000)], []),
    (TEXT, {}, ["an apple", F[8], "2 + 2", F[8], F[5], "4", ESCAPE], ["an apple"]),
    (TEXT, {}, [*PROBED, "sorry?", F[5], says("Follow-up: "), "wait a moment", F[5], says("Take your"),
                "what do you mean by links?", F[5], says("A wire."), "may I assume two?", F[5], says("That is fine"), "a pear",
                F[1], stage(Stage.HELP), ESCAPE, " too", F[5]], ["an apple", "an apple\n\na pear too"]),
    # Ctrl-C in the middle of a probe, or a card to keep: Esc goes back to it, with what was typed for it.
    (TEXT, {}, [*PROBED, "a pear", "\x03", stage(Stage.LEAVE), ESCAPE, stage(Stage.PROBE), "\x1bk", stage(Stage.KEEP), ESCAPE, stage(Stage.PROBE), F[5]],
     ["an apple", "an apple\n\na pear"]),
    (TEXT, {}, [*PROBED, "a pear", time_is_over], ["an apple", "an apple\n\na pear"]),
    (TEXT, {}, [*PROBED, "p", ESCAPE, time_is_over], ["an apple"]),
    (form(item("t", "text"), item("c"), minutes=1), {}, ["an apple", passes(61), stage(Stage.DEBRIEF)], ["an apple"]),
    (fruit(), {}, ["b", says("B taken. Enter submits."), time_is_over], ["yes"]),
    (fruit(), {}, [F[1], stage(Stage.HELP), passes(601), stage(Stage.DEBRIEF)], [""]),
    (fruit(), {}, [F[4], says("Flagged"), F[7], F[7], F[7], stage(Stage.REVIEW), ENTER, "b", ENTER, "4", stage(Stage.REVIEW)], ["", "", "", "yes"]),
    (fruit(), {}, [F[10], stage(Stage.REVIEW), ESCAPE, stage(Stage.ITEM), "b", ENTER, "5", stage(Stage.ITEM)], ["yes"]),
    (TEXT, {}, ["an apple", "\x1bx", "\x1b\x1bx", F[5], "5", ESCAPE], ["an apple"]),
    (fruit(), {}, ["\x1bb", ENTER, "5", "\x1b[200~4\n\x1b[201~", ENTER, "5"], ["no", "4"]),
    (fruit(), {}, [F[10], F[9], stage(Stage.PAUSED), ENTER, stage(Stage.REVIEW)], []),
    (fruit(), {}, [F[9], shows("Paused"), "\x03", stage(Stage.LEAVE), shows("Paused")], []),
    (fruit(), {}, ["b", "\x03", "e", stage(Stage.DEBRIEF)], ["yes"]),
    (fruit(), {}, ["b", ENTER, "5", "4", ENTER, "5", F[6], "x", F[6], "a", F[7], F[10], shows("1. not submitted: Stem of c."), time_is_over], ["yes", "4", "no", ""]),
    (fruit(), {}, [F[10], UP, on_row(0), DOWN, DOWN, DOWN, on_row(2), ENTER, F[7], on_row(2), UP, on_row(1)], [""]),
    # A lucky guess is explained, and a sure answer is not.
    (fruit(), {}, ["b", ENTER, "1", "4", ENTER, "5", F[7], "f", "f", explains("c", "n")], ["yes", "4", ""]),
    # A pause hides the item and stops the clock, and a stopped process loses a second.
    (fruit(), {}, [F[9], stage(Stage.PAUSED), shows("Paused"), passes(100), ENTER, stage(Stage.ITEM), stopped_for_an_hour, took(1)], []),
    # A closed item says so, shows its solution again, and Enter goes on.
    (form(item("c"), item("n", "number")), PRACTICE, ["b", ENTER, "3", stage(Stage.FEEDBACK), ENTER, F[6], shows("F12 shows it again"),
        says("Enter goes on."), F[12], stage(Stage.FEEDBACK), shows("Solution of c."), ENTER, stage(Stage.ITEM), "4", ENTER, "3"], ["yes", "4"]),
    # Reading a solution in practice costs no time.
    (fruit(), PRACTICE, ["a", ENTER, "4", stage(Stage.FEEDBACK), passes(100), ENTER, stage(Stage.ITEM), took(0)], ["no"]),
    # The solution is asked for before it closes an item, and Enter does not close the debrief.
    (form(item("c")), PRACTICE, [F[12], stage(Stage.SOLUTION), says("closed then"), ESCAPE, stage(Stage.ITEM), F[12], "y", stage(Stage.FEEDBACK)], [""]),
    (form(item("c")), {}, ["b", ENTER, "4", F[10], "f", ENTER, ENTER, ENTER, stage(Stage.DEBRIEF)], ["yes"]),
    # Finishing with an open item is asked once more.
    (form(item("c"), item("n", "number")), {}, ["b", ENTER, "4", F[10], "f", stage(Stage.FINISH),
        says("1 item is still open. f finishes all the same, Esc goes back."), ESCAPE, stage(Stage.REVIEW), "f", "f", stage(Stage.DEBRIEF)], ["yes", ""]),
    # An item over its time is told once.
    (fruit(), {}, [passes(62), says("This item's time is over"), "a", passes(1), says("A taken.")], []),
    (HINTED, {}, [F[2], stage(Stage.HINT), says("takes 10 %"), ENTER, stage(Stage.HINT), "n", F[2], "y", shows("Hint 1: look up"), F[2], says("no further")], []),
    (fruit(), STRICT, [F[9], says("no pause"), F[12], says("in the debrief"), F[7], F[7], "an apple", F[5], "4", stage(Stage.REVIEW)],
     ["", "", "an apple"]),
]  # fmt: skip


@pytest.mark.parametrize(("made", "rules", "steps", "responses"), KEYED)
def test_keys_make_responses(
    log: Path, made: Form, rules: dict[str, object], steps: list[Step], responses: list[str]
) -> None:
    """Arrows, the echo of a number, undo, the scratch pane, a probe beneath talk about the talk and the help, flags,
    hints, pauses, and what the hard stop submits."""
    done = Full(log, made, [ENTER, *steps], **rules)
    assert done.responses == responses
    assert done.lines[-1].get("scratch") == ("2 + 2" if F[8] in steps else None)
    assert [line["flagged"] for line in done.lines if line.get("flagged")] == [True] * (F[4] in steps) * 2


def test_a_paste_arrives_byte_for_byte(log: Path) -> None:
    """Bracketed paste, more than a terminal passes on at once, characters of every width."""
    text = ("line with ünïcode 漢字 and \ttabs, 'quotes' \\ and $5\n" * 120).rstrip()
    done = Full(log, form(item("t", "text")), [ENTER, f"\x1b[200~{text}\x1b[201~", F[5], ENTER, ESCAPE])
    assert done.responses[0] == text


def test_help_lies_on_every_screen_and_gives_it_back(log: Path) -> None:
    """The brief, confidence, a hint's offer, feedback, the review, the pause, leaving, finishing, the debrief."""

    def help_on(wanted: Stage, *words: str) -> list[str | Callable[[SessionScreen], None]]:
        before: list[tuple[str, ...]] = []

        def look(state: SessionScreen) -> None:
            before.append((*state.pane_body(60).lines, note_of(state, "")))

        def same(state: SessionScreen) -> None:
            look(state)
            assert (state.stage, before.pop()) == (wanted, before[0])

        listed = [stage(Stage.HELP), *(shows(word) for word in words)]
        return [stage(wanted), look, F[1], *listed, ESCAPE, same, F[1], *listed, F[1], same]

    steps = [
        *help_on(Stage.BRIEF, "start the clock", "At an item:"), ENTER,
        *help_on(Stage.ITEM, "F2 or ^T"), F[2],
        *help_on(Stage.HINT, "take it", "F2 or ^T"), "n", "b", ENTER,
        *help_on(Stage.CONFIDENCE, "rather not say"), "3",
        *help_on(Stage.FEEDBACK, "next item", "F12"), ENTER, F[9],
        *help_on(Stage.PAUSED, "go on"), "\x03",
        *help_on(Stage.LEAVE, "keep for later"), ESCAPE, stage(Stage.PAUSED), ENTER, F[10],
        *help_on(Stage.REVIEW, "finish"), "f",
        *help_on(Stage.FINISH, "back to the review"), "f",
        *help_on(Stage.DEBRIEF, "redo missed", "scroll"), F[1], "\x03",
    ]  # fmt: skip
    Full(log, form(item("c", hints=("Think.",)), item("n", "number")), steps, mode=Mode.PRACTICE)


def test_ctrl_c_asks_first(log: Path) -> None:
    done = Full(log, fruit(), [ENTER, "b", "\x03", stage(Stage.LEAVE), ESCAPE, stage(Stage.ITEM), "\x03", "s"])
    assert done.code == 0
    assert done.sitting.session.run_state is RunState.RUNNING
    assert Full(log.with_name("k.jsonl"), fruit(), [ENTER, "\x03", "\x03"]).code == 130


@pytest.mark.parametrize(("rows", "columns"), [(12, 40), (3, 10), (50, 200)])
def test_every_stage_fits_every_size(log: Path, rows: int, columns: int) -> None:
    """No stage fails to draw, down to sizes that nobody uses."""
    made = form(item("c", hints=("look up",), stem="A long stem. " * 40), item("n", "number"), item("t", "text"))
    steps = [
        F[1], ESCAPE, ENTER, F[2], "y", "b", F[8], "x", F[8], F[9], ENTER, ENTER, "3", "4", ENTER, "2",
        "an apple", F[5], "3", "and more", F[5], stage(Stage.REVIEW), DOWN, UP, "\x03", ESCAPE, "f", "f", DOWN, "q",
    ]  # fmt: skip
    Full(log, made, steps, rows, columns)


@pytest.mark.parametrize(
    ("text", "gaps"),
    [
        ("", []),
        ("aaa bbb ccc ddd", [(12, 1)]),  # 12 + 3 would end behind column 13
        ("a" * 30, []),  # too long for any row: cut where the row ends
        ("a " + "b" * 13, [(2, 11)]),
        ("a " + "b" * 14, []),
        ("漢字漢字 漢字漢字", [(5, 4)]),  # two columns each: 8 + 1 + 8
    ],
)
def test_words_stay_whole(text: str, gaps: list[tuple[int, int]]) -> None:
    """Rows of 13 columns; worked by hand."""
    assert positions_and_blank_counts_before_cut_words(text, 13) == gaps


def test_the_cursor_follows_the_words() -> None:
    """`aaaaaaaaaa bbbb cc` on rows of 13: two blanks stand before `bbbb`, which begins the second row."""
    text = "aaaaaaaaaa bbbb cc"
    control = BufferControl(Buffer(document=Document(text)))
    typed = TransformationInput(control, Document(text), 0, lambda at: at, [("", text)], 13, 5)
    made = WordWrap().apply_transformation(typed)
    assert "".join(part[1] for part in made.fragments) == "aaaaaaaaaa   bbbb cc"
    assert [made.source_to_display(at) for at in (0, 10, 11, 15, 18)] == [0, 10, 13, 17, 20]
    assert [made.display_to_source(at) for at in (0, 10, 11, 12, 13, 20)] == [0, 10, 11, 11, 11, 18]


def test_a_stem_begins_at_its_beginning_and_the_cursor_leads_when_it_moves(log: Path) -> None:
    """A stem of twelve lines and three options on a screen of 40x10: what its large pane shows after each key."""
    seen: list[tuple[str, ...]] = []

    def look(state: SessionScreen) -> None:
        first = state.first_visible_row
        seen.append(state.pane_body(39).lines[first : first + state.count_visible_rows()])

    stem = "First words. " + "A long stem that goes on. " * 16
    made = form(item("c", stem=stem, hints=("Look up.",)))
    page_up = "\x1b[5~"
    Full(log, made, [ENTER, look, DOWN, look, page_up * 3, look, F[2] + "y", look], 10, 40)
    item_, down, up, hint = seen
    assert item_[0].startswith("First words.")
    assert any(line.startswith(">( ) B.") for line in down)
    assert up[0].startswith("First words."), "paging is not held back by the cursor"
    assert hint[-1] == "  Hint 1: Look up."


def test_no_control_byte_of_an_item_reaches_the_full_screen(log: Path) -> None:
    """Every stage shows escape sequences as text; the only ones drawn are our own attributes."""
    nasty = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e"
    made = form(item("t", "text", stem=f"Stem {nasty}", topic=nasty, hints=(nasty,), facts_on_request=(nasty,)))

    def clean(state: SessionScreen) -> None:
        shown = [*state.pane_body(60).lines, note_of(state, ""), *state.header_and_is_time_short(60)[:1]]
        for line in shown:
            assert not set(re.sub("\x1b\\[[0-9;]*m", "", line)) & set("\x1b\x07\x9b\u202e"), line

    steps: list[Step] = [ENTER, F[2], "y", F[3], f"apple {nasty}", F[5], "4", clean, ESCAPE, F[10], clean, "f", clean]
    Full(log, made, [step for each in steps for step in (each, clean)])


@pytest.mark.parametrize("state", [SessionScreen, CaseScreen])
def test_every_key_does_something_that_there_is(state: type[SessionScreen]) -> None:
    set_by_the_application = set(SessionScreen.__annotations__)
    for stages, _, call, *conditions in controls_section_rows("actions"):
        assert stages == "ALL" or all(Stage[stage] for stage in stages.split())
        for name in (call.split()[0], *(condition.removeprefix("not ") for condition in conditions)):
            part, _, method = name.rpartition(".")
            of = {"dispute_state": DisputeState, "sitting": Sitting}.get(part, state)
            assert hasattr(of, method) or name in (*set_by_the_application, "is_scratch_pane_shown"), name
