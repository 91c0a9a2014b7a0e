"""The mock interview line by line, on small made-up items: what is read, logged, asked and told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from driven import Played, fruit
from fakes import form, item
from faulty import Killed

from quizgen.model import Form
from quizgen.session.interview import Mode

CHOICE, BOTH, TEXT = form(item("c")), form(item("c"), item("n", "number")), form(item("t", "text"))
# What is typed to which items, how; what the log then holds, and what the screen showed.
SESSIONS: list[tuple[list[str | float | BaseException], Form, dict[str, object], list[str], list[str]]] = [
    (["B", "4", "an apple", "", "and a pear", "."], fruit(), {}, ["yes", "4", "an apple\n\nand a pear"], ["Score: 5 of 5 points (100 %)"]),
    *(([typed], CHOICE, {}, ["yes"], []) for typed in ("b", " B ", "(b)", "yes", "YES")),
    (["", ".", "."], fruit(), {}, ["", "", ""], ["Recorded: blank."]),
    (["nonsense", "four", "apple", "."], fruit(), {}, ["nonsense", "four", "apple"], ["can't be read"]),
    (["nonsense", "B", "four", "4", "apple", "."], fruit(), {"keyboard": True}, ["yes", "4", "apple"], ["costs nothing"]),
    (["B"], fruit(), {}, ["yes", ""], ["1 of 3 items was not reached (3 points)"]),
    (["an apple", "a pear"], TEXT, {}, ["an apple\na pear"], []),
    ([":help", ":hlep", "B"], CHOICE, {"keyboard": True}, ["yes"], [":skip", 'did you mean ":help"?']),
    ([":apple: is one", "."], TEXT, {}, [":apple: is one"], []),
    ([":sikp", ":then: pear", "."], TEXT, {"keyboard": True}, [":sikp\n:then: pear"],
     [':sikp is read as a line of your text; did you mean ":skip"?']),
    ([":ask", "B"], form(item("c", facts_on_request=("Weights are fp16.",))), {}, ["yes"], ["- Weights are fp16.", "Score: 1 of 1"]),
    (["A", ":back", "B", "4"], BOTH, {}, ["no", "yes", "4"], []),
    # Who only looks back at what was given loses nothing.
    (["B", ":back", "", ":back", ":skip", "4", ""], BOTH, {"keyboard": True}, ["yes", "4"], ["Your response stays."]),
    # What was typed for a probe is submitted with what it adds to, never in its place; talk about the talk is none.
    (["an apple", ".", "and a pear", 601.0], TEXT, {"keyboard": True, "wants_probes": True}, ["an apple", "an apple\n\nand a pear"],
     ["Follow-up: one part is still open (2 of 3 points). What would you"]),
    ([61.0], form(item("t", "text"), minutes=1), {"keyboard": True}, [""], ["<what was typed is dropped>"]),
    (["A", 100.0, "", ":time", "4"], BOTH, {"keyboard": True, "mode": Mode.PRACTICE}, ["no", "4"],
     ["The clock has stopped. Enter continues: ", "10 minutes left, this item 0:00 of 1:00."]),
    (["an apple", ".", "sorry?", ".", "give me a second", ".", "what is a pear", ".", "and a pear", "."], TEXT,
     {"keyboard": True, "wants_probes": True}, ["an apple", "an apple\n\nand a pear"], ["Take your time.", "I mean no more by it than"]),
    (["an apple", ".", ":flag"], form(item("t", "text"), item("c")), {"keyboard": True}, ["an apple", ""], []),
    # Two of three skipped; they say nothing about their topic, and stand apart from what failed.
    (["A", ":skip", ":skip", ""], form(item("a"), item("b", topic="trees"), item("c", topic="stones")), {"keyboard": True}, ["no", "", ""],
     ["All items met; 2 left without a response.", "Work on: fruit (0 %).", "Redo now: 1. a.", "Left without a response: 2. b, 3. c."]),
    # The review takes up what is open; one goes to an item by its number.
    ([":skip", ":flag", "4", "1", "B", "9", ":time", ":back", ""], BOTH, {"keyboard": True}, ["", "4", "yes"],
     ["  1. open: Stem of c.", "  2. flagged: Stem of n.", "There is no item 9; :time", "10 minutes left", "There is no item :back; :time, :help, :leave and :quit"]),
    ([":go 2", "4", ":go 9", ":skip", ""], BOTH, {"keyboard": True}, ["4", ""], ["There is no item 9"]),
    # Help breaks no word at 40 columns.
    ([":help", ":quit"], CHOICE, {"keyboard": True, "width": 40}, [""], [":sure N   how sure you are of this\n          item's response"]),
    # The solution on request is the candidate's own sheet, not the author's marking scheme.
    (["an apple", ":answer", "", EOFError(), "4"], form(item("t", "text"), item("n", "number")), {"keyboard": True, "mode": Mode.PRACTICE}, ["", "4"],
     ["Blank: 0 of 3.", "- b   0/2", "Solution of t.", "Leave? Ctrl-C keeps"]),
    ([":skip", ":quit"], fruit(), {}, ["", ""], ["  1. skipped ", "  2. blank ", "  3. not reached "]),
    ([":sure 9", ":sure 5", "A"], CHOICE, {}, ["no"], ["Write :sure 1", "Confidence 5 noted.", "confident and wrong: 1. c"]),
    (["B", "an apple", 130.0, 70.0, 45.0, "never read", "."], form(item("c"), item("t", "text"), minutes=4), {"keyboard": True}, ["yes", "an apple"],
     ["This item's time is over", "One minute left. What you have typed is submitted", "Time is over. What you had typed"]),
    # A pause stops the clock and hides the item.
    ([":pause", 500.0, "", ":time", "B"], CHOICE, {"keyboard": True}, ["yes"], ["\n" * 50, "10 minutes left, this item 0:00 of"]),
    ([KeyboardInterrupt(), "B", EOFError(), "an apple", EOFError()], form(item("c"), item("t", "text")), {"keyboard": True}, ["yes", "an apple"],
     ["Leave? Ctrl-C again keeps", "Leave? Ctrl-C keeps"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "made", "rules", "responses", "shown"), SESSIONS, ids=[str(row[0]) for row in SESSIONS]
)
def test_what_is_typed_is_logged_and_told(
    log: Path, typed: list[str | float | BaseException], made: Form, rules: dict[str, object], responses: list[str],
    shown: list[str],
) -> None:  # fmt: skip
    played = Played(log, typed, made, **rules)
    assert played.responses == responses
    assert [text for text in shown if text not in played.screen] == []
    asked = played.screen.partition("Debrief:")[0]
    assert all(len(line) <= played.script.width for line in asked.split("\n"))
    assert (played.lines[0]["type"], played.lines[-1]["type"]) == ("session", "end")


def test_each_line_of_a_text_is_kept_as_it_is_typed_and_a_second_ctrl_c_leaves(log: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        Played(log.with_name("c.jsonl"), [KeyboardInterrupt(), KeyboardInterrupt()], CHOICE, keyboard=True)
    with pytest.raises(Killed):
        Played(log, ["an apple", "and a pear", Killed()], TEXT, keyboard=True)
    kept = json.loads(Path(f"{log}.draft").read_text(encoding="utf-8"))["places"]
    assert kept["t"]["draft"] == "an apple\nand a pear"


def test_a_hint_tells_its_cost_before_it_is_taken(log: Path) -> None:
    made = form(item("c", hints=("look up", "look down")))
    played = Played(log, [":hint", ":hint", ":hint", "B"], made)
    screen = played.screen
    assert screen.index("takes 10 % off") < screen.index("Hint: look up") < screen.index("takes 20 % off")
    assert "look down" not in screen
    assert played.lines[1]["hints"] == 1
    assert "Score: 0.9 of 1 point (90 %)" in screen


def test_practice_tells_at_once_and_takes_no_response_after_the_solution(log: Path) -> None:
    """Going back shows the item again, says that it is closed, and goes on to the next open one."""
    played = Played(log, ["A", ":back", ":answer"], BOTH, mode=Mode.PRACTICE)
    screen = played.screen
    assert screen.index("Incorrect: 0 of 1.") < screen.index("Solution of c.") < screen.index("Item 2 of 2")
    assert screen.count("The solution was shown; this item is closed.") == 1
    assert played.responses == ["no", ""]
    assert played.lines[2]["shown_solution"] is True
    assert played.end == "finished"
    played = Played(log.with_name("i.jsonl"), ["A", ":answer", "4"], BOTH)  # an interview tells nothing before the end
    before = played.screen[: played.screen.index("Debrief:")]
    assert "Solution" not in before.replace("Solutions are shown", "").replace("ncorrect", "Solution")


def test_no_control_byte_of_an_item_or_response_reaches_the_screen(log: Path) -> None:
    """Escape sequences from a bank, a response or a log show as text."""
    nasty = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e"
    made = form(item("t", "text", stem=f"Stem {nasty}", topic=nasty, hints=(nasty,), facts_on_request=(nasty,)))
    played = Played(log, [":hint", ":hint", ":ask", f"apple {nasty}", "."], made)
    for char in "\x1b\x07\x9b\u202e":
        assert char not in played.screen
    assert played.responses == [f"apple {nasty}"]
