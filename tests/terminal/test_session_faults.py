"""Faults of a session that people met: each test failed before it was fixed."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from driven import DOWN, ENTER, ESCAPE, UP, F, Full, fruit, note_of, stage
from fakes import WHO, Clock, FakeVariant, Script, form, item
from process import BANK, quizgen

from quizgen.commands.shared import program
from quizgen.model import Entry, Form, Given, Mark, Outcome, Score
from quizgen.render.debrief import debrief_of, remarks_beside
from quizgen.render.debrief_text import debrief_lines
from quizgen.session import interview
from quizgen.session.interview import Mode, Phase, Place, Rules
from quizgen.session.journal import Journal
from quizgen.session.sitting import Sitting
from quizgen.terminal.panes import Stage, footer, footer_keys, probe_text
from quizgen.terminal.plain import PlainSession
from quizgen.terminal.session_screen import QUIET, SessionScreen


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def waits(seconds: float) -> object:
    def wait(state: SessionScreen) -> None:
        assert isinstance(state.sitting.clock, Clock)
        state.sitting.clock.tick(seconds)

    return wait


def plain(log: Path, typed: list[str | float | BaseException], made: Form, width: int = 80, **rules: object) -> str:
    clock = Clock()
    script = Script(typed, True, width, clock=clock)
    session = interview.new(made, Rules(**rules))  # type: ignore[arg-type]  # fields of Rules
    sitting = Sitting(session, WHO, Journal(str(log)), clock, steady=True)
    sitting.open()
    PlainSession(sitting, script).run()
    sitting.close()
    return script.screen


def test_keys_typed_as_time_runs_out_do_nothing_in_the_debrief(log: Path) -> None:
    """`r` began a new session, `q` left before the debrief was seen. Scrolling and Ctrl-C work at once."""

    def over(state: SessionScreen) -> None:
        state.end("time")

    def nothing(state: SessionScreen) -> None:
        assert state.stage is Stage.DEBRIEF
        assert not state.again

    typing = [over, "r", nothing, "q", nothing, ENTER, nothing, waits(QUIET - 0.1), "r", nothing, waits(QUIET + 0.1)]
    done = Full(log, form(item("t", "text"), item("c")), [ENTER, "an apple", *typing, "r"])  # type: ignore[list-item]
    assert done.state.again
    assert Full(log.with_name("c.jsonl"), fruit(), [ENTER, over, "\x03"]).code == 0


def test_what_is_typed_as_time_runs_out_is_dropped_in_plain_mode(log: Path) -> None:
    """Else the shell would take it for a command."""
    assert "<what was typed is dropped>" in plain(log, [61.0], form(item("t", "text"), minutes=1))


def test_reading_a_solution_in_practice_costs_no_time(log: Path) -> None:
    def free(state: SessionScreen) -> None:
        assert state.session.used == pytest.approx(0, abs=0.1)

    steps = [ENTER, "a", ENTER, "4", stage(Stage.FEEDBACK), waits(100), ENTER, stage(Stage.ITEM), free]
    done = Full(log, fruit(), steps, mode=Mode.PRACTICE)  # type: ignore[arg-type]  # steps are keys and checks
    assert done.sitting.session.phase is Phase.RUNNING


def test_in_plain_practice_the_solution_is_read_with_the_clock_standing(log: Path) -> None:
    typed: list[str | float | BaseException] = ["A", 100.0, "", ":time", "4"]
    shown = plain(log, typed, form(item("c"), item("n", "number")), mode=Mode.PRACTICE)
    assert "The clock has stopped. Enter continues: " in shown
    assert "10 minutes left, this item 0:00 of 1:00." in shown


def with_follow_up() -> Form:
    return form(item("c", follow_ups=("extra",)), item("n", "number"), item("t", "text"))


def test_a_follow_up_has_a_letter_and_moves_no_number(log: Path) -> None:
    """Header, strip, review and debrief say the same."""

    def here(state: SessionScreen) -> None:
        assert state.header(80)[0].startswith(" 1a/3 ")
        assert state.strip(80).strip() == "1+ [1a] 2 3"

    def reviewed(state: SessionScreen) -> None:
        rows = [line[1:5].strip() for line in state.body(80).lines[3:]]
        assert rows == ["1a.", "2.", "3."]

    def told(state: SessionScreen) -> None:
        shown = state.body(80).lines
        assert any(line.startswith(" 1a. skipped") for line in shown)
        assert any("--- 1a. extra" in line for line in shown)

    steps = [ENTER, "b", ENTER, "4", here, F[7], F[10], reviewed, "f", "f", told]
    Full(log, with_follow_up(), steps)  # type: ignore[arg-type]  # steps are keys and checks


def test_numbers_are_those_of_the_session_when_it_is_looked_at_again(tmp_path: Path) -> None:
    """A bank whose first item brings a follow-up: from the log alone, it is 1a and not the last."""
    items = "topic: t\nitems:\n" + "".join(
        f"  - {{id: {name}, kind: choice, stem: 'Which {name}?', key: yes, distractors: [no]{more}}}\n"
        for name, more in (("a", ", follow_ups: [x]"), ("b", ""), ("x", ""))
    )
    (tmp_path / "items.yaml").write_text(items, encoding="utf-8")
    base = {"v": 1, "session": "s", "candidate": "ann", "seed": "1", "at": "2026-11-21T10:00:00Z"}
    import json

    lines = [
        {**base, "type": "session", "bank": "items.yaml", "items": ["a", "b"], "minutes": 5, "started": base["at"]},
        *({**base, "type": "response", "item": n, "response": "yes"} for n in "ab"),
        {**base, "type": "response", "item": "x", "response": "no", "follow_up": True},
        {"v": 1, "type": "end", "session": "s", "reason": "finished"},
    ]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines), encoding="utf-8")
    shown = quizgen("debrief", "s.jsonl", cwd=tmp_path).stdout
    assert [line.split()[0] for line in shown.splitlines() if line.endswith((" a", " b", " x"))] == ["1.", "1a.", "2."]
    one = quizgen("debrief", "s.jsonl", "--item", "1A", cwd=tmp_path).stdout
    assert one.startswith("--- 1a. x (incorrect, 0 of 1")
    assert "--- 2." not in one
    assert "there is no item 9" in quizgen("debrief", "s.jsonl", "--item", "9", cwd=tmp_path, code=2).stderr


def test_one_goes_to_an_item_by_its_number(log: Path) -> None:
    """In the session, from the review, and in the debrief; Esc goes back, an unknown number is told."""

    def at(name: str) -> object:
        def check(state: SessionScreen) -> None:
            assert (state.stage, state.session.place.entry.variant.item.id) == (Stage.ITEM, name)

        return check

    def unknown(state: SessionScreen) -> None:
        assert note_of(state, "") == "There is no item 9."

    def shown(number: str) -> object:
        def check(state: SessionScreen) -> None:
            assert f"--- {number}. " in state.body(80).lines[state.top]

        return check

    steps = [
        ENTER, F[11], stage(Stage.JUMP), "3", ENTER, at("t"), F[11], "9", ENTER, unknown, F[11], ESCAPE, at("t"),
        F[10], "2", ENTER, at("n"), F[7], "f", "f", stage(Stage.DEBRIEF), "2", ENTER, shown("2"), "n", shown("3"),
        "p", shown("2"),
    ]  # fmt: skip
    Full(log, fruit(), steps, rows=9)  # type: ignore[arg-type]  # steps are keys and checks


def test_one_goes_to_an_item_by_its_number_in_plain_mode(log: Path) -> None:
    typed: list[str | float | BaseException] = [":go 2", "4", ":go 9", ":skip", ""]
    shown = plain(log, typed, form(item("c"), item("n", "number")))
    at_two, again = shown.index("Item 2 of 2"), shown.rindex("Item 1 of 2")
    assert shown.index("Item 1 of 2") < at_two < again < shown.index("There is no item 9")


def test_the_review_has_ends_and_stays_where_it_was(log: Path) -> None:
    def on(row: int) -> object:
        def check(state: SessionScreen) -> None:
            assert state.cursor == row

        return check

    steps = [ENTER, F[10], UP, on(0), DOWN, DOWN, DOWN, on(2), ENTER, F[7], on(2), UP, on(1)]
    Full(log, fruit(), steps)  # type: ignore[arg-type]  # steps are keys and checks


def test_a_lucky_guess_is_explained_and_a_sure_answer_is_not(log: Path) -> None:
    def told(state: SessionScreen) -> None:
        text = "\n".join(state.body(80).lines)
        assert "Solution of c." in text
        assert "Solution of n." not in text

    steps = [ENTER, "b", ENTER, "1", "4", ENTER, "5", F[7], "f", "f", told]
    Full(log, fruit(), steps)  # type: ignore[arg-type]  # steps are keys and checks


def test_after_skips_it_is_not_said_that_all_items_were_met(log: Path) -> None:
    """Two of three skipped; they say nothing about their topic, and stand apart from what failed."""
    made = form(item("a"), item("b", topic="trees"), item("c", topic="stones"))
    shown = plain(log, ["A", ":skip", ":skip", ""], made)
    assert "All items met; 2 left without a response." in shown
    assert "Work on: fruit (0 %)." in shown
    assert "Redo now: 1. a." in shown
    assert "Left without a response: 2. b, 3. c." in shown


def test_the_keys_of_undo_and_redo_are_shown_and_work(log: Path) -> None:
    def told(state: SessionScreen) -> None:
        assert "^_ undoes, Alt-_ redoes" in note_of(state, "one")

    done = Full(log, form(item("t", "text")), [ENTER, "an apple", told, "\x1f", "\x1b_", F[5], "4"])  # type: ignore[list-item]
    assert done.responses == ["an apple"]


def test_plain_help_breaks_no_word(log: Path) -> None:
    shown = plain(log, [":help", ":quit"], form(item("c")), width=40)
    listed = shown[shown.index("A choice: one letter") : shown.index(":help")].splitlines()
    assert all(len(line) <= 40 for line in listed)
    assert ":sure N   how sure you are of this\n          item's response" in shown


def test_the_way_back_works_where_the_command_is_not_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["/some where/quizgen/__main__.py"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == f"{sys.executable} -m quizgen"
    monkeypatch.setattr(sys, "argv", ["/some where/bin/quizgen"])
    assert program() == "'/some where/bin/quizgen'"
    monkeypatch.setenv("PATH", os.path.dirname(shutil.which("quizgen", path=os.path.dirname(sys.executable)) or ""))
    assert program() == "quizgen"


def test_the_line_to_resume_with_is_quoted(tmp_path: Path) -> None:
    told = quizgen("mock", BANK, "--seed", "1", "--log", "my log.jsonl", typed=":leave\n", cwd=tmp_path).stderr
    assert "mock --resume 'my log.jsonl'" in told


def test_the_footer_of_the_debrief_names_the_jump() -> None:
    session = interview.new(fruit(), Rules())
    beside = 80 - len("PgDn 118/250")  # where the debrief goes on
    assert footer(footer_keys(Stage.DEBRIEF, session, False), beside).split("  ")[-2:] == ["1-9 number", "F1 help"]


def test_what_a_row_of_criteria_says_is_not_said_again() -> None:
    place = interview.new(form(item("t", "text")), Rules()).places[0]
    place = replace(place, response="an apple")
    score = place.entry.variant.score("an apple")
    assert remarks_beside(place, replace(score, say=("it says so", "another remark"))) == ["another remark"]


def test_follow_ups_change_no_number_and_have_letters() -> None:
    """Two follow-ups of the first item: 1a and 1b, whether they were shown or not; the second stays 2."""
    extra, more = form(item("extra"), item("more")).entries
    one = interview.start(interview.new(form(item("a"), item("b")), Rules(probes=True)), 0.0)
    before = one.number(1)
    one = interview.follow_up(interview.respond(one, "yes", 5.0), [extra])
    one = interview.follow_up(one, [more])
    assert [one.number(i) for i in range(4)] == ["1", "1a", "1b", "2"]
    assert (before, one.count, one.numbered("1B"), one.numbered("3")) == ("2", 2, 2, None)
    one = interview.respond(interview.go(one, 2, 5.0), "no", 9.0)
    shown = "\n".join(debrief_lines(debrief_of(interview.finish(one, 10.0, "quit"))))
    assert "--- 1b. more" in shown
    assert "1a." not in shown
    assert "  2. not reached" in shown


def test_a_probe_names_no_criterion_and_quotes_what_was_said() -> None:
    """A hedge and a half are asked about in the candidate's own words, not by what the author would ask
    of someone who said nothing; an id is never shown."""

    class Half(FakeVariant):
        status = "partial"

        def score(self, response: Given) -> Score:
            mark = Mark("the-id", Fraction(1), Fraction(2), "half", self.status, ((3, 12),) if response else ())
            return Score(Outcome.PARTIAL, (mark,))

        def probe(self, criterion: str) -> str:
            return "What does the author ask?"

    class Hedged(Half):
        status = "hedged"

    class Missing(Half):
        status = "missing"

    def asked(kind: type[Half]) -> str:
        return probe_text(Place(Entry(kind(item("t", "text"), "s")), response="It maybe, so grows."), "the-id")

    assert asked(Half) == "you said “maybe, so”. Say more: what exactly, and why?"
    assert asked(Hedged) == "you said “maybe, so”, and sounded unsure. Is it so, and why?"
    assert asked(Missing) == "What does the author ask?"
