"""A recorded session killed, or failed, at every call it makes to the file system.

Whatever the call and however it fails: no response that the screen called recorded is lost, the log
can be read, scored and resumed, and the resumed session ends with every item in the log.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import Clock, Script, form, item
from faulty import FaultyDisk, Killed

from quizgen.model import Form
from quizgen.session import drafts, interview, session_log
from quizgen.session.interview import Rules, next_open_index
from quizgen.session.journal import Journal, NotSaved
from quizgen.session.reading import read_response
from quizgen.session.session_log import SessionIdentity
from quizgen.session.sitting import Sitting
from quizgen.terminal.plain import PlainSession

WHO = SessionIdentity("s1", "ann", "fake", "sha256:0")
TYPED = ["B", "4", "an apple", "and a pear", ".", "A", ":sure 3", "7"]
WAYS: tuple[int | str, ...] = (errno.ENOSPC, errno.EIO, errno.EINTR, "before", "after", "torn")


def fruit() -> Form:
    return form(item("c1"), item("n1", "number"), item("t1", "text"), item("c2"), item("n2", "number"))


def sit(path: Path, files: FaultyDisk, typed: list[str]) -> tuple[Sitting, Script]:
    """Begin or go on with the session of a log; the same lines are typed for what is left."""
    journal = Journal(str(path), files)
    session = interview.new_session(fruit(), Rules(has_probes=False))
    found = session_log.last_unfinished(session_log.read_sessions(journal.content_before))
    if found is not None:
        state = drafts.load_draft(str(path), "s1")
        last = found.last_response_by_item
        known = [(place, last.get(place.entry.variant.item.id)) for place in session.item_states]
        places = tuple(session_log.restored_item_state(place, line) if line else place for place, line in known)
        session = replace(session, item_states=places, used_seconds=max(found.elapsed_seconds, state.used_seconds))
        session = replace(session, current_index=next_open_index(session, -1) or 0)
    sitting = Sitting(session, WHO, journal, Clock(), is_resumed=found is not None)
    script = Script(list(typed), clock=Clock())
    return sitting, script


def play(path: Path, files: FaultyDisk, typed: list[str], acked: set[str]) -> None:
    """One session; names of items whose response the screen called recorded go to `acked`."""
    sitting, script = sit(path, files, typed)
    plain = PlainSession(sitting, script)
    recorded = plain.confirm_saved

    def watch(text: str) -> None:
        recorded(text)
        if not sitting.log_trouble:
            acked.add(sitting.session.item_state.entry.variant.item.id)

    plain.confirm_saved = watch  # type: ignore[method-assign]  # a spy in its place
    sitting.log_start()
    plain.run()
    sitting.close()


def calls_of_a_clean_session(tmp_path: Path) -> int:
    files = FaultyDisk()
    play(tmp_path / "clean.jsonl", files, TYPED, set())
    return len(files.calls)


def logged(path: Path) -> dict[str, object]:
    sessions = session_log.read_sessions(path.read_bytes()) if path.exists() else ()
    return {name: line["response"] for s in sessions for name, line in s.last_response_by_item.items()}


def ended(path: Path) -> bool:
    sessions = session_log.read_sessions(path.read_bytes()) if path.exists() else ()
    return [s.has_ended for s in sessions] == [True]


def faults(tmp_path: Path) -> Iterator[tuple[int, int | str]]:
    for at in range(1, calls_of_a_clean_session(tmp_path) + 1):
        for how in WAYS:
            yield at, how


def test_every_fault_at_every_call(tmp_path: Path) -> None:
    tried = 0
    for at, how in faults(tmp_path):
        tried += 1
        path = tmp_path / f"{at}-{how}.jsonl"
        acked: set[str] = set()
        files = FaultyDisk(at=at, how=how)
        try:
            play(path, files, TYPED, acked)
        except (Killed, NotSaved, OSError):
            files.die()
            kept = logged(path)
            assert acked <= set(kept), (at, how)
            if not ended(path):
                play(path, FaultyDisk(), TYPED[_lines_used(kept) :], acked)
        assert logged(path) == {
            "c1": "yes", "n1": "4", "t1": "an apple\nand a pear", "c2": "no", "n2": "7",
        }, (at, how, files.calls[at - 1])  # fmt: skip
        assert ended(path), (at, how)
    assert tried >= 60


def _lines_used(kept: dict[str, object]) -> int:
    """Where the typing goes on: behind the last item that the log holds."""
    ends = {"c1": 1, "n1": 2, "t1": 5, "c2": 6, "n2": 8}
    return max((ends[name] for name in kept), default=0)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_full_disk_is_told_at_once_and_the_response_kept(tmp_path: Path, code: int) -> None:
    """At a keyboard the item stays until it is on disk: Enter tries again."""
    files = FaultyDisk(at=10, how=code)
    path = tmp_path / "s.jsonl"
    sitting, script = sit(path, files, ["B", "", *TYPED[1:]])
    script.interactive = True
    sitting.log_start()
    PlainSession(sitting, script).run()
    screen = script.screen
    assert screen.index("NOT SAVED") < screen.index("Saved now.") < screen.index("Item 2 of 5")
    assert logged(path)["c1"] == "yes"


def test_from_a_pipe_a_full_disk_is_told_and_the_session_goes_on(tmp_path: Path) -> None:
    files = FaultyDisk(at=10, how=errno.ENOSPC)
    path = tmp_path / "s.jsonl"
    sitting, script = sit(path, files, TYPED)
    sitting.log_start()
    PlainSession(sitting, script).run()
    assert "NOT SAVED: 1 line not saved" in script.screen
    assert logged(path) == {"c1": "yes", "n1": "4", "t1": "an apple\nand a pear", "c2": "no", "n2": "7"}
    assert not sitting.log_trouble


def unsaved(tmp_path: Path) -> Sitting:
    """A session whose first response could not be logged; nothing else fails."""
    for at in range(5, 20):
        try:
            sitting, _ = sit(tmp_path / f"{at}.jsonl", FaultyDisk(at=at, how=errno.ENOSPC), [])
            sitting.log_start()
        except (NotSaved, OSError):
            continue
        sitting.start()
        sitting.respond(read_response(sitting.session.item_state.entry.variant, "B"))
        if sitting.log_trouble:
            return sitting
    raise AssertionError("no call of a response failed")


def test_a_response_that_cannot_be_logged_is_kept_as_a_draft(tmp_path: Path) -> None:
    sitting = unsaved(tmp_path)
    sitting.close()
    kept = drafts.load_draft(sitting.journal.path, "s1")
    assert kept.fields_by_item["c1"]["draft"] == "B"
    assert logged(Path(sitting.journal.path)) == {}


def test_a_retry_that_works_makes_the_draft_go(tmp_path: Path) -> None:
    sitting = unsaved(tmp_path)
    sitting.go_to_item(1)
    assert sitting.retry_log()
    assert [p.draft for p in sitting.session.item_states] == [""] * 5
    assert sitting.session.current_index == 1
    assert logged(Path(sitting.journal.path)) == {"c1": "yes"}
    sitting.close()
