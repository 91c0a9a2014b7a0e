"""Drafts: saved whole or not at all, and never believed beyond what they can be; a plan comes back as it was saved."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import form, item, noted, three
from faulty import Killed

from quizgen.coach.plan import StudyPlan
from quizgen.session import interview
from quizgen.session import journal as drafts
from quizgen.session.interview import SessionRules
from quizgen.source.problems import Unreadable


def test_a_draft_comes_back_as_it_was(tmp_path: Path, log: Path) -> None:
    session = three().start_clock(0.0)
    session = noted(noted(noted(session, draft_text="half a\nresponse"), scratch_text="notes"), is_flagged=True)
    drafts.replace_draft_file_of_log(str(log), "s1", session, 1.5)
    state = drafts.load_draft_of_log(str(log), "s1")
    place = drafts.item_state_with_draft(three().item_states[0], state.draft_file_fields_by_item_id["c"])
    assert (place.draft_text, place.scratch_text, place.is_flagged) == ("half a\nresponse", "notes", True)
    assert state.used_seconds == 1.5
    assert state.item_ids_in_order == ("c", "n", "t")
    assert drafts.load_draft_of_log(str(log), "s2") == drafts.SessionDraft(), "a draft of another session is none"
    answered = drafts.item_state_with_draft(replace(place, seconds_spent=9.0), {"draft": "half", "seconds": 8.5})
    assert (answered.draft_text, answered.seconds_spent) == ("", 9.0)  # a crash left a draft older than the response
    (tmp_path / ".s.jsonl.draft.0123456789abcdef.part").write_text("x")
    drafts.delete_draft_of_log(str(log))  # with its leftovers
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", [b"", b"[]", b'{"session": "s1", "places": 3}', b"\xff", b"[" * 9000])
def test_a_damaged_draft_reads_as_none(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "s.jsonl.draft").write_bytes(text)
    assert drafts.load_draft_of_log(str(tmp_path / "s.jsonl"), "s1").draft_file_fields_by_item_id == {}


def test_a_forged_draft_cannot_take_hints_that_do_not_exist() -> None:
    place = interview.new_session(form(item("a", hints=("one",))), SessionRules()).item_states[0]
    state = {"hints": 99, "confidence": 7, "seconds": float("nan"), "draft": 5}
    applied = drafts.item_state_with_draft(place, state)
    assert (applied.taken_hint_count, applied.confidence) == (1, None)
    assert (applied.seconds_spent, applied.draft_text) == (0.0, "")


CALLS = ("open", "fsync", "replace")  # what a draft asks of the system, in this order


@pytest.mark.parametrize("how", [errno.ENOSPC, "before", "after"])
@pytest.mark.parametrize("call", CALLS)
def test_a_crash_while_saving_leaves_the_old_draft_or_the_new(
    tmp_path: Path, log: Path, call: str, how: int | str
) -> None:
    session = three().start_clock(0.0)
    drafts.replace_draft_file_of_log(str(log), "s1", noted(session, draft_text="old"), 0.0)
    real = getattr(os, call)

    def failing(*arguments: object) -> object:
        if isinstance(how, int):
            raise OSError(how, errno.errorcode[how])
        if how == "after":
            real(*arguments)
        raise Killed

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, call, failing)
        with pytest.raises((OSError, Killed)):
            drafts.replace_draft_file_of_log(str(log), "s1", noted(session, draft_text="new"), 0.0)
    assert json.loads((tmp_path / "s.jsonl.draft").read_text())["places"]["c"]["draft"] in ("old", "new")


def test_the_name_of_a_draft_is_as_durable_as_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the folder on disk, a power cut can bring the earlier draft back after "Nothing is lost"."""
    called = []
    for name in ("replace", "fsync"):
        real = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *given, real=real, name=name: (called.append(name), real(*given))[1])
    drafts.replace_draft_file_of_log(str(tmp_path / "s.jsonl"), "s1", three().start_clock(0.0), 0.0)
    assert called == ["fsync", "replace", "fsync"]  # the text, its name, the folder


PLAN = StudyPlan("bank", 739_200, 45, {"zero": 2.0}, frozenset({739_190}), ("a", "b"))


@pytest.mark.parametrize("plan", [PLAN, StudyPlan("bank", 739_200, 24 * 60, {"zero": 1000.0, "git": 0.5})])
def test_a_plan_comes_back(tmp_path: Path, plan: StudyPlan) -> None:
    """Also one with the most that a plan may say."""
    assert drafts.load_study_plan(tmp_path) is None
    drafts.save_study_plan(tmp_path, plan)
    assert drafts.load_study_plan(tmp_path) == plan


def test_what_is_no_plan_is_told(tmp_path: Path) -> None:
    drafts.save_study_plan(tmp_path, PLAN)
    path = tmp_path / drafts.STUDY_PLAN_FILE_NAME
    whole = json.loads(path.read_text(encoding="utf-8"))
    invalid = ({"minutes": 0}, {"minutes": 24 * 60 + 1}, {"weights": {"zero": 0}}, {"weights": {"zero": 1001}})
    for damage in (*invalid, {"interview": "soon"}, {"rest": None}):
        path.write_text(json.dumps(whole | damage), encoding="utf-8")
        with pytest.raises(Unreadable, match="minutes or weights" if damage in invalid else "is not a plan"):
            drafts.load_study_plan(tmp_path)
