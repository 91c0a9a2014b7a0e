"""A 12-item session killed at each item: the same items, variants, order and time left come back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes import Clock
from process import BANK

from quizgen import bank as banks
from quizgen.model import Bank
from quizgen.session import interview, session_log
from quizgen.session.interview import Interview, SessionRules
from quizgen.session.journal import Journal
from quizgen.session.session_log import SessionIdentity
from quizgen.session.sitting import Sitting, parse_response
from quizgen.terminal import open_session
from quizgen.terminal.open_session import SessionOptions


class Jumping(Clock):
    """The wall's time leaps an hour ahead, two back, and stands on another day at each call: `at` is information only."""

    leaps = ("2026-11-21T11:00:00Z", "2026-11-21T09:00:00Z", "2027-01-01T00:00:00Z", "1999-12-31T23:59:59Z")
    calls = 0

    def utc_text(self) -> str:
        self.calls += 1
        return self.leaps[self.calls % 4]


@pytest.fixture(scope="module")
def bank() -> Bank:
    return banks.load_bank(BANK).required_bank


def begin(bank: Bank, path: Path, clock: Clock, **rules: object) -> Sitting:
    form = open_session.assemble_session_form(bank, None, SessionOptions(seed="twelve", item_count=12))
    who = SessionIdentity("s1", "ann", BANK, bank.digest)
    session = interview.new_session(form, SessionRules(**rules))
    return on_its_way(open_session.build_sitting(bank, session, who, Journal(str(path)), clock))


def again(bank: Bank, path: Path, clock: Clock) -> Sitting:
    journal = Journal(str(path))
    (logged,) = session_log.sessions_in_log_content(journal.content_at_opening)
    return on_its_way(open_session.resume_sitting(logged, bank, journal, clock))


def on_its_way(made: Sitting) -> Sitting:
    made.log_start_or_resume()
    made.start_clock()
    return made


def die(sitting: Sitting) -> None:
    """The process is gone: its files are closed and nothing is saved on the way."""
    sitting.journal.close()


def shown(session: Interview) -> list[tuple[object, ...]]:
    """What a candidate meets: items in order, drawn values, prompts with their options' order."""
    variants = [state.form_entry.variant for state in session.item_states]
    return [(one.item.id, dict(one.drawn_log_values()), one.prompt()) for one in variants]


@pytest.mark.parametrize("has_draft", [True, False])
@pytest.mark.parametrize("killed_at", range(12))
def test_killed_at_each_item(bank: Bank, tmp_path: Path, killed_at: int, has_draft: bool) -> None:
    """Without its draft the log alone is enough for all but what was typed since the last response."""
    path, clock = tmp_path / "s.jsonl", Jumping()
    sitting = begin(bank, path, clock)
    before = shown(sitting.session)
    assert len(before) == 12
    for index in range(killed_at):
        clock.tick(1.7)
        sitting.advance_clock_to_now()
        sitting.record_and_log_response(parse_response(sitting.session.item_state.variant, f"response {index}"))
        following = sitting.session.next_undecided_index()
        assert following is not None
        sitting.go_to_item(following)
    left = sitting.session.seconds_left(clock.seconds_now())
    for _ in range(5 if has_draft else 0):
        clock.tick(1.0)
        left -= 1
        sitting.save_draft_text("half a respon")
        sitting.toggle_flag()
    given = [p.response for p in sitting.session.item_states]
    clock.tick(0.9)  # typed since the last draft
    die(sitting)
    if not has_draft:
        (tmp_path / "s.jsonl.draft").unlink(missing_ok=True)

    later = Jumping(5.0)  # another process, another zero of the clock
    back = again(bank, path, later)
    assert shown(back.session) == before
    assert back.session.current_index == killed_at
    assert [p.response for p in back.session.item_states] == given
    assert back.session.item_state.draft_text == "half a respon" * has_draft
    assert back.session.item_state.is_flagged is has_draft
    assert abs(back.session.seconds_left(later.seconds_now()) - left) <= 1.0
    die(back)


def test_killed_twice_nothing_is_counted_twice(bank: Bank, tmp_path: Path) -> None:
    path, clock = tmp_path / "s.jsonl", Clock()
    sitting = begin(bank, path, clock)
    for _ in range(3):
        clock.tick(1.0)
        sitting.save_draft_text("x")
    die(sitting)
    for _ in range(2):
        sitting = again(bank, path, Clock())
        for _ in range(2):
            sitting.clock.tick(1.0)
            sitting.save_draft_text("xy")
        die(sitting)
    sitting = again(bank, path, Clock())
    assert sitting.session.used_seconds == pytest.approx(7.0, abs=1.0)
    die(sitting)


def test_rules_hints_skips_and_confidence_come_back(bank: Bank, tmp_path: Path) -> None:
    path, clock = tmp_path / "s.jsonl", Clock()
    sitting = begin(bank, path, clock, time_multiplier=2.0, is_timed=True)
    numeric = next(i for i, p in enumerate(sitting.session.item_states) if p.form_entry.variant.item.kind == "numeric")
    sitting.log_skip_unless_answered()
    sitting.go_to_item(numeric)
    sitting.take_next_hint()
    sitting.request_all_fact_texts()
    sitting.update_item_state(confidence=4)
    sitting.save_draft(force=True)
    die(sitting)
    back = again(bank, path, Clock())
    place = back.session.item_states[numeric]
    assert (place.taken_hint_count, place.are_facts_shown, place.confidence) == (1, True, 4)
    assert back.session.item_states[0].was_skipped
    assert back.session.budget_seconds == 2 * float(back.session.form.minutes) * 60
    die(back)


def test_a_first_line_that_names_odd_items_is_refused_in_a_sentence(bank: Bank, tmp_path: Path) -> None:
    """Numbers, an object and a list where ids belong: no item of the bank, and no traceback."""
    path = tmp_path / "session.jsonl"
    die(begin(bank, path, Clock()))
    head, *rest = path.read_text(encoding="utf-8").splitlines()
    odd = json.dumps(json.loads(head) | {"items": [1, {"a": 1}, ["b"]]})
    path.write_text("\n".join([odd, *rest, ""]), encoding="utf-8")
    with pytest.raises(open_session.CannotResume, match="no longer has 1, "):
        again(bank, path, Clock())
