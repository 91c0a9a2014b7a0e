"""The full screen: clocks, pauses, leaving and the hard stop."""

from __future__ import annotations

from pathlib import Path

import pytest
from driven import ENTER, ESCAPE, F, Full, Step, fruit, note_of, says, stage
from fakes import Clock, form, item

from quizgen.session.interview import Mode, Phase
from quizgen.terminal.panes import Stage
from quizgen.terminal.session_screen import SessionScreen


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def test_strict_has_no_probe_no_pause_no_solution(log: Path) -> None:
    done = Full(
        log,
        fruit(),
        [
            ENTER,
            F[9],
            says("no pause"),
            F[12],
            says("in the debrief"),
            F[7],
            F[7],
            "an apple",
            F[5],
            "4",
            stage(Stage.REVIEW),
        ],
        mode=Mode.STRICT,
    )
    assert done.responses == ["", "", "an apple"]


def test_pause_hides_the_item_and_stops_the_clock(log: Path) -> None:
    def hidden(state: SessionScreen) -> None:
        assert not any("Stem" in line for line in state.body(60).lines)
        assert isinstance(state.sitting.clock, Clock)
        state.sitting.clock.tick(100)
        state.pulse()

    done = Full(log, fruit(), [ENTER, F[9], stage(Stage.PAUSED), hidden, ENTER, stage(Stage.ITEM)])
    assert done.sitting.session.used < 1


def test_ctrl_c_asks_first(log: Path) -> None:
    done = Full(log, fruit(), [ENTER, "b", "\x03", stage(Stage.LEAVE), ESCAPE, stage(Stage.ITEM), "\x03", "s"])
    assert done.code == 0
    assert done.sitting.session.phase is Phase.RUNNING
    ended = Full(log.with_name("e.jsonl"), fruit(), [ENTER, "b", "\x03", "e", stage(Stage.DEBRIEF)])
    assert ended.lines[-1]["reason"] == "quit"
    assert ended.responses == ["yes"]
    assert Full(log.with_name("k.jsonl"), fruit(), [ENTER, "\x03", "\x03"]).code == 130


def test_the_hard_stop_submits_what_is_there(log: Path) -> None:
    def over(state: SessionScreen) -> None:
        assert isinstance(state.sitting.clock, Clock)
        for _ in range(61):
            state.sitting.clock.tick(1)
            state.pulse()
        assert state.stage is Stage.DEBRIEF

    done = Full(log, form(item("t", "text"), item("c"), minutes=1), [ENTER, "an apple", over])
    assert done.responses == ["an apple"]
    assert done.lines[-1]["reason"] == "time"


def test_the_hard_stop_in_a_probe_adds_to_the_response(log: Path) -> None:
    def over(state: SessionScreen) -> None:
        state.end("time")

    done = Full(log, form(item("t", "text")), [ENTER, "an apple", F[5], "4", "a pear", over])
    assert done.responses == ["an apple", "an apple\n\na pear"]
    nothing = Full(log.with_name("n.jsonl"), form(item("t", "text")), [ENTER, "an apple", F[5], "4", "p", ESCAPE, over])
    assert nothing.responses == ["an apple"]


def test_a_chosen_option_is_submitted_too(log: Path) -> None:
    def over(state: SessionScreen) -> None:
        state.end("time")

    assert Full(log, fruit(), [ENTER, "b", over]).responses == ["yes"]


def test_a_suspended_process_loses_no_time(log: Path) -> None:
    def stopped(state: SessionScreen) -> None:
        assert isinstance(state.sitting.clock, Clock)
        left = state.session.left(state.now)
        state.sitting.clock.tick(3600)
        state.pulse()
        assert left - state.session.left(state.now) <= 1.0

    Full(log, fruit(), [ENTER, stopped])


def test_leaving_is_taken_back_where_it_was_asked(log: Path) -> None:
    """Ctrl-C in the middle of a probe: Esc goes back to the probe, with what was typed for it."""
    steps: list[Step] = [ENTER, "an apple", F[5], "4", stage(Stage.PROBE), "a pear", "\x03", stage(Stage.LEAVE)]
    done = Full(log, form(item("t", "text")), [*steps, ESCAPE, stage(Stage.PROBE), F[5]])
    assert done.responses == ["an apple", "an apple\n\na pear"]


def test_finishing_with_open_items_is_asked_once_more(log: Path) -> None:
    steps: list[Step] = [ENTER, "b", ENTER, "4", F[10], "f", stage(Stage.FINISH)]

    def told(state: SessionScreen) -> None:
        assert note_of(state, "") == "1 item is still open. f finishes all the same, Esc goes back."

    done = Full(log, form(item("c"), item("n", "number")), [*steps, told, ESCAPE, stage(Stage.REVIEW), "f", "f"])
    assert done.sitting.session.phase is Phase.ENDED
    whole = Full(log.with_name("w.jsonl"), form(item("c")), [ENTER, "b", ENTER, "4", F[10], "f"])
    assert whole.sitting.session.phase is Phase.ENDED


def test_a_pause_of_the_review_goes_back_to_the_review(log: Path) -> None:
    Full(log, fruit(), [ENTER, F[10], F[9], stage(Stage.PAUSED), ENTER, stage(Stage.REVIEW)])


def test_an_item_over_its_time_is_told_once(log: Path) -> None:
    def over(state: SessionScreen) -> None:
        assert isinstance(state.sitting.clock, Clock)
        for _ in range(62):
            state.sitting.clock.tick(1)
            state.pulse()
        assert note_of(state, "").startswith("This item's time is over")

    def silent(state: SessionScreen) -> None:
        state.pulse()
        assert not note_of(state, "").startswith("This item's time is over")

    Full(log, fruit(), [ENTER, over, "a", silent])
