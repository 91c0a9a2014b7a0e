"""A recorded session killed, or failed, at every call it makes to the file system.

Whatever the call and however it fails: no response that the screen called recorded is lost, the log
can be read, scored and resumed, and the resumed session ends with every item in the log. Below these are faults of a
session that people met: each test failed before it was fixed.
"""

from __future__ import annotations

import errno
import itertools
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from driven import ENTER, ESCAPE, F, Full, fruit, passes, says, shows, stage, time_is_over
from fakes import WHO, Clock, FakeVariant, Script, form, item
from faulty import FaultyDisk, Killed

from quizgen.model import FormEntry, Mark, Outcome, Response, Score
from quizgen.session import interview, session_log
from quizgen.session import journal as drafts
from quizgen.session.interview import ItemState, SessionRules
from quizgen.session.journal import Journal, LinesNotSaved
from quizgen.session.sitting import Sitting, parse_response
from quizgen.terminal.panes import Stage, probe_question_text
from quizgen.terminal.plain import PlainSession
from quizgen.terminal.session_screen import SessionScreen

TYPED = ["B", "4", ":sure 3", "an apple", "and a pear", "."]
ALL = {"c": "yes", "n": "4", "t": "an apple\nand a pear"}  # what the log then holds
WAYS: tuple[int | str, ...] = (errno.ENOSPC, "before", "after", "torn")


def sit(path: Path, files: FaultyDisk, typed: list[str]) -> tuple[Sitting, Script]:
    """Begin or go on with the session of a log; the same lines are typed for what is left."""
    journal = Journal(str(path), files)
    session = interview.new_session(fruit(), SessionRules(wants_probes=False))
    found = next((s for s in session_log.sessions_in_log_content(journal.content_at_opening) if not s.has_ended), None)
    if found is not None:
        state = drafts.load_draft_of_log(str(path), "s1")
        last = found.last_response_record_by_item_id
        known = [(place, last.get(place.form_entry.variant.item.id)) for place in session.item_states]
        places = tuple(session_log.item_state_after_response(place, line) if line else place for place, line in known)
        session = replace(session, item_states=places, used_seconds=max(found.used_seconds, state.used_seconds))
        session = replace(session, current_index=session.next_undecided_index(-1) or 0)
    sitting = Sitting(session, WHO, journal, Clock(), is_resumed=found is not None)
    return sitting, Script(list(typed), clock=Clock())


def play(path: Path, files: FaultyDisk, typed: list[str], acked: set[str]) -> None:
    """One session; names of items whose response the screen called recorded go to `acked`."""
    sitting, script = sit(path, files, typed)
    plain = PlainSession(sitting, script)
    recorded = plain.print_once_saved

    def watch(text: str) -> None:
        recorded(text)
        if not sitting.log_error_text:
            acked.add(sitting.session.item_state.form_entry.variant.item.id)

    plain.print_once_saved = watch
    sitting.log_start_or_resume()
    plain.run_to_debrief()
    sitting.close_log_and_keep_draft()


def sessions(path: Path) -> tuple[session_log.LoggedSession, ...]:
    return session_log.sessions_in_log_content(path.read_bytes()) if path.exists() else ()


def logged(path: Path) -> dict[str, object]:
    return {name: line["response"] for s in sessions(path) for name, line in s.last_response_record_by_item_id.items()}


def ended(path: Path) -> bool:
    return [s.has_ended for s in sessions(path)] == [True]


def test_every_fault_at_every_call(tmp_path: Path) -> None:
    clean = FaultyDisk()
    play(tmp_path / "clean.jsonl", clean, TYPED, set())
    assert len(clean.calls) > 10
    for at, how in itertools.product(range(1, len(clean.calls) + 1), WAYS):
        path = tmp_path / f"{at}-{how}.jsonl"
        acked: set[str] = set()
        files = FaultyDisk(at=at, how=how)
        try:
            play(path, files, TYPED, acked)
        except (Killed, LinesNotSaved, OSError):
            files.die()
            kept = logged(path)
            assert acked <= set(kept), (at, how)
            if not ended(path):
                play(path, FaultyDisk(), TYPED[_lines_used(kept) :], acked)
        assert logged(path) == ALL, (at, how, files.calls[at - 1])
        assert ended(path), (at, how)


def _lines_used(kept: dict[str, object]) -> int:
    """Where the typing goes on: behind the last item that the log holds."""
    ends = {"c": 1, "n": 2, "t": 6}
    return max((ends[name] for name in kept), default=0)


@pytest.mark.parametrize("interactive", [True, False])
def test_a_full_disk_is_told_at_once_and_the_response_kept(log: Path, interactive: bool) -> None:
    """At a keyboard the item stays until it is on disk: Enter tries again. From a pipe the session goes on."""
    sitting, script = sit(log, FaultyDisk(at=10, how=errno.ENOSPC), ["B", *[""] * interactive, *TYPED[1:]])
    script.is_interactive = interactive
    sitting.log_start_or_resume()
    PlainSession(sitting, script).run_to_debrief()
    screen = script.screen
    assert "NOT SAVED: 1 line not saved" in screen
    if interactive:
        assert screen.index("NOT SAVED") < screen.index("Saved now.") < screen.index("Item 2 of 3")
    assert logged(log) == ALL
    assert not sitting.log_error_text


def test_a_response_that_cannot_be_logged_is_kept_as_a_draft_until_a_retry_works(log: Path) -> None:
    """Only the line of the first response fails."""
    sitting, _ = sit(log, FaultyDisk(at=10, how=errno.ENOSPC), [])
    sitting.log_start_or_resume()
    sitting.start_clock()
    sitting.record_and_log_response(parse_response(sitting.session.item_state.form_entry.variant, "B"))
    assert sitting.log_error_text
    sitting.save_draft(force=True)
    assert drafts.load_draft_of_log(str(log), "s1").draft_file_fields_by_item_id["c"]["draft"] == "B"
    assert logged(log) == {}
    sitting.go_to_item(1)
    assert sitting.retry_saving_lines()
    assert [p.draft_text for p in sitting.session.item_states] == [""] * 3
    assert sitting.session.current_index == 1
    assert logged(log) == {"c": "yes"}
    sitting.close_log_and_keep_draft()


def test_keys_typed_as_time_runs_out_do_nothing_in_the_debrief(log: Path) -> None:
    """`r` began a new session, `q` left before the debrief was seen. Scrolling and Ctrl-C work at once."""

    def nothing(state: SessionScreen) -> None:
        assert state.stage is Stage.DEBRIEF
        assert not state.redo_requested

    typing = [time_is_over, "r", nothing, "q", nothing, ENTER, nothing, passes(1), "r", nothing, passes(2)]
    done = Full(log, form(item("t", "text"), item("c")), [ENTER, "an apple", *typing, "r"])
    assert done.state.redo_requested
    assert Full(log.with_name("c.jsonl"), fruit(), [ENTER, time_is_over, "\x03"]).code == 0


def test_a_follow_up_has_a_letter_and_moves_no_number(log: Path) -> None:
    """Header, strip, review and debrief say the same; what the plan said of it was made before the session."""

    def planned(state: SessionScreen) -> None:
        state.sitting.study_plan_reason_by_item_id = {"c": "new: 0 of 2 skills met", "extra": "new: 0 of 2 skills met"}

    def here(state: SessionScreen) -> None:
        assert state.sitting.current_item_plan_reason == ""
        assert state.header_and_is_time_short(80)[0].startswith(" 1a/3 ")
        assert state.item_states_line(80).strip() == "1+ [1a] 2 3"

    def reviewed(state: SessionScreen) -> None:
        rows = [line[1:5].strip() for line in state.pane_body(80).lines[3:]]
        assert rows == ["1a.", "2.", "3."]

    made = form(item("c", follow_up_ids=("extra",)), item("n", "number"), item("t", "text"))
    debriefed = [shows(" 1a. skipped", 80), shows("--- 1a. extra", 80)]
    steps = [planned, ENTER, "b", ENTER, "4", here, F[7], F[10], reviewed, "f", "f", *debriefed]
    assert [line["item"] for line in Full(log, made, steps).lines[1:3]] == ["c", "extra"]


def test_one_goes_to_an_item_by_its_number(log: Path) -> None:
    """In the session, from the review, and in the debrief; Esc goes back, an unknown number is told."""
    met: list[str] = []

    def at(state: SessionScreen) -> None:
        met.append(f"{state.stage.name} {state.session.item_state.form_entry.variant.item.id}")

    def top(state: SessionScreen) -> None:
        met.append(state.pane_body(80).lines[state.first_visible_row].partition("--- ")[2][:2])

    steps = [
        ENTER, F[11], stage(Stage.JUMP), "3", ENTER, at, F[11], "9", ENTER, says("There is no item 9."), F[11], ESCAPE, at,
        F[10], "2", ENTER, at, F[7], "f", "f", stage(Stage.DEBRIEF), "2", ENTER, top, "n", top, "p", top,
    ]  # fmt: skip
    Full(log, fruit(), steps, rows=9)
    assert met == ["ITEM t", "ITEM t", "ITEM n", "2.", "3.", "2."]


@pytest.mark.parametrize(
    ("status", "asked"),
    [
        ("partial", "you said “maybe, so”. Say more: what exactly, and why?"),
        ("hedged", "you said “maybe, so”, and sounded unsure. Is it so, and why?"),
        ("missing", "What does the author ask?"),
    ],
)
def test_a_probe_names_no_criterion_and_quotes_what_was_said(status: str, asked: str) -> None:
    """A hedge and a half are asked about in the candidate's own words, not by what the author would ask
    of someone who said nothing; an id is never shown."""

    class Probed(FakeVariant):
        def score(self, response: Response) -> Score:
            mark = Mark("the-id", Fraction(1), Fraction(2), "half", status, ((3, 12),) if response else ())
            return Score(Outcome.PARTIAL, (mark,))

        def probe_for_criterion(self, criterion: str) -> str:
            return "What does the author ask?"

    state = ItemState(FormEntry(Probed(item("t", "text"), "s")), response="It maybe, so grows.")
    assert probe_question_text(state, "the-id") == f"Follow-up: {asked}"
