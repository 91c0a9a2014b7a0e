"""Ten days to an interview, played: two missed, one session killed and resumed, every reason held to the logs."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
import shipped
from fakes import Clock

from quizgen.coach.plan import PlannedItem, StudyPlan
from quizgen.commands import coach
from quizgen.commands.coach import MODE_BY_DAY_PURPOSE, TodayInStudyPlan, make_study_plan
from quizgen.model import Bank, Outcome
from quizgen.session import interview, session_log
from quizgen.session import journal as session_files
from quizgen.session.interview import Mode, RunState, SessionRules
from quizgen.session.journal import Journal
from quizgen.session.sitting import Sitting, parse_response
from quizgen.terminal import history, open_session
from quizgen.terminal.open_session import SessionOptions

START = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)
INTERVIEW = date(2026, 12, 2)
MISSED, KILLED = (3, 4), 5


class Evening(Clock):
    """A clock that stands still but for what a session asks of it."""

    def __init__(self, when: datetime) -> None:
        super().__init__(0.0)
        self.when = when

    def utc_text(self) -> str:
        return (self.when + timedelta(seconds=self.time)).strftime("%Y-%m-%dT%H:%M:%SZ")


class Met(NamedTuple):
    """What the diary of this test holds of an item: the days, whether it was right, how sure."""

    day: date
    right: bool
    sure: int


class Played:
    """Ten days on a bank; `diary` is kept from the lines of the logs and from what was typed, by nothing else."""

    def __init__(self, folder: Path, bank: Bank) -> None:
        self.folder, self.bank = folder, bank
        self.diary: dict[str, list[Met]] = {}
        self.told: list[tuple[date, PlannedItem]] = []
        self.purposes: list[str] = []

    def here(self, now: datetime) -> coach.PracticeHistory:
        sessions = history.answered_sessions_of_logs(sorted(self.folder.glob("*.jsonl")), lambda text: None)
        return coach.PracticeHistory("distributed-training", self.bank, sessions, now).limited_to_this_bank()

    def plan(self, number: int) -> StudyPlan:
        """The plan that is made on this day, of twenty minutes."""
        return make_study_plan(self.here(START + timedelta(days=number)), INTERVIEW.toordinal(), 20, {"zero": 2.0}, [])

    def evening(self, number: int) -> None:
        clock = Evening(START + timedelta(days=number))
        here = self.here(clock.when)
        plan = session_files.load_study_plan(self.folder)
        day = TodayInStudyPlan(here, plan)
        purpose, choices = day.day_purpose_name, day.choose_items_for_today()
        for choice in choices:
            self._holds(choice, clock.when.date(), plan)
        self.purposes.append(purpose)
        self.told += [(clock.when.date(), c) for c in choices]
        asked = day.make_planned_session(choices)
        wanted = SessionOptions(seed=f"day {number}", planned_session=asked)
        form = open_session.assemble_session_form(self.bank, None, wanted)
        rules = SessionRules(Mode.STRICT if MODE_BY_DAY_PURPOSE.get(purpose) is Mode.STRICT else Mode.INTERVIEW)
        who = session_log.SessionIdentity(f"s{number}", "ann", "distributed-training", self.bank.digest)
        session, journal = interview.new_session(form, rules), Journal(str(self.folder / f"{number}.jsonl"))
        sitting = open_session.build_sitting(self.bank, session, who, journal, clock)
        self._answer(sitting, clock, 4 if number == KILLED else 999)
        if number == KILLED:
            sitting.journal.close()  # as kill -9 leaves it: no end, no draft
            again = self.here(clock.when)
            journal = Journal(str(self.folder / f"{number}.jsonl"))
            (logged,) = session_log.sessions_in_log_content(journal.content_at_opening)
            sitting = open_session.resume_sitting(logged, self.bank, journal, clock)
            assert [p.form_entry.variant.item.id for p in sitting.session.item_states] == list(asked.item_ids)
            # The reasons of the morning still hold for what is open.
            later = TodayInStudyPlan(again, plan).make_planned_session(choices).reason_by_item_id
            assert {n: later[n] for n in asked.item_ids} == {c.item_id: c.reason_with_state for c in choices}
            self._answer(sitting, clock, 999)
        sitting.end_session("finished")
        sitting.close_log_and_keep_draft()
        assert sitting.session.run_state is RunState.ENDED

    def _answer(self, sitting: Sitting, clock: Evening, most: int) -> None:
        sitting.log_start_or_resume()
        sitting.start_clock()
        index: int | None = sitting.session.current_index
        while index is not None and most:
            sitting.go_to_item(index)
            variant = sitting.session.item_state.form_entry.variant
            turn = sum(map(ord, variant.item.id)) + clock.when.day
            wanted = Outcome.CORRECT if turn % 3 else Outcome.INCORRECT
            found = [s for s in variant.samples() if s.outcome is wanted is variant.score(s.response).outcome]
            sure = 1 + turn % 5
            if found:
                sitting.update_item_state(confidence=sure)
                text = found[0].response
                typed = text if isinstance(text, str) else ", ".join(text)
                sitting.record_and_log_response(parse_response(variant, typed))
            else:
                sitting.log_skip_unless_answered()
            clock.tick(40)
            index, most = sitting.session.next_undecided_index(), most - 1
            right = bool(found) and wanted is Outcome.CORRECT
            self.diary.setdefault(variant.item.id, []).append(Met(clock.when.date(), right, sure if found else 0))

    def _holds(self, choice: PlannedItem, today: date, plan: object) -> None:
        """The reason of a choice by the diary alone; its percentages are held by test_chooser and test_memory."""
        met = self.diary.get(choice.item_id)
        if choice.learning_state == "sealed":
            assert met is None
            return
        if choice.learning_state == "new":
            assert met is None
            topic = self.bank.items[choice.item_id].topic
            skills = {i.skill for i in self.bank.items.values() if i.topic == topic and i.status == "active"}
            known = {self.bank.items[n].skill for n in self.diary if self.bank.items[n].topic == topic}
            if "another item" in choice.reason_with_state:
                assert self.bank.items[choice.item_id].skill in known
            else:
                assert choice.reason_with_state.endswith(f"{len(known)} of {len(skills)} skills met")
            return
        last = met[-1]
        when = "yesterday" if today - last.day == timedelta(days=1) else f"on {last.day:%a}"
        when = f"{(today - last.day).days} days ago" if today - last.day >= timedelta(days=7) else when
        assert when in choice.reason_with_state
        assert (choice.learning_state == "back") is not last.right
        assert ("though sure" in choice.reason_with_state) is (not last.right and last.sure >= 4)
        if choice.learning_state == "fragile":
            assert last.sure in (1, 2)


@pytest.mark.slow
def test_ten_days(tmp_path: Path) -> None:
    played = Played(tmp_path, shipped.bank())
    session_files.save_study_plan(tmp_path, played.plan(0))
    file = tmp_path / session_files.STUDY_PLAN_FILE_NAME
    before = file.read_bytes()
    for number in range(10):
        if number in MISSED:
            continue
        if number == 6:
            # The plan deleted and made again is the same plan: nothing that was learned was in it.
            file.unlink()
            session_files.save_study_plan(tmp_path, played.plan(6))
            assert file.read_bytes() == before
        played.evening(number)
    assert played.purposes == ["scout", "practice", "mock", "mock", "practice", "practice", "rehearsal", "last"]
    # No item of the rehearsal was met before it, and no item twice on a day.
    sealed = json.loads(before)["sealed"]
    assert {played.diary[name][0].day for name in sealed} == {date(2026, 11, 30)}
    assert {c.learning_state for _, c in played.told} >= {"new", "back", "sealed"}
    assert len(played.told) == len({(day, c.item_id) for day, c in played.told})
    # The last day brings back what was missed though sure, and little of it.
    final = [c for day, c in played.told if day == date(2026, 12, 1)]
    assert final
    assert sum(c.expected_total_seconds for c in final) <= 20 * 60
    assert "though sure" in final[0].reason_with_state
    # Every session is an ordinary one: its log is read like any other.
    for path in sorted(tmp_path.glob("*.jsonl")):
        (logged,) = session_log.sessions_in_log_content(path.read_bytes())
        assert logged.has_ended
        assert logged.first_record["bank"] == "distributed-training"
