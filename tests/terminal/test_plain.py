"""The mock interview line by line, on small made-up items: what is read, logged, asked and told."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import WHO, Clock, Script, form, item

from quizgen.model import Form
from quizgen.session import events, session_log
from quizgen.session.interview import Mode, Rules
from quizgen.session.journal import Journal
from quizgen.session.sitting import Sitting
from quizgen.terminal.leaving import Left
from quizgen.terminal.plain import PlainSession


class Played:
    """A session over a script: what was shown, and what its log holds."""

    def __init__(self, path: Path, typed: list[str | float | BaseException], made: Form, **rules: object) -> None:
        keyboard = bool(rules.pop("keyboard", False))
        clock = Clock()
        self.script = Script(typed, keyboard, clock=clock)
        session = events.new(made, Rules(**{"probes": False, **rules}))  # type: ignore[arg-type]  # fields of Rules
        follow = {e.variant.item.id: e for e in form(item("extra")).entries}
        self.sitting = Sitting(session, WHO, Journal(str(path)), clock, follow=follow.get, steady=keyboard)
        self.sitting.open()
        self.left = False
        try:
            PlainSession(self.sitting, self.script).run()
        except Left:
            self.left = True
        self.sitting.close()
        self.lines = [line for _, line in session_log.read_lines(path.read_bytes()) if line]

    @property
    def screen(self) -> str:
        return self.script.screen

    @property
    def responses(self) -> list[object]:
        return [line["response"] for line in self.lines if line["type"] == "response"]

    @property
    def end(self) -> object:
        return self.lines[-1].get("reason")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def fruit(**fields: object) -> Form:
    return form(item("c"), item("n", "number"), item("t", "text"), **fields)


def test_a_whole_session_in_lines(log: Path) -> None:
    played = Played(log, ["B", "4", "an apple", "", "and a pear", "."], fruit())
    assert played.responses == ["yes", "4", "an apple\n\nand a pear"]
    assert [line["type"] for line in played.lines] == ["session", "response", "response", "response", "end"]
    assert played.end == "finished"
    assert "Score: 5 of 5 points (100 %)" in played.screen


@pytest.mark.parametrize("typed", ["b", " B ", "(b)", "yes", "YES"])
def test_a_choice_is_logged_as_its_text(log: Path, typed: str) -> None:
    assert Played(log, [typed], form(item("c"))).responses == ["yes"]


def test_a_blank_is_an_empty_line_or_a_point(log: Path) -> None:
    played = Played(log, ["", ".", "."], form(item("c"), item("n", "number"), item("t", "text")))
    assert played.responses == ["", "", ""]
    assert not any(line.get("skipped") for line in played.lines)


def test_from_a_pipe_an_unreadable_response_is_final(log: Path) -> None:
    played = Played(log, ["nonsense", "four", "apple", "."], fruit())
    assert played.responses == ["nonsense", "four", "apple"]
    assert "can't be read" in played.screen


def test_at_a_keyboard_an_unreadable_response_is_asked_again(log: Path) -> None:
    played = Played(log, ["nonsense", "B", "four", "4", "apple", "."], fruit(), keyboard=True)
    assert played.responses == ["yes", "4", "apple"]
    assert "costs nothing" in played.screen


def test_the_end_of_input_ends_the_session(log: Path) -> None:
    played = Played(log, ["B"], fruit())
    assert played.responses == ["yes", ""]
    assert played.end == "end-of-input"
    assert "1 of 3 items was not reached (3 points)" in played.screen


def test_text_before_the_end_of_input_counts(log: Path) -> None:
    assert Played(log, ["an apple", "a pear"], form(item("t", "text"))).responses == ["an apple\na pear"]


def test_skip_says_so_and_quit_ends(log: Path) -> None:
    played = Played(log, [":skip", ":quit"], fruit())
    assert played.responses == ["", ""]
    assert [line.get("skipped") for line in played.lines[1:3]] == [True, None]
    assert played.end == "quit"


def test_leave_keeps_the_session(log: Path) -> None:
    played = Played(log, ["B", ":leave"], fruit())
    assert played.left
    assert [line["type"] for line in played.lines] == ["session", "response"]


def test_help_and_an_unknown_command(log: Path) -> None:
    played = Played(log, [":help", ":hlep", "B"], form(item("c")), keyboard=True)
    assert ":skip" in played.screen
    assert 'did you mean ":help"?' in played.screen
    assert played.responses == ["yes"]


def test_a_text_may_hold_a_line_that_begins_with_a_colon(log: Path) -> None:
    assert Played(log, [":apple: is one", "."], form(item("t", "text"))).responses == [":apple: is one"]


def test_a_hint_tells_its_cost_before_it_is_taken(log: Path) -> None:
    made = form(item("c", hints=("look up", "look down")))
    played = Played(log, [":hint", ":hint", ":hint", "B"], made)
    screen = played.screen
    assert screen.index("takes 10 % off") < screen.index("Hint: look up") < screen.index("takes 20 % off")
    assert "look down" not in screen
    assert played.lines[1]["hints"] == 1
    assert "Score: 0.9 of 1 point (90 %)" in screen


def test_given_facts_on_request(log: Path) -> None:
    played = Played(log, [":ask", "B"], form(item("c", given=("Weights are fp16.",))))
    assert "- Weights are fp16." in played.screen
    assert "Score: 1 of 1" in played.screen


def test_confidence_is_noted_when_told(log: Path) -> None:
    played = Played(log, [":sure 9", ":sure 5", "A"], form(item("c")))
    assert played.lines[1]["confidence"] == 5
    assert "confident and wrong: 1. c" in played.screen


def test_back_and_a_second_response(log: Path) -> None:
    played = Played(log, ["A", ":back", "B", "4"], form(item("c"), item("n", "number")))
    assert played.responses == ["no", "yes", "4"]


def test_practice_tells_at_once_and_shows_solutions(log: Path) -> None:
    played = Played(log, ["A", ":answer"], form(item("c"), item("n", "number")), mode=Mode.PRACTICE)
    screen = played.screen
    assert screen.index("Incorrect: 0 of 1.") < screen.index("Solution of c.") < screen.index("Item 2 of 2")
    assert played.responses == ["no", ""]
    assert played.lines[2]["shown_solution"] is True
    assert played.end == "finished"


def test_practice_takes_no_response_after_the_solution(log: Path) -> None:
    """Going back shows the item again, says that it is closed, and goes on to the next open one."""
    made = form(item("c"), item("n", "number"))
    played = Played(log, ["A", ":back", "4"], made, mode=Mode.PRACTICE)
    assert played.responses == ["no", "4"]
    assert played.screen.count("The solution was shown; this item is closed.") == 1
    assert "4 of" not in played.screen.partition("Item 2 of 2")[0]


def test_the_solution_on_request_is_the_candidates_own_sheet(log: Path) -> None:
    """Criteria and what was found, as after a response; not the author's marking scheme."""
    played = Played(log, [":answer"], form(item("t", "text")), mode=Mode.PRACTICE)
    assert "Blank: 0 of 3." in played.screen
    assert played.screen.index("- b   0/2") < played.screen.index("Solution of t.")


def test_a_command_mistyped_in_a_text_is_told_and_stays_a_line_of_it(log: Path) -> None:
    played = Played(log, [":sikp", ":then: pear", "."], form(item("t", "text")), keyboard=True)
    assert ':sikp is taken as a line of your text; did you mean ":skip"?' in played.screen
    assert played.responses == [":sikp\n:then: pear"]
    assert "taken as a line" not in Played(log.with_name("p.jsonl"), [":sikp", "."], form(item("t", "text"))).screen


def test_an_interview_tells_nothing_before_the_end(log: Path) -> None:
    played = Played(log, ["A", ":answer", "4"], form(item("c"), item("n", "number")))
    before = played.screen[: played.screen.index("Debrief:")]
    assert "Solution" not in before.replace("Solutions are shown", "")
    assert "ncorrect" not in before


def test_time_is_told_and_then_stops_the_session(log: Path) -> None:
    made = form(item("c"), item("t", "text"), minutes=4)
    played = Played(log, ["B", "an apple", 130.0, 70.0, 45.0, "never read", "."], made, keyboard=True)
    assert "Time: 2 minutes left." in played.screen
    assert "This item's 60 s are over" in played.screen
    assert "Time: 1 minute left. What you have typed is submitted" in played.screen
    assert played.responses == ["yes", "an apple"]
    assert played.end == "time"


def test_pause_stops_the_clock_and_hides_the_item(log: Path) -> None:
    clock_before = Played(log, [":pause", 500.0, "", "B"], form(item("c")), keyboard=True)
    assert clock_before.end == "finished"
    assert clock_before.sitting.session.used < 5
    assert clock_before.screen.count("\n\n\n\n") > 10


def test_ctrl_c_asks_and_a_second_one_leaves(log: Path) -> None:
    played = Played(log, [KeyboardInterrupt(), "B"], form(item("c")), keyboard=True)
    assert "Leave?" in played.screen
    assert played.responses == ["yes"]
    with pytest.raises(KeyboardInterrupt):
        Played(log, [KeyboardInterrupt(), KeyboardInterrupt()], form(item("c")), keyboard=True)


def test_the_review_takes_up_what_is_open(log: Path) -> None:
    made = form(item("c"), item("n", "number"))
    typed: list[str | float | BaseException] = [":skip", ":flag", "4", "1", "B", "9", ":time", ":back", ""]
    played = Played(log, typed, made, keyboard=True)
    assert "  1. open: Stem of c." in played.screen
    assert "  2. flagged: Stem of n." in played.screen
    assert "There is no item 9." in played.screen
    assert "10 minutes left" in played.screen
    assert "Here are :time, :help, :leave and :quit" in played.screen
    assert played.responses == ["", "4", "yes"]


def test_a_probe_adds_to_the_response(log: Path) -> None:
    played = Played(log, ["an apple", ".", "and a pear", "."], form(item("t", "text")), keyboard=True, probes=True)
    assert "Follow-up: one part is still open (2 of 3 points). What would you" in played.screen
    assert played.responses == ["an apple", "an apple\n\nand a pear"]
    assert played.lines[2]["probe"] == "b"


def test_no_control_byte_of_an_item_or_response_reaches_the_screen(log: Path) -> None:
    """Escape sequences from a bank, a response or a log show as text."""
    nasty = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e"
    made = form(item("t", "text", stem=f"Stem {nasty}", topic=nasty, hints=(nasty,), given=(nasty,)))
    played = Played(log, [":hint", ":hint", ":ask", f"apple {nasty}", "."], made)
    for char in "\x1b\x07\x9b\u202e":
        assert char not in played.screen
    assert played.responses == [f"apple {nasty}"]


def test_the_end_of_time_in_a_probe_adds_to_the_response(log: Path) -> None:
    """What was typed for the probe is submitted with what it adds to, never in its place."""
    typed: list[str | float | BaseException] = ["an apple", ".", "and a pear", 601.0]
    played = Played(log, typed, form(item("t", "text")), keyboard=True, probes=True)
    assert played.responses == ["an apple", "an apple\n\nand a pear"]
    assert played.end == "time"


def test_the_end_of_input_in_the_review_repeats_nothing(log: Path) -> None:
    played = Played(log, ["an apple", ".", ":flag"], form(item("t", "text"), item("c")), keyboard=True)
    assert played.responses == ["an apple", ""]
